"""What the sources of lazygen say about themselves: the imports, calls and files that ARCHITECTURE.md speaks of.

Everything is read from the text with `ast`, so that an import inside a function counts like one at the top of a file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "lazygen"

# Calls of `os`, `shutil` and `pathlib` that change a file under a name of its own.
WRITING_METHODS = {"write_text", "write_bytes", "touch", "symlink_to", "hardlink_to"}
WRITING_FUNCTIONS = {
    "os": {"replace", "rename", "renames", "link", "symlink", "truncate", "unlink", "remove"},
    "shutil": {"copy", "copy2", "copyfile", "copytree", "move"},
}


@dataclass(frozen=True)
class Import:
    """One imported module: in which file of lazygen, at which line, and whether a function has to run for it."""

    file: str
    line: int
    module: str
    inside: bool

    def __str__(self) -> str:
        return f"lazygen/{self.file}:{self.line} imports {self.module}"


def files() -> list[str]:
    """Every Python file of lazygen, from its folder, in order."""
    return sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


def text_of(file: str) -> str:
    return (PACKAGE / file).read_text(encoding="utf-8")


def all_imports() -> list[Import]:
    """Every import of every file of lazygen."""
    return [found for file in files() for found in imports(text_of(file), file)]


def imports(text: str, file: str) -> Iterator[Import]:
    """The imports of a text, those by `import_module("name")` too.

    `from lazygen import files` imports the module `lazygen.files`, `from lazygen import __version__` only `lazygen`.
    """
    yield from _imports(ast.parse(text), file, inside=False)


def _imports(node: ast.AST, file: str, inside: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        for module in _modules(child):
            yield Import(file, getattr(child, "lineno", 0), module, inside)
        function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from _imports(child, file, inside or function or _is_type_checking(child))


def _modules(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        for alias in node.names:
            yield f"{base}.{alias.name}" if _is_module(f"{base}.{alias.name}") else base
    elif isinstance(node, ast.Call) and _name_of(node.func).split(".")[-1] in ("import_module", "__import__"):
        yield from (word.value for word in node.args[:1] if isinstance(word, ast.Constant) and type(word.value) is str)


def _is_module(dotted: str) -> bool:
    path = ROOT.joinpath(*dotted.split("."))
    return dotted.startswith("lazygen.") and (path.is_dir() or path.with_suffix(".py").is_file())


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and _name_of(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def part(file: str) -> str:
    """The part of lazygen that a file belongs to: its folder, or for a file beside the folders its own name."""
    first, _, rest = file.partition("/")
    return first if rest else first.removesuffix(".py")


def part_of_module(module: str) -> str:
    """The part of lazygen that a module's dotted name belongs to; the package itself is `__init__`."""
    words = module.split(".")
    return words[1] if len(words) > 1 else "__init__"


def writes(text: str) -> Iterator[tuple[int, str]]:
    """Calls of a text that write, make, move or delete a file, with their lines."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and (name := _name_of(node.func)) and _writes(name, node):
            yield node.lineno, name


def _writes(name: str, call: ast.Call) -> bool:
    owner, _, last = name.rpartition(".")
    if name in ("open", "io.open"):
        modes = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "mode")]
        return any(not isinstance(mode, ast.Constant) or set(str(mode.value)) & set("wax+") for mode in modes)
    if name == "os.open":
        return any(flag in ast.unparse(call) for flag in ("O_WRONLY", "O_RDWR", "O_CREAT"))
    return last in WRITING_METHODS or last in WRITING_FUNCTIONS.get(owner, ())


def _name_of(node: ast.expr) -> str:
    """A name or dotted name as text; of `f().write_text` what is known, `.write_text`; else empty."""
    if isinstance(node, ast.Name):
        return node.id
    return f"{_name_of(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""
