"""Layers that torch keeps under old names."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import Tensor, new, shape_text


class Container(Module):
    """Modules by name; torch's own advice is to subclass Module instead."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__()
        for key, value in kwargs.items():
            self.add_module(key, value)


class CrossMapLRN2d(Module):
    """Normalises over neighbouring channels, (N, C, H, W) as it is."""

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Tensor) -> Tensor:
        if input.ndim != 4:
            raise ShapeError(
                f"CrossMapLRN2d needs (N, C, H, W), not {shape_text(input.shape)}", operands=(input,), code="LZ202"
            )
        return new(input.shape, input)
