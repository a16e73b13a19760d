"""The project's modules that a file imports from, and which of their names hold lazy layers."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

from lazygen.frontend import slice
from lazygen.frontend.facts import facts
from lazygen.frontend.references import references
from lazygen.values import value

_MOST_STEPS = 8  # of names that are handed on from module to module


@value
class Module:
    """A module of the project; `lazy_lines` are those where it speaks of lazy layers."""

    path: Path
    text: str
    tree: ast.Module
    lazy_lines: frozenset[int]


class Modules:
    """Reads modules, each once."""

    def __init__(self) -> None:
        self._read: dict[Path, Module | None] = {}
        self._lazy: dict[tuple[Path, str], bool] = {}

    def imported(self, statement: ast.stmt, location: Path) -> Module | None:
        """The module of the project that a `from` import of the file at `location` reads, if it is one."""
        if not isinstance(statement, ast.ImportFrom):
            return None
        return self.named(statement.module or "", statement.level, location)

    def named(self, dotted: str, level: int, location: Path) -> Module | None:
        """The module of a dotted name, as the file at `location` sees it; `level` is the number of dots before."""
        absolute = [location.parent, *package_roots(location)] if dotted else []
        bases = [_folder(location, level)] if level else absolute
        for base in bases:
            place = base.joinpath(*filter(None, dotted.split(".")))
            for path in (place / "__init__.py", *([place.with_name(f"{place.name}.py")] if dotted else [])):
                if path.is_file() and path.resolve() != location.resolve():
                    return self._module(path)
        return None

    def _module(self, path: Path) -> Module | None:
        path = path.resolve()
        if path not in self._read:
            try:
                text = path.read_text(encoding="utf-8-sig")
                tree = ast.parse(text)
                lines = frozenset(reference.node.lineno for reference in references(tree))
                self._read[path] = Module(path, text, tree, lines)
            except (OSError, ValueError, SyntaxError, RecursionError):
                self._read[path] = None
        return self._read[path]

    def origin(self, statement: ast.ImportFrom, alias: ast.alias, location: Path) -> str | None:
        """The module of the project that defines an imported name, and the name there; None for other modules."""
        found = None
        for _ in range(_MOST_STEPS):
            module = self.imported(statement, location)
            if module is None:
                break
            found = f"{module.path}:{alias.name}"
            again = [
                (inner, name)
                for inner in module.tree.body
                if isinstance(inner, ast.ImportFrom)
                for name in inner.names
                if (name.asname or name.name) == alias.name
            ]
            if not again:
                break
            (statement, alias), location = again[-1], module.path
        return found

    def holds_lazy(self, module: Module, name: str) -> bool:
        """Whether what a name of a module needs holds lazy layers, in it or in a module that it imports from."""
        key = (module.path, name)
        if key not in self._lazy:
            self._lazy[key] = False  # what modules that import each other need of this one has been asked already
            self._lazy[key] = self._holds_lazy(module, name)
        return self._lazy[key]

    def aliases(
        self, statement: ast.Import | ast.ImportFrom, module: Module, read: Collection[str]
    ) -> Iterator[ast.alias]:
        """The names of an import of a module that are read, those of a star written out."""
        for alias in statement.names:
            if alias.name == "*":
                yield from (ast.alias(name) for name in sorted(self._public(module, set())) if name in read)
            elif (alias.asname or alias.name) in read:
                yield alias

    def _public(self, module: Module, seen: set[Path]) -> set[str]:
        """The names that a star import of a module gives."""
        found = {name for name in facts(module.tree).binders if name[0] not in "_*"}
        seen.add(module.path)
        for statement in module.tree.body:
            if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
                inner = self.imported(statement, module.path)
                if inner is not None and inner.path not in seen:
                    found |= self._public(inner, seen)
        return found

    def _holds_lazy(self, module: Module, name: str) -> bool:
        wanted = slice.needed(module.tree, [name])
        read = {name, *names_read(wanted)}
        for statement in wanted:
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                inner = self.imported(statement, module.path)
                if inner is not None and any(
                    self.holds_lazy(inner, alias.name) for alias in self.aliases(statement, inner, read)
                ):
                    return True
            elif not module.lazy_lines.isdisjoint(range(first_line(statement), (statement.end_lineno or 0) + 1)):
                return True
        return False


def names_read(statements: Collection[ast.AST]) -> Iterator[str]:
    """The names that statements speak of, in annotations that are strings too."""
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                yield node.id
            for field in ("annotation", "returns"):
                quoted = getattr(node, field, None)
                if isinstance(quoted, ast.AST):
                    yield from _quoted(quoted)


def _quoted(annotation: ast.AST) -> Iterator[str]:
    for node in ast.walk(annotation):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                yield from (inner.id for inner in ast.walk(ast.parse(node.value)) if isinstance(inner, ast.Name))
            except (SyntaxError, ValueError):
                continue


def first_line(statement: ast.stmt) -> int:
    """The line of a statement, or of its first decorator."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def respelled(statement: ast.ImportFrom, module: Module, location: Path, *, relative: bool) -> ast.ImportFrom:
    """A relative import of a module as the file at `location` has to say it, with dots or without."""
    if not statement.level:
        return statement
    folder = _folder(module.path, statement.level)
    words = statement.module.split(".") if statement.module else []
    location = location.resolve()
    if relative:
        base, level = location.parent, 1
        while not folder.is_relative_to(base):
            base, level = base.parent, level + 1
        return ast.ImportFrom(".".join([*folder.relative_to(base).parts, *words]) or None, statement.names, level)
    for base in (*package_roots(location), location.parent):
        if folder.is_relative_to(base) and (dotted := ".".join([*folder.relative_to(base).parts, *words])):
            return ast.ImportFrom(dotted, statement.names, 0)
    return statement


def package_roots(location: Path) -> Iterator[Path]:
    """The folder that holds the package of a file, and the `src` beside it."""
    folder = location.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    yield folder
    yield folder / "src"


def _folder(location: Path, level: int) -> Path:
    folder = location.parent
    for _ in range(level - 1):
        folder = folder.parent
    return folder
