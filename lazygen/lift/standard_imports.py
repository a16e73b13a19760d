"""Imports of the standard library that an output needs anew, where a person would put them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from lazygen.lift.plan import DeleteStatement, Edit, InsertStatements
from lazygen.lift.syntax import Syntax


def spelled(tree: ast.Module, module: str, name: str) -> str | None:
    """How a file says a name of a module by its imports; None if it has neither."""
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == module and not statement.level:
            for alias in statement.names:
                if alias.name == name:
                    return alias.asname or name
        elif isinstance(statement, ast.Import):
            for alias in statement.names:
                if alias.name == module:
                    return f"{alias.asname or module}.{name}"
    return None


class Imports:
    """Says names of the standard library, and remembers the imports that this takes."""

    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax
        self._said: dict[tuple[str, str], str] = {}
        self._new: list[str] = []

    def name(self, module: str, name: str) -> str:
        """How the file says a name of a module, imported for it if need be."""
        if (module, name) not in self._said:
            known = spelled(self._syntax.tree, module, name)
            if known is None:
                nodes = ast.walk(self._syntax.tree)
                taken = any(
                    getattr(node, "id", getattr(node, "arg", getattr(node, "name", None))) == name for node in nodes
                )
                self._new.append(f"import {module}" if taken else f"from {module} import {name}")
                known = f"{module}.{name}" if taken else name
            self._said[module, name] = known
        return self._said[module, name]

    def edits(self) -> Iterator[Edit]:
        """The imports that are needed."""
        for text in sorted(set(self._new)):
            yield from _beside(self._syntax, text) or [_placed(self._syntax, text)]


def _beside(syntax: Syntax, text: str) -> list[Edit]:
    """The name among those that an import of one line brings from the module already."""
    new = ast.parse(text).body[0]
    for statement in syntax.tree.body:
        if not isinstance(statement, ast.ImportFrom) or not isinstance(new, ast.ImportFrom):
            continue
        place = syntax.place(statement)
        if statement.module == new.module and not statement.level and place.line == place.end_line:
            names = [ast.unparse(alias) for alias in statement.names]
            added = [*names, new.names[0].name]
            added = sorted(added) if names == sorted(names) else added
            whole = f"from {new.module} import {', '.join(added)}\n"
            return [InsertStatements(syntax.span(statement), whole), DeleteStatement(syntax.span(statement))]
    return []


def _placed(syntax: Syntax, text: str) -> Edit:
    """Behind the standard imports that it follows, else above all imports."""
    imports = [s for s in syntax.tree.body if isinstance(s, (ast.Import, ast.ImportFrom))]
    later = [s for s in imports if _root(s) != "__future__"]
    key = _key(ast.parse(text).body[0])
    before = [s for s in later if _root(s) in sys.stdlib_module_names and _key(s) <= key]
    if before:
        return InsertStatements(syntax.span(before[-1]), f"{text}\n", before=False)
    anchor: ast.stmt = later[0] if later else syntax.tree.body[0]
    return InsertStatements(syntax.span(anchor), f"{text}\n")


def _root(statement: ast.stmt) -> str:
    if isinstance(statement, ast.ImportFrom):
        return "" if statement.level else (statement.module or "").partition(".")[0]
    return statement.names[0].name.partition(".")[0] if isinstance(statement, ast.Import) else ""


def _key(statement: ast.stmt) -> tuple[bool, str]:
    return isinstance(statement, ast.ImportFrom), _root(statement)
