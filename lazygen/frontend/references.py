"""Every expression of a file that names a lazy class, torch's or TorchX's, with the call that it is the function of.

Of TorchX's layers those that read no size are references too: they are spelled as torch's.
"""

from __future__ import annotations

import ast

from lazygen.frontend import torchx
from lazygen.frontend.lazy_names import TORCH_LAZY, lazy_names
from lazygen.values import value


@value
class Reference:
    """A name or dotted name that means a lazy class.  `call` is the call of it, None where it is passed on or compared.

    `module` is the one that the name comes from.
    """

    node: ast.expr
    kind: str
    call: ast.Call | None
    module: str = "torch.nn"

    @property
    def plain(self) -> str:
        """The class without its laziness."""
        return torchx.plain(self.kind) if self.is_torchx else self.kind.removeprefix("Lazy")

    @property
    def is_torchx(self) -> bool:
        """Whether this is one of TorchX's names."""
        return self.module != "torch.nn"

    @property
    def reads_sizes(self) -> bool:
        """Whether a size is to be written."""
        return not self.is_torchx or torchx.reads_sizes(self.kind, self.call)


def references(tree: ast.Module) -> list[Reference]:
    """All references to lazy classes and to TorchX's names, in the order of the text."""
    names = lazy_names(tree)
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            module, _, name = (names.meaning(node) or "").rpartition(".")
            if module == "torch.nn" and name in TORCH_LAZY:
                found.append(Reference(node, name, calls.get(id(node))))
            elif module in torchx.MODULES or torchx.is_foreign(module, name):
                found.append(Reference(node, name, calls.get(id(node)), module))
    return sorted(found, key=lambda reference: (reference.node.lineno, reference.node.col_offset))
