"""What belongs to real torch, or to a library that it serves, as sources see it: objects, functions, modules."""

from __future__ import annotations

import functools
import inspect
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from lazygen.symbolic import fallback
from lazygen.symbolic.meta_call import Call, call_foreign, twins
from lazygen.symbolic.tensor import Tensor

_ABSENT = object()


class Foreign:
    """An object of real torch, such as a distribution; its methods and attributes are asked for on the meta device."""

    def __getattr__(self, name: str) -> Any:
        if "real_object" not in self.__dict__ or (name.startswith("__") and name.endswith("__")):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        real, path = self.__dict__["real_object"], f"{self.__dict__['path']}.{name}"
        call = Call(fallback.load(), path, self)
        value = call(lambda: getattr(real, name, _ABSENT), (), {})
        if value is _ABSENT:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        if not callable(value):
            return value

        def ask(*args: Any, **kwargs: Any) -> Any:
            return Call(fallback.load(), path, (self, args, kwargs))(value, args, kwargs)

        return ask


def foreign(real: Any, path: str, made_of: tuple[Tensor, ...] = ()) -> Foreign:
    """The stand-in's view of an object of real torch."""
    made = Foreign()
    made.__dict__.update(real_object=real, path=path, made_of=made_of)
    return made


def class_without_rule(path: str) -> type:
    """A class at a path such as `torch.distributions.Normal`: its objects are real torch's, on the meta device."""

    def __init__(self: Foreign, *args: Any, **kwargs: Any) -> None:
        call = fallback.call(path, args, kwargs)
        if path.startswith("torch.distributions.") and call.on_meta:
            kwargs.setdefault("validate_args", False)  # it would look at the numbers
        held: list[Any] = []
        call(lambda *a, **k: held.append(fallback.at(call.torch, path)(*a, **k)), args, kwargs)
        self.__dict__.update(real_object=held[0], path=path, made_of=tuple(call.tensors))

    package, _, name = path.rpartition(".")
    return type(name, (Foreign,), {"__init__": __init__, "__module__": package})


def called_by_library(function: Any, args: Any, kwargs: Any) -> Any:
    """What a function of real torch gives, where a library calls it with tensors of the stand-in."""
    name = str(getattr(function, "__name__", function))
    return fallback.written(name, args, call_foreign(function, f"torch.{name}", args, kwargs))


def seen(value: Any, path: str, made_of: tuple[Tensor, ...] = (), of_library: bool = False) -> Any:
    """What a source sees of a value of real torch, or of a library that it serves (`of_library`).

    Tensors, layers and what is made of them are `Call.back`'s.
    """
    if not of_library:
        return foreign(value, path, made_of) if type(value).__module__.startswith("torch.") else value
    if isinstance(value, ModuleType):
        return _module(value)
    if isinstance(value, type):
        return _class(value)
    if inspect.isroutine(value) or (callable(value) and type(value).__module__.startswith(("torch.", "functools"))):
        return _function(value, path, made_of)
    return foreign(value, path, made_of) if type(value).__module__.startswith("torch.") else value


def _module(value: ModuleType) -> ModuleType:
    name = value.__name__
    if fallback.is_apart(name):
        with fallback.stand_in():
            return sys.modules[name] if name in sys.modules else ForeignModule(value)
    return value


def _class(value: type) -> Any:
    torch = fallback.load()
    if value.__module__.partition(".")[0] == "torch":
        with fallback.stand_in():
            try:
                return getattr(import_module(value.__module__), value.__name__)
            except (ImportError, AttributeError):
                return value
    if issubclass(value, torch.nn.Module):
        from lazygen.symbolic.real_layers import layer_class

        return layer_class(value)
    return value


def _function(value: Any, path: str, made_of: tuple[Tensor, ...]) -> Any:
    def ask(*args: Any, **kwargs: Any) -> Any:
        return call_foreign(value, path, args, kwargs, made_of)

    functools.update_wrapper(ask, value)
    twins(value, ask)
    return ask


class ForeignModule(ModuleType):
    """A module of a library that real torch serves.  Its names are looked up when they are asked for."""

    def __init__(self, real: ModuleType) -> None:
        super().__init__(real.__name__, real.__doc__)
        self.__dict__["real_object"] = real
        for name in ("__file__", "__path__", "__package__", "__all__"):
            if name in vars(real):
                self.__dict__[name] = vars(real)[name]

    def __getattr__(self, name: str) -> Any:
        real = self.__dict__["real_object"]
        if name.startswith("__") and name not in ("__version__",):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        held: list[Any] = []
        path = f"{self.__name__}.{name}"
        with fallback.real_torch() as torch:
            held.append(getattr(real, name))
            made = Call(torch, path, (), foreign=True).back(held[0])
        if made is not held[0]:
            self.__dict__[name] = made
        return made

    def __dir__(self) -> list[str]:
        return sorted({*dir(self.__dict__["real_object"]), *self.__dict__})
