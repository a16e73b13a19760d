"""The layout of changed statements: black's where the source was black's, the author's where it was not."""

from __future__ import annotations

import ast
import textwrap

import black
import pytest

from lazygen.emit import emit
from lazygen.emit.positions import Positions
from lazygen.frontend.parse import parse
from lazygen.lift.plan import AddArguments, NewArgument, Plan, ReplaceName


def converted(text: str, new: str = "in_channels", line_length: int | None = None) -> str:
    positions = Positions(text)
    edits: list[AddArguments | ReplaceName] = []
    for node in ast.walk(parse(text, "model.py")):
        if isinstance(node, ast.Attribute) and node.attr.startswith("Lazy"):
            edits.append(ReplaceName(positions.span(node), "torch.nn", node.attr.removeprefix("Lazy")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.startswith("Lazy"):
            edits.append(AddArguments(positions.span(node), (NewArgument("in_channels", new),)))
    assert edits
    return emit(text, Plan(tuple(edits)), line_length=line_length)


def is_clean(text: str, line_length: int) -> bool:
    return black.format_str(text, mode=black.Mode(line_length=line_length)) == text


LONG = "x" * 30

CLEAN = f'''\
"""A model."""

import torch
from torch import nn


@register(nn.LazyLinear({LONG}), name="an_even_longer_one_that_almost_fills")
# between
@other(nn.LazyLinear(2))
class Net(nn.Module, metaclass=Meta):
    """Says 'something'."""

    kind: dict[str, nn.LazyLinear] = {{"a": nn.LazyLinear({LONG}), "b": nn.LazyConv2d(20, 5)}}

    def __init__(self, width: int = 8, first=nn.LazyLinear({LONG}), *rest, **others) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.LazyConv2d(20, kernel_size=5), nn.ReLU(), nn.Flatten())
        self.head = nn.LazyConv2d(width, kernel_size=5, padding=2)  # a comment that is here
        self.tail = nn.Sequential(
            nn.LazyConv2d(20, kernel_size=7, stride=2, padding=3, bias=False, dilation=1),  # wide
            nn.LazyLinear(
                20,  # twenty
                bias=False,
            ),
        )
        for name, layer in {{"{LONG}": nn.LazyLinear(8), "second": 2}}.items():  # both
            layer = [nn.LazyLinear(width * number) for number in range(20) if number != width]
        else:
            layer = nn.LazyConv2d(*rest, {LONG}, **others)
        if layer == nn.LazyLinear({LONG}) and not width == 8 and 12345:
            pass
        elif layer == nn.LazyLinear({LONG}) and not width == 8 and 123:
            pass
        while layer is nn.LazyLinear({LONG}) and not width == 8 and 123:
            break
        with nn.LazyLinear({LONG}) as first, open("another_file_name") as f:
            text = f"{{nn.LazyLinear({LONG})}} and more text that is long"
        try:
            assert nn.LazyLinear({LONG}), "a message that is long, but not too"
        except nn.LazyLinear({LONG}).error_of_this_kind_and_no_other:
            raise ValueError(nn.LazyLinear({LONG}), "and a message") from None
        return lambda width, *others: nn.LazyLinear({LONG} + width, bias=False)

    def short(self): ...

    async def forward(self, x):
        x[nn.LazyLinear({LONG})] = await nn.LazyLinear(20, bias=False)(x, 1)
        del x[nn.LazyLinear({LONG})], x[1], x[2], x[3], x[4], x[5]
        match nn.LazyLinear({LONG}), x, "and something else that is long":
            case [nn.LazyLinear(), {LONG}, "something that is rather long"]:
                return nn.LazyLinear({LONG})(x) + x * 2 + x**2 + self.head(x)
        text = """
  kept as it is
""" + str(nn.LazyLinear(2))
        return (
            x.flatten(1)
            .mean()
            .add(nn.LazyLinear(20, bias=False)(x).sum_over_everything_there_is(1, 2, 3))
        )


if __name__ == "__main__":
    model = Net(nn.LazyLinear({LONG}), {LONG[:20]})
'''


@pytest.mark.parametrize("new", ["3", "in_channels", "channels * (width // 2) + offset"])
@pytest.mark.parametrize("line_length", [88, 100, 120])
def test_clean_stays_clean(line_length: int, new: str) -> None:
    source = black.format_str(CLEAN, mode=black.Mode(line_length=line_length))
    for given in (line_length, None):
        result = converted(source, new, given)
        assert is_clean(result, line_length)
        assert "Lazy" not in result.replace("case [nn.LazyLinear", "")
        ast.parse(result)


@pytest.mark.parametrize("line_length", [88, 100, 120])
def test_each_statement_of_a_clean_file(line_length: int) -> None:
    """Every layer on its own, with the length found from a line that nobody touches."""
    long = f'text = some_function("{"y" * (line_length - 60)}", "another argument", 1234567)'
    assert line_length - 12 < len(long) <= line_length
    for width in range(10, line_length - 20):
        source = f"from torch import nn\n\n{long}\n\n\ndef f():\n    x = nn.LazyLinear({'w' * width})\n"
        source += f"    return nn.Sequential(nn.LazyConv2d(20, {'k' * (width // 2)}), nn.LazyLinear(3))\n"
        source = black.format_str(source, mode=black.Mode(line_length=line_length))
        assert is_clean(converted(source, line_length=line_length), line_length)


def test_line_length_comes_from_lines_that_are_not_touched() -> None:
    call = "        body = nn.Sequential(nn.LazyConv2d(20, kernel_size=5), nn.ReLU(), nn.Flatten())"
    head = "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
    assert 75 < len(call) <= 88
    for filler, lines in ((88, 3), (92, 1), (110, 1)):
        other = "        self.first, self.second = function(argument_one, , two)"
        other = other.replace(", ,", f", {'z' * (filler - len(other))},")
        result = converted(f"{head}{call}\n{other}\n", new="channels")
        assert result.count("\n") - head.count("\n") - 1 == lines, result


def test_a_statement_that_is_clean_only_at_100() -> None:
    value = f"nn.LazyLinear({'c' * 18}) if {'a' * 16} else nn.LazyLinear({'b' * 16})"
    source = f"from torch import nn\n\nself.projection = (\n    {value}\n)\n"
    assert [is_clean(source, length) for length in (88, 100, 120)] == [False, True, False]
    assert is_clean(converted(source), 100)


def test_given_line_length_wins() -> None:
    text = "from torch import nn\n\nx = nn.Sequential(nn.LazyLinear(20), nn.ReLU())\n"
    expected = "from torch import nn\n\nx = nn.Sequential(\n    nn.Linear(in_channels, 20), nn.ReLU()\n)\n"
    assert converted(text, line_length=50) == expected
    assert converted(text) == text.replace("nn.LazyLinear(", "nn.Linear(in_channels, ")


def test_a_statement_that_was_too_long_before_is_joined_when_it_fits() -> None:
    text = "from torch import nn\n\nx = nn.Sequential(\n    nn.LazyLinear(20), nn.LazyReLU6(20), 3\n)\n"
    result = emit_names_only(text, line_length=50)
    assert result == "from torch import nn\n\nx = nn.Sequential(nn.Linear(20), nn.ReLU6(20), 3)\n"


def emit_names_only(text: str, line_length: int) -> str:
    positions = Positions(text)
    edits = tuple(
        ReplaceName(positions.span(node), "torch.nn", node.attr.removeprefix("Lazy"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr.startswith("Lazy")
    )
    return emit(text, Plan(edits), line_length=line_length)


KEEP_LAYOUT = [
    "x = nn.Sequential( nn.LazyLinear({long}), nn.LazyLinear({long}), nn.ReLU())",
    "x = nn.Sequential(nn.LazyLinear({long}), 'text', nn.LazyLinear({long}), nn.ReLU())",
    "x = nn.Sequential(nn.LazyLinear({long}), nn.LazyLinear({long}), nn.ReLU()); y = 1",
    "y = 1; x = nn.Sequential(nn.LazyLinear({long}), nn.LazyLinear({long}), 1)",
    "x = nn.Sequential(nn.LazyLinear({long}), nn.LazyLinear({long}))  # fmt: skip",
    "# fmt: off\nx = nn.Sequential(nn.LazyLinear({long}), nn.LazyLinear({long}))",
    "# fmt: off\ny = 1\nx = nn.Sequential(nn.LazyLinear({long}), nn.LazyLinear({long}))\n# fmt: on",
    "# yapf: disable\nx = nn.Sequential(nn.LazyLinear({long}), nn.LazyLinear({long}))",
    "if y: x = nn.Sequential(nn.LazyLinear({long}), nn.LazyLinear({long}))",
    "class A(nn.Module): x = nn.Sequential(nn.LazyLinear({long}), nn.LazyLinear({long}))",
    "x = nn.Sequential(nn.LazyLinear({long}), nn.LazyLinear({long}))   ",
    "x = nn.Sequential(nn.LazyLinear({long}),\n                  nn.LazyLinear({long}))",
    "def f(x = nn.LazyLinear({long}), y = nn.LazyLinear({long})):\n    pass",
    "for x in (nn.LazyLinear({long}), nn.LazyLinear({long}), 2, 3) :\n    pass",
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("statement", KEEP_LAYOUT)
def test_the_author_s_layout_stays(statement: str, newline: str) -> None:
    text = f"from torch import nn\n\n{statement.format(long='w' * 18)}\n".replace("\n", newline)
    assert converted(text, "in_channels") == text.replace("LazyLinear(", "Linear(in_channels, ")


def test_formatting_goes_on_behind_what_is_off() -> None:
    call = f"x = nn.Sequential(nn.LazyLinear({'w' * 17}), nn.LazyLinear({'w' * 17}), 1)"
    line = call.replace("LazyLinear(", "Linear(in_channels, ")
    split = black.format_str(line + "\n", mode=black.Mode())
    head = "from torch import nn\n\n# fmt: off\nx  = 1\n# fmt: on\n"
    assert converted(f"{head}{call}\n") == head + split
    head = "from torch import nn\n\nif y:\n    # fmt: off\n    x  = 1\n"
    assert converted(f"{head}{call}\n") == head + split
    inside = textwrap.indent(f"{call}\n", "    ")
    result = converted(f"{head}{inside}{call}\n")
    assert result == head + textwrap.indent(f"{line}\n", "    ") + split


def test_line_ends_stay_in_what_is_formatted() -> None:
    text = (
        'from torch import nn\n\nx = nn.Sequential(nn.LazyLinear(20), """a\n b""")\ny = [nn.LazyLinear(2), nn.ReLU()]\n'
    )
    result = converted(text.replace("\n", "\r\n"), line_length=41)
    assert result.replace("\r\n", "").count("\n") == 0
    assert '"""a\r\n b""")\r\ny = [\r\n    nn.Linear(in_channels, 2),\r\n    nn.ReLU(),\r\n]\r\n' in result
    mixed = "from torch import nn\r\n\nx = nn.Sequential(nn.LazyLinear(20), nn.ReLU())\r\n"
    assert converted(mixed, line_length=40) == mixed.replace("LazyLinear(", "Linear(in_channels, ")


@pytest.mark.parametrize("unit", ["  ", "\t", "   ", "        "])
def test_the_file_s_own_unit(unit: str) -> None:
    text = textwrap.dedent(
        """\
        from torch import nn


        class Net(nn.Module):
            def __init__(self):
                self.one = nn.Sequential(nn.LazyLinear(8), nn.LazyLinear(4), nn.ReLU())
                self.two = nn.Sequential(
                    nn.LazyLinear(20),  # first
                    # second
                    nn.LazyLinear(20),
                )
        """
    )
    lines = [unit * ((len(s) - len(s.lstrip(" "))) // 4) + s.lstrip(" ") for s in text.splitlines(keepends=True)]
    result = converted("".join(lines), "channels * 2")
    assert result.startswith("".join(lines[:5]))
    assert f"{unit * 2}self.one = nn.Sequential(\n{unit * 3}nn.Linear(channels * 2, 8)" in result
    assert f"{unit * 3}# second\n{unit * 3}nn.Linear(channels * 2, 20),\n{unit * 2})\n" in result


def test_strings_keep_their_lines() -> None:
    text = 'from torch import nn\n\n\ndef f():\n    return nn.LazyLinear(20), """\n  two\n\tthree\n"""\n'
    result = converted(text, "in_channels * 2 + 1234567", 40)
    assert '"""\n  two\n\tthree\n"""' in result


def test_stars_get_a_comma_only_where_the_whole_file_allows_it() -> None:
    for newer, ending in (("", "**kw\n"), ('y = f"{nn}"\n', "**kw,\n")):
        source = f"from torch import nn\n\n{newer}x = nn.LazyConv2d(*args, **kw)\n"
        result = converted(black.format_str(source, mode=black.Mode(line_length=27)), line_length=27)
        assert is_clean(result, 27) and ending in result


def test_a_file_without_a_final_line_end() -> None:
    text = "from torch import nn\n\nx = nn.Sequential(nn.LazyLinear(20), nn.ReLU())"
    result = converted(text, line_length=50)
    assert result == "from torch import nn\n\nx = nn.Sequential(\n    nn.Linear(in_channels, 20), nn.ReLU()\n)"


def test_one_line_classes_stay_on_one_line() -> None:
    text = "from torch import nn\n\n\nclass A(nn.LazyLinear): ...\n"
    assert emit_names_only(text, 88) == text.replace("Lazy", "")


def test_a_line_that_black_would_break_rules_a_length_out() -> None:
    """Of a file at 100 columns, 88 is ruled out by one long line, and the file is still found clean at 100."""
    layers = "".join(f"    nn.LazyLinear({number}),\n" for number in range(20))
    call = f"helper({LONG}, {LONG}, {'y' * 20})"
    assert 88 < len(call) <= 100
    text = f"from torch import nn\n\nnet = nn.Sequential(\n{layers})\n{call}\n"
    assert is_clean(text, 100) and not is_clean(text, 88)
    assert is_clean(converted(text, new="3"), 100)


def test_long_strings_rule_nothing_out() -> None:
    """Black looks at a string alone as at a docstring; in its file it may leave it as it is."""
    text = f'from torch import nn\n\nx = 1\n"a string that {"stands " * 15}alone "\n'
    text += f"net = nn.Sequential(nn.LazyLinear(20), nn.ReLU(inplace=True), nn.LazyLinear(20), {'y' * 13})\n"
    assert is_clean(text, 100) and not is_clean(text, 88)
    assert is_clean(converted(text, new="inputs"), 100)
