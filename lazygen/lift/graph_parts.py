"""Which statements make a graph, and what stands in the way of moving them into a class."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lazygen.diagnostics import Diagnostic, Note
from lazygen.lift.bindings import bound_in, free_uses, reads, targets
from lazygen.lift.graph_source import GraphSource, NotConvertible, refuse
from lazygen.lift.graph_text import names_in
from lazygen.values import field, record

_BINDING = (ast.Assign, ast.AnnAssign, ast.AugAssign)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


@record
class Parts:
    """What a graph is made of, by statement: placeholders, calls on the graph, layers that a name holds.

    `models` are those of other graphs that are layers in this one.  They stay where they are.
    """

    placeholders: list[ast.stmt] = field(default_factory=list)
    calls: list[ast.stmt] = field(default_factory=list)
    layers: dict[ast.stmt, ast.Call] = field(default_factory=dict)
    models: list[ast.stmt] = field(default_factory=list)

    def moved(self) -> list[ast.stmt]:
        return [*self.placeholders, *self.calls, *self.layers]


class PartFinder:
    """Finds the parts of graphs, each of which belongs to one."""

    def __init__(self, source: GraphSource) -> None:
        self.source = source
        self._used: dict[ast.stmt, str] = {}  # statements that went into a graph, and its variable

    # Which statements belong to a graph

    def parts(self, end: ast.stmt, inputs: set[str], outputs: ast.expr) -> Parts:
        """The statements that a graph needs, found backwards from its outputs."""
        parts = Parts()
        wanted = names_in(outputs)
        open_inputs = set(inputs)
        body = self.source.syntax.tree.body
        values = self._graph_values(end)
        for statement in reversed(body[: body.index(end)]):
            bound = set(bound_in(statement))
            if bound & open_inputs:
                if self._is_placeholder(statement):
                    parts.placeholders.insert(0, statement)
                    open_inputs -= bound
                    wanted -= bound
                    continue
                open_inputs -= bound
                wanted -= bound
                refuse(
                    "LZ313",
                    "a graph that begins in the middle of another is not converted yet",
                    self.source.syntax.place(statement),
                )
            if not bound & wanted:
                continue
            if self._is_model(statement):
                parts.models.insert(0, statement)
                wanted -= bound
            elif statement in values:
                self._add_call(statement, parts)
                wanted = (wanted - (bound if not isinstance(statement, ast.AugAssign) else set())) | reads(statement)
            elif (made := self._layer_of(statement)) is not None:
                parts.layers[statement] = made
                wanted -= bound
        return parts

    def _graph_values(self, end: ast.stmt | None) -> set[ast.stmt]:
        """The statements before `end` that call something on a placeholder, or on what such a call gave."""
        live: set[str] = set()
        found = set()
        body = self.source.syntax.tree.body
        for statement in body if end is None else body[: body.index(end)]:
            bound = set(bound_in(statement))
            if self._is_placeholder(statement):
                live |= bound
            elif self._is_model(statement):
                found.add(statement)
                live -= bound
            elif reads(statement) & live and not isinstance(statement, _DEFINITIONS):
                found.add(statement)
                live |= bound
            else:
                live -= bound
        return found

    def graph_statements(self) -> set[ast.stmt]:
        """All statements of the module that make graphs, models of graphs among them."""
        body = self.source.syntax.tree.body
        placeholders = {statement for statement in body if self._is_placeholder(statement)}
        return placeholders | self._graph_values(None)

    def dead(self, variable: str) -> list[ast.stmt]:
        """The statements that make a part of a graph which no model needs; `variable` is one of the models.

        Raises NotConvertible if something that stays reads what they make.
        """
        made = self.graph_statements() - set(self._used)
        dead: list[ast.stmt] = [s for s in self.source.syntax.tree.body if s in made and isinstance(s, _BINDING)]
        self._check_uses(variable, {name for statement in dead for name in bound_in(statement)}, dead)
        return dead

    def _add_call(self, statement: ast.stmt, parts: Parts) -> None:
        if not isinstance(statement, _BINDING):
            refuse(
                "LZ314",
                "a graph that is built inside another statement is not converted yet",
                self.source.syntax.place(statement),
                "write the calls one after the other at the level of the module",
            )
        parts.calls.insert(0, statement)

    def _is_placeholder(self, statement: ast.stmt) -> bool:
        value = getattr(statement, "value", None)
        calls = value.elts if isinstance(value, ast.Tuple) else [value]
        return isinstance(statement, (ast.Assign, ast.AnnAssign)) and all(
            isinstance(call, ast.Call) and self.source.meaning(call.func)[1] == "Placeholder" for call in calls
        )

    def _is_model(self, statement: ast.stmt) -> bool:
        value = getattr(statement, "value", None)
        return isinstance(value, ast.Call) and self.source.meaning(value.func)[1] == "Functional"

    def _layer_of(self, statement: ast.stmt) -> ast.Call | None:
        value = getattr(statement, "value", None)
        one_name = isinstance(statement, (ast.Assign, ast.AnnAssign)) and len(targets(statement)) == 1
        if one_name and isinstance(value, ast.Call) and self.source.makes_layer(value):
            return value
        if self.source.names.holds(statement) and not isinstance(statement, (ast.Import, ast.ImportFrom, ast.ClassDef)):
            refuse(
                "LZ315",
                "layers of a graph are converted where each has a name or is called at once, and not here",
                self.source.syntax.place(statement),
            )
        return None

    # What stands in the way

    def check(self, end: ast.stmt, variable: str, parts: Parts, outputs: ast.expr) -> None:
        gone = [*parts.moved(), end]
        for statement in gone:
            other = self._used.setdefault(statement, variable)
            if other != variable:
                refuse(
                    "LZ316",
                    f"{other} and {variable} share a part of one graph, which is not converted yet",
                    self.source.syntax.place(statement),
                )
            if self._shares_line(statement):
                refuse(
                    "LZ317",
                    "a part of a graph shares its line with another statement",
                    self.source.syntax.place(statement),
                    "give each statement a line of its own",
                )
        self._check_uses(variable, {name for part in parts.moved() for name in bound_in(part)}, gone)
        self._check_rebinding(parts, end)

    def _shares_line(self, statement: ast.stmt) -> bool:
        lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
        others = (other for other in self.source.syntax.tree.body if other is not statement)
        return any(other.lineno in lines or (other.end_lineno or 0) in lines for other in others)

    def _check_uses(self, variable: str, names: set[str], gone: Sequence[ast.stmt]) -> None:
        live: set[str] = set()
        graphs = {s for s in self.graph_statements() if isinstance(s, _BINDING)}
        for statement in self.source.syntax.tree.body:
            if statement in gone:
                live |= set(bound_in(statement)) & names
                continue
            for use in free_uses(statement) if statement not in graphs else ():
                if use.id in live:
                    bound = next(s for s in gone if use.id in bound_in(s))
                    raise NotConvertible(
                        Diagnostic(
                            "LZ318",
                            f"`{use.id}` is a part of the graph of {variable}, and is used here too",
                            self.source.syntax.place(use),
                            (Note("it goes into the class from here", self.source.syntax.place(bound)),),
                            ("read it off the model, or give the value another name",),
                        )
                    )
            live -= set(bound_in(statement))

    def _check_rebinding(self, parts: Parts, end: ast.stmt) -> None:
        """What a graph reads of the module must still be the same where the class is."""
        own = {name for part in parts.moved() for name in bound_in(part)}
        first = min((part.lineno for part in parts.moved()), default=end.lineno)
        for statement in self.source.syntax.tree.body:
            if not first < statement.lineno < end.lineno or statement in parts.moved():
                continue
            for name in set(bound_in(statement)) - own:
                readers = [part for part in parts.moved() if part.lineno < statement.lineno and name in reads(part)]
                if readers:
                    raise NotConvertible(
                        Diagnostic(
                            "LZ319",
                            f"`{name}` gets another value here while the graph that reads it is built",
                            self.source.syntax.place(statement),
                            (Note("the graph reads it here", self.source.syntax.place(readers[0])),),
                            ("give the second value another name",),
                        )
                    )
