"""Diagonals put into a tensor or taken out of one, and what is computed from neighbouring elements."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.arrange import diagonal
from lazygen.symbolic.ops.joining import cat
from lazygen.symbolic.ops.pointwise import sub
from lazygen.symbolic.ops.views import part
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import broadcast, result_type, wrap_dim
from lazygen.symbolic.tensor import Tensor, new, numel, shape_text


@rule(
    "torch.diag_embed", "Tensor.diag_embed", examples=["torch.diag_embed(f32(2, 3))", "f32(2, 3).diag_embed(1, 0, 2)"]
)
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """(*, n) to (*, n + |offset|, n + |offset|), the two new dims at `dim1` and `dim2` of the result."""
    if not input.shape:
        raise ShapeError("diag_embed needs a tensor of one dim or more", operands=(input,), code="LZ203")
    rank = input.ndim + 1
    first, second = wrap_dim(dim1, rank, input), wrap_dim(dim2, rank, input)
    if first == second:
        raise ShapeError(f"diag_embed needs two different dims, not {first} twice", operands=(input,), code="LZ203")
    side = input.shape[-1] + (offset if int(offset) >= 0 else -offset)
    others = iter(input.shape[:-1])
    return new([side if at in (first, second) else next(others) for at in range(rank)], input)


@rule("torch.linalg.diag_embed")
def _linalg_diag_embed(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    return diag_embed(A, offset, dim1, dim2)


@rule("torch.diag", "Tensor.diag", examples=["torch.diag(f32(3))", "torch.diag(f32(3, 4), 1)", "f32(3).diag(-2)"])
def diag(input: Tensor, diagonal: int = 0, *, out: Any = None) -> Tensor:
    """(n) to the square matrix with it as a diagonal, a matrix to its diagonal."""
    if input.ndim not in (1, 2):
        raise ShapeError(
            f"diag needs a tensor of one or two dims, not {shape_text(input.shape)}", operands=(input,), code="LZ203"
        )
    return diag_embed(input, diagonal) if input.ndim == 1 else _diagonal(input, diagonal)


_diagonal = diagonal  # `diag` has an argument of that name


@rule("torch.diagflat", "Tensor.diagflat", examples=["torch.diagflat(f32(2, 3))", "torch.diagflat(f32(3), 1)"])
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """The square matrix with all elements along a diagonal."""
    return diag_embed(new((numel(input.shape),), input), offset)


@rule("torch.trace", "Tensor.trace", examples=["torch.trace(f32(3, 4))", "torch.trace(i32(3, 3))"])
def trace(input: Tensor) -> Tensor:
    """The sum of a matrix's diagonal, ()."""
    if input.ndim != 2:
        raise ShapeError(f"trace needs a matrix, not {shape_text(input.shape)}", operands=(input,), code="LZ202")
    return new((), input, dtype=dtypes.int64 if input.dtype.category < 2 else input.dtype)


@rule(
    "torch.diagonal_scatter",
    "Tensor.diagonal_scatter",
    examples=["torch.diagonal_scatter(f32(3, 3), f32(3))", "torch.diagonal_scatter(f32(3, 4), f32(3), 1)"],
)
def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    place = diagonal(input, offset, dim1, dim2)
    if list(map(int, place.shape)) != list(map(int, src.shape)):
        raise ShapeError(
            f"diagonal_scatter puts {shape_text(src.shape)} onto a diagonal of {shape_text(place.shape)}",
            operands=(input, src),
            code="LZ201",
        )
    return new(input.shape, input)


@rule("Tensor.fill_diagonal_", examples=["f32(3, 4).fill_diagonal_(1.0)"])
def fill_diagonal_(self: Tensor, fill_value: Any, wrap: bool = False) -> Tensor:
    if self.ndim < 2 or (self.ndim > 2 and len({int(size) for size in self.shape}) > 1):
        raise ShapeError(
            f"fill_diagonal_ needs a matrix, or equal sizes, not {shape_text(self.shape)}",
            operands=(self,),
            code="LZ202",
        )
    self.values = None
    return self


# Neighbours


@rule(
    "torch.diff",
    "Tensor.diff",
    examples=["torch.diff(f32(2, 5))", "torch.diff(f32(2, 5), 2, 0)", "torch.diff(i64(5), prepend=i64(1))"],
)
def diff(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
    *,
    out: Any = None,
) -> Tensor:
    """The size along `dim` less `n`, and not less than none."""
    if not input.shape:
        raise ShapeError("diff needs a tensor of one dim or more", operands=(input,), code="LZ203")
    at = wrap_dim(dim, input.ndim, input)
    if int(n) < 0:
        raise ShapeError(f"diff cannot be taken {int(n)} times", operands=(input,), code="LZ202")
    size = input.shape[at]
    operands = [input]
    for other in (prepend, append):
        if other is None:
            continue
        operands.append(other)
        theirs = [int(s) for i, s in enumerate(other.shape) if i != at]
        if other.ndim != input.ndim or theirs != [int(s) for i, s in enumerate(input.shape) if i != at]:
            raise ShapeError(
                f"diff of {shape_text(input.shape)} cannot take {shape_text(other.shape)} beside it along dim {at}",
                operands=(input, other),
                code="LZ201",
            )
        size = size + other.shape[at]
    left = size - n if int(size) > int(n) else 0
    kind, shape = result_type(*operands), [left if i == at else s for i, s in enumerate(input.shape)]
    order = [tensor for tensor in (prepend, input, append) if tensor is not None]
    values = _differences(order, int(n), at) if int(left) and kind.category in (1, 2) else None
    return new(shape, input, dtype=kind, values=values)


