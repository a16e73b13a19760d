"""Every expression of a file that names one of torch's lazy classes, with the call that it is the function of, if it is one."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from lazygen.frontend.lazy_names import TORCH_LAZY, lazy_names


@dataclass(frozen=True, slots=True)
class Reference:
    """A name or dotted name that means a lazy class.  `call` is the call of it, None where it is passed on or compared."""

    node: ast.expr
    kind: str
    call: ast.Call | None

    @property
    def plain(self) -> str:
        """The class without its laziness."""
        return self.kind.removeprefix("Lazy")


def references(tree: ast.Module) -> list[Reference]:
    """All references to lazy classes, in the order of the text."""
    names = lazy_names(tree)
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            module, _, name = (names.meaning(node) or "").rpartition(".")
            if module == "torch.nn" and name in TORCH_LAZY:
                found.append(Reference(node, name, calls.get(id(node))))
    return sorted(found, key=lambda reference: (reference.node.lineno, reference.node.col_offset))
