"""A text on its way from the source to the output, with what running it showed."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from lazygen.diagnostics import Diagnostic, Refused
from lazygen.frontend.parse import parse
from lazygen.frontend.references import Reference, references
from lazygen.lift import lift
from lazygen.lift.plan import Plan
from lazygen.settings import Settings
from lazygen.trace.collect import trace, trace_instead
from lazygen.trace.model import Trace
from lazygen.trace.request import Request
from lazygen.trace.variations import Varied, vary
from lazygen.values import replace, value


@value
class Emitter:
    """Carries plans out on the texts of one file; a `line_length` of None is found out from each text."""

    path: str
    line_length: int | None = None

    def __call__(self, text: str, plan: Plan) -> str:
        """The text with the plan's edits; libcst and black are imported by the first that is asked for."""
        from lazygen import emit

        return emit.emit(text, plan, line_length=self.line_length, path=self.path)

    def at_length_of(self, text: str) -> Emitter:
        """One for what is written in several steps, which keeps the line length of the first text."""
        from lazygen import emit

        return self if self.line_length is not None else replace(self, line_length=emit.line_length_of(text))


@value
class Draft:
    """A text with its lazy references, and its traces: with the inputs as they were given, and with other arguments."""

    text: str
    tree: ast.Module
    lazy: Sequence[Reference]
    request: Request
    traced: Trace
    varied: Sequence[Varied] = ()

    @property
    def path(self) -> str:
        """The name that findings give the source."""
        return self.request.shown

    def with_text(self, text: str, request: Request, traced: Trace) -> Draft:
        """Another text that was traced, also with other arguments if this one was."""
        tree = parse(text, self.path)
        return Draft(text, tree, references(tree), request, traced, vary(request, traced) if self.varied else ())

    def traced_as(self, text: str, settings: Settings | None = None) -> tuple[Request, Trace]:
        """Another text, traced as this one was."""
        return trace_instead(self.request, text, parse(text, self.path), settings or self.request.settings)


def observed(
    text: str, tree: ast.Module, settings: Settings, path: str, folder: Path | None, roots_in: ast.Module
) -> Draft:
    """A text, traced; the models to run are found in `roots_in`.  Raises Refused if it does not run."""
    request, traced = trace(text, tree, settings, path, folder, _import_emission, roots_in)
    if traced.failed:
        raise Refused(*traced.diagnostics, usage=traced.usage)
    if settings.engine == "torch":  # without terms, only another run tells what hangs on a free size
        from lazygen.trace.free import hanging_on_free_sizes

        wrong = hanging_on_free_sizes(request, traced)
        if wrong:
            raise Refused(*wrong)
    return Draft(text, tree, references(tree), request, traced, vary(request, traced))


def unsaid_sizes(draft: Draft) -> tuple[Diagnostic, ...]:
    """What is to be said of sizes that cannot be written: where they stand in this text, not in one made of it."""
    sized = [reference for reference in draft.lazy if reference.reads_sizes]
    partial = draft.request.settings.partial
    lifted = lift(draft.tree, draft.text, sized, draft.traced, draft.varied, draft.path, partial=partial)
    return lifted.diagnostics if lifted.plan is None else ()


def _import_emission() -> None:
    """Import what emission stands on while the child process traces."""
    import lazygen.emit.edits  # noqa: F401
