"""Device scopes written out: what stands inside says where it stands."""

from __future__ import annotations

import textwrap

import apart
import pytest

from lazygen import convert_source

HEAD = """\
import torch
from torch import nn
import torchx as tx
import torchx.layers as L

"""


def converted(source: str, shape: str = "2,3") -> str:
    conversion = apart.convert(HEAD + textwrap.dedent(source), input_shape=shape)
    assert conversion.code is not None, conversion.diagnostics
    assert "device_scope" not in conversion.code and "torchx" not in conversion.code
    return conversion.code


def refused(source: str, shape: str = "2,3") -> list[tuple[str, int]]:
    """The codes of the errors, with the lines of the source."""
    conversion = apart.convert(HEAD + textwrap.dedent(source), input_shape=shape)
    assert conversion.code is None
    return [(d.code, d.place.line - 5 if d.place else 0) for d in conversion.diagnostics if d.severity == "error"]


DEVICES = [
    ("0", '"cuda:0"'),
    ("-1", '"cpu"'),
    ("None", '"cpu"'),
    ("'cpu'", '"cpu"'),
    ("'gpu:3'", '"cuda:3"'),
    ("'cuda:3'", '"cuda:3"'),
    ("'cuda:all'", '"cuda:0"'),
    ("torch.device('cuda', 1)", '"cuda:1"'),
    ("[2, 'gpu:0']", '"cuda:2"'),
    ("(1,)", '"cuda:1"'),
    ("device=1", '"cuda:1"'),
]


@pytest.mark.parametrize(("given", "written"), DEVICES)
def test_how_a_device_is_written(given: str, written: str) -> None:
    code = converted(f"with tx.device_scope({given}):\n    net = L.Sequential(L.Linear(4))\n")
    assert code.endswith(f"net = nn.Sequential(nn.Linear(3, 4, device={written}))\n")


@pytest.mark.parametrize(
    ("before", "given", "written", "hoisted"),
    [
        ("d = 'cuda:1'", "d", "d", ""),
        ("d = 1", "d", "d", ""),
        ("d = torch.device('cuda:1')", "d", "d", ""),
        ("d = [1, 0]", "d", "d[0]", ""),
        ("d = {'a': 1}", "d['a']", 'd["a"]', ""),
        ("d = -1", "d", "device", 'device = "cpu" if d == -1 else d\n'),
        ("n = 1", "f'gpu:{n}'", "device", "device = f'cuda:{n}'\n"),
        ("n = 0", "-1 if n == 0 else n", "device", 'device = "cpu" if n == 0 else n\n'),
        ("pick = lambda: 1", "pick()", "device", "device = pick()\n"),
    ],
)
def test_a_device_that_is_a_variable_stays_one(before: str, given: str, written: str, hoisted: str) -> None:
    code = converted(f"{before}\nwith tx.device_scope({given}):\n    net = L.Sequential(L.Linear(4))\n")
    assert code.endswith(f"{hoisted}net = nn.Sequential(nn.Linear(3, 4, device={written}))\n")


INSIDE = [
    ("torch.zeros(2)", 'torch.zeros(2, dtype=torch.float64, device="cuda:1")'),
    ("torch.tensor([1.0])", 'torch.tensor([1.0], dtype=torch.float64, device="cuda:1")'),
    ("torch.tensor([1])", 'torch.tensor([1], device="cuda:1")'),
    ("torch.arange(3)", 'torch.arange(3, device="cuda:1")'),
    ("torch.eye(2, dtype=torch.float32)", 'torch.eye(2, dtype=torch.float32, device="cuda:1")'),
    ("torch.ones(2, device='cpu')", "torch.ones(2, device='cpu', dtype=torch.float64)"),
    ("torch.ones_like(zero)", 'torch.ones_like(zero, dtype=torch.float64, device="cuda:1")'),
    ("torch.zeros_like(zero > 0)", 'torch.zeros_like(zero > 0, device="cuda:1")'),
    ("zero.new_zeros(3)", 'zero.new_zeros(3, dtype=torch.float64, device="cuda:1")'),
    ("tx.new_tensor([1, 2])", 'torch.tensor([1, 2], dtype=torch.float64, device="cuda:1")'),
    ("nn.Parameter(torch.rand(2))", 'nn.Parameter(torch.rand(2, dtype=torch.float64, device="cuda:1"))'),
    ("nn.Embedding(4, 2)", 'nn.Embedding(4, 2, device="cuda:1", dtype=torch.float64)'),
    ("nn.Dropout(0.5)", "nn.Dropout(0.5)"),
    ("[L.ReLU() for _ in 'ab']", "[nn.ReLU() for _ in 'ab']"),
    ("len('ab')", "len('ab')"),
]


