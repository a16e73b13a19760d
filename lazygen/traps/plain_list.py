"""Layers in a plain list, tuple or dict of a module: they run, and `parameters()`, `to()` and `state_dict()` miss them.

self.layers = [nn.LazyLinear(8), nn.LazyLinear(8)]                  a warning
self.layers = nn.ModuleList([nn.LazyLinear(8), ...])                registered
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lazygen.diagnostics import Diagnostic, Note
from lazygen.symbolic.nn.module import Module
from lazygen.traps.seen import Seen, has_weights


def found(seen: Seen) -> Iterator[Diagnostic]:
    registered = {id(module) for model in seen.models for module in model.modules()}
    for owner, name, value in seen.holders:
        held = _held(value)
        missed = [item for item in held if id(item) not in registered and has_weights(item)]
        # A list of a single module is how people keep one out of `parameters()` on purpose.
        if missed and len(held) > 1:
            yield _finding(seen, type(owner).__name__, name, value, missed)


def _held(value: Any) -> list[Module]:
    items = value.values() if type(value) is dict else value if type(value) in (list, tuple) else ()
    return [item for item in items if isinstance(item, Module)]


def _finding(seen: Seen, owner: str, name: str, value: Any, missed: list[Module]) -> Diagnostic:
    kind = type(value).__name__
    better = "nn.ModuleDict" if kind == "dict" else "nn.ModuleList"
    return Diagnostic(
        "LZ140",
        f"{owner}.{name} is a plain {kind}, which registers no layers",
        seen.made_at(missed[0]),
        (Note(f"{len(missed)} of its layers are in no parameters(), to() and state_dict()"),),
        (f"put them into {better}(...)",),
        severity="warning",
    )
