"""Statements and their texts: in the units and line ends of the file, and as black wants to have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import libcst as cst

from lazygen.emit.blocks import Statement, gone
from lazygen.emit.format import Formatter
from lazygen.emit.frames import FRAMES, Frame, alone, head_alone
from lazygen.emit.units import FOUR_SPACES, with_unit


class Writer:
    """Reads and writes statements for one file.  Texts have four spaces a level and `\\n` line ends."""

    def __init__(self, module: cst.Module, formatter: Formatter) -> None:
        self.unit = module.default_indent
        self.newline = module.default_newline
        self.formatter = formatter
        self._empty = cst.Module([], default_indent=FOUR_SPACES, default_newline="\n")

    def code(self, statement: cst.CSTNode) -> str:
        """The text of a statement."""
        if self.unit != FOUR_SPACES:
            statement = with_unit(statement, self.unit, FOUR_SPACES)
        return self._empty.code_for_node(statement).replace("\r\n", "\n")

    def code_alone(self, frame: cst.CSTNode, is_elif: bool) -> str | None:
        """The text of what is formatted at once, without the statements inside."""
        statement = alone(cast(Frame, frame), is_elif)
        return None if statement is None else self.code(statement)

    def code_of_head(self, frame: cst.CSTNode, is_elif: bool) -> str | None:
        """The same without a body on the same line."""
        statement = head_alone(cast(Frame, frame), is_elif)
        return None if statement is None else self.code(statement)

    def code_of_suite(self, suite: cst.CSTNode) -> str:
        """The text of the statements on the line of what they are the body of."""
        assert isinstance(suite, cst.SimpleStatementSuite)
        return self.code(cst.SimpleStatementLine(suite.body))

    def parsed(self, text: str) -> cst.BaseStatement:
        """The statement that a text is."""
        return cast(cst.BaseStatement, self._module(text).body[0])

    def width_of(self, body: cst.BaseSuite) -> int:
        """The columns by which a body stands further to the right."""
        if not isinstance(body, cst.IndentedBlock):
            return 0
        return len((self.unit if body.indent is None else body.indent).expandtabs(4))

    def statements(self, text: str, anchor: cst.CSTNode, width: int) -> list[Statement]:
        """New statements, formatted if `anchor`, which they stand beside, is: at `width` columns of indentation."""
        text = text.strip("\n") + "\n"
        module = self._module((self._formatted(text, anchor, width) or text).strip("\n") + "\n")
        found = [*_with_header(module), *([gone(module.footer)] if module.footer else [])]
        return [statement.with_changes(leading_lines=_empty(statement.leading_lines)) for statement in found]

    def _formatted(self, text: str, anchor: cst.CSTNode, width: int) -> str | None:
        before: str | None = None
        if isinstance(anchor, FRAMES):
            before = self.code_alone(anchor, False)
        elif isinstance(anchor, cst.BaseSmallStatement) and not isinstance(anchor.semicolon, cst.Semicolon):
            before = self.code(cst.SimpleStatementLine([anchor]))
        judged = before or "pass\n"
        inner = cst.parse_module(text)
        if not width or not inner.body:
            return self.formatter.formatted(lambda: judged, text, width)
        # Inside a block, where black puts one empty line around definitions and not two.
        block = cst.IndentedBlock(_with_header(inner), footer=inner.footer)
        wrapped = self._empty.code_for_node(cst.If(cst.Name("_"), block))
        found = self.formatter.formatted(lambda: judged, wrapped, width, moved_to=width - 4)
        if found is None:
            return None
        result = cst.parse_module(found)
        body = cast(cst.IndentedBlock, cast(cst.If, result.body[0]).body)
        lines = cast(Sequence[Statement], body.body)
        return cst.Module(lines, footer=[*body.footer, *result.footer], default_newline="\n").code

    def _module(self, text: str) -> cst.Module:
        config = cst.PartialParserConfig(default_newline=self.newline, default_indent=FOUR_SPACES)
        module = cst.parse_module(text.replace("\n", self.newline), config)
        return with_unit(module, FOUR_SPACES, self.unit) if self.unit != FOUR_SPACES else module


def _empty(lines: Sequence[cst.EmptyLine]) -> list[cst.EmptyLine]:
    """The lines, those without a comment with nothing on them wherever they come to stand."""
    return [line if line.comment else line.with_changes(indent=False) for line in lines]


def _with_header(module: cst.Module) -> list[Statement]:
    """The statements of a module, with the comments at its top above the first one."""
    if not module.body:
        return [gone(module.header)]
    first, *others = module.body
    return [first.with_changes(leading_lines=(*module.header, *first.leading_lines)), *others]
