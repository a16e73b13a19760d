"""From arguments to files: what is written, printed, compared and said, around the stand-in for the conversion."""

# ruff: noqa: F401, F811 - the fixtures are those of the stand-in

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest
from stand_in import EXPLICIT, LAZY, Run, asked_for, folder, names, run

import lazygen
from lazygen import driver, header
from lazygen.diagnostics import Diagnostic, Note, Place


def with_header(code: str, name: str = "model.py", command: str = "lazygen convert model.py") -> bytes:
    return header.add_header(code, name, command, "5" * 16).encode()


def undigested(output: bytes) -> bytes:
    """An output whose source has the digest of `with_header`; what the digest is, test_states.py tells."""
    return re.sub(rb" source=[0-9a-f]{16} ", b" source=" + b"5" * 16 + b" ", output)


def test_the_output_stands_beside_the_source(folder: Path, run: Run) -> None:
    (folder / "models").mkdir()
    (folder / "models" / "model.py").write_text(LAZY)
    result = run(
        "models/model.py", "--input-shape", "x=8,3", "--arg", "mask=None", "--entry", "Net(1)", "--timeout", "3"
    )
    assert (result.code, result.out) == (0, b"")
    assert result.err == "created models/model_explicit.py\n"
    command = "lazygen convert model.py --entry 'Net(1)' --input-shape x=8,3 --arg mask=None"
    assert undigested((folder / "models" / "model_explicit.py").read_bytes()) == with_header(EXPLICIT, command=command)
    (asked,) = asked_for
    assert asked.path == "models/model.py"
    assert asked.folder == folder / "models"
    assert (asked.settings.entries, asked.settings.timeout) == (("Net(1)",), 3.0)


def test_a_second_run_changes_nothing_and_a_new_source_does(folder: Path, run: Run) -> None:
    source, output = folder / "model.py", folder / "model_explicit.py"
    source.write_text(LAZY)
    run("model.py")
    status = output.stat()
    assert run("model.py").err == "model_explicit.py is up to date\n"
    assert output.stat().st_mtime_ns == status.st_mtime_ns
    source.write_text(LAZY + "more = 1\n")
    assert run("model.py").err == "updated model_explicit.py\n"
    assert undigested(output.read_bytes()) == with_header(EXPLICIT + "more = 1\n")


def test_output_path_and_stdout(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(LAZY)
    assert run("model.py", "-o", "net.py").code == 0
    assert undigested((folder / "net.py").read_bytes()) == with_header(EXPLICIT)
    result = run("model.py", "-o", "-")
    assert (result.code, undigested(result.out), result.err) == (0, with_header(EXPLICIT), "")
    assert names(folder) == ["model.py", "net.py"]


def test_bytes_of_the_source_file_reach_the_output(folder: Path, run: Run) -> None:
    (folder / "model.py").write_bytes(b"\xef\xbb\xbf" + LAZY.replace("\n", "\r\n").encode())
    expected = b"\xef\xbb\xbf" + with_header(EXPLICIT.replace("\n", "\r\n"))
    assert undigested(run("model.py", "-o", "-").out) == expected
    assert run("model.py").code == 0
    assert undigested((folder / "model_explicit.py").read_bytes()) == expected


def test_stdin(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def feed() -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LAZY.encode())))

    feed()
    result = run("-", "--input-shape", "8,3")
    command = "lazygen convert - --input-shape 8,3"
    assert (result.code, undigested(result.out)) == (0, with_header(EXPLICIT, "<stdin>", command))
    feed()
    (folder / "models").mkdir()
    result = run("-", "--stdin-filename", "models/net.py")
    assert undigested(result.out) == with_header(EXPLICIT, "net.py", "lazygen convert net.py")
    assert [(asked.path, asked.folder) for asked in asked_for] == [
        ("<stdin>", folder),
        ("models/net.py", folder / "models"),
    ]
    feed()
    result = run("-", "--stdin-filename", "models/net.py", "--check")
    assert result.code == 1
    assert "lazygen convert - --stdin-filename models/net.py -o models/net_explicit.py" in result.err
    assert names(folder / "models") == []


@pytest.mark.parametrize("flag", ["--check", "--diff"])
def test_check_and_diff_write_nothing_and_name_the_command(folder: Path, run: Run, flag: str) -> None:
    (folder / "my model.py").write_text(LAZY)
    words = ["my model.py", "--input-shape", "x=N,3", "--entry", "Net(1)", "--timeout", "30"]
    result = run(flag, *words)
    assert result.code == 1
    assert "my model_explicit.py, the output of my model.py, is missing" in result.err
    command = "lazygen convert 'my model.py' --entry 'Net(1)' --input-shape x=N,3 --timeout 30\n"
    assert result.err.endswith(command)
    assert names(folder) == ["my model.py"]
    assert run(*words).code == 0
    result = run(flag, *words)
    assert (result.code, result.out) == (0, b"")
    output = folder / "my model_explicit.py"
    output.write_bytes(stale := output.read_bytes() + b"edited = True\n")
    result = run(flag, *words)
    assert result.code == 1
    assert "error[LZ413]" in result.err
    assert "my model_explicit.py is hand-edited" in result.err
    assert output.read_bytes() == stale


