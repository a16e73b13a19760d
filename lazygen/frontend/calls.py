"""Finds the call in the tree that a running frame reports, and what an expression only reads.

A call is known under two keys: its own start and, for `a.b(...)`, the start of `b`, which is what the compiler
reports when they stand on different lines.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

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


def paths_in(tree: ast.AST) -> Iterator[ast.expr]:
    """The widest parts of an expression that read a variable and call nothing: `w`, `cfg.width`, `x.shape[1]`."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.expr) and _reads_only(child):
            yield child
        elif not isinstance(child, (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)):
            yield from paths_in(child)


def _reads_only(node: ast.expr) -> bool:
    """Whether an expression reads one thing, the same whenever its names are: an element by a constant is,
    `widths[i]` is not.
    """
    if isinstance(node, ast.Subscript):
        return is_path(node.value) and isinstance(node.slice, (ast.Constant, ast.UnaryOp, ast.Slice))
    return is_path(node) and not (isinstance(node, ast.Attribute) and not _reads_only(node.value))
