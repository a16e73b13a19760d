"""Traps: each has a fixture that triggers it and one that does not; here are the edges of what is one."""

from __future__ import annotations

import re
from pathlib import Path

import apart
import pytest
from architecture import PACKAGE
from fixture_files import FOLDER, fixtures
from sources import cases

from lazygen import convert_source, traps

HEAD = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n\n\n"
TRAPS = [fixture for fixture in fixtures("diagnostics") if fixture.name.startswith("trap_")]


def codes(text: str, *shapes: str) -> list[str]:
    """The codes of what is said about a source that converts."""
    conversion = convert_source(HEAD + text, input_shape=shapes, path="model.py")
    assert conversion.code is not None, [finding.message for finding in conversion.diagnostics]
    return [finding.code for finding in conversion.diagnostics]


def test_every_trap_has_a_fixture() -> None:
    files = [path for path in (PACKAGE / "traps").glob("*.py") if path.stem not in ("__init__", "seen", "text")]
    stated = {code for path in files for code in re.findall(r'"(LZ\d{3})"', path.read_text(encoding="utf-8"))}
    expected = [path.read_text(encoding="utf-8") for path in (FOLDER / "diagnostics").glob("trap_*.expected.txt")]
    assert {code for text in expected for code in re.findall(r"\[(LZ\d{3})\]: ", text)} == stated
    assert len(stated) >= 14


@pytest.mark.parametrize("fixture", TRAPS, ids=lambda fixture: fixture.name)
def test_a_trap_changes_nothing_in_the_output(fixture: object, monkeypatch: pytest.MonkeyPatch) -> None:
    with_traps = fixture.convert()  # type: ignore[attr-defined]
    monkeypatch.setattr("lazygen.trace.tracer.in_run", lambda seen: iter(()))
    monkeypatch.setattr(traps, "in_text", lambda *arguments: iter(()))
    without = fixture.convert(by=apart.here)  # type: ignore[attr-defined]
    assert with_traps.code == without.code is not None
    assert {finding.severity for finding in with_traps.diagnostics} <= {"warning", "note"}
    assert [finding.code for finding in without.diagnostics if finding.code != "LZ065"] == []


SEEN = cases("""
## LZ260 4,3,32,32
model = nn.Sequential(nn.LazyConv2d(8, 3), nn.AdaptiveAvgPool2d(1), nn.LazyLinear(10))
## LZ260 4,3,8,8,8
model = nn.Sequential(nn.LazyConv3d(8, 3), nn.LazyLinear(10))
## LZ260 4,3,H=32,32
model = nn.Sequential(nn.LazyConv2d(8, 3), nn.LazyLinear(10))
## LZ261 4,28,28,1
model = nn.Sequential(nn.LazyConv2d(8, 3, padding=1))
## LZ262 4,12,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(6, 16, batch_first=True)
        self.norm = nn.LazyBatchNorm1d()

    def forward(self, x):
        return self.norm(self.rnn(x)[0])
## LZ263 4,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(5)

    def forward(self, x):
        return self.out(x).flatten()
## LZ263 4,6,2
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(5)

    def forward(self, x):
        return {"y": self.out(torch.reshape(x, (-1, 3)))}
## LZ264 4,6,3
BATCH = 4


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.batch = BATCH
        self.out = nn.LazyLinear(5)

    def forward(self, x):
        return self.out(x.reshape(self.batch, -1))
## LZ264 4,3,6
class Net(nn.Module):
    def __init__(self, batch_size=4):
        super().__init__()
        self.batch_size = batch_size
        self.out = nn.LazyLinear(5)

    def forward(self, x):
        return self.out(x.view(self.batch_size, -1))
## LZ265 4,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(1)

    def forward(self, x):
        return x[:, 0] * self.out(x)
## LZ140 4,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = {"a": nn.LazyLinear(3), "b": nn.LazyLinear(2)}

    def forward(self, x):
        return [head(x) for head in self.heads.values()]
## LZ141 4,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(3)

    def forward(self, x):
        return nn.Linear(3, 2)(self.out(x))
## LZ142 4,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(3)
        self.grid = [torch.arange(3.0), torch.arange(3.0)]

    def forward(self, x):
        return self.out(x) + self.grid[0] + self.grid[1]
## LZ143 4,6
def start(m):
    if type(m) in (nn.Linear, nn.Conv2d):
        nn.init.zeros_(m.bias)


model = nn.Sequential(nn.LazyLinear(3))
model.apply(start)
## LZ144 4,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(3)
        self.apply(self.start)

    def start(self, m):
        if isinstance(m, nn.Linear):
            nn.init.normal_(m.weight.data, std=0.02)

    def forward(self, x):
        return self.out(x)
## LZ144 6,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(3)
        self.out.bias.data.zero_()

    def forward(self, x):
        return self.out(x)
## LZ145 4,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(3)
        self.lazy = [isinstance(m, (nn.ReLU, nn.LazyLinear)) for m in self.children()]

    def forward(self, x):
        return self.out(x)
## LZ146 4,6,5
model = nn.Sequential(nn.LazyInstanceNorm1d(6))
""")


