"""The stand-in for `torch.nn.Module`: registration, traversal, state, modes, hooks and the call.

There is no metaclass, so that ABC, Protocol and Generic mix in as they do with torch.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any, TypeVar

from lazygen.symbolic.dtypes import Devices, kept
from lazygen.symbolic.equalities import agree
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.modes import _Modes
from lazygen.symbolic.nn.parameter import Buffer, Parameter
from lazygen.symbolic.observer import Observer
from lazygen.symbolic.tensor import TRACED, Tensor, shape_text, user_frame

Self = TypeVar("Self", bound="Module")
_TABLES = ("_parameters", "_buffers", "_modules")


class _Handle:
    """What registering a hook gives back."""

    _next = 0

    def __init__(self, table: dict[int, Any]) -> None:
        self.table = table
        self.id = _Handle._next
        _Handle._next += 1

    def remove(self) -> None:
        self.table.pop(self.id, None)


class Module(_Modes):
    """Base class of all modules.

    `made_at` is where the source called the constructor, or what called it: then it is `made_inside` of that.
    """

    training: bool = True
    dump_patches = False
    call_super_init = False
    made_at: Any = None
    made_inside = False

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        self = object.__new__(cls)
        frame = user_frame(2)
        if frame is not None:
            object.__setattr__(self, "made_at", (frame.f_code, frame.f_lasti))
            if sys._getframe(1).f_code.co_filename not in TRACED:  # a layer of torch's makes it, or a library
                object.__setattr__(self, "made_inside", True)
            elif Observer.made is not None:
                Observer.made(self)
        if Observer.placed is not None:
            Observer.placed(self)
        return self

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if (args or kwargs) and not self.call_super_init:
            first = next(iter(kwargs), None)
            if first is not None:
                raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument '{first}'")
            raise TypeError(
                f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were given"
            )
        set_ = object.__setattr__
        set_(self, "training", True)
        set_(self, "_parameters", OrderedDict())
        set_(self, "_buffers", OrderedDict())
        set_(self, "_modules", OrderedDict())
        set_(self, "_non_persistent_buffers_set", set())
        set_(self, "_forward_hooks", OrderedDict())
        set_(self, "_forward_pre_hooks", OrderedDict())

    forward: Callable[..., Any]

    def forward(self, *args: Any, **kwargs: Any) -> Any:  # type: ignore[no-redef]
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    # Calling

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for hook, with_kwargs in list(self._forward_pre_hooks.values()):
            changed = hook(self, args, kwargs) if with_kwargs else hook(self, args)
            if changed is not None and with_kwargs:
                args, kwargs = changed
            elif changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        if Devices.mixed and Devices.policy is not None:
            args, kwargs = Devices.policy.layer(self, args, kwargs)
        try:
            result = self.forward(*args, **kwargs)
        except ShapeError as error:
            if error.layer is None and type(self).__module__.startswith(("lazygen.symbolic.", "lazygen.layers.")):
                error.layer = self
            raise
        for hook, with_kwargs in list(self._forward_hooks.values()):
            changed = hook(self, args, kwargs, result) if with_kwargs else hook(self, args, result)
            result = result if changed is None else changed
        return result

    # Registration

    def __setattr__(self, name: str, value: Any) -> None:
        tables = self.__dict__
        if isinstance(value, Parameter):
            self._needs_init("_parameters", "parameters")
            self._forget(name, "_parameters")
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            self._needs_init("_modules", "module")
            self._forget(name, "_modules")
            tables["_modules"][name] = value
        elif name in tables.get("_parameters", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{type(value).__name__}' as parameter '{name}' (Parameter or None expected)"
                )
            tables["_parameters"][name] = None
        elif name in tables.get("_modules", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{type(value).__name__}' as child module '{name}' (Module or None expected)"
                )
            tables["_modules"][name] = None
        elif isinstance(value, Buffer):
            self._forget(name, "_buffers")
            self.register_buffer(name, value, value.persistent)
        elif name in tables.get("_buffers", ()):
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{type(value).__name__}' object to buffer '{name}' (torch.Tensor or None required)"
                )
            tables["_buffers"][name] = value
        else:
            object.__setattr__(self, name, value)

    def _needs_init(self, table: str, what: str) -> None:
        if table not in self.__dict__:
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")

    def _forget(self, name: str, kept: str) -> None:
        """Drop a name from everywhere but the table it goes to, where it keeps its place."""
        self.__dict__.pop(name, None)
        for table in _TABLES:
            if table != kept:
                self.__dict__[table].pop(name, None)

    def __getattr__(self, name: str) -> Any:
        tables = self.__dict__
        for table in _TABLES:
            if table in tables and name in tables[table]:
                return tables[table][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        for table in _TABLES:
            if name in self.__dict__.get(table, ()):
                del self.__dict__[table][name]
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        own = [*dir(type(self)), *self.__dict__]
        return sorted({*own, *(name for table in _TABLES for name in self.__dict__.get(table, ()))})

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        self._needs_init("_parameters", "parameter")
        _check_name(self, name, "_parameters", "parameter")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(f"cannot assign '{type(param).__name__}' object to parameter '{name}'")
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        self._needs_init("_buffers", "buffer")
        _check_name(self, name, "_buffers", "buffer")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"cannot assign '{type(tensor).__name__}' object to buffer '{name}'")
        if tensor is not None and Devices.of_models is not None:
            tensor.device = kept(tensor.device)
        self._buffers[name] = tensor
        (self._non_persistent_buffers_set.discard if persistent else self._non_persistent_buffers_set.add)(name)

    def add_module(self, name: str, module: Module | None) -> None:
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{type(module).__name__} is not a Module subclass")
        self._needs_init("_modules", "module")
        _check_name(self, name, "_modules", "module")
        self._modules[name] = module

    register_module = add_module

    def register_forward_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> _Handle:
        return _register(self._forward_hooks, (hook, with_kwargs), prepend)

    def register_forward_pre_hook(self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False) -> _Handle:
        return _register(self._forward_pre_hooks, (hook, with_kwargs), prepend)

    def _no_hook(self, *args: Any, **kwargs: Any) -> _Handle:
        return _Handle({})

    register_full_backward_hook = register_full_backward_pre_hook = register_backward_hook = _no_hook
    register_state_dict_post_hook = register_state_dict_pre_hook = _no_hook
    register_load_state_dict_pre_hook = register_load_state_dict_post_hook = _no_hook

    # Traversal

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self) -> Iterator[Module]:
        for _, module in self.named_modules():
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        memo = set()
        for name, module in self._modules.items():
            if module is not None and module not in memo:
                memo.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        for _, module in self.named_children():
            yield module

    def _named_members(
        self, table: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        memo = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, value in module.__dict__[table].items():
                if value is None or id(value) in memo:
                    continue
                if remove_duplicate:
                    memo.add(id(value))
                yield f"{path}.{name}" if path else name, value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        return self._named_members("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        return self._named_members("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_submodule(self, target: str) -> Module:
        module: Any = self
        for name in target.split(".") if target else ():
            if not isinstance(getattr(module, name, None), Module):
                raise AttributeError(f"{type(module).__name__} has no submodule `{name}`")
            module = getattr(module, name)
        return module  # type: ignore[no-any-return]

    def get_parameter(self, target: str) -> Parameter:
        path, _, name = target.rpartition(".")
        return getattr(self.get_submodule(path), name)  # type: ignore[no-any-return]

    get_buffer = get_parameter

    # State

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> dict[str, Any]:
        state: dict[str, Any] = OrderedDict() if destination is None else destination
        for name, parameter in self._parameters.items():
            if parameter is not None:
                state[prefix + name] = parameter
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._non_persistent_buffers_set:
                state[prefix + name] = buffer
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=state, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        if type(self).get_extra_state is not Module.get_extra_state:
            state[prefix + "_extra_state"] = self.get_extra_state()
        return state

    def get_extra_state(self) -> Any:
        raise RuntimeError("get_extra_state is not defined")

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> Any:
        own = self.state_dict()
        missing = [key for key in own if key not in state_dict]
        unexpected = [key for key in state_dict if key not in own]
        if strict and (missing or unexpected):
            raise RuntimeError(f"Error(s) in loading state_dict: missing {missing}, unexpected {unexpected}")
        return _IncompatibleKeys(missing, unexpected)

    # Looks

    def extra_repr(self) -> str:
        return ""

    def _get_name(self) -> str:
        return self.__class__.__name__

    def __repr__(self) -> str:
        lines = [f"({name}): " + repr(module).replace("\n", "\n  ") for name, module in self._modules.items()]
        inside = "\n  ".join([*([self.extra_repr()] if self.extra_repr() else []), *lines])
        return f"{self._get_name()}(\n  {inside}\n)" if lines else f"{self._get_name()}({inside})"

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        made = memo[id(self)] = self.__class__.__new__(self.__class__)
        for name, value in self.__dict__.items():
            copied = value if name in ("made_at", "lazy_record") else deepcopy(value, memo)
            object.__setattr__(made, name, copied)
        return made


class _IncompatibleKeys(tuple[list[str], list[str]]):
    def __new__(cls, missing: list[str], unexpected: list[str]) -> _IncompatibleKeys:
        return tuple.__new__(cls, (missing, unexpected))

    missing_keys = property(lambda self: self[0])
    unexpected_keys = property(lambda self: self[1])


def _check_name(module: Module, name: str, table: str, what: str) -> None:
    if not isinstance(name, str):
        raise TypeError(f"{what} name should be a string")
    if "." in name:
        raise KeyError(f'{what} name can\'t contain "."')
    if name == "":
        raise KeyError(f'{what} name can\'t be empty string ""')
    if hasattr(module, name) and name not in module.__dict__[table]:
        raise KeyError(f"attribute '{name}' already exists")


def _register(table: OrderedDict[int, Any], entry: Any, prepend: bool) -> _Handle:
    handle = _Handle(table)
    table[handle.id] = entry
    if prepend:
        table.move_to_end(handle.id, last=False)
    return handle


def fit(layer: Module, name: str, given: int, wanted: int, input: Tensor) -> None:
    """Raise ShapeError unless the size the author wrote for `name` is the one that reaches the layer."""
    if int(given) != int(wanted):
        raise ShapeError(
            f"{type(layer).__name__} has {name} {int(given)}, but {int(wanted)} reach it",
            operands=(input,),
            notes=(f"the input is {shape_text(input.shape)}",),
            helps=(f"write {int(wanted)} for {name}, or mend what comes before",),
            code="LZ210",
        )
    agree(given, wanted)
