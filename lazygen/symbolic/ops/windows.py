"""Windows that slide over an input: what convolution, pooling and their layers share.

Sizes are computed in plain arithmetic, so that a Dim keeps its expression through every layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.shapes import as_size
from lazygen.symbolic.tensor import Tensor, shape_text


def per_dim(value: Any, count: int, name: str) -> tuple[int, ...]:
    """One size for each of `count` dims, from a number or a sequence of one or `count` numbers.

    Raises ShapeError for another number of sizes and for what is no whole number.
    """
    if type(value) is int:
        return (value,) * count
    sizes = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    for size in sizes:
        if not hasattr(size, "__index__"):
            raise ShapeError(f"{name} must be whole numbers, not {value!r}", code="LZ202")
    if len(sizes) not in (1, count):
        raise ShapeError(f"{name} has {len(sizes)} sizes, but there are {count} dims to slide over", code="LZ202")
    return tuple(as_size(size) for size in sizes) * (count if len(sizes) == 1 else 1)


def at_least(sizes: Sequence[int], least: int, name: str) -> None:
    """Raise ShapeError if one of the sizes is less."""
    for size in sizes:
        if size < least:
            raise ShapeError(f"{name} must be at least {least}, not {int(size)}", code="LZ202")


def split(input: Tensor, count: int, name: str) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    """The batch (one size or none), the channels and the `count` sizes that a window slides over.

    Raises ShapeError for an input of another rank.
    """
    rank = len(input.shape)
    if rank not in (count + 1, count + 2):
        raise ShapeError(
            f"{name} needs an input of {count + 2} dims, or {count + 1} without a batch, not {rank}",
            operands=(input,),
            notes=(f"the input is {shape_text(input.shape)}",),
            code="LZ202",
        )
    *batch, channels = tuple(input.shape)[: rank - count]
    return tuple(batch), channels, tuple(input.shape)[rank - count :]


def window_count(
    size: int, kernel: int, stride: int, padding: int, dilation: int = 1, *, input: Tensor, axis: int, name: str
) -> int:
    """How many windows fit: `(size + padding - dilation*(kernel - 1) - 1) // stride + 1`, `padding` of both ends.

    Raises ShapeError (LZ204) if the kernel is larger than the padded size.
    """
    # source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Conv2d.html
    reach = dilation * (kernel - 1) + 1
    padded = size + padding
    if int(padded) < int(reach):
        raise too_large(reach, padded, kernel, dilation, size, input=input, axis=axis, name=name)
    return (padded - reach) // stride + 1


def too_large(
    reach: int, padded: int, kernel: int, dilation: int, size: int, *, input: Tensor, axis: int, name: str
) -> ShapeError:
    """The error for a kernel that is larger than what it slides over."""
    notes = [f"the input of {name} is {shape_text(input.shape)}, dim {axis} is {int(size)}"]
    if int(padded) != int(size):
        notes.append(f"with padding dim {axis} is {int(padded)}")
    if int(dilation) != 1:
        notes.append(f"a kernel of {int(kernel)} with dilation {int(dilation)} covers {int(reach)}")
    return ShapeError(
        f"the kernel ({int(reach)}) is larger than what reaches it ({int(padded)})",
        operands=(input,),
        notes=tuple(notes),
        helps=("give a larger input, a smaller kernel or more padding, or leave out one step that shrinks it",),
        code="LZ204",
    )


def same_dtype(name: str, input: Tensor, *others: Tensor | None) -> None:
    """Raise ShapeError (LZ230) unless all tensors are of the input's dtype, as torch wants it here."""
    for other in others:
        if other is not None and other.dtype is not input.dtype:
            raise ShapeError(
                f"{name} got {input.dtype.name} as input, but holds {other.dtype.name}",
                operands=(input, other),
                helps=(f"convert the input with .to(torch.{other.dtype.name})",),
                code="LZ230",
            )
