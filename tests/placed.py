"""Runs code that is placed on devices which are not here: others stand for them, under real torch.

What crosses without a move shows in one of three ways: torch refuses tensors of two devices; a layer hears of an input
that is not where its parameters are (torch's meta device lets convolutions and products of matrices pass); a result
is on another device than the stand-in says.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch

from lazygen.symbolic.placement import is_layer
from lazygen.verify.devices import mapping_mode

SPLITS = (
    {"cuda:0": "cpu", "cuda:1": "meta", "cuda:2": "cpu"},
    {"cuda:0": "meta", "cuda:1": "cpu", "cuda:2": "cpu"},
    {"cuda:0": "meta", "cuda:1": "meta", "cuda:2": "cpu"},
    {"cuda:0": "cpu", "cuda:1": "cpu", "cuda:2": "meta"},
)


class FromMeta(torch.overrides.TorchFunctionMode):
    """Lets a tensor come back from the meta device, where it lost its numbers."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        try:
            return function(*args, **(kwargs or {}))
        except NotImplementedError:
            if function not in (torch.Tensor.to, torch.Tensor.type_as):
                raise
            with torch.device("cpu"):
                blank = torch.zeros(args[0].shape, dtype=args[0].dtype)
            return function(blank, *args[1:], **(kwargs or {}))


@contextmanager
def stand_ins(devices: dict[str, str], default: str = "cpu") -> Iterator[None]:
    """Others stand for devices; what says no device is made on `default`."""
    with ExitStack() as stack:
        stack.enter_context(torch.device(default))
        stack.enter_context(FromMeta())
        stack.enter_context(mapping_mode(torch, tuple(devices.items())))
        stack.enter_context(torch.no_grad())
        yield


def made(text: str, name: str = "placed") -> dict[str, Any]:
    """The names of a module of placed code; to be called where something stands for its devices."""
    module = types.ModuleType(name)
    exec(compile(text, name, "exec", dont_inherit=True), module.__dict__)
    return module.__dict__


def strict(model: torch.nn.Module) -> torch.nn.Module:
    """The model, whose layers refuse inputs that are not where they are."""

    def check(layer: torch.nn.Module, args: Any, kwargs: Any) -> None:
        own = next(layer.parameters(), None)
        for tensor in _tensors((args, kwargs)):
            assert own is None or tensor.device == own.device, f"{layer} on {own.device} gets {tensor.device}"

    for layer in model.modules():
        if is_layer(type(layer)) and type(layer).__module__.startswith("torch."):
            layer.register_forward_pre_hook(check, with_kwargs=True)
    return model.eval()


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)


def described(value: Any) -> Any:
    """Shapes, dtypes and devices of a result, nested as it is."""
    if isinstance(value, torch.Tensor):
        return (tuple(value.shape), str(value.dtype).removeprefix("torch."), value.device.type)
    if isinstance(value, dict):
        return {str(key): described(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [described(item) for item in value]
    return type(value).__name__


def as_told(value: Any, devices: dict[str, str]) -> Any:
    """What the trace says of a result, where others stand for the devices."""
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], str):
        dtype, _, place = value[1].partition(" on ")
        return (value[0], dtype, devices.get(place, place or "cpu"))
    if isinstance(value, dict):
        return {key: as_told(item, devices) for key, item in value.items()}
    return [as_told(item, devices) for item in value] if isinstance(value, list) else value
