"""`torch.overrides.TorchFunctionMode`, for the functions that make a tensor like another one: `zeros_like`, `new_ones`.

A mode hears of these alone: it is there for scopes that say where such tensors stand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

_ACTIVE: list[FunctionMode] = []


class FunctionMode:
    """What torch calls `TorchFunctionMode`; a subclass has `__torch_function__`."""

    def __enter__(self) -> FunctionMode:
        _ACTIVE.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _ACTIVE.pop()

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return function(*args, **(kwargs or {}))


def asking_modes(function: Callable[..., Any], name: str = "") -> Callable[..., Any]:
    """The function, under a name of torch's; the innermost mode is asked first, and calls it itself."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not _ACTIVE:
            return function(*args, **kwargs)
        mode = _ACTIVE.pop()
        try:
            return mode.__torch_function__(call, (), args, kwargs)
        finally:
            _ACTIVE.append(mode)

    call.__name__ = name or function.__name__
    return call
