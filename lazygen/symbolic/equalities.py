"""Sizes that operations found equal: what a run proves of its arguments, as that a block's `dim` is its input's width.

`nn.LayerNorm(dim)` runs on inputs of `dim` features only, and `x + self.mlp(x)` asks the same of what the two have in
common.  So a layer inside says `dim`, although its input came from outside.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping
from types import FrameType

from lazygen.symbolic.dim import Dim
from lazygen.symbolic.expr import Expr, symbols_of
from lazygen.symbolic.tensor import TRACED
from lazygen.values import value


@value
class Equality:
    """Two different expressions that an operation needed to be equal, one of them a symbol.

    `within` are the functions of the source that the operation ran in, the innermost first, by qualified name and
    line: only there it is a rule.  It is None if a layer asked for it, whose own size `right` is: then it is one
    wherever that can be said.
    """

    left: Expr
    right: Expr
    within: tuple[tuple[str, int], ...] | None = None


EQUAL: dict[Equality, None] = {}
"""All of this run."""

Equalities = Mapping[Expr, tuple[Expr, ...]]


def agree(given: int, wanted: int) -> None:
    """Keep that a layer needs its input to have a size, which it has."""
    if _tells(given, wanted):
        EQUAL[Equality(given.expr, wanted.expr)] = None  # type: ignore[attr-defined]


def agree_here(left: int, right: int) -> None:
    """Keep that an operation of the source needs two sizes to be equal, which they are."""
    if _tells(left, right):
        EQUAL[Equality(left.expr, right.expr, tuple(_running()))] = None  # type: ignore[attr-defined]


def by_expression(equalities: Iterable[Equality], owner: str | None, unsure: Container[int]) -> Equalities:
    """What each expression is equal to in the methods of a class, `owner`, or in a function that is none; `unsure` are
    lines that do not run each time that their function does.

    Sizes that no text may hold, as a batch, are not among it; nor is what a sum with an input needs of that: its sizes
    are numbers of the input's own.
    """
    found: dict[Expr, dict[Expr, None]] = {}
    for equality in equalities:
        pair = (equality.left, equality.right)
        if equality.within is not None and not _always(equality.within, owner, unsure):
            continue
        unsaid = ("batch", "free") if equality.within is None else ("batch", "free", "input")
        if all(symbol.kind not in unsaid for expr in pair for symbol in symbols_of(expr)):
            for ours, theirs in (pair, pair[::-1]):
                found.setdefault(ours, {})[theirs] = None
    return {expr: tuple(others) for expr, others in found.items()}


def equal_to(size: Expr, equalities: Equalities) -> Iterator[Expr]:
    """All that a size is equal to, the nearest first."""
    seen, waiting = {size}, deque([size])
    while waiting:
        for expr in equalities.get(waiting.popleft(), ()):
            if expr not in seen:
                seen.add(expr)
                waiting.append(expr)
                yield expr


def _tells(left: int, right: int) -> bool:
    if left is right or not (isinstance(left, Dim) and isinstance(right, Dim)):
        return False
    ours, theirs = left.expr, right.expr
    return ours != theirs and (ours.symbol is not None or theirs.symbol is not None)


def _running() -> Iterator[tuple[str, int]]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename in TRACED:
            yield frame.f_code.co_qualname, frame.f_lineno
        frame = frame.f_back


def _always(within: tuple[tuple[str, int], ...], owner: str | None, unsure: Container[int]) -> bool:
    """Whether an operation runs whenever a method of the class does."""
    for name, line in within:
        if line in unsure or owner is None:
            return False
        if name.startswith(f"{owner}."):
            return True
    return False
