"""Expressions replaced by text, with the parentheses that it needs and no others.

Parentheses are written first, which is right everywhere, and taken away again where the statement means the same
without them: what `ast` reads decides, so no table of precedences is needed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import Any, cast

import libcst as cst

Pair = tuple[cst.BaseExpression, cst.BaseExpression]

_ATOMS = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.List, cst.Dict, cst.Set, cst.SimpleString, cst.BaseComp)


def replaced(
    original: cst.BaseExpression, text: str, made: Sequence[Pair]
) -> tuple[cst.BaseExpression, bool, list[cst.BaseExpression]]:
    """What stands for `original`, whether its parentheses are to be tried, and the edits that are lost.

    `made` are the edits inside the original: what stood there and what stands there now; the text gets them too.
    """
    new = _parsed(text)
    new, lost = _with_edits(new, made)
    left, right = list(original.lpar), list(original.rpar)
    if isinstance(original, (cst.Tuple, cst.GeneratorExp)) and left:
        # Its own parentheses are a part of it.
        left, right = left[:-1], right[1:]
    if left:
        new = new.with_changes(lpar=left, rpar=right)
        needless = isinstance(new, _ATOMS) and not isinstance(original, _ATOMS) and _is_bare(left, right)
        return new, needless, lost
    if new.lpar or (isinstance(new, _ATOMS) and _joins_alike(original, text)):
        return new, False, lost
    return new.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]), True, lost


def without_needless(
    statement: cst.CSTNode, alone: Callable[[cst.CSTNode], str | None], tried: Iterable[cst.BaseExpression]
) -> cst.CSTNode:
    """The statement without those parentheses around the expressions `tried` that it means the same without.

    `alone` gives the text of the statement as a program of its own.
    """
    meaning = _meaning(alone(statement))
    if meaning is None:
        return statement
    whole: dict[int, cst.BaseExpression] = {id(node): node for node in tried}
    bare: dict[int, cst.BaseExpression] = {}
    found = statement
    for number, node in whole.items():
        trial = {**whole, **bare, number: node.with_changes(lpar=(), rpar=())}
        try:
            other = cast(cst.CSTNode, statement.visit(_Swap(trial)))
            same = _meaning(alone(other)) == meaning
        except cst.CSTValidationError:
            # `return(n)` needs a space or the parentheses.
            continue
        if same:
            bare[number], found = trial[number], other
    return found


def _parsed(text: str) -> cst.BaseExpression:
    try:
        node = cst.parse_expression(text)
    except cst.ParserSyntaxError:
        node = cst.parse_expression(f"({text})")
    for kind, own in ((cst.IfExp, _IfExp), (cst.Lambda, _Lambda)):
        if isinstance(node, kind):
            return own(**{field.name: getattr(node, field.name) for field in fields(node)})
    return node


def _with_edits(new: cst.BaseExpression, made: Sequence[Pair]) -> tuple[cst.BaseExpression, list[cst.BaseExpression]]:
    if not made:
        return new, []
    edits: dict[str, list[cst.BaseExpression]] = {}
    for before, after in made:
        edits.setdefault(_key(before), []).append(after)
    again = _Again(edits, {type(before) for before, _ in made})
    changed = cast(cst.BaseExpression, new.visit(again))
    # What stands inside an edit that was made again was made with it.
    inside = {id(child) for before, _ in made if _key(before) in again.found for child in _descendants(before)}
    return changed, [before for before, _ in made if _key(before) not in again.found and id(before) not in inside]


class _Again(cst.CSTTransformer):
    """Makes edits again in another tree; what is said twice there gets its edits in order."""

    def __init__(self, edits: dict[str, list[cst.BaseExpression]], kinds: set[type[cst.BaseExpression]]) -> None:
        super().__init__()
        self.edits = edits
        self.kinds = kinds
        self.found: set[str] = set()

    def on_leave(self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT) -> cst.CSTNode:  # type: ignore[override]
        if type(original_node) not in self.kinds:
            return updated_node
        assert isinstance(original_node, cst.BaseExpression)
        key = _key(original_node)
        if key not in self.edits:
            return updated_node
        self.found.add(key)
        after = self.edits[key].pop(0) if len(self.edits[key]) > 1 else self.edits[key][0]
        return after.with_changes(lpar=original_node.lpar, rpar=original_node.rpar)


class _Swap(cst.CSTTransformer):
    """Puts nodes in the place of others, outside of blocks."""

    def __init__(self, new: dict[int, cst.BaseExpression]) -> None:
        super().__init__()
        self.new = new

    def on_visit(self, node: cst.CSTNode) -> bool:
        return id(node) not in self.new and not isinstance(node, cst.IndentedBlock)

    def on_leave(self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT) -> cst.CSTNode:  # type: ignore[override]
        return self.new.get(id(original_node), updated_node)


class _IfExp(cst.IfExp):
    """libcst asks an expression in parentheses what stands at its ends: `not(a if b else c)` would be an error."""

    def _safe_to_use_with_word_operator(self, position: Any) -> bool:
        return bool(self.lpar) or super()._safe_to_use_with_word_operator(position)


class _Lambda(cst.Lambda):
    def _safe_to_use_with_word_operator(self, position: Any) -> bool:
        return bool(self.lpar)


def _descendants(node: cst.CSTNode) -> Iterable[cst.CSTNode]:
    for child in node.children:
        yield child
        yield from _descendants(child)


def _key(node: cst.BaseExpression) -> str:
    """What an expression says, however it is laid out."""
    code = cst.Module([]).code_for_node(node.with_changes(lpar=(), rpar=()))
    return _meaning(f"({code})") or code


def _meaning(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return ast.dump(ast.parse(text))
    except SyntaxError:
        return None


def _is_bare(left: Sequence[cst.LeftParen], right: Sequence[cst.RightParen]) -> bool:
    return len(left) == 1 and left[0].whitespace_after.empty and right[0].whitespace_before.empty


def _joins_alike(original: cst.BaseExpression, text: str) -> bool:
    """Whether `text` begins and ends as what it replaces, so that the words beside it stay apart from it."""
    code = cst.Module([]).code_for_node(original)
    return _is_word(code[0]) >= _is_word(text[0]) and _is_word(code[-1]) >= _is_word(text[-1])


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_" or not character.isascii()
