"""Expressions as Python source: exact, and as a person would write them.

4*width + 3                ->  "4 * width + 3"
3/2 * w * heads**-1        ->  "3 * w // (2 * heads)"
(H + 1) // 2 + c           ->  "(h + 1) // 2 + c"
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from lazygen.symbolic.expr import Atom, Expr, FloorDiv, Monomial, Opaque, Symbol, split_quotient

# How tightly a text binds.  LOOSE is a conditional, a shift, a comparison; PRODUCT has no `//` or `%` at its top, so
# that a sign may stand before it: `-a * b` is `-(a * b)`, but `-a // b` is not `-(a // b)`.
LOOSE, SUM, QUOTIENT, PRODUCT, ATOM = range(5)


class Unprintable(Exception):
    """An atom has no name where the text is to stand."""

    def __init__(self, atom: Atom) -> None:
        super().__init__(repr(atom))
        self.atom = atom


def to_text(expr: Expr, name_of: Callable[[Atom], str | None]) -> str:
    """The expression as Python source.

    `name_of` gives the source text of a symbol or an opaque atom where the text is to stand; None means that it has no
    name there, which raises Unprintable.
    """
    return _sum(expr, name_of)[0]


def _sum(expr: Expr, name_of: Callable[[Atom], str | None]) -> tuple[str, int]:
    pieces = sorted(_pieces(expr, name_of))  # positive ones first, so that a sum begins without a sign if it can
    if not pieces:
        return "0", ATOM
    (negative, _, text, binding), *others = pieces
    if negative:
        text, binding = (f"-{text}" if binding >= PRODUCT else f"-({text})"), QUOTIENT
    if others and binding == LOOSE:
        text = f"({text})"
    for negative, _, piece, tight in others:
        text += (" - " if negative else " + ") + (piece if tight >= QUOTIENT else f"({piece})")
        binding = SUM
    return text, binding


def _pieces(expr: Expr, name_of: Callable[[Atom], str | None]) -> list[tuple[bool, tuple[object, ...], str, int]]:
    """What a sum is written of: its sign, its place, its text without the sign and how tightly that binds."""
    whole, numerator, denominator = split_quotient(expr)
    terms: list[tuple[Monomial, int | Fraction]] = [*whole.terms.items()]
    quotient = None
    if len(numerator.terms) == 1:
        terms += [(m, c) for m, c in expr.terms.items() if m not in whole.terms]
    elif numerator.terms:
        quotient = _divided(_sum(numerator, name_of), _sum(denominator, name_of))
    pieces = [(c < 0, _order(m), *_term(m, c if c > 0 else -c, name_of)) for m, c in terms]
    if quotient is not None:
        first = min(_order(m) for m in numerator.terms)
        pieces.append((False, first, *quotient))
    return pieces


def _order(monomial: Monomial) -> tuple[object, ...]:
    """Terms in the order of their symbols, numbers last."""
    return (not monomial, tuple((atom.sort_key(), power) for atom, power in monomial))


def _term(monomial: Monomial, coefficient: int | Fraction, name_of: Callable[[Atom], str | None]) -> tuple[str, int]:
    """One term with a positive coefficient."""
    ratio = Fraction(coefficient)
    above = [_factor(atom, name_of) for atom, power in monomial for _ in range(power)]
    below = [_factor(atom, name_of) for atom, power in monomial for _ in range(-power)]
    text, binding = _product([*_number(ratio.numerator, above), *above])
    if ratio.denominator == 1 and not below:
        return text, binding
    return _divided((text, binding), _product([*_number(ratio.denominator, below), *below]))


def _number(number: int, others: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return [] if number == 1 and others else [(str(number), ATOM)]


def _divided(above: tuple[str, int], below: tuple[str, int], sign: str = "//") -> tuple[str, int]:
    left = above[0] if above[1] >= QUOTIENT else f"({above[0]})"
    right = below[0] if below[1] == ATOM else f"({below[0]})"
    return f"{left} {sign} {right}", QUOTIENT


def _product(factors: list[tuple[str, int]]) -> tuple[str, int]:
    if len(factors) == 1:
        return factors[0]
    return " * ".join(text if binding == ATOM else f"({text})" for text, binding in factors), PRODUCT


def _factor(atom: Atom, name_of: Callable[[Atom], str | None]) -> tuple[str, int]:
    if isinstance(atom, (Symbol, Opaque)):
        text = name_of(atom)
        if text is None:
            raise Unprintable(atom)
        return text, binding_of(text)
    if isinstance(atom, FloorDiv):
        return _divided(_sum(atom.numerator, name_of), _sum(atom.denominator, name_of))
    return _divided(_sum(atom.left, name_of), _sum(atom.right, name_of), "%")


@lru_cache(maxsize=1024)
def binding_of(text: str) -> int:
    """How tightly a piece of source binds: ATOM needs no parentheses anywhere."""
    node = ast.parse(text, mode="eval").body
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant)):
        return ATOM
    if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        return SUM
    if isinstance(node, ast.BinOp):
        return _OPERATORS.get(type(node.op), LOOSE)
    return LOOSE


_OPERATORS: dict[type[ast.operator], int] = {
    ast.Pow: ATOM,
    ast.Mult: QUOTIENT,
    ast.FloorDiv: QUOTIENT,
    ast.Mod: QUOTIENT,
    ast.Div: QUOTIENT,
    ast.Add: SUM,
    ast.Sub: SUM,
}
