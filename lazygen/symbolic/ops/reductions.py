"""Operations that take dims away: sums, means, extremes, norms, and what is counted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from lazygen.symbolic import dtypes
from lazygen.symbolic.dtypes import dtype as Dtype
from lazygen.symbolic.errors import ShapeError, UnknownValue
from lazygen.symbolic.ops.factories import as_dtype
from lazygen.symbolic.ops.pointwise import refuse
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import wrap_dim, wrap_dims
from lazygen.symbolic.tensor import Tensor, new, shape_text
from lazygen.symbolic.values import cast_all, lanes, write_to

Value = Callable[[list[Any]], Any]
NOT_GIVEN: Any = object()


class Extremes(NamedTuple):
    """What `torch.max` along a dim gives, and its kin."""

    values: Tensor
    indices: Tensor


def reduced(
    name: str,
    input: Tensor,
    dim: Any = None,
    keepdim: bool = False,
    kind: Dtype | None = None,
    value: Value | None = None,
    needs_numbers: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The result of a reduction over `dim`: one, several, or all for None and ().

    `value` computes a constant's number from the list of those it is made from.  An operation that has no result for
    no numbers says so with `needs_numbers`: it raises ShapeError (LZ202) where a reduced size is 0.
    """
    sizes = input.shape
    dims = wrap_dims(None if isinstance(dim, (tuple, list)) and not dim else dim, len(sizes))
    if needs_numbers and 0 in sizes and any(size == 0 and at in dims for at, size in enumerate(sizes)):
        raise ShapeError(
            f"torch.{name} has nothing to choose from: a size of {shape_text(input.shape)} is 0",
            operands=(input,),
            code="LZ202",
        )
    kind = kind or input.dtype
    shape = shape_without(sizes, dims, keepdim)
    values = None if input.values is None else _over_lanes(input, dims, kind, value)
    result = new(shape, input, kind, values=values)
    return result if out is None else write_to(out, result, name)


def shape_without(shape: Sequence[int], dims: Sequence[int], keepdim: bool) -> list[int]:
    """The shape without some dims, or with 1 in their place."""
    if not keepdim:
        return [size for at, size in enumerate(shape) if at not in dims]
    return [1 if at in dims else size for at, size in enumerate(shape)]


def _over_lanes(input: Tensor, dims: Sequence[int], kind: Dtype, value: Value | None) -> list[Any] | None:
    groups = lanes(input, dims) if value is not None else None
    if groups is None or value is None:
        return None
    try:
        return cast_all([value(group) for group in groups], kind)
    except (ArithmeticError, ValueError, TypeError, UnknownValue):
        return None


def _no_keepdim(name: str, dim: Any, keepdim: bool) -> Any:
    if dim is NOT_GIVEN and keepdim:
        raise ShapeError(f"torch.{name} takes keepdim only with dim")
    return None if dim is NOT_GIVEN else dim


def _mean(numbers: list[Any]) -> Any:
    return sum(numbers) / len(numbers)


def _summed(kind: Dtype, dtype: Any) -> Dtype:
    return as_dtype(dtype) or (dtypes.int64 if kind.category < 2 else kind)


@rule(
    "torch.sum",
    "Tensor.sum",
    examples=["torch.sum(f32(2, 3))", "torch.sum(b8(2, 3), dim=(0, -1), keepdim=True)", "i32(2).sum()"],
)
def sum_(
    input: Tensor, dim: Any = NOT_GIVEN, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None
) -> Tensor:
    dim = _no_keepdim("sum", dim, keepdim)
    return reduced("sum", input, dim, keepdim, _summed(input.dtype, dtype), sum, out=out)


@rule("torch.nansum", "Tensor.nansum", examples=["torch.nansum(f32(2, 3), dim=1)"])
def nansum(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None
) -> Tensor:
    refuse("nansum", input.dtype, "c", (input,))
    return reduced("nansum", input, dim, keepdim, _summed(input.dtype, dtype), out=out)


@rule("torch.mean", "Tensor.mean", examples=["torch.mean(f32(2, 3))", "torch.mean(i64(2, 3), 1, dtype=torch.float32)"])
def mean(
    input: Tensor, dim: Any = NOT_GIVEN, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None
) -> Tensor:
    kind = as_dtype(dtype) or input.dtype
    dim = _no_keepdim("mean", dim, keepdim)
    if kind.category < 2:
        raise ShapeError(
            f"torch.mean takes floats, not {kind.name}",
            operands=(input,),
            helps=("dtype=torch.float32 converts first",),
            code="LZ230",
        )
    return reduced("mean", input, dim, keepdim, kind, _mean, out=out)


@rule("torch.nanmean", "Tensor.nanmean", examples=["torch.nanmean(f32(2, 3), dim=1)"])
def nanmean(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None
) -> Tensor:
    refuse("nanmean", input.dtype, "bic", (input,))
    return reduced("nanmean", input, dim, keepdim, as_dtype(dtype), out=out)


