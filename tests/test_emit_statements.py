"""Statements that come, go, and lose the `with` around them."""

from __future__ import annotations

import ast
import textwrap

import black
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lazygen.diagnostics import Refused
from lazygen.emit import emit
from lazygen.emit.positions import Positions
from lazygen.lift.plan import (
    AddArguments,
    AddParameter,
    DeleteStatement,
    Edit,
    InsertStatements,
    NewArgument,
    Plan,
    ReplaceExpression,
    ReplaceName,
    UnwrapWith,
)


def statements(text: str) -> list[ast.stmt]:
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]


def marked(text: str, mark: str) -> list[ast.stmt]:
    """The innermost statements that begin on a line with the mark."""
    lines = Positions(text).lines
    return [s for s in statements(text) if mark in lines[s.lineno - 1]]


def inserted(text: str, new: str, before: bool = True, mark: str = "HERE", line_length: int | None = None) -> str:
    positions = Positions(text)
    edits = [InsertStatements(positions.span(s), new, before) for s in marked(text, mark) if mark in ast.unparse(s)]
    assert edits
    return emit(text, Plan(tuple(edits)), line_length=line_length)


def deleted(text: str, mark: str = "HERE") -> str:
    positions = Positions(text)
    edits = [DeleteStatement(positions.span(s)) for s in marked(text, mark) if mark in ast.unparse(s)]
    assert edits
    return emit(text, Plan(tuple(edits)))


def unwrapped(text: str, *items: int, line_length: int | None = None) -> str:
    positions = Positions(text)
    edits = [UnwrapWith(positions.span(s), items) for s in statements(text) if isinstance(s, (ast.With, ast.AsyncWith))]
    assert edits
    return emit(text, Plan(tuple(edits)), line_length=line_length)


