"""The states of an output: what tells them apart, what is said and what is done about each."""

# ruff: noqa: F401, F811 - the fixtures are those of the stand-in

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import black
import pytest
from stand_in import EXPLICIT, LAZY, Run, asked_for, folder, names, run
from test_imports import HEAVY, command, loaded_after

from lazygen.header import read_header

SETTINGS = "# lazygen: input-shape=8,3\n"
OUTPUT = "model_explicit.py"


@pytest.fixture
def model(folder: Path, run: Run) -> Path:
    """A converted source, whose output is up to date."""
    source = folder / "model.py"
    source.write_text(SETTINGS + LAZY)
    assert run("model.py").code == 0
    asked_for.clear()
    return source


def mending_command(err: str) -> list[str]:
    """The words behind `lazygen convert` in the help of a finding."""
    line = next(line for line in err.splitlines() if "= help:" in line and "lazygen convert " in line)
    return shlex.split(line.partition("lazygen convert ")[2])


def edit(output: Path, old: str = "Linear(8)", new: str = "Linear(9)") -> None:
    text = output.read_text()
    assert old in text
    output.write_text(text.replace(old, new))


STATES = {
    "up to date": (False, False, None),
    "stale": (True, False, "LZ411"),
    "hand-edited": (False, True, "LZ413"),
    "stale and hand-edited": (True, True, "LZ414"),
}


@pytest.mark.parametrize("state", STATES)
def test_check_names_the_state_and_the_command_that_mends_it(state: str, model: Path, folder: Path, run: Run) -> None:
    stale, edited, code = STATES[state]
    output = folder / OUTPUT
    if stale:
        model.write_text(SETTINGS + LAZY + "more = 1\n")
    if edited:
        edit(output)
    before = output.read_bytes()
    result = run("--check", "model.py")
    assert result.out == b"" and output.read_bytes() == before
    if code is None:
        assert (result.code, result.err) == (0, f"{OUTPUT} is up to date\n")
        return
    assert result.code == 1
    assert f"error[{code}]: {OUTPUT} is {state}:" in result.err
    words = mending_command(result.err)
    assert run(*words).code == 0
    assert run("--check", "model.py").code == 0
    assert ("more = 1" in output.read_text()) is stale
    assert "Linear(9)" not in output.read_text()


@pytest.mark.parametrize("state", STATES)
def test_convert_in_each_state(state: str, model: Path, folder: Path, run: Run) -> None:
    stale, edited, _ = STATES[state]
    output = folder / OUTPUT
    if stale:
        model.write_text(SETTINGS + LAZY + "more = 1\n")
    if edited:
        edit(output)
    before = output.read_bytes()
    result = run("model.py")
    assert result.code == (1 if edited else 0)
    assert (output.read_bytes() != before) is (stale and not edited)
    assert bool(asked_for) is (stale and not edited)
    if edited:
        assert "move the edit into model.py" in result.err and "--force" in result.err


