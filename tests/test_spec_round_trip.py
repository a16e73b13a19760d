"""The way from specs to code and back, over every layer that a spec may name, and over graphs."""

from __future__ import annotations

import inspect
import warnings
from pathlib import Path
from typing import Any

import pytest
import yaml
from torch import nn

import lazygen.layers as L
from lazygen import cli, convert_source
from lazygen.layers.spec import from_spec, to_spec
from lazygen.spec import names

ROWS = {
    "pointwise": (
        "2,4,9,8",
        """
{type: CELU, alpha: 0.5}
{type: ELU, alpha: 0.7, inplace: true}
{type: GELU, approximate: tanh}
{type: Hardshrink, lambd: 0.3}
{type: Hardsigmoid}
{type: Hardswish}
{type: Hardtanh, min_val: -2.0, max_val: 2.0}
{type: Identity}
{type: LeakyReLU, negative_slope: 0.2}
{type: LogSigmoid}
{type: Mish}
{type: PReLU, shared: false}
{type: PReLU, init: 0.1}
{type: ReLU, inplace: true}
{type: ReLU6}
{type: RReLU, lower: 0.1}
{type: SELU}
{type: SiLU}
{type: Sigmoid}
{type: Softplus, beta: 2.0}
{type: Softshrink, lambd: 0.1}
{type: Softsign}
{type: Tanh}
{type: Tanhshrink}
{type: Threshold, null: [0.1, 20.0]}
{type: Softmax, dim: -1}
{type: Softmin, dim: 1}
{type: LogSoftmax, dim: 2}
{type: Softmax2d}
{type: Dropout, p: 0.2}
{type: Dropout2d}
{type: AlphaDropout, p: 0.1}
{type: FeatureAlphaDropout}
{type: LocalResponseNorm, null: 2, alpha: 0.001}
{type: CrossMapLRN2d, null: 3}
""",
    ),
    "signal2": (
        "2,8,13,12",
        """
{type: Conv2d, null: [8, 3], padding: 1, groups: 2, bias: false}
{type: Conv2d, null: [8, [3, 5]], padding: same, padding_mode: reflect}
{type: Conv2d, out_channels: 8, kernel_size: 3, stride: [1, 2], dilation: 2, padding: [2, 4]}
{type: ConvTranspose2d, null: [8, 3], stride: 2, output_padding: 1, padding: 1}
{type: BatchNorm2d, eps: 0.001, momentum: 0.2, track_running_stats: false}
{type: BatchNorm2d, affine: false}
{type: InstanceNorm2d, affine: true}
{type: GroupNorm, null: 4, affine: false}
{type: GroupNorm, num_groups: 2, eps: 0.01}
{type: LayerNorm, null: 2}
{type: LayerNorm, num_normalize_dim: 1, elementwise_affine: false}
{type: RMSNorm, null: 16}
{type: MaxPool2d, null: 2, stride: 1, padding: 1}
{type: MaxPool2d, null: 3, ceil_mode: true, stride: 2}
{type: AvgPool2d, null: [2, 1], count_include_pad: false}
{type: LPPool2d, null: [2.0, 2], stride: 1}
{type: AdaptiveAvgPool2d, null: [[6, null]]}
{type: AdaptiveMaxPool2d, null: 8}
{type: FractionalMaxPool2d, null: 2, output_size: [7, 7]}
{type: Upsample, scale_factor: 2.0, mode: bilinear, align_corners: true}
{type: UpsamplingNearest2d, scale_factor: 2}
{type: UpsamplingBilinear2d, size: [10, 10]}
{type: ZeroPad2d, null: [[1, 2, 0, 1]]}
{type: ReflectionPad2d, null: 2}
{type: ReplicationPad2d, null: 1}
{type: ConstantPad2d, null: [1, 3.5]}
{type: CircularPad2d, null: 1}
{type: PixelShuffle, null: 2}
{type: PixelUnshuffle, null: 2}
{type: ChannelShuffle, null: 4}
{type: Flatten, start_dim: 2}
{type: Unflatten, null: [2, [-1, 1]]}
{type: Flatten}
{type: View, null: [2, -1, 2]}
{type: Slice, null: 0}
""",
    ),
    "signal1": (
        "2,6,20",
        """
{type: Conv1d, null: [6, 3]}
{type: ConvTranspose1d, null: [6, 3]}
{type: BatchNorm1d}
{type: InstanceNorm1d, track_running_stats: true}
{type: MaxPool1d, null: 2, stride: 1}
{type: AvgPool1d, null: 2, stride: 1}
{type: LPPool1d, null: [1.5, 2]}
{type: AdaptiveAvgPool1d, null: 8}
{type: AdaptiveMaxPool1d, null: 8}
{type: ZeroPad1d, null: 1}
{type: ReflectionPad1d, null: [[1, 2]]}
{type: ReplicationPad1d, null: 1}
{type: ConstantPad1d, null: [1, 0.5]}
{type: CircularPad1d, null: 1}
{type: Dropout1d}
{type: Linear, null: 10}
{type: GLU}
{type: Upsample, size: 12}
{type: Linear, null: 5, bias: false}
{type: Dense, null: 4}
{type: RNN, null: [4, 5], batch_first: true}
{type: GetRNNOutput}
""",
    ),
    "signal3": (
        "2,4,9,8,7",
        """
{type: Conv3d, null: [4, 3], padding: 1}
{type: ConvTranspose3d, null: [4, 2]}
{type: BatchNorm3d}
{type: InstanceNorm3d}
{type: MaxPool3d, null: 2, stride: 1}
{type: AvgPool3d, null: 2, stride: 1}
{type: LPPool3d, null: [2, 2], stride: 1}
{type: AdaptiveAvgPool3d, null: 6}
{type: AdaptiveMaxPool3d, null: [[6, 6, 6]]}
{type: FractionalMaxPool3d, null: 2, output_ratio: [0.8, 0.8, 0.8]}
{type: ZeroPad3d, null: 1}
{type: ReflectionPad3d, null: 1}
{type: ReplicationPad3d, null: 1}
{type: ConstantPad3d, null: [1, 0.0]}
{type: CircularPad3d, null: 1}
{type: Dropout3d, p: 0.3}
""",
    ),
    "embedding": (
        "2,5:int64",
        """
{type: Embedding, null: [30, 6], padding_idx: 2}
{type: TransformerEncoderLayer, null: [6, 2], dim_feedforward: 12, batch_first: true}
{type: TransformerEncoder, null: [{type: TransformerEncoderLayer, null: [6, 2], activation: gelu}, 2]}
{type: TransformerEncoder, null: [{type: TransformerEncoderLayer, null: [6, 2]}, 1], norm: {type: LayerNorm, null: 1}}
""",
    ),
    "bag": (
        "2,5:int64",
        """
{type: EmbeddingBag, null: [30, 6], mode: sum}
""",
    ),
    "unfold": (
        "2,4,6,6",
        """
{type: Unfold, null: 2}
{type: Fold, null: [[6, 6], 2]}
""",
    ),
    "rec": (
        "2,5,6",
        """
{type: GRU, null: 4, return_sequences: true, bidirectional: true, num_layers: 2}
{type: LSTM, null: 4, return_sequences: true, proj_size: 2}
{type: SimpleRNN, null: 4, return_state: true, nonlinearity: relu}
{type: GetRNNState, mode: h}
{type: Flatten}
""",
    ),
}


