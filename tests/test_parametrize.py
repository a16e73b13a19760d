"""`torch.nn.utils.parametrize` and its parametrizations against torch: names and shapes in the state_dict, and
results.
"""

from __future__ import annotations

import types
from typing import Any

import oracle_layers
import pytest
import torch
from oracle import SYMBOLIC, described
from torch.nn.utils import parametrizations as torch_parametrizations
from torch.nn.utils import parametrize as torch_parametrize

from lazygen.symbolic import parametrize, utils
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.linear import LazyLinear, Linear
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import Tensor

LAYERS = [
    ("nn.Linear(6, 4)", "f32(2, 6)"), ("nn.Linear(4, 4, dtype=torch.float64)", "f64(2, 4)"),
    ("nn.Conv2d(3, 4, 5)", "f32(2, 3, 8, 8)"), ("nn.ConvTranspose1d(3, 4, 5)", "f32(2, 3, 8)"),
]  # fmt: skip
NORMS = [
    "weight_norm({0})", "weight_norm({0}, dim=None)", "weight_norm({0}, 'weight', 1)", "weight_norm({0}, 'bias')",
    "spectral_norm({0})", "spectral_norm({0}, dim=1)", "spectral_norm({0}, 'bias')",
    "spectral_norm({0}, n_power_iterations=0)",
    "orthogonal({0})", "orthogonal({0}, orthogonal_map='cayley')", "orthogonal({0}, use_trivialization=False)",
    "orthogonal({0}, 'bias')", "orthogonal({0}, orthogonal_map='other')", "weight_norm(weight_norm({0}), 'bias')",
    "spectral_norm({0}, 'nothing')",
]  # fmt: skip


@pytest.mark.parametrize("norm", NORMS)
def test_parametrizations(norm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("weight_norm", "spectral_norm", "orthogonal"):
        monkeypatch.setitem(oracle_layers.oracle.SYMBOLIC, name, getattr(parametrize, name))
        monkeypatch.setitem(oracle_layers.CPU, name, getattr(torch_parametrizations, name))
    problems = oracle_layers.disagreements([(norm.format(layer), call) for layer, call in LAYERS], device="cpu")
    assert problems == []


def _of_ones_own(tensor: type, module: type) -> types.SimpleNamespace:
    class Symmetric(module):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            return x.triu() + x.triu(1).transpose(-1, -2)

    class Halves(module):  # type: ignore[misc]
        def forward(self, low: Any, high: Any) -> Any:
            return low + high

        def right_inverse(self, x: Any) -> Any:
            return x / 2, x / 2

    class Wider(module):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            return x[:, :2]

    return types.SimpleNamespace(Symmetric=Symmetric, Halves=Halves, Wider=Wider)


@pytest.mark.parametrize("steps", [
    "Symmetric()", "Halves()", "Halves() Symmetric()", "Wider()", "Symmetric() Wider()",
])  # fmt: skip
def test_parametrizations_of_ones_own(steps: str) -> None:
    found = []
    for functions, world, classes in (
        (parametrize, SYMBOLIC, _of_ones_own(Tensor, Module)),
        (torch_parametrize, oracle_layers.CPU, _of_ones_own(torch.Tensor, torch.nn.Module)),
    ):
        layer = eval("nn.Linear(4, 4)", world)
        try:
            for step in steps.split():
                functions.register_parametrization(layer, "weight", eval(step, vars(classes)))  # type: ignore[attr-defined]
        except (ShapeError, ValueError):
            found.append("error")
            continue
        state = [(name, described(value)) for name, value in layer.state_dict().items()]
        before = (type(layer).__name__, functions.is_parametrized(layer, "weight"))  # type: ignore[attr-defined]
        functions.remove_parametrizations(layer, "weight")  # type: ignore[attr-defined]
        found.append((state, before, [(n, described(v)) for n, v in layer.state_dict().items()], type(layer).__name__))  # type: ignore[arg-type]
    assert found[0] == found[1]


def test_a_lazy_layer_is_refused() -> None:
    with pytest.raises(ShapeError, match="no shape before its first call") as caught:
        parametrize.weight_norm(LazyLinear(4))
    assert caught.value.helps


def test_what_is_not_parametrized_stays_as_it_is() -> None:
    layer = Linear(3, 4)
    assert not parametrize.is_parametrized(layer) and parametrize.type_before_parametrizations(layer) is Linear
    with pytest.raises(ShapeError, match="is not parametrized"):
        parametrize.remove_parametrizations(layer, "weight")


@pytest.mark.parametrize("batch_first", [True, False])
def test_sequences_out_of_a_padded_one(batch_first: bool) -> None:
    padded = Tensor((2, 5, 3) if batch_first else (5, 2, 3))
    assert [row.shape for row in utils.unpad_sequence(padded, [5, 2], batch_first)] == [(5, 3), (2, 3)]
    packed = utils.pack_padded_sequence(padded, [5, 2], batch_first)
    assert [row.shape for row in utils.unpack_sequence(packed)] == [(5, 3), (2, 3)]
