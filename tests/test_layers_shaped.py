"""`lazygen.layers` under real torch: layers that read their sizes off their input."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from torch import nn

from lazygen import layers as L

# A layer, the shape it is called on, and the plain layer that it becomes.
CASES: list[tuple[Any, tuple[int, ...], Any]] = [
    (lambda: L.Linear(4), (2, 3, 7), lambda: nn.Linear(7, 4)),
    (lambda: L.Dense(4, bias=False), (2, 7), lambda: nn.Linear(7, 4, bias=False)),
    (lambda: L.Conv1d(4, 3), (2, 5, 11), lambda: nn.Conv1d(5, 4, 3)),
    (lambda: L.Conv2d(6, 3, stride=2, groups=3), (2, 3, 9, 8), lambda: nn.Conv2d(3, 6, 3, stride=2, groups=3)),
    (lambda: L.Conv2d(6, kernel_size=3), (3, 9, 8), lambda: nn.Conv2d(3, 6, kernel_size=3)),
    (lambda: L.Conv3d(2, 3, padding=1), (1, 2, 4, 4, 4), lambda: nn.Conv3d(2, 2, 3, padding=1)),
    (lambda: L.ConvTranspose1d(3, 4, 2), (2, 5, 6), lambda: nn.ConvTranspose1d(5, 3, 4, 2)),
    (lambda: L.ConvTranspose2d(3, 4, dilation=2), (2, 5, 6, 6), lambda: nn.ConvTranspose2d(5, 3, 4, dilation=2)),
    (lambda: L.ConvTranspose3d(3, 2), (2, 2, 3, 3, 3), lambda: nn.ConvTranspose3d(2, 3, 2)),
    (lambda: L.BatchNorm1d(), (4, 5), lambda: nn.BatchNorm1d(5)),
    (lambda: L.BatchNorm2d(1e-3), (4, 5, 2, 2), lambda: nn.BatchNorm2d(5, 1e-3)),
    (lambda: L.BatchNorm3d(momentum=0.2), (4, 5, 2, 2, 2), lambda: nn.BatchNorm3d(5, momentum=0.2)),
    (lambda: L.InstanceNorm1d(affine=True), (4, 5, 6), lambda: nn.InstanceNorm1d(5, affine=True)),
    (lambda: L.InstanceNorm2d(), (4, 5, 6, 6), lambda: nn.InstanceNorm2d(5)),
    (lambda: L.InstanceNorm3d(), (2, 5, 3, 3, 3), lambda: nn.InstanceNorm3d(5)),
    (lambda: L.LayerNorm(1), (4, 5, 6), lambda: nn.LayerNorm(6)),
    (lambda: L.LayerNorm(2, eps=1e-3), (4, 5, 6), lambda: nn.LayerNorm((5, 6), eps=1e-3)),
    (lambda: L.GroupNorm(3), (4, 6, 5), lambda: nn.GroupNorm(3, 6)),
    (lambda: L.GroupNorm(num_groups=2, affine=False), (4, 6), lambda: nn.GroupNorm(2, 6, affine=False)),
    (lambda: L.PReLU(), (4, 6), lambda: nn.PReLU()),
    (lambda: L.PReLU(shared=False, init=0.5), (4, 6, 3), lambda: nn.PReLU(6, init=0.5)),
]
IDS = [f"{number}-{type(make()).__name__}" for number, (make, _, _) in enumerate(CASES)]
each = pytest.mark.parametrize(("make", "shape", "plain"), CASES, ids=IDS)


@each
def test_a_layer_becomes_the_plain_one(make: Any, shape: tuple[int, ...], plain: Any) -> None:
    layer, other = make(), plain()
    x = torch.randn(shape, requires_grad=True)
    result = layer(x)
    assert isinstance(layer, type(other))
    expected = [(name, value.shape) for name, value in other.state_dict().items()]
    assert [(name, value.shape) for name, value in layer.state_dict().items()] == expected
    other.load_state_dict(layer.state_dict(), strict=True)
    assert torch.equal(layer.eval()(x), other.eval()(x))
    result.square().sum().backward()
    assert x.grad is not None and x.grad.shape == x.shape
    assert all(parameter.grad is not None for parameter in layer.parameters())


@each
def test_the_native_module_is_plain_and_shares_the_weights(make: Any, shape: tuple[int, ...], plain: Any) -> None:
    layer = make()
    if layer.has_uninitialized_params():
        assert layer.native_module() is None
    layer.build(shape)
    native = layer.native_module()
    assert type(native) is type(plain())
    assert repr(native) == repr(layer).replace(type(layer).__name__, type(native).__name__, 1)
    assert [id(p) for p in native.parameters()] == [id(p) for p in layer.parameters()]
    x = torch.randn(shape)
    assert torch.equal(native.eval()(x), layer.eval()(x))


@each
def test_a_copy_is_independent(make: Any, shape: tuple[int, ...], plain: Any) -> None:
    layer = make()
    twin = copy.deepcopy(layer)
    layer.build(shape)
    assert twin.has_uninitialized_params() == (not isinstance(layer, nn.PReLU) or layer.num_parameters > 1)
    twin.build(shape)
    assert {id(p) for p in twin.parameters()}.isdisjoint({id(p) for p in layer.parameters()})


def test_other_batches_and_places_are_welcome_and_other_widths_are_not() -> None:
    layer = L.Conv2d(4, 3)
    layer(torch.zeros(2, 3, 8, 8))
    assert layer(torch.zeros(5, 3, 9, 7)).shape == (5, 4, 7, 5)
    with pytest.raises(L.LayerError, match=r"in_channels is 3 by the call at .*py:\d+, and 5 by the call at .*py:\d+"):
        layer(torch.zeros(2, 5, 8, 8))


@pytest.mark.parametrize(
    ("layer", "shape", "words"),
    [
        (L.Conv2d(4, 3), (2, 8), "Conv2d takes an input of 3 or 4 dims, and gets (2, 8)"),
        (L.Linear(4), (), "Linear takes an input of 1 or more dims, and gets ()"),
        (L.BatchNorm2d(), (2, 8), "BatchNorm2d takes an input of 4 dims"),
        (L.LayerNorm(2), (2, 8), "LayerNorm(2) needs an input of more than 2 dims, and gets (2, 8)"),
        (L.GroupNorm(3), (2, 8, 4), "GroupNorm cannot divide 8 channels into 3 groups"),
        (L.PReLU(shared=False), (8,), "PReLU(shared=False) needs an input of 2 dims or more"),
    ],
)
def test_shapes_that_do_not_fit_are_said(layer: Any, shape: tuple[int, ...], words: str) -> None:
    with pytest.raises(L.LayerError) as caught:
        layer(torch.zeros(shape))
    assert words in str(caught.value)
    assert caught.value.layer is layer


def test_wrong_arguments_are_refused_where_they_are_written() -> None:
    with pytest.raises(TypeError, match="Conv2d"):
        L.Conv2d(4, 3, strides=2)


def test_hooks_and_modes_outlive_building() -> None:
    layer = L.BatchNorm1d().eval()
    seen: list[tuple[int, ...]] = []
    layer.register_forward_hook(lambda module, args, result: seen.append(tuple(result.shape)))
    layer(torch.zeros(1, 3))
    assert not layer.training and seen == [(1, 3)]


def test_every_class_of_torch_is_reachable() -> None:
    missing = [name for name in dir(nn) if name[:1].isupper() and not hasattr(L, name)]
    assert missing == []
    assert L.MaxPool2d is nn.MaxPool2d
    classes = {name for name in dir(nn) if name[:1].isupper()}
    assert classes - {"Module"} <= set(L.__all__)  # `from torchx.layers import *` leaves a base class alone
    with pytest.raises(AttributeError):
        L.NoSuchLayer  # noqa: B018