@rule("torch.prod", "Tensor.prod", examples=["torch.prod(f32(2, 3))", "torch.prod(i32(2, 3), 1, keepdim=True)"])
def prod(
    input: Tensor, dim: Any = NOT_GIVEN, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None
) -> Tensor:
    _one_dim("prod", dim)
    dim = _no_keepdim("prod", dim, keepdim)
    return reduced("prod", input, dim, keepdim, _summed(input.dtype, dtype), math.prod, out=out)


def _one_dim(name: str, dim: Any) -> None:
    if dim is not NOT_GIVEN and not hasattr(dim, "__index__"):
        raise ShapeError(f"torch.{name} takes one dim, not {dim!r}")


# Extremes


def _declare_extreme(name: str, choose: Callable[[list[Any]], Any]) -> None:
    def both(input: Tensor, dim: Any = NOT_GIVEN, keepdim: bool = False, *, other: Any = None, out: Any = None) -> Any:
        """Of all numbers one, along a dim the numbers and where they stand, of two tensors the pointwise choice."""
        second = dim if isinstance(dim, Tensor) else other
        if isinstance(second, Tensor):
            from lazygen.symbolic.rules import find

            pointwise = find(f"torch.{name}imum")
            assert pointwise is not None
            return pointwise(input, second, out=out)
        refuse(name, input.dtype, "c", (input,))
        if dim is NOT_GIVEN:
            return reduced(name, input, _no_keepdim(name, dim, keepdim), value=choose, needs_numbers=True, out=out)
        return _chosen(name, input, dim, keepdim, choose, True)

    def over(input: Tensor, dim: Any = (), keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
        refuse(f"a{name}", input.dtype, "c", (input,))
        if dim is None:
            raise ShapeError(f"torch.a{name} takes dims, not None")
        return reduced(f"a{name}", input, dim, keepdim, value=choose, needs_numbers=True, out=out)

    def where(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
        refuse(f"arg{name}", input.dtype, "bc", (input,))
        if dim is not None:
            _one_dim(f"arg{name}", dim)
        value: Value = lambda numbers: numbers.index(choose(numbers))  # noqa: E731
        return reduced(f"arg{name}", input, dim, keepdim, dtypes.int64, value, needs_numbers=True)

    def running(input: Tensor, dim: int, *, out: Any = None) -> Extremes:
        refuse(f"cum{name}", input.dtype, "c", (input,))
        wrap_dim(dim, len(input.shape), input)
        return Extremes(new(input.shape, input), new(input.shape, input, dtypes.int64))

    forms = [
        f"torch.{name}(f32(2, 3))",
        f"torch.{name}(f32(2, 3), 1, keepdim=True)",
        f"torch.{name}(f32(2, 1), f32(3))",
    ]
    rule(f"torch.{name}", f"Tensor.{name}", examples=forms)(both)
    rule(f"torch.a{name}", f"Tensor.a{name}", examples=[f"torch.a{name}(f32(2, 3), dim=(0, 1))"])(over)
    examples = [f"torch.arg{name}(f32(2, 3))", f"torch.arg{name}(f32(2, 3), dim=1, keepdim=True)"]
    rule(f"torch.arg{name}", f"Tensor.arg{name}", examples=examples)(where)
    rule(f"torch.cum{name}", f"Tensor.cum{name}", examples=[f"torch.cum{name}(f32(2, 3), 1)"])(running)


def _chosen(
    name: str,
    input: Tensor,
    dim: Any,
    keepdim: bool,
    choose: Callable[[list[Any]], Any] | None,
    needs_numbers: bool = False,
) -> Extremes:
    """The chosen number of each lane along a dim, and its index there."""
    _one_dim(name, dim)
    where: Value | None = None if choose is None else lambda numbers: numbers.index(choose(numbers))
    return Extremes(
        reduced(name, input, dim, keepdim, value=choose, needs_numbers=needs_numbers),
        reduced(name, input, dim, keepdim, dtypes.int64, where),
    )


_declare_extreme("max", max)
_declare_extreme("min", min)


@rule("torch.aminmax", "Tensor.aminmax", examples=["torch.aminmax(f32(2, 3))", "torch.aminmax(f32(2, 3), dim=1)"])
def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False, out: Any = None) -> tuple[Tensor, Tensor]:
    refuse("aminmax", input.dtype, "c", (input,))
    low, high = (
        reduced("aminmax", input, dim, keepdim, value=choose, needs_numbers=True)
        for choose in (lambda numbers: min(numbers), lambda numbers: max(numbers))
    )
    return low, high


def _declare_middle(name: str) -> None:
    def middle(input: Tensor, dim: Any = NOT_GIVEN, keepdim: bool = False, *, out: Any = None) -> Any:
        refuse(name, input.dtype, "bc", (input,))
        choose: Value | None = None if name == "nanmedian" else lambda numbers: sorted(numbers)[(len(numbers) - 1) // 2]
        if dim is NOT_GIVEN:
            return reduced(name, input, _no_keepdim(name, dim, keepdim), value=choose)
        return _chosen(name, input, dim, keepdim, choose, True)

    examples = [f"torch.{name}(f32(2, 3))", f"torch.{name}(f32(2, 3), dim=1)"]
    rule(f"torch.{name}", f"Tensor.{name}", examples=examples)(middle)


_declare_middle("median")
_declare_middle("nanmedian")


@rule("torch.mode", "Tensor.mode", examples=["torch.mode(f32(2, 3))"])
def mode(input: Tensor, dim: int = -1, keepdim: bool = False, *, out: Any = None) -> Extremes:
    refuse("mode", input.dtype, "c", (input,))
    return _chosen("mode", input, dim, keepdim, None, True)


# Spread and norms


def _declare_spread(name: str, power: float) -> None:
    def spread(
        input: Tensor, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = NOT_GIVEN,
        out: Tensor | None = None,
    ) -> Tensor:  # fmt: skip
        lost, dim = _correction(name, input, dim, unbiased, correction)

        def value(numbers: list[Any]) -> Any:
            middle = _mean(numbers)
            return (sum((number - middle) ** 2 for number in numbers) / max(len(numbers) - lost, 0)) ** power

        return reduced(name, input, dim, keepdim, input.dtype.to_real(), value, out=out)

    def with_mean(
        input: Tensor, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = NOT_GIVEN
    ) -> tuple[Tensor, Tensor]:
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        result = spread(input, dim, unbiased, keepdim, correction=correction)
        return result, reduced(f"{name}_mean", input, dim, keepdim, value=_mean)

    examples = [
        f"torch.{name}(f32(2, 3))",
        f"torch.{name}(f32(2, 3), dim=1, keepdim=True)",
        f"f32(2, 3).{name}(0, False)",
    ]
    rule(f"torch.{name}", f"Tensor.{name}", examples=examples)(spread)
    rule(f"torch.{name}_mean", examples=[f"torch.{name}_mean(f32(2, 3), dim=1)"])(with_mean)


def _correction(name: str, input: Tensor, dim: Any, unbiased: Any, correction: Any) -> tuple[float, Any]:
    refuse(name, input.dtype, "bi", (input,))
    if isinstance(dim, bool):  # std(input, unbiased)
        dim, unbiased = None, dim
    if correction is not NOT_GIVEN and correction is not None:
        return correction, dim
    return (1 if unbiased is None else int(unbiased)), dim


_declare_spread("var", 1.0)
_declare_spread("std", 0.5)


@rule(
    "torch.norm", "Tensor.norm",
    examples=["torch.norm(f32(2, 3))", "torch.norm(f32(2, 3), p=1, dim=1, keepdim=True)", "f32(2, 3).norm(dim=(0, 1))"],
)  # fmt: skip
def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: Tensor | None = None, dtype: Any = None
) -> Tensor:
    refuse("norm", input.dtype, "bi", (input,))
    if isinstance(p, str) and p not in ("fro", "nuc"):
        raise ShapeError(f"torch.norm has no norm {p!r}: it is a number, 'fro' or 'nuc'")
    order = 2 if p in ("fro", None) else p
    value: Value | None = None
    if not isinstance(order, str) and 0 < order < math.inf:
        value = lambda numbers: sum(abs(number) ** order for number in numbers) ** (1 / order)  # noqa: E731
    return reduced("norm", input, dim, keepdim, as_dtype(dtype) or input.dtype.to_real(), value, out=out)


@rule("torch.logsumexp", "Tensor.logsumexp", "torch.special.logsumexp", examples=["torch.logsumexp(f32(2, 3), 1)"])
def logsumexp(input: Tensor, dim: Any, keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
    kind = input.dtype if input.dtype.category >= 2 else dtypes.DEFAULT_DTYPE[-1]
    if dim is None:
        raise ShapeError("torch.logsumexp takes a dim or several, not None")

    def value(numbers: list[Any]) -> float:
        top = max(numbers)
        return float(top + math.log(sum(math.exp(number - top) for number in numbers)))

    return reduced("logsumexp", input, dim, keepdim, kind, value, out=out)


# Counting


def _declare_logical(name: str, value: Callable[[Any], bool]) -> None:
    def function(input: Tensor, dim: Any = None, keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
        kind = dtypes.uint8 if input.dtype is dtypes.uint8 else dtypes.bool_
        if isinstance(dim, (tuple, list)) and not dim:  # no dims, where other reductions take all
            from lazygen.symbolic.ops.pointwise import pointwise

            return pointwise(name, (input,), bool, kind, out=out)
        return reduced(name, input, dim, keepdim, kind, value, out=out)

    examples = [f"torch.{name}(b8(2, 3))", f"torch.{name}(f32(2, 3), dim=1, keepdim=True)"]
    rule(f"torch.{name}", f"Tensor.{name}", examples=examples)(function)


_declare_logical("all", all)
_declare_logical("any", any)


@rule("torch.count_nonzero", "Tensor.count_nonzero", examples=["torch.count_nonzero(f32(2, 3), dim=1)"])
def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    return reduced("count_nonzero", input, dim, False, dtypes.int64, lambda numbers: sum(n != 0 for n in numbers))
