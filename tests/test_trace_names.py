"""What the names of a module tell is kept from layer to layer: it must be what asking them all again would give."""

from __future__ import annotations

import textwrap
from types import FrameType
from typing import Any

import pytest
from apart import here as convert_source

from lazygen.trace.names import Names

SOURCES = {
    "names bound again": """
        width = 16
        first = nn.LazyLinear(width)
        width = 32
        second = nn.LazyLinear(width)
        model = nn.Sequential(first, second)
        """,
    "a list that grows": """
        widths = [16]
        first = nn.LazyLinear(widths[0])
        widths.append(32)
        second = nn.LazyLinear(widths[1])
        model = nn.Sequential(first, second)
        """,
    "an object whose attribute changes": """
        class Config:
            def __init__(self):
                self.width = 16

        config = Config()
        first = nn.LazyLinear(config.width)
        config.width = 32
        config.depth = 2
        second = nn.LazyLinear(config.width)
        model = nn.Sequential(first, second)
        """,
    "an object that is empty at first": """
        class Config:
            pass

        config = Config()
        first = nn.LazyLinear(16)
        config.width = 32
        second = nn.LazyLinear(config.width)
        model = nn.Sequential(first, second)
        """,
    "a list in an object": """
        class Config:
            def __init__(self):
                self.widths = [16]

        config = Config()
        first = nn.LazyLinear(config.widths[0])
        config.widths.append(32)
        second = nn.LazyLinear(config.widths[-1])
        model = nn.Sequential(first, second)
        """,
    "attributes of a class": """
        class Config:
            width = 16

        def block():
            return nn.LazyLinear(Config.width)

        first = block()
        Config.width = 32
        second = block()
        model = nn.Sequential(first, second)
        """,
    "a parameter under the name of a variable": """
        width = 16

        def block(width):
            return nn.LazyLinear(width)

        model = nn.Sequential(block(32), block(width), nn.LazyLinear(width))
        """,
    "a global that a function binds": """
        width = 16

        def block():
            global width
            width = width * 2
            return nn.LazyLinear(width)

        model = nn.Sequential(block(), block(), nn.LazyLinear(width))
        """,
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_kept_is_what_asking_again_gives(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Names.of

    def checked(self: Names, around: list[FrameType]) -> Any:
        told = kept(self, around)
        again = kept(Names(self.reads), around)
        assert told == again, f"kept {told}, but it is {again}"
        return told

    monkeypatch.setattr(Names, "of", checked)  # the traced process inherits it
    conversion = convert_source("from torch import nn\n" + textwrap.dedent(source), input_shape="4,10")
    assert conversion.code is not None and "Lazy" not in conversion.code, conversion.diagnostics
    assert not [finding for finding in conversion.diagnostics if finding.severity == "error"]


def test_the_check_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """An assertion in the traced process is told as the bug that it is."""

    def broken(self: Names, around: list[FrameType]) -> Any:
        raise AssertionError("kept and asked differ")

    monkeypatch.setattr(Names, "of", broken)
    conversion = convert_source("from torch import nn\nmodel = nn.LazyLinear(3)\n", input_shape="4,10")
    assert conversion.code is None
