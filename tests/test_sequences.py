"""Sizes of a loop that only the callers of its function know become a parameter that is a sequence."""

from __future__ import annotations

from lazygen import convert_source

NET = """from torch import nn


class Heads(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.heads = nn.ModuleList([nn.LazyLinear(2) for _ in range(count)])

    def forward(self, parts):
        return [head(part) for head, part in zip(self.heads, parts)]


class Net(nn.Module):
    def __init__(self, a=8, b=16):
        super().__init__()
        self.first, self.second = nn.LazyLinear(a), nn.LazyLinear(b)
        self.heads = {made}

    def forward(self, x):
        x = self.first(x)
        return self.heads([x, self.second(x)])
"""


def converted(made: str = "Heads(2)", more: str = "") -> str:
    conversion = convert_source(NET.format(made=made) + more, entry="Net", input_shape="4,7")
    assert conversion.code is not None, conversion.diagnostics
    return conversion.code


def test_terms_of_the_caller_are_a_tuple() -> None:
    code = converted()
    assert "def __init__(self, in_features_list, count)" in code
    assert "for in_features, _ in zip(in_features_list, range(count), strict=True)" in code
    assert "Heads((a, b), 2)" in code


def test_a_caller_that_cannot_say_them_passes_them_on() -> None:
    wrapper = """

class Wrapped(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.inner = Heads(count)

    def forward(self, parts):
        return self.inner(parts)
"""
    code = converted(made="Wrapped(2)", more=wrapper)
    assert "self.inner = Heads(in_features_list, count)" in code
    assert "Wrapped((a, b), 2)" in code


def test_a_call_without_sizes_is_a_reason_to_refuse() -> None:
    text = NET.format(made="Heads(2)")
    conversion = convert_source(
        text.replace("        self.first, ", "        self.none = Heads(0)\n        self.first, "),
        entry="Net",
        input_shape="4,7",
    )
    assert conversion.code is None
    assert [finding.code for finding in conversion.diagnostics] == ["LZ301"]
