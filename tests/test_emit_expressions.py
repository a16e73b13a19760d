"""Expressions replaced by text: parentheses, layout, and the edits inside."""

from __future__ import annotations

import ast

import black
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazygen.diagnostics import Refused
from lazygen.emit import emit
from lazygen.emit.positions import Positions
from lazygen.lift.plan import AddArguments, Edit, NewArgument, Plan, ReplaceExpression, ReplaceName

# What is replaced in the sources below.
HERE = "HERE"


def replaced(text: str, new: str, kind: type[ast.expr] = ast.Name, line_length: int | None = None) -> str:
    """`text` with `new` for each expression of a kind whose first name is HERE."""
    positions = Positions(text)
    edits: list[Edit] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, kind) and HERE in first_name(node):
            edits.append(ReplaceExpression(positions.span(node), new))
    assert edits
    return emit(text, Plan(tuple(edits)), line_length=line_length)


def first_name(node: ast.expr) -> str:
    return next((n.id for n in ast.walk(node) if isinstance(n, ast.Name)), "")


NAMES = [
    ("x = HERE", "a + b", "x = a + b"),
    ("x = HERE * 2", "a + b", "x = (a + b) * 2"),
    ("x = HERE + 2", "a * b", "x = a * b + 2"),
    ("x = HERE + 2", "a + b", "x = a + b + 2"),
    ("x = 2 + HERE", "a + b", "x = 2 + (a + b)"),
    ("x = 2 - HERE", "a - b", "x = 2 - (a - b)"),
    ("x = -HERE", "a ** b", "x = -a ** b"),
    ("x = -HERE", "a + b", "x = -(a + b)"),
    ("x = HERE ** 2", "-a", "x = (-a) ** 2"),
    ("x = 2 ** HERE", "-a", "x = 2 ** -a"),
    ("x = HERE.y", "5", "x = (5).y"),
    ("x = HERE.y", "f(5)", "x = f(5).y"),
    ("x = HERE[0]", "a or b", "x = (a or b)[0]"),
    ("x = HERE(0)", "lambda: 0", "x = (lambda: 0)(0)"),
    ("x = y[HERE]", "a, b", "x = y[a, b]"),
    ("x = y[HERE:]", "a if b else c", "x = y[a if b else c:]"),
    ("x = HERE if c else 2", "a if b else c", "x = (a if b else c) if c else 2"),
    ("x = 1 if c else HERE", "a if b else c", "x = 1 if c else a if b else c"),
    ("x = 1 if HERE else 2", "a or b", "x = 1 if a or b else 2"),
    ("x = not HERE", "a and b", "x = not (a and b)"),
    ("x = not(HERE)", "a and b", "x = not(a and b)"),
    ("x = [HERE]", "a, b", "x = [(a, b)]"),
    ("x = f(HERE)", "a, b", "x = f((a, b))"),
    ("x = f(HERE, 1)", "i for i in y", "x = f((i for i in y), 1)"),
    ("x = f(y=HERE)", "*a, b", "x = f(y=(*a, b))"),
    ("x = f(*HERE)", "a or b", "x = f(*a or b)"),
    ("x = HERE", "n := 3", "x = (n := 3)"),
    ("x = HERE", "yield", "x = (yield)"),
    ("x = HERE", "(a, b)", "x = (a, b)"),
    ("x = HERE", "a, b", "x = a, b"),
    ("x = {HERE: 1}", "lambda: 0", "x = {lambda: 0: 1}"),
    ("x = lambda: HERE", "a, b", "x = lambda: (a, b)"),
    ("return HERE", "a, b", "return a, b"),
    ("return(HERE)", "a, b", "return(a, b)"),
    ("return  HERE ;y  =1", "a", "return  a ;y  =1"),
    ("for HERE in y: pass", "i, x", "for i, x in y: pass"),
    ("for (HERE) in y: pass", "i", "for (i) in y: pass"),
    ("for x in  HERE : pass", "zip(a, x)", "for x in  zip(a, x) : pass"),
    ("for x in HERE: pass", "a, b", "for x in a, b: pass"),
    ("x = [HERE for HERE in y]", "i, j", "x = [(i, j) for i, j in y]"),
    ("x = [i for i in HERE if i]", "a if b else c", "x = [i for i in (a if b else c) if i]"),
    ("x = [i for i in y if HERE]", "a or b", "x = [i for i in y if a or b]"),
    ("with HERE as f: pass", "a or b", "with a or b as f: pass"),
    ("if HERE: pass\nelif HERE: pass", "a or b", "if a or b: pass\nelif a or b: pass"),
    ("if a:\n  pass\nelif HERE:\n  pass", "a or b", "if a:\n  pass\nelif a or b:\n  pass"),
    ("if a: x  = HERE * 2", "a + b", "if a: x  = (a + b) * 2"),
    ("if a: pass\nelif b: x  = HERE", "a + b", "if a: pass\nelif b: x  = a + b"),
    ("def f(x = HERE): pass", "a, b", "def f(x = (a, b)): pass"),
    ("@HERE\ndef f(x ): pass", "a.b(3)", "@a.b(3)\ndef f(x ): pass"),
    ("class A( HERE): pass", "a.B", "class A( a.B): pass"),
    ("x = (HERE  # why\n)", "a + b", "x = (a + b  # why\n)"),
    ("x = f(  # why\n   HERE ,  # é\n)", "a + b", "x = f(  # why\n   a + b ,  # é\n)"),
    ("x = a if HERE else'b'", "(c)", "x = a if (c) else'b'"),
    ("assert HERE , 'é'", "a, b", "assert (a, b) , 'é'"),
    ("x = await_(HERE)", "await y", "x = await_(await y)"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("before", "new", "after"), NAMES)
def test_a_name(before: str, new: str, after: str, newline: str) -> None:
    # Two spaces: black is not asked about the layout.
    before, after = (f"z  = 1\n{text}\n".replace("x = ", "x  = ").replace("\n", newline) for text in (before, after))
    assert replaced(before, new) == after


WHOLE = [
    ("x = (HERE + a) * 2", ast.BinOp, "n", "x = n"),
    ("x = [HERE + a, 2]", ast.BinOp, "n", "x = [n, 2]"),
    ("x = -(HERE + a)", ast.BinOp, "n", "x = -n"),
    ("x = -(HERE + a)", ast.BinOp, "n + 1", "x = -(n + 1)"),
    ("x = -(HERE + a # why\n)", ast.BinOp, "n", "x = -(n # why\n)"),
    ("x = not(HERE or a)", ast.BoolOp, "n", "x = not(n)"),
    ("x = (HERE)", ast.Name, "n", "x = (n)"),
    ("return[HERE]", ast.List, "n", "return(n)"),
    ("return[HERE]", ast.List, "(n)", "return(n)"),
    ("x = (HERE, a)", ast.Tuple, "(b, c)", "x = (b, c)"),
    ("x = (HERE, a)", ast.Tuple, "b, c", "x = b, c"),
    ("x = ((HERE, a ) )", ast.Tuple, "b, c", "x = (b, c )"),
    ("x = HERE, a", ast.Tuple, "b", "x = b"),
    ("x = (HERE, a) + ()", ast.Tuple, "b, c", "x = (b, c) + ()"),
    ("for HERE, a in y: pass", ast.Tuple, "i, (HERE, a)", "for i, (HERE, a) in y: pass"),
    ("for (HERE, a) in y: pass", ast.Tuple, "i, (HERE, a)", "for i, (HERE, a) in y: pass"),
    ("x = f(HERE for i in y)", ast.GeneratorExp, "n", "x = f(n)"),
    ("x = f( HERE for i in y )", ast.GeneratorExp, "n", "x = f( n )"),
    ("x = f((HERE for i in y), 1)", ast.GeneratorExp, "n", "x = f(n, 1)"),
    ("x = a if HERE else b", ast.IfExp, "n", "x = n"),
    ("x = HERE if a else b", ast.IfExp, "n", "x = n"),
    ("x = HERE.a.b", ast.Attribute, "n", "x = n"),
    ("x = f(HERE)[0]", ast.Call, "n", "x = n[0]"),
    ("x = HERE(1)(2)", ast.Call, "n", "x = n"),
]


@pytest.mark.parametrize(("before", "kind", "new", "after"), WHOLE)
def test_other_expressions(before: str, kind: type[ast.expr], new: str, after: str) -> None:
    text = f"z  = 1\n{before}\n"
    outermost = next(n for n in ast.walk(ast.parse(text)) if isinstance(n, kind) and HERE in ast.unparse(n))
    assert emit(text, Plan((ReplaceExpression(Positions(text).span(outermost), new),))) == f"z  = 1\n{after}\n"


def test_a_star_is_no_expression() -> None:
    with pytest.raises(Refused) as caught:
        replaced("x = *HERE, 2\n", "n", ast.Starred)
    assert caught.value.diagnostics[0].code == "LZ903"


def test_parentheses_go_with_the_sum_that_needed_them() -> None:
    text = "z  = 1\nx = (a + b) * 2\n"
    product = ast.parse(text).body[1].value  # type: ignore[attr-defined]
    span = Positions(text).span(product.left)
    assert emit(text, Plan((ReplaceExpression(span, "n"),))) == "z  = 1\nx = n * 2\n"
    assert emit(text, Plan((ReplaceExpression(span, "n - 1"),))) == "z  = 1\nx = (n - 1) * 2\n"


# -- together with other edits


def composed(text: str, replacements: dict[str, str], **arguments: str) -> str:
    """Each expression that reads as a key becomes the value; each call of `LazyX` with a key gets it and its name."""
    positions = Positions(text)
    edits: list[Edit] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.expr) and (new := replacements.get(ast.unparse(node))) is not None:
            edits.append(ReplaceExpression(positions.span(node), new))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.startswith("Lazy"):
            name = node.func.attr.removeprefix("Lazy")
            edits.append(ReplaceName(positions.span(node.func), "torch.nn", name))
            new = arguments.get(f"{name}_{ast.unparse(node.args[0])}", arguments.get(name, "3"))
            edits.append(AddArguments(positions.span(node), (NewArgument("n", new),)))
    return emit(text, Plan(tuple(edits)))


