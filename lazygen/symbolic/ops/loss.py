"""Losses: each gives one number, or with reduction "none" one for each element, row or pair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import broadcast, result_type
from lazygen.symbolic.tensor import Tensor, new, shape_text


def reduction_of(size_average: bool | None, reduce: bool | None, reduction: str, *more: str) -> str:
    """The reduction, from torch's old pair of flags where one is given.  Raises ShapeError for an unknown one."""
    if size_average is not None or reduce is not None:
        if reduce is not None and not reduce:
            return "none"
        return "mean" if size_average is None or size_average else "sum"
    if reduction not in ("none", "mean", "sum", *more):
        raise ShapeError(f"{reduction!r} is no reduction: it is 'none', 'mean' or 'sum'", code="LZ202")
    return reduction


def reduced(name: str, shape: tuple[int, ...], kind: dtypes.dtype, like: Tensor, reduction: str) -> Tensor:
    """One number, or all of `shape` where nothing is reduced.  A mean needs floating point numbers."""
    if reduction == "mean" and kind.category < 2:
        raise ShapeError(f"{name} cannot take the mean of {kind.name}", operands=(like,), code="LZ230")
    return new(shape if reduction == "none" else (), like, dtype=kind)


def _same_shape(name: str, *tensors: Tensor) -> None:
    if len({tuple(map(int, tensor.shape)) for tensor in tensors}) > 1:
        shapes = " and ".join(shape_text(tensor.shape) for tensor in tensors)
        raise ShapeError(
            f"{name} needs input and target of one shape", operands=tensors, notes=(f"they are {shapes}",), code="LZ201"
        )


def _pointwise(name: str, reduction: str, *tensors: Tensor, kind: dtypes.dtype | None = None) -> Tensor:
    """A loss of each element, over tensors that broadcast."""
    shape = broadcast(*(tensor.shape for tensor in tensors), operands=tensors, name=name)
    return reduced(name, shape, kind or result_type(*tensors), tensors[0], reduction)


def _weighed(
    name: str, input: Tensor, target: Tensor, reduction: str, weight: Tensor | None, kind: dtypes.dtype | None = None
) -> Tensor:
    if weight is not None:
        _same_shape(name, input, weight)
    return _pointwise(name, reduction, input, target, kind=kind)


def _floating(name: str, kind: dtypes.dtype, *operands: Tensor) -> dtypes.dtype:
    """The dtype itself.  Raises ShapeError (LZ230) for one of whole numbers."""
    if kind.category < 2:
        raise ShapeError(f"{name} needs floating point numbers, not {kind.name}", operands=operands, code="LZ230")
    return kind


def _divided(kind: dtypes.dtype) -> dtypes.dtype:
    """What whole numbers become where a loss divides or takes a logarithm."""
    return dtypes.DEFAULT_DTYPE[-1] if kind.category < 2 else kind


@rule("F.l1_loss", examples=["F.l1_loss(f32(2, 3), f32(2, 3))", "F.l1_loss(f32(2, 3), f32(3), reduction='none')"])
def l1_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean", weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    return _weighed("F.l1_loss", input, target, reduction_of(size_average, reduce, reduction), weight)


@rule("F.mse_loss", examples=["F.mse_loss(f32(2, 3), f64(2, 3))"])
def mse_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean", weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    kind = _floating("F.mse_loss", result_type(input, target), input, target)
    return _weighed("F.mse_loss", input, target, reduction_of(size_average, reduce, reduction), weight, kind)


@rule("F.smooth_l1_loss", examples=["F.smooth_l1_loss(f32(2, 3), f32(2, 3), reduction='sum')"])
def smooth_l1_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean", beta: float = 1.0,
) -> Tensor:  # fmt: skip
    if beta < 0:
        raise ShapeError(f"beta of F.smooth_l1_loss must not be negative: {beta}")
    _floating("F.smooth_l1_loss", result_type(input, target), input, target)
    return _pointwise("F.smooth_l1_loss", reduction_of(size_average, reduce, reduction), input, target)


@rule("F.huber_loss", examples=["F.huber_loss(f32(2, 3), f32(2, 3), delta=0.5)"])
def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Tensor:
    if delta <= 0:
        raise ShapeError(f"delta of F.huber_loss must be more than 0: {delta}")
    kind = _floating("F.huber_loss", input.dtype, input, target)
    return _weighed("F.huber_loss", input, target, reduction_of(None, None, reduction), weight, kind)


