"""Other ways to say the elements of a sequence or a dict: counted from the end, or by a loop's own key."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.lift.evaluate import evaluate
from lazygen.trace.model import Frame


def counted_from_end(text: str, frame: Frame) -> Iterator[str]:
    """The text with the elements of sequences counted from the end, `widths[-1]`: first choice for the last one."""
    if "[" not in text:
        return
    lengths: dict[str, int] = {name: len(value) for name, value in frame.values if isinstance(value, (list, tuple))}
    last = True

    class FromEnd(ast.NodeTransformer):
        def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
            nonlocal last
            if isinstance(
                node.value, ast.Subscript
            ):  # an element of an element: only the outer sequence has a length that changes
                return ast.Subscript(self.visit(node.value), node.slice, node.ctx)
            base = ast.unparse(node.value)
            length = lengths.get(base) or len(
                value if isinstance(value := evaluate(base, frame), (list, tuple)) else ()
            )
            if (
                isinstance(node.slice, ast.Constant)
                and isinstance(node.slice.value, int)
                and length > node.slice.value >= 0
            ):
                last = last and node.slice.value == length - 1 and length > 1
                return ast.Subscript(
                    node.value, ast.UnaryOp(ast.USub(), ast.Constant(length - node.slice.value)), node.ctx
                )
            return node

    changed = ast.unparse(FromEnd().visit(ast.parse(text, mode="eval").body))
    if last:
        yield changed
    else:
        yield text
        yield changed


def by_key(text: str, frame: Frame, names: frozenset[str]) -> str:
    """The text with loop variables for the keys that they are: `widths["p2"]` is `widths[name]` where that is the
    name.
    """
    keys = {value: name for name, value in frame.values if name in names and isinstance(value, str)}

    class ByKey(ast.NodeTransformer):
        def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
            key = node.slice.value if isinstance(node.slice, ast.Constant) else None
            name = keys.get(key) if isinstance(key, str) else None
            return node if name is None else ast.Subscript(node.value, ast.Name(name, ast.Load()), node.ctx)

    return ast.unparse(ByKey().visit(ast.parse(text, mode="eval").body))
