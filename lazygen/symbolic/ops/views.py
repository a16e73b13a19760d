"""Operations that give the same elements another shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.dim import Dim
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.observer import Observer
from lazygen.symbolic.resize import quotient, resize
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import as_size, broadcast, is_own_number, meet, size_list, wrap_dim, wrap_dims
from lazygen.symbolic.strides import strided, strides_of
from lazygen.symbolic.tensor import Size, Tensor, new, numel, shape_text, view_of
from lazygen.symbolic.unknown import Unknown


def reshaped(input: Tensor, sizes: Sequence[Any], name: str) -> Tensor:
    """The input with other sizes, one of which may be -1."""
    wanted = size_list(sizes)
    shape = resize(input.shape, _with_batch(wanted, input.shape), name, (input,))
    Observer.viewed(input.shape, wanted, shape)
    return view_of(input, shape, input.values)


def _with_batch(wanted: list[int], shape: Sequence[int]) -> list[int]:
    """The sizes, the first of which is the batch where the source says it as a number: so nothing else hangs on the
    batch.
    """
    if not shape or not wanted:
        return wanted
    first = shape[0]
    if isinstance(first, Dim) and int(first) == int(wanted[0]) != 1 and is_own_number(wanted[0]):
        symbol = first.expr.symbol
        if symbol is not None and symbol.kind == "batch":
            return [first, *wanted[1:]]
    return wanted


@rule("Tensor.view", examples=["f32(2, 3, 4).view(2, -1)", "f32(6).view(2, 3)", "f32(2, 4).view(torch.int32)"])
def view(input: Tensor, *shape: Any, size: Any = None, dtype: Any = None) -> Tensor:
    kind = dtype or (shape[0] if len(shape) == 1 and isinstance(shape[0], dtypes.dtype) else None)
    if kind is not None:
        return _as_type(input, kind)
    return reshaped(input, shape if size is None else size, "view")


def _as_type(input: Tensor, kind: dtypes.dtype) -> Tensor:
    old, now = input.dtype.itemsize, kind.itemsize
    if old == now:
        return new(input.shape, input, dtype=kind, values=input.values if kind is input.dtype else None)
    if not input.shape or (old < now and int(input.shape[-1]) % (now // old)):
        raise ShapeError(
            f"view of {shape_text(input.shape)} as {kind.name}: its last size is no multiple of {max(now // old, 1)}",
            operands=(input,),
            code="LZ202",
        )
    last = input.shape[-1]
    return new((*input.shape[:-1], last * (old // now) if old > now else quotient(last, now // old)), input, dtype=kind)


@rule("torch.reshape", "Tensor.reshape", examples=["torch.reshape(f32(2, 6), (3, -1))", "f32(4).reshape(2, 2)"])
def reshape(input: Tensor, *shape: Any, **named: Any) -> Tensor:
    return reshaped(input, named.get("shape", shape), "reshape")


@rule("Tensor.view_as", "Tensor.reshape_as", examples=["f32(2, 6).view_as(f32(3, 4))"])
def view_as(input: Tensor, other: Tensor) -> Tensor:
    return reshaped(input, other.shape, "view_as")


@rule(
    "torch.flatten",
    "Tensor.flatten",
    examples=["torch.flatten(f32(2, 3, 4), 1)", "f32(2, 3, 4).flatten()", "f32().flatten()"],
)
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    rank = input.ndim
    start, end = wrap_dim(start_dim, rank, input), wrap_dim(end_dim, rank, input)
    if start > end:
        raise ShapeError(
            f"flatten from dim {start} to dim {end}: the first must not come after the last", operands=(input,)
        )
    if not rank:
        return view_of(input, (1,), input.values)
    shape = list(input.shape)
    shape[start : end + 1] = [numel(shape[start : end + 1])]
    Observer.viewed(input.shape, (), shape)
    return view_of(input, shape, input.values)


@rule("torch.ravel", "Tensor.ravel", examples=["torch.ravel(f32(2, 3))"])
def ravel(input: Tensor) -> Tensor:
    return flatten(input)


@rule("torch.unflatten", "Tensor.unflatten", examples=["torch.unflatten(f32(2, 12), 1, (3, -1))"])
def unflatten(input: Tensor, dim: int, sizes: Any) -> Tensor:
    at = wrap_dim(dim, input.ndim, input)
    wanted = size_list([sizes])
    if not wanted or not input.shape:
        raise ShapeError("unflatten needs sizes, and a tensor of one dim or more", operands=(input,), code="LZ202")
    inner = resize(input.shape[at : at + 1], wanted, f"unflatten of dim {at}", (input,))
    return view_of(input, (*input.shape[:at], *inner, *input.shape[at + 1 :]), input.values)


@rule(
    "torch.squeeze",
    "Tensor.squeeze",
    examples=["torch.squeeze(f32(1, 3, 1))", "f32(1, 3).squeeze(0)", "f32(2, 3).squeeze(1)"],
)
def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    dims = wrap_dims(dim, input.ndim)
    shape = [size for at, size in enumerate(input.shape) if size != 1 or at not in dims]
    return view_of(input, shape, input.values)


@rule("torch.unsqueeze", "Tensor.unsqueeze", examples=["torch.unsqueeze(f32(2, 3), -1)", "f32(2).unsqueeze(0)"])
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    shape = list(input.shape)
    shape.insert(wrap_dim(dim, len(shape) + 1, input), 1)
    return view_of(input, shape, input.values)


@rule(
    "Tensor.expand",
    "torch.broadcast_to",
    "Tensor.broadcast_to",
    examples=["f32(2, 1).expand(2, 3)", "f32(3).expand(2, -1)", "torch.broadcast_to(f32(3), (2, 3))"],
)
def expand(input: Tensor, *size: Any, implicit: bool = False) -> Tensor:
    return spread(input, size_list(size), "expand")


def spread(input: Tensor, sizes: Sequence[int], name: str) -> Tensor:
    """The input with dims of one element repeated to `sizes`; -1 keeps a size, new dims come first."""
    held = list(input.shape)
    new_dims = len(sizes) - len(held)
    if new_dims < 0:
        raise ShapeError(
            f"{name} of {shape_text(input.shape)} to {shape_text(sizes)}: {input.ndim} dims do not become {len(sizes)}",
            operands=(input,),
            code="LZ202",
        )
    shape: list[int] = []
    for at, size in enumerate(sizes):
        old = held[at - new_dims] if at >= new_dims else 1
        if old is size:
            shape.append(size)
            continue
        if (size == -1 and at < new_dims) or size < -1 or (size != -1 and old != 1 and old != size):
            raise ShapeError(
                f"{name} of {shape_text(input.shape)} to {shape_text(sizes)}: dim {at} cannot become {int(size)}",
                operands=(input,),
                notes=(
                    (f"dim {at - new_dims} is {int(old)}; only a dim of size 1 can be spread",)
                    if at >= new_dims
                    else ()
                ),
                code="LZ201",
            )
        shape.append(old if size == -1 else size if old != size else meet(old, size))
    if input.values is None:
        return view_of(input, shape, None)
    strides = [0 if size == 1 else step for size, step in zip(held, strides_of(held), strict=True)]
    return view_of(input, shape, strided(input, shape, [0] * new_dims + strides))


@rule("Tensor.expand_as", examples=["f32(2, 1).expand_as(f32(2, 3))"])
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    return spread(input, other.shape, "expand_as")


@rule("torch.broadcast_tensors", examples=["torch.broadcast_tensors(f32(2, 1), i64(3))"])
def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    given = _as_tuple(tensors)
    shape = broadcast(*(t.shape for t in given), operands=given, name="torch.broadcast_tensors")
    return tuple(spread(t, shape, "broadcast_tensors") for t in given)


@rule("torch.broadcast_shapes", examples=["torch.broadcast_shapes((2, 1), (3,))"])
def broadcast_shapes(*shapes: Any) -> Size:
    return broadcast(*(size_list([s]) for s in shapes), name="torch.broadcast_shapes")


@rule("Tensor.narrow", "torch.narrow", examples=["torch.narrow(f32(2, 5), 1, 1, 3)", "f32(5).narrow(0, -2, 2)"])
def narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    shape = list(input.shape)
    at = wrap_dim(dim, len(shape), input)
    if not shape:
        raise ShapeError("narrow needs a tensor of one dim or more", operands=(input,))
    if _only_data_has(start):
        shape[at] = as_size(length)
        return new(shape, input)
    size, first, count = shape[at], as_size(start), as_size(length)
    first = first + size if first < 0 else first
    if not 0 <= first <= int(first) + int(count) <= size or count < 0:
        raise ShapeError(
            f"narrow of dim {at}: {int(count)} from {int(first)} on reach past its size {int(size)}",
            operands=(input,),
            code="LZ202",
        )
    return part(input, at, int(first), count)


def part(input: Tensor, at: int, first: int, count: int) -> Tensor:
    """The elements from `first` on of one dim, so many that there are."""
    shape = list(input.shape)
    shape[at] = count
    if input.values is None:
        return view_of(input, shape, None)
    steps = strides_of(input.shape)
    return view_of(input, shape, strided(input, shape, steps, first * steps[at]))


def _only_data_has(place: Any) -> bool:
    """Whether a place is the number of a tensor that is no constant: any place gives the same sizes."""
    return isinstance(place, Unknown) or (isinstance(place, Tensor) and place.values is None)


@rule("torch.select", "Tensor.select", examples=["torch.select(f32(2, 3), 1, -1)"])
def select(input: Tensor, dim: int, index: Any) -> Tensor:
    at = wrap_dim(dim, input.ndim, input)
    if not input.shape:
        raise ShapeError("a tensor of no dims cannot be indexed", operands=(input,), code="LZ203")
    if _only_data_has(index):
        return new((*input.shape[:at], *input.shape[at + 1 :]), input)
    shape = list(input.shape)
    size, number = int(shape.pop(at)), int(as_size(index))
    if not -size <= number < size:
        raise ShapeError(
            f"index {number} is out of range for dim {at}, whose size is {size}", operands=(input,), code="LZ202"
        )
    if input.values is None:
        return view_of(input, shape, None)
    steps = strides_of(input.shape)
    offset = number % size * steps.pop(at)
    return view_of(input, shape, strided(input, shape, steps, offset))


@rule("Tensor.unfold", examples=["f32(2, 9).unfold(1, 3, 2)"])
def unfold(input: Tensor, dimension: int, size: int, step: int) -> Tensor:
    at = wrap_dim(dimension, input.ndim, input)
    whole = input.shape[at] if input.shape else 1
    if int(size) > int(whole) or int(size) < 0 or int(step) <= 0:
        raise ShapeError(
            f"unfold of dim {at} by windows of {int(size)} every {int(step)}: its size is {int(whole)}",
            operands=(input,),
            code="LZ204",
        )
    if not input.shape:
        return new((size,), input)
    shape = (*input.shape[:at], (whole - size) // step + 1, *input.shape[at + 1 :], size)
    steps = strides_of(input.shape)
    strides = [*steps[:at], steps[at] * int(step), *steps[at + 1 :], steps[at]]
    return view_of(input, shape, strided(input, shape, strides))


@rule("torch.as_strided", "Tensor.as_strided", examples=["torch.as_strided(f32(12), (3, 4), (4, 1))"])
def as_strided(input: Tensor, size: Any, stride: Any, storage_offset: Any = None) -> Tensor:
    shape, strides = size_list([size]), size_list([stride])
    if len(shape) != len(strides):
        raise ShapeError(
            f"as_strided got {len(shape)} sizes and {len(strides)} strides", operands=(input,), code="LZ202"
        )
    return new(shape, input)


@rule("torch.view_as_real", "Tensor.view_as_real", examples=["torch.view_as_real(c64(2, 3))"])
def view_as_real(input: Tensor) -> Tensor:
    if not input.dtype.is_complex:
        raise ShapeError(
            f"view_as_real needs a complex tensor, not {input.dtype.name}", operands=(input,), code="LZ230"
        )
    return new((*input.shape, 2), input, dtype=input.dtype.to_real())


@rule("torch.view_as_complex", "Tensor.view_as_complex", examples=["torch.view_as_complex(f32(3, 2))"])
def view_as_complex(input: Tensor) -> Tensor:
    if not input.dtype.is_floating_point or input.dtype.name == "bfloat16":
        raise ShapeError(
            f"view_as_complex needs float16, float32 or float64, not {input.dtype.name}",
            operands=(input,),
            code="LZ230",
        )
    if not input.shape or int(input.shape[-1]) != 2:
        raise ShapeError(
            f"view_as_complex needs a last dim of size 2, not {shape_text(input.shape)}",
            operands=(input,),
            code="LZ202",
        )
    return new(input.shape[:-1], input, dtype=input.dtype.to_complex())


@rule("torch.atleast_1d", examples=["torch.atleast_1d(f32())", "torch.atleast_1d([f32(), f32(2, 3)])"])
def atleast_1d(*tensors: Any) -> Any:
    return _each(tensors, lambda t: t if t.shape else reshaped(t, (1,), "atleast_1d"))


@rule("torch.atleast_2d", examples=["torch.atleast_2d(f32(3))", "torch.atleast_2d(f32(), f32(2, 3))"])
def atleast_2d(*tensors: Any) -> Any:
    return _each(
        tensors, lambda t: t if t.ndim >= 2 else reshaped(t, (1, *t.shape) if t.shape else (1, 1), "atleast_2d")
    )


@rule("torch.atleast_3d", examples=["torch.atleast_3d(f32(3))", "torch.atleast_3d(f32(2, 3))"])
def atleast_3d(*tensors: Any) -> Any:
    def grown(t: Tensor) -> Tensor:
        shape = {0: (1, 1, 1), 1: (1, *t.shape, 1), 2: (*t.shape, 1)}.get(t.ndim, t.shape)
        return reshaped(t, shape, "atleast_3d")

    return _each(tensors, grown)


def _as_tuple(tensors: Any) -> tuple[Tensor, ...]:
    return tuple(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tuple(tensors)


def _each(tensors: tuple[Any, ...], change: Callable[[Tensor], Tensor]) -> Any:
    """One result for one tensor, a tuple of them for several, as torch gives them."""
    if len(tensors) == 1 and isinstance(tensors[0], Tensor):
        return change(tensors[0])
    return tuple(change(t) for t in _as_tuple(tensors))


def _reshaping(name: str, plain: Callable[..., Tensor]) -> None:
    """`squeeze_` and its like: the tensor itself takes the new shape."""

    @rule(f"Tensor.{name}")
    def write(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        self.data = plain(self, *args, **kwargs)
        return self


_reshaping("squeeze_", squeeze)
_reshaping("unsqueeze_", unsqueeze)
_reshaping("as_strided_", as_strided)


@rule("Tensor.resize_", examples=["f32(2, 3).resize_(5)", "f32(2).resize_(3, 4)"])
def resize_(self: Tensor, *sizes: Any, memory_format: Any = None) -> Tensor:
    wanted = size_list(sizes)
    if any(int(size) < 0 for size in wanted):
        raise ShapeError(f"resize_ to {shape_text(wanted)}: a size cannot be negative", operands=(self,), code="LZ202")
    self.data = new(wanted, self)
    return self
