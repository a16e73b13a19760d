"""Parameters, buffers and those of lazy layers, which have no shape until the first call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lazygen.symbolic.dtypes import DEFAULT_DEVICE, kept
from lazygen.symbolic.dtypes import device as Device
from lazygen.symbolic.dtypes import dtype as Dtype
from lazygen.symbolic.observer import Observer
from lazygen.symbolic.tensor import Size, Tensor


class Parameter(Tensor):
    """A tensor that a module registers by itself."""

    def __init__(self, data: Tensor | None = None, requires_grad: bool = True) -> None:
        if data is None:
            super().__init__((0,), requires_grad=requires_grad)
        else:
            super().__init__(data.shape, data.dtype, kept(data.device), None, requires_grad)

    @classmethod
    def of(cls, shape: Iterable[int], dtype: Dtype | None = None, device: Device | None = None) -> Parameter:
        """A parameter of a shape."""
        return cls(Tensor(shape, dtype, device))


class Buffer(Tensor):
    """A tensor that a module registers as a buffer by itself."""

    def __init__(self, data: Tensor | None = None, *, persistent: bool = True) -> None:
        data = Tensor((0,)) if data is None else data
        super().__init__(data.shape, data.dtype, kept(data.device), data.values)
        self.persistent = persistent


class Unbuilt(Tensor):
    """The `data` of a parameter that waits: empty, as in torch, so that whatever fills it is lost."""

    def __getattribute__(self, name: str) -> Any:
        if name.endswith("_") and not name.startswith("_"):
            Observer.filled(self)
        return super().__getattribute__(name)


class _Uninitialized(Tensor):
    @property
    def data(self) -> Any:
        return Unbuilt((0,), self.dtype, self.device)

    @data.setter
    def data(self, value: Tensor) -> None:
        self.materialize(value.shape, value.device, value.dtype)

    @property
    def shape(self) -> Size:  # type: ignore[override]
        raise RuntimeError("a parameter of a lazy layer has no shape before the layer's first call")

    def materialize(self, shape: Iterable[int], device: Any = None, dtype: Any = None) -> None:
        self._shape = Size(shape)
        self.dtype = dtype or self.dtype
        self.device = device or self.device
        self.__class__ = self.built


class UninitializedParameter(_Uninitialized, Parameter):
    built = Parameter

    def __init__(self, requires_grad: bool = True, device: Device | None = None, dtype: Dtype | None = None) -> None:
        Tensor.__init__(self, (), dtype, kept(device or DEFAULT_DEVICE[-1]), None, requires_grad)


class UninitializedBuffer(_Uninitialized):
    built = Tensor

    def __init__(self, requires_grad: bool = False, device: Device | None = None, dtype: Dtype | None = None) -> None:
        Tensor.__init__(self, (), dtype, device, None, requires_grad)