@pytest.mark.parametrize("title", SEEN)
def test_it_is_seen(title: str) -> None:
    code, shape = title.split()
    assert codes(SEEN[title], shape) == [code]


FINE = cases("""
## a linear layer over the channels of a sequence 4,12,6
model = nn.Sequential(nn.LazyLinear(16), nn.ReLU(), nn.LazyLinear(8))
## heads of an attention 4,12,24
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(6)

    def forward(self, x):
        heads = x.view(x.size(0), x.size(1), 4, -1).transpose(1, 2)
        return self.out(heads)
## scores of an attention 4,12,24
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.talk = nn.LazyLinear(3)

    def forward(self, x):
        heads = x.view(x.size(0), x.size(1), 4, -1).transpose(1, 2)
        return self.talk((heads @ heads.transpose(2, 3)).permute(0, 2, 3, 1))
## an image with its channels last for a linear layer 4,32,32,3
model = nn.Sequential(nn.LazyLinear(16), nn.LazyLinear(8))
## a wide image of few rows 4,32,6,3
model = nn.Sequential(nn.LazyConv2d(8, 3, padding=1))
## a norm behind a convolution 4,6,30
model = nn.Sequential(nn.LazyConv1d(8, 3), nn.LazyBatchNorm1d())
## a norm over what comes in 4,6,30
model = nn.Sequential(nn.LazyBatchNorm1d(), nn.LazyConv1d(8, 3))
## a row for each step and back 4,12,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(5)

    def forward(self, x):
        rows = self.out(x.reshape(-1, x.shape[-1]))
        return rows.view(x.size(0), x.size(1), -1)
## pieces that come together again 4,6,10
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(5)

    def forward(self, x):
        return self.out(x.reshape(-1, 20)).view(x.size(0), -1)
## logits of every step for the loss 4,12,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(5)

    def forward(self, x):
        return self.out(x).view(-1, 5)
## a column made a row on purpose 4,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(1)

    def forward(self, x):
        y = self.out(x).squeeze(1)
        return y[:, None] - y[None, :]
## one module in a list to hide it 4,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(3)
        self._teacher = [nn.Linear(6, 3)]

    def forward(self, x):
        return self.out(x) + self._teacher[0](x)
## activations in a list 4,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(3)
        self.acts = [nn.ReLU(), nn.Tanh()]

    def forward(self, x):
        return self.acts[0](self.out(x))
## made on the first call 4,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(3)
        self.last = None

    def forward(self, x):
        x = self.out(x)
        if self.last is None:
            self.last = nn.Linear(3, 2)
        return self.last(x)
## a number in a tensor, which goes with any device 4,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(3)
        self.scale = torch.tensor(0.5)

    def forward(self, x):
        return self.out(x) * self.scale
## a tensor that the source moves 4,6
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.LazyLinear(3)
        self.scale = torch.ones(3)

    def forward(self, x):
        return self.out(x) * self.scale.to(x)
## bias by position 4,6
model = nn.Sequential(nn.LazyLinear(8, False), nn.LazyLinear(2, True))
## eps and momentum by position 4,6
model = nn.Sequential(nn.LazyBatchNorm1d(1e-3, 0.05))
## a long kernel for a signal 4,1,500
model = nn.Sequential(nn.LazyConv1d(1, 251), nn.LazyConv1d(32, 80, 4))
## patches 4,3,64,64
model = nn.Sequential(nn.LazyConv2d(3, 16, 16))
## types of other layers 4,6
def start(m):
    if type(m) == nn.LayerNorm or isinstance(m, nn.Linear):
        nn.init.zeros_(m.bias)


model = nn.Sequential(nn.Linear(6, 3), nn.LazyLinear(3))
start(model[0])
""")


