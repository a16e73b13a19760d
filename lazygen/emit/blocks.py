"""Statements that come into a block or leave it, with the comments and empty lines around them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TypeVar, cast

import libcst as cst

from lazygen.emit.imports import NewImport
from lazygen.values import value

Block = TypeVar("Block", cst.Module, cst.IndentedBlock)
Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement

Leading = Sequence[cst.EmptyLine]
New = Sequence[Statement]

# Stands in a line whose statements are gone until its block is put together (libcst drops an empty line at once, and
# the comments above it too).
GONE = cst.Pass()

DEFINITIONS = (cst.FunctionDef, cst.ClassDef)


@value
class Piece:
    """A statement of a block; `own` if the empty lines around it are settled, as if it was there before."""

    statement: Statement
    own: bool = False


# What stands in the place of each statement of a block: itself, others around it, its body.
Groups = list[list[Piece]]


def gone(leading_lines: Sequence[cst.EmptyLine]) -> cst.SimpleStatementLine:
    """A line without a statement, for the comments and empty lines above it."""
    return cst.SimpleStatementLine([GONE], leading_lines=leading_lines)


def is_gone(statement: cst.CSTNode) -> bool:
    """Whether it is such a line."""
    return isinstance(statement, cst.SimpleStatementLine) and statement.body[0] is GONE


def without_comments(leading_lines: Leading) -> Leading:
    """The lines above a statement without the comments that stand directly above it."""
    kept = list(leading_lines)
    while kept and kept[-1].comment is not None:
        kept.pop()
    return kept


def put_together(block: Block, groups: Groups, inside: type[cst.CSTNode]) -> Block:
    """The block with the statements of `groups`, one group for each statement that it had.

    Comments above statements that are gone stay.  Where new statements stand, there are as many empty
    lines as black wants at least; `inside` is what the block is the body of.
    """
    pieces = [piece for group in groups for piece in group]
    if len(pieces) == len(block.body) and all(piece.own and not is_gone(piece.statement) for piece in pieces):
        return block
    carried: tuple[cst.EmptyLine, ...] = ()
    kept: list[Statement] = []
    settled, whole = True, True  # the empty lines below the last statement; whether the block begins as it did
    for piece in pieces:
        statement = piece.statement
        lines = _joined(carried, statement.leading_lines)
        if is_gone(statement):
            carried, whole = lines, False
            continue
        carried = ()
        if kept and not (settled and piece.own):
            needed = _needed(kept[-1], statement, inside, len(kept) == 1)
            if not settled and _is_standard(kept[-1]) and not _is_standard(statement):
                needed = max(needed, 1)  # a new import of the standard library stands apart from those of packages
            lines = _at_least(needed, lines)
            if _is_import(kept[-1]) and not isinstance(statement, DEFINITIONS):
                lines = _at_most_one(lines)
        elif not kept and not (whole and piece.own) and not (isinstance(block, cst.Module) and block.header):
            lines = _without_blank_start(lines)
            if isinstance(statement, DEFINITIONS) and inside not in (cst.Module, *DEFINITIONS):
                lines = _at_least(1, lines)
        kept.append(statement.with_changes(leading_lines=lines) if lines != statement.leading_lines else statement)
        settled = piece.own
    if not kept and isinstance(block, cst.IndentedBlock):
        kept, carried = [cst.SimpleStatementLine([cst.Pass()], leading_lines=carried)], ()
    if not any(line.comment for line in carried):
        carried = ()
    footer = (*carried, *block.footer)
    if kept and not settled and any(line.comment for line in footer):
        footer = _at_least(_needed(kept[-1], cst.SimpleStatementLine([cst.Pass()]), inside, len(kept) == 1), footer)
    return block.with_changes(body=kept, footer=footer)


def place_imports(groups: Groups, original: cst.Module, added: Sequence[NewImport], starts: Sequence[int]) -> None:
    """Put new import statements at their anchors; `starts` are the lines on which the module's statements begin."""
    # From the last to the first, so that the places of those that are still to be placed hold.
    in_order = sorted(added, key=lambda new: (new.anchor.line, new.anchor.column))
    for new in reversed(in_order):
        number = max(n for n, line in enumerate(starts) if line <= new.anchor.line)
        statement = cast(cst.SimpleStatementLine, cst.parse_statement(new.text))
        if new.before:
            first = groups[number][0]
            groups[number][:1] = [Piece(statement, own=True), Piece(_apart(first.statement), first.own)]
        elif _is_import(original.body[number]):
            groups[number].append(Piece(statement, own=True))
        else:
            # Below a docstring, which an import stands apart from as what follows stands apart from the import.
            groups[number].append(Piece(_apart(statement), own=True))
            if number + 1 < len(groups):
                after = groups[number + 1][0]
                groups[number + 1][0] = Piece(_apart(after.statement), after.own)