HEAD = "from torch import nn\n\nz  = 1\n"

COMPOSED = [
    (
        "for w in make(nn.LazyLinear(4)): l.append(nn.LazyLinear(w))",
        {"make(nn.LazyLinear(4))": "zip(ins, make(nn.LazyLinear(4)))"},
        "for w in zip(ins, make(nn.Linear(3, 4))): l.append(nn.Linear(3, w))",
    ),
    (
        "x = make( nn.LazyLinear( 4 ) )",
        {"make(nn.LazyLinear(4))": "zip(ins, make(nn.LazyLinear(4)))"},
        "x = zip(ins, make(nn.Linear( 3, 4 )))",
    ),
    (
        "x = nn.LazyLinear(4)",
        {"nn.LazyLinear(4)": "nn.LazyLinear(4) if a else None"},
        "x = nn.Linear(3, 4) if a else None",
    ),
    (
        "x = [nn.LazyLinear(4), nn.LazyLinear(nn.LazyLinear(5))]",
        {
            "[nn.LazyLinear(4), nn.LazyLinear(nn.LazyLinear(5))]": (
                "[0, nn.LazyLinear(4), nn.LazyLinear(nn.LazyLinear(5))]"
            )
        },
        "x = [0, nn.Linear(3, 4), nn.Linear(3, nn.Linear(3, 5))]",
    ),
    (
        "x = f(nn.LazyLinear(4), w)",
        {"w": "v + 1"},
        "x = f(nn.Linear(3, 4), v + 1)",
    ),
    (
        "x = nn.LazyLinear(w * 2)",
        {"w": "v + 1"},
        "x = nn.Linear(3, (v + 1) * 2)",
    ),
    (
        "x = (a + w) * b",
        {"(a + w) * b": "(a + w) * b * 2", "w": "v"},
        "x = (a + v) * b * 2",
    ),
    (
        "x = [nn.LazyLinear(w) for w in ws]",
        {"ws": "zip(ins, ws, strict=True)"},
        "x = [nn.Linear(3, w) for w in zip(ins, ws, strict=True)]",
    ),
]


