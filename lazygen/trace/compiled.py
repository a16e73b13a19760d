"""Packages that are compiled against torch, or hang on what only real torch has: they get it, and sources see them
through `symbolic/foreign.py`.

A compiled module is loaded by itself, beside real torch; the Python files around it run under the stand-in, with
symbolic sizes, as far as they can.  A package that cannot be imported under the stand-in is imported whole with real
torch, if torch is there and the package asks for it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.abc import Loader
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from types import ModuleType, TracebackType

from lazygen.symbolic import apart, fallback
from lazygen.symbolic.tensor import TRACED
from lazygen.trace.finder import SERVED
from lazygen.trace.stubs import MissingValue

_STAND_IN = (
    "lazygen.symbolic.",
    *(f"lazygen.trace.{name}" for name in ("world", "stubs", "inert", "answers", "operators")),
)


def served(spec: ModuleSpec) -> ModuleSpec | None:
    """The spec of a module that gets real torch, with a loader that does so; None if it is another's.

    Raises ImportError if it is compiled against torch, and there is none.
    """
    name = spec.name
    if any(name == known or name.startswith(f"{known}.") for known in SERVED):
        return _spec_with_torch(name)
    if not isinstance(spec.loader, ExtensionFileLoader) or not apart.linked_to_torch(str(spec.origin)):
        return None
    if not fallback.available():
        raise ImportError(f"{name} is compiled against torch, which cannot be imported", name=name, path=spec.origin)
    return ModuleSpec(name, _Served(spec), origin=spec.origin)


def _spec_with_torch(name: str) -> ModuleSpec | None:
    """The spec of a module that is imported with real torch; None if it fails with that, too."""
    try:
        fallback.import_with_torch(name)
    except Exception:
        SERVED.discard(name)
        return None
    return ModuleSpec(name, _Served(None), is_package=True)


def imported_with_torch(name: str, error: BaseException) -> bool:
    """Whether a package, whose import under the stand-in failed with `error`, is there with real torch instead."""
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] != "torch":
        return False  # another package is missing, and still would be
    mine = {n: m for n, m in sys.modules.items() if n == name or n.startswith(f"{name}.")}
    if not (apart.holds_torch(mine.values()) or _in_stand_in(error.__traceback__)) or not fallback.available():
        return False
    for other in mine:
        del sys.modules[other]
    try:
        module = fallback.import_with_torch(name)
    except Exception:  # the first failure is the one to tell of
        sys.modules.update(mine)
        return False
    from lazygen.symbolic.foreign import ForeignModule

    SERVED.add(name)
    sys.modules[name] = ForeignModule(module)
    sys.modules[name].__spec__ = ModuleSpec(name, _Served(None), is_package=True)
    return True


def wanting(error: BaseException) -> str | None:
    """The package whose code met something that the stand-in lacks; None if it was the source, or something else."""
    if isinstance(error, MissingValue) and error.source.module.partition(".")[0] != "torch":
        return None
    outermost = None
    for module, path in _modules(error.__traceback__):
        package = module.partition(".")[0]
        if path in TRACED:
            outermost = None
        elif outermost is None and package not in ("lazygen", "torch", "importlib"):
            outermost = None if package in sys.stdlib_module_names else package
    return outermost if outermost and _in_stand_in(error.__traceback__) and fallback.available() else None


class _Served(Loader):
    """Imports a module with real torch in place."""

    def __init__(self, compiled: ModuleSpec | None) -> None:
        self.compiled = compiled

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        from lazygen.symbolic.foreign import ForeignModule

        if self.compiled is None:
            return ForeignModule(fallback.import_with_torch(spec.name))
        return ForeignModule(fallback.import_with_torch(spec.name, self._alone))

    def exec_module(self, module: ModuleType) -> None:
        return None

    def _alone(self, name: str) -> ModuleType:
        """The compiled module by itself: the package that it is in stays with the stand-in."""
        assert self.compiled is not None and self.compiled.loader is not None
        if name not in sys.modules:
            sys.modules[name] = module_from_spec(self.compiled)
            self.compiled.loader.exec_module(sys.modules[name])
        return sys.modules[name]


def _in_stand_in(traceback: TracebackType | None) -> bool:
    """Whether it is the stand-in that raised an error."""
    raiser = [module for module, _ in _modules(traceback)][-1:]
    return raiser != [] and raiser[0].startswith(_STAND_IN)


def _modules(traceback: TracebackType | None) -> Iterator[tuple[str, str]]:
    """The modules whose code an error came through, with their files."""
    while traceback is not None:
        frame = traceback.tb_frame
        yield str(frame.f_globals.get("__name__", "")), frame.f_code.co_filename
        traceback = traceback.tb_next
