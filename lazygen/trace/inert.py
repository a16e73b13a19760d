"""Classes of torch that have no part in shapes.

Optimizers, schedulers, data sets, custom gradients, modes, and all the rest.
"""

from __future__ import annotations

import functools
import inspect
from abc import ABCMeta
from collections.abc import Callable, Iterator
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import NoRule, UnknownValue
from lazygen.symbolic.legacy import content
from lazygen.symbolic.tensor import Tensor
from lazygen.trace.stubs import Import, Stub

_NO_PART = Import("torch", reason="has only its name in lazygen's stand-in, for it has no part in shapes")


def inert_value(path: str) -> Stub:
    """Something of torch that can be passed around, but whose value nothing may need."""
    return Stub(path, _NO_PART)


def uncompiled(*args: Any, **kwargs: Any) -> Stub:
    """What `torch.utils.cpp_extension.load` gives: functions that are not there."""
    reason = "compiles code, which a run on shapes does not; built as a package, the extension would take part"
    return Stub("an extension", Import("torch.utils.cpp_extension", reason=reason))


class _InertType(ABCMeta):
    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = inert_value(f"{cls.__module__}.{cls.__name__}.{name}")
        type.__setattr__(cls, name, made)
        return made


class Inert(metaclass=_InertType):
    """Can be made, subclassed, subscripted and annotated with; whatever else is asked of it is a stub."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """A decorator made with settings gives back what it decorates."""
        decorates = len(args) == 1 and not kwargs and (inspect.isroutine(args[0]) or inspect.isclass(args[0]))
        return args[0] if decorates else inert_value(f"{type(self).__module__}.{type(self).__name__}()")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return inert_value(f"{type(self).__module__}.{type(self).__name__}.{name}")


def inert_class(path: str) -> type:
    """A class of that name that does nothing."""
    package, _, name = path.rpartition(".")
    base: type = (
        Optimizer if package == "torch.optim" else Scheduler if package == "torch.optim.lr_scheduler" else Inert
    )
    return type(base)(name, (base,), {"__module__": package})


_NO_GRAPH = "it works on a graph of operations, and a run on shapes has none"


def refusing(path: str) -> Callable[..., Any]:
    """A function that needs the graph of operations that real torch makes of a model."""

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise NoRule(path, _NO_GRAPH)

    return refuse


def refusing_class(path: str) -> type:
    """A class of such objects: there are none."""
    made = inert_class(path)
    made.__init__ = refusing(path)  # type: ignore[misc]
    return made


class Mode:
    """A context manager that is a decorator too, with arguments or without: `no_grad`, `autocast` and their kin."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if args and inspect.isroutine(args[0]):
            return args[0]
        return object.__new__(cls)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return function

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return inert_value(f"torch.{type(self).__name__}.{name}")


class Optimizer:
    """Keeps its parameters in groups, and does nothing with them."""

    def __init__(self, params: Any = (), *args: Any, **kwargs: Any) -> None:
        items = [params] if isinstance(params, Tensor) else list(params)
        if args and isinstance(args[0], dict):  # a subclass of the user's hands its defaults on
            self.defaults = dict(args[0])
        else:
            self.defaults = {"lr": args[0] if args else 1e-3, **kwargs}
        groups = items if items and isinstance(items[0], dict) else [{"params": items}]
        self.param_groups = [{**self.defaults, **group} for group in groups]
        self.state: dict[Any, Any] = {}

    def step(self, closure: Any = None) -> None:
        return None

    def zero_grad(self, set_to_none: bool = True) -> None:
        return None

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        self.param_groups.append({**self.defaults, **param_group})

    def state_dict(self) -> dict[str, Any]:
        return {"state": {}, "param_groups": self.param_groups}

    def load_state_dict(self, state_dict: Any) -> None:
        return None


class Scheduler:
    """Leaves the learning rates as they are."""

    def __init__(self, optimizer: Any = None, *args: Any, **kwargs: Any) -> None:
        self.optimizer, self.last_epoch = optimizer, 0
        self.base_lrs = [group.get("lr") for group in getattr(optimizer, "param_groups", ())]

    def step(self, *args: Any, **kwargs: Any) -> None:
        return None

    def get_last_lr(self) -> list[Any]:
        return self.base_lrs

    get_lr = get_last_lr

    def state_dict(self) -> dict[str, Any]:
        return {}

    def load_state_dict(self, state_dict: Any) -> None:
        return None


class Dataset:
    """A base to derive from."""

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    def __add__(self, other: Any) -> Any:
        return self


class DataLoader(Dataset):
    """Knows its data set and its settings, but has no data to give."""

    def __init__(self, dataset: Any = None, batch_size: Any = 1, *args: Any, **kwargs: Any) -> None:
        self.dataset, self.batch_size = dataset, batch_size
        self.__dict__.update(kwargs)

    def __len__(self) -> int:
        return -(-len(self.dataset) // (self.batch_size or 1))

    def __iter__(self) -> Iterator[Any]:
        raise UnknownValue("a batch of real data is needed here, and tracing has none")


class Context:
    """What a custom gradient's `forward` writes to."""

    needs_input_grad: tuple[bool, ...] = ()
    saved_tensors: tuple[Any, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        self.saved_tensors = tensors

    def _note(self, *args: Any) -> None:
        return None

    mark_dirty = mark_non_differentiable = set_materialize_grads = save_for_forward = _note


class Function:
    """`torch.autograd.Function`: applying one runs its `forward`."""

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        made: Any = cls
        context = Context()
        context.needs_input_grad = (False,) * len(args)
        if "setup_context" not in {name for kin in cls.__mro__[:-1] for name in vars(kin)}:
            return made.forward(context, *args, **kwargs)
        output = made.forward(*args, **kwargs)
        made.setup_context(context, args, output)
        return output


class _TensorLike(ABCMeta):
    """Classes whose instances are tensors: `torch.FloatTensor`, `torch.autograd.Variable`."""

    dtype: Any = None

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, Tensor) and (cls.dtype is None or value.dtype is cls.dtype)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], Tensor):
            return args[0]
        shape, values = content(args)
        return Tensor(shape, cls.dtype or dtypes.float32, values=values)


def tensor_class(name: str, dtype: Any) -> type:
    """A class such as `FloatTensor`."""
    return _TensorLike(name, (), {"dtype": dtype, "__module__": "torch"})


class Variable(metaclass=_TensorLike):
    """Gives back the tensor it is given."""


def identity(value: Any = None, *args: Any, **kwargs: Any) -> Any:
    """Gives back what it gets; called with settings only, a decorator that does."""
    return identity if value is None else value


def quiet(*args: Any, **kwargs: Any) -> None:
    """Does nothing."""


def returning(value: Any) -> Callable[..., Any]:
    """A function that always gives the same answer."""

    @functools.wraps(quiet)
    def answer(*args: Any, **kwargs: Any) -> Any:
        return value

    return answer
