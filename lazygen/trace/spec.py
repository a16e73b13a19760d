"""The spec of a model and its names in TorchX, in the traced process.

Layers say it of themselves, and a `forward` is run on placeholders.
"""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from typing import Any

from lazygen.settings import Input
from lazygen.trace.inputs import InputError, arguments_for
from lazygen.trace.request import SpecQuestion

_LIBRARY = ".".join(("lazygen", "layers"))  # by name: it runs on the stand-in here, and is no part of what traces


def spec_of(model: Any, inputs: tuple[Input, ...], question: SpecQuestion) -> Any:
    """The spec as dicts and lists.

    Raises what the layers raise for a model that no spec can say, and InputError if a `forward` has to be run and no
    shapes are given.
    """
    known = dict(question.known)
    specs = import_module(f"{_LIBRARY}.spec")
    home = type(model).__module__
    is_plain = home.startswith(("torch.", "lazygen.")) or type(model).__name__ in known
    if is_plain or not _has_forward(model):
        return specs.to_spec(model, known)
    graphs = import_module(f"{_LIBRARY}.graph_spec")
    placeholder = import_module(f"{_LIBRARY}.graph").Placeholder
    return graphs.forward_spec(model, _placeholders(model, inputs, placeholder), known)


def keys_of(model: Any) -> dict[str, str]:
    """TorchX's names for the parameters of a model."""
    keys: dict[str, str] = import_module(f"{_LIBRARY}.keymap").torchx_keys(model)
    return keys


def _has_forward(model: Any) -> bool:
    return "forward" in vars(type(model))


def _placeholders(model: Any, inputs: tuple[Input, ...], placeholder: Any) -> dict[str, Any]:
    """A placeholder for each argument of `forward`, or several in lists and dicts."""

    def make(given: Input, name: str, free: dict[str, int]) -> Any:
        sizes = [None if size.name or size.value is None else size.value for size in given.sizes]
        return placeholder(sizes, None if given.dtype == "float32" else getattr(sys.modules["torch"], given.dtype))

    try:
        positional, named = arguments_for(model.forward, inputs, (), make)
    except InputError as error:
        raise InputError(str(error), ("a spec states the shapes of its inputs: --input-shape x=N,3,32,32",)) from None
    return {**dict(zip(inspect.signature(model.forward).parameters, positional, strict=False)), **named}
