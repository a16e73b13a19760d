"""The arithmetic that the text of each function holds, so that a size can be said as the source itself says it."""

from __future__ import annotations

import ast


def arithmetic(tree: ast.Module) -> dict[tuple[int, int], tuple[ast.expr, ...]]:
    """Arithmetic expressions by the position of the function (or statement of the module) that they stand in, in
    order of the text.
    """
    found: dict[tuple[int, int], list[ast.expr]] = {}
    first = tree.body[0] if tree.body else None
    module = (first.lineno, first.col_offset) if first is not None else (1, 0)
    _collect(tree, module, found)
    return {scope: tuple(expressions) for scope, expressions in found.items()}


def _collect(node: ast.AST, scope: tuple[int, int], found: dict[tuple[int, int], list[ast.expr]]) -> None:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            _collect(child, (child.lineno, child.col_offset), found)
            continue
        if isinstance(child, ast.BinOp):
            found.setdefault(scope, []).append(child)
        _collect(child, scope, found)
