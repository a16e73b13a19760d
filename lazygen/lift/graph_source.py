"""A source with graphs in it: what its calls mean, what changes in its text, and the comments around its statements."""

from __future__ import annotations

import ast
from typing import NoReturn

from lazygen.diagnostics import Diagnostic, Place
from lazygen.frontend.lazy_names import LazyNames
from lazygen.frontend.parse import split_lines
from lazygen.lift.bindings import targets
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
    """One file; `module` is how it writes `torch.nn`.

    `spelled` are the calls that have become functions, `of_modules` those of modules in graphs, as was seen.
    """

    spelled: frozenset[ast.Call] = frozenset()
    of_modules: frozenset[ast.Call] = frozenset()

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

    def is_placeholder(self, statement: ast.stmt) -> bool:
        """Whether a statement binds placeholders and nothing else."""
        value = getattr(statement, "value", None)
        calls = value.elts if isinstance(value, ast.Tuple) else [value]
        return isinstance(statement, (ast.Assign, ast.AnnAssign)) and all(
            isinstance(call, ast.Call) and self.meaning(call.func)[1] == "Placeholder" for call in calls
        )

    def is_model(self, statement: ast.stmt) -> bool:
        """Whether a statement makes a functional model."""
        value = getattr(statement, "value", None)
        return isinstance(value, ast.Call) and self.meaning(value.func)[1] == "Functional"

    def layer_of(self, statement: ast.stmt) -> ast.Call | None:
        """The call that makes the layer which a statement gives a name to.

        Raises NotConvertible if the statement makes layers otherwise.
        """
        value = getattr(statement, "value", None)
        one_name = isinstance(statement, (ast.Assign, ast.AnnAssign)) and len(targets(statement)) == 1
        if one_name and isinstance(value, ast.Call) and self.makes_layer(value):
            return value
        if self.names.holds(statement) and not isinstance(statement, (ast.Import, ast.ImportFrom, ast.ClassDef)):
            refuse(
                "LZ315",
                "layers of a graph are converted where each has a name or is called at once, and not here",
                self.syntax.place(statement),
            )
        return None

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
