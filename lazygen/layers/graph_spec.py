"""Graphs as plain data, and the way back.

    {"type": "Functional",
     "placeholders": {"x": [None, 8]},                       None is a free size
     "layers": {"tower": {"type": "Linear", None: 16}},      those that several nodes call
     "nodes": [{"name": "tower_1", "layer": "tower", "inputs": ["x"]},
               {"name": "cat_1", "function": "torch.cat", "inputs": [["x", "tower_1"]], "arguments": {"dim": 1}},
               {"name": "getitem_1", "operator": "getitem", "inputs": ["cat_1", [{"slice": []}, 0]]}],
     "inputs": "x", "outputs": {"score": "getitem_1"}}       nested like those of the model

Nodes are called in their order.  Texts among inputs and arguments are the names of nodes; others are {"text": ...}.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from lazygen.layers import merge, reshaping
from lazygen.layers.base import LayerError
from lazygen.layers.functional import Functional, calls_between
from lazygen.layers.graph import Call, Placeholder, Size, inlined, placeholders_in
from lazygen.layers.graph_repr import named_inputs
from lazygen.layers.spec import Known, Spec, bounds_of, from_spec, is_of_a_library, to_spec

_AS_LAYERS = {"torch.relu": "ReLU", "torch.sigmoid": "Sigmoid", "torch.tanh": "Tanh"}
_OWN = ("concat", "add", "subtract", "multiply", "divide", "maximum", "minimum", "average")


def functional_spec(model: Functional, known: Known) -> Spec:
    """The spec of a functional model."""
    names = {id(layer): name for name, layer in model.named_children()}
    return graph_spec(model._inputs, model._outputs, names, known)


def forward_spec(model: nn.Module, given: Mapping[str, Any], known: Known) -> Spec:
    """The spec of a module whose `forward` is a graph of layers that the module has as attributes.

    `given` are placeholders by the names of its arguments, in lists and dicts as it takes them.  What modules of
    classes of one's own call in it is a part of the graph.
    """
    with inlined(lambda module: type(module).__name__ not in known and not is_of_a_library(module)):
        outputs = model.forward(**given)
    names = {id(layer): name.replace(".", "_") for name, layer in model.named_modules() if name}
    numbered = all(name in (f"x{number}", f"input{number}") for number, name in enumerate(given, start=1))
    inputs: Any = list(given.values()) if numbered else dict(given)  # a class has such names for what came as a list
    named: dict[str, Placeholder] = {}
    if len(given) == 1 and not numbered and isinstance(next(iter(given.values())), Placeholder):
        named, (inputs,) = inputs, inputs.values()
    return graph_spec(inputs, outputs, names, known, named)


def graph_spec(
    inputs: Any, outputs: Any, layers: Mapping[int, str], known: Known, named: Mapping[str, Placeholder] | None = None
) -> Spec:
    """The spec of the graph between inputs and outputs; `layers` are the names of its layers by their ids."""
    return _Writer(layers, known).spec(inputs, outputs, named or {})


class _Writer:
    def __init__(self, layers: Mapping[int, str], known: Known) -> None:
        self.layers, self.known = layers, known
        self.names: dict[int, str] = {}  # of placeholders, and of calls
        self.counts: dict[str, int] = {}
        self.nodes: list[Spec] = []
        self.sizes: dict[tuple[str, ...], str] = {}
        self.taken: set[str] = set()

    def spec(self, inputs: Any, outputs: Any, named: Mapping[str, Placeholder]) -> Spec:
        given = dict(named or named_inputs(inputs, "x"))
        for name, placeholder in given.items():
            self.names[id(placeholder)] = name
            self.taken.add(name)
        calls = calls_between(list(placeholders_in(inputs)), list(placeholders_in(outputs)))
        called: dict[int, list[Call]] = {}
        for call in calls:
            if isinstance(call.function, nn.Module):
                called.setdefault(id(call.function), []).append(call)
        self.taken |= {self.layers[key] for key in called}
        shared = {self.layers[key]: uses[0].function for key, uses in called.items() if len(uses) > 1}
        for call in calls:
            self._add(call, len(called.get(id(call.function), ())) > 1)
        spec: Spec = {"type": "Functional", "placeholders": {name: _sizes(p) for name, p in given.items()}}
        if shared:
            spec["layers"] = {name: to_spec(layer, self.known) for name, layer in shared.items()}
        ends = {"inputs": self._value(inputs), "outputs": self._value(outputs)}
        return spec | {"nodes": self.nodes} | ends

    def _add(self, call: Call, is_shared: bool) -> None:
        """Write the node of a call, behind those of the sizes that it needs."""
        args, kwargs = call.args, call.kwargs
        what: Spec
        if isinstance(call.function, nn.Module):
            layer = self.layers[id(call.function)]
            name = self._counted(layer) if is_shared else layer
            what = {"layer": layer if is_shared else to_spec(call.function, self.known)}
        else:
            how, kind = _described(call)
            name = self._counted(kind.rpartition(".")[2].strip("_"))
            what = {how: kind}
            if kind in _AS_LAYERS and how == "function" and len(args) == 1 and not kwargs:
                what = {"layer": {"type": _AS_LAYERS[kind]}}  # in generated code they are functions
            args = args[:1] if how == "attribute" else args
        self.names[id(call)] = name
        node: Spec = {"name": name, **what, "inputs": [self._value(argument) for argument in args]}
        if kwargs:
            node["arguments"] = {key: self._value(argument) for key, argument in kwargs.items()}
        self.nodes.append(node)

    def _size(self, size: Size) -> str:
        """The name of a node for a size, which is one however often the size is needed."""
        how, left, right = size.origin
        inputs = [self._value(left), self._value(right)]
        known = self.sizes.get((how, *map(str, inputs)))
        if known is None:
            known = self.sizes[how, *map(str, inputs)] = self._counted(how)
            kind = "method" if how == "size" else "operator"
            self.nodes.append({"name": known, kind: how, "inputs": inputs})
        return known

    def _counted(self, kind: str) -> str:
        while True:
            self.counts[kind] = self.counts.get(kind, 0) + 1
            name = f"{kind}_{self.counts[kind]}"
            if name not in self.taken:
                self.taken.add(name)
                return name

    def _value(self, value: Any) -> Any:
        if isinstance(value, Placeholder):
            return self.names.get(id(value)) or self.names[id(value._call)]
        if isinstance(value, Size):
            return self._size(value)
        if isinstance(value, (list, tuple)):
            return [self._value(item) for item in value]
        if isinstance(value, dict):
            return {key: self._value(item) for key, item in value.items()}
        if isinstance(value, slice):
            return {"slice": [self._value(bound) for bound in bounds_of(value)]}
        if isinstance(value, torch.dtype):
            return {"dtype": str(value).rpartition(".")[2]}
        if value is ...:
            return "..."
        if isinstance(value, str):
            return {"text": value}
        if isinstance(value, int) and not isinstance(value, bool):
            return int(value)
        if value is None or isinstance(value, (bool, float)):
            return value
        raise LayerError(f"a spec cannot say {value!r}, an argument in a graph")


def _sizes(placeholder: Placeholder) -> Any:
    sizes = [None if free else int(size) for size, free in zip(placeholder.shape, placeholder._free, strict=True)]
    dtype = str(placeholder.dtype).rpartition(".")[2]
    return sizes if dtype == "float32" else {"shape": sizes, "dtype": dtype}


def _described(call: Call) -> tuple[str, str]:
    """How a call is written that is not one of a layer, and the name of what it calls."""
    function = call.function
    if isinstance(function, str):
        return "method", function
    if function is getattr:
        return "attribute", call.args[1]
    name = str(getattr(function, "__name__", ""))
    if getattr(operator, name, None) is function:
        return "operator", name
    for where, home in (("torch", torch), ("torch.nn.functional", nn.functional)):
        if getattr(home, name, None) is function:
            return "function", f"{where}.{name}"
        for other, found in list(vars(home).items()):  # some go by another name than their own
            if found is function and not other.startswith("_"):
                return "function", f"{where}.{other}"
    raise LayerError(f"a spec cannot say what the function {name or function!r} is")


# The way back


def functional_from(spec: Mapping[Any, Any]) -> Functional:
    """The functional model that a spec describes."""
    values: dict[str, Any] = {}
    for name, given in spec["placeholders"].items():
        shape, dtype = (given["shape"], given.get("dtype")) if isinstance(given, Mapping) else (given, None)
        values[name] = Placeholder(shape, dtype if dtype is None else getattr(torch, dtype))
    layers = {name: from_spec(layer) for name, layer in spec.get("layers", {}).items()}
    for node in spec.get("nodes", ()):
        inputs = node.get("inputs", [])
        args = _filled(inputs if isinstance(inputs, list) else [inputs], values)
        kwargs = _filled(node.get("arguments", {}), values)
        values[node["name"]] = _called(node, layers, args, kwargs)
    ends = spec.get("inputs", list(spec["placeholders"]))
    return Functional(_filled(ends, values), _filled(spec["outputs"], values))


def _called(node: Mapping[str, Any], layers: Mapping[str, nn.Module], args: list[Any], kwargs: dict[str, Any]) -> Any:
    if "layer" in node:
        layer = node["layer"]
        return (layers[layer] if isinstance(layer, str) else from_spec(layer))(*args, **kwargs)
    if "method" in node:
        return getattr(args[0], node["method"])(*args[1:], **kwargs)
    if "attribute" in node:
        return getattr(args[0], node["attribute"])
    if "operator" in node:
        if node["operator"] == "getitem" and isinstance(args[1], list):
            args = [args[0], tuple(args[1])]
        return getattr(operator, node["operator"])(*args)
    name = str(node["function"])
    if name in _OWN:
        return getattr(merge, name)(*args, **kwargs)
    if name in ("flatten", "view", "slice"):
        return getattr(reshaping, name)(*args, **kwargs)
    home = nn.functional if name.startswith(("F.", "torch.nn.functional.")) else torch
    return getattr(home, name.rpartition(".")[2])(*args, **kwargs)


def _filled(value: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        return ... if value == "..." else values.get(value, value)
    if isinstance(value, (list, tuple)):
        return [_filled(item, values) for item in value]
    if isinstance(value, Mapping):
        if set(value) == {"text"}:
            return value["text"]
        if set(value) == {"slice"}:
            return slice(*_filled(value["slice"], values)) if value["slice"] else slice(None)
        if set(value) == {"dtype"}:
            return getattr(torch, value["dtype"])
        return {key: _filled(item, values) for key, item in value.items()}
    return value
