"""Lets sources of the TorchX style run under real torch: `torchx` is `lazygen`'s library there."""

from __future__ import annotations

import sys
import types

import pytest


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put `torchx` and its modules into `sys.modules` for one test."""
    from lazygen import devices, layers
    from lazygen import nn as modules

    package = types.ModuleType("torchx")
    package.layers = layers  # type: ignore[attr-defined]
    package.nn = modules  # type: ignore[attr-defined]
    for name in devices.__all__:
        setattr(package, name, getattr(devices, name))
    monkeypatch.setitem(sys.modules, "torchx.nn", modules)
    monkeypatch.setitem(sys.modules, "torchx", package)
    monkeypatch.setitem(sys.modules, "torchx.layers", layers)
