"""Parameters written into signatures, and lines about them in docstrings."""

from __future__ import annotations

import ast
import textwrap

import black
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazygen.diagnostics import Refused
from lazygen.emit import emit
from lazygen.emit.docstrings import sentence_for
from lazygen.emit.positions import Positions
from lazygen.lift.plan import AddParameter, Plan, Span
from lazygen.values import replace


def with_parameters(text: str, *parameters: AddParameter, line_length: int | None = None) -> str:
    """`text` with the parameters in each function whose name begins with an underscore."""
    positions = Positions(text)
    edits = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("_"):
            for parameter in parameters:
                edits.append(replace(parameter, function=positions.span(node)))
    assert edits
    return emit(text, Plan(tuple(edits)), line_length=line_length)


def new(name: str = "n", **fields: object) -> AddParameter:
    return AddParameter(Span(0, 0, 0, 0), name, **fields)  # type: ignore[arg-type]


FIRST = [
    ("def _f(): pass", "def _f(n): pass"),
    ("def _f(a): pass", "def _f(n, a): pass"),
    ("def _f(a,b=1): pass", "def _f(n,a,b=1): pass"),
    ("def _f( a ): pass", "def _f( n, a ): pass"),
    ("def _f(a, /): pass", "def _f(n, a, /): pass"),
    ("def _f(*a): pass", "def _f(n, *a): pass"),
    ("def _f(*, a): pass", "def _f(n, *, a): pass"),
    ("def _f(**a): pass", "def _f(n, **a): pass"),
    ("def _f(a, b,): pass", "def _f(n, a, b,): pass"),
    ("async  def _f(a): pass", "async  def _f(n, a): pass"),
    ("def _f(a: int): pass", "def _f(n: int, a: int): pass"),
    ("def _f() -> int: pass", "def _f(n: int) -> int: pass"),
    ("def _f(*, a: str): pass", "def _f(n: int, *, a: str): pass"),
    ("def _f(\n    a,\n    b\n): pass", "def _f(\n    n,\n    a,\n    b\n): pass"),
    ("def _f(\n    a,  # first\n): pass", "def _f(\n    n,\n    a,  # first\n): pass"),
    ("def _f(a,\n       b): pass", "def _f(n,\n       a,\n       b): pass"),
    ("def _f(\n    # why\n    a,\n): pass", "def _f(\n    n,\n    # why\n    a,\n): pass"),
    ("class A:\n  def _f(self): pass", "class A:\n  def _f(self, n): pass"),
    ("class A:\n  def _f(self, a): pass", "class A:\n  def _f(self, n, a): pass"),
    ("class A:\n  def _f(self: T) -> None: pass", "class A:\n  def _f(self: T, n: int) -> None: pass"),
    ("class A:\n  def _f(self: T, a): pass", "class A:\n  def _f(self: T, n, a): pass"),
    ("class A:\n  def _f(self, /): pass", "class A:\n  def _f(self, /, n): pass"),
    ("class A:\n  def _f(self, /, a): pass", "class A:\n  def _f(self, /, n, a): pass"),
    ("class A:\n  def _f(self, a, /): pass", "class A:\n  def _f(self, n, a, /): pass"),
    ("class A:\n  def _f(self, *a, **k): pass", "class A:\n  def _f(self, n, *a, **k): pass"),
    ("class A:\n  if x:\n    def _f(self): pass", "class A:\n  if x:\n    def _f(self, n): pass"),
    ("class A:\n  def g(self):\n    def _f(a): pass", "class A:\n  def g(self):\n    def _f(n, a): pass"),
    ("class A:\n  @staticmethod\n  def _f(a): pass", "class A:\n  @staticmethod\n  def _f(n, a): pass"),
    ("class A:\n  @classmethod\n  def _f(cls, a): pass", "class A:\n  @classmethod\n  def _f(cls, n, a): pass"),
    ("@deco( 1 )\n# é\n@other\ndef _f(a): pass", "@deco( 1 )\n# é\n@other\ndef _f(n, a): pass"),
    (
        "class A:\n  def _f(self,\n    a, # one\n    ): pass",
        "class A:\n  def _f(self,\n    n,\n    a, # one\n    ): pass",
    ),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("before", "after"), FIRST)
