"""A source of the TorchX style and its output beside each other under torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import under_torch

from lazygen import convert_source
from lazygen.config import parse_input
from lazygen.frontend import roots
from lazygen.frontend.parse import parse
from lazygen.rewrites.graph_classes import with_new_names
from lazygen.settings import Settings, Target
from lazygen.trace.collect import trace
from lazygen.written import Written


def new_names(text: str, path: str, shapes: list[str], folder: Path | None = None) -> dict[str, dict[str, str]]:
    """By entry, the names that the output gives to the source's parameters."""
    tree = parse(text, path)
    inputs = tuple(parse_input(Written(shape, path="", line=1, column=0)) for shape in shapes)
    request, traced = trace(text, tree, Settings((Target(None, inputs),)), path, folder)
    after = with_new_names(text, tree, request, traced)
    return {
        old.entry: {before[0]: now[0] for before, now in zip(old.state, new.state, strict=True)}
        for old, new in zip(traced.models, after.models, strict=True)
    }


def random_like(value: Any) -> Any:
    """Random numbers in the shapes of tensors, nested as these are."""
    if isinstance(value, dict):
        return {key: random_like(item) for key, item in value.items()}
    return [random_like(item) for item in value] if isinstance(value, (list, tuple)) else torch.randn(value.shape)


def compare(text: str, name: str) -> str:
    """Convert a source of graphs, and assert that each model of the output computes what the source's does.

    Layers that models of the source have in common are one in the output too, and the gradients reach every input.
    The result is the output.
    """
    conversion = convert_source(text, path=f"{name}.py")
    assert conversion.code is not None, conversion.diagnostics
    source = under_torch.module(text, Path(f"{name}.py"), f"source_{name}")
    output = under_torch.module(conversion.code, Path(f"{name}.py"), f"output_{name}")
    names = new_names(text, f"{name}.py", [])
    entries = [root.name for root in roots.find(parse(text, f"{name}.py"))]
    assert entries and set(entries) == set(names)
    pairs = {entry: (under_torch.model(source, entry), under_torch.model(output, entry)) for entry in entries}
    for entry, (left, right) in pairs.items():
        right.load_state_dict({names[entry][key]: value for key, value in left.state_dict().items()}, strict=True)
    for left, right in pairs.values():
        _compare_results(left, right)
    groups = [
        {
            frozenset((entry, names[entry][key] if side == 0 else key) for entry, key in found)
            for found in _by_identity({entry: both[side] for entry, both in pairs.items()}).values()
        }
        for side in (0, 1)
    ]
    assert groups[0] == groups[1]
    return conversion.code


def _compare_results(left: Any, right: Any) -> None:
    args, kwargs = map(random_like, left.samples())
    tensors = list(_tensors((args, kwargs)))
    for tensor in tensors:
        tensor.requires_grad_()
    wanted, there = left(*args, **kwargs), right(*args, **kwargs)
    assert under_torch.same(wanted, there)
    gradients = [torch.autograd.grad(_total(result), tensors, retain_graph=True) for result in (wanted, there)]
    assert all(map(under_torch.same, *gradients))


def _tensors(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ():
        yield from _tensors(item)


def _total(result: Any) -> torch.Tensor:
    return torch.stack([(tensor * tensor).sum() for tensor in _tensors(result)]).sum()


def _by_identity(models: dict[str, Any]) -> dict[int, set[tuple[str, str]]]:
    """Which names of which models mean one parameter."""
    found: dict[int, set[tuple[str, str]]] = {}
    for entry, model in models.items():
        for name, parameter in model.named_parameters(remove_duplicate=False):
            found.setdefault(id(parameter), set()).add((entry, name))
    return found
