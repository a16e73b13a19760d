"""Activations, dropout, padding, upsampling and other layers that keep or rearrange sizes, against torch's."""

from __future__ import annotations

import pytest
from oracle_layers import compare_layer, compare_on_cpu, disagreements

INPUTS = ["f32(2, 3)", "f32()", "f32(2, 4, 6, 6)", "f64(0, 3)", "f64(3)"]


@pytest.mark.parametrize("layer", [
    "ReLU()", "ReLU(inplace=True)", "ReLU(True)", "ReLU6()", "Sigmoid()", "Tanh()", "SiLU()", "Mish()", "Hardswish()",
    "Hardsigmoid()", "SELU()", "ELU()", "ELU(0.5, True)", "CELU(2.0)", "GELU()", "GELU('tanh')",
    "GELU(approximate='other')", "LeakyReLU()", "LeakyReLU(0.2, inplace=True)", "LogSigmoid()", "Softplus()",
    "Softplus(2, 10)", "Softshrink()", "Softsign()", "Tanhshrink()", "Hardshrink(0.1)", "Threshold(0.1, 20)",
    "Hardtanh()", "Hardtanh(-2, 2)", "Hardtanh(2, -2)", "Hardtanh(min_value=-3, max_value=3)", "RReLU()",
    "RReLU(0.1, 0.2)", "Softmax(dim=-1)", "Softmax(1)", "Softmax(5)", "LogSoftmax(dim=0)", "Softmin(-1)",
    "Softmax2d()", "GLU()", "GLU(1)", "PReLU()", "PReLU(4)", "PReLU(num_parameters=3, init=0.1, dtype=torch.float64)",
])  # fmt: skip
@pytest.mark.parametrize("training", [False, True])
def test_activations(layer: str, training: bool) -> None:
    cases = [(f"nn.{layer}", given) for given in INPUTS]
    assert disagreements(cases, training=training, device="cpu") == []


def test_activation_of_whole_numbers() -> None:
    layers = ["ReLU()", "Sigmoid()", "PReLU()", "ReLU6()", "GELU()", "ELU()"]
    assert disagreements([(f"nn.{layer}", "i64(2, 3)") for layer in layers], device="cpu") == []


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize(
    "kind", ["Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout"]
)
def test_dropout(kind: str, training: bool) -> None:
    cases = [
        (f"nn.{kind}({settings})", f"f32({', '.join(['2'] * rank)})")
        for settings in ("", "0.2", "p=0", "1.0, True", "1.5", "-0.1")
        for rank in range(1 if kind in ("Dropout", "Dropout1d") else 2, 6)
    ]
    assert disagreements(cases, training=training, attributes="p inplace") == []


