"""Modules that torch would run on several devices."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.dtypes import Devices, located
from lazygen.symbolic.nn.module import Module


class DataParallel(Module):
    """`DataParallel` and `DistributedDataParallel`: the module inside does the work, on inputs that are brought to it.

    What comes of them goes to the output device, if there is one.
    """

    def __init__(
        self, module: Module, device_ids: Any = None, output_device: Any = None, *args: Any, **kwargs: Any
    ) -> None:
        super().__init__()
        self.module = module
        self.device_ids = list(device_ids or ())
        self.output_device = output_device

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        if not Devices.mixed:
            return self.module(*args, **kwargs)
        from lazygen.symbolic.carrying import brought
        from lazygen.symbolic.placement import held

        own = next(held(self.module), None)
        there, named = (args, kwargs) if own is None else brought(args, kwargs, own.device)
        result = self.module(*there, **named)
        return result if self.output_device is None else brought((result,), {}, located(self.output_device))[0][0]
