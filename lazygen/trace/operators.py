"""`torch.ops` and `torch.library`: operators of libraries, which say their result's shape by a fake of their own.

An operator that a source or a library registers in Python is run by its fake where it has one, else by its body.  One
that only a compiled library has is asked of real torch, on its meta device.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from lazygen.symbolic import fallback
from lazygen.symbolic.errors import NoRule
from lazygen.symbolic.shapes import free_size
from lazygen.trace.inert import quiet, returning

_FAKES: dict[str, Callable[..., Any]] = {}
_BODIES: dict[str, Callable[..., Any]] = {}
_LIBRARIES: list[str] = []  # what is to be loaded before real torch is asked
_SHAPES = ("Meta", "CompositeImplicitAutograd", "CompositeExplicitAutograd")  # dispatch keys whose code gives shapes


def run(name: str, args: Any, kwargs: Any) -> Any:
    """The result of the operator `namespace::name`.  Raises NoRule where nobody knows it."""
    plain = name.partition(".")[0]
    function = _FAKES.get(plain) or _BODIES.get(plain)
    if function is not None:
        return function(*args, **kwargs)
    namespace, _, operator = name.partition("::")
    path = f"torch.ops.{namespace}.{operator}"
    call = fallback.call(path, args, kwargs)
    with fallback.real_torch() as torch, fallback.loading():
        try:
            while _LIBRARIES:
                torch.ops.load_library(_LIBRARIES.pop())
            found = fallback.at(torch, path)
        except AttributeError:
            raise NoRule(path, "no library that was loaded has it") from None
        except OSError as error:
            raise NoRule(path, f"its library cannot be loaded: {error}") from None
    return call(found, args, kwargs)


class Operators:
    """`torch.ops`, its namespaces, their operators and the overloads of these."""

    def __init__(self, path: tuple[str, ...] = ()) -> None:
        self._path = path

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if not self._path and name in ("load_library", "import_module"):
            return _LIBRARIES.append if name == "load_library" else quiet
        return returning(-1) if name == "_cuda_version" else Operators((*self._path, name))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return run(_name(self), args, kwargs)


class CustomOperator:
    """What `torch.library.custom_op` makes of a function."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self._name = name
        _BODIES.setdefault(name, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return run(self._name, args, kwargs)

    def register_fake(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        _FAKES[self._name] = fn
        return fn

    def register_kernel(self, device_types: Any, fn: Any = None) -> Any:
        return _given_back if fn is None else fn

    def register_vmap(self, func: Any = None) -> Any:
        return _given_back if func is None else func

    register_torch_dispatch = register_kernel
    register_autograd = register_autocast = set_kernel_enabled = staticmethod(quiet)


def custom_op(name: str, fn: Any = None, **settings: Any) -> Any:
    """Registers a function as an operator; a decorator without it."""
    return functools.partial(CustomOperator, name) if fn is None else CustomOperator(name, fn)


def register_fake(op: Any, func: Any = None, **settings: Any) -> Any:
    """Registers what gives an operator's result in shapes; a decorator without it."""

    def register(function: Any) -> Any:
        _FAKES[_name(op)] = function
        return function

    return register if func is None else register(func)


def impl(qualname: str, types: Any = (), func: Any = None, **settings: Any) -> Any:
    """Registers the body of an operator; a decorator without it."""

    def register(function: Any) -> Any:
        _BODIES.setdefault(qualname, function)
        return function

    return register if func is None else register(func)


def register_kernel(op: Any, device_types: Any = None, func: Any = None, **settings: Any) -> Any:
    """Registers the body of an operator for a kind of device."""
    return impl(_name(op), device_types, func)


class Library:
    """`torch.library.Library`: registers operators of a namespace."""

    def __init__(self, ns: str, kind: str, dispatch_key: str = "") -> None:
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def define(self, schema: str, *args: Any, **settings: Any) -> str:
        return schema.partition("(")[0]

    def impl(self, op_name: Any, fn: Any, dispatch_key: str = "", **settings: Any) -> None:
        name = op_name if isinstance(op_name, str) else _name(op_name)
        name = (name if "::" in name else f"{self.ns}::{name}").partition(".")[0]
        key = dispatch_key or self.dispatch_key
        if not key.startswith("Auto"):  # what stands around an operator, and calls it
            (_FAKES if key in _SHAPES else _BODIES).setdefault(name, fn)

    def _register_fake(self, op_name: str, fn: Any, *args: Any, **settings: Any) -> None:
        _FAKES[f"{self.ns}::{op_name}"] = fn

    _destroy = fallback = staticmethod(quiet)


class _Context:
    """What a fake asks for a size that hangs on data."""

    def new_dynamic_size(self, *, min: int = 0, max: int | None = None) -> int:
        return free_size("an operator of the library", 1)

    create_unbacked_symint = new_dynamic_size


def _given_back(function: Any) -> Any:
    return function


ops = Operators()
impl_abstract, triton_op, get_ctx = register_fake, custom_op, _Context
define = register_autograd = register_autocast = quiet
register_vmap = register_torch_dispatch = returning(_given_back)


def _name(op: Any) -> str:
    """`namespace::operator` of whatever names an operator."""
    if isinstance(op, Operators):
        return f"{'.'.join(op._path[:1])}::{'.'.join(op._path[1:])}"
    name = op._name if isinstance(op, CustomOperator) else str(op)
    return name.partition(".")[0]
