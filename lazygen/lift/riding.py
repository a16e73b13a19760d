"""Sizes that ride along with a loop: a sequence beside the one that the loop goes over.

    for width in widths:                ->      for in_channels, width in zip((3, *widths)[:-1], widths, strict=True):

The sequence is one of the source, shifted or reversed; beside a literal sequence it is a tuple of terms.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lazygen.lift.carrying import VARIABLE
from lazygen.lift.counting import running_sums
from lazygen.lift.demands import Occurrence
from lazygen.lift.elements import counted_from_end
from lazygen.lift.evaluate import UNKNOWN, evaluate
from lazygen.lift.parameters import rooted
from lazygen.lift.terms import Said
from lazygen.values import replace

if TYPE_CHECKING:
    from lazygen.lift.forms import Form, Forms, Mode, Ride

_ELEMENT = re.compile(r"(?P<base>[A-Za-z_][\w.]*)\[(?P<index>\d+)\]")
MODES: tuple[Mode, ...] = ("plain", "ended")
_NAME = re.compile(r"[A-Za-z_]\w*")

Group = list[Occurrence]


def rides(forms: Forms, occurrences: Sequence[Occurrence], depth: int) -> Iterator[Form]:
    """Rides with the loops around a call, the innermost first."""
    from lazygen.lift.forms import Form, Ride

    for level in range(depth, 0, -1):
        found = forms.generator(occurrences[0], level)
        groups = sized_by_run(occurrences, level)
        if found is None or groups is None:
            continue
        number, generator = found
        place = occurrences[0].frame.loops[level - 1].loop
        for values in sequences(forms, groups, generator.iter, _targets(generator)):
            if all(gives(values, group, generator.iter) for group in groups):
                yield Form(VARIABLE, Ride(place, number, values))
        return


def follows(forms: Forms, form: Form, ride: Ride, occurrences: Sequence[Occurrence]) -> bool:
    """Whether a form with a ride gives the sizes of other executions too."""
    for level, iteration in enumerate(occurrences[0].frame.loops, start=1):
        found = forms.generator(occurrences[0], level)
        if iteration.loop == ride.loop and found is not None and found[0] == ride.generator:
            runs: dict[tuple[int, int], Group] = {}
            for occurrence in occurrences:
                runs.setdefault((occurrence.run, occurrence.frame.loops[level - 1].entry), []).append(occurrence)
            return all(_said_beside(form.text, ride.values, run, level, found[1].iter) for run in runs.values())
    return False


def _said_beside(text: str, values: str, run: Group, level: int, over: ast.expr) -> bool:
    """Whether a text over the variable of a ride gives the sizes of one run of its loop."""
    sequence = evaluate(f"list({values})", run[0].frame)
    turns = [occurrence.frame.loops[level - 1].index for occurrence in run]
    if not isinstance(sequence, list) or len(sequence) <= max(turns):
        return False
    if len(sequence) != max(turns) + 1 and not _is_loose(over):
        return False
    for turn, occurrence in zip(turns, run, strict=True):
        frame = occurrence.frame
        told = replace(frame, values=(*frame.values, (VARIABLE, sequence[turn])))
        if evaluate(text, told) != occurrence.size.value:
            return False
    return True


def sized_by_run(occurrences: Sequence[Occurrence], level: int) -> list[Group] | None:
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


def _targets(generator: ast.For | ast.comprehension) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(generator.target) if isinstance(node, ast.Name))


def sequences(forms: Forms, groups: list[Group], over: ast.expr, hidden: frozenset[str]) -> Iterator[str]:
    """Texts of sequences that may give the sizes of the executions in each group, in order of beauty.

    `over` is what the executions go over, `hidden` are names that mean nothing before the first of them.
    """
    group = max((g for g in groups if g[0].run == groups[0][0].run), key=len)
    for mode in MODES:
        answers = [forms.say(occurrence, mode) for occurrence in group]
        texts = [answer.text for answer in answers if isinstance(answer, Said)]
        if len(texts) == len(answers) and not any(hidden & set(_NAME.findall(text)) for text in texts):
            for version in _versions(texts, group):
                yield from _of_texts(version, group, over, _is_constant_length(groups))
                yield from _mapped(version, group[0], hidden)
    yield from running_sums(forms, group[-1])


def _versions(texts: list[str], group: Group) -> Iterator[list[str]]:
    """The texts, then with elements of sequences counted from the end: in the first only, and in all.

    The first is an element too, by whatever name, if it is the one beside the second.
    """
    beside = _beside(texts, group[0])
    if beside is not None:
        yield [beside, *texts[1:]]
    yield texts
    from_end = [
        [text, *counted_from_end(text, occurrence.frame)][-1] for text, occurrence in zip(texts, group, strict=True)
    ]
    if from_end != texts:
        yield [from_end[0], *texts[1:]]
        yield from_end


def _beside(texts: Sequence[str], first: Occurrence) -> str | None:
    """The first size as the element beside that of the second: `widths[0]` where it is called `self.width`."""
    second = _ELEMENT.fullmatch(texts[1]) if len(texts) > 1 else None
    if second is None or texts[0].startswith(f"{second['base']}["):
        return None
    for entry in first.frame.reachable:
        match = _ELEMENT.fullmatch(entry.text)
        if match is None or match["base"] != second["base"] or entry.expr is None:
            continue
        if abs(int(match["index"]) - int(second["index"])) == 1 and rooted(entry.expr) == rooted(first.size):
            return entry.text
    return None


def _of_texts(texts: Sequence[str], group: Group, over: ast.expr, constant_length: bool) -> Iterator[str]:
    whole = _slice(texts, group[0])
    if whole is not None:
        yield whole
    rest = _slice(texts[1:], group[0]) if len(texts) > 1 else None
    if rest is not None:
        yield _begun(texts[0], rest)
    if len(texts) == 1 and isinstance(over, (ast.Name, ast.Attribute)):
        yield f"({texts[0]}, *{ast.unparse(over)})[:-1]"
    if isinstance(over, (ast.Tuple, ast.List)) or constant_length:
        yield f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def _begun(first: str, rest: str, said: str = "{}") -> str:
    """A first size before what is `said` of a slice of a sequence; `(3, *widths)[:-1]` is right for an empty one."""
    whole = rest.removesuffix("[:-1]")
    if whole == rest:
        return f"({first}, *{said.format(rest)})"
    whole = whole[len("list(") : -1] if whole.startswith("list(") else whole
    return f"({first}, *{said.format(whole)})[:-1]"


def _mapped(texts: Sequence[str], occurrence: Occurrence, hidden: frozenset[str]) -> Iterator[str]:
    """A first size, then an expression over elements of a sequence: `(3, *(2 * width for width in widths))[:-1]`."""
    name = min(hidden) if len(hidden) == 1 else "size"
    if len(texts) < 2 or any(name in _NAME.findall(text) for text in texts):
        return
    elements = [{match.group() for match in _ELEMENT.finditer(text)} for text in texts[1:]]
    if any(len(found) != 1 for found in elements):
        return
    slices = _slice([found.pop() for found in elements], occurrence)
    templates = {_ELEMENT.sub(name, text) for text in texts[1:]}
    if slices is not None and len(templates) == 1 and templates != {name}:
        yield _begun(texts[0], slices, f"({templates.pop()} for {name} in {{}})")


def _is_constant_length(groups: list[Group]) -> bool:
    return len({len(group) for group in groups}) == 1


def _slice(texts: Sequence[str], occurrence: Occurrence) -> str | None:
    """A slice of one sequence of the source that gives the texts in order, forwards or backwards."""
    if texts and (values := _values(texts, occurrence)) is not None:
        return values
    matches = [_ELEMENT.fullmatch(text) for text in texts]
    if not matches or not all(matches):
        return None
    bases = {match["base"] for match in matches if match}
    indices = [int(match["index"]) for match in matches if match]
    base = bases.pop()
    sequence = evaluate(base, occurrence.frame)
    if bases or not isinstance(sequence, (list, tuple)):
        return None
    steps = {b - a for a, b in itertools.pairwise(indices)}
    if steps - {1} and steps - {-1}:
        return None
    low, high = min(indices), max(indices)
    start = str(low) if low else ""
    stop = f"-{len(sequence) - 1 - high}" if high < len(sequence) - 1 else ""
    part = f"{base}[{start}:{stop}]" if start or stop else base
    return f"reversed({part})" if steps == {-1} else part


def _values(texts: Sequence[str], occurrence: Occurrence) -> str | None:
    """The values of a dict that the texts are in order, from its first on: `list(widths.values())[:-1]`."""
    nodes = [ast.parse(text, mode="eval").body for text in texts]
    keys = [n.slice.value for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Constant)]
    bases = {ast.unparse(n.value) for n in nodes if isinstance(n, ast.Subscript)}
    found = evaluate(next(iter(bases)), occurrence.frame) if len(bases) == 1 else None
    if not isinstance(found, dict) or keys != list(found)[: len(nodes)]:
        return None
    base, left = bases.pop(), len(found) - len(keys)
    return f"list({base}.values())[:-{left}]" if left else f"{base}.values()"


def gives(values: str, group: Group, over: ast.expr | None = None) -> bool:
    """Whether a sequence's text gives the sizes of one run of the loop; beside a `zip` that is not strict it may be
    longer.
    """
    value = evaluate(f"list({values})", group[0].frame)
    sizes = [occurrence.size.value for occurrence in group]
    if value is UNKNOWN or not isinstance(value, list):
        return False
    return value == sizes or (_is_loose(over) and value[: len(sizes)] == sizes)


def _is_loose(over: ast.expr | None) -> bool:
    if not isinstance(over, ast.Call) or not isinstance(over.func, ast.Name) or over.func.id != "zip":
        return False
    return not any(k.arg == "strict" and isinstance(k.value, ast.Constant) and k.value.value for k in over.keywords)