@pytest.mark.parametrize("title", FINE)
def test_it_is_no_trap(title: str) -> None:
    text, shape = FINE[title], title.split()[-1]
    assert codes(text, shape) == []


def test_torch_drops_what_fills_a_lazy_layer() -> None:
    torch = pytest.importorskip("torch")
    layer = torch.nn.LazyLinear(400)
    torch.nn.init.constant_(layer.weight.data, 5.0)
    layer.bias.data.fill_(5.0)
    layer(torch.zeros(1, 30))
    assert layer.weight.detach().max().item() < 1
    assert layer.bias.detach().max().item() < 1


def test_a_trap_is_said_beside_an_error() -> None:
    text = HEAD + "model = nn.Sequential(nn.LazyBatchNorm2d(3), nn.LazyConv2d(8, 3), nn.Linear(4, 2))\n"
    conversion = convert_source(text, input_shape="4,3,9,9")
    assert conversion.code is None
    assert [(finding.severity, finding.code) for finding in conversion.diagnostics] == [
        ("warning", "LZ146"),
        ("error", "LZ210"),
    ]


# Ignoring

NORM = "model = nn.Sequential(nn.LazyBatchNorm1d(6), nn.LazyLinear(3))"


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("", ["LZ146"]),
        ("  # lazygen: ignore[LZ146]", []),
        ("  # lazygen: ignore[LZ260, LZ146]", ["LZ065"]),
        ("  # lazygen: ignore[LZ260]", ["LZ146", "LZ065"]),
        ("  # lazygen: ignore[]", ["LZ146", "LZ065"]),
        ("\n# lazygen: ignore[LZ146]", ["LZ146", "LZ065"]),
        ('\nname = "# lazygen: ignore[LZ146]"', ["LZ146"]),
        ("  # lazygen: ignore LZ146", ["LZ146"]),
    ],
)
def test_a_comment_silences_its_codes_in_its_line(comment: str, said: list[str]) -> None:
    assert codes(f"{NORM}{comment}\n", "4,6") == said


def test_an_unused_comment_is_a_note_at_its_code() -> None:
    text = f"{HEAD}{NORM}  # é lazygen\n\nx = 1  # lazygen: ignore[LZ260]\n"
    note = convert_source(text, input_shape="4,6", path="model.py").diagnostics[-1]
    assert (note.code, note.severity) == ("LZ065", "note")
    assert note.place is not None
    line = text.split("\n")[note.place.line - 1]
    assert line[note.place.column : note.place.end_column] == "LZ260"


def test_a_call_over_several_lines_may_have_it_in_any() -> None:
    text = "model = nn.Sequential(\n    nn.LazyBatchNorm1d(\n        6,  # lazygen: ignore[LZ146]\n    ),\n)\n"
    assert codes(text, "4,6") == []


def test_an_error_is_not_silenced_and_leaves_open_what_is_unused() -> None:
    text = f"{HEAD}model = nn.Sequential(nn.LazyLinear(3), nn.Linear(4, 2))  # lazygen: ignore[LZ210, LZ146]\n"
    conversion = convert_source(text, input_shape="4,6")
    assert [finding.code for finding in conversion.diagnostics] == ["LZ210"]


def test_a_comment_above_the_first_statement_is_no_setting() -> None:
    text = f"# lazygen: ignore[LZ146]\n{HEAD}{NORM}\n"
    conversion = convert_source(text, input_shape="4,6")
    assert [finding.code for finding in conversion.diagnostics] == ["LZ146", "LZ065"]


def test_the_page_lists_every_trap() -> None:
    page = (Path(PACKAGE).parent / "docs" / "traps.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"LZ\d{3}", page))
    paths = list((PACKAGE / "traps").glob("*.py"))
    stated = {code for path in paths for code in re.findall(r'"(LZ\d{3})"', path.read_text(encoding="utf-8"))}
    assert stated <= listed
