"""`get_output_shape` against what layers give, and torch's layers through the library."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
import torch
from torch import nn

import lazygen.layers as L

LAYERS: list[tuple[Any, tuple[int, ...]]] = [
    (lambda: L.Linear(7), (3, 5)),
    (lambda: L.Linear(7), (3, 4, 5)),
    *(
        (lambda k=k, s=s, d=d, p=p: L.Conv2d(6, k, stride=s, dilation=d, padding=p), (2, 3, 17, 20))
        for k in (1, 3, 5)
        for s in (1, 2)
        for d in (1, 2)
        for p in (0, 2)
    ),
    *((lambda k=k, d=d: L.ConvTranspose1d(4, k, stride=2, dilation=d), (2, 3, 9)) for k in (1, 3, 5) for d in (1, 3)),
    (lambda: L.Conv3d(2, 3, groups=1, bias=False), (2, 3, 7, 8, 9)),
    (lambda: L.Sequential(L.BatchNorm2d(), nn.MaxPool2d(3, 2, ceil_mode=True), L.GLU(1)), (2, 4, 16, 16)),
    (lambda: L.GroupNorm(2), (2, 4, 5)),
    (lambda: L.LayerNorm(2), (2, 4, 5)),
    (lambda: L.PReLU(shared=False), (2, 4, 5)),
    (lambda: L.TimeDistributed(L.Conv2d(4, 3), L.Flatten()), (2, 5, 3, 9, 9)),
    (lambda: L.TimeDistributed(L.GRU(4, return_sequences=True)), (2, 5, 3, 9)),
    (lambda: L.SimpleRNN(4, return_sequences=True, bidirectional=True), (2, 5, 3)),
    (lambda: L.GRU(4, return_state=True, num_layers=2), (2, 5, 3)),
    (lambda: L.LSTM(4, return_state=True, return_sequences=True), (2, 5, 3)),
    (lambda: L.View(-1, 5), (2, 4, 5)),
    (lambda: L.Slice((slice(None), 1)), (2, 4, 5)),
]


def shapes_of(result: Any) -> Any:
    if isinstance(result, torch.Tensor):
        return tuple(result.shape)
    return [shapes_of(item) for item in result]


@pytest.mark.parametrize(("make", "shape"), LAYERS)
def test_the_shape_is_the_one_that_comes_out(make: Any, shape: tuple[int, ...]) -> None:
    layer = make()
    said = layer.get_output_shape(shape)
    assert not [name for name, part in layer.named_modules() if getattr(part, "_sizes", None)
                and not isinstance(part, L.PReLU)]  # fmt: skip
    assert said == shapes_of(layer(torch.randn(shape)))
    assert layer.get_output_shape(shape) == said
    assert all(parameter.device.type == "cpu" for parameter in layer.parameters())


def test_free_sizes_stay_free() -> None:
    layer = L.Sequential(L.Conv2d(6, 3), nn.AdaptiveAvgPool2d(2))
    assert layer.get_output_shape((None, 3, None, 20)) == (None, 6, 2, 2)
    assert L.Conv2d(6, 3, stride=2).get_output_shape((None, 3, None, 21)) == (None, 6, None, 10)
    assert L.LSTM(4, return_state=True).get_output_shape((None, 7, 3)) == [(None, 4), (None, 1, 4), (None, 1, 4)]


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_merges_say_their_shapes(axis: int) -> None:
    shapes = [[2, 3, 4], [2, 3, 4], [2, 3, 4]]
    expected = [2, 3, 4]
    expected[axis] *= 3
    assert L.Concat(axis).get_output_shape(*shapes) == tuple(expected)
    assert L.Concat(axis).get_output_shape(shapes) == tuple(expected)
    for merge in (L.Add, L.Subtract, L.Multiply, L.Divide, L.Maximum, L.Minimum, L.Average):
        assert merge().get_output_shape([2, 1, 4], [2, 3, 4], [1, 3, 1]) == (2, 3, 4)


def test_graphs_say_the_shapes_of_all_outputs() -> None:
    x = L.Placeholder((None, 8))
    y = L.Linear(5)(x)
    model = L.Functional(inputs={"x": x}, outputs={"y": y, "z": [L.Linear(3)(y)]})
    assert model.get_output_shape((None, 8)) == {"y": (None, 5), "z": [(None, 3)]}


CLASSES = [name for name, value in inspect.getmembers(nn, inspect.isclass) if issubclass(value, nn.Module)]


@pytest.mark.parametrize("name", CLASSES)
def test_every_layer_of_torch_is_there(name: str) -> None:
    ours, theirs = getattr(L, name), getattr(nn, name)
    assert ours is theirs or issubclass(ours, theirs) or name in ("Module", "Sequential")
    assert (name in L.__all__) == (name != "Module")


def test_a_star_import_brings_all_of_them() -> None:
    namespace: dict[str, Any] = {}
    exec("from lazygen.layers import *", namespace)
    assert [name for name in CLASSES if name not in namespace] == ["Module"]  # which lazygen.nn has
    assert len(CLASSES) > 130
