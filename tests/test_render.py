"""Findings as text: each test shows the whole block, as a person sees it."""

from __future__ import annotations

from itertools import pairwise
from textwrap import dedent

import pytest

from lazygen.diagnostics import Diagnostic, Note, Place
from lazygen.render import COMMAND_LINE, WIDEST_LINE, arrange, render

SOURCE = dedent("""\
    import torch

    def forward(self, x):
        x = merge(torch.cat([skip, up(x)], dim=1))
        return x
    """)


def place(line: int, column: int, end_column: int, *, end_line: int | None = None, path: str = "model.py") -> Place:
    return Place(path, line, column, line if end_line is None else end_line, end_column)


def shown(diagnostic: Diagnostic, text: str = SOURCE) -> str:
    return render([diagnostic], {"model.py": text})


def block(text: str) -> str:
    return dedent(text).lstrip("\n")


def carets_mark(rendered: str) -> list[str]:
    """The characters above the carets of a block, in lines of one terminal column a character."""
    lines = rendered.splitlines()
    marked = []
    for above, below in pairwise(lines):
        if "^" in below:
            marked.append(above[below.index("^") : below.rindex("^") + 1])
    return marked


def test_the_whole_form() -> None:
    diagnostic = Diagnostic(
        "LZ201",
        "sizes do not meet in torch.cat along dim 1",
        place(4, 14, 45),
        notes=(Note("skip is (2, 16, 15, 15)", place(3, 0, 3)), Note("dim 2 is 15 and 14")),
        helps=("sizes divisible by 4 come back to themselves",),
    )
    assert shown(diagnostic) == block("""
        error[LZ201]: sizes do not meet in torch.cat along dim 1
         --> model.py:4:15
          |
        4 |     x = merge(torch.cat([skip, up(x)], dim=1))
          |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          = note: skip is (2, 16, 15, 15), from model.py:3
          = note: dim 2 is 15 and 14
          = help: sizes divisible by 4 come back to themselves
        """)


def test_the_gutter_is_as_wide_as_the_number() -> None:
    text = "\n" * 30 + "x = y\n"
    assert shown(Diagnostic("LZ101", "what is y", place(31, 4, 5)), text) == block("""
        error[LZ101]: what is y
          --> model.py:31:5
           |
        31 | x = y
           |     ^
        """)


def test_without_a_place() -> None:
    diagnostic = Diagnostic("LZ110", "no input shape", helps=("write --input-shape 8,3,32,32",))
    assert shown(diagnostic) == "error[LZ110]: no input shape\n  = help: write --input-shape 8,3,32,32\n"


def test_without_a_code_or_a_known_text() -> None:
    diagnostic = Diagnostic("", "odd", place(7, 2, 3, path="other.py"), severity="warning")
    assert shown(diagnostic) == "warning: odd\n --> other.py:7:3\n"


def test_a_span_of_a_few_lines_is_shown_whole() -> None:
    text = "x = cat(\n    [a],  \n\n    dim=1)\n"
    assert shown(Diagnostic("LZ201", "no", place(1, 4, 10, end_line=4)), text) == block("""
        error[LZ201]: no
         --> model.py:1:5
          |
        1 | x = cat(
          |     ^^^^
        2 |     [a],
          |     ^^^^
        3 |
        4 |     dim=1)
          |     ^^^^^^
        """)


def test_a_span_of_many_lines_is_shown_by_its_ends() -> None:
    text = "x = cat(\n" + "    a,\n" * 20 + ")\n"
    assert shown(Diagnostic("LZ201", "no", place(1, 4, 1, end_line=22)), text) == block("""
        error[LZ201]: no
           --> model.py:1:5
            |
          1 | x = cat(
            |     ^^^^
          2 |     a,
            |     ^^
        ... |
         22 | )
            | ^
        """)


def test_tabs_take_their_columns() -> None:
    rendered = shown(Diagnostic("LZ201", "no", place(1, 7, 8)), "\tx = \t y\n")
    assert "\t" not in rendered
    assert carets_mark(rendered) == ["y"]


def test_wide_and_combining_characters() -> None:
    text = 'f("日本", "e\u0301", wrong)\n'
    start = text.index("wrong")
    rendered = shown(Diagnostic("LZ201", "no", place(1, start, start + 5)), text)
    quoted, carets = rendered.splitlines()[-2:]
    # Two characters take two columns each, and the accent takes none.
    assert carets.index("^") == quoted.index("wrong") + 2 - 1
    assert carets.count("^") == 5


