"""Sizes of a loop that nothing else gives: all of them in the order of the calls, which take one each.

    in_channels = iter((8 * width, 6 * width, 3 * width))
    for level in reversed(range(depth)):
        for _ in range(blocks):
            self.ups.append(Block(next(in_channels), width))

The loops cannot go round more often than they did, so the model is fixed to the arguments that say how often.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from lazygen.lift.carrying import VARIABLE, Carry, bound_in
from lazygen.lift.chosen import is_chosen, is_filtered
from lazygen.lift.demands import Demand, Occurrence
from lazygen.lift.evaluate import agrees
from lazygen.lift.forms import Form, Forms
from lazygen.lift.parameters import Run
from lazygen.lift.terms import Said
from lazygen.values import replace

_NAME = re.compile(r"[A-Za-z_]\w*")
_NEXT = f"next({VARIABLE})"


def queued(forms: Forms, demand: Demand) -> Iterator[Form]:
    """The form of a demand in a loop, if each of its sizes can be said before the loop begins."""
    syntax, first = forms.syntax, demand.base[0]
    if is_filtered(first, syntax) or is_chosen(first, syntax):
        return  # how often it goes round does not say which items make a layer
    calls = _in_order(demand.base)
    call = syntax.calls.get(demand.call)
    loop = _outermost(forms, first)
    if calls is None or call is None or loop is None:
        return
    longest = max(calls.values(), key=len)
    texts = [_said_before(forms, occurrence, loop) for occurrence in longest]
    known = [text for text in texts if text is not None]
    if len(known) == len(texts) and all(_give(known, made) for made in calls.values()):
        statement = syntax.statement(call) or loop
        start = f"iter(({', '.join(known)}{',' if len(known) == 1 else ''}))"
        yield Form(_NEXT, carry=Carry(loop, start, VARIABLE, statement, (id(call), demand.name)))


def is_queued(form: Form) -> bool:
    return form.carry is not None and form.text == _NEXT


def follows(form: Form, occurrences: Sequence[Occurrence]) -> bool:
    """Whether the sizes in a form's queue are those of other executions too."""
    assert form.carry is not None
    sequence = ast.parse(form.carry.start, mode="eval").body
    assert isinstance(sequence, ast.Call) and isinstance(sequence.args[0], ast.Tuple)
    texts = [ast.unparse(item) for item in sequence.args[0].elts]
    calls = _in_order(occurrences)
    return calls is not None and all(_give(texts, made) for made in calls.values())


def _in_order(occurrences: Sequence[Occurrence]) -> dict[Run, list[Occurrence]] | None:
    """The executions of a call in each run of its function, in order; None if one needs several sizes."""
    found: dict[Run, dict[tuple[int, ...], Occurrence]] = {}
    for occurrence in occurrences:
        turn = tuple(iteration.index for iteration in occurrence.frame.loops)
        first = found.setdefault((occurrence.run, occurrence.frame.token), {}).setdefault(turn, occurrence)
        if first.size.value != occurrence.size.value:
            return None
    return {run: [made[turn] for turn in sorted(made)] for run, made in found.items()}


def _outermost(forms: Forms, occurrence: Occurrence) -> ast.stmt | None:
    """The statement of the outermost loop around a call."""
    loops = occurrence.frame.loops
    node = forms.syntax.loops.get(loops[0].loop) if loops else None
    return None if node is None else forms.syntax.statement(node)


def _said_before(forms: Forms, occurrence: Occurrence, loop: ast.stmt) -> str | None:
    """The size in the terms of what there is before a loop."""
    hidden, frame = bound_in(loop), occurrence.frame
    before = replace(
        frame,
        reachable=tuple(entry for entry in frame.reachable if _NAME.findall(entry.text)[0] not in hidden),
        values=tuple((name, value) for name, value in frame.values if name not in hidden),
    )
    answer = forms.say(replace(occurrence, frames=(before, *occurrence.frames[1:])))
    return answer.text if isinstance(answer, Said) else None


def _give(texts: Sequence[str], calls: Sequence[Occurrence]) -> bool:
    """Whether the texts give the sizes of as many calls, or of fewer that come first."""
    if len(calls) > len(texts):
        return False
    return all(agrees(text, [call]) for text, call in zip(texts, calls, strict=False))
