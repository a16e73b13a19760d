"""Runs traces in child processes, from the parent's side: starts them, collects them, says why one gave nothing."""

from __future__ import annotations

from importlib import import_module

from lazygen.diagnostics import Diagnostic, Note, Place
from lazygen.frontend.parse import split_lines
from lazygen.symbolic import fallback
from lazygen.trace import child
from lazygen.trace.model import Trace
from lazygen.trace.request import Request
from lazygen.values import record

_DEEP = 12  # as often a function stands among the innermost frames if it calls itself


@record
class Running:
    """A trace under way."""

    request: Request
    handle: child.Handle[Trace]

    def result(self) -> Trace:
        """The trace; one that died has an error among its findings."""
        outcome = self.handle.result()
        if not isinstance(outcome, Trace):
            return Trace(diagnostics=(_died(outcome, self.request),))
        # The next child finds the families loaded; and the one here can keep them compiled, which a child may not.
        for name in outcome.families:
            import_module(name)
        if "lazygen.symbolic.meta_call" in outcome.families and not fallback.is_loaded():
            import_module("lazygen.trace.torch_engine").import_torch()  # else every child to come imports it again
        return outcome


def start(request: Request, *, quiet: bool = False) -> Running:
    """Begin a trace.  `quiet` drops what the source prints."""
    from lazygen.trace import tracer

    def work() -> Trace:
        return tracer.Tracer(request).run()

    return Running(request, child.start(work, request.settings.timeout, name=request.shown, quiet=quiet))


def _died(died: child.Died, request: Request) -> Diagnostic:
    place = next((_line(request, line) for path, line, _ in died.stack if path == request.filename), None)
    if died.cause == "timeout":
        if _calls_itself(died, request):
            message = f"the definitions call themselves without end, or for longer than {request.settings.timeout:g} s"
            return Diagnostic("LZ133", message, place)
        helps = ("a model that is merely slow gets more time with --timeout SECONDS",)
        return Diagnostic("LZ134", died.message, place, helps=helps)
    if died.cause == "raised":
        notes = (Note(died.detail),) if died.detail else ()
        return Diagnostic("LZ901", f"tracing failed: {died.message}", place, notes)
    return Diagnostic("LZ135", died.message, place)


def _line(request: Request, line: int) -> Place:
    """A whole line of the source, without its indentation."""
    lines = split_lines(request.text)
    text = lines[line - 1].rstrip() if line <= len(lines) else ""
    return Place(request.shown, line, len(text) - len(text.lstrip()), line, len(text))


def _calls_itself(died: child.Died, request: Request) -> bool:
    """Whether one function of the source stands in the stack, the innermost 100 frames, again and again."""
    functions = [function for path, _, function in died.stack if path == request.filename]
    return any(functions.count(function) >= _DEEP for function in set(functions))
