"""Running sums, histograms, quantiles, distinct numbers and distances between whole tensors."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from operator import add, mul
from typing import Any, NamedTuple

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError, UnknownValue
from lazygen.symbolic.ops.factories import as_dtype
from lazygen.symbolic.ops.pointwise import refuse
from lazygen.symbolic.ops.reductions import shape_without
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import as_size, broadcast, free_size, result_type, wrap_dim, wrap_dims
from lazygen.symbolic.strides import indices_of
from lazygen.symbolic.tensor import Tensor, new, numel, shape_text
from lazygen.symbolic.values import cast_all, write_to


def _declare_running(name: str, step: Callable[[Any, Any], Any]) -> None:
    def running(input: Tensor, dim: int, *, dtype: Any = None, out: Tensor | None = None) -> Tensor:
        at = wrap_dim(dim, len(input.shape), input)
        kind = as_dtype(dtype) or (dtypes.int64 if input.dtype.category < 2 else input.dtype)
        values = cast_all(_accumulated(input, at, step), kind)
        return write_to(out, new(input.shape, input, kind, values=values), name)

    examples = [f"torch.{name}(f32(2, 3), 1)", f"torch.{name}(b8(2, 3), dim=0, dtype=torch.float32)"]
    rule(f"torch.{name}", f"Tensor.{name}", examples=examples)(running)


def _accumulated(input: Tensor, dim: int, step: Callable[[Any, Any], Any]) -> list[Any] | None:
    if input.values is None:
        return None
    if not input.shape:
        return input.values
    lanes: dict[tuple[int, ...], list[Any]] = {}
    places = [(index[:dim] + index[dim + 1 :], index[dim]) for index in indices_of(input.shape)]
    for (lane, _), value in zip(places, input.values, strict=True):
        lanes.setdefault(lane, []).append(int(value) if isinstance(value, bool) else value)
    totals = {lane: list(accumulate(numbers, step)) for lane, numbers in lanes.items()}
    return [totals[lane][place] for lane, place in places]


_declare_running("cumsum", add)
_declare_running("cumprod", mul)


class Histogram(NamedTuple):
    """How many numbers lie between two edges each."""

    hist: Tensor
    bin_edges: Tensor


@rule("torch.logcumsumexp", "Tensor.logcumsumexp", examples=["torch.logcumsumexp(f32(2, 3), 1)"])
def logcumsumexp(input: Tensor, dim: int, *, out: Tensor | None = None) -> Tensor:
    refuse("logcumsumexp", input.dtype, "bi", (input,))
    wrap_dim(dim, len(input.shape), input)
    return write_to(out, new(input.shape, input), "logcumsumexp")


@rule("torch.histc", "Tensor.histc", examples=["torch.histc(f32(2, 3), bins=10)"])
def histc(input: Tensor, bins: int = 100, min: float = 0, max: float = 0, *, out: Tensor | None = None) -> Tensor:
    """(bins,)"""
    refuse("histc", input.dtype, "bic", (input,))
    if bins <= 0:
        raise ShapeError(f"torch.histc has {int(bins)} bins", operands=(input,))
    return write_to(out, new((as_size(bins),), input), "histc")


@rule("torch.histogram", "Tensor.histogram")
def histogram(
    input: Tensor, bins: Any, *, range: Any = None, weight: Tensor | None = None, density: bool = False, out: Any = None
) -> Histogram:
    """The counts (bins,) and the edges (bins + 1,), which may be given in place of their number."""
    refuse("histogram", input.dtype, "bic", (input,))
    if weight is not None and [int(size) for size in weight.shape] != [int(size) for size in input.shape]:
        raise ShapeError(
            f"torch.histogram has weights of {shape_text(weight.shape)} for {shape_text(input.shape)}",
            operands=(input, weight),
            code="LZ202",
        )
    if isinstance(bins, Tensor):
        if bins.ndim != 1 or bins.dtype is not input.dtype:
            raise ShapeError("torch.histogram takes edges of one dim and the input's dtype", operands=(input, bins))
        return Histogram(new((bins.shape[0] - 1,), input), new(bins.shape, input, values=bins.values))
    if bins <= 0:
        raise ShapeError(f"torch.histogram has {int(bins)} bins", operands=(input,))
    count = as_size(bins)
    return Histogram(new((count,), input), new((count + 1,), input))


@rule("torch.bincount", "Tensor.bincount")
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """One count for each number from 0 to the largest, which only data can tell."""
    refuse("bincount", input.dtype, "bfc", (input,))
    if len(input.shape) != 1:
        raise ShapeError(
            f"torch.bincount takes one dim, not {shape_text(input.shape)}", operands=(input,), code="LZ202"
        )
    kind = dtypes.int64 if weights is None else dtypes.float32 if weights.dtype is dtypes.float32 else dtypes.float64
    if input.values is None:
        return new((free_size("torch.bincount", max(int(minlength), 2)),), input, kind)
    size = max(max(input.values) + 1 if input.values else 0, minlength)
    values = [input.values.count(i) for i in range(int(size))] if weights is None else None
    return new((size,), input, kind, values=values)


@rule(
    "torch.quantile",
    "Tensor.quantile",
    "torch.nanquantile",
    "Tensor.nanquantile",
    examples=["torch.quantile(f32(2, 3), 0.5, dim=1)"],
)
def quantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
    out: Any = None,
) -> Tensor:
    """The reduced shape, with the length of `q` before it if that is a tensor of one dim."""
    if input.dtype not in (dtypes.float32, dtypes.float64) or (isinstance(q, Tensor) and q.dtype is not input.dtype):
        raise ShapeError(
            f"torch.quantile takes float32 or float64 and q of the same dtype, not {input.dtype.name}",
            operands=(input,),
            code="LZ230",
        )
    if not isinstance(q, Tensor) and not 0 <= q <= 1:
        raise ShapeError(f"torch.quantile has q {q}, which is not between 0 and 1")
    if int(numel(input.shape)) == 0:
        raise ShapeError("torch.quantile of no numbers", operands=(input,), code="LZ202")
    dims = wrap_dims(dim, len(input.shape))
    return new([*(q.shape if isinstance(q, Tensor) else ()), *shape_without(input.shape, dims, keepdim)], input)


@rule("torch.unique", "Tensor.unique")
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The distinct numbers, whose count only data can tell; then where each number went, and how often each occurs."""
    values = distinct(input.values) if input.values is not None and dim is None else None
    if dim is None:
        size = free_size("torch.unique", int(numel(input.shape))) if values is None else len(values)
        shape: list[int] = [size]
        where: list[int] = list(input.shape)
    else:
        at = wrap_dim(dim, len(input.shape), input)
        size = free_size("torch.unique", int(input.shape[at]))
        shape, where = list(input.shape), [input.shape[at]]
        shape[at] = size
    results = [new(shape, input, values=values)]
    if return_inverse:
        results.append(new(where, input, dtypes.int64))
    if return_counts:
        results.append(new((size,), input, dtypes.int64))
    return results[0] if len(results) == 1 else tuple(results)


