"""Other arguments for an entry: each int, bool or sequence of ints on its own gets another value that the source runs
with.

What the source then does tells which sizes follow which argument; the output has to follow in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lazygen.diagnostics import Place
from lazygen.symbolic.expr import origins_of
from lazygen.trace.model import Trace, Variable, Variation
from lazygen.trace.ready import prepare
from lazygen.trace.request import Request
from lazygen.trace.run import Running, start
from lazygen.values import record, replace, value

MOST_RUNS = 12
_ELSEWHERE = "cuda:{}"  # devices that no source names by chance


@value
class Varied:
    """A source that ran with one argument changed."""

    entry: str
    variation: Variation
    trace: Trace

    def request(self, request: Request) -> Request:
        """A request with the same argument changed."""
        return replace(request, entries=(self.entry,), chosen=True, variation=self.variation)


@record
class _Try:
    entry: str
    variations: list[Variation]
    running: Running


def vary(request: Request, traced: Trace) -> list[Varied]:
    """The source's traces with other arguments, one for each change that the source runs with.

    At most MOST_RUNS changes are tried, and at most as many runs that failed at the first value are made again.
    """
    changes = list(_changes(traced))[:MOST_RUNS]
    if changes:
        prepare(request)
    waiting = [_begin(request, *change) for change in changes]
    left = MOST_RUNS
    found = []
    while waiting:
        attempt = waiting.pop(0)
        trace = attempt.running.result()
        if trace.uneven - traced.uneven:
            continue  # one sequence of a `zip` on its own got longer or shorter, which is no model that anyone means
        if type(attempt.variations[0].value) is int and _on_batch(trace) - _on_batch(traced):
            continue  # the argument stands for the batch, which is still what it was
        if not trace.failed and trace.missing_name is None and trace.models:
            found.append(Varied(attempt.entry, attempt.variations[0], trace))
        elif len(attempt.variations) > 1 and left > 0:
            left -= 1
            waiting.append(_begin(request, attempt.entry, attempt.variations[1:]))
    return found


def _on_batch(traced: Trace) -> set[Place]:
    """The layers whose sizes hang on the batch of an input."""
    sized = [(layer.site, origins_of(size for _, size in layer.sizes)) for layer in traced.layers]
    return {site for site, origins in sized if any(symbol.kind == "batch" for symbol in origins)}


def _begin(request: Request, entry: str, variations: list[Variation]) -> _Try:
    running = start(replace(request, entries=(entry,), chosen=True, variation=variations[0]), quiet=True)
    return _Try(entry, variations, running)


def _changes(traced: Trace) -> Iterator[tuple[str, list[Variation]]]:
    """The changes to try: for each argument, then a longer and a shorter sequence for each that is one, and for those
    of one length at once.
    """
    for model in traced.models:
        for variable in model.variables:
            yield model.entry, [Variation(variable.path, value) for value in alternatives(variable.value)]
    for model in traced.models:
        for variable in model.variables:
            for values in other_lengths(variable.value):
                yield model.entry, [Variation(variable.path, value) for value in values]
        for several in _of_one_length(model.variables):
            for ways in zip(*(other_lengths(variable.value) for variable in several), strict=True):
                yield model.entry, [_at_once(several, values) for values in zip(*ways, strict=False)]


def _at_once(variables: list[Variable], values: tuple[Any, ...]) -> Variation:
    (first, *others) = [(variable.path, value) for variable, value in zip(variables, values, strict=True)]
    return Variation(*first, tuple(others))


def _of_one_length(variables: tuple[Variable, ...]) -> Iterator[list[Variable]]:
    """Sequences of the same length, which may be gone through together."""
    found: dict[int, list[Variable]] = {}
    for variable in variables:
        if isinstance(variable.value, (list, tuple)) and not _are_devices(variable.value):
            found.setdefault(len(variable.value), []).append(variable)
    yield from (several for several in found.values() if len(several) > 1)


def alternatives(value: Any) -> list[Any]:
    """Other values of the same kind; the first that the source runs with counts."""
    if isinstance(value, str):
        return [_ELSEWHERE.format(5)]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value + 2, value * 2]
    if isinstance(value, dict):
        changed = zip(*alternatives(list(value.values())), strict=True)
        return [dict(zip(value, items, strict=True)) for items in zip(*changed, strict=True)]
    kind = type(value)
    if _are_devices(value):
        return [kind([_ELSEWHERE.format(number) for number in range(5, 5 + len(value))])]
    if not isinstance(value[0], int):
        return [kind([type(row)(item + 1 + 2 * index for item in row) for index, row in enumerate(value)])]
    odd = _distinct(item + index * 4 + 3 for index, item in enumerate(value))
    return [kind(odd), kind(item * 2 + index * 4 for index, item in enumerate(value))]


def other_lengths(value: Any) -> list[list[Any]]:
    """A sequence one longer and one shorter, in several ways each; the new element is like no other, or at last goes on
    as those before it.
    """
    if isinstance(value, (int, str)) or not value or _are_devices(value):
        return []
    if isinstance(value, dict):
        items = list(value.items())
        return [
            [value | {f"{items[-1][0]}_2": items[-1][1] * 2 + 5}],
            *([[dict(items[:-1])]] if len(items) > 1 else []),
        ]
    kind = type(value)
    longer = [kind([*other, _unlike(other[-1], more)]) for other, more in ((alternatives(value)[0], 5), (value, 4))]
    longer += [kind([*value, _next_of(*value[-2:])])] if len(value) > 1 and isinstance(value[-1], int) else []
    return [longer, *([[kind(value[:-1])]] if len(value) > 1 else [])]


def _next_of(before: int, last: int) -> int:
    """What follows two numbers of a sequence: 8 after 2 and 4, 3 after 1 and 2."""
    return last * (last // before) if before > 1 and last % before == 0 else max(2 * last - before, 1)


def _are_devices(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and isinstance(value[0], str)


def _distinct(numbers: Iterable[int]) -> list[int]:
    """The numbers, greater where that takes it, so that none is there twice."""
    found: list[int] = []
    for number in numbers:
        while number in found:
            number += 2
        found.append(number)
    return found


def _unlike(item: Any, more: int) -> Any:
    """An element that is none of those there are."""
    return item * 2 + more if isinstance(item, int) else type(item)(number + more for number in item)
