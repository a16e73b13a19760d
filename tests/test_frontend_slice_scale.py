"""Long and deep files: slicing takes time in proportion, and no depth of the tree stops it."""

from __future__ import annotations

import ast
import time

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


def seconds_for(blocks: int) -> float:
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
    source = "".join(block.format(number, max(number - 1, 0)) for number in range(blocks))
    tree = ast.parse(source)
    start = time.process_time()
    kept = needed(tree, [f"net{blocks - 1}"])
    spent = time.process_time() - start
    assert len(kept) == 2 * blocks + 1  # every width and class, one net, no import
    return spent


def test_time_is_linear_in_the_length() -> None:
    small = min(seconds_for(100) for _ in range(3))
    large = min(seconds_for(1000) for _ in range(3))
    assert large < 30 * small


def test_many_conditional_bindings_take_linear_time() -> None:
    def seconds(count: int) -> float:
        source = "x = 0\n" + "if f(x):\n    x = g(x)\n" * count + "model = x\n"
        tree = ast.parse(source)
        start = time.process_time()
        assert needed(tree, ["model"]) == tree.body
        return time.process_time() - start

    assert min(seconds(3000) for _ in range(3)) < 30 * min(seconds(300) for _ in range(3))
