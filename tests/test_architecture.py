"""The invariants of ARCHITECTURE.md that can be read from the sources; those about running are in test_imports.py."""

from __future__ import annotations

import re

import architecture
import pytest
from architecture import PACKAGE, ROOT, Import, all_imports, files, part, part_of_module, text_of, writes

# From the bottom up: a part imports from lower lines and from itself.  Parts of one line know nothing of each other.
LEVELS = (
    {"values"},
    {"diagnostics", "settings", "diff", "digest", "folders"},
    {"symbolic", "frontend", "written", "files"},
    {"traps", "placing"},
    {"render", "flags", "setting_lines", "config", "trace"},
    {"report", "project", "lift", "spec"},
    {"emit"},
    {"validate", "header"},
    {"rewrites"},
    {"pipeline", "jobs", "dependencies"},
    {"arguments"},
    {"driver"},
    {"explain", "keymap", "spec_file", "verify", "usage"},
    {"cli"},
    {"__main__"},
)

# The library for sources in TorchX's style: it stands on torch alone, and nothing else of lazygen imports it.
LIBRARY = {"layers", "nn", "devices"}
LEVEL = {name: number for number, names in enumerate(LEVELS) for name in names}

# The facade, which hands out what lies below it; inside lazygen only its version is of use.
FACADE = "__init__"

# Who may import what is heavy or foreign; a folder ends in a slash.
ALLOWED = {
    "torch": (
        "symbolic/fallback.py",
        "symbolic/make_torch_names.py",
        "trace/world.py",
        "trace/torch_engine.py",
        "keymap.py",
        "verify/",
        "layers/",
        "nn.py",
        "devices.py",
    ),
    "numpy": ("symbolic/ops/conversions.py",),
    "sympy": (),
    "libcst": ("emit/",),
    "black": ("emit/format.py",),
    "jinja2": ("emit/templates.py",),
    "click": ("cli.py", "usage.py"),
    "yaml": ("spec/document.py", "spec/text.py"),
}

# Written by hand never, so their length tells nothing.
TABLES = {"symbolic/torch_names.py", "symbolic/index.py"}
LONGEST = 400


def test_every_part_has_a_level() -> None:
    assert {part(file) for file in files()} - LIBRARY == {*LEVEL, FACADE}


def upward(imports: list[Import]) -> list[str]:
    """The imports that do not point downwards."""
    found = []
    for item in imports:
        if not item.module.startswith("lazygen"):
            continue
        here, there = part(item.file), part_of_module(item.module)
        if there == FACADE or here in (FACADE, there):
            continue
        if here in LIBRARY and there in LIBRARY:
            continue
        if here in LIBRARY or there in LIBRARY or LEVEL[there] >= LEVEL[here]:
            found.append(str(item))
    return found


def test_imports_point_downwards() -> None:
    assert upward(all_imports()) == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("lift/solve.py", "from lazygen.emit import emit"),
        ("emit/edits.py", "def f():\n    from lazygen import pipeline"),
        ("symbolic/dim.py", "from lazygen.trace.model import Trace"),
        ("diagnostics.py", "import lazygen.render"),
        ("config.py", "from lazygen.report import Report"),
        ("trace/world.py", "from lazygen.layers import Sequential"),
        ("layers/base.py", "from lazygen.diagnostics import Diagnostic"),
    ],
)
def test_an_import_upwards_would_be_seen(file: str, text: str) -> None:
    assert len(upward(list(architecture.imports(text, file)))) == 1


def test_nothing_inside_uses_the_facade_but_for_the_version() -> None:
    used = [
        f"{file}:{number}"
        for file in files()
        for number, line in enumerate(text_of(file).splitlines(), start=1)
        if re.search(r"\bfrom lazygen import\b.*\b(convert_source|Conversion|Diagnostic)\b", line)
    ]
    assert used == []


def foreign(imports: list[Import]) -> list[str]:
    """The imports of heavy packages where they have no place."""
    found = []
    for item in imports:
        package = item.module.partition(".")[0]
        allowed = ALLOWED.get(package, (item.file,))
        if not any(item.file == place or (place.endswith("/") and item.file.startswith(place)) for place in allowed):
            found.append(str(item))
    return found


def test_heavy_packages_are_imported_only_where_they_have_a_place() -> None:
    assert foreign(all_imports()) == []


def test_real_torch_is_imported_inside_functions_only() -> None:
    eager = [item for item in all_imports() if item.module.split(".")[0] == "torch" and not item.inside]
    assert [str(item) for item in eager if part(item.file) not in LIBRARY] == []


