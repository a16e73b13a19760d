"""The command as a process and the Python API: what a stranger meets first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import lazygen
from lazygen import report
from lazygen.cli import main

ROOT = Path(__file__).resolve().parent.parent

# Put in front of a process, this lets the conversion hand back its source, so that only the command is tested.
FAKE_PIPELINE = dedent("""\
    import sys, types
    import lazygen

    class Conversion:
        def __init__(self, code, diagnostics=(), remarks=(), usage=False):
            self.code, self.diagnostics, self.remarks, self.usage = code, diagnostics, remarks, usage

    fake = types.ModuleType("lazygen.pipeline")
    fake.Conversion = Conversion
    fake.convert_source = lambda text, settings, **rest: Conversion(text)
    sys.modules["lazygen.pipeline"] = lazygen.pipeline = fake
    """)


def start(
    folder: Path, *words: str, shell_after: str = "", fake: bool = False, unbuffered: bool = False
) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    environment["PYTHONUNBUFFERED"] = "1" if unbuffered else ""
    program = ["-m", "lazygen"]
    if fake:
        (folder / "faked.py").write_text(f"{FAKE_PIPELINE}\nfrom lazygen.cli import main\nsys.exit(main())\n")
        program = [str(folder / "faked.py")]
    line = [sys.executable, *program, *words]
    if shell_after:
        quoted = " ".join(f"'{word}'" for word in line)
        line = ["bash", "-c", f"{quoted} {shell_after}"]
    return subprocess.run(line, cwd=folder, env=environment, capture_output=True, check=False, timeout=60)


def test_python_m_lazygen(tmp_path: Path) -> None:
    done = start(tmp_path, "--version")
    assert (done.returncode, done.stdout.decode().split(), done.stderr) == (0, ["lazygen", lazygen.__version__], b"")
    done = start(tmp_path, "convert", "missing.py")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"error[LZ401]: there is no file missing.py\n"


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["convert", "--help"], ["convert", "-h"]])
def test_help_goes_to_stdout(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Usage: lazygen") and err == ""
    assert "--input-shape" in out


def test_help_of_convert_names_every_flag(capsys: pytest.CaptureFixture[str]) -> None:
    main(["convert", "--help"])
    out = capsys.readouterr().out
    flags = (
        "--input-shape --arg --entry --output --check --diff --partial --force --timeout --stdin-filename -q -v --color"
    )
    assert [flag for flag in flags.split() if flag not in out] == []


@pytest.mark.parametrize(
    ("words", "message", "cure"),
    [
        ([], "Usage: lazygen", "Begin with"),
        (["convert"], "no file to convert is given", "for example: lazygen convert model.py"),
        (["convert", "m.py", "--inptu-shape", "8"], "there is no option --inptu-shape", "did you mean --input-shape?"),
        (["verify"], "no file is given for lazygen verify", "for example: lazygen verify model.py"),
        (
            ["verify", "m.py", "--input-shape"],
            "requires an argument",
            "lazygen verify model.py --input-shape 8,3,32,32",
        ),
        (["explain", "m.py", "--timeout", "soon"], "'soon' is not a valid float", "lazygen explain --help"),
        (["keymap", "m.py", "--apply", "old.pt"], "requires 2 arguments", "lazygen keymap --help"),
        (["convert", "m.py", "--frobnicate"], "there is no option --frobnicate", "lazygen convert --help"),
        (["convert", "m.py", "-z"], "there is no option -z", "help:"),
        (["--chekc"], "there is no option --chekc", "lazygen --help"),
        (["convert", "m.py", "--input-shape"], "requires an argument", "--input-shape 8,3,32,32"),
        (["convert", "m.py", "--timeout", "soon"], "'soon' is not a valid float", "--help"),
        (["convert", "m.py", "--timeout", "-1"], '"-1" is no time limit', "--timeout 30"),
        (["convert", "m.py", "--color", "red"], "'red' is not one of", "--help"),
        (["model.py"], '"model.py" is not a command', "lazygen convert model.py"),
        (["convret", "model.py"], '"convret" is not a command', "did you mean: lazygen convert"),
        (["train"], '"train" is not a command', "lazygen convert model.py --input-shape"),
    ],
)
def test_mistakes(words: list[str], message: str, cure: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err and cure in err
    assert "Traceback" not in err and err.endswith("\n")


def test_a_malformed_shape_is_shown_on_its_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "m.py", "--arg", "mask=None", "--input-shape", "4", "--input-shape", "y=8,3O"]) == 2
    assert capsys.readouterr().err == dedent("""\
        error[LZ050]: "3O" is not a size
         --> command line
          |
          | --input-shape y=8,3O
          |                   ^^
          = help: a size is an integer, a name (N, or N=4 with a sample value) or None
          = help: for example: --input-shape 8,3,32,32
        """)


@pytest.mark.parametrize("color", [["--color", "always"], ["--color=always"]])
@pytest.mark.parametrize("mistake", [["--input-shape", "8,3O"], ["--inptu-shape", "8"], ["missing.py"]])
def test_color_is_honoured_in_every_message(
    color: list[str], mistake: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["convert", "m.py", *color, *mistake])
    assert "\033[1;31merror" in capsys.readouterr().err
    main(["convert", "m.py", *mistake])
    assert "\033" not in capsys.readouterr().err


class Terminal:
    def isatty(self) -> bool:
        return True


def test_color_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert report.wants_color("auto") and not report.wants_color("never")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not report.wants_color("auto") and report.wants_color("always")
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TERM", "dumb")
    assert not report.wants_color("auto")


@pytest.mark.parametrize("unbuffered", [False, True])
@pytest.mark.parametrize("reader", ["head -n 1 > /dev/null", "exec <&-; sleep 0.5"])
@pytest.mark.parametrize("lines", [1, 200_000])
def test_a_reader_that_leaves_early_is_no_mistake(tmp_path: Path, lines: int, reader: str, unbuffered: bool) -> None:
    (tmp_path / "model.py").write_text("x = 1\n" * lines)
    words = ["convert", "model.py", "-o", "-"]
    after = f"| ({reader}); exit ${{PIPESTATUS[0]}}"
    done = start(tmp_path, *words, fake=True, shell_after=after, unbuffered=unbuffered)
    assert (done.returncode, done.stderr) == (0, b"")
    whole = start(tmp_path, *words, fake=True, unbuffered=unbuffered)
    assert whole.stdout.count(b"\n") == lines + 2


@pytest.mark.parametrize("unbuffered", [False, True])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_stdout_is_said(tmp_path: Path, unbuffered: bool) -> None:
    (tmp_path / "model.py").write_text("x = 1\n")
    done = start(
        tmp_path, "convert", "model.py", "-o", "-", fake=True, shell_after="> /dev/full", unbuffered=unbuffered
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"error[LZ402]: stdout cannot be written: No space left")
    assert b"Traceback" not in done.stderr and b"Exception ignored" not in done.stderr


@pytest.mark.parametrize("closed", ["2>&-", ">&- 2>/dev/null", "<&-"])
def test_closed_streams_do_not_stop_a_conversion(tmp_path: Path, closed: str) -> None:
    (tmp_path / "model.py").write_text("x = 1\n")
    done = start(tmp_path, "convert", "model.py", fake=True, shell_after=closed)
    assert done.returncode == 0
    assert (tmp_path / "model_explicit.py").read_text().endswith("x = 1\n")


def test_a_header_can_be_run_as_it_stands(tmp_path: Path) -> None:
    """The command in the header, run by a shell beside the source, gives the same output."""
    (tmp_path / "it's.py").write_text("x = 1\n")
    start(tmp_path, "convert", "it's.py", "--input-shape", "x=N,3", "--arg", "mode='a \"b\"'", fake=True)
    output = (tmp_path / "it's_explicit.py").read_text()
    command = output.splitlines()[0].partition("then run: lazygen ")[2]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    line = f"{sys.executable} faked.py {command} --check"
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"it's_explicit.py is up to date\n")


def test_a_bug_before_any_file_is_reported_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(**_: object) -> None:
        raise RuntimeError("nobody thought of this")

    monkeypatch.setattr("lazygen.flags.flags_of", broken)
    assert main(["convert", "model.py"]) == 3
    err = capsys.readouterr().err
    assert "RuntimeError: nobody thought of this" in err and "Please report it" in err
    assert "Traceback" not in err
    assert main(["convert", "model.py", "-v"]) == 3
    assert "Traceback" in capsys.readouterr().err


def run_with_fake(tmp_path: Path, statement: str) -> str:
    program = f"{FAKE_PIPELINE}\n{statement}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, check=True
    )
    return done.stdout.decode()


def test_the_python_api_takes_the_texts_of_the_command(tmp_path: Path) -> None:
    out = run_with_fake(
        tmp_path,
        dedent("""\
            fake.convert_source = lambda text, settings, **rest: print(text, settings, rest) or Conversion(None)
            lazygen.convert_source("x", input_shape="8,3", entry="Net", timeout=2)
            lazygen.convert_source("x", input_shape=["a=8", "b=3:int64"], arg="m=None", path="p.py", line_length=100)
            """),
    )
    first, second = out.splitlines()
    assert "entry='Net'" in first and "Size(value=8, name=None), Size(value=3, name=None)" in first
    assert "timeout=2" in first
    assert "dtype='int64', name='b'" in second and "Argument(name='m', literal='None')" in second
    assert "'path': 'p.py'" in second and "'line_length': 100" in second


def test_the_python_api_gives_bad_settings_as_values(tmp_path: Path) -> None:
    out = run_with_fake(
        tmp_path,
        'c = lazygen.convert_source("x", input_shape="8,3O"); print(c.code, c.usage, [d.code for d in c.diagnostics])',
    )
    assert out == "None True ['LZ050']\n"


def test_what_the_package_offers() -> None:
    from lazygen.diagnostics import Diagnostic

    assert lazygen.Diagnostic is Diagnostic
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = lazygen.nonsense
