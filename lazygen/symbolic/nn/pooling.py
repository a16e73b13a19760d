"""Pooling layers: none has parameters."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.build import function, ntuple
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.ops.pooling import adapted, fractional, pooled, unpooled
from lazygen.symbolic.tensor import Tensor


class _MaxPoolNd(Module):
    """(N, C, *sizes) to (N, C, *window counts), with the indices where wanted; the batch may be missing."""

    count = 0

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
        return_indices: bool = False, ceil_mode: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride = kernel_size, stride if stride is not None else kernel_size
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def forward(self, input: Tensor) -> Any:
        pool = function(f"F.max_pool{self.count}d")
        return pool(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )


class MaxPool1d(_MaxPoolNd):
    count = 1


class MaxPool2d(_MaxPoolNd):
    count = 2


class MaxPool3d(_MaxPoolNd):
    count = 3


class _AvgPoolNd(Module):
    """(N, C, *sizes) to (N, C, *window counts); the batch may be missing."""

    count = 0
    kernel_size: Any
    stride: Any
    padding: Any
    ceil_mode: bool

    def forward(self, input: Tensor) -> Tensor:
        function_ = f"F.avg_pool{self.count}d"
        return pooled(function_, self.count, input, self.kernel_size, self.stride, self.padding, 1, self.ceil_mode)


class AvgPool1d(_AvgPoolNd):
    count = 1

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.padding = ntuple(kernel_size, 1), ntuple(padding, 1)
        self.stride = ntuple(stride if stride is not None else kernel_size, 1)
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad


class AvgPool2d(_AvgPoolNd):
    count = 2

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.padding = kernel_size, padding
        self.stride = stride if stride is not None else kernel_size
        self.ceil_mode, self.count_include_pad, self.divisor_override = ceil_mode, count_include_pad, divisor_override

    def forward(self, input: Tensor) -> Tensor:
        pool = function(f"F.avg_pool{self.count}d")
        return pool(  # type: ignore[no-any-return]
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
            self.divisor_override,
        )  # fmt: skip


class AvgPool3d(AvgPool2d):
    count = 3


class _LPPoolNd(Module):
    """(N, C, *sizes) to (N, C, *window counts); the batch may be missing."""

    count = 0

    def __init__(self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> None:
        super().__init__()
        self.norm_type, self.kernel_size, self.stride, self.ceil_mode = norm_type, kernel_size, stride, ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        function_ = f"F.lp_pool{self.count}d"
        return pooled(function_, self.count, input, self.kernel_size, self.stride, 0, 1, self.ceil_mode)


class LPPool1d(_LPPoolNd):
    count = 1


class LPPool2d(_LPPoolNd):
    count = 2


class LPPool3d(_LPPoolNd):
    count = 3


class _AdaptiveMaxPoolNd(Module):
    """(N, C, *sizes) to (N, C, *output_size), with the indices where wanted."""

    count = 0

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices

    def forward(self, input: Tensor) -> Any:
        return function(f"F.adaptive_max_pool{self.count}d")(input, self.output_size, self.return_indices)


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    count = 1


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    count = 2


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    count = 3


class _AdaptiveAvgPoolNd(Module):
    """(N, C, *sizes) to (N, C, *output_size)."""

    count = 0

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        return adapted(f"F.adaptive_avg_pool{self.count}d", self.count, input, self.output_size)


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    count = 1


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    count = 2


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    count = 3


class _FractionalMaxPool(Module):
    """(N, C, *sizes) to (N, C, *output_size), or to the sizes times `output_ratio`, rounded down."""

    count = 0

    def __init__(
        self, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.return_indices = ntuple(kernel_size, self.count), return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = None if output_size is None else ntuple(output_size, self.count)
        self.output_ratio = None if output_ratio is None else ntuple(output_ratio, self.count)
        if (output_size is None) == (output_ratio is None):
            raise ShapeError(f"{type(self).__name__} needs either output_size or output_ratio", code="LZ202")
        if self.output_ratio is not None and not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise ShapeError(f"output_ratio must be between 0 and 1, not {output_ratio}", code="LZ202")

    def forward(self, input: Tensor) -> Any:
        name = f"F.fractional_max_pool{self.count}d"
        if not self.return_indices:
            return fractional(name, self.count, input, self.kernel_size, self.output_size, self.output_ratio)
        return function(name)(input, self.kernel_size, self.output_size, self.output_ratio, True)


class FractionalMaxPool2d(_FractionalMaxPool):
    count = 2


class FractionalMaxPool3d(_FractionalMaxPool):
    count = 3


class _MaxUnpoolNd(Module):
    """(N, C, *sizes) and its indices to (N, C, *larger sizes)."""

    count = 0

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size, self.padding = ntuple(kernel_size, self.count), ntuple(padding, self.count)
        self.stride = ntuple(stride if stride is not None else kernel_size, self.count)

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        name = f"F.max_unpool{self.count}d"
        return unpooled(name, self.count, input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool1d(_MaxUnpoolNd):
    count = 1


class MaxUnpool2d(_MaxUnpoolNd):
    count = 2


class MaxUnpool3d(_MaxUnpoolNd):
    count = 3
