"""Where something of a staged text stands in the source: what is said about the one is said about the other.

Layers keep their text when they move, and mostly their order.
"""

from __future__ import annotations

from lazygen.diagnostics import Diagnostic, Place
from lazygen.frontend.parse import split_lines
from lazygen.values import replace


class Origins:
    """Finds places of `text` in `source`; what is not there goes to `graph`, the call that makes the model."""

    def __init__(self, text: str, source: str, graph: Place) -> None:
        self._lines, self._source, self._graph = split_lines(text), split_lines(source), graph

    def finding(self, finding: Diagnostic) -> Diagnostic:
        """The finding with its places in the source."""
        notes = tuple(replace(note, place=self._place(note.place)) for note in finding.notes)
        return replace(finding, place=self._place(finding.place), notes=notes)

    def _place(self, place: Place | None) -> Place | None:
        if place is None or place.path != self._graph.path or place.line == 1 >= place.end_column:
            return place
        line = self._lines[place.line - 1] if place.line <= len(self._lines) else ""
        end = place.end_column if place.end_line == place.line else len(line.rstrip())
        said = line[place.column : end]
        return self._same(said, place.line, place.column) or self._same(line.strip(), place.line, 0) or self._graph

    def _same(self, said: str, line: int, column: int) -> Place | None:
        """The place of a text in the source: of those with this text the one with the same number."""
        ours, theirs = list(_found(said, self._lines)), list(_found(said, self._source))
        number = next((n for n, at in enumerate(ours) if at[0] == line and (at[1] == column or not column)), -1)
        if number < 0 or not theirs:
            return None
        found, at = theirs[min(number, len(theirs) - 1)]
        return Place(self._graph.path, found, at, found, at + len(said))


def _found(said: str, lines: list[str]) -> list[tuple[int, int]]:
    found = []
    for number, line in enumerate(lines, 1):
        at = line.find(said) if said else -1
        while at >= 0:
            found.append((number, at))
            at = line.find(said, at + 1)
    return found
