"""Losses against torch's."""

from __future__ import annotations

import pytest
from oracle_layers import compare_on_cpu, disagreements

PAIRS = [
    "f32(2, 3), f32(2, 3)",
    "f32(2, 3), f32(3)",
    "f32(2, 3), f64(2, 3)",
    "f32(2, 3), f32(2, 4)",
    "f32(), f32()",
    "i64(2, 3), i64(2, 3)",
]
PAIRS += ["f32(3), f32(3)", "f32(2, 3, 4), f32(2, 3, 4)"]
REDUCTIONS = ["", "reduction='sum'", "reduction='none'", "reduction='mean'"]


@pytest.mark.parametrize("kind", [
    "L1Loss", "MSELoss", "SmoothL1Loss", "HuberLoss", "SoftMarginLoss", "PoissonNLLLoss", "HingeEmbeddingLoss",
    "KLDivLoss", "BCELoss", "BCEWithLogitsLoss", "MultiLabelSoftMarginLoss",
])  # fmt: skip
def test_pairs(kind: str) -> None:
    settings = [*REDUCTIONS, "reduction='other'"]
    settings += ["reduction='batchmean'"] if kind == "KLDivLoss" else []
    settings += ["size_average=False", "reduce=False", "size_average=True, reduce=True"] if kind != "HuberLoss" else []
    cases = [(f"nn.{kind}({how})", pair) for how in settings for pair in PAIRS]
    assert disagreements(cases, attributes="reduction", device="cpu") == []


@pytest.mark.parametrize("layer", [
    "nn.NLLLoss", "nn.CrossEntropyLoss", "nn.MultiMarginLoss", "nn.MultiLabelMarginLoss",
])  # fmt: skip
def test_classes(layer: str) -> None:
    inputs = [
        "f32(2, 3), i64(2)",
        "f32(3), i64()",
        "f32(2, 3, 4, 5), i64(2, 4, 5)",
        "f32(2, 3), i64(3)",
        "f32(2, 3), f32(2)",
        "f32(2, 3), i32(2)",
    ]
    inputs += [
        "f32(2, 3), i64(2, 3)",
        "f32(3), i64(3)",
        "f32(2, 3, 4), i64(2, 4)",
        "f32(2, 3, 4), f32(2, 3, 4)",
        "i64(2, 3), i64(2)",
        "f32(2, 3), i64(2, 1)",
    ]
    settings = [*REDUCTIONS, *([] if "Label" in layer else ["weight=f32(3)", "weight=f32(4)"])]
    settings += ["label_smoothing=0.1", "label_smoothing=2"] if "Cross" in layer else []
    cases = [(f"{layer}({how})", given) for how in settings for given in inputs]
    assert disagreements(cases, attributes="reduction", device="cpu") == []


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_other_losses(reduction: str) -> None:
    cases = []
    for given in (
        "f32(2, 3), f32(2, 3), f32(2)",
        "f32(3), f32(3), f32()",
        "f32(2, 3), f32(2, 3), f32(3)",
        "f32(2, 3), f32(2, 3), f32(2, 3)",
    ):
        cases += [(f"nn.CosineEmbeddingLoss({reduction})", given), (f"nn.MarginRankingLoss({reduction})", given)]
        cases.append((f"nn.GaussianNLLLoss({reduction})", given))
    for given in (
        "f32(2, 3), f32(2, 3), f32(2, 3)",
        "f32(3), f32(3), f32(3)",
        "f32(2, 3), f32(2, 3), f32(2, 4)",
        "f32(2, 3), f32(2, 3), f32(3)",
    ):
        for kind in ("TripletMarginLoss", "TripletMarginWithDistanceLoss"):
            cases += [(f"nn.{kind}({reduction})", given), (f"nn.{kind}(margin=0.5, swap=True, {reduction})", given)]
    cases += [
        (f"nn.MarginRankingLoss({reduction})", "f32(4), f32(4), f32(4)"),
        (f"nn.GaussianNLLLoss({reduction})", "f32(2, 3), f32(2, 3), 0.5"),
    ]
    cases += [
        (f"nn.GaussianNLLLoss({reduction})", "f32(2, 3), f32(2, 3), f32(2, 1)"),
        ("nn.TripletMarginLoss(margin=-1)", "f32(3), f32(3), f32(3)"),
    ]
    assert disagreements(cases, device="cpu") == []


@pytest.mark.parametrize("layer", [
    "nn.BCELoss(weight=f32(3))", "nn.BCELoss(f32(4))", "nn.BCEWithLogitsLoss(pos_weight=f32(3))",
    "nn.BCEWithLogitsLoss(weight=f32(2, 1))", "nn.SmoothL1Loss(beta=0.5)", "nn.HuberLoss(delta=0)",
    "nn.HuberLoss('sum', 2.0)", "nn.KLDivLoss(log_target=True)", "nn.SmoothL1Loss(beta=-1)",
    "nn.MultiLabelSoftMarginLoss(weight=f32(3))", "nn.PoissonNLLLoss(False, True)", "nn.MultiMarginLoss(p=3)",
])  # fmt: skip
def test_settings(layer: str) -> None:
    assert disagreements([(layer, pair) for pair in PAIRS[:2]], device="cpu") == []


@pytest.mark.parametrize("call", [
    "F.cross_entropy(f32(2, 3), i64(2), reduction='none')", "F.cross_entropy(f32(2, 3), f64(2, 3))",
    "F.cross_entropy(f32(), i64())", "F.mse_loss(f32(2, 3), f32(2, 3), reduction='none')",
    "F.mse_loss(f32(2, 3), f32(2, 3), weight=f32(2, 3))", "F.mse_loss(f32(2, 3), f32(3, 2))",
    "F.l1_loss(f32(2, 3), f32(2, 3), reduce=False)", "F.kl_div(f32(2, 3), f32(2, 3), None, None, 'batchmean')",
    "F.triplet_margin_with_distance_loss(*[f32(2, 3)] * 3, distance_function=F.pairwise_distance, reduction='none')",
])  # fmt: skip
def test_functions(call: str) -> None:
    assert compare_on_cpu(call) is None


def test_ctc() -> None:
    given = "f32(9, 2, 5), i64(2, 4), torch.tensor([9, 9]), torch.tensor([4, 4])"
    assert disagreements([(f"nn.CTCLoss({how})", given) for how in REDUCTIONS], device="cpu") == []
    assert (
        disagreements([("nn.CTCLoss()", "f32(9), i64(2, 4), torch.tensor([9, 9]), torch.tensor([4, 4])")], device="cpu")
        == []
    )


@pytest.mark.parametrize("layer", [
    "nn.AdaptiveLogSoftmaxWithLoss(16, 20, [4, 10])", "nn.AdaptiveLogSoftmaxWithLoss(16, 20, [5], 2.0, True)",
    "nn.AdaptiveLogSoftmaxWithLoss(16, 20, [10, 4])", "nn.AdaptiveLogSoftmaxWithLoss(16, 20, [20])",
])  # fmt: skip
def test_adaptive_softmax(layer: str) -> None:
    inputs = ["f32(3, 16), i64(3)", "f32(16), i64()", "f32(3, 16), i64(4)", "f32(3, 8), i64(3)", "f32(3, 16), i64()"]
    attributes = "in_features n_classes cutoffs head_size n_clusters"
    assert disagreements([(layer, given) for given in inputs], attributes=attributes, device="cpu") == []
