"""Libraries that need real torch: compiled modules, packages that the stand-in cannot run, and their layers."""

from __future__ import annotations

import _heapq
import importlib.util
import shutil
from pathlib import Path
from typing import Any

import pytest
from apart import here as convert_source

from lazygen.diagnostics import Diagnostic
from lazygen.symbolic import apart

pytestmark = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="asks real torch")

# What no stand-in has: the package asks torch's core about itself.
CORE = "from torch._C import _len_torch_dispatch_stack\n"
BLOCKS = """
import torch
from torch import nn
{core}

class Gated(nn.Module):
    def __init__(self, dim, factor=2):
        super().__init__()
        {check}
        self.dim = dim
        self.up = nn.Linear(dim, 2 * factor * dim)
        self.norm = nn.BatchNorm1d(factor * dim)
        self.register_buffer("scale", torch.ones(1))

    def forward(self, x):
        left, right = self.up(x).chunk(2, -1)
        return self.norm(left * right.sigmoid() * self.scale)


class Residual(nn.Module):
    def __init__(self, inner):
        super().__init__()
        {check}
        self.inner = inner

    def forward(self, x):
        return torch.cat([x, self.inner(x)], -1)


class Around(Residual):
    def forward(self, x):
        return self.inner(x * 2)


class Backbone(nn.Module):
    def __init__(self, width, depth=2):
        super().__init__()
        {check}
        rates = [rate.item() for rate in torch.linspace(0, 0.1, depth)]
        sizes = [3, *(width * 2 ** i for i in range(depth))]
        self.stages = nn.Sequential(*(
            nn.Sequential(nn.Conv2d(a, b, 3, 2, 1), nn.Dropout(rate)) for a, b, rate in zip(sizes, sizes[1:], rates)
        ))
        self.fc = nn.Linear(sizes[-1], 1000)
        self.num_features = sizes[-1]

    def features(self, x):
        return self.stages(x)

    def forward(self, x):
        return self.fc(self.features(x).mean((2, 3)))


class Box:
    def __init__(self, x):
        self.x = torch.relu(x)

    def spread(self, count):
        return torch.stack([self.x] * count, 1)


def halved(x, dim=-1):
    return x.narrow(dim, 0, x.shape[dim] // 2)


def twice(function):
    return lambda x: function(function(x))
"""
AT_IMPORT = BLOCKS.format(core=CORE + "assert _len_torch_dispatch_stack() == 0", check="")
AT_CALL = BLOCKS.format(core=CORE, check="assert _len_torch_dispatch_stack() == 0")


