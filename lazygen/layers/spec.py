"""Layers as plain data, and the way back.

    to_spec(Conv2d(12, 3, padding=1))      {"type": "Conv2d", None: [12, 3], "padding": 1}
    from_spec({"type": "linear", None: 4}) Linear(4)

What a layer has no default for stands under None, what differs from its default under its name; a size that is read off
the input is left out.  Containers hold the specs of their layers under `layers`, graphs as `graph_spec.py` says.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from inspect import Parameter
from typing import Any

from torch import nn

from lazygen.layers.base import Layer, LayerError
from lazygen.layers.containers import Sequential
from lazygen.layers.function import Lambda
from lazygen.layers.functional import Functional
from lazygen.layers.merge import Concat, Merge
from lazygen.layers.recurrent import GetRNNOutput, GetRNNState, Recurrent
from lazygen.layers.reshaping import Slice, View
from lazygen.layers.spec_reading import parameters_of, read
from lazygen.layers.time_distributed import TimeDistributed

Spec = dict[Any, Any]

# Classes of other names that do what a layer does, by their names: `time_distributed`, `with_states` and so on.
Known = Mapping[str, str]

_LISTS = ("layers", "layer_list", None)
_LEFT_OUT = ("in_features", "in_channels", "num_features", "num_channels")
_OTHER_NAMES = {"dense": "linear"}
_OF_RECURRENT = ("num_layers", "bias", "dropout", "bidirectional", "proj_size", "nonlinearity")
_MERGES = ("Add", "Subtract", "Multiply", "Divide", "Maximum", "Minimum", "Average")


def to_spec(module: nn.Module, known: Known | None = None) -> Spec:
    """The spec of a layer, a container, a graph or a plain module of torch.

    Raises LayerError for what a spec cannot say: functions, classes of one's own.
    """
    known = known or {}
    kind = type(module).__name__
    if isinstance(module, Functional):
        from lazygen.layers.graph_spec import functional_spec

        return functional_spec(module, known)
    if kind in known:
        return _known(module, known[kind], known)
    if isinstance(module, TimeDistributed):
        return {"type": "TimeDistributed", "layers": [to_spec(layer, known) for layer in module]}
    if type(module) in (Sequential, nn.Sequential):
        return {"type": "Sequential", "layers": [to_spec(layer, known) for layer in module]}  # type: ignore[attr-defined]
    if isinstance(module, Lambda) or not is_of_a_library(module):
        raise LayerError(f"a spec cannot say what {kind} is", helps=("it says layers and graphs, but no code",))
    if isinstance(module, View):
        return _spec("View", list(module.sizes), {})
    if isinstance(module, (Merge, Slice, GetRNNState, GetRNNOutput)):
        return _own(kind, vars(module))
    if isinstance(module, Layer):
        return _of_layer(module)
    return _of_torch(module, known)


def from_spec(spec: Any) -> nn.Module:
    """The layer that a spec describes.  Raises LayerError for a type that there is not."""
    if not isinstance(spec, Mapping) or not isinstance(spec.get("type"), str):
        raise LayerError(f"a spec is a mapping with a type, and not {spec!r}")
    kind = _class(spec["type"])
    rest: Spec = {None if key in (None, "None", "null") else key: value for key, value in spec.items() if key != "type"}
    if kind is Functional:
        from lazygen.layers.graph_spec import functional_from

        return functional_from(rest)
    if kind in (Sequential, TimeDistributed):
        other = [key for key in rest if key not in _LISTS]
        if other or len(rest) > 1:
            raise LayerError(f"{kind.__name__} has no argument {other[0] if other else list(rest)[1]!r}")
        layers: Any = next(iter(rest.values()), [])
        container: nn.Module = kind(*map(from_spec, [layers] if isinstance(layers, Mapping) else layers))
        return container
    given = rest.pop(None, [])
    positional = given if isinstance(given, (list, tuple)) else [given]
    made: nn.Module = kind(*map(_tuples, positional), **{str(name): _tuples(value) for name, value in rest.items()})
    return made


def _class(name: str) -> Any:
    layers = importlib.import_module(__package__)
    wanted = _OTHER_NAMES.get(name.lower(), name.lower())
    for candidate in layers.__all__:
        if candidate.lower() == wanted:
            found = getattr(layers, candidate)
            if isinstance(found, type) and issubclass(found, nn.Module):
                return found
    raise LayerError(f"there is no layer {name!r}")


def is_of_a_library(module: nn.Module) -> bool:
    """Whether a module's class is torch's or this library's."""
    home = type(module).__module__
    return home.startswith(("torch.", "lazygen."))


# Arguments


def _of_layer(layer: Layer) -> Spec:
    """A layer that leaves a size out: its arguments are the author's."""
    args, kwargs = layer._given
    if isinstance(layer, Recurrent):
        defaults: dict[str, Any] = {"batch_first": True}
        kwargs = {name: kwargs[name] for name in (*_OF_RECURRENT, *kwargs) if name in kwargs}
        flags = {name: True for name in ("return_sequences", "return_state", "as_torch") if vars(layer)[name]}
        return _spec(type(layer).__name__, list(args), _changed({**kwargs, **flags}, defaults))
    values: dict[str, Any] = {}
    parameters = parameters_of(layer.native)
    if hasattr(layer, "num_normalize_dim"):
        values["num_normalize_dim"] = layer.num_normalize_dim
        parameters = parameters[1:]
    if type(layer).__name__ == "PReLU":
        values["shared"] = layer.shared
        parameters = parameters[1:]
    names = [parameter.name for parameter in parameters if parameter.name not in _LEFT_OUT]
    values |= {**dict(zip(names, args, strict=False)), **kwargs}
    return _canonical(layer.native.__name__, values, parameters_of(layer.native))