BEFORE = [
    ("HERE = 1", "new = 2\nHERE = 1"),
    ("a  = 0\nHERE = 1  # é\nb  = 2", "a  = 0\nnew = 2\nHERE = 1  # é\nb  = 2"),
    ("a  = 0\n\n# why\nHERE = 1", "a  = 0\n\nnew = 2\n# why\nHERE = 1"),
    ("a  = 0\n# why\n\n# then\nHERE = 1", "a  = 0\nnew = 2\n# why\n\n# then\nHERE = 1"),
    ("if a :\n  HERE = 1", "if a :\n  new = 2\n  HERE = 1"),
    ("if a :\n  # why\n  HERE = 1", "if a :\n  new = 2\n  # why\n  HERE = 1"),
    ("if a :\n  b\nelse :\n  HERE = 1", "if a :\n  b\nelse :\n  new = 2\n  HERE = 1"),
    ("if a : HERE = 1", "if a :\n    new = 2\n    HERE = 1"),
    ("if a : b = 2; HERE = 1  # why", "if a :\n    b = 2\n    new = 2\n    HERE = 1  # why"),
    ("class A: HERE = 1 ; b=2", "class A:\n    new = 2\n    HERE = 1 ; b=2"),
    ("a=0; HERE = 1 ; b  = 2 # c", "a=0\nnew = 2\nHERE = 1 ; b  = 2 # c"),
    ("# why\nHERE = 1 ; b  = 2;", "# why\nnew = 2\nHERE = 1 ; b  = 2;"),
    ("a  = 0\nfor HERE in  x :\n  pass", "a  = 0\nnew = 2\nfor HERE in  x :\n  pass"),
    ("a  = 0\ntry :\n  HERE\nfinally :\n  pass", "a  = 0\ntry :\n  new = 2\n  HERE\nfinally :\n  pass"),
    ("a  = 0\n\n\n\nclass HERE :\n  pass", "a  = 0\n\n\n\nnew = 2\n\n\nclass HERE :\n  pass"),
    ("a  = 0\n\n\n# why\nclass HERE :\n  pass", "a  = 0\n\n\nnew = 2\n\n\n# why\nclass HERE :\n  pass"),
    ("a  = 0\n\n\n@deco( 1 )\ndef HERE() : pass", "a  = 0\n\n\nnew = 2\n\n\n@deco( 1 )\ndef HERE() : pass"),
    ("class B :\n  def HERE() : pass", "class B :\n  new = 2\n\n  def HERE() : pass"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("before", "after"), BEFORE)
def test_before(before: str, after: str, newline: str) -> None:
    head = "z  = 0\n"
    before, after = f"{head}{before}\n", f"{head}{after}\n"
    if before.startswith(f"{head}# why\nHERE"):
        after = f"{head}new = 2\n# why\nHERE = 1 ; b  = 2;\n"
    if "  b\nelse" in before or ":\n  " in before:
        after = after.replace("    ", "  ")
    assert with_text_of_marked(before.replace("\n", newline), "new = 2") == after.replace("\n", newline)


def with_text_of_marked(text: str, new: str, before: bool = True) -> str:
    """`new` beside the one statement that speaks of HERE itself, not of a block with it."""
    positions = Positions(text)
    found = [s for s in statements(text) if "HERE" in ast.unparse(s).split("\n  ")[0]]
    chosen = found[-1] if not isinstance(found[-1], ast.Pass) else found[0]
    return emit(text, Plan((InsertStatements(positions.span(chosen), new, before),)))


BEHIND = [
    ("HERE = 1  # é\nb  = 2", "HERE = 1  # é\nnew = 2\nb  = 2"),
    ("HERE = 1\n\n# then\nb  = 2", "HERE = 1\nnew = 2\n\n# then\nb  = 2"),
    ("if a :\n  HERE = 1\n  # end\nb  = 2", "if a :\n  HERE = 1\n  new = 2\n  # end\nb  = 2"),
    ("if a : HERE = 1; b = 2", "if a :\n    HERE = 1\n    new = 2\n    b = 2"),
    ("HERE = 1 ; b  = 2 # c", "HERE = 1\nnew = 2\nb  = 2 # c"),
    ("class HERE :\n  pass\nb  = 2", "class HERE :\n  pass\n\n\nnew = 2\nb  = 2"),
    ("for HERE in  x :\n  pass\nelse:\n  pass\nb  = 2", "for HERE in  x :\n  pass\nelse:\n  pass\nnew = 2\nb  = 2"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("before", "after"), BEHIND)
def test_behind(before: str, after: str, newline: str) -> None:
    before, after = (f"z  = 0\n{text}\n".replace("\n", newline) for text in (before, after))
    assert with_text_of_marked(before, "new = 2\n", before=False) == after


def test_a_copy_of_a_class_behind_it() -> None:
    text = "import a\n\n\nclass HERE(a.B):\n    x = 1\n\n\ny = 2\n"
    copy = "# HERE for 64 channels.\nclass Other(a.B):\n    x = 'é'\n\n    def f(self): return 1\n"
    expected = (
        "import a\n\n\nclass HERE(a.B):\n    x = 1\n\n\n# HERE for 64 channels.\nclass Other(a.B):\n"
        '    x = "é"\n\n    def f(self):\n        return 1\n\n\ny = 2\n'
    )
    assert with_text_of_marked(text, copy, before=False) == expected
    tabs = text.replace("    ", "\t").replace("\n", "\r\n")
    result = with_text_of_marked(tabs, copy, before=False)
    assert "\r\n\tdef f(self):\r\n\t\treturn 1\r\n\r\n\r\ny = 2\r\n" in result
    assert result.count("\n") == result.count("\r\n")
    last = "class HERE: pass"
    assert with_text_of_marked(last, "class B:\n    pass", before=False) == f"{last}\n\n\nclass B:\n    pass"


def test_several_texts_at_one_place_keep_their_order() -> None:
    text = "z  = 0\nx = 1\n"
    span = Positions(text).span(ast.parse(text).body[1])
    texts = [("a = 1", True), ("b = 1", True), ("c = 1", False), ("# d\nd = 1\n# end", False)]
    edits = [InsertStatements(span, new, before) for new, before in texts]
    assert emit(text, Plan(tuple(edits))) == "z  = 0\na = 1\nb = 1\nx = 1\nc = 1\n# d\nd = 1\n# end\n"
    gone = Plan((*edits, DeleteStatement(span)))
    assert emit(text, gone) == "z  = 0\na = 1\nb = 1\nc = 1\n# d\nd = 1\n# end\n"


DELETED = [
    ("a  = 1\nHERE = 1  # é\nb  = 2", "a  = 1\nb  = 2"),
    ("a  = 1\n# why\nHERE = 1\nb  = 2", "a  = 1\n# why\nb  = 2"),
    ("a  = 1\n\nHERE = 1\n\n\nb  = 2", "a  = 1\n\n\nb  = 2"),
    ("a  = 1\n\n\nHERE = 1\nb  = 2", "a  = 1\n\n\nb  = 2"),
    ("if a :\n  HERE = 1\nb  = 2", "if a :\n  pass\nb  = 2"),
    ("if a :\n  # why\n  HERE = 1\n  # end\nb  = 2", "if a :\n  # why\n  pass\n  # end\nb  = 2"),
    ("if a :\n  HERE = 1\n\n  c  = 1", "if a :\n  c  = 1"),
    ("if a : HERE = 1", "if a : pass"),
    ("if a : HERE = 1; b  = 1", "if a : b  = 1"),
    ("a=0; HERE = 1 ;", "a=0 ;"),
    ("a=0; HERE = 1 # é", "a=0 # é"),
    ("HERE = 1; a=0", "a=0"),
    ("a  = 1\nfor HERE in b:\n  c\nelse:\n  d\ne  = 1", "a  = 1\ne  = 1"),
    ("a  = 1\n\n\n@deco\ndef HERE():\n  c\n\n\ne  = 1", "a  = 1\n\n\ne  = 1"),
    ("def f( ):\n  a  = 1\n  if HERE:\n    c\n  # end", "def f( ):\n  a  = 1\n  # end"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("before", "after"), DELETED)
def test_deleted(before: str, after: str, newline: str) -> None:
    before, after = (f"z  = 0\n{text}\n".replace("\n", newline) for text in (before, after))
    positions = Positions(before)
    found = [s for s in statements(before) if "HERE" in ast.unparse(s).partition("\n  ")[0]]
    assert emit(before, Plan((DeleteStatement(positions.span(found[-1])),))) == after


WITHS = [
    ("with a:\n  b  = 1", "b  = 1"),
    ("with a : b  = 1; c=2 # é", "b  = 1; c=2 # é"),
    (
        "# why\nwith a: # head\n  # first\n  b  = 1 # one\n  # end\nc  = 1",
        "# why\n# head\n# first\nb  = 1 # one\n# end\nc  = 1",
    ),
    (
        "if x :\n  with a:\n    b  = 1\n    if y :\n      c  = [\n        1]",
        "if x :\n  b  = 1\n  if y :\n    c  = [\n      1]",
    ),
    ("with a:\n  with b:\n    c  = 1\n  d  = 1", "c  = 1\nd  = 1"),
    ("with a:\n  x  = '''\n  as it is\n'''\n\n\n\n\n  y  = 1", "x  = '''\n  as it is\n'''\n\n\n\n\ny  = 1"),
    ("async  with a as b, c:\n  d  = 1", "d  = 1"),
    ("with a:\n  b  = f(1, # one\n2)", "b  = f(1, # one\n2)"),
    ("if x :\n  with a:\n    b  = 1\n  # out\nc  = 1", "if x :\n  b  = 1\n  # out\nc  = 1"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("before", "after"), WITHS)
def test_unwrapped(before: str, after: str, newline: str) -> None:
    before, after = (f"async def f( ):\n  z  = 0\n{textwrap.indent(t, '  ')}\n" for t in (before, after))
    before, after = (text.replace("  as it is", "as it is").replace("  '''", "'''") for text in (before, after))
    assert unwrapped(before.replace("\n", newline)) == after.replace("\n", newline)


ITEMS = [
    ("with a, b as c:\n  d", (0,), "with b as c:\n  d"),
    ("with a, b as c :  # é\n  d", (1,), "with a :  # é\n  d"),
    ("with  (\n  a,  # one\n  b as c,\n):\n  d", (0,), "with  (\n  b as c,\n):\n  d"),
    ("with  (\n  a,  # one\n  b as c,\n):\n  d", (1,), "with  (\n  a,  # one\n):\n  d"),
    ("with ( a, b ):\n  d", (1,), "with ( a ):\n  d"),
    ("with a, b, c:\n  d", (0, 2), "with b:\n  d"),
    ("with a, b:\n  d", (0, 1), "d"),
]


@pytest.mark.parametrize(("before", "items", "after"), ITEMS)
def test_some_items(before: str, items: tuple[int, ...], after: str) -> None:
    assert unwrapped(f"z  = 0\n{before}\n", *items) == f"z  = 0\n{after}\n"


def test_what_moves_is_laid_out_anew() -> None:
    text = (
        "with scope():\n    x = a_function(\n"
        "        first_argument, second_argument, third_argument, fourth_arg\n    )\n"
        "    y = 1\n\n    def f():\n        pass\n\n    z = 2\n"
    )
    mode = black.Mode(line_length=78)
    assert black.format_str(text, mode=mode) == text
    result = unwrapped(text, line_length=78)
    assert result.startswith(
        "x = a_function(first_argument, second_argument, third_argument, fourth_arg)\ny = 1\n\n\ndef f"
    )
    assert black.format_str(result, mode=mode) == result


def plan_conflicts() -> list[tuple[str, list[Edit]]]:
    text = "z  = 0\nif a:\n    x = 1\nwith b:\n    y = 1\n"
    positions = Positions(text)
    tree = ast.parse(text)
    branch, block = tree.body[1], tree.body[2]
    assert isinstance(branch, ast.If) and isinstance(block, ast.With)
    gone, kept = DeleteStatement(positions.span(branch)), DeleteStatement(positions.span(block))
    return [
        (text, [gone, InsertStatements(positions.span(branch.body[0]), "n = 1")]),
        (text, [kept, UnwrapWith(positions.span(block))]),
        (text, [UnwrapWith(positions.span(block)), UnwrapWith(positions.span(block), (0,))]),
    ]


@pytest.mark.parametrize("number", range(3))
def test_edits_that_exclude_each_other(number: int) -> None:
    text, edits = plan_conflicts()[number]
    with pytest.raises(Refused) as caught:
        emit(text, Plan(tuple(edits)))
    assert caught.value.diagnostics[0].code == "LZ904"


def test_no_statement_of_that_kind() -> None:
    text = "if a:\n    x = 1\nelif b:\n    x = 2\n"
    positions = Positions(text)
    branch = ast.parse(text).body[0]
    assert isinstance(branch, ast.If)
    for edit in (UnwrapWith(positions.span(branch)), InsertStatements(positions.span(branch.orelse[0]), "n = 1")):
        with pytest.raises(Refused) as caught:
            emit(text, Plan((edit,)))
        assert caught.value.diagnostics[0].code == "LZ903"


def test_all_kinds_of_edits_in_one_function() -> None:
    text = textwrap.dedent(
        '''\
        import tools
        from torch.nn import LazyLinear, ReLU


        class Net(tools.Base):
            """A net.

            Args:
                widths: sizes
            """

            def __init__(self, widths):
                super().__init__()
                with tools.scope():
                    layers = []
                    for width in widths:
                        layers.append(LazyLinear(width))
                        layers.append(ReLU())
                    self(tools.zeros())  # for the sizes
                self.body = tools.Chain(*layers, LazyLinear(2))
        '''
    )
    tree, positions = ast.parse(text), Positions(text)
    function = next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef))
    loop = next(n for n in ast.walk(tree) if isinstance(n, ast.For))
    block = next(n for n in ast.walk(tree) if isinstance(n, ast.With))
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func) == "LazyLinear"]
    edits: list[Edit] = [
        AddParameter(positions.span(function), "in_features"),
        ReplaceExpression(positions.span(loop.target), "before, width"),
        ReplaceExpression(positions.span(loop.iter), "zip(sizes, widths, strict=True)"),
        UnwrapWith(positions.span(block)),
        DeleteStatement(positions.span(block.body[-1])),
        InsertStatements(positions.span(loop), "sizes = (in_features, *widths[:-1])"),
    ]
    for call in calls:
        inner = call.args[0]
        edits.append(ReplaceName(positions.span(call.func), "torch.nn", "Linear"))
        edits.append(
            AddArguments(positions.span(call), (NewArgument("n", "before" if "width" in ast.unparse(inner) else "8"),))
        )
    expected = textwrap.dedent(
        '''\
        import tools
        from torch.nn import Linear, ReLU


        class Net(tools.Base):
            """A net.

            Args:
                in_features: number of input features
                widths: sizes
            """

            def __init__(self, in_features, widths):
                super().__init__()
                layers = []
                sizes = (in_features, *widths[:-1])
                for before, width in zip(sizes, widths, strict=True):
                    layers.append(Linear(before, width))
                    layers.append(ReLU())
                self.body = tools.Chain(*layers, Linear(8, 2))
        '''
    )
    assert emit(text, Plan(tuple(edits))) == expected
    crlf = text.replace("\n", "\r\n")
    assert emit(crlf, Plan(tuple(edits))) == expected.replace("\n", "\r\n")


