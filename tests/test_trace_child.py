"""A forked child: results, and every way of not having one."""

from __future__ import annotations

import atexit
import ctypes
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from lazygen.trace.child import Died, run_in_child, start
from lazygen.trace.here import run_here


def died(work: Any, timeout: float = 10.0) -> Died:
    outcome = run_in_child(work, timeout)
    assert isinstance(outcome, Died)
    return outcome


def test_result_comes_back() -> None:
    assert run_in_child(lambda: {"sizes": (3, 20)}, 10) == {"sizes": (3, 20)}


def test_result_larger_than_a_pipe() -> None:
    assert run_in_child(lambda: "x" * 5_000_000, 10) == "x" * 5_000_000


def test_several_at_once_with_large_results() -> None:
    handles = [start(lambda n=n: (n, "x" * 1_000_000), 10) for n in range(4)]
    assert [handle.result()[0] for handle in reversed(handles)] == [3, 2, 1, 0]  # type: ignore[index]


def test_result_that_waited_past_its_deadline_counts() -> None:
    handle = start(lambda: "x" * 1_000_000, 0.2)
    time.sleep(0.4)
    assert handle.result() == "x" * 1_000_000
    assert handle.result() == "x" * 1_000_000, "asked again"


def test_exception_is_told_with_its_traceback() -> None:
    outcome = died(lambda: 1 // 0)
    assert (outcome.cause, outcome.message.partition(":")[0]) == ("raised", "ZeroDivisionError")
    assert "Traceback" in outcome.detail


def test_result_that_cannot_be_pickled() -> None:
    assert died(lambda: lambda: 1).cause == "raised"


class Foreign:
    """A class that neither lazygen nor the standard library has."""


def test_no_foreign_class_is_read_in_the_parent() -> None:
    assert "Foreign" in died(Foreign).message


def test_endless_loop_is_killed_and_located() -> None:
    def loop() -> None:
        while True:
            pass

    outcome = died(loop, 0.3)
    assert outcome.cause == "timeout" and "0.3 s" in outcome.message
    assert outcome.stack[0][0] == __file__ and outcome.stack[0][2] == "loop"


def test_bare_except_around_a_sleep_is_killed() -> None:
    def stubborn() -> None:
        seen: list[int] = []
        while True:
            try:
                time.sleep(60)
            except:  # noqa: E722
                seen.append(1)

    begin = time.monotonic()
    assert died(stubborn, 0.3).cause == "timeout"
    assert time.monotonic() - begin < 3


def test_blocked_signals_do_not_save_it() -> None:
    def deaf() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 30))
        time.sleep(60)

    assert died(deaf, 0.2).cause == "timeout"


@pytest.mark.parametrize("status", [0, 3])
def test_leaving_at_once_is_no_success(status: int) -> None:
    import posix

    outcome = died(lambda: posix._exit(status))
    assert outcome.cause == "exit" and f"status {status}" in outcome.message


def test_os_exit_is_a_system_exit() -> None:
    outcome = died(lambda: os._exit(0))
    assert (outcome.cause, outcome.message.partition(":")[0]) == ("raised", "SystemExit")


def test_closed_pipe_is_no_success() -> None:
    assert died(lambda: os.closerange(3, 200)).cause in ("exit", "raised")

    def close_and_stay() -> None:
        os.closerange(3, 200)
        time.sleep(60)

    assert died(close_and_stay, 0.3).cause == "timeout"


def test_killed_child_is_told() -> None:
    outcome = died(lambda: signal.raise_signal(signal.SIGKILL))
    assert outcome.cause == "signal" and "SIGKILL" in outcome.message and "memory" in outcome.message


def test_crash_is_told_and_located() -> None:
    import black  # noqa: F401 - the report of a crash names the compiled modules that are loaded

    outcome = died(lambda: ctypes.string_at(8))
    assert outcome.cause == "signal" and "SIGSEGV" in outcome.message
    assert any(frame[0] == __file__ for frame in outcome.stack)


def test_recursion_ends_in_an_error() -> None:
    def deeper(n: int) -> int:
        return deeper(n + 1)

    assert "RecursionError" in died(lambda: deeper(0)).message