def test_a_foreign_import_would_be_seen() -> None:
    text = "import torch\ndef f():\n    import numpy.linalg\n    importlib.import_module('black')\nimport torchvision"
    found = list(architecture.imports(text, "lift/solve.py"))
    assert [(item.module, item.inside) for item in found][:2] == [("torch", False), ("numpy.linalg", True)]
    assert len(foreign(found)) == 3


def test_the_slow_parts_of_libcst_are_not_used() -> None:
    slow = ("libcst.matchers", "libcst.codemod", "libcst.helpers")
    assert [str(item) for item in all_imports() if item.module.startswith(slow)] == []
    providers = ("ScopeProvider", "ParentNodeProvider", "QualifiedNameProvider")
    assert [(file, name) for file in files() for name in providers if name in text_of(file)] == []


def test_only_files_and_driver_write_to_disk() -> None:
    writers = {file for file in files() if list(writes(text_of(file)))}
    makers = {f"symbolic/make_{name}.py" for name in ("index", "torch_names", "coverage")}  # run by hand, for tables
    inside_the_child = {"trace/settle.py"}  # which points its streams at os.devnull and at its own descriptors
    assert writers - makers - inside_the_child <= {"files.py", "driver.py"}
    assert "files.py" in writers


@pytest.mark.parametrize(
    "text",
    [
        "open(path, 'w')",
        "open(path, mode)",
        "open(path, mode='r+')",
        "os.replace(a, b)",
        "Path(a).write_text('')",
        "(folder / 'a').touch()",
        "os.open(a, os.O_WRONLY)",
        "shutil.move(a, b)",
    ],
)
def test_writing_would_be_seen(text: str) -> None:
    assert len(list(writes(text))) == 1


@pytest.mark.parametrize("text", ["open(path)", "open(path, 'rb')", "path.read_text()", "text.replace(a, b)"])
def test_reading_is_not_writing(text: str) -> None:
    assert list(writes(text)) == []


@pytest.mark.parametrize("file", [file for file in files() if file not in TABLES])
def test_no_file_is_too_long(file: str) -> None:
    assert len(text_of(file).splitlines()) <= LONGEST


def test_no_file_but_a_table_is_made_by_a_program() -> None:
    assert {file for file in files() if re.search(r"made by `python -m", text_of(file).partition("\n")[0])} == TABLES


def test_every_file_says_first_what_it_is() -> None:
    silent = [file for file in files() if text_of(file).strip() and not text_of(file).startswith('"""')]
    assert silent == []


def entries(text: str) -> set[str]:
    """The files that the overview of ARCHITECTURE.md names: indented names below a line with their folder."""
    found: set[str] = set()
    folder = ""
    for line in text.splitlines():
        if opened := re.match(r"([\w/]+/)(?:  |$)", line):
            folder = opened[1]
            found.add(folder)
        elif line.startswith("    ") and folder:
            names = re.match(r" +((?:[\w.]+\.(?:py|jinja)\s+)+)", line + "\n")
            found.update(folder + name for name in names[1].split()) if names else None
    return found


def test_architecture_names_every_folder_and_file() -> None:
    overview = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split("```")[1]
    named = {name for name in entries(overview) if name.startswith(("lazygen/", "templates/"))}
    families = ("lazygen/symbolic/ops/", "lazygen/symbolic/nn/")  # one file a family: their folder's line is enough
    there = {f"lazygen/{file}" for file in files() if text_of(file).strip()}
    there |= {f"{path.parent.relative_to(ROOT).as_posix()}/" for path in PACKAGE.rglob("*.py")}
    there |= {"templates/", *(path.relative_to(ROOT).as_posix() for path in (ROOT / "templates").rglob("*.jinja"))}
    there = {name for name in there if not name.startswith(families) or name in families}
    assert sorted(there - named) == [], "not named in ARCHITECTURE.md"
    assert sorted(named - there) == [], "named in ARCHITECTURE.md and not there"


def test_architecture_is_a_page_and_its_tests_exist() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 200
    tests = re.findall(r"`(test_\w+\.py)`", text)
    assert tests
    assert [name for name in tests if not (ROOT / "tests" / name).is_file()] == []


def test_the_diagnostics_page_lists_every_code_once() -> None:
    used = {code for file in files() for code in re.findall(r'"(LZ\d{3})"', text_of(file))}
    page = (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| (LZ\d{3}) \|", page, re.MULTILINE)
    assert sorted(used - set(listed)) == [], "not listed in docs/diagnostics.md"
    assert sorted(set(listed) - used) == [], "listed in docs/diagnostics.md and not used"
    assert listed == sorted(used), "each once, in order"
