"""What is formatted at once: a simple statement, or the header of a compound one over a body that only passes.

for width in widths:  # from small to large           for width in widths:  # from small to large
    layers.append(nn.LazyLinear(width))        →          pass
"""

from __future__ import annotations

import libcst as cst

Frame = (
    cst.SimpleStatementLine
    | cst.FunctionDef
    | cst.ClassDef
    | cst.If
    | cst.For
    | cst.While
    | cst.With
    | cst.ExceptHandler
    | cst.ExceptStarHandler
    | cst.Match
    | cst.MatchCase
)
FRAMES = (
    cst.SimpleStatementLine,
    cst.FunctionDef,
    cst.ClassDef,
    cst.If,
    cst.For,
    cst.While,
    cst.With,
    cst.ExceptHandler,
    cst.ExceptStarHandler,
    cst.Match,
    cst.MatchCase,
)

_PASS = cst.IndentedBlock([cst.SimpleStatementLine([cst.Pass()])])


def alone(frame: Frame, is_elif: bool) -> cst.BaseStatement | None:
    """A statement of its own that holds what is to be formatted; None if black has no layout for it.

    What needs another statement around it (`elif`, `except`, `case`) gets a small one.
    """
    if isinstance(frame, cst.SimpleStatementLine):
        return frame.with_changes(leading_lines=())
    if isinstance(frame, cst.Match):
        case = cst.MatchCase(cst.MatchAs(), _PASS)
        return frame.with_changes(leading_lines=(), cases=[case], footer=())
    if isinstance(frame.body, cst.SimpleStatementSuite):
        # `class Block(Base): ...` is one line to black too; other bodies it would move to a line of their own.
        return _one_line(frame, is_elif)
    header = _header(frame)
    if isinstance(header, cst.ExceptHandler):
        return cst.Try(_PASS, handlers=[header])
    if isinstance(header, cst.ExceptStarHandler):
        return cst.TryStar(_PASS, handlers=[header])
    if isinstance(header, cst.MatchCase):
        return cst.Match(cst.Name("_"), [header])
    if isinstance(header, cst.If) and is_elif:
        return cst.If(cst.Name("_"), _PASS, orelse=header)
    return header


def head_alone(frame: Frame, is_elif: bool) -> cst.BaseStatement | None:
    """Like `alone`, and without a body that stands on the same line."""
    if not isinstance(frame, (cst.SimpleStatementLine, cst.Match)) and isinstance(frame.body, cst.SimpleStatementSuite):
        frame = frame.with_changes(body=_PASS)
    return alone(frame, is_elif)


def grafted(frame: Frame, statement: cst.BaseStatement, is_elif: bool) -> Frame:
    """The frame with the layout of `statement`, which is `alone(frame)` formatted, and with its own body."""
    part: cst.CSTNode | None = statement
    if isinstance(frame, (cst.ExceptHandler, cst.ExceptStarHandler)):
        assert isinstance(statement, (cst.Try, cst.TryStar))
        part = statement.handlers[0]
    elif isinstance(frame, cst.MatchCase):
        assert isinstance(statement, cst.Match)
        part = statement.cases[0]
    elif is_elif:
        assert isinstance(statement, cst.If)
        part = statement.orelse
    if type(part) is not type(frame):
        return frame
    assert isinstance(part, FRAMES)
    if isinstance(frame, cst.Match):
        return part.with_changes(
            leading_lines=frame.leading_lines, cases=frame.cases, indent=frame.indent, footer=frame.footer
        )
    if isinstance(frame, cst.SimpleStatementLine) or isinstance(frame.body, cst.SimpleStatementSuite):
        return part.with_changes(leading_lines=frame.leading_lines)
    assert not isinstance(part, (cst.SimpleStatementLine, cst.Match))
    body = frame.body.with_changes(header=part.body.header) if isinstance(part.body, cst.IndentedBlock) else frame.body
    changes: dict[str, object] = {"leading_lines": frame.leading_lines, "body": body}
    if isinstance(frame, (cst.If, cst.For, cst.While)):
        changes["orelse"] = frame.orelse
    return part.with_changes(**changes)


def _header(frame: Frame) -> Frame:
    assert not isinstance(frame, (cst.SimpleStatementLine, cst.Match))
    body = frame.body.with_changes(body=_PASS.body, indent=None, footer=())
    changes: dict[str, object] = {"leading_lines": (), "body": body}
    if isinstance(frame, (cst.If, cst.For, cst.While)):
        changes["orelse"] = None
    return frame.with_changes(**changes)


def _one_line(frame: Frame, is_elif: bool) -> cst.BaseStatement | None:
    if isinstance(frame, (cst.ExceptHandler, cst.ExceptStarHandler, cst.MatchCase, cst.Match)) or is_elif:
        return None
    if isinstance(frame, (cst.If, cst.For, cst.While)) and frame.orelse is not None:
        return None
    return frame.with_changes(leading_lines=())
