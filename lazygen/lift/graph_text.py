"""What a graph's class says of itself: its name, its arguments and its docstring."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from lazygen.diagnostics import Diagnostic
from lazygen.lift.bindings import names_read
from lazygen.lift.syntax import Syntax
from lazygen.settings import Input
from lazygen.trace.model import GraphTrace, Leaf
from lazygen.values import replace, value


@value
class Argument:
    """An argument of `forward`.

    `variables` are the placeholders in it, `unpacking` are the statements that take it apart.
    """

    name: str
    variables: tuple[str, ...]
    unpacking: tuple[str, ...]
    value: Any  # a Leaf, or Leafs nested

    def inputs(self) -> Iterator[Input]:
        """The tensors of the argument, by dotted names."""
        yield from _inputs(self.name, self.value)


def arguments_of(inputs: ast.expr, traced: Any, syntax: Syntax) -> list[Argument] | Diagnostic:
    """The arguments that the inputs of a graph are; a finding if the text does not name them."""
    if isinstance(inputs, ast.Name) and isinstance(traced, Leaf):
        named: list[tuple[str, ast.expr, Any]] = [(inputs.id, inputs, traced)]
    elif isinstance(inputs, (ast.List, ast.Tuple)):
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
        variables = tuple(variable for variable, _ in steps)
        lines = tuple(f"{variable} = {path}" for variable, path in steps if variable != path)
        flat = isinstance(node, (ast.List, ast.Tuple)) and all(isinstance(part, ast.Name) for part in node.elts)
        if flat and len(steps) > 1:
            lines = (f"{', '.join(variables)} = {name}",)
        found.append(Argument(name, variables, lines, described_as))
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
        keys = [ast.unparse(key) for key in node.keys if key is not None]
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
    given = _listed([text for argument in arguments for text in _leaves(argument.name, argument.value)])
    if isinstance(graph.outputs, Leaf):
        return f"Maps {given} to {graph.outputs.text}."
    made: list[str] = []
    if isinstance(graph.outputs, dict):
        made = [text for key, value in graph.outputs.items() for text in _leaves(key, value)]
    else:
        nodes = outputs.elts if isinstance(outputs, (ast.List, ast.Tuple)) else [None] * len(graph.outputs)
        for node, value in zip(nodes, graph.outputs, strict=True):
            made += _leaves(node.id if isinstance(node, ast.Name) else "", value)
    return f"Maps {given} to {_listed(made)}."


def _leaves(name: str, value: Any) -> list[str]:
    if isinstance(value, Leaf):
        return [f"{name} {value.text}".strip()]
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in _leaves(f"{name}.{key}".strip("."), item)]
    if isinstance(value, list):
        return [
            text for number, item in enumerate(value) for text in _leaves(f"{name}[{number}]" if name else "", item)
        ]
    return []


def _listed(texts: Sequence[str]) -> str:
    return f"{', '.join(texts[:-1])} and {texts[-1]}" if len(texts) > 1 else "".join(texts)


def names_in(node: ast.AST) -> set[str]:
    """The names that an expression reads, but for the parameters of lambdas in it."""
    return names_read(node)
