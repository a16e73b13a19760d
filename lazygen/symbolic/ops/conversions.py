"""Changes of dtype and device, what a tensor says of itself, and the tape of gradients, which does nothing here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.dtypes import dtype as Dtype
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.factories import as_device, as_dtype
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import result_type, wrap_dim
from lazygen.symbolic.tensor import Tensor, new, numel
from lazygen.symbolic.unknown import Unknown
from lazygen.symbolic.values import cast_all


def converted(tensor: Tensor, kind: Dtype | None = None, device: Any = None, copy: bool = False) -> Tensor:
    """The tensor in another dtype and on another device; the tensor itself if both are what it has, unless `copy`."""
    kind, place = kind or tensor.dtype, as_device(device) or tensor.device
    own = tensor.device
    is_said = place is not own and isinstance(own, dtypes.Unplaced) and own is not dtypes.Devices.of_models
    if kind is tensor.dtype and place == tensor.device and not copy and not is_said:
        return tensor
    values = tensor.values
    if values is not None and tensor.dtype.category == 3 and kind.category != 3:
        values = [value.real for value in values]
    return Tensor(tensor.shape, kind, place, cast_all(values, kind), tensor.requires_grad and kind.category >= 2)


@rule(
    "Tensor.to",
    examples=[
        "f32(2, 3).to(torch.float64)",
        "f32(2).to('cpu', torch.int64)",
        "f32(2).to(i64(3))",
        "f32(2).to(dtype=torch.half)",
    ],
)
def to(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """`to(dtype)`, `to(device, dtype)` or `to(other)`, then non_blocking and copy."""
    kind, device, copy = kwargs.pop("dtype", None), kwargs.pop("device", None), kwargs.pop("copy", False)
    other: Tensor | None = None
    flags: list[Any] = []
    for at, value in enumerate(args):
        if isinstance(value, Tensor):
            other = value
        elif isinstance(value, Dtype) or value in (float, int, complex) or value is bool:
            kind = value
        elif isinstance(value, bool) or (value is None and at > 1):
            flags.append(value)
        elif isinstance(value, (str, int, dtypes.device)):
            device = value
        elif value is not None:
            raise ShapeError(f"torch.Tensor.to takes a dtype, a device or a tensor, not {type(value).__name__}")
    if other is not None:
        kind, device = other.dtype, other.device
    if set(kwargs) - {"non_blocking", "memory_format"}:
        raise ShapeError(f"torch.Tensor.to has no argument {next(iter(kwargs))}")
    return converted(self, as_dtype(kind), device, copy or (len(flags) > 1 and bool(flags[1])))


def _declare_casts() -> None:
    names = {**dtypes.ALIASES, "bool": dtypes.bool_, "bfloat16": dtypes.bfloat16}
    names["byte"], names["char"] = dtypes.uint8, dtypes.int8
    for name, kind in names.items():

        def cast(self: Tensor, memory_format: Any = None, _kind: Dtype = kind) -> Tensor:
            return converted(self, _kind)

        rule(f"Tensor.{name}", examples=[f"f32(2, 3).{name}()"])(cast)


_declare_casts()
_TYPE_NAMES = {
    "Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16", "Byte": "uint8", "Char": "int8",
    "Short": "int16", "Int": "int32", "Long": "int64", "Bool": "bool",
}  # fmt: skip


@rule("Tensor.type", examples=["f32(2).type(torch.int64)", "f32(2).type('torch.LongTensor')"])
def type_(self: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """In another dtype, which may be named as `torch.FloatTensor` is; without one, the name of its own."""
    if dtype is None:
        kinds = {kind: name for name, kind in _TYPE_NAMES.items()}
        place = "torch.cuda." if self.device.type == "cuda" else "torch."
        return f"{place}{kinds.get(self.dtype.name, self.dtype.name)}Tensor"
    name = dtype if isinstance(dtype, str) else getattr(dtype, "__name__", "")
    short = name.rpartition(".")[2].removesuffix("Tensor")
    if short in _TYPE_NAMES:
        return converted(self, dtypes.DTYPES[_TYPE_NAMES[short]], "cuda" if ".cuda." in name else None)
    return converted(self, as_dtype(dtype))


@rule("Tensor.type_as", examples=["f32(2).type_as(i64(3))"])
def type_as(self: Tensor, other: Tensor) -> Tensor:
    return converted(self, other.dtype, other.device)


@rule("Tensor.cpu", examples=["f32(2).cpu()"])
def cpu(self: Tensor, memory_format: Any = None) -> Tensor:
    return converted(self, None, "cpu")


@rule("Tensor.cuda")
def cuda(self: Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Tensor:
    return converted(self, None, "cuda" if device is None else device)


# The same numbers


def _itself(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    return self


for _name in (
    "contiguous", "share_memory_", "pin_memory", "detach_", "dequantize", "to_dense", "coalesce",
    "refine_names", "rename",
):  # fmt: skip
    rule(f"Tensor.{_name}", examples=["f32(2, 3).contiguous()"] if _name == "contiguous" else [])(_itself)


@rule(
    "torch.clone", "Tensor.clone", "torch.detach", "Tensor.detach", "torch.detach_copy",
    examples=["torch.clone(f32(2, 3))", "f32(2, 3).clone()", "f32(2).detach()"],
)  # fmt: skip
def clone(input: Tensor, *, memory_format: Any = None) -> Tensor:
    return new(input.shape, input, values=None if input.values is None else list(input.values))


@rule("Tensor.requires_grad_", examples=["f32(2).requires_grad_()", "i64(2).requires_grad_()"])
def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    if requires_grad and self.dtype.category < 2:
        raise ShapeError(
            f"only floats and complex numbers have gradients, not {self.dtype.name}", operands=(self,), code="LZ230"
        )
    self.requires_grad = requires_grad
    return self


# Numbers for Python


@rule("Tensor.item")
def item(self: Tensor) -> Any:
    """The one number: that of a constant, else one that only real data has."""
    return self.number()


@rule("Tensor.tolist")
def tolist(self: Tensor) -> Any:
    """Nested lists of numbers, of the tensor's shape."""
    count = int(numel(int(size) for size in self.shape))
    unknown = [Unknown(self.dtype.category) for _ in range(count)] if self.values is None else []
    return _nested(self.values if self.values is not None else unknown, list(self.shape))


