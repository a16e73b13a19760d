"""Graphs: placeholders stand for tensors, calls on them are kept, and `Functional` is the model between some of them.

    image = Placeholder((None, 3, 32, 32))
    x = Conv2d(10, kernel_size=5)(image)          a placeholder again, of shape (2, 10, 28, 28)
    model = Functional(inputs=image, outputs=x.flatten())

While a graph is put together each call runs once on a sample, so layers build themselves and shapes are torch's own.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

import torch
from torch import nn

from lazygen.layers.base import Layer, LayerError
from lazygen.layers.containers import run_on
from lazygen.layers.places import caller, of_frame

_serials = count()


@dataclass(frozen=True, eq=False)
class Call:
    """One call in a graph: of a module, of a function, or of a tensor's method by name."""

    serial: int
    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    at: str

    def inputs(self) -> Iterator[Placeholder]:
        """The placeholders among the arguments, sizes that were read off one included."""
        yield from placeholders_in((self.args, self.kwargs))

    def run(self, values: Callable[[Any], Any]) -> Any:
        """The result, with what `values` gives for each placeholder."""
        args = tuple(replaced(argument, values) for argument in self.args)
        kwargs = {name: replaced(argument, values) for name, argument in self.kwargs.items()}
        if isinstance(self.function, str):
            return getattr(args[0], self.function)(*args[1:], **kwargs)
        return self.function(*args, **kwargs)


class Placeholder:
    """A tensor of a graph: an input of a shape, in which None is a free size, or what a call gave."""

    def __init__(self, shape: Sequence[int | None], dtype: Any = None) -> None:
        let_modules_take_placeholders()
        self._call: Call | None = None
        self._at = of_frame(caller())
        self._free = tuple(size is None for size in shape)
        self.sample = Layer.observer.sample(shape, dtype)
        Layer.observer.valued(self)

    @property
    def shape(self) -> Any:
        """The sample's shape.  A size in it that is passed on follows the input when the model runs."""
        if not Layer.observer.keeps_sizes:
            return self.sample.shape
        return tuple(Size.made(size, "size", self, dim) for dim, size in enumerate(self.sample.shape))

    def size(self, dim: int | None = None) -> Any:
        return self.shape if dim is None else self.shape[dim]

    @property
    def ndim(self) -> int:
        return len(self.sample.shape)

    @property
    def dtype(self) -> Any:
        return self.sample.dtype

    @property
    def device(self) -> Any:
        return self.sample.device

    def dim(self) -> int:
        return self.ndim

    def flatten(self, start_dim: int = 1, end_dim: int = -1) -> Any:
        """Unlike a tensor's: the dims before `start_dim`, 1 if not given, stay."""
        return record("flatten", (self, start_dim, end_dim), {})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(self.sample, name):
            raise AttributeError(f"'Placeholder' object has no attribute {name!r}")
        if name in _PROPERTIES:
            return record(getattr, (self, name), {})
        return lambda *args, **kwargs: record(name, (self, *args), kwargs)

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return record(function, tuple(args), dict(kwargs or {}))

    def __getitem__(self, index: Any) -> Any:
        return record(operator.getitem, (self, index), {})

    __hash__ = object.__hash__  # equality is a call in the graph, as it is of tensors

    def __len__(self) -> int:
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    def __bool__(self) -> bool:
        raise LayerError("a placeholder has no data to branch on", code="LZ220")

    def __repr__(self) -> str:
        shape = [None if free else int(size) for size, free in zip(self.sample.shape, self._free, strict=True)]
        return f"Placeholder({', '.join(map(str, shape))})"


_PROPERTIES = ("T", "mT", "H", "mH", "real", "imag", "data")


def _operator(function: Any, reflected: bool) -> Any:
    def apply(self: Placeholder, other: Any) -> Any:
        return record(function, (other, self) if reflected else (self, other), {})

    return apply


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"):
    _function = getattr(operator, f"{_name}_" if _name in ("and", "or") else _name)
    setattr(Placeholder, f"__{_name}__", _operator(_function, reflected=False))
    setattr(Placeholder, f"__r{_name}__", _operator(_function, reflected=True))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Placeholder, f"__{_name}__", _operator(getattr(operator, _name), reflected=False))
for _function in (operator.neg, operator.pos, operator.abs, operator.invert):
    setattr(Placeholder, f"__{_function.__name__}__", lambda self, _f=_function: record(_f, (self,), {}))


class Size(int):
    """A size that was read off a placeholder: it follows the input when the model runs, and so do sums of it.

    `origin` is `("size", placeholder, dim)`, or the name of an operator and what it was reckoned from.
    """

    origin: tuple[str, Any, Any]

    @classmethod
    def made(cls, value: int, *origin: Any) -> Size:
        self = cls(value)
        self.origin = origin
        return self

    def sources(self) -> Iterator[Placeholder]:
        """The placeholders that it was read off."""
        for part in self.origin[1:]:
            if isinstance(part, Size):
                yield from part.sources()
            elif isinstance(part, Placeholder):
                yield part

    def follow(self, values: Callable[[Any], Any]) -> int:
        """The size, with what `values` gives for each placeholder."""
        how, left, right = self.origin
        if how == "size":
            return values(left).shape[right]  # type: ignore[no-any-return]
        pair = (part.follow(values) if isinstance(part, Size) else part for part in (left, right))
        return int(getattr(operator, how)(*pair))


