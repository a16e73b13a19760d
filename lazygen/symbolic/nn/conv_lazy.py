"""Convolutions without `in_channels`."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.nn.build import chosen, materialize, waiting
from lazygen.symbolic.nn.conv import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
    _ConvNd,
)
from lazygen.symbolic.nn.lazy import LazyModuleMixin, Recorder
from lazygen.symbolic.ops.windows import split
from lazygen.symbolic.tensor import Tensor


class _LazyConvXdMixin(LazyModuleMixin, _ConvNd):
    """`in_channels` is the size before those that the kernel slides over."""

    missing = ("in_channels",)

    def _wait(self, out_channels: int, bias: bool, device: Any, dtype: Any) -> None:
        """Put parameters that wait in the place of those of a layer without channels."""
        self.out_channels = chosen(out_channels)
        self.weight = waiting(dtype, device)
        if bias:
            self.bias = waiting(dtype, device)
        Recorder.made(self)

    def infer(self, input: Tensor) -> dict[str, int]:
        return {"in_channels": split(input, self.count, type(self).__name__)[1]}

    def build(self, sizes: dict[str, int]) -> None:
        self.in_channels = sizes["in_channels"]
        self._check_groups()
        materialize(self.weight, self._weight_shape())
        if self.bias is not None:
            materialize(self.bias, (self.out_channels,))


class _LazyConvolution(_LazyConvXdMixin):
    def __init__(
        self, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1, bias: bool = True, padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        self._set(0, 0, kernel_size, stride, padding, dilation, 0, groups, False, padding_mode, device, dtype)
        self._wait(out_channels, bias, device, dtype)


class LazyConv1d(_LazyConvolution, Conv1d):
    cls_to_become = Conv1d


class LazyConv2d(_LazyConvolution, Conv2d):
    cls_to_become = Conv2d


class LazyConv3d(_LazyConvolution, Conv3d):
    cls_to_become = Conv3d


class _LazyConvTranspose(_LazyConvXdMixin):
    def __init__(
        self, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
        groups: int = 1, bias: bool = True, dilation: Any = 1, padding_mode: str = "zeros",
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        self._set(
            0, 0, kernel_size, stride, padding, dilation, output_padding, groups, False, padding_mode, device, dtype
        )
        self._wait(out_channels, bias, device, dtype)


class LazyConvTranspose1d(_LazyConvTranspose, ConvTranspose1d):
    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, ConvTranspose2d):
    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, ConvTranspose3d):
    cls_to_become = ConvTranspose3d
