"""Sources compiled for tracing; what several traces run is compiled once, before the first of them forks."""

from __future__ import annotations

import ast
import types
import warnings
from collections.abc import Collection, Iterator

from lazygen.frontend.instrument import Tables, instrument
from lazygen.frontend.parse import tree_of
from lazygen.trace.request import Request
from lazygen.values import value

_Key = tuple[str, str, frozenset[tuple[int, int]] | None]


@value
class _Ready:
    """Code, and the tables that it looks up."""

    code: types.CodeType
    tables: Tables


_ready: dict[_Key, _Ready] = {}  # the last source that was prepared; children find it here


def prepare(request: Request) -> None:
    """Compile a request's source for all traces that will be of it.

    What cannot be compiled is left to the traces, which know what to say.
    """
    key = _key(request.text, request.filename, request.statements)
    if key not in _ready:
        tables = Tables()
        try:
            made = _Ready(_compiled(*key, tables), tables)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        _ready.clear()
        _ready[key] = made


def code(text: str, filename: str, statements: Collection[tuple[int, int]] | None, tables: Tables) -> types.CodeType:
    """A source, or the statements of it that start at the given positions, made ready for tracing."""
    key = _key(text, filename, statements)
    ready = _ready.get(key)
    if ready is None or tables.scopes or tables.loops or tables.texts:
        return _compiled(*key, tables)
    tables.scopes += ready.tables.scopes
    tables.loops += ready.tables.loops
    tables.texts += ready.tables.texts
    return ready.code


def _key(text: str, filename: str, statements: Collection[tuple[int, int]] | None) -> _Key:
    return text, filename, None if statements is None else frozenset(statements)


def _compiled(
    text: str, filename: str, statements: frozenset[tuple[int, int]] | None, tables: Tables
) -> types.CodeType:
    tree = tree_of(text)
    assert isinstance(tree, ast.Module)
    kept = None if statements is None else list(chosen(tree.body, statements))
    made = instrument(tree, filename, tables, kept)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Python has to say of the text is the user's business
        return compile(made, filename, "exec", dont_inherit=True)


def chosen(body: list[ast.stmt], positions: Collection[tuple[int, int]]) -> Iterator[ast.stmt]:
    """The statements at the positions; those of an arm beside a `__main__` block stand one level down."""
    for statement in body:
        if (statement.lineno, statement.col_offset) in positions:
            yield statement
        elif isinstance(statement, ast.If):
            yield from chosen([*statement.body, *statement.orelse], positions)
