"""Distances and similarities between vectors, and attention, which is made of them."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.matmul import must_meet, same_dtype
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import broadcast, result_type, wrap_dim
from lazygen.symbolic.tensor import Tensor, new, shape_text


@rule("torch.cdist", examples=["torch.cdist(f32(2, 3, 4), f32(2, 5, 4))", "torch.cdist(f32(3, 4), f32(5, 4), p=1)"])
def cdist(x1: Tensor, x2: Tensor, p: Any = 2.0, compute_mode: Any = "use_mm_for_euclid_dist_if_necessary") -> Tensor:
    both = (x1, x2)
    if min(x1.ndim, x2.ndim) < 2:
        raise ShapeError(
            f"cdist needs (..., P, M) and (..., R, M), not {shape_text(x1.shape)} and {shape_text(x2.shape)}",
            operands=both,
            code="LZ202",
        )
    if not all(t.dtype.is_floating_point for t in both):
        raise ShapeError(f"cdist needs floats, not {x1.dtype.name} and {x2.dtype.name}", operands=both, code="LZ230")
    must_meet("torch.cdist", x1.shape[-1], x2.shape[-1], "the last dim of the first", "that of the second", both)
    batch = broadcast(x1.shape[:-2], x2.shape[:-2], operands=both, name="torch.cdist")
    return new((*batch, x1.shape[-2], x2.shape[-2]), x1, dtype=result_type(*both))


@rule(
    "F.cosine_similarity",
    "torch.cosine_similarity",
    examples=["F.cosine_similarity(f32(2, 3), f32(2, 3))", "F.cosine_similarity(f32(2, 3, 4), f32(4), dim=-1)"],
)
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    shape = broadcast(x1.shape, x2.shape, operands=(x1, x2), name="cosine_similarity")
    kind = result_type(x1, x2)
    if kind.category < 2:
        raise ShapeError(f"cosine_similarity needs floats, not {kind.name}", operands=(x1, x2), code="LZ230")
    at = wrap_dim(dim, len(shape))
    return new([size for d, size in enumerate(shape) if d != at], x1, dtype=kind)


@rule(
    "F.pairwise_distance",
    "torch.pairwise_distance",
    examples=["F.pairwise_distance(f32(2, 3), f32(2, 3))", "F.pairwise_distance(f32(2, 3), f32(3), keepdim=True)"],
)
def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    shape = broadcast(x1.shape, x2.shape, operands=(x1, x2), name="pairwise_distance")
    kind = result_type(x1, x2)
    kind = kind if kind.category >= 2 else dtypes.DEFAULT_DTYPE[-1]
    return new((*shape[:-1], *([1] if keepdim and shape else [])), x1, dtype=kind.to_real())


@rule("F.pdist", "torch.pdist", examples=["torch.pdist(f32(4, 3))"])
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    if input.ndim != 2 or not input.dtype.is_floating_point:
        raise ShapeError(
            f"pdist needs a matrix of floats, not {input.dtype.name} of {shape_text(input.shape)}",
            operands=(input,),
            code="LZ202",
        )
    count = input.shape[0]
    return new((count * (count - 1) // 2,), input)


@rule(
    "F.scaled_dot_product_attention",
    examples=[
        "F.scaled_dot_product_attention(f32(2, 4, 5, 8), f32(2, 4, 7, 8), f32(2, 4, 7, 6))",
        "F.scaled_dot_product_attention(f32(2, 8, 5, 8), f32(2, 2, 7, 8), f32(2, 2, 7, 8), enable_gqa=True)",
    ],
)
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """(..., L, E), (..., S, E) and (..., S, V) to (..., L, V)."""
    name, three = "scaled_dot_product_attention", (query, key, value)
    if any(t.ndim < 2 for t in three):
        shapes = ", ".join(shape_text(t.shape) for t in three)
        raise ShapeError(f"{name} needs two dims or more in each: {shapes}", operands=three, code="LZ202")
    same_dtype(name, *three)
    must_meet(name, query.shape[-1], key.shape[-1], "the last dim of query", "that of key", (query, key))
    must_meet(name, key.shape[-2], value.shape[-2], "the length of key", "that of value", (key, value))
    if attn_mask is not None and is_causal:
        raise ShapeError(f"{name} takes a mask or is_causal, not both", operands=three)
    batches = [query.shape[:-2], key.shape[:-2], value.shape[:-2]]
    if enable_gqa:
        batches = [query.shape[:-2], *_grouped(query, key, value)]
    batch = broadcast(*batches, operands=three, name=name)
    if attn_mask is not None:
        wanted = (*batch, query.shape[-2], key.shape[-2])
        broadcast(wanted, attn_mask.shape, operands=(query, key, attn_mask), name=f"the mask of {name}")
    return new((*batch, query.shape[-2], value.shape[-1]), query)


def _grouped(query: Tensor, key: Tensor, value: Tensor) -> list[tuple[int, ...]]:
    """The batches of key and value with their heads repeated to those of query."""
    batches = []
    for what, t in (("key", key), ("value", value)):
        if t.ndim < 3 or query.ndim < 3 or int(query.shape[-3]) % int(t.shape[-3]):
            raise ShapeError(
                f"the heads of query do not divide by those of {what} in scaled_dot_product_attention",
                operands=(query, t),
                notes=(f"they are {shape_text(query.shape)} and {shape_text(t.shape)}",),
                code="LZ201",
            )
        batches.append((*t.shape[:-3], query.shape[-3]))
    return batches
