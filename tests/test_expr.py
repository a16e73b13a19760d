"""Expressions over sizes: what is printed is exact for all values, and equal sizes are equal expressions."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from lazygen.symbolic.dim import expr_of, of_symbol
from lazygen.symbolic.expr import (
    Atom,
    Expr,
    Opaque,
    Symbol,
    add,
    constant,
    divide_exactly,
    floor_divide,
    multiply,
    of_atom,
    origins_of,
    substitute,
    symbols_of,
)
from lazygen.symbolic.text import Unprintable, binding_of, to_text

NAMES = "abcd"
SAMPLES = st.tuples(*(st.integers(1, 40) for _ in NAMES))


def combine(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    binary = st.tuples(children, st.sampled_from(["+", "-", "*", "//", "%"]), children).map(
        lambda t: f"({t[0]} {t[1]} {t[2]})"
    )
    return st.one_of(binary, children.map(lambda t: f"(-{t})"))


TREES = st.recursive(st.sampled_from(NAMES) | st.integers(-6, 12).map(lambda n: f"({n})"), combine, max_leaves=9)


def symbols(values: tuple[int, ...]) -> dict[str, Symbol]:
    return {
        name: Symbol(i, "parameter", name, value) for i, (name, value) in enumerate(zip(NAMES, values, strict=True))
    }


def dims(values: tuple[int, ...]) -> dict[str, int]:
    return {name: of_symbol(symbol) for name, symbol in symbols(values).items()}


def plain(values: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(NAMES, values, strict=True))


def called(atom: Atom) -> str | None:
    return atom.text if isinstance(atom, (Symbol, Opaque)) else None


def run(tree: str, values: dict[str, int]) -> int:
    """The value of a tree; a division by zero discards the example."""
    try:
        return eval(tree, {}, dict(values))  # type: ignore[no-any-return]
    except ZeroDivisionError:
        assume(False)
        raise


@given(TREES, SAMPLES, SAMPLES)
@example("(-(a // 2))", (5, 1, 1, 1), (5, 1, 1, 1))
@example("(-((-a) // 2))", (5, 1, 1, 1), (7, 1, 1, 1))
@example("((-(a // 2)) * b)", (5, 3, 1, 1), (7, 2, 1, 1))
@example("(-(a % 3))", (5, 1, 1, 1), (7, 1, 1, 1))
@example("((a // b) // (-2))", (5, 1, 1, 1), (7, 2, 1, 1))
def test_printed_text_is_exact_for_all_values(tree: str, sample: tuple[int, ...], other: tuple[int, ...]) -> None:
    size = run(tree, dims(sample))
    assert int(size) == run(tree, plain(sample))
    expr = expr_of(size)
    assert expr.value == int(size)
    wanted = run(tree, plain(other))
    text = to_text(expr, called)
    assert eval(text, {}, plain(other)) == wanted, text


@given(TREES, SAMPLES, SAMPLES)
def test_substituted_numbers_give_the_number(tree: str, sample: tuple[int, ...], other: tuple[int, ...]) -> None:
    size = run(tree, dims(sample))
    wanted = run(tree, plain(other))
    numbers = plain(other)
    result = substitute(expr_of(size), lambda a: constant(numbers[a.text]) if isinstance(a, Symbol) else None)
    assert result.constant == wanted


@given(TREES, TREES, SAMPLES, SAMPLES)
def test_substituted_expressions_compose(
    tree: str, inner: str, sample: tuple[int, ...], other: tuple[int, ...]
) -> None:
    """Replacing a symbol by an expression prints what the composed arithmetic gives."""
    names = dims(sample)
    replaced = run(inner, names)
    whole = run(tree, {**names, "a": of_symbol(Symbol(99, "local", "z", int(replaced)))})
    try:
        expr = substitute(expr_of(whole), lambda a: expr_of(replaced) if getattr(a, "text", "") == "z" else None)
    except ZeroDivisionError:
        assume(False)
        raise
    numbers = plain(other)
    wanted = run(tree, {**numbers, "a": run(inner, numbers)})
    assert eval(to_text(expr, called), {}, numbers) == wanted


@given(st.permutations(["a", "b", "(c // 2)", "(d % 3)", "((a + b) // c)", "(a // (b + c))"]), SAMPLES)
def test_order_of_operands_does_not_matter(parts: list[str], sample: tuple[int, ...]) -> None:
    names = dims(sample)
    for sign in "+*":
        left, right = run(f" {sign} ".join(parts), names), run(f" {sign} ".join(sorted(parts)), names)
        assert expr_of(left) == expr_of(right)
        assert hash(expr_of(left)) == hash(expr_of(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("(a + b) * (a - b)", "a * a - b * b"),
        ("2 * a * b // b", "2 * a"),
        ("(4 * a + 3) // 2", "2 * a + 1"),
        ("(a // 2) // 3", "a // 6"),
        ("(a * b + b * b) // (a + b)", "b"),
        ("6 * a % 3", "0 * a"),
        ("(a + b) ** 2", "a * a + 2 * a * b + b * b"),
        ("a << 2", "4 * a"),
        ("a >> 1", "a // 2"),
    ],
)
def test_equal_for_a_reason(left: str, right: str) -> None:
    names = dims((6, 4, 2, 5))
    assert expr_of(eval(left, {}, names)) == expr_of(eval(right, {}, names))


@pytest.mark.parametrize(("left", "right"), [("a", "b + 2"), ("a // 4", "b // 4"), ("a % 4", "c"), ("a - a + c", "2")])
def test_equal_by_chance_is_not_equal(left: str, right: str) -> None:
    names = dims((6, 4, 2, 5))
    one, other = eval(left, {}, names), eval(right, {}, names)
    assert int(one) == int(other)
    assert expr_of(one) != expr_of(other)


class TestExactQuotients:
    def test_heads(self) -> None:
        """`heads * (width // heads)` is `width` where a view proved the division."""
        names = {n: expr_of(s) for n, s in dims((12, 3, 1, 1)).items()}
        quotient = divide_exactly(names["a"], names["b"])
        assert quotient is not None and quotient.value == 4
        assert multiply(names["b"], quotient) == names["a"]
        assert to_text(quotient, called) == "a // b"

    def test_sum_is_divided_as_a_whole(self) -> None:
        """Half of an even sum is no sum of halves: 3 // 2 + 5 // 2 is 3, (3 + 5) // 2 is 4."""
        a, b = (expr_of(s) for s in list(dims((3, 5, 1, 1)).values())[:2])
        quotient = divide_exactly(add(a, b), constant(2))
        assert quotient is not None and quotient.value == 4
        text = to_text(add(quotient, constant(1)), called)
        assert eval(text, {}, {"a": 3, "b": 5}) == 5
        assert text == "(a + b) // 2 + 1"

    def test_quotients_by_different_sizes(self) -> None:
        names = {n: expr_of(s) for n, s in dims((1, 2, 3, 6)).items()}
        half, third = (divide_exactly(names["a"], names[n]) for n in "bd")
        assert half is not None and third is not None
        total = add(add(half, third), divide_exactly(names["a"], names["c"]) or constant(0))  # 1/2 + 1/6 + 1/3
        assert total.value == 1
        assert eval(to_text(total, called), {}, {"a": 1, "b": 2, "c": 3, "d": 6}) == 1

    def test_negative(self) -> None:
        a, b = (expr_of(s) for s in list(dims((6, 4, 1, 1)).values())[:2])
        quotient = divide_exactly(add(constant(0), a, -1), constant(3))
        assert quotient is not None
        assert eval(to_text(add(quotient, b, -1), called), {}, {"a": 6, "b": 4}) == -6
        assert eval(to_text(quotient, called), {}, {"a": 6}) == -2

    @given(TREES, TREES, TREES, SAMPLES, SAMPLES)
    def test_products_divide(
        self, left: str, right: str, third: str, sample: tuple[int, ...], other: tuple[int, ...]
    ) -> None:
        """(x*z + y*z) / z, as a view would prove it, prints exactly for all values."""
        names, numbers = dims(sample), plain(other)
        x, y, z = (run(tree, names) for tree in (left, right, third))
        wanted = run(left, numbers) + run(right, numbers)
        assume(int(z) != 0 and run(third, numbers) != 0)
        quotient = divide_exactly(expr_of(x * z + y * z), expr_of(z))
        assume(quotient is not None)
        assert quotient is not None and quotient.value == int(x) + int(y)
        assert eval(to_text(quotient, called), {}, numbers) == wanted

    @given(SAMPLES, SAMPLES, TREES, TREES, TREES)
    def test_denominators_survive_substitution(
        self, sample: tuple[int, ...], other: tuple[int, ...], up: str, down: str, rest: str
    ) -> None:
        """(p + q) / r with r replaced by a sum: the quotient of the whole, not of its terms."""
        numbers = plain(other)
        at_sample, at_other = ([run(t, plain(v)) for t in (up, down, rest)] for v in (sample, other))
        assume(at_sample[1] and at_other[1])
        p, q, r = (Symbol(50 + i, "local", "pqr"[i], 0) for i in range(3))
        multiple = [at_sample[0] * at_sample[1] - at_sample[2], at_sample[2], at_sample[1]]
        for symbol, value in zip((p, q, r), multiple, strict=True):
            symbol.value = value
        quotient = divide_exactly(add(of_atom(p), of_atom(q)), of_atom(r))
        assert quotient is not None and quotient.value == at_sample[0]
        names = dims(sample)
        u, d, e = (run(tree, names) for tree in (up, down, rest))
        made = {p: expr_of(u * d - e), q: expr_of(e), r: expr_of(d)}
        result = substitute(quotient, lambda atom: made.get(atom))  # type: ignore[arg-type]
        assert eval(to_text(result, called), {}, numbers) == at_other[0]


