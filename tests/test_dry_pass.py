"""Passes over made-up data in constructors: `lift/dry_pass.py`."""

from __future__ import annotations

import textwrap

import pytest
from lifting import net

from lazygen import convert_source

BLOCK = """
class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.LazyLinear(width)

    def forward(self, x):
        return self.fc(x)
"""


def left(source: str) -> str:
    """The constructor of `Net` in the output, behind `super().__init__()`."""
    conversion = convert_source(source, input_shape="4,3")
    assert conversion.code is not None, conversion.diagnostics
    body = conversion.code.partition("class Net")[2].partition("super().__init__()\n")[2]
    return textwrap.dedent(body.partition("\n\n    def ")[0]).strip()


@pytest.mark.parametrize(
    "dry",
    [
        "self(torch.zeros(1, 3))",
        "self.forward(torch.randn(2, 3))",
        "self.fc(torch.zeros(1, 3))",
        "self.fc(x=torch.zeros(1, 3)) if False else None\nself(torch.ones(1, 3))",
        "with torch.no_grad():\n    self(torch.zeros(1, 3))",
        "with torch.no_grad(), torch.device('cpu'):\n    self(torch.zeros(1, 3))\n    self.fc(torch.zeros(1, 3))",
    ],
)
def test_a_pass_that_only_gives_sizes_goes(dry: str) -> None:
    source = net("width=8", f"self.fc = nn.LazyLinear(width)\n{dry}", "return self.fc(x)")
    kept = [line for line in dry.splitlines() if "if False" in line]
    assert left(source) == "\n".join(["self.fc = nn.Linear(3, width)", *kept])


def test_a_pass_over_a_block_with_lazy_layers_goes() -> None:
    source = net("width=8", "self.block = Block(width)\nself(torch.zeros(1, 3))", "return self.block(x)", BLOCK)
    assert left(source) == "self.block = Block(width)"


@pytest.mark.parametrize(
    "dry",
    [
        "self.out = self.fc(torch.zeros(1, 3)).shape[1]",
        "self.fc(torch.zeros(1, 3)).sum().backward()",
        "self.register_buffer('k', torch.zeros(1, 3))",
        "with torch.no_grad():\n    self.fc(torch.zeros(1, 3))\n    self.fc.weight.zero_()",
        "with torch.no_grad() as off:\n    self.fc(torch.zeros(1, 3))",
        "self.count(torch.zeros(3))",
        "dummy = torch.zeros(1, 3)\nself.fc(dummy)",
        "nn.ReLU()(torch.zeros(3))",
    ],
)
def test_what_does_more_stays(dry: str) -> None:
    base = "class Base(nn.Module):\n    def count(self, t):\n        self.k = t.sum()\n"
    source = net("width=8", f"self.fc = nn.LazyLinear(width)\n{dry}", "return self.fc(x)", base)
    source = source.replace("class Net(nn.Module)", "class Net(Base)")
    assert left(source) == f"self.fc = nn.Linear(3, width)\n{dry}"


@pytest.mark.parametrize("forward", ["self.seen = x.shape[1]\nreturn self.fc(x)", "self.note(x)\nreturn self.fc(x)"])
def test_a_forward_that_sets_attributes_is_run(forward: str) -> None:
    base = "class Base(nn.Module):\n    def note(self, x):\n        self.seen = x.shape[1]\n"
    source = net("width=8", "self.fc = nn.LazyLinear(width)\nself(torch.zeros(1, 3))", forward, base)
    source = source.replace("class Net(nn.Module)", "class Net(Base)")
    assert left(source).endswith("\nself(torch.zeros(1, 3))")


def test_a_class_without_lazy_layers_is_left_alone() -> None:
    plain = BLOCK.replace("nn.LazyLinear(width)", "nn.Linear(3, width)\n        self(torch.zeros(1, 3))")
    source = net(
        "width=8", "self.block = Block(3)\nself.fc = nn.LazyLinear(width)", "return self.fc(self.block(x))", plain
    )
    code = convert_source(source, input_shape="4,3").code
    assert code is not None
    assert "self(torch.zeros(1, 3))" in code
