"""Base classes that are not there: a module if the class behaves like one, else a plain class that keeps its arguments.

Which of the two is read off the text of the class statement, for its body has not been run when the base is asked for.
"""

from __future__ import annotations

import ast
import dis
import inspect
import sys
from abc import ABCMeta
from typing import Any

from lazygen.symbolic.dtypes import device as Device
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import TRACED
from lazygen.trace import text
from lazygen.trace.stubs import Import, MissingValue, Stub, name_of, source_of

_MODULE_METHODS = {"forward", "training_step", "configure_optimizers"}
_MODULE_ONLY = {
    "register_buffer", "register_parameter", "register_module", "add_module", "parameters", "named_parameters",
    "modules", "named_modules", "children", "named_children", "state_dict", "load_state_dict", "requires_grad_",
    "zero_grad", "register_forward_hook", "register_forward_pre_hook", "save_hyperparameters",
}  # fmt: skip
_LOAD_ATTRIBUTE = {"LOAD_ATTR", "LOAD_METHOD"}


def base_for(stub: Stub, bases: tuple[Any, ...]) -> tuple[type, ...]:
    """What stands in a class statement for a base that is not there."""
    statement = text.class_at(sys._getframe(2))
    beside = [base for base in bases if isinstance(base, type)]
    marks = {"__stub__": (name_of(stub), source_of(stub)), "__module__": __name__}
    if any(issubclass(base, (Module, Plain, BaseException)) for base in beside):
        return (type("Mixin", (Mixin,), marks),)  # a name of its own for each: a class cannot have one base twice
    if statement is not None and _is_module(*statement):
        return (type("MissingModule", (MissingModule,), marks),)
    return (PlainType("Plain", (Plain,), marks),)


def _is_module(statement: ast.ClassDef, tree: ast.Module) -> bool:
    """Whether the class, or one of the same file that derives from it, has or uses what only a module has."""
    family, before = {statement.name}, 0
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    while len(family) != before:
        before = len(family)
        family |= {c.name for c in classes if any(isinstance(b, ast.Name) and b.id in family for b in c.bases)}
    return any(_acts_as_module(c) for c in classes if c is statement or (c.name in family and c.name != statement.name))