@pytest.mark.parametrize(("written", "expected"), INSIDE)
def test_what_is_made_inside(written: str, expected: str) -> None:
    code = converted(f"""\
        zero = torch.zeros(1)
        with tx.device_scope("gpu:1", dtype=torch.float64):
            net = L.Sequential(L.Linear(4))
            other = {written}
        """)
    assert code.endswith(f"other = {expected}\n"), code


def test_float32_is_not_said_and_inner_scopes_do_not_know_outer_ones() -> None:
    code = converted("""\
        with tx.device_scope(0, torch.float64):
            first = L.Sequential(L.Linear(4))
            with tx.device_scope(1, dtype=torch.float32):
                second = L.Sequential(L.Linear(4))
            with tx.device_scope(1, override_parent=False):
                third = L.Sequential(L.Linear(4))
        """)
    assert code.endswith("""\
first = nn.Sequential(nn.Linear(3, 4, device="cuda:0", dtype=torch.float64))
second = nn.Sequential(nn.Linear(3, 4, device="cuda:1"))
third = nn.Sequential(nn.Linear(3, 4, device="cuda:0", dtype=torch.float64))
""")


def test_a_dtype_that_is_a_variable_stays_one() -> None:
    code = converted("""\
        half = torch.float64
        with tx.device_scope("cpu", half):
            net = L.Sequential(L.Linear(4))
        """)
    assert 'nn.Linear(3, 4, device="cpu", dtype=half)' in code


def test_a_variable_that_changes_inside_is_kept() -> None:
    code = converted("""\
        d = 0
        with tx.device_scope(d):
            d = 1
            net = L.Sequential(L.Linear(4))
        """)
    assert code.endswith("device = d\nd = 1\nnet = nn.Sequential(nn.Linear(3, 4, device=device))\n")


def test_the_name_behind_as() -> None:
    code = converted("""\
        with tx.device_scope(1) as here:
            net = L.Sequential(L.Linear(4))
        print(here)
        """)
    assert 'here = torch.device("cuda:1")\nnet = nn.Sequential(nn.Linear(3, 4, device=here))\nprint(here)\n' in code
    none = converted("d = None\nwith tx.device_scope(d) as d:\n    net = L.Sequential(L.Linear(4))\n")
    assert 'd = torch.device("cpu" if d is None else d)\nnet = nn.Sequential(nn.Linear(3, 4, device=d))\n' in none
    unread = converted("with tx.device_scope(1) as here:\n    net = L.Sequential(L.Linear(4))\n")
    assert "here" not in unread


def test_an_attribute_behind_as() -> None:
    code = converted("""\
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                with tx.device_scope(1) as self.device:
                    self.layer = L.Linear(4)

            def forward(self, x):
                return self.layer(x.to(self.device))
        """)
    assert 'self.device = torch.device("cuda:1")\n' in code
    assert "self.layer = nn.Linear(3, 4, device=self.device)\n" in code