def test_recursion_without_limit_is_told() -> None:
    def raised() -> Any:
        sys.setrecursionlimit(10**9)
        return [].sort(key=_endless)  # type: ignore[call-overload]

    def nest(value: Any) -> Any:
        sys.setrecursionlimit(10**9)
        return _Endless() == _Endless()

    assert run_in_child(lambda: raised(), 10) is None, "an empty list calls no key"
    assert isinstance(run_in_child(lambda: nest(0), 10), Died)


def _endless(value: Any) -> Any:
    return [value].sort(key=_endless)  # type: ignore[func-returns-value]


class _Endless:
    def __eq__(self, other: object) -> bool:
        return [self] == [other] if self is not other else [_Endless()] == [_Endless()]

    __hash__ = None  # type: ignore[assignment]


def test_a_grab_of_memory_is_an_error() -> None:
    assert "MemoryError" in died(lambda: bytearray(1 << 38)).message


def test_atexit_and_threads_do_not_hold_it(tmp_path: Path) -> None:
    def leave_things() -> str:
        atexit.register(lambda: time.sleep(60))
        threading.Thread(target=time.sleep, args=(60,)).start()
        return "done"

    begin = time.monotonic()
    assert run_in_child(leave_things, 10) == "done"
    assert time.monotonic() - begin < 3


def test_what_the_source_prints_goes_to_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    def speak() -> None:
        print("from python")
        os.write(1, b"from below\n")

    assert run_in_child(speak, 10) is None
    out, err = capfd.readouterr()
    assert out == "" and "from python" in err and "from below" in err
    assert run_in_child(speak, 10, quiet=True) is None
    assert capfd.readouterr() == ("", "")


def test_what_the_source_sees_of_the_interpreter() -> None:
    seen = run_in_child(
        lambda: (sys.argv, sys.stdin.read(), sys.dont_write_bytecode, os.getpgid(0) == os.getpid()), 10, name="model.py"
    )
    assert seen == (["model.py"], "", True, True)


def test_random_numbers_repeat() -> None:
    assert run_in_child(random.random, 10) == run_in_child(random.random, 10)


def test_random_numbers_repeat_when_imported_late() -> None:
    script = (
        "import sys; from lazygen.trace.child import run_in_child\n"
        "def draw():\n"
        "    for name in [n for n in sys.modules if n == 'random' or n.split('.')[0] == 'numpy']:\n"
        "        del sys.modules[name]\n"
        "    import random, numpy\n"
        "    return random.random(), float(numpy.random.rand())\n"
        "print(run_in_child(draw, 10) == run_in_child(draw, 10), run_in_child(draw, 10))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("True (0."), done.stdout + done.stderr


def test_no_folder_is_left_behind() -> None:
    import tempfile

    def litter() -> str:
        with open(os.path.join(tempfile.gettempdir(), "litter"), "w", encoding="utf-8") as file:
            file.write("x")
        return tempfile.gettempdir()

    folder = run_in_child(litter, 10)
    assert isinstance(folder, str) and folder != tempfile.gettempdir() and not os.path.exists(folder)


def test_in_this_process_where_there_is_no_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    argv, modules, limit = list(sys.argv), len(sys.modules), sys.getrecursionlimit()

    def change() -> str:
        sys.argv.append("x")
        sys.modules["left_by_source"] = sys
        return "done"

    assert run_in_child(change, 10) == "done"
    assert "left_by_source" not in sys.modules and len(sys.modules) >= modules
    assert (sys.argv, sys.getrecursionlimit()) == (argv, limit)

    def dawdle() -> None:
        for _ in range(500):
            time.sleep(0.01)

    late = run_in_child(dawdle, 0.2)
    assert isinstance(late, Died) and late.cause == "timeout"
    failed = run_here(lambda: 1 // 0, 10, "")
    assert isinstance(failed, Died) and failed.cause == "raised"
    assert subprocess.run([sys.executable, "-c", "pass"]).returncode == 0, "nothing is refused afterwards"