def test_first_parameter(before: str, after: str, newline: str) -> None:
    before, after = f"x  = 1\n{before}\n".replace("\n", newline), f"x  = 1\n{after}\n".replace("\n", newline)
    assert with_parameters(before, new()) == after


OTHERS = [
    ("def _f(a, b): pass", [new(index=1)], "def _f(a, n, b): pass"),
    ("def _f(a, b): pass", [new(index=2)], "def _f(a, b, n): pass"),
    ("def _f(a, b): pass", [new(index=9)], "def _f(a, b, n): pass"),
    ("def _f(a, *b): pass", [new(index=9)], "def _f(a, n, *b): pass"),
    ("def _f(a, b): pass", [new("m"), new("n")], "def _f(m, n, a, b): pass"),
    ("def _f(a, b): pass", [new("m"), new("n", index=1)], "def _f(m, n, a, b): pass"),
    ("def _f(a, b): pass", [new("m"), new("n"), new("o", index=1)], "def _f(m, n, o, a, b): pass"),
    ("def _f(): pass", [new("m"), new("n"), new("o")], "def _f(m, n, o): pass"),
    ("def _f(a=1): pass", [new(default="2", index=1)], "def _f(a=1, n=2): pass"),
    ("def _f(a = 1): pass", [new(default="2", index=1)], "def _f(a = 1, n = 2): pass"),
    ("def _f(a: int): pass", [new(default="2", index=1)], "def _f(a: int, n: int = 2): pass"),
    ("def _f(a): pass", [new(annotation="str")], "def _f(n: str, a): pass"),
    ("def _f(a: int): pass", [new(annotation="")], "def _f(n, a: int): pass"),
    ("def _f(a): pass", [new(default="1, 2", index=1)], "def _f(a, n=(1, 2)): pass"),
    ("def _f(): pass", [new(keyword_only=True)], "def _f(*, n): pass"),
    ("def _f(a=1): pass", [new(keyword_only=True)], "def _f(a=1, *, n): pass"),
    ("def _f(a, *, b): pass", [new(keyword_only=True)], "def _f(a, *, b, n): pass"),
    ("def _f(a, *b): pass", [new(keyword_only=True, default="1")], "def _f(a, *b, n=1): pass"),
    ("def _f(a, **b): pass", [new(keyword_only=True)], "def _f(a, *, n, **b): pass"),
    ("def _f(a, /): pass", [new(keyword_only=True)], "def _f(a, /, *, n): pass"),
    ("def _f(a, /, **b): pass", [new("m", keyword_only=True), new()], "def _f(n, a, /, *, m, **b): pass"),
    ("def _f(a,\n  **b): pass", [new(keyword_only=True)], "def _f(a,\n  *,\n  n,\n  **b): pass"),
    ("def _f(\n    a,\n): pass", [new(keyword_only=True)], "def _f(\n    a,\n    *,\n    n,\n): pass"),
]


@pytest.mark.parametrize(("before", "parameters", "after"), OTHERS)
def test_other_places(before: str, parameters: list[AddParameter], after: str) -> None:
    assert with_parameters(f"x  = 1\n{before}\n", *parameters) == f"x  = 1\n{after}\n"


@pytest.mark.parametrize(
    ("text", "parameter"),
    [
        ("def _f(n): pass\n", new()),
        ("def _f(*, n): pass\n", new()),
        ("def _f(a=1): pass\n", new(index=1)),
        ("def _f(a): pass\n", new(default="1")),
    ],
)
def test_what_gives_no_signature_is_refused(text: str, parameter: AddParameter) -> None:
    with pytest.raises(Refused) as caught:
        with_parameters(text, parameter)
    assert caught.value.diagnostics[0].code == "LZ904"


def test_a_place_without_a_function_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        emit("x = 1\n", Plan((AddParameter(Span(1, 0, 1, 5), "n"),)))
    assert caught.value.diagnostics[0].code == "LZ903"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("in_channels", "number of input channels"),
        ("in_features", "number of input features"),
        ("num_features", "number of features"),
        ("merge_in_channels", "number of input channels of merge"),
        ("first_conv_in_channels", "number of input channels of first conv"),
        ("in_channels2", "number of input channels"),
        ("hidden_width", "hidden width"),
    ],
)
def test_sentence_from_a_name(name: str, sentence: str) -> None:
    assert sentence_for(name) == sentence


