"""Runs foreign code in a forked child with a time limit, and tells a result from every way of not having one.

The child's result comes back pickled over a pipe.  Only a whole, framed result counts as success, so that
`os._exit(0)` in a source does not read as one.  A second pipe takes what `faulthandler` writes when the child
crashes or is asked where it stands.
"""

from __future__ import annotations

import io
import os
import pickle
import select
import signal
import struct
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, Literal, TypeVar

from lazygen.trace import settle
from lazygen.values import value

T = TypeVar("T")
Cause = Literal["timeout", "signal", "exit", "raised"]

_FRAME = struct.Struct("!cQ")
_LATE = 1.0  # seconds that a child may take to go on with a result it has begun to send


@value
class Died:
    """Why there is no result.

    `cause`: the time limit, a signal, an end without a result, or an exception that `work` let through, which is a
    bug. `message` says it in one sentence, `detail` is the traceback of the exception.  `stack` is where the main
    thread stood, as far as known, innermost first: file, line and function.
    """

    cause: Cause
    message: str
    detail: str = ""
    stack: tuple[tuple[str, int, str], ...] = ()


def run_in_child(work: Callable[[], T], timeout: float, *, name: str = "", quiet: bool = False) -> T | Died:
    """What `work()` returns, run in a child process; `start` says more."""
    return start(work, timeout, name=name, quiet=quiet).result()


def start(work: Callable[[], T], timeout: float, *, name: str = "", quiet: bool = False) -> Handle[T]:
    """Begin to run `work` in a forked child that may change nothing, for at most `timeout` seconds from now.

    `name` becomes `sys.argv[0]`.  What the child prints goes to stderr, or nowhere if `quiet`.  The result must be
    made of builtin types, of the standard library's and of lazygen's own.  Several children may run at once.
    """
    if not hasattr(os, "fork"):
        from lazygen.trace.here import run_here

        return Handle(0, 0, -1, -1, "", run_here(work, timeout, name))
    folder = _temporary_folder()
    results, send = os.pipe()
    stacks, report = os.pipe()
    with warnings.catch_warnings():  # 3.12 warns of forking with threads; the child touches no lock of theirs
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        _child(work, timeout, name, quiet, folder, send, report)
    os.close(send)
    os.close(report)
    return Handle(pid, time.monotonic() + timeout, results, stacks, folder, None, timeout)


class Handle(Generic[T]):
    """A child that runs.  `result` waits for it."""

    def __init__(
        self, pid: int, deadline: float, results: int, stacks: int, folder: str, known: Any, timeout: float = 0.0
    ) -> None:
        self.pid, self.deadline, self.timeout = pid, deadline, timeout
        self._results, self._stacks, self._folder = results, stacks, folder
        self._known, self._done = known, pid == 0

    def result(self) -> T | Died:
        """The result, or why there is none.  The child is gone afterwards, whatever happens here."""
        if not self._done:
            try:
                self._known = self._collect()
            finally:
                self.stop()
        return self._known  # type: ignore[no-any-return]

    def stop(self) -> None:
        """End the child, if it still runs, and remove its folder."""
        if self._done:
            return
        self._done = True
        _kill(self.pid)
        with suppress(ChildProcessError):  # already waited for
            os.waitpid(self.pid, 0)
        os.close(self._results)
        os.close(self._stacks)
        _remove(self._folder)

    def _collect(self) -> Any:
        data, ended = _read(self._results, self.deadline)
        if len(data) >= _FRAME.size:
            kind, length = _FRAME.unpack_from(data)
            if len(data) == _FRAME.size + length:
                return _received(kind, bytes(data[_FRAME.size :]))
        status = self._wait() if ended else None
        if status is None:
            return Died("timeout", f"the source did not come to an end in {self.timeout:g} s", stack=self._where())
        stack = _parse_stack(_drain(self._stacks))
        if os.WIFSIGNALED(status):
            return Died("signal", _signal_message(os.WTERMSIG(status)), stack=stack)
        return Died(
            "exit", f"the source ended the process that ran it (exit status {os.WEXITSTATUS(status)})", "", stack
        )

    def _wait(self) -> int | None:
        """The child's status once it has closed its pipe; None if it goes on without one."""
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return status
            if time.monotonic() > self.deadline:
                return None
            time.sleep(0.0005)

    def _where(self) -> tuple[tuple[str, int, str], ...]:
        """Where the child stands: asked by a signal, which even a loop in C answers."""
        try:
            os.kill(self.pid, signal.SIGUSR1)
        except ProcessLookupError:
            return ()
        select.select([self._stacks], [], [], 0.3)
        time.sleep(0.01)
        return _parse_stack(_drain(self._stacks))


