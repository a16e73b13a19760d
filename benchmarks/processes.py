"""Runs one command and tells what it cost: wall time and peak memory, those of its own children included."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Cost:
    """`seconds` from start to end, `megabytes` at the highest point of the largest process."""

    seconds: float
    megabytes: float


class Failed(RuntimeError):
    """A timed command that did not do what it is timed for."""


def environment() -> dict[str, str]:
    """The environment of timed commands: modules come compiled, as they do for a user, and lazygen is this one."""
    names = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**names, "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), names.get("PYTHONPATH", "")]))}


def run(command: Sequence[str], folder: Path, variables: Mapping[str, str]) -> Cost:
    """Run a command once.  Raises Failed if it does not end with 0."""
    with open(folder / "stderr.txt", "wb") as messages:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=variables, stdout=subprocess.DEVNULL, stderr=messages)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        said = (folder / "stderr.txt").read_text(encoding="utf-8", errors="replace")
        raise Failed(f"{' '.join(command)} ended with {process.returncode}:\n{said}")
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is bytes there, kilobytes elsewhere
    return Cost(seconds, usage.ru_maxrss * unit / 1e6)


def python(statement: str) -> list[str]:
    """A command that runs a statement in a Python of its own."""
    return [sys.executable, "-c", statement]


def lazygen(*words: str) -> list[str]:
    """A command of lazygen, by its console script if this Python has one."""
    script = Path(sys.executable).with_name("lazygen")
    return [*([str(script)] if script.exists() else [sys.executable, "-m", "lazygen"]), *words]
