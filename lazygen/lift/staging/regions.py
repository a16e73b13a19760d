"""Which statements build a graph, and what stands in the way of taking them from where they are."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from lazygen.diagnostics import Diagnostic, Note
from lazygen.lift.bindings import bound_in, free_uses, names_read, reads
from lazygen.lift.graph_source import GraphSource, NotConvertible, refuse
from lazygen.lift.staging.helpers import Helpers
from lazygen.lift.staging.times import COMPOUND, Times, binds, leaves, replaced_by
from lazygen.trace.model import GraphTrace

_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BINDING = (ast.Assign, ast.AnnAssign, ast.AugAssign)


class Region:
    """The statements around one call of `Functional`.

    `block` are those that the call's own statement stands among, `functions` the definitions around it, the innermost
    first.  `entries` are variables of the module that are models on their own, and stay.  `moved` are the statements
    that go into the class, `dead` make a part that no model needs, `dropped` stand inside of moved ones and are not
    needed.  `others` are statements that go into the classes of other graphs.
    """

    def __init__(
        self, source: GraphSource, helpers: Helpers, graph: GraphTrace, call: ast.Call, entries: Collection[str]
    ) -> None:
        self.source, self.helpers, self.graph, self.call = source, helpers, graph, call
        self._entries = set(entries)
        syntax = source.syntax
        statement = syntax.statement(call)
        assert statement is not None
        self.statement = statement
        self.inputs, self.outputs = _ends(call)
        self.functions = list(_functions_around(source, statement))
        self.block = next(_blocks(syntax.parent(statement), statement))
        self.moved: list[ast.stmt] = []
        self.dead: list[ast.stmt] = []
        self.dropped: set[ast.stmt] = set()
        self.others: set[ast.stmt] = set()

    @property
    def prefix(self) -> list[ast.stmt]:
        return self.block[: self.block.index(self.statement)]

    @property
    def is_module_level(self) -> bool:
        return not self.functions

    @property
    def is_straight(self) -> bool:
        """Whether the graph is a row of statements of the module, each of which applies layers that have a name."""
        if self.statement not in self.source.syntax.tree.body:
            return False
        if any(isinstance(statement, COMPOUND) for statement in self.moved):
            return False
        times = self.times()
        if times.containers:
            return False
        calls = (part for s in (*self.moved, self.outputs) for part in ast.walk(s) if isinstance(part, ast.Call))
        if any(self.helpers.takes(call, times) or not self._is_plain(call) for call in calls):
            return False
        made = (part for s in (*self.moved, self.outputs) for part in ast.walk(s) if isinstance(part, _SCOPES))
        return not any(isinstance(part, ast.Call) and times.makes(part) for scope in made for part in ast.walk(scope))

    def _is_plain(self, call: ast.Call) -> bool:
        """Whether a call is none of a variable that the module binds with others, or several times."""
        if not isinstance(call.func, ast.Name):
            return True
        name = call.func.id
        body = self.source.syntax.tree.body
        found = [s for s in body if isinstance(s, (ast.Assign, ast.AnnAssign)) and name in binds(s)]
        alone = len(found) == 1 and [ast.unparse(t) for t in getattr(found[0], "targets", [ast.Name(name)])] == [name]
        return not found or alone

    def times(self) -> Times:
        """The binding times of what is moved."""
        found = Times(self.moved, (), self.source, self.helpers.makes)
        again = {name for name in found.layers if len(found.bound[name]) > 1 and not self._exclusive(found.bound[name])}
        return Times(self.moved, again, self.source, self.helpers.makes) if again else found

    def own(self) -> set[str]:
        """The names of the functions around, but for those that only what is moved binds."""
        names = {name for function in self.functions for name in _names_of(function)}
        gone = {leaf for statement in self.moved for leaf in leaves([statement])}
        staying = {
            name for function in self.functions for leaf in leaves(function.body) if leaf not in gone
            for name in binds(leaf)
        }  # fmt: skip
        parameters = {part.arg for function in self.functions for part in _parameters(function)}
        return (names & staying) | parameters

    # Which statements

    def look(self) -> None:
        """Find what the graph is made of, whatever stands in the way."""
        self._slice(set())

    def find(self, kept: Collection[ast.stmt]) -> None:
        """Find what is moved; what is `kept` is not.  Raises NotConvertible."""
        self._check_place()
        pinned = set(kept)
        while True:
            self._slice(pinned)
            more = self._read_elsewhere() - pinned
            if not more:
                break
            pinned |= more
        self._check_inputs()
        self._check_rebinding()

    def _slice(self, pinned: set[ast.stmt]) -> None:
        self.moved, self.dropped = [], set()
        moved: set[str] = set()  # the names that it binds
        times = Times(self.prefix, (), self.source, self.helpers.makes)
        wanted = names_read(self.outputs) | names_read(self.inputs)
        for statement in reversed(self.prefix):
            inner = list(leaves([statement]))
            names = {name for leaf in inner for name in binds(leaf)}
            if not names & wanted or statement in pinned or self._stays(statement, names, times, moved):
                continue
            if any(map(times.makes_model, inner)):
                continue  # a model that is a layer of this one
            self.moved.insert(0, statement)
            moved |= names
            if len(inner) > 1:
                wanted |= self._wanted_inside(inner, wanted)
                self.dropped |= {leaf for leaf in inner if self._is_dead(leaf, times) and not binds(leaf) & wanted}
            else:
                wanted = (wanted - replaced_by(statement)) | reads(statement)

    def _stays(self, statement: ast.stmt, names: set[str], times: Times, moved: set[str]) -> bool:
        """Whether a statement of the module only says what the graph reads: a width, a list of widths."""
        if not self.is_module_level or any(map(times.is_running, leaves([statement]))):
            return False
        return bool(names & self._entries) or not names & (times.layers | times.containers.keys() | moved)

    def _wanted_inside(self, inner: Sequence[ast.stmt], wanted: set[str]) -> set[str]:
        found, before = set(wanted), -1
        while before != len(found):
            before = len(found)
            for leaf in inner:
                if isinstance(leaf, COMPOUND):
                    found |= names_read(leaf.iter if isinstance(leaf, ast.For) else leaf.test)
                elif binds(leaf) & found or not isinstance(leaf, _BINDING):
                    found |= reads(leaf)
        return found

    @staticmethod
    def _is_dead(leaf: ast.stmt, times: Times) -> bool:
        return isinstance(leaf, _BINDING) and times.is_running(leaf)

    # What stands in the way

    def _check_place(self) -> None:
        around = self.source.syntax.parent(self.call)
        while around is not None and around is not self.statement:
            if isinstance(around, _SCOPES):
                self._refuse_place()
            around = self.source.syntax.parent(around)
        inside = self.source.syntax.parent(self.statement)
        while isinstance(inside, ast.stmt) and inside not in self.functions:
            if isinstance(inside, ast.ClassDef):
                self._refuse_place()
            inside = self.source.syntax.parent(inside)
        if isinstance(self.statement, (ast.For, ast.While, ast.If, ast.With)):
            self._refuse_place()

    def _refuse_place(self) -> None:
        refuse(
            "LZ312",
            "a graph is converted where a statement of the module or of a function makes it, and not here",
            self.source.syntax.place(self.call),
            "give the model a name in a statement of its own",
        )

    @property
    def begins_with_placeholders(self) -> bool:
        """Whether all inputs are placeholders that statements beside the graph make."""
        return not any(self._other_inputs())

    def _other_inputs(self) -> Iterator[ast.Name]:
        times = self.times()
        made = {name for s in self.moved if times.makes_placeholder(s) for name in binds(s)}
        for node in ast.walk(self.inputs):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in made:
                yield node

    def _check_inputs(self) -> None:
        for name in self._other_inputs():
            refuse(
                "LZ312",
                f"`{name.id}` is an input of this graph, and no placeholder that is made beside it",
                self.source.syntax.place(name),
                f"write {name.id} = L.Placeholder(...) before the layers of the graph",
            )

    def _read_elsewhere(self) -> set[ast.stmt]:
        """The statements that something reads which stays: it stays with that.  Raises NotConvertible if it cannot."""
        staying: set[ast.stmt] = set()
        live: set[str] = set()
        self.dead = []
        times = Times(self.prefix, (), self.source, self.helpers.makes)
        for statement in self._in_order():
            names = {name for leaf in leaves([statement]) for name in binds(leaf)}
            if statement in self.moved:
                live |= names
                continue
            if statement in self.others:
                continue
            uses = [use for use in free_uses(statement) if use.id in live and not self._is_inside_call(use)]
            is_own = statement in self.prefix and not self.is_module_level
            if is_own and all(self._is_dead(leaf, times) for leaf in leaves([statement])):
                self.dead.append(statement)
                live |= names
                continue
            for use in uses:
                made = [s for s in (*self.moved, *self.dead) if use.id in {n for f in leaves([s]) for n in binds(f)}]
                if any(isinstance(s, COMPOUND) or times.is_running(s) for s in made) or not made:
                    self._refuse_use(use, made)
                if use.id in times.layers and self.is_module_level:
                    self._refuse_use(use, made)
                staying |= set(made)
            live -= set(bound_in(statement))
        return staying

    def _in_order(self) -> Iterator[ast.stmt]:
        """The statements of the block and those behind it, from inside to outside."""
        yield from self.block
        node: ast.AST | None = self.source.syntax.parent(self.statement)
        while isinstance(node, ast.stmt) and node not in self.functions:
            for block in _blocks(self.source.syntax.parent(node), node):
                yield from block[block.index(node) + 1 :]
            node = self.source.syntax.parent(node)

    def _is_inside_call(self, use: ast.Name) -> bool:
        """Whether a name is read as an end of a graph, of this or of another one."""
        around: ast.AST | None = use
        while around is not None and not isinstance(around, ast.stmt) and not self._makes_model(around):
            around = self.source.syntax.parent(around)
        return around is not None and self._makes_model(around)

    def _makes_model(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and self.source.meaning(node.func)[1] == "Functional"

    def _refuse_use(self, use: ast.Name, made: Sequence[ast.stmt]) -> None:
        place = self.source.syntax.place
        notes = tuple(Note("it goes into the class of the graph from here", place(s)) for s in made[:1])
        raise NotConvertible(
            Diagnostic(
                "LZ318",
                f"`{use.id}` is a part of a graph, and is used here too",
                place(use),
                notes,
                ("read it off the model, or give the value another name",),
            )
        )

    def _check_rebinding(self) -> None:
        """What the class reads where it is made must be what the statements read where they were."""
        gone = {*self.moved, *self.dead, *self.others}
        for statement in self.prefix:
            if statement in gone:
                continue
            names = {name for leaf in leaves([statement]) for name in binds(leaf)}
            readers = [s for s in self.moved if s.lineno < statement.lineno and names & names_read(s)]
            if readers:
                name = min(names & names_read(readers[0]))
                place = self.source.syntax.place
                raise NotConvertible(
                    Diagnostic(
                        "LZ319",
                        f"`{name}` gets another value here while the graph that reads it is built",
                        place(statement),
                        (Note("the graph reads it here", place(readers[0])),),
                        ("give the second value another name",),
                    )
                )

    def _exclusive(self, found: Sequence[ast.stmt]) -> bool:
        """Whether statements stand in branches of one `if` of which only one is taken."""
        paths = [self._branches(statement) for statement in found]
        return all(
            any(one[node] != other[node] for node in one.keys() & other.keys())
            for number, one in enumerate(paths) for other in paths[:number]
        )  # fmt: skip

    def _branches(self, statement: ast.stmt) -> dict[ast.AST, str]:
        path: dict[ast.AST, str] = {}
        node: ast.AST = statement
        while (parent := self.source.syntax.parent(node)) is not None:
            if isinstance(parent, ast.If):
                path[parent] = "body" if node in parent.body else "orelse"
            node = parent
        return path


def _ends(call: ast.Call) -> tuple[ast.expr, ast.expr]:
    """The inputs and the outputs of a graph as the call states them."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    given.update(zip(("inputs", "outputs"), call.args, strict=False))
    return given["inputs"], given["outputs"]


def _functions_around(source: GraphSource, node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    around = source.syntax.parent(node)
    while around is not None:
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield around
        around = source.syntax.parent(around)


def _blocks(parent: ast.AST | None, statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for block in ("body", "orelse", "finalbody"):
        found = getattr(parent, block, None)
        if isinstance(found, list) and statement in found:
            yield found


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.arg]:
    return (part for part in ast.walk(function.args) if isinstance(part, ast.arg))


def _names_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    yield from (part.arg for part in _parameters(function))
    for leaf in leaves(function.body):
        yield from binds(leaf)
