"""`torch.nn.init` on a lazy layer that has no weights yet: torch drops it silently, and the explicit code does not.

init.normal_(layer.weight.data)       before the first run      a warning
                                      on an explicit layer      takes effect
"""

from __future__ import annotations

from collections.abc import Iterator

from lazygen.diagnostics import Diagnostic, Note
from lazygen.traps.seen import Seen


def found(seen: Seen) -> Iterator[Diagnostic]:
    for at in seen.filled:
        yield Diagnostic(
            "LZ144",
            "this fills a lazy layer that has no weights yet, which is lost; in the explicit code it takes effect",
            seen.at(at),
            (Note("weights that are made later get torch's default"),),
            ("nothing, if the explicit code is what is meant; else fill them after the first run",),
            severity="warning",
        )
