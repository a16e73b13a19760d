"""Layers in a row, which may grow before and after they are built."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import torch
from torch import nn

from lazygen.layers.base import Layer, WithSpec

Self = TypeVar("Self", bound="Sequential")


class Sequential(WithSpec, nn.Sequential):
    """Gives the input to the first layer, and what each gives to the next.

    `Sequential(a, b)` and `Sequential([a, b])` are the same.
    """

    def __init__(self, *layers: Any) -> None:
        if len(layers) == 1 and isinstance(layers[0], OrderedDict):
            super().__init__(layers[0])
            return
        super().__init__()
        self.extend(self._listed(layers, "list"))

    def add(self: Self, *layers: Any) -> Self:
        """Put layers behind the others: `add(a, b)` or `add([a, b])`."""
        for layer in self._listed(layers, "add"):
            self.append(layer)
        return self

    def build(self: Self, shape: Sequence[int]) -> Self:
        """Build all layers for inputs of a shape."""
        Layer.observer.noted("build", self)
        run_on(self, Layer.observer.sample(shape, None))
        return self

    def native_module(self) -> list[Any]:
        """What the layers say of themselves; a plain torch module stands for itself if it has parameters."""
        return [native_of(layer) for layer in self]

    def _listed(self, layers: Sequence[Any], what: str) -> Iterable[Any]:
        if len(layers) == 1 and not isinstance(layers[0], nn.Module):
            Layer.observer.noted("add list" if what == "add" else what, self)
            return list(layers[0])
        if what == "add":
            Layer.observer.noted(what, self)
        return layers


def native_of(layer: Any) -> Any:
    """The plain torch module in a layer: a list for containers, None without parameters."""
    if hasattr(layer, "native_module"):
        return layer.native_module()
    return layer if any(True for _ in layer.parameters()) else None


def run_on(module: Any, *args: Any, **kwargs: Any) -> Any:
    """What a module gives in eval mode, without gradients; its modes are the same afterwards."""
    modes = [(part, part.training) for part in module.modules()]
    module.eval()
    try:
        with torch.no_grad():
            return module(*args, **kwargs)
    finally:
        for part, training in modes:
            part.training = training
