"""Layers that `forward` makes on its first call: `lift/first_call.py`."""

from __future__ import annotations

import pytest
from lifting import changed, net, refusal

from lazygen import convert_source

MAKE = "x = torch.relu(x)\nif self.fc is None:\n    self.fc = {}\nreturn self.fc(x)"


@pytest.mark.parametrize(
    ("made", "shape", "written"),
    [
        ("nn.Linear(x.shape[1], 10)", "4,3", "nn.Linear(3, 10)"),
        ("nn.Linear(x.size(-1), SIZE, bias=False)", "4,3", "nn.Linear(3, SIZE, bias=False)"),
        ("nn.Linear(x.shape[1], self.width)", "4,3", "nn.Linear(3, self.width)"),
        ("nn.Conv1d(x.shape[1], 6, kernel_size=3)", "4,3,9", "nn.Conv1d(3, 6, kernel_size=3)"),
        ("nn.BatchNorm1d(x.shape[1])", "4,3", "nn.BatchNorm1d(3)"),
        ("nn.InstanceNorm1d(x.shape[1])", "4,3,9", "nn.InstanceNorm1d(3, affine=False, track_running_stats=False)"),
    ],
)
def test_the_layer_moves_to_the_constructor(made: str, shape: str, written: str) -> None:
    source = net("width=8", "self.fc = None\nself.width = width", MAKE.format(made), "SIZE = 6")
    assert changed(source, shape) == [f"self.fc = {written}"]


def test_a_size_that_somebody_wrote_stays_as_wrong_as_it_is() -> None:
    source = net("width=8", "self.fc = None\nself.stem = nn.LazyLinear(4)", MAKE.format("nn.Linear(5, 10)"))
    assert refusal(source.replace("torch.relu", "self.stem"), "4,3") == "LZ210"


def test_nothing_of_it_stays_in_forward() -> None:
    source = net("width=8", "self.fc = None\nself.width = width", MAKE.format("nn.Linear(x.shape[1], 10)"))
    code = convert_source(source, input_shape="4,3").code
    assert code is not None
    assert code.endswith("        x = torch.relu(x)\n        return self.fc(x)\n")
    assert "None" not in code


def test_an_attribute_that_is_not_there_counts_too() -> None:
    forward = 'if not hasattr(self, "fc"):\n    self.fc = nn.Linear(x.shape[1], 10)\nreturn self.fc(x)'
    assert changed(net("width=8", "self.width = width", forward), "4,3") == ["self.fc = nn.Linear(3, 10)"]


def test_the_size_is_said_in_the_terms_of_the_source() -> None:
    forward = "x = self.stem(x)\nif self.fc is None:\n    self.fc = nn.Linear(x.shape[1], 10)\nreturn self.fc(x)"
    made = changed(net("width=8", "self.fc = None\nself.stem = nn.LazyLinear(2 * width)", forward), "4,3")
    assert made == ["self.stem = nn.Linear(3, 2 * width)", "self.fc = nn.Linear(2 * width, 10)"]


@pytest.mark.parametrize(
    ("arguments", "init", "forward"),
    [
        ("fc=None", "self.fc = fc", MAKE.format("nn.Linear(x.shape[1], 10)")),
        ("", "self.fc = None", "out = 2 * x.shape[1]\n" + MAKE.format("nn.Linear(x.shape[1], out)")),
        ("SIZE=6", "self.fc = None", MAKE.format("nn.Linear(x.shape[1], SIZE)")),
        ("", "self.fc = None", MAKE.format("nn.Linear(x.shape[1], 10).to(x.device)")),
        ("", "self.fc = None", MAKE.format("nn.Sequential(nn.Linear(x.shape[1], 10), nn.ReLU())")),
        ("", "self.fc = None", MAKE.format("nn.Linear(in_features=x.shape[1], out_features=10)")),
        ("", "self.fc = None", MAKE.format("nn.Linear(x.shape[1], 10)") + "\nself.fc = None"),
        ("", "self.fc = None", MAKE.replace("is None:", "is None and self.training:").format("nn.Linear(3, 3)")),
        (
            "",
            "self.fc = None",
            MAKE.replace("return", "else:\n    x = x + 1\nreturn").format("nn.Linear(x.shape[1], 10)"),
        ),
        ("", "self.fc = None", MAKE.replace("self.fc =", "y = 1\n    self.fc =").format("nn.Linear(x.shape[1], 10)")),
    ],
    ids=["given", "local", "global", "to", "sequential", "keyword", "reset", "training", "else", "two statements"],
)
def test_what_may_mean_something_else_stays_in_forward(arguments: str, init: str, forward: str) -> None:
    forward = forward.replace("return self.fc(x)", "return x")
    init = f"{init}\nself.last = nn.LazyLinear(2)"
    source = net(arguments or "width=8", init, forward.replace("return x", "return self.last(x)"), "SIZE = 5")
    assert changed(source, "4,3") == ["self.last = nn.Linear(3, 2)"]
