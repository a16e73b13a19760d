"""Layers that `forward` makes on its first call move to the constructor, as lazy ones, which are then filled like any
other.

    self.fc = None                                        self.fc = nn.LazyLinear(10)
    ...
    if self.fc is None:                          ->
        self.fc = nn.Linear(x.shape[1], 10)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.frontend.lazy_names import TORCH_LAZY
from lazygen.lift.plan import DeleteStatement, Edit, InsertStatements, Plan
from lazygen.lift.syntax import Function, Syntax
from lazygen.values import value


@value
class FirstCall:
    """A layer made on the first call: the attribute, the statement that makes it, and the call."""

    attribute: str
    statement: ast.If
    call: ast.Call


def may_have(text: str) -> bool:
    """Whether it is worth looking: the test that every such layer stands behind is somewhere in the text."""
    return " is None:" in text or "not hasattr(" in text


def rewritten(syntax: Syntax) -> Plan | None:
    """The edits that make such layers lazy ones of the constructor; None if there is none."""
    edits: list[Edit] = []
    for node in ast.walk(syntax.tree):
        if isinstance(node, ast.ClassDef):
            methods = {m.name: m for m in node.body if isinstance(m, ast.FunctionDef)}
            if "__init__" in methods and "forward" in methods:
                for found in _first_calls(methods["forward"]):
                    edits += _moved(syntax, methods["__init__"], found)
    return Plan(tuple(edits)) if edits else None


def _first_calls(forward: Function) -> Iterator[FirstCall]:
    own = forward.args.args[0].arg if forward.args.args else ""
    for statement in forward.body:
        if not isinstance(statement, ast.If) or statement.orelse or len(statement.body) != 1:
            continue
        attribute, made = _missing(statement.test, own), statement.body[0]
        if attribute is None or not isinstance(made, ast.Assign) or len(made.targets) != 1:
            continue
        if ast.unparse(made.targets[0]) == f"{own}.{attribute}" and isinstance(made.value, ast.Call):
            call = made.value
            if _lazy_name(call) and call.args and not any(isinstance(a, ast.Starred) for a in call.args):
                yield FirstCall(attribute, statement, call)


def _missing(test: ast.expr, own: str) -> str | None:
    """The attribute that a test finds missing: `self.fc is None`, `not hasattr(self, "fc")`."""
    match test:
        case ast.Compare(left=ast.Attribute(value=ast.Name(id=name), attr=attribute), ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return attribute if name == own else None
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Name(id="hasattr"), args=[ast.Name(id=name), ast.Constant(value=str(attribute))])):
            return attribute if name == own else None
    return None


def _lazy_name(call: ast.Call) -> str | None:
    """The lazy class of a plain layer's call, said with the same prefix."""
    function = call.func
    if isinstance(function, ast.Attribute) and f"Lazy{function.attr}" in TORCH_LAZY:
        return f"{ast.unparse(function.value)}.Lazy{function.attr}"
    return None


def _moved(syntax: Syntax, constructor: Function, found: FirstCall) -> list[Edit]:
    own = constructor.args.args[0].arg if constructor.args.args else "self"
    lazy = ast.Call(ast.parse(_lazy_name(found.call) or "", mode="eval").body, found.call.args[1:], found.call.keywords)
    text = f"{own}.{found.attribute} = {ast.unparse(lazy)}\n"
    placeholder = [s for s in constructor.body if _sets_none(s, own, found.attribute)]
    edits: list[Edit] = [DeleteStatement(syntax.span(found.statement))]
    edits += [DeleteStatement(syntax.span(statement)) for statement in placeholder]
    last = next(s for s in reversed(constructor.body) if s not in placeholder)
    edits.append(InsertStatements(syntax.span(last), text, before=False))
    return edits


def _sets_none(statement: ast.stmt, own: str, attribute: str) -> bool:
    return (
        isinstance(statement, ast.Assign)
        and ast.unparse(statement.targets[0]) == f"{own}.{attribute}"
        and isinstance(statement.value, ast.Constant)
        and statement.value.value is None
    )