def _nested(values: list[Any], shape: list[int]) -> Any:
    if not shape:
        return values[0]
    if len(shape) == 1:
        return list(values)
    step = len(values) // int(shape[0]) if shape[0] else 0
    return [_nested(values[i * step : (i + 1) * step], shape[1:]) for i in range(int(shape[0]))]


@rule("Tensor.numpy", "Tensor.__array__")
def numpy(self: Tensor, dtype: Any = None, *, force: bool = False) -> Any:
    """A constant's numbers as an array of numpy; the numbers of any other tensor only real data has."""
    import numpy as real_numpy

    from lazygen.symbolic.errors import UnknownValue

    if self.values is None:
        raise UnknownValue("the numbers of a tensor are needed here, and only real data has them")
    return real_numpy.array(self.values, dtype=dtype or self.dtype.name).reshape([int(size) for size in self.shape])


# What a tensor says of itself


@rule("Tensor.size", examples=["f32(2, 3).size()", "f32(2, 3).size(-1)", "f32(2, 3).size(2)"])
def size(self: Tensor, dim: int | None = None) -> Any:
    sizes = self.shape
    if dim is None:
        return sizes
    return sizes[dim] if type(dim) is int and -len(sizes) <= dim < len(sizes) else sizes[_present(dim, self)]


def _present(dim: int, tensor: Tensor) -> int:
    if not tensor.shape:
        raise ShapeError(f"a tensor of no dims has no dim {dim}", operands=(tensor,), code="LZ203")
    return wrap_dim(dim, len(tensor.shape), tensor)


@rule("Tensor.stride", examples=["f32(2, 3, 4).stride()", "f32(2, 3, 4).stride(0)"])
def stride(self: Tensor, dim: int | None = None) -> Any:
    """The strides of a contiguous tensor of this shape, in elements."""
    strides: list[int] = []
    step = 1
    for length in reversed(self.shape):
        strides.insert(0, step)
        step = step * length if length > 1 else step
    return tuple(strides) if dim is None else strides[_present(dim, self)]


@rule("torch.numel", "Tensor.numel", "Tensor.nelement", examples=["torch.numel(f32(2, 3))", "f32(2, 0).numel()"])
def numel_(input: Tensor) -> int:
    return numel(input.shape)


