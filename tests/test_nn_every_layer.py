"""Every module class of `torch.nn`, built and run under the stand-in and under torch: parameters, buffers, results."""

from __future__ import annotations

import inspect

import pytest
import torch
from oracle_layers import compare_layer

_ONE = ["f32(2, 3)", "f32(3)", "f32()", "f32(2, 3, 4, 5)", "f64(2, 3)", "i64(2, 3)"]
_SIGNAL = {1: ["f32(2, 4, 9)", "f32(4, 9)", "f32(9)"], 2: ["f32(2, 4, 9, 8)", "f32(4, 9, 8)", "f32(9, 8)"]}
_SIGNAL[3] = ["f32(2, 4, 9, 8, 7)", "f32(4, 9, 8, 7)", "f32(8, 7)"]
_PAIRS = ["f32(2, 3), f32(2, 3)", "f32(3), f32(3)", "f32(2, 3), f32(2, 4)", "f64(2, 3), f64(2, 3)"]
_TRIPLES = ["f32(2, 3), f32(2, 3), f32(2)", "f32(2, 3), f32(2, 3), f32(2, 3)", "f32(3), f32(3), f32()"]
_REDUCED = ["", "reduction='sum'", "reduction='none'"]


_SIMPLE = """
    CELU ELU Flatten GELU Hardsigmoid Hardswish Hardtanh Hardshrink Identity LeakyReLU LogSigmoid Mish ReLU
    ReLU6 RReLU SELU SiLU Sigmoid Softplus Softshrink Softsign Tanh Tanhshrink AlphaDropout Dropout
    FeatureAlphaDropout Softmax Softmin LogSoftmax
"""
_PAIRED = """
    L1Loss MSELoss SmoothL1Loss HuberLoss SoftMarginLoss HingeEmbeddingLoss KLDivLoss BCELoss BCEWithLogitsLoss
    PoissonNLLLoss MultiLabelSoftMarginLoss
"""


