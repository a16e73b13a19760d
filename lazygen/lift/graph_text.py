"""What a graph's class says of itself: its name, its arguments and its docstring."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from lazygen.diagnostics import Diagnostic
from lazygen.lift.syntax import Syntax
from lazygen.settings import Input
from lazygen.trace.model import GraphTrace, Leaf
from lazygen.values import replace, value


@value
class Argument:
    """An argument of `forward`.

    `steps` are the variables of the placeholders in it, each with the expression that takes it out of the argument.
    """

    name: str
    steps: tuple[tuple[str, str], ...]
    is_flat: bool  # a list of variables and nothing else
    value: Any  # a Leaf, or Leafs nested

    @property
    def is_plain(self) -> bool:
        """Whether it is a tensor, and not something that holds some."""
        return len(self.steps) == 1 and self.steps[0][1] == self.name

    def unpacking(self, names: Mapping[str, str]) -> list[str]:
        """The statements that take it apart; `names` are what the variables are called."""
        if self.is_plain:
            return []
        if self.is_flat and len(self.steps) > 1:
            return [f"{', '.join(names[variable] for variable, _ in self.steps)} = {self.name}"]
        return [f"{names[variable]} = {path}" for variable, path in self.steps]

    def inputs(self) -> Iterator[Input]:
        """The tensors of the argument, by dotted names."""
        yield from _inputs(self.name, self.value)


def arguments_of(inputs: ast.expr, traced: Any, syntax: Syntax) -> list[Argument] | Diagnostic:
    """The arguments that the inputs of a graph are; a finding if the text does not name them."""
    if isinstance(inputs, ast.Name) and isinstance(traced, Leaf):
        named: list[tuple[str, ast.expr, Any]] = [(inputs.id, inputs, traced)]
    elif isinstance(inputs, (ast.List, ast.Tuple)) and not any(isinstance(part, ast.Starred) for part in inputs.elts):
        names = [part.id if isinstance(part, ast.Name) else f"input{n}" for n, part in enumerate(inputs.elts, 1)]
        named = list(zip(names, inputs.elts, traced, strict=True))
    elif isinstance(inputs, ast.Dict) and all(_is_identifier(key) for key in inputs.keys):
        keys = [str(key.value) for key in inputs.keys if isinstance(key, ast.Constant)]
        named = [(key, value, traced[key]) for key, value in zip(keys, inputs.values, strict=True)]
    else:
        return _unreadable(inputs, syntax)
    found = []
    for name, node, described_as in named:
        steps = _steps(name, node, described_as)
        if steps is None:
            return _unreadable(node, syntax)
        flat = isinstance(node, (ast.List, ast.Tuple)) and all(isinstance(part, ast.Name) for part in node.elts)
        found.append(Argument(name, tuple(steps), flat, described_as))
    variables = [variable for argument in found for variable, _ in argument.steps]
    twice = next((name for name in variables if variables.count(name) > 1), None)
    if twice is not None:
        return Diagnostic("LZ321", f"`{twice}` is among the inputs of a graph twice", syntax.place(inputs))
    return found


def _steps(path: str, node: ast.expr, value: Any) -> list[tuple[str, str]] | None:
    """The variables of nested inputs, each with the expression that it is in `forward`."""
    if isinstance(node, ast.Name):
        return [(node.id, path)] if isinstance(value, Leaf) else None
    parts: list[tuple[str, ast.expr]] = []
    if isinstance(node, (ast.List, ast.Tuple)):
        parts = [(f"{path}[{number}]", part) for number, part in enumerate(node.elts)]
        values = list(value)
    elif isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
        keys = [key_text(key) for key in node.keys if key is not None]
        parts = [(f"{path}[{key}]", part) for key, part in zip(keys, node.values, strict=True)]
        values = list(value.values())
    else:
        return None
    found: list[tuple[str, str]] = []
    for (inner, part), inside in zip(parts, values, strict=True):
        steps = _steps(inner, part, inside)
        if steps is None:
            return None
        found += steps
    return found


def key_text(key: ast.expr) -> str:
    """A key as black writes it."""
    text = ast.unparse(key)
    return f'"{text[1:-1]}"' if text[:1] == "'" and not set(text[1:-1]) & set("\"'\\") else text


def _is_identifier(key: ast.expr | None) -> bool:
    return isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier()


def _unreadable(node: ast.expr, syntax: Syntax) -> Diagnostic:
    return Diagnostic(
        "LZ321",
        "the inputs of a graph have to be written out: they name the arguments of its class",
        syntax.place(node),
        helps=("write a placeholder, a list of such, or a dict with their names",),
    )


def _inputs(name: str, value: Any) -> Iterator[Input]:
    if isinstance(value, Leaf):
        yield replace(value.input, name=name)
    elif isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _inputs(f"{name}.{key}", item)


def class_name(variable: str, taken: Collection[str]) -> str:
    """The variable's name as a class: `my_net` is `MyNet`."""
    words = variable.strip("_").split("_")
    name = "".join(word[:1].upper() + word[1:] for word in words) or "Model"
    candidates = [name, f"{name}Model", *(f"{name}{number}" for number in range(2, len(taken) + 3))]
    return next(c for c in candidates if c not in taken and not hasattr(builtins, c) and c.isidentifier())


def described(arguments: Sequence[Argument], outputs: ast.expr, graph: GraphTrace) -> str:
    """`Maps left (N, 40) and right (N, 60) to score (N, 1) and gap (N, 16).`"""
    if isinstance(graph.outputs, Leaf):
        return f"Maps {_given(arguments)} to {graph.outputs.text}."
    made: list[str] = []
    if isinstance(graph.outputs, dict):
        made = [text for key, value in graph.outputs.items() for text in _leaves(key, value)]
    else:
        nodes: list[ast.expr] | list[None] = [None] * len(graph.outputs)
        if isinstance(outputs, (ast.List, ast.Tuple)) and len(outputs.elts) == len(graph.outputs):
            nodes = outputs.elts
        for node, value in zip(nodes, graph.outputs, strict=True):
            made += _leaves(node.id if isinstance(node, ast.Name) else "", value)
    return f"Maps {_given(arguments)} to {listed(made)}."


def described_part(
    users: Sequence[str], arguments: Sequence[Argument], outputs: Sequence[tuple[str, Leaf | None]]
) -> str:
    """`What actor and critic share: maps observation (N, 8) to hidden (N, 64).`"""
    made = [f"{name} {leaf.text}" if leaf is not None else name for name, leaf in outputs]
    return f"What {listed(users)} share: maps {_given(arguments)} to {listed(made)}."


def _given(arguments: Sequence[Argument]) -> str:
    return listed([text for argument in arguments for text in _leaves(argument.name, argument.value)])


def _leaves(name: str, value: Any) -> list[str]:
    if isinstance(value, Leaf):
        return [f"{name} {value.text}".strip()]
    if value is None:
        return [name]
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in _leaves(f"{name}.{key}".strip("."), item)]
    if isinstance(value, list):
        return [
            text for number, item in enumerate(value) for text in _leaves(f"{name}[{number}]" if name else "", item)
        ]
    return []


def listed(texts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f"{', '.join(texts[:-1])} and {texts[-1]}" if len(texts) > 1 else "".join(texts)
