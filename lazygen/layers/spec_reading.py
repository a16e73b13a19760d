"""The arguments that modules of torch were made with, read off them.

Most are attributes under their own names.  Some are found elsewhere, and some are old ways to say others.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from torch import nn

from lazygen.layers.base import LayerError

_PLACES = ("device", "dtype")
_DEPRECATED = ("size_average", "reduce", "min_value", "max_value")
_POOLS = ("MaxPool", "AvgPool", "LPPool")
_ACTIVATIONS = ("relu", "gelu")


def _activation(function: Any) -> Any:
    """The name of an activation that a transformer's layer knows by name."""
    name = getattr(function, "__name__", "")
    return name if name in _ACTIVATIONS and not isinstance(function, nn.Module) else function


_OF_TRANSFORMER_LAYERS: dict[str, Callable[[Any], Any]] = {
    "d_model": lambda module: module.self_attn.embed_dim,
    "nhead": lambda module: module.self_attn.num_heads,
    "dim_feedforward": lambda module: module.linear1.out_features,
    "dropout": lambda module: module.dropout.p,
    "activation": lambda module: _activation(module.activation),
    "layer_norm_eps": lambda module: module.norm1.eps,
    "batch_first": lambda module: module.self_attn.batch_first,
    "bias": lambda module: module.linear1.bias is not None,
}


def _of_the_first_layer(name: str) -> Callable[[Any], Any]:
    return lambda module: _OF_TRANSFORMER_LAYERS[name](module.encoder.layers[0])


# By class, where arguments are that no attribute of their name holds.
_ELSEWHERE: Mapping[str, Mapping[str, Callable[[Any], Any]]] = {
    "MultiheadAttention": {
        "bias": lambda module: module.in_proj_bias is not None,
        "add_bias_kv": lambda module: module.bias_k is not None,
    },
    "PairwiseDistance": {"p": lambda module: module.norm},
    "AdaptiveLogSoftmaxWithLoss": {"cutoffs": lambda module: module.cutoffs[:-1]},
    "LinearCrossEntropyLoss": {
        "in_features": lambda module: module.linear.in_features,
        "bias": lambda module: module.linear.bias is not None,
    },
    "TransformerEncoderLayer": _OF_TRANSFORMER_LAYERS,
    "TransformerDecoderLayer": _OF_TRANSFORMER_LAYERS,
    "TransformerEncoder": {"encoder_layer": lambda module: module.layers[0]},
    "TransformerDecoder": {"decoder_layer": lambda module: module.layers[0]},
    "Transformer": {
        **{name: _of_the_first_layer(name) for name in _OF_TRANSFORMER_LAYERS if name not in ("d_model", "nhead")},
        "num_encoder_layers": lambda module: len(module.encoder.layers),
        "num_decoder_layers": lambda module: len(module.decoder.layers),
        "norm_first": lambda module: module.encoder.layers[0].norm_first,
        "custom_encoder": lambda module: None if type(module.encoder) is nn.TransformerEncoder else module.encoder,
        "custom_decoder": lambda module: None if type(module.decoder) is nn.TransformerDecoder else module.decoder,
    },
}


def parameters_of(kind: Any) -> list[inspect.Parameter]:
    """The parameters of a class that have a name and a place."""
    found = inspect.signature(kind).parameters.values()
    return [p for p in found if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


def read(module: nn.Module, left_out: tuple[str, ...]) -> dict[str, Any]:
    """The arguments of a module by name, but for those that are `left_out`.

    Raises LayerError for one that cannot be found.
    """
    kind = type(module).__name__
    values = {}
    for parameter in parameters_of(type(module)):
        name = parameter.name
        if name not in (*_PLACES, *_DEPRECATED, *left_out) and not name.startswith("_"):
            values[name] = _value(module, name)
    if values.get("stride") == values.get("kernel_size", 0) and kind.startswith(_POOLS):
        del values["stride"]
    if values.get("affine", values.get("elementwise_affine")) is False:
        values.pop("bias", None)
    return values


def _value(module: nn.Module, name: str) -> Any:
    kind = type(module).__name__
    elsewhere = _ELSEWHERE.get(kind, {}).get(name)
    if elsewhere is not None:
        return elsewhere(module)
    if not hasattr(module, name):
        raise LayerError(f"a spec cannot say what {kind} is: its {name} cannot be read off it")
    value = getattr(module, name)
    if name == "bias" and not isinstance(value, bool):
        return value is not None
    if isinstance(value, tuple) and len(set(value)) == 1 and name != "normalized_shape":
        return value[0] if name in ("kernel_size", "stride", "padding", "dilation", "output_padding") else value
    return value
