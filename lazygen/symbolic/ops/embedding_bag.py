"""Bags of embeddings: sums, means or maxima of rows of a table."""

from __future__ import annotations

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.rules import rule
from lazygen.symbolic.tensor import Tensor, new, shape_text

_WHOLE = (dtypes.int32, dtypes.int64)


@rule(
    "F.embedding_bag",
    examples=["F.embedding_bag(i64(2, 3), f32(10, 4))", "F.embedding_bag(i64(6), f32(10, 4), i64(2))"],
)
def embedding_bag(
    input: Tensor, weight: Tensor, offsets: Tensor | None = None, max_norm: float | None = None, norm_type: float = 2,
    scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False,
    per_sample_weights: Tensor | None = None, include_last_offset: bool = False, padding_idx: int | None = None,
) -> Tensor:  # fmt: skip
    """Bags (B, N), or (N) that start at the offsets (B), of rows of (rows, width) to (B, width)."""
    # source: https://docs.pytorch.org/docs/stable/generated/torch.nn.EmbeddingBag.html
    name = "F.embedding_bag"
    for tensor in (input, *([] if offsets is None else [offsets])):
        if tensor.dtype not in _WHOLE:
            raise ShapeError(f"{name} needs int32 or int64, not {tensor.dtype.name}", operands=(tensor,), code="LZ230")
    if mode not in ("sum", "mean", "max"):
        raise ShapeError(f"the mode of {name} is 'sum', 'mean' or 'max', not {mode!r}")
    if len(weight.shape) != 2:
        raise ShapeError(f"{name} needs a table of 2 dims", operands=(weight,), code="LZ202")
    if per_sample_weights is not None:
        _check_weights(name, input, per_sample_weights, weight, mode)
    return new((_bags(name, input, offsets, include_last_offset), weight.shape[1]), weight)


def _bags(name: str, input: Tensor, offsets: Tensor | None, include_last_offset: bool) -> int:
    rank = len(input.shape)
    count: int
    if rank == 2 and offsets is None:
        count = input.shape[0]
        return count
    if rank != 1 or offsets is None or len(offsets.shape) != 1:
        raise ShapeError(
            f"{name} needs an input of 2 dims, or one of 1 dim with offsets of 1 dim",
            operands=(input,),
            notes=(f"the input is {shape_text(input.shape)}",),
            code="LZ202",
        )
    if include_last_offset and int(offsets.shape[0]) < 1:
        raise ShapeError(
            f"{name} needs one offset or more where the last is included", operands=(offsets,), code="LZ202"
        )
    count = offsets.shape[0] - 1 if include_last_offset else offsets.shape[0]
    return count


def _check_weights(name: str, input: Tensor, weights: Tensor, table: Tensor, mode: str) -> None:
    if mode != "sum":
        raise ShapeError(f"{name} takes per_sample_weights for sums only, not for mode {mode!r}")
    if list(map(int, weights.shape)) != list(map(int, input.shape)):
        raise ShapeError(
            f"per_sample_weights of {name} are {shape_text(weights.shape)}, the input is {shape_text(input.shape)}",
            operands=(input, weights),
            code="LZ201",
        )
    if weights.dtype is not table.dtype:
        raise ShapeError(
            f"{name} got weights of {weights.dtype.name} for a table of {table.dtype.name}",
            operands=(weights, table),
            code="LZ230",
        )
