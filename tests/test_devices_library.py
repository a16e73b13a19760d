"""`lazygen.devices` under real torch: the meta device stands for what is not the CPU."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
import torch
from torch import nn

import lazygen
import lazygen.layers as L
import lazygen.nn as nnx
from lazygen import devices
from lazygen.devices import device_scope
from lazygen.verify.devices import mapping_mode

META, CPU = torch.device("meta"), torch.device("cpu")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (-1, ["cpu"]),
        (None, ["cpu"]),
        ("cpu", ["cpu"]),
        (2, ["cuda:2"]),
        ("cuda:2", ["cuda:2"]),
        ("gpu:2", ["cuda:2"]),
        ("gpu", ["cuda"]),
        ("meta", ["meta"]),
        (torch.device("cuda", 1), ["cuda:1"]),
        ([0, "gpu:3", torch.device("cuda:5")], ["cuda:0", "cuda:3", "cuda:5"]),
        ((1, 2), ["cuda:1", "cuda:2"]),
        (range(2), ["cuda:0", "cuda:1"]),
    ],
)
def test_the_devices_that_a_scope_names(given: Any, expected: list[str]) -> None:
    scope = device_scope(given)
    assert list(map(str, scope.devices)) == expected
    assert str(scope.device) == expected[0]


def test_all_gpus_are_one_at_least() -> None:
    assert [str(device) for device in device_scope("cuda:all").devices] == [
        f"cuda:{number}" for number in range(max(torch.cuda.device_count(), 1))
    ]


@pytest.mark.parametrize("given", ["gpu:x", "cuda:", "1", "cuda:0:1", True, 1.0, -2, [], [0, "x:y"]])
def test_what_is_no_device_is_refused(given: Any) -> None:
    with pytest.raises(ValueError, match="device"):
        device_scope(given)


def test_a_scope_is_no_decorator() -> None:
    with pytest.raises(TypeError, match="with"):
        device_scope(0)(print)


FACTORIES = {
    "zeros": lambda: torch.zeros(2),
    "ones_like": lambda: torch.ones_like(torch.empty(2, device="cpu", dtype=torch.float32)),
    "full_like": lambda: torch.full_like(torch.empty(2, device="cpu", dtype=torch.float32), 3),
    "new_zeros": lambda: torch.empty(2, device="cpu", dtype=torch.float32).new_zeros(3),
    "new_tensor": lambda: torch.empty(2, device="cpu", dtype=torch.float32).new_tensor([1.0]),
    "tensor": lambda: torch.tensor([1.5]),
    "linspace": lambda: torch.linspace(0, 1, 3),
    "new_tensor of the library": lambda: devices.new_tensor([1, 2]),
    "a parameter": lambda: nn.Parameter(torch.randn(2)),
    "a weight": lambda: nn.Linear(2, 3).weight,
}


@pytest.mark.parametrize("make", FACTORIES.values(), ids=FACTORIES)
def test_what_is_made_inside_stands_there(make: Any) -> None:
    with device_scope("meta", dtype=torch.float64) as device:
        made = make()
    assert device == META
    assert (made.device, made.dtype) == (META, torch.float64)
    after = make()
    assert after.device == CPU and after.dtype != torch.float64


def test_integers_stay_integers_and_what_is_said_holds() -> None:
    with device_scope("meta", torch.float64):
        assert torch.arange(3).dtype == torch.int64
        assert torch.ones_like(torch.zeros(2, dtype=torch.bool)).dtype == torch.bool
        assert torch.zeros(2, device="cpu", dtype=torch.float32).device == CPU
        assert torch.zeros(2, dtype=torch.float32).dtype == torch.float32
        assert devices.new_tensor([1], dtype=torch.int8).dtype == torch.int8


def test_scopes_nest() -> None:
    with device_scope("meta", torch.float64):
        with device_scope("cpu"):
            assert (torch.ones(1).device, torch.ones(1).dtype) == (CPU, torch.float32)
        with device_scope("cpu", override_parent=False) as device:
            assert device == META
            assert (torch.ones(1).device, torch.ones(1).dtype) == (META, torch.float64)
        assert (torch.ones(1).device, torch.ones(1).dtype) == (META, torch.float64)
    with device_scope("meta", override_parent=False):
        assert torch.ones(1).device == META
    with device_scope("cpu") as outer, device_scope("meta"):
        assert torch.ones(1).device == META and outer == CPU


def test_a_scope_ends_where_an_exception_leaves_it() -> None:
    with pytest.raises(KeyError), device_scope("meta", torch.float64):
        raise KeyError
    assert devices.current() is None
    assert (torch.ones(1).device, torch.get_default_dtype()) == (CPU, torch.float32)


def test_float32_is_the_default_of_torch() -> None:
    torch.set_default_dtype(torch.float64)
    try:
        with device_scope("cpu", torch.float16), device_scope("cpu"):
            assert torch.ones(1).dtype == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


LAYERS = {
    "Linear": (lambda: L.Linear(4), (2, 3)),
    "Conv2d": (lambda: L.Conv2d(4, 3), (2, 3, 8, 8)),
    "BatchNorm1d": (lambda: L.BatchNorm1d(), (2, 3)),
    "LayerNorm": (lambda: L.LayerNorm(2), (2, 3, 4)),
    "GroupNorm": (lambda: L.GroupNorm(2), (2, 4)),
    "PReLU": (lambda: L.PReLU(shared=False), (2, 3)),
    "PReLU, shared": (lambda: L.PReLU(), (2, 3)),
    "GRU": (lambda: L.GRU(4), (2, 3, 5)),
}


@pytest.mark.parametrize(("make", "shape"), LAYERS.values(), ids=LAYERS)
def test_a_layer_is_built_where_it_was_made(make: Any, shape: tuple[int, ...]) -> None:
    with device_scope("meta", torch.float64):
        layer = make()
    pickled = pickle.loads(pickle.dumps(layer))
    for one in (layer, pickled):
        one(torch.ones(shape, device="meta", dtype=torch.float64))
        assert {(p.device, p.dtype) for p in one.parameters()} == {(META, torch.float64)}
    assert "home" not in layer.native_module().__dict__


@pytest.mark.parametrize(("make", "shape"), LAYERS.values(), ids=LAYERS)
def test_a_layer_is_built_where_it_was_moved(make: Any, shape: tuple[int, ...]) -> None:
    layer = nn.Sequential(make()).double().to("meta")
    layer(torch.ones(shape, device="meta", dtype=torch.float64))
    assert {(p.device, p.dtype) for p in layer.parameters()} == {(META, torch.float64)}


def test_what_a_layer_is_given_comes_before_the_scope_and_a_move_before_both() -> None:
    with device_scope("meta", torch.float64):
        layers = [L.Linear(2, device="cpu"), L.Linear(2, dtype=torch.float32, device="cpu")]
    for layer, dtype in zip(layers, (torch.float64, torch.float32), strict=True):
        layer.build((1, 3))
        assert (layer.weight.device, layer.weight.dtype) == (CPU, dtype)
    moved = L.Linear(2, device="meta").to("cpu").build((1, 3))
    assert moved.weight.device == CPU
    assert L.Linear(2, device="meta").to_spec() == {"type": "Linear", None: 2, "device": "meta"}


class Net(nnx.Module):
    def __init__(self) -> None:
        self.layer = nn.Linear(3, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x)  # type: ignore[no-any-return]


def test_a_module_called_inside_moves_itself() -> None:
    net = Net()
    assert net(torch.ones(1, 3)).device == CPU
    with device_scope("meta", torch.float64):
        result = net(torch.ones(1, 3))
    assert (result.device, result.dtype) == (META, torch.float64)
    assert net.layer.weight.device == META
    plain = nn.Linear(3, 2)
    with device_scope("meta"):
        plain(torch.ones(1, 3, device="cpu"))
    assert plain.weight.device == CPU


def test_data_parallel_is_nothing_on_the_cpu() -> None:
    net = Net()
    assert devices.DataParallel(net) is net
    with device_scope([-1]):
        assert devices.DataParallel(net) is net


def test_data_parallel_stands_on_the_first_device() -> None:
    with mapping_mode(torch, tuple((f"cuda:{number}", "meta") for number in range(6))), device_scope([0, 3, 5]):
        wrapped = devices.DataParallel(Net(), output_device=3, dim=1)
    assert isinstance(wrapped, nn.DataParallel)
    assert {p.device for p in wrapped.parameters()} == {META}


def test_one_process_has_one_device() -> None:
    net = Net()
    with device_scope([0, 1]), pytest.raises(ValueError, match="one device"):
        devices.DistributedDataParallel(net)


def test_a_manager_says_what_its_process_is(monkeypatch: pytest.MonkeyPatch) -> None:
    manager = devices.DistributedManager("gloo", num_procs=2, num_nodes=3, node_rank=1, master_port=1234)
    monkeypatch.delenv("LOCAL_RANK", raising=False)
    assert manager.local_rank() == 0
    told = manager._environment(1)
    assert [told[n] for n in ("RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_PORT")] == ["3", "1", "6", "1234"]
    monkeypatch.setenv("LOCAL_RANK", "1")
    assert manager.device_scope().devices == (torch.device("cuda:1"),)
    assert manager.device_scope(use_cpu=True).devices == (CPU,)


def test_the_package_hands_the_names_out() -> None:
    assert all(getattr(lazygen, name) is getattr(devices, name) for name in devices.__all__)
    assert lazygen.devices is devices and lazygen.nn is nnx
