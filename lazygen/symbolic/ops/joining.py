"""Operations that join tensors along a dim, or cut one along it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from lazygen.symbolic.dtypes import dtype as Dtype
from lazygen.symbolic.dtypes import promote
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.views import atleast_1d, atleast_2d, atleast_3d, part, reshaped, select, unsqueeze
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import as_size, meet, size_list, wrap_dim
from lazygen.symbolic.tensor import KEPT_VALUES, Tensor, new, numel, shape_text
from lazygen.symbolic.values import cast_all


@rule(
    "torch.cat",
    "torch.concat",
    "torch.concatenate",
    examples=[
        "torch.cat([f32(2, 3), f32(2, 4)], dim=1)",
        "torch.cat((i64(2), f64(3)))",
        "torch.cat([f32(0), f32(2, 3)])",
    ],
)
def cat(tensors: Any, dim: int = 0, *, axis: Any = None, out: Any = None) -> Tensor:
    given = tuple(tensors)
    if not given:
        raise ShapeError("torch.cat needs a tensor or more")
    kind = _common_dtype(given)
    # An empty tensor of one dim joins anything: torch keeps this from its early days.
    full = [t for t in given if t.shape != (0,)]
    if not full:
        return new(given[0].shape, given[0], dtype=kind)
    if () in [t.shape for t in full]:
        raise ShapeError(
            "torch.cat joins no tensors without dims",
            operands=given,
            helps=("torch.stack makes one dim of them",),
            code="LZ202",
        )
    at = wrap_dim(dim if axis is None else axis, full[0].ndim, full[0])
    shape = _joined(full, at, given)
    values = None if full[0].values is None else cast_all(_joined_values(full, at, shape), kind)
    return new(shape, full[0], dtype=kind, values=values)


def _common_dtype(given: Sequence[Tensor]) -> Dtype:
    kind: Dtype = given[0].dtype
    for t in given[1:]:
        kind = promote(kind, t.dtype)
    return kind


def _joined(full: list[Tensor], at: int, given: tuple[Tensor, ...]) -> list[int]:
    first = tuple(full[0].shape)
    shape = list(first)
    for t in full[1:]:
        if len(t.shape) != len(shape):
            raise ShapeError(
                f"numbers of dims do not meet in torch.cat: {len(shape)} and {t.ndim}",
                operands=given,
                notes=(f"the tensors are {shape_text(full[0].shape)} and {shape_text(t.shape)}",),
                code="LZ202",
            )
        for d, (ours, theirs) in enumerate(zip(first, t.shape, strict=True)):
            if ours is theirs or d == at:
                continue
            if ours != theirs:
                raise ShapeError(
                    f"sizes do not meet in torch.cat along dim {at}",
                    operands=given,
                    notes=(f"dim {d} is {int(ours)} and {int(theirs)}",),
                    code="LZ201",
                )
            shape[d] = meet(shape[d], theirs)
        shape[at] = shape[at] + t.shape[at]
    return shape


def _joined_values(tensors: list[Tensor], at: int, shape: Sequence[int]) -> list[Any] | None:
    if any(t.values is None for t in tensors) or int(numel(shape)) > KEPT_VALUES:
        return None
    blocks = [int(numel(t.shape[at:])) for t in tensors]
    rows = int(numel(shape[:at]))
    return [
        number
        for row in range(rows)
        for t, block in zip(tensors, blocks, strict=True)
        for number in (t.values or [])[row * block : (row + 1) * block]
    ]


@rule("torch.stack", examples=["torch.stack([f32(2, 3), i64(2, 3)], dim=1)", "torch.stack((f32(), f32()))"])
def stack(tensors: Any, dim: int = 0, *, out: Any = None) -> Tensor:
    given = tuple(tensors)
    if not given:
        raise ShapeError("torch.stack needs a tensor or more")
    wrap_dim(dim, given[0].ndim + 1, given[0])
    for t in given[1:]:
        if t.shape != given[0].shape:
            raise ShapeError(
                "sizes do not meet in torch.stack",
                operands=given,
                notes=(f"the tensors are {shape_text(given[0].shape)} and {shape_text(t.shape)}",),
                code="LZ201",
            )
    return cat([unsqueeze(t, dim) for t in given], dim)


@rule("torch.hstack", examples=["torch.hstack([f32(2, 3), f32(2, 1)])", "torch.hstack([f32(), f32(2)])"])
def hstack(tensors: Any, *, out: Any = None) -> Tensor:
    given = [atleast_1d(t) for t in tensors]
    return cat(given, 0 if not given or given[0].ndim == 1 else 1)


@rule("torch.vstack", "torch.row_stack", examples=["torch.vstack([f32(3), f32(2, 3)])"])
def vstack(tensors: Any, *, out: Any = None) -> Tensor:
    return cat([atleast_2d(t) for t in tensors], 0)


@rule("torch.dstack", examples=["torch.dstack([f32(2, 3), f32(2, 3)])"])
def dstack(tensors: Any, *, out: Any = None) -> Tensor:
    return cat([atleast_3d(t) for t in tensors], 2)


@rule("torch.column_stack", examples=["torch.column_stack([f32(3), f32(3, 2)])"])
def column_stack(tensors: Any, *, out: Any = None) -> Tensor:
    return hstack([reshaped(t, (numel(t.shape), 1), "column_stack") if t.ndim <= 1 else t for t in tensors])


@rule("torch.block_diag", examples=["torch.block_diag(f32(2, 3), f32(4), f32())"])
def block_diag(*tensors: Any) -> Tensor:
    given = tuple(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    if any(t.ndim > 2 for t in given):
        raise ShapeError("block_diag takes matrices, vectors and single numbers", operands=given, code="LZ202")
    blocks = [atleast_2d(t) for t in given]
    if not blocks:
        raise ShapeError("block_diag needs a tensor or more")
    return new(
        (sum(b.shape[0] for b in blocks), sum(b.shape[1] for b in blocks)), blocks[0], dtype=_common_dtype(blocks)
    )


@rule("torch.cartesian_prod", examples=["torch.cartesian_prod(i64(2), i64(3))", "torch.cartesian_prod(i64(2))"])
def cartesian_prod(*tensors: Tensor) -> Tensor:
    if any(t.ndim != 1 for t in tensors) or len({t.dtype for t in tensors}) > 1:
        raise ShapeError("cartesian_prod takes tensors of one dim and one dtype", operands=tensors, code="LZ202")
    if len(tensors) == 1:
        return new(tensors[0].shape, tensors[0], values=tensors[0].values)
    return new((numel(t.shape[0] for t in tensors), len(tensors)), tensors[0])


@rule(
    "torch.combinations",
    "Tensor.combinations",
)
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    if input.ndim != 1 or int(r) < 0:
        raise ShapeError(
            f"combinations needs a tensor of one dim, not {shape_text(input.shape)}", operands=(input,), code="LZ202"
        )
    count: int = 1
    for at in range(int(r)):
        count = count * (input.shape[0] + at if with_replacement else input.shape[0] - at) // (at + 1)
    return new((count, r) if int(r) else (0,), input)


def cut(input: Tensor, sizes: Sequence[int], dim: int) -> tuple[Tensor, ...]:
    """Pieces of these sizes, one after the other along a dim counted from the front."""
    pieces, start = [], 0
    for size in sizes:
        pieces.append(part(input, dim, start, size))
        start = start + int(size)
    return tuple(pieces)


@rule(
    "torch.split",
    "Tensor.split",
    examples=["torch.split(f32(7, 2), 3)", "f32(2, 6).split([1, 2, 3], dim=1)", "f32(2, 6).split(10, -1)"],
)
def split(
    tensor: Tensor, split_size_or_sections: Any = None, dim: int = 0, *, split_size: Any = None
) -> tuple[Tensor, ...]:
    wanted = split_size if split_size_or_sections is None else split_size_or_sections
    if isinstance(wanted, (tuple, list)):
        return split_with_sizes(tensor, wanted, dim)
    at, whole = _whole(tensor, dim, "split")
    size = as_size(wanted)
    if int(size) < 0 or (int(size) == 0 and int(whole)):
        raise ShapeError(f"split of dim {at} into pieces of {int(size)}", operands=(tensor,), code="LZ202")
    return cut(tensor, _pieces(whole, size), at)


def _pieces(whole: int, size: int) -> list[int]:
    """Pieces of `size` that make up `whole`; the last has what is left."""
    count = max(-(-int(whole) // int(size)), 1) if int(size) else 1
    return [size] * (count - 1) + [whole - (count - 1) * size]


def _whole(tensor: Tensor, dim: int, name: str) -> tuple[int, int]:
    if not tensor.shape:
        raise ShapeError(f"{name} needs a tensor of one dim or more", operands=(tensor,), code="LZ203")
    at = wrap_dim(dim, tensor.ndim, tensor)
    return at, tensor.shape[at]


@rule(
    "torch.split_with_sizes",
    "Tensor.split_with_sizes",
    examples=["torch.split_with_sizes(f32(2, 6), [1, 5], 1)"],
)
def split_with_sizes(input: Tensor, split_sizes: Any, dim: int = 0) -> tuple[Tensor, ...]:
    at, whole = _whole(input, dim, "split")
    sizes = size_list([split_sizes])
    if any(int(size) < 0 for size in sizes) or sum(int(size) for size in sizes) != int(whole):
        raise ShapeError(
            f"split of dim {at} into {', '.join(str(int(size)) for size in sizes)}: these sum to"
            f" {sum(int(size) for size in sizes)}, but its size is {int(whole)}",
            operands=(input,),
            code="LZ202",
        )
    return cut(input, sizes, at)


@rule(
    "torch.chunk",
    "Tensor.chunk",
    "torch.unsafe_chunk",
    "Tensor.unsafe_chunk",
    examples=["torch.chunk(f32(7, 2), 3)", "f32(2, 6).chunk(4, dim=-1)"],
)
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    at, whole = _whole(input, dim, "chunk")
    count = as_size(chunks)
    if int(count) <= 0:
        raise ShapeError(f"chunk into {int(count)} pieces", operands=(input,), code="LZ202")
    if not int(whole):
        return cut(input, [whole] * int(count), at)
    return cut(input, _pieces(whole, -(-whole // count)), at)


@rule(
    "torch.tensor_split",
    "Tensor.tensor_split",
    examples=["torch.tensor_split(f32(7), 3)", "f32(2, 7).tensor_split((1, 5), dim=1)"],
)
def tensor_split(
    input: Tensor, indices_or_sections: Any = None, dim: int = 0, *, indices: Any = None, sections: Any = None
) -> tuple[Tensor, ...]:
    at, whole = _whole(input, dim, "tensor_split")
    given = next(value for value in (indices_or_sections, indices, sections) if value is not None)
    if isinstance(given, Tensor):
        given = (
            given.number() if not given.shape else [select(given, 0, i).number() for i in range(int(given.shape[0]))]
        )
    if isinstance(given, (tuple, list)):
        return _split_at(input, [as_size(index) for index in given], at)
    count = as_size(given)
    if int(count) <= 0:
        raise ShapeError(f"tensor_split into {int(count)} pieces", operands=(input,), code="LZ202")
    small, larger = whole // count, int(whole) % int(count)
    return cut(input, [small + 1 if piece < larger else small for piece in range(int(count))], at)


def _split_at(input: Tensor, places: list[int], at: int) -> tuple[Tensor, ...]:
    from lazygen.symbolic.ops.indexing import getitem

    bounds = [0, *places, None]
    whole = (slice(None),) * at
    return tuple(getitem(input, (*whole, slice(a, b))) for a, b in itertools.pairwise(bounds))


@rule("torch.unbind", "Tensor.unbind", examples=["torch.unbind(f32(3, 4))", "f32(2, 3).unbind(dim=-1)"])
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    at, whole = _whole(input, dim, "unbind")
    return tuple(select(input, at, index) for index in range(int(whole)))


def _split_along(name: str, least: int, dim_of: Callable[[Tensor], int], example: str) -> None:
    @rule(f"torch.{name}", f"Tensor.{name}", examples=[example])
    def along(
        input: Tensor, indices_or_sections: Any = None, *, indices: Any = None, sections: Any = None
    ) -> tuple[Tensor, ...]:
        given = next(value for value in (indices_or_sections, indices, sections) if value is not None)
        if input.ndim < least:
            raise ShapeError(
                f"{name} needs {least} dims or more, not {shape_text(input.shape)}", operands=(input,), code="LZ203"
            )
        at = dim_of(input)
        if not isinstance(given, (tuple, list)) and (
            int(as_size(given)) <= 0 or int(input.shape[at]) % int(as_size(given))
        ):
            raise ShapeError(
                f"{name} of dim {at} into {int(as_size(given))} pieces: its size is {int(input.shape[at])}",
                operands=(input,),
                code="LZ202",
            )
        return tensor_split(input, given, at)


_split_along("hsplit", 1, lambda t: 0 if t.ndim == 1 else 1, "torch.hsplit(f32(2, 6), 3)")
_split_along("vsplit", 2, lambda t: 0, "torch.vsplit(f32(6, 2), (1, 4))")
_split_along("dsplit", 3, lambda t: 2, "torch.dsplit(f32(2, 3, 4), 2)")
