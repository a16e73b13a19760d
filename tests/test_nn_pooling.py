"""Pooling layers and functions against torch's, over grids and with hypothesis."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import compare
from oracle_layers import compare_layer, compare_on_cpu, disagreements

from lazygen.symbolic.dim import of_symbol
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import Symbol
from lazygen.symbolic.nn import pooling
from lazygen.symbolic.tensor import Tensor


def shape(*sizes: int) -> str:
    return f"f32({', '.join(map(str, sizes))})"


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("ceil", [False, True])
def test_max_pool(count: int, ceil: bool) -> None:
    cases = []
    for kernel, stride, padding, dilation, size in itertools.product(
        (1, 2, 3, 5), (None, 1, 2, 3), (0, 1, 2), (1, 2), (1, 4, 7) if count > 1 else range(1, 9)
    ):
        layer = f"nn.MaxPool{count}d({kernel}, {stride}, {padding}, {dilation}, ceil_mode={ceil})"
        cases.append((layer, shape(2, 3, *(size + i for i in range(count)))))
    assert disagreements(cases, attributes="kernel_size stride padding dilation return_indices ceil_mode") == []


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("ceil", [False, True])
def test_average_and_norm_pool(count: int, ceil: bool) -> None:
    cases = []
    for kernel, stride, padding, size in itertools.product((1, 2, 3, 5), (None, 1, 2, 3), (0, 1, 2), (1, 4, 7)):
        given_ = shape(2, 3, *(size + i for i in range(count)))
        cases.append((f"nn.AvgPool{count}d({kernel}, {stride}, {padding}, {ceil})", given_))
        cases.append((f"nn.LPPool{count}d(2, {kernel}, {stride}, {ceil})", given_))
    assert disagreements(cases, attributes="kernel_size stride ceil_mode") == []


@pytest.mark.parametrize("count", [1, 2, 3])
def test_adaptive_pool(count: int) -> None:
    cases = []
    for size in (1, 3, 8, None, (2,) * count, (None,) * count, (2, 3), (None, 4), 0, (1, None, 3)):
        for kind in (
            f"AdaptiveAvgPool{count}d({size})",
            f"AdaptiveMaxPool{count}d({size})",
            f"AdaptiveMaxPool{count}d({size}, True)",
        ):
            cases += [("nn." + kind, shape(*[2] * leading, *[5] * count)) for leading in (0, 1, 2, 3)]
    assert disagreements(cases, attributes="output_size", device="cpu") == []


def test_fractional_pool() -> None:
    cases = []
    for count in (2, 3):
        for settings_ in (
            "2, 3",
            "2, output_ratio=0.5",
            "3, output_size=4",
            "2",
            "2, 3, 0.5",
            "2, output_ratio=1.5",
            "2, 7",
            "3, 6",
        ):
            for indices in (False, True):
                layer = f"nn.FractionalMaxPool{count}d({settings_}, return_indices={indices})"
                cases += [(layer, shape(2, 3, *[7] * count)), (layer, shape(3, *[7] * count)), (layer, shape(2, 3))]
    assert disagreements(cases, attributes="kernel_size output_size output_ratio", device="cpu") == []


@pytest.mark.parametrize("count", [1, 2, 3])
def test_unpool(count: int) -> None:
    cases = []
    for kernel, stride, padding in itertools.product((2, 3), (None, 1, 2), (0, 1)):
        for size in (
            "",
            *(f", output_size={[s] * count}" for s in range(4, 12)),
            f", {[2, 3, *[8] * count]}",
            ", [8] * 4",
        ):
            sizes = ", ".join(map(str, [2, 3, *[4] * count]))
            cases.append((f"nn.MaxUnpool{count}d({kernel}, {stride}, {padding})", f"f32({sizes}), i64({sizes}){size}"))
    cases.append((f"nn.MaxUnpool{count}d(2)", f"f32({sizes}), i64(2, 3, 5)"))
    cases.append((f"nn.MaxUnpool{count}d(2)", f"f32({sizes}), i32({sizes})"))
    assert disagreements(cases, attributes="kernel_size stride padding", device="cpu") == []


steps = st.integers(1, 4)


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 20), st.integers(1, 6), steps, st.integers(0, 3), st.integers(1, 3), st.booleans())
def test_any_window(size: int, kernel: int, stride: int, padding: int, dilation: int, ceil: bool) -> None:
    window = f"{kernel}, {stride}, {padding}"
    assert (
        compare(f"F.max_pool2d(f32(2, 3, {size}, 9), ({kernel}, 2), {stride}, {padding}, {dilation}, {ceil})") is None
    )
    assert compare(f"F.avg_pool1d(f32(3, {size}), {window}, {ceil})") is None
    assert compare(f"F.max_pool1d(f32(3, {size}), {window}, {dilation}, {ceil}, return_indices=True)") is None


@pytest.mark.parametrize("call", [
    "F.max_pool2d(f32(2, 3, 8, 8), 2, return_indices=True)", "torch.max_pool2d(f32(2, 3, 8, 8), 2, stride=[])",
    "F.max_pool2d(f32(2, 3, 8, 8), kernel_size=(2, 3), stride=(1,))", "F.max_pool2d(f32(8, 8), 2)",
    "F.max_pool2d(f32(2, 0, 8, 8), 2)", "F.max_pool2d(f32(0, 3, 8, 8), 2)", "F.max_pool2d(f32(2, 3, 8, 8), 0)",
    "F.max_pool2d(f32(2, 3, 8, 8), (1, 2, 3))", "F.avg_pool2d(f32(2, 3, 8, 8), 2, divisor_override=0)",
    "F.avg_pool2d(i64(2, 3, 8, 8), 2)", "F.max_pool2d(i64(2, 3, 8, 8), 2)",
    "F.adaptive_avg_pool2d(f32(2, 3, 8, 8), (1, None))", "F.adaptive_avg_pool2d(i64(2, 3, 8, 8), 1)",
    "F.adaptive_max_pool1d(f32(3, 8), 1)", "torch.adaptive_max_pool1d(f32(2, 3, 8), 2)",
    "torch.adaptive_avg_pool1d(f32(2, 3, 8), 2)", "F.adaptive_avg_pool1d(f32(2, 3, 8), (2, 2))",
    "F.lp_pool2d(f32(2, 3, 8, 8), 2, 3)", "F.lp_pool1d(f32(2, 3, 8), float(2), 3, ceil_mode=True)",
    "F.adaptive_avg_pool2d(f32(2, 3, 0, 8), 1)", "F.max_pool1d_with_indices(f32(2, 3, 8), 2)",
    "torch.max_pool1d_with_indices(f32(2, 3, 8), 2)", "F.max_pool2d_with_indices(f32(3, 8, 8), 2)",
    "F.adaptive_max_pool2d_with_indices(f32(3, 8, 8), 2)", "F.fractional_max_pool2d_with_indices(f32(3, 8, 8), 2, 3)",
])  # fmt: skip
def test_calls(call: str) -> None:
    assert compare_on_cpu(call) is None


def test_sizes_stay_symbolic() -> None:
    size = of_symbol(Symbol(1, "input", "height", 17))
    plain = pooling.MaxPool2d(2)(Tensor((2, 3, size, size))).shape[2]
    ceil = pooling.AvgPool2d(2, ceil_mode=True)(Tensor((2, 3, size, size))).shape[2]
    assert (plain, ceil) == (8, 9)
    assert plain.expr == (size // 2).expr and ceil.expr == (-(-size // 2)).expr  # type: ignore[attr-defined]


def test_messages() -> None:
    with pytest.raises(ShapeError) as caught:
        pooling.MaxPool2d(7)(Tensor((2, 3, 9, 5)))
    assert caught.value.message == "the kernel (7) is larger than what reaches it (5)" and caught.value.code == "LZ204"
    assert caught.value.notes == ("the input of F.max_pool2d is (2, 3, 9, 5), dim 3 is 5",)


def test_rank() -> None:
    assert compare_layer("nn.MaxPool2d(2)", "f32(2, 3)") is None
    assert compare_layer("nn.AvgPool1d(2)", "f32(2, 3, 4, 5)") is None
