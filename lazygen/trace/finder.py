"""Finds modules for a traced source: the project's own are compiled for tracing, what is not there becomes a stub.

Cases, by who asks.  The project's modules (any source file that is neither the standard library's nor
installed) go through `compile_source`, whoever imports them.  What a traced source imports and cannot have,
because it is not there or fails when it runs, is a stub, unless the import stands in a `try` that has an answer.
What installed packages import behaves as ever, but for modules that are compiled against torch (`compiled.py`).
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Callable, Sequence
from importlib.abc import Loader
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import decode_source, spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

from lazygen.symbolic import fallback
from lazygen.symbolic.tensor import TRACED
from lazygen.trace import text
from lazygen.trace.stubs import Import, MissingValue, StubModule
from lazygen.values import value

Compile = Callable[[str, str], CodeType]

_OURS = ("lazygen", "torch")
_INSTALLED = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")} - {None, ""})

SERVED: set[str] = set()
"""The modules that real torch serves, with all below them."""

STUBBED: dict[str, Import] = {}
"""The modules that became stubs so far, with the import that asked first."""


@value
class Location:
    """A source as a module: its name, the package it is in (`""` for none) and the folders to import from."""

    name: str
    package: str
    folders: tuple[str, ...]


def locate(path: Path, relative: bool = False) -> Location:
    """Where a source stands among packages.

    Packages are folders with an `__init__.py`; a source that imports relatively (`relative`) has its folder as
    package in any case.
    """
    path = path.resolve()
    parts = [] if path.stem == "__init__" else [path.stem]
    folder = path.parent
    if relative and not (folder / "__init__.py").exists() and folder.name.isidentifier():
        parts.insert(0, folder.name)
        folder = folder.parent
    while (folder / "__init__.py").exists() and folder.name.isidentifier():
        parts.insert(0, folder.name)
        folder = folder.parent
    name = ".".join(parts)
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    near = [path.parent, folder, folder / "src", folder.parent if folder.name == "src" else folder]
    return Location(name, package, tuple(dict.fromkeys(str(f) for f in near if f.is_dir())))


def install(location: Location, compile_source: Compile) -> None:
    """Find modules for the source at a location from now on.

    `compile_source(text, file_name)` gives the code of a module of the project.  The packages that the source is
    in are there at once; their `__init__.py` runs only if something is asked of them that no file of theirs is.
    """
    _forget_project()
    sys.path[:0] = [folder for folder in location.folders if folder not in sys.path]
    first, last = _First(compile_source), _Last()
    sys.meta_path.insert(0, first)
    sys.meta_path.append(last)
    fallback.stand_in_finders += [first, last]
    parts = location.package.split(".") if location.package else []
    for count in range(1, len(parts) + 1):
        name = ".".join(parts[:count])
        if name not in sys.modules:
            _enclosing_package(name, first)


def _forget_project() -> None:
    """Modules of the user's that this process has imported already, under real torch, are imported anew."""
    for name, module in list(sys.modules.items()):
        kept = name.partition(".")[0] in (*_OURS, "__main__")
        if not kept and is_project(getattr(module, "__file__", None)):
            del sys.modules[name]


def is_project(path: str | None) -> bool:
    """Whether a file belongs to the user's project: neither installed nor of the standard library."""
    if not path or not path.endswith(".py") or "site-packages" in path or "dist-packages" in path:
        return False
    return not path.startswith(tuple(f"{folder}/" for folder in _INSTALLED))


class _First:
    """Stands before all other finders."""

    def __init__(self, compile_source: Compile) -> None:
        self.compile_source = compile_source

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        if name.partition(".")[0] in _OURS or name in sys.builtin_module_names:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None:
            return None
        served = _served(spec)
        if served is not None:
            return served
        if is_project(spec.origin):
            loader = _ProjectLoader(name, str(spec.origin), self.compile_source)
            return spec_from_file_location(
                name, spec.origin, loader=loader, submodule_search_locations=spec.submodule_search_locations
            )
        importer = _importer()
        if importer is not None and spec.loader is not None and name.partition(".")[0] not in sys.stdlib_module_names:
            spec.loader = _Guarded(spec.loader, importer)  # type: ignore[assignment]
        return spec


def _served(spec: ModuleSpec) -> ModuleSpec | None:
    """The spec of a module that gets real torch; None if it is another's."""
    if spec.name.partition(".")[0] in sys.stdlib_module_names or not fallback.stands_in():
        return None
    if not SERVED and not isinstance(spec.loader, ExtensionFileLoader):
        return None
    from lazygen.trace.compiled import served

    return served(spec)


def wanting_torch(error: BaseException) -> str | None:
    """The package that failed on something that only real torch has; None if nothing says so."""
    if not isinstance(error, (MissingValue, AttributeError, ImportError, NotImplementedError)):
        return None
    from lazygen.trace.compiled import wanting

    return wanting(error)


