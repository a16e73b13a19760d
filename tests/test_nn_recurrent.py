"""Recurrent layers, cells and functions against torch's."""

from __future__ import annotations

import itertools

import pytest
from oracle_layers import compare_on_cpu, disagreements

from lazygen.symbolic.dim import of_symbol
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import Symbol
from lazygen.symbolic.nn import recurrent
from lazygen.symbolic.tensor import Tensor

ATTRIBUTES = "mode input_size hidden_size num_layers bias batch_first dropout bidirectional proj_size"


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_layers(kind: str) -> None:
    cases = []
    for layers, bias, first, both in itertools.product((1, 2), (True, False), (True, False), (True, False)):
        settings = f"{layers}, bias={bias}, batch_first={first}, bidirectional={both}"
        rows = layers * (2 if both else 1)
        states = {
            "RNN": [f"f32({rows}, 2, 4)", f"f32({rows}, 4)", "f32(1, 3, 4)"],
            "LSTM": [
                f"(f32({rows}, 2, 4), f32({rows}, 2, 4))",
                f"(f32({rows}, 4), f32({rows}, 4))",
                f"(f32({rows}, 2, 4), f32(1, 4))",
            ],
        }
        for input_ in (
            "f32(5, 2, 3)",
            "f32(2, 5, 3)",
            "f32(5, 3)",
            "f32(3)",
            "f32(5, 2, 4)",
            "f64(5, 2, 3)",
            "f32(1, 2, 5, 3)",
        ):
            for state in ("", *(", " + s for s in states.get(kind, states["RNN"]))):
                cases.append((f"nn.{kind}(3, 4, {settings})", input_ + state))
    assert disagreements(cases, attributes=ATTRIBUTES, device="cpu") == []


@pytest.mark.parametrize("layer", [
    "nn.LSTM(3, 4, proj_size=2)", "nn.LSTM(3, 4, 2, proj_size=2, bidirectional=True, batch_first=True)",
    "nn.LSTM(3, 4, proj_size=4)", "nn.GRU(3, 4, proj_size=2)", "nn.RNN(3, 4, 2, 'relu')",
    "nn.RNN(3, 4, nonlinearity='relu', dtype=torch.float64)", "nn.RNN(3, 4, nonlinearity='other')",
    "nn.LSTM(3, 4, 2, dropout=0.5)", "nn.LSTM(3, 4, 2, dropout=2)", "nn.LSTM(0, 4)", "nn.LSTM(3, -1)",
    "nn.LSTM(3, 4, 0)", "nn.LSTM(3.0, 4)", "nn.LSTM(3, 4, 1, 3)", "nn.LSTM(input_size=3, hidden_size=4, num_layers=3)",
])  # fmt: skip
def test_constructors(layer: str) -> None:
    inputs = ["f32(5, 2, 3)", "f64(5, 2, 3)", "f32(5, 2, 3), (f32(1, 2, 2), f32(1, 2, 4))", "f32(5, 3)"]
    assert (
        disagreements([(layer, given) for given in inputs], attributes="mode hidden_size proj_size", device="cpu") == []
    )


@pytest.mark.parametrize("kind", ["RNNCell", "LSTMCell", "GRUCell"])
def test_cells(kind: str) -> None:
    states = ["", ", f32(2, 4)", ", f32(4)", ", f32(3, 4)", ", f32(2, 5)", ", f32(1, 2, 4)"]
    if kind == "LSTMCell":
        states = [""] + [f", ({s[2:]}, {s[2:]})" for s in states[1:]]
    cases = [
        (f"nn.{kind}(3, 4{settings})", input_ + state)
        for settings in ("", ", False", ", dtype=torch.float64")
        for input_ in ("f32(2, 3)", "f32(3)", "f32(2, 4)", "f32(1, 2, 3)", "f64(2, 3)")
        for state in states
        # torch reads beyond these by broadcasting a state of one dim, or takes them for another rank
        if not (input_ in ("f32(2, 3)", "f64(2, 3)") and "(4)" in state)
        and not (input_ == "f32(3)" and "2, 4" in state)
    ]
    assert disagreements(cases, attributes="input_size hidden_size bias", device="cpu") == []
    assert (
        disagreements(
            [("nn.RNNCell(3, 4, nonlinearity='relu')", "f32(2, 3)"), ("nn.RNNCell(3, 4, True, 'x')", "f32(2, 3)")]
        )
        == []
    )


@pytest.mark.parametrize("call", [
    "torch.lstm(f32(5, 2, 3), [f32(1, 2, 4)] * 2, [f32(16, 3), f32(16, 4)], False, 1, 0.0, False, False, False)",
    "torch.gru(f32(2, 5, 3), f32(1, 2, 4), [f32(12, 3), f32(12, 4), *[f32(12)] * 2], True, 1, 0.0, False, False, True)",
    "torch.gru(f32(2, 5, 3), f32(1, 5, 4), [f32(12, 3), f32(12, 4), *[f32(12)] * 2], True, 1, 0.0, False, False, True)",
    "torch.rnn_relu(f32(2, 5, 3), f32(1, 5, 4), [f32(4, 3), f32(4, 4)], False, 1, 0.0, False, False, False)",
    "torch.rnn_tanh_cell(f32(2, 3), f32(2, 4), f32(4, 3), f32(4, 4))",
    "torch.gru_cell(f32(2, 3), f32(2, 4), f32(12, 3), f32(12, 4))",
    "torch.lstm_cell(f32(2, 3), (f32(2, 4), f32(2, 4)), f32(16, 3), f32(16, 4), f32(16), f32(16))",
    "torch.lstm_cell(f32(2, 5), (f32(2, 4), f32(2, 4)), f32(16, 3), f32(16, 4), f32(16), f32(16))",
])  # fmt: skip
def test_functions(call: str) -> None:
    assert compare_on_cpu(call) is None


def test_sizes_stay_symbolic() -> None:
    hidden = of_symbol(Symbol(1, "parameter", "hidden", 8))
    layer = recurrent.LSTM(3, hidden, num_layers=2, bidirectional=True)
    output, (state, cell) = layer(Tensor((5, 2, 3)))
    assert [s.expr for s in (output.shape[2], state.shape[2], cell.shape[2], layer.weight_ih_l1.shape[1])] == [
        (2 * hidden).expr, hidden.expr, hidden.expr, (2 * hidden).expr,  # type: ignore[attr-defined]
    ]  # fmt: skip


def test_messages() -> None:
    with pytest.raises(ShapeError) as caught:
        recurrent.GRU(8, 4)(Tensor((5, 2, 16)))
    assert caught.value.message == "GRU has input_size 8, but 16 reach it"
    with pytest.raises(ShapeError) as caught:
        recurrent.GRU(8, 4)(Tensor((5, 2, 8)), Tensor((1, 3, 4)))
    assert caught.value.message == "hidden state of GRU is (1, 3, 4), not (1, 2, 4)"
