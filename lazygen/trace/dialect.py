"""The TorchX style in the traced process: `lazygen.layers` runs on the stand-in, by all the names that sources give it.

    import torchx.layers as L        import torchx as tx        from lazygen.layers import *

What its layers do is told to the recorder, and what its graphs are like is kept for the trace.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder
from itertools import count
from types import FrameType, FunctionType, ModuleType
from typing import Any

from lazygen.diagnostics import Place
from lazygen.settings import Input, Size
from lazygen.symbolic.atoms import Atom, Symbol
from lazygen.symbolic.dim import Dim, expr_of, of_symbol
from lazygen.symbolic.dtypes import Devices
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import Expr, constant, substitute
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.tensor import Tensor, user_frame
from lazygen.symbolic.text import Unprintable, to_text
from lazygen.trace.engine import Engine
from lazygen.trace.inputs import sample_of
from lazygen.trace.model import GraphTrace, Leaf, Noted
from lazygen.trace.placements import PlacementRecorder
from lazygen.trace.recorder import LayerRecorder
from lazygen.trace.sites import Sites

_OWN = ("lazygen.layers", "lazygen.nn", "lazygen.devices")
_PACKAGES = {name.replace("lazygen", "torchx"): name for name in ("lazygen", *_OWN)}
_DEVICES = ("device_scope", "new_tensor", "DataParallel", "DistributedDataParallel", "DistributedManager")
_FOUND = (*_OWN, "torchx")
_FREE_NAMES = "NLMKPQ"
_CALLED = "called_as_number"
_numbers = count()


class Dialect:
    """Hears what layers and graphs do.

    The methods that have the names of those of `lazygen.layers.base.Observer` do what is said there.
    """

    keeps_sizes = False

    def __init__(self, recorder: LayerRecorder, sites: Sites, engine: Engine, filename: str) -> None:
        self.recorder, self.sites, self.engine = recorder, sites, engine
        self.placements = PlacementRecorder(sites, filename)
        self.notes: list[Noted] = []
        self.graphs: list[GraphTrace] = []
        self._subjects: list[Any] = []
        self.values: dict[Place, Leaf] = {}
        self._free = 0

    def install(self) -> None:
        """Find the layers from now on; those that real torch has loaded in this process are forgotten."""
        package = sys.modules["lazygen"]
        for name in [n for n in sys.modules if n in _FOUND or n.startswith(tuple(f"{found}." for found in _FOUND))]:
            del sys.modules[name]
        for name in _OWN:
            package.__dict__.pop(name.rpartition(".")[2], None)
        sys.meta_path.insert(0, _Finder(self))
        _count_calls(self.engine.module_class)

    def called(self, model: Any) -> Iterator[tuple[str, int]]:
        """The modules of a model by name, with numbers in the order of their first calls."""
        for name, module in model.named_modules(remove_duplicate=False):
            number = vars(module).get(_CALLED)
            if number is not None:
                yield name, number

    def graph_of(self, model: Any) -> int:
        """Which of the graphs a model is; -1 if it is none."""
        return next((number for number, subject in enumerate(self._subjects) if subject is model), -1)

    # What layers tell

    def made(self, layer: Any) -> None:
        self.recorder.made(layer)

    def sized(self, layer: Any, sizes: dict[str, int], shape: Sequence[int]) -> None:
        self.placements.built(layer)
        self.recorder.sized_for(layer, sizes, shape)

    def resized(self, layer: Any, sizes: dict[str, int], input: Any) -> None:
        error = ShapeError(f"{type(layer).__name__} gets an input of another width", operands=(input,), code="LZ210")
        error.layer = layer
        raise error

    def meets(self, layer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        return (args, kwargs) if Devices.policy is None else Devices.policy.layer(layer, args, kwargs)

    def noted(self, what: str, subject: Any) -> None:
        frame = user_frame()
        place = None if frame is None else self.sites.of_frame(frame)
        if place is None:
            return
        if what.endswith(" inputs"):
            caller = self._caller(subject, frame)
            if any(caller is graph for graph in self._subjects):
                return  # it was noted when that graph was built, where the call is written
            what = what if caller is None else "inputs through another module"
        self.notes.append(Noted(what, place))
        if what == "graph":
            self._subjects.append(subject)
            self.graphs.append(GraphTrace(place, self._described(subject._inputs), self._described(subject._outputs)))

    def _caller(self, module: Any, until: FrameType | None) -> Any:
        """The module that made the call of another one that is under way; None if it was the source, at `until`."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame is not until:
            owner = frame.f_locals.get("self")
            if owner is not module and isinstance(owner, self.engine.module_class):
                return owner
            frame = frame.f_back
        return None

    def valued(self, placeholder: Any) -> None:
        frame = user_frame()
        place = None if frame is None else self.sites.of_frame(frame)
        described = None if place is None else self._described(placeholder)
        if place is not None and described is not None:
            self.values[place] = described

    def sample(self, shape: Sequence[int | None], dtype: Any) -> Any:
        self._free += 1
        return self.engine.tensor([self._size(size, index, len(shape)) for index, size in enumerate(shape)], dtype)

    def _size(self, size: int | None, index: int, rank: int) -> int:
        text = f"dim {index} of placeholder {self._free}"
        if size is None:
            return of_symbol(new_symbol("free", text, sample_of(size, index), index=index))
        if index == 0 and rank > 1:
            return of_symbol(new_symbol("batch", text, int(size), index=index))
        if isinstance(size, Dim) and size.expr.constant is None:
            return size
        return of_symbol(new_symbol("input", text, int(size), index=index))

    # Graphs as values

    def _described(self, value: Any) -> Any:
        """What goes into a graph or comes out of it, nested as it is there, each placeholder a Leaf."""
        if isinstance(value, dict):
            return {str(key): self._described(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._described(item) for item in value]
        sample = getattr(value, "sample", None)
        if not isinstance(sample, self.engine.tensor_class):
            return None
        texts = [_said(size) for size in self.engine.sizes(sample)]
        pairs = zip(sample.shape, texts, strict=True)
        sizes = [Size(int(size), None if text.isdigit() else _identifier(text)) for size, text in pairs]
        text = f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"
        return Leaf(text, Input(tuple(sizes), self.engine.dtype(sample)))


def _said(size: int) -> str:
    """A size of a graph for people: a number, but what hangs on free sizes in their terms, the batch being N."""

    def change(atom: Atom) -> Expr | None:
        if isinstance(atom, Symbol):
            if atom.definition is not None and atom.definition.constant is None:
                return substitute(atom.definition, change)
            return None if atom.kind == "free" else constant(atom.value)
        return None

    try:
        return to_text(substitute(expr_of(size), change), _free_name)
    except Unprintable:
        return str(int(size))


def _identifier(text: str) -> str:
    """A size as the name of a free one: `L - 4` is `L_4`."""
    return re.sub(r"\W+", "_", text).strip("_")


def _free_name(atom: Atom) -> str | None:
    return _FREE_NAMES[(atom.index or 0) % len(_FREE_NAMES)] if isinstance(atom, Symbol) else None


def _count_calls(modules: Any) -> None:
    """From now on modules know in which order they were called first."""
    plain = modules.__call__
    if getattr(plain, _CALLED, False):
        return

    @functools.wraps(plain)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if _CALLED not in vars(self):
            object.__setattr__(self, _CALLED, next(_numbers))
        return plain(self, *args, **kwargs)

    setattr(call, _CALLED, True)
    modules.__call__ = call


# Finding


class _Finder(Loader):
    """Finds `torchx` and its modules in lazygen's, and puts the observer into the layers when they are loaded."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        if name in _PACKAGES and (name == "torchx" or _exists(_PACKAGES[name])):
            return ModuleSpec(name, self, is_package=name == "torchx")
        if name in ("lazygen.layers", "lazygen.devices"):
            spec = PathFinder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = _Watched(spec.loader, self.dialect)  # type: ignore[assignment]
            return spec
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return _TorchX(spec.name) if spec.name == "torchx" else None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        if name != "torchx":
            sys.modules[name] = import_module(_PACKAGES[name])


def _exists(name: str) -> bool:
    return name in sys.modules or PathFinder.find_spec(name, sys.modules["lazygen"].__path__) is not None


class _TorchX(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if f"torchx.{name}" in _PACKAGES:
            return import_module(f"torchx.{name}")
        if name in _DEVICES:
            return getattr(import_module("torchx.devices"), name)
        raise AttributeError(f"module 'torchx' has no attribute {name!r}")


class _Watched:
    def __init__(self, loader: Any, dialect: Dialect) -> None:
        self.loader, self.dialect = loader, dialect

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        if module.__name__ == "lazygen.devices":
            module.device_scope.observer = self.dialect.placements
        else:
            module.Layer.observer = self.dialect

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)


# Functions of torch over placeholders


def taking_placeholders(function: Any) -> Any:
    """A function of the stand-in that asks its arguments whether they want the call, as torch's own do."""
    if not isinstance(function, FunctionType):
        return function

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        owner = _wanting((*args, *kwargs.values()))
        if owner is not None:
            return owner.__torch_function__(call, (type(owner),), args, kwargs)
        return function(*args, **kwargs)

    return call


def _wanting(values: Sequence[Any]) -> Any:
    for value in values:
        if isinstance(value, (list, tuple)) and not isinstance(value, Tensor):
            found = _wanting(value)
            if found is not None:
                return found
        elif hasattr(type(value), "__torch_function__") and not isinstance(value, Tensor):
            return value
    return None
