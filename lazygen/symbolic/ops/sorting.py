"""Operations that sort, or search in what is sorted."""

from __future__ import annotations

from typing import Any, NamedTuple

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import as_size, wrap_dim
from lazygen.symbolic.strides import indices_of, strides_of
from lazygen.symbolic.tensor import Tensor, new, shape_text


class ValuesAndIndices(NamedTuple):
    """What torch gives where it finds elements: them, and where they were."""

    values: Tensor
    indices: Tensor


def _both(input: Tensor, shape: Any) -> ValuesAndIndices:
    return ValuesAndIndices(new(shape, input), new(shape, input, dtype=dtypes.int64))


def _need_order(input: Tensor, name: str) -> None:
    if input.dtype.is_complex:
        raise ShapeError(
            f"{name} needs numbers that have an order, not {input.dtype.name}", operands=(input,), code="LZ230"
        )


@rule("torch.sort", "Tensor.sort", examples=["torch.sort(f32(2, 3), dim=0, descending=True)", "i64().sort()"])
def sort(
    input: Tensor, dim: int = -1, descending: bool = False, stable: Any = None, *, out: Any = None
) -> ValuesAndIndices:
    _need_order(input, "sort")
    at = wrap_dim(dim, input.ndim, input)
    values, indices = _both(input, input.shape)
    if input.values is not None:
        values.values, indices.values = _sorted(input, input.values, at, bool(descending))
    return ValuesAndIndices(values, indices)


def _sorted(input: Tensor, numbers: list[Any], at: int, descending: bool) -> tuple[list[Any], list[int]]:
    """The numbers of a constant sorted along a dim, and the places they had."""
    values, indices = list(numbers), [0] * len(numbers)
    if not input.shape:
        return values, indices
    steps, size = strides_of(input.shape), int(input.shape[at])
    for index in indices_of([1 if d == at else s for d, s in enumerate(input.shape)]):
        start = sum(i * step for i, step in zip(index, steps, strict=True))
        row = [numbers[start + place * steps[at]] for place in range(size)]
        order = sorted(range(size), key=row.__getitem__, reverse=descending)
        for place, source in enumerate(order):
            values[start + place * steps[at]], indices[start + place * steps[at]] = row[source], source
    return values, indices


@rule("torch.argsort", "Tensor.argsort", examples=["torch.argsort(f32(2, 3))"])
def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False, *, out: Any = None) -> Tensor:
    return sort(input, dim, descending).indices


@rule("torch.msort", "Tensor.msort", examples=["torch.msort(f32(2, 3))"])
def msort(input: Tensor, *, out: Any = None) -> Tensor:
    return sort(input, 0).values


@rule("torch.topk", "Tensor.topk", examples=["torch.topk(f32(2, 5), 3)", "torch.topk(f32(4, 2), 4, dim=0)"])
def topk(
    input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True, *, out: Any = None
) -> ValuesAndIndices:
    _need_order(input, "topk")
    at, count = wrap_dim(dim, input.ndim, input), as_size(k)
    size = input.shape[at] if input.shape else 1
    if not 0 <= int(count) <= int(size):
        raise ShapeError(f"topk wants {int(count)} of the {int(size)} of dim {at}", operands=(input,), code="LZ202")
    if not input.shape:
        return _both(input, ())
    return _both(input, (*input.shape[:at], count, *input.shape[at + 1 :]))


@rule(
    "torch.kthvalue",
    "Tensor.kthvalue",
    examples=["torch.kthvalue(f32(2, 5), 2)", "torch.kthvalue(f32(2, 5), 1, 0, True)"],
)
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False, *, out: Any = None) -> ValuesAndIndices:
    _need_order(input, "kthvalue")
    at = wrap_dim(dim, input.ndim, input)
    size = input.shape[at] if input.shape else 1
    if not 1 <= int(as_size(k)) <= int(size):
        raise ShapeError(
            f"kthvalue wants number {int(k)} of the {int(size)} of dim {at}", operands=(input,), code="LZ202"
        )
    if not input.shape:
        return _both(input, ())
    return _both(input, (*input.shape[:at], *([1] if keepdim else []), *input.shape[at + 1 :]))


@rule(
    "torch.searchsorted",
    examples=["torch.searchsorted(f32(2, 5), f32(2, 3))", "torch.searchsorted(f32(5), f32(2, 3), out_int32=True)"],
)
def searchsorted(
    sorted_sequence: Tensor,
    input: Any = None,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: Any = None,
    sorter: Any = None,
    out: Any = None,
) -> Tensor:
    kind = dtypes.int32 if out_int32 else dtypes.int64
    if not isinstance(input, Tensor):
        input = new((), sorted_sequence)
        if sorted_sequence.ndim != 1:
            raise _unsearchable(sorted_sequence, input)
    rows = sorted_sequence.shape
    if not rows or (len(rows) > 1 and [int(s) for s in rows[:-1]] != [int(s) for s in input.shape[:-1]]):
        raise _unsearchable(sorted_sequence, input)
    if len(rows) > 1 and len(rows) != input.ndim:
        raise _unsearchable(sorted_sequence, input)
    if side not in (None, "left", "right") or (side == "left" and right):
        raise ShapeError(f"searchsorted has no side {side!r}" + (" with right=True" if right else ""))
    return new(input.shape, input, dtype=kind)


def _unsearchable(rows: Tensor, input: Tensor) -> ShapeError:
    return ShapeError(
        f"searchsorted of {shape_text(input.shape)} in {shape_text(rows.shape)}: all dims but the last must be equal",
        operands=(rows, input),
        code="LZ201",
    )


@rule("torch.bucketize", examples=["torch.bucketize(f32(2, 3), f32(5))"])
def bucketize(
    input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False, out: Any = None
) -> Tensor:
    if boundaries.ndim != 1:
        raise ShapeError(
            f"bucketize needs boundaries of one dim, not {shape_text(boundaries.shape)}",
            operands=(boundaries,),
            code="LZ202",
        )
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)
