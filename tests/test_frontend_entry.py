"""What an entry may be, and what is said about one that the file does not have."""

from __future__ import annotations

import ast

import pytest

from lazygen.diagnostics import Refused
from lazygen.frontend.roots import entry_names, unknown_entry

HEAD = "import torch\nfrom torch import nn\n"
NET = """
class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.head = nn.LazyLinear(width)

    def forward(self, x):
        return self.head(x)
"""


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("model", ("model",)),
        (" nets.small ", ("nets",)),
        ("Net(8)", ("Net",)),
        ("Net(cfg, act=nn.ReLU, *more, **rest)", ("Net", "cfg", "more", "nn", "rest")),
        ("Net([w for w in widths if w])", ("Net", "widths")),
        ("Net(lambda w: w + n)", ("Net", "n")),
        ('MODELS["small"]()', ("MODELS",)),
        ("Net.small(8).eval()", ("Net",)),
    ],
)
def test_names_of_an_entry(expression: str, names: tuple[str, ...]) -> None:
    assert entry_names(expression) == names


@pytest.mark.parametrize(
    "expression", ["", "Net(", "model = 3", "Net(8", "3", "a + b", "lambda: 3", "[a]", "a\0b", "a; b"]
)
def test_what_is_no_entry(expression: str) -> None:
    with pytest.raises(Refused) as refused:
        entry_names(expression)
    assert refused.value.usage
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.code == "LZ102"
    assert "--entry Net" in diagnostic.helps[0]


@pytest.mark.parametrize(
    ("entry", "problem", "helps"),
    [
        (
            "Nett",
            'a.py has no "Nett" at module level',
            ["did you mean --entry Net?", "other models of the file: 'make(8)'"],
        ),
        (
            "net(3)",
            'a.py has no "net" at module level',
            ["did you mean --entry Net?", "other models of the file: 'make(8)'"],
        ),
        ("Unrelated", 'a.py has no "Unrelated" at module level', ["models of the file: Net, 'make(8)'"]),
        ("Net(cfg)", 'a.py has no "cfg" at module level', []),
        (
            "inner",
            'a.py has no "inner" at module level: it is defined inside a class or a function',
            ["models of the file: Net, 'make(8)'"],
        ),
        (
            "script",
            'a.py has no "script" at module level: it is bound under `__main__`, which a conversion does not run',
            ["models of the file: Net, 'make(8)'"],
        ),
    ],
)
def test_an_unknown_entry(entry: str, problem: str, helps: list[str]) -> None:
    source = HEAD + NET + "def make(width):\n    def inner(): pass\n    return nn.LazyLinear(width)\n"
    source += "if __name__ == '__main__':\n    script = nn.LazyLinear(3)\n"
    diagnostic = unknown_entry(ast.parse(source), entry, "a.py")
    assert diagnostic is not None
    assert (diagnostic.code, diagnostic.message, list(diagnostic.helps)) == ("LZ101", problem, helps)


@pytest.mark.parametrize("entry", ["Net", "Net(len([3]))", "nn.LazyLinear(3)", "main()"])
def test_a_known_entry(entry: str) -> None:
    assert unknown_entry(ast.parse(HEAD + NET + "def main(): pass\n"), entry, "a.py") is None


@pytest.mark.parametrize(
    ("source", "unknown"),
    [("from blocks import *\n", False), ("from torch.nn import *\n", True), ("x = 1\n", True)],
)
def test_star_imports_may_bring_an_entry(source: str, unknown: bool) -> None:
    assert (unknown_entry(ast.parse(source), "Net", "a.py") is not None) is unknown
