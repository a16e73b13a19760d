"""Arguments and names written into calls: before and after, and what must stay as it is."""

from __future__ import annotations

import ast
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazygen.diagnostics import Refused
from lazygen.emit import emit
from lazygen.emit.positions import Positions
from lazygen.frontend.parse import parse
from lazygen.lift.plan import AddArguments, NewArgument, Plan, ReplaceName, Span


def callee_name(call: ast.Call) -> str:
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def plan_for(text: str, *arguments: NewArgument, rename: bool = True) -> Plan:
    """Every call of a class named `Lazy...` gets the arguments and the name of its plain twin."""
    positions = Positions(text)
    edits: list[AddArguments | ReplaceName] = []
    for node in ast.walk(parse(text, "model.py")):
        if isinstance(node, ast.Call) and (name := callee_name(node)).startswith("Lazy"):
            if rename:
                edits.append(ReplaceName(positions.span(node.func), "torch.nn", name.removeprefix("Lazy")))
            edits.append(AddArguments(positions.span(node), arguments))
    assert edits
    return Plan(tuple(edits))


def converted(text: str, *arguments: NewArgument, line_length: int | None = None) -> str:
    return emit(text, plan_for(text, *(arguments or (NewArgument("in_channels", "3"),))), line_length=line_length)


def call_converted(call: str, *arguments: NewArgument) -> str:
    text = f"import torch.nn as nn\n\nx  =  {call}\n"  # two spaces: black is not asked about the layout
    result = converted(text, *arguments)
    head, tail = "import torch.nn as nn\n\nx  =  ", "\n"
    assert result.startswith(head) and result.endswith(tail)
    return result[len(head) : -len(tail)]


CALLS = [
    ("nn.LazyBatchNorm2d()", "nn.BatchNorm2d(3)"),
    ("nn.LazyConv2d(20, 5)", "nn.Conv2d(3, 20, 5)"),
    ("nn.LazyConv2d(20,5)", "nn.Conv2d(3,20,5)"),
    ("nn.LazyConv2d( 20 , 5 )", "nn.Conv2d( 3, 20 , 5 )"),
    ("nn . LazyConv2d (20)", "nn . Conv2d (3, 20)"),
    ("nn.LazyConv2d(20, 5,)", "nn.Conv2d(3, 20, 5,)"),
    ("nn.LazyConv2d(out_channels=20)", "nn.Conv2d(3, out_channels=20)"),
    ("nn.LazyConv2d(*args, **kw)", "nn.Conv2d(3, *args, **kw)"),
    ("nn.LazyConv2d(**kw)", "nn.Conv2d(3, **kw)"),
    ("nn.LazyConv2d(x for x in y)", "nn.Conv2d(3, (x for x in y))"),
    ("nn.LazyConv2d((x for x in y))", "nn.Conv2d(3, (x for x in y))"),
    ("nn.LazyConv2d(w := 4)", "nn.Conv2d(3, w := 4)"),
    ("(nn.LazyConv2d)(4)", "(nn.Conv2d)(3, 4)"),
    ("[nn.LazyConv2d(4)] * 2", "[nn.Conv2d(3, 4)] * 2"),
    ("nn.LazyConv2d(4)(y)", "nn.Conv2d(3, 4)(y)"),
    ("nn.LazyConv2d(nn.LazyLinear(4))", "nn.Conv2d(3, nn.Linear(3, 4))"),
    ("lambda: nn.LazyLinear(4)", "lambda: nn.Linear(3, 4)"),
    ("[nn.LazyLinear(n) for n in range(4)]", "[nn.Linear(3, n) for n in range(4)]"),
    ("{k: nn.LazyLinear(n) for k, n in ns.items() if k}", "{k: nn.Linear(3, n) for k, n in ns.items() if k}"),
    ("nn.LazyLinear(4) if a else nn.LazyLinear(5)", "nn.Linear(3, 4) if a else nn.Linear(3, 5)"),
    ("'é', nn.LazyLinear(4), '日本', nn.LazyLinear(5)", "'é', nn.Linear(3, 4), '日本', nn.Linear(3, 5)"),
    ("f'{nn.LazyLinear(4)} é {nn.LazyLinear(5)!r:>{w}}'", "f'{nn.Linear(3, 4)} é {nn.Linear(3, 5)!r:>{w}}'"),
    # Layouts.
    ("nn.LazyConv2d(\n    20,\n    5,\n)", "nn.Conv2d(\n    3,\n    20,\n    5,\n)"),
    ("nn.LazyConv2d(\n    20,\n    5\n)", "nn.Conv2d(\n    3,\n    20,\n    5\n)"),
    ("nn.LazyConv2d(\n    20\n)", "nn.Conv2d(\n    3,\n    20\n)"),
    ("nn.LazyConv2d(\n    20, 5\n)", "nn.Conv2d(\n    3, 20, 5\n)"),
    ("nn.LazyConv2d(20,\n              5)", "nn.Conv2d(3,\n              20,\n              5)"),
    ("nn.LazyConv2d(20, 5,\n    padding=1)", "nn.Conv2d(3, 20, 5,\n    padding=1)"),
    ("nn.LazyConv2d(\n)", "nn.Conv2d(\n    3\n)"),
    ("nn.LazyConv2d(  # why\n)", "nn.Conv2d(  # why\n    3\n)"),
    ("nn.LazyConv2d(  # why\n    20,  # wide\n    5,\n)", "nn.Conv2d(  # why\n    3,\n    20,  # wide\n    5,\n)"),
    ("nn.LazyConv2d(\n    # wide\n    20,\n)", "nn.Conv2d(\n    3,\n    # wide\n    20,\n)"),
    ("nn.LazyConv2d(20 # wide\n)", "nn.Conv2d(3, 20 # wide\n)"),
]


