"""Findings as text for a terminal: the message, where it is, the line itself with carets under it, notes and help.

    error[LZ201]: sizes do not meet in torch.cat along dim 1
      --> model.py:31:23
       |
    31 |             x = merge(torch.cat([skip, up(x)], dim=1))
       |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = note: skip is (2, 16, 15, 15), from model.py:26
       = help: sizes divisible by 4 come back to themselves

Lines and columns are printed from 1.  The quoted line is taken from the text that was converted, not from the disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from lazygen.written import COMMAND_LINE

if TYPE_CHECKING:
    from lazygen.diagnostics import Diagnostic, Note, Place

TAB = "    "
WIDEST_LINE = 140  # terminal columns of source that are shown; a longer line is cut around the span
MOST_LINES = 4  # a span over more lines shows its first two and its last one

COLORS = {"error": "1;31", "warning": "1;33", "note": "1;36", "gutter": "1;34", "bold": "1", "help": "1;32"}


def render(diagnostics: Iterable[Diagnostic], texts: Mapping[str, str], *, color: bool = False) -> str:
    """The text of all findings, one empty line between two, with a line end; empty if there are none.

    `texts` gives the source text for the path of a place.  A place in another path is named, but not quoted.
    """
    blocks = (render_one(diagnostic, texts, color=color) for diagnostic in arrange(diagnostics))
    return "\n".join(blocks)


def arrange(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Every finding once, in the order of the source; those without a place come last."""

    def key(diagnostic: Diagnostic) -> tuple[int, str, int, int, bool, str, str]:
        place = diagnostic.place
        where = (1, "", 0, 0) if place is None else (0, place.path, place.line, place.column)
        return (*where, diagnostic.severity != "error", diagnostic.code, diagnostic.message)

    return sorted(dict.fromkeys(diagnostics), key=key)


def render_one(diagnostic: Diagnostic, texts: Mapping[str, str], *, color: bool = False) -> str:
    """The text of one finding, with a line end."""
    place = diagnostic.place
    quoted = _quote(place, texts) if place else []
    width = max([1, *(len(number) for number, _, _ in quoted)])
    margin = " " * (width + 1)
    bar = _paint("|", "gutter", color)
    title = f"{diagnostic.severity}[{diagnostic.code}]" if diagnostic.code else diagnostic.severity
    lines = [_paint(title, diagnostic.severity, color) + _paint(f": {_plain(diagnostic.message)}", "bold", color)]
    if place:
        lines.append(f"{' ' * width}{_paint('-->', 'gutter', color)} {_address(place)}")
    if quoted:
        lines.append(f"{margin}{bar}")
    for number, code, carets in quoted:
        gutter = _paint(number.rjust(width), "gutter", color)
        lines.append(f"{gutter} {bar} {code}".rstrip())
        if carets:
            lines.append(f"{margin}{bar} {_indented_paint(carets, diagnostic.severity, color)}")
    endings = [("note", _note_text(note)) for note in diagnostic.notes]
    endings += [("help", help_text) for help_text in diagnostic.helps]
    for word, sentence in endings:
        head = f"{margin}{_paint('=', 'gutter', color)} {_paint(word + ':', word, color)} "
        hanging = "\n" + margin + " " * len(f"= {word}: ")
        lines.append(head + _plain(sentence).replace("\n", hanging))
    return "\n".join(lines) + "\n"


def split_lines(text: str) -> list[str]:
    """The lines of a source as Python counts them: no form feed ends one, as `str.splitlines` would have it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _address(place: Place) -> str:
    if place.path == COMMAND_LINE:
        return place.path.strip("<>")
    return f"{_plain(place.path)}:{place.line}:{place.column + 1}"


def _note_text(note: Note) -> str:
    if note.place is None:
        return note.message
    where = "the command line" if note.place.path == COMMAND_LINE else f"{note.place.path}:{note.place.line}"
    return f"{note.message}: {where}" if note.message.endswith(" here") else f"{note.message}, from {where}"


def _quote(place: Place, texts: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """The lines to show: number, text and carets each; empty if the text of the path is not known."""
    text = texts.get(place.path)
    if text is None:
        return []
    lines = split_lines(text)
    first = min(max(place.line, 1), len(lines))
    last = min(max(place.end_line, first), len(lines))
    shown = list(range(first, last + 1))
    left_out = len(shown) > MOST_LINES
    if left_out:
        shown = [first, first + 1, last]
    quoted = []
    for line in shown:
        if left_out and line == last:
            quoted.append(("...", "", ""))
        code = lines[line - 1]
        blank = len(code) - len(code.lstrip())
        start = place.column if line == place.line else blank
        end = place.end_column if line == place.end_line else len(code.rstrip())
        number = "" if place.path == COMMAND_LINE else str(line)
        quoted.append((number, *_underlined(code, start, end, one_line=first == last)))
    return quoted


def _underlined(code: str, start: int, end: int, *, one_line: bool) -> tuple[str, str]:
    """The line as a terminal shows it and the carets under `code[start:end]`.

    An empty span gets one caret if it is all there is to show: it stands where something is missing.
    """
    start = min(max(start, 0), len(code))
    end = min(max(end, start), len(code))
    shown, edges = _on_terminal(code)
    left, right = edges[start], edges[end]
    if right == left:
        if not one_line:
            return shown, ""
        right = left + 1
    if edges[-1] <= WIDEST_LINE:
        return shown, " " * left + "^" * (right - left)
    return _cut(code, edges, left, right)


def _cut(code: str, edges: list[int], left: int, right: int) -> tuple[str, str]:
    """A very long line, cut to what stands around its span, with `...` where something was left out."""
    room = WIDEST_LINE - 6
    begin_column = max(0, min(left - room // 4, edges[-1] - room))
    begin = next(index for index, edge in enumerate(edges) if edge >= begin_column)
    end = max(index for index, edge in enumerate(edges) if edge <= edges[begin] + room)
    shown, _ = _on_terminal(code[begin:end])
    before = "..." if begin else ""
    after = "..." if end < len(code) else ""
    offset = len(before) - edges[begin]
    carets = " " * (left + offset) + "^" * (min(right, edges[end]) - left or 1)
    return before + shown + after, carets


def _on_terminal(code: str) -> tuple[str, list[int]]:
    """What is printed for a line, and for each of its characters (and the end) the terminal column where it starts."""
    if code.isascii() and code.isprintable():
        return code, list(range(len(code) + 1))
    from unicodedata import category, east_asian_width

    shown, edges, column = [], [0], 0
    for character in code:
        if character == "\t":
            printed, width = TAB, len(TAB)
        elif category(character) in ("Mn", "Me"):
            printed, width = character, 0
        elif not character.isprintable():
            printed, width = " ", 1
        else:
            printed, width = character, 2 if east_asian_width(character) in "WF" else 1
        shown.append(printed)
        column += width
        edges.append(column)
    return "".join(shown), edges


def _plain(text: str) -> str:
    """The text without characters that would steer the terminal: a message may quote anything."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character == "\n" else character.encode("unicode_escape").decode()
        for character in text
    )


def _paint(text: str, kind: str, color: bool) -> str:
    return f"\033[{COLORS[kind]}m{text}\033[0m" if color else text


def _indented_paint(carets: str, kind: str, color: bool) -> str:
    blank = len(carets) - len(carets.lstrip())
    return carets[:blank] + _paint(carets[blank:], kind, color)
