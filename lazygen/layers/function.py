"""A function of one's own as a layer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import nn


class Lambda(nn.Module):
    """Calls a function of tensors that has no parameters inside.

    `get_output_shape` maps input shapes to output shapes; nothing here needs it, since shapes come from running.
    """

    def __init__(self, function: Callable[..., Any], get_output_shape: Callable[..., Any] | None = None) -> None:
        super().__init__()
        self.function = function
        self.get_output_shape = get_output_shape

    def native_module(self) -> None:
        """None: there are no parameters."""
        return

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def extra_repr(self) -> str:
        return getattr(self.function, "__name__", repr(self.function))
