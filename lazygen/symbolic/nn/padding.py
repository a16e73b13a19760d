"""Padding layers.  `padding` holds two numbers for each padded dim, those of the last dim first, as in `F.pad`."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.nn.build import function, ntuple
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.ops.windows import split
from lazygen.symbolic.tensor import Tensor


class _Pad(Module):
    """(..., *sizes) to (..., *sizes with padding)."""

    count = 0
    mode = "constant"
    value: Any = None
    padding: tuple[int, ...]

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = ntuple(padding, 2 * self.count)

    def forward(self, input: Tensor) -> Tensor:
        return function("F.pad")(input, self.padding, self.mode, self.value)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        return str(self.padding)


class _ConstantPadNd(_Pad):
    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value


class _ReflectionPadNd(_Pad):
    mode = "reflect"


class _ReplicationPadNd(_Pad):
    mode = "replicate"


class _CircularPadNd(_Pad):
    mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        split(input, self.count, type(self).__name__)
        return super().forward(input)


class ConstantPad1d(_ConstantPadNd):
    count = 1


class ConstantPad2d(_ConstantPadNd):
    count = 2


class ConstantPad3d(_ConstantPadNd):
    count = 3


class ZeroPad1d(ConstantPad1d):
    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)


class ZeroPad2d(ConstantPad2d):
    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)


class ZeroPad3d(ConstantPad3d):
    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)


class ReflectionPad1d(_ReflectionPadNd):
    count = 1


class ReflectionPad2d(_ReflectionPadNd):
    count = 2


class ReflectionPad3d(_ReflectionPadNd):
    count = 3


class ReplicationPad1d(_ReplicationPadNd):
    count = 1


class ReplicationPad2d(_ReplicationPadNd):
    count = 2


class ReplicationPad3d(_ReplicationPadNd):
    count = 3


class CircularPad1d(_CircularPadNd):
    count = 1


class CircularPad2d(_CircularPadNd):
    count = 2


class CircularPad3d(_CircularPadNd):
    count = 3
