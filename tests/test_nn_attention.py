"""Multi-head attention and transformers against torch's."""

from __future__ import annotations

import itertools

import cpu_oracle
import pytest
from oracle import compare
from oracle_layers import compare_layer, disagreements

from lazygen.symbolic.dim import of_symbol
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import Symbol
from lazygen.symbolic.nn import attention
from lazygen.symbolic.tensor import Tensor

ATTRIBUTES = "embed_dim num_heads head_dim kdim vdim dropout batch_first"
MASKS = [
    "", "key_padding_mask=b8(2, 7)", "key_padding_mask=b8(7)", "key_padding_mask=b8(2, 5)", "attn_mask=b8(5, 7)",
    "attn_mask=f32(8, 5, 7)", "attn_mask=f32(4, 5, 7)", "attn_mask=i64(5, 7)",
    "attn_mask=f32(5, 7), key_padding_mask=f32(2, 7)", "need_weights=False", "attn_mask=f32(7, 5)",
    "average_attn_weights=False", "need_weights=False, attn_mask=b8(5, 7), key_padding_mask=b8(2, 7)",
    "is_causal=True",
]  # fmt: skip


@pytest.mark.parametrize("settings", [
    "", "bias=False", "add_bias_kv=True", "add_zero_attn=True", "kdim=6", "vdim=6", "kdim=6, vdim=6, bias=False",
    "batch_first=True", "add_bias_kv=True, add_zero_attn=True, batch_first=True", "dropout=0.1", "dtype=torch.float64",
    "kdim=8, vdim=8",
])  # fmt: skip
def test_attention(settings: str) -> None:
    three = [
        "f32(5, 2, 8), f32(7, 2, 8), f32(7, 2, 8)",
        "f32(2, 5, 8), f32(2, 7, 8), f32(2, 7, 8)",
        "f32(5, 8), f32(7, 8), f32(7, 8)",
    ]
    three += [
        "f32(5, 2, 8), f32(7, 2, 6), f32(7, 2, 6)",
        "f32(5, 2, 8), f32(7, 2, 8), f32(7, 2, 6)",
        "f32(5, 2, 8), f32(7, 2, 8), f32(6, 2, 8)",
    ]
    three += [
        "f32(2, 5, 8), f32(2, 7, 6), f32(2, 7, 6)",
        "f32(5, 2, 8), f32(7, 3, 8), f32(7, 3, 8)",
        "f32(5, 2, 8), f32(7, 8), f32(7, 8)",
    ]
    three += ["f64(5, 2, 8), f64(7, 2, 8), f64(7, 2, 8)", "f32(8), f32(8), f32(8)"]
    cases = [
        (f"nn.MultiheadAttention(8, 4, {settings})", f"{given}, {mask}")
        for given, mask in itertools.product(three, MASKS)
    ]
    assert disagreements(cases, attributes=ATTRIBUTES, device="cpu") == []


@pytest.mark.parametrize(
    "layer",
    ["MultiheadAttention(8, 3)", "MultiheadAttention(0, 1)", "MultiheadAttention(8, 0)", "MultiheadAttention(8)"],
)
def test_constructors(layer: str) -> None:
    assert compare_layer(f"nn.{layer}", "f32(5, 2, 8), f32(5, 2, 8), f32(5, 2, 8)") is None


@pytest.mark.parametrize("settings", [
    "8, 2", "8, 2, 16", "8, 2, 16, batch_first=True", "8, 2, 16, norm_first=True, bias=False", "8, 2, 16, 0.0, 'gelu'",
    "8, 3, 16", "8, 2, 16, activation=F.silu", "8, 2, 16, activation='tanh'", "8, 2, 16, dtype=torch.float64",
])  # fmt: skip
def test_transformer_layers(settings: str) -> None:
    cases = [
        (f"nn.TransformerEncoderLayer({settings})", given)
        for given in (
            "f32(5, 3, 8)",
            "f32(5, 8)",
            "f32(5, 3, 7)",
            "f32(5, 3, 8), f32(5, 5)",
            "f32(5, 3, 8), src_key_padding_mask=b8(3, 5)",
            "f32(8)",
        )
    ]
    cases += [
        (f"nn.TransformerDecoderLayer({settings})", given)
        for given in (
            "f32(5, 3, 8), f32(7, 3, 8)",
            "f32(5, 8), f32(7, 8)",
            "f32(3, 5, 8), f32(3, 7, 8)",
            "f32(5, 3, 8), f32(7, 3, 6)",
        )
    ]
    assert disagreements(cases, device="cpu") == []


