"""Old bytes or new bytes, never half of them and never none: full disks, kills, protection, links, runs at once."""

from __future__ import annotations

import os
import random
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

import pytest
from test_cli import FAKE_PIPELINE

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
OUTPUT = "model_explicit.py"

needs_posix = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the command behind a stand-in for the conversion, which hands back its source."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "command.py").write_text(f"{FAKE_PIPELINE}\nfrom lazygen.cli import main\nsys.exit(main())\n")
    return tmp_path


def start(*words: str, limit: int | None = None) -> subprocess.Popen[str]:
    """A run of the command; `limit` is the most bytes that a file of it may get."""
    program = ["command.py", "convert", *words]
    if limit is not None:
        first = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))"
        then = "import runpy\nrunpy.run_path('command.py', run_name='__main__')\n"
        Path("limited.py").write_text(f"{first}\n{then}")
        program[0] = "limited.py"
    return subprocess.Popen(
        [sys.executable, *program], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run(*words: str, limit: int | None = None) -> tuple[int, str]:
    process = start(*words, limit=limit)
    _, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    return process.returncode, err


def source(text: str, lines: int = 1) -> None:
    Path("model.py").write_text(f"x = '{text}'\n" * lines)


def files() -> list[str]:
    return sorted(path.name for path in Path().iterdir() if path.name not in (".git", "command.py", "limited.py"))


@needs_posix
@pytest.mark.parametrize("there_before", [True, False])
def test_a_full_disk(there_before: bool) -> None:
    if there_before:
        source("old")
        assert run("model.py")[0] == 0
    before = Path(OUTPUT).read_bytes() if there_before else None
    source("new", lines=3000)
    code, err = run("model.py", limit=4096)
    assert code == 1
    assert err.startswith(f"error[LZ402]: cannot write {OUTPUT}: File too large")
    assert (Path(OUTPUT).read_bytes() if Path(OUTPUT).exists() else None) == before
    assert files() == ["model.py", OUTPUT][: 2 if there_before else 1]
    assert run("model.py")[0] == 0
    assert Path(OUTPUT).read_text().endswith("x = 'new'\n" * 3000)


KILLED_AT_EVERY_STEP = dedent("""\
    import os, signal, sys
    from pathlib import Path
    from lazygen.files import write_whole

    OLD, NEW = b"old" * 50_000, b"new" * 60_000
    path = Path("output.py")

    def write(step):
        left = step
        def at_each_call(frame, event, argument):
            nonlocal left
            if event in ("c_call", "c_return"):
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
        sys.setprofile(at_each_call)
        write_whole(path, NEW)
        sys.setprofile(None)

    seen = []
    for step in range(10_000):
        path.write_bytes(OLD)
        child = os.fork()
        if child == 0:
            write(step)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        seen.append({OLD: "old", NEW: "new"}.get(path.read_bytes(), "half"))
        if not os.WIFSIGNALED(status):
            break
    print(len(seen), *sorted(set(seen)), seen[0], seen[-1])
    """)


@needs_posix
def test_killed_at_every_step_of_writing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED_AT_EVERY_STEP], env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    steps, *seen = done.stdout.split()
    assert int(steps) > 20
    assert seen == ["new", "old", "old", "new"]


WRITES_FOR_EVER = dedent("""\
    import itertools, sys
    from lazygen.files import write_whole
    print(flush=True)
    for number in itertools.count():
        write_whole("output.py", (b"old" if number % 2 else b"new") * 100_000)
    """)


@needs_posix
def test_killed_at_a_random_moment() -> None:
    moments = random.Random(7)
    whole = {b"old" * 100_000, b"new" * 100_000}
    for _ in range(12):
        process = subprocess.Popen([sys.executable, "-c", WRITES_FOR_EVER], env=ENVIRONMENT, stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.01 + moments.random() * 0.03)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
        assert Path("output.py").read_bytes() in whole


@needs_posix
def test_the_command_killed_at_a_random_moment() -> None:
    """Whenever it is killed, the next run finds either output in order, and finishes the work."""
    moments = random.Random(11)
    source("0")
    assert run("model.py")[0] == 0
    for number in range(1, 7):
        before = Path(OUTPUT).read_text()
        source(str(number), lines=300)
        process = start("model.py")
        time.sleep(moments.random() * 0.4)
        process.kill()
        process.communicate(timeout=30)
        text = Path(OUTPUT).read_text()
        assert text == before or text.endswith(f"x = '{number}'\n" * 300)
        assert run("model.py")[0] == 0
        assert Path(OUTPUT).read_text().endswith(f"x = '{number}'\n" * 300)


def test_a_write_protected_output() -> None:
    source("old")
    assert run("model.py")[0] == 0
    output = Path(OUTPUT)
    before = output.read_bytes()
    output.chmod(0o444)
    source("new")
    for flags in ([], ["--force"]):
        code, err = run("model.py", *flags)
        assert code == 1 and "write-protected" in err
        assert (output.read_bytes(), stat.S_IMODE(output.stat().st_mode)) == (before, 0o444)
    assert files() == ["model.py", OUTPUT]
    source("old")
    assert run("model.py")[0] == 0


@needs_posix
@pytest.mark.parametrize("full", [False, True])
def test_a_symlinked_output(full: bool, folder: Path) -> None:
    (folder / "store").mkdir()
    Path(OUTPUT).symlink_to("store/real.py")
    source("old")
    assert run("model.py")[0] == 0
    real = folder / "store" / "real.py"
    before = real.read_bytes()
    real.chmod(0o640)
    source("new", lines=3000)
    code, _ = run("model.py", limit=4096 if full else None)
    assert code == int(full)
    assert Path(OUTPUT).is_symlink() and os.readlink(OUTPUT) == "store/real.py"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert (real.read_bytes() == before) is full
    assert [path.name for path in real.parent.iterdir()] == ["real.py"]


def test_runs_at_once() -> None:
    """Several runs of two sources into one file: whoever looks sees one of the two, whole."""
    for name in ("a", "b"):
        Path(f"{name}.py").write_text(f"{name} = 1\n" * 2000)
        assert run(f"{name}.py", "-o", f"{name}_alone.py")[0] == 0
    whole = {Path(f"{name}_alone.py").read_bytes() for name in ("a", "b")}
    Path("net.py").write_bytes(next(iter(whole)))
    processes = [start(f"{name}.py", "-o", "net.py", "--force") for name in "abab"]
    seen = set()
    while any(process.poll() is None for process in processes):
        seen.add(Path("net.py").read_bytes())
    assert [process.communicate(timeout=60)[0] for process in processes] == [""] * 4
    assert [process.returncode for process in processes] == [0] * 4
    assert seen | {Path("net.py").read_bytes()} <= whole
    assert files() == ["a.py", "a_alone.py", "b.py", "b_alone.py", "net.py"]


def test_the_same_run_twice_at_once() -> None:
    source("new", lines=500)
    processes = [start("model.py"), start("model.py")]
    for process in processes:
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    assert files() == ["model.py", OUTPUT]
    assert run("--check", "model.py")[0] == 0


def test_an_interrupted_run_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    from lazygen.files import write_whole

    Path(OUTPUT).write_bytes(b"old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(OUTPUT, b"new")
    assert (Path(OUTPUT).read_bytes(), files()) == (b"old", [OUTPUT])
