"""The hooks in a git repository, run by pre-commit.

`language: python` would install lazygen from the network; the hooks are run with `language: system` here and everything
else as it is shipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
SHIPPED: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())

SOURCE = """\
# lazygen: input-shape=8,3
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.LazyLinear(4)

    def forward(self, x):
        return self.head(x)
"""


class Repository:
    """A git repository in which pre-commit runs the shipped hooks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        programs = folder.parent / "programs"
        programs.mkdir()
        (programs / "lazygen").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lazygen "$@"\n')
        (programs / "lazygen").chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PYTHONPATH": str(ROOT),
            "HOME": str(folder.parent),
            "PRE_COMMIT_HOME": str(folder.parent / "cache"),
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        for name in [name for name in self.environment if name.startswith("GIT_") and name != "GIT_CONFIG_NOSYSTEM"]:
            del self.environment[name]
        self.git("init", "-q")
        self.git("config", "user.email", "somebody@example.org")
        self.git("config", "user.name", "Somebody")
        hooks = [{**hook, "language": "system"} for hook in SHIPPED]
        self.write(".pre-commit-config.yaml", yaml.safe_dump({"repos": [{"repo": "local", "hooks": hooks}]}))
        self.commit()

    def git(self, *words: str) -> str:
        return self.run("git", *words).stdout

    def run(self, *words: str, code: int | None = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            words, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False, timeout=120
        )
        assert code is None or done.returncode == code, done.stdout + done.stderr
        return done

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)
        self.git("add", name)

    def commit(self) -> None:
        self.git("commit", "-q", "-m", "state", "--no-verify")

    def hook(self, name: str = "lazygen") -> tuple[bool, str]:
        """Whether a hook passes on what is staged, and what it says."""
        done = self.run(sys.executable, "-m", "pre_commit", "run", name, "--color", "never", code=None)
        assert "An unexpected error" not in done.stdout, done.stdout
        return done.returncode == 0, done.stdout

    def converted(self) -> str:
        """A converted source that is committed with its output, which is returned."""
        self.write("net.py", SOURCE)
        assert self.hook()[0] is False
        self.git("add", ".")
        self.commit()
        return (self.folder / "net_explicit.py").read_text()


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    pytest.importorskip("pre_commit")
    if shutil.which("git") is None:
        pytest.skip("there is no git here")
    (tmp_path / "repository").mkdir()
    return Repository(tmp_path / "repository")


def test_a_new_source(repository: Repository) -> None:
    repository.write("net.py", SOURCE)
    passed, said = repository.hook("lazygen-check")
    assert not passed and "net_explicit.py, the output of net.py, is missing" in said
    assert not (repository.folder / "net_explicit.py").exists()
    passed, said = repository.hook()
    assert not passed
    assert "created net_explicit.py" in said and "git add net_explicit.py" in said
    text = (repository.folder / "net_explicit.py").read_text()
    assert "self.head = nn.Linear(3, 4)" in text and "input-shape" not in text
    repository.git("add", "net_explicit.py")
    assert repository.hook()[0] and repository.hook("lazygen-check")[0]


def test_a_changed_source(repository: Repository) -> None:
    repository.converted()
    repository.write("net.py", SOURCE.replace("LazyLinear(4)", "LazyLinear(5)"))
    passed, said = repository.hook("lazygen-check")
    assert not passed and "net_explicit.py is stale" in said
    passed, said = repository.hook()
    assert not passed and "updated net_explicit.py" in said
    assert "nn.Linear(3, 5)" in (repository.folder / "net_explicit.py").read_text()
    repository.git("add", ".")
    assert repository.hook()[0]


@pytest.mark.parametrize("hook", ["lazygen", "lazygen-check"])
def test_a_hand_edited_output_staged_alone(repository: Repository, hook: str) -> None:
    output = repository.converted()
    edited = output.replace("nn.Linear(3, 4)", "nn.Linear(3, 6)")
    repository.write("net_explicit.py", edited)
    passed, said = repository.hook(hook)
    assert not passed
    assert "net_explicit.py is hand-edited" in said and "--force" in said
    assert (repository.folder / "net_explicit.py").read_text() == edited


def test_a_source_with_an_error(repository: Repository) -> None:
    output = repository.converted()
    repository.write("net.py", SOURCE.replace("self.head(x)", "self.head(x).view(3, 7)"))
    repository.write("other.py", SOURCE)
    passed, said = repository.hook()
    assert not passed
    assert "error[LZ" in said and "net.py:11" in said and "Traceback" not in said
    assert (repository.folder / "net_explicit.py").read_text() == output
    assert (repository.folder / "other_explicit.py").exists()


def test_nothing_to_do(repository: Repository) -> None:
    repository.converted()
    repository.write("plain.py", "from torch import nn\n\nnet = nn.LazyLinear(3)\n")
    repository.write("notes.txt", "# lazygen: entry=Nothing\n")
    for hook in ("lazygen", "lazygen-check"):
        passed, said = repository.hook(hook)
        assert passed and "error" not in said
    assert not (repository.folder / "plain_explicit.py").exists()
    passed, said = True, repository.run(sys.executable, "-m", "pre_commit", "run", "--all-files").stdout
    assert passed and "Failed" not in said


def test_a_spec_and_files_that_are_none(repository: Repository) -> None:
    repository.write("net.yaml", "# lazygen: input-shape=8,3\ntype: Sequential\nlayers:\n  - {type: Linear, null: 4}\n")
    repository.write("deploy.yml", "on: push\njobs: [{name: a, type: Linear}]\n")
    repository.write("data.json", '{"type": "FeatureCollection"}\n')
    passed, said = repository.hook("lazygen-check")
    assert not passed and "net_explicit.py, the output of net.yaml, is missing" in said and "deploy" not in said
    passed, said = repository.hook()
    assert not passed and "created net_explicit.py" in said and said.count("created") == 1
    assert "nn.Linear(3, 4)" in (repository.folder / "net_explicit.py").read_text()
    repository.git("add", "net_explicit.py")
    assert repository.hook()[0] and repository.hook("lazygen-check")[0]


def test_an_output_formatted_by_black(repository: Repository) -> None:
    output = repository.converted()
    repository.write("net_explicit.py", output.replace("super().__init__()\n", "super().__init__(\n        )\n"))
    assert repository.hook()[0] and repository.hook("lazygen-check")[0]


# What is shipped


def test_the_shipped_hooks_are_complete() -> None:
    assert [hook["id"] for hook in SHIPPED] == ["lazygen", "lazygen-check"]
    for hook in SHIPPED:
        assert set(hook) == {"id", "name", "description", "entry", "language", "types_or", "require_serial"}
        kinds = ["python", "yaml", "json"]
        assert (hook["language"], hook["types_or"], hook["require_serial"]) == ("python", kinds, True)


def test_pre_commit_takes_the_shipped_file() -> None:
    clientlib = pytest.importorskip("pre_commit.clientlib")
    assert len(clientlib.load_manifest(str(ROOT / ".pre-commit-hooks.yaml"))) == len(SHIPPED)


@pytest.mark.parametrize("hook", SHIPPED, ids=lambda hook: str(hook["id"]))
def test_the_entry_is_a_command_that_there_is(hook: dict[str, Any]) -> None:
    import tomllib

    from lazygen.cli import main

    program, *words = hook["entry"].split()
    assert program in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert main(words) == 0
