"""Multi-head attention: the function behind `nn.MultiheadAttention`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.matmul import linear
from lazygen.symbolic.ops.windows import same_dtype
from lazygen.symbolic.resize import quotient
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import meet
from lazygen.symbolic.tensor import Tensor, new, shape_text

NAME = "F.multi_head_attention_forward"


@rule(NAME, examples=[
    f"{NAME}(f32(5, 2, 8), *[f32(7, 2, 8)] * 2, 8, 2, f32(24, 8), f32(24), None, None, False, 0.0, f32(8, 8), f32(8))",
])  # fmt: skip
def multi_head_attention_forward(
    query: Tensor, key: Tensor, value: Tensor, embed_dim_to_check: int, num_heads: int,
    in_proj_weight: Tensor | None, in_proj_bias: Tensor | None, bias_k: Tensor | None, bias_v: Tensor | None,
    add_zero_attn: bool, dropout_p: float, out_proj_weight: Tensor, out_proj_bias: Tensor | None,
    training: bool = True, key_padding_mask: Tensor | None = None, need_weights: bool = True,
    attn_mask: Tensor | None = None, use_separate_proj_weight: bool = False, q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None, v_proj_weight: Tensor | None = None, static_k: Tensor | None = None,
    static_v: Tensor | None = None, average_attn_weights: bool = True, is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:  # fmt: skip
    """Query (L, N, E), key and value (S, N, *) to (L, N, E) and weights (N, L, S); N may be missing.

    The weights of each head, (N, heads, L, S), where they are not averaged.
    """
    # source: https://docs.pytorch.org/docs/stable/generated/torch.nn.MultiheadAttention.html
    _check_inputs(query, key, value, embed_dim_to_check, num_heads, use_separate_proj_weight)
    weights = [q_proj_weight, k_proj_weight, v_proj_weight] if use_separate_proj_weight else [in_proj_weight] * 3
    for what, tensor, weight in zip(("query", "key", "value"), (query, key, value), weights, strict=True):
        _check_projection(what, tensor, weight)
    same_dtype(NAME, query, key, value, in_proj_bias, bias_k, bias_v, out_proj_weight, out_proj_bias)
    rows = embed_dim_to_check if use_separate_proj_weight else 3 * embed_dim_to_check
    _check_parameter("the bias of the projections", in_proj_bias, (3 * embed_dim_to_check,))
    for weight in weights:
        _check_parameter("a weight of the projections", weight, (rows, None))
    for extra in (bias_k, bias_v):
        _check_parameter("bias_k or bias_v", extra, (1, 1, embed_dim_to_check))
    batched = len(query.shape) == 3
    length, embedding = query.shape[0], query.shape[-1]
    batch = query.shape[1] if batched else 1
    if is_causal and attn_mask is None:
        raise ShapeError(f"{NAME} needs attn_mask where is_causal is set", operands=(query,), code="LZ202")
    if (bias_k is None) != (bias_v is None):
        raise ShapeError(f"{NAME} needs both of bias_k and bias_v", code="LZ202")
    _check_mask(attn_mask, batched, batch * num_heads, length, key.shape[0])
    _check_padding(key_padding_mask, batched, batch, key.shape[0])
    if need_weights:
        _check_mask_dtypes(query, attn_mask, key_padding_mask)
    source = key.shape[0] if static_k is None else static_k.shape[1]
    source = source + (1 if bias_k is not None else 0) + (1 if add_zero_attn else 0)
    output = linear(query, out_proj_weight, out_proj_bias)
    if int(embedding) == int(out_proj_weight.shape[0]):
        output = new((*query.shape[:-1], meet(embedding, out_proj_weight.shape[0])), query)
    if not need_weights:
        return output, None
    heads = () if average_attn_weights else (num_heads,)
    return output, new((*((batch,) if batched else ()), *heads, length, source), query)


def _check_inputs(query: Tensor, key: Tensor, value: Tensor, embed_dim: int, num_heads: int, separate: bool) -> None:
    """Raise ShapeError unless the ranks, the lengths and the embedding fit."""
    shapes = tuple(shape_text(t.shape) for t in (query, key, value))
    notes = ("query, key and value are " + ", ".join(shapes),)
    operands = (query, key, value)
    if len(query.shape) not in (2, 3) or {len(key.shape), len(value.shape)} != {len(query.shape)}:
        raise ShapeError(
            f"{NAME} needs query, key and value of 3 dims, or all of 2 without a batch",
            operands=operands, notes=notes, code="LZ202",
        )  # fmt: skip
    if int(query.shape[-1]) != int(embed_dim):
        raise ShapeError(
            f"{NAME} is for embeddings of {int(embed_dim)}, but {int(query.shape[-1])} reach it",
            operands=(query,), notes=notes, code="LZ201",
        )  # fmt: skip
    if int(embed_dim) % int(num_heads):
        raise ShapeError(f"{NAME} cannot split {int(embed_dim)} into {int(num_heads)} heads", code="LZ202")
    end = -1 if separate else len(key.shape)
    if list(map(int, key.shape[:end])) != list(map(int, value.shape[:end])):
        raise ShapeError(f"key and value of {NAME} do not meet", operands=operands, notes=notes, code="LZ201")
    if len(query.shape) == 3 and int(query.shape[1]) != int(key.shape[1]):
        raise ShapeError(
            f"query and key of {NAME} have batches of {int(query.shape[1])} and {int(key.shape[1])}",
            operands=operands, notes=notes, code="LZ201",
        )  # fmt: skip


def _check_projection(what: str, tensor: Tensor, weight: Tensor | None) -> None:
    if weight is None:
        raise ShapeError(f"{NAME} has no weight for the {what}", code="LZ202")
    same_dtype(NAME, tensor, weight)
    if int(weight.shape[-1]) != int(tensor.shape[-1]):
        raise ShapeError(
            f"{NAME} has weights for a {what} of {int(weight.shape[-1])}, but {int(tensor.shape[-1])} reach it",
            operands=(tensor, weight),
            notes=(f"the {what} is {shape_text(tensor.shape)}",),
            code="LZ201",
        )


def _check_parameter(what: str, tensor: Tensor | None, wanted: Sequence[int | None]) -> None:
    """Raise ShapeError unless a parameter has the sizes that are wanted of it; None is any size."""
    if tensor is None:
        return
    sizes = [size if want is None else want for size, want in zip(tensor.shape, wanted, strict=False)]
    if len(tensor.shape) != len(wanted) or list(map(int, tensor.shape)) != list(map(int, sizes)):
        shown = "(" + ", ".join("*" if want is None else str(int(want)) for want in wanted) + ")"
        raise ShapeError(
            f"{what} of {NAME} is {shape_text(tensor.shape)}, not {shown}", operands=(tensor,), code="LZ201"
        )


def _check_mask(mask: Tensor | None, batched: bool, rows: int, length: int, source: int) -> None:
    if mask is None:
        return
    _check_kind("attn_mask", mask)
    allowed: list[tuple[int, ...]] = [(length, source), (rows, length, source)]
    _check_shape("attn_mask", mask, allowed)


def _check_padding(mask: Tensor | None, batched: bool, batch: int, source: int) -> None:
    if mask is None:
        return
    _check_kind("key_padding_mask", mask)
    _check_shape("key_padding_mask", mask, [(batch, source) if batched else (source,)])


def _check_mask_dtypes(query: Tensor, *masks: Tensor | None) -> None:
    """Masks of numbers are added to the weights, whose dtype they must have."""
    kinds = [query.dtype if mask.dtype is dtypes.bool_ else mask.dtype for mask in masks if mask is not None]
    if kinds and reduce(dtypes.promote, kinds) is not query.dtype:
        raise ShapeError(
            f"the masks of {NAME} are {kinds[0].name}, its query {query.dtype.name}", operands=(query,), code="LZ230"
        )


def _check_kind(what: str, mask: Tensor) -> None:
    if mask.dtype is not dtypes.bool_ and mask.dtype.category != 2:
        raise ShapeError(
            f"{what} of {NAME} must be bool or floating point, not {mask.dtype.name}", operands=(mask,), code="LZ230"
        )


def _check_shape(what: str, mask: Tensor, allowed: Sequence[tuple[int, ...]]) -> None:
    if tuple(map(int, mask.shape)) not in [tuple(map(int, shape)) for shape in allowed]:
        wanted = " or ".join(shape_text(shape) for shape in allowed)
        raise ShapeError(f"{what} of {NAME} is {shape_text(mask.shape)}, not {wanted}", operands=(mask,), code="LZ201")


def head_size(embed_dim: int, num_heads: int) -> int:
    """The part of an embedding that one head has; nothing is left over."""
    return quotient(embed_dim, num_heads)
