"""Sizes that a variable carries from one execution of a call to the next, where a loop's items do not tell what came
before.

    for width in plan:                                      in_channels = 3
        if width:                                           for width in plan:
            layers.append(nn.LazyConv2d(width, 3))    ->        if width:
        else:                                                       layers.append(nn.Conv2d(in_channels, width, 3))
            layers.append(nn.MaxPool2d(2))                          in_channels = width
                                                                else:
                                                                    layers.append(nn.MaxPool2d(2))
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from lazygen.lift.demands import Occurrence
from lazygen.lift.evaluate import agrees
from lazygen.lift.plan import Edit, InsertStatements
from lazygen.lift.syntax import Syntax
from lazygen.values import value

if TYPE_CHECKING:
    from lazygen.lift.forms import Form, Forms

VARIABLE = "lz_variable__"  # stands in a form's text for a variable that gets its name later


@value
class Carry:
    """A variable that is `start` before a loop, and `then` after a statement in it; `block` tells the statement's
    block from others.  A `running` variable is set after several statements, in ways of their own.
    """

    loop: ast.stmt
    start: str
    then: str
    statement: ast.stmt
    block: tuple[int, str]
    running: bool = False

    @property
    def way(self) -> tuple[object, ...]:
        """What two carries have in common that can share a variable."""
        if self.running:
            return self.loop, self.start
        return self.loop, self.start, self.then, self.block


def carries(forms: Forms, occurrences: Sequence[Occurrence], depth: int) -> Iterator[Form]:
    """Carries through the loop statements around a call, begun before the outermost that a start can be said for.

    `depth` is how many of the loops around the call are looked at.
    """
    from lazygen.lift.forms import Form

    syntax = forms.syntax
    frame = occurrences[0].frame
    call = syntax.calls.get(frame.call)
    statement = None if call is None else syntax.statement(call)
    if statement is None:
        return
    inner = bound_in(statement)
    for level in range(1, depth + 1):
        loops = [syntax.loops.get(iteration.loop) for iteration in frame.loops[level - 1 : depth]]
        groups = _groups(occurrences, level)
        if groups is None or not all(isinstance(loop, (ast.For, ast.While)) for loop in loops):
            return
        loop = loops[0]
        assert isinstance(loop, (ast.For, ast.While))
        pairs = _pairs(groups)
        if not pairs:
            return
        firsts = [group[0] for group in groups]
        start = usable(forms.texts(firsts, level - 1), bound_in(loop), firsts)
        then = usable(next_texts(forms, pairs, depth), inner, pairs) if start is not None else None
        if start is not None and then is not None:
            yield Form(VARIABLE, carry=Carry(loop, start, then, statement, block_of(statement, syntax)))
            return


def _groups(occurrences: Sequence[Occurrence], level: int) -> list[list[Occurrence]] | None:
    """The executions by run of the loop at a level, in order; None if one iteration made several that differ."""
    found: dict[tuple[int, int], list[Occurrence]] = {}
    for occurrence in occurrences:
        if len(occurrence.frame.loops) < level:
            return None
        group = found.setdefault((occurrence.run, occurrence.frame.loops[level - 1].entry), [])
        if not group or group[-1].frame is not occurrence.frame:
            group.append(occurrence)
        elif group[-1].size.value != occurrence.size.value:
            return None
    return list(found.values())


def _pairs(groups: Sequence[Sequence[Occurrence]]) -> list[Occurrence]:
    """Each execution but the last of its loop, with the size that the next one needs."""
    return [
        Occurrence(before.frames, after.size, after.run, after.layer)
        for group in groups
        for before, after in itertools.pairwise(group)
    ]


def next_texts(forms: Forms, pairs: Sequence[Occurrence], depth: int) -> Iterator[str]:
    """What the next size may be called after a statement: one text for all, else one that is said for some, else by
    cases.
    """
    yield from forms.simple(pairs, depth)
    yield from dict.fromkeys(text for pair in pairs for text in forms.said(pair))
    yield from forms.texts(pairs, depth)


def usable(texts: Iterable[str], forbidden: frozenset[str], occurrences: Sequence[Occurrence]) -> str | None:
    """The first text that all executions agree with and that uses no forbidden name."""
    for text in texts:
        names = {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}
        if not names & forbidden and agrees(text, occurrences):
            return text
    return None


def follows(carry: Carry, occurrences: Sequence[Occurrence]) -> bool:
    """Whether a variable carries the sizes of other executions too."""
    place = next((i for i, _ in enumerate(occurrences[0].frame.loops, 1) if _is(carry.loop, occurrences[0], i)), 0)
    groups = _groups(occurrences, place) if place else None
    return groups is not None and agrees(carry.start, [g[0] for g in groups]) and agrees(carry.then, _pairs(groups))


def _is(loop: ast.stmt, occurrence: Occurrence, level: int) -> bool:
    place = occurrence.frame.loops[level - 1].loop
    return (place.line, place.end_line) == (loop.lineno, loop.end_lineno)


def bound_in(node: ast.AST) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def block_of(statement: ast.stmt, syntax: Syntax) -> tuple[int, str]:
    """The block of a statement: the statement around, and which of its blocks it is."""
    around = syntax.parent(statement)
    for name, part in ast.iter_fields(around) if around is not None else ():
        if isinstance(part, list) and any(item is statement for item in part):
            return id(around), name
    return id(around), ""


def edits(name: str, uses: Sequence[Carry], syntax: Syntax) -> Iterator[Edit]:
    """The statements that start a variable before its loop and set it after the last statement that it is used in, or
    after each if it is a running one.
    """
    if uses[0].start != name:
        yield InsertStatements(syntax.span(uses[0].loop), f"{name} = {uses[0].start}\n")
    last = max(uses, key=lambda use: (use.statement.lineno, use.statement.col_offset))
    changing = [use for use in uses if use.then != VARIABLE]
    for use in {use.statement: use for use in changing}.values() if last.running else (last,):
        then = use.then.replace(VARIABLE, name)
        if then != name:
            yield InsertStatements(syntax.span(use.statement), f"{_setting(name, then)}\n", before=False)


def _setting(name: str, then: str) -> str:
    """`in_channels += growth` where the variable grows, else `in_channels = growth`."""
    node = ast.parse(then, mode="eval").body
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        for own, more in ((node.left, node.right), (node.right, node.left)):
            if isinstance(own, ast.Name) and own.id == name:
                return f"{name} += {ast.unparse(more)}"
    return f"{name} = {then}"
