"""Each lazy class against torch's own: what it holds before and after its first call, and what it gives."""

from __future__ import annotations

import inspect
import itertools

import pytest
import torch
from oracle import SYMBOLIC
from oracle_layers import compare_layer, disagreements

from lazygen.symbolic.dim import of_symbol
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import Symbol
from lazygen.symbolic.nn import conv_lazy, norm_lazy
from lazygen.symbolic.nn.lazy import Recorder
from lazygen.symbolic.nn.linear import LazyLinear
from lazygen.symbolic.tensor import Tensor

CONVOLUTIONS = [f"{kind}{count}d" for kind in ("LazyConv", "LazyConvTranspose") for count in (1, 2, 3)]
NORMS = [f"{kind}{count}d" for kind in ("LazyBatchNorm", "LazyInstanceNorm") for count in (1, 2, 3)]
INPUTS = [f"f32({', '.join(map(str, [2, 6, 7, 8, 7, 6][:rank]))})" for rank in range(1, 7)]


@pytest.mark.parametrize("kind", ["LazyLinear", *CONVOLUTIONS, *NORMS])
def test_signatures(kind: str) -> None:
    ours, theirs = (inspect.signature(cls) for cls in (getattr(SYMBOLIC["nn"], kind), getattr(torch.nn, kind)))
    described = [[(p.name, p.kind, p.default) for p in signature.parameters.values()] for signature in (ours, theirs)]
    assert described[0] == described[1]


@pytest.mark.parametrize(
    "settings",
    [
        "5",
        "5, False",
        "5, bias=False",
        "5, dtype=torch.float64",
        "0",
        "-1",
        "300, 40",
        "out_features=3",
        "",
        "5, 1, None, None, 2",
    ],
)
def test_linear(settings: str) -> None:
    assert (
        disagreements(
            [(f"nn.LazyLinear({settings})", given) for given in ["f32()", *INPUTS]],
            attributes="out_features",
            device="cpu",
        )
        == []
    )


@pytest.mark.parametrize("kind", CONVOLUTIONS)
def test_convolutions(kind: str) -> None:
    names = ["kernel_size", "stride", "padding", "groups", "bias", "dilation"]
    grid = itertools.product((1, 3), (1, 2), (0, 1), (1, 2, 4), (True, False), (1, 2))
    cases = [
        (f"nn.{kind}(4, {', '.join(f'{n}={v}' for n, v in zip(names, values, strict=True))})", given)
        for values in grid
        for given in INPUTS[int(kind[-2]) - 1 : int(kind[-2]) + 3]
    ]
    assert (
        disagreements(cases, attributes="out_channels kernel_size stride padding groups transposed output_padding")
        == []
    )


@pytest.mark.parametrize("kind", CONVOLUTIONS)
def test_convolution_arguments(kind: str) -> None:
    settings = [
        "3, 64, 3",
        "4",
        "4, 3, bias=False, dtype=torch.float64",
        "4, 3, padding='same'",
        "4, 3, padding_mode='circular', padding=1",
        "4, 3, groups=0",
        "4, 3, 1, 1, 1, 1",
    ]
    cases = [(f"nn.{kind}({how})", given) for how in settings for given in INPUTS]
    assert disagreements(cases, attributes="out_channels kernel_size", device="cpu") == []


@pytest.mark.parametrize("kind", NORMS)
@pytest.mark.parametrize("training", [False, True])
def test_norms(kind: str, training: bool) -> None:
    flags = itertools.product((True, False), repeat=3)
    layers = [f"nn.{kind}(affine={a}, track_running_stats={t}, bias={b})" for a, t, b in flags]
    layers += [
        f"nn.{kind}()",
        f"nn.{kind}(64)",
        f"nn.{kind}(1e-3, None, True, False, None, torch.float64)",
        f"nn.{kind}(bias=False)",
    ]
    unbatched = f"f32({', '.join(map(str, [2, 6, 7, 8, 7, 6][: int(kind[-2]) + 1]))})"
    cases = [
        (layer, given)
        for layer in layers
        for given in INPUTS
        # torch takes dim 1 of an unbatched input for its channels, and then fails or does not, as it happens
        if not ("Instance" in kind and given == unbatched)
    ]
    kept = [case for case in cases if "affine=False, track_running_stats=False" not in case[0]]
    assert (
        disagreements(kept, training=training, attributes="num_features eps affine track_running_stats", device="cpu")
        == []
    )
    # Without parameters and statistics torch never learns the size; the stand-in does, as the plain layer needs it.
    bare = [case for case in cases if case not in kept]
    assert bare and disagreements(bare, training=training, attributes="eps affine", device="cpu") == []


def test_groups_that_do_not_divide() -> None:
    for layer in (
        conv_lazy.LazyConv2d(4, 3, groups=4),
        conv_lazy.LazyConv2d(3, 3, groups=2),
        conv_lazy.LazyConvTranspose1d(4, 3, groups=4),
    ):
        with pytest.raises(ShapeError) as caught:
            layer(Tensor((2, 6, 9, 9)[: 2 + layer.count]))
        assert "groups" in caught.value.message and caught.value.layer is layer


def test_rank() -> None:
    assert compare_layer("nn.LazyConv2d(4, 3)", "f32(2, 3)") is None
    assert compare_layer("nn.LazyBatchNorm2d()", "f32(2, 3, 4)") is None
    with pytest.raises(ShapeError) as caught:
        norm_lazy.LazyBatchNorm2d()(Tensor((2, 3, 4)))
    assert caught.value.message == "LazyBatchNorm2d needs an input of 4 dims, not 3"


def test_recorder_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    sized: list[tuple[object, dict[str, int]]] = []
    monkeypatch.setattr(Recorder, "made", staticmethod(made.append))
    monkeypatch.setattr(Recorder, "sized", staticmethod(lambda layer, sizes, input: sized.append((layer, sizes))))
    width = of_symbol(Symbol(1, "parameter", "width", 6))
    layers = [
        LazyLinear(4),
        conv_lazy.LazyConv1d(4, 3),
        norm_lazy.LazyBatchNorm1d(affine=False, track_running_stats=False),
    ]
    for layer, shape in zip(layers, [(2, 6), (2, 6, 9), (2, width, 9)], strict=True):
        layer(Tensor(shape))
    assert made == layers
    assert sized == [(layers[0], {"in_features": 6}), (layers[1], {"in_channels": 6}), (layers[2], {"num_features": 6})]
    assert sized[2][1]["num_features"] is width and layers[2].num_features is width
    assert [type(layer).__name__ for layer in layers] == ["Linear", "Conv1d", "BatchNorm1d"]
