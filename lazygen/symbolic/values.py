"""The numbers of small constant tensors: flat row-major lists, kept on as long as operations on constants are done.

A size among them stays a Dim or a Ratio where Python's arithmetic keeps it one.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from lazygen.symbolic.dim import ratio, sources_of
from lazygen.symbolic.dtypes import dtype as Dtype
from lazygen.symbolic.errors import ShapeError, UnknownValue
from lazygen.symbolic.tensor import KEPT_VALUES, Tensor, numel
from lazygen.symbolic.unknown import Unknown

_FORMATS = {"float16": "e", "float32": "f"}


def cast(value: Any, kind: Dtype) -> Any:
    """One number as an element of a dtype holds it: rounded, wrapped or cut as torch does."""
    if isinstance(value, Unknown):
        return value
    if kind.category == 0:
        return bool(value)
    if kind.category == 1:
        return _whole(value, kind)
    if kind.category == 3:
        return complex(value)
    sources = sources_of(value)
    rounded = _rounded(float(value), kind)  # a complex number raises TypeError: it is no element of a float dtype
    return ratio(rounded, sources) if sources else rounded


def cast_all(values: list[Any] | None, kind: Dtype) -> list[Any] | None:
    """A constant's numbers in another dtype; None stays None, and becomes of numbers that the dtype cannot hold."""
    if values is None:
        return None
    types = set(map(type, values))
    try:
        if types == {int} and kind.category == 1:
            least, most = min(values), max(values)
            if _whole(least, kind) == least and _whole(most, kind) == most:
                return list(values)
        if types == {bool} and kind.category == 0:
            return list(values)
        if types == {float} and kind.name in _FORMATS:
            return _all_rounded(values, kind)
        return [cast(value, kind) for value in values]
    except (ArithmeticError, ValueError, TypeError, UnknownValue):
        return None


def _whole(value: Any, kind: Dtype) -> int:
    number: int = int(value) if isinstance(value, (bool, float)) else value
    bits = 8 * kind.itemsize
    low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if kind.is_signed else (0, 1 << bits)
    if low <= number < high:
        return number
    return (int(number) - low) % (high - low) + low


def _all_rounded(values: list[float], kind: Dtype) -> list[float]:
    form = f"{len(values)}{_FORMATS[kind.name]}"
    try:
        return list(struct.unpack(form, struct.pack(form, *values)))
    except OverflowError:  # some become infinite
        return [_rounded(value, kind) for value in values]


def _rounded(number: float, kind: Dtype) -> float:
    if not math.isfinite(number):
        return number
    if kind.name == "bfloat16":
        (bits,) = struct.unpack("<I", struct.pack("<f", number))
        bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
        return struct.unpack("<f", struct.pack("<I", bits))[0]  # type: ignore[no-any-return]
    form = _FORMATS.get(kind.name)
    if form is None:
        return number
    try:
        return struct.unpack(form, struct.pack(form, number))[0]  # type: ignore[no-any-return]
    except OverflowError:
        return math.copysign(math.inf, number)


def spread(operand: Any, shape: Sequence[int]) -> list[Any] | None:
    """The numbers of a constant or of a Python number, broadcast to a shape; None if it is no constant or too large."""
    count = int(numel(int(size) for size in shape))
    if count > KEPT_VALUES:
        return None
    if not isinstance(operand, Tensor):
        return [operand] * count
    if operand.values is None:
        return None
    if len(operand.values) == 1:
        return operand.values * count
    own = [int(size) for size in operand.shape]
    if own == [int(size) for size in shape]:
        return operand.values
    own = [1] * (len(shape) - len(own)) + own
    strides, step = [0] * len(own), 1
    for at in range(len(own) - 1, -1, -1):
        strides[at] = 0 if own[at] == 1 else step
        step *= own[at]
    return [
        operand.values[sum(i * s for i, s in zip(index, strides, strict=True))]
        for index in product(*(range(int(size)) for size in shape))
    ]


def computed(
    function: Callable[..., Any], operands: Sequence[Any], shape: Sequence[int], kind: Dtype
) -> list[Any] | None:
    """`function` over the operands' numbers, element by element; None unless all are constants it is defined for."""
    for operand in operands:
        if isinstance(operand, Tensor) and operand.values is None:
            return None
    columns = []
    for operand in operands:
        column = spread(operand, shape)
        if column is None:
            return None
        columns.append(column)
    try:
        return cast_all([function(*row) for row in zip(*columns, strict=True)], kind)
    except (ArithmeticError, ValueError, TypeError, UnknownValue):
        return None


def lanes(tensor: Tensor, dims: Sequence[int]) -> list[list[Any]] | None:
    """A constant's numbers, one list for each element of what a reduction over `dims` leaves, in row-major order."""
    if tensor.values is None:
        return None
    sizes = [int(size) for size in tensor.shape]
    gathered: dict[tuple[int, ...], list[Any]] = {
        key: [] for key in product(*(range(size) for at, size in enumerate(sizes) if at not in dims))
    }
    for index, value in zip(product(*map(range, sizes)), tensor.values, strict=True):
        gathered[tuple(i for at, i in enumerate(index) if at not in dims)].append(value)
    return list(gathered.values())


def number_or_tensor(value: Any, name: str) -> Any:
    """An operand as a tensor or a Python number; numpy's numbers count as Python's.

    Raises ShapeError if it is neither.
    """
    if isinstance(value, (Tensor, int, float, complex)):
        return value
    if hasattr(value, "__index__"):
        return value.__index__()
    if hasattr(value, "__float__"):
        return float(value)
    raise ShapeError(f"torch.{name} takes tensors and numbers, not {type(value).__name__}")


def write_to(target: Tensor | None, result: Tensor, name: str) -> Tensor:
    """What `out=` means: the tensor takes the result's shape and values and keeps its dtype.  None gives the result.

    Raises ShapeError if its dtype cannot hold the result's.
    """
    if target is None:
        return result
    if result.dtype.category > target.dtype.category:
        raise ShapeError(
            f"torch.{name} gives {result.dtype.name}, which cannot be written to {target.dtype.name}",
            operands=(target,),
            code="LZ230",
        )
    target._shape, target.values = result.shape, cast_all(result.values, target.dtype)
    return target