@pytest.mark.parametrize(("before", "after"), CALLS)
def test_first_argument(before: str, after: str) -> None:
    assert call_converted(before) == after


LATER = [
    ("nn.LazyNorm(4)", "nn.Norm(4, 12)"),
    ("nn.LazyNorm(4, 5)", "nn.Norm(4, 12, 5)"),
    ("nn.LazyNorm(4, eps=1)", "nn.Norm(4, 12, eps=1)"),
    ("nn.LazyNorm(groups=4)", "nn.Norm(groups=4, channels=12)"),
    ("nn.LazyNorm(groups=4, eps=1)", "nn.Norm(groups=4, channels=12, eps=1)"),
    ("nn.LazyNorm(*groups)", "nn.Norm(*groups, channels=12)"),
    ("nn.LazyNorm(*groups, **kw)", "nn.Norm(*groups, channels=12, **kw)"),
    ("nn.LazyNorm(**kw)", "nn.Norm(channels=12, **kw)"),
    ("nn.LazyNorm()", "nn.Norm(channels=12)"),
    ("nn.LazyNorm(4,)", "nn.Norm(4, 12,)"),
    ("nn.LazyNorm(\n    4,  # groups\n    eps=1,\n)", "nn.Norm(\n    4,  # groups\n    12,\n    eps=1,\n)"),
    ("nn.LazyNorm(\n    4  # groups\n)", "nn.Norm(\n    4,  # groups\n    12\n)"),
    ("nn.LazyNorm(\n    4,  # groups\n)", "nn.Norm(\n    4,  # groups\n    12,\n)"),
    ("nn.LazyNorm(4  # groups\n)", "nn.Norm(4,  # groups\n    12\n)"),
    ("nn.LazyNorm(\n    4,\n    # end\n)", "nn.Norm(\n    4,\n    12,\n    # end\n)"),
]


@pytest.mark.parametrize(("before", "after"), LATER)
def test_second_argument(before: str, after: str) -> None:
    assert call_converted(before, NewArgument("channels", "12", 1)) == after


def test_keyword_at_the_end() -> None:
    keyword = NewArgument("affine", "True", None)
    assert call_converted("nn.LazyNorm(4, **kw)", keyword) == "nn.Norm(4, affine=True, **kw)"
    assert call_converted("nn.LazyNorm()", keyword) == "nn.Norm(affine=True)"
    assert call_converted("nn.LazyNorm(eps=1)", NewArgument("n", "8"), keyword) == "nn.Norm(8, eps=1, affine=True)"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("4 * width + 3", "4 * width + 3"),
        ("a if b else c", "a if b else c"),
        ("1, 2", "(1, 2)"),
        ("(1, 2)", "(1, 2)"),
        ("n := 4", "(n := 4)"),
        ("x for x in y", "(x for x in y)"),
        ("yield", "(yield)"),
        ("widths[i - 1]", "widths[i - 1]"),
    ],
)
def test_text_of_an_argument(text: str, written: str) -> None:
    assert call_converted("nn.LazyLinear(4)", NewArgument("n", text)) == f"nn.Linear({written}, 4)"
    assert call_converted("nn.LazyLinear(4)", NewArgument("n", text, None)) == f"nn.Linear(4, n={written})"