class _Last:
    """Stands behind all other finders: what comes here is not there."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        if name.partition(".")[0] in _OURS:
            return None
        importer = _importer()
        if importer is None or _is_answered(importer):
            return None
        return ModuleSpec(name, _StubLoader(_import(name, importer)), is_package=True)


class _ProjectLoader(SourceFileLoader):
    """Loads a module of the project, compiled for tracing; no byte code is read or written."""

    def __init__(self, name: str, path: str, compile_source: Compile) -> None:
        super().__init__(name, path)
        self.compile_source = compile_source

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        TRACED.add(path)
        return self.compile_source(decode_source(self.get_data(path)), path)


class _StubLoader(Loader):
    def __init__(self, source: Import) -> None:
        self.source = source

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        STUBBED.setdefault(spec.name, self.source)
        return StubModule(spec.name, self.source)

    def exec_module(self, module: ModuleType) -> None:
        return None


class _Guarded:
    """Loads an installed module for a traced source.

    If that fails, whatever the reason, a stub that keeps the reason takes the module's place.
    """

    def __init__(self, loader: Any, importer: FrameType) -> None:
        self.loader, self.importer = loader, importer

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        try:
            self.loader.exec_module(module)
        except Exception as error:
            from lazygen.trace.compiled import imported_with_torch

            if fallback.stands_in() and imported_with_torch(module.__name__, error):
                return
            if _is_answered(self.importer):
                if isinstance(error, ImportError):
                    raise
                name = module.__name__
                raise ImportError(f"{name} cannot be imported here: {error}", name=name) from error
            name = module.__name__
            for other in [n for n in sys.modules if n.startswith(f"{name}.")]:
                del sys.modules[other]
            source = _import(name, self.importer, f"cannot be imported here ({type(error).__name__}: {error})")
            STUBBED.setdefault(name, source)
            sys.modules[name] = StubModule(name, source)
            sys.modules[name].__spec__ = ModuleSpec(name, None, is_package=True)
        finally:
            del self.importer

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)


def _import(name: str, importer: FrameType, reason: str = "is not installed") -> Import:
    return Import(name, importer.f_code.co_filename, text.line_of(importer), reason)


def _importer() -> FrameType | None:
    """The frame of the traced source that runs the import now under way; None if others do, or only ask for a spec."""
    frame: FrameType | None = sys._getframe(2)
    importing = False
    while frame is not None:
        path, function = frame.f_code.co_filename, frame.f_code.co_name
        if path.startswith("<frozen importlib"):
            importing = importing or function == "_find_and_load_unlocked"
        elif path != __file__ and not (path.endswith("importlib/__init__.py") and function == "import_module"):
            return frame if importing and path in TRACED else None
        frame = frame.f_back
    return None


def _is_answered(importer: FrameType) -> bool:
    """Whether a `try` waits for the import to fail.

    Around it, or around the import of the module that it is in, and so on.
    """
    frame: FrameType | None = importer
    while frame is not None:
        imports = frame is importer or (frame.f_code.co_filename in TRACED and text.runs_import(frame))
        if imports and text.import_is_caught(frame):
            return True
        frame = frame.f_back
    return False


class _EnclosingPackage(ModuleType):
    """A package that the source is in.

    Its `__init__.py` may be heavy, and runs only if a name is needed that no file has.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        held = self.__dict__
        full = f"{self.__name__}.{name}"
        if full in sys.modules:
            return sys.modules[full]
        if _is_file_of(held["__path__"], name):
            __import__(full)
            return sys.modules[full]
        pending = held.pop("__pending__", None)
        if pending is not None:
            pending.exec_module(self)
            if name in held:
                return held[name]
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


def _is_file_of(folders: Sequence[str], name: str) -> bool:
    return any((Path(f) / f"{name}.py").exists() or (Path(f) / name / "__init__.py").exists() for f in folders)


def _enclosing_package(name: str, finder: _First) -> None:
    parent, _, last = name.rpartition(".")
    search = list(sys.modules[parent].__path__) if parent else list(sys.path)
    folder = next((f for f in (Path(s) / last for s in search) if f.is_dir()), None)
    if folder is None:
        return
    module = _EnclosingPackage(name)
    module.__path__ = [str(folder)]
    module.__package__ = name
    start = folder / "__init__.py"
    spec = ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = module.__path__
    if start.exists():
        loader = _ProjectLoader(name, str(start), finder.compile_source)
        spec = spec_from_file_location(name, start, loader=loader, submodule_search_locations=module.__path__) or spec
        module.__dict__["__pending__"] = loader
        module.__file__ = str(start)
    module.__spec__ = spec
    sys.modules[name] = module
    if parent:
        setattr(sys.modules[parent], last, module)
