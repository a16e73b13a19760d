"""Which statements of a module have to run so that an expression over its names can be evaluated.

    parser = argparse.ArgumentParser()        left out
    widths = [8, 16]                          runs
    layers = []                               runs
    for width in widths:                      runs: it changes `layers`
        layers.append(nn.LazyLinear(width))
    model = nn.Sequential(*layers)            runs: the entry
    optimizer = Adam(model.parameters())      left out

The order counts.  What a statement reads was bound before it, by the last statement that binds it whatever happens and
by those since that may bind or change it.  What a function reads when it is called may have been bound anywhere before
the entry's last binding; behind that one, only definitions and what they need count.
"""

from __future__ import annotations

import ast
import builtins
from bisect import bisect_left
from collections.abc import Iterable

from lazygen.frontend.facts import Definition, Facts, Statement, facts

__all__ = ["facts", "needed"]

_BUILTINS = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__", "__package__", "__spec__", "__path__"}


def needed(tree: ast.Module, names: Iterable[str], *, entry_line: int | None = None) -> list[ast.stmt]:
    """The statements that must run for an expression that reads `names`, in their order.

    They are nodes of `tree`: statements of its top level, and those of the arm beside a `__main__` block.  A name that
    the file does not bind asks for nothing but its star imports.  `entry_line` (from 1) says where the entry's last
    binding is; without it, it is the last statement that binds or changes each name.  Time is linear in the file.
    """
    table = facts(tree)
    kept = set(table.always)
    for name in names:
        cut = _last_binding(table, name, entry_line)
        slice_ = _Slice(table, cut)
        slice_.need(name, cut + 1)
        kept |= slice_.kept
    for number in table.environment:
        change = _Slice(table, number)
        change.keep(number)
        # `os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu` says nothing about a model that needs no command line.
        if not any(table.statements[other].uses.asks for other in change.kept - kept):
            kept |= change.kept
    return [table.statements[number].node for number in sorted(kept)]


def _last_binding(table: Facts, name: str, entry_line: int | None) -> int:
    """The number of the statement that gives `name` the value that is wanted; the last of all if the file has none."""
    binders = [number for number in table.binders.get(name, ()) if _gives(table.statements[number], name)]
    if entry_line is not None:
        binders = [number for number in binders if _first_line(table.statements[number].node) <= entry_line] or binders
    return binders[-1] if binders else len(table.statements) - 1


def _gives(statement: Statement, name: str) -> bool:
    if isinstance(statement.node, ast.Delete) and name not in statement.changes:
        return False
    return name in statement.binds or not statement.uses.trains


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, Definition) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


class _Slice:
    """The statements for what is read up to one of them; `kept` are those found so far."""

    def __init__(self, table: Facts, cut: int) -> None:
        self._table = table
        self._cut = cut
        self.kept: set[int] = set()
        self._seen_before: set[tuple[str, int]] = set()
        self._seen_after: set[tuple[str, int]] = set()
        self._late: set[tuple[str, bool]] = set()
        self._waiting: list[int] = []

    def need(self, name: str, position: int) -> None:
        """`name` is read by the statement at `position`, or right before it."""
        self._before(name, position)
        self._run()

    def keep(self, number: int) -> None:
        self._keep(number)
        self._run()

    def _run(self) -> None:
        while self._waiting:
            number = self._waiting.pop()
            statement = self._table.statements[number]
            for name in statement.reads:
                self._before(name, number)
            for name in statement.late:
                self._called(name, everywhere=number > self._cut)

    def _keep(self, number: int) -> None:
        if number not in self.kept:
            self.kept.add(number)
            self._waiting.append(number)

    def _before(self, name: str, position: int) -> None:
        """Keep what `name` is when the statement at `position` reads it."""
        binders = self._table.binders.get(name, [])
        start = bisect_left(binders, position)
        if not start:
            self._unbound(name, position)
        for index in range(start - 1, -1, -1):
            if (name, index) in self._seen_before:
                break
            self._seen_before.add((name, index))
            if self._keep_binder(name, binders[index]):
                break
        # The object may be held by another one already, so what changes it later counts too, until the name is new.
        for index in range(start, len(binders)):
            statement = self._table.statements[binders[index]]
            if binders[index] > self._cut or name in statement.kills or (name, index) in self._seen_after:
                break
            self._seen_after.add((name, index))
            if name in statement.changes:
                self._keep_binder(name, binders[index])

    def _keep_binder(self, name: str, number: int) -> bool:
        """Keep a statement that binds or changes `name`; True if nothing before it matters."""
        statement = self._table.statements[number]
        if name not in statement.binds and statement.uses.trains:
            return False  # a training loop changes a model without making it
        self._keep(number)
        return name in statement.kills and name not in statement.changes

    def _called(self, name: str, *, everywhere: bool) -> None:
        """Keep what `name` may be when a function reads it that may be called at any time."""
        if (name, everywhere) in self._late:
            return
        self._late.add((name, everywhere))
        binders = [
            number
            for number in self._table.binders.get(name, ())
            if number <= self._cut or everywhere or self._table.statements[number].definition
        ]
        for number in binders:
            self._keep_binder(name, number)
        if not binders:
            self._unbound(name, self._cut + 1)

    def _unbound(self, name: str, position: int) -> None:
        """Keep the star imports that may bring `name`: those before `position`, else those after it."""
        if name not in _BUILTINS:
            stars = self._table.stars
            for number in stars[: bisect_left(stars, position)] or stars:
                self._keep(number)
