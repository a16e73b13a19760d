"""Makes a process fit to run foreign code: its signals, limits, streams and interpreter settings."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
import threading

from lazygen.trace import sandbox, seeds

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

MEMORY = (
    8 << 30
)  # bytes of address space on top of what the parent uses; real torch with its libraries maps about 5 GiB
RECURSION_LIMIT = 3000  # frames; the stand-in needs a few for each one of torch's


def process(timeout: float, report: int) -> None:
    """A session of its own, signals at their defaults, limits, and stacks written to the descriptor `report`."""
    os.setsid()
    gc.freeze()  # what the parent made must not be finalised here
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGCHLD, signal.SIGUSR2):
        signal.signal(number, signal.SIG_DFL)
    # What a finaliser or a thread of the source raises is no word of lazygen's.
    sys.unraisablehook = lambda _: None
    threading.excepthook = lambda _: None
    faulthandler.cancel_dump_traceback_later()
    faulthandler.enable(report, all_threads=False)
    faulthandler.register(signal.SIGUSR1, report, all_threads=False)
    signal.alarm(int(timeout) + 10)  # an orphan ends by itself
    if resource is not None:
        _limit("RLIMIT_CORE", 0)
        _limit("RLIMIT_AS", _address_space() + MEMORY)


def _limit(name: str, value: int) -> None:
    assert resource is not None
    try:
        hard = resource.getrlimit(getattr(resource, name))[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(getattr(resource, name), (value, hard))
    except (AttributeError, ValueError, OSError):
        pass  # a system without this limit


def _address_space() -> int:
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def streams(quiet: bool) -> None:
    """stdin is empty; what is printed goes to stderr, or nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    if quiet:
        os.dup2(null, 2)
        sys.stderr = open(2, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115
    os.dup2(2, 1)
    os.close(null)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stderr


def interpreter(name: str, folder: str) -> None:
    """What a source can see of the interpreter, the same in every run; and the guard against changes."""
    sys.argv = [name]
    sys.dont_write_bytecode = True
    sys.setrecursionlimit(RECURSION_LIMIT)
    if folder:
        for variable in ("TMPDIR", "TEMP", "TMP"):
            os.environ[variable] = folder
        if "tempfile" in sys.modules:
            sys.modules["tempfile"].tempdir = folder  # type: ignore[attr-defined]
    seeds.install()
    sandbox.install(folder)
