"""The model between some placeholders of a graph and others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import nn

from lazygen.layers.base import Layer, LayerError, WithSpec
from lazygen.layers.containers import native_of
from lazygen.layers.graph import Call, Placeholder, placeholders_in
from lazygen.layers.graph_repr import graph_lines


class Functional(WithSpec, nn.Module):
    """Runs the calls of a graph that lead from `inputs` to `outputs`.

    Each is one placeholder, or lists, tuples and dicts of such, nested as one likes.
    A list of inputs may be passed as one list or as arguments, a dict as one dict or by keywords.  A layer that is
    called twice is one layer, and models cut from one graph share the layers they have in common.
    """

    def __init__(self, inputs: Any, outputs: Any) -> None:
        super().__init__()
        self._inputs, self._outputs = inputs, outputs
        self._calls = calls_between(list(placeholders_in(inputs)), list(placeholders_in(outputs)))
        counts: dict[str, int] = {}
        for call in self._calls:
            if isinstance(call.function, nn.Module) and not any(call.function is layer for layer in self.children()):
                kind = type(call.function).__name__.lower()
                counts[kind] = counts.get(kind, 0) + 1
                self.add_module(f"{kind}_{counts[kind]}", call.function)
        Layer.observer.noted("graph", self)

    def samples(self) -> tuple[list[Any], dict[str, Any]]:
        """Arguments for a call: the samples that the graph was put together with."""
        if isinstance(self._inputs, dict):
            return [], {name: _sampled(value) for name, value in self._inputs.items()}
        if isinstance(self._inputs, (list, tuple)):
            return [_sampled(value) for value in self._inputs], {}
        return [self._inputs.sample], {}

    def native_module(self) -> list[Any]:
        """The plain torch modules in the layers, in the order of the graph."""
        return [native_of(layer) for layer in self.children()]

    def extra_repr(self) -> str:
        names = {id(layer): name for name, layer in self.named_children()}
        return "\n".join(graph_lines(self._inputs, self._outputs, self._calls, names))

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        given: dict[int, Any] = {}
        _match(self._inputs, self._argument(args, kwargs), given)
        results: dict[int, Any] = {}

        def value(placeholder: Placeholder) -> Any:
            known = given.get(id(placeholder))
            return results[id(placeholder._call)] if known is None else known

        for call in self._calls:
            results[id(call)] = call.run(value)
        return _filled(self._outputs, value)

    def _argument(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The arguments of a call as one value, nested as the inputs are."""
        wanted = self._inputs
        if isinstance(wanted, dict):
            if len(args) == 1 and isinstance(args[0], dict) and not kwargs:
                Layer.observer.noted("dict inputs", self)
                return args[0]
            if len(args) > len(wanted):
                raise LayerError(f"the model takes {len(wanted)} inputs, and gets {len(args)}", code="LZ110")
            return {**dict(zip(wanted, args, strict=False)), **kwargs}
        if kwargs:
            raise LayerError(f"the model has no input by the name of {next(iter(kwargs))!r}", code="LZ110")
        if isinstance(wanted, (list, tuple)):
            listed = len(args) == 1 and isinstance(args[0], (list, tuple))
            if not listed or (len(wanted) == 1 and isinstance(wanted[0], (list, tuple))):
                return args
            Layer.observer.noted("list inputs", self)
            return args[0]
        if len(args) != 1:
            raise LayerError(f"the model takes one input, and gets {len(args)}", code="LZ110")
        return args[0]


def calls_between(inputs: list[Placeholder], outputs: Iterable[Placeholder]) -> list[Call]:
    """The calls that lead from inputs to outputs, in the order in which they were made.

    Raises LayerError if an output needs a placeholder that is not among the inputs, or if none hangs on an input.
    """
    found: dict[int, Call] = {}
    used: set[int] = set()
    known = {id(value) for value in inputs}
    pending = list(outputs)
    while pending:
        value = pending.pop()
        if id(value) in known:
            used.add(id(value))
        elif value._call is None:
            raise LayerError(
                f"an output needs the placeholder {value!r} made at {value._at}, which is not among the inputs",
                helps=("name it in inputs=",),
                code="LZ251",
            )
        elif id(value._call) not in found:
            found[id(value._call)] = value._call
            pending.extend(value._call.inputs())
    for value in inputs:
        if id(value) not in used:
            raise LayerError(f"no output depends on the input {value!r} made at {value._at}", code="LZ252")
    return sorted(found.values(), key=lambda call: call.serial)


def _match(wanted: Any, value: Any, given: dict[int, Any]) -> None:
    """Note in `given` what each placeholder of the inputs gets."""
    if isinstance(wanted, Placeholder):
        given[id(wanted)] = value
    elif isinstance(wanted, dict):
        if not isinstance(value, dict) or wanted.keys() != value.keys():
            there = ", ".join(map(str, value)) if isinstance(value, dict) else f"a {type(value).__name__}"
            names = ", ".join(map(str, wanted))
            raise LayerError(f"the inputs are {names}, and {there or 'none'} is given", code="LZ110")
        for key, item in wanted.items():
            _match(item, value[key], given)
    elif isinstance(wanted, (list, tuple)):
        if not isinstance(value, (list, tuple)) or len(value) != len(wanted):
            there = f"{len(value)} are" if isinstance(value, (list, tuple)) else f"a {type(value).__name__} is"
            raise LayerError(f"the model takes {len(wanted)} inputs here, and {there} given", code="LZ110")
        for part, item in zip(wanted, value, strict=True):
            _match(part, item, given)


def _filled(outputs: Any, value: Any) -> Any:
    if isinstance(outputs, Placeholder):
        return value(outputs)
    if isinstance(outputs, dict):
        return {key: _filled(item, value) for key, item in outputs.items()}
    if isinstance(outputs, (list, tuple)):
        return type(outputs)(_filled(item, value) for item in outputs)
    return outputs


def _sampled(value: Any) -> Any:
    return _filled(value, lambda placeholder: placeholder.sample)
