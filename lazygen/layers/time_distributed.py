"""Layers applied to every time step."""

from __future__ import annotations

from typing import Any

from lazygen.layers.base import LayerError, shape_text
from lazygen.layers.containers import Sequential


class TimeDistributed(Sequential):
    """(N, L, ...) to (N, L, ...): folds the first two dims into one, applies its layers, and unfolds them again.

    `TimeDistributed(a, b)` and `TimeDistributed([a, b])` are the same.
    """

    def forward(self, input: Any) -> Any:
        if len(input.shape) < 3:
            raise LayerError(
                f"TimeDistributed takes an input of 3 dims or more, and gets {shape_text(input.shape)}",
                code="LZ202",
                layer=self,
            )
        result = super().forward(input.flatten(0, 1))  # type: ignore[no-untyped-call]
        return result.unflatten(0, input.shape[:2])
