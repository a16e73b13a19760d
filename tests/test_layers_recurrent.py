"""Recurrent layers, time steps, and the layers that take results apart, under real torch."""

from __future__ import annotations

import copy
import itertools
import pickle
from typing import Any

import pytest
import torch
from torch import nn

import lazygen.layers as L
from lazygen.layers.base import LayerError

KINDS = [(L.SimpleRNN, nn.RNN), (L.GRU, nn.GRU), (L.LSTM, nn.LSTM)]
BATCH, LENGTH, FEATURES, HIDDEN = 3, 5, 4, 6


def combinations() -> list[tuple[Any, ...]]:
    flags = itertools.product((False, True), (False, True), (1, 2), (False, True))
    return [(*kinds, *chosen) for kinds, chosen in itertools.product(KINDS, flags)]


@pytest.mark.parametrize(("ours", "theirs", "sequences", "state", "layers", "both"), combinations())
def test_a_recurrent_layer_gives_what_torch_gives(
    ours: Any, theirs: Any, sequences: bool, state: bool, layers: int, both: bool
) -> None:
    layer = ours(HIDDEN, return_sequences=sequences, return_state=state, num_layers=layers, bidirectional=both)
    x = torch.randn(BATCH, LENGTH, FEATURES, requires_grad=True)
    result = layer(x)
    plain = theirs(FEATURES, HIDDEN, layers, batch_first=True, bidirectional=both)
    plain.load_state_dict(layer.state_dict(), strict=True)
    whole, last = plain(x)
    output, *states = result if state else (result,)
    assert output.shape == ((BATCH, LENGTH, HIDDEN * (1 + both)) if sequences else (BATCH, HIDDEN * (1 + both)))
    assert torch.equal(output, whole if sequences else whole[:, -1])
    expected = list(last) if isinstance(last, tuple) else [last]
    assert len(states) == (len(expected) if state else 0)
    for given, wanted in zip(states, expected, strict=False):
        assert given.shape == (BATCH, layers * (1 + both), HIDDEN)
        assert torch.equal(given, wanted.transpose(0, 1))
    output.sum().backward()
    assert x.grad is not None
    assert x.grad.abs().sum() > 0


@pytest.mark.parametrize(("ours", "theirs"), KINDS)
def test_a_layer_is_copied_pickled_and_moved_before_it_is_built_and_after(ours: Any, theirs: Any) -> None:
    x = torch.randn(BATCH, LENGTH, FEATURES)
    for layer in (copy.deepcopy(ours(HIDDEN)), pickle.loads(pickle.dumps(ours(HIDDEN)))):
        assert layer.double().native_module() is None
        first = layer(x.double())
        assert (first.shape, first.dtype) == ((BATCH, HIDDEN), torch.float64)
        layer.float()
        again = copy.deepcopy(layer)
        assert torch.equal(again(x), layer(x))
        assert again.double()(x.double()).dtype == torch.float64
        native = layer.native_module()
        assert type(native) is theirs
        assert torch.equal(native(x)[0][:, -1], layer(x))


def test_the_layers_say_what_they_are() -> None:
    layer = L.LSTM(HIDDEN, return_state=True, num_layers=2)
    assert repr(layer) == "LSTM(6, num_layers=2, batch_first=True, return_state=True)"
    layer.build((BATCH, LENGTH, FEATURES))
    assert repr(layer) == "LSTM(4, 6, num_layers=2, batch_first=True, return_state=True)"
    assert repr(L.GetRNNState("h")) == "GetRNNState(mode='h')"


def test_arguments_that_cannot_be_are_refused_where_they_are_written() -> None:
    with pytest.raises(TypeError, match=r"SimpleRNN.*depth"):
        L.SimpleRNN(HIDDEN, depth=2)
    with pytest.raises(LayerError, match="batch first"):
        L.GRU(HIDDEN, batch_first=False)
    with pytest.raises(LayerError, match="no mode 'x'"):
        L.GetRNNState("x")
    assert L.SimpleRNN(HIDDEN, nonlinearity="relu").build((1, 1, 2)).nonlinearity == "relu"


def test_inputs_that_cannot_be_are_refused() -> None:
    with pytest.raises(LayerError, match=r"3 dims.*\(3, 4\)"):
        L.GRU(HIDDEN)(torch.randn(3, 4))
    layer = L.GRU(HIDDEN).build((1, 1, 4))
    with pytest.raises(LayerError, match=r"input_size is 4.*and 5"):
        layer(torch.randn(3, 4, 5))
    with pytest.raises(LayerError, match="return_state=True"):
        L.GetRNNOutput()(torch.randn(3, 4))
    with pytest.raises(LayerError, match="only LSTM has"):
        L.GetRNNState("c")(L.GRU(HIDDEN, return_state=True)(torch.randn(2, 3, 4)))


def test_states_are_taken_one_by_one_or_joined() -> None:
    result = L.LSTM(HIDDEN, return_state=True, num_layers=2)(torch.randn(BATCH, LENGTH, FEATURES))
    output, h, c = result
    assert torch.equal(L.GetRNNOutput()(result), output)
    assert torch.equal(L.GetRNNState("h")(result), h)
    assert torch.equal(L.GetRNNState("c")(result), c)
    assert torch.equal(L.GetRNNState()(result), torch.cat([h, c], dim=-1))
    single = L.GRU(HIDDEN, return_state=True)(torch.randn(BATCH, LENGTH, FEATURES))
    assert torch.equal(L.GetRNNState()(single), single[1])


@pytest.mark.parametrize("listed", [False, True])
def test_time_steps_go_through_the_layers_one_by_one(listed: bool) -> None:
    layers = [L.Conv2d(4, 3), L.Flatten(), L.Linear(5)]
    steps = L.TimeDistributed(layers) if listed else L.TimeDistributed(*layers)
    x = torch.randn(2, 3, 3, 8, 8, requires_grad=True)
    result = steps(x)
    assert result.shape == (2, 3, 5)
    one_by_one = torch.stack([steps[2](steps[1](steps[0](x[:, step]))) for step in range(3)], dim=1)
    assert torch.allclose(result, one_by_one, atol=1e-6)
    result.sum().backward()
    assert x.grad is not None
    assert (x.grad.abs().sum(dim=(2, 3, 4)) > 0).all()
    assert list(steps.state_dict()) == ["0.weight", "0.bias", "2.weight", "2.bias"]


def test_time_steps_grow_after_they_are_built() -> None:
    steps = L.TimeDistributed(L.GRU(6, return_sequences=True))
    assert steps(torch.randn(2, 3, 5, 4)).shape == (2, 3, 5, 6)
    steps.add(L.GRU(7, return_state=True), L.GetRNNState("h")).add([L.Flatten()])
    assert steps(torch.randn(2, 3, 5, 4)).shape == (2, 3, 7)
    assert [type(native) for native in steps.native_module()] == [nn.GRU, nn.GRU, type(None), type(None)]


def test_time_steps_need_three_dims() -> None:
    with pytest.raises(LayerError, match=r"3 dims or more.*\(3, 4\)"):
        L.TimeDistributed(L.Linear(2))(torch.randn(3, 4))
