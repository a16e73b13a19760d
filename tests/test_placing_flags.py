"""`--device`, `--dtype`, `--device-argument` and `--data-parallel`: where they may stand, and what comes out of them.

There is no GPU here: `placed.py` lets other devices stand for those that are named.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import apart
import placed
import pytest
import torch
import torchx_alias
import under_torch
from fixture_files import PLACING, Fixture, fixtures

from lazygen import config, convert_source
from lazygen.cli import main
from lazygen.diagnostics import Refused
from lazygen.flags import flags_in, flags_of, given_by, words_of
from lazygen.frontend import roots
from lazygen.frontend.parse import parse
from lazygen.setting_lines import settings_in
from lazygen.settings import Placement

NET = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.fc = nn.LazyLinear(width)

    def forward(self, x):
        return self.fc(x) + torch.ones(8)
"""
FIXTURES = [f for f in fixtures("convert") if any(flag in PLACING for flag, _ in f.options)]
each = pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)


# Settings


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("device=cuda:1", Placement("cuda:1")),
        ("device=cuda dtype=bfloat16", Placement("cuda", "bfloat16")),
        ("device-argument", Placement(argument=True)),
        ("device-argument=false device=cpu", Placement("cpu")),
        ("data-parallel=0,3", Placement("cuda:0", parallel=(0, 3))),
        ("data-parallel=all dtype=float64", Placement("cuda:0", "float64", parallel=())),
        ("data-parallel=2 device=cuda:2", Placement("cuda:2", parallel=(2,))),
        ("pipeline", Placement(pipeline=True)),
        ("shard=true", Placement(shard=True)),
        ("", Placement()),
    ],
)
def test_what_a_line_says(line: str, expected: Placement) -> None:
    (model,) = settings_in(f"# lazygen: {line}\n", "model.py")
    assert config.read_settings([model]).placement == expected


@pytest.mark.parametrize(
    ("line", "code", "marked", "help_text"),
    [
        ("device=gpu:1", "LZ068", "gpu:1", "device=cuda:1?"),
        ("device=1", "LZ068", "1", "device=cuda:1?"),
        ("device=CUDA", "LZ068", "CUDA", "device=cuda?"),
        ("device=cuda:01", "LZ068", "cuda:01", "cuda:1"),
        ("device=cuda:all", "LZ068", "cuda:all", "data-parallel=0,1"),
        ("device=tpu", "LZ068", "tpu", "torch.device takes"),
        ("dtype=half", "LZ068", "half", "dtype=float16?"),
        ("dtype=torch.float64", "LZ068", "torch.float64", "dtype=float64?"),
        ("dtype=int64", "LZ068", "int64", "float32, float64"),
        ("data-parallel=0,x", "LZ068", "0,x", "numbers with commas"),
        ("data-parallel=1,1", "LZ068", "1,1", "data-parallel=0,1"),
        ("device-argument=maybe", "LZ063", "maybe", "device-argument=true"),
        ("device=cuda:1 device-argument", "LZ069", "cuda:1", "leave device-argument out"),
        ("device=cuda:1 data-parallel=0,1", "LZ069", "cuda:1", "leave the device out"),
        ("shard pipeline", "LZ069", "", "leave pipeline out"),
        ("engine=torch device=cpu", "LZ069", "torch", "leave the engine out"),
    ],
)
def test_what_cannot_be_followed_is_shown_at_its_place(line: str, code: str, marked: str, help_text: str) -> None:
    text = f"# lazygen: {line}\n"
    (model,) = settings_in(text, "model.py")
    with pytest.raises(Refused) as caught:
        config.read_settings([model])
    (finding,) = caught.value.diagnostics
    assert caught.value.usage
    assert finding.code == code
    assert any(help_text in sentence for sentence in finding.helps), finding.helps
    place = finding.place
    assert place is not None and place.line == 1
    assert text[place.column : place.end_column] == marked or not marked


def test_models_of_one_output_have_one_placement() -> None:
    lines = "# lazygen: entry=A device=cpu\n# lazygen: entry=B device={}\n"
    assert config.read_settings(settings_in(lines.format("cpu"), "model.py")).placement == Placement("cpu")
    with pytest.raises(Refused) as caught:
        config.read_settings(settings_in(lines.format("cuda"), "model.py"))
    place = caught.value.diagnostics[0].place
    assert caught.value.diagnostics[0].code == "LZ069"
    assert place is not None and place.line == 2


