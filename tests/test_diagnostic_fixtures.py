"""Every fixture of fixtures/diagnostics: what the command says, to the letter, and that it changes nothing.

`NAME.expected.txt` holds `exit CODE` and then the stderr.  `NAME_fine.py` is a near miss of `NAME.py`: almost the same
source, which converts.  Fixtures that start with `without_torch_` are run as if torch could not be imported, those
that start with `trap_` convert, and give a warning or a note.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from fixture_files import SWITCHES, Fixture, fixtures, orphans

from lazygen import cli
from lazygen.frontend.references import references
from lazygen.symbolic import fallback

DIAGNOSTICS = fixtures("diagnostics")
ROOT = Path(__file__).parent.parent
INTERNALS = ("lazygen/", "__init__.py", "Traceback", "lz_", "Dim(", "lazygen.symbolic", "lazygen.trace", "object at 0x")
each = pytest.mark.parametrize("fixture", DIAGNOSTICS, ids=lambda fixture: fixture.name)


def is_near_miss(fixture: Fixture) -> bool:
    return fixture.name.endswith("_fine")


def is_trap(fixture: Fixture) -> bool:
    return fixture.name.startswith("trap_")


TRIGGERS = [fixture for fixture in DIAGNOSTICS if not is_near_miss(fixture)]
TRAPS = [fixture for fixture in TRIGGERS if is_trap(fixture)]
WRONG = [fixture for fixture in TRIGGERS if not is_trap(fixture)]
IN_A_PROCESS = ("cat_of_two_heights", "no_input_shape", "without_torch_no_rule")
THROUGH_THE_COMMAND = [fixture for fixture in WRONG if fixture.name in IN_A_PROCESS]


def expected_path(fixture: Fixture) -> Path:
    return fixture.path.with_suffix(".expected.txt")


def expected_of(fixture: Fixture) -> str:
    return expected_path(fixture).read_text(encoding="utf-8")


def arguments(fixture: Fixture) -> list[str]:
    """The command's arguments.  What converts prints, so that there is nothing to say of a file that is created."""
    words = ["convert", fixture.path.name]
    for flag, value in fixture.options:
        words += [flag] if flag in SWITCHES else [flag, value]
    return [*words, "-o", "-"] if is_near_miss(fixture) or is_trap(fixture) else words


def snapshot(*folders: Path) -> dict[str, bytes | None]:
    """Every file below the folders with its content."""
    paths = [path for folder in folders for path in folder.rglob("*")]
    return {str(path): path.read_bytes() if path.is_file() else None for path in paths}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, beside a home folder that is empty."""
    folder, home = tmp_path / "project", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("NO_COLOR", raising=False)
    return folder


def test_no_expected_output_is_without_its_source() -> None:
    assert orphans("diagnostics", ".txt") == []


def test_every_mistake_has_a_near_miss_that_converts() -> None:
    names = {fixture.name for fixture in DIAGNOSTICS}
    assert sorted(fixture.name for fixture in TRIGGERS if f"{fixture.name}_fine" not in names) == []
    assert sorted(name for name in names if name.endswith("_fine") and name.removesuffix("_fine") not in names) == []


@each
def test_the_message_is_the_expected_one(
    fixture: Fixture,
    place: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    update_golden: bool,
) -> None:
    if fixture.name.startswith("no_rule") and find_spec("torch") is None:
        pytest.skip("torch is asked for what has no rule")
    if "einops" in fixture.name and find_spec("einops") is None:
        pytest.skip("the source is about einops")
    if fixture.name.startswith("without_torch_"):
        monkeypatch.setattr(fallback, "_real", {})
        monkeypatch.setattr(fallback, "_missing", "")
    shutil.copy(fixture.path, place)
    before = snapshot(place.parent)
    capfd.readouterr()
    code = cli.main(arguments(fixture))
    printed, said = capfd.readouterr()
    assert snapshot(place.parent) == before
    if is_near_miss(fixture) or is_trap(fixture):
        assert code == 0, said
        assert references(ast.parse(printed)) == []
    else:
        assert code in (1, 2), said
        assert printed == ""
    found = f"exit {code}\n{said}"
    if update_golden:
        expected_path(fixture).write_text(found, encoding="utf-8")
    assert found == expected_of(fixture)


@pytest.mark.parametrize("fixture", WRONG, ids=lambda fixture: fixture.name)
def test_a_message_has_a_code_and_a_cure_or_a_place_and_no_internals(fixture: Fixture) -> None:
    expected = expected_of(fixture)
    code, *lines = expected.splitlines()
    errors = [line for line in lines if line.startswith("error[LZ")]
    assert len(errors) == 1
    assert not errors[0].startswith("error[LZ9")
    assert [word for word in INTERNALS if word in expected] == []
    if code == "exit 1":
        assert any(line.lstrip().startswith(f"--> {fixture.path.name}:") for line in lines)
    else:
        assert any(line.lstrip().startswith("= help: ") for line in lines)


@pytest.mark.parametrize("fixture", TRAPS, ids=lambda fixture: fixture.name)
def test_a_trap_is_one_warning_at_its_place_with_a_cure_and_its_near_miss_is_none(fixture: Fixture) -> None:
    lines = expected_of(fixture).splitlines()
    assert lines[0] == "exit 0"
    assert len([line for line in lines if line.startswith(("warning[LZ", "note[LZ", "error["))]) == 1
    assert lines[1].startswith("note[LZ065]" if "ignore" in fixture.name else ("warning[LZ1", "warning[LZ2"))
    assert any(line.lstrip().startswith(f"--> {fixture.path.name}:") for line in lines)
    assert any(line.lstrip().startswith("= help: ") for line in lines)
    fine = fixture.path.with_name(f"{fixture.name}_fine.expected.txt")
    assert fine.read_text(encoding="utf-8") == "exit 0\n"


@pytest.mark.parametrize("fixture", THROUGH_THE_COMMAND, ids=lambda fixture: fixture.name)
def test_the_command_in_a_process_of_its_own_says_the_same(fixture: Fixture, place: Path) -> None:
    shutil.copy(fixture.path, place)
    path = [str(ROOT)]
    if fixture.name.startswith("without_torch_"):
        absent = place.parent / "absent"
        absent.mkdir()
        (absent / "torch.py").write_text("raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')\n")
        path.insert(0, str(absent))
    before = snapshot(place.parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "lazygen", *arguments(fixture)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    assert f"exit {done.returncode}\n{done.stderr}" == expected_of(fixture)
    assert done.stdout == ""
    assert snapshot(place.parent) == before
