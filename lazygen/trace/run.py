"""Runs traces in child processes, from the parent's side: starts them, collects them, says why one gave nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lazygen.diagnostics import Diagnostic, Note, Place
from lazygen.trace import child
from lazygen.trace.model import Trace
from lazygen.trace.request import Request


@dataclass(slots=True)
class Running:
    """A trace under way."""

    request: Request
    handle: child.Handle[Trace]

    def result(self) -> Trace:
        """The trace; one that died has an error among its findings."""
        outcome = self.handle.result()
        return outcome if isinstance(outcome, Trace) else Trace(diagnostics=(_died(outcome, self.request),))


def start(request: Request, *, quiet: bool = False) -> Running:
    """Begin a trace.  `quiet` drops what the source prints."""
    from lazygen.trace import tracer

    work: Callable[[], Trace] = lambda: tracer.Tracer(request).run()
    return Running(request, child.start(work, request.settings.timeout, name=request.shown, quiet=quiet))


def _died(died: child.Died, request: Request) -> Diagnostic:
    place = next(
        (Place(request.shown, line, 0, line, 0) for path, line, _ in died.stack if path == request.filename), None
    )
    if died.cause == "timeout":
        return Diagnostic(
            "LZ134",
            died.message,
            place,
            helps=("a model that is merely slow gets more time with --timeout SECONDS",),
        )
    if died.cause == "raised":
        return Diagnostic("LZ901", f"tracing failed: {died.message}", place, (Note(died.detail),) if died.detail else ())
    return Diagnostic("LZ135", died.message, place)
