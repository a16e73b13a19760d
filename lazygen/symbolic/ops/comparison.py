"""Comparisons: pointwise ones, which give bools, and those of whole tensors, which give a Python bool."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.pointwise import pointwise
from lazygen.symbolic.rules import rule
from lazygen.symbolic.tensor import Tensor
from lazygen.symbolic.unknown import BOOL, Unknown


def _declare(names: str, value: Callable[[Any, Any], Any], refuses: str = "") -> None:
    first = names.split()[0]

    def function(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
        if not isinstance(input, Tensor):
            raise ShapeError(f"torch.{first} takes a tensor on its left, not {type(input).__name__}")
        return pointwise(first, (input, other), value, "bool", refuses, out)

    function.__name__ = function.__qualname__ = first
    examples = [f"torch.{first}(f32(2, 1), i64(3))", f"torch.{first}(f32(2, 3), 0.5)"]
    rule(*(f"{space}.{name}" for space in ("torch", "Tensor") for name in names.split()), examples=examples)(function)


_declare("eq", operator.eq)
_declare("ne not_equal", operator.ne)
_declare("lt less", operator.lt, "c")
_declare("le less_equal", operator.le, "c")
_declare("gt greater", operator.gt, "c")
_declare("ge greater_equal", operator.ge, "c")


@rule("torch.isclose", "Tensor.isclose", examples=["torch.isclose(f32(2, 1), f32(3))"])
def isclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    if input.dtype is not other.dtype:
        raise ShapeError(
            f"torch.isclose needs one dtype, and has {input.dtype.name} and {other.dtype.name}",
            operands=(input, other),
            code="LZ230",
        )
    return pointwise(
        "isclose",
        (input, other),
        lambda a, b: a == b or (equal_nan and a != a and b != b) or abs(a - b) <= atol + rtol * abs(b),
        "bool",
    )


@rule("torch.allclose", "Tensor.allclose")
def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """A bool for constants, else a number that only real data has."""
    close = isclose(input, other, rtol, atol, equal_nan)
    return Unknown(BOOL) if close.values is None else all(close.values)


@rule("torch.equal", "Tensor.equal")
def equal(input: Tensor, other: Tensor) -> Any:
    """Whether shapes and numbers are the same: False if the shapes differ, a bool for constants, else unknown."""
    if tuple(input.shape) != tuple(other.shape):
        return False
    if input.values is None or other.values is None:
        return True if input is other else Unknown(BOOL)
    return input.values == other.values


@rule("Tensor.is_same_size", "torch.is_same_size", examples=["f32(2, 3).is_same_size(f32(2, 3))"])
def is_same_size(input: Tensor, other: Tensor) -> bool:
    return tuple(input.shape) == tuple(other.shape)


@rule("torch.isin", examples=["torch.isin(i64(2, 3), i64(4))"])
def isin(elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False) -> Tensor:
    """A bool for each of `elements`: whether it is among `test_elements`."""
    wanted = test_elements.values if isinstance(test_elements, Tensor) else [test_elements]
    if not isinstance(elements, Tensor):
        elements = Tensor((), values=[elements])
    value = None if wanted is None else lambda a: (a in wanted) != invert
    return pointwise("isin", (elements,), value, "bool")
