"""Syntax errors as findings, and columns in code points."""

from __future__ import annotations

import ast
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazygen.diagnostics import Diagnostic, Refused
from lazygen.emit.positions import Positions
from lazygen.frontend.parse import byte_to_column, parse, split_lines


def refusal(text: str) -> Diagnostic:
    with pytest.raises(Refused) as caught:
        parse(text, "model.py")
    (finding,) = caught.value.diagnostics
    assert finding.place is not None and finding.place.path == "model.py"
    return finding


@pytest.mark.parametrize(
    ("text", "line", "column", "part"),
    [
        ("x = (1\n", 1, 4, "never closed"),
        ("x = 1\ny = 'é日' 1)\n", 2, 10, "unmatched ')'"),
        ("'é日' = 1\n", 1, 0, "cannot assign"),
        ("def f():\nx = 1\n", 2, 0, "indented block"),
        ("if a:\n    x\n  y\n", 3, 3, "unindent"),
        ("x = 'é\n", 1, 4, "unterminated"),
        ("é = 日 日\n", 1, 6, "invalid syntax"),
        ("x =", 1, 3, "invalid syntax"),
        ("x = 1\nprint 2\n", 2, 0, "parentheses"),
        ("", 0, 0, ""),
    ],
)
def test_places_of_syntax_errors(text: str, line: int, column: int, part: str) -> None:
    if not text:
        assert parse(text, "model.py").body == []
        return
    finding = refusal(text)
    assert finding.code == "LZ001" and part in finding.message
    place = finding.place
    assert place is not None and (place.line, place.column) == (line, column)
    assert (place.end_line, place.end_column) >= (place.line, place.column)


def test_a_nul_character() -> None:
    finding = refusal("x = 1\ny = 'é\0'\n")
    assert finding.code == "LZ001" and finding.place is not None
    assert (finding.place.line, finding.place.column) == (2, 6)


@pytest.mark.parametrize("text", ["(" * 5000 + ")" * 5000, "x" + ".a" * 100_000, "-" * 100_000 + "1"])
def test_too_deep_is_refused(text: str) -> None:
    assert refusal(text).code in ("LZ001", "LZ002")


def test_warnings_of_the_source_are_not_ours() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(parse("x = '\\d'\ny = 1 is 1\n", "model.py").body) == 2


def test_lines_are_those_of_python() -> None:
    assert split_lines("a\nb\r\nc\rd") == ["a\n", "b\r\n", "c\r", "d"]
    assert split_lines("a\x0cb\x1cc\u2028d\x85e\n\n") == ["a\x0cb\x1cc\u2028d\x85e\n", "\n"]
    assert split_lines("") == []


@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(0, 40))
def test_bytes_to_columns(line: str, column: int) -> None:
    column = min(column, len(line))
    assert byte_to_column(line, len(line[:column].encode())) == column


def test_spans_of_a_source_that_is_not_ascii() -> None:
    text = "é = '日本', f(1); y = g('😀', h(2))\r\nz = '''ü\né''', k(3)\n"
    positions = Positions(text)
    calls = [node for node in ast.walk(parse(text, "model.py")) if isinstance(node, ast.Call)]
    assert sorted(positions.text(positions.span(call)) for call in calls) == ["f(1)", "g('😀', h(2))", "h(2)", "k(3)"]
    assert positions.start(next(call for call in calls if ast.unparse(call) == "k(3)")) == (3, 6)
