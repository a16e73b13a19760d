"""What a traced source may not do, and what it may."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from lazygen.trace.child import Died, run_in_child


def attempt(source: str, folder: Path) -> Any:
    """Runs a source in a child, in `folder`; gives its variable `result`, or the name of what it raised."""

    def work() -> Any:
        os.chdir(folder)
        names: dict[str, Any] = {}
        try:
            exec(compile(source, "model.py", "exec", dont_inherit=True), names)
        except BaseException as error:
            return type(error).__name__, str(error)
        return names.get("result")

    outcome = run_in_child(work, 20)
    assert not isinstance(outcome, Died), outcome
    return outcome


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "precious").write_text("kept", encoding="utf-8")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "file").write_text("kept", encoding="utf-8")
    return tmp_path


def listing(folder: Path) -> dict[str, Any]:
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(folder.rglob("*"))
    }


CHANGES = """
open('precious', 'w')
open('precious', 'a')
open('precious', 'r+')
open('new', 'xb')
open(b'new', 'w')
open('new', 'w', opener=lambda path, flags: os.open(path, flags))
os.open('new', os.O_CREAT)
os.open('precious', os.O_RDWR)
os.open('precious', os.O_TRUNC)
io.FileIO('new', 'w')
pathlib.Path('new').write_text('x')
pathlib.Path('new').touch()
pathlib.Path('precious').touch()
pathlib.Path('precious').unlink()
os.truncate('precious', 0)
os.remove('precious')
os.rename('precious', 'other')
os.replace('precious', 'other')
os.link('precious', 'other')
os.symlink('precious', 'other')
os.mkdir('new')
os.makedirs('new/deeper')
os.rmdir('inside')
os.chmod('precious', 0)
os.fchmod(os.open('precious', os.O_RDONLY), 0)
os.chown('precious', -1, -1)
os.utime('precious')
os.mkfifo('new')
os.mknod('new')
os.setxattr('precious', 'user.x', b'1')
shutil.rmtree('inside')
shutil.move('precious', 'other')
shutil.copy('precious', 'other')
shutil.copytree('inside', 'other')
os.system('touch new')
os.popen('touch new')
subprocess.run(['touch', 'new'])
subprocess.Popen('touch new', shell=True)
os.posix_spawn('/bin/sh', ['sh', '-c', 'touch new'], {})
os.posix_spawnp('sh', ['sh', '-c', 'touch new'], {})
os.spawnlp(os.P_WAIT, 'touch', 'touch', 'new')
os.execlp('touch', 'touch', 'new')
os.fork()
os.forkpty()
os.kill(os.getppid(), 0)
os.killpg(os.getpgid(os.getppid()), 0)
os.kill(os.getpid(), 9)
multiprocessing.Process(target=print).start()
multiprocessing.get_context('spawn').Process(target=print).start()
multiprocessing.shared_memory.SharedMemory(create=True, size=8)
socket.socket()
socket.create_connection(('127.0.0.1', 9))
socket.getaddrinfo('localhost', 80)
urllib.request.urlopen('http://127.0.0.1:9')
http.client.HTTPConnection('127.0.0.1', 9).request('GET', '/')
sqlite3.connect('new')
sqlite3.connect(':memory:')
ctypes.CDLL('libc.so.6')
ctypes.CDLL(None).unlink(b'precious')
ctypes.pythonapi.Py_GetVersion()
shelve.open('new')
tempfile.NamedTemporaryFile(dir='.')
logging.FileHandler('new')
zipfile.ZipFile('new', 'w')
""".strip().splitlines()

PREPARED = (
    "import os, io, pathlib, shutil, subprocess, multiprocessing, multiprocessing.shared_memory, socket\n"
    "import urllib.request, http.client, sqlite3, ctypes, shelve, tempfile, logging, zipfile\n"
)


@pytest.mark.parametrize("late", [True, False], ids=["modules imported there", "modules imported before"])
def test_changes_are_refused(folder: Path, late: bool) -> None:
    before = listing(folder)
    if not late:
        exec(PREPARED, {})
    source = PREPARED + "result = {}\n"
    for change in CHANGES:
        source += f"try:\n    {change}\n    result[{change!r}] = 'done'\n"
        source += f"except BaseException as error:\n    result[{change!r}] = repr(error)\n"
    result = attempt(source, folder)
    assert isinstance(result, dict), result
    # urllib wraps what it meets, and shelve has a last resort in plain Python, which opens a file.
    allowed = {change: words for change, words in result.items() if "refused" not in words}
    assert allowed == {}
    assert len(result) == len(CHANGES)
    assert listing(folder) == before


def test_the_guard_is_what_refuses(folder: Path) -> None:
    names: dict[str, Any] = {"os": os}
    os.chdir(folder)
    exec("os.mkdir('new')", names)
    assert (folder / "new").exists()


@pytest.mark.parametrize(
    "source",
    [
        "result = open('precious').read() == 'kept'",
        "import os; result = os.listdir('inside') == ['file']",
        "import os; open(os.devnull, 'w').write('x'); result = True",
        "import pathlib; result = pathlib.Path('precious').read_bytes() == b'kept'",
        "import os; os.environ['X'] = '1'; os.putenv('Y', '2'); os.chdir('inside'); result = True",
        "import threading; t = threading.Thread(target=int); t.start(); t.join(); result = True",
        "import tempfile\nwith tempfile.TemporaryDirectory() as d: open(d + '/x', 'w').write('y')\nresult = True",
        "import tempfile\nwith tempfile.NamedTemporaryFile('w') as f: f.write('x')\nresult = True",
        "import tempfile, os, shutil; d = tempfile.mkdtemp(); os.mkdir(d + '/a'); os.rename(d + '/a', d + '/b')\n"
        "os.chmod(d + '/b', 0o700); shutil.rmtree(d); result = True",
        "import ctypes; result = ctypes.sizeof(ctypes.c_int) == 4",
        "import numpy; result = int(numpy.arange(3).sum()) == 3",
        "import asyncio; loop = asyncio.new_event_loop(); result = loop.run_until_complete(asyncio.sleep(0, True))",
        "import logging; logging.basicConfig(); logging.warning('x'); result = True",
        "import json, decimal, email, xml.dom, unittest, multiprocessing, concurrent.futures; result = True",
        "import mmap; f = open('precious', 'rb')\n"
        "result = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)[:1] == b'k'",
    ],
)
def test_what_imports_need_is_allowed(folder: Path, source: str) -> None:
    assert attempt(source, folder) is True


def test_a_refusal_says_what(folder: Path) -> None:
    kind, words = attempt("open('results.csv', 'w')", folder)
    assert kind == "PermissionError" and "'results.csv'" in words and "may change nothing" in words


def test_a_swallowed_refusal_is_fine(folder: Path) -> None:
    assert attempt("try:\n    open('x', 'w')\nexcept OSError:\n    pass\nresult = 3", folder) == 3


def test_refusals_end_with_the_child(tmp_path: Path) -> None:
    attempt("result = 1", tmp_path)
    (tmp_path / "x").write_text("the parent writes", encoding="utf-8")
    assert (tmp_path / "x").exists()


def test_a_link_in_the_temporary_folder_leads_nowhere(folder: Path) -> None:
    kind, _ = attempt(f"import os, tempfile; os.symlink({str(folder)!r}, tempfile.gettempdir() + '/link')", folder)
    assert kind == "PermissionError"


def test_the_guard_costs_little() -> None:
    def measure() -> float:
        import time

        begin = time.perf_counter()
        for _ in range(10_000):
            sys._getframe()
        return (time.perf_counter() - begin) / 10_000

    outcome = run_in_child(measure, 10)
    assert isinstance(outcome, float) and outcome < 5e-6  # about 0.2 microseconds
