"""Devices in torch-style sources: the trace follows them, and a mismatch is an error where torch would have one."""

from __future__ import annotations

import textwrap

import pytest

from lazygen import convert_source
from lazygen.diagnostics import Diagnostic
from lazygen.pipeline import Conversion


def converted(source: str, *shapes: str) -> Conversion:
    return convert_source(textwrap.dedent(source).lstrip(), input_shape=list(shapes), path="model.py")


def net(body: str, *layers: str, before: str = "") -> str:
    """A source with one model of these layers and lines; the first line of `forward` is 11 + the number of layers."""
    made = "".join(f"        {layer}\n" for layer in layers)
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    return (
        f"import torch\nfrom torch import nn\n{before}\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
        f"        super().__init__()\n{made}\n    def forward(self, x):\n{lines}"
    )


def errors(source: str, *shapes: str) -> list[Diagnostic]:
    return [finding for finding in converted(source, *(shapes or ("2,4",))).diagnostics if finding.severity == "error"]


ON_0, ON_1 = 'self.a = nn.LazyLinear(4, device="cuda:0")', 'self.b = nn.LazyLinear(4, device="cuda:1")'
ANYWHERE = "self.c = nn.LazyLinear(4)"

RIGHT = [
    ("return self.a(x)", ON_0),
    ("return self.a(x) + x", ON_0),  # an input is where it meets the first
    ('return self.b(self.a(x).to("cuda:1"))', f"{ON_0}\n{ON_1}"),
    ("return self.b(self.a(x).cuda(1))", f"{ON_0}\n{ON_1}"),
    ("return self.b(self.a(x).to(self.b.weight.device))", f"{ON_0}\n{ON_1}"),
    ('h = self.a(x)\nreturn h + torch.zeros(4, device=h.device) + h.new_ones(4) + torch.ones(4, device="cuda")', ON_0),
    ("h = self.a(x)\nreturn h[:, torch.arange(2)] * torch.tensor(0.5)", ON_0),
    ("h = self.a(x)\nh[:, 0] = torch.zeros(2)\nreturn h", ON_0),
    ('with torch.device("cuda:0"):\n    y = torch.ones(4)\nreturn self.a(x) + y', ON_0),
    ("return self.c(x) + torch.zeros(4).cuda()", ANYWHERE),  # whoever uses the model moves it
    ("return self.c(x) + self.scale", f'{ANYWHERE}\nself.register_buffer("scale", torch.ones(4))\nself.to("cuda:1")'),
    (
        "return self.c(x.to(self.scale)) * self.scale",
        f"{ANYWHERE}\nself.scale = nn.Parameter(torch.ones(4))\nself.cuda()",
    ),
    ("return self.c(x) + torch.zeros(4)", ANYWHERE),
    ("h = self.a(x)\nreturn nn.functional.linear(x, self.a.weight, self.a.bias) + h", ON_0),
    ("return torch.utils.checkpoint.checkpoint(self.a, x)", ON_0),
]


@pytest.mark.parametrize(("body", "layers"), RIGHT)
def test_what_torch_lets_pass_passes(body: str, layers: str) -> None:
    before = "import torch.utils.checkpoint\n"
    assert [finding.message for finding in errors(net(body, *layers.split("\n"), before=before))] == []


WRONG = [
    ("return self.b(self.a(x))", f"{ON_0}\n{ON_1}"),
    ("return self.a(x) + self.b(x)", f"{ON_0}\n{ON_1}"),
    ("return self.a(x) + torch.zeros(4)", ON_0),
    ("h = torch.zeros(4) + self.a(x)\nreturn h", ON_0),
    ("return torch.cat([self.a(x), torch.zeros(2, 4)])", ON_0),
    ("return self.a(x).matmul(torch.eye(4))", ON_0),
    ("return self.a(x.cpu())", ON_0),
    ("return torch.zeros(2, 4)[self.a(x) > 0]", ON_0),
    ("return torch.stack((self.a(x), torch.ones(2, 4))).sum()", ON_0),
    ("return self.c(x) + self.scale", f'{ANYWHERE}\nself.scale = torch.ones(4)\nself.to("cuda:1")'),
    ("y = self.a(x)\ny += torch.ones(4)\nreturn y", ON_0),
    ("return self.net(x)", "self.net = nn.Sequential(nn.LazyLinear(4).cuda(0), nn.ReLU(), nn.LazyLinear(4).cuda(1))"),
    ("return torch.where(self.a(x) > 0, torch.zeros(2, 4), 1.0)", ON_0),
]


@pytest.mark.parametrize(("body", "layers"), WRONG)
def test_what_torch_refuses_is_an_error_at_its_line(body: str, layers: str) -> None:
    made = layers.split("\n")
    (finding,) = errors(net(body, *made))
    first = 11 + len(made)
    assert finding.code == "LZ270"
    assert finding.place is not None
    assert first <= finding.place.line < first + len(body.split("\n"))
    assert "is on cuda:" in finding.message + " ".join(note.message for note in finding.notes)
    assert finding.helps


def test_a_default_device_places_what_says_none() -> None:
    source = net("return self.c(x) + torch.zeros(4)", ANYWHERE, before='torch.set_default_device("cuda:1")\n')
    assert errors(source) == []
    assert [finding.code for finding in errors(source.replace("zeros(4)", 'zeros(4, device="cpu")'))] == ["LZ270"]


def test_without_a_gpu_a_choice_of_devices_is_the_cpu() -> None:
    before = 'device = "cuda" if torch.cuda.is_available() else "cpu"\n'
    source = net("return self.c(x.to(device)) + torch.zeros(4)", f"{ANYWHERE[:-1]}, device=device)", before=before)
    assert errors(source) == []


def test_two_models_of_a_file_may_be_on_two_devices() -> None:
    source = net("return self.c(x) + torch.ones(4).cuda(0)", ANYWHERE)
    other = source.partition("class Net")[2].replace("cuda(0)", "cuda(1)")
    assert errors(f"{source}\n\nclass Other{other}") == []


PART = """
class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.LazyLinear(4)
        self.register_buffer("b", torch.ones(4))

    def forward(self, x):
        return self.f(x) + self.b
"""


def test_a_model_that_is_moved_goes_with_all_that_is_its_own() -> None:
    source = net("return self.part(x) + self.part.f.weight.sum()", 'self.part = Part().to("cuda:1")', before=PART)
    assert errors(source) == []


def test_a_layer_of_another_dtype_is_an_error() -> None:
    (finding,) = errors(net("return self.c(x)", "self.c = nn.LazyLinear(4, dtype=torch.float64)"))
    assert finding.code == "LZ230"
