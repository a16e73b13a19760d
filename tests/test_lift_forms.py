"""The ways to say a size at a call (`lift/forms.py`, `lines.py`, `counting.py`): each with what it must leave alone."""

# ruff: noqa: E501 (sources and outputs stand on lines of their own)

from __future__ import annotations

import pytest
from lifting import FLAT, changed, net

CAT = "for layer in self.layers:\n    x = torch.cat([x, layer(x)], 1)\nreturn {}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            net(
                "width=8",
                "self.layers = [0]\nself.one = nn.LazyLinear(width)\nself.two = nn.LazyLinear(3)",
                "return self.two(self.one(x))",
            ),
            ["self.one = nn.Linear(6, width)", "self.two = nn.Linear(width, 3)"],
            id="an argument",
        ),
        pytest.param(
            net("width=8, depth=3", "self.layers = nn.ModuleList([nn.LazyLinear(width) for i in range(depth)])"),
            ["self.layers = nn.ModuleList([nn.Linear(6 if i == 0 else width, width) for i in range(depth)])"],
            id="the first differs",
        ),
        pytest.param(
            net(
                "width=8, depth=3",
                "self.layers = nn.ModuleList([nn.LazyLinear(width * (i + 1)) for i in range(depth)])",
            ),
            [
                "self.layers = nn.ModuleList([nn.Linear(6 if i == 0 else width * i, width * (i + 1)) for i in range(depth)])"
            ],
            id="by the counter",
        ),
        pytest.param(
            net("widths=(8, 9, 7)", "self.layers = nn.ModuleList([nn.LazyLinear(w) for i, w in enumerate(widths)])"),
            [
                "self.layers = nn.ModuleList([nn.Linear(6 if i == 0 else widths[i - 1], w) for i, w in enumerate(widths)])"
            ],
            id="the element before",
        ),
        pytest.param(
            net(
                "growth=4, depth=3",
                "self.layers = nn.ModuleList([nn.LazyLinear(growth) for i in range(depth)])",
                CAT.format("x"),
            ),
            ["self.layers = nn.ModuleList([nn.Linear(growth * i + 6, growth) for i in range(depth)])"],
            id="a line along the counter",
        ),
        pytest.param(
            net(
                "growth=4, depth=3",
                "self.layers = nn.ModuleList([nn.Linear(6 + growth * i, growth) for i in range(depth)])\nself.head = nn.LazyLinear(2)",
                CAT.format("self.head(x)"),
            ),
            ["self.head = nn.Linear(growth * depth + 6, 2)"],
            id="a count",
        ),
        pytest.param(
            net(
                "sizes=(4, 7, 5)",
                "self.layers = nn.ModuleList([nn.Linear(6 + sum(sizes[:i]), s) for i, s in enumerate(sizes)])\nself.head = nn.LazyLinear(2)",
                CAT.format("self.head(x)"),
            ),
            ["self.head = nn.Linear(sum(sizes) + 6, 2)"],
            id="a sum",
        ),
        pytest.param(
            net(
                "width=8, depth=2",
                "self.layers = nn.ModuleList()\nfor _ in range(depth):\n    self.layers.append(nn.LazyLinear(width))\n    width *= 2",
            ),
            ["for i in range(depth):", "self.layers.append(nn.Linear(6 if i == 0 else width // 2, width))"],
            id="what a name held before, with a name for the counter",
        ),
        pytest.param(
            net(
                "widths={'a': 4, 'b': 7}",
                "self.layers = nn.ModuleList(nn.Linear(6, w) for w in widths.values())\n"
                "self.heads = nn.ModuleDict({name: nn.LazyLinear(2) for name in widths})",
                "return [head(layer(x)) for layer, head in zip(self.layers, self.heads.values())]",
            ),
            ["self.heads = nn.ModuleDict({name: nn.Linear(widths[name], 2) for name in widths})"],
            id="by the loop's own key",
        ),
    ],
)
def test_a_size_is_said_in_the_terms_of_its_scope(source: str, expected: list[str]) -> None:
    assert changed(source, "4,6") == expected


@pytest.mark.parametrize(
    ("init", "expected"),
    [
        (
            "self.layers = nn.ModuleList([nn.LazyLinear(6) for i in range(depth)])",
            "[nn.Linear(6, 6) for i in range(depth)]",
        ),
        (
            "self.layers = nn.ModuleList([nn.Sequential(nn.Linear(6, 6), nn.LazyBatchNorm1d()) for _ in range(depth)])",
            "nn.BatchNorm1d(6)",
        ),
        (
            "self.layers = [nn.Linear(6, width)]\nself.layers += [nn.LazyLinear(width) for _ in range(depth)]",
            "[nn.Linear(width, width) for _ in",
        ),
        ("self.layers = nn.ModuleList([nn.LazyLinear(6)] * depth)", "[nn.Linear(6, 6)] * depth"),
        ("count = depth * width\nself.layers = [nn.Linear(6, count), nn.LazyLinear(2)]", "nn.Linear(count, 2)"),
        (
            "self.layers = [nn.Linear(6, w) if w == 8 else nn.LazyLinear(w) for w in (8, 9)]",
            "else nn.Linear(8, w) for w in (8, 9)]",
        ),
        ("self.layers = [nn.Linear(6, 4 * width), nn.LazyLinear(4)]", "nn.Linear(4 * width, 4)]"),
        ("width = width + 1\nself.layers = [nn.Linear(6, width), nn.LazyLinear(4)]", "nn.Linear(width, 4)]"),
        ("widths = [width, 7]\nself.layers = [nn.Linear(6, widths[0]), nn.LazyLinear(4)]", "nn.Linear(width, 4)]"),
    ],
)
def test_nothing_but_the_call_changes_where_the_call_can_say_its_size(init: str, expected: str) -> None:
    lines = changed(net("width=8, depth=3", init, FLAT), "4,6")
    assert len(lines) == 1 and expected in lines[0]


def test_numbers_that_agree_by_chance_are_no_rule() -> None:
    source = net(
        "width=6, depth=6",
        "self.layers = [nn.Linear(6, width), nn.LazyLinear(depth), nn.LazyLinear(6), nn.LazyLinear(6)]",
    )
    assert changed(source, "4,6") == [
        "self.layers = [nn.Linear(6, width), nn.Linear(width, depth), nn.Linear(depth, 6), nn.Linear(6, 6)]"
    ]
