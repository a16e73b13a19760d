"""A graph as lines to read, for the `repr` of its model.

image: (None, 3, 8, 8)
h1 = conv2d_1(image)
h2 = h1.relu()
gives {'score': h2}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torch import nn

from lazygen.layers.graph import Call, Placeholder, Size

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "and_": "&", "or_": "|", "xor": "^", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
    "neg": "-", "pos": "+", "invert": "~",
}  # fmt: skip


def graph_lines(inputs: Any, outputs: Any, calls: Sequence[Call], layers: Mapping[int, str]) -> Iterator[str]:
    """The inputs with their shapes, the calls in their order, what they give; `layers` are names of layers by id."""
    names: dict[int, str] = {}
    for name, placeholder in named_inputs(inputs, "x"):
        names[id(placeholder)] = name
        yield f"{name}: {repr(placeholder).removeprefix('Placeholder')}"
    for number, call in enumerate(calls, start=1):
        names[id(call)] = f"h{number}"
        yield f"h{number} = {_call(call, names, layers)}"
    yield f"gives {_value(outputs, names)}"


def named_inputs(inputs: Any, name: str) -> Iterator[tuple[str, Placeholder]]:
    """Names for the placeholders: the keys of dicts, and numbers in lists."""
    if isinstance(inputs, Placeholder):
        yield name, inputs
    elif isinstance(inputs, dict):
        for key, value in inputs.items():
            word = str(key) if str(key).isidentifier() else name
            yield from named_inputs(value, word if name == "x" else f"{name}_{word}")
    elif isinstance(inputs, (list, tuple)):
        for number, value in enumerate(inputs, start=1):
            yield from named_inputs(value, f"{name}{number}" if name == "x" else f"{name}_{number}")


def _call(call: Call, names: Mapping[int, str], layers: Mapping[int, str]) -> str:
    args = [_value(argument, names) for argument in call.args]
    given = [*args, *(f"{name}={_value(argument, names)}" for name, argument in call.kwargs.items())]
    if isinstance(call.function, nn.Module):
        return f"{layers[id(call.function)]}({', '.join(given)})"
    if isinstance(call.function, str):
        return f"{given[0]}.{call.function}({', '.join(given[1:])})"
    if call.function is getattr:
        return f"{args[0]}.{call.args[1]}"
    name = getattr(call.function, "__name__", repr(call.function))
    if name == "getitem":
        return f"{args[0]}[{_index(call.args[1], names)}]"
    if name in _SIGNS and getattr(call.function, "__module__", "") == "_operator":
        return f"{args[0]} {_SIGNS[name]} {args[1]}" if len(args) == 2 else f"{_SIGNS[name]}{args[0]}"
    return f"{name}({', '.join(given)})"


def _value(value: Any, names: Mapping[int, str]) -> str:
    if isinstance(value, Placeholder):
        return names.get(id(value)) or names[id(value._call)]
    if isinstance(value, Size):
        how, left, right = value.origin
        left, right = _value(left, names), _value(right, names)
        return f"{left}.size({right})" if how == "size" else f"({left} {_SIGNS[how]} {right})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_value(item, names)}' for key, item in value.items())}}}"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(_value(item, names) for item in value)
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    return repr(value)


def _index(index: Any, names: Mapping[int, str]) -> str:
    parts = index if isinstance(index, tuple) else (index,)
    return ", ".join(_slice(part, names) for part in parts)


def _slice(part: Any, names: Mapping[int, str]) -> str:
    """An item of an index as it stands between the brackets."""
    if part is ...:
        return "..."
    if not isinstance(part, slice):
        return _value(part, names)
    bounds = ["" if bound is None else _value(bound, names) for bound in (part.start, part.stop, part.step)]
    return ":".join(bounds if bounds[2] else bounds[:2])