def _reckoned(name: str, reflected: bool) -> Any:
    function = getattr(operator, name)

    def apply(self: Size, other: Any) -> Any:
        pair = (other, self) if reflected else (self, other)
        if not isinstance(other, int):
            return function(*(int(part) if part is self else part for part in pair))
        return Size.made(function(*map(int, pair)), name, *pair)

    return apply


for _name in ("add", "sub", "mul", "floordiv", "mod"):
    setattr(Size, f"__{_name}__", _reckoned(_name, reflected=False))
    setattr(Size, f"__r{_name}__", _reckoned(_name, reflected=True))


def record(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run a call on the samples and keep it: placeholders for the tensors of its result, nested as that is."""
    call = Call(next(_serials), function, args, kwargs, of_frame(caller()))

    def sample(placeholder: Any) -> Any:
        return placeholder.sample

    if isinstance(function, nn.Module):
        Layer.observer.noted("module", function)
        inputs = [replaced(argument, sample) for argument in args]
        result = run_on(function, *inputs, **{name: replaced(value, sample) for name, value in kwargs.items()})
    else:
        with torch.no_grad():
            result = call.run(sample)
    return _kept(result, call)


def _kept(result: Any, call: Call) -> Any:
    if isinstance(result, torch.Tensor):
        made = Placeholder.__new__(Placeholder)
        made._call, made._at, made.sample = call, call.at, result
        made._free = (False,) * len(result.shape)
        Layer.observer.valued(made)
        return made
    if isinstance(result, (list, tuple)) and any(isinstance(item, torch.Tensor) for item in result):
        items = [_kept(item, _part(call, number)) for number, item in enumerate(result)]
        return _like(result, items)
    if isinstance(result, dict):
        return {key: _kept(item, _part(call, key)) for key, item in result.items()}
    return result


def _like(result: Any, items: list[Any]) -> Any:
    """Items in a list or a tuple as `result` is one, so that `x.max(1).values` is read as of a tensor's."""
    if type(result) in (list, tuple):
        return type(result)(items)
    make = getattr(type(result), "_make", type(result))
    return make(items)


def _part(call: Call, key: Any) -> Call:
    return Call(next(_serials), operator.getitem, (_Whole(call), key), {}, call.at)


class _Whole(Placeholder):
    """All that a call gives, where that is more than one tensor."""

    def __init__(self, call: Call) -> None:
        self._call, self._at, self._free, self.sample = call, call.at, (), None


def let_modules_take_placeholders() -> None:
    """From now on a call of any module on placeholders is a call in a graph.

    torch asks objects that are no tensors about functions only, by `__torch_function__`, and there the module that a
    weight belongs to is not known; so the call of modules itself has to look.
    """
    plain: Any = nn.Module.__call__
    taken = getattr(plain, "takes_placeholders", None)
    if taken is Placeholder:
        return
    if taken is not None:  # placeholders of another copy of this library
        plain = plain.__wrapped__

    @functools.wraps(plain)
    def call(self: nn.Module, *args: Any, **kwargs: Any) -> Any:
        if next(placeholders_in((args, kwargs)), None) is not None:
            if any(is_inlined(self) for is_inlined in _inlined):
                return self.forward(*args, **kwargs)
            return record(self, args, kwargs)
        return plain(self, *args, **kwargs)

    call.takes_placeholders = Placeholder  # type: ignore[attr-defined]
    nn.Module.__call__ = call  # type: ignore[method-assign]


_inlined: list[Callable[[nn.Module], bool]] = []


@contextmanager
def inlined(modules: Callable[[nn.Module], bool]) -> Iterator[None]:
    """Inside, a call of one of the modules is no call in a graph; those that it makes are."""
    _inlined.append(modules)
    try:
        yield
    finally:
        _inlined.pop()


def placeholders_in(value: Any) -> Iterator[Placeholder]:
    """The placeholders of a value nested in lists, tuples, dicts and slices."""
    if isinstance(value, Placeholder):
        yield value
    elif isinstance(value, Size):
        yield from value.sources()
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from placeholders_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from placeholders_in(item)
    elif isinstance(value, slice):
        yield from placeholders_in((value.start, value.stop, value.step))


def replaced(value: Any, values: Callable[[Any], Any]) -> Any:
    """A value with what `values` gives in the place of each placeholder."""
    if isinstance(value, Placeholder):
        return values(value)
    if isinstance(value, Size):
        return value.follow(values)
    if isinstance(value, tuple):
        return tuple(replaced(item, values) for item in value)
    if isinstance(value, list):
        return [replaced(item, values) for item in value]
    if isinstance(value, dict):
        return {key: replaced(item, values) for key, item in value.items()}
    if isinstance(value, slice):
        return slice(*(replaced(item, values) for item in (value.start, value.stop, value.step)))
    return value
