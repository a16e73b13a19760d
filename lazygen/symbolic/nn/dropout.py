"""Dropout layers: the shape stays, in training and outside of it."""

from __future__ import annotations

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.build import function
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.ops.windows import split
from lazygen.symbolic.tensor import Tensor


class _DropoutNd(Module):
    rule = "F.dropout"

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ShapeError(f"p of {type(self).__name__} must be between 0 and 1, not {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Tensor:
        return function(self.rule)(input, self.p, self.training)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    """Any shape to the same."""


class Dropout1d(_DropoutNd):
    """(N, C, L), or (C, L), to the same."""

    rule = "F.dropout1d"

    def forward(self, input: Tensor) -> Tensor:
        split(input, 1, type(self).__name__)
        return super().forward(input)


class Dropout2d(_DropoutNd):
    """(N, C, H, W), or (C, H, W), to the same."""

    rule = "F.dropout2d"


class Dropout3d(_DropoutNd):
    """(N, C, D, H, W), or (C, D, H, W), to the same."""

    rule = "F.dropout3d"


class AlphaDropout(_DropoutNd):
    """Any shape to the same."""

    rule = "F.alpha_dropout"


class FeatureAlphaDropout(_DropoutNd):
    """(N, C, *) to the same."""

    rule = "F.feature_alpha_dropout"
