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

_INSTANCE_NORM = ("num_features", "eps", "momentum", "affine", "track_running_stats")


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
                    if _can_move(node, methods["__init__"], methods["forward"], found):
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


def _can_move(owner: ast.ClassDef, constructor: Function, forward: Function, found: FirstCall) -> bool:
    """Whether nothing else sets the attribute, and all but the size can be said in the constructor."""
    own = forward.args.args[0].arg
    if not constructor.args.args or constructor.args.args[0].arg != own:
        return False
    target = f"{own}.{found.attribute}"
    for statement in ast.walk(owner):
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        if any(t is not None and ast.unparse(t) == target for t in targets):
            placeholder = statement in constructor.body and _sets_none(statement, own, found.attribute)
            if not placeholder and statement is not found.statement.body[0]:
                return False
    local = {a.arg for a in ast.walk(forward.args) if isinstance(a, ast.arg)} - {own}
    local |= {a.arg for a in ast.walk(constructor.args) if isinstance(a, ast.arg)} - {own}
    for function in (forward, constructor):
        local |= {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    kept = [*found.call.args[1:], *(keyword.value for keyword in found.call.keywords)]
    return not local & {n.id for argument in kept for n in ast.walk(argument) if isinstance(n, ast.Name)}


def _missing(test: ast.expr, own: str) -> str | None:
    """The attribute that a test finds missing: `self.fc is None`, `not hasattr(self, "fc")`."""
    match test:
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            match left:
                case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == own:
                    return attribute
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Name(id="hasattr"), args=[subject, what])):
            match subject, what:
                case ast.Name(id=name), ast.Constant(value=str(attribute)) if name == own:
                    return attribute
    return None


def _lazy_name(call: ast.Call) -> str | None:
    """The lazy class of a plain layer's call, said with the same prefix."""
    function = call.func
    if isinstance(function, ast.Attribute) and f"Lazy{function.attr}" in TORCH_LAZY:
        return f"{ast.unparse(function.value)}.Lazy{function.attr}"
    return None


def _moved(syntax: Syntax, constructor: Function, found: FirstCall) -> list[Edit]:
    own = constructor.args.args[0].arg if constructor.args.args else "self"
    lazy: ast.expr = found.call
    if not isinstance(found.call.args[0], ast.Constant):  # a number that somebody wrote stays
        name = ast.parse(_lazy_name(found.call) or "", mode="eval").body
        lazy = ast.Call(name, found.call.args[1:], [*found.call.keywords, *_defaults(found.call)])
    text = f"{own}.{found.attribute} = {ast.unparse(lazy)}\n"
    placeholder = [s for s in constructor.body if _sets_none(s, own, found.attribute)]
    edits: list[Edit] = [DeleteStatement(syntax.span(found.statement))]
    edits += [DeleteStatement(syntax.span(statement)) for statement in placeholder]
    last = next(s for s in reversed(constructor.body) if s not in placeholder)
    edits.append(InsertStatements(syntax.span(last), text, before=False))
    return edits


def _defaults(call: ast.Call) -> list[ast.keyword]:
    """What a plain instance norm leaves out and its lazy class takes for True."""
    if not ast.unparse(call.func).rpartition(".")[2].startswith("InstanceNorm"):
        return []
    given = {keyword.arg for keyword in call.keywords} | {*_INSTANCE_NORM[: len(call.args)]}
    return [ast.keyword(name, ast.Constant(False)) for name in _INSTANCE_NORM[-2:] if name not in given]


def _sets_none(statement: ast.AST, own: str, attribute: str) -> bool:
    return (
        isinstance(statement, ast.Assign)
        and ast.unparse(statement.targets[0]) == f"{own}.{attribute}"
        and isinstance(statement.value, ast.Constant)
        and statement.value.value is None
    )
