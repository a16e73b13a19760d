"""Activations of torch.nn.functional: pointwise ones, those along a dim, and dropout.  All but `glu` keep the shape."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.pointwise import Kind, pointwise, refuse
from lazygen.symbolic.ops.unary import sigmoid
from lazygen.symbolic.resize import quotient
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import wrap_dim
from lazygen.symbolic.tensor import Tensor, new, shape_text

Value = Callable[[Any], Any] | None


def _activated(
    name: str, input: Tensor, value: Value = None, refuses: str = "bic", kind: Kind = "same", inplace: bool = False
) -> Tensor:
    """The input's shape; `inplace` gives the input itself back."""
    public = f"nn.functional.{name}"
    result = pointwise(public, (input,), value, kind, refuses)
    if not inplace:
        return result
    if result.dtype is not input.dtype:
        raise ShapeError(
            f"torch.{public} gives {result.dtype.name}, which cannot be written to {input.dtype.name}",
            operands=(input,),
            code="LZ230",
        )
    input.values = result.values
    return input


def _softplus(x: float) -> float:
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


@rule("F.relu", "F.relu_", examples=["F.relu(f32(2, 3))", "F.relu(f32(2), inplace=True)"])
def relu(input: Tensor, inplace: bool = False) -> Tensor:
    return _activated("relu", input, lambda x: x if x > 0 else 0 * x, "bc", inplace=inplace)


@rule("F.relu6", examples=["F.relu6(f32(2, 3))"])
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    return _activated("relu6", input, lambda x: min(max(x, 0), 6), "bc", inplace=inplace)


@rule("F.gelu", examples=["F.gelu(f32(2, 3))", "F.gelu(f32(2), approximate='tanh')"])
def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """Source: https://pytorch.org/docs/stable/generated/torch.nn.GELU.html"""
    if approximate not in ("none", "tanh"):
        raise ShapeError(f"torch.nn.functional.gelu has no approximation {approximate!r}: it is 'none' or 'tanh'")
    return _activated("gelu", input, None if approximate == "tanh" else lambda x: x * math.erfc(-x / math.sqrt(2)) / 2)


@rule("F.silu", examples=["F.silu(f32(2, 3))"])
def silu(input: Tensor, inplace: bool = False) -> Tensor:
    return _activated("silu", input, lambda x: x * sigmoid(x), "bi", inplace=inplace)


@rule("F.mish", examples=["F.mish(f32(2, 3))"])
def mish(input: Tensor, inplace: bool = False) -> Tensor:
    return _activated("mish", input, lambda x: x * math.tanh(_softplus(x)), inplace=inplace)


@rule("F.elu", "F.elu_", examples=["F.elu(f32(2, 3), alpha=0.5)"])
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    return _activated("elu", input, lambda x: x if x > 0 else alpha * math.expm1(x), inplace=inplace)


@rule("F.celu", "F.celu_", "torch.celu", examples=["F.celu(f32(2, 3), alpha=0.5)"])
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    return _activated("celu", input, lambda x: x if x > 0 else alpha * math.expm1(x / alpha), inplace=inplace)


@rule("F.selu", "F.selu_", "torch.selu", examples=["F.selu(f32(2, 3))"])
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    return _activated("selu", input, inplace=inplace)


@rule("F.leaky_relu", "F.leaky_relu_", examples=["F.leaky_relu(f32(2, 3), 0.2)"])
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    return _activated("leaky_relu", input, lambda x: x if x > 0 else negative_slope * x, inplace=inplace)


