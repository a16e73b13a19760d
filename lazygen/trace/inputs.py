"""Arguments of `forward` from what the settings say of them: tensors of symbolic sizes, nested as dotted names have
it, and literals.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from typing import Any

from lazygen.settings import Argument, Input, Size
from lazygen.symbolic.dim import of_symbol
from lazygen.symbolic.dtypes import DTYPES
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.tensor import Tensor

_BATCH, _SIZE = 2, 32  # of free sizes without a sample: what most models take


class InputError(Exception):
    """The settings and the signature of `forward` do not go together."""

    def __init__(self, message: str, helps: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.helps = helps


def arguments_for(
    forward: Callable[..., Any],
    inputs: tuple[Input, ...],
    literals: tuple[Argument, ...],
    make: Callable[[Input, str, dict[str, int]], Any] | None = None,
) -> tuple[list[Any], dict[str, Any]]:
    """The positional and keyword arguments to call `forward` with; `make` makes a tensor as `tensor_for` does.

    Raises InputError if a name is not an argument of `forward`, or if one that it needs is not given.
    """
    signature = inspect.signature(forward)
    names = [p.name for p in signature.parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    make = tensor_for if make is None else make
    free: dict[str, int] = {}
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for given in inputs:
        if given.name is None:
            name = names[len(positional)] if len(positional) < len(names) else f"input {len(positional) + 1}"
            positional.append(make(given, name, free))
        else:
            _place(named, given.name.split("."), make(given, given.name, free))
    keywords = {name: _listed(value) for name, value in named.items()}
    keywords.update({literal.name: ast.literal_eval(literal.literal) for literal in literals})
    _check(signature, positional, keywords)
    return positional, keywords


def tensor_for(given: Input, name: str, free: dict[str, int]) -> Tensor:
    """A tensor of the sizes, each a symbol; free sizes of one name are one size."""
    shape = [_symbolic(size, index, len(given.sizes), name, free) for index, size in enumerate(given.sizes)]
    return Tensor(shape, DTYPES[given.dtype])


def sample_of(value: int | None, index: int) -> int:
    """The number that stands for dim `index` of an input: `value`, unless that is free."""
    return value if value is not None else _BATCH if index == 0 else _SIZE


def sample_sizes(given: Input, free: dict[str, int]) -> list[int]:
    """The sizes of an input in numbers; free sizes of one name are one number, kept in `free`."""
    samples = [(size.name, sample_of(size.value, index)) for index, size in enumerate(given.sizes)]
    return [sample if name is None else free.setdefault(name, sample) for name, sample in samples]


def _symbolic(size: Size, index: int, rank: int, name: str, free: dict[str, int]) -> int:
    if size.name is None and size.value is not None:
        kind = "batch" if index == 0 and rank > 1 else "input"
        return of_symbol(new_symbol(kind, f"dim {index} of {name}", size.value, index=index))  # type: ignore[arg-type]
    label = size.name or f"dim {index} of {name}"
    text = f"dim {index} of {name}" if re.fullmatch(r"free_\d+", label) else label
    if label not in free:
        free[label] = of_symbol(new_symbol("free", text, sample_of(size.value, index), index=index))
    return free[label]


def _place(node: dict[str, Any], path: list[str], value: Any) -> None:
    for part in path[:-1]:
        node = node.setdefault(part, {})
    node[path[-1]] = value


def _listed(value: Any) -> Any:
    """Dicts whose keys are all numbers are lists."""
    if not isinstance(value, dict):
        return value
    if value and all(key.isdigit() for key in value):
        return [_listed(value[key]) for key in sorted(value, key=int)]
    return {key: _listed(item) for key, item in value.items()}


def _check(signature: inspect.Signature, positional: list[Any], keywords: dict[str, Any]) -> None:
    parameters = signature.parameters.values()
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        for name in keywords:
            if name not in signature.parameters:
                known = ", ".join(signature.parameters) or "none"
                raise InputError(f"forward has no argument `{name}`", (f"its arguments are: {known}",))
    accepted = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(positional) > len(accepted) and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        raise InputError(
            f"{len(positional)} input shapes are given, but forward takes {len(accepted)}",
            (f"its arguments are: {', '.join(p.name for p in accepted)}" if accepted else "it takes none",),
        )
    missing = [p.name for p in accepted[len(positional) :] if p.default is p.empty and p.name not in keywords]
    keyword_only = [p for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    missing += [p.name for p in keyword_only if p.name not in keywords]
    if missing:
        told = " and ".join(f"`{name}`" for name in missing)
        raise InputError(
            f"forward needs {told}, and no shape is given for {'it' if len(missing) == 1 else 'them'}",
            tuple(f"say --input-shape {name}=SIZES, or --arg {name}=VALUE if it is no tensor" for name in missing),
        )
