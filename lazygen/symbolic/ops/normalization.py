"""Normalization: results have the shape and dtype of the input, parameters must fit its channels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.equalities import agree
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import result_type, size_list, wrap_dims
from lazygen.symbolic.tensor import Tensor, new, numel, shape_text

_HALVES = (dtypes.float16, dtypes.bfloat16)


def _floating(name: str, input: Tensor, *others: Tensor | None) -> None:
    """Raise ShapeError (LZ230) for whole numbers, and for parameters whose dtype does not go with the input's."""
    if input.dtype.category < 2:
        raise ShapeError(
            f"{name} needs floating point numbers, not {input.dtype.name}", operands=(input,), code="LZ230"
        )
    for other in others:
        mixed = input.dtype in _HALVES and other is not None and other.dtype is dtypes.float32
        if other is not None and other.dtype is not input.dtype and not mixed:
            raise ShapeError(
                f"{name} got {input.dtype.name} as input, but holds {other.dtype.name}",
                operands=(input, other),
                helps=(f"convert the input with .to(torch.{other.dtype.name})",),
                code="LZ230",
            )


def _per_channel(name: str, input: Tensor, **tensors: Tensor | None) -> None:
    """Raise ShapeError unless each tensor has one number for each channel, dim 1 of the input."""
    for what, tensor in tensors.items():
        if tensor is not None and int(numel(tensor.shape)) != int(input.shape[1]):
            raise ShapeError(
                f"{what} of {name} is {shape_text(tensor.shape)}, but there are {int(input.shape[1])} channels",
                operands=(input, tensor),
                notes=(f"the input is {shape_text(input.shape)}",),
                code="LZ201",
            )


def _rank_at_least(name: str, input: Tensor, least: int) -> None:
    if len(input.shape) < least:
        raise ShapeError(
            f"{name} needs an input of {least} dims or more, not {len(input.shape)}",
            operands=(input,),
            notes=(f"the input is {shape_text(input.shape)}",),
            code="LZ202",
        )


@rule(
    "F.batch_norm",
    examples=["F.batch_norm(f32(2, 3, 4), f32(3), f32(3))", "F.batch_norm(f32(2, 3), f32(3), f32(3), f32(3))"],
)
def batch_norm(
    input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None,
    bias: Tensor | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """(N, C, *) to the same.  In training there must be more than one number for each channel."""
    _rank_at_least("F.batch_norm", input, 2)
    _floating("F.batch_norm", input, weight, bias, running_mean, running_var)
    if training and int(input.shape[0]) * int(numel(input.shape[2:])) == 1:
        raise ShapeError(
            "F.batch_norm needs more than one value for each channel in training",
            operands=(input,),
            notes=(f"the input is {shape_text(input.shape)}",),
            code="LZ202",
        )
    if not training and (running_mean is None or running_var is None):
        raise ShapeError("F.batch_norm needs running_mean and running_var outside of training", code="LZ202")
    _per_channel("F.batch_norm", input, running_mean=running_mean, running_var=running_var, weight=weight, bias=bias)
    return new(input.shape, input)


@rule(
    "torch.batch_norm", examples=["torch.batch_norm(f32(2, 3, 4), None, None, f32(3), f32(3), False, 0.1, 1e-5, False)"]
)
def _batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    training: bool, momentum: float, eps: float, cudnn_enabled: bool,
) -> Tensor:  # fmt: skip
    return batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@rule(
    "F.instance_norm",
    examples=["F.instance_norm(f32(2, 3, 4))", "F.instance_norm(f32(2, 3, 4), weight=f32(3), bias=f32(3))"],
)
def instance_norm(
    input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None,
    bias: Tensor | None = None, use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """(N, C, *) to the same.  With the input's own statistics there must be more than one number in each channel."""
    _rank_at_least("F.instance_norm", input, 2)
    _floating("F.instance_norm", input, weight, bias)  # running statistics are converted
    if use_input_stats and int(numel(input.shape[2:])) == 1:
        raise ShapeError(
            "F.instance_norm needs more than one spatial value",
            operands=(input,),
            notes=(f"the input is {shape_text(input.shape)}",),
            code="LZ202",
        )
    if not use_input_stats and (running_mean is None or running_var is None):
        raise ShapeError("F.instance_norm needs running_mean and running_var without input statistics", code="LZ202")
    if (running_mean is None) is not (running_var is None):
        raise ShapeError("F.instance_norm needs running_mean and running_var, or none of them", code="LZ202")
    for given in (running_mean, running_var, weight, bias):
        if given is not None and given.ndim != 1:
            raise ShapeError(
                f"F.instance_norm takes one number for each channel, not {shape_text(given.shape)}",
                operands=(input, given),
                code="LZ202",
            )
    _per_channel("F.instance_norm", input, running_mean=running_mean, running_var=running_var, weight=weight, bias=bias)
    return new(input.shape, input)


@rule(
    "torch.instance_norm",
    examples=["torch.instance_norm(f32(2, 3, 4), f32(3), f32(3), None, None, True, 0.1, 1e-5, False)"],
)
def _instance_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    use_input_stats: bool, momentum: float, eps: float, cudnn_enabled: bool,
) -> Tensor:  # fmt: skip
    return instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