@pytest.mark.parametrize("layer", [
    "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), 2)",
    "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), num_layers=1, norm=nn.LayerNorm(8))",
])  # fmt: skip
def test_encoder(layer: str) -> None:
    cases = [
        (layer, given)
        for given in ("f32(5, 3, 8)", "f32(5, 3, 8), mask=f32(5, 5)", "f32(5, 3, 8), mask=b8(4, 4)", "f32(5, 3, 6)")
    ]
    assert disagreements(cases, attributes="num_layers", device="cpu") == []


@pytest.mark.parametrize("layer", [
    "nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16), 2)", "nn.Transformer(8, 2, 1, 2, 16)",
    "nn.Transformer(8, 2, 1, 1, 16, batch_first=True)",
    "nn.Transformer(8, nhead=2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=4, norm_first=True)",
])  # fmt: skip
def test_both_halves(layer: str) -> None:
    cases = [
        (layer, given)
        for given in (
            "f32(5, 3, 8), f32(5, 3, 8)",
            "f32(5, 3, 8), f32(6, 3, 8)",
            "f32(5, 8), f32(6, 8)",
            "f32(5, 3, 8), f32(5, 3, 6)",
        )
    ]
    assert disagreements(cases, device="cpu") == []


def test_square_mask() -> None:
    assert compare("nn.Transformer.generate_square_subsequent_mask(5)") is None
    assert (
        compare_layer(
            "nn.TransformerEncoderLayer(8, 2, 16)", "f32(5, 3, 8), nn.Transformer.generate_square_subsequent_mask(5)"
        )
        is None
    )


FORWARD = "F.multi_head_attention_forward(f32(5, 2, 8), *[f32(7, 2, 8)] * 2, 8, "


@pytest.mark.parametrize("call", [
    FORWARD + "2, f32(24, 8), f32(24), None, None, True, 0.0, f32(8, 8), f32(8))",
    FORWARD + "3, f32(24, 8), f32(24), None, None, True, 0.0, f32(8, 8), f32(8))",
    FORWARD + "2, None, None, None, None, False, 0.0, f32(8, 8), None)",
])  # fmt: skip
def test_function(call: str) -> None:
    assert compare(call) is None


def test_sizes_stay_symbolic() -> None:
    width, heads = of_symbol(Symbol(1, "parameter", "width", 8)), of_symbol(Symbol(2, "parameter", "heads", 2))
    layer = attention.MultiheadAttention(width, heads)
    assert layer.in_proj_weight.shape[0].expr == (3 * width).expr
    assert (layer.head_dim * heads).expr == width.expr  # type: ignore[attr-defined]
    output, _ = layer(Tensor((5, 2, 8)), Tensor((5, 2, 8)), Tensor((5, 2, 8)))
    assert tuple(output.shape) == (5, 2, 8)


def test_message() -> None:
    with pytest.raises(ShapeError) as caught:
        attention.MultiheadAttention(8, 2)(*[Tensor((5, 2, 6))] * 3)
    assert caught.value.message == "MultiheadAttention has embed_dim 8, but 6 reach it" and caught.value.code == "LZ210"


def test_parameters_of_odd_shapes_are_refused_as_torch_refuses_them() -> None:
    given = {"in_proj": "f32(24, 8)", "in_bias": "f32(24)", "bias_k": "None", "bias_v": "None",
             "out_proj": "f32(8, 8)", "out_bias": "f32(8)"}  # fmt: skip
    odd = {"in_proj": ["f32(16, 8)", "f32(24, 4)", "f32(25, 8)"], "in_bias": ["None", "f32(8)", "f32(1)"],
           "out_proj": ["f32(4, 8)", "f32(8, 4)"], "out_bias": ["None", "f32(4)", "f32(1)"]}  # fmt: skip
    cases = [{**given, name: shape} for name, shapes in odd.items() for shape in shapes]
    pairs = [("f32(1, 1, 8)", "f32(1, 1, 8)"), ("f32(1, 1, 8)", "f32(1, 1, 4)"), ("f32(1, 2, 8)", "f32(1, 2, 8)")]
    cases += [{**given, "bias_k": k, "bias_v": v} for k, v in pairs]
    calls = [
        "F.multi_head_attention_forward(f32(5, 2, 8), f32(7, 2, 8), f32(7, 2, 8), 8, 2, "
        "{in_proj}, {in_bias}, {bias_k}, {bias_v}, False, 0.0, {out_proj}, {out_bias})".format(**case)
        for case in cases
    ]
    assert [found for found in map(cpu_oracle.compare, calls) if found is not None] == []
