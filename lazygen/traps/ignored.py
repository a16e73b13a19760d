"""`# lazygen: ignore[LZ260]` at the end of a line: the warnings of these codes that point into the line are not said.

    self.head = nn.LazyLinear(8)  # lazygen: ignore[LZ260]
    self.norm = nn.LazyBatchNorm2d(2)  # lazygen: ignore[LZ146, LZ262]

Errors cannot be silenced.  A comment, or a code of one, that silences nothing is a note.
"""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterable, Iterator
from io import StringIO

from lazygen.diagnostics import Diagnostic, Place

_COMMENT = re.compile(r"#[ \t]*lazygen: ignore\[([^\]]*)\]")


def without_ignored(findings: Iterable[Diagnostic], text: str, path: str, *, complete: bool = True) -> list[Diagnostic]:
    """The findings but for those that comments of the text silence, and a note for each code that silences nothing.

    Findings that are not `complete`, because of an error among them, leave open what silences nothing.
    """
    asked = list(_codes(text, path))
    used: set[Place] = set()
    kept = []
    for finding in findings:
        places = [place for code, place in asked if finding.severity != "error" and _covers(code, place, finding)]
        used.update(places)
        if not places:
            kept.append(finding)
    unused = [(code, place) for code, place in asked if place not in used and complete]
    return kept + [
        Diagnostic(
            "LZ065",
            f"no {code} is found in this line" if code else "no code is named here",
            place,
            helps=("drop it",) if code else ("name the codes: # lazygen: ignore[LZ260]",),
            severity="note",
        )
        for code, place in unused
    ]


def _covers(code: str, comment: Place, finding: Diagnostic) -> bool:
    place = finding.place
    same_file = place is not None and place.path == comment.path and finding.code == code
    return same_file and place is not None and place.line <= comment.line <= place.end_line


def _codes(text: str, path: str) -> Iterator[tuple[str, Place]]:
    """Each code that a comment names, with its place."""
    for token in tokenize.generate_tokens(StringIO(text).readline):
        found = _COMMENT.match(token.string) if token.type == tokenize.COMMENT else None
        if found is None:
            continue
        line, start = token.start[0], token.start[1] + found.start(1)
        for piece in re.finditer(r"[^,\s]+", found[1]):
            yield piece[0], Place(path, line, start + piece.start(), line, start + piece.end())
        if not found[1].strip(", \t"):
            yield "", Place(path, line, token.start[1], line, token.start[1] + found.end())
