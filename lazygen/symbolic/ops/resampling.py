"""Padding, resizing of images, and windows laid out as columns."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from lazygen.symbolic.dim import Dim
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.resize import quotient
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import as_size, meet, size_list
from lazygen.symbolic.tensor import Tensor, new, numel, shape_text


@rule(
    "F.pad",
    "torch.constant_pad_nd",
    examples=[
        "F.pad(f32(2, 3), (1, 2))",
        "F.pad(f32(2, 3, 4, 5), (1, 1, 2, 0), mode='reflect')",
        "F.pad(f32(5), (-1, -1))",
    ],
)
def pad(input: Tensor, pad: Any, mode: str = "constant", value: Any = None) -> Tensor:
    amounts = size_list([pad]) if isinstance(pad, (tuple, list)) else [as_size(pad)]
    dims = len(amounts) // 2
    if len(amounts) % 2 or dims > input.ndim:
        raise ShapeError(
            f"pad takes two numbers for each of up to {input.ndim} dims, not {len(amounts)}",
            operands=(input,),
            code="LZ202",
        )
    if mode != "constant":
        _check_mode(input, dims, amounts, mode, value)
    shape = list(input.shape)
    for at in range(dims):
        before, after = amounts[2 * at], amounts[2 * at + 1]
        size = shape[-1 - at] + before + after
        if int(size) < (0 if mode == "constant" else 1):
            raise ShapeError(
                f"pad by {int(before)} and {int(after)} leaves nothing of dim {input.ndim - 1 - at}, whose size is"
                f" {int(shape[-1 - at])}",
                operands=(input,),
                code="LZ202",
            )
        shape[-1 - at] = size
    return new(shape, input)


def _check_mode(input: Tensor, dims: int, amounts: Sequence[int], mode: str, value: Any) -> None:
    if mode not in ("reflect", "replicate", "circular"):
        raise ShapeError(f"pad has no mode {mode!r}", operands=(input,))
    if value:
        raise ShapeError(f"pad with mode {mode!r} takes no value", operands=(input,))
    if dims not in (1, 2, 3) or input.ndim not in (dims + 1, dims + 2):
        raise ShapeError(
            f"pad with mode {mode!r} of {dims} dims takes {dims + 1} or {dims + 2} dims, not {shape_text(input.shape)}",
            operands=(input,),
            code="LZ202",
        )
    for at, amount in enumerate(amounts):
        size, limit = input.shape[-1 - at // 2], 1 if mode == "reflect" else 0
        if mode != "replicate" and int(amount) > int(size) - limit:
            raise ShapeError(
                f"pad by {int(amount)} with mode {mode!r} is more than dim {input.ndim - 1 - at // 2} has: {int(size)}",
                operands=(input,),
                code="LZ204",
            )


_RANKS = {
    "nearest": (3, 4, 5), "nearest-exact": (3, 4, 5), "area": (3, 4, 5), "linear": (3,), "bilinear": (4,),
    "bicubic": (4,), "trilinear": (5,), "lanczos": (4,),
}  # fmt: skip


@rule(
    "F.interpolate",
    "F.upsample",
    examples=[
        "F.interpolate(f32(2, 3, 4, 5), scale_factor=2)",
        "F.interpolate(f32(2, 3, 4, 5), size=(7, 9), mode='bilinear', align_corners=False)",
        "F.interpolate(f32(2, 3, 9), scale_factor=0.5, mode='linear')",
    ],
)
def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    spatial = input.ndim - 2
    if mode not in _RANKS or input.ndim not in _RANKS[mode]:
        known = f"needs {' or '.join(str(r) for r in _RANKS[mode])} dims" if mode in _RANKS else "is none it has"
        raise ShapeError(
            f"interpolate of {shape_text(input.shape)}: mode {mode!r} {known}", operands=(input,), code="LZ202"
        )
    if align_corners is not None and mode in ("nearest", "nearest-exact", "area"):
        raise ShapeError(f"interpolate takes no align_corners with mode {mode!r}", operands=(input,))
    if (size is None) == (scale_factor is None):
        raise ShapeError("interpolate needs either size or scale_factor", operands=(input,))
    if antialias and mode not in ("bilinear", "bicubic", "lanczos"):
        raise ShapeError(f"interpolate takes no antialias with mode {mode!r}", operands=(input,))
    if size is not None and recompute_scale_factor:
        raise ShapeError("interpolate takes no recompute_scale_factor with a size", operands=(input,))
    given = size if size is not None else scale_factor
    numbers = list(given) if isinstance(given, (tuple, list)) else [given] * spatial
    if len(numbers) != spatial:
        raise ShapeError(
            f"interpolate of {shape_text(input.shape)} got {len(numbers)} numbers for {spatial} dims",
            operands=(input,),
            code="LZ202",
        )
    if size is not None:
        sizes = [as_size(number) for number in numbers]
    else:
        sizes = [scaled(old, number) for old, number in zip(input.shape[2:], numbers, strict=True)]
    if mode != "area" and any(int(number) < 1 for number in sizes):
        raise ShapeError(
            f"interpolate of {shape_text(input.shape)} to {shape_text(sizes)}: a size of 0",
            operands=(input,),
            code="LZ202",
        )
    return new((*input.shape[:2], *sizes), input)


def scaled(size: int, factor: Any) -> int:
    """`floor(size * factor)`, exactly where the factor is a whole number or a plain fraction: `n * 2`, `n // 2`.

    source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Upsample.html
    """
    if isinstance(factor, Tensor):
        factor = factor.number()
    if isinstance(factor, int) or hasattr(factor, "__index__"):
        whole: int = size * as_size(factor)
        return whole
    number = int(float(int(size)) * float(factor) // 1)
    if not isinstance(size, Dim):
        return number
    near = Fraction(float(factor)).limit_denominator(64)
    exact: int = size * near.numerator // near.denominator
    return exact if float(near) == float(factor) and int(exact) == number else number


def pair(value: Any, count: int = 2) -> list[int]:
    """One number for each of `count` dims, from one for all or a sequence."""
    sizes = size_list([value]) if isinstance(value, (tuple, list)) else [as_size(value)]
    if len(sizes) == 1:
        sizes = sizes * count
    if len(sizes) != count:
        raise ShapeError(f"{len(sizes)} numbers were given for {count} dims", code="LZ202")
    return sizes


def _windows(
    size: Sequence[int], kernel: Sequence[int], dilation: Sequence[int], padding: Sequence[int], stride: Sequence[int]
) -> list[int]:
    """How many windows fit along each dim.

    source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Unfold.html
    """
    return [
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, d, p, s in zip(size, kernel, dilation, padding, stride, strict=True)
    ]


def _check_windows(
    name: str, kernel: Sequence[int], dilation: Sequence[int], stride: Sequence[int], padding: Sequence[int]
) -> None:
    if any(int(n) <= 0 for numbers in (kernel, dilation, stride) for n in numbers) or any(int(n) < 0 for n in padding):
        raise ShapeError(f"{name} needs a kernel, stride and dilation above 0, and no negative padding", code="LZ202")


@rule("F.unfold", examples=["F.unfold(f32(2, 3, 10, 12), (4, 5), stride=2)", "F.unfold(f32(3, 4, 4), 2)"])
def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    kernel, spread, margin, step = pair(kernel_size), pair(dilation), pair(padding), pair(stride)
    _check_windows("unfold", kernel, spread, step, margin)
    if input.ndim not in (3, 4) or not all(int(size) for size in input.shape[-3:]):
        raise ShapeError(
            f"unfold needs (C, H, W) or (N, C, H, W), not {shape_text(input.shape)}", operands=(input,), code="LZ202"
        )
    blocks = _windows(input.shape[-2:], kernel, spread, margin, step)
    if any(int(count) < 1 for count in blocks):
        raise ShapeError(
            f"unfold of {shape_text(input.shape)}: a kernel of {shape_text(kernel)} does not fit",
            operands=(input,),
            code="LZ204",
        )
    return new((*input.shape[:-3], input.shape[-3] * numel(kernel), numel(blocks)), input)


@rule(
    "F.fold",
    examples=["F.fold(f32(2, 24, 4), (4, 5), (2, 4), padding=(0, 1), stride=2)", "F.fold(f32(12, 12), (4, 5), (2, 2))"],
)
def fold(
    input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    size, kernel = pair(output_size), pair(kernel_size)
    spread, margin, step = pair(dilation), pair(padding), pair(stride)
    _check_windows("fold", kernel, spread, step, margin)
    if input.ndim not in (2, 3) or not all(int(n) for n in input.shape[-2:]):
        raise ShapeError(
            f"fold needs (C, L) or (N, C, L), not {shape_text(input.shape)}", operands=(input,), code="LZ202"
        )
    channels, block = input.shape[-2], numel(kernel)
    if int(channels) % int(block):
        raise ShapeError(
            f"fold of {shape_text(input.shape)}: {int(channels)} channels do not divide by a kernel of {int(block)}",
            operands=(input,),
            code="LZ202",
        )
    blocks = _windows(size, kernel, spread, margin, step)
    if any(int(count) < 1 for count in blocks) or int(numel(blocks)) != int(input.shape[-1]):
        raise ShapeError(
            f"fold of {shape_text(input.shape)} to {shape_text(size)}: {int(input.shape[-1])} columns are not"
            f" {' * '.join(str(int(count)) for count in blocks)}",
            operands=(input,),
            code="LZ201",
        )
    return new((*input.shape[:-2], quotient(channels, block), *size), input)


@rule("F.pixel_shuffle", "torch.pixel_shuffle", examples=["F.pixel_shuffle(f32(2, 12, 3, 4), 2)"])
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """(..., C * r**2, H, W) to (..., C, H * r, W * r)."""
    factor = _factor(input, upscale_factor, "pixel_shuffle")
    channels, height, width = input.shape[-3:]
    if int(channels) % int(factor * factor):
        raise ShapeError(
            f"pixel_shuffle by {int(factor)}: {int(channels)} channels do not divide by {int(factor * factor)}",
            operands=(input,),
            code="LZ202",
        )
    return new((*input.shape[:-3], quotient(channels, factor * factor), height * factor, width * factor), input)


@rule("F.pixel_unshuffle", "torch.pixel_unshuffle", examples=["F.pixel_unshuffle(f32(2, 3, 4, 6), 2)"])
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """(..., C, H * r, W * r) to (..., C * r**2, H, W)."""
    factor = _factor(input, downscale_factor, "pixel_unshuffle")
    channels, height, width = input.shape[-3:]
    for at, size in ((-2, height), (-1, width)):
        if int(size) % int(factor):
            raise ShapeError(
                f"pixel_unshuffle by {int(factor)}: {int(size)} in dim {input.ndim + at} does not divide by it",
                operands=(input,),
                code="LZ202",
            )
    return new(
        (*input.shape[:-3], channels * factor * factor, quotient(height, factor), quotient(width, factor)), input
    )


def _factor(input: Tensor, factor: Any, name: str) -> int:
    number = as_size(factor)
    if input.ndim < 3 or int(number) < 1:
        raise ShapeError(
            f"{name} by {int(number)} needs (..., C, H, W) and a factor above 0, not {shape_text(input.shape)}",
            operands=(input,),
            code="LZ202",
        )
    return number


@rule("F.channel_shuffle", "torch.channel_shuffle", examples=["F.channel_shuffle(f32(2, 6, 3, 3), 2)"])
def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    if input.ndim < 3 or int(groups) < 1 or int(input.shape[1]) % int(groups):
        raise ShapeError(
            f"channel_shuffle of {shape_text(input.shape)} by {int(groups)} groups: dim 1 must divide by them",
            operands=(input,),
            code="LZ202",
        )
    return new(input.shape, input)


@rule(
    "F.grid_sample",
    "torch.grid_sampler",
    examples=[
        "F.grid_sample(f32(2, 3, 4, 5), f32(2, 6, 7, 2))",
        "F.grid_sample(f32(2, 3, 4, 5, 6), f32(2, 6, 7, 8, 3))",
    ],
)
def grid_sample(
    input: Tensor, grid: Tensor, mode: Any = "bilinear", padding_mode: Any = "zeros", align_corners: Any = None
) -> Tensor:
    both = (input, grid)
    if input.ndim not in (4, 5) or grid.ndim != input.ndim:
        raise ShapeError(
            f"grid_sample needs 4 or 5 dims in both: {shape_text(input.shape)} and {shape_text(grid.shape)}",
            operands=both,
            code="LZ202",
        )
    if int(input.shape[0]) != int(grid.shape[0]) or int(grid.shape[-1]) != input.ndim - 2:
        raise ShapeError(
            f"sizes do not meet in grid_sample: {shape_text(input.shape)} and {shape_text(grid.shape)}",
            operands=both,
            notes=(f"the grid must start with {int(input.shape[0])} and end with {input.ndim - 2}",),
            code="LZ201",
        )
    if input.dtype is not grid.dtype:
        raise ShapeError(
            f"dtypes do not meet in grid_sample: {input.dtype.name} and {grid.dtype.name}", operands=both, code="LZ230"
        )
    if not all(int(size) for size in input.shape[2:]):
        raise ShapeError(f"grid_sample of {shape_text(input.shape)}: nothing to sample", operands=both, code="LZ202")
    return new((meet(input.shape[0], grid.shape[0]), input.shape[1], *grid.shape[1:-1]), input)


@rule(
    "F.affine_grid",
    examples=["F.affine_grid(f32(2, 2, 3), (2, 3, 4, 5))", "F.affine_grid(f32(2, 3, 4), (2, 3, 4, 5, 6))"],
)
def affine_grid(theta: Tensor, size: Any, align_corners: bool | None = None) -> Tensor:
    sizes = size_list([size])
    spatial = len(sizes) - 2
    if not theta.dtype.is_floating_point:
        raise ShapeError(f"affine_grid needs a floating theta, not {theta.dtype.name}", operands=(theta,), code="LZ230")
    if spatial not in (2, 3) or any(int(n) < 1 for n in sizes):
        raise ShapeError(f"affine_grid needs a size of 4 or 5 numbers above 0, not {shape_text(sizes)}", code="LZ202")
    if [int(n) for n in theta.shape] != [int(sizes[0]), spatial, spatial + 1]:
        raise ShapeError(
            f"affine_grid of {shape_text(sizes)} needs a theta of {shape_text((sizes[0], spatial, spatial + 1))}, not"
            f" {shape_text(theta.shape)}",
            operands=(theta,),
            code="LZ201",
        )
    return new((*sizes[:1], *sizes[2:], spatial), theta)


@rule("F.upsample_nearest", examples=["F.upsample_nearest(f32(2, 3, 4, 5), scale_factor=2)"])
def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    return interpolate(input, size, scale_factor)


@rule("F.upsample_bilinear", examples=["F.upsample_bilinear(f32(2, 3, 4, 5), size=(7, 9))"])
def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    return interpolate(input, size, scale_factor, "bilinear", True)
