"""Normalization layers and functions against torch's."""

from __future__ import annotations

import itertools

import cpu_oracle
import pytest
from oracle_layers import compare_layer, compare_on_cpu, disagreements

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn import norm
from lazygen.symbolic.tensor import Tensor

ATTRIBUTES = "num_features eps momentum affine track_running_stats"
INPUTS = ["f32(4)", "f32(3, 4)", "f32(1, 4)", "f32(2, 4, 5)", "f32(4, 5, 4)", "f32(2, 4, 5, 5)", "f32(1, 4, 1, 1)"]
INPUTS += ["f32(2, 4, 5, 5, 5)", "f32(2, 5, 4, 4)", "f32(1, 2, 4, 3, 3, 3)"]


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize(
    "kind", ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"]
)
def test_batch_and_instance_norms(kind: str, training: bool) -> None:
    flags = itertools.product((True, False), repeat=3)
    layers = [f"nn.{kind}(4)", f"nn.{kind}(4, 1e-3, None)", f"nn.{kind}(4, momentum=0.5, dtype=torch.float64)"]
    layers += [f"nn.{kind}(4, affine={a}, track_running_stats={t}, bias={b})" for a, t, b in flags]
    cases = list(itertools.product(layers, INPUTS))
    assert disagreements(cases, training=training, attributes=ATTRIBUTES, device="cpu") == []


@pytest.mark.parametrize("layer", [
    "nn.LayerNorm(4)", "nn.LayerNorm((3, 4))", "nn.LayerNorm([2, 3, 4], bias=False)",
    "nn.LayerNorm(4, elementwise_affine=False)", "nn.LayerNorm(torch.Size([3, 4]), 1e-3, dtype=torch.float64)",
    "nn.RMSNorm(4)", "nn.RMSNorm((3, 4), 1e-3, False)", "nn.GroupNorm(2, 4)", "nn.GroupNorm(4, 4)",
    "nn.GroupNorm(3, 4)", "nn.GroupNorm(1, 3, affine=False)", "nn.GroupNorm(1, 3, bias=False)", "nn.GroupNorm(0, 3)",
    "nn.LocalResponseNorm(2)", "nn.LocalResponseNorm(3, k=2)", "nn.BatchNorm2d(-1)", "nn.BatchNorm2d(2.5)",
    "nn.SyncBatchNorm(4)",
])  # fmt: skip
@pytest.mark.parametrize(
    "given", ["f32(4)", "f32(3, 4)", "f32(2, 3, 4)", "f32(2, 4)", "f32(1, 4, 1)", "f32(4, 3, 5, 5)", "f32()"]
)
def test_other_norms(layer: str, given: str) -> None:
    device = "meta" if "Sync" in layer else "cpu"
    assert compare_layer(layer, given, device=device) is None


@pytest.mark.parametrize("kind", ["f16", "bf16", "f64", "i64"])
@pytest.mark.parametrize("layer", [
    "nn.BatchNorm1d(4)", "nn.BatchNorm1d(4, affine=False, track_running_stats=False)", "nn.InstanceNorm1d(4)",
    "nn.InstanceNorm1d(4, affine=True)", "nn.LayerNorm(5)", "nn.LayerNorm(5, elementwise_affine=False)",
    "nn.GroupNorm(2, 4)", "nn.RMSNorm(5)",
])  # fmt: skip
def test_dtypes(layer: str, kind: str) -> None:
    assert compare_layer(layer, f"{kind}(2, 4, 5)", device="cpu") is None


@pytest.mark.parametrize("call", [
    "F.batch_norm(f32(2, 3, 4), f32(3), f32(3))", "F.batch_norm(f32(2, 3, 4), None, None)",
    "F.batch_norm(f32(2, 3, 4), f32(4), f32(4))", "F.batch_norm(f32(2, 3, 4), None, None, training=True)",
    "F.batch_norm(f32(1, 3), None, None, training=True)",
    "torch.batch_norm(f32(2, 3), f32(3), f32(3), f32(3), f32(3), False, 0.1, 1e-5, False)",
    "F.instance_norm(f32(2, 3, 4))", "F.instance_norm(f32(2, 3, 1))", "F.instance_norm(f32(2, 3, 4), weight=f32(4))",
    "F.layer_norm(f32(2, 3), 3)", "F.layer_norm(f32(2, 3), (3,), weight=f32(3), bias=f32(3))",
    "F.layer_norm(f32(2, 3), (2,))", "torch.layer_norm(f32(2, 3), [2, 3])", "F.layer_norm(f32(2, 3), (3,), f32(2))",
    "F.group_norm(f32(2, 6), 3)", "F.group_norm(f32(2, 6, 4), 4)", "torch.group_norm(f32(2, 6, 4), 3, f32(6))",
    "F.group_norm(f32(6), 3)", "F.rms_norm(f32(2, 3), [3])", "F.rms_norm(f32(2, 3), [2])",
    "F.local_response_norm(f32(2, 3), 2)", "F.normalize(f32(2, 3))", "F.normalize(f32(3))",
    "F.normalize(f32(2, 3), p=1, dim=(0, 1))", "F.normalize(i64(2, 3))", "F.local_response_norm(i64(2, 3, 4, 4), 2)",
])  # fmt: skip
def test_functions(call: str) -> None:
    assert compare_on_cpu(call) is None


def test_messages() -> None:
    with pytest.raises(ShapeError) as caught:
        norm.BatchNorm2d(8)(Tensor((2, 16, 5, 5)))
    assert caught.value.message == "BatchNorm2d has num_features 8, but 16 reach it" and caught.value.code == "LZ210"
    with pytest.raises(ShapeError) as caught:
        norm.LayerNorm(8)(Tensor((2, 16)))
    assert caught.value.message == "LayerNorm has normalized_shape 8, but 16 reach it"
    with pytest.raises(ShapeError) as caught:
        norm.BatchNorm2d(8)(Tensor((2, 8, 5)))
    assert caught.value.message == "BatchNorm2d needs an input of 4 dims, not 3"


def test_conversion_to_synchronised() -> None:
    layer = norm.BatchNorm2d(8).eval()
    made = norm.SyncBatchNorm.convert_sync_batchnorm(layer)
    assert type(made) is norm.SyncBatchNorm and list(made.state_dict()) == list(layer.state_dict())
    assert made.weight is layer.weight and not made.training


def test_parameters_of_odd_shapes_are_refused_as_torch_refuses_them() -> None:
    shapes = ["None", "f32(3)", "f32(4)", "f32(3, 1)", "f32()"]
    calls = [f"F.instance_norm(f32(2, 3, 4), {mean}, {var})" for mean in shapes for var in shapes]
    calls += [f"F.instance_norm(f32(2, 3, 4), None, None, {w}, {b})" for w in shapes for b in shapes]
    assert [found for found in map(cpu_oracle.compare, calls) if found is not None] == []