def _last_dims(name: str, input: Tensor, normalized_shape: Any, *tensors: Tensor | None) -> None:
    """Raise ShapeError unless the input ends in the shape to normalize over, which the parameters have too."""
    shape = size_list([normalized_shape]) if isinstance(normalized_shape, (tuple, list)) else []
    if not shape:
        raise ShapeError(f"normalized_shape of {name} must be a sequence of one size or more", code="LZ202")
    for tensor in tensors:
        if tensor is not None and list(map(int, tensor.shape)) != list(map(int, shape)):
            raise ShapeError(
                f"a parameter of {name} is {shape_text(tensor.shape)}, but normalized_shape is {shape_text(shape)}",
                operands=(tensor,),
                code="LZ201",
            )
    last = input.shape[len(input.shape) - len(shape) :] if len(input.shape) >= len(shape) else ()
    if list(map(int, last)) != list(map(int, shape)):
        raise ShapeError(
            f"{name} is over {shape_text(shape)}, in which the input does not end",
            operands=(input,),
            notes=(f"the input is {shape_text(input.shape)}",),
            code="LZ201",
        )
    for left, right in zip(last, shape, strict=True):
        agree(left, right)


@rule(
    "F.layer_norm",
    "torch.layer_norm",
    examples=["F.layer_norm(f32(2, 3, 4), (3, 4))", "F.layer_norm(f32(2, 4), [4], f32(4))"],
)
def layer_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, bias: Tensor | None = None,
    eps: float = 1e-5, cudnn_enable: bool = True,
) -> Tensor:  # fmt: skip
    """(*, normalized_shape) to the same."""
    _floating("F.layer_norm", input, weight, bias)
    _last_dims("F.layer_norm", input, normalized_shape, weight, bias)
    return new(input.shape, input)


@rule("F.rms_norm", "torch.rms_norm", examples=["F.rms_norm(f32(2, 3, 4), (4,), f32(4))"])
def rms_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """(*, normalized_shape) to the same."""
    _floating("F.rms_norm", input)
    _last_dims("F.rms_norm", input, normalized_shape, weight)
    return new(input.shape, input)


@rule(
    "F.group_norm",
    "torch.group_norm",
    examples=["F.group_norm(f32(2, 6, 4), 3)", "F.group_norm(f32(2, 6, 4), 2, f32(6), f32(6))"],
)
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None,
    eps: float = 1e-5, cudnn_enabled: bool = True,
) -> Tensor:  # fmt: skip
    """(N, C, *) to the same; C is split into `num_groups`, each of which must have more than one number."""
    _rank_at_least("F.group_norm", input, 2)
    _floating("F.group_norm", input, weight, bias)
    if int(num_groups) < 1 or int(input.shape[1]) % int(num_groups):
        raise ShapeError(
            f"F.group_norm cannot split {int(input.shape[1])} channels into {int(num_groups)} groups",
            operands=(input,),
            notes=(f"the input is {shape_text(input.shape)}",),
            code="LZ202",
        )
    if int(numel(input.shape)) == int(num_groups):
        raise ShapeError(
            "F.group_norm needs more than one value in each group",
            operands=(input,),
            notes=(f"the input is {shape_text(input.shape)}, in {int(num_groups)} groups",),
            code="LZ202",
        )
    _per_channel("F.group_norm", input, weight=weight, bias=bias)
    return new(input.shape, input)


@rule("F.local_response_norm", examples=["F.local_response_norm(f32(2, 3, 4), 2)"])
def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """(N, C, *) to the same, of 3 dims or more."""
    _rank_at_least("F.local_response_norm", input, 3)
    return new(input.shape, input, dtype=result_type(input, alpha))


@rule("F.normalize", examples=["F.normalize(f32(2, 3), dim=-1)"])
def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    """The input over its norm along `dim`, of the same shape."""
    _floating("F.normalize", input)
    wrap_dims(dim, len(input.shape))
    return new(input.shape, input)
