"""Operations that bring dims or elements into another order, or repeat them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.views import _reshaping
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import as_size, meet, size_list, wrap_dim, wrap_dims
from lazygen.symbolic.strides import picked, strided, strides_of
from lazygen.symbolic.tensor import Tensor, new, numel, shape_text, view_of


def permuted(input: Tensor, order: Sequence[int]) -> Tensor:
    """The input with its dims in another order, counted from the front."""
    sizes = list(input.shape)
    shape = [sizes[at] for at in order]
    if input.values is None:
        return view_of(input, shape, None)
    steps = strides_of(sizes)
    return view_of(input, shape, strided(input, shape, [steps[at] for at in order]))


@rule("torch.permute", "Tensor.permute", examples=["torch.permute(f32(2, 3, 4), (2, 0, 1))", "f32(2, 3).permute(1, 0)"])
def permute(input: Tensor, *dims: Any, **named: Any) -> Tensor:
    order = size_list([named["dims"]] if "dims" in named else dims)
    if len(order) != input.ndim:
        raise ShapeError(
            f"permute names {len(order)} dims, but the tensor is {shape_text(input.shape)}",
            operands=(input,),
            code="LZ203",
        )
    return permuted(input, wrap_dims(order, input.ndim))


@rule(
    "torch.transpose",
    "Tensor.transpose",
    "torch.swapaxes",
    "Tensor.swapaxes",
    "torch.swapdims",
    "Tensor.swapdims",
    examples=["torch.transpose(f32(2, 3), 0, -1)", "f32().transpose(0, -1)"],
)
def transpose(input: Tensor, dim0: Any = None, dim1: Any = None, *, axis0: Any = None, axis1: Any = None) -> Tensor:
    rank = input.ndim
    first = wrap_dim(axis0 if dim0 is None else dim0, rank, input)
    second = wrap_dim(axis1 if dim1 is None else dim1, rank, input)
    order = list(range(rank))
    if order:
        order[first], order[second] = second, first
    return permuted(input, order)


@rule("torch.t", "Tensor.t", examples=["torch.t(f32(2, 3))", "torch.t(f32(3))"])
def t(input: Tensor) -> Tensor:
    if input.ndim > 2:
        raise ShapeError(f"t needs two dims at most, not {shape_text(input.shape)}", operands=(input,), code="LZ203")
    return permuted(input, list(range(input.ndim))[::-1])


@rule("torch.adjoint", "Tensor.adjoint", examples=["torch.adjoint(f32(2, 3, 4))"])
def adjoint(input: Tensor) -> Tensor:
    if input.ndim == 1:
        raise ShapeError(f"adjoint needs a matrix, not {shape_text(input.shape)}", operands=(input,), code="LZ203")
    turned = transpose(input, -2, -1) if input.shape else input
    return new(turned.shape, turned) if input.dtype.is_complex else turned


@rule(
    "torch.movedim",
    "Tensor.movedim",
    "torch.moveaxis",
    "Tensor.moveaxis",
    examples=["torch.movedim(f32(2, 3, 4), 0, -1)", "torch.movedim(f32(2, 3, 4), (0, 1), (2, 0))"],
)
def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    start, end = wrap_dims(source, input.ndim), wrap_dims(destination, input.ndim)
    if len(start) != len(end):
        raise ShapeError(f"movedim moves {len(start)} dims to {len(end)} places", operands=(input,), code="LZ203")
    if not input.shape:
        return permuted(input, [])
    targets = dict(zip(end, start, strict=True))
    others = iter(at for at in range(input.ndim) if at not in start)
    return permuted(input, [targets[at] if at in targets else next(others) for at in range(input.ndim)])


@rule("torch.flip", "Tensor.flip", examples=["torch.flip(f32(2, 3), (0, 1))", "f32(2, 3).flip(0, -1)"])
def flip(input: Tensor, *dims: Any, **named: Any) -> Tensor:
    named_dims = wrap_dims(size_list([named["dims"]] if "dims" in named else dims), input.ndim)
    if input.values is None:
        return new(input.shape, input)
    steps, offset = strides_of(input.shape), 0
    for at in named_dims if input.shape else ():
        offset += (int(input.shape[at]) - 1) * steps[at]
        steps[at] = -steps[at]
    return new(input.shape, input, values=strided(input, input.shape, steps, offset))


@rule("torch.fliplr", "Tensor.fliplr", examples=["torch.fliplr(f32(2, 3))"])
def fliplr(input: Tensor) -> Tensor:
    if input.ndim < 2:
        raise ShapeError(
            f"fliplr needs two dims or more, not {shape_text(input.shape)}", operands=(input,), code="LZ203"
        )
    return flip(input, 1)


@rule("torch.flipud", "Tensor.flipud", examples=["torch.flipud(f32(2, 3))"])
def flipud(input: Tensor) -> Tensor:
    if input.ndim < 1:
        raise ShapeError("flipud needs one dim or more", operands=(input,), code="LZ203")
    return flip(input, 0)


@rule("torch.roll", "Tensor.roll", examples=["torch.roll(f32(2, 3), 1)", "torch.roll(f32(2, 3), (1, -1), (0, 1))"])
def roll(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    by = size_list([shifts]) if isinstance(shifts, (tuple, list)) else [as_size(shifts)]
    if dims is None or (isinstance(dims, (tuple, list)) and not dims):
        if len(by) != 1:
            raise ShapeError(f"roll without dims takes one shift, not {len(by)}", operands=(input,))
        count = int(numel(input.shape))
        shift = int(by[0])
        values = input.values
        moved = None if values is None else [values[(at - shift) % count] for at in range(count)]
        return new(input.shape, input, values=moved)
    if not input.shape:
        raise ShapeError("roll along a dim needs a tensor of one dim or more", operands=(input,), code="LZ203")
    along = [wrap_dim(at, input.ndim, input) for at in (dims if isinstance(dims, (tuple, list)) else [dims])]
    if len(along) != len(by):
        raise ShapeError(f"roll got {len(by)} shifts for {len(along)} dims", operands=(input,))
    steps = strides_of(input.shape)

    def source(index: tuple[int, ...]) -> int:
        place = list(index)
        for at, shift in zip(along, by, strict=True):
            place[at] = (place[at] - int(shift)) % int(input.shape[at])
        return sum(i * step for i, step in zip(place, steps, strict=True))

    return new(input.shape, input, values=picked(input, input.shape, source))


@rule("torch.rot90", "Tensor.rot90", examples=["torch.rot90(f32(2, 3))", "torch.rot90(f32(2, 3, 4), 2, (1, 2))"])
def rot90(input: Tensor, k: int = 1, dims: Any = (0, 1)) -> Tensor:
    if len(dims) != 2:
        raise ShapeError(f"rot90 turns in two dims, not in {len(dims)}", operands=(input,), code="LZ203")
    first, second = wrap_dims(list(dims), input.ndim)
    turns = int(k) % 4
    if turns == 2:
        return flip(input, first, second)
    if turns == 1:
        return transpose(flip(input, second), first, second)
    return flip(transpose(input, first, second), second) if turns == 3 else new(input.shape, input, values=input.values)


@rule(
    "torch.diagonal",
    "Tensor.diagonal",
    examples=["torch.diagonal(f32(3, 4))", "torch.diagonal(f32(2, 3, 4), 1, 0, 2)", "torch.diagonal(f32(2, 3), -5)"],
)
def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    first, second = wrap_dim(dim1, input.ndim, input), wrap_dim(dim2, input.ndim, input)
    if first == second:
        raise ShapeError(f"diagonal needs two different dims, not {first} twice", operands=(input,), code="LZ203")
    rows, columns = input.shape[first], input.shape[second]
    if int(offset) >= 0:
        columns = columns - offset
    else:
        rows = rows + offset
    length = meet(rows, columns) if int(rows) == int(columns) else rows if rows < columns else columns
    length = length if int(length) > 0 else 0
    steps = strides_of(input.shape)
    kept = [at for at in range(input.ndim) if at not in (first, second)]
    shape = [*(input.shape[at] for at in kept), length]
    start = int(offset) * steps[second] if int(offset) >= 0 else -int(offset) * steps[first]
    strides = [*(steps[at] for at in kept), steps[first] + steps[second]]
    return view_of(input, shape, strided(input, shape, strides, start))


@rule("torch.linalg.diagonal", examples=["torch.linalg.diagonal(f32(2, 3, 4))"])
def linalg_diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    return diagonal(A, offset, dim1, dim2)


def repeated(input: Tensor, times: Sequence[int], name: str) -> Tensor:
    """The input laid side by side, `times` along each dim; dims that it has not come first."""
    missing = len(times) - input.ndim
    if missing < 0:
        raise ShapeError(
            f"{name} of {shape_text(input.shape)} by {shape_text(times)}: each of its {input.ndim} dims needs a number",
            operands=(input,),
            code="LZ202",
        )
    if any(int(count) < 0 for count in times):
        raise ShapeError(f"{name} by {shape_text(times)}: a negative number of times", operands=(input,), code="LZ202")
    old = [1] * missing + list(input.shape)
    shape = [size * count for size, count in zip(old, times, strict=True)]
    steps = strides_of(old)

    def source(index: tuple[int, ...]) -> int:
        return sum(i % int(size) * step for i, size, step in zip(index, old, steps, strict=True))

    return new(shape, input, values=picked(input, shape, source))


@rule("Tensor.repeat", examples=["f32(2, 3).repeat(1, 2)", "f32(3).repeat((2, 2))"])
def repeat(input: Tensor, *repeats: Any, **named: Any) -> Tensor:
    return repeated(input, size_list([named["repeats"]] if "repeats" in named else repeats), "repeat")


@rule("torch.tile", "Tensor.tile", examples=["torch.tile(f32(2, 3), (2,))", "f32(3).tile(2, 2)"])
def tile(input: Tensor, *dims: Any, **named: Any) -> Tensor:
    times = size_list([named["dims"]] if "dims" in named else dims)
    return repeated(input, [1] * (input.ndim - len(times)) + times, "tile")


@rule(
    "torch.repeat_interleave",
    "Tensor.repeat_interleave",
    examples=["torch.repeat_interleave(f32(2, 3), 2, dim=1)", "f32(2, 3).repeat_interleave(3)"],
)
def repeat_interleave(input: Tensor, repeats: Any = None, dim: int | None = None, *, output_size: Any = None) -> Tensor:
    if repeats is None:
        return new((_interleaved(input, None, output_size),), input)
    if dim is None:
        input, dim = new((numel(input.shape),), input, values=input.values), 0
    at = wrap_dim(dim, input.ndim, input)
    if not input.shape:
        raise ShapeError(
            "repeat_interleave along a dim needs a tensor of one dim or more", operands=(input,), code="LZ203"
        )
    size = input.shape[at]
    if not isinstance(repeats, Tensor) or (int(numel(repeats.shape)) == 1 and repeats.values is not None):
        each = as_size(repeats)
        if int(each) < 0:
            raise ShapeError(f"repeat_interleave by {int(each)}: a negative number of times", operands=(input,))
        shape = (*input.shape[:at], size * each, *input.shape[at + 1 :])
        steps = strides_of(input.shape)

        def source(index: tuple[int, ...]) -> int:
            return sum((i // int(each) if d == at else i) * steps[d] for d, i in enumerate(index))

        return new(shape, input, values=picked(input, shape, source))
    if repeats.ndim > 1 or int(numel(repeats.shape)) not in (1, int(size)):
        raise ShapeError(
            f"repeat_interleave of {shape_text(input.shape)} along dim {at} by {shape_text(repeats.shape)} numbers",
            operands=(input, repeats),
            code="LZ201",
        )
    return new((*input.shape[:at], _interleaved(repeats, size, output_size), *input.shape[at + 1 :]), input)


def _interleaved(repeats: Tensor, size: int | None, output_size: Any) -> int:
    """The sum of the repeats: given, known from constants, or known to the data alone."""
    if output_size is not None:
        return as_size(output_size)
    if repeats.values is not None:
        return int(sum(repeats.values))
    from lazygen.symbolic.shapes import free_size

    return free_size("repeat_interleave", int(numel(repeats.shape) if size is None else size))


_reshaping("transpose_", transpose)
_reshaping("swapaxes_", transpose)
_reshaping("swapdims_", transpose)
_reshaping("t_", t)
