"""For which inputs a size holds that came through floor divisions: pooling drops what does not fill a window.

    in_features 588: H and W from 28 to 31

Each size of an input is moved by itself, down and up, as long as the expression keeps its value; then all of them
together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

from lazygen.symbolic.expr import Atom, Expr, FloorDiv, Mod, Symbol, origins_of

Number = int | Fraction

FARTHEST = 4096  # as far as a size is moved


class _Unknown(Exception):
    """Something in the expression is not arithmetic."""


def range_of(expr: Expr) -> str | None:
    """`H and W from 28 to 31`; None if the expression has no floors over sizes of inputs, or cannot be evaluated."""
    symbols = sorted(_under_floors(expr), key=lambda symbol: symbol.serial)
    wanted = expr.value
    if not symbols or len(symbols) > 6:
        return None
    try:
        ranges = [(_farthest(expr, symbol, -1, wanted), _farthest(expr, symbol, 1, wanted)) for symbol in symbols]
        corners = product(*({low, high} for low, high in ranges))
        together = all(_value(expr, dict(zip(symbols, corner, strict=True))) == wanted for corner in corners)
    except _Unknown:
        return None
    return _said(symbols, ranges) + ("" if together or len(symbols) == 1 else ", one at a time")


def _farthest(expr: Expr, symbol: Symbol, step: int, wanted: int) -> int:
    """The last value of a size, going one way, at which the expression is still what it was."""
    value = symbol.value
    while value + step > 0 and abs(value - symbol.value) < FARTHEST and _value(expr, {symbol: value + step}) == wanted:
        value += step
    return value


def _value(expr: Expr, values: Mapping[Symbol, int]) -> Number:
    """The expression with other values for some sizes of inputs.  Raises _Unknown for what is no arithmetic."""
    total: Number = 0
    for monomial, coefficient in expr.terms.items():
        term: Number = coefficient
        for atom, power in monomial:
            value = _of_atom(atom, values)
            if power > 0:
                term *= value**power
            elif value:
                term /= Fraction(value**-power)
            else:
                raise _Unknown
        total += term
    return total


def _of_atom(atom: Atom, values: Mapping[Symbol, int]) -> Number:
    if isinstance(atom, Symbol):
        if atom in values:
            return values[atom]
        return atom.value if atom.definition is None else _value(atom.definition, values)
    if isinstance(atom, (FloorDiv, Mod)):
        above, below = (atom.numerator, atom.denominator) if isinstance(atom, FloorDiv) else (atom.left, atom.right)
        left, right = _value(above, values), _value(below, values)
        if not right:
            raise _Unknown
        return left // right if isinstance(atom, FloorDiv) else left % right
    if any(isinstance(given, Expr) and set(origins_of([given])) & values.keys() for _, given in atom.arguments):
        raise _Unknown
    return atom.value


def _under_floors(expr: Expr) -> set[Symbol]:
    """The fixed sizes of inputs that stand in a floor division of the expression, or of what it is defined by."""
    found: set[Symbol] = set()
    seen: set[Expr] = set()
    waiting = [expr]
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        for atom in current.atoms():
            if isinstance(atom, FloorDiv):
                found.update(symbol for symbol in origins_of([atom.numerator]) if symbol.kind == "input")
            elif isinstance(atom, Symbol) and atom.definition is not None:
                waiting.append(atom.definition)
            elif isinstance(atom, Mod):
                waiting.append(atom.left)
    return found


def _said(symbols: list[Symbol], ranges: list[tuple[int, int]]) -> str:
    names = _names(symbols)
    by_range: dict[tuple[int, int], list[str]] = {}
    for name, (low, high) in zip(names, ranges, strict=True):
        by_range.setdefault((low, high), []).append(name)
    return ", ".join(
        f"{' and '.join(names)} {f'from {low} to {high}' if low < high else f'{low} only'}"
        for (low, high), names in by_range.items()
    )


def _names(symbols: list[Symbol]) -> Iterator[str]:
    """`H` and `W` for dims 2 and 3 of one input, if both count; else what the symbols are called."""
    both = [symbol.text[5:] for symbol in symbols if symbol.index in (2, 3)]
    for symbol in symbols:
        image = re.fullmatch(r"dim [23]( of \w+)", symbol.text) is not None and both.count(symbol.text[5:]) == 2
        yield "HW"[(symbol.index or 2) - 2] if image and len(symbols) == 2 else symbol.text
