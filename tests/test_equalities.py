"""Sizes that a block's own code needs to be its argument are said by it; those that only its caller makes are not."""

from __future__ import annotations

from lazygen import convert_source

BLOCK = """import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim{parameters}):
        super().__init__()
        {made}
        self.fc = nn.LazyLinear(dim)

    def forward(self, x):
        {forward}


class Net(nn.Module):
    def __init__(self, width=16{options}):
        super().__init__()
        self.stem = nn.LazyLinear(width)
        self.block = Block(width{passed})

    def forward(self, x):
        {run}
"""


def converted(
    forward: str, made: str = "self.act = nn.ReLU()", run: str = "return self.block(self.stem(x))",
    parameters: str = "", options: str = "", passed: str = "",
) -> str:  # fmt: skip
    text = BLOCK.format(forward=forward, made=made, run=run, parameters=parameters, options=options, passed=passed)
    conversion = convert_source(text, entry="Net", input_shape="4,7")
    assert conversion.code is not None, conversion.diagnostics
    return conversion.code


def test_a_layer_with_a_size_of_its_own_tells() -> None:
    assert "nn.Linear(dim, dim)" in converted("return self.fc(self.norm(x))", made="self.norm = nn.LayerNorm(dim)")


def test_a_sum_tells() -> None:
    assert "nn.Linear(dim, dim)" in converted("return x + self.fc(x)")


def test_a_product_of_matrices_tells() -> None:
    made = "self.mix = nn.Parameter(torch.zeros(dim, dim))"
    assert "nn.Linear(dim, dim)" in converted("return self.fc(x) + x @ self.mix", made=made)


def test_what_the_caller_adds_is_no_rule_of_the_block() -> None:
    code = converted("return self.fc(x)", run="x = self.stem(x)\n        return x + self.block(x)")
    assert "def __init__(self, in_features, dim)" in code and "Block(width, width)" in code


def test_a_sum_that_an_argument_may_turn_off_is_no_rule() -> None:
    code = converted(
        "return x + self.fc(x) if self.skip else self.fc(torch.cat([x, x], -1))",
        made="self.skip = skip", parameters=", skip", options=", skip=True", passed=", skip",
    )  # fmt: skip
    assert "nn.Linear(dim, dim)" not in code


def test_a_sum_in_a_branch_is_no_rule() -> None:
    code = converted(
        "if self.skip:\n            return x + self.fc(x)\n        return self.fc(x)", made="self.skip = True"
    )
    assert "def __init__(self, in_features, dim)" in code


def test_a_sum_behind_a_way_out_is_no_rule() -> None:
    code = converted(
        "if not self.skip:\n            return self.fc(x)\n        return x + self.fc(x)", made="self.skip = True"
    )
    assert "def __init__(self, in_features, dim)" in code


def test_a_view_that_cuts_into_heads_tells() -> None:
    made = "self.heads = 4"
    code = converted("n, d = x.shape\n        return self.fc(x).view(n, self.heads, -1).reshape(n, d)", made=made)
    assert "nn.Linear(dim, dim)" in code


def test_a_check_that_a_division_leaves_nothing_tells() -> None:
    made = "assert dim % 4 == 0\n        self.each = dim // 4\n        self.out = nn.Linear(4 * self.each, 1)"
    code = converted("return self.fc(x[..., : 4 * self.each])", made=made, run="return self.block(self.stem(x))")
    assert "nn.Linear(dim, dim)" in code
