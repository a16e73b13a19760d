"""`lazygen keymap`: TorchX's names of parameters, and checkpoints under the new names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
import torchx_alias
import under_torch

from lazygen import cli, convert_source

SEQUENTIAL = """\
import torchx.layers as L

model = L.Sequential(
    L.Conv2d(5, 3),
    L.BatchNorm2d(),
    L.PReLU(shared=False),
    L.Flatten(),
    L.Sequential(L.Linear(8), L.ReLU(), L.Linear(4)),
    L.TimeDistributed(L.ReLU()) if False else L.Linear(3),
)
"""
GRAPH = """\
import torchx.layers as L

image = L.Placeholder((None, 6, 10))
tower = L.GRU(7, return_sequences=True)
a = tower(image)
b = L.Linear(7)(a) + a
model = L.Functional(inputs=image, outputs=L.LayerNorm(1)(L.Concat()(a, b)))
"""
PLAIN = "from torch import nn\n\nmodel = nn.Sequential(nn.LazyLinear(4), nn.ReLU(), nn.LazyLinear(2))\n"
FORMS = ("_conv", "_normalizer", "_activation", "_fc", "_rnn")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.chdir(tmp_path)

    def command(text: str, *words: str) -> tuple[int, str, str]:
        Path("model.py").write_text(text)
        capfd.readouterr()
        code = cli.main(["keymap", "model.py", *words])
        return code, *capfd.readouterr()

    return command


def test_every_layer_of_a_container_counts(run: Any) -> None:
    code, printed, _ = run(SEQUENTIAL, "--input-shape", "2,3,8,8")
    assert code == 0
    assert json.loads(printed) == {
        "0.weight": "module_list.0._conv.weight",
        "0.bias": "module_list.0._conv.bias",
        **{
            f"1.{name}": f"module_list.1._normalizer.{name}"
            for name in ("weight", "bias", "running_mean", "running_var", "num_batches_tracked")
        },
        "2.weight": "module_list.2._activation.weight",
        "4.0.weight": "module_list.4.module_list.0._fc.weight",
        "4.0.bias": "module_list.4.module_list.0._fc.bias",
        "4.2.weight": "module_list.4.module_list.2._fc.weight",
        "4.2.bias": "module_list.4.module_list.2._fc.bias",
        "5.weight": "module_list.5._fc.weight",
        "5.bias": "module_list.5._fc.bias",
    }


def test_a_graph_is_in_the_order_of_its_calls(run: Any) -> None:
    code, printed, _ = run(GRAPH)
    assert code == 0
    keys = json.loads(printed)
    assert keys["tower.rnn.weight_ih_l0"] == "module_list.0._rnn.weight_ih_l0"
    assert keys["linear_1.weight"] == "module_list.1._fc.weight"
    assert keys["layernorm_1.weight"] == "module_list.4._normalizer.weight"  # behind the sum and the concatenation


def test_a_graph_that_shares_a_part_has_its_own_keys(run: Any) -> None:
    text = "import torchx.layers as L\n\nx = L.Placeholder((None, 6))\nh = L.Dense(4)(x)\n"
    text += "encoder = L.Functional(x, h)\nmodel = L.Functional(x, L.Dense(6)(L.ReLU()(h)))\n"
    code, printed, said = run(text, "--entry", "model")
    assert code == 0, said
    assert json.loads(printed) == {
        "encoder.h.weight": "module_list.0._fc.weight",
        "encoder.h.bias": "module_list.0._fc.bias",
        "linear_1.weight": "module_list.2._fc.weight",
        "linear_1.bias": "module_list.2._fc.bias",
    }
    assert list(json.loads(run(text, "--entry", "encoder")[1])) == ["h.weight", "h.bias"]


def test_a_source_in_the_style_of_torch_keeps_its_names(run: Any) -> None:
    _, printed, _ = run(PLAIN, "--input-shape", "2,3")
    keys = json.loads(printed)
    assert sorted(keys) == ["0.bias", "0.weight", "2.bias", "2.weight"]
    assert all(name == other for name, other in keys.items())


@pytest.mark.parametrize(("text", "shape"), [(SEQUENTIAL, "2,3,8,8"), (GRAPH, None)], ids=["sequential", "graph"])
@pytest.mark.parametrize("inside", [None, "state_dict"])
def test_a_checkpoint_is_renamed(
    run: Any, text: str, shape: str | None, inside: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    torchx_alias.install(monkeypatch)
    flags = ["--input-shape", shape] if shape else []
    _, printed, _ = run(text, *flags)
    keys = json.loads(printed)
    code = convert_source(text, input_shape=[shape] if shape else []).code
    assert code is not None
    model = under_torch.module(code, Path("model.py"), "explicit_keymap").model
    state = {name: torch.randn(value.shape) for name, value in model.state_dict().items()}
    old: dict[str, Any] = {keys[name]: value for name, value in state.items()}
    torch.save({inside: old, "epoch": 3} if inside else old, "old.pt")
    status, _, said = run(text, *flags, "--apply", "old.pt", "new.pt")
    assert status == 0, said
    loaded = torch.load("new.pt", weights_only=True)
    if inside:
        assert loaded["epoch"] == 3
        loaded = loaded[inside]
    assert all(torch.equal(loaded[name], value) for name, value in state.items())
    model.load_state_dict(loaded, strict=True)


def test_another_models_checkpoint_is_refused(run: Any) -> None:
    torch.save({"module_list.0._fc.weight": torch.zeros(4, 3), "extra": torch.zeros(1)}, "old.pt")
    text = "import torchx.layers as L\n\nmodel = L.Sequential(L.Linear(4))\n"
    status, _, said = run(text, "--input-shape", "2,5", "--apply", "old.pt", "new.pt")
    assert status == 1
    assert "error[LZ407]: old.pt is not a checkpoint of this model" in said
    assert "module_list.0._fc.bias is not there, which would be 0.bias" in said
    assert "extra is there, and no parameter of the model" in said
    assert "module_list.0._fc.weight is (4, 3), and 0.weight is (4, 5)" in said
    assert not Path("new.pt").exists()


def test_what_is_no_checkpoint_is_refused(run: Any) -> None:
    Path("old.pt").write_text("words")
    status, _, said = run(PLAIN, "--input-shape", "2,3", "--apply", "old.pt", "new.pt")
    assert status == 1
    assert "old.pt cannot be read as a checkpoint" in said
    assert run(PLAIN, "--input-shape", "2,3", "--apply", "other.pt", "new.pt")[2].startswith("error[LZ401]")


def test_several_models_are_refused(run: Any) -> None:
    status, _, said = run(PLAIN + "other = nn.Sequential(nn.LazyLinear(2))\n", "--input-shape", "2,3")
    assert status == 2
    assert "a key map is of one model, and here are model, other" in said
