"""Sizes of a loop that only the callers of its function know: a parameter that is a sequence, which rides along.

class Neck(nn.Module):                                   def __init__(self, in_channels_list, width, levels):
    def __init__(self, width, levels):                       self.lateral = nn.ModuleList(
        self.lateral = nn.ModuleList(                            nn.Conv2d(in_channels, width, 1)
            nn.LazyConv2d(width, 1)               ->             for in_channels, _ in zip(
            for _ in range(levels)                                   in_channels_list, range(levels), strict=True
        )                                                        )
                                                             )
Neck(256, len(widths))                                   Neck(widths[::-1], 256, len(widths))
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence

from lazygen.diagnostics import Place
from lazygen.lift.carrying import VARIABLE
from lazygen.lift.demands import Demand, Occurrence
from lazygen.lift.forms import Form, Forms, Ride
from lazygen.lift.parameters import Parameter, Run, free_name, rooted
from lazygen.lift.riding import gives, sequences, sized_by_run
from lazygen.lift.syntax import Syntax
from lazygen.values import value

_REVERSED = re.compile(r"reversed\(([\w.]+)\)")
Entered = Collection[tuple[Place, Place]]
_TERMS = ast.Tuple([])  # a sequence of the source, or the terms one by one


@value
class Lifted:
    """Parameters that are sequences, and what is written at the calls that need them."""

    parameters: tuple[Parameter, ...]
    forms: tuple[tuple[Demand, Form], ...]


@value
class _Needed:
    """A sequence that a call lacks: the sizes of each of its executions, all by the frame that is at the call."""

    call: Place
    index: int
    groups: tuple[tuple[Occurrence, ...], ...]


def lifted(forms: Forms, syntax: Syntax, demand: Demand, known: Sequence[Parameter], entered: Entered) -> Lifted | None:
    """The sizes of a demand as a parameter of its function; None if they are not those of one loop, or if not every
    caller can say them.

    `known` are the parameters that functions have got so far, `entered` the functions that ran and their calls.
    """
    depth = len(demand.occurrences[0].frame.loops)
    for level in range(depth, 0, -1):
        found, groups = forms.generator(demand.occurrences[0], level), sized_by_run(demand.occurrences, level)
        if found is None or groups is None or not _once_a_run(groups):
            continue
        name = _named(demand, groups, syntax, known)
        ride = Ride(demand.occurrences[0].frame.loops[level - 1].loop, found[0], name)
        if any(_is_it(parameter, name, demand) for parameter in known):
            return Lifted((), ((demand, Form(VARIABLE, ride)),))
        answers = _of_callers(forms, syntax, demand, tuple(map(tuple, groups)), name, list(known), entered)
        if answers is not None:
            return Lifted(answers.parameters, ((demand, Form(VARIABLE, ride)), *answers.forms))
    return None


def _of_callers(
    forms: Forms, syntax: Syntax, demand: Demand, groups: Sequence[tuple[Occurrence, ...]], name: str,
    known: list[Parameter], entered: Entered,
) -> Lifted | None:  # fmt: skip
    """The parameter, and what each call of its function says, or passes on from a parameter of its own function."""
    scope = groups[0][0].frame.scope
    if scope not in syntax.functions or any(len(group[0].frames) < 2 for group in groups):
        return None
    index = sum(parameter.scope == scope and not parameter.keyword_only for parameter in known)
    parameter = Parameter(scope, [demand], {_run(group[0]): group[0] for group in groups}, name, many=True)
    parameters: list[Parameter] = [parameter]
    written: list[tuple[Demand, Form]] = []
    calls = list(_calls(groups, index))
    if {call for ran, call in entered if ran == scope} - {needed.call for needed in calls}:
        return None  # a call that makes none of these layers has no sizes to give
    for needed in calls:
        frame = needed.groups[0][0].frame
        if needed.call not in syntax.calls or frame.how != "call" or needed.call.path != scope.path:
            return None
        occurrences = tuple(occurrence for group in needed.groups for occurrence in group)
        its = Demand(needed.call, name, needed.index, occurrences)
        text = next(_texts(forms, needed), None)
        if text is None:
            passed = _of_callers(forms, syntax, its, needed.groups, name, [*known, *parameters], entered)
            if passed is None or _is_taken(name, frame.scope, syntax):
                return None
            parameters += passed.parameters
            written += passed.forms
        written.append((its, Form(text or name)))
    return Lifted(tuple(parameters), tuple(written))


def _calls(groups: Sequence[tuple[Occurrence, ...]], index: int) -> Iterator[_Needed]:
    found: dict[Place, list[tuple[Occurrence, ...]]] = {}
    for group in groups:
        outer = tuple(Occurrence(o.frames[1:], o.size, o.run, o.layer) for o in group)
        found.setdefault(outer[0].frame.call, []).append(outer)
    for call, made in found.items():
        yield _Needed(call, index, tuple(made))


def _texts(forms: Forms, needed: _Needed) -> Iterator[str]:
    """Texts that say the sizes at a call, a sequence of the source first."""
    groups = [list(group) for group in needed.groups]
    for text in sequences(forms, groups, _TERMS, frozenset()):
        if all(gives(text, group) for group in groups):
            yield _REVERSED.sub(r"\1[::-1]", text)


def _once_a_run(groups: Sequence[Sequence[Occurrence]]) -> bool:
    """Whether the loop runs once in each run of its function."""
    return len({_run(group[0]) for group in groups}) == len(groups)


def _run(occurrence: Occurrence) -> Run:
    return occurrence.run, occurrence.frame.token


def _named(demand: Demand, groups: Sequence[Sequence[Occurrence]], syntax: Syntax, known: Sequence[Parameter]) -> str:
    """The name of a parameter with the same sizes, else one of its own after what it fills."""
    sizes = {_run(group[0]): [rooted(occurrence.size) for occurrence in group] for group in groups}
    for parameter in known:
        if parameter.many and parameter.scope == demand.scope and _sizes(parameter) == sizes:
            return parameter.name
    taken = {parameter.name for parameter in known if parameter.scope == demand.scope}
    function = syntax.functions.get(demand.scope)
    return free_name(f"{demand.name}_list", taken | (_names(function) if function is not None else set()))


def _sizes(parameter: Parameter) -> dict[Run, list[object]]:
    found: dict[Run, list[object]] = {}
    for occurrence in parameter.demands[0].occurrences:
        found.setdefault(_run(occurrence), []).append(rooted(occurrence.size))
    return found


def _is_it(parameter: Parameter, name: str, demand: Demand) -> bool:
    return parameter.many and parameter.scope == demand.scope and parameter.name == name


def _is_taken(name: str, scope: Place, syntax: Syntax) -> bool:
    function = syntax.functions.get(scope)
    return function is None or name in _names(function)


def _names(function: ast.AST) -> set[str]:
    nodes = list(ast.walk(function))
    return {n.arg for n in nodes if isinstance(n, ast.arg)} | {n.id for n in nodes if isinstance(n, ast.Name)}
