"""The names of the TorchX style: which of them are torch's own under another spelling, and which torch has no word for.

L.Dense                       torch.nn.Linear, with its size left out
L.ReLU, L.MaxPool2d           torch.nn.ReLU, torch.nn.MaxPool2d
L.concat, L.maximum           functions, written with torch's
L.Placeholder, L.Functional   graphs, which become classes
L.View, L.GetRNNState         nothing in torch
"""

from __future__ import annotations

import ast

MODULES = frozenset({"torchx.layers", "lazygen.layers"})
PACKAGES = frozenset({"torchx", "lazygen"})

_RANKS = ("1d", "2d", "3d")
SIZED = frozenset(
    {"Linear", "Dense", "LayerNorm", "GroupNorm", "SimpleRNN", "GRU", "LSTM"}
    | {f"{kind}{rank}" for kind in ("Conv", "ConvTranspose", "BatchNorm", "InstanceNorm") for rank in _RANKS}
)
GRAPH = frozenset({"Placeholder", "Functional"})
MERGES = frozenset({"add", "subtract", "multiply", "divide", "maximum", "minimum", "average"})
FUNCTIONS = MERGES | {"concat", "flatten", "view", "slice"}
MODULE_MERGES = frozenset({"Concat", *(name.capitalize() for name in MERGES)})
RECURRENT = frozenset({"SimpleRNN", "GRU", "LSTM"})
WITHOUT_TWIN = MODULE_MERGES | {"View", "Slice", "Lambda", "TimeDistributed", "GetRNNOutput", "GetRNNState"}

DEVICES = frozenset({"device_scope", "new_tensor", "DataParallel", "DistributedDataParallel", "DistributedManager"})
_OTHER_NAMES = {"Dense": "Linear", "SimpleRNN": "RNN"}

# Arguments that torch's class does not take, by their names, with their places in the signature (-1: by name alone).
DROPPED = {
    "LayerNorm": ("num_normalize_dim", 0),
    "PReLU": ("shared", 0),
    **dict.fromkeys(RECURRENT, ("as_torch", -1)),
}

# Layers without parameters or modes that are functions of torch, where they are called at once.
AS_FUNCTIONS = {"ReLU": "relu", "Sigmoid": "sigmoid", "Tanh": "tanh"}


def is_foreign(module: str, name: str) -> bool:
    """Whether a name belongs to a part of the packages that is not its layers."""
    if module == "lazygen":
        return name in DEVICES
    return module in ("torchx", "torchx.nn", "lazygen.nn", "lazygen.devices") and name not in ("layers", "nn")


def plain(name: str) -> str:
    """The class of torch.nn that a layer is once its sizes are written."""
    return _OTHER_NAMES.get(name, name)


def reads_sizes(name: str, call: ast.Call | None) -> bool:
    """Whether a layer leaves a size out: those of SIZED do, `PReLU` unless its one slope is shared by all channels."""
    if name == "PReLU" and call is not None:
        given = [keyword.value for keyword in call.keywords if keyword.arg == "shared"] or call.args[:1]
        return any(not (isinstance(value, ast.Constant) and value.value is True) for value in given)
    return name in SIZED