WHOLE = [
    "class A(nn.Module): a = nn.LazyLinear(2); b = nn.LazyLinear( 3 )",
    "if x: y = nn.LazyLinear(2) ; z=3   # odd",
    "for i in a: b.append(nn.LazyLinear(2))\nelse: c = nn.LazyLinear(1)",
    "try: x = nn.LazyLinear(2)\nexcept ( A , B ): x = nn.LazyLinear(3)\nfinally: y = 1",
    "if a:\n\tx = nn.LazyLinear(2)\n\tif b:\n\t\ty=[\n\t\t\tnn.LazyLinear(2),\n\t\t]\n",
    "@deco( nn.LazyLinear(2) )\n# between\n@other\ndef f(a = nn.LazyLinear(3)) -> int :\n  return nn.LazyLinear(4) \n",
    "with  open(nn.LazyLinear(2))  as f , g: pass",
    "match nn.LazyLinear( 2 ):\n   case  [ x , * y ]:\n     z = nn.LazyLinear(3)\n   case _: w = nn.LazyLinear(4)",
    "x = [  # fmt: skip\n  nn.LazyLinear(2)]\n# fmt: off\ny = nn.LazyLinear( 2 )\n# fmt: on\nz = nn.LazyLinear(2)",
    "x = nn.LazyLinear(2)  # type: ignore[attr-defined]\ny = [] # type: list[int]",
    "x = ''' \n  odd\t\n''', nn.LazyLinear(2)\n",
    "while nn.LazyLinear(2)  : x = 1\n\n\n\n\n\ny=2  ",
    "x = a + \\\n  nn.LazyLinear(2)",
    "def f():\n    '''  doc '''\n    return lambda  x: nn.LazyLinear(2)",
    "async def f():\n  async with a: await  nn.LazyLinear(2)",
    "x: 'LazyLinear'  = nn.LazyLinear(2)\nglobal_name  = \"LazyLinear\"",
]


def tokens_replaced(text: str) -> str:
    """What emission must give where black has no say."""
    return text.replace("nn.LazyLinear(", "nn.Linear(3, ").replace("(3,  ", "( 3, ")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("text", WHOLE)
def test_only_tokens_change(text: str, newline: str) -> None:
    text = f"import torch.nn as nn\n{text}".replace("\n", newline)
    assert converted(text) == tokens_replaced(text)


def test_new_syntax() -> None:
    text = "from torch import nn\n\ndef f[T: int](x: T) -> T :\n  type X = int\n  return nn.LazyLinear( 2 )\n"
    try:
        ast.parse(text)
    except SyntaxError:
        pytest.skip("Python 3.12 syntax")
    assert converted(text) == tokens_replaced(text)


def test_several_edits_of_one_call_and_order() -> None:
    text = "import torch.nn as nn\n\nx = nn.LazyNorm(5)\n"
    span = Positions(text).span(ast.parse(text).body[1].value)  # type: ignore[attr-defined]
    first, second = NewArgument("a", "1", 0), NewArgument("b", "2", 2)
    assert emit(text, Plan((AddArguments(span, (first,)), AddArguments(span, (second,))))).endswith(
        "x = nn.LazyNorm(1, 5, 2)\n"
    )


def test_no_edit_gives_the_text_itself() -> None:
    text = "\x0cx = 1\r"
    assert emit(text, Plan()) is text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("\x0cimport torch.nn as nn\nx = nn.LazyLinear(2)\n", "LZ007"),
        ("import torch.nn as nn\rx = nn.LazyLinear(2)\r", "LZ007"),
        ("import torch.nn as nn\nx = nn.LazyLinear(2)" + ".a()" * 1500 + "\n", "LZ002"),
    ],
)
def test_what_cannot_be_edited_is_refused(text: str, code: str) -> None:
    plan = Plan((AddArguments(Span(2, 4, 2, 20), (NewArgument("n", "3"),)),))
    with pytest.raises(Refused) as caught:
        emit(text, plan, path="model.py")
    finding = caught.value.diagnostics[0]
    assert finding.code == code
    assert finding.place is not None and finding.place.path == "model.py"


def test_a_place_without_a_call_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        emit("x = 1\n", Plan((AddArguments(Span(1, 4, 1, 5), (NewArgument("n", "3"),)),)))
    assert caught.value.diagnostics[0].code == "LZ903"


SPACE = st.sampled_from(["", " ", "  ", "\t", " \\\n "])
ATOM = st.sampled_from(["w", "'é'", "3", "f(1 ,2)", "[ 1,2 ]", "{'a':b}", "(x,\n   y)", "lambda: 0", '"""a\n b"""'])


@st.composite
def sources(draw: st.DrawFn) -> tuple[str, str]:
    """A source with lazy calls in odd layouts, and the same with the edits made by hand."""
    space = lambda: draw(SPACE)  # noqa: E731
    before, after = ["from torch import nn\n"], ["from torch import nn\n"]
    for _ in range(draw(st.integers(1, 4))):
        left, gap, atom = draw(ATOM), space(), draw(ATOM)
        comment = draw(st.sampled_from(["", "# c", "  #é", " "]))
        end = draw(st.sampled_from(["\n", "\n\n\n\n", "\n# own line\n"]))
        start = draw(st.sampled_from(["x =", "y=[", "if 1: z =", "def g(): return", "x = 1 ;y ="]))
        close = "]" if "[" in start else ""
        for out, name, new in ((before, "LazyLinear", ""), (after, "Linear", "n, ")):
            first = f"{new}{left}" if new else left
            out.append(f"{start}  {atom} ,{gap}nn.{name}({first}){close}{comment}{end}")
    return "".join(before), "".join(after)


@given(sources(), st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=120, deadline=None)
def test_all_else_stays_byte_for_byte(pair: tuple[str, str], newline: str) -> None:
    before, after = (text.replace("\n", newline) for text in pair)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert converted(before, NewArgument("n", "n")) == after
