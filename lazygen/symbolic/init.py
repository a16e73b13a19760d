"""`torch.nn.init`: nothing is filled, for there are no numbers; ranks are checked as torch checks them.

The parameters of a lazy layer that waits are taken as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.parameter import Unbuilt, UninitializedBuffer, UninitializedParameter
from lazygen.symbolic.observer import Observer
from lazygen.symbolic.tensor import Tensor, numel, shape_text

_WAITING = (Unbuilt, UninitializedBuffer, UninitializedParameter)


def _filler(name: str, ranks: range = range(100)) -> Callable[..., Tensor]:
    """A function that gives its tensor back, whose rank must be one of `ranks`."""

    def fill(tensor: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        if not isinstance(tensor, _WAITING) and len(tensor.shape) not in ranks:
            wanted = f"{ranks[0]} dims" if len(ranks) == 1 else f"{ranks[0]} dims or more"
            raise ShapeError(
                f"torch.nn.init.{name} needs a tensor of {wanted}, not {shape_text(tensor.shape)}",
                operands=(tensor,),
                code="LZ202",
            )
        if isinstance(tensor, _WAITING):
            Observer.filled(tensor)
        else:
            tensor.values = None
        return tensor

    fill.__name__ = name
    return fill


_TWO, _MORE, _KERNELS = range(2, 3), range(2, 100), range(3, 6)

uniform_ = _filler("uniform_")
normal_ = _filler("normal_")
trunc_normal_ = _filler("trunc_normal_")
constant_ = _filler("constant_")
ones_ = _filler("ones_")
zeros_ = _filler("zeros_")
eye_ = _filler("eye_", ranks=_TWO)
sparse_ = _filler("sparse_", ranks=_TWO)
dirac_ = _filler("dirac_", ranks=_KERNELS)
orthogonal_ = _filler("orthogonal_", ranks=_MORE)
xavier_uniform_ = _filler("xavier_uniform_", ranks=_MORE)
xavier_normal_ = _filler("xavier_normal_", ranks=_MORE)
kaiming_uniform_ = _filler("kaiming_uniform_", ranks=_MORE)
kaiming_normal_ = _filler("kaiming_normal_", ranks=_MORE)

# The old names, which torch still has.
uniform, normal, constant, eye, sparse, dirac = uniform_, normal_, constant_, eye_, sparse_, dirac_
orthogonal, xavier_uniform, xavier_normal = orthogonal_, xavier_uniform_, xavier_normal_
kaiming_uniform, kaiming_normal = kaiming_uniform_, kaiming_normal_

_ONES = ("linear", "sigmoid", *(f"conv{part}{n}d" for part in ("", "_transpose") for n in (1, 2, 3)))


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor that torch recommends for a nonlinearity.  Raises ShapeError for an unknown one."""
    # source: https://docs.pytorch.org/docs/stable/nn.init.html
    if nonlinearity in _ONES:
        return 1.0
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        return math.sqrt(2.0 / (1 + slope**2))
    known = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
    if nonlinearity not in known:
        raise ShapeError(f"torch.nn.init knows no gain for {nonlinearity!r}")
    return known[nonlinearity]


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """How many numbers go into one of the output, and how many one of the input goes into."""
    if len(tensor.shape) < 2:
        raise ShapeError(
            f"fan in and fan out need a tensor of 2 dims or more, not {shape_text(tensor.shape)}", operands=(tensor,)
        )
    field = numel(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    """One of the two, by its name."""
    if mode.lower() not in ("fan_in", "fan_out"):
        raise ShapeError(f"{mode!r} is no mode: it is 'fan_in' or 'fan_out'")
    return _calculate_fan_in_and_fan_out(tensor)[mode.lower() == "fan_out"]
