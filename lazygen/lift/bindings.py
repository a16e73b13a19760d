"""What statements of a module bind and read, by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, TypeGuard

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


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
    """The names that a statement of the module binds, in functions, classes and comprehensions none."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in statement.names)
    else:
        yield from (node.id for node in _in_its_scope(statement) if _is_target(node))


def names_read(node: ast.AST) -> set[str]:
    """The names that a tree reads; what functions and comprehensions in it bind is nothing outside."""
    return {name.id for name in loads(node)}


def loads(node: ast.AST) -> Iterator[ast.Name]:
    """The reads of names in a tree, but for those that a function or a comprehension around them binds."""
    yield from (name for name, _ in _loads(node, frozenset(), False))


def reads(statement: ast.stmt) -> set[str]:
    read = names_read(statement)
    return read | (set(bound_in(statement)) if isinstance(statement, ast.AugAssign) else set())


def free_uses(statement: ast.stmt) -> Iterator[ast.Name]:
    """The reads of the module's names in a statement; names that are bound before inside it are its own."""
    bound: dict[str, tuple[int, int]] = {}
    for node in _outside_functions(statement):
        if _is_target(node):
            bound.setdefault(node.id, (node.lineno, node.col_offset))
    for use, in_function in _loads(statement, frozenset(), False):
        is_own = use.id in bound and (use.lineno, use.col_offset) >= bound[use.id]
        if not is_own or (in_function and isinstance(statement, ast.ClassDef)):
            yield use


def _is_target(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)


def _in_its_scope(node: ast.AST) -> Iterator[ast.AST]:
    """A tree without what functions and comprehensions in it have for themselves."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _COMPREHENSIONS):
            yield from (part.target for part in ast.walk(child) if isinstance(part, ast.NamedExpr))
        elif not isinstance(child, _FUNCTIONS):
            yield from _in_its_scope(child)


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if not isinstance(node, _FUNCTIONS):
        for child in ast.iter_child_nodes(node):
            yield from _outside_functions(child)


def _loads(node: ast.AST, hidden: frozenset[str], in_function: bool) -> Iterator[tuple[ast.Name, bool]]:
    """The names that are read, each with whether a function reads it."""
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
