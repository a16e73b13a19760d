"""Emission: a plan is carried out on the source text; what it does not name stays byte for byte.

layer = nn.LazyLinear(10)     →     layer = nn.Linear(64, 10)
"""

from __future__ import annotations

import libcst as cst

from lazygen.diagnostics import Diagnostic, Note, Place, Refused
from lazygen.emit.edits import Editor
from lazygen.emit.format import Formatter
from lazygen.emit.graph import with_classes
from lazygen.emit.imports import decide
from lazygen.emit.positions import Positions
from lazygen.emit.work import Contradiction, OtherText, Work
from lazygen.frontend.parse import parse, split_lines, too_deep
from lazygen.lift.plan import DeleteStatement, Plan, ReplaceName, Span


def emit(text: str, plan: Plan, *, line_length: int | None = None, path: str = "<source>") -> str:
    """The source text with the edits of `plan` made.

    `text` is decoded, without byte-order mark, with the line ends of its file.  `line_length` is what the project
    formats with; None finds it from the text.  Raises `Refused`: LZ002 nested too deeply, LZ007 a text whose tree would
    not give it back, LZ903 an edit at a place where the text has nothing of the kind, LZ904 edits that
    exclude each other.
    """
    if not plan.edits and not plan.unneeded:
        return text
    plan = with_classes(plan)
    try:
        return _edited(text, plan, line_length, path)
    except RecursionError:
        raise Refused(too_deep(path)) from None


def line_length_of(text: str) -> int | None:
    """The line length of a file that is as black leaves it; None for any other."""
    return Formatter(text, None).line_length()


def _edited(text: str, plan: Plan, line_length: int | None, path: str) -> str:
    module = _read(text, path)
    positions = Positions(text)
    replacements = [edit for edit in plan.edits if isinstance(edit, ReplaceName)]
    deleted = [edit.span for edit in plan.edits if isinstance(edit, DeleteStatement)]
    decisions = decide(parse(text, path), positions, replacements, plan.unneeded, deleted)
    try:
        work = Work.find(module, text, plan, decisions, positions)
        if work.missing:
            raise Refused(*(_misplaced(span, path) for span in work.missing))
        return module.visit(Editor(work, positions, Formatter(text, line_length), module)).code
    except Contradiction as contradiction:
        raise Refused(_contradiction(contradiction.span, path)) from None
    except OtherText as other:
        raise Refused(_unreadable(_first_difference(text, other.code, path))) from None


def _read(text: str, path: str) -> cst.Module:
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        note = Note(error.message)
        raise Refused(_unreadable(Place(path, error.raw_line, 0, error.raw_line, 0), note)) from None


def _first_difference(text: str, code: str, path: str) -> Place:
    lines, others = split_lines(text), split_lines(code)
    number = next((i for i, (one, other) in enumerate(zip(lines, others, strict=False)) if one != other), 0)
    return Place(path, number + 1, 0, number + 1, len(lines[number].rstrip("\r\n")) if lines else 0)


def _unreadable(place: Place, *notes: Note) -> Diagnostic:
    return Diagnostic(
        "LZ007",
        "the source cannot be edited without changing other bytes of it",
        place,
        notes,
        ("use spaces or tabs for the indentation, no form feeds, and line ends \\n or \\r\\n",),
    )


def _misplaced(span: Span, path: str) -> Diagnostic:
    return Diagnostic(
        "LZ903",
        "what stands here cannot be edited",
        _place(span, path),
        helps=("Python before 3.12 misplaces code inside f-strings: give the expression a line of its own",),
    )


def _contradiction(span: Span, path: str) -> Diagnostic:
    return Diagnostic("LZ904", "two edits of this place exclude each other", _place(span, path))


def _place(span: Span, path: str) -> Place:
    return Place(path, span.line, span.column, span.end_line, span.end_column)
