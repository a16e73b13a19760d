"""Convolution layers and functions against torch's, over grids and with hypothesis."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_layers import compare_layer, compare_on_cpu, disagreements

from lazygen.symbolic.dim import Dim, of_symbol
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import Symbol
from lazygen.symbolic.nn import conv
from lazygen.symbolic.ops import convolution
from lazygen.symbolic.tensor import Tensor

ATTRIBUTES = (
    "in_channels out_channels kernel_size stride padding dilation transposed output_padding groups padding_mode"
)


def shape(*sizes: int) -> str:
    return f"f32({', '.join(map(str, sizes))})"


def grid(kind: str, count: int, sizes: tuple[int, ...]) -> list[tuple[str, str]]:
    cases = []
    settings_ = itertools.product((1, 2, 3, 5), (1, 2, 3), (0, 1, 2), (1, 2), (1, 2), sizes)
    for kernel, stride, padding, dilation, groups, size in settings_:
        if kind == "ConvTranspose" and (size - 1) * stride - 2 * padding + dilation * (kernel - 1) == -1:
            continue  # a result of size 0: some of torch's kernels give it, others raise
        layer = f"nn.{kind}{count}d(4, 6, {kernel}, {stride}, {padding}, dilation={dilation}, groups={groups})"
        cases.append((layer, shape(2, 4, *(size + i for i in range(count)))))
    return cases


@pytest.mark.parametrize(("count", "sizes"), [(1, (1, 4, 7, 8)), (2, (3, 8)), (3, (4, 7))])
def test_convolutions(count: int, sizes: tuple[int, ...]) -> None:
    assert disagreements(grid("Conv", count, sizes), attributes=ATTRIBUTES) == []


@pytest.mark.parametrize(("count", "sizes"), [(1, (1, 4, 7)), (2, (1, 5)), (3, (3,))])
def test_transposed_convolutions(count: int, sizes: tuple[int, ...]) -> None:
    assert disagreements(grid("ConvTranspose", count, sizes), attributes=ATTRIBUTES) == []


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("mode", ["zeros", "reflect", "replicate", "circular", "strange"])
def test_padding_by_name_and_mode(count: int, mode: str) -> None:
    cases = []
    for kernel, padding, dilation, size in itertools.product(
        (1, 2, 3, 4), ("'same'", "'valid'", "1", "3"), (1, 2), (3, 6)
    ):
        layer = f"nn.Conv{count}d(3, 4, {kernel}, padding={padding}, dilation={dilation}, padding_mode='{mode}')"
        cases.append((layer, shape(2, 3, *[size] * count)))
    assert disagreements(cases, attributes=ATTRIBUTES) == []


@pytest.mark.parametrize("layer", [
    "nn.Conv2d(3, 4, (3, 2), (2, 1), (0, 1), (1, 2))", "nn.Conv2d(3, 4, [3, 2])", "nn.Conv2d(3, 4, 3, bias=False)",
    "nn.Conv2d(3, 4, 3, dtype=torch.float64)", "nn.Conv2d(3, 4, 3, 1, 1, 1, 1, False, 'reflect')",
    "nn.Conv2d(4, 4, 3, groups=3)", "nn.Conv2d(3, 4, 3, groups=3)", "nn.Conv2d(3, 4, 3, groups=0)",
    "nn.Conv2d(3, 4, 3, padding='same', stride=2)", "nn.Conv2d(3, 4, 3, padding='other')", "nn.Conv2d(3, 4, (3,))",
    "nn.Conv2d(3, 4, (3, 3, 3))", "nn.Conv2d(3, 4, 3, stride=0)", "nn.Conv2d(3, 4, 3, padding=-1)",
    "nn.Conv2d(3, 4, 2.5)", "nn.Conv2d(3, -4, 3)", "nn.Conv2d(3, 4, kernel_size=3, padding=(1,))",
    "nn.Conv2d(3, 4, 0)", "nn.Conv2d(3, 4)", "nn.ConvTranspose2d(3, 4, 3, padding_mode='reflect')",
    "nn.ConvTranspose2d(3, 4, 3, 2, output_padding=1)", "nn.ConvTranspose2d(3, 4, 3, 2, 1, 1)",
    "nn.ConvTranspose2d(3, 6, 3, 2, 1, 1, 3, False)", "nn.ConvTranspose2d(4, 6, 3, groups=4)",
    "nn.ConvTranspose2d(3, 4, 3, 2, output_padding=2, dilation=3)", "nn.ConvTranspose2d(3, 4, 1, padding=9)",
])  # fmt: skip
@pytest.mark.parametrize("arguments", [
    "f32(2, 3, 9, 8)", "f32(3, 9, 8)", "f32(2, 4, 9, 8)", "f32(9, 8)", "f32(1, 2, 3, 9, 8)", "f64(2, 3, 9, 8)",
    "i64(2, 3, 9, 8)",
])  # fmt: skip
def test_arguments_and_inputs(layer: str, arguments: str) -> None:
    assert compare_layer(layer, arguments, attributes=ATTRIBUTES, device="cpu") is None


def test_empty_batch() -> None:
    assert compare_layer("nn.Conv2d(3, 4, 3)", "f32(0, 3, 9, 8)") is None
    assert compare_layer("nn.ConvTranspose2d(3, 4, 3)", "f32(0, 3, 9, 8)") is None


def test_output_size() -> None:
    cases = []
    for count in (1, 2, 3):
        for size in range(5, 16):
            for leading in ("", "2, 4, ", "4, "):
                sizes = f"[{leading}{', '.join([str(size)] * count)}]"
                layer = f"nn.ConvTranspose{count}d(3, 4, 3, stride=3, padding=1)"
                cases.append((layer, f"{shape(2, 3, *[4] * count)}, {sizes}"))
                cases.append((layer, f"{shape(3, *[4] * count)}, output_size={sizes}"))
    assert disagreements(cases) == []


def test_unfold_and_fold() -> None:
    cases = []
    for kernel, stride, padding, dilation in itertools.product((1, 2, 3, "(2, 3)"), (1, 2), (0, 1), (1, 2)):
        settings_ = f"{kernel}, {dilation}, {padding}, {stride}"
        cases += [(f"nn.Unfold({settings_})", given) for given in ("f32(2, 3, 7, 6)", "f32(3, 2, 6)", "f32(2, 3)")]
        cases += [
            (f"nn.Fold({size}, {settings_})", given)
            for size in (4, "(5, 4)")
            for given in ("f32(2, 12, 9)", "f32(12, 4)", "f32(2, 36, 16)", "f32(2, 12, 12)", "f32(2, 12, 16)")
        ]
    assert disagreements(cases) == []


sizes = st.integers(1, 9)


@settings(max_examples=150, deadline=None)
@given(st.tuples(sizes, sizes), st.tuples(sizes, sizes), st.tuples(*[st.integers(1, 3)] * 4), st.integers(0, 3))
def test_functions(
    size: tuple[int, int], kernel: tuple[int, int], steps: tuple[int, int, int, int], padding: int
) -> None:
    stride, dilation = steps[:2], steps[2:]
    given_ = f"f32(2, 4, *{size})"
    assert (
        compare_on_cpu(f"F.conv2d({given_}, f32(6, 2, *{kernel}), f32(6), {stride}, {padding}, {dilation}, 2)") is None
    )
    if min(size) <= 2 * padding:
        return  # a result of size 0: some of torch's kernels give it, others raise
    transposed = f"F.conv_transpose2d({given_}, f32(4, 3, *{kernel}), f32(6), {stride}, {padding}, 0, 2, {dilation})"
    assert compare_on_cpu(transposed) is None


@pytest.mark.parametrize("call", [
    "torch.conv2d(f32(2, 3, 8, 8), f32(4, 3, 3, 3), bias=f32(4))",
    "torch.conv2d(f32(2, 3, 8, 8), f32(4, 3, 3, 3), bias=f32(5))",
    "F.conv2d(f32(2, 3, 8, 8), f32(4, 3, 3, 3), stride=(1, 2, 3))", "torch.conv2d(f32(2, 3, 8, 8), f32(4, 3, 3))",
    "torch.conv1d(f32(2, 3, 8), f32(4, 3, 3), padding='same', dilation=2)",
    "F.conv1d(f32(3, 8), f32(4, 3, 3), stride=(2,))", "F.conv3d(f32(2, 3, 4, 4, 4), f32(4, 3, 3, 3, 3))",
    "F.conv2d(f32(2, 3, 8, 8), f32(4, 3, 3, 3), padding='full')", "torch.conv_transpose1d(f32(2, 3, 8), f32(3, 4, 3))",
    "F.conv2d(f32(2, 3, 8, 8), weight=f32(4, 3, 3, 3), padding='same')",
    "F.conv2d(f32(2, 4, 8, 8), f32(6, 1, 3, 3), groups=4)",
])  # fmt: skip
def test_calls(call: str) -> None:
    assert compare_on_cpu(call) is None


def size(name: str, value: int, serial: int) -> int:
    return of_symbol(Symbol(serial, "parameter", name, value))


def test_sizes_stay_symbolic() -> None:
    width, height, heads = size("width", 12, 1), size("height", 17, 2), size("groups", 4, 3)
    layer = conv.Conv2d(width, 2 * width, 3, stride=2, padding=1, groups=heads)
    result = layer(Tensor((5, width, height, height)))
    assert layer.weight.shape[1] * heads == width
    assert (layer.weight.shape[1] * heads).expr == width.expr  # type: ignore[attr-defined]
    assert [s.expr for s in result.shape[1:3]] == [(2 * width).expr, ((height - 1) // 2 + 1).expr]  # type: ignore[attr-defined]
    back = conv.ConvTranspose2d(2 * width, width, 4)(result, output_size=None)
    assert isinstance(back.shape[1], Dim) and back.shape[1].expr == width.expr  # type: ignore[attr-defined]
    asked = conv.ConvTranspose1d(3, 3, 2, stride=2)(Tensor((3, 8)), output_size=[height])
    assert asked.shape[1].expr == height.expr  # type: ignore[attr-defined]


def test_what_only_some_kernels_of_torch_refuse() -> None:
    bias = raised(lambda: convolution.conv2d(Tensor((2, 3, 8, 8)), Tensor((4, 3, 3, 3)), bias=Tensor((5,))))
    assert bias.message == "the bias of F.conv2d is (5,), but there are 4 output channels"
    empty = raised(lambda: conv.ConvTranspose1d(3, 4, 1, padding=1)(Tensor((3, 2))))
    assert empty.code == "LZ204"


def raised(call: Callable[[], object]) -> ShapeError:
    with pytest.raises(ShapeError) as caught:
        call()
    return caught.value


def test_messages() -> None:
    small = raised(lambda: conv.Conv2d(3, 4, 3, padding=1, dilation=3)(Tensor((2, 3, 3, 9))))
    assert small.code == "LZ204" and small.message == "the kernel (7) is larger than what reaches it (5)"
    assert "a kernel of 3 with dilation 3 covers 7" in small.notes
    channels = raised(lambda: conv.Conv2d(3, 4, 3)(Tensor((2, 5, 9, 9))))
    assert channels.code == "LZ210" and channels.message == "Conv2d has in_channels 3, but 5 reach it"
    rank = raised(lambda: conv.Conv2d(3, 4, 3)(Tensor((2, 3))))
    assert rank.message == "Conv2d needs an input of 4 dims, or 3 without a batch, not 2"
