"""The process in which both sides run under real torch, each in a module of its own."""

from __future__ import annotations

import ast
import linecache
import logging
import random
import sys
import types
import warnings
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from typing import Any

from lazygen.diagnostics import Diagnostic, Place
from lazygen.frontend.parse import split_lines
from lazygen.symbolic.tensor import TRACED
from lazygen.trace import finder, sandbox
from lazygen.trace.ready import chosen
from lazygen.verify.devices import mapping_mode, on_the_cpu
from lazygen.verify.subject import Subject, Text

SEED = 0


def enter(subject: Subject) -> Any:
    """Make this process ready for both sides; the result is real torch."""
    warnings.simplefilter("ignore")  # what torch has to say of the models is not the question here
    logging.disable(logging.CRITICAL)
    with sandbox.lifted():
        import torch
    sandbox.let_libraries_load()
    # One thread: sums have one order, and a process that was forked has no others.
    torch.set_num_threads(1)
    finder.install(_location(subject.source), _compiled)
    if "torchx" in subject.source.text:
        sys.meta_path.insert(0, _TorchXFinder())
    if subject.devices:
        mapping_mode(torch, on_the_cpu(subject.devices)).__enter__()
    return torch


@contextmanager
def default_dtype(torch: Any, name: str) -> Iterator[None]:
    """What says no dtype is made in this one, for the length of a block; torch's own if it is empty."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(getattr(torch, name) if name else before)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def run(text: Text, name: str = "") -> dict[str, Any]:
    """The names of a text, of which the needed statements are run; `name` is that of its module if not its file's."""
    location = _location(text)
    module = types.ModuleType(name or location.name)
    module.__file__ = text.filename
    module.__package__ = location.package
    # TorchScript reads the sources of functions; nothing else of these need be on disk.
    linecache.cache[text.filename] = (len(text.text), None, text.text.splitlines(keepends=True), text.filename)
    sys.modules[module.__name__] = module
    TRACED.add(text.filename)  # what it imports and is not installed becomes a stub, as when it is converted
    tree = ast.parse(text.text)
    tree.body = list(chosen(tree.body, text.statements))
    exec(compile(tree, text.filename, "exec", dont_inherit=True), module.__dict__)
    return module.__dict__


def module_name(text: Text) -> str:
    """The name that a text has as a module."""
    return _location(text).name


def forget_project(before: Collection[str]) -> None:
    """Forget the modules of the project that were imported since, so that the other side runs them anew."""
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        if name in before or spec is None or name.partition(".")[0] == "lazygen":
            continue
        if finder.is_project(spec.origin):
            del sys.modules[name]


def seed(torch: Any) -> None:
    """Random numbers of all kinds from the start."""
    torch.manual_seed(SEED)
    random.seed(SEED)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(SEED)


def place_of(error: BaseException, texts: Sequence[Text]) -> Place | None:
    """The innermost line of the texts in which an exception was raised."""
    found = None
    traceback = error.__traceback__
    while traceback is not None:
        text = next((text for text in texts if text.filename == traceback.tb_frame.f_code.co_filename), None)
        if text is not None:
            found = _line(text, traceback.tb_lineno)
        traceback = traceback.tb_next
    return found


def words_of(error: BaseException) -> str:
    """An exception in one line: its class and the first sentence of its words."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].endswith(":") and not lines[1].startswith("File "):
        # TorchScript says what it speaks of first, and then what is wrong.
        lines[:2] = [" ".join(lines[:2])]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def fails(what: str, error: BaseException, texts: Sequence[Text], devices: bool) -> Diagnostic:
    """The finding for a source that does not run under torch."""
    words = words_of(error)
    helps: tuple[str, ...] = ()
    if not devices and any(word in words for word in ("CUDA", "cuda", "NVIDIA", "device type", "MPS", "XPU")):
        helps = ("let other devices stand for those that are not here: --devices cuda:0=cpu,cuda:1=meta",)
    elif isinstance(error, ImportError):
        helps = ("install what it imports: under torch the file runs as it is",)
    return Diagnostic("LZ602", f"{what}: {words}", place_of(error, texts), helps=helps)


def _line(text: Text, line: int) -> Place:
    lines = split_lines(text.text)
    shown = lines[line - 1].rstrip() if line <= len(lines) else ""
    return Place(text.shown, line, len(shown) - len(shown.lstrip()), line, len(shown))


def _compiled(text: str, filename: str) -> types.CodeType:
    return compile(text, filename, "exec", dont_inherit=True)


def _location(text: Text) -> finder.Location:
    relative = any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(ast.parse(text.text)))
    return finder.locate(text.location, relative=relative)


# The TorchX style runs on lazygen's own library.

_LIBRARIES = ("layers", "nn", "devices")


class _TorchXFinder(Loader):
    """Finds `torchx` and its modules in lazygen's."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None) -> Any:
        package, _, rest = name.partition(".")
        if package != "torchx" or (rest and rest not in _LIBRARIES):
            return None
        return ModuleSpec(name, self, is_package=not rest)

    def create_module(self, spec: ModuleSpec) -> types.ModuleType | None:
        return _TorchX(spec.name) if spec.name == "torchx" else None

    def exec_module(self, module: types.ModuleType) -> None:
        if module.__name__ != "torchx":
            sys.modules[module.__name__] = import_module(f"lazygen.{module.__name__.partition('.')[2]}")


class _TorchX(types.ModuleType):
    """`torchx`: its modules, and the names that one of them has."""

    def __getattr__(self, name: str) -> Any:
        if name in _LIBRARIES:
            return import_module(f"torchx.{name}")
        for library in ("devices", "nn"):
            module = import_module(f"lazygen.{library}")
            if hasattr(module, name):
                return getattr(module, name)
        raise AttributeError(f"module 'torchx' has no attribute {name!r}")
