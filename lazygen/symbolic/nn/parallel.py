"""Modules that torch would run on several devices."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.nn.module import Module


class DataParallel(Module):
    """`DataParallel` and `DistributedDataParallel`: the module inside does the work."""

    def __init__(self, module: Module, device_ids: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self.module = module
        self.device_ids = list(device_ids or ())

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)
