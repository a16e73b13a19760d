"""Both halves of a graph's code: what makes its layers, and what applies them.

for width in widths:                    constructor:  self.convs = nn.ModuleList()
    x = L.Conv2d(width, 3)(x)                         for width in widths:
    if pool:                                              self.convs.append(L.Conv2d(width, 3))
        x = x[:, :, ::2]                forward:      for conv in self.convs:
                                                          x = conv(x)
                                                          if self.pool:
                                                              x = x[:, :, ::2]
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from lazygen.diagnostics import Diagnostic, Note
from lazygen.lift.bindings import names_read, reads
from lazygen.lift.graph_source import GraphSource, NotConvertible, refuse
from lazygen.lift.staging.control import Control
from lazygen.lift.staging.expressions import Expressions
from lazygen.lift.staging.helpers import Helpers
from lazygen.lift.staging.naming import Naming, may_be
from lazygen.lift.staging.pure import is_pure
from lazygen.lift.staging.times import Times, binds, leaves, replaced_by
from lazygen.values import value

Halves = tuple[list[str], list[str]]  # lines of the constructor and of `forward`
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)


@value
class Staged:
    """The lines of a constructor and of a `forward`."""

    constructor: tuple[str, ...]
    forward: tuple[str, ...]


class Stages(Control):
    """Takes the statements of one class apart.

    `own` are the names of the place the statements come from: parameters and local variables.  `variables` are those of
    the module, `dropped` statements that nothing needs.
    """

    def __init__(
        self, source: GraphSource, times: Times, helpers: Helpers, own: Collection[str], variables: Collection[str],
        dropped: Collection[ast.stmt],
    ) -> None:  # fmt: skip
        self.source, self.times, self.helpers, self.variables = source, times, helpers, variables
        self.inputs: Collection[str] = ()
        self.receiver = ""  # `self` of the method that the graph stands in
        self.of_self: dict[str, str] = {}  # its attributes that are read, with the arguments that stand for them
        self.own, self.dropped = set(own), set(dropped)
        self.saved: dict[str, str] = {}  # names that `forward` reads, with the attributes that hold them
        self.twice: set[str] = set()  # names that both halves bind
        self.outputs: ast.expr | None = None
        self._ends_early = False  # whether the constructor has more to do behind the statement at hand
        self.attributes: set[str] = set()  # names of layers and of their containers that `forward` reads

    def split(self, statements: Sequence[ast.stmt], outputs: ast.expr | None, arguments: Sequence[str]) -> Staged:
        """Both halves, the second ending with what it returns.  Raises NotConvertible.

        What `forward` reads is only known once it is written, so it is written until that does not change.
        """
        self.outputs = outputs
        while True:
            before = (set(self.saved), set(self.twice), set(self.attributes))
            try:
                staged = self._once(statements, outputs, arguments)
            except NotConvertible:  # what one half lacks may be there once the other is known
                if before == (set(self.saved), set(self.twice), set(self.attributes)):
                    raise
                continue
            if before == (set(self.saved), set(self.twice), set(self.attributes)):
                return staged

    def _once(self, statements: Sequence[ast.stmt], outputs: ast.expr | None, arguments: Sequence[str]) -> Staged:
        self.naming = Naming(self.source, self.times, {*self.own, *self.saved.values(), *arguments, *self.inputs})
        self.expressions = Expressions(self)
        self.loops = []
        self._given, self._next = [], None
        self._named: dict[str, str] = {}
        constructor: list[str] = []
        forward: list[str] = []
        for name in (name for name in arguments if name in self.saved and name not in self.times.bound):
            constructor.append(f"self.{self.saved[name]} = {name}")
        for number, statement in enumerate(statements):
            self._ends_early = any(map(self._makes, statements[number + 1 :]))
            made, run = self.statement(statement)
            constructor += made
            forward += run
            inside = list(leaves([statement]))
            bound = {name for leaf in inside for name in binds(leaf)}
            for name in (name for name in self.saved if name in bound):
                if self._last(name) in inside:
                    constructor.append(f"self.{self.saved[name]} = {name}")
        if outputs is not None:
            made, text = self.expressions.taken_apart(outputs, "")
            constructor += made
            forward.append(f"return {text}")
        while forward and not forward[0]:
            forward.pop(0)
        return Staged(tuple(constructor), tuple(forward))

    def _makes(self, statement: ast.stmt) -> bool:
        """Whether the constructor has something to do for a statement."""
        return self.expressions.pieces.makes(statement) or not all(map(self.times.is_running, leaves([statement])))

    # Statements

    def statement(self, statement: ast.stmt) -> Halves:
        if statement in self.dropped or isinstance(statement, ast.Pass):
            return [], []
        if isinstance(statement, ast.For):
            return self.for_loop(statement)
        if isinstance(statement, ast.While):
            return self.while_loop(statement)
        if isinstance(statement, ast.If):
            return self.branches(statement)
        if self.times.makes_placeholder(statement):
            return [], self._placeholder(statement)
        if self.times.is_running(statement):
            return self._running(statement)
        if isinstance(statement, (ast.Break, ast.Continue, ast.With, ast.Try, ast.Match)):
            self.refuse_statement(statement)
        return self._static(statement)

    def refuse_statement(self, statement: ast.stmt) -> None:
        kind = type(statement).__name__.lower()
        refuse(
            "LZ314",
            f"a graph that is built around a `{kind}` cannot be converted",
            self.source.syntax.place(statement),
            "build it with `for`, `while` and `if` alone",
        )

    def _placeholder(self, statement: ast.stmt) -> list[str]:
        """The comments, and the second name of a placeholder that has two."""
        lines = self.source.comments(statement)
        if isinstance(statement, ast.Assign) and len(statement.targets) > 1:
            names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
            known = [name for name in names if name in self.inputs]
            others = [name for name in names if name not in self.inputs and self._is_read(name, statement)]
            lines += [f"{name} = {known[0]}" for name in others if known]
        return lines

    def _is_read(self, name: str, behind: ast.stmt) -> bool:
        """Whether something reads a name before it gets another value."""
        statements = self.times.statements
        for statement in statements[statements.index(behind) + 1 :]:
            if name in reads(statement) or name in replaced_by(statement):
                return name in reads(statement)
        return self.outputs is None or name in names_read(self.outputs)

    def _running(self, statement: ast.stmt) -> Halves:
        """What belongs to the run, with the layers that it makes in the constructor."""
        if not isinstance(statement, _SIMPLE):
            self.refuse_statement(statement)
        if isinstance(statement, ast.Expr) and not binds(statement):
            refuse(
                "LZ318",
                "this reads a part of a graph while it is built, and would happen at every call of the model",
                self.source.syntax.place(statement),
                "leave it out, or do it with the model",
            )
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        single = target.id if isinstance(target, ast.Name) and len(getattr(statement, "targets", [0])) == 1 else ""
        if isinstance(statement, ast.Return) and self.loops:
            self.refuse_statement(statement)
        made, text = self.expressions.statement(statement, single)
        if isinstance(statement, ast.Return) and self._ends_early:
            made = [*made, "return"]
        return made, [*self.source.leading(statement), f"{text}{self.source.trailing(statement)}"]

    def _static(self, statement: ast.stmt) -> Halves:
        """What only the constructor needs; what `forward` computes again stands there too."""
        text = self._static_text(statement)
        lines = [*self.leading(statement), f"{text}{self.source.trailing(statement)}"]
        again: list[str] = []
        if binds(statement) & self.twice:
            if not is_pure(statement):
                refuse(
                    "LZ319",
                    "this is computed while the graph is built, and what runs needs it too",
                    self.source.syntax.place(statement),
                    "compute it with plain arithmetic, or before the loop",
                )
            made, again_text = self.expressions.statement(statement, "")
            again = [again_text]
            assert not made
        return lines, again

    def _static_text(self, statement: ast.stmt) -> str:
        names = binds(statement)
        name = next(iter(names)) if len(names) == 1 else ""
        value = getattr(statement, "value", None)
        if value is not None and name in self.attributes & replaced_by(statement):
            if name in self.times.layers:
                return self._held(name, value)
            if name in self.times.containers:
                return self._container(name, value, statement)
        return self.expressions.made(statement)

    def _held(self, name: str, value: ast.expr) -> str:
        """The statement of the constructor that makes a layer which a name holds."""
        text = self.expressions.made(value)
        if not self.loops:
            return f"self.{self.attribute(name)} = {text}"
        entry = self.entry_for(value, name)
        return f"{self.loops[-1].list_of(entry)}.append({text})"

    def _container(self, name: str, value: ast.expr, statement: ast.stmt) -> str:
        if self.loops or len([leaf for leaf in self.times.bound[name] if name in replaced_by(leaf)]) > 1:
            refuse(
                "LZ315",
                f"`{name}` holds layers, and is made several times",
                self.source.syntax.place(statement),
                "make one list before the loop, or give the second one another name",
            )
        return f"self.{self.attribute(name)} = {self.expressions.container(value, self.times.containers[name])}"

    # Names

    def attribute(self, name: str) -> str:
        """The attribute that holds the layer, or the layers, of a name."""
        if name not in self._named:
            self._named[name] = self.naming.held(name)
        return self._named[name]

    def resolved(self, name: ast.Name) -> str | None:
        """How `forward` writes a name; None if as it is."""
        found = name.id
        if found in self.times.running:
            return None
        loop = next((loop for loop in reversed(self.loops) if found in loop.targets), None)
        if loop is not None:
            loop.wanted.add(found)
            return None
        if found in self.twice or not self._is_kept(name):
            return None
        if found in self.times.layers or found in self.times.containers:
            self.attributes.add(found)
            return None if found in self.times.layers and self._in_loop(found) else f"self.{self.attribute(found)}"
        if self.times.in_loop(found):
            self._check_twice(name)
            return None
        self._check_saved(name)
        if found not in self.saved:
            self.saved[found] = found if may_be(found) else self.naming.free(f"{found.strip('_')}_1")
        return f"self.{self.saved[found]}"

    def resolved_attribute(self, node: ast.Attribute) -> str:
        """How `forward` writes an attribute of the object in whose method the graph stands."""
        name = self.of_self[node.attr]
        if name not in self.saved:
            self.saved[name] = name if may_be(name) else self.naming.free(f"{name}_1")
        return f"self.{self.saved[name]}"

    def _is_kept(self, name: ast.Name) -> bool:
        """Whether a name is the constructor's alone; a model of the module that is called here belongs to the class."""
        if name.id in self.times.bound or name.id in self.own:
            return True
        around = self.source.syntax.parent(name)
        return name.id in self.variables and isinstance(around, ast.Call) and around.func is name

    def _in_loop(self, name: str) -> bool:
        return self.times.in_loop(name)

    def _check_twice(self, name: ast.Name) -> None:
        """A name that a loop binds is bound by both halves, unless it is the variable of a loop that has ended."""
        loops = [leaf for leaf in self.times.bound[name.id] if isinstance(leaf, ast.For)]
        if loops:
            self._refuse_rebound(name, loops[0])
        self.twice.add(name.id)

    def _check_saved(self, name: ast.Name) -> None:
        last = self._last(name.id)
        if last is not None and last.lineno > name.lineno:
            self._refuse_rebound(name, last)

    def _refuse_rebound(self, name: ast.Name, statement: ast.stmt) -> None:
        place = self.source.syntax.place
        raise NotConvertible(
            Diagnostic(
                "LZ319",
                f"`{name.id}` has several values while the graph is built, and what runs needs one of them",
                place(name),
                (Note("it gets a value here", place(statement)),),
                ("give each value a name of its own",),
            )
        )

    def _last(self, name: str) -> ast.stmt | None:
        return max(self.times.bound.get(name, ()), key=lambda leaf: leaf.lineno, default=None)
