"""Convolution layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.build import chosen, function, ntuple, register, whole
from lazygen.symbolic.nn.module import Module, fit
from lazygen.symbolic.ops import convolution
from lazygen.symbolic.ops.windows import per_dim, split
from lazygen.symbolic.resize import quotient
from lazygen.symbolic.tensor import Tensor, shape_text

MODES = ("zeros", "reflect", "replicate", "circular")


class _ConvNd(Module):
    """What all convolutions hold: weight (out, in/groups, *kernel), bias (out,)."""

    count = 0  # the dims that the kernel slides over
    transposed = False

    def _set(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any, padding: Any, dilation: Any,
        output_padding: Any, groups: int, bias: bool, padding_mode: str, device: Any, dtype: Any,
    ) -> None:  # fmt: skip
        Module.__init__(self)
        self.kernel_size, self.stride = ntuple(kernel_size, self.count), ntuple(stride, self.count)
        self.padding: Any = padding if isinstance(padding, str) else ntuple(padding, self.count)
        self.dilation = ntuple(dilation, self.count)
        self.output_padding = ntuple(output_padding, self.count)
        self.groups, self.padding_mode = groups, padding_mode
        self.in_channels, self.out_channels = whole(in_channels), chosen(out_channels)
        self._check_arguments()
        register(self, "weight", self._weight_shape(), dtype, device)
        register(self, "bias", (self.out_channels,) if bias else None, dtype, device)
        self.reset_parameters()

    def _check_arguments(self) -> None:
        if int(self.groups) <= 0:
            raise ShapeError("groups must be a positive integer", code="LZ202")
        self._check_groups()
        if isinstance(self.padding, str):
            if self.padding not in ("same", "valid"):
                raise ShapeError(f"padding must be 'same', 'valid' or sizes, not {self.padding!r}", code="LZ202")
            if self.padding == "same" and any(int(s) != 1 for s in self.stride):
                raise ShapeError("padding='same' needs stride 1", code="LZ202")
        if self.padding_mode not in (MODES[:1] if self.transposed else MODES):
            raise ShapeError(f"{type(self).__name__} has no padding_mode {self.padding_mode!r}", code="LZ202")

    def _check_groups(self) -> None:
        for name in ("in_channels", "out_channels"):
            if int(getattr(self, name)) % int(self.groups):
                size = int(getattr(self, name))
                raise ShapeError(
                    f"{type(self).__name__} cannot split {name} {size} into {int(self.groups)} groups",
                    helps=(f"choose groups that divide {size}, or another number of channels before",),
                    code="LZ202",
                )

    def _weight_shape(self) -> tuple[int, ...]:
        out, into = self.out_channels, self.in_channels
        first, second = (into, out) if self.transposed else (out, into)
        return (first, quotient(second, self.groups), *self.kernel_size)

    @property
    def _reversed_padding_repeated_twice(self) -> list[int]:
        """The padding of each end, last dim first, as `F.pad` takes it."""
        if not isinstance(self.padding, str):
            return [p for p in reversed(self.padding) for _ in range(2)]
        sides = []
        for dilation, kernel in zip(reversed(self.dilation), reversed(self.kernel_size), strict=True):
            total = dilation * (kernel - 1) if self.padding == "same" else 0
            sides += [total // 2, total - total // 2]
        return sides

    def reset_parameters(self) -> None:
        return None

    def extra_repr(self) -> str:
        return (
            f"{int(self.in_channels)}, {int(self.out_channels)}, kernel_size={self.kernel_size}, stride={self.stride}"
        )


class _Convolution(_ConvNd):
    """(N, in_channels, *sizes) to (N, out_channels, *window counts); the batch may be missing."""

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros",
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        self._set(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            0,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        _, channels, _ = split(input, self.count, type(self).__name__)
        fit(self, "in_channels", self.in_channels, channels, input)
        convolve = getattr(convolution, f"conv{self.count}d")
        if self.padding_mode == "zeros":
            return convolve(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)  # type: ignore[no-any-return]
        padded = function("F.pad")(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
        return convolve(padded, weight, bias, self.stride, 0, self.dilation, self.groups)  # type: ignore[no-any-return]


class Conv1d(_Convolution):
    count = 1


class Conv2d(_Convolution):
    count = 2


class Conv3d(_Convolution):
    count = 3


class _ConvTransposeNd(_ConvNd):
    """(N, in_channels, *sizes) to (N, out_channels, *larger sizes); weight (in, out/groups, *kernel)."""

    transposed = True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1, padding_mode: str = "zeros",
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        self._set(
            in_channels, out_channels, kernel_size, stride, padding, dilation, output_padding, groups, bias,
            padding_mode, device, dtype,
        )  # fmt: skip

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        _, channels, sizes = split(input, self.count, type(self).__name__)
        fit(self, "in_channels", self.in_channels, channels, input)
        extra = self.output_padding if output_size is None else self._extra(input, sizes, list(output_size))
        transposed = getattr(convolution, f"conv_transpose{self.count}d")
        return transposed(  # type: ignore[no-any-return]
            input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation
        )

    def _extra(self, input: Tensor, sizes: tuple[int, ...], wanted: list[int]) -> tuple[int, ...]:
        """The output padding that leads to the sizes asked for.  Raises ShapeError if none does."""
        leading = len(input.shape) - self.count
        if len(wanted) == leading + self.count:
            wanted = wanted[leading:]
        if len(wanted) != self.count:
            raise ShapeError(
                f"output_size of {type(self).__name__} has {len(wanted)} sizes, not {self.count}",
                operands=(input,),
                code="LZ202",
            )
        extra = []
        paddings = per_dim(self.padding, self.count, "padding")
        settings = zip(sizes, wanted, self.stride, paddings, self.dilation, self.kernel_size, strict=True)
        for size, result, stride, padding, dilation, kernel in settings:
            least = (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + 1
            if not int(least) <= int(result) < int(least) + int(stride):
                raise ShapeError(
                    f"{type(self).__name__} cannot give {int(result)} from {int(size)}: "
                    f"{int(least)} to {int(least) + int(stride) - 1} can be",
                    operands=(input,),
                    notes=(f"the input is {shape_text(input.shape)}, output_size {shape_text(wanted)}",),
                    code="LZ202",
                )
            extra.append(result - least)
        return tuple(extra)


class ConvTranspose1d(_ConvTransposeNd):
    count = 1


class ConvTranspose2d(_ConvTransposeNd):
    count = 2


class ConvTranspose3d(_ConvTransposeNd):
    count = 3


class Unfold(Module):
    """(N, C, H, W) to (N, C * kernel, windows)."""

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        super().__init__()
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def forward(self, input: Tensor) -> Tensor:
        return function("F.unfold")(input, self.kernel_size, self.dilation, self.padding, self.stride)  # type: ignore[no-any-return]


class Fold(Module):
    """(N, C * kernel, windows) to (N, C, *output_size)."""

    def __init__(
        self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.output_size, self.kernel_size = output_size, kernel_size
        self.dilation, self.padding, self.stride = dilation, padding, stride

    def forward(self, input: Tensor) -> Tensor:
        sizes = (self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)
        return function("F.fold")(input, *sizes)  # type: ignore[no-any-return]
