"""A batch norm over the length of a sequence: BatchNorm1d takes dim 1 for the channels, and a linear layer leaves
them last.

    embedding(tokens) is (N, L, 64)     BatchNorm1d(L)           a warning
    ... .transpose(1, 2)                BatchNorm1d(64)          meant
"""

from __future__ import annotations

from collections.abc import Iterator

from lazygen.diagnostics import Diagnostic, Note
from lazygen.symbolic.tensor import shape_text
from lazygen.traps.seen import Seen, symbols


def found(seen: Seen) -> Iterator[Diagnostic]:
    for fed in seen.layers:
        shape = fed.input_shape
        if fed.kind.__name__ != "LazyBatchNorm1d" or shape is None or len(shape) != 3:
            continue
        # A length comes from the input, a width from a layer.
        if symbols(shape[1]) and not symbols(shape[2]):
            yield Diagnostic(
                "LZ262",
                f"this layer takes a length, {int(shape[1])}, for its channels: they are last, {int(shape[2])}",
                seen.made_at(fed.layer),
                (Note(f"what reaches it is {shape_text(shape)}; BatchNorm1d wants batch, channels, length"),),
                ("put x.transpose(1, 2) before it and after it, or use LayerNorm, which normalises the last dim",),
                severity="warning",
            )