def around(statement: Statement | None, leading: Leading, before: New, behind: New) -> list[Piece]:
    """A statement between new ones; without it they stand in its place.

    Its empty lines come to stand above the new statements, its comments stay with it.
    """
    if statement is None and not before and not behind:
        return [Piece(gone(leading), own=True)]
    if statement is None:
        first, *others = (*before, *behind)
        lines = (*leading, *first.leading_lines)
        return [Piece(first.with_changes(leading_lines=lines)), *map(Piece, others)]
    if not before:
        return [Piece(statement.with_changes(leading_lines=leading), own=True), *map(Piece, behind)]
    start = blank_start(leading)
    first_new = before[0].with_changes(leading_lines=(*leading[:start], *before[0].leading_lines))
    own = statement.with_changes(leading_lines=leading[start:])
    return [*map(Piece, (first_new, *before[1:])), Piece(own, own=True), *map(Piece, behind)]


def _needed(before: Statement, behind: Statement, inside: type[cst.CSTNode], first: bool) -> int:
    """How many empty lines black puts between two statements of a block at least."""
    definition = 2 if inside is cst.Module else 1
    if _ends_in_definition(before) or isinstance(behind, DEFINITIONS):
        return definition
    if _is_import(before) and not _is_import(behind):
        return 1
    return 1 if first and _is_string(before) and inside in (cst.Module, cst.ClassDef) else 0


def _ends_in_definition(statement: cst.CSTNode) -> bool:
    if isinstance(statement, DEFINITIONS):
        return True
    last: cst.CSTNode | None = statement
    while isinstance(last, (cst.If, cst.For, cst.While, cst.Try, cst.TryStar)):
        other = last.finalbody if isinstance(last, (cst.Try, cst.TryStar)) else None
        following = other or last.orelse
        handlers = last.handlers if isinstance(last, (cst.Try, cst.TryStar)) else ()
        if following is None and not handlers:
            break
        last = following or handlers[-1]
    body = getattr(last, "body", None)
    return isinstance(body, cst.IndentedBlock) and bool(body.body) and _ends_in_definition(body.body[-1])


def _is_import(statement: cst.CSTNode) -> bool:
    first = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
    return isinstance(first, (cst.Import, cst.ImportFrom))


def _is_standard(statement: cst.CSTNode) -> bool:
    """Whether it imports a module of the standard library."""
    first = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
    if not isinstance(first, cst.Import):
        return False
    return str(first.names[0].evaluated_name).partition(".")[0] in sys.stdlib_module_names


def _is_string(statement: cst.CSTNode) -> bool:
    first = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
    return isinstance(first, cst.Expr) and isinstance(first.value, cst.SimpleString)


def _apart(statement: Statement) -> Statement:
    lines = statement.leading_lines
    if lines and lines[0].comment is None:
        return statement
    return statement.with_changes(leading_lines=_at_least(2 if isinstance(statement, DEFINITIONS) else 1, lines))


def _at_least(blank: int, lines: Sequence[cst.EmptyLine]) -> tuple[cst.EmptyLine, ...]:
    """The lines with so many empty ones in front."""
    return (*[cst.EmptyLine(indent=False) for _ in range(blank - blank_start(lines))], *lines)


def _at_most_one(lines: tuple[cst.EmptyLine, ...]) -> tuple[cst.EmptyLine, ...]:
    """The lines below an import: black leaves only one if they are all empty."""
    return lines[:1] if blank_start(lines) == len(lines) else lines


def _joined(carried: tuple[cst.EmptyLine, ...], lines: Sequence[cst.EmptyLine]) -> tuple[cst.EmptyLine, ...]:
    """The lines above two statements as the lines above one: of two stretches of empty lines the longer stays."""
    if all(line.comment is None for line in carried):
        own = blank_start(lines)
        return (*(carried[own:] if len(carried) > own else ()), *lines)
    return (*carried, *lines)


def blank_start(lines: Sequence[cst.EmptyLine]) -> int:
    return next((number for number, line in enumerate(lines) if line.comment is not None), len(lines))


def _without_blank_start(lines: tuple[cst.EmptyLine, ...]) -> tuple[cst.EmptyLine, ...]:
    return tuple(lines[blank_start(lines) :])
