"""Sizes through real torch, which knows numbers only: a call is made again with other samples of the sizes it is given.

A size of the result that follows a size of the operands through another sample is that size, and keeps its terms.  One
that changes with the free sizes alone, and follows none of them, is a free size of its own, which no layer's size may
hang on.  Any other is a plain number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lazygen.symbolic.atoms import Atom, Symbol
from lazygen.symbolic.dim import Dim
from lazygen.symbolic.expr import Expr, constant, origins_of, substitute
from lazygen.symbolic.nested import leaves
from lazygen.symbolic.shapes import free_size
from lazygen.symbolic.tensor import Size, Tensor

_FACTORS = (3, 2, 5, 7, 11, 13)
_OPEN = ("batch", "free")


class Sample:
    """Other numbers for the sizes that a call is given; the free ones alone (`only_open`), or all."""

    def __init__(self, sizes: Sequence[Dim], only_open: bool) -> None:
        self.sizes, self.only_open = sizes, only_open
        roots = [s for s in origins_of([size.expr for size in sizes]) if s.definition is None or not _says(s)]
        chosen = [s for s in roots if not only_open or s.kind in _OPEN]
        # Unlike factors tell sizes apart that are equal by chance; what divides a size divides its multiples.
        self.numbers = {s: _FACTORS[at % len(_FACTORS)] * s.value or 2 for at, s in enumerate(chosen)}

    def of(self, size: int) -> int:
        """A size in this sample."""
        return substitute(size.expr, self._number).value if isinstance(size, Dim) else size

    def _number(self, atom: Atom) -> Expr | None:
        if not isinstance(atom, Symbol):
            return None
        if atom in self.numbers:
            return constant(self.numbers[atom])
        return None if atom.definition is None else substitute(atom.definition, self._number)


def _says(symbol: Symbol) -> bool:
    """Whether a symbol is defined by others."""
    return symbol.definition is not None and bool(origins_of([symbol.definition]))


def sizes_in(value: Any) -> Iterator[Dim]:
    """The sizes with terms in the arguments of a call."""
    for leaf in leaves(value):
        if isinstance(leaf, Dim):
            yield leaf
        elif isinstance(leaf, Tensor):
            yield from (size for size in leaf.shape if isinstance(size, Dim))


def said(result: Any, name: str, sizes: Sequence[Dim], again: Callable[[Sample], Any], fixed: bool = False) -> Any:
    """The result of the call of `name` with the terms of `sizes`, those that it is given.

    `again` makes the call with a sample, and gives None where that does not fit.  With `fixed`, only the free sizes
    can be others: the call works with weights that have their sizes.
    """
    if not fixed:
        sample = Sample(sizes, only_open=False)
        result, left = _named(result, again(sample), sample, name)
        if not left:
            return result
    sample = Sample(sizes, only_open=True)
    return _named(result, again(sample), sample, name)[0] if sample.numbers else result


def by_value(value: Any, sizes: Sequence[Dim]) -> Any:
    """Tensors of numbers with the free ones of `sizes` in the place of numbers that are equal to them."""
    sample = Sample(sizes, only_open=True)
    return _named(value, None, sample, "")[0] if sample.numbers else value


def _named(result: Any, second: Any, sample: Sample, name: str) -> tuple[Any, bool]:
    """A result by a second one, and whether sizes are left over.

    Where there is no second one (None), a size that is equal to a free one of the operands' is taken for that.
    """
    left = second is None

    def size_of(first: int, other: int | None) -> int:
        nonlocal left
        if isinstance(first, Dim) or first == other:
            return first
        for size in sample.sizes:
            elsewhere = sample.of(size)
            if (
                int(size) == first
                and (elsewhere == other or (other is None and sample.only_open))
                and elsewhere != first
            ):
                return size
        left = True
        return free_size(name, first) if sample.only_open and other is not None else first

    def all_of(first: Sequence[int], other: Any) -> list[int]:
        others = other if other is not None and len(other) == len(first) else [None] * len(first)
        return [size_of(*pair) for pair in zip(first, others, strict=True)]

    def walk(first: Any, other: Any) -> Any:
        other = other if type(other) is type(first) else None
        if isinstance(first, Tensor):
            shape = all_of(first.shape, None if other is None else other.shape)
            return Tensor(shape, first.dtype, first.device, first.values)
        if isinstance(first, Size):
            return Size(all_of(first, other))
        if type(first) is int:
            return size_of(first, other)
        if isinstance(first, dict):
            return {key: walk(value, None if other is None else other.get(key)) for key, value in first.items()}
        if isinstance(first, (list, tuple)):
            others = other if other is not None and len(other) == len(first) else [None] * len(first)
            items = [walk(*pair) for pair in zip(first, others, strict=True)]
            return type(first)(*items) if hasattr(first, "_fields") else type(first)(items)
        return first

    return walk(result, second), left
