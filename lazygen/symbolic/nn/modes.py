"""Modes and conversions of modules: training or not, devices and dtypes, in place as torch has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lazygen.symbolic.dtypes import DTYPES, located
from lazygen.symbolic.dtypes import device as Device
from lazygen.symbolic.dtypes import dtype as Dtype
from lazygen.symbolic.tensor import Tensor


class _Modes:
    """What `Module` inherits: methods over all parameters, buffers and parts of a module."""

    def apply(self: Any, fn: Callable[[Any], Any]) -> Any:
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self: Any, fn: Callable[[Tensor], Any], recurse: bool = True) -> Any:
        for module in self.children() if recurse else ():
            module._apply(fn)
        for table in (self._parameters, self._buffers):
            for tensor in table.values():
                if tensor is not None:
                    fn(tensor)
        return self

    def train(self: Any, mode: bool = True) -> Any:
        object.__setattr__(self, "training", mode)
        for module in self.children():
            module.train(mode)
        return self

    def eval(self: Any) -> Any:
        return self.train(False)

    def requires_grad_(self: Any, requires_grad: bool = True) -> Any:
        for parameter in self.parameters():
            parameter.requires_grad = requires_grad
        return self

    def zero_grad(self: Any, set_to_none: bool = True) -> None:
        return None

    def to(self: Any, *args: Any, **kwargs: Any) -> Any:
        kind: Any = kwargs.get("dtype")
        place: Any = kwargs.get("device")
        for value in args:
            if isinstance(value, Dtype):
                kind = value
            elif isinstance(value, Tensor):
                kind, place = value.dtype, value.device
            elif isinstance(value, (str, int, Device)) and not isinstance(value, bool):
                place = value
        place = None if place is None else located(place)

        def move(tensor: Tensor) -> None:
            if place is not None:
                tensor.device = place
            if kind is not None and tensor.dtype.category >= 2:
                tensor.dtype = kind

        return self._apply(move)

    def cpu(self: Any) -> Any:
        return self.to("cpu")

    def cuda(self: Any, device: int | str | None = None) -> Any:
        return self.to("cuda" if device is None else device)

    def type(self: Any, dst_type: Any) -> Any:
        return self.to(dtype=dst_type)

    def _cast(self: Any, name: str) -> Any:
        return self.to(dtype=DTYPES[name])

    def float(self: Any) -> Any:
        return self._cast("float32")

    def double(self: Any) -> Any:
        return self._cast("float64")

    def half(self: Any) -> Any:
        return self._cast("float16")

    def bfloat16(self: Any) -> Any:
        return self._cast("bfloat16")

    def share_memory(self: Any) -> Any:
        return self

    def compile(self: Any, *args: Any, **kwargs: Any) -> None:
        return None