def test_the_layout_stays() -> None:
    code = converted("""\
        start = 1

        # Above.
        with tx.device_scope(0):  # beside

            # Inside.
            net = L.Sequential(L.Linear(4))  # the net

            other = 2
        # Below.
        last = 3
        if start:
            with tx.device_scope(0): x = torch.zeros(1)
        with torch.no_grad(), tx.device_scope(0):
            y = torch.zeros(1)
        """)
    assert code.endswith("""\
start = 1

# Above.
# beside

# Inside.
net = nn.Sequential(nn.Linear(3, 4, device="cuda:0"))  # the net

other = 2
# Below.
last = 3
if start:
    x = torch.zeros(1, device="cuda:0")
with torch.no_grad():
    y = torch.zeros(1, device="cuda:0")
"""), code


def test_a_module_brought_by_a_call_and_one_that_takes_no_device() -> None:
    code = converted("""\
        import torchx.nn as nnx


        class Given(nnx.Module):
            def __init__(self, weight):
                self.weight = nn.Parameter(weight)

            def forward(self, x):
                return x @ self.weight


        class Net(nnx.Module):
            def __init__(self):
                self.layer = L.Linear(4)
                with tx.device_scope("meta"):
                    self.given = Given(torch.ones(4, 4))

            def forward(self, x):
                h = self.given(self.layer(x))
                with tx.device_scope("meta", torch.float64):
                    return Part()(h)


        class Part(nnx.Module):
            def forward(self, x):
                return x * 2
        """)
    assert 'self.given = Given(torch.ones(4, 4, device="meta"))' in code
    assert "return Part()(h)" in code


REFUSED = [
    ("scope = tx.device_scope(0)\nwith scope:\n    net = L.Sequential(L.Linear(4))\n", [("LZ502", 1)]),
    ("with tx.device_scope(d := 0):\n    net = L.Sequential(L.Linear(4))\n", [("LZ502", 1)]),
    ("with tx.device_scope(*[0]):\n    net = L.Sequential(L.Linear(4))\n", [("LZ502", 1)]),
    ("d = 'gpu:1'\nwith tx.device_scope(d):\n    net = L.Sequential(L.Linear(4))\n", [("LZ502", 2)]),
    ("d = [-1, 0]\nwith tx.device_scope(d):\n    net = L.Sequential(L.Linear(4))\n", [("LZ502", 2)]),
    ("with tx.device_scope(0, torch.float32, 1 > 0):\n    net = L.Sequential(L.Linear(4))\n", [("LZ502", 1)]),
    (
        "import contextlib\nwith contextlib.nullcontext(1) as n, tx.device_scope(f'cuda:{n}'):\n"
        "    net = L.Sequential(L.Linear(4))\n",
        [("LZ502", 2)],
    ),
    ("net = tx.DataParallel(L.Sequential(L.Linear(4)))\n", [("LZ502", 1)]),
    (
        "d = 1\nwith tx.device_scope(d if d else -1):\n    net = tx.DataParallel(L.Sequential(L.Linear(4)))\n",
        [("LZ502", 3)],
    ),
    (
        "def make(f):\n    return f(4)\n\nm = {'a': lambda n: L.Linear(n)}\n"
        "with tx.device_scope(0):\n    net = nn.Sequential(make(m['a']))\n",
        [("LZ503", 4)],
    ),
    ("with tx.device_scope('gpu:one'):\n    net = L.Sequential(L.Linear(4))\n", [("LZ130", 1)]),
]


@pytest.mark.parametrize(("source", "findings"), REFUSED)
def test_what_cannot_be_written_is_refused_at_its_place(source: str, findings: list[tuple[str, int]]) -> None:
    assert refused(source) == findings


def test_a_file_with_scopes_alone_is_converted_too() -> None:
    code = converted("""\
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                with tx.device_scope(0):
                    self.layer = nn.Linear(3, 4)

            def forward(self, x):
                return self.layer(x)
        """)
    assert 'self.layer = nn.Linear(3, 4, device="cuda:0")' in code
    assert 'return self.layer(x.to("cuda:0"))' in code


