"""Other shapes of the same elements, and parts of a tensor: as layers and as functions.

torch's own `Flatten` is the layer for `flatten`.
"""

from __future__ import annotations

import builtins
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
        parts = self.index if isinstance(self.index, tuple) else (self.index,)
        return ", ".join(map(_said, parts))


def _said(part: Any) -> str:
    """An item of an index as it stands between the brackets."""
    if not isinstance(part, builtins.slice):
        return "..." if part is ... else repr(part)
    bounds = ["" if bound is None else str(bound) for bound in (part.start, part.stop, part.step)]
    return ":".join(bounds if bounds[2] else bounds[:2])
