"""Pooling: windows of a kernel, windows that fit a wanted result (adaptive, fractional), and the way back (unpool)."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.windows import at_least, per_dim, split, too_large
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import as_size
from lazygen.symbolic.tensor import Tensor, new, numel, shape_text

_UNPADDED = ("F.avg_pool3d", "F.lp_pool3d")  # these refuse a kernel that only padding makes room for


def pooled(
    name: str, count: int, input: Tensor, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> Tensor:
    """(N, C, *sizes) to (N, C, *window counts); the batch may be missing.  Without a stride the kernel is the step.

    Raises ShapeError (LZ204) if the kernel is larger than the padded size; averages over volumes do not count padding.
    """
    batch, channels, sizes = split(input, count, name)
    kernel, dilations = per_dim(kernel_size, count, "kernel_size"), per_dim(dilation, count, "dilation")
    empty = stride is None or (isinstance(stride, (tuple, list)) and not stride)
    strides = kernel if empty else per_dim(stride, count, "stride")
    paddings = per_dim(padding, count, "padding")
    for values, least, what in ((kernel, 1, "kernel_size"), (strides, 1, "stride"), (dilations, 1, "dilation")):
        at_least(values, least, what)
    at_least(paddings, 0, "padding")
    _not_empty(name, input, (channels, *sizes))
    counts = []
    for i, (size, k, s, p, d) in enumerate(zip(sizes, kernel, strides, paddings, dilations, strict=True)):
        if p > int(k) // 2:
            raise ShapeError(
                f"padding ({int(p)}) of {name} must be at most half of the kernel ({int(k)})",
                operands=(input,),
                code="LZ202",
            )
        if name in _UNPADDED and int(size) < int(k):
            raise too_large(k, size, k, 1, size, input=input, axis=len(batch) + 1 + i, name=name)
        counts.append(_count(size, k, s, p, d, ceil_mode, input=input, axis=len(batch) + 1 + i, name=name))
    return new((*batch, channels, *counts), input)


def _count(
    size: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool,
    *, input: Tensor, axis: int, name: str,
) -> int:  # fmt: skip
    # source: https://docs.pytorch.org/docs/stable/generated/torch.nn.MaxPool2d.html
    reach, padded = dilation * (kernel - 1) + 1, size + 2 * padding
    rest = padded - reach
    if ceil_mode:
        count = -(-rest // stride) + 1
        # The last window must start inside the input or its left padding, which the formula in the docs leaves out.
        if (int(count) - 1) * int(stride) >= int(size) + int(padding):
            count = count - 1
    else:
        count = rest // stride + 1
    if int(count) < 1:
        raise too_large(reach, padded, kernel, dilation, size, input=input, axis=axis, name=name)
    return count


def _not_empty(name: str, input: Tensor, sizes: tuple[int, ...]) -> None:
    if 0 in sizes:
        raise ShapeError(
            f"{name} needs sizes other than 0 but for the batch",
            operands=(input,),
            notes=(f"the input is {shape_text(input.shape)}",),
            code="LZ202",
        )


def _with_indices(result: Tensor) -> tuple[Tensor, Tensor]:
    return result, new(result.shape, result, dtype=dtypes.int64)


def _declare_max_pool(count: int, example: str) -> None:
    plain, indexed = f"F.max_pool{count}d", f"max_pool{count}d_with_indices"

    @rule(plain, f"torch.max_pool{count}d", examples=[f"{plain}({example})", f"{plain}({example}, ceil_mode=True)"])
    def max_pool(
        input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
        ceil_mode: bool = False, return_indices: bool = False,
    ) -> Any:  # fmt: skip
        result = pooled(plain, count, input, kernel_size, stride, padding, dilation, ceil_mode)
        return _with_indices(result) if return_indices else result

    @rule(f"F.{indexed}", *(["torch." + indexed] if count == 1 else []), examples=[f"F.{indexed}({example})"])
    def max_pool_with_indices(
        input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
        ceil_mode: bool = False, return_indices: bool = False,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        return _with_indices(pooled(plain, count, input, kernel_size, stride, padding, dilation, ceil_mode))


_declare_max_pool(1, "f32(2, 3, 9), 2")
_declare_max_pool(2, "f32(2, 3, 9, 8), (3, 2), 2, 1")
_declare_max_pool(3, "f32(2, 3, 9, 8, 7), 3, padding=1")


@rule(
    "F.avg_pool1d",
    "torch.avg_pool1d",
    examples=["F.avg_pool1d(f32(2, 3, 9), 2)", "F.avg_pool1d(f32(3, 9), 2, 2, 1, True)"],
)
def avg_pool1d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:  # fmt: skip
    return pooled("F.avg_pool1d", 1, input, kernel_size, stride, padding, 1, ceil_mode)


@rule("F.avg_pool2d", examples=["F.avg_pool2d(f32(2, 3, 9, 8), (3, 2), 2, 1)"])
def avg_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None,
) -> Tensor:  # fmt: skip
    return _averaged("F.avg_pool2d", 2, input, kernel_size, stride, padding, ceil_mode, divisor_override)


@rule("F.avg_pool3d", examples=["F.avg_pool3d(f32(2, 3, 9, 8, 7), 3, padding=1)"])
def avg_pool3d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None,
) -> Tensor:  # fmt: skip
    return _averaged("F.avg_pool3d", 3, input, kernel_size, stride, padding, ceil_mode, divisor_override)


def _averaged(
    name: str,
    count: int,
    input: Tensor,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    divisor: int | None,
) -> Tensor:
    if divisor is not None and int(divisor) == 0:
        raise ShapeError(f"divisor_override of {name} must not be 0", code="LZ202")
    return pooled(name, count, input, kernel_size, stride, padding, 1, ceil_mode)


def _declare_lp_pool(count: int, example: str) -> None:
    name = f"F.lp_pool{count}d"

    @rule(name, examples=[f"{name}({example})"])
    def lp_pool(
        input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> Tensor:
        return pooled(name, count, input, kernel_size, stride, 0, 1, ceil_mode)


_declare_lp_pool(1, "f32(2, 3, 9), 2, 3")
_declare_lp_pool(2, "f32(2, 3, 9, 8), 2, 3, stride=2")
_declare_lp_pool(3, "f32(2, 3, 9, 8, 7), 1, 2, ceil_mode=True")


_MEANS = (
    "F.adaptive_avg_pool2d",
    "F.adaptive_avg_pool3d",
)  # for one number a channel these take any rank, as mean does


def adapted(name: str, count: int, input: Tensor, output_size: Any) -> Tensor:
    """(N, C, *sizes) to (N, C, *output_size); None keeps a size."""
    # source: https://docs.pytorch.org/docs/stable/generated/torch.nn.AdaptiveAvgPool2d.html
    if input.dtype.category < 2:
        raise ShapeError(
            f"{name} needs floating point numbers, not {input.dtype.name}", operands=(input,), code="LZ230"
        )
    if name in _MEANS and output_size in (1, (1,) * count, [1] * count) and len(input.shape) >= count:
        return new((*input.shape[: len(input.shape) - count], *[1] * count), input)
    batch, channels, sizes = split(input, count, name)
    _not_empty(name, input, sizes)
    wanted = list(output_size) if isinstance(output_size, (tuple, list)) else [output_size]
    if len(wanted) not in (1, count):
        raise ShapeError(f"output_size of {name} has {len(wanted)} sizes, not {count}", code="LZ202")
    if output_size is None or (count == 1 and wanted[0] is None):
        raise ShapeError(f"{name} needs an output_size", code="LZ202")
    wanted = wanted * (count if len(wanted) == 1 else 1)
    results = tuple(size if given is None else as_size(given) for size, given in zip(sizes, wanted, strict=True))
    at_least(results, 0, "output_size")
    return new((*batch, channels, *results), input)


def _declare_adaptive(count: int, example: str) -> None:
    mean, largest = f"F.adaptive_avg_pool{count}d", f"F.adaptive_max_pool{count}d"

    @rule(mean, *(["torch.adaptive_avg_pool1d"] if count == 1 else []), examples=[f"{mean}({example})"])
    def adaptive_avg_pool(input: Tensor, output_size: Any) -> Tensor:
        return adapted(mean, count, input, output_size)

    @rule(largest, examples=[f"{largest}({example})", f"{largest}({example}, return_indices=True)"])
    def adaptive_max_pool(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
        result = adapted(largest, count, input, output_size)
        return _with_indices(result) if return_indices else result

    names = [f"{largest}_with_indices", *(["torch.adaptive_max_pool1d"] if count == 1 else [])]

    @rule(*names, examples=[f"{names[0]}({example})"])
    def adaptive_max_pool_with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
        return _with_indices(adapted(largest, count, input, output_size))


_declare_adaptive(1, "f32(2, 3, 9), 4")
_declare_adaptive(2, "f32(2, 3, 9, 8), (4, 1)")
_declare_adaptive(3, "f32(2, 3, 9, 8, 7), 2")


def fractional(name: str, count: int, input: Tensor, kernel_size: Any, output_size: Any, output_ratio: Any) -> Tensor:
    """(N, C, *sizes) to (N, C, *output_size), or to the sizes times `output_ratio`, rounded down."""
    # source: https://docs.pytorch.org/docs/stable/generated/torch.nn.FractionalMaxPool2d.html
    batch, channels, sizes = split(input, count, name)
    kernel = per_dim(kernel_size, count, "kernel_size")
    at_least(kernel, 1, "kernel_size")
    if output_size is None:
        if output_ratio is None:
            raise ShapeError(f"{name} needs an output_size or an output_ratio", code="LZ202")
        ratios = tuple(output_ratio) if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * count
        results = tuple(int(size * ratio) for size, ratio in zip(sizes, ratios, strict=True))
    else:
        results = per_dim(output_size, count, "output_size")
    at_least(results, 1, "output_size")
    for i, (size, k, result) in enumerate(zip(sizes, kernel, results, strict=True)):
        if int(result) + int(k) - 1 > int(size):
            raise ShapeError(
                f"{int(result)} windows of {int(k)} do not fit into {int(size)} in {name}",
                operands=(input,),
                notes=(f"the input is {shape_text(input.shape)}: dim {len(batch) + 1 + i} is {int(size)}",),
                code="LZ204",
            )
    return new((*batch, channels, *results), input)


def _declare_fractional(count: int, example: str) -> None:
    name = f"F.fractional_max_pool{count}d"

    @rule(name, examples=[f"{name}({example})"])
    def fractional_max_pool(
        input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
        return_indices: bool = False, _random_samples: Tensor | None = None,
    ) -> Any:  # fmt: skip
        result = fractional(name, count, input, kernel_size, output_size, output_ratio)
        return _with_indices(result) if return_indices else result

    @rule(f"{name}_with_indices", examples=[f"{name}_with_indices({example})"])
    def fractional_max_pool_with_indices(
        input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
        return_indices: bool = False, _random_samples: Tensor | None = None,
    ) -> Any:  # fmt: skip
        return _with_indices(fractional(name, count, input, kernel_size, output_size, output_ratio))


_declare_fractional(2, "f32(2, 3, 9, 8), 2, (4, 3)")
_declare_fractional(3, "f32(2, 3, 9, 8, 7), 2, output_ratio=0.5")


def unpooled(
    name: str, count: int, input: Tensor, indices: Tensor, kernel_size: Any, stride: Any, padding: Any, output_size: Any
) -> Tensor:
    """(N, C, *sizes) to (N, C, *larger sizes): `(n - 1)*stride - 2*padding + kernel`, or `output_size` if near it."""
    # source: https://docs.pytorch.org/docs/stable/generated/torch.nn.MaxUnpool2d.html
    batch, channels, sizes = split(input, count, name)
    if indices.dtype is not dtypes.int64:
        raise ShapeError(f"{name} needs int64 indices, not {indices.dtype.name}", operands=(indices,), code="LZ230")
    if list(map(int, indices.shape)) != list(map(int, input.shape)):
        raise ShapeError(
            f"input and indices of {name} have different shapes",
            operands=(input, indices),
            notes=(f"they are {shape_text(input.shape)} and {shape_text(indices.shape)}",),
            code="LZ201",
        )
    kernel, paddings = per_dim(kernel_size, count, "kernel_size"), per_dim(padding, count, "padding")
    strides = kernel if stride is None else per_dim(stride, count, "stride")
    usual = tuple((n - 1) * s + k - 2 * p for n, s, k, p in zip(sizes, strides, kernel, paddings, strict=True))
    if output_size is None:
        at_least(usual, 0, f"the result of {name}")
        return new((*batch, channels, *usual), input)
    wanted = list(output_size)
    wanted = wanted[2:] if len(wanted) == count + 2 else wanted
    if len(wanted) != count:
        raise ShapeError(f"output_size of {name} has {len(wanted)} sizes, not {count}", code="LZ202")
    for given, size, step in zip(wanted, usual, strides, strict=True):
        if not int(size) - int(step) < int(given) < int(size) + int(step):
            raise ShapeError(
                f"{name} cannot give {int(given)}, only {int(size) - int(step) + 1} to {int(size) + int(step) - 1}",
                operands=(input,),
                code="LZ202",
            )
    if int(numel(wanted)) < 0:
        raise ShapeError(f"{name} cannot give {shape_text(wanted)}", operands=(input,), code="LZ202")
    return new((*batch, channels, *wanted), input)


def _declare_unpool(count: int, example: str) -> None:
    name = f"F.max_unpool{count}d"

    @rule(name, examples=[f"{name}({example})"])
    def max_unpool(
        input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
    ) -> Tensor:
        return unpooled(name, count, input, indices, kernel_size, stride, padding, output_size)


_declare_unpool(1, "f32(2, 3, 4), i64(2, 3, 4), 2")
_declare_unpool(2, "f32(2, 3, 4, 5), i64(2, 3, 4, 5), 3, 2, 1")
_declare_unpool(3, "f32(2, 3, 4, 5, 6), i64(2, 3, 4, 5, 6), 2")
