"""Sizes that a view leaves open, and what a view proves about the sizes it is given.

(n, l, width) as (n, l, heads, -1)               the open size is width * heads**-1, an exact quotient
(n, l, width) as (n, l, heads, width // heads)   proves that `width // heads` leaves nothing, so heads * it is width
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd, prod
from typing import Any

from lazygen.symbolic.dim import Dim, dim, expr_of
from lazygen.symbolic.equalities import agree_here
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import (
    Atom,
    Expr,
    FloorDiv,
    Symbol,
    divide_exactly,
    floor_divide,
    of_atom,
    substitute,
)
from lazygen.symbolic.tensor import numel, shape_text

EXACT: dict[FloorDiv, Expr] = {}
"""Floor divisions that a view of this run proved to leave nothing, with their quotients; over rooted symbols."""


def resize(shape: Sequence[int], sizes: Sequence[int], name: str = "view", operands: tuple[Any, ...] = ()) -> list[int]:
    """The sizes with -1 replaced by what is left of `shape`, as an exact quotient.

    Raises ShapeError (LZ202) if the elements do not fit, or if more than one size is left open.
    """
    wanted = [_proven_size(size) for size in sizes] if EXACT else list(sizes)
    numbers = [*map(int, wanted)]
    total, known = prod(map(int, shape)), prod(numbers)
    if numbers and min(numbers) < -1:
        raise _misfit(shape, wanted, "a size cannot be negative", name, operands)
    if -1 not in numbers:
        if total != known:
            raise _misfit(shape, wanted, f"{total} elements are not {known}", name, operands)
        return [_proven_size(size) for size in wanted] if _prove(shape, wanted) else wanted
    if numbers.count(-1) > 1:
        raise _misfit(shape, wanted, "only one size can be left open", name, operands)
    open_at, known = numbers.index(-1), -known  # that of the sizes but the open one
    if known == 0:
        raise _misfit(shape, wanted, "-1 could be any size where another is 0", name, operands)
    if total % known:
        raise _misfit(shape, wanted, f"{total} elements do not divide by {known}", name, operands)
    if Dim not in map(type, (*shape, *wanted)):
        wanted[open_at] = total // known
        return wanted
    rest, given = _without_common(shape, [size for at, size in enumerate(wanted) if at != open_at])
    wanted[open_at] = _left_over([_proven_size(size) for size in rest], given)
    return wanted


def _left_over(rest: Sequence[int], given: Sequence[int]) -> int:
    """What is left of `rest` once `given` is divided out: one of its sizes, if definitions say so, else a quotient."""
    known = numel(given)
    total = prod(map(int, rest))
    for at in range(-1, len(rest)) if isinstance(known, Dim) else ():
        size, others = (1, list(rest)) if at < 0 else (rest[at], [*rest[:at], *rest[at + 1 :]])
        if total == int(known) * int(size):
            left = numel(others)
            if isinstance(left, Dim) and _same(left, known):
                return size
    return quotient(numel(rest), known)


def _same(left: int, right: int) -> bool:
    """Whether two sizes are equal by what their symbols were before they were read, and by what views have proven."""
    first, second = (proven(rooted(expr_of(size))) for size in (left, right))
    return first == second


def quotient(size: int, divisor: int) -> int:
    """`size // divisor` where the caller knows that the division leaves nothing."""
    value = int(size) // int(divisor)
    if type(divisor) is int and divisor == 1:
        return size
    if not isinstance(size, Dim) and not isinstance(divisor, Dim):
        return value
    expression = divide_exactly(expr_of(size), expr_of(divisor))
    return dim(value, floor_divide(expr_of(size), expr_of(divisor)) if expression is None else expression)


def proven(expr: Expr) -> Expr:
    """The expression with every floor division that is known to leave nothing replaced by its quotient."""
    if not EXACT:
        return expr

    def change(atom: Atom) -> Expr | None:
        if not isinstance(atom, FloorDiv) or not (atom in EXACT or _rooted_atom(atom) in EXACT):
            return None
        return divide_exactly(proven(atom.numerator), proven(atom.denominator))

    return substitute(expr, change)


def rooted(expr: Expr) -> Expr:
    """The expression over its roots: symbols whose definition is no expression of other symbols."""

    def change(atom: Atom) -> Expr | None:
        if not isinstance(atom, Symbol) or atom.definition is None or atom.definition.constant is not None:
            return None
        return rooted(atom.definition)

    return substitute(expr, change)


def _rooted_atom(atom: FloorDiv) -> FloorDiv:
    return FloorDiv(rooted(atom.numerator), rooted(atom.denominator))


def _proven_size(size: int) -> int:
    return dim(int(size), proven(size.expr)) if EXACT and isinstance(size, Dim) else size


def _without_common(shape: Sequence[int], given: Sequence[int]) -> tuple[list[int], list[int]]:
    """Both without the sizes that stand in both for the same reason: keeps products short, and quotients exact."""
    rest, left = list(shape), []
    for size in given:
        for at, other in enumerate(rest):
            if other is size or (other == size and expr_of(other) == expr_of(size)):
                del rest[at]
                break
        else:
            left.append(size)
    return rest, left


def _prove(shape: Sequence[int], sizes: Sequence[int]) -> bool:
    """Record floor divisions that must be exact because both products are the same number of elements.

    A floor is never more than the quotient.  So where one side has floors, the other has none, and both are equal once
    the floors are quotients, then the view holds only if each floor is its quotient.  Returns whether anything is new.
    """
    if Dim not in map(type, sizes):
        return False
    rest, given = _without_common(shape, sizes)
    left, right = expr_of(numel(rest)), expr_of(numel(given))
    if left != right:
        _agree_in_rest(proven(left), proven(right))
    left, right = rooted(left), rooted(right)
    if left == right:
        return False
    floors = [list(_floors(side)) for side in (left, right)]
    if bool(floors[0]) == bool(floors[1]):
        return False
    with_floors, other = (left, right) if floors[0] else (right, left)
    if any(coefficient < 0 for coefficient in with_floors.terms.values()):
        return False
    facts = {floor: _as_quotient(floor) for floor in floors[0] or floors[1]}
    if _replaced(with_floors, facts) != other:
        return False
    EXACT.update(facts)
    return True


def _agree_in_rest(left: Expr, right: Expr) -> None:
    """Two products of sizes are equal: so are the factors that only one of them has, and roots of those."""
    if len(left.terms) != 1 or len(right.terms) != 1:
        return
    ((ours, factor),), ((theirs, other),) = left.terms.items(), right.terms.items()
    powers = dict(ours)
    for atom, power in theirs:
        powers[atom] = powers.get(atom, 0) - power
    root = gcd(*powers.values())
    if factor == other and root:
        left_over = sorted(powers.items(), key=lambda item: item[0].sort_key())
        sides = [
            Expr({tuple((atom, sign * power // root) for atom, power in left_over if sign * power > 0): 1})
            for sign in (1, -1)
        ]
        if all(() not in side.terms for side in sides):
            agree_here(*(dim(side.value, side) for side in sides))


def divides(size: int, divisor: int) -> None:
    """Keep that a size is a multiple of another, as a check of the source asks."""
    whole = floor_divide(rooted(expr_of(size)), rooted(expr_of(divisor)))
    EXACT.update({floor: _as_quotient(floor) for floor in whole.atoms() if isinstance(floor, FloorDiv)})


def _as_quotient(floor: FloorDiv) -> Expr:
    numerator, denominator = (_replaced(e, None) for e in (floor.numerator, floor.denominator))
    return divide_exactly(numerator, denominator) or of_atom(floor)


def _replaced(expr: Expr, facts: dict[FloorDiv, Expr] | None) -> Expr:
    """The expression with its floors taken as quotients: those of `facts`, or all of them for None."""

    def change(atom: Atom) -> Expr | None:
        if not isinstance(atom, FloorDiv):
            return None
        return _as_quotient(atom) if facts is None else facts.get(atom)

    return substitute(expr, change)


def _floors(expr: Expr) -> Iterator[FloorDiv]:
    """The floor divisions of an expression, and those inside them."""
    for atom in expr.atoms():
        if isinstance(atom, FloorDiv):
            yield atom
            yield from _floors(atom.numerator)
            yield from _floors(atom.denominator)


def _misfit(
    shape: Sequence[int], sizes: Sequence[int], reason: str, name: str, operands: tuple[Any, ...]
) -> ShapeError:
    message = f"{name} of {shape_text(shape)} as {shape_text(sizes)}: {reason}"
    return ShapeError(message, operands=operands, code="LZ202")
