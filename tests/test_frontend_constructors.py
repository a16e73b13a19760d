"""Which arguments a constructor asks for, and the example calls of messages."""

from __future__ import annotations

import ast

import pytest

from lazygen.frontend.constructors import Parameter, example_call, example_value
from lazygen.frontend.roots import explain, find

HEAD = "import torch\nfrom torch import nn\n"


def constructor(parameters: str, head: str = "nn.Module", more: str = "") -> str:
    return (
        f"class A({head}):\n    def __init__(self{parameters}):\n        self.l = nn.LazyLinear(3)\n{more}"
        "    def forward(self, x): return self.l(x)\n"
    )


# A source, and the arguments that its class A misses.
MISSING: dict[str, tuple[str, str]] = {
    "none": (constructor(""), ""),
    "defaults": (constructor(", a=1, *b, c=2, **d"), ""),
    "positional": (constructor(", a, b, c=1"), "a b"),
    "positional only": (constructor(", a, /, b=1"), "a"),
    "keyword only": (constructor(", a=1, *, b, c=2"), "b"),
    "inherited": ("class B(nn.Module):\n    def __init__(self, a): pass\n" + constructor("", "B"), ""),
    "really inherited": (
        "class B(nn.Module):\n    def __init__(self, a): pass\n"
        "class A(B):\n    def forward(self, x): return nn.LazyLinear(3)(x)",
        "a",
    ),
    "inherited twice": (
        "class C(nn.Module):\n    def __init__(self, a): pass\nclass B(C): pass\n"
        "class A(B):\n    def forward(self, x): return nn.LazyLinear(3)(x)",
        "a",
    ),
    "passed on": (
        "class B(nn.Module):\n    def __init__(self, a, b): pass\n"
        + constructor(", *args, **kw", "B", "        super().__init__(*args, **kw)\n"),
        "a b",
    ),
    "passed on with some given": (
        "class B(nn.Module):\n    def __init__(self, a, b, c): pass\n"
        + constructor(", **kw", "B", "        super().__init__(3, c=4, **kw)\n"),
        "b",
    ),
    "fields": (
        "from dataclasses import dataclass, field\n@dataclass\nclass A(nn.Module):\n    a: int\n    b: int = 3\n"
        "    c: list = field(default_factory=list)\n    d: int = field(repr=False)\n    e: int = field(init=False)\n"
        "    f: ClassVar[int]\n    def forward(self, x): return nn.LazyLinear(3)(x)",
        "a d",
    ),
    "inherited fields": (
        "from dataclasses import dataclass\n@dataclass(eq=False)\nclass B:\n    a: int\n    b: int\n"
        "@dataclass\nclass A(B):\n    b: int = 3\n    def forward(self, x): return nn.LazyLinear(3)(x)",
        "a",
    ),
    "in a conditional": (
        "class A(nn.Module):\n    if True:\n        def __init__(self, a): self.l = nn.LazyLinear(3)\n"
        "    def forward(self, x): return self.l(x)",
        "a",
    ),
}


@pytest.mark.parametrize("name", MISSING)
def test_arguments_that_are_missing(name: str) -> None:
    source, missing = MISSING[name]
    tree = ast.parse(HEAD + source)
    rejected = {item.name: item.missing for item in explain(tree)}
    assert rejected.get("A", ()) == tuple(missing.split())
    assert ("A" in [root.name for root in find(tree)]) is not bool(missing)


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        (["width"], "A(8)"),
        (["hidden", "num_classes"], "A(8, 10)"),
        (["widths"], "A((8, 16))"),
        (["depth", "heads", "kernel_size"], "A(2, 4, 3)"),
        (["dropout", "use_bias", "whatever"], "A(0.1, True, 8)"),
        (["vocab_size", "activation"], 'A(100, "relu")'),
    ],
)
def test_example_calls(parameters: list[str], expected: str) -> None:
    assert example_call("A", tuple(map(Parameter, parameters))) == expected


@pytest.mark.parametrize(
    ("name", "annotation", "expected"),
    [
        ("x", "float", "0.1"),
        ("x", "list[int]", "[8, 16]"),
        ("x", "typing.Sequence[int]", "(8, 16)"),
        ("x", "bool", "True"),
        ("x", "str", '"relu"'),
        ("widths", "int", "8"),
        ("num_classes", "int", "10"),
        ("n", "'int'", "8"),
    ],
)
def test_example_values_by_annotation(name: str, annotation: str, expected: str) -> None:
    assert example_value(Parameter(name, annotation)) == expected


def test_example_calls_are_calls() -> None:
    tree = ast.parse(HEAD + constructor(", width, *, num_classes, act: str"))
    (rejected,) = explain(tree)
    assert rejected.proposal == 'A(8, num_classes=10, act="relu")'
    assert (rejected.line, rejected.column) == (3, 0)
