"""A linear layer that takes an image's width for its features, since nothing flattens before it.

nn.LazyConv2d(8, 3), nn.LazyLinear(10)              Linear(30, 10), on every row of the map
x.permute(0, 2, 3, 1) before                        the last size is the channels: meant
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lazygen.diagnostics import Diagnostic, Note
from lazygen.symbolic.dim import expr_of
from lazygen.symbolic.tensor import Tensor, shape_text
from lazygen.traps.seen import Seen, symbols

_FEWEST_CHANNELS_LAST = 4  # a last size up to this is an image's channels


def found(seen: Seen) -> Iterator[Diagnostic]:
    for fed in seen.layers:
        shape = fed.input_shape
        if fed.kind.__name__ != "LazyLinear" or shape is None or len(shape) not in (4, 5):
            continue
        if _is_spatial(shape, seen.inputs) or _is_square(shape):
            flat = 1
            for size in shape[1:]:
                flat *= int(size)
            yield Diagnostic(
                "LZ260",
                f"this layer takes the last size of a map, {int(shape[-1])}, for its features",
                seen.made_at(fed.layer),
                (Note(f"what reaches it is {shape_text(shape)}"),),
                (f"flatten before it, nn.Flatten() or x.flatten(1), if it is to see all {flat} numbers",),
                severity="warning",
            )


def _is_spatial(shape: Sequence[int], inputs: Sequence[Tensor]) -> bool:
    """Whether the last size comes from the height or width of an image that the model is given."""
    spatial = {
        symbol
        for tensor in inputs
        if tensor.ndim >= 4
        for size in tensor.shape[2:]
        if size is not tensor.shape[-1] or int(size) > _FEWEST_CHANNELS_LAST
        for symbol in symbols(size)
    }
    return any(symbol in spatial for symbol in symbols(shape[-1]))


def _is_square(shape: Sequence[int]) -> bool:
    """Whether the last two sizes are the same fixed one, as adaptive pooling leaves them."""
    return expr_of(shape[-1]) == expr_of(shape[-2]) and not symbols(shape[-1])
