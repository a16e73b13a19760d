"""Definitions of the project's other modules that hold lazy layers are written into the file that uses them.

    from blocks import Block            ->      class Block(nn.Module): ...

    net = nn.Sequential(Block(16), ...)         net = nn.Sequential(Block(3, 16), ...)

A file is converted by itself, and what it imports stays as it is; so a class whose sizes have to be filled in must stand
in the file.  Only what the imported names need comes along, comments included.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from lazygen.diagnostics import Diagnostic, Place, Refused
from lazygen.frontend import slice
from lazygen.frontend.facts import facts
from lazygen.frontend.parse import split_lines
from lazygen.frontend.references import references
from lazygen.lift.plan import DeleteStatement, Edit, InsertStatements, Plan
from lazygen.lift.syntax import Syntax
from lazygen.values import value

_MOST_DEPTH = 8


@value
class _Module:
    """A module of the project: its path, its text and its tree."""

    path: Path
    text: str
    tree: ast.Module


@value
class _Part:
    """A statement to write into the file, as text; `bound` are the names that it binds, `meaning` what an import's name means."""

    text: str
    bound: tuple[str, ...]
    meaning: tuple[str, ...] = ()


def may_have(tree: ast.Module) -> bool:
    """Whether it is worth looking: a `from` import of something that is neither torch nor the standard library."""
    return any(
        isinstance(node, ast.ImportFrom)
        and (node.level or (node.module or "").partition(".")[0] not in {"torch", *sys.stdlib_module_names})
        for node in tree.body
    )


def rewritten(syntax: Syntax, location: Path) -> Plan | None:
    """The edits that write imported definitions with lazy layers into the file at `location`; None if it imports none.

    Raises Refused (LZ308) if a name of theirs means something else in the file.
    """
    edits: list[Edit] = []
    own = _bound(syntax.tree)
    taken = dict.fromkeys(facts(syntax.tree).binders)
    last = [s for s in syntax.tree.body if isinstance(s, (ast.Import, ast.ImportFrom))]
    definitions: list[str] = []
    for statement in last:
        module = _imported(statement, location)
        if module is None or not isinstance(statement, ast.ImportFrom):
            continue
        lazy = [alias for alias in statement.names if _holds_lazy(module, [alias.name], 0)]
        if not lazy:
            continue
        names = {alias.asname or alias.name for alias in lazy}
        imports, parts = _taken_along(module, [alias.name for alias in lazy], own, set(taken) - names, syntax, statement)
        rest = [alias for alias in statement.names if alias not in lazy]
        lines = [*imports, *([ast.unparse(ast.ImportFrom(statement.module, rest, statement.level))] if rest else [])]
        aliases = [f"{alias.asname} = {alias.name}" for alias in lazy if alias.asname and alias.asname != alias.name]
        definitions += [*parts, *aliases]
        span = syntax.span(statement)
        edits.append(InsertStatements(span, "\n".join(lines) + "\n") if lines else DeleteStatement(span))
        if lines:
            edits.append(DeleteStatement(span))
    if not edits:
        return None
    anchor = syntax.span(last[-1])
    return Plan((*edits, InsertStatements(anchor, "\n\n\n".join(definitions) + "\n", before=False)))


def _taken_along(
    module: _Module, names: list[str], own: dict[str, str], taken: set[str], syntax: Syntax, at: ast.stmt, depth: int = 0
) -> tuple[list[str], list[str]]:
    """The imports and definitions that names of a module need, without those that the file has already."""
    imports: list[str] = []
    parts: list[str] = []
    for statement in slice.needed(module.tree, names):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            inner = _imported(statement, module.path)
            if inner is not None and isinstance(statement, ast.ImportFrom) and depth < _MOST_DEPTH:
                lazy = [alias.name for alias in statement.names if _holds_lazy(inner, [alias.name], depth)]
                if lazy:
                    found = _taken_along(inner, lazy, own, taken, syntax, at, depth + 1)
                    imports, parts = imports + found[0], parts + found[1]
                    statement = ast.ImportFrom(
                        statement.module, [a for a in statement.names if a.name not in lazy], statement.level
                    )
            for bound, meaning in _meanings(statement).items():
                if own.get(bound) == meaning:
                    continue
                _check(bound, taken, module, syntax, at)
                own[bound] = meaning
                imports.append(_import_text(statement, bound))
            continue
        for bound in _bound(ast.Module([statement], [])):
            _check(bound, taken, module, syntax, at)
        parts.append(_text_of(module, statement))
    return list(dict.fromkeys(imports)), parts


