"""Random tensors, and tensors that are filled in place.  No values are drawn: only shapes and dtypes come out."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.function_modes import asking_modes
from lazygen.symbolic.ops.factories import made, sizes_of
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import as_size, broadcast
from lazygen.symbolic.tensor import Tensor, new, numel, shape_text
from lazygen.symbolic.values import cast_all, spread


@rule("torch.randint", examples=["torch.randint(10, (2, 3))", "torch.randint(0, 10, (2,), dtype=torch.int32)"])
def randint(
    *bounds: Any, low: int = 0, high: int | None = None, size: Any = None, generator: Any = None, out: Any = None,
    dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """`randint(high, size)` or `randint(low, high, size)`: int64 unless a dtype is given."""
    given = list(bounds)
    if size is None and given:
        size = given.pop()
    if len(given) == 2:
        low, high = given
    elif len(given) == 1:
        low, high = (low, given[0]) if high is None else (given[0], high)
    if size is None or high is None:
        raise ShapeError("torch.randint takes a high bound and a size")
    if not isinstance(size, (tuple, list)):
        raise ShapeError(f"torch.randint takes its size as a tuple, not {type(size).__name__}")
    if int(low) >= int(high):
        raise ShapeError(f"torch.randint draws from {low} to {high}, which holds no number")
    return made("randint", sizes_of((size,), "randint"), None, dtype or dtypes.int64, device, requires_grad, out)


@rule("torch.randint_like", examples=["torch.randint_like(i64(2, 3), 10)", "torch.randint_like(f32(2), 1, 5)"])
@asking_modes
def randint_like(
    input: Tensor, *bounds: Any, low: int = 0, high: int | None = None, dtype: Any = None, layout: Any = None,
    device: Any = None, requires_grad: bool = False, memory_format: Any = None,
) -> Tensor:  # fmt: skip
    return made("randint_like", input.shape, None, dtype or input.dtype, device or input.device, requires_grad)


@rule("torch.randperm", examples=["torch.randperm(5)"])
def randperm(
    n: int, *, generator: Any = None, out: Any = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    return made("randperm", sizes_of((n,), "randperm"), None, dtype or dtypes.int64, device, requires_grad, out)


@rule(
    "torch.normal",
    examples=["torch.normal(f32(2, 1), f32(3))", "torch.normal(0.0, 1.0, (2, 3))", "torch.normal(f32(2))"],
)
def normal(
    mean: Any, std: Any = 1.0, size: Any = None, *, generator: Any = None, out: Any = None, dtype: Any = None,
    layout: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    tensors = tuple(operand for operand in (mean, std) if isinstance(operand, Tensor))
    if not tensors:
        if size is None:
            raise ShapeError("torch.normal needs a size where mean and std are numbers")
        return made("normal", sizes_of((size,), "normal"), None, dtype, device, requires_grad, out)
    for operand in tensors:
        if operand.dtype.category < 2:
            raise ShapeError(f"torch.normal takes floats, not {operand.dtype.name}", operands=tensors, code="LZ230")
    return new(broadcast(*(t.shape for t in tensors), operands=tensors, name="torch.normal"), tensors[0])


@rule("torch.bernoulli", "Tensor.bernoulli", examples=["torch.bernoulli(f32(2, 3))", "torch.bernoulli(f32(2), 0.5)"])
def bernoulli(input: Tensor, p: Any = None, *, generator: Any = None, out: Any = None) -> Tensor:
    if p is None and input.dtype.category < 2:
        raise ShapeError(f"torch.bernoulli takes floats, not {input.dtype.name}", operands=(input,), code="LZ230")
    return new(input.shape, input)


@rule("torch.poisson", examples=["torch.poisson(f32(2, 3))"])
def poisson(input: Tensor, generator: Any = None) -> Tensor:
    return new(input.shape, input)


@rule("torch.multinomial", "Tensor.multinomial", examples=["torch.multinomial(f32(2, 5), 3)", "f32(5).multinomial(2)"])
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None, out: Any = None
) -> Tensor:
    """(num_samples,) or (rows, num_samples), int64."""
    if len(input.shape) not in (1, 2):
        raise ShapeError(
            f"torch.multinomial takes one dim or two, not {shape_text(input.shape)}", operands=(input,), code="LZ202"
        )
    if input.dtype.category != 2:
        raise ShapeError(f"torch.multinomial takes floats, not {input.dtype.name}", operands=(input,), code="LZ230")
    if num_samples <= 0 or (not replacement and num_samples > input.shape[-1]):
        raise ShapeError(
            f"torch.multinomial draws {int(num_samples)} of {int(input.shape[-1])} numbers",
            operands=(input,),
            helps=("replacement=True lets a number be drawn twice",),
            code="LZ202",
        )
    return new((*input.shape[:-1], as_size(num_samples)), input, dtypes.int64)


# Filled in place


def _filler(name: str, floats_only: bool = False) -> None:
    def fill(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        if floats_only and self.dtype.category < 2:
            raise ShapeError(f"torch.Tensor.{name} takes floats, not {self.dtype.name}", operands=(self,), code="LZ230")
        self.values = None
        return self

    rule(f"Tensor.{name}", examples=[f"f32(2, 3).{name}({'0.5' if name == 'geometric_' else ''})"])(fill)


for _name in ("normal_", "uniform_", "exponential_", "cauchy_", "log_normal_"):
    _filler(_name, floats_only=True)
for _name in ("random_", "bernoulli_", "geometric_"):
    _filler(_name)


@rule("Tensor.zero_", examples=["f32(2, 3).zero_()"])
def zero_(self: Tensor) -> Tensor:
    return fill_(self, 0)


@rule("Tensor.fill_", examples=["f32(2, 3).fill_(2)"])
def fill_(self: Tensor, value: Any) -> Tensor:
    if isinstance(value, Tensor) and value.shape:
        raise ShapeError(
            f"torch.Tensor.fill_ takes one number, not {shape_text(value.shape)}", operands=(self, value), code="LZ202"
        )
    number = value.number() if isinstance(value, Tensor) else value
    kept = spread(number, self.shape)
    self.values = cast_all(kept, self.dtype)
    return self


@rule("Tensor.copy_", examples=["f32(2, 3).copy_(f64(3))"])
def copy_(self: Tensor, src: Tensor, non_blocking: bool = False) -> Tensor:
    shape = broadcast(self.shape, src.shape, operands=(self, src), name="torch.Tensor.copy_")
    if tuple(shape) != tuple(self.shape):
        raise ShapeError(
            f"torch.Tensor.copy_ cannot put {shape_text(src.shape)} into {shape_text(self.shape)}",
            operands=(self, src),
            code="LZ202",
        )
    kept = spread(src, self.shape) if int(numel(self.shape)) else []
    self.values = cast_all(kept, self.dtype)
    return self
