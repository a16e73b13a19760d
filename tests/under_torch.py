"""Runs a source and its output under real torch: same parameters, and same results once the weights are the same."""

from __future__ import annotations

import ast
import sys
import types
import zlib
from pathlib import Path
from typing import Any

import torch
from torch.nn.parameter import UninitializedTensorMixin

from lazygen.config import Written, parse_argument, parse_input


def module(text: str, path: Path, name: str) -> types.ModuleType:
    """The module of a text, run under torch."""
    made = types.ModuleType(name)
    made.__file__ = str(path)
    sys.modules[name] = made
    sys.path.insert(0, str(path.parent))
    try:
        exec(compile(text, str(path), "exec", dont_inherit=True), made.__dict__)
    finally:
        sys.path.remove(str(path.parent))
    return made


def model(made: types.ModuleType, entry: str) -> torch.nn.Module:
    """The model that an entry names in a module: built, if it is a class or a function."""
    value = eval(entry, made.__dict__)
    if not isinstance(value, torch.nn.Module):
        value = value()
    assert isinstance(value, torch.nn.Module)
    return value.eval()


def arguments(shapes: list[str], literals: list[str]) -> tuple[list[Any], dict[str, Any]]:
    """Tensors and literals for `forward`, as the flags say them."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for text in shapes:
        given = parse_input(Written(text, path="fixture", line=1, column=0))
        samples = [2, *[32] * len(given.sizes)]
        sizes = [
            size.value if size.value is not None else sample for size, sample in zip(given.sizes, samples, strict=False)
        ]
        torch.manual_seed(zlib.crc32(text.encode()))
        dtype = getattr(torch, given.dtype)
        tensor = torch.randn(sizes, dtype=dtype) if dtype.is_floating_point else torch.randint(0, 2, sizes).to(dtype)
        if given.name is None:
            args.append(tensor)
        else:
            _place(kwargs, given.name.split("."), tensor)
    for text in literals:
        literal = parse_argument(Written(text, path="fixture", line=1, column=0))
        kwargs[literal.name] = ast.literal_eval(literal.literal)
    return args, {name: _listed(value) for name, value in kwargs.items()}


def _place(node: dict[str, Any], path: list[str], value: Any) -> None:
    for part in path[:-1]:
        node = node.setdefault(part, {})
    node[path[-1]] = value


def _listed(value: Any) -> Any:
    if isinstance(value, dict) and value and all(key.isdigit() for key in value):
        return [_listed(value[key]) for key in sorted(value, key=int)]
    return {key: _listed(item) for key, item in value.items()} if isinstance(value, dict) else value


def same(left: Any, right: Any) -> bool:
    """Whether two results are equal, bit for bit."""
    if isinstance(left, torch.Tensor):
        alike = left.shape == right.shape and left.dtype == right.dtype
        return alike and torch.equal(left.nan_to_num(), right.nan_to_num())
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def compare(lazy: torch.nn.Module, explicit: torch.nn.Module, args: list[Any], kwargs: dict[str, Any]) -> None:
    """Assert that the explicit model is the lazy one: keys, order, shapes, and results with the same weights."""
    with torch.no_grad():
        expected = lazy(*args, **kwargs)
        if any(isinstance(value, UninitializedTensorMixin) for value in lazy.state_dict().values()):
            # Layers that only training reaches; the statistics that this moves are loaded too.
            lazy.train()(*args, **kwargs)
            expected = lazy.eval()(*args, **kwargs)
    ours = [(key, tuple(value.shape)) for key, value in explicit.state_dict().items()]
    theirs = [(key, tuple(value.shape)) for key, value in lazy.state_dict().items()]
    assert ours == theirs
    explicit.load_state_dict(lazy.state_dict(), strict=True)
    with torch.no_grad():
        assert same(expected, explicit(*args, **kwargs))
