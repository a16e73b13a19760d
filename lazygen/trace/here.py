"""Runs foreign code in this very process, where the system cannot fork."""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from lazygen.trace import sandbox, settle

if TYPE_CHECKING:
    from lazygen.trace.child import Died

T = TypeVar("T")


def run_here(work: Callable[[], T], timeout: float, name: str) -> T | Died:
    """What `work()` returns.

    The time limit is an interrupt, which a source that catches everything can ignore; a crash takes lazygen with it.
    """
    import _thread

    from lazygen.trace.child import Died

    late = threading.Event()

    def interrupt() -> None:
        late.set()
        _thread.interrupt_main()

    timer = threading.Timer(timeout, interrupt)
    timer.daemon = True
    with _put_back():
        timer.start()
        try:
            return work()
        except KeyboardInterrupt:
            if late.is_set():
                return Died("timeout", f"the source did not come to an end in {timeout:g} s")
            raise
        except BaseException as error:
            return Died("raised", f"{type(error).__name__}: {error}", traceback.format_exc())
        finally:
            timer.cancel()


@contextmanager
def _put_back() -> Iterator[None]:
    """Everything that a source may see changed and that outlives it is as before afterwards."""
    modules, finders, path, environment = dict(sys.modules), list(sys.meta_path), list(sys.path), dict(os.environ)
    kept: dict[str, Any] = {n: getattr(sys, n) for n in ("argv", "stdin", "stdout", "dont_write_bytecode")}
    limit, state, directory = sys.getrecursionlimit(), random.getstate(), os.getcwd()
    temporary, folder = tempfile.tempdir, os.path.realpath(tempfile.mkdtemp(prefix="lazygen-"))
    try:
        with open(os.devnull, encoding="utf-8") as nothing:
            sys.stdin, sys.stdout = nothing, sys.stderr
            settle.interpreter("", folder)
            yield
    finally:
        sandbox.remove()
        for name, value in kept.items():
            setattr(sys, name, value)
        sys.modules.clear()
        sys.modules.update(modules)
        sys.meta_path[:], sys.path[:] = finders, path
        os.environ.clear()
        os.environ.update(environment)
        sys.setrecursionlimit(limit)
        random.setstate(state)
        os.chdir(directory)
        tempfile.tempdir = temporary
        shutil.rmtree(folder, ignore_errors=True)
