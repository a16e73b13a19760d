"""The numbers of small constants, carried through operations that only move elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from lazygen.symbolic.tensor import KEPT_VALUES, Tensor, numel


def strides_of(shape: Sequence[int]) -> list[int]:
    """The row-major strides of a shape, in elements."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= int(size)
    return strides[::-1]


def indices_of(shape: Sequence[int]) -> product[tuple[int, ...]]:
    """Every index of a shape in row-major order."""
    return product(*(range(int(size)) for size in shape))


def strided(input: Tensor, shape: Sequence[int], strides: Sequence[int], offset: int = 0) -> list[Any] | None:
    """The values of the view with these strides, in elements of the input's row-major order; None if it has none."""
    return picked(input, shape, lambda index: offset + sum(i * s for i, s in zip(index, strides, strict=True)))


def picked(input: Tensor, shape: Sequence[int], position: Callable[[tuple[int, ...]], int]) -> list[Any] | None:
    """The values of a result whose element at an index is the input's at a flat position; None if there are none."""
    values = input.values
    if values is None or numel(map(int, shape)) > KEPT_VALUES:
        return None
    return [values[position(index)] for index in indices_of(shape)]
