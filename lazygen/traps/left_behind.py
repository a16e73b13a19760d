"""A plain tensor on a module: `to()`, `cuda()` and `state_dict()` leave it behind.

self.scale = torch.ones(8)                                              a warning
self.register_buffer("scale", torch.ones(8), persistent=False)          goes along, and is in no state_dict
"""

from __future__ import annotations

from collections.abc import Iterator

from lazygen.diagnostics import Diagnostic
from lazygen.traps.seen import Seen

_BUFFER = 'make it a buffer: self.register_buffer("{}", ..., persistent=False)'
_MOVES = ("to(", "cuda(", "type_as(", "expand_as(", "device")


def found(seen: Seen) -> Iterator[Diagnostic]:
    for module, name, tensors in seen.plain:
        assert tensors[0].made_at is not None
        text = seen.text(tensors[0].made_at[0].co_filename)
        if f".{name}" not in text or any(f"self.{name}.{move}" in text for move in _MOVES):
            continue  # a library keeps it under a name of its own, or the source moves it by itself
        yield Diagnostic(
            "LZ142",
            f"{type(module).__name__}.{name} is a plain tensor, which .to() and .cuda() leave behind",
            seen.made_at(tensors[0]),
            helps=(f"{_BUFFER.format(name)}, or nn.Parameter(...) if it is trained",),
            severity="warning",
        )
