"""Texts of sizes (`lift/terms.py`, `elements.py`, `evaluate.py`)."""

from __future__ import annotations

import pytest

from lazygen.diagnostics import Place
from lazygen.lift.elements import by_key, counted_from_end
from lazygen.lift.evaluate import UNKNOWN, evaluate
from lazygen.lift.terms import tidied
from lazygen.trace.model import Frame


def frame(**values: object) -> Frame:
    place = Place("model.py", 1, 0, 1, 1)
    return Frame(place, "Net.__init__", 1, place, (), (), tuple(values.items()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 ** (base + (i - 1))", "2 ** (base + i - 1)"),
        ("base + 0", "base"),
        ("a * (b * c)", "a * b * c"),
        ("a - (b - c)", "a - (b - c)"),
        ("a * (b // c)", "a * (b // c)"),
        ("a * (b + c)", "a * (b + c)"),
    ],
)
def test_parentheses_go_where_they_say_nothing(text: str, expected: str) -> None:
    assert tidied(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("widths[2]", ["widths[-1]"]),
        ("widths[1]", ["widths[1]", "widths[-2]"]),
        ("stages[1][0]", ["stages[-1][0]"]),
        ("width", []),
        ("single[0]", ["single[0]", "single[-1]"]),
    ],
)
def test_elements_are_counted_from_the_end(text: str, expected: list[str]) -> None:
    assert list(counted_from_end(text, frame(widths=(4, 5, 6), stages=((1, 2), (3, 4)), single=(7,)))) == expected


def test_a_key_is_said_by_the_loop_variable_that_it_is() -> None:
    here = frame(widths={"a": 4, "b": 5}, name="a", other="b")
    assert by_key('widths["a"]', here, frozenset({"name"})) == "widths[name]"
    assert by_key('widths["b"]', here, frozenset({"name"})) == "widths['b']"


def test_a_text_is_evaluated_in_a_frame() -> None:
    here = frame(widths=(4, 5), d={"a": 4, "b": 5})
    assert evaluate("[sum(widths[:i]) for i in range(len(widths))]", here) == [0, 4]
    assert evaluate("list(d.values())[:-1]", here) == [4]
    assert evaluate("elsewhere + 1", here) is UNKNOWN
    assert evaluate("widths[7]", here) is None
