"""Finds what to run in a source and traces it, again with more of the file when a name turns out to be missing."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from pathlib import Path

from lazygen.diagnostics import Diagnostic, Place, Refused
from lazygen.frontend import roots, slice
from lazygen.frontend.references import references
from lazygen.frontend.torchx import DEVICES
from lazygen.settings import Settings
from lazygen.trace.model import Trace, Treatment
from lazygen.trace.request import KeysQuestion, Question, Request, SpecQuestion
from lazygen.trace.run import start
from lazygen.values import replace

MOST_RESTARTS = 20


def trace(
    text: str,
    tree: ast.Module,
    settings: Settings,
    path: str,
    folder: Path | None,
    prepare: Callable[[], None] = lambda: None,
    roots_in: ast.Module | None = None,
    question: Question | SpecQuestion | KeysQuestion | None = None,
    placement: Treatment | None = None,
) -> tuple[Request, Trace]:
    """The trace of a source, with the request that gave it.  `prepare` is called once while the first run is under way.

    `roots_in` is the tree in which entries are looked for if the settings name none; the source's own if None.  Without
    a `placement`, tensors that do not meet are an error, unless the source has device scopes, or settings that place
    it: then the moves are yet to be written.  Raises Refused if no entry is to be found.
    """
    _check_engine(settings, path)
    entries = entries_of(roots_in or tree, settings, path)
    names = _names(entries)
    location = location_of(path, folder)
    statements = statements_for(tree, entries)
    request = Request(text, location, path, statements, entries, settings, bool(settings.entries), question=question)
    flags = settings.placement
    moves_are_written = _has_scopes(text, tree) or flags.pipeline or (flags.is_somewhere and flags.parallel is None)
    placement = placement or ("recorded" if moves_are_written else "followed")
    request = replace(request, placement=placement, default=(flags.device, flags.dtype))
    return _traced(request, tree, names, prepare)


def _has_scopes(text: str, tree: ast.Module) -> bool:
    return "device_scope" in text and any(reference.kind in DEVICES for reference in references(tree))


def _check_engine(settings: Settings, path: str) -> None:
    """Raise Refused if real torch is asked for and not there.  It is imported here once, for all runs."""
    if settings.engine != "torch":
        return
    from lazygen.trace.torch_engine import import_torch

    missing = import_torch()
    if missing is not None:
        help_text = "install torch beside lazygen (pip install 'lazygen[torch]'), or leave --engine out"
        place = Place(path, 1, 0, 1, 0)
        raise Refused(Diagnostic("LZ241", f"torch cannot be imported: {missing}", place, helps=(help_text,)))


def trace_instead(request: Request, text: str, tree: ast.Module, settings: Settings) -> tuple[Request, Trace]:
    """The trace of another text of the same entries, with the request that gave it."""
    request = replace(request, text=text, statements=statements_for(tree, request.entries), settings=settings)
    return _traced(request, tree, _names(request.entries), lambda: None)


def _traced(request: Request, tree: ast.Module, names: list[str], prepare: Callable[[], None]) -> tuple[Request, Trace]:
    for _ in range(MOST_RESTARTS):
        running = start(request)
        prepare()
        traced = running.result()
        if traced.wants_torch is not None and traced.wants_torch not in request.served:
            return _with_torch(request, traced, tree, names)
        if traced.missing_name is None:
            return request, traced
        names.append(traced.missing_name)
        extra = (*request.extra, traced.missing_name)
        request = replace(request, statements=_positions(tree, names), extra=extra)
    place = Place(request.shown, 1, 0, 1, 0)
    raise Refused(Diagnostic("LZ902", f"the name {names[-1]} is missing however much of the file runs", place))


def _with_torch(request: Request, failed: Trace, tree: ast.Module, names: list[str]) -> tuple[Request, Trace]:
    """The trace with real torch for the package that failed on the stand-in; the failure if the package fails again."""
    assert failed.wants_torch is not None
    served = replace(request, served=(*request.served, failed.wants_torch))
    served, traced = _traced(served, tree, list(names), lambda: None)
    return (request, failed) if traced.wants_torch == failed.wants_torch else (served, traced)


def location_of(path: str, folder: Path | None) -> Path:
    """Where a source stands, or would if it has no file: beside the modules of its project."""
    return (folder / Path(path).name if folder is not None else Path(path)).absolute()


def statements_for(tree: ast.Module, entries: Iterable[str], extra: Iterable[str] = ()) -> frozenset[tuple[int, int]]:
    """The positions of the statements that the entries, and `extra` names, need."""
    return _positions(tree, [*_names(entries), *extra])


def _positions(tree: ast.Module, names: list[str]) -> frozenset[tuple[int, int]]:
    return frozenset((node.lineno, node.col_offset) for node in slice.needed(tree, names))


def entries_of(tree: ast.Module, settings: Settings, path: str) -> tuple[str, ...]:
    """The entry of the settings, else the roots of the file.

    Raises Refused if the entry names nothing of the file, or if there is no root.
    """
    if settings.entries:
        for entry in settings.entries:
            unknown = roots.unknown_entry(tree, entry, path)
            if unknown is not None:
                raise Refused(unknown, usage=True)
        return settings.entries
    found = roots.find(tree)
    if not found:
        raise Refused(roots.no_roots(tree, path))
    return tuple(root.name for root in found)


def _names(entries: Iterable[str]) -> list[str]:
    return [name for entry in entries for name in roots.entry_names(entry)]
