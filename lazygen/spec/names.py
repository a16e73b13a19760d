"""The layers that a spec may name: those of the TorchX style and all others of torch.nn; the arguments of each."""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module

from lazygen.symbolic.index import LAYERS

_RANKS = ("1d", "2d", "3d")
_RECURRENT = (
    *("return_sequences", "return_state", "as_torch", "num_layers", "bias", "batch_first"),
    *("dropout", "bidirectional", "device", "dtype"),
)

# Layers of the TorchX style that differ from torch's in more than a size that is left out.
OWN: dict[str, tuple[str, ...]] = {
    "LayerNorm": ("num_normalize_dim", "eps", "elementwise_affine", "bias", "device", "dtype"),
    "PReLU": ("shared", "init", "device", "dtype"),
    "SimpleRNN": ("hidden_size", *_RECURRENT, "nonlinearity"),
    "GRU": ("hidden_size", *_RECURRENT),
    "LSTM": ("hidden_size", *_RECURRENT, "proj_size"),
    "GetRNNOutput": (),
    "GetRNNState": ("mode",),
    "Concat": ("axis",),
    "View": (),
    "Slice": ("index",),
    **dict.fromkeys(("Add", "Subtract", "Multiply", "Divide", "Maximum", "Minimum", "Average"), ()),
}
CONTAINERS = ("Sequential", "TimeDistributed", "Functional")
OTHER_NAMES = {"Dense": "Linear"}

# What a layer reads off its input.
LEFT_OUT = {
    "Linear": "in_features",
    "GroupNorm": "num_channels",
    **{f"{kind}{rank}": "in_channels" for kind in ("Conv", "ConvTranspose") for rank in _RANKS},
    **{f"{kind}{rank}": "num_features" for kind in ("BatchNorm", "InstanceNorm") for rank in _RANKS},
}
# Classes of torch.nn that are no layers to put into a model, or that hold others.
_NO_LAYERS = (
    *("Module", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Container", "DataParallel"),
    *("Buffer", "Parameter", "Recorder", "LazyModuleMixin", "RNNBase", "RNNCellBase"),
)


@cache
def known() -> dict[str, str]:
    """All names, by their small letters."""
    names = [name for name, family in LAYERS.items() if name not in _NO_LAYERS and family != "parameter"]
    names = [name for name in names if not name.startswith("Lazy")]
    return {name.lower(): name for name in (*names, *OWN, *CONTAINERS, *OTHER_NAMES)}


def required(kind: str) -> tuple[str, ...]:
    """The arguments that have no default."""
    kind = OTHER_NAMES.get(kind, kind)
    if kind in OWN:
        return tuple(name for name in OWN[kind] if name in ("hidden_size", "index"))
    module = import_module(f"lazygen.symbolic.nn.{LAYERS[kind]}")
    parameters = inspect.signature(getattr(module, kind)).parameters.values()
    needed = [p for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    return tuple(parameter.name for parameter in needed if parameter.name != LEFT_OUT.get(kind))


def arguments(kind: str) -> tuple[str, ...] | None:
    """The names of a layer's arguments in their order; None if it takes others too."""
    kind = OTHER_NAMES.get(kind, kind)
    if kind in OWN:
        return OWN[kind]
    module = import_module(f"lazygen.symbolic.nn.{LAYERS[kind]}")
    parameters = list(inspect.signature(getattr(module, kind)).parameters.values())
    if any(parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) for parameter in parameters):
        return None
    return tuple(parameter.name for parameter in parameters if parameter.name != LEFT_OUT.get(kind))
