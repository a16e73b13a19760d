"""What a command must not import: each heavy package costs a noticeable part of a second.

The packages are replaced by empty ones in front of the path: an import is seen whether they are installed or not.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("libcst", "black", "torch", "numpy", "jinja2", "yaml", "sympy")

# The names of all modules that are loaded after a statement, below a line that no command prints.
PROGRAM = "import sys\ntry:\n    {statement}\nfinally:\n    print('--- loaded', *sorted(sys.modules), sep='\\n')"


def loaded_after(statement: str, folder: Path) -> set[str]:
    for name in HEAVY:
        (folder / f"{name}.py").touch()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(statement=statement)],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(done.stdout.partition("--- loaded\n")[2].splitlines())


def command(*words: str) -> str:
    return f"from lazygen.cli import main; main({list(words)!r})"


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["--version"],
        ["convert", "--help"],
        ["convert", "--no-such-flag"],
        ["convert", "model.py", "--input-shape", "8,3O"],
        ["convert", "missing.py"],
    ],
)
def test_these_commands_import_nothing_heavy(words: list[str], tmp_path: Path) -> None:
    loaded = loaded_after(command(*words), tmp_path)
    assert "click" in loaded
    assert not loaded.intersection(HEAVY)


@pytest.mark.parametrize("name", HEAVY)
def test_a_heavy_import_would_be_seen(name: str, tmp_path: Path) -> None:
    assert name in loaded_after(f"import {name}; {command('--help')}", tmp_path)


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["convert", "--help"]])
def test_help_imports_of_lazygen_only_the_command_line(words: list[str], tmp_path: Path) -> None:
    loaded = loaded_after(command(*words), tmp_path)
    assert {name for name in loaded if name.startswith("lazygen")} == {"lazygen", "lazygen.cli"}


def test_importing_the_package_imports_nothing_else(tmp_path: Path) -> None:
    loaded = loaded_after("import lazygen", tmp_path)
    assert {name for name in loaded if name.startswith("lazygen")} == {"lazygen"}
    assert not loaded.intersection({"click", "dataclasses", "ast", "inspect"})


# Converting.  The model is traced in a forked process, so what is imported is read off stderr, which both write to.

UNWANTED = ("torch", "numpy", "sympy")
MLP = "from torch import nn\n\nmodel = nn.Sequential(nn.LazyLinear(8), nn.ReLU(), nn.LazyLinear(4))\n"
CNN = "from torch import nn\n\nmodel = nn.Sequential(nn.LazyConv1d(8, 3), nn.ReLU(), nn.MaxPool1d(2))\n"
RNN = "from torch import nn\n\nmodel = nn.Sequential(nn.LazyLinear(8), nn.LSTM(8, 8))\n"
NO_RULE = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.LazyLinear(8)

    def forward(self, x):
        return torch.fake_quantize_per_tensor_affine(self.a(x), 0.1, 0, 0, 255)
"""
NEEDS = "import {0}\n" + MLP.replace("8", "int({0})")


def imported_by_converting(source: str, shape: str, folder: Path) -> set[str]:
    """The names of all modules that converting a source loads from files, in this process and in the traced one.

    The stand-in for torch has torch's names but comes from no file, so it is not among them.
    """
    for name in UNWANTED:
        (folder / f"{name}.py").touch()
    (folder / "source").mkdir()
    (folder / "source" / "model.py").write_text(source, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-v", "-m", "lazygen", "convert", "model.py", "--input-shape", shape, "-o", "-"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])},
        cwd=folder / "source",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode in (0, 1), done.stderr
    # The two processes write to one stderr, the end of a line on its own: a line may follow another's text.
    return set(re.findall(r"import '([\w.]+)' # <[^<>]*(?:SourceFile|_Project)Loader", done.stderr))


def families(modules: set[str]) -> set[str]:
    """The families of rules among modules, without their folders."""
    folders = ("lazygen.symbolic.ops.", "lazygen.symbolic.nn.")
    return {name.split(".")[-1] for name in modules if name.startswith(folders)}


def test_converting_imports_no_torch_and_none_of_its_kin(tmp_path: Path) -> None:
    modules = imported_by_converting(MLP, "4,3", tmp_path)
    assert {"libcst", "lazygen.emit.edits", "lazygen.symbolic.nn.linear"} <= modules  # of both processes
    assert modules.isdisjoint(UNWANTED)


@pytest.mark.parametrize(
    ("source", "name"),
    [(NO_RULE, "torch"), (NEEDS.format("numpy"), "numpy"), (NEEDS.format("sympy"), "sympy")],
    ids=["torch", "numpy", "sympy"],
)
def test_an_import_of_torch_or_its_kin_would_be_seen(source: str, name: str, tmp_path: Path) -> None:
    assert name in imported_by_converting(source, "8,3", tmp_path)


def test_converting_loads_only_the_rules_that_the_model_uses(tmp_path: Path) -> None:
    loaded = families(imported_by_converting(MLP, "4,3", tmp_path))
    assert {"linear", "lazy", "containers"} <= loaded
    assert loaded.isdisjoint({"conv", "conv_lazy", "convolution", "recurrent", "pooling", "transformer", "norm", "fft"})


@pytest.mark.parametrize(
    ("source", "shape", "wanted"),
    [(CNN, "2,3,16", {"conv", "conv_lazy", "convolution", "pooling"}), (RNN, "2,3,16", {"recurrent"})],
    ids=["convolutions", "recurrent"],
)
def test_other_rules_would_be_seen(source: str, shape: str, wanted: set[str], tmp_path: Path) -> None:
    assert wanted <= families(imported_by_converting(source, shape, tmp_path))
