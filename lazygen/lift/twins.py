"""Lazy calls in branches that no run took: such a call gets the size of its twin, the call in the other branch that
makes the same thing.

    self.norm = nn.LazyBatchNorm2d() if normed else nn.LazyInstanceNorm2d()
    if deep:                                    two bindings of one attribute
        self.head = nn.LazyLinear(64)
    else:
        self.head = nn.LazyLinear(8)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from lazygen.diagnostics import Place
from lazygen.lift.syntax import Syntax

_MISSING = {
    "LazyLinear": "in_features",
    "LazyConv": "in_channels",
    "LazyBatch": "num_features",
    "LazyInst": "num_features",
}


def missing_argument(kind: str) -> str:
    """The argument that a lazy class leaves out."""
    return next(name for prefix, name in _MISSING.items() if kind.startswith(prefix))


def twin_text(syntax: Syntax, call: ast.Call, kind: str, texts: Mapping[tuple[Place, str], str]) -> str | None:
    """The text of the size in a twin of the call; `texts` are those of the calls that ran, by place and argument."""
    name = missing_argument(kind)
    for other in _others(syntax, call):
        for node in ast.walk(other):
            if isinstance(node, ast.Call) and node is not call:
                text = texts.get((syntax.place(node), name))
                if text is not None:
                    return text
    return None


def _others(syntax: Syntax, call: ast.Call) -> Iterator[ast.AST]:
    """Where a twin may stand: the other arm, then other bindings of the same attribute or name in the class or
    function.
    """
    node: ast.AST = call
    while (around := syntax.parent(node)) is not None and not isinstance(around, (ast.FunctionDef, ast.ClassDef)):
        if isinstance(around, ast.IfExp) and node is not around.test:
            yield around.orelse if node is around.body else around.body
        node = around
    target = _target(syntax.statement(call))
    scope = next(
        (a for a in _ancestors(syntax, call) if isinstance(a, (ast.FunctionDef, ast.AsyncFunctionDef))), syntax.tree
    )
    for statement in ast.walk(scope):
        if target is not None and isinstance(statement, (ast.Assign, ast.AnnAssign)) and _target(statement) == target:
            yield statement


def _ancestors(syntax: Syntax, node: ast.AST) -> Iterator[ast.AST]:
    found = syntax.parent(node)
    while found is not None:
        yield found
        found = syntax.parent(found)


def target_name(node: ast.expr) -> str:
    """The last name of a dotted expression."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _target(statement: ast.stmt | None) -> str | None:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return ast.unparse(statement.targets[0])
    return ast.unparse(statement.target) if isinstance(statement, ast.AnnAssign) else None
