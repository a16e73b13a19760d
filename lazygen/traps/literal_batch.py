"""A number in a `view` that is the batch of the sample: another batch does not fit, or is mixed.

x.view(8, -1)              with --input-shape 8,3,32,32      a warning
x.view(x.size(0), -1)                                        follows the batch
"""

from __future__ import annotations

from collections.abc import Iterator

from lazygen.diagnostics import Diagnostic, Note
from lazygen.symbolic.tensor import shape_text
from lazygen.traps.seen import Seen, hangs_on_batch, symbols


def found(seen: Seen) -> Iterator[Diagnostic]:
    for view in seen.views:
        if not view.sizes or not hangs_on_batch(view.shape[0]):
            continue
        first = view.sizes[0]
        if int(first) == int(view.shape[0]) and int(first) != 1 and not symbols(first):
            yield Diagnostic(
                "LZ264",
                f"the {int(first)} here is the batch of the given input, written as a number",
                seen.at(view.at),
                (Note(f"it makes {shape_text(view.result)} of {shape_text(view.shape)}"),),
                ("write x.size(0) for it, so that other batches fit",),
                severity="warning",
            )
