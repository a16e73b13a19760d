"""Exact expressions over sizes: polynomials with floor division, modulo and exact quotients.

    Expr        a sum of terms, each a coefficient times powers of atoms
    atoms       Symbol (where a size was read), FloorDiv, Mod, Opaque (a call that arithmetic cannot follow)

A power may be negative: `width * heads**-1` is a quotient that is known to leave nothing, as `view(..., -1)` proves.
Equal expressions have equal terms, so `==` decides whether two sizes are equal for a reason and not by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any

from lazygen.symbolic.atoms import Atom, FloorDiv, Mod, Opaque, Symbol, SymbolKind

__all__ = [
    "Atom", "Expr", "FloorDiv", "Mod", "Monomial", "Opaque", "Symbol", "SymbolKind", "add", "constant",
    "divide_exactly", "floor_divide", "modulo", "multiply", "of_atom", "origins_of", "split_quotient", "substitute",
    "symbols_of",
]  # fmt: skip

Coefficient = int | Fraction
Monomial = tuple[tuple[Atom, int], ...]


def _monomial_key(monomial: Monomial) -> tuple[Any, ...]:
    return tuple((atom.sort_key(), power) for atom, power in monomial)


class Expr:
    """A sum of terms; `terms` maps each monomial to its coefficient and never holds a zero.  `value` is its sample."""

    __slots__ = ("_hash", "_value", "terms")

    def __init__(self, terms: dict[Monomial, Coefficient], value: int | None = None) -> None:
        self.terms = terms
        self._hash: int | None = None  # many are never asked for
        self._value = value

    @property
    def value(self) -> int:
        """The sample value, from those of the atoms."""
        if self._value is None:
            self._value = self._evaluate()
        return self._value

    def _evaluate(self) -> int:
        total: Coefficient = 0
        for monomial, coefficient in self.terms.items():
            product: Coefficient = coefficient
            for atom, power in monomial:
                product *= atom.value**power if power > 0 else Fraction(1, atom.value**-power)
            total += product
        return int(total)

    def __reduce__(self) -> Any:
        return Expr, (self.terms, self._value)  # hashes hang on the process: they are made anew

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Expr) and self.terms == other.terms)

    def __repr__(self) -> str:
        return (
            " + ".join(
                "*".join([str(c), *(f"{a}" if p == 1 else f"{a}^{p}" for a, p in m)]) for m, c in self.terms.items()
            )
            or "0"
        )

    @property
    def constant(self) -> int | None:
        """The number this is whatever the symbols are, or None."""
        if len(self.terms) > 1:
            return None
        number = self.terms.get((), None if self.terms else 0)
        return number if isinstance(number, int) else None

    @property
    def symbol(self) -> Symbol | None:
        """The symbol that this is and nothing else, or None."""
        if len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms.items()
            if coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1 and type(monomial[0][0]) is Symbol:
                return monomial[0][0]
        return None

    def sort_key(self) -> tuple[Any, ...]:
        return tuple(sorted((_monomial_key(m), c) for m, c in self.terms.items()))

    def atoms(self) -> Iterator[Atom]:
        for monomial in self.terms:
            for atom, _ in monomial:
                yield atom


@lru_cache(maxsize=1024, typed=True)
def constant(value: int) -> Expr:
    return Expr({(): value} if value else {}, value)


def of_atom(atom: Atom) -> Expr:
    return Expr({((atom, 1),): 1}, atom.value)


def _collect(terms: dict[Monomial, Coefficient]) -> Expr:
    return Expr({m: (c if type(c) is int or c.denominator != 1 else c.numerator) for m, c in terms.items() if c})


def add(left: Expr, right: Expr, sign: int = 1) -> Expr:
    terms = dict(left.terms)
    for monomial, coefficient in right.terms.items():
        total = terms.get(monomial, 0) + sign * coefficient
        if not total:
            del terms[monomial]
        else:
            terms[monomial] = total if type(total) is int or total.denominator != 1 else total.numerator
    return Expr(terms)


def _times(left: Monomial, right: Monomial) -> Monomial:
    if not left or not right:
        return left or right
    if left[-1][0].sort_key() < right[0][0].sort_key():
        return left + right
    powers: dict[Atom, int] = dict(left)
    for atom, power in right:
        powers[atom] = powers.get(atom, 0) + power
    items = [(atom, power) for atom, power in powers.items() if power]
    if len(items) > 1:
        items.sort(key=lambda item: item[0].sort_key())
    return tuple(items)


def _without_quotient(monomial: Monomial) -> bool:
    return min([power for _, power in monomial], default=1) > 0


def multiply(left: Expr, right: Expr) -> Expr:
    terms: dict[Monomial, Coefficient] = {}
    for a, x in left.terms.items():
        for b, y in right.terms.items():
            monomial = _times(a, b)
            terms[monomial] = terms.get(monomial, 0) + x * y
    return _collect(terms)


def divide_exactly(numerator: Expr, denominator: Expr) -> Expr | None:
    """The quotient if the division is known to leave nothing; None if no closed form is at hand.

    A denominator of one term always divides (powers may become negative); one of several must divide as polynomials do.
    """
    if len(denominator.terms) == 1:
        ((monomial, coefficient),) = denominator.terms.items()
        inverse = tuple((atom, -power) for atom, power in monomial)
        return _collect({_times(m, inverse): Fraction(c) / coefficient for m, c in numerator.terms.items()})
    rest, quotient = numerator, constant(0)
    # The order must agree with multiplication, or the division would start at the wrong term: by powers, atom by atom.
    atoms = sorted({*numerator.atoms(), *denominator.atoms()}, key=lambda atom: atom.sort_key())

    def powers(monomial: Monomial) -> tuple[int, ...]:
        held = dict(monomial)
        return tuple(held.get(atom, 0) for atom in atoms)

    lead = max(denominator.terms, key=powers)
    inverse = tuple((atom, -power) for atom, power in lead)
    for _ in range(16):
        if not rest.terms:
            return quotient
        top = max(rest.terms, key=powers)
        monomial = _times(top, inverse)
        if any(power < 0 for _, power in monomial):
            return None
        step = _collect({monomial: Fraction(rest.terms[top]) / denominator.terms[lead]})
        quotient, rest = add(quotient, step), add(rest, multiply(step, denominator), -1)
    return None


def _is_whole(expr: Expr) -> bool:
    """Whether no quotient and no fraction is in its terms."""
    return all(isinstance(c, int) and _without_quotient(m) for m, c in expr.terms.items())


def floor_divide(numerator: Expr, denominator: Expr) -> Expr:
    """`numerator // denominator`; whole multiples leave the floor: `(4*w + 3) // 2` is `2*w + 1`."""
    divisor = denominator.constant
    if divisor is None:
        quotient = divide_exactly(numerator, denominator)
        if quotient is not None and _is_whole(quotient):
            return quotient
        return of_atom(FloorDiv(numerator, denominator))
    if divisor == 1:
        return numerator
    whole: dict[Monomial, Coefficient] = {}
    rest: dict[Monomial, Coefficient] = {}
    for monomial, coefficient in numerator.terms.items():
        if not isinstance(coefficient, int) or not _without_quotient(monomial):
            rest[monomial] = coefficient
            continue
        quotient_, remainder = divmod(int(coefficient), divisor)
        if monomial and remainder:
            quotient_, remainder = 0, int(coefficient)
        whole[monomial] = quotient_
        rest[monomial] = remainder
    left, right = _collect(whole), _collect(rest)
    number = right.constant
    if number is not None:
        return add(left, constant(number // divisor))
    if divisor > 0 and len(right.terms) == 1:
        ((monomial, coefficient),) = right.terms.items()
        if coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1:
            inner = monomial[0][0]
            if isinstance(inner, FloorDiv) and (inner.denominator.constant or 0) > 0:
                return add(left, floor_divide(inner.numerator, constant(divisor * inner.denominator.value)))
    return add(left, of_atom(FloorDiv(right, denominator)))


def modulo(left: Expr, right: Expr) -> Expr:
    divisor = right.constant
    if divisor is not None:
        if divisor == 1:
            return constant(0)
        number = left.constant
        if number is not None:
            return constant(number % divisor)
        if divisor and _is_whole(left) and all(c % divisor == 0 for c in left.terms.values()):
            return constant(0)
    else:
        quotient = divide_exactly(left, right)
        if quotient is not None and _is_whole(quotient):
            return constant(0)
    return of_atom(Mod(left, right))


def split_quotient(expr: Expr) -> tuple[Expr, Expr, Expr]:
    """`(whole, numerator, denominator)` with `expr == whole + numerator / denominator`, all three without quotients.

    Only the sum of quotients is known to be a whole number, not each of them: half of `a + b` is not `a // 2 + b // 2`.
    """
    broken = {m: c for m, c in expr.terms.items() if not isinstance(c, int) or not _without_quotient(m)}
    if not broken:
        return expr, constant(0), constant(1)
    powers: dict[Atom, int] = {}
    for monomial in broken:
        for atom, power in monomial:
            if power < 0:
                powers[atom] = max(powers.get(atom, 0), -power)
    number = lcm(*(Fraction(c).denominator for c in broken.values()))
    denominator = Expr({_times((), tuple(sorted(powers.items(), key=lambda item: item[0].sort_key()))): number})
    whole = Expr({m: c for m, c in expr.terms.items() if m not in broken})
    return whole, multiply(Expr(broken), denominator), denominator


def substitute(expr: Expr, change: Callable[[Atom], Expr | None], memo: dict[Expr, Expr] | None = None) -> Expr:
    """Replace atoms by what `change` gives for them (None keeps), inside floors, modulos and opaque arguments too."""
    memo = {} if memo is None else memo
    known = memo.get(expr)
    if known is not None:
        return known
    whole, numerator, denominator = split_quotient(expr)
    total = _substituted(whole, change, memo)
    if numerator.terms:
        above, below = _substituted(numerator, change, memo), _substituted(denominator, change, memo)
        quotient = divide_exactly(above, below)
        total = add(total, floor_divide(above, below) if quotient is None else quotient)
    memo[expr] = total
    return total


def _substituted(expr: Expr, change: Callable[[Atom], Expr | None], memo: dict[Expr, Expr]) -> Expr:
    changed = {atom: new for atom in expr.atoms() if (new := _changed(atom, change, memo)) is not None}
    if not changed:
        return expr
    total = constant(0)
    for monomial, coefficient in expr.terms.items():
        term = Expr({(): coefficient})
        for atom, power in monomial:
            replacement = changed.get(atom) or of_atom(atom)
            for _ in range(power):
                term = multiply(term, replacement)
        total = add(total, term)
    return total


def _changed(atom: Atom, change: Callable[[Atom], Expr | None], memo: dict[Expr, Expr]) -> Expr | None:
    """What an atom becomes; None if it stays as it is."""
    replacement = change(atom)
    if replacement is not None:
        return replacement
    if isinstance(atom, FloorDiv):
        above, below = substitute(atom.numerator, change, memo), substitute(atom.denominator, change, memo)
        return None if above is atom.numerator and below is atom.denominator else floor_divide(above, below)
    if isinstance(atom, Mod):
        left, right = substitute(atom.left, change, memo), substitute(atom.right, change, memo)
        return None if left is atom.left and right is atom.right else modulo(left, right)
    if isinstance(atom, Opaque):
        arguments = tuple(
            (name, substitute(e, change, memo) if isinstance(e, Expr) else e) for name, e in atom.arguments
        )
        if arguments != atom.arguments:
            return of_atom(Opaque(atom.text, arguments, atom.value, atom.definition))
    return None


def symbols_of(expr: Expr, seen: set[Expr] | None = None) -> Iterator[Symbol]:
    """Every symbol the expression speaks of, inside floors, modulos and opaque arguments too; not their definitions."""
    seen = set() if seen is None else seen
    if expr in seen:
        return
    seen.add(expr)
    for atom in expr.atoms():
        if isinstance(atom, Symbol):
            yield atom
        elif isinstance(atom, FloorDiv):
            yield from symbols_of(atom.numerator, seen)
            yield from symbols_of(atom.denominator, seen)
        elif isinstance(atom, Mod):
            yield from symbols_of(atom.left, seen)
            yield from symbols_of(atom.right, seen)
        else:
            for _, argument in atom.arguments:
                if isinstance(argument, Expr):
                    yield from symbols_of(argument, seen)


def origins_of(exprs: Iterable[Expr]) -> list[Symbol]:
    """Every symbol that the expressions hang on, through definitions too, each after those it is defined by.

    A definition may be hundreds deep (`self.channels += growth` in a loop), deeper than pickle goes.  Pickled first, in
    this order, the symbols keep whatever follows shallow: `pickle.dumps((origins_of(exprs), exprs))`.
    """
    found: dict[Symbol, None] = {}
    waiting = [symbol for expr in exprs for symbol in symbols_of(expr)]
    while waiting:
        symbol = waiting.pop()
        if symbol not in found:
            found[symbol] = None
            if symbol.definition is not None:
                waiting.extend(symbols_of(symbol.definition))
    return sorted(found, key=lambda symbol: symbol.serial)
