"""For which inputs a size holds, as `-v` says it: checked by converting at the ends of the range and beyond them."""

from __future__ import annotations

import re
from itertools import product

import pytest

from lazygen import convert_source
from lazygen.symbolic.dim import expr_of, of_symbol
from lazygen.symbolic.expr import Opaque, add, of_atom
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.ranges import range_of

HEAD = "import torch\nfrom torch import nn\n\nmodel = nn.Sequential({}, nn.Flatten(), nn.LazyLinear(10))\n"


def features(layers: str, *sizes: int) -> int | None:
    """What reaches the linear layer for an input of these sizes; None if it does not convert."""
    code = convert_source(HEAD.format(layers), input_shape=",".join(map(str, sizes))).code
    found = re.search(r"nn\.Linear\((\d+), 10\)", code or "")
    return int(found[1]) if found else None


def remark(layers: str, *sizes: int) -> str | None:
    """What is said of the linear layer's range."""
    conversion = convert_source(HEAD.format(layers), input_shape=",".join(map(str, sizes)), path="model.py")
    said = [text.partition(": ")[2] for text in conversion.remarks if re.search(r"in_features \d+: ", text)]
    assert len(said) <= 1
    return said[0] if said else None


RANGES = [
    (
        "nn.LazyConv2d(12, 3, padding=1), nn.MaxPool2d(2), nn.MaxPool2d(2)",
        (4, 3, 28, 28),
        "in_features 588: H and W from 28 to 31",
        {2: (28, 31), 3: (28, 31)},
    ),
    (
        "nn.LazyConv2d(2, 5, stride=3)",
        (4, 3, 20, 33),
        "in_features 120: H from 20 to 22, W from 32 to 34",
        {2: (20, 22), 3: (32, 34)},
    ),
    (
        "nn.LazyConv1d(6, 4), nn.AvgPool1d(3)",
        (4, 2, 50),
        "in_features 90: dim 2 of input from 48 to 50",
        {2: (48, 50)},
    ),
    (
        "nn.LazyConv2d(5, 3, stride=(2, 1))",
        (4, 3, 20, 9),
        "in_features 315: dim 2 of input from 19 to 20",
        {2: (19, 20)},
    ),
    (
        "nn.LazyConv3d(2, 3, stride=2)",
        (4, 1, 8, 9, 10),
        "in_features 96: dim 2 of input from 7 to 8, dim 3 of input and dim 4 of input from 9 to 10",
        {2: (7, 8), 3: (9, 10), 4: (9, 10)},
    ),
]


@pytest.mark.parametrize(("layers", "sizes", "said", "ranges"), RANGES)
def test_the_range_is_said_and_holds(
    layers: str, sizes: tuple[int, ...], said: str, ranges: dict[int, tuple[int, int]]
) -> None:
    assert remark(layers, *sizes) == said
    wanted = features(layers, *sizes)
    assert wanted is not None
    for corner in product(*ranges.values()):
        moved = dict(zip(ranges, corner, strict=True))
        assert features(layers, *(moved.get(at, size) for at, size in enumerate(sizes))) == wanted
    for dim, (low, high) in ranges.items():
        for beyond in (low - 1, high + 1):
            assert features(layers, *sizes[:dim], beyond, *sizes[dim + 1 :]) != wanted


@pytest.mark.parametrize(
    "layers",
    ["nn.LazyConv2d(8, 3)", "nn.AdaptiveAvgPool2d(2)", "nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(1)", "nn.Identity()"],
)
def test_nothing_is_said_without_floors(layers: str) -> None:
    assert remark(layers, 4, 3, 20, 20) is None


def test_a_size_that_is_met_by_one_input_only() -> None:
    size = of_symbol(new_symbol("input", "dim 1 of x", 9, index=1))
    assert range_of(expr_of(size // 2 + size)) == "dim 1 of x 9 only"


def test_sizes_that_hang_together_are_moved_one_at_a_time() -> None:
    height = of_symbol(new_symbol("input", "dim 2 of x", 10, index=2))
    width = of_symbol(new_symbol("input", "dim 3 of x", 10, index=3))
    assert range_of(expr_of((height + width) // 4)) == "H and W from 10 to 13, one at a time"


def test_definitions_are_looked_through() -> None:
    size = of_symbol(new_symbol("input", "dim 1 of x", 9, index=1))
    half = of_symbol(new_symbol("local", "half", 4, definition=expr_of(size // 2)))
    assert range_of(expr_of(half * 3)) == "dim 1 of x from 8 to 9"


def test_what_is_no_arithmetic_has_no_range() -> None:
    size = of_symbol(new_symbol("input", "dim 1 of x", 9, index=1))
    unknown = of_atom(Opaque("f(_0)", (("_0", expr_of(size)),), 7))
    assert range_of(add(expr_of(size // 2), unknown)) is None
