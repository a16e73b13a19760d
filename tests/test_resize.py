"""What a view leaves open, and what it proves."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazygen.symbolic.dim import expr_of, of_symbol
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import FloorDiv, of_atom
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.resize import EXACT, proven, quotient, resize, rooted


def size(name: str, value: int, definition: Any = None, kind: Any = "parameter") -> Any:
    return of_symbol(new_symbol(kind, name, value, definition=None if definition is None else expr_of(definition)))


@pytest.fixture(autouse=True)
def nothing_proven() -> Iterator[None]:
    EXACT.clear()
    yield
    EXACT.clear()


def test_open_size_is_an_exact_quotient() -> None:
    n, length, width, heads = size("n", 2), size("l", 7), size("width", 12), size("heads", 3)
    split = resize((n, length, width), (n, length, heads, -1))
    assert [int(s) for s in split] == [2, 7, 3, 4]
    assert expr_of(split[3] * heads) == expr_of(width)
    assert expr_of(resize(split, (n, length, -1))[2]) == expr_of(width)


def test_flattened_maps() -> None:
    n, channels, height, width = size("n", 2), size("c", 5), size("h", 9), size("w", 8)
    pooled = (n, channels, (height - 1) // 2, width // 2)
    assert expr_of(resize(pooled, (n, -1))[1]) == expr_of(channels * ((height - 1) // 2) * (width // 2))
    assert expr_of(resize(pooled, (-1, channels * ((height - 1) // 2) * (width // 2)))[0]) == expr_of(n)


def test_sums_divide_as_polynomials() -> None:
    n, a, b = size("n", 2), size("a", 3), size("b", 4)
    assert expr_of(resize((n, a * a + a * b), (n, a + b, -1))[2]) == expr_of(a)
    assert expr_of(resize((n, a + b), (-1, a + b))[0]) == expr_of(n)


def test_literals_stay_literals() -> None:
    n, channels = size("n", 2, kind="free"), size("c", 5)
    given = resize((n, channels), (2, -1))
    assert type(given[0]) is int
    assert int(given[1]) == 5 and expr_of(given[1]) != expr_of(channels)  # the author's 2 is not n
    assert [type(s) for s in resize((n, 6), (2, 6))] == [int, int]


def test_explicit_view_proves_a_floor_division() -> None:
    n, width, heads = size("n", 2), size("width", 12), size("heads", 3)
    each = width // heads
    assert expr_of(heads * each) != expr_of(width)
    split = resize((n, width), (n, heads, each))
    assert expr_of(split[1] * split[2]) == expr_of(width)
    assert proven(expr_of(heads * each)) == expr_of(width)
    assert expr_of(resize((n, heads, each), (n, -1))[1]) == expr_of(width)


def test_proof_through_definitions() -> None:
    outer_width, outer_heads = size("cfg.width", 12, 12), size("cfg.heads", 3, 3)
    width, heads = size("width", 12, outer_width), size("heads", 3, outer_heads)
    each = size("self.each", 4, size("each", 4, width // heads), "attribute")
    read = size("self.heads", 3, heads, "attribute")
    resize((5, outer_width), (5, read, each))
    assert len(EXACT) == 1
    for text in (width // heads * heads, outer_width // outer_heads * outer_heads, width // read * read):
        assert proven(expr_of(text)).constant is None
        assert not any(isinstance(atom, FloorDiv) for atom in proven(expr_of(text)).atoms())
    assert proven(expr_of(width // heads * heads)) == expr_of(width)
    assert rooted(expr_of(each)) == of_atom(FloorDiv(expr_of(outer_width), expr_of(outer_heads)))


def test_open_size_by_definitions() -> None:
    n, length, heads, each = size("n", 2), size("l", 7), size("heads", 3), size("each", 4)
    inner = size("inner", 12, heads * each, "local")
    split = resize((n, length, inner), (n, -1, heads, each))
    assert expr_of(split[1]) == expr_of(length)
    assert expr_of(resize((n, length, 12), (n, -1, 12))[1]) == expr_of(length)
    assert expr_of(resize((n, inner), (-1, heads, each))[0]) == expr_of(n)
    assert resize((inner,), (heads, -1, each))[1] == 1


def test_open_size_by_what_was_proven() -> None:
    n, length, width, heads = size("n", 2), size("l", 7), size("width", 12), size("heads", 3)
    each = size("self.each", 4, width // heads, "attribute")
    assert expr_of(resize((n, length, width), (n, -1, heads, each))[1]) != expr_of(length)  # nothing says it is exact
    resize((n, length, width), (n, length, heads, each))
    assert expr_of(resize((n, length, width), (n, -1, heads, each))[1]) == expr_of(length)


def test_two_floors_are_proven_together() -> None:
    n, a, b, c, d = size("n", 2), size("a", 12), size("b", 3), size("c", 10), size("d", 5)
    resize((n, a, c), (n, b * d, a // b, c // d))
    assert proven(expr_of((a // b) * b + (c // d) * d)) == expr_of(a + c)


def test_no_proof_by_chance() -> None:
    n, width, heads, other = size("n", 2), size("width", 12), size("heads", 3), size("other", 12)
    resize((n, other), (n, heads, width // heads))
    resize((n, 12), (n, 3, width // 3))
    resize((n, 6), (n, width // 2))
    resize((n, width // 2), (n, other // 2))
    assert EXACT == {}


def test_floor_of_the_input_is_proven_too() -> None:
    n, width = size("n", 2), size("width", 12)
    resize((n, 2, width // 2), (n, width))
    assert proven(expr_of(2 * (width // 2))) == expr_of(width)


@given(st.lists(st.integers(1, 6), max_size=4), st.lists(st.integers(1, 12), max_size=4), st.integers(-1, 4))
def test_numbers(shape: list[int], sizes: list[int], at: int) -> None:
    """Against the definition: the products are equal, and -1 is the only size that makes them so."""
    wanted = [*sizes[:at], -1, *sizes[at:]] if 0 <= at <= len(sizes) else sizes
    total, known = prod(shape), prod(sizes)
    fits = total % known == 0 if -1 in wanted else total == known
    symbols = [size(f"s{n}", number) for n, number in enumerate(shape)]
    if not fits:
        with pytest.raises(ShapeError):
            resize(symbols, wanted)
        return
    found = resize(symbols, wanted)
    assert prod(int(s) for s in found) == total
    assert all(expr_of(s).value == int(s) for s in found)


def test_quotient() -> None:
    a, b = size("a", 12), size("b", 3)
    assert expr_of(quotient(a * b, b)) == expr_of(a)
    assert expr_of(quotient(a, b) * b) == expr_of(a)
    assert quotient(12, 4) == 3 and type(quotient(12, 4)) is int


@pytest.mark.parametrize(
    ("shape", "sizes", "message"),
    [
        ((2, 16, 15, 15), (2, -1, 7), "view of (2, 16, 15, 15) as (2, -1, 7): 7200 elements do not divide by 14"),
        ((2, 6), (5, 2), "view of (2, 6) as (5, 2): 12 elements are not 10"),
        ((2, 6), (-1, -1), "view of (2, 6) as (-1, -1): only one size can be left open"),
        ((2, 6), (-3, 4), "view of (2, 6) as (-3, 4): a size cannot be negative"),
        ((2, 0), (0, -1), "view of (2, 0) as (0, -1): -1 could be any size where another is 0"),
    ],
)
def test_messages(shape: tuple[int, ...], sizes: tuple[int, ...], message: str) -> None:
    with pytest.raises(ShapeError) as caught:
        resize(shape, sizes)
    assert caught.value.message == message and caught.value.code == "LZ202"