def test_wide_characters_are_underlined_whole() -> None:
    rendered = shown(Diagnostic("LZ201", "no", place(1, 1, 3)), '"日本"\n')
    assert rendered.splitlines()[-1].count("^") == 4


@pytest.mark.parametrize("start", [0, 3, 60, 300, 560, 590, 595])
def test_a_very_long_line_is_cut_around_the_span(start: int) -> None:
    text = "".join(f"{number:05d}" for number in range(120))
    rendered = shown(Diagnostic("LZ201", "no", place(1, start, start + 5)), text)
    assert carets_mark(rendered) == [text[start : start + 5]]
    assert max(map(len, rendered.splitlines())) <= WIDEST_LINE + 4
    assert rendered.splitlines()[3].endswith("...") == (start < 400)


def test_a_span_longer_than_the_window_is_cut_too() -> None:
    rendered = shown(Diagnostic("LZ201", "no", place(1, 10, 900)), "x" * 1000)
    assert max(map(len, rendered.splitlines())) <= WIDEST_LINE + 4
    assert rendered.splitlines()[-1].count("^") > 80


@pytest.mark.parametrize(
    ("line", "column", "end_column", "marked"),
    [(5, 4, 12, "return x"), (5, 50, 60, ""), (5, 4, 4, "r"), (6, 0, 0, ""), (99, 3, 7, "")],
)
def test_places_at_or_behind_the_end_do_not_hurt(line: int, column: int, end_column: int, marked: str) -> None:
    rendered = shown(Diagnostic("LZ001", "unexpected end", place(line, column, end_column)))
    assert rendered.count("^") == max(1, len(marked))
    assert carets_mark(rendered)[0] == marked


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_newline_counts_as_one(newline: str) -> None:
    text = newline.join(["a", "b\fc", "wrong", ""])
    assert carets_mark(shown(Diagnostic("LZ001", "no", place(3, 0, 5)), text)) == ["wrong"]


def test_nothing_steers_the_terminal() -> None:
    diagnostic = Diagnostic("LZ001", "red \033[31m", place(1, 0, 1), helps=("bell \a",))
    rendered = shown(diagnostic, "x\033[2Jy\n")
    assert "\033" not in rendered and "\a" not in rendered
    assert "red \\x1b[31m" in rendered


def test_further_lines_of_a_sentence_hang() -> None:
    rendered = shown(Diagnostic("LZ110", "several models", helps=("choose one:\n--entry A\n--entry B",)))
    assert rendered.splitlines()[1:] == ["  = help: choose one:", "          --entry A", "          --entry B"]


def test_the_command_line_has_no_numbers() -> None:
    text = "--entry Net\n--input-shape 8,3O"
    diagnostic = Diagnostic("LZ050", '"3O" is not a size', place(2, 16, 18, path=COMMAND_LINE))
    assert render([diagnostic], {COMMAND_LINE: text}) == block("""
        error[LZ050]: "3O" is not a size
         --> command line
          |
          | --input-shape 8,3O
          |                 ^^
        """)


def test_findings_come_once_and_in_order() -> None:
    late = Diagnostic("LZ201", "late", place(5, 0, 1))
    early = Diagnostic("LZ201", "early", place(2, 8, 9), notes=(Note("why"),))
    early_warning = Diagnostic("LZ100", "early too", place(2, 8, 9), severity="warning")
    nowhere = Diagnostic("LZ110", "nowhere")
    other = Diagnostic("LZ201", "other", place(1, 0, 1, path="z.py"))
    given = [nowhere, other, late, early_warning, early, late, early]
    assert arrange(given) == [early, early_warning, late, other, nowhere]
    assert render(given, {}).count("\n\n") == 4
    assert render([], {}) == ""


def test_color_only_adds_escapes() -> None:
    import re

    diagnostic = Diagnostic("LZ201", "no", place(4, 14, 45), notes=(Note("why"),), helps=("so",))
    plain = render([diagnostic], {"model.py": SOURCE})
    colored = render([diagnostic], {"model.py": SOURCE}, color=True)
    assert "\033" not in plain
    assert colored.startswith("\033[1;31merror[LZ201]\033[0m")
    assert re.sub(r"\033\[[\d;]*m", "", colored) == plain
