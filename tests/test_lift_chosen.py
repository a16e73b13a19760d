"""Calls that only some items come to: another run may leave out what all items of this one pass."""

from __future__ import annotations

from pathlib import Path

import torch
import under_torch

from lazygen import convert_source

MODEL = """from torch import nn


class Net(nn.Module):
    def __init__(self, widths=(8, 16, 32), hidden=5):
        super().__init__()
        self.stem = nn.LazyLinear(hidden)
        self.parts = nn.ModuleList([{parts}])

    def forward(self, x):
        x = self.stem(x)
        {forward}
"""
CHAIN = "for part in self.parts:\n            x = part(x)\n        return x"
FAN = "return [part(x) for part in self.parts]"


def test_only_the_items_that_a_comprehension_takes_tell_what_came_before() -> None:
    text = MODEL.format(parts="nn.LazyLinear(w) for w in widths if w > 4", forward=CHAIN)
    code = convert_source(text, input_shape="4,7").code
    assert code is not None and "sizes = [w for w in widths if w > 4]" in code
    assert "zip((hidden, *sizes)[:-1], sizes, strict=True)" in code
    left, right = (under_torch.module(source, Path("model.py"), "chosen") for source in (text, code))
    for entry in ("Net()", "Net((2, 9, 4, 6))", "Net((1, 2))"):
        under_torch.compare(under_torch.model(left, entry), under_torch.model(right, entry), [torch.ones(4, 7)], {})


def test_an_element_that_needs_more_than_its_item_is_refused() -> None:
    text = MODEL.format(parts="nn.LazyLinear(w + k) for k in (1, 2) for w in widths if w > 4", forward=CHAIN)
    conversion = convert_source(text, input_shape="4,7")
    assert conversion.code is None and [d.code for d in conversion.diagnostics] == ["LZ302"]


def test_one_size_for_all_items_needs_no_order() -> None:
    text = MODEL.format(parts="nn.LazyLinear(w) for w in widths if w > 4", forward=FAN)
    code = convert_source(text, input_shape="4,7").code
    assert code is not None and "[nn.Linear(hidden, w) for w in widths if w > 4]" in code


def test_a_filter_that_reads_no_item_leaves_the_order_alone() -> None:
    text = MODEL.format(parts="nn.LazyLinear(w) for w in widths if hidden", forward=CHAIN)
    code = convert_source(text, input_shape="4,7").code
    assert code is not None and "(hidden, *widths)[:-1]" in code