def _layers() -> dict[str, tuple[list[str], list[str]]]:
    """For each class arguments of its constructor, and of its call."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for name in _SIMPLE.split():
        found[name] = ([""], _ONE)
    found["Softmax"] = found["Softmin"] = found["LogSoftmax"] = (["dim=0", "dim=-1", "dim=2", "1"], _ONE)
    found["Flatten"] = (["", "0", "2", "0, 1", "1, -2", "3"], [*_ONE, "f32(2, 3, 4, 5)"])
    found["Threshold"] = (["0.1, 20"], _ONE)
    found["GLU"] = (["", "0", "1"], [*_ONE, "f32(2, 4)", "f32(4, 3, 2)"])
    found["PReLU"] = (["", "3", "4", "3, dtype=torch.float64"], _ONE)
    found["Softmax2d"] = ([""], [*_ONE, "f32(2, 3, 4)"])
    found["Unflatten"] = (["1, (2, 3)", "-1, (2, -1)", "0, (2, 2)", "1, (5,)"], ["f32(4, 6)", "f32(4, 6, 2)", "f32(6)"])
    found["Fold"] = (
        ["(4, 5), 2", "output_size=(4, 5), kernel_size=(2, 3), padding=1", "(4, 5), 2, stride=2, dilation=2"],
        ["f32(2, 12, 12)", "f32(12, 12)", "f32(2, 12, 20)", "f32(2, 6, 42)", "f32(2, 4, 2)"],
    )
    found["Unfold"] = (
        ["2", "(2, 3), padding=1", "2, stride=2, dilation=2"], ["f32(2, 3, 4, 5)", "f32(3, 4, 5)", "f32(4, 5)"]
    )  # fmt: skip
    found["Bilinear"] = (
        ["3, 4, 5", "3, 4, 5, False"],
        ["f32(7, 3), f32(7, 4)", "f32(3), f32(4)", "f32(7, 3), f32(6, 4)"],
    )
    found["Linear"] = (["3, 4", "3, 4, False", "3, 0"], ["f32(2, 3)", "f32(3)", "f32(2, 5, 3)", "f32(2, 4)", "f32()"])
    found["LazyLinear"] = (["4", "4, bias=False"], found["Linear"][1])
    found["Embedding"] = (["10, 3", "10, 3, padding_idx=0", "10, 3, max_norm=1.0"], ["i64(2, 5)", "i64()", "f32(2)"])
    found["EmbeddingBag"] = (
        ["10, 3", "10, 3, mode='sum'", "10, 3, mode='max'", "10, 3, include_last_offset=True"],
        ["i64(2, 5)", "i64(6), i64(2)", "i64(2, 5), i64(2)", "i64(6), i64(3)", "f32(2, 5)"],
    )
    found["CosineSimilarity"] = (["", "dim=0", "dim=-1"], _PAIRS)
    found["PairwiseDistance"] = (["", "p=1", "keepdim=True"], _PAIRS)
    found["ChannelShuffle"] = (["2", "3"], ["f32(2, 4, 3, 3)", "f32(4, 3)", "f32(2, 4, 3)"])
    found["PixelShuffle"] = (["2", "3"], ["f32(2, 8, 3, 4)", "f32(8, 3, 4)", "f32(2, 9, 3, 4)", "f32(3, 4)"])
    found["PixelUnshuffle"] = (["2", "3"], ["f32(2, 8, 6, 12)", "f32(8, 6, 4)", "f32(2, 5)"])
    found["Upsample"] = (
        ["scale_factor=2", "size=7", "scale_factor=1.5, mode='linear'", "size=(5, 6), mode='bilinear'",
         "scale_factor=2, mode='bicubic', align_corners=True", "size=(3, 4, 5), mode='trilinear'"],
        ["f32(2, 4, 9)", "f32(2, 4, 9, 8)", "f32(2, 4, 9, 8, 7)", "f32(4, 9)"],
    )  # fmt: skip
    for name in ("UpsamplingBilinear2d", "UpsamplingNearest2d"):
        found[name] = (["scale_factor=2", "size=7", "size=(5, 6)"], _SIGNAL[2])
    found["GroupNorm"] = (
        ["2, 4", "4, 4, affine=False", "2, 4, bias=False", "3, 4"],
        [*_SIGNAL[1], *_SIGNAL[2], "f32(2, 4)"],
    )
    found["LayerNorm"] = (
        ["4", "(3, 4)", "4, elementwise_affine=False", "4, bias=False"], ["f32(2, 3, 4)", "f32(4)", "f32(2, 4, 3)"]
    )  # fmt: skip
    found["RMSNorm"] = (["4", "(3, 4)", "4, elementwise_affine=False"], found["LayerNorm"][1])
    found["LocalResponseNorm"] = (["2", "3"], [*_SIGNAL[1], *_SIGNAL[2], "f32(4)"])
    found["CrossMapLRN2d"] = (["3"], _SIGNAL[2])
    found["SyncBatchNorm"] = (["4", "4, affine=False"], [])
    _by_rank(found)
    _recurrent(found)
    _attention(found)
    _losses(found)
    _containers(found)
    return found


def _by_rank(found: dict[str, tuple[list[str], list[str]]]) -> None:
    for rank, signals in _SIGNAL.items():
        given = [*signals, "f64" + signals[0][3:]]
        conv = [
            "4, 6, 3",
            "4, 6, 2, stride=2, padding=1",
            "4, 8, 3, groups=2, bias=False",
            "4, 6, 3, dilation=2",
            "3, 4, 1",
        ]
        named = ["4, 6, 3, padding='same'", "4, 6, 3, padding=1, padding_mode='circular'"]
        found[f"Conv{rank}d"] = ([*conv, *named], given)
        found[f"LazyConv{rank}d"] = ([text.partition(", ")[2] for text in [*conv, *named]], given)
        transposed = [*conv, "4, 6, 3, stride=2, output_padding=1", "4, 6, 3, output_padding=2"]
        found[f"ConvTranspose{rank}d"] = (transposed, given)
        found[f"LazyConvTranspose{rank}d"] = ([text.partition(", ")[2] for text in transposed], given)
        norms = ["", "affine=False", "track_running_stats=False", "affine=False, track_running_stats=False"]
        flat = ["f32(2, 4)"] if rank == 1 else []
        for kind in ("BatchNorm", "InstanceNorm"):
            found[f"{kind}{rank}d"] = ([*(f"4, {text}" for text in norms), "3"], [*given, *flat])
            found[f"Lazy{kind}{rank}d"] = (norms, [*given, *flat])
        windows = ["2", "3, 2", "3, 2, 1", "3, 1, ceil_mode=True", "2, 3, ceil_mode=True", "20"]
        found[f"MaxPool{rank}d"] = ([*windows, "2, return_indices=True", "3, dilation=2"], given)
        found[f"AvgPool{rank}d"] = ([*windows, "3, count_include_pad=False"], given)
        found[f"LPPool{rank}d"] = (["2, 3", "1, 2, 2", "2, 3, 2, ceil_mode=True"], given)
        indices = ["f32(2, 4, {0}), i64(2, 4, {0})", "f32(4, {0}), i64(4, {0})"]
        half = ["4", "4, 4", "4, 4, 3"][rank - 1]
        unpooled = [text.format(half) for text in indices]
        sizes = {1: "[9]", 2: "[9, 8]", 3: "[9, 8, 7]"}[rank]
        found[f"MaxUnpool{rank}d"] = (["2", "3, 2"], [*unpooled, f"{unpooled[0]}, output_size={sizes}"])
        found[f"AdaptiveAvgPool{rank}d"] = (
            ["1", "5", *([f"({', '.join(['3', 'None', '2'][:rank])})"] if rank > 1 else [])],
            given,
        )
        found[f"AdaptiveMaxPool{rank}d"] = (["1", "5", "3, return_indices=True"], given)
        if rank > 1:
            found[f"FractionalMaxPool{rank}d"] = (
                ["2, output_size=3", "2, output_ratio=0.5", "2, output_size=3, return_indices=True"], given
            )  # fmt: skip
        found[f"Dropout{rank}d"] = ([""], given)
        pads = [str(tuple(range(1, 2 * rank + 1))), "1", "2"]
        for kind in ("Constant", "Reflection", "Replication", "Zero", "Circular"):
            found[f"{kind}Pad{rank}d"] = ([f"{pad}, 0.5" for pad in pads] if kind == "Constant" else pads, given)
    found["Dropout1d"] = ([""], _SIGNAL[1])


def _recurrent(found: dict[str, tuple[list[str], list[str]]]) -> None:
    settings = ["", ", 2", ", bidirectional=True", ", batch_first=True", ", 2, bias=False, bidirectional=True"]
    given = ["f32(5, 2, 3)", "f32(5, 3)", "f32(5, 2, 4)", "f32(3)"]
    for name in ("RNN", "GRU", "LSTM"):
        found[name] = ([f"3, 4{text}" for text in settings], given)
        found[f"{name}Cell"] = (["3, 4", "3, 4, bias=False"], ["f32(2, 3)", "f32(3)", "f32(2, 4)", "f32(5, 2, 3)"])
    found["LSTM"][0].extend(["3, 4, proj_size=2", "3, 4, 2, proj_size=2, bidirectional=True"])
    found["LSTM"][1].append("f32(5, 2, 3), (f32(1, 2, 4), f32(1, 2, 4))")
    found["GRU"][1].append("f32(5, 2, 3), f32(1, 2, 4)")
    found["RNNBase"] = (["'LSTM', 3, 4", "'GRU', 3, 4, 2", "'RNN_TANH', 3, 4, bidirectional=True"], [])
    found["RNNCellBase"] = (["3, 4, True, 4", "3, 4, False, 1"], [])


def _attention(found: dict[str, tuple[list[str], list[str]]]) -> None:
    same = "f32(5, 2, 8), f32(5, 2, 8), f32(5, 2, 8)"
    found["MultiheadAttention"] = (
        ["8, 2", "8, 2, bias=False", "8, 2, add_bias_kv=True", "8, 2, kdim=6, vdim=7", "8, 2, batch_first=True",
         "8, 3"],
        [same, f"{same}, need_weights=False", f"{same}, average_attn_weights=False", "f32(5, 8), f32(7, 8), f32(7, 8)",
         "f32(5, 2, 8), f32(7, 2, 6), f32(7, 2, 7)", f"{same}, attn_mask=b8(5, 5)",
         f"{same}, key_padding_mask=b8(2, 5)",
         f"{same}, attn_mask=b8(4, 5)"],
    )  # fmt: skip
    layers = ["8, 2, 16", "8, 2, 16, batch_first=True", "8, 2, 16, norm_first=True, bias=False", "8, 3, 16"]
    found["TransformerEncoderLayer"] = (layers, ["f32(5, 2, 8)", "f32(5, 8)", "f32(5, 2, 7)"])
    found["TransformerDecoderLayer"] = (
        layers,
        ["f32(5, 2, 8), f32(7, 2, 8)", "f32(5, 8), f32(7, 8)", "f32(5, 2, 8), f32(7, 2, 6)"],
    )
    found["TransformerEncoder"] = (
        [f"nn.TransformerEncoderLayer({text}), 2" for text in layers], found["TransformerEncoderLayer"][1]
    )  # fmt: skip
    found["TransformerDecoder"] = (
        [f"nn.TransformerDecoderLayer({text}), 2, norm=nn.LayerNorm(8)" for text in layers],
        found["TransformerDecoderLayer"][1],
    )
    found["Transformer"] = (
        ["8, 2, 1, 2, 16", "8, 2, 1, 1, 16, batch_first=True"], ["f32(5, 2, 8), f32(7, 2, 8)", "f32(5, 8), f32(7, 8)"]
    )  # fmt: skip


def _losses(found: dict[str, tuple[list[str], list[str]]]) -> None:
    for name in _PAIRED.split():
        found[name] = (_REDUCED, _PAIRS)
    classes = ["f32(2, 3), i64(2)", "f32(3), i64()", "f32(2, 3, 4), i64(2, 4)", "f32(2, 3), i64(3)"]
    for name in ("NLLLoss", "CrossEntropyLoss", "MultiMarginLoss", "NLLLoss2d"):
        found[name] = (_REDUCED, classes)
    found["MultiLabelMarginLoss"] = (_REDUCED, ["f32(2, 3), i64(2, 3)", "f32(3), i64(3)", "f32(2, 3), i64(2, 4)"])
    for name in (
        "CosineEmbeddingLoss",
        "MarginRankingLoss",
        "TripletMarginLoss",
        "TripletMarginWithDistanceLoss",
        "GaussianNLLLoss",
    ):
        found[name] = (_REDUCED, _TRIPLES)
    found["CTCLoss"] = (_REDUCED, ["f32(5, 2, 4), i64(2, 3), (5, 5), (3, 3)", "f32(5, 4), i64(3), (5,), (3,)"])
    found["AdaptiveLogSoftmaxWithLoss"] = (["8, 20, [5]", "8, 20, [5, 10], head_bias=True"], [])
    found["LinearCrossEntropyLoss"] = (
        ["4, 7", "4, 7, bias=True", "4, 7, out_features=(3,)", "4, 7, reduction='none'"],
        ["f32(5, 4), i64(5)", "f32(4), i64()", "f32(5, 4), i64(5, 3)", "f32(5, 3), i64(5)", "f32(5, 4), f32(5, 7)"],
    )


def _containers(found: dict[str, tuple[list[str], list[str]]]) -> None:
    found["Module"] = ([""], ["f32(2)"])
    found["Container"] = (["a=nn.Linear(3, 4)"], ["f32(2, 3)"])
    found["Sequential"] = (["", "nn.Linear(3, 4), nn.ReLU()"], ["f32(2, 3)", "f32(2, 4)"])
    found["ModuleList"] = (["[nn.Linear(3, 4), nn.ReLU()]"], ["f32(2, 3)"])
    found["ModuleDict"] = (["{'a': nn.Linear(3, 4)}"], ["f32(2, 3)"])
    found["ParameterList"] = (["[nn.Linear(3, 4).weight]"], ["f32(2, 3)"])
    found["ParameterDict"] = (["{'a': nn.Linear(3, 4).weight}"], ["f32(2, 3)"])
    found["DataParallel"] = (["nn.Linear(3, 4)"], ["f32(2, 3)", "f32(2, 4)"])


LAYERS = _layers()


def _problem(layer: str, call: str) -> str | None:
    """The meta device lets some calls pass that no device computes, the CPU lacks some kernels: one of them must
    agree.
    """
    on_meta = compare_layer(layer, call)
    return on_meta if on_meta is None else compare_layer(layer, call, device="cpu") and on_meta


def test_no_class_is_left_out() -> None:
    classes = {
        name for name, value in vars(torch.nn).items() if inspect.isclass(value) and issubclass(value, torch.nn.Module)
    }
    assert classes - set(LAYERS) == set() and len(classes) >= 150


@pytest.mark.parametrize("initial", sorted({name[0] for name in LAYERS}))
def test_layers(initial: str) -> None:
    problems: list[str | None] = []
    for name, (settings, calls) in LAYERS.items():
        if name[0] == initial and hasattr(torch.nn, name):
            for text in settings:
                problems += [_problem(f"nn.{name}({text})", call) for call in calls or [""]]
    assert [problem for problem in problems if problem is not None] == []
