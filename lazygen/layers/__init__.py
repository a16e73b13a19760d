"""Layers that read their sizes off their input: a library to prototype with, and a style of source to convert.

    import lazygen.layers as L

    model = L.Sequential(L.Conv2d(20, kernel_size=5), L.ReLU(), L.Flatten(), L.Linear(10))
    model(torch.randn(8, 3, 32, 32))

Every other name of `torch.nn` is reachable here too, and plain torch modules mix with layers everywhere.

    base.py          what all layers share
    shaped.py        layers that read sizes off their input
    containers.py    layers in a row
    recurrent.py     recurrent layers, and what takes their results apart
    time_distributed.py  layers for every time step
    graph.py         placeholders and what is called on them
    functional.py    the model between some of them
    graph_repr.py    a graph as lines to read
    merge.py         several tensors into one
    reshaping.py     other shapes, and parts
    function.py      a function as a layer
    places.py        where in the user's code something happens

Nothing else of lazygen imports this package: it runs on torch, or on whatever `import torch` gives.
"""

from __future__ import annotations

from typing import Any

from torch import nn

from lazygen.layers.base import Layer, LayerError, Observer
from lazygen.layers.containers import Sequential
from lazygen.layers.function import Lambda
from lazygen.layers.functional import Functional
from lazygen.layers.graph import Placeholder
from lazygen.layers.merge import (
    Add,
    Average,
    Concat,
    Divide,
    Maximum,
    Minimum,
    Multiply,
    Subtract,
    add,
    average,
    concat,
    divide,
    maximum,
    minimum,
    multiply,
    subtract,
)
from lazygen.layers.recurrent import GRU, LSTM, GetRNNOutput, GetRNNState, SimpleRNN
from lazygen.layers.reshaping import Slice, View, flatten, slice, view
from lazygen.layers.shaped import (
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
    Dense,
    GroupNorm,
    InstanceNorm1d,
    InstanceNorm2d,
    InstanceNorm3d,
    LayerNorm,
    Linear,
    PReLU,
)
from lazygen.layers.time_distributed import TimeDistributed

__all__ = [
    "GRU",
    "LSTM",
    "Add",
    "Average",
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "Concat",
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "Dense",
    "Divide",
    "Functional",
    "GetRNNOutput",
    "GetRNNState",
    "GroupNorm",
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
    "Lambda",
    "Layer",
    "LayerError",
    "LayerNorm",
    "Linear",
    "Maximum",
    "Minimum",
    "Multiply",
    "Observer",
    "PReLU",
    "Placeholder",
    "Sequential",
    "SimpleRNN",
    "Slice",
    "Subtract",
    "TimeDistributed",
    "View",
    "add",
    "average",
    "concat",
    "divide",
    "flatten",
    "maximum",
    "minimum",
    "multiply",
    "slice",
    "subtract",
    "view",
]
# All of torch's layers too, those of its own that these stand for excepted.  `Module` is none: a star import would hide
# the one of `lazygen.nn`.
__all__ += [name for name in dir(nn) if name[:1].isupper() and name not in __all__ and name != "Module"]


def __getattr__(name: str) -> Any:
    if name[:1].isupper() and hasattr(nn, name):
        return getattr(nn, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