def _of_torch(module: nn.Module, known: Known) -> Spec:
    """A module of torch, whose arguments are read off it."""
    kind = type(module).__name__
    if isinstance(module, nn.RNNBase):
        return _of_recurrent(module)
    values = read(module, _LEFT_OUT if _is_sized(kind) else ())
    if isinstance(module, nn.LayerNorm):
        values["num_normalize_dim"] = len(values.pop("normalized_shape"))
    if isinstance(module, nn.PReLU):
        values["shared"] = values.pop("num_parameters") == 1
    values = {name: to_spec(v, known) if isinstance(v, nn.Module) else v for name, v in values.items()}
    return _canonical(kind, values, parameters_of(type(module)))


def _is_sized(kind: str) -> bool:
    """Whether the library has a layer of that name, which reads a size off its input."""
    own = vars(importlib.import_module(str(__package__))).get(kind)
    return isinstance(own, type) and issubclass(own, Layer)


def _of_recurrent(module: Any) -> Spec:
    if not module.batch_first:
        raise LayerError(f"a spec says {type(module).__name__} with batch_first=True only")
    kind = {"RNN": "SimpleRNN"}.get(type(module).__name__, type(module).__name__)
    defaults = {"num_layers": 1, "bias": True, "dropout": 0.0, "bidirectional": False}
    values = {name: getattr(module, name) for name in defaults} | {"as_torch": True}
    if getattr(module, "proj_size", 0):
        values["proj_size"] = module.proj_size
    if getattr(module, "nonlinearity", "tanh") != "tanh":
        values["nonlinearity"] = module.nonlinearity
    return _spec(kind, [module.hidden_size], _changed(values, defaults))


def _canonical(kind: str, values: Mapping[str, Any], parameters: Sequence[Parameter]) -> Spec:
    """Required arguments by position, others by name if they are not as they would be anyhow."""
    required = [p.name for p in parameters if p.default is p.empty and p.name in values]
    defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
    defaults |= {"num_normalize_dim": 1, "shared": True, "init": 0.25}
    if "num_normalize_dim" in values:
        required, defaults = ["num_normalize_dim"], {**defaults, "num_normalize_dim": None}
    rest = {name: value for name, value in values.items() if name not in required}
    return _spec(kind, [values[name] for name in required], _changed(rest, defaults))


def _changed(values: Mapping[str, Any], defaults: Mapping[str, Any]) -> Spec:
    return {name: value for name, value in values.items() if name not in defaults or defaults[name] != value}


def _own(kind: str, values: Mapping[str, Any]) -> Spec:
    """A layer without parameters, of the library's own."""
    defaults = {"axis": -1, "mode": "concat"}
    given = {name: values[name] for name in ("axis", "index", "mode") if name in values}
    changed = _changed(given, defaults)
    return _spec(kind, [changed.pop("index")] if "index" in changed else [], changed)


def _spec(kind: str, positional: list[Any], keywords: Mapping[str, Any]) -> Spec:
    spec: Spec = {"type": kind}
    listed = [_plain(value, kind) for value in positional]
    if listed:
        spec[None] = listed[0] if len(listed) == 1 and not isinstance(listed[0], list) else listed
    return spec | {name: _plain(value, kind) for name, value in keywords.items()}


def _plain(value: Any, kind: str) -> Any:
    """A value as YAML and JSON have it."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item, kind) for item in value]
    if isinstance(value, slice):
        return {"slice": [_plain(bound, kind) for bound in bounds_of(value)]}
    if value is ...:
        return "..."
    if isinstance(value, dict) and "type" in value:  # a layer that is an argument of another
        return value
    if type(value).__name__ in ("dtype", "device"):
        return str(value)
    raise LayerError(f"a spec cannot say {value!r}, an argument of {kind}")


def bounds_of(index: slice) -> list[Any]:
    """What stands in a slice: nothing for `:`, start and stop, and a step if there is one."""
    bounds = [index.start, index.stop, index.step]
    while bounds and bounds[-1] is None and (len(bounds) != 2 or bounds[0] is None):
        bounds.pop()
    return bounds


def _tuples(value: Any) -> Any:
    if isinstance(value, Mapping):
        if set(value) == {"slice"}:
            return slice(*value["slice"]) if value["slice"] else slice(None)
        return from_spec(value)
    if value == "...":
        return ...
    return tuple(map(_tuples, value)) if isinstance(value, (list, tuple)) else value


# Classes that stand in generated files


def _known(module: Any, what: str, known: Known) -> Spec:
    if what == "time_distributed":
        return {"type": "TimeDistributed", "layers": [to_spec(layer, known) for layer in module]}
    if what in ("with_states", "without_states", "recurrent"):
        spec = to_spec(module.rnn, known)
        del spec["as_torch"]
        flags = {
            "return_sequences": module.sequences,
            "return_state": vars(module).get("states", what == "with_states"),
        }
        return spec | {name: True for name, given in flags.items() if given}
    if what == "rnn_output":
        return {"type": "GetRNNOutput"}
    if what == "rnn_state":
        return _own("GetRNNState", {"mode": module.mode})
    if what == "concat":
        return _own("Concat", {"axis": module.dim})
    if what == "view":
        return _spec("View", list(module.sizes), {})
    if what == "slice":
        return _own("Slice", {"index": module.index})
    if what in _MERGES:
        return {"type": what}
    raise LayerError(f"a spec cannot say what {type(module).__name__} is")


__all__ = ["Concat", "Known", "Spec", "from_spec", "to_spec"]
