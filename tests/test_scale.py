"""Time is linear in layers: ten times as many take at most twelve times as long, start and end of a process aside."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

import lazygen


def sequential(count: int) -> str:
    layers = "".join(f"    nn.LazyLinear({16 + i % 7}),\n" for i in range(count))
    return f"from torch import nn\n\nmodel = nn.Sequential(\n{layers})\n"


def attributes(count: int) -> str:
    made = "".join(f"        self.l{i} = nn.LazyLinear({16 + i % 7})\n" for i in range(count))
    run = "".join(f"        x = self.l{i}(x)\n" for i in range(count))
    head = "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    return f"{head}{made}\n    def forward(self, x):\n{run}        return x\n"


def classes(count: int) -> str:
    one = (
        "\n\nclass Block{0}(nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"
        "        self.fc = nn.LazyLinear(width)\n\n    def forward(self, x):\n        return self.fc(x)\n"
    )
    blocks = "".join(one.format(i) for i in range(count))
    calls = "".join(f"    Block{i}({16 + i % 7}),\n" for i in range(count))
    return f"from torch import nn\n{blocks}\n\nmodel = nn.Sequential(\n{calls})\n"


def variables(count: int) -> str:
    made = "".join(f"w{i} = {16 + i % 7}\nl{i} = nn.LazyLinear(w{i})\n" for i in range(count))
    return f"from torch import nn\n\n{made}\nmodel = nn.Sequential({', '.join(f'l{i}' for i in range(count))})\n"


def loop(count: int) -> str:
    return (
        f"from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self, depth={count}, width=16):\n"
        "        super().__init__()\n        self.layers = nn.ModuleList()\n        for i in range(depth):\n"
        "            self.layers.append(nn.LazyLinear(width))\n\n    def forward(self, x):\n"
        "        for layer in self.layers:\n            x = layer(x)\n        return x\n"
    )


def processor_seconds(source: str) -> float:
    """What a conversion takes of this process's time and of its children's."""
    before = os.times()
    conversion = lazygen.convert_source(source, input_shape="4,10", timeout=60)
    after = os.times()
    assert conversion.code is not None and "Lazy" not in conversion.code
    return sum(after[:4]) - sum(before[:4])


@pytest.mark.parametrize("source", [sequential, attributes, classes, variables, loop])
def test_time_is_linear_in_layers(source: Callable[[int], str]) -> None:
    processor_seconds(source(2))  # what is imported once
    few = min(processor_seconds(source(30)) for _ in range(3))
    assert processor_seconds(source(300)) < 12 * few


def test_a_slower_conversion_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from lazygen import pipeline

    lift = vars(pipeline)["lift"]

    def quadratic(*args, **kwargs):  # type: ignore[no-untyped-def]
        layers = len(args[3].layers)
        until = time.process_time() + layers * layers * 2e-5
        while time.process_time() < until:
            pass
        return lift(*args, **kwargs)

    monkeypatch.setattr(pipeline, "lift", quadratic)
    few = processor_seconds(sequential(30))
    assert processor_seconds(sequential(300)) > 12 * few
