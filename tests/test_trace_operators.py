"""Operators that sources and libraries register, and those that only real torch has."""

from __future__ import annotations

import importlib.util

import pytest

from lazygen import convert_source

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="asks real torch")


def net(definitions: str, call: str) -> str:
    return (
        f"import torch\nfrom torch import nn\n{definitions}\n\n"
        "class Net(nn.Module):\n    def __init__(self, width=6):\n        super().__init__()\n"
        "        self.first = nn.LazyLinear(width)\n        self.head = nn.LazyLinear(5)\n\n"
        f"    def forward(self, x):\n        return self.head({call})\n"
    )


def head(source: str) -> str:
    conversion = convert_source(source, input_shape="N,9", timeout=60)
    assert conversion.code is not None, conversion.diagnostics
    return next(line for line in conversion.code.splitlines() if "self.head" in line).strip()


PAIRED = """
@torch.library.custom_op("mine::paired", mutates_args=())
def paired(x: torch.Tensor, count: int) -> torch.Tensor:
    return torch.from_numpy(compute(x.numpy(), count))


@paired.register_fake
def _(x, count):
    return x.new_empty(x.shape[0], count * x.shape[1])


paired.register_autograd(lambda ctx, grad: (grad, None))
"""


def test_the_fake_says_the_shape() -> None:
    assert head(net(PAIRED, "paired(self.first(x), 3)")) == "self.head = nn.Linear(3 * width, 5)"
    assert head(net(PAIRED, "torch.ops.mine.paired(self.first(x), 3)")) == "self.head = nn.Linear(3 * width, 5)"
    assert head(net(PAIRED, "torch.ops.mine.paired.default(self.first(x), 3)")) == "self.head = nn.Linear(3 * width, 5)"


def test_without_a_fake_the_body_runs() -> None:
    body = (
        '@torch.library.custom_op("mine::joined", mutates_args=())\n'
        "def joined(x: torch.Tensor) -> torch.Tensor:\n    return torch.cat([x, x], 1)\n"
    )
    assert head(net(body, "joined(self.first(x))")) == "self.head = nn.Linear(2 * width, 5)"


def test_a_library_of_operators() -> None:
    text = (
        'lib = torch.library.Library("mine", "DEF")\nlib.define("widened(Tensor x, int by) -> Tensor")\n'
        "def widened(x, by):\n    return torch.nn.functional.pad(x, (0, by))\n"
        'lib.impl("widened", widened, "CompositeImplicitAutograd")\n'
    )
    assert head(net(text, "torch.ops.mine.widened(self.first(x), 2)")) == "self.head = nn.Linear(width + 2, 5)"
    text = (
        'torch.library.define("mine::widened", "(Tensor x) -> Tensor")\n'
        '@torch.library.impl("mine::widened", "cpu")\ndef _(x):\n    return x.numpy()\n'
        '@torch.library.register_fake("mine::widened")\ndef _(x):\n    return x.repeat(1, 2)\n'
    )
    assert head(net(text, "torch.ops.mine.widened(self.first(x))")) == "self.head = nn.Linear(2 * width, 5)"


@needs_torch
def test_an_operator_of_torch_keeps_the_terms_of_sizes() -> None:
    call = "torch.ops.aten.constant_pad_nd(self.first(x), [0, 0], 0.0)"
    assert head(net("", call)) == "self.head = nn.Linear(width, 5)"


@needs_torch
def test_an_operator_that_nobody_has() -> None:
    conversion = convert_source(net("", "torch.ops.mine.nothing(self.first(x))"), input_shape="N,9", timeout=60)
    (finding,) = conversion.diagnostics
    assert finding.code == "LZ240" and finding.message == "torch.ops.mine.nothing has no shape rule"
    assert finding.notes[0].message == "no library that was loaded has it"


def test_a_size_that_an_operator_finds_in_data_is_free() -> None:
    text = PAIRED.replace("count * x.shape[1]", "torch.library.get_ctx().new_dynamic_size()")
    conversion = convert_source(net(text, "paired(self.first(x), 3)"), input_shape="N,9")
    assert [finding.code for finding in conversion.diagnostics] == ["LZ205"]
