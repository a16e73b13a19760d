"""What may be computed a second time: it does the same again, and nothing else."""

from __future__ import annotations

import ast

_FUNCTIONS = frozenset(
    {"abs", "bool", "divmod", "enumerate", "float", "int", "isinstance", "len", "list", "max", "min", "pow", "range"}
    | {"reversed", "round", "sorted", "str", "sum", "tuple", "zip", "dict", "set", "any", "all"}
)
_METHODS = frozenset({"get", "items", "keys", "values", "index", "count", "startswith", "endswith"})
_ALLOWED = (
    ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Subscript, ast.Slice,
    ast.Attribute, ast.Tuple, ast.List, ast.Dict, ast.Starred, ast.expr_context, ast.operator, ast.unaryop,
    ast.boolop, ast.cmpop, ast.keyword, ast.JoinedStr, ast.FormattedValue, ast.Assign, ast.AnnAssign, ast.AugAssign,
)  # fmt: skip


def is_pure(node: ast.AST) -> bool:
    """Whether a tree only computes: names, arithmetic, items, and calls that change nothing."""
    if isinstance(node, ast.Call):
        known = isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS
        asks = isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS and is_pure(node.func.value)
        return (known or asks) and all(map(is_pure, [*node.args, *node.keywords]))
    return isinstance(node, _ALLOWED) and all(map(is_pure, ast.iter_child_nodes(node)))