def test_the_torch_engine_knows_no_devices() -> None:
    source = HEAD + "with tx.device_scope(0):\n    net = L.Sequential(L.Linear(4))\n"
    (finding,) = convert_source(source, input_shape="2,3", engine="torch").diagnostics
    assert (finding.code, finding.place and finding.place.line) == ("LZ504", 6)


@pytest.mark.parametrize(("call", "noted"), [("make(4)", True), ("len('ab')", False), ("nn.Linear(3, 4)", False)])
def test_what_is_not_seen_in_a_scope_that_never_runs_is_said(call: str, noted: bool) -> None:
    source = f"""\
        class Net(nn.Module):
            def __init__(self, make=None):
                super().__init__()
                self.layer = L.Linear(4)
                if make is not None:
                    with tx.device_scope(0):
                        self.other = {call}

            def forward(self, x):
                return self.layer(x)
        """
    conversion = apart.convert(HEAD + textwrap.dedent(source), input_shape="2,3")
    assert conversion.code is not None
    assert [d.code for d in conversion.diagnostics if d.severity == "note"] == ["LZ505"] * noted


PARALLEL = [
    ("tx.DataParallel(net)", 'nn.DataParallel(net.to("cuda:1"), device_ids=[1, 0])'),
    ("tx.DataParallel(module=net, dim=1)", 'nn.DataParallel(module=net.to("cuda:1"), device_ids=[1, 0], dim=1)'),
    ("tx.DataParallel(net, 'gpu:0', 1)", 'nn.DataParallel(net.to("cuda:1"), [1, 0], "cuda:0", 1)'),
    ("tx.DataParallel(net, dim=0, output_device=1)", 'net.to("cuda:1"), device_ids=[1, 0], dim=0, output_device=1'),
]


@pytest.mark.parametrize(("written", "expected"), PARALLEL)
def test_a_module_of_elsewhere_goes_to_the_first_device(written: str, expected: str) -> None:
    code = converted(f"""\
        net = nn.Sequential(L.Linear(4))
        with tx.device_scope([1, "gpu:0"]):
            both = {written}
        """)
    assert expected in " ".join(code.split()).replace("( ", "(").replace(" )", ")"), code


def test_a_layer_that_its_first_call_builds_in_a_scope() -> None:
    source = """\
        class Net(nn.Module):
            def __init__(self, device="cuda:1"):
                super().__init__()
                self.device = device
                self.layer = L.Linear(4)
                self.out = L.Linear(2, bias=False)

            def forward(self, x):
                with tx.device_scope(0):
                    h = self.layer(x)
                with tx.device_scope(WHERE):
                    return self.out(h)
        """
    code = converted(source.replace("WHERE", "'gpu:1', torch.float64"))
    assert 'self.layer = nn.Linear(3, 4, device="cuda:0")' in code
    assert 'self.out = nn.Linear(4, 2, bias=False, device="cuda:1", dtype=torch.float64)' in code
    assert 'self.out(h.to("cuda:1", torch.float64))' in code
    assert refused(source.replace("WHERE", "self.device")) == [("LZ502", 6)]


def test_what_a_class_chooses_itself_is_its_own() -> None:
    code = converted("""\
        class Own(nn.Module):
            def __init__(self, width=4, device=0):
                super().__init__()
                with tx.device_scope(device):
                    self.layer = L.Linear(width)

            def forward(self, x):
                return self.layer(x)


        class Torchs(nn.Module):
            def __init__(self, width=4, device=None, dtype=None):
                super().__init__()
                self.layer = nn.LazyLinear(width, device=device, dtype=dtype)

            def forward(self, x):
                return self.layer(x)


        with tx.device_scope(1):
            own = Own()
            torchs = Torchs()
        """)
    assert code.endswith('own = Own()\ntorchs = Torchs(device="cuda:1")\n')
