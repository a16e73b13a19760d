"""Several files and folders: which files count, that one bad file stops no other, the summary and the exit code."""

# ruff: noqa: F401, F811 - the fixtures are those of the stand-in

from __future__ import annotations

from pathlib import Path

import pytest
from stand_in import EXPLICIT, LAZY, Run, asked_for, folder, names, run

SETTINGS = "# lazygen: input-shape=8,3\n"


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def outputs(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*_explicit.py"))


def test_a_folder_stands_for_what_has_settings(folder: Path, run: Run) -> None:
    write(folder, models__a=SETTINGS + LAZY, models__deep__b=SETTINGS + LAZY, models__plain=LAZY, c=SETTINGS + LAZY)
    result = run("models")
    assert result.code == 0
    assert result.err == "created models/a_explicit.py\ncreated models/deep/b_explicit.py\n2 files created.\n"
    assert outputs(folder) == ["models/a_explicit.py", "models/deep/b_explicit.py"]
    assert run("models").err == "2 files up to date.\n"
    assert run(".").err == "created c_explicit.py\n1 file created, 2 files up to date.\n"
    assert run("--check", ".").code == 0


def test_a_generated_file_counts_and_so_does_a_target(folder: Path, run: Run) -> None:
    write(folder, models__a=LAZY, models__b=LAZY, models__c=LAZY)
    assert run("models/a.py", "--input-shape", "4,4").code == 0
    (folder / "pyproject.toml").write_text("[[tool.lazygen.targets]]\nsource = 'models/b.py'\ninput-shape = '2,2'\n")
    assert run("models").err == "created models/b_explicit.py\n1 file created, 1 file up to date.\n"
    assert asked_for[-1].settings.targets[0].inputs[0].sizes[0].value == 2
    (folder / "models" / "a.py").write_text(LAZY + "more = 1\n")
    result = run("--check", "models")
    assert (result.code, result.err.splitlines()[-1]) == (1, "1 file would be updated, 1 file up to date.")
    assert run("models").code == 0
    assert asked_for[-1].settings.targets[0].inputs[0].sizes[0].value == 4


@pytest.mark.parametrize("hidden", [".venv", "__pycache__", "node_modules", "env", ".tox", "lib/site-packages"])
def test_folders_that_are_left_out(hidden: str, folder: Path, run: Run) -> None:
    write(folder, a=SETTINGS + LAZY)
    inside = folder / hidden
    inside.mkdir(parents=True)
    (inside / "pyvenv.cfg").touch()
    (inside / "b.py").write_text(SETTINGS + LAZY)
    (folder / ".hidden.py").write_text(SETTINGS + LAZY)
    assert run(".").err == "created a_explicit.py\n1 file created.\n"
    assert run(f"{hidden}/b.py").code == 0


def test_links_to_folders_are_not_followed(folder: Path, run: Run) -> None:
    write(folder, models__a=SETTINGS + LAZY)
    (folder / "models" / "loop").symlink_to(folder / "models")
    (folder / "other").symlink_to(folder / "models")
    assert run(".").err == "created models/a_explicit.py\n1 file created.\n"


def test_a_folder_with_nothing_to_do(folder: Path, run: Run) -> None:
    write(folder, models__plain=LAZY)
    assert (run("models").code, run("models").err) == (0, "nothing to do.\n")
    assert outputs(folder) == []


def test_files_and_folders_overlap(folder: Path, run: Run) -> None:
    write(folder, models__a=SETTINGS + LAZY, b=LAZY)
    result = run("models/a.py", "b.py", "models", ".")
    assert result.err == "created models/a_explicit.py\ncreated b_explicit.py\n2 files created.\n"


def test_one_bad_file_stops_no_other_and_the_worst_code_counts(folder: Path, run: Run) -> None:
    write(folder, a=SETTINGS + LAZY, b=SETTINGS + "refuse\n", d=SETTINGS + LAZY)
    assert run(".").code == 1
    write(folder, c="# lazygen: inptu-shape=3\n" + LAZY)
    result = run(".")
    assert result.code == 2
    assert "--> c.py:1:12" in result.err and "did you mean input-shape?" in result.err
    assert result.err.endswith("2 files up to date, 2 files failed.\n")
    write(folder, e=SETTINGS + "break\n")
    (folder / "a_explicit.py").unlink()
    result = run(".")
    assert result.code == 3
    assert "1 file created, 1 file up to date, 3 files failed.\n" in result.err
    assert "Please report it" in result.err


def test_a_bad_pyproject_fails_the_files_that_it_is_about(folder: Path, run: Run) -> None:
    write(folder, good__a=SETTINGS + LAZY, bad__b=SETTINGS + LAZY)
    (folder / "bad" / "pyproject.toml").write_text("[tool.lazygen]\ntimout = 3\n")
    result = run(".")
    assert result.code == 2
    assert "2 | timout = 3" in result.err
    assert outputs(folder) == ["good/a_explicit.py"]


def test_flags_hold_for_every_file_below(folder: Path, run: Run) -> None:
    write(folder, a=SETTINGS + LAZY, b=SETTINGS + LAZY)
    assert run(".", "--input-shape", "2,2", "--timeout", "7").code == 0
    assert [asked.settings.timeout for asked in asked_for] == [7, 7]
    assert [asked.settings.targets[0].inputs[0].sizes[0].value for asked in asked_for] == [2, 2]


def test_quiet(folder: Path, run: Run) -> None:
    write(folder, a=SETTINGS + LAZY)
    assert run("-q", ".").err == ""
    assert outputs(folder) == ["a_explicit.py"]


def test_what_is_no_file_is_left_out(folder: Path, run: Run) -> None:
    write(folder, a=SETTINGS + LAZY)
    (folder / "gone.py").symlink_to("nowhere.py")
    (folder / "folder.py").mkdir()
    assert run(".").code == 0
    assert outputs(folder) == ["a_explicit.py"]


def test_an_output_away_from_its_source_belongs_to_it(folder: Path, run: Run) -> None:
    (folder / "made").mkdir()
    write(folder, a="# lazygen: output=made/net.py\n" + LAZY)
    for expected in ("created made/net.py\n1 file created.\n", "1 file up to date.\n"):
        assert run(".").err == expected
    assert (run("made/net.py", command="hook").code, run("made").err) == (0, "nothing to do.\n")
    output = folder / "made" / "net.py"
    output.write_text(output.read_text() + "more = 1\n")
    result = run("made/net.py", command="hook")
    assert result.code == 1 and "made/net.py is hand-edited" in result.err and "its source, a.py" in result.err
    assert run(".").err.count("hand-edited") == 1


# The hook's command


def test_the_hook_leaves_files_without_settings_alone(folder: Path, run: Run) -> None:
    write(folder, plain=LAZY, broken="refuse (\n")
    assert (run("plain.py", "broken.py", command="hook").code, names(folder)) == (0, ["broken.py", "plain.py"])
    assert run(command="hook").code == 0


def test_the_hook_fails_when_it_wrote_something(folder: Path, run: Run) -> None:
    write(folder, a=SETTINGS + LAZY)
    result = run("a.py", command="hook")
    assert result.code == 1
    assert "created a_explicit.py\n" in result.err and "git add a_explicit.py" in result.err
    assert (run("a.py", command="hook").code, run("--check", "a.py", command="hook").code) == (0, 0)
    write(folder, a=SETTINGS + LAZY + "more = 1\n")
    assert run("--check", "a.py", command="hook").code == 1
    assert run("a.py", command="hook").code == 1
    assert run("a.py", "a_explicit.py", command="hook").code == 0


def test_the_hook_knows_a_source_whose_output_has_its_flags(folder: Path, run: Run) -> None:
    write(folder, a=LAZY)
    assert run("a.py", "--input-shape", "4,4").code == 0
    write(folder, a=LAZY + "more = 1\n")
    assert run("a.py", command="hook").code == 1
    assert "more = 1" in (folder / "a_explicit.py").read_text()


def test_specs_of_a_folder_count_by_their_settings_and_other_documents_not(folder: Path, run: Run) -> None:
    models = folder / "models"
    models.mkdir()
    (models / "a.yaml").write_text(f"{SETTINGS}model = LazyLinear()\n")
    (models / "graph.yml").write_text("# lazygen:\nmodel = LazyLinear()\n")
    (models / "b.json").write_text("model = LazyLinear()\n")
    (models / "c.json").write_text("model = LazyLinear()\n")
    (models / "deploy.yaml").write_text("on: [push\n")
    (models / "data.json").write_text("refuse")
    (folder / "pyproject.toml").write_text("[[tool.lazygen.targets]]\nsource = 'models/b.json'\ninput-shape = '2,2'\n")
    assert run("models/c.json", "--input-shape", "4,4").code == 0
    result = run("models")
    assert (result.code, result.err.splitlines()[-1]) == (0, "3 files created, 1 file up to date.")
    assert outputs(folder) == [f"models/{name}_explicit.py" for name in ("a", "b", "c", "graph")]
    assert asked_for[-1].path == "models/graph.yml"
    assert run("--check", "models").code == 0


def test_a_spec_of_a_folder_that_is_no_spec_is_an_error_if_it_has_settings(folder: Path, run: Run) -> None:
    (folder / "a.yaml").write_text(f"{SETTINGS}refuse\n")
    (folder / "b.yaml").write_text("refuse\n")
    result = run(".")
    assert result.code == 1 and "a.yaml" in result.err and "b.yaml" not in result.err
