"""Operations that read or write elements by tensors of indices or by masks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.indexing import nonzero_of, sliced
from lazygen.symbolic.ops.views import select
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import broadcast, wrap_dim
from lazygen.symbolic.strides import picked, strides_of
from lazygen.symbolic.tensor import Tensor, new, numel, shape_text


def _need_ints(index: Tensor, name: str, small: bool = False) -> None:
    kinds = (dtypes.int64, dtypes.int32) if small else (dtypes.int64,)
    if index.dtype not in kinds:
        wanted = " or ".join(kind.name for kind in kinds)
        raise ShapeError(
            f"{name} needs an index of {wanted}, not {index.dtype.name}",
            operands=(index,),
            helps=("say so of an input: --input-shape SIZES:int64; of what is computed: .long()",),
            code="LZ230",
        )


def _same_dtype(input: Tensor, source: Tensor, name: str) -> None:
    if input.dtype is not source.dtype:
        raise ShapeError(
            f"{name} writes {source.dtype.name} into {input.dtype.name}", operands=(input, source), code="LZ230"
        )


def _check_within(index: Tensor, other: Tensor, dim: int | None, name: str) -> None:
    """The index may be smaller than `other`, but not larger, in all dims but `dim`."""
    ours, theirs = index.shape or (1,), other.shape or (1,)
    if len(ours) != len(theirs):
        raise ShapeError(
            f"{name} needs an index of as many dims as {shape_text(other.shape)}, not {shape_text(index.shape)}",
            operands=(other, index),
            code="LZ202",
        )
    for at, (own, limit) in enumerate(zip(ours, theirs, strict=True)):
        if at != dim and int(own) > int(limit):
            raise ShapeError(
                f"the index of {name} is too large: {shape_text(index.shape)} in {shape_text(other.shape)}",
                operands=(other, index),
                notes=(f"dim {at} is {int(own)} and {int(limit)}",),
                code="LZ201",
            )


@rule("torch.gather", "Tensor.gather", examples=["torch.gather(f32(2, 3), 1, i64(2, 5))"])
def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False, out: Any = None) -> Tensor:
    at = wrap_dim(dim, input.ndim, input)
    if int(numel(index.shape)):
        _need_ints(index, "gather", small=True)
        _check_within(index, input, at, "gather")
    steps, places, own = strides_of(input.shape), index.values, strides_of(index.shape)
    if places is None or not input.shape:
        return new(index.shape, input, values=input.values if not input.shape and not index.shape else None)

    def source(place: tuple[int, ...]) -> int:
        picked_index = int(places[sum(i * s for i, s in zip(place, own, strict=True))])
        return sum((picked_index if d == at else i) * steps[d] for d, i in enumerate(place))

    return new(index.shape, input, values=picked(input, index.shape, source))


def _scattered(name: str, input: Tensor, dim: int, index: Tensor, src: Any, same_dtype: bool = True) -> Tensor:
    at = wrap_dim(dim, input.ndim, input)
    if int(numel(index.shape)):
        _need_ints(index, name, small=True)
        _check_within(index, input, at, name)
        if isinstance(src, Tensor) and src.shape:
            _check_within(index, src, None, name)
    if isinstance(src, Tensor) and same_dtype:
        _same_dtype(input, src, name)
    return new(input.shape, input)


@rule(
    "torch.scatter",
    "Tensor.scatter",
    examples=["torch.scatter(f32(3, 5), 0, i64(2, 5), f32(2, 5))", "f32(3, 5).scatter(1, i64(3, 1), 1.0)"],
)
def scatter(
    input: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None, reduce: Any = None, out: Any = None
) -> Tensor:
    return _scattered("scatter", input, dim, index, src)


@rule("torch.scatter_add", "Tensor.scatter_add", examples=["torch.scatter_add(f32(3, 5), 0, i64(2, 5), f32(2, 5))"])
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor, *, out: Any = None) -> Tensor:
    return _scattered("scatter_add", input, dim, index, src)


@rule(
    "torch.scatter_reduce",
    "Tensor.scatter_reduce",
    examples=["torch.scatter_reduce(f32(3, 5), 0, i64(2, 5), f32(2, 5), reduce='amax')"],
)
def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True, out: Any = None
) -> Tensor:
    return _scattered("scatter_reduce", input, dim, index, src)


@rule("torch.index_select", "Tensor.index_select", examples=["torch.index_select(f32(2, 3), 1, i64(5))"])
def index_select(input: Tensor, dim: int, index: Tensor, *, out: Any = None) -> Tensor:
    at = wrap_dim(dim, input.ndim, input)
    _need_ints(index, "index_select", small=True)
    if index.ndim > 1:
        raise ShapeError(
            f"index_select needs an index of one dim, not {shape_text(index.shape)}", operands=(index,), code="LZ202"
        )
    count = numel(index.shape)
    if not input.shape:
        return new((), input, values=input.values)
    shape = list(input.shape)
    shape[at] = count
    places = index.values
    if places is None or input.values is None:
        return new(shape, input)
    steps = strides_of(input.shape)

    def source(place: tuple[int, ...]) -> int:
        return sum((int(places[i]) if d == at else i) * steps[d] for d, i in enumerate(place))

    return new(shape, input, values=picked(input, shape, source))


def _index_written(name: str, input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    at = wrap_dim(dim, input.ndim, input)
    _need_ints(index, name, small=name == "index_add")
    _same_dtype(input, source, name)
    if index.ndim > 1:
        raise ShapeError(
            f"{name} needs an index of one dim, not {shape_text(index.shape)}", operands=(index,), code="LZ202"
        )
    if not input.shape:
        return new((), input)
    wanted = (*input.shape[:at], numel(index.shape), *input.shape[at + 1 :])
    if [int(s) for s in source.shape] != [int(s) for s in wanted] and (source.shape or int(numel(wanted)) != 1):
        raise ShapeError(
            f"{name} along dim {at} needs a source of {shape_text(wanted)}, not {shape_text(source.shape)}",
            operands=(input, index, source),
            code="LZ201",
        )
    return new(input.shape, input)


@rule("torch.index_add", "Tensor.index_add", examples=["torch.index_add(f32(5, 3), 0, i64(2), f32(2, 3))"])
def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1, out: Any = None) -> Tensor:
    return _index_written("index_add", input, dim, index, source)


@rule("torch.index_copy", "Tensor.index_copy", examples=["torch.index_copy(f32(5, 3), 0, i64(2), f32(2, 3))"])
def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor, *, out: Any = None) -> Tensor:
    return _index_written("index_copy", input, dim, index, source)


@rule("torch.index_fill", "Tensor.index_fill", examples=["torch.index_fill(f32(5, 3), 0, i64(2), 1.0)"])
def index_fill(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    wrap_dim(dim, input.ndim, input)
    _need_ints(index, "index_fill")
    if index.ndim > 1:
        raise ShapeError(
            f"index_fill needs an index of one dim, not {shape_text(index.shape)}", operands=(index,), code="LZ202"
        )
    return new(input.shape, input)


@rule("torch.take", "Tensor.take", examples=["torch.take(f32(2, 3), i64(4, 1))"])
def take(input: Tensor, index: Tensor, *, out: Any = None) -> Tensor:
    _need_ints(index, "take")
    places = index.values
    if places is None or input.values is None:
        return new(index.shape, input)
    known = input.values
    return new(index.shape, input, values=[known[int(place)] for place in places])


@rule(
    "torch.take_along_dim",
    "Tensor.take_along_dim",
    examples=["torch.take_along_dim(f32(2, 3), i64(2, 1), 1)", "torch.take_along_dim(f32(2, 3), i64(4))"],
)
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None, *, out: Any = None) -> Tensor:
    _need_ints(indices, "take_along_dim")
    if dim is None:
        return new((numel(indices.shape),), input)
    if input.ndim != indices.ndim:
        raise ShapeError(
            f"take_along_dim needs as many dims in both: {shape_text(input.shape)} and {shape_text(indices.shape)}",
            operands=(input, indices),
            code="LZ202",
        )
    at = wrap_dim(dim, input.ndim, input)
    shapes = [(*t.shape[:at], 1, *t.shape[at + 1 :]) for t in (input, indices)]
    shape = list(broadcast(*shapes, operands=(input, indices), name="torch.take_along_dim"))
    if shape:
        shape[at] = indices.shape[at]
    return new(shape, input)


@rule("torch.masked_fill", "Tensor.masked_fill", examples=["torch.masked_fill(f32(2, 3), b8(3), 0.0)"])
def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    _need_mask(mask, "masked_fill")
    if isinstance(value, Tensor) and value.shape:
        raise ShapeError(
            f"masked_fill takes a value of no dims, not {shape_text(value.shape)}", operands=(value,), code="LZ202"
        )
    shape = broadcast(input.shape, mask.shape, operands=(input, mask), name="torch.masked_fill")
    number = value.number() if isinstance(value, Tensor) and value.values is not None else value
    if (
        input.values is None
        or mask.values is None
        or isinstance(number, Tensor)
        or len(mask.values) != len(input.values)
    ):
        return new(shape, input)
    pairs = zip(input.values, mask.values, strict=True)
    return new(shape, input, values=[number if hidden else old for old, hidden in pairs])


def _need_mask(mask: Tensor, name: str) -> None:
    if mask.dtype is not dtypes.bool_:
        raise ShapeError(f"{name} needs a mask of bools, not {mask.dtype.name}", operands=(mask,), code="LZ230")


@rule("torch.masked_select", "Tensor.masked_select")
def masked_select(input: Tensor, mask: Tensor, *, out: Any = None) -> Tensor:
    _need_mask(mask, "masked_select")
    shape = broadcast(input.shape, mask.shape, operands=(input, mask), name="torch.masked_select")
    return new((_count(mask, numel(shape), int(numel(shape)) // max(int(numel(mask.shape)), 1)),), input)


def _count(mask: Tensor, sample: int, times: int = 1) -> int:
    if mask.values is not None:
        return times * sum(1 for number in mask.values if number)
    from lazygen.symbolic.shapes import free_size

    return free_size("a mask", int(sample))


@rule("torch.masked_scatter", "Tensor.masked_scatter", examples=["torch.masked_scatter(f32(2, 3), b8(3), f32(6))"])
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    _need_mask(mask, "masked_scatter")
    _same_dtype(input, source, "masked_scatter")
    return new(broadcast(input.shape, mask.shape, operands=(input, mask), name="torch.masked_scatter"), input)


@rule("torch.nonzero", "Tensor.nonzero")
def nonzero(input: Tensor, *, as_tuple: bool = False, out: Any = None) -> Any:
    if as_tuple:
        return tuple(nonzero_of(input if input.shape else new((1,), input, values=input.values)))
    places = nonzero_of(input) if input.shape else []
    count = places[0].shape[0] if places else _count(input, 1)
    values = None
    if input.values is not None:
        columns = [place.values or [] for place in places]
        values = [number for row in zip(*columns, strict=True) for number in row]
    return Tensor((count, input.ndim), dtypes.int64, input.device, values)


@rule("torch.argwhere", "Tensor.argwhere")
def argwhere(input: Tensor) -> Tensor:
    return nonzero(input)  # type: ignore[no-any-return]


@rule("Tensor.put", "torch.put", examples=["torch.put(f32(2, 3), i64(4), f32(4))"])
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    _need_ints(index, "put")
    _same_dtype(input, source, "put")
    if int(numel(index.shape)) != int(numel(source.shape)):
        raise ShapeError(
            f"put got {int(numel(index.shape))} places and {int(numel(source.shape))} numbers",
            operands=(index, source),
            code="LZ201",
        )
    return new(input.shape, input)


@rule("Tensor.index_put", "torch.index_put", examples=["f32(4, 3).index_put((i64(2),), f32(2, 3))"])
def index_put(input: Tensor, indices: Sequence[Any], values: Tensor, accumulate: bool = False) -> Tensor:
    from lazygen.symbolic.ops.indexing import setitem

    _same_dtype(input, values, "index_put")
    result = new(input.shape, input, values=None if accumulate or input.values is None else list(input.values))
    setitem(result, tuple(slice(None) if index is None else index for index in indices), values)
    return result


@rule("F.embedding", examples=["F.embedding(i64(2, 3), f32(10, 4))"])
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: Any = None,
    max_norm: Any = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    _need_ints(input, "embedding", small=True)
    if weight.ndim != 2:
        raise ShapeError(
            f"embedding needs a table of two dims, not {shape_text(weight.shape)}", operands=(weight,), code="LZ202"
        )
    if padding_idx is not None and not -int(weight.shape[0]) <= int(padding_idx) < int(weight.shape[0]):
        raise ShapeError(
            f"padding_idx {int(padding_idx)} is no row of a table of {int(weight.shape[0])}", operands=(weight,)
        )
    return new((*input.shape, weight.shape[1]), weight)


@rule("torch.embedding", examples=["torch.embedding(f32(10, 4), i64(2, 3))"])
def torch_embedding(weight: Tensor, indices: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    return embedding(indices, weight)


@rule("torch.select_scatter", "Tensor.select_scatter", examples=["torch.select_scatter(f32(2, 3), f32(2), 1, 0)"])
def select_scatter(input: Tensor, src: Tensor, dim: int, index: Any) -> Tensor:
    return _placed("select_scatter", input, src, select(input, dim, index).shape)


@rule("torch.slice_scatter", "Tensor.slice_scatter", examples=["torch.slice_scatter(f32(8, 2), f32(3, 2), 0, 5)"])
def slice_scatter(
    input: Tensor, src: Tensor, dim: int = 0, start: Any = None, end: Any = None, step: Any = 1
) -> Tensor:
    at = wrap_dim(dim, input.ndim, input)
    _, count, _ = sliced(input.shape[at], slice(start, end, step), input)
    return _placed("slice_scatter", input, src, (*input.shape[:at], count, *input.shape[at + 1 :]))


def _placed(name: str, input: Tensor, src: Tensor, wanted: Sequence[int]) -> Tensor:
    if [int(size) for size in src.shape] != [int(size) for size in wanted]:
        raise ShapeError(
            f"{name} needs a source of {shape_text(wanted)}, not {shape_text(src.shape)}",
            operands=(input, src),
            code="LZ201",
        )
    return new(input.shape, input)
