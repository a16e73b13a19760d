"""Sizes in functions that call themselves: what differs between their runs may follow a test that they make anyway.

def __init__(self, width, depth):
    self.inner = Level(2 * width, depth - 1) if depth > 0 else nn.Identity()
    self.up = nn.LazyConv2d(width, 1)      ->      self.up = nn.Conv2d(3 * width if depth > 0 else 2 * width, width, 1)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lazygen.lift.demands import Demand, Occurrence
from lazygen.lift.evaluate import UNKNOWN, agrees, evaluate
from lazygen.lift.forms import Form, Forms


def form_of(forms: Forms, demand: Demand) -> Form | None:
    """A text for each outcome of a test; only for a function that is run within itself, whose callers do not know
    its sizes.  Both texts speak of its names: numbers would hold for the runs at hand alone.
    """
    function = forms.syntax.functions.get(demand.scope)
    if function is None or not any(_is_nested(occurrence) for occurrence in demand.occurrences):
        return None
    tests = [ast.unparse(node.test) for node in ast.walk(function) if isinstance(node, (ast.If, ast.IfExp))]
    for test in dict.fromkeys(tests):
        outcomes = [evaluate(test, occurrence.frame) for occurrence in demand.occurrences]
        if any(outcome is UNKNOWN for outcome in outcomes):
            continue
        pairs = list(zip(demand.occurrences, outcomes, strict=True))
        passed = _text(forms, [occurrence for occurrence, outcome in pairs if outcome])
        failed = _text(forms, [occurrence for occurrence, outcome in pairs if not outcome])
        if passed is not None and failed is not None:
            return Form(f"{passed} if {test} else {failed}")
    return None


def _is_nested(occurrence: Occurrence) -> bool:
    return any(frame.scope == occurrence.frame.scope for frame in occurrence.frames[1:])


def _text(forms: Forms, occurrences: Sequence[Occurrence]) -> str | None:
    depth = len(occurrences[0].frame.loops) if occurrences else 0
    for text in forms.simple(occurrences, depth) if occurrences else ():
        names = [node for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)]
        if names and agrees(text, occurrences, surely=True):
            return text
    return None
