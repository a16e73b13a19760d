"""`type(m) == nn.Linear`: not true of a lazy layer before its first run, and true of the explicit one.

if type(m) == nn.Linear: init.zeros_(m.bias)            begins to act           a warning
if isinstance(m, nn.Linear): ...                        acts on both
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.diagnostics import Diagnostic
from lazygen.traps.text import Text


def found(text: Text) -> Iterator[Diagnostic]:
    plain = {f"torch.nn.{reference.plain}" for reference in text.lazy if not reference.is_torchx}
    for node in ast.walk(text.tree):
        if not isinstance(node, ast.Compare) or not any(map(_is_type, (node.left, *node.comparators))):
            continue
        for name in _names((node.left, *node.comparators)):
            if text.meaning(name) in plain:
                said = ast.unparse(name)
                yield Diagnostic(
                    "LZ143",
                    f"no lazy layer has the exact type {said} before its first run, but the explicit ones do",
                    text.place(node),
                    helps=(f"say isinstance(..., {said}), which holds for both, or take what begins to act as meant",),
                    severity="warning",
                )
                break


def _is_type(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    return node.func.id == "type" and len(node.args) == 1


def _names(nodes: tuple[ast.expr, ...]) -> Iterator[ast.expr]:
    for node in nodes:
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            yield from _names(tuple(node.elts))
        elif isinstance(node, (ast.Name, ast.Attribute)):
            yield node
