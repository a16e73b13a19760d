"""Operations without a rule: real torch evaluates them on its meta device, if it can be imported.

Real torch's modules stand under torch's names in `sys.modules` only for the length of a call.  Sizes that come back are
plain numbers.  Where all tensors are constants the call runs on real numbers, and the result is a constant too.
"""

from __future__ import annotations

import sys
import warnings
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from inspect import isfunction
from types import ModuleType
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import NoRule, ShapeError
from lazygen.symbolic.tensor import KEPT_VALUES, Size, Tensor, numel, shape_text

importing: Callable[[], AbstractContextManager[Any]] = nullcontext
"""Entered while real torch is imported; the world puts there what lets the import do as it must."""

stand_in_finders: list[Any] = []
"""The finders of the stand-in, which must not answer while real torch is in place."""

_real: dict[str, ModuleType] = {}
_missing: str | None = None  # why real torch cannot be imported, once that was tried


def keep_aside() -> None:
    """Take real torch, if it is loaded, out of `sys.modules`, and keep it for calls to come."""
    taken = _take_out()
    if _missing is None:
        _real.update(taken)


def available() -> bool:
    """Whether there is a real torch to ask."""
    return _load() is not None


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
    shown = path.replace("torch.Tensor.", "Tensor.")

    def ask(*args: Any, **kwargs: Any) -> Any:
        torch = _load()
        if torch is None:
            raise NoRule(shown, _missing or "")
        call = _Call(torch, shown, (args, kwargs))
        result = call(_at(torch, path), args, kwargs)
        if path.endswith("_") and not path.endswith("__") and args and isinstance(args[0], Tensor):
            return _written(args[0], result)
        return result

    ask.__name__ = ask.__qualname__ = path.rpartition(".")[2]
    ask.__module__ = path.rpartition(".")[0]
    return ask


def _written(target: Tensor, result: Any) -> Any:
    if isinstance(result, Tensor):
        target._shape, target.dtype, target.values = result.shape, result.dtype, result.values
        return target
    return result


def _load() -> Any:
    """Real torch, imported on first need; None if there is none."""
    global _missing
    if "torch" not in _real and _missing is None and "_C" in vars(sys.modules.get("torch", object)):
        # Torch itself is there, not the stand-in: a second import in one process would crash.
        _real.update({name: module for name, module in sys.modules.items() if name.partition(".")[0] == "torch"})
    if "torch" not in _real and _missing is None:
        stand_in = _take_out()
        finders = [finder for finder in sys.meta_path if finder in stand_in_finders]
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder not in finders]
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
            sys.meta_path[:0] = finders
            sys.modules.update(stand_in)
    return _real.get("torch")


def _take_out() -> dict[str, ModuleType]:
    names = [name for name in sys.modules if name == "torch" or name.startswith("torch.")]
    return {name: sys.modules.pop(name) for name in names}


@contextmanager
def real_torch() -> Iterator[Any]:
    """Puts real torch's modules back under their names.  Raises NoRule if there is none."""
    torch = _load()
    if torch is None:
        raise NoRule("torch", _missing or "")
    stand_in = _take_out()
    finders = list(sys.meta_path)
    sys.meta_path[:] = [finder for finder in finders if finder not in stand_in_finders]
    sys.modules.update(_real)
    try:
        yield torch
    finally:
        _real.update(_take_out())
        sys.meta_path[:] = finders
        sys.modules.update(_real if stand_in.get("torch") is torch else stand_in)


def _at(torch: Any, path: str) -> Any:
    value = torch
    for name in path.split(".")[1:]:
        value = getattr(value, name)
    return value


