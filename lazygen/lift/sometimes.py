"""Lines that do not run each time that their function does: what holds there holds for some arguments only."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def unsure_lines(tree: ast.AST) -> frozenset[int]:
    """The lines inside of choices, and those behind one that may leave their block."""
    return frozenset(
        line for node in _unsure(tree) for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    )


def _unsure(tree: ast.AST) -> Iterator[ast.stmt | ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.While)):
            yield from (*node.body, *node.orelse)
        elif isinstance(node, ast.Match):
            yield from (statement for case in node.cases for statement in case.body)
        elif isinstance(node, ast.Try):
            yield from (*node.body, *node.orelse, *(s for handler in node.handlers for s in handler.body))
        elif isinstance(node, (ast.IfExp, ast.BoolOp)):
            yield node
        for block in ("body", "orelse", "finalbody"):
            statements = getattr(node, block, None)
            if isinstance(statements, list):
                yield from _behind(statements)


def _behind(statements: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """The statements of a block behind the first choice in it that may leave it."""
    for at, statement in enumerate(statements):
        choice = isinstance(statement, (ast.If, ast.Match, ast.Try))
        if choice and any(isinstance(node, _LEAVING) for node in ast.walk(statement)):
            return statements[at + 1 :]
    return ()
