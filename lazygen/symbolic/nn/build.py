"""What the constructors of layers share: sizes as torch keeps them, parameters, and functions by their rule's name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lazygen.symbolic.dim import of_symbol
from lazygen.symbolic.dtypes import device as Device
from lazygen.symbolic.dtypes import located
from lazygen.symbolic.errors import NoRule, ShapeError
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.nn.parameter import Parameter, UninitializedParameter
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.rules import find
from lazygen.symbolic.shapes import as_size
from lazygen.symbolic.tensor import shape_text


def placed(device: Any) -> Device | None:
    """The device an argument names, None for the default one."""
    return None if device is None else located(device)


def ntuple(value: Any, count: int) -> tuple[Any, ...]:
    """`count` times a number, or the tuple that the author wrote, unchecked as in torch."""
    return tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (value,) * count


def whole(value: Any) -> int:
    """A size as int or Dim.  Raises ShapeError for what is no whole number."""
    if not hasattr(value, "__index__"):
        raise ShapeError(f"a size must be a whole number, not {value!r}", code="LZ202")
    return as_size(value)


def chosen(value: Any) -> int:
    """A size that the source chooses for a layer's output: a number gets a symbol, which tells it from an equal one
    elsewhere.
    """
    size = whole(value)
    return of_symbol(new_symbol("literal", str(size), size)) if type(size) is int else size


def parameter(shape: Iterable[Any], dtype: Any = None, device: Any = None) -> Parameter:
    """A parameter of a shape.  Raises ShapeError for a size that is negative or no whole number."""
    return Parameter.of(_checked(shape), dtype, placed(device))


def materialize(parameter: Any, shape: Iterable[Any]) -> None:
    """Give a parameter that waits its shape.  Raises ShapeError for a size that is negative."""
    parameter.materialize(_checked(shape))


def _checked(shape: Iterable[Any]) -> tuple[int, ...]:
    sizes = tuple(whole(size) for size in shape)
    if any(int(size) < 0 for size in sizes):
        raise ShapeError(f"a parameter of {shape_text(sizes)} cannot be: a size is negative", code="LZ202")
    return sizes


def register(module: Module, name: str, shape: Iterable[Any] | None, dtype: Any = None, device: Any = None) -> None:
    """Give a module a parameter, or the name alone where there is none, as torch keeps it."""
    module.register_parameter(name, None if shape is None else parameter(shape, dtype, device))


def waiting(dtype: Any = None, device: Any = None) -> UninitializedParameter:
    """A parameter that waits for the first call of its lazy layer."""
    return UninitializedParameter(device=placed(device), dtype=dtype)


def function(name: str) -> Callable[..., Any]:
    """The rule of a function such as `F.relu`, which a layer's forward calls.  Raises NoRule if there is none."""
    found = find(name)
    if found is None:
        raise NoRule(name)
    return found
