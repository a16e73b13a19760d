"""Sizes that hang on how many there are of something: `depth * growth + 3`, `sum(sizes) + 20`, `sum(sizes[:i]) + 20`.

A trace says them as `4 * growth + 3` and `sizes[0] + sizes[1] + 20`.  Which number is a count, only traces with other
arguments tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lazygen.lift.demands import Occurrence
from lazygen.lift.terms import Said, Terms
from lazygen.lift.tidy import tidied
from lazygen.symbolic.atoms import Atom, Symbol
from lazygen.symbolic.expr import Expr, add, constant, multiply, of_atom
from lazygen.symbolic.text import Unprintable, to_text

if TYPE_CHECKING:
    from lazygen.lift.forms import Forms, Mode

_MOST = 24  # candidates for one call
_ELEMENT = re.compile(r"(?P<base>[A-Za-z_][\w.]*)\[(?P<index>\d+)\]")


def counted(forms: Forms, occurrences: Sequence[Occurrence], mode: Mode, depth: int) -> Iterator[str]:
    """Texts with a count in the place of a number, or a sum in the place of its terms; none is checked."""
    tried = 0
    for occurrence in _telling(occurrences):
        said = forms.say(occurrence, mode, depth)
        if not isinstance(said, Said) or said.expr.constant is not None:
            continue
        terms = forms.terms_of(occurrence, mode, depth)
        values = dict(occurrence.frame.values)
        lasting = {name: value for name, value in values.items() if name not in forms.loop_names(occurrence.frame)}
        for expr in (said.expr, *_summed(said.expr, terms.name_of, values)):
            for candidate in (*([expr] if expr is not said.expr else []), *_with_counts(expr, lasting)):
                tried += 1
                if tried > _MOST:
                    return
                try:
                    yield tidied(to_text(candidate, _naming(terms)))
                except Unprintable:
                    continue


def running_sums(forms: Forms, last: Occurrence) -> Iterator[str]:
    """A list of the sums of the beginnings of a sequence, for executions of which this is the last; it is not
    checked.
    """
    said = forms.say(last)
    if not isinstance(said, Said):
        return
    terms = forms.terms_of(last, "plain", 0)
    values = dict(last.frame.values)
    count = next(name for name in ("i", "j", "k", "n") if name not in values)
    for base, factor, elements in _sums(said.expr, terms.name_of, values):
        rest = said.expr
        for monomial in elements:
            rest = add(rest, Expr({monomial: factor}), -1)
        total = sum(values[base][: len(elements)])
        try:
            text = to_text(
                add(rest, multiply(constant(factor), _written(f"sum({base}[:{count}])", total))),
                _naming(terms),
            )
        except Unprintable:
            continue
        yield f"[{text} for {count} in range(len({base}))]"


def _telling(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    """Two executions with large sizes: where something was made most often, its count shows best."""
    first = min(occurrence.run for occurrence in occurrences)
    base = [occurrence for occurrence in occurrences if occurrence.run == first]
    return sorted(base, key=lambda occurrence: -occurrence.size.value)[:2]


def _naming(terms: Terms) -> Callable[[Atom], str | None]:
    """The names of a scope, and the counts and sums that are written into it."""

    def name_of(atom: Atom) -> str | None:
        is_own = isinstance(atom, Symbol) and atom.serial == _SERIAL
        return atom.text if isinstance(atom, Symbol) and is_own else terms.name_of(atom)

    return name_of


_SERIAL = 1 << 51


def _written(text: str, value: int) -> Expr:
    return of_atom(Symbol(_SERIAL, "local", text, value))


def _with_counts(expr: Expr, values: Mapping[str, Any]) -> Iterator[Expr]:
    """The expression with one of its numbers replaced by a count of the same value."""
    for monomial, factor in expr.terms.items():
        if not isinstance(factor, int) or not monomial:
            continue
        rest = add(expr, Expr({monomial: factor}), -1)
        for count in _counts(factor, values):
            yield add(rest, multiply(count, Expr({monomial: 1})))


def _counts(number: int, values: Mapping[str, Any]) -> Iterator[Expr]:
    known = [(name, value) for name, value in values.items() if type(value) is int]
    known += [(f"len({name})", len(value)) for name, value in values.items() if isinstance(value, (list, tuple, dict))]
    for offset in (0, -1, 1):
        for name, value in known:
            if value + offset == number and (number > 1 or offset == 0):
                yield add(_written(name, value), constant(offset))


def _summed(expr: Expr, name_of: Any, values: Mapping[str, Any]) -> Iterator[Expr]:
    """The expression with elements of one sequence as the sum of it, of its beginning, or of its beginning up to a
    counter.
    """
    for base, factor, elements in _sums(expr, name_of, values):
        rest, sequence = expr, values[base]
        for monomial in elements:
            rest = add(rest, Expr({monomial: factor}), -1)
        total = sum(sequence[: len(elements)])
        for part in _parts(base, len(elements), len(sequence), values):
            yield add(rest, multiply(constant(factor), _written(f"sum({part})", total)))


def _sums(expr: Expr, name_of: Any, values: Mapping[str, Any]) -> Iterator[tuple[str, int, list[Any]]]:
    """Sequences whose first elements stand in a sum with one factor: their text, the factor, the elements' terms."""
    found: dict[tuple[str, int], dict[int, Any]] = {}
    for monomial, factor in expr.terms.items():
        name = name_of(monomial[0][0]) if len(monomial) == 1 and monomial[0][1] == 1 else None
        match = _ELEMENT.fullmatch(name) if name is not None else None
        if match is not None and isinstance(factor, int):
            found.setdefault((match["base"], factor), {})[int(match["index"])] = monomial
    for (base, factor), elements in found.items():
        sequence = values.get(base)
        if not isinstance(sequence, (list, tuple)) or sorted(elements) != list(range(len(elements))):
            continue
        yield base, factor, list(elements.values())


def _parts(base: str, number: int, length: int, values: Mapping[str, Any]) -> Iterator[str]:
    if number == length:
        yield base
    for name, value in values.items():
        if type(value) is int and value == number:
            yield f"{base}[:{name}]"
        elif type(value) is int and value + 1 == number:
            yield f"{base}[: {name} + 1]"
    if number < length:
        yield f"{base}[:-{length - number}]"