# -- any place in a file

FILE = '''\
"""A module."""

import os
import sys

first = 1
# about the second
second = [1, 2]


class A:
    """A class."""

    field = 1

    def method(self):
        """A docstring."""
        import json

        return json, self

    @property
    def other(self):
        with first as f, second:

            x = some_function_with_a_name(f, "a text that makes this line long enough to matter")
            for i in x:
                yield i

            def inner():
                return 1

            # the end
        if x:
            pass
        else:
            y = 2

        return x


def function(a, b=1):
    try:
        from a import b
    except ImportError:
        b = None
    finally:
        del a
    while b:
        b = a
    return lambda: 0


if first:

    def second():
        pass

else:
    third = 3  # three
last = {
    "a": 1,
    "b": 2,
}
# the end
'''

NEW = st.sampled_from(
    ["n = 1", "import n", "# why\nn = f(1, 2)  # there", "def n(): return 1", "n = 1\nm = 2",
     "class N:\n    x = 1\n    def f(self): pass", "if n:\n    n = 2\nelse:\n    n = 3",
     "self(first_argument_of_many, second_argument_of_many, third_arg)"]
)  # fmt: skip
MODES = st.sampled_from([88, 100, 120])


@given(st.integers(0, 60), NEW, st.booleans(), MODES)
@settings(max_examples=250, deadline=None)
def test_clean_stays_clean_with_more_in_it(number: int, new: str, before: bool, line_length: int) -> None:
    mode = black.Mode(line_length=line_length)
    text = black.format_str(FILE, mode=mode)
    found = [s for s in statements(text) if not is_docstring(s)]
    anchor = found[number % len(found)]
    # Black also wants empty lines below a block that ends in a definition, wherever that is.
    assume(before or not new.startswith(("def", "class")) or not ends_a_block(text, anchor))
    result = emit(text, Plan((InsertStatements(Positions(text).span(anchor), new, before),)), line_length=line_length)
    ast.parse(result)
    assert black.format_str(result, mode=mode) == result
    assert without(result, black.format_str(new, mode=mode)) == without(text, "")


