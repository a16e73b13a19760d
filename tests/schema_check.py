"""As much of JSON Schema as the schema of specs uses; a word that is not known here is an error."""

from __future__ import annotations

import re
from typing import Any

_TYPES: dict[str, Any] = {
    "object": dict, "array": list, "string": str, "integer": int, "null": type(None), "boolean": bool
}  # fmt: skip
_WORDS = {"$schema", "$id", "$defs", "title", "description"}


def problems(value: Any, schema: Any, root: Any = None, where: str = "$") -> list[str]:
    """What is wrong with a value, each with its path."""
    root = schema if root is None else root
    if schema is True:
        return []
    found: list[str] = []
    for word, wanted in schema.items():
        if word in _WORDS or word in ("then", "else"):
            continue
        found += _check(word, wanted, value, schema, root, where)
    return found


def _check(word: str, wanted: Any, value: Any, schema: Any, root: Any, where: str) -> list[str]:
    match word:
        case "$ref":
            target = root
            for part in wanted.removeprefix("#/").split("/"):
                target = target[part]
            return problems(value, target, root, where)
        case "type":
            names = wanted if isinstance(wanted, list) else [wanted]
            fits = any(
                isinstance(value, _TYPES[name]) and not (name == "integer" and isinstance(value, bool))
                for name in names
            )
            return [] if fits else [f"{where} is no {wanted}"]
        case "required":
            return [f"{where} has no {key}" for key in wanted if isinstance(value, dict) and key not in value]
        case "properties":
            pairs = value.items() if isinstance(value, dict) else ()
            return [
                p for key, item in pairs if key in wanted for p in problems(item, wanted[key], root, f"{where}.{key}")
            ]
        case "additionalProperties":
            others = (
                [key for key in value if key not in schema.get("properties", {})] if isinstance(value, dict) else []
            )
            if wanted is False:
                return [f"{where}.{key} is too much" for key in others]
            return [p for key in others for p in problems(value[key], wanted, root, f"{where}.{key}")]
        case "propertyNames":
            return [p for key in (value if isinstance(value, dict) else ()) for p in problems(key, wanted, root, where)]
        case "items":
            items = value if isinstance(value, list) else []
            return [p for n, item in enumerate(items) for p in problems(item, wanted, root, f"{where}[{n}]")]
        case "allOf":
            return [p for part in wanted for p in problems(value, part, root, where)]
        case "oneOf":
            fitting = sum(not problems(value, part, root, where) for part in wanted)
            return [] if fitting == 1 else [f"{where} fits {fitting} of {len(wanted)} forms"]
        case "if":
            chosen = "else" if problems(value, wanted, root, where) else "then"
            return problems(value, schema.get(chosen, True), root, where)
        case "pattern":
            return [] if not isinstance(value, str) or re.search(wanted, value) else [f"{where} is {value!r}"]
        case "minimum":
            return [] if not isinstance(value, int) or value >= wanted else [f"{where} is too small"]
        case "minLength" | "minProperties":
            return [] if not isinstance(value, (str, dict)) or len(value) >= wanted else [f"{where} is too short"]
        case "maxProperties":
            return [] if not isinstance(value, dict) or len(value) <= wanted else [f"{where} has too many"]
    raise AssertionError(f"the schema uses {word}, which is not known here")
