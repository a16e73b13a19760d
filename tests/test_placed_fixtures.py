"""The fixtures `devices_*`: sources that say where their parts stand, in scopes, by flags or in torch's own words.

There is no GPU here.  Other devices stand for those that a source names: cuda:0 is the CPU and cuda:1 is the meta
device, on which a tensor of the CPU is an error in nearly every operation.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

import pytest
import torch
import torchx_alias
import torchx_models
import under_torch
from fixture_files import Fixture, fixtures
from torch.overrides import TorchFunctionMode

from lazygen.frontend import roots
from lazygen.frontend.parse import parse
from lazygen.layers import Placeholder
from lazygen.verify.devices import mapping_mode

FIXTURES = [fixture for fixture in fixtures("convert") if fixture.name.startswith("devices_")]
each = pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
GPUS = [f"cuda:{number}" for number in range(8)]
ONE = tuple((gpu, "cpu") for gpu in GPUS)


def both(fixture: Fixture) -> tuple[tuple[str, str], ...]:
    """The devices that stand for the GPUs; on the CPU there is no `DataParallel`."""
    on_cpu = () if "DataParallel" in fixture.text else ("cuda:0", "cuda:2")
    return tuple((gpu, "cpu" if gpu in on_cpu else "meta") for gpu in GPUS)


@pytest.fixture(autouse=True)
def torchx(monkeypatch: pytest.MonkeyPatch) -> None:
    torchx_alias.install(monkeypatch)


def models(text: str, fixture: Fixture, name: str) -> dict[str, Any]:
    """The models of a text under the devices that hold, by entry."""
    module = under_torch.module(text, fixture.path, name)
    entries = fixture.all("--entry") or [root.name for root in roots.find(parse(fixture.text, fixture.path.name))]
    assert entries
    return {entry: under_torch.model(module, entry) for entry in [*entries, *fixture.also]}


@functools.cache
def names_of(fixture: Fixture) -> dict[str, dict[str, str]]:
    """By entry, the names that the output gives to the source's parameters."""
    shapes = fixture.all("--input-shape")
    return torchx_models.new_names(fixture.text, fixture.path.name, shapes, fixture.path.parent)


@functools.cache
def output_of(fixture: Fixture) -> str:
    code = fixture.convert().code
    assert code is not None
    return code


def inputs_for(fixture: Fixture, model: Any) -> tuple[list[Any], dict[str, Any]]:
    """Inputs on the CPU, or where a chain of torch's own layers begins, which cannot move them."""
    with torch.device("cpu"):
        args, kwargs = under_torch.arguments(fixture.all("--input-shape"), fixture.all("--arg"))
        if not args and not kwargs:  # a graph states its inputs; those of the fixtures take one
            args = [torch.randn(2, 3, 16, 16)]
    if type(model).__module__.startswith(("torch.nn", "lazygen.")) or "DataParallel" in fixture.text:
        first = next(model.parameters(), None)
        if first is not None and not isinstance(first, torch.nn.parameter.UninitializedParameter):
            args = [arg.to(first.device, first.dtype) for arg in args]
    return args, kwargs


def places(model: Any) -> dict[str, tuple[str, torch.dtype]]:
    named = [*model.named_parameters(), *model.named_buffers()]
    return {name: (tensor.device.type, tensor.dtype) for name, tensor in named}


