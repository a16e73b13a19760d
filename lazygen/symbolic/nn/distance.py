"""Distances and similarities between vectors."""

from __future__ import annotations

from lazygen.symbolic.nn.build import function
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import Tensor


class PairwiseDistance(Module):
    """(N, D) and (N, D) to (N); (N, 1) with keepdim."""

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return function("F.pairwise_distance")(x1, x2, self.norm, self.eps, self.keepdim)  # type: ignore[no-any-return]


class CosineSimilarity(Module):
    """Two tensors that broadcast to their shape without `dim`."""

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return function("F.cosine_similarity")(x1, x2, self.dim, self.eps)  # type: ignore[no-any-return]