class TestText:
    def text(self, source: str) -> str:
        names: dict[str, Any] = dims((6, 4, 2, 5))
        return to_text(expr_of(eval(source, {}, names)), called)

    @pytest.mark.parametrize(
        ("source", "wanted"),
        [
            ("a * 4 + 3", "4 * a + 3"),
            ("3 + a", "a + 3"),
            ("a - b", "a - b"),
            ("b * 0 - a", "-a"),
            ("5 - a", "5 - a"),
            ("(a + 1) // 2 + c", "c + (a + 1) // 2"),
            ("-(-a // 2)", "-(-a // 2)"),
            ("a * (b // 3)", "a * (b // 3)"),
            ("(a // 4) % 3", "a // 4 % 3"),
            ("(a + b) % (c + 3)", "(a + b) % (c + 3)"),
            ("a * b * 2", "2 * a * b"),
            ("a - a", "0"),
        ],
    )
    def test_as_a_person_writes(self, source: str, wanted: str) -> None:
        assert sorted(self.text(source).split(" + ")) == sorted(wanted.split(" + "))

    @pytest.mark.parametrize(
        "name", ["x", "-x", "x - 1", "x * 2", "x // 2", "x if x else 1", "x << 1", "x | 1", "x ** 2", "(x)", "x and 3"]
    )
    @pytest.mark.parametrize(
        "shape", ["{} * b + 1", "b - {}", "-{}", "{} // 3", "7 * b // {}", "{} % 4", "{} + {} * {}"]
    )
    def test_names_of_any_binding(self, name: str, shape: str) -> None:
        """A symbol's text may be a whole expression; it keeps its meaning where it stands."""
        number = eval(name, {}, {"x": 5})
        symbol = of_symbol(Symbol(7, "element", name, number))
        source = shape.format(*["s"] * shape.count("{}"))
        size = eval(source, {}, {"s": symbol, "b": dims((6, 4, 2, 5))["b"]})
        text = to_text(expr_of(size), called)
        assert eval(text, {}, {"x": 5, "b": 4}) == int(size)
        assert eval(text, {}, {"x": 3, "b": 9}) == eval(source, {}, {"s": eval(name, {}, {"x": 3}), "b": 9})

    def test_unreachable_symbol_is_unprintable(self) -> None:
        with pytest.raises(Unprintable) as caught:
            to_text(expr_of(dims((6, 4, 2, 5))["a"]), lambda atom: None)
        assert isinstance(caught.value.atom, Symbol)

    def test_bindings_are_ordered(self) -> None:
        texts = ["a if b else c", "a + b", "a * b", "f(a)"]
        levels = [binding_of(text) for text in texts]
        assert levels == sorted(set(levels))


