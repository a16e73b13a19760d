"""Classes that cannot stay general: `lift/fixing.py`."""

from __future__ import annotations

from typing import Any

import pytest
from lifting import net

from lazygen import convert_source

STRIDED = """\
self.layers = nn.Sequential(*[nn.LazyConv2d(4, 3, stride=2) for _ in range(depth)])
self.fc = nn.LazyLinear(5)"""
STRIDES = "self.layers = nn.Sequential(*[nn.LazyConv2d(4, 3, stride=s) for s in strides])\nself.fc = nn.LazyLinear(5)"
POOLED = """\
self.layers = nn.LazyConv2d(4, 3)
self.pool = nn.MaxPool2d(2) if pool else nn.Identity()
self.fc = nn.LazyLinear(5)"""
FORWARD = "return self.fc(self.layers(x).flatten(1))"
SHAPE = "4,3,17,17"
POOL_FORWARD = FORWARD.replace("self.layers(x)", "self.pool(self.layers(x))")
CASES = [
    ("depth=2", STRIDED, FORWARD, "depth must be 2", {"depth": 3}),
    ("strides=(2, 1)", STRIDES, FORWARD, "strides must have 2 entries", {"strides": (2, 1, 1)}),
    ("pool=True", POOLED, POOL_FORWARD, "pool must be True", {"pool": False}),
    ("pool=False", POOLED, POOL_FORWARD, "pool must be False", {"pool": True}),
]


def converted(source: str, entry: str | None = None) -> tuple[str, list[str]]:
    conversion = convert_source(source, input_shape=SHAPE, entry=entry)
    assert conversion.code is not None, conversion.diagnostics
    return conversion.code, [d.message for d in conversion.diagnostics if d.code == "LZ310"]


@pytest.mark.parametrize(("arguments", "init", "forward", "words", "other"), CASES, ids=[case[0] for case in CASES])
def test_other_arguments_raise_in_the_constructor(
    arguments: str, init: str, forward: str, words: str, other: dict[str, Any]
) -> None:
    torch = pytest.importorskip("torch")
    source = net(arguments, init, forward)
    code, notes = converted(source)
    assert len(notes) == 1
    assert words in notes[0]
    namespace: dict[str, Any] = {}
    exec(code, namespace)
    assert namespace["Net"]()(torch.zeros(4, 3, 17, 17)).shape == (4, 5)
    with pytest.raises(ValueError, match=words):
        namespace["Net"](**other)


def test_the_check_stands_behind_the_docstring_and_says_why() -> None:
    source = net("depth=2", STRIDED, FORWARD).replace("        super()", '        """Builds it."""\n        super()')
    code, _ = converted(source)
    assert (
        '        """Builds it."""\n        # The sizes below hold for one value of depth only.\n'
        '        if depth != 2:\n            raise ValueError("depth must be 2")\n        super().__init__()\n'
    ) in code


def test_a_function_gets_its_check_too() -> None:
    body = "    layers = [nn.LazyConv2d(4, 3, stride=2) for _ in range(depth)]\n"
    result = "    return nn.Sequential(*layers, nn.Flatten(), nn.LazyLinear(5))\n"
    code, notes = converted(f"from torch import nn\n\n\ndef build(depth=2):\n{body}{result}", "build")
    assert "def build(depth=2):\n    # The sizes below hold for one value of depth only.\n    if depth != 2:\n" in code
    assert len(notes) == 1


def test_two_arguments_get_two_checks() -> None:
    init = f"{STRIDED}\nself.more = nn.Sequential(*[nn.LazyConv2d(4, 1, stride=s) for s in strides])"
    code, notes = converted(
        net("depth=2, strides=(2, 1)", init, FORWARD.replace("self.layers(x)", "self.more(self.layers(x))"))
    )
    assert code.count("raise ValueError(") == len(notes) == 2


@pytest.mark.parametrize(
    ("arguments", "init"),
    [
        ("kernel=3", "self.layers = nn.LazyConv2d(4, kernel)\nself.fc = nn.LazyLinear(5)"),
        ("width=4, classes=5", "self.layers = nn.LazyConv2d(width, 3)\nself.fc = nn.LazyLinear(classes)"),
        ("bias=True", "self.layers = nn.LazyConv2d(4, 3, bias=bias)\nself.fc = nn.LazyLinear(5)"),
        ("name='tiny'", "self.name = name\nself.layers = nn.LazyConv2d(4, 3)\nself.fc = nn.LazyLinear(5)"),
        ("rate=0.5", "self.layers = nn.Sequential(nn.LazyConv2d(4, 3), nn.Dropout(rate))\nself.fc = nn.LazyLinear(5)"),
    ],
)
def test_what_stays_general_gets_no_check(arguments: str, init: str) -> None:
    code, notes = converted(net(arguments, init, FORWARD))
    assert notes == []
    assert "ValueError" not in code


def test_without_terms_the_note_says_so() -> None:
    pytest.importorskip("torch")
    source = (
        "from torch import nn\n\nclass Net(nn.Module):\n    def __init__(self, width=6):\n        super().__init__()\n"
        "        self.net = nn.Sequential(nn.LazyLinear(width), nn.LazyLinear(3))\n\n"
        "    def forward(self, x):\n        return self.net(x)\n"
    )
    (note,) = convert_source(source, input_shape="N,9", engine="torch", timeout=60).diagnostics
    assert note.code == "LZ310" and "with --engine torch its sizes are numbers" in note.message
    assert note.helps == ("leave out --engine torch, so that sizes are followed as expressions",)
