"""A finding is a value: what is wrong, where, what explains it and what mends it.

Texts, JSON and annotations are views of it (`render.py`).  Codes come in ranges: LZ0xx source and syntax, LZ1xx what a
name is, LZ2xx shapes, LZ3xx lifting and emission, LZ4xx files and headers, LZ5xx devices, LZ6xx comparing under torch,
LZ9xx bugs of lazygen.
"""

from __future__ import annotations

from typing import Literal

from lazygen.values import value

Severity = Literal["error", "warning", "note"]


@value
class Place:
    """A stretch of source text.  Lines count from 1, columns from 0 in code points; the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@value
class Note:
    """A sentence that explains a finding, with the place it speaks of if there is one."""

    message: str
    place: Place | None = None


@value
class Diagnostic:
    """One finding.  `message` and `notes` say the problem; the cure stands only in `helps`."""

    code: str
    message: str
    place: Place | None = None
    notes: tuple[Note, ...] = ()
    helps: tuple[str, ...] = ()
    severity: Severity = "error"


class Refused(Exception):
    """Raised inside a pass to stop it with findings; `pipeline.convert_source` turns it into a result.

    `usage` says that the command line or a setting is at fault (exit 2), not the file (exit 1).
    """

    def __init__(self, *diagnostics: Diagnostic, usage: bool = False) -> None:
        super().__init__(*(d.message for d in diagnostics))
        self.diagnostics = diagnostics
        self.usage = usage
