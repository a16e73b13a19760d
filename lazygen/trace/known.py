"""Builtins that would lose where a size came from, in versions that keep it.  Instrumented code calls these instead."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from lazygen.symbolic.dim import Dim, Ratio, dim, expr_of
from lazygen.symbolic.expr import Opaque, of_atom
from lazygen.symbolic.resize import divides


def known_int(*arguments: Any, **keywords: Any) -> Any:
    """`int(x)`: a Dim is one already."""
    if len(arguments) == 1 and isinstance(arguments[0], Dim):
        return arguments[0]
    return int(*arguments, **keywords)


def known_type(value: Any) -> type:
    """`type(x)`: a Dim is an int to its source, a Ratio a float."""
    kind = type(value)
    return int if kind is Dim else float if kind is Ratio else kind


def known_range(*arguments: Any) -> Any:
    """`range(...)`: over Dims, a sequence whose items keep their terms."""
    if any(isinstance(argument, Dim) for argument in arguments):
        return Range(*arguments)
    return range(*arguments)


class Range(Sequence[int]):
    """A range over Dims: item k is `start + step * k`, counted from the end for the last."""

    def __init__(self, start: int, stop: int | None = None, step: int = 1) -> None:
        self.start, self.stop, self.step = (0, start, step) if stop is None else (start, stop, step)
        self.plain = range(int(self.start), int(self.stop), int(step))

    def __len__(self) -> int:
        return len(self.plain)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return [self._item(index) for index in range(*key.indices(len(self.plain)))]
        return self._item(range(len(self.plain))[key])

    def _item(self, index: int) -> int:
        if index == len(self.plain) - 1 and index and self.step == 1:
            return self.stop - 1
        return self.start + self.step * index

    def __iter__(self) -> Iterator[int]:
        return (self._item(index) for index in range(len(self.plain)))

    def __contains__(self, value: object) -> bool:
        return value in self.plain

    def __reversed__(self) -> Iterator[int]:
        return (self._item(index) for index in reversed(range(len(self.plain))))

    def __eq__(self, other: object) -> bool:
        return self.plain == (other.plain if isinstance(other, Range) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self.plain)


def known_max(*arguments: Any, **keywords: Any) -> Any:
    """`max(...)`: which argument is the greatest hangs on all of them."""
    return _chosen("max", max, arguments, keywords)


def known_min(*arguments: Any, **keywords: Any) -> Any:
    """`min(...)`: which argument is the least hangs on all of them."""
    return _chosen("min", min, arguments, keywords)


def _chosen(name: str, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    if len(arguments) == 1 and not keywords:
        arguments = (list(arguments[0]),)
    candidates = arguments[0] if len(arguments) == 1 else arguments
    result = function(*arguments, **keywords)
    if keywords or not all(isinstance(c, int) for c in candidates) or not any(isinstance(c, Dim) for c in candidates):
        return result
    distinct = list(dict.fromkeys(expr_of(candidate) for candidate in candidates))
    if len(distinct) == 1:
        return result
    names = [f"_{index}" for index in range(len(distinct))]
    text = f"{name}({', '.join(names)})"
    return dim(int(result), of_atom(Opaque(text, tuple(zip(names, distinct, strict=True)), int(result))))


def known_prod(function: Any, *arguments: Any, **keywords: Any) -> Any:
    """`np.prod(shape)`: numpy would turn the sizes into plain numbers."""
    if (getattr(function, "__module__", None) or "").startswith("numpy") and len(arguments) == 1 and not keywords:
        sizes = arguments[0]
        if isinstance(sizes, (list, tuple)) and any(isinstance(size, Dim) for size in sizes):
            return math.prod(sizes)
    return function(*arguments, **keywords)


def known_zip(*arguments: Any, **keywords: Any) -> Any:
    """`zip(...)`: notes where it cuts a sequence short."""
    lengths = {len(argument) for argument in arguments if isinstance(argument, (list, tuple))}
    if len(lengths) > 1 and not keywords:
        caller = sys._getframe(1)
        UNEVEN.add((caller.f_code.co_firstlineno, caller.f_lasti))
    return zip(*arguments, **keywords)  # noqa: B905 (as its source wrote it)


def known_remainder(left: Any, right: Any) -> Any:
    """`left % right` in a check: notes that a division leaves nothing."""
    rest = left % right
    if isinstance(left, Dim) and isinstance(right, int) and rest == 0:
        divides(left, right)
    return rest


UNEVEN: set[tuple[int, int]] = set()

FUNCTIONS = {
    "lz:zip": known_zip,
    "lz:remainder": known_remainder,
    "lz:int": known_int,
    "lz:type": known_type,
    "lz:range": known_range,
    "lz:max": known_max,
    "lz:min": known_min,
    "lz:prod": known_prod,
}
