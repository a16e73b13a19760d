"""Layers that torch lacks, converted: which small modules are written, how often, and by what names."""

from __future__ import annotations

import ast
import itertools

import pytest
import torch
import torchx_alias
import under_torch
from fixture_files import FOLDER

from lazygen import convert_source

SHAPE = "3,5,4"


def converted(text: str, shape: str = SHAPE) -> str:
    conversion = convert_source(text, input_shape=[shape])
    assert conversion.code is not None, conversion.diagnostics
    return conversion.code


def classes(code: str) -> list[str]:
    return [node.name for node in ast.parse(code).body if isinstance(node, ast.ClassDef)]


def layers(text: str) -> str:
    return f"import torchx.layers as L\n\nmodel = L.Sequential({text})\n"


@pytest.mark.parametrize("kind", ["SimpleRNN", "GRU", "LSTM"])
def test_every_recurrent_layer_computes_what_it_computed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    torchx_alias.install(monkeypatch)
    flags = itertools.product(("True", "False"), ("True", "False"), (1, 2), ("True", "False"))
    lines = ["import torchx.layers as L", ""]
    for number, (sequences, state, depth, both) in enumerate(flags):
        told = f"return_sequences={sequences}, return_state={state}, num_layers={depth}, bidirectional={both}"
        lines.append(f"model_{number} = L.{kind}(6, {told})")
    text = "\n".join([*lines, ""])
    code = converted(text)
    assert classes(code) == ["WithStates", "WithoutStates"]
    source = under_torch.module(text, FOLDER / "recurrent.py", "lazy_recurrent")
    output = under_torch.module(code, FOLDER / "recurrent.py", "explicit_recurrent")
    x = torch.randn(3, 5, 4)
    for number in range(16):
        lazy, explicit = getattr(source, f"model_{number}"), getattr(output, f"model_{number}")
        expected = lazy(x)
        explicit.load_state_dict({f"rnn.{name}": value for name, value in lazy.state_dict().items()}, strict=True)
        assert under_torch.same(expected, explicit(x))


def test_each_module_is_written_once_and_only_if_it_is_used() -> None:
    code = converted(layers("L.TimeDistributed(L.Linear(3)), L.TimeDistributed(L.Linear(4)), L.Flatten(), L.Linear(2)"))
    assert classes(code) == ["TimeDistributed"]
    assert "torchx" not in code
    assert classes(converted(layers("L.Linear(3), L.ReLU()"))) == []


def test_a_name_of_the_file_is_not_taken() -> None:
    text = "def View(x):\n    return x\n\n\n" + layers("L.View(3, 20), L.Linear(2)")
    assert classes(converted(text)) == ["View2"]


def test_a_name_that_was_imported_for_the_layer_goes_to_the_module() -> None:
    text = "from torchx.layers import Linear, Sequential, View\n\nmodel = Sequential(View(3, 20), Linear(2))\n"
    code = converted(text)
    assert classes(code) == ["View"]
    assert "torchx" not in code
    assert "View(3, 20)" in code


def test_a_star_import_gives_the_same() -> None:
    text = "from torchx.layers import *\n\nmodel = Sequential(View(3, 20), Linear(2))\n"
    assert classes(converted(text)) == ["View"]


def test_equal_lambdas_are_one_module_and_others_get_numbers() -> None:
    code = converted(layers("L.Lambda(lambda x: x * 2), L.Lambda(lambda x: x * 2), L.Lambda(lambda y: y + 1)"))
    assert classes(code) == ["Lambda", "Lambda2"]
    assert "return x * 2" in code
    assert "lambda" not in code


def test_a_lambda_that_reads_what_is_around_it_stays_one() -> None:
    text = (
        "from torch import nn\nimport torchx.layers as L\n\n\nclass Net(nn.Module):\n"
        "    def __init__(self, factor=3):\n        super().__init__()\n"
        "        self.scale = L.Lambda(lambda x: x * factor, None)\n        self.head = L.Linear(2)\n\n"
        "    def forward(self, x):\n        return self.head(self.scale(x))\n"
    )
    code = converted(text)
    assert "Lambda(lambda x: x * factor)" in code
    assert classes(code) == ["Lambda", "Net"]


def test_a_lambda_is_named_after_what_it_is_assigned_to() -> None:
    text = "import torchx.layers as L\n\nhalve = L.Lambda(lambda x: x / 2)\nmodel = L.Sequential(halve, L.Linear(2))\n"
    assert classes(converted(text)) == ["Halve"]


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        ("L.Concat(axis=1)", "Concat(dim=1)"),
        ("L.Concat(1)", "Concat(1)"),
        ("L.Add()", "Add()"),
        ("L.Average()", "Average()"),
        ("L.Minimum()", "Minimum()"),
        ("L.Divide()", "Divide()"),
    ],
)
def test_merges_take_what_a_recurrent_layer_gives(layer: str, expected: str) -> None:
    code = converted(layers(f"L.LSTM(6, return_state=True), L.Lambda(lambda result: result[1:]), {layer}, L.Linear(2)"))
    assert expected in code
