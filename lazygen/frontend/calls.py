"""Finds the call in the tree that a running frame reports.

A call is known under two keys: its own start and, for `a.b(...)`, the start of `b`, which is what the compiler
reports when they stand on different lines.
"""

from __future__ import annotations

import ast

Key = tuple[int, int, int, int]  # line, byte column, end line, end byte column


def index_calls(tree: ast.AST) -> dict[Key, ast.Call]:
    """All calls of a tree by both keys; positions as `ast` and `co_positions` have them."""
    found: dict[Key, ast.Call] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for line, column in starts(node):
                found[line, column, node.end_lineno or 0, node.end_col_offset or 0] = node
    return found


def starts(node: ast.Call) -> list[tuple[int, int]]:
    """Where a call may be said to start."""
    own = [(node.lineno, node.col_offset)]
    function = node.func
    if isinstance(function, ast.Attribute):
        end_line, end_column = function.end_lineno or 0, function.end_col_offset or 0
        own.append((end_line, end_column - len(function.attr.encode())))
    return own


def is_path(node: ast.expr) -> bool:
    """Whether an expression only reads: a name, its attributes, its elements by constant."""
    if isinstance(node, ast.Attribute):
        return is_path(node.value)
    if isinstance(node, ast.Subscript):
        return is_path(node.value) and (is_path(node.slice) or isinstance(node.slice, (ast.Constant, ast.UnaryOp)))
    return isinstance(node, ast.Name)