def _acts_as_module(statement: ast.ClassDef) -> bool:
    methods = {node.name for node in statement.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    return bool(methods & _MODULE_METHODS) or any(_reads_of_module(node) for node in ast.walk(statement))


def _reads_of_module(node: ast.AST) -> bool:
    read = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr in _MODULE_ONLY
    return read and isinstance(node.value, ast.Name) and node.value.id == "self"  # type: ignore[attr-defined]


class Mixin:
    """A missing base beside one that is there."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()


class MissingModule(Module):
    """A missing base that is taken for a module.  What else it has, or sets from its arguments, is a stub."""

    hparams: Any
    current_epoch = global_step = local_rank = global_rank = 0
    __stub__: tuple[str, Import]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        for name, value in {**_named_by_caller(args, sys._getframe(1)), **kwargs}.items():
            setattr(self, name, value)

    def save_hyperparameters(self, *args: Any, ignore: Any = (), frame: Any = None, logger: bool = True) -> None:
        """Keeps the arguments of the constructor that calls it as `hparams`."""
        frame = frame or sys._getframe(1)
        given = _constructor_arguments(frame)
        if args and all(isinstance(name, str) for name in args):
            given = {name: given[name] for name in args if name in given}
        elif args:
            given = dict(args[0]) if isinstance(args[0], dict) else dict(getattr(args[0], "__dict__", {}))
        left_out = [ignore] if isinstance(ignore, str) else list(ignore or ())
        kept = {name: value for name, value in given.items() if name not in left_out}
        held = self.__dict__.setdefault("hparams", HyperParameters())
        held.update(kept)

    def log(self, *args: Any, **kwargs: Any) -> None:
        return None

    log_dict = log_metrics = print = manual_backward = toggle_optimizer = untoggle_optimizer = log
    freeze = unfreeze = post_init = init_weights = log

    @property
    def device(self) -> Any:
        return next((p.device for p in self.parameters()), Device("cpu"))

    @property
    def dtype(self) -> Any:
        return next((p.dtype for p in self.parameters()), None)

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            frame = sys._getframe(1)
            if name.startswith("_") or not _is_attribute_read(frame):
                raise  # `hasattr` and `getattr` must be told the truth
            base, source = type(self).__stub__
            return Stub(f"{base}.{name}", source)


class HyperParameters(dict[str, Any]):
    """Arguments by name, read as attributes too."""

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"no hyper-parameter {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class PlainType(ABCMeta):
    """Gives a class with a missing base the class methods that the base would have had."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        stub = next((vars(kin)["__stub__"] for kin in cls.__mro__ if "__stub__" in vars(kin)), None)
        if stub is None:
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        return Stub(f"{cls.__name__}.{name}", stub[1])


class Plain(metaclass=PlainType):
    """A missing base that keeps keyword arguments as attributes, in place of the defaults that the class body states.

    What such a base does with other arguments is not known: then to read a default that one of them might have
    replaced is an error, and so is any field of a class with validators.
    """

    __stub__: tuple[str, Import]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        fields = _fields(type(self))
        for name, value in kwargs.items():
            object.__setattr__(self, name, value)
        unknown = "an argument without a name" if args else ""
        for name in kwargs:
            if fields and name not in fields and not any(name in vars(kin) for kin in type(self).__mro__):
                unknown = f"the argument {name!r}"
        if unknown:
            object.__setattr__(self, "__unknown__", unknown)

    def __getattribute__(self, name: str) -> Any:
        held = object.__getattribute__(self, "__dict__")
        if not name.startswith("__"):
            cls = type(self)
            validator = _validator(cls)
            if name in _fields(cls) and (validator or ("__unknown__" in held and name not in held)):
                base, source = cls.__stub__
                use = f"{cls.__name__}.{name}, which {validator or held['__unknown__']} may change,"
                raise MissingValue(base, source, use)
        return object.__getattribute__(self, name)

    def __getattr__(self, name: str) -> Any:
        frame = sys._getframe(1)
        if name.startswith("__") or not _is_attribute_read(frame):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return Stub(f"{type(self).__name__}.{name}", type(self).__stub__[1])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in vars(self).items() if k[0] != '_')})"


def _fields(cls: type) -> set[str]:
    known = cls.__dict__.get("__stub_fields__")
    if known is None:
        kin = [c for c in cls.__mro__ if c.__module__ != __name__]
        known = {name for c in kin for name in inspect.get_annotations(c)}
        type.__setattr__(cls, "__stub_fields__", known)
    return known


def _validator(cls: type) -> str:
    for kin in cls.__mro__:
        for name, value in kin.__dict__.items():
            function = getattr(value, "__func__", value)
            if name == "model_post_init" or "__stub_validator__" in getattr(function, "__dict__", ()):
                return f"{name}()"
    return ""


def _named_by_caller(args: tuple[Any, ...], frame: Any) -> dict[str, Any]:
    """Positional arguments under the names that the caller's parameters have for them: `super().__init__(config)`."""
    parameters = _constructor_arguments(frame)
    return {name: value for value in args for name, value_ in parameters.items() if value_ is value}


def _constructor_arguments(frame: Any) -> dict[str, Any]:
    """The arguments of the function that runs in a frame, as they are now, without `self`."""
    info = inspect.getargvalues(frame)
    given = {name: info.locals[name] for name in info.args[1:] if name in info.locals}
    if info.keywords:
        given.update(info.locals.get(info.keywords, {}))
    return given


def _is_attribute_read(frame: Any) -> bool:
    """Whether a traced source asks by `a.b`, and not a function that asks whether there is one."""
    if frame.f_code.co_qualname == "Reads.attr":  # what instrumented sources read attributes by
        return True
    if frame.f_code.co_filename not in TRACED:
        return False
    return dis.opname[frame.f_code.co_code[frame.f_lasti]] in _LOAD_ATTRIBUTE
