"""Lists between brackets, changed in the layout the author gave them.

A list of items has a gap before each item and one before the closing bracket.  Whoever writes one item more splits a
gap: the comment that ends a line stays with the item on that line, a comment on a line of its own with the item below.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar, cast

import libcst as cst

from lazygen.values import field, record

Gap = cst.BaseParenthesizableWhitespace
# Every node that a comma may follow: arguments, parameters, imported names.
Item = TypeVar("Item", bound=cst.CSTNode)

_NOTHING = cst.SimpleWhitespace("")


@record
class Separated(Generic[Item]):
    """Items, the `gaps` around them (one more than items), the spaces before each comma, and the comma at the end."""

    items: list[Item]
    gaps: list[Gap]
    before_commas: list[Gap] = field(default_factory=list)
    trailing_comma: bool = False

    @classmethod
    def read(cls, items: Sequence[Item], opening: Gap, closing: Gap) -> Separated[Item]:
        """Take a list apart: `opening` is what follows its bracket, `closing` what precedes the other one."""
        commas = [_comma(item) for item in items]
        gaps: list[Gap] = [opening, *(c.whitespace_after if c else _NOTHING for c in commas)]
        trailing = bool(commas) and commas[-1] is not None
        if items and (not trailing or not closing.empty):
            gaps[-1] = closing
        return cls(list(items), gaps, [c.whitespace_before if c else _NOTHING for c in commas], trailing)

    def built(self) -> tuple[list[Item], Gap, Gap]:
        """The items with their commas, what follows the opening bracket, and what precedes the closing one."""
        built: list[Item] = []
        for index, item in enumerate(self.items):
            comma: cst.Comma | cst.MaybeSentinel = cst.MaybeSentinel.DEFAULT
            if index < len(self.items) - 1:
                comma = cst.Comma(self.before_commas[index], self.gaps[index + 1])
            elif self.trailing_comma:
                comma = cst.Comma(self.before_commas[index], _NOTHING)
            built.append(item.with_changes(comma=comma))
        return built, self.gaps[0], self.gaps[-1] if self.items else _NOTHING

    def insert(self, position: int, item: Item) -> None:
        """Write one more item before the one that is at `position`."""
        first, second = self._split(position)
        self.gaps[position : position + 1] = [first, second]
        self.items.insert(position, item)
        self.before_commas.insert(position, _NOTHING)

    def remove(self, position: int) -> None:
        """Take an item away, with the comment at the end of its line."""
        before, after = self.gaps[position], self.gaps[position + 1]
        last = position == len(self.items) - 1
        del self.items[position], self.before_commas[position]
        self.gaps[position : position + 2] = [_joined(before, after)]
        if last and not self.trailing_comma and _comment(before):
            # The comment behind the item that is now the last one needs its comma to stand where it stood.
            self.trailing_comma = True

    def _split(self, position: int) -> tuple[Gap, Gap]:
        gap = self.gaps[position]
        if not self.items:
            return _split_empty(gap)
        separator = self._separator()
        if position == 0:
            return _without_lines(gap), _with_lines(separator, gap)
        if position == len(self.items):
            return _with_comment(separator, gap, self._indentation()), _without_comment(gap)
        if not isinstance(gap, cst.ParenthesizedWhitespace):
            return gap, gap
        return _without_lines(gap), _with_lines(separator, gap)

    def _separator(self) -> Gap:
        """What stands between two items, judged by those that are there."""
        inner = self.gaps[1 : len(self.items)] or self.gaps[:1]
        if all(isinstance(gap, cst.ParenthesizedWhitespace) for gap in inner):
            return cst.ParenthesizedWhitespace(indent=True, last_line=self._indentation())
        simple = [gap for gap in self.gaps[1 : len(self.items)] if isinstance(gap, cst.SimpleWhitespace)]
        return simple[0] if simple else cst.SimpleWhitespace(" ")

    def _indentation(self) -> cst.SimpleWhitespace:
        for gap in self.gaps[: len(self.items)]:
            if isinstance(gap, cst.ParenthesizedWhitespace):
                return gap.last_line
        closing = self.gaps[-1]
        value = closing.last_line.value if isinstance(closing, cst.ParenthesizedWhitespace) else ""
        return cst.SimpleWhitespace(value + "    ")


def _comma(item: cst.CSTNode) -> cst.Comma | None:
    comma = cast("cst.Comma | cst.MaybeSentinel", getattr(item, "comma"))  # noqa: B009 (no common base has it)
    return comma if isinstance(comma, cst.Comma) else None


def _comment(gap: Gap) -> bool:
    return isinstance(gap, cst.ParenthesizedWhitespace) and gap.first_line.comment is not None


def _split_empty(gap: Gap) -> tuple[Gap, Gap]:
    if not isinstance(gap, cst.ParenthesizedWhitespace):
        return _NOTHING, _NOTHING
    inside = gap.with_changes(last_line=cst.SimpleWhitespace(gap.last_line.value + "    "))
    return inside, cst.ParenthesizedWhitespace(indent=gap.indent, last_line=gap.last_line)


def _without_lines(gap: Gap) -> Gap:
    return gap.with_changes(empty_lines=()) if isinstance(gap, cst.ParenthesizedWhitespace) else gap


def _without_comment(gap: Gap) -> Gap:
    return gap.with_changes(first_line=cst.TrailingWhitespace()) if _comment(gap) else gap


def _with_lines(separator: Gap, gap: Gap) -> Gap:
    """The separator, with the comments that stand on lines of their own in `gap`."""
    if not isinstance(gap, cst.ParenthesizedWhitespace) or not gap.empty_lines:
        return separator
    return gap.with_changes(first_line=cst.TrailingWhitespace())


def _with_comment(separator: Gap, gap: Gap, indentation: cst.SimpleWhitespace) -> Gap:
    """The separator, with the comment that ends the line in `gap`."""
    if not isinstance(gap, cst.ParenthesizedWhitespace) or gap.first_line.comment is None:
        return separator
    return cst.ParenthesizedWhitespace(first_line=gap.first_line, indent=True, last_line=indentation)


def _joined(before: Gap, after: Gap) -> Gap:
    if not isinstance(before, cst.ParenthesizedWhitespace):
        return after if isinstance(after, cst.ParenthesizedWhitespace) else before
    if not isinstance(after, cst.ParenthesizedWhitespace):
        return before
    lines = (*before.empty_lines, *after.empty_lines)
    return before.with_changes(empty_lines=lines, indent=after.indent, last_line=after.last_line)
