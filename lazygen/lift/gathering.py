"""Sizes in comprehensions with several `for`s or an `if`: their items are gathered in a list, which sizes ride beside.

[nn.LazyLinear(width) for stage in stages for width in stage]

widths = [width for stage in stages for width in stage]
[nn.Linear(in_features, width) for in_features, width in zip((3, *widths)[:-1], widths, strict=True)]

The item before is then always the one that came before, whichever there are.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from lazygen.diagnostics import Place
from lazygen.lift.carrying import VARIABLE
from lazygen.lift.demands import Occurrence
from lazygen.lift.evaluate import agrees
from lazygen.lift.parameters import free_name
from lazygen.lift.plan import Edit, InsertStatements, ReplaceExpression
from lazygen.lift.syntax import Syntax
from lazygen.values import replace

if TYPE_CHECKING:
    from lazygen.lift.forms import Form, Forms

GATHERED = "lz_gathered__"  # stands in a ride's values for the list of items


def gathered(forms: Forms, occurrences: Sequence[Occurrence], depth: int) -> Iterator[Form]:
    """A ride beside the items of the comprehension around a call; none where an element needs more than its item."""
    from lazygen.lift.forms import Form, Ride

    node = _comprehension(forms.syntax, occurrences[0])
    groups = _groups(occurrences, node) if node is not None else None
    if node is None or groups is None:
        return
    place, outer = occurrences[0].frame.loops[-1].loop, depth - len(node.generators)
    item = ast.unparse(node.generators[-1].target)
    own = {
        name.id for generator in node.generators for name in ast.walk(generator.target) if isinstance(name, ast.Name)
    }
    hidden = own - {item}
    start = _text(forms, [group[0] for group in groups], outer, own)
    later = [
        replace(this, frames=(before.frame, *this.frames[1:]))
        for group in groups
        for before, this in itertools.pairwise(group)
    ]
    if start is None or not later:
        return
    text = _text(forms, later, depth, hidden)
    if text is not None:
        rest = GATHERED if text == item else f"({text} for {item} in {GATHERED})"
        yield Form(VARIABLE, Ride(place, -1, f"({start}, *{rest})[:-1]"))


def _comprehension(syntax: Syntax, occurrence: Occurrence) -> ast.ListComp | ast.GeneratorExp | None:
    """The comprehension around a call, if its items can be gathered: the last `for` has one name, which is all that the
    element reads of them.
    """
    loops = occurrence.frame.loops
    node = syntax.loops.get(loops[-1].loop) if loops else None
    if not isinstance(node, (ast.ListComp, ast.GeneratorExp)) or any(g.is_async for g in node.generators):
        return None
    if len(node.generators) == 1 and not node.generators[0].ifs:
        return None
    parent, target = syntax.parent(node), node.generators[-1].target
    if isinstance(node, ast.GeneratorExp) and not isinstance(parent, ast.Starred):
        return None  # its parentheses may be those of a call
    outer = {n.id for g in node.generators[:-1] for n in ast.walk(g.target) if isinstance(n, ast.Name)}
    read = {name.id for name in ast.walk(node.elt) if isinstance(name, ast.Name)}
    within = [i for i in loops if i.loop == loops[-1].loop]
    return node if isinstance(target, ast.Name) and not outer & read and len(within) == len(node.generators) else None


def _groups(occurrences: Sequence[Occurrence], node: ast.ListComp | ast.GeneratorExp) -> list[list[Occurrence]] | None:
    """The executions by run of the comprehension, in order; None if an item made other than one."""
    count = len(node.generators)
    found: dict[tuple[int, int], list[Occurrence]] = {}
    for occurrence in occurrences:
        loops = occurrence.frame.loops
        if len(loops) < count or loops[-count].loop != loops[-1].loop:
            return None
        found.setdefault((occurrence.run, loops[-count].entry), []).append(occurrence)
    groups = []
    for group in found.values():
        places = [tuple(iteration.index for iteration in o.frame.loops[-count:]) for o in group]
        if len(set(places)) < len(places):
            return None
        groups.append(
            [occurrence for _, occurrence in sorted(zip(places, group, strict=True), key=lambda pair: pair[0])]
        )
    return groups


def _text(forms: Forms, occurrences: Sequence[Occurrence], depth: int, hidden: Iterable[str]) -> str | None:
    """The first text that all executions agree with, and that does without some names."""
    for text in forms.simple(occurrences, depth):
        names = {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}
        if not names & set(hidden) and agrees(text, occurrences, surely=True):
            return text
    return None


def edits(syntax: Syntax, place: Place, sequences: Mapping[str, str], name: str) -> Iterator[Edit]:
    """The list before the statement, and the comprehension that goes over it, beside `sequences` by their variables."""
    node = syntax.loops[place]
    statement = syntax.statement(node)
    assert isinstance(node, (ast.ListComp, ast.GeneratorExp)) and statement is not None
    item = node.generators[-1].target
    items = ast.unparse(ast.ListComp(item, node.generators))
    yield InsertStatements(syntax.span(statement), f"{name} = {items}\n")
    over = ", ".join([*(values.replace(GATHERED, name) for values in sequences.values()), name])
    loop = f"for {', '.join([*sequences, ast.unparse(item)])} in zip({over}, strict=True)"
    opening, closing = "[]" if isinstance(node, ast.ListComp) else "()"
    yield ReplaceExpression(syntax.span(node), f"{opening}{syntax.segment(node.elt)} {loop}{closing}")


def name_of(syntax: Syntax, place: Place, taken: set[str]) -> str:
    """A name for the list: `widths` for the items `width`."""
    node = syntax.loops[place]
    assert isinstance(node, (ast.ListComp, ast.GeneratorExp))
    item = ast.unparse(node.generators[-1].target)
    return free_name(f"{item}s" if len(item) > 2 else "sizes", taken)
