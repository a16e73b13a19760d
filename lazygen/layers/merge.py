"""Several tensors into one: as layers and as functions, each over a list or over arguments.

concat(a, b, axis=1)      torch.cat([a, b], dim=1)            Concat(axis=1)(a, b)
add(a, b, c)              a + b + c                           Add()([a, b, c])
average(a, b)             (a + b) / 2                         Average()(a, b)
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import torch
from torch import nn

from lazygen.layers.base import LayerError, WithSpec


def concat(*tensors: Any, axis: int = -1) -> Any:
    """The tensors one after the other along a dim."""
    return torch.cat(_listed(tensors, "concat"), dim=axis)


def add(*tensors: Any) -> Any:
    """The sum; shapes broadcast."""
    return reduce(operator.add, _listed(tensors, "add"))


def subtract(*tensors: Any) -> Any:
    """The first less all others; shapes broadcast."""
    return reduce(operator.sub, _listed(tensors, "subtract"))


def multiply(*tensors: Any) -> Any:
    """The product, element by element; shapes broadcast."""
    return reduce(operator.mul, _listed(tensors, "multiply"))


def divide(*tensors: Any) -> Any:
    """The first divided by all others, element by element; shapes broadcast."""
    return reduce(operator.truediv, _listed(tensors, "divide"))


def maximum(*tensors: Any) -> Any:
    """The greatest, element by element; shapes broadcast."""
    return reduce(torch.maximum, _listed(tensors, "maximum"))


def minimum(*tensors: Any) -> Any:
    """The least, element by element; shapes broadcast."""
    return reduce(torch.minimum, _listed(tensors, "minimum"))


def average(*tensors: Any) -> Any:
    """The mean, element by element; shapes broadcast."""
    given = _listed(tensors, "average")
    return reduce(operator.add, given) / len(given)


class Merge(WithSpec, nn.Module):
    """A layer without parameters over several tensors, given as a list or as arguments."""

    function: Callable[..., Any]

    def native_module(self) -> None:
        """None: there are no parameters."""
        return

    def forward(self, *tensors: Any) -> Any:
        return type(self).function(*tensors)


class Concat(Merge):
    """(..., n, ...), (..., m, ...) to (..., n + m, ...) along dim `axis`."""

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def forward(self, *tensors: Any) -> Any:
        return concat(*tensors, axis=self.axis)

    def extra_repr(self) -> str:
        return f"axis={self.axis}"


class Add(Merge):
    function = staticmethod(add)


class Subtract(Merge):
    function = staticmethod(subtract)


class Multiply(Merge):
    function = staticmethod(multiply)


class Divide(Merge):
    function = staticmethod(divide)


class Maximum(Merge):
    function = staticmethod(maximum)


class Minimum(Merge):
    function = staticmethod(minimum)


class Average(Merge):
    function = staticmethod(average)


def _listed(tensors: Sequence[Any], name: str) -> list[Any]:
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    if not tensors:
        raise LayerError(f"{name} needs at least one tensor", code="LZ202")
    return list(tensors)
