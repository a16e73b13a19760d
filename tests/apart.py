"""Converts in a process of its own: one that holds no torch, which makes each of the many forks of a conversion cheap.

It is what `lazygen.convert_source` does in the tests; those that change something for a conversion take `here`.  It is
started by the first conversion and lives as long as the tests do.  Requests go to its standard input and
conversions come from its standard output, both pickled.
"""

from __future__ import annotations

import atexit
import functools
import os
import pickle
import subprocess
import sys
from typing import IO, Any

from lazygen import convert_source as here
from lazygen.pipeline import Conversion


def convert(source: str, **settings: Any) -> Conversion:
    """What `lazygen.convert_source` makes of a source; what it raises is raised here."""
    process = _process()
    assert process.stdin is not None and process.stdout is not None
    pickle.dump((source, settings), process.stdin)
    process.stdin.flush()
    answer = pickle.load(process.stdout)
    if isinstance(answer, Exception):
        raise answer
    assert isinstance(answer, Conversion)
    return answer


@functools.cache
def _process() -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen(
        [sys.executable, "-W", "error", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    atexit.register(_end, process)
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.close()
    process.wait()
    process.stdout.close()


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    while True:
        try:
            source, settings = pickle.load(requests)
        except EOFError:
            return
        try:
            answer: Conversion | Exception = here(source, **settings)
        except Exception as error:
            answer = error
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    _serve(sys.stdin.buffer, sys.stdout.buffer)