@rule("F.soft_margin_loss", examples=["F.soft_margin_loss(f32(2, 3), f32(2, 3))"])
def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Tensor:
    kind = _floating("F.soft_margin_loss", input.dtype, input, target)
    return _pointwise("F.soft_margin_loss", reduction_of(size_average, reduce, reduction), input, target, kind=kind)


@rule("F.hinge_embedding_loss", examples=["F.hinge_embedding_loss(f32(2, 3), f32(2, 3))"])
def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    how = reduction_of(size_average, reduce, reduction)
    return _pointwise("F.hinge_embedding_loss", how, input, target, kind=input.dtype)


@rule("F.kl_div", examples=["F.kl_div(f32(2, 3), f32(2, 3), reduction='batchmean')"])
def kl_div(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean", log_target: bool = False,
) -> Tensor:  # fmt: skip
    how = reduction_of(size_average, reduce, reduction, "batchmean")
    for tensor in (input, target):
        _floating("F.kl_div", tensor.dtype, tensor)
    return _pointwise("F.kl_div", how, input, target)


@rule("F.poisson_nll_loss", examples=["F.poisson_nll_loss(f32(2, 3), f32(2, 3))"])
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, size_average: bool | None = None,
    eps: float = 1e-8, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    kind = _divided(result_type(input, target))
    return _pointwise("F.poisson_nll_loss", reduction_of(size_average, reduce, reduction), input, target, kind=kind)


@rule("F.gaussian_nll_loss", examples=["F.gaussian_nll_loss(f32(2, 3), f32(2, 3), 0.5)"])
def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """`var` is a number, or has the shape of the input, perhaps with 1 as its last size or without that dim."""
    how = reduction_of(None, None, reduction)
    tensors = [input, target]
    if isinstance(var, Tensor):
        shape = tuple(map(int, input.shape))
        given = tuple(map(int, var.shape))
        if given == shape[:-1] and given != shape:
            var = new((*var.shape, 1), var)
        elif given != shape and not (given and given[:-1] == shape[:-1] and given[-1] == 1):
            raise ShapeError(
                f"var of F.gaussian_nll_loss is {shape_text(var.shape)}, the input {shape_text(input.shape)}",
                operands=(input, var),
                code="LZ201",
            )
        tensors.append(var)
    elif var < 0:
        raise ShapeError(f"var of F.gaussian_nll_loss must not be negative: {var}")
    return _pointwise("F.gaussian_nll_loss", how, *tensors, kind=_divided(result_type(*tensors)))


@rule("F.binary_cross_entropy", examples=["F.binary_cross_entropy(f32(2, 3), f32(2, 3))"])
def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    _same_shape("F.binary_cross_entropy", input, target)
    if weight is not None:
        spread = broadcast(weight.shape, target.shape, operands=(weight, target), name="F.binary_cross_entropy")
        if len(spread) != len(target.shape):
            raise ShapeError("the weight of F.binary_cross_entropy has more dims than its target", operands=(weight,))
    if target.dtype is not input.dtype:
        raise ShapeError(
            f"F.binary_cross_entropy got {input.dtype.name} as input and {target.dtype.name} as target",
            operands=(input, target),
            code="LZ230",
        )
    _floating("F.binary_cross_entropy", input.dtype, input, target)
    how = reduction_of(size_average, reduce, reduction)
    return reduced("F.binary_cross_entropy", input.shape, input.dtype, input, how)


@rule(
    "F.binary_cross_entropy_with_logits",
    examples=["F.binary_cross_entropy_with_logits(f32(2, 3), f32(2, 3), pos_weight=f32(3))"],
)
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean", pos_weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    name = "F.binary_cross_entropy_with_logits"
    _same_shape(name, input, target)
    for tensor in (input, target):
        _floating(name, tensor.dtype, tensor)
    tensors = [input, target, *(t for t in (weight, pos_weight) if t is not None)]
    return _pointwise(name, reduction_of(size_average, reduce, reduction), *tensors, kind=target.dtype)


