"""The project's own modules are traced, installed ones run, missing ones are stubs."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from lazygen.symbolic.tensor import TRACED
from lazygen.trace import finder, world
from lazygen.trace.child import Died, run_in_child
from lazygen.trace.finder import locate


def run(root: Path, main: str, files: dict[str, str], relative: bool = False) -> Any:
    """Writes a project and runs its file `main` in the traced world.

    Gives its `result`, the files compiled for tracing, and the reasons of the stubs.
    """
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")

    def work() -> Any:
        compiled: list[str] = []

        def compile_source(text: str, name: str) -> Any:
            compiled.append(str(Path(name).relative_to(root)))
            return compile(text, name, "exec", dont_inherit=True)

        location = locate(root / main, relative)
        path = str((root / main).resolve())
        TRACED.add(path)
        world.install(location, compile_source)
        module = type(sys)(location.name)
        module.__dict__.update(__package__=location.package, __file__=path)
        sys.modules[location.name] = module
        try:
            exec(compile((root / main).read_text(encoding="utf-8"), path, "exec", dont_inherit=True), module.__dict__)
        except BaseException as error:
            return type(error).__name__, str(error)
        return module.__dict__.get("result"), compiled, {n: s.reason for n, s in finder.STUBBED.items()}

    outcome = run_in_child(work, 20)
    assert not isinstance(outcome, Died), outcome.detail or outcome
    return outcome


def test_a_module_beside_the_source(tmp_path: Path) -> None:
    files = {
        "model.py": "import layers\nfrom sub.deep import y\nresult = layers.x + y",
        "layers.py": "x = 3",
        "sub/deep.py": "y = 4",
    }
    result, compiled, stubbed = run(tmp_path, "model.py", files)
    assert result == 7 and compiled == ["layers.py", "sub/deep.py"] and stubbed == {}
    assert list(tmp_path.rglob("__pycache__")) == []


def test_a_package_around_the_source(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "raise RuntimeError('heavy')",
        "pkg/nets/__init__.py": "",
        "pkg/nets/model.py": "from .blocks import x\nfrom ..config import y\nimport pkg.config as c\n"
        "result = x + y + c.y",
        "pkg/nets/blocks.py": "from pkg.config import y\nx = y + 1",
        "pkg/config.py": "y = 4",
    }
    result, compiled, _ = run(tmp_path, "pkg/nets/model.py", files)
    assert result == 13 and sorted(compiled) == ["pkg/config.py", "pkg/nets/blocks.py"]


def test_the_init_file_runs_if_a_name_is_only_there(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "WIDTH = 5\nfrom .other import z",
        "pkg/other.py": "z = 2",
        "pkg/model.py": "from . import WIDTH, z\nresult = WIDTH + z",
    }
    result, compiled, _ = run(tmp_path, "pkg/model.py", files)
    assert result == 7 and compiled == ["pkg/__init__.py", "pkg/other.py"]


def test_a_name_that_no_package_file_has(tmp_path: Path) -> None:
    kind, words = run(
        tmp_path,
        "pkg/model.py",
        {"pkg/__init__.py": "", "pkg/model.py": "from . import nothing_there\nresult = nothing_there + 1"},
    )
    assert kind == "MissingValue" and "pkg.nothing_there" in words


def test_relative_imports_without_a_package(tmp_path: Path) -> None:
    files = {"nets/model.py": "from .blocks import x\nresult = x", "nets/blocks.py": "x = 3"}
    assert run(tmp_path, "nets/model.py", files, relative=True)[0] == 3


def test_missing_relative_module_is_a_stub(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/model.py": "from .gone import thing\nfrom .gone.deeper import other\nresult = callable(thing)",
    }
    result, _, stubbed = run(tmp_path, "pkg/model.py", files)
    assert result is True and stubbed == {"pkg.gone": "is not installed", "pkg.gone.deeper": "is not installed"}


def test_a_source_folder(tmp_path: Path) -> None:
    files = {
        "scripts/model.py": "import sys\nsys.path.insert(0, '../src')\nimport os\n",
        "src/tool/__init__.py": "",
        "src/tool/net.py": "",
    }
    files["src/tool/model.py"] = "from tool.blocks import x\nresult = x"
    files["src/tool/blocks.py"] = "x = 6"
    assert run(tmp_path, "src/tool/model.py", files)[0] == 6


def test_a_path_that_the_source_adds(tmp_path: Path) -> None:
    files = {
        "scripts/model.py": "import os, sys\nroot = os.path.dirname(os.path.dirname(__file__))\n"
        "sys.path.append(os.path.join(root, 'lib'))\nimport parts\nresult = parts.x",
        "lib/parts.py": "x = 8",
    }
    result, compiled, _ = run(tmp_path, "scripts/model.py", files)
    assert result == 8 and len(compiled) == 1


def test_an_error_in_a_project_module_is_raised(tmp_path: Path) -> None:
    assert run(tmp_path, "model.py", {"model.py": "import parts", "parts.py": "x = 1 // 0"})[0] == "ZeroDivisionError"
    assert run(tmp_path, "model.py", {"model.py": "import parts", "parts.py": "x = ("})[0] == "SyntaxError"


def test_project_modules_have_stubs_of_their_own(tmp_path: Path) -> None:
    files = {"model.py": "from parts import x\nresult = x is not None", "parts.py": "from missing import x"}
    result, _, stubbed = run(tmp_path, "model.py", files)
    assert result is True and list(stubbed) == ["missing"]


def test_an_answer_around_the_import_of_a_project_module(tmp_path: Path) -> None:
    files = {
        "model.py": "try:\n    from parts import x\n    a = 1\nexcept ImportError:\n    x = 3\nresult = x",
        "parts.py": "from missing import x",
    }
    assert run(tmp_path, "model.py", files)[0] == 3


@pytest.fixture
def site_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "env" / "site-packages"
    folder.mkdir(parents=True)
    monkeypatch.syspath_prepend(str(folder))
    return folder


def installed(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def test_installed_packages_run_under_the_stand_in(tmp_path: Path, site_packages: Path) -> None:
    installed(
        site_packages,
        {
            "lib3/__init__.py": "from torch import nn\nfrom . import inner",
            "lib3/inner.py": "import torch\nV = torch.__version__",
        },
    )
    files = {"p/model.py": "import lib3\nfrom torch import nn\nresult = lib3.nn is nn and lib3.inner.V == '2.13.0'"}
    result, compiled, stubbed = run(tmp_path, "p/model.py", files)
    assert result is True and compiled == [] and stubbed == {}


def test_installed_packages_that_fail_are_stubs(tmp_path: Path, site_packages: Path) -> None:
    installed(site_packages, {"bad3/__init__.py": "from . import ok\nimport not_there_either", "bad3/ok.py": ""})
    installed(site_packages, {"worse3.py": "raise ValueError('no display')"})
    files = {
        "p/model.py": "import bad3, worse3\nfrom bad3.ok import thing\n"
        "result = callable(worse3.show) and callable(thing)"
    }
    result, _, stubbed = run(tmp_path, "p/model.py", files)
    assert result is True
    assert "not_there_either" in stubbed["bad3"] and "no display" in stubbed["worse3"]


def test_installed_packages_that_fail_in_a_try(tmp_path: Path, site_packages: Path) -> None:
    installed(site_packages, {"worse4.py": "raise ValueError('no display')"})
    files = {"p/model.py": "try:\n    import worse4\n    HAVE = 1\nexcept ImportError:\n    HAVE = 2\nresult = HAVE"}
    assert run(tmp_path, "p/model.py", files)[0] == 2


def test_installed_packages_see_what_is_missing(tmp_path: Path, site_packages: Path) -> None:
    text = "try:\n    import gone5\nexcept ImportError:\n    V = 3\n"
    text += "import importlib.util\nW = importlib.util.find_spec('gone5')"
    installed(site_packages, {"careful5.py": text})
    files = {"p/model.py": "import careful5\nresult = (careful5.V, careful5.W)"}
    assert run(tmp_path, "p/model.py", files)[0] == (3, None)


def test_location_of_a_plain_file(tmp_path: Path) -> None:
    location = locate(tmp_path / "model.py")
    assert (location.name, location.package, location.folders) == ("model", "", (str(tmp_path.resolve()),))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import torch.nonsense", "No module named 'torch.nonsense'"),
        ("from torch import nonsense", "cannot import name 'nonsense' from 'torch'"),
        ("import torch; torch.nn.Nonsense", "module 'torch.nn' has no attribute 'Nonsense'"),
    ],
)
def test_what_torch_does_not_have(tmp_path: Path, source: str, words: str) -> None:
    assert words in run(tmp_path, "model.py", {"model.py": source})[1]
