"""Binding times: which names of a graph's code hold what only exists while the graph runs.

for width in widths:                          width, conv     there when the model is made
    conv = L.Conv2d(width, 3)
    x = conv(x)                               x               there when it runs
    skips.append(x)                           skips           too
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence

from lazygen.lift.bindings import names_read
from lazygen.lift.graph_source import GraphSource

COMPOUND = (ast.For, ast.While, ast.If)
_GROWING = ("append", "extend", "insert", "add", "update", "setdefault")
_DISPLAYS = (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp)
_DICTS = (ast.Dict, ast.DictComp)


class Times:
    """What of some statements runs.  `running` are the names that hold what is only there then.

    `layers` are names that hold one layer, `containers` those that hold a list or a dict of layers, with the class of
    torch that holds such.
    """

    def __init__(
        self, statements: Sequence[ast.stmt], roots: Collection[str], source: GraphSource,
        makes: Callable[[ast.expr], bool],
    ) -> None:  # fmt: skip
        self.source, self.makes = source, makes
        self.statements = list(statements)
        self.bound: dict[str, list[ast.stmt]] = {}
        for leaf in leaves(statements):
            for name in binds(leaf):
                self.bound.setdefault(name, []).append(leaf)
        self.running = set(roots)
        self._spread()
        self.containers = dict(self._containers())
        self.layers = {name for name in self.bound if self._is_layer(name)}

    def runs(self, node: ast.AST) -> bool:
        """Whether a tree reads what is only there while the graph runs; a model made of it is there before."""
        if isinstance(node, ast.Name):
            return node.id in self.running and isinstance(node.ctx, ast.Load)
        if isinstance(node, ast.Call) and self.source.meaning(node.func)[1] in ("Placeholder", "Functional"):
            return self.is_placeholder(node)
        if isinstance(node, ast.Lambda):
            return not self.running.isdisjoint(names_read(node))
        return any(map(self.runs, ast.iter_child_nodes(node)))

    def makes_model(self, leaf: ast.stmt) -> bool:
        """Whether a statement makes the model of a graph."""
        calls = (node for value in _values(leaf) for node in ast.walk(value) if isinstance(node, ast.Call))
        return any(self.source.meaning(call.func)[1] == "Functional" for call in calls)

    def is_running(self, leaf: ast.stmt) -> bool:
        """Whether a statement belongs to the run: it computes on tensors, or binds a name that holds such."""
        if isinstance(leaf, ast.Return):
            return True
        return any(self.runs(part) for part in _values(leaf)) or not self.running.isdisjoint(binds(leaf))

    def is_placeholder(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and self.source.meaning(node.func)[1] == "Placeholder"

    def makes_placeholder(self, leaf: ast.stmt) -> bool:
        """Whether a statement makes placeholders and nothing else."""
        value = getattr(leaf, "value", None)
        calls = value.elts if isinstance(value, ast.Tuple) else [value]
        is_assignment = isinstance(leaf, (ast.Assign, ast.AnnAssign)) and value is not None
        return is_assignment and all(call is not None and self.is_placeholder(call) for call in calls)

    def in_loop(self, name: str) -> bool:
        """Whether a statement inside a loop binds a name."""
        loops = [part for s in self.statements for part in ast.walk(s) if isinstance(part, (ast.For, ast.While))]
        inside = {leaf for loop in loops for leaf in (loop, *leaves(loop.body))}
        return any(leaf in inside for leaf in self.bound.get(name, ()))

    def _spread(self) -> None:
        before = -1
        while before != len(self.running):
            before = len(self.running)
            for leaf in leaves(self.statements):
                for names, value in (*_pairs(leaf), *_in_comprehensions(leaf)):
                    if self.runs(value):
                        self.running |= names

    def _containers(self) -> Iterator[tuple[str, str]]:
        for name, found in self.bound.items():
            values = [value for leaf in found for names, value in _pairs(leaf) if name in names]
            if name in self.running or not any(map(self._has_layers, values)):
                continue
            made = [
                leaf for leaf in found if isinstance(leaf, (ast.Assign, ast.AnnAssign)) and name in replaced_by(leaf)
            ]
            first = getattr(made[0], "value", None) if made else None
            if isinstance(first, _DISPLAYS):
                yield name, "ModuleList"
            elif isinstance(first, _DICTS):
                yield name, "ModuleDict"

    def _has_layers(self, value: ast.expr) -> bool:
        names = {name for name in names_read(value) if self._is_layer(name)} if isinstance(value, ast.Name) else set()
        return bool(names) or makes_layers(value, self.makes)

    def _is_layer(self, name: str) -> bool:
        """Whether all statements that bind a name let it hold one layer."""
        found = self.bound.get(name, [])
        return (
            bool(found)
            and name not in self.running
            and all(isinstance(leaf, (ast.Assign, ast.AnnAssign)) and _names_one(leaf, name) for leaf in found)
            and all(self._makes_one(getattr(leaf, "value", None)) for leaf in found)
        )

    def _makes_one(self, value: ast.expr | None) -> bool:
        if isinstance(value, ast.IfExp):
            return self._makes_one(value.body) and self._makes_one(value.orelse)
        return value is not None and self.makes(value)


def makes_layers(node: ast.AST, makes: Callable[[ast.expr], bool]) -> bool:
    """Whether a call inside a tree makes a layer."""
    return any(isinstance(part, ast.Call) and makes(part) for part in ast.walk(node))


def leaves(statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements, those inside of `for`, `while`, `if` and others too, each after the one around it."""
    for statement in statements:
        yield statement
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for block in ("body", "orelse", "finalbody"):
                yield from leaves(getattr(statement, block, []))
            for part in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
                yield from leaves(part.body)


