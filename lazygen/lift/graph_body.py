"""The statements of a module that make graphs, and what a name in them means where it stands.

x = L.Placeholder((None, 8))       a placeholder: (this statement, x)
x = L.Dense(4)(x)                  a call, which reads the x above and gives another
skips.append(x)                    a call too: what it gives is another skips
model = L.Functional(x, skips)     a model
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal, NamedTuple

from lazygen.lift.bindings import bound_in, loads, targets
from lazygen.lift.graph_source import GraphSource

Kind = Literal["placeholder", "call", "model"]

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_CHANGING = (
    "append",
    "extend",
    "insert",
    "pop",
    "popitem",
    "remove",
    "clear",
    "update",
    "setdefault",
    "add",
    "reverse",
)


class Bound(NamedTuple):
    """What a statement gives to a name.  Names are bound again and again, and mean something else each time."""

    statement: ast.stmt
    name: str


class Body:
    """The statements of a module by what they are to graphs.

    `meant` tells for each name that is read at the level of the module which statement bound it last, `at` for each
    model the same for all names.  A list or dict that a graph's values are put into is a part of the graph, and each
    change of it gives another value.
    """

    def __init__(self, source: GraphSource) -> None:
        self.source = source
        self.statements = source.syntax.tree.body
        self.kinds: dict[ast.stmt, Kind] = {}
        self.meant: dict[ast.Name, Bound] = {}
        self.at: dict[ast.stmt, dict[str, ast.stmt]] = {}
        self.changed: dict[ast.stmt, list[Bound]] = {}  # what a statement changes, as it was before
        self._readers: dict[Bound, list[ast.stmt]] = {}
        self._chains: dict[Bound, list[ast.stmt]] = {}  # all that make and change a list or a dict
        self._read()

    def reads(self, node: ast.AST) -> Iterator[Bound]:
        """What a part of a statement needs of the statements before; of a whole one, what it changes too."""
        yield from (self.meant[name] for name in loads(node) if name in self.meant)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target in self.meant:
            yield self.meant[node.target]
        if isinstance(node, ast.stmt):
            yield from self.changed.get(node, ())

    def gives(self, statement: ast.stmt) -> list[str]:
        """The names that have another value after a statement."""
        return [*dict.fromkeys((*bound_in(statement), *(bound.name for bound in self.changed.get(statement, ()))))]

    def before(self, statement: ast.stmt) -> set[ast.stmt]:
        """The statements that have to run before one: those whose values it reads, those that read what it changes."""
        found = {bound.statement for bound in self.reads(statement)}
        for bound in self.changed.get(statement, ()):
            found |= {reader for reader in self._readers.get(bound, ()) if reader is not statement}
        return found

    def root(self, bound: Bound) -> Bound:
        """What stands for a list or a dict however often it is changed; anything else stands for itself."""
        chain = self._chains.get(bound)
        return bound if chain is None else Bound(chain[0], bound.name)

    def is_value(self, bound: Bound) -> bool:
        """Whether something exists only while a graph runs."""
        return self.kinds.get(bound.statement) in ("placeholder", "call")

    def of_kind(self, kind: Kind) -> list[ast.stmt]:
        return [statement for statement in self.statements if self.kinds.get(statement) == kind]

    def _read(self) -> None:
        now: dict[str, ast.stmt] = {}
        live: set[str] = set()
        for statement in self.statements:
            for name in self._names_read(statement):
                if name.id in now:
                    self.meant[name] = Bound(now[name.id], _first_name(now[name.id], name.id))
            changed = [Bound(now[name], name) for name in self._changes(statement) if name in now]
            changed = [bound for bound in changed if bound in self._chains]
            if changed:
                self.changed[statement] = changed
            bound = set(self.gives(statement))
            for read in self.reads(statement):
                self._readers.setdefault(read, []).append(statement)
            kind = self._kind(statement, live)
            if kind is not None:
                self.kinds[statement] = kind
            if kind == "model":
                self.at[statement] = dict(now)
            live = live | bound if kind in ("placeholder", "call") else live - bound
            now.update(dict.fromkeys(bound, statement))
            self._chain(statement, changed)
            if kind == "call":
                self._draw_in(changed)

    def _names_read(self, statement: ast.stmt) -> Iterator[ast.Name]:
        yield from loads(statement)
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            yield statement.target

    def _kind(self, statement: ast.stmt, live: set[str]) -> Kind | None:
        if self.source.is_placeholder(statement):
            return "placeholder"
        if self.source.is_model(statement):
            return "model"
        names = {name.id for name in self._names_read(statement)}
        if isinstance(statement, ast.Delete):  # it goes with the values
            names = {target.id for target in statement.targets if isinstance(target, ast.Name)}
            return "call" if len(names) == len(statement.targets) and names <= live else None
        return "call" if names & live and not isinstance(statement, _DEFINITIONS) else None

    # Lists and dicts

    def _changes(self, statement: ast.stmt) -> list[str]:
        """The names of what a statement changes in place."""
        found = []
        for node in ast.walk(statement) if not isinstance(statement, _DEFINITIONS) else ():
            if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
                found += _root(node)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
                found += _root(node.func) if isinstance(node.func.value, ast.Name) else []
        return found

    def _chain(self, statement: ast.stmt, changed: list[Bound]) -> None:
        for bound in changed:
            chain = self._chains[Bound(statement, bound.name)] = self._chains[bound]
            chain.append(statement)
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and isinstance(statement.value, _DISPLAYS):
            self._chains.update({Bound(statement, name): [statement] for name in bound_in(statement)})

    def _draw_in(self, changed: list[Bound]) -> None:
        """What made and changed a list before a value of a graph came into it belongs to the graph too."""
        for bound in changed:
            for statement in self._chains[bound]:
                self.kinds.setdefault(statement, "call")


def _first_name(statement: ast.stmt, name: str) -> str:
    """Of several names for one value, as in `a = b = f(x)`, the first."""
    names = targets(statement)
    chained = isinstance(statement, ast.Assign) and len(statement.targets) == len(names)
    return names[0] if chained and name in names else name


def _root(node: ast.Subscript | ast.Attribute) -> list[str]:
    """The name in `name[0].part`."""
    inner: ast.expr = node
    while isinstance(inner, (ast.Subscript, ast.Attribute)):
        inner = inner.value
    return [inner.id] if isinstance(inner, ast.Name) else []