def spec_of(name: str, capfd: pytest.CaptureFixture[str], *words: str) -> str:
    capfd.readouterr()
    code = cli.main(["spec", name, *words])
    printed, said = capfd.readouterr()
    assert code == 0, said
    return printed


def code_of(text: str, *shapes: str) -> str:
    conversion = convert_source(text, input_shape=list(shapes), path="net.yaml")
    assert conversion.code is not None, conversion.diagnostics
    return conversion.code


@pytest.mark.parametrize("name", ROWS)
def test_layers_come_back_from_code_as_they_were(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shape, rows = ROWS[name]
    text = "type: Sequential\nlayers:\n" + "".join(f"  - {row}\n" for row in rows.strip().splitlines())
    Path("net_explicit.py").write_text(code_of(text, shape))
    spec = spec_of("net_explicit.py", capfd)
    kinds = [str(layer["type"]).replace("Dense", "Linear") for layer in yaml.safe_load(text)["layers"]]
    assert [layer["type"] for layer in yaml.safe_load(spec)["layers"]] == [
        k.replace("RNN", "SimpleRNN") if k == "RNN" else k for k in kinds
    ]
    Path("again.yaml").write_text(spec)
    Path("again_explicit.py").write_text(code_of(spec, shape))
    assert spec_of("again_explicit.py", capfd) == spec
    assert spec_of("again.yaml", capfd) == spec


def test_the_rows_have_every_layer_that_takes_one_tensor() -> None:
    told = {yaml.safe_load(row)["type"] for _, rows in ROWS.values() for row in rows.strip().splitlines()}
    several = ("Loss", "Cell", "Unpool", "Cosine", "Distance", "Bilinear", "Attention", "Decoder")
    merges = ("Add", "Subtract", "Multiply", "Divide", "Maximum", "Minimum", "Average", "Concat")
    left = set(names.known().values()) - told - set(names.CONTAINERS) - set(merges)
    left = {name for name in left if not any(word in name for word in several)}
    assert left == {"Transformer", "SyncBatchNorm", "NonDynamicallyQuantizableLinear"}


NEEDED: dict[str, Any] = {
    "output_size": 3, "in_features": 6, "n_classes": 10, "cutoffs": [3, 6], "kernel_size": 2, "in1_features": 3,
    "in2_features": 4, "out_features": 5, "groups": 2, "padding": 1, "value": 0.5, "in_channels": 3, "out_channels": 4,
    "num_features": 4, "size": 2, "num_embeddings": 10, "embedding_dim": 6, "num_groups": 2, "num_channels": 4,
    "input_size": 3, "hidden_size": 4, "norm_type": 2.0, "num_classes": 10, "embed_dim": 8, "num_heads": 2,
    "upscale_factor": 2, "downscale_factor": 2, "normalized_shape": 6, "threshold": 0.1, "d_model": 8, "nhead": 2,
    "num_layers": 2, "dim": 1, "unflattened_size": (2, 3),
    "encoder_layer": nn.TransformerEncoderLayer(8, 2, bias=False), "decoder_layer": nn.TransformerDecoderLayer(8, 2),
}  # fmt: skip
CLASSES = [
    name
    for name in sorted(set(names.known().values()))
    if hasattr(nn, name) and name not in (*names.CONTAINERS, "TripletMarginWithDistanceLoss")
]


@pytest.mark.parametrize("name", CLASSES)
def test_every_module_of_torch_has_a_spec_that_leads_back(name: str) -> None:
    parameters = [
        p
        for p in inspect.signature(getattr(nn, name)).parameters.values()
        if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD
    ]
    given = {p.name: NEEDED[p.name] for p in parameters}
    if name.startswith("FractionalMaxPool"):
        given["output_size"] = 3
    if name in ("RNN", "GRU", "LSTM"):
        given = {"input_size": 3, "hidden_size": 4, "batch_first": True}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec = to_spec(getattr(nn, name)(**given))
        assert to_spec(from_spec(spec)) == spec


GRAPHS = {
    "operators": """
y = L.Dense(6)(x)
a = 1 - y
b = 2 / (y**2 + 3)
c = (y == x).float() + (-y > 0.5) * y + 2**y + (~(y != 0)).float()
model = L.Functional(x, {"a": [a, b], "c": c})
""",
    "methods": """
y = L.Dense(8)(x).relu().unsqueeze(1).transpose(1, 2)
v = y.max(dim=1).values + y.sum(1, keepdim=True).to(torch.float32).squeeze(1)
model = L.Functional([x], [v, y.chunk(2, dim=1)[0]])
""",
    "functions": """
y = F.gelu(L.Dense(8)(x), approximate="tanh")
z = torch.stack([y, y * 2], dim=1)
p = F.max_pool2d(F.pad(z.unsqueeze(1), (1, 1, 0, 0)), 2)
model = L.Functional(x, torch.where(p > 0, p, torch.exp(p)))
""",
    "slices": """
y = L.Dense(8)(x)
a, b = y[:, :4], y[:, 1:7:2]
c = y[..., None, -1]
model = L.Functional(x, [a, b, c, y[:, [0, 2]]])
""",
    "sizes": """
y = L.Dense(8)(x)
z = y.view(y.size(0), x.shape[1] - 2, -1)
q = z.reshape(x.size(0), z.shape[1] * z.shape[2])
model = L.Functional(x, q)
""",
    "nested_inputs": """
y = L.Placeholder((None, 3))
h = L.concat(L.Dense(8)(x), y, axis=1)
model = L.Functional({"parts": {"x": x}, "rest": [y]}, {"h": [h]})
""",
    "shared_layers": """
tower = L.Sequential(L.Dense(6), L.ReLU())
model = L.Functional(x, tower(tower(x)) + x)
""",
    "states": """
out, h = L.GRU(4, num_layers=2, return_state=True)(x.view(-1, 3, 2))
model = L.Functional(x, [out, h.flatten()])
""",
}
INPUTS = {"nested_inputs": ("parts.x=N,6", "rest.0=N,3"), "methods": ("x1=N,6",)}


@pytest.mark.parametrize("name", GRAPHS)
def test_graphs_come_back_from_code_as_they_were(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    start = (
        "import torch\nimport torch.nn.functional as F\nimport lazygen.layers as L\n\nx = L.Placeholder((None, 6))\n"
    )
    Path("net.py").write_text(start + GRAPHS[name])
    spec = spec_of("net.py", capfd)
    Path("net.yaml").write_text(spec)
    Path("net_explicit.py").write_text(code_of(spec))
    flags = [word for shape in INPUTS.get(name, ("x=N,6",)) for word in ("--input-shape", shape)]
    assert spec_of("net_explicit.py", capfd, *flags) == spec
    assert spec_of("net.yaml", capfd) == spec


def test_what_a_models_own_classes_call_is_a_part_of_its_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "import lazygen.layers as L\n\nx = L.Placeholder((None, 6))\nh = L.Dense(4)(x)\n"
    text += "encoder = L.Functional(x, h)\nmodel = L.Functional(x, L.Dense(6)(h))\n"
    Path("net_explicit.py").write_text(convert_source(text).code or "")
    spec = yaml.safe_load(spec_of("net_explicit.py", capfd, "--input-shape", "x=N,6"))
    assert [node["layer"]["null" if "null" in node["layer"] else None] for node in spec["nodes"]] == [4, 6]


def test_a_size_that_follows_the_input_is_never_a_number_in_a_spec() -> None:
    x = L.Placeholder((None, 6))
    spec = L.Functional(x, x.view(x.size(0), 2, 3)).to_spec()
    assert spec["nodes"] == [
        {"name": "size_1", "method": "size", "inputs": ["x", 0]},
        {"name": "view_1", "method": "view", "inputs": ["x", "size_1", 2, 3]},
    ]
