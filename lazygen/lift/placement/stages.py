"""The parts of a `forward` that was cut, and what goes from one to the next."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lazygen.values import field, record


@record
class Stage:
    """A part of `forward`: its device, its lines, the names that come in and go out, and the attributes that it uses.

    `children` are the first and the end of what it has of a container of layers.
    """

    device: str
    lines: list[str] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    attributes: set[str] = field(default_factory=set)
    children: dict[str, tuple[int, int]] = field(default_factory=dict)


def finished(stages: list[Stage], arguments: Sequence[str], own: str) -> list[Stage]:
    """The stages with what they take and give: each gives the next one what that or a later one reads."""
    parsed = [_parsed(stage) for stage in stages]
    bound = [_bound(tree) for tree in parsed]
    order = dict.fromkeys([*arguments, *(name for names in bound for name in names)])
    live: set[str] = set()
    for number in reversed(range(len(stages))):
        stage, tree = stages[number], parsed[number]
        stage.outputs = [name for name in order if name in live]
        reads, certain = _reads(tree.body, set())
        there = {*arguments, *(name for names in bound[:number] for name in names)}
        live = ((live - certain) | reads) & there
        stage.inputs = [name for name in order if name in live] if number else list(arguments)
        attributes = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute)]
        stage.attributes = {n.attr for n in attributes if isinstance(n.value, ast.Name) and n.value.id == own}
    return stages


def _parsed(stage: Stage) -> ast.FunctionDef:
    body = "\n".join(f"    {line}".replace("\n", "\n    ") for line in stage.lines or ["pass"])
    function = ast.parse(f"def forward():\n{body}\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    return function


def _bound(tree: ast.FunctionDef) -> list[str]:
    return [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def _reads(body: Sequence[ast.stmt], bound: set[str]) -> tuple[set[str], set[str]]:
    """The names that statements read before they are bound for certain, and those that are bound for certain."""
    reads: set[str] = set()
    bound = set(bound)
    for statement in body:
        inner = [part for part in ast.iter_child_nodes(statement) if isinstance(part, ast.stmt)]
        outside = [part for part in ast.iter_child_nodes(statement) if not isinstance(part, ast.stmt)]
        nodes = [n for part in outside for n in ast.walk(part) if isinstance(n, ast.Name)]
        stores = {n.id for n in nodes if isinstance(n.ctx, ast.Store)}
        loads = {n.id for n in nodes if isinstance(n.ctx, ast.Load)}
        reads |= (loads | (stores if isinstance(statement, ast.AugAssign) else set())) - bound
        if inner:  # what a branch or a loop binds, it may leave as it was
            reads |= _reads(inner, bound | stores)[0]
        else:
            bound |= stores
    return reads, bound