def test_flags_go_into_a_header_and_come_back() -> None:
    flags = flags_of(
        input_shape=["8,3"], placing={"device": "cuda:1", "dtype": None, "device-argument": True, "shard": False}
    )
    assert flags == [("input-shape", "8,3"), ("device", "cuda:1"), ("device-argument", "true")]
    command = " ".join(["lazygen", "convert", "net.py", *words_of(flags)])
    assert command.endswith("--device cuda:1 --device-argument")
    assert flags_in(command) == flags
    assert given_by(flags)["device"][0].place().column == len("--device ")


def test_the_command_the_comment_and_pyproject_say_the_same(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for number, (comment, toml, flags) in enumerate(
        [
            ("", "", ["--device", "cuda:1", "--dtype", "float64"]),
            ("# lazygen: device=cuda:1 dtype=float64 input-shape=4,3\n", "", []),
            ("", '[tool.lazygen]\ndevice = "cuda:1"\ndtype = "float64"\n', []),
        ]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "pyproject.toml").write_text(toml)
        source = folder / "net.py"
        source.write_text(comment + NET.lstrip())
        assert main(["convert", str(source), "--input-shape", "4,3", *flags]) == 0
        assert main(["convert", "--check", str(source), "--input-shape", "4,3", *flags]) == 0
        outputs.append((folder / "net_explicit.py").read_text().split("\n", 2))
    first, _, code = outputs[0]
    assert first.endswith("lazygen convert net.py --input-shape 4,3 --device cuda:1 --dtype float64")
    assert 'nn.Linear(3, width, device="cuda:1", dtype=torch.float64)' in code
    assert [output[2] for output in outputs] == [code] * 3
    capfd.readouterr()
    source = tmp_path / "0" / "net.py"
    assert main(["convert", "--check", str(source)]) == 0, "the flags of the header hold"
    assert main(["convert", "--check", str(source), "--device", "cuda:2"]) == 1
    assert "stale" in capfd.readouterr().err
    assert main(["convert", str(source), "--device", "cuda:x", "-q"]) == 2


# What comes out


def output_of(source: str, **settings: Any) -> str:
    conversion = apart.convert(dedent(source), **settings)
    assert conversion.code is not None, conversion.diagnostics
    return conversion.code


def refusal(source: str, **settings: Any) -> str:
    conversion = apart.convert(dedent(source), **settings)
    assert conversion.code is None
    return conversion.diagnostics[0].code


def test_placing_again_changes_nothing() -> None:
    for settings in ({"device": "cuda:1", "dtype": "float64"}, {"device_argument": True}):
        code = output_of(NET, input_shape="4,3", **settings)
        assert output_of(code, input_shape="4,3", entry="Net", **settings) == code


def test_what_takes_no_device_is_moved() -> None:
    source = """
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = nn.ModuleList(map(nn.LazyLinear, (8, 4)))
                self.last = getattr(nn, "Linear")(4, 2)

            def forward(self, x):
                for layer in self.layers:
                    x = layer(x)
                return self.last(x)
        """
    code = output_of(source, input_shape="4,3", device="cuda:1")
    assert 'nn.ModuleList(map(nn.Linear, (3, 8), (8, 4))).to("cuda:1")' in code
    assert 'getattr(nn, "Linear")(4, 2).to("cuda:1")' in code
    code = output_of(source, input_shape="4,3", device_argument=True)
    assert ".to(device=device, dtype=dtype)" in code


def test_tensors_of_methods_without_one_go_to_a_parameter() -> None:
    source = """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.LazyLinear(4)

            @property
            def mixing(self):
                return torch.eye(4)

            def forward(self, x):
                return self.fc(x) @ self.mixing
        """
    code = output_of(source, input_shape="4,3", device_argument=True)
    assert "return torch.eye(4, dtype=self.fc.weight.dtype, device=self.fc.weight.device)" in code


def test_a_device_of_the_source_is_not_overridden() -> None:
    own = NET.replace("LazyLinear(width)", 'LazyLinear(width, device="cuda:0")')
    assert refusal(own, input_shape="4,3", device="cuda:1") == "LZ521"
    assert 'nn.Linear(3, width, device="cuda:0")' in output_of(
        own.replace("torch.ones(8)", 'torch.ones(8, device="cuda:0")'), input_shape="4,3", device="cuda:0"
    )


def test_a_dtype_of_the_source_stays() -> None:
    own = NET.replace("torch.ones(8)", "torch.ones(8, dtype=torch.float32)")
    code = output_of(own, input_shape="4,3", dtype="float64")
    assert "torch.ones(8, dtype=torch.float32)" in code
    assert "nn.Linear(3, width, dtype=torch.float64)" in code
    assert "self.fc(x.to(torch.float64))" in code


def test_an_input_in_the_dtype_is_not_changed() -> None:
    assert "self.fc(x)" in output_of(NET, input_shape="4,3:float64", dtype="float64")


def test_models_in_parallel_are_variables() -> None:
    assert refusal(NET, input_shape="4,3", data_parallel="0,1") == "LZ522"
    with_model = f"{NET}\n\nmodel = Net()\n"
    code = output_of(with_model, input_shape="4,3", data_parallel="all", entry="model")
    assert "model = nn.DataParallel(Net(), device_ids=list(range(torch.cuda.device_count())))" in code
    assert "torch.ones(8, device=x.device)" in code, "each replica has tensors of its own"
    used = f"{with_model}\n\ndef head():\n    return model.fc\n"
    assert refusal(used, input_shape="4,3", data_parallel="0,1", entry="model") == "LZ522"


def test_a_model_of_no_class_takes_no_arguments() -> None:
    assert (
        refusal("from torch import nn\n\nnet = nn.LazyLinear(3)\n", input_shape="4,3", device_argument=True) == "LZ523"
    )


def test_programs_place_models_too() -> None:
    conversion = convert_source(NET, input_shape="4,3", device="gpu:0")
    assert conversion.code is None and conversion.usage
    assert conversion.diagnostics[0].code == "LZ068"


# Under torch


@each
def test_the_output_is_the_lazy_model_where_it_is_placed(fixture: Fixture, monkeypatch: pytest.MonkeyPatch) -> None:
    torchx_alias.install(monkeypatch)
    expected = fixture.path.with_suffix(".expected.py").read_text(encoding="utf-8")
    options = dict(fixture.options)
    dtype = getattr(torch, options.get("--dtype", "float32"))
    entries = fixture.all("--entry") or [root.name for root in roots.find(parse(fixture.text, fixture.path.name))]
    assert entries
    args, kwargs = under_torch.arguments(fixture.all("--input-shape"), fixture.all("--arg"))
    args = args or [torch.randn(2, 3, 16, 16)]
    on_the_cpu = {f"cuda:{number}": "cpu" for number in range(4)}
    for entry in [*entries, *fixture.also]:
        with placed.stand_ins(on_the_cpu):
            lazy = under_torch.model(under_torch.module(fixture.text, fixture.path, "lazy_placed"), entry)
            wanted = lazy(*args, **kwargs)
        lazy.to(dtype)
        # Nothing may rely on where tensors are made by default; stages and shards have no devices of their own.
        default = "cpu" if "--pipeline" in options or "--shard" in options else "meta"
        with placed.stand_ins(on_the_cpu, default=default):
            module = under_torch.module(expected, fixture.path, "explicit_placed")
            named = entry if "(" in entry else f"{entry}()"
            place = 'device="cpu"' if named.endswith("()") else ', device="cpu"'
            given = f"{named[:-1]}{place})" if "--device-argument" in options else entry
            explicit = under_torch.model(module, given)
            state = lazy.state_dict()
            if "--data-parallel" in options:
                state = {f"module.{name}": value for name, value in state.items()}
            assert {name: value.dtype for name, value in explicit.state_dict().items()} == {
                name: value.dtype for name, value in zip(explicit.state_dict(), state.values(), strict=True)
            }
            if not fixture.path.read_text().count("torchx"):
                assert list(explicit.state_dict()) == list(state)
            explicit.load_state_dict(dict(zip(explicit.state_dict(), state.values(), strict=True)))
            with torch.no_grad():
                result = explicit(*args, **kwargs)
        assert torch.allclose(_first(result).to(torch.float32), _first(wanted), atol=1e-5)
        assert _first(result).dtype == dtype


@pytest.mark.parametrize("name", ["placing_argument", "placing_states"])
def test_arguments_take_a_model_elsewhere(name: str) -> None:
    (fixture,) = (fixture for fixture in FIXTURES if fixture.name == name)
    names = placed.made(fixture.path.with_suffix(".expected.py").read_text(encoding="utf-8"))
    entry = next(root.name for root in roots.find(parse(fixture.text, fixture.path.name)))
    args, _ = under_torch.arguments(fixture.all("--input-shape"), [])
    plain = names[entry]().eval()
    assert {p.dtype for p in plain.parameters()} == {torch.float32}
    model = names[entry](device="meta", dtype=torch.float64).eval()
    tensors = [*model.parameters(), *model.buffers()]
    assert {t.device.type for t in tensors} == {"meta"}
    assert {t.dtype for t in tensors if t.is_floating_point()} == {torch.float64}
    moved = [a.to("meta", torch.float64) if a.is_floating_point() else a.to("meta") for a in args]
    assert placed.strict(model)(*moved).dtype == torch.float64


def _first(result: Any) -> torch.Tensor:
    return result[0] if isinstance(result, (list, tuple)) else result
