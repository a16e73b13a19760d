"""A setting as somebody wrote it, with the place where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from lazygen.diagnostics import Place


class Written:
    """The text of a setting and where that starts (the line from 1, the column from 0).

    `before` is what makes an example complete at this place: `--input-shape ` on the command line, `input-shape=` in a
    comment.  Several settings of one model are a `Given`.
    """

    __slots__ = ("before", "column", "line", "path", "text")

    def __init__(self, text: str, *, path: str, line: int, column: int, before: str = "") -> None:
        self.text = text
        self.path = path
        self.line = line
        self.column = column
        self.before = before

    def place(self, start: int = 0, end: int | None = None) -> Place:
        """The place of `text[start:end]`."""
        # Imported here because the path of an up-to-date file has no findings, and dataclasses take time to create.
        from lazygen.diagnostics import Place

        end = len(self.text) if end is None else end
        return Place(self.path, self.line, self.column + start, self.line, self.column + end)


Given = dict[str, list[Written]]
"""The settings of one model by key; `input-shape` and `arg` may stand several times, the others have one item."""

# The path of a place on the command line.  Its text has one option a line; a number before it would mean nothing.
COMMAND_LINE = "<command line>"

PLACING = ("device", "dtype", "device-argument", "data-parallel", "pipeline", "shard")
KEYS = ("entry", "input-shape", "arg", "output", "partial", "timeout", "engine", *PLACING)
REPEATABLE = ("input-shape", "arg")
SWITCHES = ("partial", "device-argument", "pipeline", "shard")
"""Settings that are true or false."""


def shaping(models: list[Given]) -> list[Given]:
    """The settings that decide what an output holds: not where it goes, nor how long making it may take."""
    return [{key: model[key] for key in KEYS if key in model and key not in ("output", "timeout")} for model in models]


def refuse(code: str, problem: str, place: Place | None, *helps: str) -> NoReturn:
    """Raise Refused: a setting, or what was said on the command line, cannot be followed (exit 2)."""
    from lazygen.diagnostics import Diagnostic, Refused

    raise Refused(Diagnostic(code, problem, place, helps=helps), usage=True)
