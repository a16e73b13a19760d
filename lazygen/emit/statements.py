"""Statements that make room: inserted ones, lines at a semicolon, `with` blocks that leave their body behind.

with scope():  # why                 # why
    x = nn.LazyLinear(2)      →      x = nn.LazyLinear(2)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import libcst as cst

from lazygen.emit.blocks import Piece, Statement, around, blank_start, gone
from lazygen.emit.layout import Separated

Line = cst.SimpleStatementLine | cst.SimpleStatementSuite
Around = Callable[[cst.CSTNode], tuple[Sequence[Statement], Sequence[Statement]]]

_NOTHING = cst.SimpleWhitespace("")


def with_small(line: Line, kept: Sequence[cst.BaseSmallStatement], last: cst.BaseSmallStatement) -> Line:
    """The line with some of its statements, and at the end what stood behind the `last` one."""
    return line.with_changes(body=[*kept[:-1], kept[-1].with_changes(semicolon=last.semicolon)])


def taken_apart(original: Line, line: Line, dead: Callable[[cst.CSTNode], bool], around_it: Around) -> list[Piece]:
    """A line of small statements as the statements that stand in its place, split where new ones come between."""
    leading = line.leading_lines if isinstance(line, cst.SimpleStatementLine) else ()
    parts: list[list[cst.BaseSmallStatement] | Statement] = []
    for before, small in zip(original.body, line.body, strict=True):
        new_before, new_behind = around_it(before)
        parts += new_before
        if not dead(before):
            if parts and isinstance(run := parts[-1], list):
                run.append(small)
            else:
                parts.append([small])
        parts += new_behind
    runs = [number for number, part in enumerate(parts) if isinstance(part, list)]
    if not runs:
        return around(None, leading, cast(list[Statement], parts), ())
    end = original.body[-1]
    pieces = [_piece(part, line, end if number == runs[-1] else None) for number, part in enumerate(parts)]
    before_first = [piece.statement for piece in pieces[: runs[0]]]
    return [*around(pieces[runs[0]].statement, leading, before_first, ()), *pieces[runs[0] + 1 :]]


def _piece(part: list[cst.BaseSmallStatement] | Statement, line: Line, last: cst.BaseSmallStatement | None) -> Piece:
    if not isinstance(part, list):
        return Piece(part)
    end = cst.MaybeSentinel.DEFAULT if last is None else last.semicolon
    trailing = cst.TrailingWhitespace() if last is None else line.trailing_whitespace
    body = [*part[:-1], part[-1].with_changes(semicolon=end)]
    return Piece(cst.SimpleStatementLine(body, trailing_whitespace=trailing), own=True)


def body_of(statement: cst.With, before: Sequence[Statement] = ()) -> list[Statement]:
    """What a `with` block leaves behind, with its comments as lines of their own, and new statements `before` it."""
    if before:
        start = blank_start(statement.leading_lines)
        blank, own = statement.leading_lines[:start], statement.leading_lines[start:]
        first = before[0].with_changes(leading_lines=(*blank, *before[0].leading_lines))
        return [first, *before[1:], *body_of(statement.with_changes(leading_lines=own))]
    body = statement.body
    if isinstance(body, cst.SimpleStatementSuite):
        line = cst.SimpleStatementLine(body.body, trailing_whitespace=body.trailing_whitespace)
        return [gone(statement.leading_lines), line]
    assert isinstance(body, cst.IndentedBlock)
    comment = body.header.comment
    head = [cst.EmptyLine(comment=comment)] if comment else []
    return [gone((*statement.leading_lines, *head)), *cast(Sequence[Statement], body.body), gone(body.footer)]


def without_items(statement: cst.With, items: Sequence[int]) -> cst.With | None:
    """The statement without some of its items; None if that leaves none."""
    kept = [number for number in range(len(statement.items)) if number not in items]
    if not items or not kept:
        return None
    left, right = statement.lpar, statement.rpar
    opening = left.whitespace_after if isinstance(left, cst.LeftParen) else _NOTHING
    closing = right.whitespace_before if isinstance(right, cst.RightParen) else _NOTHING
    separated = Separated.read(statement.items, opening, closing)
    for number in reversed(range(len(statement.items))):
        if number not in kept:
            separated.remove(number)
    separated.trailing_comma = separated.trailing_comma and isinstance(left, cst.LeftParen)
    built, opening, closing = separated.built()
    if not isinstance(left, cst.LeftParen) or not isinstance(right, cst.RightParen):
        return statement.with_changes(items=built)
    return statement.with_changes(
        items=built,
        lpar=left.with_changes(whitespace_after=opening),
        rpar=right.with_changes(whitespace_before=closing),
    )