@pytest.mark.parametrize(("before", "replacements", "after"), COMPOSED)
def test_edits_inside_and_beside(before: str, replacements: dict[str, str], after: str) -> None:
    assert composed(f"{HEAD}{before}\n", replacements) == f"{HEAD}{after}\n"


def test_the_same_said_twice_gets_its_edits_in_order() -> None:
    text = f"{HEAD}x = f(g(HERE), g(HERE))\n"
    calls = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call)]
    positions = Positions(text)
    edits = [AddArguments(positions.span(call), (NewArgument("n", str(i)),)) for i, call in enumerate(calls[1:])]
    whole = ReplaceExpression(positions.span(calls[0]), "[f(g(HERE), g(HERE))]")
    assert emit(text, Plan((*edits, whole))).endswith("x = [f(g(0, HERE), g(1, HERE))]\n")


def test_an_edit_that_the_text_leaves_out_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        composed(f"{HEAD}x = make(nn.LazyLinear(4))\n", {"make(nn.LazyLinear(4))": "other"})
    assert caught.value.diagnostics[0].code == "LZ904"
    assert caught.value.diagnostics[0].place is not None and caught.value.diagnostics[0].place.line == 4


def test_two_texts_for_one_expression_are_refused() -> None:
    span = Positions("x = y\n").span(ast.parse("x = y\n").body[0].value)  # type: ignore[attr-defined]
    same = Plan((ReplaceExpression(span, "a"), ReplaceExpression(span, "a")))
    assert emit("x = y\n", same) == "x = a\n"
    with pytest.raises(Refused) as caught:
        emit("x = y\n", Plan((ReplaceExpression(span, "a"), ReplaceExpression(span, "b"))))
    assert caught.value.diagnostics[0].code == "LZ904"


