"""Operations without a rule: real torch evaluates them on its meta device, if it can be imported.

Real torch's modules, and those of libraries that it serves, stand under their names in `sys.modules` only for the
length of a call or of an import.  Sizes that come back are plain numbers.  Where all tensors are constants the call
runs on real numbers, and the result is a constant too.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from types import ModuleType
from typing import Any

from lazygen.symbolic import rules
from lazygen.symbolic.errors import NoRule
from lazygen.symbolic.tensor import Tensor

importing: Callable[[], AbstractContextManager[Any]] = nullcontext
"""Entered while real torch is imported; the world puts there what lets the import do as it must."""

loading: Callable[[], AbstractContextManager[Any]] = nullcontext
"""Entered while a library that real torch serves is imported; the world puts there what lets it load its parts."""

stand_in_finders: list[Any] = []
"""The finders of the stand-in, which must not answer while real torch is in place."""

_real: dict[str, ModuleType] = {}
_missing: str | None = None  # why real torch cannot be imported, once that was tried
_apart = {"torch"}  # packages of which the stand-in and real torch have modules of their own
_shared: set[str] = set()  # modules of these that both have
_set_aside: list[tuple[dict[str, ModuleType], list[Any]]] = []  # the stand-in's modules and finders, by nesting


def keep_aside() -> None:
    """Take real torch and what hangs on it, if it is loaded, out of `sys.modules`, and keep it for calls to come."""
    if _is_real(sys.modules.get("torch")):
        _set_apart(dict(sys.modules))
    taken = _take_out()
    if _missing is None:
        _real.update(taken)


def available() -> bool:
    """Whether there is a real torch to ask."""
    return _load() is not None


def stands_in() -> bool:
    """Whether it is the stand-in that is in torch's place, and not torch itself."""
    return getattr(getattr(sys.modules.get("torch"), "__spec__", None), "loader", None) in stand_in_finders


def is_loaded() -> bool:
    """Whether this process has asked real torch, which must not be imported again."""
    return "torch" in _real


def load() -> Any:
    """Real torch.  Raises NoRule if there is none."""
    torch = _load()
    if torch is None:
        raise NoRule("torch", _missing or "")
    return torch


def is_apart(name: str) -> bool:
    """Whether a module is there twice, or only for real torch."""
    return name.partition(".")[0] in _apart and name not in _shared


def method_without_rule(name: str) -> Callable[..., Any] | None:
    """A method of Tensor that has no rule, as one that asks real torch; None if torch has no such method."""
    from lazygen.symbolic.torch_names import NAMES

    if name in NAMES["torch.Tensor"]["method"].split():
        return function_without_rule(f"torch.Tensor.{name}")
    return None


def function_without_rule(path: str) -> Callable[..., Any]:
    """The function at a path such as `torch.fft.rfft`, as one that asks real torch.

    It raises ShapeError where torch refuses its arguments, in torch's words, and NoRule where there is no torch to
    ask or its meta device does not know the operation.
    """

    def ask(*args: Any, **kwargs: Any) -> Any:
        asked = call(path.replace("torch.Tensor.", "Tensor."), args, kwargs)
        result = asked(at(asked.torch, path), args, kwargs)
        return written(path.rpartition(".")[2], args, result)

    ask.__name__ = ask.__qualname__ = path.rpartition(".")[2]
    ask.__module__ = path.rpartition(".")[0]
    return ask if rules.Guard.around is None else rules.Guard.around(path, ask)


def call(name: str, args: Any, kwargs: Any) -> Any:
    """A call of real torch for these arguments, which `meta_call` describes.  Raises NoRule if there is no torch."""
    torch = _load()
    if torch is None:
        raise NoRule(name, _missing or "")
    from lazygen.symbolic.meta_call import Call

    return Call(torch, name, (args, kwargs))


def written(name: str, args: Any, result: Any) -> Any:
    """The result of a function; one that works in place gives the tensor that it was given, which is changed."""
    if not (name.endswith("_") and not name.endswith("__") and args and isinstance(args[0], Tensor)):
        return result
    if isinstance(result, Tensor):
        target = args[0]
        target._shape, target.dtype, target.values = result.shape, result.dtype, result.values
        return target
    return result


