"""Continuation lines in another unit of indentation: black writes four spaces, the file may not."""

from __future__ import annotations

from typing import TypeVar, cast

import libcst as cst

FOUR_SPACES = "    "

Node = TypeVar("Node", bound=cst.CSTNode)


def with_unit(node: Node, old: str, new: str) -> Node:
    """The node with the lines inside its brackets indented by `new` for each `old`; strings stay as they are."""
    return cast(Node, node.visit(_Units(old, new)))


class _Units(cst.CSTTransformer):
    def __init__(self, old: str, new: str) -> None:
        super().__init__()
        self.old, self.new = old, new

    def leave_ParenthesizedWhitespace(
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.ParenthesizedWhitespace:
        lines = [line.with_changes(whitespace=self._converted(line.whitespace)) for line in updated_node.empty_lines]
        return updated_node.with_changes(empty_lines=lines, last_line=self._converted(updated_node.last_line))

    def _converted(self, whitespace: cst.SimpleWhitespace) -> cst.SimpleWhitespace:
        rest = whitespace.value.lstrip(self.old) if len(self.old) == 1 else whitespace.value.lstrip(" ")
        depth, odd = divmod(len(whitespace.value) - len(rest), len(self.old))
        if odd:
            return whitespace
        return cst.SimpleWhitespace(self.new * depth + rest)
