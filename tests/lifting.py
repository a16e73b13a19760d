"""Converts small models for tests of lifting, and tells what changed."""

from __future__ import annotations

import textwrap

from lazygen import convert_source

FLAT = "for layer in self.layers:\n    x = layer(x)\nreturn x"


def net(arguments: str, init: str, forward: str = FLAT, before: str = "") -> str:
    """A module `Net` with a constructor and a `forward` of these lines, behind other definitions."""
    head = f"from torch import nn\nimport torch\n\n\n{textwrap.dedent(before).strip()}\n\n\n"
    return (
        f"{head}class Net(nn.Module):\n    def __init__(self, {arguments}):\n        super().__init__()\n"
        f"{textwrap.indent(textwrap.dedent(init).strip(), ' ' * 8)}\n\n    def forward(self, x):\n"
        f"{textwrap.indent(textwrap.dedent(forward).strip(), ' ' * 8)}\n"
    )


def changed(source: str, shape: str, entry: str | None = None) -> list[str]:
    """The lines of the output that are not in the source, without indentation; the output stands on long lines."""
    conversion = convert_source(source, input_shape=shape, entry=entry, line_length=200)
    assert conversion.code is not None, conversion.diagnostics
    assert not [finding for finding in conversion.diagnostics if finding.code == "LZ310"], (
        "a model was fixed to its arguments"
    )
    known = source.splitlines()
    return [line.strip() for line in conversion.code.splitlines() if line not in known]


def refusal(source: str, shape: str) -> str:
    """The code of the first finding about a source that cannot be converted."""
    conversion = convert_source(source, input_shape=shape)
    assert conversion.code is None
    return conversion.diagnostics[0].code
