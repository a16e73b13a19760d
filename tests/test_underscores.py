"""Loops over `_` whose variable is needed after all: `lift/underscores.py`."""

from __future__ import annotations

import pytest
from lifting import changed, net

GROWN = "for layer in self.layers:\n    x = torch.cat([x, layer(x)], 1)\nreturn x"
LIST = "self.layers = nn.ModuleList([nn.LazyLinear(hidden) for _ in range(depth)])"
APPEND = "self.layers = nn.ModuleList()\nfor _ in range(depth):\n    self.layers.append(nn.LazyLinear(hidden))"


def test_a_comprehension_gets_a_counter() -> None:
    made = changed(net("depth=3, hidden=4", LIST, GROWN), "4,3")
    assert made == ["self.layers = nn.ModuleList([nn.Linear(hidden * i + 3, hidden) for i in range(depth)])"]


def test_a_loop_gets_one_too() -> None:
    made = changed(net("depth=3, hidden=4", APPEND, GROWN), "4,3")
    assert made == ["for i in range(depth):", "self.layers.append(nn.Linear(hidden * i + 3, hidden))"]


def test_a_taken_counter_is_the_next_letter() -> None:
    made = changed(net("depth=3, hidden=4, i=1", APPEND.replace("Linear(hidden)", "Linear(hidden * i)"), GROWN), "4,3")
    assert made == ["for j in range(depth):", "self.layers.append(nn.Linear(hidden * i * j + 3, hidden * i))"]


def test_only_the_loop_that_counts_gets_a_name() -> None:
    init = f"{LIST}\nself.more = nn.ModuleList([nn.ReLU() for _ in range(depth)])"
    made = changed(net("depth=3, hidden=4", init, GROWN), "4,3")
    assert made == ["self.layers = nn.ModuleList([nn.Linear(hidden * i + 3, hidden) for i in range(depth)])"]


@pytest.mark.parametrize("init", [LIST, APPEND])
def test_a_loop_whose_layers_are_alike_keeps_its_underscore(init: str) -> None:
    made = changed(net("depth=3, hidden=4", init, "return sum(layer(x) for layer in self.layers)"), "4,3")
    assert made == [init.splitlines()[-1].strip().replace("nn.LazyLinear(", "nn.Linear(3, ")]


def test_a_function_of_that_name_is_no_loop_variable() -> None:
    init = "self.words = [_('a') for word in range(depth)]\nself.layers = nn.ModuleList([nn.LazyLinear(hidden)])"
    made = changed(net("depth=3, hidden=4", init, before="def _(word):\n    return word\n"), "4,3")
    assert made == ["self.layers = nn.ModuleList([nn.Linear(3, hidden)])"]