class TestValues:
    @given(TREES, SAMPLES)
    def test_pickle_round_trip(self, tree: str, sample: tuple[int, ...]) -> None:
        """Sizes come back from the child equal to what is computed from the symbols that came with them."""
        names = dims(sample)
        size = run(tree, names)
        back, back_names = pickle.loads(pickle.dumps((size, names)))
        assert int(back) == int(size) and type(back) is type(size)
        again = run(tree, back_names)
        assert expr_of(back) == expr_of(again)
        assert hash(expr_of(back)) == hash(expr_of(again))
        assert {expr_of(again): 1}[expr_of(back)] == 1

    def test_opaque_pickles(self) -> None:
        a = Symbol(1, "parameter", "a", 6)
        opaque = Opaque("int(a * 0.5)", (("a", of_atom(a)), ("other", 17)), 3)
        back_a, back = pickle.loads(pickle.dumps((a, of_atom(opaque))))
        assert back == of_atom(Opaque("int(a * 0.5)", (("a", of_atom(back_a)), ("other", 17)), 3))

    def test_deep_definitions_pickle_after_their_origins(self) -> None:
        """A thousand reads, each defined by the one before: too deep for pickle unless the first go first."""
        expr = constant(3)
        for serial in range(1000):
            definition = add(expr, constant(1)) if serial else None
            expr = of_atom(Symbol(serial, "attribute", "self.channels", 3 + serial, definition=definition))
        origins, back = pickle.loads(pickle.dumps((origins_of([expr]), expr)))
        assert [symbol.serial for symbol in origins] == list(range(1000))
        assert back.symbol is origins[-1] and origins[-1].definition == add(of_atom(origins[-2]), constant(1))

    def test_copies_are_the_same_size(self) -> None:
        expr = expr_of(eval("a // 2 + b % 3", {}, dims((6, 4, 2, 5))))
        assert copy.copy(expr) == expr
        assert copy.deepcopy(expr) == expr

    def test_opaque_atoms_of_other_arguments_differ(self) -> None:
        a, b = (Symbol(i, "parameter", "w", 6) for i in range(2))
        one, other = (of_atom(Opaque("int(w * 0.5)", (("w", of_atom(s)),), 3)) for s in (a, b))
        assert one != other
        assert multiply(one, other) == multiply(other, one)

    def test_symbols_inside_everything(self) -> None:
        a, b, c, d = symbols((6, 4, 2, 5)).values()
        inner = of_atom(Opaque("f(d)", (("d", of_atom(d)),), 3))
        expr = add(floor_divide(of_atom(a), of_atom(b)), multiply(of_atom(c), inner))
        assert set(symbols_of(expr)) == {a, b, c, d}

    def test_substitution_reaches_opaque_arguments(self) -> None:
        a, b = (Symbol(i, "parameter", "w", 6) for i in range(2))
        expr = of_atom(Opaque("int(w * 0.5)", (("w", of_atom(a)),), 3))
        changed = substitute(expr, lambda atom: of_atom(b) if atom is a else None)
        assert changed == of_atom(Opaque("int(w * 0.5)", (("w", of_atom(b)),), 3))

    def test_constant(self) -> None:
        a = of_atom(symbols((6, 4, 2, 5))["a"])
        assert add(a, a, -1).constant == 0
        assert constant(3).constant == 3
        assert a.constant is None
        assert Expr({(): Fraction(1, 2)}).constant is None
