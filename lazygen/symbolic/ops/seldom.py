"""Operations that few models use, beside the family that each is a relative of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.factories import sizes_of
from lazygen.symbolic.ops.joining import split, split_with_sizes
from lazygen.symbolic.ops.lookup import _index_written
from lazygen.symbolic.ops.views import narrow
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import as_size, free_size, size_list, wrap_dim
from lazygen.symbolic.tensor import Tensor, new, numel, shape_text


class Parts(NamedTuple):
    """Numbers as a fraction times a power of two."""

    mantissa: Tensor
    exponent: Tensor


@rule("torch.frexp", "Tensor.frexp", examples=["torch.frexp(f32(2, 3))"])
def frexp(input: Tensor, *, out: Any = None) -> Parts:
    if input.dtype.category != 2:
        raise ShapeError(f"torch.frexp needs floats, not {input.dtype.name}", operands=(input,), code="LZ230")
    return Parts(new(input.shape, input), new(input.shape, input, dtype=dtypes.int32))


@rule("torch.fill", examples=["torch.fill(f32(2, 3), 1)"])
def fill(input: Tensor, value: Any) -> Tensor:
    return new(input.shape, input)


@rule("torch.is_neg", "Tensor.is_neg")
def is_neg(input: Tensor) -> bool:
    return False


@rule("torch.conv_tbc", "F.conv_tbc", examples=["torch.conv_tbc(f32(7, 2, 3), f32(3, 3, 5), f32(5), pad=1)"])
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Tensor:
    """(T, N, in) with weight (kernel, in, out) to (T + 2 pad - kernel + 1, N, out)."""
    if input.ndim != 3 or weight.ndim != 3 or bias.ndim != 1:
        raise ShapeError(
            "conv_tbc needs an input and a weight of 3 dims, and a bias of one", operands=(input, weight), code="LZ202"
        )
    given = (int(input.shape[2]), int(weight.shape[2]))
    if given != (int(weight.shape[1]), int(bias.shape[0])):
        raise ShapeError(
            f"conv_tbc has a weight of {shape_text(weight.shape)}, an input of {shape_text(input.shape)} and a bias of "
            f"{int(bias.shape[0])}",
            operands=(input, weight),
            code="LZ201",
        )
    length = input.shape[0] + 2 * pad - weight.shape[0] + 1
    if int(length) < 0:
        raise ShapeError(
            f"conv_tbc has a kernel of {int(weight.shape[0])} for {int(input.shape[0] + 2 * pad)} steps",
            operands=(input, weight),
            code="LZ204",
        )
    return new((length, input.shape[1], weight.shape[2]), input)


# Cut and joined


@rule("torch.narrow_copy", "Tensor.narrow_copy", examples=["torch.narrow_copy(f32(2, 5), 1, 1, 3)"])
def narrow_copy(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    return new(narrow(input, dim, start, length).shape, input)


@rule("torch.unsafe_split", "Tensor.unsafe_split", examples=["torch.unsafe_split(f32(5, 2), 2)"])
def unsafe_split(tensor: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    return split(tensor, split_size, dim)


@rule(
    "torch.unsafe_split_with_sizes",
    "Tensor.unsafe_split_with_sizes",
    examples=["torch.unsafe_split_with_sizes(f32(5, 2), [2, 3])"],
)
def unsafe_split_with_sizes(input: Tensor, split_sizes: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    return split_with_sizes(input, split_sizes, dim)


@rule("Tensor.sum_to_size", examples=["f32(2, 3, 4).sum_to_size(3, 1)", "f32(2, 3).sum_to_size((2, 3))"])
def sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """The sum over the dims that a tensor of the size would have to be expanded in."""
    wanted = size_list(size)
    shape = self.shape[self.ndim - len(wanted) :] if wanted else ()
    fits = len(wanted) <= self.ndim and all(
        int(own) in (1, int(given)) for own, given in zip(wanted, shape, strict=True)
    )
    if not fits:
        raise ShapeError(
            f"{shape_text(self.shape)} cannot be summed to {shape_text(wanted)}", operands=(self,), code="LZ201"
        )
    return new(wanted, self)


@rule("Tensor.resize_as_", examples=["f32(2, 3).resize_as_(f32(4))"])
def resize_as_(self: Tensor, the_template: Tensor, *, memory_format: Any = None) -> Tensor:
    self._shape, self.values = the_template.shape, None
    return self


# Lookup


@rule(
    "torch.index_reduce", "Tensor.index_reduce",
    examples=["torch.index_reduce(f32(5, 3), 0, i64(2), f32(2, 3), 'prod')"],
)  # fmt: skip
def index_reduce(
    input: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, *, include_self: bool = True, out: Any = None
) -> Tensor:
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise ShapeError(f"index_reduce cannot reduce by {reduce!r}: it is 'prod', 'mean', 'amax' or 'amin'")
    return _index_written("index_reduce", input, dim, index, source)


@rule("torch.nonzero_static", "Tensor.nonzero_static", examples=["torch.nonzero_static(f32(2, 3), size=4)"])
def nonzero_static(input: Tensor, *, size: int, fill_value: int = -1, out: Any = None) -> Tensor:
    """(size, dims of the input)."""
    if int(size) < 0:
        raise ShapeError(f"nonzero_static needs a size of 0 or more, not {int(size)}", operands=(input,), code="LZ202")
    return new((as_size(size), input.ndim), input, dtype=dtypes.int64)


@rule("torch.unique_consecutive", "Tensor.unique_consecutive")
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The elements, or slices along `dim`, but those that repeat the one before; only data can tell how many."""
    at = None if dim is None else wrap_dim(dim, input.ndim, input)
    whole = numel(input.shape) if at is None else input.shape[at]
    size = free_size("torch.unique_consecutive", int(whole))
    shape = (size,) if at is None else (*input.shape[:at], size, *input.shape[at + 1 :])
    results = [new(shape, input)]
    if return_inverse:
        results.append(new(input.shape if at is None else (whole,), input, dtypes.int64))
    if return_counts:
        results.append(new((size,), input, dtypes.int64))
    return results[0] if len(results) == 1 else tuple(results)


# Windows


def _window(name: str, *more: str) -> None:
    def window(
        M: int, *settings: Any, sym: bool = True, dtype: Any = None, layout: Any = None, device: Any = None,
        requires_grad: bool = False, **named: Any,
    ) -> Tensor:  # fmt: skip
        (length,) = sizes_of((M,), f"signal.windows.{name}")
        kind = dtype or dtypes.DEFAULT_DTYPE[-1]
        if kind not in (dtypes.float32, dtypes.float64):
            raise ShapeError(f"torch.signal.windows.{name} makes float32 or float64, not {kind.name}", code="LZ230")
        return Tensor((length,), kind, None if device is None else dtypes.located(device), None, requires_grad)

    window.__name__ = window.__qualname__ = name
    rule(f"torch.signal.windows.{name}", examples=[f"torch.signal.windows.{name}({', '.join(('8', *more))})"])(window)


for _name in (
    "bartlett", "blackman", "cosine", "exponential", "gaussian", "general_hamming", "hamming", "hann", "kaiser",
    "nuttall",
):  # fmt: skip
    _window(_name)
_window("general_cosine", "a=[0.5, 0.5]")
