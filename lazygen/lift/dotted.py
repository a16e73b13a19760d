"""Definitions that a file reaches through their module: `blocks.Block` is `Block` once it is written into the file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from lazygen.lift.imported import Module, Modules
from lazygen.values import value

ImportStatement = ast.Import | ast.ImportFrom


@value
class Use:
    """An expression that reads `name` of a module, by the import `statement`, whose `alias` binds its first name."""

    node: ast.Attribute
    module: Module
    name: str
    statement: ImportStatement
    alias: ast.alias


def lazy_uses(tree: ast.Module, modules: Modules, location: Path, *, surely: bool = True) -> list[Use]:
    """The expressions of the file at `location` that read lazy definitions through a module, in the order of the text.

    With `surely`, a name that the file gives another meaning anywhere is left out.
    """
    bound = {root: item for statement in imports(tree) for root, item in _bound(statement)}
    if not bound:
        return []
    other = _bound_otherwise(tree) if surely else set()
    known: dict[tuple[str, ...], Module | None] = {}
    found = []
    for node in ast.walk(tree):
        parts = _parts(node)
        if isinstance(node, ast.Attribute) and parts and parts[0] in bound.keys() - other:
            statement, alias, dotted, level = bound[parts[0]]
            path = tuple(parts[:-1])
            if path not in known:
                known[path] = modules.named(".".join(filter(None, [dotted, *path[1:]])), level, location)
            module = known[path]
            if module is not None and modules.holds_lazy(module, node.attr):
                found.append(Use(node, module, node.attr, statement, alias))
    return sorted(found, key=lambda use: (use.node.lineno, use.node.col_offset))


def unused(tree: ast.Module, uses: list[Use], alias: ast.alias) -> bool:
    """Whether nothing reads what an import binds once these expressions say something else."""
    name = (alias.asname or alias.name).partition(".")[0]
    replaced = {id(inner) for use in uses for inner in ast.walk(use.node)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
    described = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in described
    ]
    word = re.compile(rf"\b{name}\b")
    return all(id(node) in replaced for node in names) and not any(word.search(text) for text in texts)


def imports(tree: ast.Module) -> Iterator[ImportStatement]:
    """The imports at the top of a file."""
    return (statement for statement in tree.body if isinstance(statement, (ast.Import, ast.ImportFrom)))


def _bound(statement: ImportStatement) -> Iterator[tuple[str, tuple[ImportStatement, ast.alias, str, int]]]:
    """The names that may be modules, each with the module's dotted name and the dots before that."""
    for alias in statement.names:
        if isinstance(statement, ast.ImportFrom):
            dotted = ".".join(filter(None, (statement.module, alias.name)))
            yield alias.asname or alias.name, (statement, alias, dotted, statement.level)
        else:
            root = alias.name.partition(".")[0]
            yield alias.asname or root, (statement, alias, alias.name if alias.asname else root, 0)


def _bound_otherwise(tree: ast.Module) -> set[str]:
    """The names that are bound by something that is no import."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return names | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def _parts(node: ast.AST) -> list[str]:
    """The names of a dotted expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return [node.id, *parts] if isinstance(node, ast.Name) and parts else []
