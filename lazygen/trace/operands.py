"""Which expression of the source an operand of a call is: `b` of `torch.cat([a, b])`, `xs` of `f(*xs)`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeGuard

from lazygen.frontend.calls import starts
from lazygen.values import value

Form = Literal["one", "list", "tuple", "star", "dict", "sum"]
Span = tuple[int, int, int, int]
"""First line, byte column, last line, byte column."""


@value
class Expression:
    """An expression that gives an operand, or several of them (`form`: the elements of a list, of what a star takes
    apart).
    """

    node: Any
    form: Form = "one"


def index_nodes(tree: ast.AST) -> dict[Span, ast.expr | ast.stmt]:
    """What a running frame may stand at, by the span that it reports."""
    found: dict[Span, ast.expr | ast.stmt] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for line, column in starts(node):
                found[line, column, node.end_lineno or 0, node.end_col_offset or 0] = node
        elif isinstance(node, (ast.BinOp, ast.Compare, ast.AugAssign)) or _is_read(node):
            found[span_of(node)] = node
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Subscript):
            found[span_of(node.targets[0])] = node
    return found


def _is_read(node: ast.AST) -> TypeGuard[ast.Subscript]:
    return isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)


def span_of(node: Any) -> Span:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def expression(
    node: ast.AST, path: Sequence[int | str], kinds: Sequence[type], is_method: Callable[[ast.Call], bool]
) -> Expression | None:
    """The expression at a place of what the node calls or computes; `kinds` are types of what the path goes through.

    None if the text does not say it by itself.
    """
    first = path[0]
    if isinstance(node, ast.Call):
        if _is_sum(node):
            return _elements(node.args[0], "sum")
        found = _argument(node, first, is_method(node)) if isinstance(first, int) else _keyword(node, first)
    elif isinstance(node, (ast.BinOp, ast.Compare, ast.AugAssign, ast.Subscript, ast.Assign)) and isinstance(
        first, int
    ):
        parts = _parts(node)
        found = Expression(parts[first]) if first < len(parts) else None
    else:
        found = None
    return found if found is None or found.form != "one" else _inside(found.node, path[1:], kinds[1:])


def _parts(node: Any) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, ast.Subscript):
        return [node.value, node.slice]
    if isinstance(node, ast.Assign):
        target: Any = node.targets[0]
        return [target.value, target.slice, node.value]
    return [node.left, *node.comparators] if len(node.comparators) == 1 else []


def _is_sum(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "sum" and len(node.args) > 0


def _argument(node: ast.Call, place: int, method: bool) -> Expression | None:
    if method:
        if place == 0:
            assert isinstance(node.func, ast.Attribute)
            return Expression(node.func.value)
        place -= 1
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            return _elements(argument.value, "star") if argument is node.args[-1] or place == 0 else None
        if place == 0:
            return Expression(argument)
        place -= 1
    return None


def _keyword(node: ast.Call, name: str) -> Expression | None:
    return next((Expression(keyword.value) for keyword in node.keywords if keyword.arg == name), None)


def _inside(node: Any, path: Sequence[int | str], kinds: Sequence[type]) -> Expression | None:
    """The expression at a place in a list, tuple or dict, which may be written out or come from elsewhere."""
    if not path:
        return Expression(node)
    first = path[0]
    if isinstance(node, (ast.List, ast.Tuple)) and isinstance(first, int):
        stars = [item for item in node.elts if isinstance(item, ast.Starred)]
        if not stars:
            return _inside(node.elts[first], path[1:], kinds[1:])
        before = node.elts.index(stars[0])
        if first < before:
            return _inside(node.elts[first], path[1:], kinds[1:])
        return _elements(stars[0].value, "star") if len(stars) == 1 and node.elts[-1] is stars[0] else None
    if isinstance(node, ast.Dict):
        for name, item in zip(node.keys, node.values, strict=True):
            if isinstance(name, ast.Constant) and name.value == first:
                return _inside(item, path[1:], kinds[1:])
        return None
    if len(path) > 1:
        return None
    form: Form = "dict" if kinds[0] is dict else "tuple" if kinds[0] is tuple else "list"
    return _elements(node, form)


def _elements(node: Any, form: Form) -> Expression:
    """The elements of a sequence; where a comprehension makes them, each as it is made."""
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        return Expression(node.elt)
    return Expression(node, form)


def is_simple(node: ast.AST) -> bool:
    """Whether an expression can be said twice: it reads names, attributes and elements only."""
    match node:
        case ast.Attribute(value=owner):
            return is_simple(owner)
        case ast.Subscript(value=owner, slice=key):
            return is_simple(owner) and _is_key(key)
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, name], keywords=[]):
            return is_simple(owner) and _is_key(name)
    return isinstance(node, ast.Name)


def _is_key(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_key(node.left) and _is_key(node.right)
    return (
        isinstance(node, ast.Constant) or is_simple(node) or (isinstance(node, ast.UnaryOp) and _is_key(node.operand))
    )
