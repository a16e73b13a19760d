"""Loops that make layers, and the ones that run over them.

for i, width in enumerate(widths):             for i, conv in enumerate(self.convs):
    self.convs.append(L.Conv2d(width, 3))          x = conv(x) * i
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from lazygen.lift.staging.times import target_names
from lazygen.lift.syntax import counter_of
from lazygen.values import field, record


@record
class Entry:
    """The layers that a loop makes in one place: the name of their list, and what one of them is called.

    `is_list` says that each of them is a list of layers, those of a loop inside.
    """

    names: str
    name: str
    is_list: bool = False


@record
class Loop:
    """A loop while it is taken apart: the names that it binds, what it makes, and how deep it is inside of others.

    `appended` are the entries in the order in which they were made, as often as they were; `wanted` are the names of
    the loop that what runs reads.
    """

    targets: set[str]
    depth: int
    entries: dict[str, Entry] = field(default_factory=dict)
    appended: list[Entry] = field(default_factory=list)
    wanted: set[str] = field(default_factory=set)

    def list_of(self, entry: Entry) -> str:
        """How the constructor writes the list of an entry."""
        return f"self.{entry.names}" if self.depth == 1 else entry.names


def header(loop: ast.For | ast.comprehension | None, made: Sequence[Entry], lists: Sequence[str], wanted: set[str],
           written: Callable[[ast.expr], str]) -> str | None:  # fmt: skip
    """What stands between `for` and `:` where the graph runs; None if what is wanted of a loop cannot be said there.

    `lists` are the texts of the lists that it made, `wanted` names that it binds and that are read, `written` gives
    the text of an expression.
    """
    items = [entry.name for entry in made]
    if loop is None:
        return None if wanted or not lists else f"{_tuple(items)} in {_zipped(lists)}"
    if not lists:
        return f"{written(loop.target)} in {written(loop.iter)}"
    if not wanted:
        return f"{_tuple(items)} in {_zipped(lists)}"
    counter = counter_of(loop)
    if counter is not None and wanted == {counter.name} and _counts_up(loop.iter):
        inner = items[0] if len(items) == 1 else f"({_tuple(items)})"
        assert isinstance(loop.iter, ast.Call)
        start = "" if counter.start == "0" else f", {written(_start(loop.iter))}"
        return f"{counter.name}, {inner} in enumerate({_zipped(lists)}{start})"
    members = zipped(loop)
    if members is not None:
        kept = [(target, over) for target, over in members if target_names(target) & wanted]
        targets = [written(target) for target, _ in kept] + items
        return f"{', '.join(targets)} in {_zipped([*(written(over) for _, over in kept), *lists], is_strict(loop))}"
    target = written(loop.target)
    target = f"({target})" if isinstance(loop.target, ast.Tuple) and not target.startswith("(") else target
    return f"{', '.join([target, *items])} in {_zipped([written(loop.iter), *lists])}"


def static_head(loop: ast.For | ast.comprehension, runs: Callable[[ast.expr], bool],
                written: Callable[[ast.expr], str]) -> str | None:  # fmt: skip
    """What stands between `for` and `:` where layers are made, if a part of the loop only runs; None if that part does
    not say how often it goes round.

    `for x, width in zip((left, right), widths)` is `for _, width in zip(range(2), widths)`.
    """
    members = zipped(loop)
    pairs: list[tuple[str, str]] = []
    for target, over in [(loop.target, loop.iter)] if members is None else members:
        items = over.elts if isinstance(over, (ast.Tuple, ast.List)) else [ast.Starred(over)]
        if not runs(over):
            pairs.append((written(target), written(over)))
        elif not any(isinstance(item, ast.Starred) for item in items):
            pairs.append(("_", f"range({len(items)})"))
        elif not is_strict(loop):
            return None
    if not pairs:
        return None
    targets, lists = ", ".join(target for target, _ in pairs), [over for _, over in pairs]
    return f"{targets} in {_zipped(lists, is_strict(loop))}"


def zipped(loop: ast.For | ast.comprehension) -> list[tuple[ast.expr, ast.expr]] | None:
    """The variables of a loop over `zip(...)`, each with what it goes over."""
    over, targets = loop.iter, loop.target.elts if isinstance(loop.target, ast.Tuple) else []
    if not isinstance(over, ast.Call) or not isinstance(over.func, ast.Name) or over.func.id != "zip":
        return None
    starred = any(isinstance(part, ast.Starred) for part in (*over.args, *targets))
    return list(zip(targets, over.args, strict=True)) if len(targets) == len(over.args) and not starred else None


def is_strict(loop: ast.For | ast.comprehension) -> bool:
    """Whether a loop is over a `zip` that wants all to be of one length."""
    keywords = loop.iter.keywords if isinstance(loop.iter, ast.Call) else []
    return any(k.arg == "strict" and isinstance(k.value, ast.Constant) and k.value.value is True for k in keywords)


def _counts_up(node: ast.expr) -> bool:
    """Whether an iterable is `range(n)`, `range(a, n)` or `enumerate(...)`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and (
        (node.func.id == "range" and len(node.args) < 3) or node.func.id == "enumerate"
    )  # fmt: skip


def _start(call: ast.Call) -> ast.expr:
    """The first value of a counter that does not begin with 0."""
    assert isinstance(call.func, ast.Name)
    if call.func.id == "range":
        return call.args[0]
    return (call.args[1:] + [keyword.value for keyword in call.keywords])[0]


def _zipped(lists: Sequence[str], strict: bool = True) -> str:
    return lists[0] if len(lists) == 1 else f"zip({', '.join(lists)}{', strict=True' * strict})"


def _tuple(items: Sequence[str]) -> str:
    return ", ".join(items)