def at(torch: Any, path: str) -> Any:
    """What real torch has at a path."""
    value = torch
    for name in path.split(".")[1:]:
        value = getattr(value, name)
    return value


# Which modules stand in `sys.modules`


def _load() -> Any:
    """Real torch, imported on first need; None if there is none."""
    global _missing
    if "torch" not in _real and _missing is None and _is_real(sys.modules.get("torch")):
        # Torch itself is there, not the stand-in: a second import in one process would crash.
        _real.update({name: module for name, module in sys.modules.items() if name.partition(".")[0] == "torch"})
    if "torch" not in _real and _missing is None:
        stand_in = _take_out()
        finders = list(sys.meta_path)
        sys.meta_path[:] = [finder for finder in finders if finder not in stand_in_finders]
        try:
            with importing(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                import torch  # noqa: F401
        except Exception as error:
            _missing = f"torch cannot be imported: {error}" if not isinstance(error, ModuleNotFoundError) else ""
            _take_out()
        else:
            _real.update(_take_out())
        finally:
            sys.meta_path[:] = finders
            sys.modules.update(stand_in)
    return _real.get("torch")


def _is_real(module: Any) -> bool:
    """Whether a module is torch itself.  The stand-in has a `_C` too, once a source asked for it."""
    return module is not None and "_C" in vars(module) and not stands_in()


def _take_out() -> dict[str, ModuleType]:
    names = [name for name in sys.modules if name.partition(".")[0] in _apart and name not in _shared]
    return {name: sys.modules.pop(name) for name in names}


@contextmanager
def real_torch() -> Iterator[Any]:
    """Puts real torch's modules back under their names.  Raises NoRule if there is none."""
    torch = load()
    if sys.modules.get("torch") is torch:
        yield torch
        return
    _set_aside.append((_take_out(), list(sys.meta_path)))
    sys.meta_path[:] = [finder for finder in sys.meta_path if finder not in stand_in_finders]
    sys.modules.update(_real)
    try:
        yield torch
    finally:
        _real.update(_take_out())
        modules, sys.meta_path[:] = _set_aside.pop()
        sys.modules.update(modules)


@contextmanager
def stand_in() -> Iterator[None]:
    """Puts the stand-in's modules back, for code of a source that real torch calls."""
    if not _set_aside or sys.modules.get("torch") is not _real.get("torch"):
        yield
        return
    modules, stand_in_path = _set_aside[-1]
    real_path = list(sys.meta_path)
    _real.update(_take_out())
    sys.modules.update(modules)
    sys.meta_path[:] = stand_in_path
    try:
        yield
    finally:
        modules.update(_take_out())
        sys.modules.update(_real)
        sys.meta_path[:] = real_path


def import_with_torch(name: str, load_module: Callable[[str], ModuleType] = import_module) -> ModuleType:
    """Import a module of a library with real torch in place, and keep it apart with all that hangs on torch.

    Raises what the import raises, and NoRule if there is no torch.
    """
    from lazygen.symbolic import apart

    load()
    _apart.add(name.partition(".")[0])
    _set_apart(dict(sys.modules))
    with real_torch():
        before = set(sys.modules)
        try:
            with loading(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                module = load_module(name)
        except BaseException:
            for new in set(sys.modules) - before:
                if not apart.is_extension(sys.modules[new]):
                    del sys.modules[new]
            raise
        finally:
            _set_apart({n: sys.modules[n] for n in set(sys.modules) - before})
    return module


def _set_apart(modules: dict[str, ModuleType]) -> None:
    """Note which of these modules hang on the torch that is in place, and must not be seen beside the other one."""
    from lazygen.symbolic import apart

    there = {name: module for name, module in modules.items() if isinstance(module, ModuleType)}
    _apart.update(apart.bound_to_torch(there))
    _shared.update(apart.shared({name: module for name, module in there.items() if is_apart(name)}))
