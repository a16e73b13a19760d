"""Tensors of numbers in order, of indices and of positions: arange, linspace, eye, tril, meshgrid, one_hot."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.factories import as_device, as_dtype, sizes_of
from lazygen.symbolic.resize import quotient
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import as_size, free_size, result_type
from lazygen.symbolic.tensor import KEPT_VALUES, Tensor, new, shape_text
from lazygen.symbolic.values import cast_all, number_or_tensor, spread, write_to


def _number(value: Any, name: str) -> Any:
    value = number_or_tensor(value, name)
    return value.number() if isinstance(value, Tensor) else value


def _counted(
    name: str, count: int, numbers: Iterable[Any], kind: dtypes.dtype, device: Any, requires_grad: bool, out: Any
) -> Tensor:
    """So many numbers, as values if they are few."""
    values = list(numbers) if count <= KEPT_VALUES else None
    return write_to(out, Tensor((count,), kind, as_device(device), cast_all(values, kind), requires_grad), name)


@rule(
    "torch.arange",
    examples=["torch.arange(5)", "torch.arange(1, 7, 2)", "torch.arange(0, 1, 0.3)", "torch.arange(4, 0, -1)"],
)
def arange(
    *bounds: Any, start: Any = None, end: Any = None, step: Any = 1, out: Any = None, dtype: Any = None,
    layout: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """ceil((end - start) / step) numbers."""
    if len(bounds) == 1 and end is None:
        end = bounds[0]
    elif bounds:
        start, end, step = (*bounds, *(start, end, step)[len(bounds) :])[:3]
    if end is None or len(bounds) > 3:
        raise ShapeError("torch.arange takes an end, or a start and an end, and a step")
    first, last, by = (
        value if type(value) is int else _number(value, "arange")
        for value in (0 if start is None else start, end, step)
    )
    if by == 0 or (last - first) * by < 0:
        raise ShapeError(f"torch.arange goes from {first} to {last} in steps of {by}", code="LZ202")
    floats = isinstance(first, float) or isinstance(last, float) or isinstance(by, float)
    count = math.ceil((last - first) / by) if floats else -((first - last) // by)
    kind = as_dtype(dtype) or (dtypes.DEFAULT_DTYPE[-1] if floats else dtypes.int64)
    plain = type(first) is type(by) is int
    numbers = range(first, first + by * int(count), by) if plain else (first + i * by for i in range(int(count)))
    return _counted("arange", count, numbers, kind, device, requires_grad, out)


@rule("torch.linspace", examples=["torch.linspace(0, 1, 5)", "torch.linspace(0, 0.1, steps=3, dtype=torch.float64)"])
def linspace(
    start: Any, end: Any, steps: int, *, out: Any = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    return _spaced("linspace", start, end, steps, lambda x: x, dtype, device, requires_grad, out)


@rule("torch.logspace", examples=["torch.logspace(0, 2, 3)", "torch.logspace(0, 2, steps=3, base=2.0)"])
def logspace(
    start: Any, end: Any, steps: int, base: float = 10.0, *, out: Any = None, dtype: Any = None, layout: Any = None,
    device: Any = None, requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    return _spaced("logspace", start, end, steps, lambda x: base**x, dtype, device, requires_grad, out)


def _spaced(
    name: str, start: Any, end: Any, steps: int, value: Callable[[Any], Any], dtype: Any, device: Any,
    requires_grad: bool, out: Any,
) -> Tensor:  # fmt: skip
    first, last = _number(start, name), _number(end, name)
    (count,) = sizes_of((steps,), name)
    complex_ = isinstance(first, complex) or isinstance(last, complex)
    default = dtypes.DEFAULT_DTYPE[-1].to_complex() if complex_ else dtypes.DEFAULT_DTYPE[-1]
    kind = as_dtype(dtype) or default
    gap = (last - first) / max(int(count) - 1, 1)

    def at(i: int) -> Any:
        # From whichever end is nearer, as torch counts.
        return value(first + gap * i if i < int(count) / 2 else last - gap * (int(count) - 1 - i))

    numbers = map(at, range(int(count))) if count > 1 else [value(first)] * int(count)
    return _counted(name, count, numbers, kind, device, requires_grad, out)


@rule("torch.eye", examples=["torch.eye(3)", "torch.eye(2, 3)"])
def eye(
    n: int, m: int | None = None, *, out: Any = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    rows, columns = sizes_of((n, n if m is None else m), "eye")
    kind = as_dtype(dtype) or dtypes.DEFAULT_DTYPE[-1]
    small = int(rows) * int(columns) <= KEPT_VALUES
    values = [int(i == j) for i in range(int(rows)) for j in range(int(columns))] if small else None
    return write_to(out, Tensor((rows, columns), kind, as_device(device), cast_all(values, kind), requires_grad), "eye")


def _triangle(name: str, input: Tensor, inside: Callable[[int, int], bool], out: Tensor | None) -> Tensor:
    if len(input.shape) < 2:
        raise ShapeError(
            f"torch.{name} needs two dims or more, not {shape_text(input.shape)}", operands=(input,), code="LZ202"
        )
    values = input.values
    if values is not None:
        rows, columns = int(input.shape[-2]), int(input.shape[-1])
        zero = values[0] * 0 if values else 0
        values = [v if inside(at // columns % rows, at % columns) else zero for at, v in enumerate(values)]
    return write_to(out, new(input.shape, input, values=cast_all(values, input.dtype)), name)


@rule("torch.tril", "Tensor.tril", examples=["torch.tril(f32(3, 3))", "torch.tril(b8(2, 3, 4), diagonal=-1)"])
def tril(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None) -> Tensor:
    return _triangle("tril", input, lambda row, column: column - row <= diagonal, out)


@rule("torch.triu", "Tensor.triu", examples=["torch.triu(f32(3, 3), 1)"])
def triu(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None) -> Tensor:
    return _triangle("triu", input, lambda row, column: column - row >= diagonal, out)


def _below(row: int, col: int, offset: int) -> int:
    """How many elements of a matrix lie on and below a diagonal: a trapezoid, and full rows below it."""
    shortest = min(col, 1 + offset) if offset > 0 else int(row + offset > 0)
    longest = max(0, min(col, row + offset))
    if row == 0 or longest == 0:
        return 0
    sloped = longest - shortest + 1
    full = max(0, min(row, row + offset)) - sloped
    trapezoid = quotient((shortest + longest) * sloped, 2)
    return trapezoid + full * col if full > 0 else trapezoid


def _indices(
    name: str, row: int, col: int, count: int, inside: Callable[[int, int], bool], dtype: Any, device: Any
) -> Tensor:
    kind = as_dtype(dtype) or dtypes.int64
    values = None
    if 2 * int(count) <= KEPT_VALUES:
        pairs = [(i, j) for i in range(int(row)) for j in range(int(col)) if inside(i, j)]
        values = [i for i, _ in pairs] + [j for _, j in pairs]
    return Tensor((2, count), kind, as_device(device), values)


@rule("torch.tril_indices", examples=["torch.tril_indices(3, 4)", "torch.tril_indices(4, 3, -1)"])
def tril_indices(
    row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None, layout: Any = None
) -> Tensor:
    """(2, how many elements lie on and below the diagonal)."""
    row, col = sizes_of((row, col), "tril_indices")
    inside = lambda i, j: j - i <= offset  # noqa: E731
    return _indices("tril_indices", row, col, _below(row, col, offset), inside, dtype, device)


@rule("torch.triu_indices", examples=["torch.triu_indices(3, 4)", "torch.triu_indices(4, 3, 1)"])
def triu_indices(
    row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None, layout: Any = None
) -> Tensor:
    """(2, how many elements lie on and above the diagonal)."""
    row, col = sizes_of((row, col), "triu_indices")
    inside = lambda i, j: j - i >= offset  # noqa: E731
    return _indices("triu_indices", row, col, row * col - _below(row, col, offset - 1), inside, dtype, device)


@rule(
    "torch.meshgrid",
    examples=["torch.meshgrid(f32(2), f32(3), indexing='ij')", "torch.meshgrid([f32(2), f32(3)], indexing='xy')"],
)
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """One tensor for each given one, of the shape of all their lengths; 'xy' swaps the first two dims."""
    axes: tuple[Tensor, ...] = (
        tuple(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    )
    if indexing not in (None, "ij", "xy"):
        raise ShapeError(f"torch.meshgrid has no indexing {indexing!r}: it is 'ij' or 'xy'")
    for axis in axes:
        if len(axis.shape) > 1:
            raise ShapeError(
                f"torch.meshgrid takes tensors of one dim, not {shape_text(axis.shape)}", operands=axes, code="LZ202"
            )
        if axis.dtype is not axes[0].dtype:
            raise ShapeError("torch.meshgrid takes tensors of one dtype", operands=axes, code="LZ230")
    if not axes:
        raise ShapeError("torch.meshgrid takes one tensor or more")
    places = list(range(len(axes)))
    if indexing == "xy" and len(axes) > 1:
        places[0], places[1] = 1, 0
    shape: list[int] = [1] * len(axes)
    for place, axis in zip(places, axes, strict=True):
        shape[place] = axis.shape[0] if axis.shape else 1
    grids = []
    for place, axis in zip(places, axes, strict=True):
        along = [size if at == place else 1 for at, size in enumerate(shape)]
        grids.append(new(shape, axis, values=spread(new(along, axis, values=axis.values), shape)))
    return tuple(grids)


@rule("F.one_hot", examples=["F.one_hot(i64(2, 3), 5)", "F.one_hot(i64(2), num_classes=4)"])
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """(*, num_classes); without `num_classes` the size is one more than the largest number, which data tells."""
    if tensor.dtype is not dtypes.int64:
        raise ShapeError(
            f"torch.nn.functional.one_hot takes int64, not {tensor.dtype.name}", operands=(tensor,), code="LZ230"
        )
    values = tensor.values
    if num_classes == -1:
        num_classes = max(values) + 1 if values else free_size("one_hot", 2)
    elif num_classes <= 0 or (values and max(values) >= num_classes):
        raise ShapeError(
            f"torch.nn.functional.one_hot has {int(num_classes)} classes, which are too few", operands=(tensor,)
        )
    size = as_size(num_classes)
    shape = (*tensor.shape, size)
    if values is None or len(values) * int(size) > KEPT_VALUES:
        return new(shape, tensor)
    return new(shape, tensor, values=[int(value == i) for value in values for i in range(int(size))])


def _window(name: str) -> None:
    def window(
        window_length: int, periodic: bool = True, *args: Any, dtype: Any = None, layout: Any = None,
        device: Any = None, requires_grad: bool = False, **shape: Any,
    ) -> Tensor:  # fmt: skip
        (length,) = sizes_of((window_length,), name)
        kind = as_dtype(dtype) or dtypes.DEFAULT_DTYPE[-1]
        if kind.category != 2:
            raise ShapeError(f"torch.{name} makes floats only, not {kind.name}", code="LZ230")
        return Tensor((length,), kind, as_device(device), None, requires_grad)

    rule(f"torch.{name}", examples=[f"torch.{name}(8)", f"torch.{name}(8, periodic=False)"])(window)


for _name in ("hann", "hamming", "blackman", "bartlett", "kaiser"):
    _window(f"{_name}_window")


@rule("torch.vander", examples=["torch.vander(f32(3))", "torch.vander(i64(3), 4)"])
def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    """(n, N), N being n where it is not given."""
    if len(x.shape) != 1:
        raise ShapeError(f"torch.vander takes one dim, not {shape_text(x.shape)}", operands=(x,), code="LZ202")
    return new((x.shape[0], x.shape[0] if N is None else as_size(N)), x, result_type(x, 1))
