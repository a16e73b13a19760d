"""Sizes that ride along with a loop: a sequence beside the one that the loop goes over.

    for width in widths:                ->      for in_channels, width in zip((3, *widths[:-1]), widths, strict=True):

The sequence is one of the source, shifted or reversed; beside a literal sequence it is a tuple of terms.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lazygen.lift.demands import Occurrence
from lazygen.lift.evaluate import UNKNOWN, evaluate
from lazygen.lift.terms import Said

if TYPE_CHECKING:
    from lazygen.lift.forms import Form, Forms

_ELEMENT = re.compile(r"(?P<base>[A-Za-z_][\w.]*)\[(?P<index>\d+)\]")
_NAME = re.compile(r"[A-Za-z_]\w*")

Group = list[Occurrence]


def rides(forms: Forms, occurrences: Sequence[Occurrence], depth: int) -> Iterator[Form]:
    """Rides with the loops around a call, the innermost first."""
    from lazygen.lift.forms import Form, Ride

    for level in range(depth, 0, -1):
        found = forms.generator(occurrences[0], level)
        groups = _groups(occurrences, level)
        if found is None or groups is None:
            continue
        number, generator = found
        place = occurrences[0].frame.loops[level - 1].loop
        for values in _sequences(forms, groups, generator):
            if all(_gives(values, group) for group in groups):
                yield Form("", Ride(place, number, values))
        return


def _groups(occurrences: Sequence[Occurrence], level: int) -> list[Group] | None:
    """The executions by run of the loop, in order; None if an iteration made other than one."""
    found: dict[tuple[int, int], Group] = {}
    for occurrence in occurrences:
        if len(occurrence.frame.loops) < level:
            return None
        found.setdefault((occurrence.run, occurrence.frame.loops[level - 1].entry), []).append(occurrence)
    groups = [sorted(group, key=lambda o: o.frame.loops[level - 1].index) for group in found.values()]
    for group in groups:
        if [o.frame.loops[level - 1].index for o in group] != list(range(len(group))):
            return None
    return groups


def _sequences(forms: Forms, groups: list[Group], generator: ast.For | ast.comprehension) -> Iterator[str]:
    group = max((g for g in groups if g[0].run == groups[0][0].run), key=len)
    answers = [forms.say(occurrence) for occurrence in group]
    if not all(isinstance(answer, Said) for answer in answers):
        return
    texts = [answer.text for answer in answers if isinstance(answer, Said)]
    targets = {node.id for node in ast.walk(generator.target) if isinstance(node, ast.Name)}
    if any(targets & set(_NAME.findall(text)) for text in texts):
        return
    whole = _slice(texts, group[0])
    if whole is not None:
        yield whole
    rest = _slice(texts[1:], group[0]) if len(texts) > 1 else None
    if rest is not None:
        yield f"({texts[0]}, *{rest})"
    if len(texts) == 1:
        base = _iterated(generator)
        if base is not None:
            yield f"({texts[0]}, *{base}[:-1])"
    if isinstance(generator.iter, (ast.Tuple, ast.List)) or _is_constant_length(groups):
        yield f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def _iterated(generator: ast.For | ast.comprehension) -> str | None:
    """The sequence that a loop goes over, if it is a name or a dotted one."""
    node = generator.iter
    return ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else None


def _is_constant_length(groups: list[Group]) -> bool:
    return len({len(group) for group in groups}) == 1


def _slice(texts: Sequence[str], occurrence: Occurrence) -> str | None:
    """A slice of one sequence of the source that gives the texts in order, forwards or backwards."""
    matches = [_ELEMENT.fullmatch(text) for text in texts]
    if not matches or not all(matches):
        return None
    bases = {match["base"] for match in matches if match}
    indices = [int(match["index"]) for match in matches if match]
    base = bases.pop()
    sequence = evaluate(base, occurrence.frame)
    if bases or not isinstance(sequence, (list, tuple)):
        return None
    steps = {b - a for a, b in zip(indices, indices[1:], strict=False)}
    if steps - {1} and steps - {-1}:
        return None
    low, high = min(indices), max(indices)
    start = str(low) if low else ""
    stop = f"-{len(sequence) - 1 - high}" if high < len(sequence) - 1 else ""
    part = f"{base}[{start}:{stop}]" if start or stop else base
    return f"reversed({part})" if steps == {-1} else part


def _gives(values: str, group: Group) -> bool:
    """Whether a sequence's text gives the sizes of one run of the loop."""
    value = evaluate(f"list({values})", group[0].frame)
    return value is not UNKNOWN and value == [occurrence.size.value for occurrence in group]
