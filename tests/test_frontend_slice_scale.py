"""Long and deep files: nothing is lost in them, and no depth of the tree stops slicing."""

from __future__ import annotations

import ast

import pytest

from lazygen.frontend.slice import needed


@pytest.mark.parametrize(
    "source",
    ["model = f" + "(1)" * 900, "model = a" + ".b(1)" * 900, "if a: model = 1\n" + "elif a: model = 2\n" * 900],
    ids=["calls", "methods", "elifs"],
)
def test_depth_is_no_trouble(source: str) -> None:
    try:
        tree = ast.parse(source)
    except (RecursionError, MemoryError):
        pytest.skip("this Python does not parse it")
    assert needed(tree, ["model"]) == tree.body


def test_long_files_keep_what_one_model_needs() -> None:
    block = """
import m{0} as mod{0}
WIDTH{0} = {0}
class Net{0}(Base):
    def __init__(self, a, b=3):
        self.x = nn.LazyLinear(WIDTH{0})
        self.y = [f(a) for a in range(b) if a + {0}]
    def forward(self, x):
        return self.x(x) + Net{1}(3)
net{0} = Net{0}(WIDTH{0})
"""
    source = "".join(block.format(number, max(number - 1, 0)) for number in range(1000))
    assert len(needed(ast.parse(source), ["net999"])) == 2001  # every width and class, one net, no import


def test_many_conditional_bindings_are_all_kept() -> None:
    tree = ast.parse("x = 0\n" + "if f(x):\n    x = g(x)\n" * 3000 + "model = x\n")
    assert needed(tree, ["model"]) == tree.body
