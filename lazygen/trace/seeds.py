"""Random numbers that are the same in every run.

`random` and numpy's generator are seeded now or when they are imported.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

SEED = 0
_SEEDED = ("random", "numpy.random")


def install() -> None:
    """Seed what is imported, and see to it that the rest is when it comes."""
    for name in _SEEDED:
        module = sys.modules.get(name)
        if module is not None:
            module.seed(SEED)
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


class _Finder:
    """Lets the other finders find, and seeds once the module is there."""

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in _SEEDED:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None:
                _seed_after(spec)
                return spec
        return None


def _seed_after(spec: ModuleSpec) -> None:
    loader: Any = spec.loader
    execute: Callable[[ModuleType], None] = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        execute(module)
        module.seed(SEED)

    loader.exec_module = exec_module