DOCSTRINGS: dict[str, tuple[str, str]] = {
    "google": (
        "Says.\n\nArgs:\n    width (int): Filters.\n        More.\n    depth (int): Layers.\n\nReturns:\n    it",
        "Says.\n\nArgs:\n    in_channels (int): Number of input channels.\n    width (int): Filters.\n"
        "        More.\n    depth (int): Layers.\n\nReturns:\n    it",
    ),
    "google, no types": (
        "Says.\n\nArguments:\n  width: filters",
        "Says.\n\nArguments:\n  in_channels: number of input channels\n  width: filters",
    ),
    "google, last on the line of the quotes, others": (
        "Says.\n\nArgs:\n    other (int): filters",
        "Says.\n\nArgs:\n    other (int): filters\n    in_channels (int): number of input channels",
    ),
    "google, roles": (
        "Args:\n    width (:obj:`int`, optional): filters",
        "Args:\n    in_channels (:obj:`int`): number of input channels\n    width (:obj:`int`, optional): filters",
    ),
    "google, empty lines between": (
        "Says.\n\nArgs:\n    width: a\n\n    depth: b\n\nEnd.",
        "Says.\n\nArgs:\n    in_channels: number of input channels\n\n    width: a\n\n    depth: b\n\nEnd.",
    ),
    "numpy": (
        "Says.\n\nParameters\n----------\nwidth : int\n    Filters.\ndepth : int\n    Layers.\n\nReturns\n-------\nint",
        "Says.\n\nParameters\n----------\nin_channels : int\n    Number of input channels.\nwidth : int\n    Filters.\n"
        "depth : int\n    Layers.\n\nReturns\n-------\nint",
    ),
    "numpy, other separator": (
        "Says.\n\nParameters\n----------\nwidth: int\n  filters",
        "Says.\n\nParameters\n----------\nin_channels: int\n  number of input channels\nwidth: int\n  filters",
    ),
    "sphinx": (
        "Says.\n\n:param width: filters\n    more\n:param depth: layers\n:returns: it",
        "Says.\n\n:param in_channels: number of input channels\n:param width: filters\n    more\n"
        ":param depth: layers\n:returns: it",
    ),
    "sphinx, types in the line": (
        "Says.\n\n:param int width: filters",
        "Says.\n\n:param int in_channels: number of input channels\n:param int width: filters",
    ),
    "sphinx, types below each": (
        ":param width: filters\n:type width: int\n:param depth: layers\n:type depth: int",
        ":param in_channels: number of input channels\n:type in_channels: int\n:param width: filters\n"
        ":type width: int\n:param depth: layers\n:type depth: int",
    ),
    "sphinx, types below all": (
        ":param width: filters\n:param depth: layers\n:type width: int\n:type depth: int",
        ":param in_channels: number of input channels\n:param width: filters\n:param depth: layers\n"
        ":type in_channels: int\n:type width: int\n:type depth: int",
    ),
    "no list": ("Says.\n\nReturns:\n    it", "Says.\n\nReturns:\n    it"),
    "an empty list": ("Says.\n\nArgs:\n", "Says.\n\nArgs:\n"),
    "one line": ("Args: none", "Args: none"),
}


def function(docstring: str, quotes: str = '"""', prefix: str = "", end: str = "") -> str:
    body = f"{prefix}{quotes}{docstring}{end}{quotes}"
    lines = [f"    {line}" if line.strip() else line for line in body.split("\n")]
    return "\n".join(["def _f(width, depth):", *lines, "    pass", ""])


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("shape", [('"""', "", ""), ("'''", "r", ""), ('"""', "", "\n")])
@pytest.mark.parametrize("name", DOCSTRINGS)
def test_docstrings(name: str, shape: tuple[str, str, str], newline: str) -> None:
    before, after = DOCSTRINGS[name]
    if name == "one line" and shape[2]:
        return
    text = function(before, *shape).replace("\n", newline)
    expected = function(after, *shape).replace("_f(", "_f(in_channels, ").replace("\n", newline)
    assert with_parameters(text, new("in_channels")) == expected


