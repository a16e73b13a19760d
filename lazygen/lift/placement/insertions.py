"""Text put around expressions, of which one may stand inside of another."""

from __future__ import annotations

import ast
from itertools import accumulate

from lazygen.frontend.parse import split_lines
from lazygen.lift.syntax import Syntax


class Insertions:
    """Collects what is put before and behind the expressions of one file."""

    def __init__(self, syntax: Syntax, text: str) -> None:
        self._syntax, self._text = syntax, text
        self._lines = list(accumulate(map(len, split_lines(text)), initial=0))
        self._made: list[tuple[int, int, int, str]] = []

    def around(self, node: ast.expr, before: str, behind: str) -> None:
        """Let an expression stand between two texts."""
        start, end = self._span(node)
        # What ends at one place ends from the inside out, what begins there from the outside in.
        self._made.append((start, 1, start - end, before))
        self._made.append((end, 0, end - start, behind))

    def text(self, node: ast.expr) -> str:
        """The text of an expression with what was put around it and inside of it."""
        start, end = self._span(node)
        parts, at = [], start
        for offset, opens, _, text in sorted(self._made):
            if start <= offset <= end and not (offset == start and not opens) and not (offset == end and opens):
                parts += [self._text[at:offset], text]
                at = offset
        return "".join([*parts, self._text[at:end]])

    def _span(self, node: ast.expr) -> tuple[int, int]:
        place = self._syntax.place(node)
        return self._lines[place.line - 1] + place.column, self._lines[place.end_line - 1] + place.end_column
