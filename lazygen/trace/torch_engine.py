"""The second engine: a source runs under real torch, on the meta device.  Sizes are numbers, without terms.

Whatever the source says of devices, its tensors are on the meta device; constants (`tensor`, `arange`, `linspace`) stay
on the CPU as long as nothing of the meta device meets them, so that their numbers can be asked for.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from lazygen.frontend.instrument import Tables
from lazygen.settings import Input
from lazygen.symbolic.index import LAYERS
from lazygen.symbolic.meta_device import on_meta
from lazygen.symbolic.tensor import user_frame
from lazygen.trace import finder, sandbox
from lazygen.trace.engine import Engine
from lazygen.trace.finder import Compile, Location
from lazygen.trace.inputs import sample_sizes
from lazygen.trace.reads import Reads
from lazygen.trace.recorder import LayerRecorder


def import_torch() -> str | None:
    """Import real torch, so that the processes of the runs find it loaded; why it cannot be, if it cannot.

    What torch imports when its meta device first computes something takes as long again, so something is computed here.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import torch

            images = torch.nn.Conv2d(1, 1, 1, device="meta")(torch.empty(1, 1, 4, 4, device="meta"))
            torch.nn.BatchNorm2d(1, device="meta").eval()(images)
    except Exception as error:
        return str(error) or type(error).__name__
    return None


class PlainReads(Reads):
    """Knows frames, functions and loops, and leaves every number as it is."""

    def _parameter(self, name: str, value: Any, token: int) -> Any:
        return value

    def bind(self, value: Any, name: str) -> Any:
        return value

    def _tag_items(self, container: Any) -> None:
        return None

    def tagged_attribute(self, owner: Any, name: str, value: Any) -> Any:
        return value

    def item(self, owner: Any, key: Any, number: int = -1) -> Any:
        return owner[key]

    def tagged_item(self, item: Any, pattern: Any, token: int, iteration: int) -> Any:
        return item

    def keep(self, value: Any, number: int) -> Any:
        return value


class TorchEngine(Engine):
    """Real torch."""

    sees_traps = False
    has_terms = False
    follows_devices = False

    def __init__(self) -> None:
        with sandbox.lifted():
            import torch
        self.torch: Any = torch
        self.module_class, self.tensor_class = torch.nn.Module, torch.Tensor

    def reads(self, tables: Tables) -> Reads:
        return PlainReads(tables)

    def install(self, location: Location, compile_source: Compile, recorder: LayerRecorder) -> None:
        finder.install(location, compile_source)
        sandbox.let_libraries_load()
        torch = self.torch
        for owner, names in (
            (torch, ["compile"]),
            (torch.jit, ["script", "ignore", "unused", "export", "script_method"]),
        ):
            for name in names:
                setattr(owner, name, _as_it_is)
        torch.jit.trace = lambda function, *args, **kwargs: function
        torch.nn.Module.cuda = torch.nn.Module.cpu = lambda module, *args, **kwargs: module
        torch.nn.Module.__new__ = _remember_where
        _watch_lazy_layers(torch, recorder)
        on_meta(torch).__enter__()

    def input(self, given: Input, name: str, free: dict[str, int]) -> Any:
        sizes = sample_sizes(given, free)
        return self.torch.empty(sizes, dtype=getattr(self.torch, given.dtype), device="meta")

    def tensor(self, sizes: Sequence[int], dtype: Any = None) -> Any:
        made = self.torch.empty([int(size) for size in sizes], dtype=dtype, device="meta")
        made.sizes_made_with = tuple(sizes)
        return made

    def sizes(self, tensor: Any) -> Sequence[int]:
        return getattr(tensor, "sizes_made_with", tuple(tensor.shape))

    def dtype(self, tensor: Any) -> str:
        return str(tensor.dtype).removeprefix("torch.")

    def waits(self, module: Any) -> bool:
        lazy = isinstance(module, self.torch.nn.modules.lazy.LazyModuleMixin)
        return lazy and (module.cls_to_become is not None or bool(module.has_uninitialized_params()))


def _remember_where(kind: Any, *args: Any, **kwargs: Any) -> Any:
    """A new module, which knows where the source made it."""
    made, frame = object.__new__(kind), user_frame(2)
    if frame is not None:
        made.__dict__["made_at"] = (frame.f_code, frame.f_lasti)
    return made


def _as_it_is(value: Any = None, *args: Any, **kwargs: Any) -> Any:
    return _as_it_is if value is None else value


# Lazy layers


def _watch_lazy_layers(torch: Any, recorder: LayerRecorder) -> None:
    """Tell the recorder of lazy layers that are made, and of the weights that their first call gives them."""
    mixin = torch.nn.modules.lazy.LazyModuleMixin
    for name, family in LAYERS.items():
        if name.startswith("Lazy") and hasattr(torch.nn, name):
            stand_in = getattr(import_module(f"lazygen.symbolic.nn.{family}"), name)
            getattr(torch.nn, name).missing = stand_in.missing
    make, infer = mixin.__init__, mixin._infer_parameters

    @functools.wraps(make)
    def made(self: Any, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        recorder.made(self)

    @functools.wraps(infer)
    def inferred(self: Any, module: Any, args: Any, kwargs: Any = None) -> None:
        kind = type(module)
        infer(self, module, args, kwargs)
        shape = (args[0] if args else next(iter(kwargs.values()))).shape
        if getattr(kind, "missing", ()):
            recorder.sized_for(module, {kind.missing[0]: _size(module, shape)}, shape)
            record = module.__dict__.get("lazy_record")
            if record is not None:  # plain numbers do not tell where they come from
                record.unbatched = hasattr(module, "kernel_size") and len(shape) == len(module.kernel_size) + 1

    mixin.__init__, mixin._infer_parameters = made, inferred


def _size(module: Any, shape: Any) -> int:
    """The size that a lazy layer left out, from the weight that torch gave it, or the input of a norm that has none."""
    weight: Any = getattr(module, "weight", None)
    if hasattr(module, "transposed"):
        return int(weight.shape[0] if module.transposed else weight.shape[1] * module.groups)
    if hasattr(module, "in_features"):
        return int(weight.shape[1])
    return int(shape[1] if weight is None else weight.shape[0])
