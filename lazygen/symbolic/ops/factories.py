"""Tensors made from sizes and from data."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.dtypes import dtype as Dtype
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.function_modes import asking_modes
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import as_size, number_type
from lazygen.symbolic.tensor import KEPT_VALUES, Size, Tensor, numel
from lazygen.symbolic.values import cast_all, number_or_tensor, write_to

_PYTHON_TYPES = {float: dtypes.float64, int: dtypes.int64, bool: dtypes.bool_, complex: dtypes.complex128}


def as_dtype(kind: Any) -> Dtype | None:
    """A dtype as torch takes it: one of its own, or Python's `float`, `int`, `bool`, `complex`."""
    if kind is None or isinstance(kind, Dtype):
        return kind
    if kind in _PYTHON_TYPES:
        return _PYTHON_TYPES[kind]
    raise ShapeError(f"{kind!r} is no dtype", code="LZ230")


def as_device(place: Any) -> dtypes.device | None:
    """A device as torch takes it: its own, a string or the number of a GPU."""
    return None if place is None else dtypes.located(place)


def sizes_of(size: Sequence[Any], name: str) -> list[int]:
    """Sizes given one by one or as one sequence.

    Raises ShapeError if one is negative or no whole number.
    """
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = size[0]
    sizes = [one if type(one) is int else _size(one, name) for one in size]
    if sizes and min(sizes) < 0:
        raise ShapeError(f"torch.{name} has a negative size: {tuple(int(one) for one in sizes)}", code="LZ202")
    return sizes


def _size(one: Any, name: str) -> int:
    if isinstance(one, (float, bool, str)) or not hasattr(one, "__index__"):
        if type(one).__name__ == "Unknown":
            one.__index__()
        raise ShapeError(f"torch.{name} takes whole numbers as sizes, not {one!r}")
    return as_size(one)


