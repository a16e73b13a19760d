"""Special functions: of one number, and of several that broadcast."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.pointwise import pointwise
from lazygen.symbolic.ops.unary import polygamma
from lazygen.symbolic.rules import rule
from lazygen.symbolic.tensor import Tensor


def _of_one(names: str, value: Callable[[Any], Any] | None = None) -> None:
    """A rule for functions of one number; floats for whole numbers, and no complex ones.  `names` are paths."""
    first = names.split()[0]
    public = first.removeprefix("torch.")

    def function(input: Any, *, out: Tensor | None = None) -> Tensor:
        if not isinstance(input, Tensor):
            raise ShapeError(f"torch.{public} takes a tensor, not {type(input).__name__}")
        return pointwise(public, (input,), value, "float", "c", out)

    function.__name__ = function.__qualname__ = first.rpartition(".")[2]
    rule(*names.split(), examples=[f"{first}(f32(2, 3))", f"{first}(i64(3))", f"{first}(f64(2))"])(function)


def _of_two(names: str, numbers: bool = True, value: Callable[[Any, Any], Any] | None = None) -> None:
    """A rule for functions of two numbers; `numbers` says whether a Python number may stand for either."""
    first = names.split()[0]
    public = first.removeprefix("torch.")

    def function(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
        tensors = [operand for operand in (input, other) if isinstance(operand, Tensor)]
        if not tensors or (not numbers and len(tensors) < 2):
            raise ShapeError(f"torch.{public} takes {'a tensor' if numbers else 'two tensors'}")
        return pointwise(public, (input, other), value, "float", "c", out)

    function.__name__ = function.__qualname__ = first.rpartition(".")[2]
    examples = [f"{first}(f32(2, 1), f32(3))", *([f"{first}(f32(2), 2)"] if numbers else [])]
    rule(*names.split(), examples=examples)(function)


for _name in (
    "airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "entr", "erfcx", "i0e", "i1", "i1e", "log_ndtr",
    "modified_bessel_i0", "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1", "ndtr", "ndtri",
    "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "spherical_bessel_j0",
):  # fmt: skip
    _of_one(f"torch.special.{_name}")
_of_one("torch.special.gammaln", math.lgamma)
_of_one("torch.special.psi")

for _name in (
    "chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w",
    "hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p",
    "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w", "xlog1py", "zeta",
):  # fmt: skip
    _of_two(f"torch.special.{_name}")
_of_two("torch.special.xlogy")


@rule(
    "torch.igamma", "Tensor.igamma", "torch.special.gammainc", "torch.igammac", "Tensor.igammac",
    "torch.special.gammaincc", examples=["torch.igamma(f32(2, 1), f32(3))"],
)  # fmt: skip
def igamma(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The incomplete gamma functions, of floats alone."""
    if not isinstance(other, Tensor):
        raise ShapeError("torch.igamma takes two tensors")
    return pointwise("igamma", (input, other), None, "same", "bic", out)


@rule("torch.special.multigammaln", examples=["torch.special.multigammaln(f32(2, 3), 2)"])
def multigammaln(input: Tensor, p: int, *, out: Tensor | None = None) -> Tensor:
    if int(p) < 1:
        raise ShapeError(f"torch.multigammaln needs a p of 1 or more, not {int(p)}", operands=(input,), code="LZ202")
    return pointwise("multigammaln", (input,), None, "float", "bc", out)


@rule("Tensor.polygamma", examples=["f32(2, 3).polygamma(1)"])
def polygamma_method(self: Tensor, n: int) -> Tensor:
    return polygamma(n, self)