def _classes(name: str, input: Tensor, target: Tensor, weight: Tensor | None) -> tuple[int, ...]:
    """The shape of a loss over classes: that of the target, (N, *) for an input (N, C, *), () for (C)."""
    if not input.shape:
        raise ShapeError(f"{name} needs an input of one dim or more", operands=(input,), code="LZ202")
    at = 0 if len(input.shape) == 1 else 1
    wanted = (*input.shape[:at], *input.shape[at + 1 :])
    if list(map(int, target.shape)) != list(map(int, wanted)):
        raise ShapeError(
            f"{name} needs a target of {shape_text(wanted)} for an input of {shape_text(input.shape)}",
            operands=(input, target),
            notes=(f"the target is {shape_text(target.shape)}",),
            code="LZ201",
        )
    if target.dtype not in (dtypes.int64, dtypes.uint8):
        raise ShapeError(
            f"{name} needs whole numbers as target, not {target.dtype.name}", operands=(target,), code="LZ230"
        )
    _check_class_weight(name, input.shape[at], weight)
    return wanted


def _check_class_weight(name: str, classes: int, weight: Tensor | None) -> None:
    if weight is not None and list(map(int, weight.shape)) != [int(classes)]:
        raise ShapeError(
            f"the weight of {name} is {shape_text(weight.shape)}, but there are {int(classes)} classes",
            operands=(weight,),
            code="LZ201",
        )


@rule(
    "F.nll_loss",
    examples=["F.nll_loss(f32(2, 3), i64(2))", "F.nll_loss(f32(2, 3, 4, 5), i64(2, 4, 5), reduction='none')"],
)
def nll_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    _floating("F.nll_loss", input.dtype, input)
    shape = _classes("F.nll_loss", input, target, weight)
    return reduced("F.nll_loss", shape, input.dtype, input, reduction_of(size_average, reduce, reduction))


@rule("F.cross_entropy", examples=["F.cross_entropy(f32(2, 3), i64(2))", "F.cross_entropy(f32(2, 3, 4), f32(2, 3, 4))"])
def cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean", label_smoothing: float = 0.0,
) -> Tensor:  # fmt: skip
    """Input (N, C, *) with whole numbers (N, *), or with probabilities (N, C, *), as target; N may be missing."""
    # source: https://docs.pytorch.org/docs/stable/generated/torch.nn.CrossEntropyLoss.html
    name, how = "F.cross_entropy", reduction_of(size_average, reduce, reduction)
    if not 0 <= label_smoothing <= 1:
        raise ShapeError(f"label_smoothing must be between 0 and 1, not {label_smoothing}")
    if input.dtype.category < 2:
        raise ShapeError(
            f"{name} needs floating point numbers, not {input.dtype.name}", operands=(input,), code="LZ230"
        )
    if list(map(int, input.shape)) != list(map(int, target.shape)):
        return reduced(name, _classes(name, input, target, weight), input.dtype, input, how)
    if target.dtype.category != 2:
        raise ShapeError(
            f"{name} with a target as large as the input needs probabilities, not {target.dtype.name}",
            operands=(input, target),
            code="LZ230",
        )
    at = 0 if len(input.shape) <= 1 else 1
    if input.shape:
        _check_class_weight(name, input.shape[at], weight)
    return reduced(name, (*input.shape[:at], *input.shape[at + 1 :]), result_type(input, target), input, how)


