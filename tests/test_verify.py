"""`lazygen verify`: equal models are said to be equal, and the check that a planted difference is one of finds it."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import torch
from fixture_files import FOLDER, read

from lazygen import convert_source
from lazygen.cli import main
from lazygen.diagnostics import Refused
from lazygen.report import wants_color
from lazygen.verify import table
from lazygen.verify.compare import ROUNDING, difference
from lazygen.verify.devices import mapping_mode, numbered, parse_devices
from lazygen.verify.subject import Check, Verified

ROWS = (
    "build keys order shapes devices weights results gradients double_gradients training functional_call "
    "channels_last jit.script export"
).replace("double_gradients", "double gradients")


def verify(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, dict[str, str]], str]:
    """The exit code, the outcome of each check by entry, and what was said on stderr."""
    code = main(["verify", "--json", *words])
    out, err = capfd.readouterr()
    models = [model for source in json.loads(out) for model in source["models"]] if out else []
    return code, {m["entry"]: {c["check"]: c["outcome"] for c in m["checks"]} for m in models}, err


def differing(outcomes: dict[str, str]) -> list[str]:
    return [name for name, outcome in outcomes.items() if outcome == "differs"]


FIXTURES = "cnn dict_inputs imported_blocks recurrent_mix training_only_branch torchx_graph_lists torchx_merges"


@pytest.mark.parametrize("name", FIXTURES.split())
def test_fixtures_are_the_same(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    fixture = read(FOLDER / "convert" / f"{name}.py")
    words = [word for option in fixture.options for word in option]
    code, models, err = verify(capfd, str(fixture.path), *words)
    assert (code, err) == (0, "")
    assert models
    for outcomes in models.values():
        assert " ".join(outcomes) == ROWS
        assert {outcomes[row] for row in ("keys", "order", "shapes", "weights", "results", "gradients")} == {"same"}
        assert set(outcomes.values()) <= {"same", "not applicable"}
    if name == "cnn":
        assert set(outcomes.values()) == {"same"}


SOURCE = """\
    # lazygen: input-shape=4,3,8,8
    import torch
    import torch.nn.functional as F
    from torch import nn


    class Base(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.LazyConv2d(6, 3)
            self.norm = nn.LazyInstanceNorm2d()
            self.drop = nn.Dropout(0.5)
            self.fc = nn.LazyLinear(5)

        def forward(self, x):
            x = torch.relu(self.norm(self.conv(x)))
            return self.fc(x) + F.linear(self.drop(x), self.fc.weight, self.fc.bias)
    """

# Each is planted in a class of its own, and the first check that it must not pass.
PLANTED = {
    "Number": ("nn.Conv2d(3, 6, 3)", "nn.Conv2d(3, 6, 5)", "shapes"),
    "Type": ("nn.Linear(6, 5)", "nn.Linear(6, 5, dtype=torch.float64)", "shapes"),
    "Default": (", affine=True, track_running_stats=True", "", "keys"),
    "Bias": ("nn.Linear(6, 5)", "nn.Linear(6, 5, bias=False)", "keys"),
    "Slope": ("torch.relu", "F.leaky_relu", "results"),
    "Epsilon": ("nn.InstanceNorm2d(6,", "nn.InstanceNorm2d(6, eps=1e-4,", "results"),
    "Momentum": ("nn.InstanceNorm2d(6,", "nn.InstanceNorm2d(6, momentum=0.2,", "training"),
    "Rate": ("nn.Dropout(0.5)", "nn.Dropout(0.4)", "training"),
    "Detached": ("return self.fc(x)", "return self.fc(x.detach())", "gradients"),
    "Once": ("torch.relu(", "Relu.apply(", "double gradients"),
    "Kept": ("nn.Linear(6, 5)", "nn.Linear(6, 5)\n        self.kept = [self.fc.weight]", "functional_call"),
    "Strides": ("self.conv(x)", "self.conv(x).view(24, 6, 6).view(4, 6, 6, 6)", "channels_last"),
    "Dynamic": ("self.drop(x),", 'getattr(self, "drop".lower())(x),', "jit.script"),
    "Branch": ("x = torch.relu", "assert float(x.sum()) < 1e9\n        x = torch.relu", "export"),
    "Raises": ("super().__init__()", "super().__init__()\n        int('x')", "build"),
    "Fails": ("return self.fc(x)", "return self.fc(x.flatten())", "results"),
    "Elsewhere": ("nn.Linear(6, 5)", 'nn.Linear(6, 5, device="meta")', "devices"),
}

RELU = '''\
class Relu(torch.autograd.Function):
    """relu, whose gradient has none."""

    @staticmethod
    def forward(context, x):
        context.save_for_backward(x)
        return x.relu()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(context, gradient):
        return gradient * (context.saved_tensors[0] > 0)


'''


def class_text(text: str, name: str) -> str:
    return text[text.index("class Base") :].replace("Base", name)


def test_every_planted_difference_is_found_by_its_check(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lazy = dedent(SOURCE)
    explicit = convert_source(lazy, input_shape="4,3,8,8").code
    assert explicit is not None
    names = ["Same", *PLANTED]
    head, explicit_head = lazy[: lazy.index("class Base")], explicit[: explicit.index("class Base")]
    changed = [class_text(explicit, "Same")]
    for name, (old, new, _) in PLANTED.items():
        text = class_text(explicit, name)
        assert text.count(old) == 1, (old, text)
        if name == "Kept":
            text = text.replace("self.fc.weight, ", "self.kept[0], ")
        changed.append(text.replace(old, new))
    (tmp_path / "nets.py").write_text(head + "\n\n".join(class_text(lazy, name) for name in names))
    (tmp_path / "other.py").write_text(explicit_head + RELU + "\n\n".join(changed))
    code, models, err = verify(capfd, str(tmp_path / "nets.py"), "-o", str(tmp_path / "other.py"))
    assert code == 1
    found = {name: differing(outcomes) for name, outcomes in models.items()}
    assert found.pop("Same") == []
    assert {name: rows[:1] for name, rows in found.items()} == {name: [row] for name, (_, _, row) in PLANTED.items()}
    # These are found by that check alone.
    for name in ("Number", "Type", "Default", "Bias", "Momentum", "Rate", "Strides", "Dynamic", "Branch", "Raises"):
        assert len(found[name]) == 1, (name, found[name])
    assert models["Number"]["results"] == "not run"
    assert err.count("error[LZ604]") == len(PLANTED)


def test_another_order_of_parameters_is_found_and_nothing_else(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "net.py"
    source.write_text(
        dedent("""\
        # lazygen: input-shape=4,7 output=made.py
        from torch import nn


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.one = nn.LazyLinear(3)
                self.two = nn.LazyLinear(2)

            def forward(self, x):
                return self.two(self.one(x))
        """)
    )
    before = sorted(tmp_path.iterdir())
    assert verify(capfd, str(source))[0] == 0
    assert sorted(tmp_path.iterdir()) == before  # nothing is written
    assert main(["convert", str(source)]) == 0
    made = tmp_path / "made.py"
    one, two = "        self.one = nn.Linear(7, 3)\n", "        self.two = nn.Linear(3, 2)\n"
    text = made.read_text()
    assert one + two in text
    made.write_text(text.replace(one + two, two + one))
    capfd.readouterr()
    code, models, err = verify(capfd, str(made))  # a generated file stands for itself
    assert (code, differing(models["Net"])) == (1, ["order"])
    assert "Net of" in err and "order" in err and "convert" in err
    assert verify(capfd, str(source))[0] == 0


def test_a_source_that_does_not_run_under_torch_is_shown_at_its_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "net.py"
    source.write_text(
        dedent("""\
        # lazygen: input-shape=4,7
        from torch import nn

        on_gpu = nn.Sequential(nn.LazyLinear(3, device="cuda:5"), nn.ReLU())
        """)
    )
    code, models, err = verify(capfd, str(source))
    assert (code, models) == (1, {})
    assert "error[LZ602]" in err and "net.py:4:1" in err and "--devices" in err
    code, models, _ = verify(capfd, str(source), "--devices", "cuda:5=cpu")
    assert (code, differing(models["on_gpu"])) == (0, [])
    assert models["on_gpu"]["gradients"] == "same"
    code, models, _ = verify(capfd, str(source), "--devices", "cuda:5=meta")
    assert (code, differing(models["on_gpu"])) == (0, [])
    assert models["on_gpu"]["moves"] == "same"


TWO_PLACES = """\
# lazygen: input-shape=4,7
import torch
import torchx as tx
import torchx.layers as L
import torchx.nn as nnx


class Net(nnx.Module):
    def __init__(self):
        super().__init__()
        with tx.device_scope(0):
            self.stem = L.Linear(6)
        with tx.device_scope(1):
            self.head = L.Linear(3)

    def forward(self, x):
        return self.head(torch.relu(self.stem(x)))
"""


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (('.to("cuda:1")', ""), ["moves"]),
        (('nn.Linear(6, 3, device="cuda:1")', 'nn.Linear(6, 3, device="cuda:0")'), ["devices", "moves"]),
        (("torch.relu", "torch.tanh"), ["results", "gradients", "double gradients", "training", "functional_call"]),
    ],
)
def test_moves_and_places_are_seen_while_numbers_are_compared(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], change: tuple[str, str], found: list[str]
) -> None:
    source, output = tmp_path / "net.py", tmp_path / "net_explicit.py"
    source.write_text(TWO_PLACES)
    assert main(["convert", str(source), "-q"]) == 0
    devices = ["--devices", "cuda:0=cpu,cuda:1=meta"]
    code, models, _ = verify(capfd, str(source), "-o", str(output), *devices)
    assert (code, differing(models["Net"])) == (0, [])
    changed = output.read_text().replace(*change)
    assert changed != output.read_text()
    output.write_text(changed)
    code, models, _ = verify(capfd, str(source), "-o", str(output), *devices)
    assert (code, differing(models["Net"])) == (1, found)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("", ""), None),
        (("h = torch.relu(self.stem(x))\n        return h", "h = self.stem(x)\n        return h"), "differs by"),
        (("del self.stem\n", "pass\n"), "not in one stage each"),
        (("def forward(self, h):", "def forward(self, h, more):"), "they raise TypeError"),
    ],
)
def test_stages_are_compared_with_the_whole_model(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], change: tuple[str, str], words: str | None
) -> None:
    source, output = tmp_path / "net.py", tmp_path / "net_explicit.py"
    forward = "        h = torch.relu(self.stem(x))\n        return self.head(h)\n"
    source.write_text(TWO_PLACES.replace("        return self.head(torch.relu(self.stem(x)))\n", forward))
    assert main(["convert", str(source), "-q", "--pipeline"]) == 0
    changed = output.read_text().replace(*change) if change[0] else output.read_text()
    assert (changed != output.read_text()) == bool(words)
    output.write_text(changed)
    devices = ["--pipeline", "--devices", "cuda:0=cpu,cuda:1=meta"]
    code = main(["verify", str(source), "-o", str(output), *devices])
    (row,) = (line for line in capfd.readouterr().out.splitlines() if line.strip().startswith("stages"))
    assert (code, "differs" in row) == (int(words is not None), words is not None)
    assert (words or "2, one behind the other") in row


def test_flags_place_the_output_that_is_compared(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "net.py"
    source.write_text(
        dedent("""\
        # lazygen: input-shape=4,7
        from torch import nn

        model = nn.Sequential(nn.LazyLinear(3), nn.ReLU())
        """)
    )
    for flags in (["--dtype", "float64"], ["--device-argument", "--entry", "model"], ["--data-parallel", "0,1"]):
        code, models, err = verify(capfd, str(source), *flags, "--devices", "cuda:0=meta,cuda:1=meta")
        if "--device-argument" in flags:
            assert (code, models) == (1, {}) and "LZ523" in err
        else:
            assert (code, differing(models["model"])) == (0, [])
            assert models["model"]["devices"] == "same"


def test_a_source_that_ends_the_process_is_no_success(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "net.py"
    source.write_text(
        dedent("""\
        # lazygen: input-shape=4,7
        import faulthandler
        import os

        import torch
        from torch import nn


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.LazyLinear(3)
                if os.path.exists(torch.__file__):
                    faulthandler._sigsegv()

            def forward(self, x):
                return self.fc(x)
        """)
    )
    code, models, err = verify(capfd, str(source))
    assert (code, models) == (1, {})
    assert "error[LZ603]" in err and "SIGSEGV" in err


def test_models_without_inputs_are_compared_as_far_as_that_goes(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "net.py"
    source.write_text(
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.fc = nn.LazyLinear(3)\n        self.fc(torch.zeros(2, 5))\n\n"
        "    def forward(self, x):\n        return self.fc(x)\n"
    )
    code, models, err = verify(capfd, str(source))
    assert code == 0, err
    assert models["Net"]["weights"] == "same" and models["Net"]["results"] == "not applicable"


def test_calls_of_the_source_are_repeated_with_what_they_give_by_keyword(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "net.py"
    source.write_text(
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.a = nn.LazyLinear(3)\n        self.b = nn.LazyLinear(3)\n"
        "        self(torch.zeros(2, 5), extra=torch.zeros(2, 7))\n\n"
        "    def forward(self, x, extra=None):\n        return self.a(x) + (0 if extra is None else self.b(extra))\n"
    )
    assert main(["verify", str(source)]) == 0
    out, _ = capfd.readouterr()
    assert "called with (2, 5), extra=(2, 7)" in out and "of 6 parameters and inputs" in out


def test_each_file_is_compared_whatever_becomes_of_the_others(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    head = "# lazygen: input-shape=2,4 {}\nfrom torch import nn\n\n"
    (tmp_path / "bad.py").write_text(head.format("") + "bad = nn.Sequential(nn.LazyLinear(3), nn.BatchNorm1d(7))\n")
    (tmp_path / "good.py").write_text(
        head.format("partial") + "\nclass Good(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.used, self.unused = nn.LazyLinear(3), nn.LazyLinear(3)\n\n"
        "    def forward(self, x):\n        return self.used(x)\n"
    )
    code = main(["verify", str(tmp_path), "--color", "never"])
    out, err = capfd.readouterr()
    assert code == 1
    assert "error[LZ210]" in err and "bad.py:4:" in err
    assert "good.py: Good, called with (2, 4), beside its explicit form\n" in out
    assert "  shapes            same            2 without a size on both sides\n" in out
    assert "differs" not in out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--devices", "cuda:0"], 2, "LZ605"),
        (["--devices", "cuda:0=c p u"], 2, "LZ605"),
        (["--devices", "cuda=cpu,cuda:0=meta"], 2, "LZ605"),
        (["-o", "-"], 2, "LZ404"),
        (["-o", "nowhere.py"], 2, "LZ401"),
        (["--input-shape", "a b"], 2, "LZ050"),
        (["--entry", "Nothing"], 2, "LZ101"),
    ],
)
def test_what_is_wrong_with_the_command(
    words: list[str], code: int, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "net.py"
    source.write_text("from torch import nn\n\nnet = nn.Sequential(nn.LazyLinear(3))\n")
    got, models, err = verify(capfd, str(source), *words)
    assert (got, models) == (code, {})
    assert f"error[{message}]" in err


def test_without_torch_the_cure_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    find: Any = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "torch" else find(name, *rest))
    code = main(["verify", str(tmp_path / "net.py"), "--input-shape", "2,3"])
    err = capfd.readouterr().err
    assert code == 2
    assert "error[LZ601]" in err and "pip install 'lazygen[torch]'" in err


def test_the_table() -> None:
    checks = (Check("keys", "same", "2"), Check("channels_last", "not applicable", "why"), Check("results", "differs"))
    compared = table.Compared("net.py", "other.py", False, (Verified("Net", "(2, 3)", checks),))
    assert table.text(compared, color=False) == dedent("""\
        net.py: Net, called with (2, 3), beside other.py
          keys           same            2
          channels_last  not applicable  why
          results        differs
          1 same, 1 not applicable, 1 differs
        """)
    assert "\x1b[1;31mdiffers" in table.text(compared, color=True)


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert wants_color("auto", "stdout") and not wants_color("never", "stdout")
    monkeypatch.setenv("NO_COLOR", "1")
    assert wants_color("always", "stdout") and not wants_color("auto", "stdout")


ONE = torch.tensor([1.0, float("nan"), 3.0])


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        (ONE, ONE.clone(), None),
        (ONE, ONE + torch.tensor([0.0, 0.0, 0.5]), "the result differs by up to 0.5"),
        (ONE, ONE.nan_to_num(), "the result is not a number at 1 other places"),
        (ONE, ONE.double(), "the result has the dtype torch.float32, in the output torch.float64"),
        (ONE, ONE[:2], "the result has the shape (3,), in the output (2,)"),
        (ONE, ONE.to("meta"), "the result has the device cpu, in the output meta"),
        (ONE.to("meta"), ONE.to("meta") + 1, None),
        (ONE, [ONE], "the result is a tensor, in the output a list of 1"),
        ((ONE, {"a": 3}), [ONE, {"a": 3}], None),
        ((ONE, {"a": 3}), (ONE, {"a": 4}), "the result 1 a is 3, in the output 4"),
        ({"a": 1}, {"b": 1}, "the result has the keys a, in the output b"),
        ([1, 2], [1], "the result is a list of 2, in the output a list of 1"),
        (None, 0, "the result is None, in the output 0"),
        (torch.arange(3), torch.tensor([0, 5, 2]), "the result differs at 1 of 3 places"),
        (torch.tensor([1j]), torch.tensor([2j]), "the result differs by up to 1"),
    ],
)
def test_difference(left: Any, right: Any, found: str | None) -> None:
    assert difference(torch, left, right) == found


def test_rounding_is_measured_at_the_largest_number() -> None:
    left = torch.tensor([1000.0, 0.5])
    assert difference(torch, left, left + torch.tensor([0.0, 0.001]), steps=ROUNDING) is None
    assert difference(torch, left, left + torch.tensor([0.0, 0.1]), steps=ROUNDING) is not None


def test_devices_that_stand_for_others() -> None:
    assert parse_devices("cuda=cpu, gpu:1=meta") == (("cuda:0", "cpu"), ("cuda:1", "meta"))
    names = {"cuda": "cuda:0", "gpu:2": "cuda:2", "cpu": "cpu", "meta": "meta", "mps": "mps:0"}
    assert {name: numbered(name) for name in names} == names
    with pytest.raises(Refused):
        parse_devices("cuda:0=")
    with mapping_mode(torch, parse_devices("cuda:0=cpu,cuda:1=meta")):
        x = torch.ones(2, device="cuda")
        assert x.device.type == "cpu"
        moved = [x.to("cuda:1"), x.to(1), x.cuda(1), x.to(device="cuda:1"), x.to(device=1)]
        moved += [x.to(torch.device("cuda", 1)), torch.nn.Linear(2, 2).to(1).weight]
        made = [torch.zeros(2, device=1), x.new_zeros(2, device=torch.device("cuda:1"))]
        assert {tensor.device.type for tensor in [*moved, *made]} == {"meta"}
        assert x.cuda().device.type == x.to("cuda:0", torch.float64).device.type == "cpu"
        assert x.to("cuda:0", torch.float64).dtype == torch.float64
        assert torch.ones(2).view(1, 2).sum(1).shape == (1,)
