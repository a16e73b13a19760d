"""What lists, tuples and dicts hold, nested as one likes: arguments of calls, results of models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def leaves(value: Any) -> Iterator[Any]:
    """All that is no list, tuple or dict; the value itself if it is none."""
    if isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same lists, tuples and dicts with each thing in them changed; those of classes of their own count as one."""
    if type(value) is dict:
        return {key: mapped(item, change) for key, item in value.items()}
    if type(value) is list or type(value) is tuple:
        return type(value)([mapped(item, change) for item in value])
    return change(value)
