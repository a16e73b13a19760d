"""Modules that are dataclasses: `lift/dataclass_fields.py`."""

from __future__ import annotations

import pytest
from lifting import changed, refusal

SOURCE = """\
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from torch import nn


@dataclass(eq=False)
class Block(nn.Module):
    width: int
    bias: bool = True

    def __post_init__(self):
        super().__init__()
        self.fc = nn.LazyLinear(self.width, bias=self.bias)

    def forward(self, x):
        return self.fc(x)


net = nn.Sequential(Block(4), Block(width=5))
"""
LAYER = "self.fc = nn.Linear(self.in_features, self.width, bias=self.bias)"


def test_a_size_becomes_the_first_field() -> None:
    made = changed(SOURCE, "4,3")
    assert made == ["in_features: int", LAYER, "net = nn.Sequential(Block(3, 4), Block(4, width=5))"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    width: int\n", '    """Says what it is."""\n\n    width: int\n'),
        ("    width: int\n", "    kind: ClassVar[int] = 3\n    width: int\n"),
        ("    width: int\n", "    width: int = 3\n"),
    ],
    ids=["docstring", "class variable", "defaults"],
)
def test_it_stands_before_fields_of_all_kinds(before: str, after: str) -> None:
    assert changed(SOURCE.replace(before, after), "4,3")[-1] == "net = nn.Sequential(Block(3, 4), Block(4, width=5))"


def test_fields_that_are_given_by_keyword_only_stay_so() -> None:
    source = SOURCE.replace("(eq=False)", "(eq=False, kw_only=True)").replace("Block(4)", "Block(width=4)")
    made = changed(source, "4,3")
    assert made[-1] == "net = nn.Sequential(Block(width=4, in_features=3), Block(width=5, in_features=4))"


def test_a_mark_for_keywords_leaves_the_new_field_before_it() -> None:
    source = SOURCE.replace("    width: int\n", "    _: KW_ONLY\n    width: int\n").replace("(4)", "(width=4)")
    assert changed(source, "4,3")[-1] == "net = nn.Sequential(Block(3, width=4), Block(4, width=5))"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("bias: bool = True", "in_features: bool = True"),
        ("def forward(self, x):", "def in_features(self):\n        return 1\n\n    def forward(self, x):"),
        ("return self.fc(x)", "self.in_features = x.shape[1]\n        return self.fc(x)"),
    ],
    ids=["field", "method", "attribute"],
)
def test_a_name_of_the_class_is_not_taken_twice(before: str, after: str) -> None:
    source = SOURCE.replace(", bias=self.bias", "").replace(before, after)
    assert changed(source, "4,3")[0] == "in_features_2: int"


def test_one_size_needs_no_field() -> None:
    source = SOURCE.replace("Block(4), Block(width=5)", "Block(4)")
    assert changed(source, "4,3") == ["self.fc = nn.Linear(3, self.width, bias=self.bias)"]


def test_a_dataclass_without_lazy_layers_stays_as_it_is() -> None:
    source = SOURCE.replace("nn.LazyLinear(self.width", "nn.Linear(3, self.width")
    source = source.replace("Block(4), Block(width=5)", "Block(4), nn.LazyLinear(5)")
    assert changed(source, "4,3") == ["net = nn.Sequential(Block(4), nn.Linear(4, 5))"]


def test_a_config_that_is_a_dataclass_stays_as_it_is() -> None:
    source = SOURCE.replace("class Block(nn.Module)", "class Config").partition("    def __post_init__")[0]
    source += "\nconfig = Config(4)\nnet = nn.Sequential(nn.LazyLinear(config.width), nn.LazyLinear(3))\n"
    assert changed(source, "4,3") == ["net = nn.Sequential(nn.Linear(3, config.width), nn.Linear(config.width, 3))"]


BASE = "@dataclass(eq=False)\nclass Base(nn.Module):\n    width: int\n\n\n@dataclass(eq=False)\nclass Block"
INHERITED = (
    SOURCE.replace("@dataclass(eq=False)\nclass Block", BASE)
    .replace("Block(nn.Module)", "Block(Base)")
    .replace("Block(Base):\n    width: int\n", "Block(Base):\n")
    .replace("super().__init__()", "nn.Module.__init__(self)")
)


def test_behind_inherited_fields_a_new_one_is_given_by_keyword() -> None:
    assert changed(INHERITED, "4,3") == [
        "from dataclasses import KW_ONLY, dataclass, field",
        "in_features: int = field(kw_only=True)",
        "self.fc = nn.Linear(self.in_features, self.width, bias=self.bias)",
        "net = nn.Sequential(Block(4, in_features=3), Block(width=5, in_features=4))",
    ]


def test_a_dataclass_without_fields_gets_its_first() -> None:
    source = SOURCE.replace("    width: int\n    bias: bool = True\n\n", "").replace("self.width, bias=self.bias", "8")
    lines = changed(source.replace("Block(4), Block(width=5)", "Block(), Block()"), "4,3")
    assert lines == [
        "in_features: int",
        "self.fc = nn.Linear(self.in_features, 8)",
        "net = nn.Sequential(Block(3), Block(8))",
    ]


BASE_WITH_A_LAYER = (
    INHERITED.replace(
        "    width: int\n\n\n",
        "    width: int\n\n    def __post_init__(self):\n        nn.Module.__init__(self)\n"
        "        self.first = nn.LazyLinear(self.width)\n\n\n",
    )
    .replace("        nn.Module.__init__(self)\n        self.fc", "        super().__post_init__()\n        self.fc")
    .replace("return self.fc(x)", "return self.fc(self.first(x))")
)


def test_a_field_of_the_base_is_filled_where_the_subclass_is_made() -> None:
    assert changed(BASE_WITH_A_LAYER, "4,3") == [
        "in_features: int",
        "self.first = nn.Linear(self.in_features, self.width)",
        "self.fc = nn.Linear(self.width, self.width, bias=self.bias)",
        "net = nn.Sequential(Block(3, 4), Block(4, width=5))",
    ]


def test_a_class_that_only_inherits_from_a_dataclass_is_refused() -> None:
    source = BASE_WITH_A_LAYER.replace("@dataclass(eq=False)\nclass Block", "class Block")
    other = source.replace("return self.fc(self.first(x))", "return self.first(self.fc(x))")
    assert refusal(other, "4,3") == "LZ309"
