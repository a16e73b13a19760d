"""The project's own modules that a source imports, found by reading imports: an output hangs on their texts too.

Only files in and below the folder that holds the source's outermost package count; what is installed does not.  In the
place of a generated file its source counts: a source may import its own output, and would be stale for ever otherwise.
"""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Iterator

from lazygen.header import MARK, read_header

MOST_MODULES = 2000


def project_modules(path: str, text: str) -> list[tuple[str, bytes]]:
    """The modules that the source at `path` imports, those that these import, and so on.

    Each with its name below the root and its content, sorted by name.  A name has `/` on every system, so that it says
    the same on another machine.
    """
    path = os.path.realpath(path)
    root = _root(path)
    found: dict[str, bytes] = {}
    generated: set[str] = set()
    waiting = _imported(path, text, root)
    while waiting and len(found) < MOST_MODULES:
        module = waiting.pop()
        if module == path or module in found or module in generated:
            continue
        try:
            with open(module, "rb") as file:
                found[module] = file.read()
        except OSError:
            continue
        made_from = _source_of_generated(module, found[module])
        if made_from is not None:
            del found[module]
            generated.add(module)
            waiting.append(made_from)
            continue
        waiting += _imported(module, found[module], root)
    named = [(os.path.relpath(module, root).replace(os.sep, "/"), content) for module, content in found.items()]
    return sorted(named)


def _source_of_generated(path: str, content: bytes) -> str | None:
    """The source of a file that lazygen wrote; None if somebody else did."""
    header = read_header(content.decode("utf-8", "replace")) if MARK.encode() in content else None
    return os.path.join(os.path.dirname(path), header.source_name) if header is not None else None


def _root(path: str) -> str:
    """The folder that holds the outermost package of a file; its own folder if it is in none."""
    folder = os.path.dirname(path)
    while os.path.isfile(os.path.join(folder, "__init__.py")) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return folder


def _imported(path: str, text: str | bytes, root: str) -> list[str]:
    """The files that the imports of a module lead to, wherever in it they stand."""
    if b"import" not in text if isinstance(text, bytes) else "import" not in text:
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    folder = os.path.dirname(path)
    # A file in a package can be run as a script too, and then finds what lies beside it.
    places = list(dict.fromkeys([folder, root, os.path.join(root, "src")]))
    files: list[str] = []
    for node in _imports(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                files += _first(places, alias.name.split("."), [])
            continue
        names = [alias.name for alias in node.names]
        parts = node.module.split(".") if node.module else []
        if not node.level:
            files += _first(places, parts, names)
            continue
        start = folder
        for _ in range(node.level - 1):
            start = os.path.dirname(start)
        if start == root or start.startswith(root + os.sep):
            files += _module_files(start, parts, names)
    return files


def _imports(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """All imports, also inside functions; expressions hold none and are not looked into."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
            continue
        for field in ("body", "orelse", "handlers", "finalbody", "cases"):
            children = getattr(node, field, None)
            if isinstance(children, list):
                waiting += children


def _first(places: list[str], parts: list[str], names: list[str]) -> list[str]:
    for place in places:
        files = _module_files(place, parts, names)
        if files:
            return files
    return []


def _module_files(folder: str, parts: list[str], names: list[str]) -> list[str]:
    """The files of a dotted module in a folder: packages on the way, the module, those of `names` that are modules."""
    files = []
    for number, part in enumerate(parts):
        folder = os.path.join(folder, part)
        package = os.path.join(folder, "__init__.py")
        if os.path.isfile(package):
            files.append(package)
        elif os.path.isfile(folder + ".py"):
            files.append(folder + ".py")
            return files if number == len(parts) - 1 else []
        elif not os.path.isdir(folder):
            return []
    if not parts and os.path.isfile(os.path.join(folder, "__init__.py")):
        files.append(os.path.join(folder, "__init__.py"))
    for name in names:
        for candidate in (os.path.join(folder, name + ".py"), os.path.join(folder, name, "__init__.py")):
            if os.path.isfile(candidate):
                files.append(candidate)
    return files
