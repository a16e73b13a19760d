"""Other arguments for an entry: each int, bool or sequence of ints on its own gets another value that the source runs with.

What the source then does tells which sizes follow which argument; the output has to follow in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from lazygen.trace.model import Trace, Variable, Variation
from lazygen.trace.request import Request
from lazygen.trace.run import Running, start

MOST_RUNS = 12


@dataclass(frozen=True, slots=True)
class Varied:
    """A source that ran with one argument changed."""

    entry: str
    variation: Variation
    trace: Trace

    def request(self, request: Request) -> Request:
        """A request with the same argument changed."""
        return replace(request, entries=(self.entry,), chosen=True, variation=self.variation)


@dataclass(slots=True)
class _Try:
    entry: str
    variable: Variable
    values: list[Any]
    running: Running


def vary(request: Request, traced: Trace) -> list[Varied]:
    """The source's traces with other arguments, one for each change that the source runs with; at most MOST_RUNS runs are made."""
    waiting = [_begin(request, *item) for item in list(_changes(traced))[:MOST_RUNS]]
    left = MOST_RUNS - len(waiting)
    found = []
    while waiting:
        attempt = waiting.pop(0)
        trace = attempt.running.result()
        variation = Variation(attempt.variable.path, attempt.values[0])
        if not trace.failed and trace.missing_name is None and trace.models:
            found.append(Varied(attempt.entry, variation, trace))
        elif len(attempt.values) > 1 and left > 0:
            left -= 1
            waiting.append(_begin(request, attempt.entry, attempt.variable, attempt.values[1:]))
    return found


def _begin(request: Request, entry: str, variable: Variable, values: list[Any]) -> _Try:
    variation = Variation(variable.path, values[0])
    running = start(replace(request, entries=(entry,), chosen=True, variation=variation), quiet=True)
    return _Try(entry, variable, values, running)


def _changes(traced: Trace) -> Iterator[tuple[str, Variable, list[Any]]]:
    """The changes to try: for each argument, then a longer and a shorter sequence for each that is one."""
    for model in traced.models:
        for variable in model.variables:
            yield model.entry, variable, alternatives(variable.value)
    for model in traced.models:
        for variable in model.variables:
            for value in other_lengths(variable.value):
                yield model.entry, variable, [value]


def alternatives(value: Any) -> list[Any]:
    """Other values of the same kind; the first that the source runs with counts."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value + 2, value * 2]
    return [type(value)(item * 2 + index * 4 for index, item in enumerate(value))]


def other_lengths(value: Any) -> list[Any]:
    """A sequence one longer and one shorter; the new element is like no other."""
    if isinstance(value, int) or not value:
        return []
    kind = type(value)
    return [kind([*value, value[-1] * 2 + 4]), *([kind(value[:-1])] if len(value) > 1 else [])]
