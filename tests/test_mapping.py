"""Layers and blocks that `map` makes: `lift/mapping.py`."""

from __future__ import annotations

import pytest
from lifting import changed, net, refusal

BLOCK = """
class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.LazyLinear(width)

    def forward(self, x):
        return self.fc(x)
"""


def test_layers_in_a_row_get_a_second_sequence() -> None:
    source = net(
        "widths=(4, 5, 6)", "self.layers = nn.Sequential(*map(nn.LazyLinear, widths))", "return self.layers(x)"
    )
    assert changed(source, "4,3") == ["self.layers = nn.Sequential(*map(nn.Linear, (3, *widths)[:-1], widths))"]


def test_so_do_blocks_which_get_a_parameter() -> None:
    source = net("widths=(4, 5, 6)", "self.layers = nn.Sequential(*map(Block, widths))", "return self.layers(x)", BLOCK)
    assert changed(source, "4,3") == [
        "def __init__(self, in_features, width):",
        "self.fc = nn.Linear(in_features, width)",
        "self.layers = nn.Sequential(*map(Block, (3, *widths)[:-1], widths))",
    ]


@pytest.mark.parametrize(
    "init",
    [
        "self.layers = nn.LazyLinear(sum(map(int, widths)))",
        "self.layers = nn.LazyLinear(max(map(lambda w: w + 1, widths)))",
    ],
)
def test_a_map_that_makes_no_layers_stays(init: str) -> None:
    made = changed(net("widths=(4, 5, 6)", init, "return self.layers(x)"), "4,3")
    assert made == [init.replace("nn.LazyLinear(", "nn.Linear(3, ")]


def test_a_map_over_plain_layers_stays() -> None:
    init = "self.layers = nn.Sequential(*map(nn.Dropout, rates), nn.LazyLinear(4))"
    made = changed(net("rates=(0.1, 0.2)", init, "return self.layers(x)"), "4,3")
    assert made == ["self.layers = nn.Sequential(*map(nn.Dropout, rates), nn.Linear(3, 4))"]


def test_a_lambda_has_no_place_for_a_second_sequence() -> None:
    init = "self.layers = nn.Sequential(*map(lambda w: nn.LazyLinear(w), widths))"
    assert refusal(net("widths=(4, 5, 6)", init, "return self.layers(x)"), "4,3") == "LZ302"
