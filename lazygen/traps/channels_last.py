"""An image with its channels last, whose height a convolution takes for the channels.

--input-shape 8,32,32,3     Conv2d(32, ...)             a warning
--input-shape 8,3,32,32     Conv2d(3, ...)              as torch has it
"""

from __future__ import annotations

from collections.abc import Iterator

from lazygen.diagnostics import Diagnostic, Note
from lazygen.symbolic.tensor import shape_text
from lazygen.traps.seen import Seen, symbols

_CHANNELS = (1, 3, 4)
_SMALLEST = 8  # smaller images are none


def found(seen: Seen) -> Iterator[Diagnostic]:
    heights = {symbol for tensor in seen.inputs if tensor.ndim == 4 for symbol in symbols(tensor.shape[1])}
    for fed in seen.layers:
        shape = fed.input_shape
        if fed.kind.__name__ != "LazyConv2d" or shape is None or len(shape) != 4:
            continue
        height, width, channels = (int(size) for size in shape[1:])
        looks_like_it = channels in _CHANNELS and min(height, width) >= _SMALLEST
        if not looks_like_it or (channels == 1 and height != width) or not set(symbols(shape[1])) & heights:
            continue
        yield Diagnostic(
            "LZ261",
            f"this layer takes {height} for its channels: the image seems to have them last",
            seen.made_at(fed.layer),
            (Note(f"what reaches it is {shape_text(shape)}; torch wants batch, channels, height, width"),),
            (f"give the shape as {int(shape[0])},{channels},{height},{width}, or put x.permute(0, 3, 1, 2) before it",),
            severity="warning",
        )
