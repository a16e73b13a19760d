"""Activations: each calls the function of its name."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.build import function, register
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import Tensor, shape_text


class _Activation(Module):
    """Any shape to the same."""

    rule = ""

    def _call(self, input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return function(self.rule)(input, *args, **kwargs)  # type: ignore[no-any-return]

    def forward(self, input: Tensor) -> Tensor:
        return self._call(input)


class _InPlace(_Activation):
    """An activation whose only setting is whether it writes into its input."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""

    def forward(self, input: Tensor) -> Tensor:
        return self._call(input, inplace=self.inplace)


class ReLU(_InPlace):
    rule = "F.relu"


class Hardsigmoid(_InPlace):
    rule = "F.hardsigmoid"


class SiLU(_InPlace):
    rule = "F.silu"


class Mish(_InPlace):
    rule = "F.mish"


class Hardswish(_InPlace):
    rule = "F.hardswish"


class SELU(_InPlace):
    rule = "F.selu"


class Sigmoid(_Activation):
    rule = "torch.sigmoid"


class Tanh(_Activation):
    rule = "torch.tanh"


class LogSigmoid(_Activation):
    rule = "F.logsigmoid"


class Softsign(_Activation):
    rule = "F.softsign"


class Tanhshrink(_Activation):
    rule = "F.tanhshrink"


class Threshold(_Activation):
    rule = "F.threshold"

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold, self.value, self.inplace = threshold, value, inplace

    def forward(self, input: Tensor) -> Tensor:
        return self._call(input, self.threshold, self.value, self.inplace)


class RReLU(_Activation):
    rule = "F.rrelu"

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3, inplace: bool = False) -> None:
        super().__init__()
        self.lower, self.upper, self.inplace = lower, upper, inplace

    def forward(self, input: Tensor) -> Tensor:
        return self._call(input, self.lower, self.upper, self.training, self.inplace)


class Hardtanh(_Activation):
    rule = "F.hardtanh"

    def __init__(
        self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False, min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.min_val = min_val if min_value is None else min_value
        self.max_val = max_val if max_value is None else max_value
        self.inplace = inplace
        if not self.max_val > self.min_val:
            raise ShapeError(f"max_val ({self.max_val}) of Hardtanh must be more than min_val ({self.min_val})")

    def forward(self, input: Tensor) -> Tensor:
        return self._call(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)


class ELU(_Activation):
    rule = "F.elu"

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input: Tensor) -> Tensor:
        return self._call(input, self.alpha, self.inplace)


class CELU(ELU):
    rule = "F.celu"


class GLU(_Activation):
    """Half of the size of `dim` is left."""

    rule = "F.glu"

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return self._call(input, self.dim)


class GELU(_Activation):
    rule = "F.gelu"

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        return self._call(input, approximate=self.approximate)


class Hardshrink(_Activation):
    rule = "F.hardshrink"

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        return self._call(input, self.lambd)


class Softshrink(Hardshrink):
    rule = "F.softshrink"


class LeakyReLU(_Activation):
    rule = "F.leaky_relu"

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input: Tensor) -> Tensor:
        return self._call(input, self.negative_slope, self.inplace)


class Softplus(_Activation):
    rule = "F.softplus"

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Tensor) -> Tensor:
        return self._call(input, self.beta, self.threshold)


class PReLU(_Activation):
    """(N, C, *) to the same, with one slope, or one for each of the C channels."""

    rule = "F.prelu"

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        register(self, "weight", (num_parameters,), dtype, device)

    def reset_parameters(self) -> None:
        return None

    def forward(self, input: Tensor) -> Tensor:
        return self._call(input, self.weight)


class _AlongDim(_Activation):
    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return self._call(input, self.dim)


class Softmin(_AlongDim):
    rule = "F.softmin"


class Softmax(_AlongDim):
    rule = "F.softmax"


class LogSoftmax(_AlongDim):
    rule = "F.log_softmax"


class Softmax2d(_Activation):
    """(N, C, H, W), or (C, H, W), to the same, over the channels."""

    rule = "F.softmax"

    def forward(self, input: Tensor) -> Tensor:
        if len(input.shape) not in (3, 4):
            raise ShapeError(
                f"Softmax2d needs an input of 4 dims, or 3 without a batch, not {shape_text(input.shape)}",
                operands=(input,),
                code="LZ202",
            )
        return self._call(input, -3)
