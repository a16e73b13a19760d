"""Pointwise operations of several operands, which broadcast and promote."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, Literal

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.rules import find, rule
from lazygen.symbolic.shapes import broadcast, number_type, result_type
from lazygen.symbolic.tensor import Tensor, new, shape_text
from lazygen.symbolic.unknown import Unknown
from lazygen.symbolic.values import computed, number_or_tensor, write_to

Kind = Literal["same", "float", "bool", "double"]
CATEGORIES = {"b": "bool", "i": "integers", "f": "floats", "c": "complex numbers"}


def pointwise(
    name: str,
    operands: Sequence[Any],
    value: Callable[..., Any] | None = None,
    kind: Kind | dtypes.dtype = "same",
    refuses: str = "",
    out: Tensor | None = None,
) -> Tensor:
    """A pointwise operation over tensors and numbers: broadcast shape, promoted dtype, values of constants.

    `kind` says what becomes of the promoted dtype: nothing, at least a float, bool, float64 or complex128.
    `refuses` names the categories that torch has no such operation for: b(ool), i(nteger), f(loat), c(omplex).
    Raises ShapeError if sizes do not meet (LZ201) or for such a dtype (LZ230).
    """
    tensors = tuple([operand for operand in operands if isinstance(operand, Tensor)])
    if len(operands) == len(tensors) == 1:
        shape, promoted = tensors[0].shape, tensors[0].dtype
    else:
        if len(tensors) < len(operands):
            operands = [number_or_tensor(operand, name) for operand in operands]
        shapes = [t.shape for t in tensors]
        shape = shapes[0] if len(shapes) == 1 else broadcast(*shapes, operands=tensors, name=f"torch.{name}")
        promoted = result_type(*operands)
    if refuses:
        refuse(name, promoted, refuses, tensors)
    made = promoted if kind == "same" else kind if isinstance(kind, dtypes.dtype) else _made(promoted, kind)
    like = _with_dims(tensors)
    values = None
    if value is not None and (like is None or like.values is not None):
        values = computed(value, operands, shape, made)
    result = Tensor(shape, made, None, values) if like is None else new(shape, like, made, None, values)
    return result if out is None else write_to(out, result, name)


def _with_dims(tensors: tuple[Tensor, ...]) -> Tensor | None:
    """The tensor whose device counts: the first that has dims, if any has."""
    for tensor in tensors:
        if tensor.shape:
            return tensor
    return tensors[0] if tensors else None


def refuse(name: str, kind: dtypes.dtype, refuses: str, operands: tuple[Tensor, ...]) -> None:
    """Raise ShapeError if the dtype is of a refused category."""
    category = "bifc"[kind.category]
    if category in refuses:
        raise ShapeError(
            f"torch.{name} takes no {CATEGORIES[category]}",
            operands=operands,
            notes=("the operands are " + " and ".join(f"{t.dtype.name} {shape_text(t.shape)}" for t in operands),),
            code="LZ230",
        )


def _made(promoted: dtypes.dtype, kind: Kind) -> dtypes.dtype:
    if kind == "bool":
        return dtypes.bool_
    if kind == "double":
        return dtypes.complex128 if promoted.category == 3 else dtypes.float64
    return dtypes.DEFAULT_DTYPE[-1] if kind == "float" and promoted.category < 2 else promoted


def _declare(
    names: str,
    value: Callable[[Any, Any], Any] | None,
    kind: Kind = "same",
    refuses: str = "",
    numbers: str = "left right",
    spaces: str = "torch Tensor",
) -> None:
    """A rule for two operands; `numbers` says on which sides a Python number may stand, `spaces` where names live."""
    first = names.split()[0]

    def function(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
        if not (isinstance(input, Tensor) and isinstance(other, Tensor)):
            _tensors_only(first, input, other, numbers)
        return pointwise(first, (input, other), value, kind, refuses, out)

    function.__name__ = function.__qualname__ = first
    own = "i64" if "f" in refuses else "f32"
    second = f", torch.{first}({own}(2, 3), 2)" if "right" in numbers else ""
    examples = [f"torch.{first}({own}(2, 1), {own}(3))", *([second[2:]] if second else [])]
    rule(*(f"{space}.{name}" for space in spaces.split() for name in names.split()), examples=examples)(function)


def _tensors_only(name: str, input: Any, other: Any, numbers: str) -> None:
    for operand, side in ((input, "left"), (other, "right")):
        if not isinstance(operand, Tensor) and side not in numbers:
            raise ShapeError(f"torch.{name} takes a tensor on its {side}, not {type(operand).__name__}")


def _quotient(a: Any, b: Any, rounding: str | None = None) -> Any:
    if rounding is None:
        return a / b
    return a // b if rounding == "floor" or (a >= 0) == (b > 0) else -(abs(a) // abs(b))


@rule(
    "torch.add",
    "Tensor.add",
    examples=["torch.add(f32(2, 1), f32(3))", "torch.add(i64(2), 1.5)", "torch.add(i64(2, 3), i64(3), alpha=2)"],
)
def add(input: Any, other: Any, *, alpha: Any = 1, out: Tensor | None = None) -> Tensor:
    if type(alpha) is int and alpha == 1:
        return pointwise("add", (input, other), operator.add, out=out)
    _check_alpha("add", input, other, alpha)
    return pointwise("add", (input, other), lambda a, b: a + alpha * b, out=out)


@rule(
    "torch.sub", "torch.subtract", "Tensor.sub", "Tensor.subtract",
    examples=["torch.sub(f32(2, 1), f32(3))", "torch.sub(f32(2), 1, alpha=0.5)"],
)  # fmt: skip
def sub(input: Any, other: Any, *, alpha: Any = 1, out: Tensor | None = None) -> Tensor:
    _no_bools("sub", input, other)
    if type(alpha) is int and alpha == 1:
        return pointwise("sub", (input, other), operator.sub, out=out)
    _check_alpha("sub", input, other, alpha)
    return pointwise("sub", (input, other), lambda a, b: a - alpha * b, out=out)


@rule("torch.rsub", examples=["torch.rsub(f32(2), 1)"])
def rsub(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    return sub(other, input, alpha=alpha)


def _check_alpha(name: str, input: Any, other: Any, alpha: Any) -> None:
    kind, own = result_type(number_or_tensor(input, name), number_or_tensor(other, name)), result_type(alpha)
    if own.category > max(kind.category, 1) or (own.category == 0 and kind.category != 0):
        raise ShapeError(f"torch.{name} of {kind.name} takes no alpha of {own.name}", code="LZ230")


def _no_bools(name: str, *operands: Any) -> None:
    kinds = [operand.dtype if isinstance(operand, Tensor) else number_type(operand) for operand in operands]
    if dtypes.bool_ in kinds:
        raise ShapeError(
            f"torch.{name} takes no bools",
            operands=tuple(operand for operand in operands if isinstance(operand, Tensor)),
            helps=("~mask inverts a bool tensor, torch.logical_xor tells where two differ",),
            code="LZ230",
        )


@rule(
    "torch.div", "torch.divide", "torch.true_divide", "Tensor.div", "Tensor.divide", "Tensor.true_divide",
    examples=["torch.div(i64(2, 1), i64(3))", "torch.div(i64(2), 2, rounding_mode='floor')"],
)  # fmt: skip
def div(input: Any, other: Any, *, rounding_mode: str | None = None, out: Tensor | None = None) -> Tensor:
    if rounding_mode not in (None, "floor", "trunc"):
        raise ShapeError(f"torch.div has no rounding_mode {rounding_mode!r}: it is None, 'floor' or 'trunc'")
    kind: Kind = "float" if rounding_mode is None else "same"
    refuses = "" if rounding_mode is None else "bc"
    return pointwise("div", (input, other), lambda a, b: _quotient(a, b, rounding_mode), kind, refuses, out)


@rule("torch.pow", "Tensor.pow", examples=["torch.pow(f32(2, 3), 2)", "torch.pow(2, i64(3))", "torch.pow(b8(2), 3)"])
def power(input: Any, exponent: Any, *, out: Tensor | None = None) -> Tensor:
    if not isinstance(input, Tensor) and not isinstance(exponent, Tensor):
        raise ShapeError("torch.pow takes a tensor as its base or its exponent")
    kind = result_type(number_or_tensor(input, "pow"), number_or_tensor(exponent, "pow"))
    stated = not isinstance(exponent, (Tensor, Unknown))
    if kind.category < 2 and stated and exponent < 0:
        raise ShapeError("torch.pow takes no negative power of integers", helps=("a float power gives floats",))
    refuses = "b" if kind.category == 0 and isinstance(exponent, Tensor) else ""
    return pointwise("pow", (input, exponent), operator.pow, refuses=refuses, out=out)


@rule("torch.ldexp", "Tensor.ldexp", examples=["torch.ldexp(f32(2), i64(2))"])
def ldexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    _tensors_only("ldexp", input, other, "")
    return pointwise("ldexp", (input, other), lambda a, b: a * 2.0**b, "float", out=out)


@rule(
    "torch.where",
    examples=[
        "torch.where(b8(2, 1), f32(3), i64(2, 3))",
        "torch.where(b8(2), 1, 0.5)",
        "torch.where(b8(3), f32(3), 0)",
    ],
)
def where(condition: Tensor, input: Any = None, other: Any = None, *, out: Tensor | None = None) -> Any:
    """Elements of `input` where the condition holds, else of `other`; without both, the indices where it holds."""
    if input is None and other is None:
        nonzero = find("torch.nonzero")
        assert nonzero is not None
        return nonzero(condition, as_tuple=True)
    if condition.dtype not in (dtypes.bool_, dtypes.uint8):
        raise ShapeError(
            f"torch.where needs a bool condition, not {condition.dtype.name}", operands=(condition,), code="LZ230"
        )
    kind = result_type(number_or_tensor(input, "where"), number_or_tensor(other, "where"))
    return pointwise("where", (condition, input, other), lambda c, a, b: a if c else b, kind, out=out)


@rule("Tensor.where", examples=["f32(2, 3).where(b8(3), 0)"])
def where_method(self: Tensor, condition: Tensor, other: Any) -> Any:
    return where(condition, self, other)


@rule(
    "torch.clamp", "torch.clip", "Tensor.clamp", "Tensor.clip",
    examples=["torch.clamp(f32(2, 3), 0, 1)", "torch.clamp(f32(2, 3), min=f32(3))", "i64(3).clamp(max=2.5)"],
)  # fmt: skip
def clamp(input: Tensor, min: Any = None, max: Any = None, *, out: Tensor | None = None) -> Tensor:
    bounds = [bound for bound in (min, max) if bound is not None]
    if not bounds:
        raise ShapeError("torch.clamp needs min or max", operands=(input,))
    if len({isinstance(bound, Tensor) for bound in bounds}) > 1:
        raise ShapeError("torch.clamp takes two tensors or two numbers as bounds, not one of each", operands=(input,))

    def value(number: Any, *limits: Any) -> Any:
        low = limits[0] if min is not None else number
        high = limits[-1] if max is not None else number
        number = low if number < low else number
        return high if number > high else number

    refuses = "bc" if not isinstance(bounds[0], Tensor) else "c"
    if input.dtype.category == 0 and result_type(input, *bounds).category == 1:
        refuses = "c"
    return pointwise("clamp", (input, *bounds), value, refuses=refuses, out=out)


@rule("torch.clamp_min", "Tensor.clamp_min", examples=["torch.clamp_min(f32(2, 3), 0)"])
def clamp_min(input: Tensor, min: Any, *, out: Tensor | None = None) -> Tensor:
    return clamp(input, min, out=out)


@rule("torch.clamp_max", "Tensor.clamp_max", examples=["torch.clamp_max(f32(2, 3), 0)"])
def clamp_max(input: Tensor, max: Any, *, out: Tensor | None = None) -> Tensor:
    return clamp(input, None, max, out=out)


@rule("torch.heaviside", "Tensor.heaviside", examples=["torch.heaviside(f32(2, 1), f32(3))"])
def heaviside(input: Tensor, values: Tensor, *, out: Tensor | None = None) -> Tensor:
    _tensors_only("heaviside", input, values, "")
    _one_dtype("heaviside", input, values)
    return pointwise("heaviside", (input, values), lambda a, b: b if a == 0 else a > 0, refuses="c", out=out)


def _one_dtype(name: str, input: Tensor, *others: Any) -> None:
    for other in others:
        if isinstance(other, Tensor) and other.dtype is not input.dtype:
            raise ShapeError(
                f"torch.{name} needs one dtype, and has {input.dtype.name} and {other.dtype.name}",
                operands=(input, other),
                code="LZ230",
            )


@rule(
    "torch.lerp", "Tensor.lerp", examples=["torch.lerp(f32(2, 1), f32(3), 0.5)", "torch.lerp(f32(2), f32(2), f32(2))"]
)
def lerp(input: Tensor, end: Tensor, weight: Any, *, out: Tensor | None = None) -> Tensor:
    _one_dtype("lerp", input, end, weight)
    refuse("lerp", input.dtype, "bi", (input,))
    return pointwise("lerp", (input, end, weight), lambda a, b, w: a + w * (b - a), input.dtype, out=out)


@rule("torch.addcmul", "Tensor.addcmul", examples=["torch.addcmul(f32(2, 1), f32(3), f32(2, 3), value=0.5)"])
def addcmul(input: Tensor, tensor1: Any, tensor2: Any, *, value: Any = 1, out: Tensor | None = None) -> Tensor:
    return pointwise("addcmul", (input, tensor1, tensor2), lambda a, b, c: a + value * b * c, out=out)


@rule("torch.addcdiv", "Tensor.addcdiv", examples=["torch.addcdiv(f32(2, 1), f32(3), f32(2, 3), value=0.5)"])
def addcdiv(input: Tensor, tensor1: Any, tensor2: Any, *, value: Any = 1, out: Tensor | None = None) -> Tensor:
    if result_type(tensor1, tensor2).category < 2:
        raise ShapeError("torch.addcdiv divides floats only", operands=(tensor1, tensor2), code="LZ230")
    return pointwise("addcdiv", (input, tensor1, tensor2), lambda a, b, c: a + value * b / c, out=out)


def _log_sum(base: float) -> Callable[[Any, Any], Any]:
    return lambda a, b: max(a, b) + math.log1p(base ** -abs(a - b)) / math.log(base)


_declare("mul multiply", operator.mul)
_declare("floor_divide", operator.floordiv, refuses="bc")
_declare("remainder", operator.mod, refuses="bc")
_declare("fmod", lambda a, b: a - b * _quotient(a, b, "trunc"), refuses="bc", numbers="right")
_declare("maximum", max, refuses="c", numbers="")
_declare("minimum", min, refuses="c", numbers="")
_declare("fmax", max, refuses="c", numbers="")
_declare("fmin", min, refuses="c", numbers="")
_declare("atan2 arctan2", math.atan2, "float", refuses="c", numbers="")
_declare("hypot", math.hypot, refuses="bic", numbers="")
_declare("nextafter", None, refuses="bic", numbers="")
_declare("copysign", math.copysign, "float", refuses="c", numbers="right")
_declare("logaddexp", _log_sum(math.e), refuses="bi", numbers="")
_declare("logaddexp2", _log_sum(2), refuses="bic", numbers="")
_declare("xlogy", lambda a, b: a * math.log(b) if a else 0.0, "float", refuses="c")
_declare("float_power", math.pow, "double")
_declare("gcd", math.gcd, refuses="bfc", numbers="")
_declare("lcm", math.lcm, refuses="bfc", numbers="")
_declare("bitwise_and", operator.and_, refuses="fc")
_declare("bitwise_or", operator.or_, refuses="fc")
_declare("bitwise_xor", operator.xor, refuses="fc")
_declare("bitwise_left_shift", operator.lshift, refuses="bfc")
_declare("bitwise_right_shift", operator.rshift, refuses="bfc")
_declare("logical_and", lambda a, b: bool(a) and bool(b), "bool", numbers="")
_declare("logical_or", lambda a, b: bool(a) or bool(b), "bool", numbers="")
_declare("logical_xor", lambda a, b: bool(a) != bool(b), "bool", numbers="")
