"""Brings the tensors among the arguments of a call where they are wanted, in lists, dicts and packed sequences too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lazygen.symbolic.dtypes import device as Device
from lazygen.symbolic.dtypes import dtype as Dtype
from lazygen.symbolic.placement import Path, key, operands
from lazygen.symbolic.tensor import Tensor

Wanted = dict[Path, tuple[Device | None, Dtype | None]]
"""Where operands have to be, and of which dtype; None for as they are."""

PARALLEL = ("DataParallel", "DistributedDataParallel")
"""Modules that bring their inputs by themselves."""


def call(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], wanted: Wanted) -> Any:
    """Call a function on tensors that are where they are wanted."""
    there, named = carried(args, kwargs, wanted)
    return function(*there, **named)


def carried(args: Sequence[Any], kwargs: dict[str, Any], wanted: Wanted) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments, with tensors that are where they are wanted."""
    there = tuple(_carried(argument, (place,), wanted) for place, argument in enumerate(args))
    return there, {name: _carried(argument, (name,), wanted) for name, argument in kwargs.items()}


def brought(args: Sequence[Any], kwargs: dict[str, Any], place: Device) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments, with all their tensors on one device."""
    return carried(args, kwargs, {operand.path: (place, None) for operand in operands(args, kwargs)})


def _carried(value: Any, path: Path, wanted: Wanted) -> Any:
    if path in wanted:
        place, kind = wanted[path]
        tensor = value if isinstance(value, Tensor) else value.data
        if (place is None or key(place) == key(tensor.device)) and kind in (None, tensor.dtype):
            return value
        made = Tensor(tensor._shape, kind or tensor.dtype, place or tensor.device, tensor.values)
        return made if isinstance(value, Tensor) else value.with_data(made)
    if not _leads(path, wanted):
        return value
    if type(value) in (list, tuple):
        return type(value)(_carried(item, (*path, place), wanted) for place, item in enumerate(value))
    if type(value) is dict:
        return {name: _carried(item, (*path, name), wanted) for name, item in value.items()}
    return value


def _leads(path: Path, wanted: Iterable[Path]) -> bool:
    return any(other[: len(path)] == path for other in wanted)
