"""What is found in the text that a spec stands for, as a finding about the spec."""

from __future__ import annotations

import re

from lazygen.diagnostics import Diagnostic, Note, Place
from lazygen.spec.source import Written
from lazygen.values import replace

_REMARK = re.compile(r"^<spec>:\d+: ")


class Origins:
    """Leads from places in a text to places in the document at `path`."""

    def __init__(self, source: Written, path: str) -> None:
        self.source, self.path = source, path

    def finding(self, finding: Diagnostic) -> Diagnostic:
        """A finding whose places are those of the document, and whose message says the path in it."""
        place, where = self._origin(finding.place)
        message = f"{where}: {finding.message}" if where else finding.message
        notes = tuple(self._note(note) for note in finding.notes)
        return replace(finding, message=message, place=place, notes=notes)

    def remark(self, remark: str) -> str:
        """A line of `-v`, without the line of a text that nobody sees."""
        return _REMARK.sub(f"{self.path}: ", remark)

    def _note(self, note: Note) -> Note:
        place, where = self._origin(note.place)
        return Note(f"{where}: {note.message}" if where else note.message, place)

    def _origin(self, place: Place | None) -> tuple[Place | None, str]:
        if place is None or place.path != "<spec>":
            return place, ""
        origin = self.source.origin(place)
        if origin is None:
            return Place(self.path, 1, 0, 1, 0), ""
        return origin.place, origin.where