def test_several_parameters_keep_their_order_in_the_docstring() -> None:
    text = function("Says.\n\nArgs:\n    width: a\n    depth: b")
    result = with_parameters(text, new("m"), new("n", default="1", index=9), new("o"), new("p", keyword_only=True))
    listed = [line.split(":")[0].strip() for line in result.splitlines()[4:10]]
    assert listed == ["m", "o", "width", "depth", "n", "p"]


def test_a_given_sentence_and_type() -> None:
    text = function("Args:\n    width (int, optional): a.")
    result = with_parameters(text, new("n", annotation="str", default="'x'", index=2, doc="kind of norm"))
    assert "\n    width (int, optional): a.\n        n (str, optional): kind of norm." in result.replace(
        "        width", "    width"
    )


CLASS = '''\
class A(nn.Module):
    """A block.

    Args:
        width (int): number of filters
    """

    def __init__(self, width):
        {docstring}
'''


def test_the_class_says_what_its_constructor_takes() -> None:
    line = "        in_channels (int): number of input channels\n"
    text = CLASS.format(docstring='"""Makes it."""')
    expected = text.replace("        width (int)", f"{line}        width (int)").replace(
        "self, ", "self, in_channels, "
    )
    assert with_parameters(text, new("in_channels")) == expected
    own = CLASS.format(docstring='"""Makes it.\n\n        Args:\n            width: filters\n        """')
    result = with_parameters(own, new("in_channels"))
    assert line not in result and "            in_channels: number of input channels\n            width: " in result
    other = CLASS.format(docstring="pass").replace("__init__", "_make")
    assert with_parameters(other, new("in_channels")) == other.replace("self, ", "self, in_channels, ")


@pytest.mark.parametrize("unit", ["  ", "\t"])
def test_units_of_the_file(unit: str) -> None:
    text = CLASS.format(docstring="pass").replace("    ", unit)
    result = with_parameters(text, new("in_channels"))
    assert f"{unit * 2}in_channels (int): number of input channels\n{unit * 2}width (int)" in result


SIGNATURES = [
    "def _f(): ...",
    "def _f(a, b=1): ...",
    "class A:\n    def _f(self): ...",
    "class A:\n    def _f(self, width: int = 8, *rest: int, flag: bool = False, **others: int) -> None:\n        pass",
    "class A:\n    @deco\n    def _f(self, first_name, second_name, third_name, fourth_name, fifth):\n        return 1",
    "async def _f(first_name: int, second_name: str = 'abc', third_name: float = 1.0) -> dict[str, int]:\n    pass",
    "def _f(\n    a,\n    b,\n):\n    pass",
]


@pytest.mark.parametrize("line_length", [60, 88, 100, 120])
@pytest.mark.parametrize("signature", SIGNATURES)
def test_clean_stays_clean(signature: str, line_length: int) -> None:
    mode = black.Mode(line_length=line_length)
    text = black.format_str(textwrap.dedent(signature), mode=mode)
    for parameters in ([new("in_channels")], [new("m"), new("in_channels"), new("k", keyword_only=True, default="1")]):
        result = with_parameters(text, *parameters, line_length=line_length)
        assert black.format_str(result, mode=mode) == result
        assert "in_channels" in result


SPACE = st.sampled_from(["", " ", "  ", "\n    ", "  # é\n  "])
NAME = st.sampled_from(["a", "*a", "a = 1", "a:int", "a : 'é' = [ 1,2 ]", "*, a"])


@given(SPACE, NAME, SPACE, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["# fmt: off\n", "y=1;x  = 1\n"]))
@settings(max_examples=120, deadline=None)
def test_all_else_stays_byte_for_byte(before: str, name: str, behind: str, newline: str, head: str) -> None:
    text = f"{head}def _f({before}{name}{behind}) : pass # end\n\n\n\nz  = 2\n".replace("\n", newline)
    result = with_parameters(text, new("first", annotation=""), new("last", keyword_only=True, annotation=""))
    tree = ast.parse(result).body[-2]
    assert isinstance(tree, ast.FunctionDef)
    assert tree.args.args[0].arg == "first" and tree.args.kwonlyargs[-1].arg == "last"
    start, end = text.index("def _f("), text.index(") : pass")
    assert result.startswith(text[: start + 7]) and result.endswith(text[end:])
    assert name.replace("*, ", "") in result and result.count("#") == text.count("#")
    assert result.count("\n") == result.count(newline)
