"""The modules that a file imports from, the project's and those of some packages, and which names hold lazy layers."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from lazygen.frontend import slice
from lazygen.frontend.facts import facts
from lazygen.frontend.references import references
from lazygen.values import value

_MOST_STEPS = 8  # of names that are handed on from module to module
_LONGEST = 200_000  # bytes; a file of an installed package that is longer is no handful of blocks


@value
class Module:
    """A module of the project, or of an installed package; `lazy_lines` are those where it speaks of lazy layers."""

    path: Path
    text: str
    tree: ast.Module
    lazy_lines: frozenset[int]
    installed: bool = False

    @property
    def dotted(self) -> str:
        """The name under which it is imported."""
        root = next(package_roots(self.path))
        parts = self.path.with_suffix("").relative_to(root).parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class Modules:
    """Reads modules, each once: the project's, and those of the installed packages `packages`.

    If these are `guessed`, only what is defined in a file with a lazy word counts as lazy, and long files are not read.
    """

    def __init__(self, packages: Collection[str] = (), *, guessed: bool = False) -> None:
        self._packages, self._guessed = packages, guessed
        self._inside: set[Path] = set()  # modules of these packages
        self._read: dict[Path, Module | None] = {}
        self._lazy: dict[tuple[Path, str], bool] = {}

    def imported(self, statement: ast.stmt, location: Path) -> Module | None:
        """The module of the project that a `from` import of the file at `location` reads, if it is one."""
        if not isinstance(statement, ast.ImportFrom):
            return None
        return self.named(statement.module or "", statement.level, location)

    def named(self, dotted: str, level: int, location: Path) -> Module | None:
        """The module of a dotted name, as the file at `location` sees it; `level` is the number of dots before."""
        bases = [_folder(location, level)] if level else [location.parent, *package_roots(location)] if dotted else []
        inside = location.resolve() in self._inside
        if inside and not level:
            bases = []  # the folder of an installed package holds all others
        for base in bases:
            place = base.joinpath(*filter(None, dotted.split(".")))
            for path in (place / "__init__.py", *([place.with_name(f"{place.name}.py")] if dotted else [])):
                if path.is_file() and path.resolve() != location.resolve():
                    return self._module(path, inside)
        return self._installed(dotted) if not level and dotted.partition(".")[0] in self._packages else None

    def _installed(self, dotted: str) -> Module | None:
        spec = installed(dotted)
        return (
            None if spec is None or not str(spec.origin).endswith(".py") else self._module(Path(str(spec.origin)), True)
        )

    def _module(self, path: Path, inside: bool) -> Module | None:
        path = path.resolve()
        self._inside.update([path] if inside else [])
        if path not in self._read:
            self._read[path] = None
            try:
                if inside and self._guessed and path.stat().st_size > _LONGEST:
                    return None
                text = path.read_text(encoding="utf-8-sig")
                tree = ast.parse(text)
                told = not inside or "Lazy" in text or "torchx" in text
                lines = frozenset(reference.node.lineno for reference in references(tree)) if told else frozenset()
                self._read[path] = Module(path, text, tree, lines, inside)
            except (OSError, ValueError, SyntaxError, RecursionError):
                return None
        return self._read[path]

    def origin(self, statement: ast.ImportFrom, alias: ast.alias, location: Path) -> str | None:
        """The module that defines an imported name, and the name there; None for modules that are not read."""
        module = self.imported(statement, location)
        if module is None:
            return None
        module, name = self._definition(module, alias.name)
        return f"{module.path}:{name}"

    def _definition(self, module: Module, name: str) -> tuple[Module, str]:
        """The module that a module has a name from, and the name there."""
        for _ in range(_MOST_STEPS):
            again = [
                (self.imported(statement, module.path), alias.name)
                for statement in module.tree.body
                if isinstance(statement, ast.ImportFrom)
                for alias in statement.names
                if (alias.asname or alias.name) == name
            ]
            further = again[-1][0] if again else None
            if further is None:
                break
            module, name = further, again[-1][1]
        return module, name

    def holds_lazy(self, module: Module, name: str) -> bool:
        """Whether what a name of a module needs holds lazy layers, in it or in a module that it imports from."""
        key = (module.path, name)
        if key not in self._lazy and module.installed and self._guessed:
            module, name = self._definition(module, name)
            self._lazy[key] = bool(module.lazy_lines) and self._holds_lazy(module, name)
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
        from lazygen.lift.dotted import lazy_uses

        return bool(lazy_uses(ast.Module(wanted, []), self, module.path, surely=False))


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
    if module.installed:
        root = next(package_roots(module.path))
        return ast.ImportFrom(".".join([*folder.relative_to(root).parts, *words]), statement.names, 0)
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


def installed(dotted: str) -> ModuleSpec | None:
    """Where a module would be imported from, without importing anything."""
    spec: ModuleSpec | None = None
    search: list[str] | None = None
    parts = dotted.split(".")
    for count in range(1, len(parts) + 1):
        spec = PathFinder.find_spec(".".join(parts[:count]), search)
        if spec is None:
            return None
        search = spec.submodule_search_locations or []
    return spec


def _folder(location: Path, level: int) -> Path:
    folder = location.parent
    for _ in range(level - 1):
        folder = folder.parent
    return folder
