"""torch's old constructors: `torch.Tensor(2, 3)` is a tensor of that size, `torch.Tensor([2, 3])` has that content."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lazygen.symbolic.tensor import Size, Tensor


def content(given: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[Any] | None]:
    """The shape and, where they are given, the values of a tensor made by an old constructor from `given`."""
    while given and (given[-1] is None or given[-1] is False):
        given = given[:-1]
    if not given or given == ((),):
        return (0,), []
    if len(given) > 1 or (hasattr(given[0], "__index__") and not isinstance(given[0], Tensor)):
        return given, None
    data = given[0]
    if isinstance(data, Tensor):
        return data.shape, data.values
    return (tuple(data), None) if isinstance(data, Size) else _nested(data)


def _nested(data: Any) -> tuple[tuple[int, ...], list[Any] | None]:
    if isinstance(data, Tensor):
        return data.shape, data.values
    if not isinstance(data, Iterable):
        return (), [data]
    parts = [_nested(item) for item in data]
    values: list[Any] | None = []
    for _, inner in parts:
        values = None if values is None or inner is None else values + inner
    return (len(parts), *(parts[0][0] if parts else ())), values