def _declare_facts() -> None:
    facts: dict[str, Callable[[Tensor], Any]] = {
        "dim": lambda t: len(t.shape),
        "ndimension": lambda t: len(t.shape),
        "element_size": lambda t: t.dtype.itemsize,
        "storage_offset": lambda t: 0,
        "is_floating_point": lambda t: t.dtype.is_floating_point,
        "is_complex": lambda t: t.dtype.is_complex,
        "is_signed": lambda t: t.dtype.is_signed,
        "is_conj": lambda t: False,
        "is_inference": lambda t: False,
        "is_pinned": lambda t: False,
        "is_shared": lambda t: False,
        "get_device": lambda t: -1 if t.device.type == "cpu" else t.device.index or 0,
        "data_ptr": id,
    }
    for name, fact in facts.items():

        def method(self: Tensor, _fact: Callable[[Tensor], Any] = fact) -> Any:
            return _fact(self)

        rule(f"Tensor.{name}", examples=[] if name in ("data_ptr", "get_device") else [f"f32(2, 3).{name}()"])(method)
        if name in ("is_floating_point", "is_complex", "is_conj", "is_inference"):

            def function(input: Tensor, _fact: Callable[[Tensor], Any] = fact) -> Any:
                return _fact(input)

            rule(f"torch.{name}", examples=[f"torch.{name}(f32(2, 3))"])(function)


_declare_facts()


@rule("Tensor.is_contiguous", examples=["f32(2, 3).is_contiguous()"])
def is_contiguous(self: Tensor, memory_format: Any = None) -> bool:
    return True


@rule("torch.is_tensor", examples=["torch.is_tensor(f32(2))", "torch.is_tensor(2)"])
def is_tensor(obj: Any) -> bool:
    return isinstance(obj, Tensor)


@rule("torch.is_nonzero", "Tensor.is_nonzero")
def is_nonzero(input: Tensor) -> Any:
    return bool(input)


# Gradients


@rule("Tensor.backward", "Tensor.retain_grad")
def backward(self: Tensor, *args: Any, **kwargs: Any) -> None:
    return None


class _Handle:
    def remove(self) -> None:
        return None


@rule("Tensor.register_hook", "Tensor.register_post_accumulate_grad_hook")
def register_hook(self: Tensor, hook: Any) -> _Handle:
    return _Handle()


# Dtypes


@rule("torch.result_type", examples=["torch.result_type(i64(2), 1.5)", "torch.result_type(f16(2), f32())"])
def result_type_(tensor1: Any, tensor2: Any) -> Dtype:
    return result_type(tensor1, tensor2)


@rule("torch.promote_types", examples=["torch.promote_types(torch.int32, torch.float16)"])
def promote_types(type1: Dtype, type2: Dtype) -> Dtype:
    return dtypes.promote(type1, type2)


@rule(
    "torch.can_cast",
    examples=["torch.can_cast(torch.float64, torch.int64)", "torch.can_cast(torch.int64, torch.float32)"],
)
def can_cast(from_: Dtype, to: Dtype) -> bool:
    """Not from floats to integers, from complex numbers to real ones, or from anything but bool to bool."""
    return from_.category <= to.category


_LIMITS = {
    # bits of the fraction, largest and smallest exponent
    "float16": (10, 15, -14),
    "bfloat16": (7, 127, -126),
    "float32": (23, 127, -126),
    "float64": (52, 1023, -1022),
}


class finfo:
    """`torch.finfo`: the limits of a float dtype.  Source: IEEE 754, and bfloat16 as float32 with 16 bits less."""

    def __init__(self, type: Any = None) -> None:
        kind = as_dtype(type) or dtypes.DEFAULT_DTYPE[-1]
        kind = kind.to_real()
        if kind.name not in _LIMITS:
            raise ShapeError(f"torch.finfo takes float dtypes, not {kind.name}", code="LZ230")
        fraction, largest, smallest = _LIMITS[kind.name]
        self.dtype, self.bits = kind.name, 8 * kind.itemsize
        self.eps = 2.0**-fraction
        self.max = (2.0 - self.eps) * 2.0**largest
        self.min = -self.max
        self.tiny = self.smallest_normal = 2.0**smallest
        self.resolution = float(f"1e-{int(fraction * 0.30103)}")


class iinfo:
    """`torch.iinfo`: the limits of an integer dtype."""

    def __init__(self, type: Any) -> None:
        kind = as_dtype(type)
        if kind is None or kind.category != 1:
            raise ShapeError(f"torch.iinfo takes integer dtypes, not {kind}", code="LZ230")
        self.dtype, self.bits = kind.name, 8 * kind.itemsize
        self.min = -(1 << (self.bits - 1)) if kind.is_signed else 0
        self.max = (1 << (self.bits - int(kind.is_signed))) - 1


rule("torch.finfo")(finfo)
rule("torch.iinfo")(iinfo)
