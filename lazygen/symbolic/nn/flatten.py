"""Dims merged into one, and one split into several."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.build import function
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import Tensor


class Flatten(Module):
    """(N, *) to (N, product): the dims from `start_dim` to `end_dim` become one."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        return function("Tensor.flatten")(input, self.start_dim, self.end_dim)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """The dim `dim` becomes dims of the sizes given."""

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        super().__init__()
        if not isinstance(dim, int):
            raise ShapeError(f"dim of Unflatten must be an int, not {dim!r}", code="LZ202")
        if not isinstance(unflattened_size, (tuple, list)) or not all(
            isinstance(size, int) for size in unflattened_size
        ):
            raise ShapeError(f"unflattened_size must be a tuple of ints, not {unflattened_size!r}", code="LZ202")
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        return function("Tensor.unflatten")(input, self.dim, self.unflattened_size)  # type: ignore[no-any-return]
