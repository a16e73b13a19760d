"""Passes over made-up data in a constructor, whose only use is to give lazy layers their sizes: explicit layers need
none.

    def __init__(self):
        ...
        with torch.no_grad():
            self(torch.zeros(1, 3, 32, 32))         goes
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.lift.plan import DeleteStatement
from lazygen.lift.syntax import Syntax
from lazygen.symbolic.nn.module import Module

_MAKERS = {"zeros", "ones", "rand", "randn", "empty", "full", "zeros_like", "randint"}


def deletions(syntax: Syntax) -> Iterator[DeleteStatement]:
    """The statements of constructors that only run the model, or a part of it, over made-up data."""
    for place, function in syntax.functions.items():
        if function.name == "__init__" and place in syntax.class_of:
            own = function.args.args[0].arg if function.args.args else ""
            for statement in function.body:
                if _only_runs(statement, own):
                    yield DeleteStatement(syntax.span(statement))


def _only_runs(statement: ast.stmt, own: str) -> bool:
    if isinstance(statement, ast.With):
        return all(_only_runs(inner, own) for inner in statement.body) and all(
            item.optional_vars is None and ast.unparse(item.context_expr).startswith("torch.") for item in statement.items
        )
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    call = statement.value
    return _is_own(call.func, own) and any(_makes_data(argument) for argument in [*call.args, *(k.value for k in call.keywords)])


def _is_own(node: ast.expr, own: str) -> bool:
    """`self`, `self.forward`, `self.encoder`: the model or a part of it; not `self.register_buffer`."""
    if isinstance(node, ast.Attribute) and node.attr != "forward" and hasattr(Module, node.attr):
        return False
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return isinstance(node, ast.Name) and node.id == own


def _makes_data(node: ast.expr) -> bool:
    return any(
        isinstance(part, ast.Call)
        and isinstance(part.func, (ast.Attribute, ast.Name))
        and (part.func.attr if isinstance(part.func, ast.Attribute) else part.func.id) in _MAKERS
        for part in ast.walk(node)
    )
