"""The names that TorchX gives to parameters, which are another part of the model's history than of its code.

    Sequential(Conv2d(12, 3), ReLU(), Flatten(), Linear(4))

    0.weight      module_list.0._conv.weight
    3.bias        module_list.3._fc.bias

Every layer of a container counts, those without parameters too; of a graph the layers in their order, and each
function that it calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torch import nn

from lazygen.layers.base import Layer
from lazygen.layers.containers import Sequential
from lazygen.layers.functional import Functional

_INNER = (
    *(("Conv", "_conv"), ("Linear", "_fc"), ("PReLU", "_activation")),
    *(("RNN", "_rnn"), ("GRU", "_rnn"), ("LSTM", "_rnn")),
)


def torchx_keys(model: nn.Module) -> dict[str, str]:
    """TorchX's name for each name in the state_dict of a model."""
    prefixes = dict(_prefixes(model, "", ""))
    keys = {}
    for name in model.state_dict():
        owner, _, last = name.rpartition(".")
        prefix = prefixes.get(owner, owner)
        keys[name] = f"{prefix}.{last}" if prefix else last
    return keys


def _prefixes(module: Any, ours: str, theirs: str) -> Iterator[tuple[str, str]]:
    """For each module the name that it has here, and the name that its parameters stand under there."""
    if isinstance(module, Layer):
        inner = next((name for kind, name in _INNER if kind in module.native.__name__), "_normalizer")
        yield ours, _joined(theirs, inner)
        return
    yield ours, theirs
    places = _places(module) if isinstance(module, Functional) else {}
    for number, (name, child) in enumerate(module.named_children()):
        counted = isinstance(module, (Sequential, Functional))
        own = f"module_list.{places.get(id(child), number)}" if counted else name
        yield from _prefixes(child, _joined(ours, name), _joined(theirs, own))


def _places(graph: Functional) -> dict[int, int]:
    """The number of each layer among all that a graph calls."""
    found: dict[int, int] = {}
    count = 0
    for call in graph._calls:
        if isinstance(call.function, nn.Module):
            if id(call.function) in found:
                continue
            found[id(call.function)] = count
        count += 1
    return found


def _joined(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name