class Brought(TorchFunctionMode):
    """Brings tensors together that do not meet, as the source leaves it to the output to write."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        owner = next((kind for kind in types if issubclass(kind, Placeholder)), None)
        if owner is not None:  # it runs the function on its sample, out of reach of a mode that is at work
            with Brought():
                return owner.__torch_function__(function, types, args, kwargs)
        kinds = {tensor.device.type for tensor in _tensors((args, kwargs))}
        if kinds == {"cpu", "meta"} and getattr(function, "__name__", "") not in _ASKING:
            args, kwargs = (_changed(part, lambda t: torch.empty_like(t, device="meta")) for part in (args, kwargs))
        return function(*args, **kwargs)


_ASKING = ("__set__", "_has_compatible_shallow_copy_type")


class FromMeta(TorchFunctionMode):
    """Lets tensors of the meta device, which have no numbers, be moved away from there."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        try:
            return function(*args, **(kwargs or {}))
        except NotImplementedError:
            if function is not torch.Tensor.to:
                raise
            kinds = [part for part in (*args, *(kwargs or {}).values()) if isinstance(part, torch.dtype)]
            return torch.zeros(args[0].shape, dtype=[*kinds, args[0].dtype][0], device="cpu")


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _tensors(item)


def _changed(value: Any, change: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return change(value) if value.device.type == "cpu" else value
    if type(value) in (list, tuple):
        return type(value)(_changed(item, change) for item in value)
    return {key: _changed(item, change) for key, item in value.items()} if type(value) is dict else value


@contextlib.contextmanager
def bringing() -> Iterator[None]:
    """Let every layer, and every operation, have its inputs where it needs them."""

    def bring(module: Any, args: Any) -> Any:
        home = getattr(module, "home", None) if not list(module.parameters(recurse=False)) else None
        own = next((p for p in module.parameters(recurse=False) if p.is_floating_point()), None)
        if isinstance(module, torch.nn.Embedding) or not (own is not None or home):
            return args
        dtype = (home or {}).get("dtype", torch.float32) if own is None else own.dtype
        return tuple(a.to(dtype) if isinstance(a, torch.Tensor) and a.is_floating_point() else a for a in args)

    hook = torch.nn.modules.module.register_module_forward_pre_hook(bring)
    try:
        with Brought():
            yield
    finally:
        hook.remove()


@each
def test_all_stands_where_the_source_has_it(fixture: Fixture) -> None:
    names = names_of(fixture)
    with mapping_mode(torch, both(fixture)):
        with bringing():  # graphs run on samples where they are put together
            source = models(fixture.text, fixture, f"source_{fixture.name}")
        output = models(output_of(fixture), fixture, f"output_{fixture.name}")
        for entry, model in source.items():
            args, kwargs = inputs_for(fixture, output[entry])
            with torch.no_grad(), bringing(), FromMeta():
                model(*args, **kwargs)
                output[entry](*args, **kwargs)
            renamed = names.get(entry, {})
            wanted = {renamed.get(name, name): place for name, place in places(model).items()}
            assert wanted == places(output[entry])


@each
def test_nothing_relies_on_the_default_device(fixture: Fixture) -> None:
    code = output_of(fixture)
    with mapping_mode(torch, both(fixture)):
        wanted = models(code, fixture, f"output_{fixture.name}")
        torch.set_default_device("meta")
        try:
            poisoned = models(code, fixture, f"poisoned_{fixture.name}")
            for entry, model in poisoned.items():
                assert places(model) == places(wanted[entry])
                args, kwargs = inputs_for(fixture, model)
                with torch.no_grad(), FromMeta():
                    model(*args, **kwargs)
        finally:
            torch.set_default_device(None)


@pytest.mark.parametrize(
    "fixture", [f for f in FIXTURES if "DataParallel" not in f.text], ids=lambda fixture: fixture.name
)
def test_the_output_computes_what_the_source_computes(fixture: Fixture) -> None:
    names = names_of(fixture)
    with mapping_mode(torch, ONE), bringing():
        source = models(fixture.text, fixture, f"source_{fixture.name}")
        output = models(output_of(fixture), fixture, f"output_{fixture.name}")
        for entry, model in source.items():
            args, kwargs = inputs_for(fixture, output[entry])
            with torch.no_grad():
                expected = model(*args, **kwargs)
                state = {names.get(entry, {}).get(name, name): value for name, value in model.state_dict().items()}
                output[entry].load_state_dict(state, strict=True)
                found = output[entry](*args, **kwargs)
            assert under_torch.same(expected, found)
