"""Symbols are made here, each with a number of its own, in the order in which the sizes were read."""

from __future__ import annotations

import itertools

from lazygen.symbolic.atoms import Symbol, SymbolKind
from lazygen.symbolic.expr import Expr

_serials = itertools.count(1)


def new_symbol(
    kind: SymbolKind,
    text: str,
    value: int,
    owner: int = 0,
    definition: Expr | None = None,
    index: int | None = None,
) -> Symbol:
    """A symbol unlike all others, for a size that was read as `text` and was `value` in this run."""
    return Symbol(next(_serials), kind, text, value, owner, definition, index)