def binds(leaf: ast.stmt) -> set[str]:
    """The names that a statement binds by itself, or whose value it changes; statements inside of it are leaves too."""
    return {name for names, _ in _pairs(leaf) for name in names} | _defined(leaf)


def root(node: ast.expr) -> str:
    """The name at the beginning of `name[0]`; empty if there is none."""
    while isinstance(node, (ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def target_names(target: ast.expr) -> set[str]:
    if isinstance(target, (ast.Tuple, ast.List)):
        return {name for part in target.elts for name in target_names(part)}
    return {root(target)} - {""}


def replaced_by(statement: ast.stmt) -> set[str]:
    """The names that get a new value by a statement whatever they held before."""
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return set()
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    found: set[str] = set()
    for target in targets:
        parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        found |= {part.id for part in parts if isinstance(part, ast.Name)}
    return found


def _names_one(leaf: ast.stmt, name: str) -> bool:
    targets = leaf.targets if isinstance(leaf, ast.Assign) else [getattr(leaf, "target", None)]
    return len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name


def _defined(leaf: ast.stmt) -> set[str]:
    if isinstance(leaf, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {leaf.name}
    if isinstance(leaf, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).partition(".")[0] for alias in leaf.names}
    return set()


def _pairs(leaf: ast.stmt) -> Iterator[tuple[set[str], ast.expr]]:
    """The names that a statement binds, each with the expression it gets its value from."""
    if isinstance(leaf, ast.Assign):
        for target in leaf.targets:
            yield from _paired(target, leaf.value)
    elif isinstance(leaf, (ast.AnnAssign, ast.AugAssign)) and leaf.value is not None:
        yield target_names(leaf.target), leaf.value
    elif isinstance(leaf, ast.For):
        yield from _gone_over(leaf)
    elif isinstance(leaf, ast.Expr) and isinstance(leaf.value, ast.Call) and isinstance(leaf.value.func, ast.Attribute):
        grown = root(leaf.value.func.value)
        if leaf.value.func.attr in _GROWING and grown:
            for value in (*leaf.value.args, *(keyword.value for keyword in leaf.value.keywords)):
                yield {grown}, value


def _gone_over(loop: ast.For | ast.comprehension) -> Iterator[tuple[set[str], ast.expr]]:
    """The names that a loop binds, each with what it takes its items from."""
    zipped = loop.iter
    is_zip = isinstance(zipped, ast.Call) and isinstance(zipped.func, ast.Name) and zipped.func.id == "zip"
    parts = loop.target.elts if isinstance(loop.target, ast.Tuple) else []
    if is_zip and isinstance(zipped, ast.Call) and len(zipped.args) == len(parts):
        yield from ((target_names(t), v) for t, v in zip(parts, zipped.args, strict=True))
        return
    yield target_names(loop.target), loop.iter


def _in_comprehensions(leaf: ast.stmt) -> Iterator[tuple[set[str], ast.expr]]:
    """The same for the comprehensions in a statement."""
    for value in _values(leaf):
        for node in ast.walk(value):
            if isinstance(node, ast.comprehension):
                yield from _gone_over(node)


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[set[str], ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for part, item in zip(target.elts, value.elts, strict=True):
            yield from _paired(part, item)
    else:
        yield target_names(target), value


def _values(leaf: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement itself."""
    for child in ast.iter_child_nodes(leaf):
        if isinstance(child, ast.expr):
            yield child
