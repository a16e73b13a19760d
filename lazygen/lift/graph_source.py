"""A source with graphs in it: what its calls mean, what changes in its text, and the comments around its statements."""

from __future__ import annotations

import ast
from typing import NoReturn

from lazygen.diagnostics import Diagnostic, Place
from lazygen.frontend.lazy_names import LazyNames
from lazygen.frontend.parse import split_lines
from lazygen.lift.splices import Splices
from lazygen.lift.syntax import Syntax

_LAYERS = ("torch.nn", "torchx.layers", "lazygen.layers")


class NotConvertible(Exception):
    """A graph that no class is made of; the finding says why."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


def refuse(code: str, message: str, place: Place, *helps: str) -> NoReturn:
    """Stop with a finding."""
    raise NotConvertible(Diagnostic(code, message, place, helps=helps))


class GraphSource:
    """One file; `module` is how it writes `torch.nn`.  `spelled` are the calls that have become functions."""

    spelled: frozenset[ast.Call] = frozenset()

    def __init__(self, syntax: Syntax, text: str, names: LazyNames, splices: Splices, module: str) -> None:
        self.syntax, self.names, self.splices, self.module = syntax, names, splices, module
        self.lines = split_lines(text)

    def meaning(self, node: ast.expr) -> tuple[str, str]:
        """The module and the name of one of torch's or TorchX's layers; empty for anything else."""
        module, _, name = (self.names.meaning(node) or "").rpartition(".")
        return (module, name) if module in _LAYERS else ("", "")

    def makes_layer(self, node: ast.AST) -> bool:
        """Whether an expression is the call of a layer's class, of the library's or of the file's."""
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Name) and node.func.id in self.syntax.classes:
            return True
        module, name = self.meaning(node.func)
        return bool(module) and name[:1].isupper()

    def leading(self, statement: ast.stmt) -> list[str]:
        """The comments directly above a statement, with an empty line before them if one stands there."""
        found: list[str] = []
        number = statement.lineno - 1
        while number and self.lines[number - 1].lstrip().startswith("#"):
            found.insert(0, self.lines[number - 1].strip())
            number -= 1
        return ["", *found] if number and not self.lines[number - 1].strip() else found

    def trailing(self, statement: ast.stmt) -> str:
        """The comment behind a statement, with the spaces before it."""
        place = self.syntax.place(statement)
        rest = self.lines[place.end_line - 1][place.end_column :].rstrip()
        return f"  {rest.strip()}" if rest.strip().startswith("#") else ""

    def comments(self, statement: ast.stmt) -> list[str]:
        return [*(line for line in self.leading(statement) if line), *filter(None, [self.trailing(statement).strip()])]
