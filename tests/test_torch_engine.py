"""The second engine: sources run on torch itself, and have the sizes that the stand-in says."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from apart import here as convert_source
from fixture_files import Fixture, fixtures

from lazygen import config, flags, jobs
from lazygen.setting_lines import settings_in
from lazygen.settings import Settings
from lazygen.trace import collect, torch_engine
from lazygen.trace.model import Trace
from lazygen.values import replace

pytestmark = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="asks real torch")


def settings_of(fixture: Fixture) -> Settings:
    given = flags.flags_of(
        entry=next(iter(fixture.all("--entry")), None),
        input_shape=fixture.all("--input-shape"),
        arg=fixture.all("--arg"),
    )
    models = jobs.merged(flags.given_by(given), settings_in(fixture.text, fixture.path.name), [], {})
    return replace(config.read_settings(models), timeout=60.0)


def told(trace: Trace) -> dict[str, Any]:
    """All that a trace says in numbers: every parameter, every result, every layer with its place and its sizes."""
    states = [[stored[:3] for stored in model.state] for model in trace.models]  # torch has all on its meta device
    results = [re.sub(r" on \w+(:\d+)?(?=')", "", repr(model.result)) for model in trace.models]
    models = [(m.entry, *rest, m.lazy_left) for m, *rest in zip(trace.models, states, results, strict=True)]
    layers = [
        (layer.kind, layer.plain, layer.site, layer.names, layer.wanted, layer.flags, layer.unbatched,
         layer.training_only,
         [(name, size.value) for name, size in layer.sizes], [frame.name for frame in layer.frames])
        for layer in trace.layers
    ]  # fmt: skip
    return {
        "models": models,
        "layers": layers,
        "errors": [d.message for d in trace.diagnostics if d.severity == "error"],
    }


# What flags ask for is not in a trace, and where two dtypes meet only the stand-in knows which gives way.
APART = ("placing_pipeline", "placing_distributed", "devices_precision")
FIXTURES = [f for f in fixtures("convert") if "leaves" not in f.name and not f.name.startswith(APART)]


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_both_engines_say_the_same(fixture: Fixture) -> None:
    settings = settings_of(fixture)
    tree, path = ast.parse(fixture.text), fixture.path
    symbolic, real = (
        told(collect.trace(fixture.text, tree, replace(settings, engine=engine), path.name, path.parent)[1])
        for engine in ("symbolic", "torch")
    )
    assert real == symbolic and symbolic["models"]


# Whole conversions

HEAD = "import torch\nfrom torch import nn\n\n"


def converted(body: str, shape: str = "2,3,12,12", **more: Any) -> Any:
    return convert_source(HEAD + body, input_shape=shape, engine="torch", timeout=60.0, folder=None, **more)


def test_a_model_without_arguments() -> None:
    conversion = converted("model = nn.Sequential(nn.LazyConv2d(8, 3), nn.Flatten(), nn.LazyLinear(10))\n")
    assert conversion.code is not None and conversion.diagnostics == ()
    assert "nn.Sequential(nn.Conv2d(3, 8, 3), nn.Flatten(), nn.Linear(800, 10))" in conversion.code


def test_a_size_that_hangs_on_an_argument_holds_for_its_value_alone() -> None:
    conversion = converted(
        "class Net(nn.Module):\n    def __init__(self, width=16):\n        super().__init__()\n"
        "        self.a = nn.LazyConv2d(width, 3)\n        self.b = nn.LazyConv2d(8, 3)\n\n"
        "    def forward(self, x):\n        return self.b(self.a(x))\n"
    )
    assert "nn.Conv2d(16, 8, 3)" in conversion.code and 'raise ValueError("width must be 16")' in conversion.code
    assert [finding.code for finding in conversion.diagnostics] == ["LZ310"]


def test_a_size_that_hangs_on_the_batch_is_refused() -> None:
    (finding,) = converted("model = nn.Sequential(nn.Flatten(0), nn.LazyLinear(10))\n").diagnostics
    assert finding.code == "LZ205" and finding.place.line == 4 and "864" in finding.notes[0].message


def test_what_torch_refuses_is_said_at_its_line() -> None:
    (finding,) = converted(
        "class Net(nn.Module):\n    def forward(self, x):\n        return x @ torch.ones(5, 5)\n", entry="Net"
    ).diagnostics
    assert (finding.code, finding.place.line) == ("LZ130", 6) and "RuntimeError" in finding.message


def test_torch_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_engine, "import_torch", lambda: "No module named 'torch'")
    (finding,) = converted("model = nn.LazyLinear(10)\n").diagnostics
    assert finding.code == "LZ241" and "No module named 'torch'" in finding.message and finding.helps


# What a source may do with devices, constants and numbers

BODIES = {
    "a device by name": "y = self.a(x.to('cuda:1')) + torch.ones(4, device='cuda:1')",
    "constants": "y = self.a(x) * torch.tensor([1.0, 2.0, 3.0, 4.0]) + torch.arange(4)",
    "numbers of constants": "y = self.a(x)[:, : int(torch.linspace(0, 3, 4)[2].item())]",
    "written into": "y = torch.zeros(2, 3, 12, 4); y[:, 0] = self.a(x)[:, 0]",
    "a constant as index": "y = self.a(x)[..., torch.tensor([0, 2, 2])]",
    "a number that only data has": "y = self.a(x) * self.a(x).mean().item()",
    "an assertion about data": "y = self.a(x); assert y.max() >= y.min()",
    "moved modules": "self.b.cuda(); self.b.to('cpu'); y = self.b(self.a(x).cuda().cpu()).cpu()",
    "other dtypes": "y = self.a(x).to(torch.float64).type(torch.float32).to(dtype=torch.float16)",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_what_sources_do(body: str) -> None:
    text = (
        f"{HEAD}class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.a = nn.LazyLinear(4)\n"
        f"        self.b = nn.Linear(4, 5)\n\n    def forward(self, x):\n        {body}\n        return y\n"
    )
    settings = config.read_settings([flags.given_by(flags.flags_of(input_shape=["2,3,12,7"], timeout=60.0))])
    body_settings = [replace(settings, engine=engine) for engine in ("symbolic", "torch")]
    symbolic, real = (told(_traced(text, one)) for one in body_settings)
    assert real == symbolic and not real["errors"]


def _traced(text: str, settings: Settings) -> Trace:
    return collect.trace(text, ast.parse(text), settings, "model.py", Path("model.py").parent)[1]


def test_the_comparison_can_fail() -> None:
    fixture = next(fixture for fixture in FIXTURES if fixture.name == "cnn")
    trace = collect.trace(fixture.text, ast.parse(fixture.text), settings_of(fixture), "cnn.py", None)[1]
    layers = tuple(_larger(trace))
    assert told(trace) != told(replace(trace, layers=layers))


def _larger(trace: Trace) -> Iterator[Any]:
    from lazygen.symbolic.expr import constant

    for layer in trace.layers:
        yield replace(layer, sizes=tuple((name, constant(size.value + 1)) for name, size in layer.sizes))