@pytest.fixture(params=[AT_IMPORT, AT_CALL], ids=["fails at import", "fails at a call"])
def needsreal(request: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that the stand-in cannot run, where installed packages are."""
    return install(tmp_path, monkeypatch, "needsreal", request.param)


def install(root: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> Path:
    folder = root / "site-packages" / name
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder.parent))
    return folder


def net(body: str, forward: str, more: str = "") -> str:
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    steps = "\n".join(f"        {line}" for line in forward.splitlines())
    return (
        f"import torch\nfrom torch import nn\nimport needsreal\n{more}\n\n"
        f"class Net(nn.Module):\n    def __init__(self, width=6):\n        super().__init__()\n{lines}\n\n"
        f"    def forward(self, x):\n{steps}\n"
    )


def converted(source: str, shape: str = "N,3,16,16") -> str:
    conversion = convert_source(source, input_shape=shape, timeout=60)
    assert conversion.code is not None, conversion.diagnostics
    return conversion.code


def refused(source: str, shape: str = "N,3,16,16") -> Diagnostic:
    conversion = convert_source(source, input_shape=shape, timeout=60)
    assert conversion.code is None
    return conversion.diagnostics[0]


@pytest.mark.usefixtures("needsreal")
def test_layers_of_a_package_that_needs_real_torch() -> None:
    code = converted(net("self.body = needsreal.Backbone(8)\nself.head = nn.LazyLinear(5)",
                         "return self.head(self.body(x))"))  # fmt: skip
    assert "nn.Linear(1000, 5)" in code


@pytest.mark.usefixtures("needsreal")
def test_parts_of_a_real_layer_are_replaced() -> None:
    body = "self.body = needsreal.Backbone(8)\nself.body.fc = nn.Identity()\nself.head = nn.LazyLinear(5)"
    assert "nn.Linear(16, 5)" in converted(net(body, "return self.head(self.body(x))"))
    body = "self.body = needsreal.Backbone(8)\nself.body.fc = nn.LazyLinear(5)"
    assert "self.body.fc = nn.Linear(16, 5)" in converted(net(body, "return self.body(x)"))
    body = "self.body = needsreal.Backbone(8)\nself.body.stages[0] = nn.LazyConv2d(8, 5)"
    assert "self.body.stages[0] = nn.Conv2d(3, 8, 5)" in converted(net(body, "return self.body(x)"))


@pytest.mark.usefixtures("needsreal")
def test_lazy_layers_inside_a_real_layer() -> None:
    body = "self.mix = needsreal.Residual(nn.Sequential(nn.LazyLinear(7), nn.ReLU()))\nself.head = nn.LazyLinear(2)"
    code = converted(net(body, "return self.head(self.mix(x))"), "N,20")
    assert "nn.Linear(20, 7)" in code and "nn.Linear(27, 2)" in code


@pytest.mark.usefixtures("needsreal")
def test_the_batch_stays_free_inside_a_real_layer() -> None:
    inner = "nn.Sequential(nn.Flatten(0), nn.LazyLinear(5))"
    finding = refused(net(f"self.mix = needsreal.Around({inner})", "return self.mix(x)"), "N,20")
    assert finding.code == "LZ205" and "free size N" in finding.message


@pytest.mark.usefixtures("needsreal")
def test_sizes_that_hang_on_an_argument_are_followed_or_fixed() -> None:
    """What a real layer gives are numbers: the class holds for one value, and says so."""
    body = "self.body = needsreal.Backbone(width)\nself.body.fc = nn.Identity()\nself.head = nn.LazyLinear(5)"
    code = converted(net(body, "return self.head(self.body(x))"))
    assert "width must be 6" in code and "nn.Linear(12, 5)" in code
    body = "self.first = nn.LazyLinear(width)\nself.head = nn.LazyLinear(5)"
    code = converted(net(body, "return self.head(needsreal.twice(torch.relu)(self.first(x)))"), "N,20")
    assert "nn.Linear(width, 5)" in code, "a function's sizes keep their terms"
    code = converted(net(body, "return self.head(needsreal.Box(self.first(x)).spread(3).flatten(1))"), "N,20")
    assert "nn.Linear(3 * width, 5)" in code


@pytest.mark.usefixtures("needsreal")
def test_parameters_are_listed_with_their_sizes() -> None:
    body = "self.gate = needsreal.Gated(4)\nself.head = nn.LazyLinear(5)"
    source = net(
        body + "\nnames = {name: tuple(p.shape) for name, p in self.state_dict().items() if 'head' not in name}\n"
        "assert names == {'gate.scale': (1,), 'gate.up.weight': (16, 4), 'gate.up.bias': (16,), "
        "'gate.norm.weight': (8,), 'gate.norm.bias': (8,), 'gate.norm.running_mean': (8,), "
        "'gate.norm.running_var': (8,), 'gate.norm.num_batches_tracked': ()}, names\n"
        "assert [name for name, _ in self.gate.named_modules()] == ['', 'up', 'norm']\n"
        "assert self.gate.dim == 4 and isinstance(self.gate, needsreal.Gated) and isinstance(self.gate, nn.Module)",
        "return self.head(self.gate(x))",
    )
    assert "nn.Linear(8, 5)" in converted(source, "N,4")


@pytest.mark.usefixtures("needsreal")
def test_a_class_that_derives_from_a_real_layer() -> None:
    more = (
        "class Own(needsreal.Gated):\n    def __init__(self, dim):\n        super().__init__(dim)\n"
        "        self.more = nn.LazyLinear(3)\n\n"
        "    def forward(self, x):\n        return self.more(super().forward(x))\n"
    )
    assert "nn.Linear(8, 3)" in converted(net("self.own = Own(4)", "return self.own(x)", more), "N,4")


@pytest.mark.usefixtures("needsreal")
def test_what_a_real_class_would_call_back_is_refused() -> None:
    more = "class Own(needsreal.Backbone):\n    def features(self, x):\n        return self.stages(x)[:, :5]\n"
    finding = refused(net("self.own = Own(4)\nself.head = nn.LazyLinear(3)", "return self.head(self.own(x))", more))
    assert finding.code == "LZ240" and "overrides features" in finding.notes[0].message
    assert finding.place is not None and finding.place.line == 16


@pytest.mark.usefixtures("needsreal")
def test_what_fails_in_a_library_is_said_at_the_users_line() -> None:
    finding = refused(net("self.gate = needsreal.Gated(4)\nself.head = nn.LazyLinear(5)", "return self.gate(x)"), "N,9")
    assert finding.code == "LZ200" and "needsreal" in finding.message and "Gated" in finding.message
    assert finding.place is not None and finding.place.line == 13
    assert any("(2, 9)" in note.message for note in finding.notes)


def test_a_package_that_fails_under_torch_too_is_a_stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "needsreal", "import torch\nraise RuntimeError('no licence')\n")
    finding = refused(net("self.head = nn.LazyLinear(needsreal.WIDTH)", "return self.head(x)"))
    assert finding.code == "LZ120" and "no licence" in finding.message


def test_a_compiled_module_gets_tensors_of_real_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = getattr(_heapq, "__file__", None)
    if compiled is None:
        pytest.skip("this Python has no module to take for a compiled one")
    folder = install(tmp_path, monkeypatch, "needsreal", "import torch\nfrom needsreal import _heapq\n"
                     "def swapped(x, y):\n    return _heapq.heapreplace([x], y)\n")  # fmt: skip
    target = folder / Path(compiled).name
    shutil.copy(compiled, target)
    source = net("self.first = nn.LazyLinear(width)\nself.head = nn.LazyLinear(5)",
                 "x = self.first(x)\nreturn self.head(torch.cat([x, needsreal.swapped(x, x)], 1))")  # fmt: skip
    assert "nn.Linear(2 * width, 5)" in converted(source, "N,9"), "one that knows nothing of torch is itself"
    assert not apart.linked_to_torch(str(target))
    apart.linked_to_torch.cache_clear()
    with target.open("ab") as file:
        file.write(b"\0libtorch_cpu.so\0")  # what the loader of a library would be told
    assert apart.linked_to_torch(str(target))
    assert "nn.Linear(2 * width, 5)" in converted(source, "N,9")
    asked = source.replace("needsreal.swapped(x, x)", "needsreal._heapq.heappop([x, x, x])")
    finding = refused(asked, "N,9")  # it compares real tensors, and only data says which is the smaller one
    assert finding.code == "LZ220"


def test_an_extension_that_the_source_compiles_is_not_there() -> None:
    source = (
        "import torch\nfrom torch import nn\nfrom torch.utils.cpp_extension import load\n\n"
        "ops = load('mine', ['mine.cpp'])\n\n"
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.a = nn.LazyLinear(4)\n\n    def forward(self, x):\n        return {}\n"
    )
    assert "nn.Linear(9, 4)" in converted(source.format("self.a(x)"), "N,9")
    finding = refused(source.format("ops.f(self.a(x)) + x"), "N,9")
    assert finding.code == "LZ120" and "compiles code" in finding.message
    assert finding.place is not None and finding.place.line == 13
