"""From the positions of `ast` to spans and offsets: bytes to code points, and the text that stands there."""

from __future__ import annotations

import ast
from bisect import bisect_right
from itertools import accumulate

from lazygen.frontend.parse import byte_to_column, split_lines
from lazygen.lift.plan import Span


class Positions:
    """The lines of one source text."""

    def __init__(self, text: str) -> None:
        self.lines = split_lines(text)
        self._starts = [0, *accumulate(len(line) for line in self.lines)]

    def start(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Line and column of a node's first character."""
        return node.lineno, self._column(node.lineno, node.col_offset)

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Where a node stands."""
        end_line = node.end_lineno or node.lineno
        return Span(*self.start(node), end_line, self._column(end_line, node.end_col_offset or 0))

    def offset(self, line: int, column: int) -> int:
        """How many code points stand before a place; -1 if the text has no such line."""
        return self._starts[line - 1] + column if 0 < line <= len(self.lines) else -1

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        line = bisect_right(self._starts, offset, hi=max(len(self.lines), 1))
        return line, offset - self._starts[line - 1]

    def text(self, span: Span) -> str:
        """The source text at a span."""
        lines = self.lines[span.line - 1 : span.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: span.end_column]
        lines[0] = lines[0][span.column :]
        return "".join(lines)

    def indentation(self, line: int, column: int) -> str | None:
        """What stands before a column, if it is nothing but an indentation."""
        before = self.lines[line - 1][:column]
        return before if not before.strip(" \t") else None

    def _column(self, line: int, byte_offset: int) -> int:
        return byte_to_column(self.lines[line - 1], byte_offset)