def test_a_missing_output(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(SETTINGS + LAZY)
    result = run("--check", "model.py")
    assert result.code == 1 and f"{OUTPUT}, the output of model.py, is missing" in result.err
    assert run(*mending_command(result.err)).code == 0
    assert run("--check", "model.py").code == 0


def test_a_file_of_somebody_else(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(SETTINGS + LAZY)
    (folder / OUTPUT).write_text("work = 1\n")
    result = run("--check", "model.py")
    assert result.code == 1 and "lazygen did not write it" in result.err
    assert run("model.py").code == 1
    assert (folder / OUTPUT).read_text() == "work = 1\n"


def test_diff_shows_a_hand_edit(model: Path, folder: Path, run: Run) -> None:
    edit(folder / OUTPUT)
    result = run("--diff", "model.py")
    assert result.code == 1 and "hand-edited" in result.err
    changed = [line for line in result.out.decode().splitlines()[2:] if line[0] in "+-"]
    assert changed == ["-model = Linear(9)", "+model = Linear(8)"]


@pytest.mark.parametrize("width", [20, 88])
def test_black_may_run_on_the_output(width: int, folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(SETTINGS + LAZY + "x = {  'a':1,'b' : [1,2,3,4,5,6,7,8,9] } #why\n")
    run("model.py")
    output = folder / OUTPUT
    output.write_text(tidy := black.format_str(output.read_text(), mode=black.Mode(line_length=width)))
    assert run("--check", "model.py").code == 0
    assert run("model.py").err == f"{OUTPUT} is up to date\n"
    assert output.read_text() == tidy
    output.write_text(tidy.replace("# why", "# who"))
    assert run("--check", "model.py").code == 1


@pytest.mark.parametrize(
    ("words", "stale"),
    [
        ([], False),
        (["--timeout", "3"], False),
        (["--input-shape", "8,3"], False),
        (["--input-shape", "8,4"], True),
        (["--entry", "Net"], True),
        (["--arg", "a=1"], True),
        (["--partial"], True),
    ],
)
def test_settings_that_shape_the_output_make_it_stale(words: list[str], stale: bool, model: Path, run: Run) -> None:
    assert run("--check", "model.py", *words).code == int(stale)


def test_so_do_black_s_line_length_and_a_module_of_the_project(model: Path, folder: Path, run: Run) -> None:
    model.write_text(SETTINGS + "import blocks\n" + LAZY)
    (folder / "blocks.py").write_text("x = 1\n")
    assert run("model.py").code == 0
    (folder / "blocks.py").write_text("x = 2\n")
    assert "stale" in run("--check", "model.py").err
    assert run("model.py").code == 0
    (folder / "pyproject.toml").write_text("[tool.black]\nline-length = 100\n")
    assert "stale" in run("--check", "model.py").err


def test_a_source_may_import_its_output(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(SETTINGS + LAZY + "import model_explicit\n")
    assert run("model.py").code == 0
    assert run("--check", "model.py").code == 0


def test_the_output_moves_with_its_source(model: Path, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "elsewhere").mkdir()
    for path in (model, folder / OUTPUT):
        path.rename(folder / "elsewhere" / path.name)
    assert run("--check", "elsewhere/model.py").code == 0
    monkeypatch.chdir(folder / "elsewhere")
    assert run("--check", str(folder / "elsewhere" / "model.py")).code == 0


def test_the_settings_are_not_copied(model: Path, folder: Path) -> None:
    text = (folder / OUTPUT).read_text()
    assert text.splitlines()[2:] == EXPLICIT.splitlines()
    header = read_header(text)
    assert header is not None and header.command == "lazygen convert model.py"


# Generated files as arguments


def test_a_generated_file_stands_for_its_source(model: Path, folder: Path, run: Run) -> None:
    model.write_text(SETTINGS + LAZY + "more = 1\n")
    assert run("--check", OUTPUT).code == 1
    assert run(OUTPUT).err == f"updated {OUTPUT}\n"
    assert "more = 1" in (folder / OUTPUT).read_text()
    assert run(OUTPUT, "-o", "-").out.decode().endswith("more = 1\n")
    assert run(OUTPUT, "model.py").err == f"{OUTPUT} is up to date\n"
    assert names(folder) == ["model.py", OUTPUT]


def test_the_header_s_flags_count_where_nothing_else_says_something(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(LAZY)
    assert run("model.py", "--input-shape", "8,3", "--entry", "Net(1)").code == 0
    for words in (["model.py"], [OUTPUT], ["model.py", "--timeout", "3"]):
        assert run("--check", *words).code == 0
    (folder / "model.py").write_text(LAZY + "more = 1\n")
    assert run("model.py").code == 0
    assert asked_for[-1].settings.entries == ("Net(1)",)
    assert "lazygen convert model.py --entry 'Net(1)' --input-shape 8,3\n" in (folder / OUTPUT).read_text()
    assert run("--check", "model.py", "--input-shape", "8,3").code == 1
    (folder / "model.py").write_text(SETTINGS + LAZY)
    assert run("model.py").code == 0
    assert asked_for[-1].settings.entries == ()


def test_an_output_of_another_name_knows_its_flags(folder: Path, run: Run) -> None:
    (folder / "model.py").write_text(SETTINGS + LAZY)
    run("model.py", "--entry", "Net(2)", "-o", "net.py")
    assert run("--check", "net.py").code == 0
    (folder / "model.py").write_text(SETTINGS + LAZY + "more = 1\n")
    result = run("--check", "net.py")
    assert result.code == 1 and mending_command(result.err) == ["net.py"]
    assert run("net.py").code == 0
    assert (asked_for[-1].settings.entries, names(folder)) == (("Net(2)",), ["model.py", "net.py"])


def test_an_output_that_a_comment_names(folder: Path, run: Run) -> None:
    (folder / "made").mkdir()
    (folder / "model.py").write_text("# lazygen: entry=A output=made/a.py\n# lazygen: entry=B output=b.py\n" + LAZY)
    assert run("model.py").err == "created made/a.py\ncreated b.py\n2 files created.\n"
    assert [asked.settings.entries for asked in asked_for] == [("A",), ("B",)]
    assert run("--check", "b.py").code == 0
    assert run("--check", "model.py").err == "2 files up to date.\n"
    assert names(folder) == ["b.py", "made", "model.py"]


@pytest.mark.parametrize("name", ["gone.py", "<stdin>", "../model.py", "made"])
def test_a_generated_file_without_its_source(name: str, model: Path, folder: Path, run: Run) -> None:
    (folder / "made").mkdir()
    output = folder / "made" / "net.py"
    output.write_text((folder / OUTPUT).read_text().replace("from model.py;", f"from {name};"))
    before = output.read_bytes()
    result = run("made/net.py")
    assert (result.code, output.read_bytes()) == (1, before)
    assert "error[LZ415]" in result.err and "made/net.py" in result.err


def test_two_sources_do_not_share_an_output(folder: Path, run: Run) -> None:
    for name in ("a.py", "b.py"):
        (folder / name).write_text("# lazygen: output=net.py\n" + LAZY)
    result = run("a.py", "b.py")
    assert result.code == 2 and "a.py and b.py are both written to net.py" in result.err
    assert run("a.py").code == 0


# What it costs

UP_TO_DATE = ["convert", "model.py"]


@pytest.mark.parametrize(
    "words", [UP_TO_DATE, ["convert", "--check", "model.py"], ["hook", "model.py", OUTPUT], ["convert", "."]]
)
def test_a_file_that_is_up_to_date_imports_nothing_heavy(words: list[str], model: Path, folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.lazygen]\ntimeout = 3\n\n[tool.black]\npreview = true\n")
    model.write_text(SETTINGS + "import blocks\n" + LAZY)
    (folder / "blocks.py").write_text("# only read\nraise SystemExit(7)\n")
    subprocess.run([sys.executable, "-c", FAKED], cwd=folder, check=True, env={"PYTHONPATH": PATH})
    loaded = loaded_after(command(*words), folder)
    assert "lazygen.driver" in loaded
    assert not loaded.intersection({*HEAVY, "hashlib", "pathlib", "shlex", "dataclasses"})
    assert {name for name in loaded if name.startswith("lazygen.")} == LIGHT


LIGHT = {
    "lazygen.arguments",
    "lazygen.cli",
    "lazygen.dependencies",
    "lazygen.digest",
    "lazygen.driver",
    "lazygen.flags",
    "lazygen.folders",
    "lazygen.header",
    "lazygen.jobs",
    "lazygen.project",
    "lazygen.report",
    "lazygen.setting_lines",
    "lazygen.written",
}
ROOT = Path(__file__).resolve().parent.parent
PATH = f"{ROOT}:{ROOT / 'tests'}"
FAKED = """
import sys, types, lazygen, stand_in
fake = types.ModuleType("lazygen.pipeline")
fake.convert_source = stand_in.convert
sys.modules["lazygen.pipeline"] = lazygen.pipeline = fake
sys.exit(stand_in.main(["convert", "model.py"]))
"""


def test_a_stale_file_would_be_seen(model: Path, folder: Path) -> None:
    model.write_text(SETTINGS + LAZY + "more = 1\n")
    loaded = loaded_after(command(*UP_TO_DATE), folder)
    assert "lazygen.pipeline" in loaded or loaded.intersection(HEAVY)
