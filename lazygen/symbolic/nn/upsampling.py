"""Upsampling, and pixels and channels put in another order."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.nn.build import function
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import Tensor


class Upsample(Module):
    """(N, C, *sizes) to (N, C, *size), or to the sizes times `scale_factor`."""

    def __init__(
        self, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.name = type(self).__name__
        self.size, self.mode, self.align_corners = size, mode, align_corners
        if isinstance(scale_factor, tuple):
            self.scale_factor: Any = tuple(
                float(factor) if isinstance(factor, str) else factor for factor in scale_factor
            )
        else:
            self.scale_factor = scale_factor
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        return function("F.interpolate")(  # type: ignore[no-any-return]
            input, self.size, self.scale_factor, self.mode, self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
        )  # fmt: skip


class UpsamplingNearest2d(Upsample):
    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)


class PixelShuffle(Module):
    """(*, C * r**2, H, W) to (*, C, H * r, W * r)."""

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return function("F.pixel_shuffle")(input, self.upscale_factor)  # type: ignore[no-any-return]


class PixelUnshuffle(Module):
    """(*, C, H * r, W * r) to (*, C * r**2, H, W)."""

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return function("F.pixel_unshuffle")(input, self.downscale_factor)  # type: ignore[no-any-return]


class ChannelShuffle(Module):
    """(N, C, *) to the same."""

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return function("F.channel_shuffle")(input, self.groups)  # type: ignore[no-any-return]
