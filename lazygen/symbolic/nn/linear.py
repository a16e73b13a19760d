"""Linear layers."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.build import chosen, function, materialize, register, waiting, whole
from lazygen.symbolic.nn.lazy import LazyModuleMixin, Recorder
from lazygen.symbolic.nn.module import Module, fit
from lazygen.symbolic.tensor import Tensor, new


class Identity(Module):
    """Gives back what it gets, whatever it was built with."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input


class Linear(Module):
    """(*, in_features) to (*, out_features)."""

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = whole(in_features), chosen(out_features)
        register(self, "weight", (self.out_features, self.in_features), dtype, device)
        register(self, "bias", (self.out_features,) if bias else None, dtype, device)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        return None

    def extra_repr(self) -> str:
        sizes = f"in_features={int(self.in_features)}, out_features={int(self.out_features)}"
        return f"{sizes}, bias={self.bias is not None}"

    def forward(self, input: Tensor) -> Tensor:
        if not input.shape:
            raise ShapeError(f"{type(self).__name__} needs an input of one dim or more", operands=(input,))
        fit(self, "in_features", self.in_features, input.shape[-1], input)
        if input.dtype is not self.weight.dtype:
            raise ShapeError(
                f"{type(self).__name__} holds {self.weight.dtype.name}, but its input is {input.dtype.name}",
                operands=(input,),
                helps=(f"convert the input with .to(torch.{self.weight.dtype.name})",),
                code="LZ230",
            )
        return new((*input.shape[:-1], self.out_features), input)


class NonDynamicallyQuantizableLinear(Linear):
    """The linear layer inside of multi-head attention."""


class Bilinear(Module):
    """(*, in1_features) and (*, in2_features) to (*, out_features)."""

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, bias: bool = True,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if int(in1_features) <= 0:
            raise ShapeError(f"in1_features of Bilinear must be more than 0, not {int(in1_features)}", code="LZ202")
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        register(self, "weight", (out_features, in1_features, in2_features), dtype, device)
        register(self, "bias", (out_features,) if bias else None, dtype, device)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        return None

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        for name, tensor in (("in1_features", input1), ("in2_features", input2)):
            if tensor.shape:
                fit(self, name, getattr(self, name), tensor.shape[-1], tensor)
        return function("F.bilinear")(input1, input2, self.weight, self.bias)  # type: ignore[no-any-return]


class LazyLinear(LazyModuleMixin, Linear):
    """A linear layer without `in_features`, the last size of its input."""

    cls_to_become = Linear
    missing = ("in_features",)

    def __init__(self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None) -> None:
        Module.__init__(self)
        self.in_features, self.out_features = 0, chosen(out_features)
        self.weight = waiting(dtype, device)
        self.register_parameter("bias", waiting(dtype, device) if bias else None)
        if type(bias) is not bool:
            self.odd_bias = bias  # most likely meant as out_features
        Recorder.made(self)

    def infer(self, input: Tensor) -> dict[str, int]:
        if not input.shape:
            raise ShapeError("LazyLinear needs an input of one dim or more", operands=(input,))
        return {"in_features": input.shape[-1]}

    def build(self, sizes: dict[str, int]) -> None:
        self.in_features = sizes["in_features"]
        materialize(self.weight, (self.out_features, self.in_features))
        if self.bias is not None:
            materialize(self.bias, (self.out_features,))