@given(st.integers(0, 60), MODES)
@settings(max_examples=150, deadline=None)
def test_clean_stays_clean_with_less_in_it(number: int, line_length: int) -> None:
    mode = black.Mode(line_length=line_length)
    text = black.format_str(FILE, mode=mode)
    found = [s for s in statements(text) if not is_docstring(s)]
    gone = found[number % len(found)]
    result = emit(text, Plan((DeleteStatement(Positions(text).span(gone)),)), line_length=line_length)
    assert black.format_str(result, mode=mode) == result
    assert len(statements(result)) - (
        len(statements(text)) - len([s for s in ast.walk(gone) if isinstance(s, ast.stmt)])
    ) in (0, 1)


@pytest.mark.parametrize("line_length", [88, 100, 120])
def test_clean_stays_clean_without_the_with(line_length: int) -> None:
    mode = black.Mode(line_length=line_length)
    text = black.format_str(FILE, mode=mode)
    result = unwrapped(text, line_length=line_length)
    assert black.format_str(result, mode=mode) == result
    body = black.format_str(
        textwrap.indent(FILE, "    ").replace('    """A module."""\n', "with a:\n    b = 1", 1), mode=mode
    )
    result = unwrapped(body, line_length=line_length)
    assert "with " not in result and ast.dump(ast.parse(result)).count("FunctionDef") == 5