def distinct(values: list[Any]) -> list[Any] | None:
    """The distinct numbers in order; None if they hang on data."""
    try:
        return sorted(set(values))
    except (TypeError, UnknownValue):
        return None


@rule("torch.dist", "Tensor.dist", examples=["torch.dist(f32(2, 1), f32(3))"])
def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    refuse("dist", result_type(input, other), "bi", (input, other))
    broadcast(input.shape, other.shape, operands=(input, other), name="torch.dist")
    return new((), input, result_type(input, other).to_real())


@rule("torch.renorm", "Tensor.renorm", examples=["torch.renorm(f32(2, 3), 2, 0, 1.0)"])
def renorm(input: Tensor, p: float, dim: int, maxnorm: float, *, out: Tensor | None = None) -> Tensor:
    if len(input.shape) < 2:
        raise ShapeError(
            f"torch.renorm needs two dims or more, not {shape_text(input.shape)}", operands=(input,), code="LZ202"
        )
    refuse("renorm", input.dtype, "bi", (input,))
    wrap_dim(dim, len(input.shape), input)
    return write_to(out, new(input.shape, input), "renorm")


@rule(
    "torch.cov",
    "Tensor.cov",
    "torch.corrcoef",
    "Tensor.corrcoef",
    examples=["torch.cov(f32(2, 3))", "torch.cov(f32(3))"],
)
def cov(input: Tensor, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Tensor:
    """(variables, variables), a number for one variable."""
    if len(input.shape) > 2:
        raise ShapeError(
            f"torch.cov takes two dims at most, not {shape_text(input.shape)}", operands=(input,), code="LZ202"
        )
    kind = input.dtype if input.dtype.category >= 2 else dtypes.DEFAULT_DTYPE[-1]
    single = len(input.shape) < 2 or int(input.shape[0]) == 1
    return new(() if single else (input.shape[0], input.shape[0]), input, kind)
