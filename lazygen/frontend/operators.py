"""Statements that register operators, which `torch.ops` finds by other names than the file has for them:

lib = torch.library.Library("mine", "DEF")       registers
lib.define("paired(Tensor x) -> Tensor")         registers
@torch.library.register_fake("mine::paired")     registers
def _(x): ...
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from lazygen.frontend.scopes import dotted

_LIBRARY = "torch.library"


def registering(nodes: Iterable[ast.stmt]) -> list[int]:
    """The numbers of the statements that register operators."""
    names: set[str] = set()  # what a path that registers begins with
    found = []
    for number, node in enumerate(nodes):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= _imported(node)
        elif any(f"{path}.".startswith((f"{_LIBRARY}.", *(f"{name}." for name in names))) for path in _called(node)):
            found.append(number)
            names |= _bound(node)
    return found


def _imported(node: ast.Import | ast.ImportFrom) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.asname for alias in node.names if alias.name == _LIBRARY and alias.asname}
    if node.module == _LIBRARY:
        return {alias.asname or alias.name for alias in node.names}
    return {alias.asname or alias.name for alias in node.names if f"{node.module}.{alias.name}" == _LIBRARY}


def _called(node: ast.stmt) -> Iterator[str]:
    """The paths of what a statement calls, or decorates with."""
    called: list[ast.expr] = []
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        called = node.decorator_list
    elif isinstance(node, (ast.Expr, ast.Assign)):
        called = [node.value]
    for expression in called:
        while isinstance(expression, ast.Call):
            expression = expression.func
        yield dotted(expression) or ""


def _bound(node: ast.stmt) -> set[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name} - {"_"}
    targets = node.targets if isinstance(node, ast.Assign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}