def ends_a_block(text: str, statement: ast.stmt) -> bool:
    """Whether a statement is the last one of a block inside another statement."""
    place = (statement.lineno, statement.col_offset)
    bodies = (getattr(s, name, []) for s in ast.walk(ast.parse(text)) for name in ("body", "orelse", "finalbody"))
    blocks = [body for body in bodies if isinstance(body, list) and body]
    return statement.col_offset > 0 and any((b[-1].lineno, b[-1].col_offset) == place for b in blocks)


def is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def without(text: str, new: str) -> list[str]:
    """The lines with something on them but those of `new`, wherever that is."""
    left = [line.strip() for line in new.splitlines() if line.strip()]
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    for start in range(len(lines)):
        if left and [line.strip() for line in lines[start : start + len(left)]] == left:
            return lines[:start] + lines[start + len(left) :]
    return lines


ODD = (
    "z  = 0\n# fmt: off\nif a :\n\tx=1 ;y = 2\n\twith  b ,c:# é\n\t\tu = ( 1,\n2) # d\n\n\n"
    "\t\tv  = '''\n k'''\n# fmt: on\nw  =3"
)


@given(st.integers(0, 20), st.sampled_from(["\n", "\r\n"]), st.sampled_from(["insert", "delete", "unwrap"]))
@settings(max_examples=100, deadline=None)
def test_all_else_stays_byte_for_byte(number: int, newline: str, kind: str) -> None:
    text = ODD.replace("\n", newline)
    found = statements(text)
    anchor = found[number % len(found)]
    span = Positions(text).span(anchor)
    pieces = ["z  = 0", "# fmt: off", "x=1", "y = 2", "u = ( 1,", "2) # d", "v  = '''", " k'''", "# fmt: on", "w  =3"]
    if kind == "insert":
        result = emit(text, Plan((InsertStatements(span, "new_one = 1"),)))
        assert "new_one = 1" in result and all(piece in result for piece in pieces)
    elif kind == "delete":
        result = emit(text, Plan((DeleteStatement(span),)))
        source = Positions(text).text(span)
        assert all(piece in result for piece in pieces if piece not in source and piece != "2) # d")
    else:
        result = unwrapped(text)
        assert all(piece in result for piece in pieces) and "with" not in result and "# é" in result
    assert result.count("\n") == result.count(newline)
    ast.parse(result)
