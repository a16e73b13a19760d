"""Convolution and transposed convolution."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.equalities import agree
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.windows import at_least, per_dim, same_dtype, split, window_count
from lazygen.symbolic.rules import rule
from lazygen.symbolic.tensor import Tensor, new, shape_text


def convolve(
    name: str,
    count: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Tensor:
    """(N, in, *sizes) with weight (out, in/groups, *kernel) to (N, out, *window counts); the batch may be missing."""
    # source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Conv2d.html
    batch, channels, sizes = split(input, count, name)
    out_channels, *kernel = weight.shape or (0,)
    _check_weight(name, count, input, weight, bias, out_channels, groups)
    if out_channels < groups or int(out_channels) % int(groups):
        raise ShapeError(
            f"{int(out_channels)} output channels cannot be split into {int(groups)} groups in {name}",
            operands=(weight,),
            code="LZ202",
        )
    _check_channels(name, input, weight, channels, kernel.pop(0) * groups)
    strides, dilations = _steps(count, stride, dilation)
    if isinstance(padding, str):
        totals = _named_padding(name, padding, weight, strides, dilations)
    else:
        paddings = per_dim(padding, count, "padding")
        at_least(paddings, 0, "padding")
        totals = tuple(2 * p for p in paddings)
    start = len(batch) + 1
    counts = [
        size if padding == "same"
        else window_count(size, k, s, p, d, input=input, axis=at, name=name)
        for at, (size, k, s, p, d) in enumerate(zip(sizes, kernel, strides, totals, dilations, strict=True), start)
    ]  # fmt: skip
    return new((*batch, out_channels, *counts), input)


def convolve_transposed(
    name: str, count: int, input: Tensor, weight: Tensor, bias: Tensor | None,
    stride: Any, padding: Any, output_padding: Any, groups: int, dilation: Any,
) -> Tensor:  # fmt: skip
    """(N, in, *sizes) with weight (in, out/groups, *kernel) to (N, out, *larger sizes)."""
    # source: https://docs.pytorch.org/docs/stable/generated/torch.nn.ConvTranspose2d.html
    batch, channels, sizes = split(input, count, name)
    _check_weight(name, count, input, weight, bias, weight.shape[1] * groups, groups)
    _check_channels(name, input, weight, channels, weight.shape[0])
    if int(weight.shape[0]) % int(groups):
        raise ShapeError(
            f"{int(weight.shape[0])} input channels cannot be split into {int(groups)} groups in {name}",
            operands=(weight,),
            code="LZ202",
        )
    strides, dilations = _steps(count, stride, dilation)
    paddings, extras = per_dim(padding, count, "padding"), per_dim(output_padding, count, "output_padding")
    at_least(paddings, 0, "padding")
    at_least(extras, 0, "output_padding")
    results = []
    for size, k, s, p, extra, d in zip(sizes, weight.shape[2:], strides, paddings, extras, dilations, strict=True):
        if int(extra) >= max(int(s), int(d)):
            raise ShapeError(
                f"output_padding ({int(extra)}) of {name} is not smaller than stride or dilation",
                operands=(input,),
                notes=(f"stride is {int(s)}, dilation {int(d)}",),
                code="LZ202",
            )
        result = (size - 1) * s - 2 * p + d * (k - 1) + extra + 1
        if int(result) < 1:
            raise ShapeError(
                f"nothing is left of {int(size)} in {name}: the result would be {int(result)}",
                operands=(input,),
                notes=(f"the input is {shape_text(input.shape)}, padding takes {2 * int(p)} away",),
                code="LZ204",
            )
        results.append(result)
    return new((*batch, weight.shape[1] * groups, *results), input)


def _check_weight(
    name: str, count: int, input: Tensor, weight: Tensor, bias: Tensor | None, out_channels: int, groups: int
) -> None:
    if len(weight.shape) != count + 2:
        raise ShapeError(
            f"{name} needs a weight of {count + 2} dims, not {len(weight.shape)}", operands=(weight,), code="LZ202"
        )
    at_least((groups,), 1, "groups")
    at_least(weight.shape[2:], 1, "kernel_size")
    if bias is not None and (len(bias.shape) != 1 or int(bias.shape[0]) != int(out_channels)):
        raise ShapeError(
            f"the bias of {name} is {shape_text(bias.shape)}, but there are {int(out_channels)} output channels",
            operands=(bias,),
            code="LZ202",
        )
    same_dtype(name, input, weight, bias)


def _check_channels(name: str, input: Tensor, weight: Tensor, given: int, wanted: int) -> None:
    if int(given) != int(wanted):
        raise ShapeError(
            f"{name} has a weight for {int(wanted)} channels, but {int(given)} reach it",
            operands=(input, weight),
            notes=(f"the input is {shape_text(input.shape)}, the weight {shape_text(weight.shape)}",),
            code="LZ201",
        )
    agree(given, wanted)


def _steps(count: int, stride: Any, dilation: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    strides, dilations = per_dim(stride, count, "stride"), per_dim(dilation, count, "dilation")
    at_least(strides, 1, "stride")
    at_least(dilations, 1, "dilation")
    return strides, dilations


def _named_padding(
    name: str, padding: str, weight: Tensor, strides: tuple[int, ...], dilations: tuple[int, ...]
) -> tuple[int, ...]:
    if padding not in ("same", "valid"):
        raise ShapeError(f"padding of {name} is 'same', 'valid' or sizes, not {padding!r}", code="LZ202")
    if padding == "valid":
        return (0,) * len(strides)
    if any(int(s) != 1 for s in strides):
        raise ShapeError(f"padding='same' needs stride 1 in {name}, not {shape_text(strides)}", code="LZ202")
    return tuple(d * (k - 1) for d, k in zip(dilations, weight.shape[2:], strict=True))


@rule("F.conv1d", "torch.conv1d", examples=["F.conv1d(f32(2, 3, 9), f32(4, 3, 3), stride=2)"])
def conv1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None,
    stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    return convolve("F.conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


@rule("F.conv2d", "torch.conv2d", examples=["F.conv2d(f32(2, 4, 9, 8), f32(6, 2, 3, 3), padding='same', groups=2)"])
def conv2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None,
    stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    return convolve("F.conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


@rule("F.conv3d", "torch.conv3d", examples=["F.conv3d(f32(2, 3, 5, 6, 7), f32(4, 3, 3, 3, 3), padding=(1, 0, 2))"])
def conv3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None,
    stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    return convolve("F.conv3d", 3, input, weight, bias, stride, padding, dilation, groups)


@rule(
    "F.conv_transpose1d",
    "torch.conv_transpose1d",
    examples=["F.conv_transpose1d(f32(2, 3, 9), f32(3, 4, 3), stride=2)"],
)
def conv_transpose1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None,
    stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: int = 1, dilation: Any = 1,
) -> Tensor:  # fmt: skip
    name = "F.conv_transpose1d"
    return convolve_transposed(name, 1, input, weight, bias, stride, padding, output_padding, groups, dilation)


@rule(
    "F.conv_transpose2d",
    "torch.conv_transpose2d",
    examples=["F.conv_transpose2d(f32(2, 3, 9, 9), f32(3, 4, 3, 3), stride=2, padding=1, output_padding=1)"],
)
def conv_transpose2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None,
    stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: int = 1, dilation: Any = 1,
) -> Tensor:  # fmt: skip
    name = "F.conv_transpose2d"
    return convolve_transposed(name, 2, input, weight, bias, stride, padding, output_padding, groups, dilation)


@rule(
    "F.conv_transpose3d", "torch.conv_transpose3d", examples=["F.conv_transpose3d(f32(3, 4, 5, 6), f32(3, 4, 2, 2, 2))"]
)
def conv_transpose3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None,
    stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: int = 1, dilation: Any = 1,
) -> Tensor:  # fmt: skip
    name = "F.conv_transpose3d"
    return convolve_transposed(name, 3, input, weight, bias, stride, padding, output_padding, groups, dilation)
