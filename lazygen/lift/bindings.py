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


def reads(statement: ast.stmt) -> set[str]:
    read = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return read | (set(bound_in(statement)) if isinstance(statement, ast.AugAssign) else set())


def free_uses(statement: ast.AST, hidden: frozenset[str] = frozenset()) -> Iterator[ast.Name]:
    """The reads of the module's names in a statement; names that are bound before inside it are its own."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        inside = {node.arg for node in ast.walk(statement) if isinstance(node, ast.arg)}
        inside |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        hidden = hidden | inside
    stored: dict[str, tuple[int, int]] = {}
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            stored.setdefault(node.id, (node.lineno, node.col_offset))
    for node in ast.walk(statement):
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or node.id in hidden:
            continue
        is_own = node.id in stored and (node.lineno, node.col_offset) >= stored[node.id]
        if isinstance(statement, ast.ClassDef) or not is_own:
            yield node
