"""Which packages are there twice, once for the stand-in and once for real torch: those that hold something of torch."""

from __future__ import annotations

import mmap
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.machinery import ExtensionFileLoader
from types import FunctionType, ModuleType
from typing import Any

_LIBRARIES = (b"libtorch", b"libc10", b"torch_python.dll", b"torch_cpu.dll")


def bound_to_torch(modules: Mapping[str, ModuleType]) -> set[str]:
    """The packages (first parts of names) whose modules hold something of torch, or of another such package.

    The standard library and lazygen itself are none of them.
    """
    held: dict[str, set[str]] = {}
    for name, module in modules.items():
        package = name.partition(".")[0]
        if package not in sys.stdlib_module_names and package not in ("lazygen", "torch", "__main__"):
            held.setdefault(package, set()).update(_homes(module))
    found = {"torch"}
    while True:
        more = {package for package, homes in held.items() if homes & found} - found
        if not more:
            return found
        found |= more


def holds_torch(modules: Iterable[ModuleType]) -> bool:
    """Whether one of these modules holds something of torch."""
    return any("torch" in _homes(module) for module in modules)


def shared(modules: Mapping[str, ModuleType]) -> set[str]:
    """The names of compiled modules that know nothing of torch: a second one cannot be made in one process."""
    others = {name: module for name, module in modules.items() if not name.startswith("torch.")}
    return {name for name, module in others.items() if is_extension(module) and not linked_to_torch(_file(module))}


def is_extension(module: ModuleType) -> bool:
    """Whether a module is compiled."""
    held = vars(module) if isinstance(module, ModuleType) else {}  # `sys.modules` holds other objects, too
    return isinstance(getattr(held.get("__spec__"), "loader", None), ExtensionFileLoader)


@lru_cache(maxsize=512)
def linked_to_torch(path: str) -> bool:
    """Whether a compiled module needs torch's libraries, by the names that its file holds."""
    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return any(content.find(name) >= 0 for name in _LIBRARIES)
    except (OSError, ValueError):  # not there, or empty
        return False


def _file(module: ModuleType) -> str:
    return str(vars(module).get("__file__") or "")


def _homes(module: ModuleType) -> set[str]:
    """The packages that what a module holds comes from; the stand-in's is torch's."""
    found = set()
    for value in list(vars(module).values()) if isinstance(module, ModuleType) else ():
        home: Any = None
        if isinstance(value, ModuleType):
            home = value.__name__
        elif isinstance(value, (type, FunctionType)):
            home = value.__module__
        if isinstance(home, str):
            package = home.partition(".")[0]
            found.add("torch" if package == "lazygen" else package)
    return found
