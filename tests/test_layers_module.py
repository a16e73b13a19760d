"""`lazygen.nn.Module` under real torch, and what its methods become in converted files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
import torchx_alias
import under_torch
from torch import nn

import lazygen.layers as L
import lazygen.nn as nnx
from lazygen import convert_source


class Net(nnx.Module):
    def __init__(self, width: int = 4) -> None:
        self.body = L.Linear(width)

    def forward(self, x: Any) -> Any:
        return self.body(x)


SOURCE = """\
import torchx.layers as L
import torchx.nn as nnx


class Net(nnx.Module):
    def __init__(self, width=4):
        self.body = L.Linear(width)

    def forward(self, x):
        return self.body(x)


def use(path):
    net, other = Net(), Net()
    net.copy_from(other)
    net.copy_to(other)
    net.hard_update(other)
    net.soft_update(other, 0.1)
    net.unfreeze()
    net.clip_grad_value(1)
    net.clip_grad_norm(1)
    net.parameters_from_binary(net.parameters_to_binary())
    twin = Net()
    twin.freeze()
    twin.save(path)
    twin.load(path)
    return Net.load_with_init(path, 4), twin.clone()
"""


@pytest.fixture(params=["library", "converted"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The class of the library, and the one that a conversion makes of it."""
    if request.param == "library":
        return Net
    code = convert_source(SOURCE, input_shape="2,3").code
    assert code is not None
    assert "torchx" not in code
    return under_torch.module(code, Path("net.py"), "converted_net").Net


def made(kind: Any) -> Any:
    net = kind()
    net(torch.randn(2, 3))
    return net


def values(net: Any) -> list[torch.Tensor]:
    return [parameter.detach().clone() for parameter in net.parameters()]


def test_modules_are_ready_without_a_constructor_call(kind: Any) -> None:
    net = made(kind)
    assert isinstance(net, nn.Module)
    assert [name for name, _ in net.named_parameters()] == ["body.weight", "body.bias"]


def test_updates_move_the_parameters(kind: Any) -> None:
    net, other = made(kind), made(kind)
    before, source = values(net), values(other)
    net.soft_update(other, 0.25)
    for now, old, new in zip(net.parameters(), before, source, strict=True):
        assert torch.allclose(now, old * 0.75 + new * 0.25)
    net.hard_update(other)
    assert all(map(torch.equal, values(net), source))
    third = made(kind)
    third.copy_to(net)
    other.copy_from(net)
    assert all(map(torch.equal, values(other), values(third)))


def test_parameters_are_frozen_and_clipped(kind: Any) -> None:
    net = made(kind)
    net.freeze()
    assert not any(parameter.requires_grad for parameter in net.parameters())
    net.unfreeze()
    net(torch.full((2, 3), 100.0)).sum().backward()
    assert net.clip_grad_norm(2.0) > 2
    assert torch.cat([p.grad.flatten() for p in net.parameters()]).norm() <= 2.001
    net.clip_grad_value(0.125)
    assert max(p.grad.abs().max() for p in net.parameters()) == 0.125


def test_modules_are_saved_copied_and_read(kind: Any, tmp_path: Path) -> None:
    net, other = made(kind), made(kind)
    other.parameters_from_binary(net.parameters_to_binary())
    assert all(map(torch.equal, values(net), values(other)))
    twin = net.clone()
    assert all(map(torch.equal, values(net), values(twin)))
    twin.hard_update(made(kind))
    assert not all(map(torch.equal, values(net), values(twin)))
    net.save(tmp_path / "net.pt")
    twin.load(tmp_path / "net.pt")
    assert all(map(torch.equal, values(net), values(twin)))


def test_only_used_methods_come_along() -> None:
    code = convert_source(SOURCE.split("\n\ndef use")[0] + "\n", input_shape="2,3").code
    assert code is not None
    assert "class Net(nn.Module):\n    def __init__(self, width=4):\n        super().__init__()\n" in code
    assert "ModuleMethods" not in code


@pytest.mark.parametrize("call", ["super().__init__()", "super(Net, self).__init__()", "nnx.Module.__init__(self)"])
def test_a_constructor_that_is_called_is_not_called_again(call: str) -> None:
    text = SOURCE.split("\n\ndef use")[0].replace("        self.body", f"        {call}\n        self.body", 1) + "\n"
    code = convert_source(text, input_shape="2,3").code
    assert code is not None
    assert code.count("__init__(") == 2


def test_a_fixture_alias_is_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    torchx_alias.install(monkeypatch)
    import torchx.nn

    assert torchx.nn.Module is nnx.Module


@pytest.mark.parametrize(
    ("line", "comes"),
    [
        ("net[0].freeze()", "freeze"),
        ("torch.save(net.state_dict(), 'a.pt')", ""),
        ("net.save('a.pt')", "save"),
        ("copy = net.clone()", "clone"),
        ("x = torch.ones(1); y = x.clone()", ""),
    ],
)
def test_a_method_comes_along_if_a_module_of_the_file_may_be_meant(line: str, comes: str) -> None:
    text = f"import torch\n{SOURCE.split('def use')[0]}def use(net=Net()):\n    net = Net()\n    {line}\n"
    code = convert_source(text, input_shape="2,3", entry="Net").code
    assert code is not None
    assert ("class ModuleMethods" in code) == bool(comes)
    assert f"def {comes or 'use'}(" in code


def test_star_imports_do_not_hide_the_module() -> None:
    text = SOURCE.split("\n\ndef use")[0].replace("import torchx.nn as nnx", "from torchx.layers import *")
    text = f"from torchx.nn import Module\n{text}\n".replace("nnx.Module", "Module")
    code = convert_source(text, input_shape="2,3").code
    assert code is not None
    assert "class Net(nn.Module):" in code
    assert "torchx" not in code