@pytest.mark.parametrize("kind", ["ZeroPad", "ConstantPad", "ReflectionPad", "ReplicationPad", "CircularPad"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_padding(kind: str, count: int) -> None:
    value = ", 1.5" if kind == "ConstantPad" else ""
    amounts: list[object] = [
        0,
        1,
        2,
        5,
        -1,
        tuple(range(2 * count)),
        (1, 0) * count,
        (2, -1) * count,
        [1] * (2 * count),
    ]
    cases = [
        (f"nn.{kind}{count}d({amount}{value})", f"f32({', '.join(map(str, [2, 3, *range(4, 4 + rank)]))})")
        for amount in amounts
        for rank in range(0, count + 2)
    ]
    assert disagreements(cases, attributes="padding", device="cpu") == []


@pytest.mark.parametrize("layer", [
    "nn.Upsample(scale_factor=2)", "nn.Upsample((7, 9))", "nn.Upsample(size=5, mode='bilinear')",
    "nn.Upsample(5, mode='linear')", "nn.Upsample(scale_factor=(2, 1.5), mode='bicubic', align_corners=True)",
    "nn.Upsample(scale_factor=1.7)", "nn.Upsample()", "nn.Upsample(scale_factor=1.7, recompute_scale_factor=True)",
    "nn.Upsample(2, 2)", "nn.UpsamplingNearest2d(scale_factor=3)", "nn.UpsamplingBilinear2d((3, 4))",
    "nn.PixelShuffle(2)", "nn.PixelShuffle(3)", "nn.PixelUnshuffle(2)", "nn.PixelUnshuffle(3)", "nn.ChannelShuffle(2)",
    "nn.ChannelShuffle(3)",
])  # fmt: skip
@pytest.mark.parametrize("given", ["f32(2, 8, 6, 4)", "f32(2, 4, 5, 5)", "f32(2, 8, 6)", "f32(2, 8, 6, 6, 6)"])
def test_upsampling(layer: str, given: str) -> None:
    assert compare_layer(layer, given, device="cpu") is None


@pytest.mark.parametrize("layer", [
    "nn.Flatten()", "nn.Flatten(0)", "nn.Flatten(1, 2)", "nn.Flatten(2, 1)", "nn.Flatten(-2)", "nn.Flatten(5)",
    "nn.Unflatten(1, (2, 3))", "nn.Unflatten(-1, (2, -1))", "nn.Unflatten(1, [3, 2])", "nn.Unflatten(1, (4, 2))",
    "nn.Unflatten(1, 6)", "nn.Unflatten(1, torch.Size([2, 3]))", "nn.Identity()", "nn.Identity(54, a=1)",
    "nn.Linear(4, 5)", "nn.Linear(4, 5, bias=False)", "nn.Linear(3, 5)", "nn.Linear(4, 5, dtype=torch.float64)",
    "nn.Linear(4, -1)", "nn.Linear(4.5, 1)", "nn.Linear(in_features=4, out_features=0)",
])  # fmt: skip
@pytest.mark.parametrize("given", ["f32(2, 6, 4)", "f32(6, 4)", "f32(4)", "f32()", "f32(2, 6, 2, 4)", "i64(2, 6, 4)"])
def test_flatten_and_linear(layer: str, given: str) -> None:
    assert compare_layer(layer, given, device="cpu") is None


@pytest.mark.parametrize("layer", [
    "nn.Bilinear(3, 4, 5)", "nn.Bilinear(3, 4, 5, bias=False)", "nn.Bilinear(4, 3, 5)", "nn.Bilinear(0, 3, 5)",
    "nn.PairwiseDistance()", "nn.PairwiseDistance(1, keepdim=True)", "nn.CosineSimilarity()",
    "nn.CosineSimilarity(dim=-1)", "nn.CosineSimilarity(dim=0)",
])  # fmt: skip
@pytest.mark.parametrize(
    "given", ["f32(2, 3), f32(2, 4)", "f32(2, 3), f32(2, 3)", "f32(6, 2, 3), f32(6, 2, 4)", "f32(2, 3), f32(1, 3)"]
)
def test_two_inputs(layer: str, given: str) -> None:
    assert compare_layer(layer, given, device="cpu") is None


@pytest.mark.parametrize("layer", [
    "nn.Embedding(10, 4)", "nn.Embedding(10, 4, padding_idx=-1)", "nn.Embedding(10, 4, padding_idx=10)",
    "nn.Embedding(10, 4, 0, 1.0)", "nn.Embedding(10, 4, dtype=torch.float64)",
    "nn.Embedding(10, 4, _weight=f32(10, 4))", "nn.Embedding(10, 4, _weight=f32(4, 10))",
    "nn.Embedding.from_pretrained(f32(10, 4))", "nn.Embedding.from_pretrained(f32(10))",
    "nn.Embedding(num_embeddings=10, embedding_dim=-2)", "nn.EmbeddingBag(10, 4)",
    "nn.EmbeddingBag(10, 4, mode='sum')", "nn.EmbeddingBag(10, 4, mode='max')", "nn.EmbeddingBag(10, 4, mode='x')",
    "nn.EmbeddingBag(10, 4, include_last_offset=True)", "nn.EmbeddingBag.from_pretrained(f32(10, 4), mode='sum')",
    "nn.EmbeddingBag(10, 4, padding_idx=-3)",
])  # fmt: skip
def test_embeddings(layer: str) -> None:
    inputs = ["i64(2, 3)", "i64(2)", "i32(2, 3)", "f32(2, 3)", "i64()", "i64(2, 3, 4)"]
    if "Bag" in layer:
        inputs += [
            "i64(6), i64(3) * 2",
            "i64(2, 3), per_sample_weights=f32(2, 3)",
            "i64(2, 3), i64(2)",
            "i64(2, 3), None, f32(2, 4)",
        ]
        inputs = [given for given in inputs if "i64(3) * 2" not in given]  # torch reads the offsets' numbers
    cases = [(layer, given) for given in inputs]
    assert disagreements(cases, attributes="num_embeddings embedding_dim padding_idx", device="cpu") == []
    if "Bag" in layer:
        assert disagreements([(layer, "i64(6), i64(3)"), (layer, "i64(6), i64(1)"), (layer, "i64(6), f32(3)")]) == []


@pytest.mark.parametrize("call", [
    "F.embedding_bag(i64(2, 3), f32(10, 4))",
    "F.embedding_bag(i64(2, 3), f32(10, 4), per_sample_weights=f32(2, 3), mode='sum')",
    "F.embedding_bag(i64(2, 3), f32(10))", "F.embedding_bag(i64(2, 3), f32(10, 4), per_sample_weights=f32(2, 3))",
])  # fmt: skip
def test_functions(call: str) -> None:
    assert compare_on_cpu(call) is None
