"""One pass over a tree that gives its text back and, on the way, the offsets of expressions and statements.

libcst's own provider of positions keeps line and column of every node and token; here a place is one number, and what
nobody asks about is not kept.  The offsets of expressions follow `ast`: parentheses belong to tuples and generator
expressions, and to nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState

OnExpression = Callable[[cst.CSTNode, int, int, Sequence[cst.CSTNode]], None]
OnStatement = Callable[[cst.CSTNode, int, Sequence[cst.CSTNode]], None]

_STATEMENTS = (
    cst.BaseStatement,
    cst.BaseSmallStatement,
    cst.Decorator,
    cst.ExceptHandler,
    cst.ExceptStarHandler,
    cst.MatchCase,
)


class Walk(CodegenState):
    """Goes through `module`, whose text is `text`; calls back with each node and those around it, itself the last."""

    def __init__(self, module: cst.Module, text: str, expression: OnExpression, statement: OnStatement) -> None:
        super().__init__(default_indent=module.default_indent, default_newline=module.default_newline)
        self.text = text
        self.starts: dict[cst.CSTNode, int] = {}
        self.offset = 0
        self.stack: list[cst.CSTNode] = []
        self.parenthesis = 0
        self.expression = expression
        self.statement = statement
        module._codegen(self)
        self.code = "".join(self.tokens)

    def add_token(self, value: str) -> None:
        self.tokens.append(value)
        self.offset += len(value)

    def add_indent_tokens(self) -> None:
        for value in self.indent_tokens:
            self.tokens.append(value)
            self.offset += len(value)

    def before_codegen(self, node: cst.CSTNode) -> None:
        self.stack.append(node)
        if type(node) is cst.LeftParen:
            self.parenthesis = self.offset

    def after_codegen(self, node: cst.CSTNode) -> None:
        self.stack.pop()

    def record_syntactic_position(self, node: cst.CSTNode, **_: Any) -> _Recorded:  # type: ignore[override]
        return _Recorded(self, node)

    def recorded(self, node: cst.CSTNode, start: int, parenthesis: int) -> None:
        if isinstance(node, cst.BaseExpression):
            end = self.offset
            if isinstance(node, (cst.Tuple, cst.GeneratorExp)):
                start, end = self._with_parentheses(node, start, end, parenthesis)
            self.expression(node, start, end, self.stack)
        elif isinstance(node, _STATEMENTS):
            self.starts[node] = start
            self.statement(node, start, self.stack)

    def _with_parentheses(
        self, node: cst.Tuple | cst.GeneratorExp, start: int, end: int, parenthesis: int
    ) -> tuple[int, int]:
        if node.rpar:
            return parenthesis, end + len(cst.Module([]).code_for_node(node.rpar[0]))
        if isinstance(node, cst.GeneratorExp):
            # The only argument of a call: `ast` gives it the parentheses of the call.
            return self.text.rfind("(", 0, start), self.text.find(")", end) + 1
        return start, end


class _Recorded:
    __slots__ = ("node", "parenthesis", "start", "walk")

    def __init__(self, walk: Walk, node: cst.CSTNode) -> None:
        self.walk = walk
        self.node = node

    def __enter__(self) -> None:
        self.start = self.walk.offset
        self.parenthesis = self.walk.parenthesis

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.walk.recorded(self.node, self.start, self.parenthesis)
