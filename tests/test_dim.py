"""Sizes behave as the ints they are, and keep their expression wherever arithmetic can."""

from __future__ import annotations

import copy
import json
import math
import operator
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazygen.symbolic.dim import Dim, Ratio, of_symbol, sources_of
from lazygen.symbolic.expr import Symbol

NUMBERS = st.integers(-50, 50)
OPERATORS: list[Callable[[Any, Any], Any]] = [
    operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.truediv, divmod, operator.pow,
    operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, operator.eq, operator.ne, operator.lt,
    operator.le, operator.gt, operator.ge, max, min,
]  # fmt: skip


def size(value: int, text: str = "w", serial: int = 1) -> Any:
    return of_symbol(Symbol(serial, "parameter", text, value))


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return function(*args)
    except (ZeroDivisionError, ValueError, OverflowError) as error:
        return type(error)


def value_of(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(value_of(item) for item in result)
    if isinstance(result, Dim):
        return int(result)
    return float(result) if isinstance(result, Ratio) else result


@pytest.mark.parametrize("operation", OPERATORS)
@given(left=NUMBERS, right=NUMBERS)
def test_value_is_that_of_int_arithmetic(operation: Callable[[Any, Any], Any], left: int, right: int) -> None:
    wanted = outcome(operation, left, right)
    for pair in ((size(left), right), (left, size(right)), (size(left), size(right, "k", 2))):
        result = outcome(operation, *pair)
        assert value_of(result) == wanted and type(value_of(result)) is type(wanted)
        if isinstance(result, Dim):
            assert result.expr.value == wanted


@given(NUMBERS, st.floats(-20, 20).filter(lambda f: abs(f) > 0.01))
def test_value_is_that_of_float_arithmetic(left: int, right: float) -> None:
    """With the float on the left Python's own float computes, and the expression is lost: no int can change that."""
    for operation in (operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod):
        w = size(left)
        assert outcome(operation, right, w) == outcome(operation, right, left)
        result = outcome(operation, w, right)
        assert value_of(result) == outcome(operation, left, right)
        if not isinstance(result, type):
            assert sources_of(result) == (w.expr,)


@pytest.mark.parametrize(
    "unary", [operator.neg, operator.pos, abs, round, math.floor, math.ceil, math.trunc, operator.invert]
)
@pytest.mark.parametrize("value", [-3, 0, 7])
def test_unary(unary: Callable[[Any], Any], value: int) -> None:
    result = unary(size(value))
    assert int(result) == unary(value)
    assert isinstance(result, Dim) and result.expr.value == unary(value)


def test_what_keeps_the_expression() -> None:
    w, k = size(12), size(3, "k", 2)
    kept = [
        w + 1, 1 + w, w * k, 2 * w, w // k, 100 // k, w % 5, 100 % k, *divmod(w, k), *divmod(100, k), sum([w, k]),
        w**2, w << 1, w >> 1, max(w, k), min(w, k), math.prod([w, k]), round(w), *sorted([w, k]), w.numerator,
        w.real, w.conjugate(),
    ]  # fmt: skip
    assert [type(item) for item in kept] == [Dim] * len(kept)


def test_a_size_without_a_symbol_is_a_plain_int() -> None:
    w = size(12)
    for result in (w - w, w * 0, w % 1, w // w):
        assert type(result) is int


def test_floats_remember_what_they_hang_on() -> None:
    w, k = size(12), size(3, "k", 2)
    for made in (
        w * 0.5,
        w / 5,
        w**-1,
        -(w * 0.5),
        3 * (w * 0.5),
        3.0 * (w * 0.5),
        abs(w * 0.5),
        round(w / 7, 2),
        (w * 0.5) % 4,
    ):
        assert sources_of(made) == (w.expr,)
    assert set(sources_of(w / k + 1.0)) == {w.expr, k.expr}
    assert sources_of(w * 0.5 - w * 0.25) == (w.expr,)
    assert sources_of(1.5) == () and sources_of("x") == ()


def test_as_an_int_everywhere_else() -> None:
    w = size(3)
    assert ["a", "b", "c", "d"][w] == "d"
    assert list(range(w)) == [0, 1, 2]
    assert {3: "x"}[w] == "x" and {w: "x"}[3] == "x"
    assert f"{w:02d} {w}" == "03 3"
    assert json.dumps({"w": w}) == '{"w": 3}'
    assert "ab" * w == "ababab" and [0] * w == [0, 0, 0]
    assert w * 1j == 3j and hash(w) == hash(3)
    assert type(int(w)) is int and type(operator.index(w)) is int


def test_unsupported_operands_are_refused_as_for_ints() -> None:
    w = size(3)
    for operation in (operator.add, operator.sub, operator.floordiv, operator.truediv):
        with pytest.raises(TypeError):
            operation(w, "x")
        with pytest.raises(TypeError):
            operation("x", w)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda v: copy.deepcopy([v])[0]])
def test_copies_keep_the_origin(duplicate: Callable[[Any], Any]) -> None:
    w = size(12)
    assert duplicate(w).expr == w.expr
    assert sources_of(duplicate(w * 0.5)) == (w.expr,)


def test_pickle_keeps_the_origin() -> None:
    w, area, half = pickle.loads(pickle.dumps((size(12), size(12) * size(12), size(12) / 2)))
    assert type(w) is Dim and type(area) is Dim and type(half) is Ratio
    side = size(12)
    w, square = pickle.loads(pickle.dumps((side, side * side + 1)))
    assert (w * w + 1).expr == square.expr and int(square) == 145


def test_what_changes_nothing_gives_the_size_itself() -> None:
    width, nothing = size(6), size(0, "n", 2)
    for same in (width + 0, 0 + width, width - 0, width * 1, 1 * width, width // 1, sum([width]), math.prod([width])):
        assert same is width
    assert set(map(str, (nothing + width).expr.atoms())) == {"w#1", "n#2"}  # 0 by chance is no 0
    assert (width - width, width * 0) == (0, 0) and type(width - width) is type(width * 0) is int