def _check(bound: str, taken: set[str], module: _Module, syntax: Syntax, at: ast.stmt) -> None:
    if bound in taken:
        raise Refused(
            Diagnostic(
                "LZ308",
                f"{module.path.name} holds lazy layers, and its {bound} cannot be written here: the name is taken",
                syntax.place(at),
                helps=(f"give one of the two another name, or write the sizes into {module.path.name}",),
            )
        )


def _import_text(statement: ast.Import | ast.ImportFrom, bound: str) -> str:
    aliases = [a for a in statement.names if (a.asname or a.name.partition(".")[0]) == bound]
    if isinstance(statement, ast.Import):
        return ast.unparse(ast.Import(aliases))
    return ast.unparse(ast.ImportFrom(statement.module, aliases, statement.level))


def _text_of(module: _Module, statement: ast.stmt) -> str:
    """The source of a statement with the comments above it."""
    lines = split_lines(module.text)
    start = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))]) - 1
    while start > 0 and lines[start - 1].startswith("#") and not lines[start - 1].startswith("#!"):
        start -= 1
    return "".join(lines[start : statement.end_lineno]).replace("\r\n", "\n").rstrip("\n")


def _holds_lazy(module: _Module, names: list[str], depth: int) -> bool:
    """Whether what names of a module need holds lazy layers, in it or in a module that it imports."""
    statements = slice.needed(module.tree, names)
    if references(ast.Module([*_imports_of(module.tree), *statements], [])):
        return any(
            reference.node.lineno in range(statement.lineno, (statement.end_lineno or 0) + 1)
            for statement in statements
            for reference in references(module.tree)
        )
    for statement in statements:
        inner = _imported(statement, module.path) if depth < _MOST_DEPTH else None
        if inner is not None and isinstance(statement, ast.ImportFrom):
            if any(_holds_lazy(inner, [alias.name], depth + 1) for alias in statement.names):
                return True
    return False


def _imports_of(tree: ast.Module) -> Iterator[ast.stmt]:
    return (statement for statement in tree.body if isinstance(statement, (ast.Import, ast.ImportFrom)))


def _imported(statement: ast.stmt, location: Path) -> _Module | None:
    """The module of the project that a `from` import reads, if it is one that speaks of lazy layers."""
    if not isinstance(statement, ast.ImportFrom) or (not statement.module and not statement.level):
        return None
    folder = location.parent
    for _ in range(statement.level - 1):
        folder = folder.parent
    parts = (statement.module or "").split(".") if statement.module else []
    bases = [folder] if statement.level else [location.parent, *_package_roots(location)]
    for base in bases:
        for path in (base.joinpath(*parts).with_suffix(".py") if parts else base / "__init__.py", base.joinpath(*parts, "__init__.py")):
            if path.is_file() and path.resolve() != location.resolve():
                return _read(path)
    return None


def _package_roots(location: Path) -> Iterator[Path]:
    folder = location.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    yield folder
    yield folder / "src"


def _read(path: Path) -> _Module | None:
    try:
        text = path.read_text(encoding="utf-8")
        return _Module(path, text, ast.parse(text))
    except (OSError, ValueError, SyntaxError, RecursionError):
        return None


def _meanings(statement: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """What each name that an import binds means."""
    if isinstance(statement, ast.Import):
        return {a.asname or a.name.partition(".")[0]: a.name if a.asname else a.name.partition(".")[0] for a in statement.names}
    return {a.asname or a.name: f"{'.' * statement.level}{statement.module or ''}.{a.name}" for a in statement.names}


def _bound(tree: ast.Module) -> dict[str, str]:
    """The names that a module binds, with what those of imports mean."""
    found = {name: "" for name in facts(tree).binders}
    for statement in _imports_of(tree):
        assert isinstance(statement, (ast.Import, ast.ImportFrom))
        found.update(_meanings(statement))
    return found
