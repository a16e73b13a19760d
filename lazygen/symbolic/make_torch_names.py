"""Writes `torch_names.py` from the torch that is installed.

Run `python -m lazygen.symbolic.make_torch_names` when torch has a new version.
"""

from __future__ import annotations

import importlib
import inspect
import json
import math
import os
import sys
import textwrap
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

# Namespaces whose names are recorded, with the modules below them down to that many parts.
_DEPTHS = {
    "torch": 2, "torch.nn": 4, "torch.optim": 3, "torch.utils": 3, "torch.distributions": 3, "torch.cuda": 3,
    "torch.backends": 3, "torch.autograd": 3, "torch.signal": 3, "torch.amp": 3, "torch.sparse": 3,
}  # fmt: skip
_LEFT_OUT = {"test", "testing", "_inductor", "_dynamo", "_export", "_refs", "_prims", "_decomp", "contrib", "onnx"}
_SIMPLE = (bool, int, float, str, type(None))


def modules() -> list[str]:
    """Every module of the installed torch, by the files of its package."""
    import torch

    root = Path(str(torch.__file__)).parent
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f.isidentifier() and f != "__pycache__" and f not in _LEFT_OUT]
        package = ".".join(["torch", *Path(folder).relative_to(root).parts])
        found += [package if f == "__init__.py" else f"{package}.{f[:-3]}" for f in files if f.endswith(".py")]
    return sorted({*found, "torch._C", "torch._dynamo", "torch._inductor", "torch.testing", "torch.onnx"})


def is_recorded(name: str) -> bool:
    """Whether the names of a module are recorded, rather than taken for whatever is asked for."""
    parts = name.split(".")
    if any(part.startswith("_") for part in parts) and name != "torch.nn.modules._functions":
        return False
    depth = next((_DEPTHS[".".join(parts[:n])] for n in (3, 2, 1) if ".".join(parts[:n]) in _DEPTHS), 0)
    return len(parts) <= depth


def names() -> dict[str, dict[str, Any]]:
    """For each recorded module its names by kind; `alias` names are those of an object whose home is elsewhere."""
    loaded: dict[str, ModuleType] = {}
    for name in filter(is_recorded, modules()):
        try:
            loaded[name] = importlib.import_module(name)
        except Exception as error:
            print(f"left out: {name}: {error}", file=sys.stderr)
    homes: dict[int, str] = {}
    for name in sorted(loaded, key=lambda n: (n.count("."), n != "torch", len(n), n)):
        for key, value in _own(loaded[name]):
            if not isinstance(value, (*_SIMPLE, ModuleType)):
                homes.setdefault(id(value), f"{name}.{key}")
    return {name: _described(name, module, homes) for name, module in sorted(loaded.items())}


def _own(module: ModuleType) -> list[tuple[str, Any]]:
    found = []
    for key in sorted(set(vars(module)) | set(getattr(module, "__all__", ()))):
        value = getattr(module, key, module)
        if key.startswith("_") or value is module:
            continue
        home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        simple = isinstance(value, _SIMPLE)
        if (
            simple
            or (isinstance(home, str) and home.split(".")[0] == "torch")
            or type(value).__module__ == "torch"
            or (_is_of_torch(value) and home not in sys.stdlib_module_names)
        ):
            found.append((key, value))
    return found


def _is_of_torch(value: Any) -> bool:
    return inspect.isbuiltin(value) or type(value).__module__.startswith("torch")


def _described(name: str, module: ModuleType, homes: dict[int, str]) -> dict[str, Any]:
    kinds: dict[str, Any] = {"function": [], "class": [], "layer": [], "exception": [], "module": [], "object": []}
    kinds |= {"alias": {}, "constant": {}, "dtype": {}}
    for key, value in _own(module):
        home = homes.get(id(value), "")
        if isinstance(value, ModuleType):
            if value.__name__ == f"{name}.{key}":
                kinds["module"].append(key)
            else:
                kinds["alias"][key] = value.__name__
        elif isinstance(value, _SIMPLE):
            finite = not isinstance(value, float) or math.isfinite(value)
            if finite and (not isinstance(value, str) or (len(value) < 40 and "/" not in value)):
                kinds["constant"][key] = value
        elif home and home != f"{name}.{key}":
            kinds["alias"][key] = home
        elif type(value).__name__ == "dtype":
            kinds["dtype"][key] = value.itemsize
        elif inspect.isclass(value):
            kinds[_class_kind(value)].append(key)
        else:
            kinds["function" if callable(value) else "object"].append(key)
    public = getattr(module, "__all__", None)
    if public is not None:
        kinds["hidden"] = [key for key, _ in _own(module) if key not in public]
    return {kind: found for kind, found in kinds.items() if found}


def _class_kind(value: type) -> str:
    from torch.nn import Module

    return "exception" if issubclass(value, BaseException) else "layer" if issubclass(value, Module) else "class"


def tensor_names() -> dict[str, list[str]]:
    """The public attributes of a tensor: those that are called, and the rest."""
    from torch import Tensor

    public = [name for name in dir(Tensor) if not name.startswith("_")]
    called = [name for name in public if callable(getattr(Tensor, name))]
    return {"method": called, "property": [name for name in public if name not in called]}


def render() -> str:
    """The text of `torch_names.py`."""
    import torch

    recorded = {**names(), "torch.Tensor": tensor_names()}
    lines = [
        '"""The public names of torch, by module and kind: made by `python -m lazygen.symbolic.make_torch_names`."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Any",
        "",
        f'VERSION = "{torch.__version__.partition("+")[0]}"',
        "",
        "# `alias` is the home of an object that other modules show too; `hidden` are names that `__all__` leaves out.",
        "NAMES: dict[str, dict[str, Any]] = {",
    ]
    for module, kinds in recorded.items():
        lines.append(f'    "{module}": {{')
        for kind, found in kinds.items():
            if isinstance(found, dict):
                lines += [f'        "{kind}": {{', *_pairs(found), "        },"]
            else:
                lines += [f'        "{kind}": """', *_wrapped(found, 12), '        """,']
        lines.append("    },")
    lines += ["}  # fmt: skip", ""]
    lines += [
        "# Modules whose names are not recorded, package by package: each has whatever it is asked for.",
        'OTHERS = """',
    ]
    others: dict[str, list[str]] = {}
    for module in modules():
        if module not in recorded:
            package, _, last = module.rpartition(".")
            others.setdefault(package, []).append(last)
    for package, lasts in sorted(others.items()):
        lines += _wrapped([f"{package}:", *lasts], 0)
    return "\n".join([*lines, '"""']) + "\n"


def _pairs(found: dict[str, Any]) -> list[str]:
    words = [f"{json.dumps(key)}:\0{json.dumps(value)}," for key, value in sorted(found.items())]
    text = [line.replace("\0", " ") for line in _wrapped(words, 12)]
    return [line.replace(": null", ": None").replace(": true", ": True").replace(": false", ": False") for line in text]


def _wrapped(words: list[str], indent: int) -> list[str]:
    wrapper = textwrap.TextWrapper(118, " " * indent, " " * indent, break_long_words=False, break_on_hyphens=False)
    return wrapper.wrap(" ".join(words))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    Path(__file__).with_name("torch_names.py").write_text(render(), encoding="utf-8")
