"""Constructors that are lazy only where a size is not given: `LazyLinear(h) if in_features is None else
Linear(in_features, h)`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from lazygen.diagnostics import Place
from lazygen.lift.demands import Demand
from lazygen.lift.syntax import Function, Syntax


def optional_parameter(syntax: Syntax, demand: Demand) -> str | None:
    """The parameter of the function around whose absence makes the call lazy, if there is one."""
    call = syntax.calls.get(demand.call)
    function = syntax.functions.get(demand.scope)
    return None if call is None or function is None else _parameter(syntax, call, function)


def is_given(syntax: Syntax, call: ast.Call, entered: Collection[Place]) -> bool:
    """Whether a call that never ran is lazy only without an argument that all calls of its function gave; `entered`
    are functions that ran.
    """
    around: ast.AST | None = call
    while around is not None and not isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)):
        around = syntax.parent(around)
    return around is not None and syntax.place(around) in entered and _parameter(syntax, call, around) is not None


def _parameter(syntax: Syntax, call: ast.Call, function: Function) -> str | None:
    own = {a.arg for a in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]}
    node: ast.AST | None = call
    while node is not None and node is not function:
        around = syntax.parent(node)
        if isinstance(around, (ast.IfExp, ast.If)):
            in_body = _stands_in(around.body, node)
            name = _is_none(around.test, in_body)
            if name in own and (isinstance(around.test, ast.Compare) or _reads(around, name, in_body)):
                return name
        node = around
    return None


def _stands_in(body: object, node: ast.AST) -> bool:
    return node is body or (isinstance(body, list) and any(node is statement for statement in body))


def _reads(around: ast.If | ast.IfExp, name: str | None, in_body: bool) -> bool:
    """Whether the other arm reads a name: `not name` alone may also ask a flag."""
    other = around.orelse if in_body else around.body
    return any(
        isinstance(part, ast.Name) and part.id == name
        for node in (other if isinstance(other, list) else [other])
        for part in ast.walk(node)
    )


def _is_none(test: ast.expr, in_body: bool) -> str | None:
    """The name that a test compares with None, if the arm in question is the one where it is None."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.left, ast.Name):
        right = test.comparators[0]
        if isinstance(right, ast.Constant) and right.value is None:
            wanted = ast.Is if in_body else ast.IsNot
            return test.left.id if isinstance(test.ops[0], wanted) else None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, ast.Name):
        return test.operand.id if in_body else None
    return None
