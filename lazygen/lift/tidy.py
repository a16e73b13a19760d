"""Texts that come of putting one into another, without what that leaves: parentheses, zeros, numbers side by side."""

from __future__ import annotations

import ast


def tidied(text: str) -> str:
    """A text without the parentheses and zeros that come of putting one into another."""
    return ast.unparse(_Tidier().visit(ast.parse(text, mode="eval").body))


class _Tidier(ast.NodeTransformer):
    """`base + (i - 1)` is `base + i - 1`, `i - 1 + 1` is `i`, `a * (b * c)` is `a * b * c`."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        right = node.right
        if isinstance(node.op, ast.Mult) and isinstance(right, ast.BinOp) and isinstance(right.op, ast.Mult):
            return ast.BinOp(ast.BinOp(node.left, node.op, right.left), right.op, right.right)
        if isinstance(node.op, (ast.Add, ast.Sub)) and (number := _whole(right)) is not None:
            return _moved(node.left, number if isinstance(node.op, ast.Add) else -number)
        if not isinstance(node.op, ast.Add):
            return node
        if isinstance(right, ast.BinOp) and isinstance(right.op, (ast.Add, ast.Sub)):
            return ast.BinOp(ast.BinOp(node.left, node.op, right.left), right.op, right.right)
        return node


def _moved(node: ast.expr, number: int) -> ast.expr:
    """The sum of an expression and a number, where it ends in one already, which that is added to."""
    if (known := _whole(node)) is not None:
        return (
            ast.Constant(known + number)
            if known + number >= 0
            else ast.UnaryOp(ast.USub(), ast.Constant(-known - number))
        )
    if (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, (ast.Add, ast.Sub))
        and (more := _whole(node.right)) is not None
    ):
        return _moved(node.left, number + (more if isinstance(node.op, ast.Add) else -more))
    if not number:
        return node
    return ast.BinOp(node, ast.Add() if number > 0 else ast.Sub(), ast.Constant(abs(number)))


def _whole(node: ast.expr) -> int | None:
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None
