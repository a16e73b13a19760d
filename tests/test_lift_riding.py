"""Sizes beside a loop (`lift/riding.py`) and in a variable (`lift/carrying.py`)."""

# ruff: noqa: E501 (sources and outputs stand on lines of their own)

from __future__ import annotations

import pytest
from lifting import changed, net


@pytest.mark.parametrize(
    ("arguments", "init", "expected"),
    [
        (
            "widths=(8, 9, 7)",
            "self.layers = nn.ModuleList([nn.LazyLinear(w) for w in widths])",
            [
                "self.layers = nn.ModuleList([nn.Linear(in_features, w) for in_features, w in zip((6, *widths)[:-1], widths, strict=True)])"
            ],
        ),
        (
            "widths=(8, 9, 7)",
            "self.layers = nn.ModuleList([nn.Linear(6, 7)])\nfor w in reversed(widths):\n    self.layers.append(nn.LazyLinear(w))",
            [
                "for in_features, w in zip((7, *reversed(widths[1:])), reversed(widths), strict=True):",
                "self.layers.append(nn.Linear(in_features, w))",
            ],
        ),
        (
            "width=8",
            "self.layers = nn.ModuleList([nn.LazyLinear(w) for w in (width, 9, 7)])",
            [
                "self.layers = nn.ModuleList([nn.Linear(in_features, w) for in_features, w in zip((6, width, 9), (width, 9, 7), strict=True)])"
            ],
        ),
        (
            "widths=(8, 9), biases=(True, False)",
            "self.layers = nn.ModuleList([nn.LazyLinear(w, bias=b) for w, b in zip(widths, biases)])",
            [
                "self.layers = nn.ModuleList([nn.Linear(in_features, w, bias=b) for in_features, w, b in "
                "zip((6, *widths)[:-1], widths, biases, strict=False)])"
            ],
        ),
        (
            "widths=(8, 9), depth=2",
            "self.layers = nn.ModuleList()\nfor w in widths:\n    self.layers.append(nn.Sequential(*[nn.LazyLinear(w) for i in range(depth)]))",
            [
                "for in_features, w in zip((6, *widths)[:-1], widths, strict=True):",
                "self.layers.append(nn.Sequential(*[nn.Linear(in_features if i == 0 else w, w) for i in range(depth)]))",
            ],
        ),
    ],
)
def test_sizes_ride_along(arguments: str, init: str, expected: list[str]) -> None:
    assert changed(net(arguments, init), "4,6") == expected


@pytest.mark.parametrize(
    ("arguments", "init", "expected"),
    [
        (
            "plan=(8, 0, 9, 7)",
            "self.layers = nn.ModuleList()\nfor w in plan:\n    if w:\n        self.layers.append(nn.LazyLinear(w))",
            ["in_features = 6", "self.layers.append(nn.Linear(in_features, w))", "in_features = w"],
        ),
        (
            "size=9, width=4",
            "self.layers = nn.ModuleList()\nwhile size > 1:\n    self.layers.append(nn.LazyLinear(width))\n    size, width = size // 2, width + 3",
            ["in_features = 6", "self.layers.append(nn.Linear(in_features, width))", "in_features = width"],
        ),
        (
            "widths=(8, 9), depth=2",
            "self.layers = nn.ModuleList()\nfor w in widths:\n    for _ in range(depth):\n        self.layers.append(nn.LazyLinear(w))",
            ["in_features = 6", "self.layers.append(nn.Linear(in_features, w))", "in_features = w"],
        ),
    ],
)
def test_a_variable_carries_sizes_on(arguments: str, init: str, expected: list[str]) -> None:
    assert changed(net(arguments, init), "4,6") == expected


@pytest.mark.parametrize(
    "init",
    [
        "self.layers = nn.ModuleList([nn.Sequential(nn.Linear(6, w), nn.LazyLinear(6)) for w in widths])",
        "self.layers = nn.ModuleList()\nfor a, b in zip((6, *widths), widths):\n    self.layers.append(nn.Sequential(nn.Linear(a, b), nn.LazyBatchNorm1d()))",
        "self.layers = nn.ModuleList()\nfor w in widths:\n    self.layers.append(nn.Sequential(nn.LazyLinear(w), nn.Linear(w, 6)))",
    ],
)
def test_loops_stay_as_they_are_where_the_call_can_say_its_size(init: str) -> None:
    lines = changed(net("widths=(8, 9)", init), "4,6")
    assert len(lines) == 1
    assert "zip((" not in lines[0] or "(6, *widths), widths" in lines[0]
