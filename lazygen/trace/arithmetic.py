"""The sums of one operation in numbers: `40 channels * 7 * 7 = 1960`, `28 // 2 = 14`, `16 + 24 = 40`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from lazygen.symbolic.dim import expr_of
from lazygen.symbolic.expr import Atom, Coefficient, Expr, Monomial, Symbol, add, of_atom, substitute
from lazygen.symbolic.tensor import Tensor
from lazygen.symbolic.text import Unprintable, to_text

_LONGEST = 60  # characters of a sum in a message


def sums(result: Tensor, operands: Sequence[Tensor]) -> Iterator[str]:
    """How the sizes of a result follow from those of its operands, each sum once."""
    sizes = [expr_of(size).symbol for operand in operands for size in operand.shape]
    given = {symbol: at for at, symbol in reversed(list(enumerate(sizes))) if symbol is not None}
    channels = {_place(expr_of(operand.shape[1]).symbol, given) for operand in operands if operand.ndim >= 4}
    said: dict[str, None] = {}
    for size in result.shape:
        symbol = expr_of(size).symbol
        if symbol is not None and symbol not in given and symbol.definition is not None:
            text = _said(_ordered(_expanded(symbol.definition, given), given), channels)
            if text is not None and text != str(int(size)):
                said[f"{text} = {int(size)}"] = None
    yield from said


def in_inputs(size: int) -> str | None:
    """`52` as `4 * ((50 + 3) // 4)`, over the numbers of the inputs; None if that says nothing, or too much to read."""
    text = _said(_added_up(_expanded(expr_of(size), {})), set())
    return None if text is None or text.isdigit() or len(text) > _LONGEST else text


def _added_up(expr: Expr) -> Expr:
    """The expression with the numbers that the source states added up, where they are terms of the sum."""

    def change(atom: Atom) -> Expr | None:
        definition = atom.definition if isinstance(atom, Symbol) else None
        return definition if definition is not None and definition.constant is not None else None

    plain: dict[Monomial, Coefficient] = {
        m: c for m, c in expr.terms.items() if len(m) == 1 and m[0][1] == 1 and change(m[0][0]) is not None
    }
    if not any(monomial and monomial not in plain for monomial in expr.terms):
        return expr  # only numbers that the source states
    rest = Expr({monomial: c for monomial, c in expr.terms.items() if monomial not in plain})
    return add(rest, substitute(Expr(plain), change))


def _place(symbol: Symbol | None, given: Mapping[Symbol, int]) -> int:
    """A number for a symbol that is less than those of all symbols of the run, and in the order of the operands."""
    return 0 if symbol is None or symbol not in given else given[symbol] - 1_000_000


def _ordered(expr: Expr, given: Mapping[Symbol, int]) -> Expr:
    """The expression over symbols that sort as the sizes stand in the operands, and before all others."""

    def change(atom: Atom) -> Expr | None:
        if not isinstance(atom, Symbol) or atom not in given:
            return None
        return of_atom(Symbol(_place(atom, given), "local", "", atom.value))

    return substitute(expr, change)


def _expanded(expr: Expr, given: Mapping[Symbol, int]) -> Expr:
    """The expression over the sizes that the operation was given."""

    def change(atom: Atom) -> Expr | None:
        definition = atom.definition if isinstance(atom, Symbol) and atom not in given else None
        return None if definition is None or definition.constant is not None else _expanded(definition, given)

    return substitute(expr, change)


def _said(expr: Expr, channels: set[int]) -> str | None:
    labels: list[str] = []

    def name_of(atom: Atom) -> str | None:
        is_channels = isinstance(atom, Symbol) and atom.serial in channels
        labels.append(f"{atom.value} channels" if is_channels else str(atom.value))
        return f"_{len(labels) - 1}_"

    try:
        text = to_text(expr, name_of)
    except Unprintable:
        return None
    return re.sub(r"_(\d+)_", lambda found: labels[int(found[1])], text)
