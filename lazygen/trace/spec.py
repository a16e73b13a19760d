"""The spec of a model and its names in TorchX, in the traced process.

Layers say it of themselves, and a `forward` is run on placeholders.
"""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from typing import Any

from lazygen.settings import Input
from lazygen.trace.inputs import InputError
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
    """A placeholder for each argument of `forward`."""
    names = list(inspect.signature(model.forward).parameters)
    found = {}
    for number, given in enumerate(inputs):
        if given.name is None and number >= len(names):
            raise InputError(f"forward takes {len(names)} inputs, and {len(inputs)} shapes are given")
        name = given.name or names[number]
        sizes = [None if size.name or size.value is None else size.value for size in given.sizes]
        dtype = None if given.dtype == "float32" else getattr(sys.modules["torch"], given.dtype)
        found[name] = placeholder(sizes, dtype)
    missing = [name for name in names if name not in found]
    unknown = [name for name in found if name not in names]
    if missing or unknown:
        told = f"no shape is given for {missing[0]}" if missing else f"forward has no argument {unknown[0]}"
        raise InputError(told, ("a spec states the shapes of its inputs: --input-shape x=N,3,32,32",))
    return found
