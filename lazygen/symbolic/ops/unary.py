"""Pointwise operations of one operand."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.pointwise import Kind, pointwise
from lazygen.symbolic.rules import rule
from lazygen.symbolic.tensor import Tensor


def _declare(
    names: str, value: Callable[[Any], Any] | None, kind: Kind = "same", refuses: str = "", spaces: str = "torch Tensor"
) -> None:
    """A rule for one operand; `kind` and `refuses` are those of `pointwise`, `spaces` is where its names live."""
    first = names.split()[0]
    public = f"{spaces.split()[0].removeprefix('torch').lstrip('.')}.{first}".lstrip(".")

    def function(input: Any, *, out: Tensor | None = None) -> Tensor:
        if not isinstance(input, Tensor):
            raise ShapeError(f"torch.{public} takes a tensor, not {type(input).__name__}")
        return pointwise(public, (input,), value, kind, refuses, out)

    function.__name__ = function.__qualname__ = first
    own = "b8" if "i" in refuses else "i64" if "f" in refuses else "f32"
    call = f"{spaces.split()[0]}.{first}"
    examples = [f"{call}({own}(2, 3))", *([f"{call}(i64(3))"] if kind == "float" else [])]
    rule(*(f"{space}.{name}" for space in spaces.split() for name in names.split()), examples=examples)(function)


def _finite(number: Any) -> bool:
    return cmath.isfinite(number)


def _sign(number: Any) -> Any:
    return (number > 0) - (number < 0)


def _sinc(number: float) -> float:
    return math.sin(math.pi * number) / (math.pi * number) if number else 1.0


def sigmoid(number: float) -> float:
    """The logistic function of one number, without overflow."""
    return 1 / (1 + math.exp(-number)) if number >= 0 else math.exp(number) / (1 + math.exp(number))


# What gives floats whatever it gets.
_names: str
_value: Callable[[Any], Any] | None
_declare("sigmoid", sigmoid, "float", spaces="torch Tensor F")
_declare("expit", sigmoid, "float", spaces="torch.special")
_declare("tanh", math.tanh, "float", spaces="torch Tensor F")
for _names, _value in {
    "exp": math.exp, "log": math.log, "log2": math.log2, "log10": math.log10, "sqrt": math.sqrt,
    "rsqrt": lambda x: 1 / math.sqrt(x), "reciprocal": lambda x: 1 / x, "sin": math.sin, "cos": math.cos,
    "tan": math.tan, "asin arcsin": math.asin, "acos arccos": math.acos, "atan arctan": math.atan, "sinh": math.sinh,
    "cosh": math.cosh, "asinh arcsinh": math.asinh, "acosh arccosh": math.acosh, "atanh arctanh": math.atanh,
}.items():  # fmt: skip
    _declare(_names, _value, "float")
for _names, _value in {"exp2": lambda x: 2.0**x, "expm1": math.expm1, "log1p": math.log1p, "sinc": _sinc}.items():
    _declare(_names, _value, "float", spaces="torch Tensor torch.special")
for _names, _value in {"erf": math.erf, "erfc": math.erfc, "i0": None, "digamma": None, "erfinv": None}.items():
    _declare(_names, _value, "float", "c", spaces="torch Tensor torch.special")
_declare("lgamma", math.lgamma, "float", "c")
_declare("deg2rad", math.radians, "float", "c")
_declare("rad2deg", math.degrees, "float", "c")

# What keeps the dtype.
_declare("neg negative", lambda x: -x, refuses="b")
_declare("positive", lambda x: x, refuses="b")
_declare("sgn", lambda x: _sign(x) if not isinstance(x, complex) else x / abs(x) if x else x)
_declare("sign", _sign, refuses="c")
_declare("floor", math.floor, refuses="bc")
_declare("ceil", math.ceil, refuses="bc")
_declare("trunc fix", math.trunc, refuses="bc")
_declare("frac", lambda x: x - math.trunc(x), refuses="bic")
_declare("bitwise_not", lambda x: not x if isinstance(x, bool) else ~x, refuses="fc")
_declare("conj conj_physical resolve_conj", lambda x: x.conjugate())
_declare("resolve_neg", lambda x: x)

# What gives bools.
_declare("logical_not", lambda x: not x, "bool")
_declare("isnan", lambda x: x != x, "bool")
_declare("isinf", cmath.isinf, "bool")
_declare("isfinite", _finite, "bool")
_declare("isposinf", lambda x: x == math.inf, "bool", "c")
_declare("isneginf", lambda x: x == -math.inf, "bool", "c")
_declare("isreal", lambda x: not isinstance(x, complex) or x.imag == 0, "bool")
_declare("signbit", lambda x: math.copysign(1, x) < 0, "bool", "c")


@rule("torch.relu", "Tensor.relu", "torch.relu_", examples=["torch.relu(f32(2, 3))", "torch.relu(i64(2))"])
def relu(input: Tensor) -> Tensor:
    return pointwise("relu", (input,), lambda x: x if x > 0 else 0 * x, refuses="bc")


@rule(
    "torch.abs", "torch.absolute", "Tensor.abs", "Tensor.absolute",
    examples=["torch.abs(i64(2, 3))", "torch.abs(c64(2, 3))"],
)  # fmt: skip
def absolute(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    return pointwise("abs", (input,), abs, input.dtype.to_real(), "b" if input.dtype.category == 0 else "", out)


@rule("torch.square", "Tensor.square", examples=["torch.square(f32(2, 3))", "torch.square(b8(2))"])
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    kind = dtypes.int64 if input.dtype.category == 0 else input.dtype
    return pointwise("square", (input,), lambda x: x * x, kind, out=out)


@rule("torch.angle", "Tensor.angle", examples=["torch.angle(c64(2))", "torch.angle(i64(2))"])
def angle(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    kind = input.dtype.to_real() if input.dtype.category >= 2 else dtypes.DEFAULT_DTYPE[-1]
    return pointwise("angle", (input,), lambda x: cmath.phase(x), kind, out=out)


@rule("torch.real", examples=["torch.real(c64(2))", "torch.real(f32(2))"])
def real(input: Tensor) -> Tensor:
    return pointwise("real", (input,), lambda x: x.real, input.dtype.to_real())


@rule("torch.imag", examples=["torch.imag(c64(2))", "torch.imag(f32(2))"])
def imag(input: Tensor) -> Tensor:
    if input.dtype.category != 3:
        raise ShapeError("torch.imag takes complex tensors only", operands=(input,), code="LZ230")
    return pointwise("imag", (input,), lambda x: x.imag, input.dtype.to_real())


@rule("torch.round", "Tensor.round", "torch.special.round", examples=["torch.round(f32(2, 3), decimals=2)"])
def round_(input: Tensor, *, decimals: int = 0, out: Tensor | None = None) -> Tensor:
    if decimals and input.dtype.category < 2:
        raise ShapeError("torch.round takes decimals for floats only", operands=(input,), code="LZ230")
    return pointwise("round", (input,), lambda x: round(x, decimals) if decimals else round(x), refuses="bc", out=out)


@rule("torch.logit", "Tensor.logit", "torch.special.logit", examples=["torch.logit(f32(2, 3), 1e-6)"])
def logit(input: Tensor, eps: float | None = None, *, out: Tensor | None = None) -> Tensor:
    def value(number: float) -> float:
        number = number if eps is None else min(max(number, eps), 1 - eps)
        return math.log(number / (1 - number))

    return pointwise("logit", (input,), value, "float", "c", out)


@rule("torch.nan_to_num", "Tensor.nan_to_num", examples=["torch.nan_to_num(f32(2, 3), nan=1.0)"])
def nan_to_num(
    input: Tensor,
    nan: float | None = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    def value(number: Any) -> Any:
        if math.isnan(number):
            return nan or 0.0
        if math.isinf(number) and (posinf if number > 0 else neginf) is None:
            raise ValueError("the largest number of the dtype")
        return number if not math.isinf(number) else posinf if number > 0 else neginf

    return pointwise("nan_to_num", (input,), value, out=out)


@rule("torch.polygamma", "torch.special.polygamma", examples=["torch.polygamma(1, f32(2))"])
def polygamma(n: int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    return pointwise("polygamma", (input,), None, "float", "c", out)


@rule("torch.mvlgamma", "Tensor.mvlgamma", examples=["torch.mvlgamma(f32(2), 2)"])
def mvlgamma(input: Tensor, p: int, *, out: Tensor | None = None) -> Tensor:
    return pointwise("mvlgamma", (input,), None, "float", "c", out)