@rule("F.rrelu", "F.rrelu_", "torch.rrelu", examples=["F.rrelu(f32(2, 3))"])
def rrelu(
    input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    return _activated("rrelu", input, inplace=inplace)


@rule("F.prelu", "torch.prelu", "Tensor.prelu", examples=["F.prelu(f32(2, 3), f32(3))", "F.prelu(f32(2, 3), f32(1))"])
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """`weight` has one element, or one for each channel (dim 1)."""
    channels = input.shape[1] if len(input.shape) > 1 else 1
    if len(weight.shape) > 1 or (weight.shape and int(weight.shape[0]) not in (1, int(channels))):
        raise ShapeError(
            f"torch.nn.functional.prelu has {shape_text(weight.shape)} weights for {int(channels)} channels",
            operands=(input, weight),
            code="LZ201",
        )
    if weight.dtype is not input.dtype:
        raise ShapeError(
            f"torch.nn.functional.prelu needs one dtype, and has {input.dtype.name} and {weight.dtype.name}",
            operands=(input, weight),
            code="LZ230",
        )
    return _activated("prelu", input, refuses="bi")


@rule("F.softplus", examples=["F.softplus(f32(2, 3), beta=2)"])
def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    return _activated("softplus", input, lambda x: x if x * beta > threshold else _softplus(x * beta) / beta)


@rule("F.softsign", examples=["F.softsign(f32(2, 3))"])
def softsign(input: Tensor) -> Tensor:
    return _activated("softsign", input, lambda x: x / (1 + abs(x)), "b", "float")


@rule("F.hardtanh", "F.hardtanh_", examples=["F.hardtanh(f32(2, 3), -2, 2)"])
def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    if min_val > max_val:
        raise ShapeError(f"torch.nn.functional.hardtanh has min_val {min_val} above max_val {max_val}")
    if input.dtype is dtypes.uint8 and (min_val < 0 or max_val < 0):
        raise ShapeError("torch.nn.functional.hardtanh takes no negative bound for uint8", code="LZ230")
    return _activated("hardtanh", input, lambda x: min(max(x, min_val), max_val), "bc", inplace=inplace)


@rule("F.hardswish", examples=["F.hardswish(f32(2, 3))"])
def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    return _activated("hardswish", input, lambda x: x * min(max(x + 3, 0), 6) / 6, inplace=inplace)


@rule("F.hardsigmoid", examples=["F.hardsigmoid(f32(2, 3))"])
def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    return _activated("hardsigmoid", input, lambda x: min(max(x + 3, 0), 6) / 6, inplace=inplace)


@rule("F.logsigmoid", examples=["F.logsigmoid(f32(2, 3))"])
def logsigmoid(input: Tensor) -> Tensor:
    return _activated("logsigmoid", input, lambda x: -_softplus(-x))


@rule("F.tanhshrink", examples=["F.tanhshrink(f32(2, 3))"])
def tanhshrink(input: Tensor) -> Tensor:
    return _activated("tanhshrink", input, lambda x: x - math.tanh(x), "b", "float")


@rule("F.softshrink", "torch.softshrink", examples=["F.softshrink(f32(2, 3), 0.2)"])
def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    if lambd < 0:
        raise ShapeError(f"torch.nn.functional.softshrink has a negative lambd, {lambd}")
    return _activated("softshrink", input, lambda x: x - lambd if x > lambd else x + lambd if x < -lambd else 0.0)


@rule("F.hardshrink", "torch.hardshrink", "Tensor.hardshrink", examples=["F.hardshrink(f32(2, 3), 0.2)"])
def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    return _activated("hardshrink", input, lambda x: 0.0 if -lambd <= x <= lambd else x)


@rule("F.threshold", "F.threshold_", "torch.threshold", examples=["F.threshold(f32(2, 3), 0.1, 2.0)"])
def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    return _activated("threshold", input, lambda x: x if x > threshold else value, "bc", inplace=inplace)


# Along a dim


def _along(name: str, input: Tensor, dim: int | None, dtype: dtypes.dtype | None, refuses: str = "bic") -> Tensor:
    if dim is None:
        dim = 0 if len(input.shape) in (0, 1, 3) else 1  # torch's implicit choice, which warns
    wrap_dim(dim, len(input.shape), input)
    refuse(f"nn.functional.{name}", dtype or input.dtype, refuses, (input,))
    return new(input.shape, input, dtype)


@rule("F.softmax", examples=["F.softmax(f32(2, 3), dim=-1)", "F.softmax(i64(2, 3), 0, dtype=torch.float32)"])
def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    return _along("softmax", input, dim, dtype, "bi")


@rule("F.log_softmax", examples=["F.log_softmax(f32(2, 3), dim=1)"])
def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    return _along("log_softmax", input, dim, dtype, "bi")


@rule("F.softmin", examples=["F.softmin(f32(2, 3), dim=1)"])
def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    return _along("softmin", input, dim, dtype, "bi")


@rule(
    "torch.softmax", "Tensor.softmax", "torch.log_softmax", "Tensor.log_softmax", "torch.special.softmax",
    "torch.special.log_softmax",
    examples=["torch.softmax(f32(2, 3), -1)", "f32(2, 3).softmax(dim=0)", "torch.log_softmax(f16(2), 0)"],
)  # fmt: skip
def softmax_along(input: Tensor, dim: int, dtype: Any = None, *, out: Any = None) -> Tensor:
    return _along("softmax", input, dim, dtype, "bi")


@rule("F.gumbel_softmax", examples=["F.gumbel_softmax(f32(2, 3), tau=0.5, hard=True)"])
def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    return _along("gumbel_softmax", logits, dim, None)


@rule("F.glu", examples=["F.glu(f32(2, 6))", "F.glu(f32(4, 3), dim=0)"])
def glu(input: Tensor, dim: int = -1) -> Tensor:
    """Half the size in `dim`."""
    at = wrap_dim(dim, len(input.shape), input)
    refuse("nn.functional.glu", input.dtype, "bi", (input,))
    if not input.shape or int(input.shape[at]) % 2:
        size = int(input.shape[at]) if input.shape else 1
        raise ShapeError(
            f"torch.nn.functional.glu halves dim {at}, whose size is {size}",
            operands=(input,),
            notes=(f"the input is {shape_text(input.shape)}",),
            code="LZ202",
        )
    return new([quotient(size, 2) if i == at else size for i, size in enumerate(input.shape)], input)


# Dropout


def _dropped(name: str, input: Tensor, p: float, training: bool, inplace: bool, refuses: str = "bi") -> Tensor:
    if not 0 <= p <= 1:
        raise ShapeError(f"torch.nn.functional.{name} has a probability of {p}, which is not between 0 and 1")
    if training and p:
        return _activated(name, input, None, refuses, inplace=inplace)
    return input if inplace else new(input.shape, input, values=input.values)


@rule("F.dropout", examples=["F.dropout(f32(2, 3), 0.1)", "F.dropout(f32(2), training=False)"])
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    return _dropped("dropout", input, p, training, inplace)


@rule("torch.dropout", "torch.alpha_dropout", "torch.feature_dropout", examples=["torch.dropout(f32(2, 3), 0.1, True)"])
def torch_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    return _dropped("dropout", input, p, train, False)


@rule(
    "F.dropout2d",
    "F.dropout3d",
    examples=["F.dropout2d(f32(2, 3, 4, 4), 0.1)", "F.dropout3d(f32(2, 3, 4, 4, 4))"],
)
def channel_dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    return _dropped("dropout2d", input, p, training, inplace)


@rule("F.dropout1d", examples=["F.dropout1d(f32(2, 3))", "F.dropout1d(f32(2, 3, 4))"])
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    if input.ndim not in (2, 3):
        raise ShapeError(
            f"dropout1d needs (N, C, L) or (C, L), not {shape_text(input.shape)}", operands=(input,), code="LZ202"
        )
    return _dropped("dropout1d", input, p, training, inplace)


@rule("F.alpha_dropout", "F.feature_alpha_dropout", examples=["F.alpha_dropout(f32(2, 3), 0.1, training=True)"])
def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    return _dropped("alpha_dropout", input, p, training, inplace, "bic")
