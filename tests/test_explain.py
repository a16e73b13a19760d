"""`lazygen explain`: the way of a size from the input to a layer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from apart import here as convert_source

from lazygen.cli import main

NET = """import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.conv = nn.LazyConv2d(width, 5)
        self.features = nn.Sequential(nn.LazyConv2d(24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.skip = nn.LazyConv2d(16, 1, stride=2)
        self.fc1 = nn.LazyLinear(80)
        self.fc2 = nn.LazyLinear(10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv(x)), 2)
        x = torch.cat([self.features(x), self.skip(x)], 1)
        x = F.relu(self.fc1(x.flatten(1)))
        return self.fc2(x)
"""

FC1 = """\
fc1, Linear (lazy), model.py:12:20: in_features is 3240
              input x               (8, 3, 40, 40)
  model.py:16  conv Conv2d           (8, 16, 36, 36)  40 - 4 = 36
  model.py:16  F.relu(...)           (8, 16, 36, 36)
  model.py:16  F.max_pool2d(..., 2)  (8, 16, 18, 18)  36 // 2 = 18
  model.py:17  features.0 Conv2d     (8, 24, 18, 18)
  model.py:17  features.1 ReLU       (8, 24, 18, 18)
  model.py:17  features.2 MaxPool2d  (8, 24, 9, 9)    18 // 2 = 9
  model.py:17  torch.cat(..., 1)     (8, 40, 9, 9)    24 channels + 16 channels = 40, with (8, 16, 9, 9)
  model.py:18  x.flatten(1)          (8, 3240)        40 channels * 9 * 9 = 3240
  in_features 3240: H and W from 40 to 43
"""

Explain = Callable[..., tuple[int, str, str]]


@pytest.fixture
def explain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Explain:
    """Run the command on the source above, or on another one, with the words that come after its name."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str, text: str = NET, shape: str | None = "8,3,40,40") -> tuple[int, str, str]:
        Path("model.py").write_text(text)
        flags = [] if shape is None else ["--input-shape", shape]
        code = main(["explain", *words, *flags])
        return code, *capfd.readouterr()

    return run


def plain(text: str) -> list[list[str]]:
    """The lines as words, since columns may be wider."""
    return [line.split() for line in text.splitlines()]


@pytest.mark.parametrize("words", [("model.py:12",), ("model.py", "fc1"), ("model.py", "3240")])
def test_a_layer_is_found_by_line_name_and_number(explain: Explain, words: tuple[str, ...]) -> None:
    code, out, err = explain(*words)
    assert (code, err) == (0, "")
    assert plain(out) == plain(FC1)


def test_columns_are_even(explain: Explain) -> None:
    _, out, _ = explain("model.py:12")
    steps = out.splitlines()[1:-1]
    assert len({line.index("(8, ") for line in steps}) == 1


def test_without_a_name_every_lazy_layer_is_explained(explain: Explain) -> None:
    code, out, _ = explain("model.py")
    assert code == 0
    titles = [line.partition(",")[0] for line in out.splitlines() if line and not line.startswith(" ")]
    assert titles == ["conv", "features.0", "skip", "fc1", "fc2"]
    assert out.endswith("\n")
    assert "\n\n" in out


def test_the_settings_may_stand_in_the_source(explain: Explain) -> None:
    text = "# lazygen: input-shape=8,3,40,40\n" + NET
    code, out, _ = explain("model.py", "fc1", text=text, shape=None)
    assert code == 0
    assert "in_features is 3240" in out


def test_names_inside_the_model(explain: Explain) -> None:
    text = NET.replace("nn.Sequential(nn.LazyConv2d(24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))", "Block()")
    block = "class Block(nn.Sequential):\n    def __init__(self):\n        super().__init__()\n"
    block += "        self.mix = nn.LazyConv2d(24, 3, stride=2, padding=1)\n\n\n"
    text = text.replace("class Net", block + "class Net")
    for name in ("features.mix", "mix"):
        code, out, _ = explain("model.py", name, text=text)
        assert code == 0
        assert out.startswith("features.mix, Conv2d (lazy), model.py:9:20: in_channels is 16\n")


def test_a_line_of_forward_is_explained_by_what_it_makes(explain: Explain) -> None:
    code, out, _ = explain("model.py:17")
    assert code == 0
    assert out.startswith("(8, 40, 9, 9), model.py:17:13\n")
    assert out.count("input x") == 1


def test_a_number_that_no_layer_has_is_looked_for_among_results(explain: Explain) -> None:
    _, out, _ = explain("model.py", "36")
    assert out.startswith("(8, 16, 36, 36), model.py:16:33\n")
    assert "40 - 4 = 36" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("model.py", "fc9"), "no layer is called fc9"),
        (("model.py", "77777"), "no layer or tensor has the size 77777"),
        (("model.py:14",), "no layer or tensor is made in line 14"),
        (("model.py:999",), "no layer or tensor is made in line 999"),
        (("nomodel.py:3",), "there is no file nomodel.py"),
    ],
)
def test_what_is_not_there(explain: Explain, words: tuple[str, ...], message: str) -> None:
    code, out, err = explain(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert "= help: " in err


def test_a_model_that_does_not_run_says_why(explain: Explain) -> None:
    code, out, err = explain("model.py:12", shape="8,3,4,4")
    assert (code, out) == (1, "")
    assert err.startswith("error[LZ204]")


def test_several_inputs_and_layers_of_other_kinds(explain: Explain) -> None:
    text = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(10, 20, batch_first=True)
        self.attention = nn.MultiheadAttention(20, 4, batch_first=True)
        self.out = nn.LazyLinear(3)

    def forward(self, x, extra):
        y, (h, c) = self.rnn(x)
        z, w = self.attention(y, y, y)
        return self.out(torch.cat([z[:, -1] + h[0], extra], -1))
"""
    shapes = ("--input-shape", "2,7,10", "--input-shape", "2,6")
    code, out, err = explain("model.py", "out", *shapes, text=text, shape=None)
    assert (code, err) == (0, "")
    lines = plain(out)
    assert lines[1][:2] == ["input", "x"]
    assert [words[1] for words in lines[2:]] == ["rnn", "attention", "z[:,", "z[:,", "torch.cat([z[:,"]
    assert "20 + 6 = 26, with (2, 6)" in out


def test_sizes_are_those_of_convert(explain: Explain) -> None:
    text = NET.replace("x.flatten(1)", "x.reshape(x.shape[0], x.shape[1] // 4, -1).flatten(1)")
    _, out, _ = explain("model.py:12", text=text)
    code = convert_source(text, input_shape="8,3,40,40").code
    assert "nn.Linear(3240, 80)" in str(code)
    assert "in_features is 3240" in out
    assert "10 * (40 channels * 9 * 9 // 10)" in out or "10 * 324 = 3240" in out


def test_convert_keeps_no_history(explain: Explain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lazygen.trace.history", None)  # importing it fails
    assert convert_source(NET, input_shape="8,3,40,40").code is not None
    code, _, err = explain("model.py:12")
    assert code == 3
    assert "lazygen.trace.history" in err


def test_a_model_without_a_forward_of_its_own_is_explained_too(explain: Explain) -> None:
    layers = "    nn.LazyConv2d(4, 3),\n    nn.Flatten(),\n    nn.LazyLinear(10),\n"
    text = f"from torch import nn\n\nmodel = nn.Sequential(\n{layers})\n"
    code, out, _ = explain("model.py:6", text=text, shape="2,3,8,8")
    assert code == 0
    assert out.startswith("2, Linear (lazy), model.py:6:5: in_features is 144\n")
    assert "1 Flatten    (2, 144)" in out
    assert "4 channels * 6 * 6 = 144" in out
