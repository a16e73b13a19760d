"""Changes inside the text of expressions, by offset; an expression's text is then read with those inside it made."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from itertools import accumulate

from lazygen.diagnostics import Place
from lazygen.frontend.parse import byte_to_column, split_lines
from lazygen.lift.syntax import Syntax

Change = tuple[int, int, str]  # from an offset to another, and what stands there instead


class Splices:
    """Collects changes of one file.  Of two that overlap the outer one is made."""

    def __init__(self, syntax: Syntax, text: str) -> None:
        self._syntax = syntax
        self._text = text
        self._lines = list(accumulate(map(len, split_lines(text)), initial=0))
        self._made: list[Change] = []

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """The offsets between which a node stands."""
        place = self._syntax.place(node)
        return self.offset(place.line, place.column), self.offset(place.end_line, place.end_column)

    def offset(self, line: int, column: int) -> int:
        return self._lines[line - 1] + column

    def span_of(self, node: ast.expr | ast.keyword) -> tuple[int, int]:
        """The offsets between which an argument of a call stands, its keyword included."""
        return self.offset_of(node), self.span(node.value if isinstance(node, ast.keyword) else node)[1]

    def offset_of(self, node: ast.expr | ast.keyword) -> int:
        """Where an argument of a call begins."""
        if not isinstance(node, ast.keyword):
            return self.span(node)[0]
        start = self.offset(node.lineno, 0)
        line = self._text[start : self.offset(node.lineno + 1, 0) if node.lineno + 1 <= len(self._lines) else None]
        return start + byte_to_column(line, node.col_offset)

    def fork(self) -> Splices:
        """Another collection that begins with the same changes."""
        other = copy.copy(self)
        other._made = list(self._made)
        return other

    def replace(self, start: int, end: int, text: str) -> None:
        """Let `text` stand between two offsets; at one, it is put in."""
        self._made.append((start, end, text))

    def source(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node as the author wrote it."""
        start, end = self.span(node)
        return self._text[start:end]

    def text(self, node: ast.expr | ast.stmt, more: Sequence[Change] = ()) -> str:
        """The text of a node with the changes inside it, and with `more` that are made this time only."""
        return self.between(*self.span(node), more)

    def between(self, start: int, end: int, more: Sequence[Change] = ()) -> str:
        """The text between two offsets with the changes inside."""
        parts, at = [], start
        inside = [change for change in (*self._made, *more) if start <= change[0] and change[1] <= end]
        for first, last, text in sorted(inside, key=lambda change: (change[0], change[0] != change[1], -change[1])):
            if first >= at:
                parts += [self._text[at:first], text]
                at = last
        return "".join([*parts, self._text[at:end]])

    def touches(self, node: ast.expr | ast.stmt) -> bool:
        """Whether a change lies within a node."""
        start, end = self.span(node)
        return any(start <= first and last <= end for first, last, _ in self._made)

    def find(self, text: str, start: int) -> int:
        """Where a text stands next, from an offset on."""
        return self._text.index(text, start)

    def place(self, node: ast.expr | ast.stmt) -> Place:
        return self._syntax.place(node)
