"""Specs as YAML or JSON: each layer on a line, containers and graphs as blocks.

type: Sequential
layers:
  - {type: Conv2d, null: [12, 3], padding: 1}
"""

from __future__ import annotations

import json
from typing import Any

import yaml

_BLOCKS = ("layers", "nodes", "placeholders")
_WIDTH = 100


def as_json(spec: Any) -> str:
    """The spec as JSON, whose key for positional arguments is "null"."""
    return json.dumps(spec, indent=2, ensure_ascii=False) + "\n"


def as_yaml(spec: Any) -> str:
    """The spec as YAML."""
    return "\n".join(_block(spec)) + "\n"


def _block(spec: dict[Any, Any]) -> list[str]:
    """A mapping in lines."""
    lines: list[str] = []
    for key, value in spec.items():
        name = "null" if key is None else _scalar(key)
        if key in _BLOCKS and value and isinstance(value, list):
            lines.append(f"{name}:")
            for item in value:
                inner = _lines(item)
                lines += [f"  - {inner[0]}", *(f"    {line}" for line in inner[1:])]
        elif key in _BLOCKS and value:
            lines += [f"{name}:", *(f"  {_scalar(part)}: {_flow(item)}" for part, item in value.items())]
        elif isinstance(value, dict) and len(_flow(value)) > _WIDTH:
            lines += [f"{name}:", *(f"  {line}" for line in _block(value))]
        else:
            lines.append(f"{name}: {_flow(value)}")
    return lines


def _lines(item: dict[Any, Any]) -> list[str]:
    """A layer or a node: on one line, if nothing is in it that is better read in lines."""
    if any(isinstance(item.get(key), (list, dict)) for key in _BLOCKS) or len(_flow(item)) > _WIDTH:
        return _block(item)
    return [_flow(item)]


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        pairs = (f"{'null' if key is None else _scalar(key)}: {_flow(item)}" for key, item in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return repr(value)
    text = yaml.safe_dump([value], default_flow_style=True, width=1 << 20, allow_unicode=True)
    return text.strip()[1:-1]
