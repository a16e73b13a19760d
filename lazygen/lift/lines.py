"""Sizes along a counter: one text or one line for all that a loop's iterations said.

widths[0], widths[1]  ->  widths[i - 1]             3, growth + 3, 2 * growth + 3  ->  growth * i + 3
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fractions import Fraction

from lazygen.lift.terms import Terms
from lazygen.symbolic.atoms import Symbol
from lazygen.symbolic.expr import Expr, add, constant, divide_exactly, multiply, of_atom
from lazygen.symbolic.text import Unprintable, to_text


def line(points: Sequence[tuple[int, Expr]], least: int) -> tuple[Expr, Expr] | None:
    """The slope and the offset of a line through all points, whose sizes are expressions; `least` are as many as it
    takes.
    """
    (i0, first), *others = points
    other = next(((i, e) for i, e in others if i != i0), None)
    if other is None:
        return None
    slope = divide_exactly(add(other[1], first, -1), constant(other[0] - i0))
    if slope is None or not slope.terms or any(isinstance(c, Fraction) for c in slope.terms.values()):
        return None
    offset = add(first, multiply(slope, constant(i0)), -1)
    if len({i for i, _ in points}) < least:  # a line goes through any two points
        return None
    if len({i for i, _ in points}) < 3 and any(factor < 0 for factor in slope.terms.values()):
        return None
    on_line = all(add(offset, multiply(slope, constant(i))) == e for i, e in points)
    return (slope, offset) if on_line else None


def affine(slope: Expr, offset: Expr, counter: str, terms: Terms) -> str | None:
    """`hidden * i + 3`, or `hidden * (i - 1)`; None if the terms cannot say it."""
    variable = Symbol(1 << 60, "loop", counter, 1)
    steps = divide_exactly(offset, slope)
    try:
        if offset.terms and steps is not None and steps.constant is not None:
            text = to_text(slope, terms.name_of)
            text = f"({text})" if len(slope.terms) > 1 else text
            return f"{text} * ({counter} {'+' if steps.value > 0 else '-'} {abs(steps.value)})"
        whole = add(multiply(slope, of_atom(variable)), offset)
        return to_text(whole, lambda atom: atom.text if atom is variable else terms.name_of(atom))
    except Unprintable:
        return None


def merged(nodes: Sequence[ast.AST], counts: Sequence[int], name: str) -> ast.expr | None:
    """One tree for all: equal parts stay, whole numbers become an expression of the counter."""
    first = nodes[0]
    if all(isinstance(node, ast.Constant) and type(node.value) is int for node in nodes):
        return _followed([node.value for node in nodes], counts, name)  # type: ignore[attr-defined]
    if any(type(node) is not type(first) for node in nodes):
        return None
    fields: dict[str, object] = {}
    for field, part in ast.iter_fields(first):
        values = [getattr(node, field) for node in nodes]
        if isinstance(part, ast.expr):
            one = merged(values, counts, name)
            if one is None:
                return None
            fields[field] = one
        elif isinstance(part, list):
            if any(len(items) != len(part) for items in values):
                return None
            columns = [merged(column, counts, name) for column in zip(*values, strict=True)]
            if any(column is None for column in columns):
                return None
            fields[field] = columns
        elif isinstance(part, ast.AST):
            if any(type(item) is not type(part) for item in values):
                return None
            fields[field] = part
        elif any(item != part for item in values):
            return None
        else:
            fields[field] = part
    return type(first)(**fields)  # type: ignore[return-value]


def _followed(values: Sequence[int], counts: Sequence[int], name: str) -> ast.expr | None:
    if len(set(values)) == 1:
        return ast.Constant(values[0])
    offsets = {value - count for value, count in zip(values, counts, strict=True)}
    if len(offsets) == 1:
        offset = offsets.pop()
        sign = ast.Add() if offset >= 0 else ast.Sub()
        return ast.BinOp(ast.Name(name), sign, ast.Constant(abs(offset))) if offset else ast.Name(name)
    sums = {value + count for value, count in zip(values, counts, strict=True)}
    return ast.BinOp(ast.Constant(sums.pop()), ast.Sub(), ast.Name(name)) if len(sums) == 1 else None
