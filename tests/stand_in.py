"""The command with a stand-in for the conversion, in an empty folder that is the root of a repository.

The stand-in writes `Linear(8)` for `LazyLinear()`, refuses a source that says so, and breaks on one that says so.
Everything around it is the real thing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import lazygen
from lazygen.cli import main
from lazygen.diagnostics import Diagnostic, Place

LAZY = "model = LazyLinear()\n"
EXPLICIT = "model = Linear(8)\n"


@dataclass(frozen=True)
class Conversion:
    code: str | None
    diagnostics: tuple[Diagnostic, ...] = ()
    remarks: tuple[str, ...] = ()
    usage: bool = False


def convert(text: str, settings: Any, *, path: str, folder: Path, line_length: int | None) -> Conversion:
    asked_for.append(SimpleNamespace(settings=settings, path=path, folder=folder, line_length=line_length))
    column = text.find("refuse")
    if column >= 0:
        place = Place(path, 1, column, 1, column + 6)
        return Conversion(None, (Diagnostic("LZ201", "sizes do not meet", place),), usage="as usage" in text)
    if "nothing" in text:
        return Conversion(None)
    if "break" in text:
        raise ZeroDivisionError("division by zero")
    if "exit" in text:
        raise SystemExit(0)
    if "stop" in text:
        raise KeyboardInterrupt
    diagnostics = (Diagnostic("LZ310", "looks odd", severity="warning"),) if "odd" in text else ()
    if "partly" in text:
        diagnostics = (Diagnostic("LZ301", "one layer has no size"),)
    if "invalid" in text:
        return Conversion(None, (Diagnostic("LZ901", "the output differs"),))
    return Conversion(text.replace("LazyLinear()", "Linear(8)"), diagnostics, ("filled in 1 layer",))


asked_for: list[Any] = []


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory that is the root of a repository, with the stand-in for the conversion."""
    fake = ModuleType("lazygen.pipeline")
    fake.__dict__.update(convert_source=convert, Conversion=Conversion)
    monkeypatch.setitem(sys.modules, "lazygen.pipeline", fake)
    monkeypatch.setattr(lazygen, "pipeline", fake, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    asked_for.clear()
    return tmp_path


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., SimpleNamespace]:
    """Run `lazygen convert` with these words; the result has the exit code, stdout as bytes and stderr as text."""

    def run(*words: str, command: str = "convert") -> SimpleNamespace:
        code = main([command, *words])
        out, err = capfdbinary.readouterr()
        return SimpleNamespace(code=code, out=out, err=err.decode())

    return run


Run = Callable[..., SimpleNamespace]


def names(folder: Path) -> list[str]:
    """The files of a folder."""
    return sorted(path.name for path in folder.iterdir() if path.name != ".git")
