"""Losses under torch's own names, which take the reduction as a number, and the loss of a linear layer's classes.

Called like this torch reduces nothing unless it is told to: its signatures say mean, and it takes that for 0.
"""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops import loss
from lazygen.symbolic.ops.matmul import linear
from lazygen.symbolic.rules import rule
from lazygen.symbolic.tensor import Tensor, new, numel, shape_text

_REDUCTIONS = ("none", "mean", "sum")


def _named(reduction: Any) -> str:
    """The word for a reduction, which torch's own functions take as 0, 1 or 2."""
    if not 0 <= int(reduction) < len(_REDUCTIONS):
        raise ShapeError(f"{int(reduction)} is no reduction: it is 0 (none), 1 (mean) or 2 (sum)", code="LZ202")
    return _REDUCTIONS[int(reduction)]


@rule("torch.kl_div", examples=["torch.kl_div(f32(2, 3), f32(2, 3))", "torch.kl_div(f32(2, 3), f32(3), 0)"])
def kl_div(input: Tensor, target: Tensor, reduction: int = 0, *, log_target: bool = False) -> Tensor:
    return loss.kl_div(input, target, reduction=_named(reduction), log_target=log_target)


@rule(
    "torch.binary_cross_entropy_with_logits", examples=["torch.binary_cross_entropy_with_logits(f32(2, 3), f32(2, 3))"]
)
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: int = 0
) -> Tensor:
    """As the one of `torch.nn.functional`, but input and target broadcast."""
    name, tensors = "binary_cross_entropy_with_logits", [t for t in (weight, pos_weight) if t is not None]
    for tensor in (input, target):
        loss._floating(name, tensor.dtype, tensor)
    return loss._pointwise(name, _named(reduction), input, target, *tensors, kind=target.dtype)


@rule(
    "torch.cosine_embedding_loss", examples=["torch.cosine_embedding_loss(f32(2, 3), f32(2, 3), f32(2), reduction=0)"]
)
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0
) -> Tensor:
    return loss.cosine_embedding_loss(input1, input2, target, margin, reduction=_named(reduction))


@rule("torch.hinge_embedding_loss", examples=["torch.hinge_embedding_loss(f32(2, 3), f32(2, 3), 1.0, 2)"])
def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, reduction: int = 0) -> Tensor:
    return loss.hinge_embedding_loss(input, target, margin, reduction=_named(reduction))


@rule("torch.margin_ranking_loss", examples=["torch.margin_ranking_loss(f32(4), f32(4), f32(4))"])
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0
) -> Tensor:
    return loss.margin_ranking_loss(input1, input2, target, margin, reduction=_named(reduction))


@rule("torch.poisson_nll_loss", examples=["torch.poisson_nll_loss(f32(2, 3), f32(2, 3), True, False, 1e-8, 1)"])
def poisson_nll_loss(input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: int) -> Tensor:
    return loss.poisson_nll_loss(input, target, log_input, full, eps=eps, reduction=_named(reduction))


@rule("torch.triplet_margin_loss", examples=["torch.triplet_margin_loss(f32(2, 3), f32(2, 3), f32(2, 3))"])
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6,
    swap: bool = False, reduction: int = 0,
) -> Tensor:  # fmt: skip
    return loss.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction=_named(reduction))


@rule("torch.ctc_loss", examples=["torch.ctc_loss(f32(5, 2, 4), i64(2, 3), (5, 5), (3, 3))"])
def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: int = 0,
    zero_infinity: bool = False,
) -> Tensor:  # fmt: skip
    return loss.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, _named(reduction), zero_infinity)


@rule(
    "F.linear_cross_entropy",
    examples=[
        "F.linear_cross_entropy(f32(5, 4), f32(7, 4), i64(5))",
        "F.linear_cross_entropy(f32(4), f32(7, 4), i64())",
        "F.linear_cross_entropy(f32(5, 4), f32(7, 3, 4), i64(5, 3), reduction='none')",
    ],
)
def linear_cross_entropy(
    input: Tensor, linear_weight: Tensor, target: Tensor, *, linear_bias: Tensor | None = None,
    weight: Tensor | None = None, reduction: str = "mean", ignore_index: int | None = None,
    label_smoothing: float = 0.0, options: Any = None,
) -> Tensor:  # fmt: skip
    """Input (N, in) with linear weight (C, *, in) to the cross entropy of (N, C, *) with the target; N may be
    missing.
    """
    name = "F.linear_cross_entropy"
    if input.ndim not in (1, 2) or linear_weight.ndim < 2:
        raise ShapeError(
            f"{name} needs an input of 1 or 2 dims, and a weight of 2 or more",
            operands=(input, linear_weight),
            notes=(f"they are {shape_text(input.shape)} and {shape_text(linear_weight.shape)}",),
            code="LZ202",
        )
    outputs = linear_weight.shape[:-1]
    if linear_bias is not None and list(map(int, linear_bias.shape)) != list(map(int, outputs)):
        raise ShapeError(
            f"the bias of {name} is {shape_text(linear_bias.shape)}, the weight {shape_text(linear_weight.shape)}",
            operands=(linear_bias, linear_weight),
            code="LZ201",
        )
    flat = new((numel(outputs), linear_weight.shape[-1]), linear_weight)
    logits = linear(input, flat, None if linear_bias is None else new(flat.shape[:1], linear_bias))
    logits = new((*logits.shape[:-1], *outputs), logits)
    return loss.cross_entropy(logits, target, weight, reduction=reduction, label_smoothing=label_smoothing)