# -- layout

LONG = "a_rather_long_name_of_a_function"

CLEAN = f"""\
def f():
    for HERE in {LONG}(HERE, {LONG}):
        x = [HERE * 2 for y in HERE if HERE]
        z = {LONG}(HERE, {LONG}, {LONG[:20]})
    if HERE and {LONG}:
        return HERE
    elif HERE:
        pass
    while not HERE:
        assert HERE, {LONG}
    with HERE as f, {LONG}(HERE):
        return lambda: HERE
"""


@pytest.mark.parametrize("new", ["n", "a if b else c", "in_channels + width * 2"])
@pytest.mark.parametrize("line_length", [60, 88, 100, 120])
def test_clean_stays_clean(new: str, line_length: int) -> None:
    mode = black.Mode(line_length=line_length)
    text = black.format_str(CLEAN.replace("for HERE in", "for i in"), mode=mode)
    result = replaced(text, new, line_length=line_length)
    assert HERE not in result
    assert black.format_str(result, mode=mode) == result


TEXTS = st.sampled_from(
    ["a", "a + b", "-a", "a ** b", "not a", "a or b", "a if b else c", "lambda: a", "(a)", "a, b", "f(a)", "[a]", "3",
     "a < b", "a @ b", "'é'", "'é' 'a'", "*a, b", "x[0]", "i for i in a", "n := a", "await a", "{**a}", "a.b"]
)  # fmt: skip
PLACES = st.sampled_from(
    ["HERE", "HERE + 1", "1 + HERE", "HERE ** HERE", "-HERE", "HERE.x", "HERE[HERE]", "f(HERE)", "f(*HERE)",
     "f(k=HERE)", "HERE < HERE < 1", "not HERE", "HERE if HERE else HERE", "[HERE, 1]", "{HERE: HERE}", "lambda: HERE",
     "(HERE)",
     "[i for i in HERE if HERE]", "HERE or HERE", "HERE and HERE", "x[HERE:HERE]", "f(HERE, 1)(2)", "not(HERE)",
     "1 if(HERE)else 2", "HERE, HERE", "f'{1}' in HERE", "HERE @ HERE @ HERE", "{**HERE}", "await HERE"]
)  # fmt: skip


@given(PLACES, TEXTS, st.sampled_from(["x  = {}", "if 1: return {}", "x=1;y = [ {} ]  # é", "g( {} )\n\n\n\nz = 2 "]))
@settings(max_examples=400, deadline=None)
def test_the_meaning_is_that_of_parentheses_and_nothing_else_changes(place: str, new: str, statement: str) -> None:
    source = statement.format(place) + "\n"
    result = replaced(source, new)
    in_parentheses = source.replace(HERE, f"({new})")
    if "*(" in in_parentheses or not parses(in_parentheses):
        in_parentheses = source.replace(HERE, f"({new},)" if new.startswith("*") else f"({new})")
    assert ast.dump(ast.parse(result)) == ast.dump(ast.parse(in_parentheses))
    pieces = source.split(HERE)
    assert result.startswith(pieces[0]) and result.endswith(pieces[-1])
    assert len(result) <= len(in_parentheses)


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
