"""Broken, careless and hostile sources through the command: a message each, nothing changed, no traceback, no stdout.

`SAID` lists sources of fixtures/hostile with words of their messages.  `CONVERTED` lists those that are odd but right:
they must come out, and what they try on the side must not happen.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lazygen.frontend.parse import parse
from lazygen.frontend.references import references

ROOT = Path(__file__).parent.parent
HOSTILE = ROOT / "fixtures" / "hostile"
SHORT = "0.5"  # seconds, for what never ends
LONG = "30"  # for all others, on a machine that is busy

ENDLESS = {
    "endless_forward": "LZ134",
    "endless_generator": "LZ134",
    "endless_loop": "LZ134",
    "endless_power": "LZ134",
    "endless_regular_expression": "LZ134",
    "ignores_signals": "LZ134",
    "sleeps_and_catches_all": "LZ134",
}
SAID = ENDLESS | {
    "abort": "os.abort is refused",
    "binary": "NUL byte",
    "carriage_returns": "LZ007",
    "chain_of_calls": "nested too deeply",
    "closes_everything": "ended the process",
    "database": "sqlite3.connect is refused",
    "deletes_files": "NotADirectoryError",
    "deletes_itself": "deletes_itself.py') is refused",
    "downloads": "refused",
    "elf_header": "NUL byte",
    "empty": "the source is empty",
    "encoding_unknown": "klingon",
    "error_with_escapes": r"\x1b]0;owned\x07",
    "error_without_words": "this raises Silent",
    "exit_at_import": "ends the process",
    "exit_in_constructor": "ends the process",
    "foreign_library": "ctypes.dlsym is refused",
    "forks_without_end": "os.fork is refused",
    "future_import_late": "LZ001",
    "future_import_unknown": "not a chance",
    "generator_forward": "LZ212",
    "getattr_recursion": "call themselves without end",
    "huge_number": "LZ001",
    "interrupts": "KeyboardInterrupt",
    "kills_the_parent": "os.kill is refused",
    "recursion": "call themselves without end",
    "leave_at_import": "ends the process",
    "leave_in_forward": "ends the process",
    "links_files": "os.symlink is refused",
    "metaclass_that_raises": "KeyError",
    "multiprocessing_pool": "refused",
    "nested_deeply": "too many nested parentheses",
    "nested_sum": "nested too deeply",
    "no_streams_and_a_mistake": "(4, 8) and (4, 16)",
    "not_python": "LZ001",
    "not_utf8": "0xe9",
    "nul_characters": "NUL byte",
    "only_a_byte_order_mark": "the source is empty",
    "opens_for_writing": "neighbour.txt' for writing is refused",
    "opens_sockets": "a socket is refused",
    "python_two": "LZ001",
    "raises_group": "BaseExceptionGroup",
    "reads_address_zero": "SIGSEGV",
    "recursion_limit_raised": "LZ13",  # a crash, or without end, as Python has it
    "renames_files": "os.rename('neighbour.txt'",
    "replaces_builtins": "this is mine now",
    "shell_command": "os.system is refused",
    "starts_processes": "subprocess.Popen is refused",
    "surrogates": "9, but 8 reach it",
    "tabs_and_spaces": "LZ001",
    "takes_all_memory": "more memory",
    "tracer_that_raises": "seen enough",
    "truncates_files": "os.truncate('neighbour.txt') is refused",
    "utf16": "UTF-16",
}
CONVERTED = (
    "async_model",
    "at_exit",
    "changes_directory",
    "closes_streams",
    "deletes_and_hides_it",
    "empties_the_modules",
    "fills_stderr",
    "finaliser_raises",
    "garbage",
    "helper_names",
    "imports_itself",
    "lying_int",
    "metaclass",
    "nested_blocks",
    "prints",
    "reduces_to_code",
    "replaces_open_and_print",
    "replaces_streams",
    "replaces_torch",
    "thread_not_daemon",
    "traces_everything",
    "warnings_as_errors",
)


class Place:
    """A project with one source and a neighbour, beside a home folder that is empty."""

    def __init__(self, base: Path) -> None:
        self.base, self.project, self.home = base, base / "project", base / "home"
        self.project.mkdir()
        self.home.mkdir()
        (self.project / "neighbour.txt").write_text("keep me\n")

    def add(self, name: str) -> None:
        shutil.copy(HOSTILE / f"{name}.py", self.project)

    def files(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in sorted(self.base.rglob("*")) if path.is_file()}

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "HOME": str(self.home), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [sys.executable, "-m", "lazygen", *arguments],
            cwd=self.project,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
        )


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_every_source_is_listed() -> None:
    assert sorted([*SAID, *CONVERTED]) == sorted(path.stem for path in HOSTILE.glob("*.py"))


@pytest.mark.parametrize("name", sorted(SAID))
def test_a_source_that_cannot_be_converted_is_told_why(name: str, place: Place) -> None:
    place.add(name)
    before = place.files()
    limit = SHORT if name in ENDLESS else LONG
    done = place.run("convert", f"{name}.py", "--input-shape", "4,16", "--timeout", limit)
    assert done.returncode == 1, done.stderr
    assert SAID[name] in done.stderr
    assert done.stderr.count("error[LZ") == 1
    assert "error[LZ9" not in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert place.files() == before


@pytest.mark.parametrize("name", CONVERTED)
def test_an_odd_source_is_converted_and_nothing_else_happens(name: str, place: Place) -> None:
    place.add(name)
    before = place.files()
    done = place.run("convert", f"{name}.py", "--input-shape", "4,16", "--timeout", LONG)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "said at exit" not in done.stderr
    assert done.stdout == ""
    output = place.project / f"{name}_explicit.py"
    assert references(parse(output.read_text(), output.name)) == []
    output.unlink()
    assert place.files() == before


@pytest.mark.parametrize(
    ("arguments", "cure"),
    [
        (["convert", "od.py", "--input-shape", "4,16"], "did you mean odd.py?"),
        (["convert", "odd.py", "--input-shape", "4;16"], "--input-shape"),
        (["convert", "odd.py", "--input-shape", "4,-16"], "--input-shape"),
        (["convert", "odd.py", "--input-shape", "4,16:flaot32"], "float32"),
        (["convert", "odd.py", "--input-shap", "4,16"], "--input-shape"),
        (["convert", "odd.py", "--input-shape", "4,16", "--arg", "mask=open('x')"], "--arg"),
        (["convert", "odd.py", "--input-shape", "4,16", "--entry", "import os"], "--entry"),
        (["convert", "odd.py", "--input-shape", "4,16", "--entry", "__import__('os')"], "models of the file: model"),
        (["convert", "odd.py", "--input-shape", "4,16", "--timeout", "soon"], "--timeout"),
        (["convert", "odd.py", "--input-shape", "4,16", "--timeout", "-1"], "--timeout"),
        (["convert", "odd.py", "--input-shape", "4,16", "-o", "odd.py"], "odd.py"),
        (["convert", "odd.py", "odd.py", "--input-shape", "4,16", "-o", "-", "--check"], "--check"),
        (["convert"], "lazygen convert model.py"),
        (["odd.py"], "lazygen convert odd.py"),
        (["convrt", "odd.py"], "lazygen convert"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_usage_mistake_is_told_what_to_write(arguments: list[str], cure: str, place: Place) -> None:
    (place.project / "odd.py").write_text("from torch import nn\n\nmodel = nn.Sequential(nn.LazyLinear(8))\n")
    before = place.files()
    done = place.run(*arguments)
    assert done.returncode == 2, done.stderr
    assert cure in done.stderr
    assert "= help: " in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert place.files() == before
