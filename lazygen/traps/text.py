"""A text in which a trap may stand: its tree, its lazy layers, and places in it."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lazygen.diagnostics import Place
from lazygen.frontend.lazy_names import LazyNames, lazy_names
from lazygen.frontend.parse import byte_to_column, split_lines
from lazygen.frontend.references import Reference


class Text:
    """The text of a file."""

    def __init__(self, text: str, tree: ast.Module, lazy: Sequence[Reference], path: str) -> None:
        self.text, self.tree, self.lazy, self.path = text, tree, lazy, path
        self._lines = split_lines(text)
        self._names: LazyNames | None = None

    def meaning(self, node: ast.expr) -> str | None:
        """What a name means by the imports: `nn.Linear` is "torch.nn.Linear"."""
        if self._names is None:
            self._names = lazy_names(self.tree)
        return self._names.meaning(node)

    def place(self, node: ast.expr) -> Place:
        """The place of an expression."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Place(
            self.path,
            node.lineno,
            byte_to_column(self._lines[node.lineno - 1], node.col_offset),
            end_line,
            byte_to_column(self._lines[end_line - 1], end_column),
        )