def test_check_compares_with_the_given_output(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(LAZY)
    run("model.py", "-o", "net.py", "-q")
    assert run("--check", "model.py", "-o", "net.py").code == 0
    result = run("--check", "model.py", "-o", "other.py")
    assert result.code == 1
    assert "lazygen convert model.py -o other.py" in result.err


def test_check_prints_nothing_on_stdout_and_diff_a_patch(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(LAZY)
    assert run("--check", "model.py").out == b""
    new = run("--diff", "model.py").out.decode().splitlines()
    assert new[:2] == ["--- /dev/null", "+++ model_explicit.py"]
    run("model.py")
    (folder / "model.py").write_text(LAZY + "more = 'é'\n")
    changed = run("--diff", "model.py").out.decode().splitlines()
    assert changed[:2] == ["--- model_explicit.py", "+++ model_explicit.py"]
    assert [line for line in changed[2:] if line[0] in "+-"][2:] == ["+more = 'é'"]


def test_a_refused_source_leaves_the_output_alone(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(LAZY)
    run("model.py")
    (folder / "model.py").write_text("x = refuse()\n")
    result = run("model.py")
    assert (result.code, result.out) == (1, b"")
    assert result.err == ("error[LZ201]: sizes do not meet\n --> model.py:1:5\n  |\n1 | x = refuse()\n  |     ^^^^^^\n")
    assert undigested((folder / "model_explicit.py").read_bytes()) == with_header(EXPLICIT)


def test_a_refusal_may_be_the_fault_of_the_command_line(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text("x = refuse()  # as usage\n")
    assert run("model.py").code == 2


def test_an_error_beside_an_output_is_written_and_exits_with_1(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(LAZY + "partly = 1\n")
    result = run("model.py", "--partial")
    assert result.code == 1
    assert "one layer has no size" in result.err
    assert "lazygen convert model.py --partial" in (folder / "model_explicit.py").read_text()


def test_quiet_and_verbose(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(LAZY + "odd = 1\n")
    assert run("model.py").err == "warning[LZ310]: looks odd\n\ncreated model_explicit.py\n"
    assert run("model.py", "-q").err == ""
    verbose = run("model.py", "-v", "--force").err
    assert verbose == "warning[LZ310]: looks odd\n\nfilled in 1 layer\nmodel_explicit.py is up to date\n"
    (folder / "model.py").write_text("refuse\n")
    assert "error[LZ201]" in run("model.py", "-q").err


def test_one_bad_file_does_not_stop_the_others(folder: Path, run: Run) -> None:
    (folder / "a.py").write_text(LAZY)
    (folder / "b.py").write_text("refuse\n")
    (folder / "c.py").write_text(LAZY)
    result = run("a.py", "b.py", "missing.py", "c.py", "a.py")
    assert result.code == 2
    assert result.err.endswith("2 files created, 2 files failed.\n")
    assert names(folder) == ["a.py", "a_explicit.py", "b.py", "c.py", "c_explicit.py"]
    result = run("a.py", "b.py", "c.py", "--check")
    assert (result.code, result.err.splitlines()[-1]) == (1, "2 files up to date, 1 file failed.")
    (folder / "a.py").write_text("more = 1\n")
    (folder / "c_explicit.py").unlink()
    result = run("a.py", "c.py", "--check")
    assert result.err.splitlines()[-1] == "1 file would be created, 1 file would be updated."


def test_outputs_of_the_same_run_are_no_sources(folder: Path, run: Run) -> None:
    (folder / "a.py").write_text(LAZY)
    (folder / "b.py").write_text(LAZY)
    for _ in range(2):
        assert run(*sorted(str(path.name) for path in folder.glob("*.py"))).code == 0
    assert names(folder) == ["a.py", "a_explicit.py", "b.py", "b_explicit.py"]


def test_a_bug_is_a_short_message(folder: Path, run: Run) -> None:
    (folder / "a.py").write_text("break\n")
    (folder / "b.py").write_text(LAZY)
    result = run("a.py", "b.py")
    assert result.code == 3
    assert "a bug in lazygen, met while converting a.py: ZeroDivisionError: division by zero" in result.err
    assert "Please report it" in result.err and lazygen.__version__ in result.err
    assert "Traceback" not in result.err
    assert (folder / "b_explicit.py").exists()
    assert "Traceback (most recent call last)" in run("a.py", "-v").err


@pytest.mark.parametrize("word", ["exit", "invalid", "nothing"])
def test_other_bugs(folder: Path, run: Run, word: str) -> None:
    (folder / "a.py").write_text(word)
    result = run("a.py")
    assert result.code == 3
    assert "Please report it" in result.err
    assert names(folder) == ["a.py"]


def test_an_interrupt_ends_the_run(folder: Path, run: Run) -> None:
    (folder / "a.py").write_text("stop\n")
    (folder / "b.py").write_text(LAZY)
    result = run("a.py", "b.py")
    assert result.code == 130
    assert names(folder) == ["a.py", "b.py"]


def test_a_file_that_lazygen_did_not_write_is_not_overwritten(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(LAZY)
    (folder / "train.py").write_text("work = 1\n")
    result = run("model.py", "-o", "train.py")
    assert result.code == 1
    assert "--force" in result.err
    assert (folder / "train.py").read_text() == "work = 1\n"
    assert run("model.py", "-o", "train.py", "--force").code == 0
    assert undigested((folder / "train.py").read_bytes()) == with_header(EXPLICIT)
    (folder / "empty.py").touch()
    assert run("model.py", "-o", "empty.py").code == 0


def test_special_files_are_written_to(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(LAZY)
    assert run("model.py", "-o", os.devnull).code == 0
    assert not Path(os.devnull).is_file()
    assert run("model.py", "-o", os.devnull, "--check").code == 2


USAGE = [
    (["missing.py"], "there is no file missing.py", ""),
    (["modle.py"], "there is no file modle.py", "did you mean model.py?"),
    (["models/net"], "there is no file models/net", "did you mean models/net.py?"),
    (["away/model.py"], "there is no file away/model.py", "the folder away is not there"),
    (["models", "-o", "net.py"], "models is a folder", "one by one"),
    (["model.py", "--input-shape", "8", "3"], "there is no file 3", "joined by commas"),
    (["model.py", "-o", "model.py"], "would overwrite its own source", "model_explicit.py"),
    (["model.py", "-o", "link.py"], "would overwrite its own source", "model_explicit.py"),
    (["model.py", "-o", "./models/../model.py"], "would overwrite its own source", "model_explicit.py"),
    (["model.py", "-o", "models"], "-o models is a folder", "-o models/model_explicit.py"),
    (["model.py", "-o", "away/net.py"], "there is no folder away", "mkdir -p away"),
    (["model.py", "other.py", "-o", "net.py"], "-o gives one output, but there are 2 files", "one by one"),
    (["model.py", "-o", "-", "--check"], "--check compares with a file", "leave out"),
    (["model.py", "-o", "-", "--diff"], "--diff compares with a file", "leave out"),
    (["-", "--check"], "does not know which file", "--stdin-filename"),
    (["model.py", "--stdin-filename", "x.py"], "not read", "write -"),
    (["model.py", "--input-shape", "x=8", "--arg", "x=1"], '"x" is given twice', "once"),
    (["model.py", "-q", "-v"], "contradict", "leave one"),
]


@pytest.mark.parametrize(("words", "message", "cure"), USAGE)
def test_usage_mistakes(folder: Path, run: Run, words: list[str], message: str, cure: str) -> None:
    (folder / "model.py").write_text(LAZY)
    (folder / "link.py").symlink_to("model.py")
    (folder / "models").mkdir()
    (folder / "models" / "net.py").write_text(LAZY)
    result = run(*words)
    assert (result.code, result.out) == (2, b"")
    assert message in result.err
    assert cure in result.err
    assert "Traceback" not in result.err
    assert (folder / "model.py").read_text() == LAZY


def test_black_line_length_and_a_broken_pyproject(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(LAZY)
    (folder / "pyproject.toml").write_text("[tool.black]\nline-length = 99\n")
    assert run("model.py").code == 0
    assert asked_for[-1].line_length == 99
    (folder / "pyproject.toml").write_text("[tool.black]\nline-length = = 99\n")
    result = run("model.py")
    assert result.code == 2
    assert "pyproject.toml is not TOML" in result.err
    assert "2 | line-length = = 99" in result.err


@pytest.mark.parametrize("content", [b"", b"\x00\x01binary", b"x = '\xff'\n"])
def test_what_is_no_python_source(folder: Path, run: Run, content: bytes) -> None:
    (folder / "model.py").write_bytes(content)
    result = run("model.py")
    assert (result.code, result.out) == (1, b"")
    assert "error[LZ0" in result.err and "model.py" in result.err
    assert names(folder) == ["model.py"]


@pytest.mark.parametrize("name", ["loop.py", "model.py/inner.py", "n" * 300 + ".py"])
def test_a_source_that_the_system_does_not_give(folder: Path, run: Run, name: str) -> None:
    (folder / "model.py").write_text(LAZY)
    (folder / "loop.py").symlink_to("loop.py")
    result = run(name)
    assert (result.code, result.out) == (2, b"")
    assert f"error[LZ401]: {name} cannot be read" in result.err


def test_findings_in_another_module_are_quoted_from_its_file(folder: Path) -> None:
    (folder / "blocks.py").write_text("a\nwrong = 1\n")
    finding = Diagnostic("LZ201", "no", Place("blocks.py", 2, 0, 2, 5), notes=(Note("so"),))
    texts = driver.with_other_texts({"model.py": LAZY}, [finding])
    assert texts["blocks.py"].splitlines()[1] == "wrong = 1"
    nowhere = Diagnostic("LZ201", "no", Place("gone.py", 2, 0, 2, 5))
    assert driver.with_other_texts({}, [nowhere]) == {}