def _read(descriptor: int, deadline: float) -> tuple[bytearray, bool]:
    """All that comes, and whether the other end was closed.  A result that waits is read even after the deadline."""
    data = bytearray()
    while True:
        left = deadline - time.monotonic()
        if data:
            left = max(left, _LATE)
        if not select.select([descriptor], [], [], max(left, 0))[0]:
            return data, False
        chunk = os.read(descriptor, 1 << 16)
        if not chunk:
            return data, True
        data += chunk


def _drain(descriptor: int) -> str:
    data = b""
    while select.select([descriptor], [], [], 0)[0]:
        chunk = os.read(descriptor, 1 << 16)
        if not chunk:
            break
        data += chunk
    return data.decode("utf-8", "replace")


def _received(kind: bytes, payload: bytes) -> Any:
    if kind == b"x":
        text = payload.decode("utf-8", "replace")
        return Died("raised", text.rstrip().rpartition("\n")[2], text)
    try:
        return _Unpickler(io.BytesIO(payload)).load()
    except Exception as error:
        return Died("raised", f"the child's result cannot be read: {error}", traceback.format_exc())


class _Unpickler(pickle.Unpickler):
    """Reads no class of the source: unpickling one would run the source in the parent."""

    def find_class(self, module: str, name: str) -> Any:
        top = module.partition(".")[0]
        if top != "lazygen" and top not in sys.stdlib_module_names:
            raise pickle.UnpicklingError(f"it holds {module}.{name}")
        return super().find_class(module, name)


def _parse_stack(text: str) -> tuple[tuple[str, int, str], ...]:
    """The frames of the thread that `faulthandler` marks as current, or of the last one, which is the main thread."""
    text = text.partition("\nExtension modules:")[0]
    threads = text.replace("Current thread", "\nCurrent thread").rstrip("\n").split("\n\n")
    shown = [t for t in threads if "Current thread" in t] or threads[-1:]
    frames = []
    for line in shown[0].splitlines() if shown else ():
        path, found, rest = line.strip().removeprefix('File "').partition('", line ')
        number, _, function = rest.partition(" in ")
        if found and number.isdigit():
            frames.append((path, int(number), function))
    return tuple(frames)


def _signal_message(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    reasons: dict[int, str] = {
        signal.SIGSEGV: ": it ran out of stack, or an extension module crashed",
        signal.SIGKILL: ": most likely it ran out of memory",
    }
    reason = reasons.get(number, "")
    return f"the process that ran the source was ended by {name}{reason}"


def _kill(pid: int) -> None:
    for end in (os.killpg, os.kill):  # the group is not there if the child has not come so far
        with suppress(ProcessLookupError, PermissionError):
            end(pid, signal.SIGKILL)


_folders = 0


def _temporary_folder() -> str:
    global _folders
    import tempfile

    _folders += 1
    folder = os.path.join(tempfile.gettempdir(), f"lazygen-{os.getpid()}-{_folders}-{os.urandom(4).hex()}")
    os.mkdir(folder, 0o700)
    return os.path.realpath(folder)


def _remove(folder: str) -> None:
    try:
        os.rmdir(folder)
    except OSError:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


def _child(
    work: Callable[[], Any], timeout: float, name: str, quiet: bool, folder: str, send: int, report: int
) -> None:
    """The child's whole life.  It never returns into the parent's frames, and no `atexit` or thread holds it."""
    leave = os._exit
    try:
        try:
            settle.process(timeout, report)
            settle.streams(quiet)
            settle.interpreter(name, folder)
            kind, payload = b"r", pickle.dumps(work(), pickle.HIGHEST_PROTOCOL)
        except BaseException:
            kind, payload = b"x", traceback.format_exc().encode("utf-8", "replace")
        with suppress(Exception):  # the source may have put anything there
            sys.stderr.flush()
        data = memoryview(_FRAME.pack(kind, len(payload)) + payload)
        while data:
            data = data[os.write(send, data) :]
    finally:
        leave(0)
