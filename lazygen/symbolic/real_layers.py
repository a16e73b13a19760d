"""Layers of real torch among those of the stand-in, and the other way round.

A layer of real torch is seen as a `RealLayer`: it is listed with its parameters and their sizes, and called on the
meta device.  A layer of the stand-in that is handed to real torch, as a part of a library's module, is wrapped in one
of real torch's, which calls it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lazygen.symbolic import fallback
from lazygen.symbolic.errors import NoRule
from lazygen.symbolic.meta_call import TWINS, Call, call_foreign, handed_back, twins
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.nn.parameter import Parameter
from lazygen.symbolic.tensor import Tensor

_TABLES = ("_parameters", "_buffers", "_modules")
_KEPT = {"real_layer", "path", "training", "made_at"}
_LOOKS = {"__module__", "__qualname__", "__doc__", "__init__", "forward", "__firstlineno__", "__static_attributes__"}


class RealLayer(Module):
    """A layer of real torch."""

    real_class: Any = None
    path = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        call = Call(fallback.load(), self.path, (args, kwargs), foreign=True, fixed=True)
        held: list[Any] = []

        def build(*args: Any, **kwargs: Any) -> None:
            held.append(_on_meta(type(self).real_class(*args, **kwargs)))

        call(build, args, kwargs)
        _show(self, held[0], call)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        changed = _overridden(type(self))
        if changed:
            raise NoRule(self.path, f"{type(self).__name__} overrides {changed} of it, which real torch cannot call")
        for layer in self.modules():
            if isinstance(layer, RealLayer):
                layer.real_layer.training = layer.training
        return call_foreign(self.real_layer.forward, self.path, args, kwargs, fixed=True)

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name.startswith("__") or "real_layer" not in self.__dict__:
                raise
        return _of(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        real = self.__dict__.get("real_layer")
        if real is not None and name not in _KEPT:
            call_foreign(lambda given: setattr(real, name, given), f"{self.path}.{name}", (value,), {}, fixed=True)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        from copy import deepcopy

        call = Call(fallback.load(), self.path, (), foreign=True)
        made = memo[id(self)] = self.__class__.__new__(self.__class__)
        Module.__init__(made)
        with fallback.real_torch():
            copied = deepcopy(self.real_layer)
        _show(made, copied, call)
        made.train(self.training)
        return made


class RealContainer(RealLayer):
    """A layer of real torch with a length, such as its `Sequential`."""

    def __len__(self) -> int:
        return int(_of(self, "__len__")())

    def __iter__(self) -> Iterator[Any]:
        return iter(_of(self, "__iter__")())

    def __getitem__(self, key: Any) -> Any:
        return _of(self, "__getitem__")(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        _of(self, "__setitem__")(key, value)
        _show(self, self.real_layer, Call(fallback.load(), self.path, (), foreign=True))


def layer_class(real: Any) -> Any:
    """A class of layers of real torch, as one of the stand-in's, to be built and derived from."""
    if id(real) not in TWINS:
        base = RealContainer if hasattr(real, "__len__") else RealLayer
        names = {"real_class": real, "path": f"{real.__module__}.{real.__name__}", "__doc__": real.__doc__}
        twins(real, type(real.__name__, (base,), {**names, "__module__": real.__module__}))
    return TWINS[id(real)][1]


def layer_without_rule(path: str) -> Any:
    """A layer class at a path such as `torch.nn.FractionalMaxPool2d`.

    Real torch builds and runs it, on the meta device.
    """

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if type(self).real_class is None:
            type(self).real_class = fallback.at(fallback.load(), path)
        RealLayer.__init__(self, *args, **kwargs)

    package, _, name = path.rpartition(".")
    return type(name, (RealLayer,), {"__init__": __init__, "path": path, "__module__": package})


def layer_of(real: Any, call: Call) -> Any:
    """What a source sees of a layer of real torch; the same for the same."""
    if id(real) not in TWINS:
        made = Module.__new__(layer_class(type(real)))
        Module.__init__(made)
        with fallback.real_torch():
            _show(made, _on_meta(real), call)
    return TWINS[id(real)][1]


def real_of(layer: Module, call: Call) -> Any:
    """What real torch sees of a layer of the stand-in."""
    if id(layer) in TWINS:
        return TWINS[id(layer)][0]
    made = _calling(layer, call)
    twins(made, layer)
    return made


def _calling(layer: Module, call: Call) -> Any:
    class Calling(call.torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, *args: Any, **kwargs: Any) -> Any:
            inner = Call(call.torch, type(layer).__name__, (), foreign=True)
            inner.place = call.place
            given, named = handed_back(inner.back((args, kwargs)))
            with fallback.stand_in():
                result = layer.train(self.training)(*given, **named)
            return inner.into(result)

    made = Calling()
    made.training = layer.training
    return made


def _show(seen: Any, real: Any, call: Call) -> None:
    """List the parameters, buffers and parts of a real layer in what sources see of it."""
    object.__setattr__(seen, "real_layer", real)
    object.__setattr__(seen, "training", real.training)
    twins(real, seen)
    for table in _TABLES:
        seen.__dict__[table].clear()
    for name, value in real._parameters.items():
        seen._parameters[name] = None if value is None else _parameter(value, call)
    for name, value in real._buffers.items():
        seen._buffers[name] = call.back(value)
    seen._non_persistent_buffers_set.update(real._non_persistent_buffers_set)
    for name, value in real._modules.items():
        seen._modules[name] = None if value is None else layer_of(value, call)


def _on_meta(real: Any) -> Any:
    """A real layer, moved to the meta device if it is not there."""
    there = all(tensor.is_meta for table in (real.parameters(), real.buffers()) for tensor in table)
    return real if there else real.to("meta")


def _parameter(real: Any, call: Call) -> Parameter:
    if id(real) not in TWINS:
        twins(real, Parameter(Tensor(tuple(real.shape), call.back(real.dtype), call.place), real.requires_grad))
    return TWINS[id(real)][1]  # type: ignore[no-any-return]


def _of(layer: RealLayer, name: str) -> Any:
    """An attribute of the real layer."""
    real, path = layer.real_layer, f"{layer.path}.{name}"
    with fallback.real_torch() as torch:
        value = getattr(real, name)
        return Call(torch, path, (), foreign=True).back(value)


def _overridden(kind: type) -> str:
    """The first name of a real class that a class of the source's, derived from it, has for itself."""
    for kin in kind.__mro__:
        if "real_class" in vars(kin):
            return ""
        for name in vars(kin):
            if name not in _LOOKS and hasattr(kind.real_class, name):  # type: ignore[attr-defined]
                return name
    return ""