@rule("F.multi_margin_loss", examples=["F.multi_margin_loss(f32(2, 3), i64(2))"])
def multi_margin_loss(
    input: Tensor, target: Tensor, p: int = 1, margin: float = 1.0, weight: Tensor | None = None,
    size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    if p not in (1, 2):
        raise ShapeError(f"p of F.multi_margin_loss is 1 or 2, not {p}")
    if len(input.shape) > 2:
        raise ShapeError("F.multi_margin_loss needs an input of 1 or 2 dims", operands=(input,), code="LZ202")
    _floating("F.multi_margin_loss", input.dtype, input)
    shape = _classes("F.multi_margin_loss", input, target, weight)
    return reduced("F.multi_margin_loss", shape, input.dtype, input, reduction_of(size_average, reduce, reduction))


@rule("F.multilabel_margin_loss", examples=["F.multilabel_margin_loss(f32(2, 3), i64(2, 3))"])
def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Tensor:
    name = "F.multilabel_margin_loss"
    _same_shape(name, input, target)
    if len(input.shape) > 2:
        raise ShapeError(f"{name} needs an input of 1 or 2 dims", operands=(input,), code="LZ202")
    if target.dtype is not dtypes.int64:
        raise ShapeError(f"{name} needs int64 as target, not {target.dtype.name}", operands=(target,), code="LZ230")
    return reduced(name, input.shape[:-1], input.dtype, input, reduction_of(size_average, reduce, reduction))


@rule("F.multilabel_soft_margin_loss", examples=["F.multilabel_soft_margin_loss(f32(2, 3), f32(2, 3))"])
def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    name, how = "F.multilabel_soft_margin_loss", reduction_of(size_average, reduce, reduction)
    _floating(name, input.dtype, input)
    if not input.shape:
        raise ShapeError(f"{name} needs an input of one dim or more", operands=(input,), code="LZ202")
    whole = _pointwise(name, "none", input, target, *([] if weight is None else [weight]))
    return reduced(name, whole.shape[:-1], whole.dtype, input, how)


@rule("F.margin_ranking_loss", examples=["F.margin_ranking_loss(f32(4), f32(4), f32(4))"])
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    how = reduction_of(size_average, reduce, reduction)
    _same_rank("F.margin_ranking_loss", input1, input2, target)
    return _pointwise("F.margin_ranking_loss", how, input1, input2, target)


def _same_rank(name: str, *tensors: Tensor) -> None:
    if len({len(tensor.shape) for tensor in tensors}) > 1:
        shapes = ", ".join(shape_text(tensor.shape) for tensor in tensors)
        raise ShapeError(f"{name} needs tensors of one rank, not {shapes}", operands=tensors, code="LZ202")


@rule("F.cosine_embedding_loss", examples=["F.cosine_embedding_loss(f32(2, 3), f32(2, 3), f32(2))"])
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """(N, D), (N, D) and (N), or (D), (D) and ()."""
    name, how = "F.cosine_embedding_loss", reduction_of(size_average, reduce, reduction)
    if len(target.shape) not in (0, 1) or {len(input1.shape), len(input2.shape)} != {len(target.shape) + 1}:
        shapes = ", ".join(shape_text(t.shape) for t in (input1, input2, target))
        raise ShapeError(f"{name} cannot take {shapes}", operands=(input1, input2, target), code="LZ202")
    pairs = broadcast(input1.shape, input2.shape, operands=(input1, input2), name=name)
    shape = broadcast(pairs[:-1], target.shape, operands=(input1, target), name=name)
    return reduced(name, shape, result_type(input1, input2), input1, how)


@rule("F.triplet_margin_loss", examples=["F.triplet_margin_loss(f32(2, 3), f32(2, 3), f32(2, 3), reduction='none')"])
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = 1e-6,
    swap: bool = False, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    name, how = "F.triplet_margin_loss", reduction_of(size_average, reduce, reduction)
    _same_rank(name, anchor, positive, negative)
    if margin <= 0:
        raise ShapeError(f"margin of {name} must be more than 0: {margin}")
    shape = broadcast(anchor.shape, positive.shape, negative.shape, operands=(anchor, positive, negative), name=name)
    return reduced(name, shape[:-1], result_type(anchor, positive, negative), anchor, how)


@rule(
    "F.triplet_margin_with_distance_loss",
    examples=["F.triplet_margin_with_distance_loss(f32(2, 3), f32(2, 3), f32(2, 3))"],
)
def triplet_margin_with_distance_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None, margin: float = 1.0, swap: bool = False,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    name, how = "F.triplet_margin_with_distance_loss", reduction_of(None, None, reduction)
    if margin <= 0:
        raise ShapeError(f"margin of {name} must be more than 0: {margin}")
    _same_rank(name, anchor, positive, negative)
    if distance_function is None:
        return triplet_margin_loss(anchor, positive, negative, margin, swap=swap, reduction=how)
    distances = [distance_function(anchor, positive), distance_function(anchor, negative)]
    if swap:
        distances.append(distance_function(positive, negative))
    return _pointwise(name, how, *distances)


@rule("F.ctc_loss")
def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0,
    reduction: str = "mean", zero_infinity: bool = False,
) -> Tensor:  # fmt: skip
    """Probabilities (T, N, C), or (T, C), to a loss for each of the N sequences."""
    if len(log_probs.shape) not in (2, 3):
        raise ShapeError("F.ctc_loss needs (T, N, C), or (T, C)", operands=(log_probs,), code="LZ202")
    how = reduction_of(None, None, reduction)
    return reduced("F.ctc_loss", tuple(log_probs.shape[1:-1]), log_probs.dtype, log_probs, how)
