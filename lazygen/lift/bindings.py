"""What statements of a module bind and read, by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any


def names_used(node: ast.AST) -> set[str]:
    """All names that stand in a tree."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def targets(statement: ast.stmt | None) -> list[str]:
    """The single names that a statement assigns to."""
    if isinstance(statement, ast.Assign):
        return [target.id for target in statement.targets if isinstance(target, ast.Name)]
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return [statement.target.id]
    return []


def binds_one(statement: ast.stmt | None, value: Any) -> bool:
    whole = isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is value
    return whole and len(targets(statement)) == 1 and len(getattr(statement, "targets", [0])) == 1


def bound_in(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement of the module binds, in functions and classes none."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id


def names_read(node: ast.AST) -> set[str]:
    """The names that a tree reads; what a lambda in it calls its parameters is nothing outside."""
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    read = {name for child in ast.iter_child_nodes(node) for name in names_read(child)}
    if isinstance(node, ast.Lambda):
        read -= {parameter.arg for parameter in ast.walk(node.args) if isinstance(parameter, ast.arg)}
    return read


def reads(statement: ast.stmt) -> set[str]:
    read = names_read(statement)
    return read | (set(bound_in(statement)) if isinstance(statement, ast.AugAssign) else set())


def free_uses(statement: ast.stmt) -> Iterator[ast.Name]:
    """The reads of the module's names in a statement; names that are bound before inside it are its own."""
    bound: dict[str, tuple[int, int]] = {}
    for node in _walk_outside_functions(statement):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.setdefault(node.id, (node.lineno, node.col_offset))
    for use, in_function in _loads(statement, frozenset(), False):
        is_own = use.id in bound and (use.lineno, use.col_offset) >= bound[use.id]
        if not is_own or (in_function and isinstance(statement, ast.ClassDef)):
            yield use


def _walk_outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if not isinstance(node, _FUNCTIONS):
        for child in ast.iter_child_nodes(node):
            yield from _walk_outside_functions(child)


def _loads(node: ast.AST, hidden: frozenset[str], in_function: bool) -> Iterator[tuple[ast.Name, bool]]:
    """The names that are read, but for those that a function or a comprehension around them binds."""
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load) and node.id not in hidden:
            yield node, in_function
        return
    if isinstance(node, (*_FUNCTIONS, *_COMPREHENSIONS)):
        hidden = hidden | {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
        hidden = hidden | {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        in_function = in_function or isinstance(node, _FUNCTIONS)
    for child in ast.iter_child_nodes(node):
        yield from _loads(child, hidden, in_function)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