class _Call:
    """One call into real torch: which device it runs on, and what becomes of values on the way in and out."""

    def __init__(self, torch: Any, name: str, given: Any) -> None:
        self.torch, self.name = torch, name
        self.tensors = list(_tensors(given))
        self.on_meta = any(t.values is None and numel(t.shape) != 0 for t in self.tensors)
        self.place: Any = self.tensors[0].device if self.tensors else dtypes.DEFAULT_DEVICE[-1]
        self.memo: dict[int, Any] = {}

    def __call__(self, function: Any, args: Any, kwargs: Any) -> Any:
        with real_torch() as torch, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                with torch.device("meta") if self.on_meta else nullcontext(), torch.no_grad():
                    return self.back(function(*self.into(args), **self.into(kwargs)))
            except NotImplementedError:
                raise NoRule(self.name, "torch's meta device cannot do it either") from None
            except ShapeError:
                raise
            except (RuntimeError, TypeError, ValueError, IndexError) as error:
                if "data-dependent" in str(error) or "meta tensors" in str(error):
                    raise NoRule(self.name, f"its result hangs on data: {_first_line(error)}") from None
                shapes = " and ".join(shape_text(t.shape) for t in self.tensors)
                notes = (f"the operands are {shapes}",) if shapes else ()
                message = f"torch refuses {self.name}: {_first_line(error)}"
                raise ShapeError(message, operands=tuple(self.tensors), notes=notes) from None

    def into(self, value: Any) -> Any:
        """A value of the stand-in as real torch wants it."""
        if isinstance(value, Tensor):
            if id(value) not in self.memo:
                self.memo[id(value)] = self._tensor(value)
            return self.memo[id(value)]
        if isinstance(value, dtypes.dtype):
            return getattr(self.torch, value.name)
        if isinstance(value, dtypes.device):
            self.place = value
            return self.torch.device("meta" if self.on_meta else "cpu")
        if isinstance(value, (bool, str, bytes, type(None))):
            return value
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            return float(value)
        if isinstance(value, Foreign):
            return value.__dict__["real"]
        if isinstance(value, Size):
            return self.torch.Size([int(size) for size in value])
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*(self.into(item) for item in value))
        if isinstance(value, (list, tuple)):
            return type(value)(self.into(item) for item in value)
        if isinstance(value, dict):
            return {key: self._keyword(key, item) for key, item in value.items()}
        if isfunction(value):
            return lambda *args, **kwargs: self.into(value(*self.back(args), **self.back(kwargs)))
        return value

    def _keyword(self, key: Any, value: Any) -> Any:
        if key == "device" and value is not None and not isinstance(value, Tensor):
            value = dtypes.device(value)
        return self.into(value)

    def _tensor(self, value: Tensor) -> Any:
        torch = self.torch
        shape, dtype = [int(size) for size in value.shape], getattr(torch, value.dtype.name)
        if self.on_meta or value.values is None:
            return torch.empty(shape, dtype=dtype, device="meta" if self.on_meta else "cpu")
        numbers = [item.__index__() if hasattr(item, "__index__") else item for item in value.values]
        return torch.tensor(numbers, dtype=dtype).reshape(shape)

    def back(self, value: Any) -> Any:
        """A value of real torch as the stand-in has it."""
        torch = self.torch
        if isinstance(value, torch.Tensor):
            values = None
            if value.device.type == "cpu" and not self.on_meta and value.numel() <= KEPT_VALUES:
                values = value.detach().reshape(-1).tolist() if value.layout == torch.strided else None
            return Tensor(tuple(value.shape), self.back(value.dtype), self.place, values)
        if isinstance(value, torch.Size):
            return Size(value)
        if isinstance(value, torch.dtype):
            return dtypes.DTYPES.get(str(value)[6:], dtypes.float32)
        if isinstance(value, torch.device):
            return self.place
        if isinstance(value, tuple) and hasattr(type(value), "n_sequence_fields"):  # torch.return_types
            names: Any = vars(type(value))["__match_args__"]
            return namedtuple(type(value).__name__, names)(*map(self.back, value))
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*(self.back(item) for item in value))
        if isinstance(value, (list, tuple)):
            return type(value)(self.back(item) for item in value)
        if isinstance(value, dict):
            return {key: self.back(item) for key, item in value.items()}
        if type(value).__module__.startswith("torch."):
            return foreign(value, self.name)
        return value


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, Foreign):
        yield from value.__dict__["made_of"]
    elif isinstance(value, dict):
        for item in value.values():
            yield from _tensors(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


class Foreign:
    """An object of real torch, such as a distribution; its methods and attributes are asked for on the meta device."""

    def __getattr__(self, name: str) -> Any:
        if "real" not in self.__dict__ or (name.startswith("__") and name.endswith("__")):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        real, path = self.__dict__["real"], f"{self.__dict__['path']}.{name}"
        call = _Call(_load(), path, self)
        value = call(lambda: getattr(real, name, _ABSENT), (), {})
        if value is _ABSENT:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        if not callable(value):
            return value

        def ask(*args: Any, **kwargs: Any) -> Any:
            return _Call(_load(), path, (self, args, kwargs))(value, args, kwargs)

        return ask


_ABSENT = object()


def foreign(real: Any, path: str, made_of: tuple[Tensor, ...] = ()) -> Foreign:
    """The stand-in's view of an object of real torch."""
    made = Foreign()
    made.__dict__.update(real=real, path=path, made_of=made_of)
    return made


def class_without_rule(path: str) -> type:
    """A class at a path such as `torch.distributions.Normal`: its objects are real torch's, on the meta device."""

    def __init__(self: Foreign, *args: Any, **kwargs: Any) -> None:
        torch = _load()
        if torch is None:
            raise NoRule(path, _missing or "")
        call = _Call(torch, path, (args, kwargs))
        if path.startswith("torch.distributions.") and call.on_meta:
            kwargs.setdefault("validate_args", False)  # it would look at the numbers
        held: list[Any] = []
        call(lambda *a, **k: held.append(_at(torch, path)(*a, **k)), args, kwargs)
        self.__dict__.update(real=held[0], path=path, made_of=tuple(call.tensors))

    package, _, name = path.rpartition(".")
    return type(name, (Foreign,), {"__init__": __init__, "__module__": package})


def layer_without_rule(path: str) -> type:
    """A layer class at a path such as `torch.nn.FractionalMaxPool2d`.

    Real torch builds and runs it, on the meta device.
    """
    from lazygen.symbolic.nn.module import Module
    from lazygen.symbolic.nn.parameter import Parameter

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        Module.__init__(self)
        torch = _load()
        if torch is None:
            raise NoRule(path, _missing or "")
        held: list[Any] = []
        call = _Call(torch, path, (args, kwargs))
        call.on_meta = True
        call(lambda *a, **k: held.append(_at(torch, path)(*a, **k)), args, kwargs)
        object.__setattr__(self, "real_layer", held[0])
        _mirror(self, held[0], call)

    def _mirror(module: Any, real: Any, call: _Call) -> None:
        for key, value in real.named_parameters(recurse=False):
            module.register_parameter(key, Parameter(call.back(value)))
        for key, value in real.named_buffers(recurse=False):
            module.register_buffer(key, call.back(value))
        for key, value in real.named_children():
            child = Module()
            module.add_module(key, child)
            _mirror(child, value, call)

    def forward(self: Any, *args: Any, **kwargs: Any) -> Any:
        call = _Call(_load(), path, (args, kwargs))
        call.on_meta = True
        return call(self.real_layer.train(self.training), args, kwargs)

    package, _, name = path.rpartition(".")
    return type(name, (Module,), {"__init__": __init__, "forward": forward, "__module__": package})