def made(
    name: str,
    shape: Sequence[int],
    fill: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """A tensor of a shape, of `fill` in every element unless that is None."""
    kind = as_dtype(dtype) or dtypes.DEFAULT_DTYPE[-1]
    values = None
    if fill is not None and (count := numel(map(int, shape))) <= KEPT_VALUES:
        one = cast_all([fill], kind)
        values = None if one is None else one * count
    return write_to(out, Tensor(shape, kind, as_device(device), values, requires_grad), name)


def _declare_sized(name: str, fill: Any) -> None:
    """`torch.zeros(2, 3)`, `torch.zeros_like(x)` and `x.new_zeros(2, 3)`."""

    def sized(
        *size: Any, out: Any = None, dtype: Any = None, layout: Any = None, device: Any = None,
        requires_grad: bool = False, pin_memory: bool = False, generator: Any = None, names: Any = None,
        memory_format: Any = None, **named: Any,
    ) -> Tensor:  # fmt: skip
        shape = sizes_of(size or (named["size"],), name)
        return made(name, shape, fill, dtype, device, requires_grad, out)

    def like(
        input: Tensor, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False,
        memory_format: Any = None, generator: Any = None, pin_memory: bool = False,
    ) -> Tensor:  # fmt: skip
        return made(f"{name}_like", input.shape, fill, dtype or input.dtype, device or input.device, requires_grad)

    def new(
        self: Tensor, *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False,
        layout: Any = None, pin_memory: bool = False, **named: Any,
    ) -> Tensor:  # fmt: skip
        shape = sizes_of(size or (named["size"],), f"Tensor.new_{name}")
        return made(name, shape, fill, dtype or self.dtype, device or self.device, requires_grad)

    rule(f"torch.{name}", examples=[f"torch.{name}(2, 3)", f"torch.{name}((2, 3), dtype=torch.float64)"])(sized)
    rule(
        f"torch.{name}_like",
        examples=[f"torch.{name}_like(f32(2, 3))", f"torch.{name}_like(f32(2), dtype=torch.float16)"],
    )(asking_modes(like, f"{name}_like"))
    if name not in ("rand", "randn"):
        rule(f"Tensor.new_{name}", examples=[f"f64(2).new_{name}(3, 4)", f"i64(2).new_{name}((3,))"])(
            asking_modes(new, f"new_{name}")
        )


for _name, _fill in (("zeros", 0), ("ones", 1), ("empty", None), ("rand", None), ("randn", None)):
    _declare_sized(_name, _fill)


@rule("torch.full", examples=["torch.full((2, 3), 1)", "torch.full((2,), 0.5)", "torch.full((2,), True)"])
def full(
    size: Sequence[int], fill_value: Any, *, out: Any = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, pin_memory: bool = False, names: Any = None,
) -> Tensor:  # fmt: skip
    kind = as_dtype(dtype) or (fill_value.dtype if isinstance(fill_value, Tensor) else number_type(fill_value))
    return made("full", sizes_of((size,), "full"), _number(fill_value), kind, device, requires_grad, out)


@rule("torch.full_like", examples=["torch.full_like(i64(2, 3), 2)"])
@asking_modes
def full_like(
    input: Tensor, fill_value: Any, *, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, memory_format: Any = None,
) -> Tensor:  # fmt: skip
    kind, place = dtype or input.dtype, device or input.device
    return made("full_like", input.shape, _number(fill_value), kind, place, requires_grad)


@rule("Tensor.new_full", examples=["f32(2).new_full((3, 4), 2)"])
@asking_modes
def new_full(
    self: Tensor, size: Sequence[int], fill_value: Any, *, dtype: Any = None, device: Any = None,
    requires_grad: bool = False, layout: Any = None, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    shape = sizes_of((size,), "Tensor.new_full")
    return made("full", shape, _number(fill_value), dtype or self.dtype, device or self.device, requires_grad)


def _number(value: Any) -> Any:
    value = number_or_tensor(value, "full")
    return value.number() if isinstance(value, Tensor) else value


# From data


@rule("torch.tensor", examples=["torch.tensor([[1, 2], [3, 4]])", "torch.tensor(0.5)", "torch.tensor([True, False])"])
def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False
) -> Tensor:
    """A tensor of nested sequences of numbers, of an array or of another tensor; it keeps its values."""
    kind = as_dtype(dtype)
    if isinstance(data, Tensor):
        own = kind or data.dtype
        place = as_device(device) or data.device
        return Tensor(data.shape, own, place, cast_all(data.values, own), requires_grad)
    if hasattr(data, "dtype") and hasattr(data, "tolist"):
        kind = kind or dtypes.DTYPES.get(str(data.dtype), dtypes.DEFAULT_DTYPE[-1])
        shape: list[int] = list(data.shape)
        values = flat(data.tolist(), shape) if math.prod(shape) <= KEPT_VALUES else None
    else:
        shape = _nested_shape(data)
        values = flat(data, shape)
        kind = kind or _widest(values)
    return Tensor(shape, kind, as_device(device), cast_all(values, kind), requires_grad)


def _nested_shape(data: Any) -> list[int]:
    shape: list[int] = []
    while isinstance(data, (list, tuple)) or (isinstance(data, (Tensor, range)) and _rank(data)):
        shape.append(len(data))
        if not len(data):
            break
        data = next(iter(data))
    return shape


def _rank(data: Any) -> int:
    return len(data.shape) if isinstance(data, Tensor) else 1


def flat(data: Any, shape: Sequence[int]) -> list[Any]:
    """The numbers of nested sequences in row-major order.

    Raises ShapeError if the sequences at one depth differ in length.
    """
    if not shape:
        if isinstance(data, (list, tuple, str)) or data is None:
            raise ShapeError(f"torch.tensor takes numbers, not {type(data).__name__}", code="LZ202")
        number = number_or_tensor(data, "tensor")
        return [number.number() if isinstance(number, Tensor) else number]
    if not hasattr(data, "__len__") or len(data) != shape[0]:
        have = len(data) if hasattr(data, "__len__") else "a number"
        raise ShapeError(f"sequences in torch.tensor differ in length: {shape[0]} and {have}", code="LZ202")
    return [number for item in data for number in flat(item, shape[1:])]


def _widest(values: list[Any]) -> Dtype:
    if not values:
        return dtypes.DEFAULT_DTYPE[-1]
    kinds = [number_type(value) for value in values]
    return max(kinds, key=lambda kind: kind.category)


@rule("torch.as_tensor", "torch.asarray", examples=["torch.as_tensor([1.0, 2.0])", "torch.as_tensor(f32(2, 3))"])
def as_tensor(
    data: Any, dtype: Any = None, device: Any = None, *, copy: bool | None = None, requires_grad: bool = False
) -> Tensor:
    """The tensor itself if its dtype and device are those asked for."""
    if isinstance(data, Tensor) and as_dtype(dtype) in (None, data.dtype) and as_device(device) in (None, data.device):
        return data
    return tensor(data, dtype=dtype, device=device, requires_grad=requires_grad)


@rule("torch.from_numpy")
def from_numpy(ndarray: Any) -> Tensor:
    return tensor(ndarray)


@rule("Tensor.new_tensor", examples=["f64(2).new_tensor([1, 2])"])
@asking_modes
def new_tensor(
    self: Tensor, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    return tensor(data, dtype=dtype or self.dtype, device=device or self.device, requires_grad=requires_grad)


@rule("Tensor.new", examples=["f64(2).new(3, 4)", "i64(2).new([1, 2, 3])"])
def new(self: Tensor, *size: Any, device: Any = None) -> Tensor:
    if len(size) == 1 and isinstance(size[0], (list, tuple)) and not isinstance(size[0], Size):
        return tensor(size[0], dtype=self.dtype, device=device or self.device)
    if len(size) == 1 and isinstance(size[0], Tensor):
        return size[0]
    return made("Tensor.new", sizes_of(size or ((0,),), "Tensor.new"), None, self.dtype, device or self.device)


@rule("torch.scalar_tensor", examples=["torch.scalar_tensor(2)"])
def scalar_tensor(s: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    return made("scalar_tensor", (), _number(s), dtype, device, requires_grad)


# From two tensors


def _paired(name: str, left: Tensor, right: Tensor, value: Callable[[Any, Any], Any], out: Tensor | None) -> Tensor:
    from lazygen.symbolic.ops.pointwise import pointwise

    if left.dtype is not right.dtype or left.dtype.category != 2:
        raise ShapeError(
            f"torch.{name} takes two tensors of one float dtype, not {left.dtype.name} and {right.dtype.name}",
            operands=(left, right),
            code="LZ230",
        )
    return pointwise(name, (left, right), value, left.dtype.to_complex(), out=out)


@rule("torch.complex", examples=["torch.complex(f32(2, 1), f32(3))", "torch.complex(f64(2), f64(2))"])
def complex_(real: Tensor, imag: Tensor, *, out: Tensor | None = None) -> Tensor:
    return _paired("complex", real, imag, complex, out)


@rule("torch.polar", examples=["torch.polar(f32(2, 1), f32(3))"])
def polar(abs: Tensor, angle: Tensor, *, out: Tensor | None = None) -> Tensor:
    return _paired("polar", abs, angle, lambda r, phi: complex(r * math.cos(phi), r * math.sin(phi)), out)
