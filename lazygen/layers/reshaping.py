"""Other shapes of the same elements, and parts of a tensor: as layers and as functions.

torch's own `Flatten` is the layer for `flatten`.
"""

from __future__ import annotations

from typing import Any

from torch import nn

from lazygen.layers.base import WithSpec


def flatten(x: Any, start_dim: int = 1) -> Any:
    """(N, ...) to (N, all others); the dims before `start_dim` stay."""
    return x.flatten(start_dim)


def view(x: Any, *sizes: Any) -> Any:
    """The elements in another shape, the batch included; one size may be -1."""
    return x.view(*sizes)


def slice(x: Any, index: Any) -> Any:
    """`x[index]`: an int, a slice, or a tuple of such."""
    return x[index]


class View(WithSpec, nn.Module):
    """`x.view(*sizes)`, the batch included; one size may be -1."""

    def __init__(self, *sizes: Any) -> None:
        super().__init__()
        self.sizes = sizes

    def native_module(self) -> None:
        """None: there are no parameters."""
        return

    def forward(self, x: Any) -> Any:
        return view(x, *self.sizes)

    def extra_repr(self) -> str:
        return ", ".join(map(str, self.sizes))


class Slice(WithSpec, nn.Module):
    """`x[index]`."""

    def __init__(self, index: Any) -> None:
        super().__init__()
        self.index = index

    def native_module(self) -> None:
        """None: there are no parameters."""
        return

    def forward(self, x: Any) -> Any:
        return x[self.index]

    def extra_repr(self) -> str:
        return repr(self.index)
