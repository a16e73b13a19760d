"""Parameters that functions get (`lift/parameters.py`, `lift/firsts.py`), and functions that need none."""

from __future__ import annotations

import pytest
from lifting import changed, net

TWO = "return self.two(self.one(x))"
CALLS = "self.one = Block(width)\nself.two = Block(2 * width)"


def block(init: str, forward: str = "return self.a(x)", arguments: str = "width") -> str:
    return net(arguments, init, forward).split("import torch\n")[1].replace("class Net", "class Block")


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (
            block("self.a = nn.LazyLinear(width)"),
            ["def __init__(self, in_features, width):", "self.a = nn.Linear(in_features, width)"],
        ),
        (
            block("self.a = nn.LazyLinear(width)\nself.b = nn.LazyLinear(width)", "return self.a(x) * self.b(x)"),
            [
                "def __init__(self, in_features, width):",
                "self.a = nn.Linear(in_features, width)",
                "self.b = nn.Linear(in_features, width)",
            ],
        ),
        (
            block("self.in_features = 3\nin_features = 4\nself.a = nn.LazyLinear(width)"),
            ["def __init__(self, in_features_2, width):", "self.a = nn.Linear(in_features_2, width)"],
        ),
        (
            block(
                "self.a = nn.LazyLinear(width)\nself.b = nn.LazyLinear(width)",
                "return self.b(torch.cat([x, self.a(x)], 1))",
            ),
            [
                "def __init__(self, in_features, width):",
                "self.a = nn.Linear(in_features, width)",
                "self.b = nn.Linear(width + in_features, width)",
            ],
        ),
        (
            block("self.a = nn.Sequential(*[nn.LazyLinear(width) for i in range(2)])"),
            [
                "def __init__(self, in_features, width):",
                "self.a = nn.Sequential(*[nn.Linear(in_features if i == 0 else width, width) for i in range(2)])",
            ],
        ),
        (
            "def Block(width):\n    return nn.Sequential(nn.LazyLinear(width), nn.LazyBatchNorm1d())",
            [
                "def Block(in_features, width):",
                "return nn.Sequential(nn.Linear(in_features, width), nn.BatchNorm1d(width))",
            ],
        ),
        (
            block("self.a = nn.LazyLinear(width)", arguments="*, width").replace("Block", "Inner")
            + "\n\ndef Block(width):\n    return Inner(width=width)",
            [
                "def __init__(self, in_features, *, width):",
                "self.a = nn.Linear(in_features, width)",
                "def Block(in_features, width):",
                "return Inner(in_features, width=width)",
            ],
        ),
    ],
)
def test_a_size_that_only_callers_know_becomes_a_parameter(before: str, expected: list[str]) -> None:
    lines = changed(net("width=8", CALLS, TWO, before), "4,6")
    assert lines == [*expected, "self.one = Block(6, width)", "self.two = Block(width, 2 * width)"]


@pytest.mark.parametrize(
    "before",
    [
        block("self.a = nn.Sequential(nn.Linear(6, width), nn.LazyBatchNorm1d(), nn.Linear(width, 6))"),
        block("self.a = nn.Sequential(nn.Linear(6, width), nn.LazyLinear(6))"),
        block("hidden = 2 * width\nself.a = nn.Sequential(nn.Linear(6, hidden), nn.LazyLinear(6))"),
        block("self.width = width\nself.a = nn.Sequential(nn.Linear(6, self.width), nn.LazyLinear(6))"),
        block("self.a = nn.LazyLinear(6)"),
        "def Block(width):\n    return nn.Sequential(nn.Linear(6, width), nn.LazyLinear(6))",
    ],
)
def test_functions_that_know_the_size_get_no_parameter(before: str) -> None:
    lines = changed(net("width=8", CALLS, TWO, before), "4,6")
    assert len(lines) == 1 and "def " not in lines[0] and "Block(" not in lines[0]


OVERRIDDEN = (
    block("self.a = self.build(width)")
    + """
    def build(self, width):
        return nn.LazyLinear(width)


class Other(Block):
    def build(self, width):
        return nn.Sequential(nn.LazyLinear(width), nn.ReLU())
"""
)


@pytest.mark.parametrize(("second", "third"), [("Other(2 * width)", "Block(3)"), ("Block(2 * width)", "Other(3)")])
def test_a_call_that_reaches_a_method_and_its_override_is_filled_once(second: str, third: str) -> None:
    calls = f"self.one = Block(width)\nself.two = nn.Sequential({second}, {third})"
    lines = changed(net("width=8", calls, TWO, OVERRIDDEN), "4,6")
    assert lines.count("def build(self, in_features, width):") == 2
    assert lines.count("self.a = self.build(in_features, width)") == 1
    filled = [second.replace("(", "(width, "), third.replace("(", "(2 * width, ")]
    assert lines[-2:] == ["self.one = Block(6, width)", f"self.two = nn.Sequential({', '.join(filled)})"]


@pytest.mark.parametrize(("first", "second"), [("Block", "Other"), ("Other", "Block")])
def test_a_method_takes_the_argument_that_its_override_needs(first: str, second: str) -> None:
    calls = f"self.one = {first}(width)\nself.two = {second}(2 * width)"
    lines = changed(net("width=8", calls, TWO, OVERRIDDEN), "4,6")
    assert lines.count("def build(self, in_features, width):") == 2
    assert lines[-2:] == [f"self.one = {first}(6, width)", f"self.two = {second}(width, 2 * width)"]
