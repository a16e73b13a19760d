"""What each model of a graph is made of, and what stands in the way of moving that into a class."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from lazygen.diagnostics import Diagnostic, Note
from lazygen.lift.bindings import bound_in, free_uses
from lazygen.lift.graph_body import Body, Bound
from lazygen.lift.graph_source import GraphSource, NotConvertible, refuse
from lazygen.trace.model import GraphTrace
from lazygen.values import field, record

_BINDING = (ast.Assign, ast.AnnAssign, ast.AugAssign)


@record
class Model:
    """A functional model: the statement that makes it, and what that needs of the statements before.

    `inputs` are what the names among its inputs mean.  Of `calls`, which lead from there to the outputs, others may
    have some too.  `layers` are held by a name, `models` are those of other graphs that are layers in this one.
    """

    end: ast.stmt
    variable: str
    given: ast.expr
    outputs: ast.expr
    graph: GraphTrace
    inputs: dict[str, Bound]
    calls: set[ast.stmt] = field(default_factory=set)
    layers: dict[ast.stmt, ast.Call] = field(default_factory=dict)
    models: set[ast.stmt] = field(default_factory=set)


class PartFinder:
    """Finds the parts of graphs."""

    def __init__(self, source: GraphSource, body: Body) -> None:
        self.source, self.body = source, body

    def find(self, model: Model) -> None:
        """Fill in what a model needs, found backwards from its outputs.

        Raises NotConvertible for what cannot be moved.
        """
        given = set(model.inputs.values())
        pending, seen = [*self.body.reads(model.outputs)], set(given)
        while pending:
            bound = pending.pop()
            if bound in seen:
                continue
            seen.add(bound)
            kind = self.body.kinds.get(bound.statement)
            if kind == "model":
                model.models.add(bound.statement)
            elif kind == "placeholder":
                self._refuse_other_input(bound, model)
            elif kind == "call":
                self._check_call(bound.statement)
                model.calls.add(bound.statement)
                pending += self.body.reads(bound.statement)
            elif (made := self.source.layer_of(bound.statement)) is not None:
                model.layers[bound.statement] = made

    def _check_call(self, statement: ast.stmt) -> None:
        place = self.source.syntax.place(statement)
        plain = isinstance(statement, _BINDING) or (isinstance(statement, ast.Expr) and statement in self.body.changed)
        if not plain:
            refuse(
                "LZ314",
                "a graph that is built inside another statement is not converted yet",
                place,
                "write the calls one after the other at the level of the module",
            )
        self.check_line(statement)
        self.check_modules(statement)

    def check_modules(self, part: ast.stmt | ast.expr) -> None:
        """Refuse calls of modules that the text does not make."""
        for node in ast.walk(part):
            if isinstance(node, ast.Call) and node in self.source.of_modules and isinstance(node.func, ast.Name):
                self._check_module(node.func)

    def _check_module(self, name: ast.Name) -> None:
        """Refuse a module that a name holds if no call that makes it is in the text."""
        bound = self.body.meant.get(name)
        known = bound is not None and (
            self.body.kinds.get(bound.statement) is not None or self.source.layer_of(bound.statement) is not None
        )
        if bound is not None and not known:
            raise NotConvertible(
                Diagnostic(
                    "LZ315",
                    f"`{name.id}` holds a module in this graph, and what makes it is not in the text",
                    self.source.syntax.place(name),
                    (Note("it is made here", self.source.syntax.place(bound.statement)),),
                    ("make it by a call of its class",),
                )
            )

    def check_line(self, statement: ast.stmt) -> None:
        """Refuse a statement that shares its line with another one of the module."""
        lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
        others = (other for other in self.body.statements if other is not statement)
        if any(other.lineno in lines or (other.end_lineno or 0) in lines for other in others):
            refuse(
                "LZ317",
                "a part of a graph shares its line with another statement",
                self.source.syntax.place(statement),
                "give each statement a line of its own",
            )

    def _refuse_other_input(self, bound: Bound, model: Model) -> None:
        finding = Diagnostic(
            "LZ313",
            f"{model.variable} needs `{bound.name}`, which is not among its inputs",
            self.source.syntax.place(model.end),
            (Note(f"`{bound.name}` is made here", self.source.syntax.place(bound.statement)),),
            ("give each of several values that one statement makes a statement of its own",),
        )
        raise NotConvertible(finding)

    # What stands in the way

    def check_uses(
        self, gone: Collection[ast.stmt], ends: Collection[ast.stmt], variables: dict[ast.stmt, str]
    ) -> None:
        """Refuse what reads values of graphs outside; `gone` are the statements that go into classes, `ends` those that
        make the models, `variables` the models that the statements go into.
        """
        live: dict[str, ast.stmt] = {}
        for statement in self.body.statements:
            if statement in gone:
                live.update(dict.fromkeys(self.body.gives(statement), statement))
                continue
            deleted = statement.targets if isinstance(statement, ast.Delete) else []
            uses = [*free_uses(statement), *(target for target in deleted if isinstance(target, ast.Name))]
            for use in uses if statement not in ends else ():
                if use.id in live:
                    self._refuse_use(use, live[use.id], variables)
            for name in bound_in(statement):
                live.pop(name, None)

    def _refuse_use(self, use: ast.Name, made: ast.stmt, variables: dict[ast.stmt, str]) -> None:
        variable = variables.get(made, "a model")
        raise NotConvertible(
            Diagnostic(
                "LZ318",
                f"`{use.id}` is a part of the graph of {variable}, and is used here too",
                self.source.syntax.place(use),
                (Note("it goes into the class from here", self.source.syntax.place(made)),),
                ("read it off the model, or give the value another name",),
            )
        )

    def check_rebinding(
        self, reads: Iterable[tuple[ast.Name, bool]], end: ast.stmt, gone: Collection[ast.stmt]
    ) -> None:
        """Refuse names of the module that do not mean in a class before `end` what they mean where they are read.

        Each comes with whether it is read when the class is defined, or else whenever the model runs.
        """
        for name, at_once in reads:
            meant = self.body.meant.get(name)
            for statement in self._rebinding(name, end, at_once):
                if statement not in gone and (meant is None or meant.statement is not statement):
                    raise NotConvertible(
                        Diagnostic(
                            "LZ319",
                            f"`{name.id}` gets another value here while the graph that reads it is built",
                            self.source.syntax.place(statement),
                            (Note("the graph reads it here", self.source.syntax.place(name)),),
                            ("give the second value another name",),
                        )
                    )

    def _rebinding(self, name: ast.Name, end: ast.stmt, at_once: bool) -> Iterator[ast.stmt]:
        """The statements that bind a name behind a read of it: up to a class, or up to the end of the file."""
        for statement in self.body.statements:
            behind = statement.lineno > name.lineno
            if behind and (statement.lineno < end.lineno or not at_once) and name.id in bound_in(statement):
                yield statement