def _differences(tensors: list[Tensor], n: int, at: int) -> list[Any] | None:
    """The differences of constants that follow one another along a dim."""
    if any(tensor.values is None for tensor in tensors):
        return None
    joined = cat(tensors, at)
    for _ in range(n):
        count = joined.shape[at] - 1
        joined = sub(part(joined, at, 1, count), part(joined, at, 0, count))
    return joined.values


@rule(
    "torch.gradient",
    examples=[
        "torch.gradient(f32(2, 3, 4))",
        "torch.gradient(f32(2, 3), dim=1)",
        "torch.gradient(i64(2, 3), dim=(0, 1))",
    ],
)
def gradient(input: Tensor, *, spacing: Any = 1, dim: Any = None, edge_order: int = 1) -> list[Tensor]:
    """One tensor of the input's shape for each dim."""
    dims = range(input.ndim) if dim is None else dim if isinstance(dim, (tuple, list)) else [dim]
    kind = input.dtype if input.dtype.category > 1 else dtypes.DEFAULT_DTYPE[-1]
    steps = spacing if isinstance(spacing, (tuple, list)) else None
    if steps is not None and len(steps) != len(dims):
        raise ShapeError(f"torch.gradient has {len(steps)} spacings for {len(dims)} dims", operands=(input,))
    for at in dims:
        size = input.shape[wrap_dim(at, input.ndim, input)]
        if int(size) <= int(edge_order):
            needed = int(edge_order) + 1
            raise ShapeError(
                f"torch.gradient needs dims of size {needed} or more, not {int(size)}", operands=(input,), code="LZ202"
            )
    return [new(input.shape, input, dtype=kind) for _ in dims]


@rule(
    "torch.trapezoid",
    "torch.trapz",
    examples=[
        "torch.trapezoid(f32(2, 5))",
        "torch.trapezoid(f32(2, 5), f32(5), dim=1)",
        "torch.trapezoid(i64(5), dx=2)",
    ],
)
def trapezoid(y: Tensor, x: Any = None, *, dx: Any = None, dim: int = -1) -> Tensor:
    """The integral along `dim`, which goes away."""
    shape, at, kind = _integrated(y, x, dx, dim, "trapezoid")
    return new([size for index, size in enumerate(shape) if index != at], y, dtype=kind)


@rule("torch.cumulative_trapezoid", examples=["torch.cumulative_trapezoid(f32(2, 5))"])
def cumulative_trapezoid(y: Tensor, x: Any = None, *, dx: Any = None, dim: int = -1) -> Tensor:
    """The integrals up to each place along `dim` but the first."""
    shape, _, kind = _integrated(y, x, dx, dim, "cumulative_trapezoid")
    return new(shape, y, dtype=kind)


def _integrated(y: Tensor, x: Any, dx: Any, dim: int, name: str) -> tuple[Any, int, dtypes.dtype]:
    """The shape of the areas between neighbours along a dim, which has one less of them."""
    if y.dtype is dtypes.bool_ or (isinstance(x, Tensor) and x.dtype is dtypes.bool_):
        raise ShapeError(f"{name} takes no bools", operands=(y,), code="LZ230")
    at = wrap_dim(dim, y.ndim, y)
    if not y.shape:
        raise ShapeError(f"{name} needs a tensor of one dim or more", operands=(y,), code="LZ203")
    shape = [size - 1 if index == at else size for index, size in enumerate(y.shape)]
    kind = dtypes.DEFAULT_DTYPE[-1] if y.dtype.category < 2 else y.dtype
    if not isinstance(x, Tensor):
        return shape, at, kind
    if x.ndim == 1 and int(x.shape[0]) != int(y.shape[at]):
        raise ShapeError(
            f"{name} has {int(x.shape[0])} places for {int(y.shape[at])} values along dim {at}",
            operands=(y, x),
            code="LZ201",
        )
    places: list[int] = [1] * (y.ndim - x.ndim) + list(x.shape)
    if x.ndim == 1:
        places = [x.shape[0] if index == at else 1 for index in range(y.ndim)]
    steps = [size - 1 if index == at else size for index, size in enumerate(places)]
    kind = result_type(y, x)
    kind = dtypes.DEFAULT_DTYPE[-1] if kind.category < 2 else kind
    return broadcast(shape, steps, operands=(y, x), name=name), at, kind
