"""The passes in order: parse, find what to run, trace, lift, emit, validate."""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from lazygen import traps
from lazygen.diagnostics import Diagnostic, Refused
from lazygen.frontend.parse import parse, too_deep
from lazygen.frontend.references import Reference, references
from lazygen.lift import Lifted, first_call, inlining, lift, named_lambdas, packages
from lazygen.lift.plan import Plan
from lazygen.lift.syntax import Syntax
from lazygen.scoped import without_scopes
from lazygen.settings import Placement, Settings
from lazygen.spec import is_spec
from lazygen.trace.collect import location_of, trace, trace_instead
from lazygen.trace.model import Trace
from lazygen.trace.request import Request
from lazygen.trace.variations import Varied, vary
from lazygen.validate import differences, validate
from lazygen.values import replace, value

if TYPE_CHECKING:
    from lazygen.lift.staging.origins import Origins


@value
class Conversion:
    """What came of a source.

    `code` is None if it was refused; `remarks` say for each site where its size was found; `usage` says that the
    refusal is the command line's fault and not the file's.
    """

    code: str | None
    diagnostics: tuple[Diagnostic, ...] = ()
    remarks: tuple[str, ...] = ()
    usage: bool = False


def convert_source(
    text: str,
    settings: Settings,
    *,
    path: str = "<stdin>",
    folder: Path | None = None,
    line_length: int | None = None,
) -> Conversion:
    """Convert the text of a module.

    `path` is the name that findings say, `folder` where the project's own modules are looked up (the folder of `path`
    if None), `line_length` the project's black setting.  Nothing is written, and nothing is raised for a mistake in
    the text or in the settings.
    """
    if is_spec(path):
        return _convert_spec(text, settings, path, line_length)
    try:
        conversion = _convert(text, settings, path, folder, line_length)
    except Refused as refused:
        conversion = Conversion(None, refused.diagnostics, usage=refused.usage)
    except RecursionError:
        return Conversion(None, (too_deep(path),))
    return _without_ignored(conversion, text, path) if "lazygen: ignore[" in text else conversion


def _convert_spec(text: str, settings: Settings, path: str, line_length: int | None) -> Conversion:
    """Convert a spec: it is written as Python, and findings are about the part of the document that the text is of."""
    from lazygen.spec.places import Origins
    from lazygen.spec.source import written

    try:
        source = written(text, path, line_length or 88)
    except Refused as refused:
        return Conversion(None, refused.diagnostics)
    conversion = convert_source(source.text, settings, path="<spec>", line_length=line_length)
    origins = Origins(source, path)
    return replace(
        conversion,
        diagnostics=tuple(map(origins.finding, conversion.diagnostics)),
        remarks=tuple(map(origins.remark, conversion.remarks)),
    )


def _without_ignored(conversion: Conversion, text: str, path: str) -> Conversion:
    from lazygen.traps.ignored import without_ignored

    findings = without_ignored(conversion.diagnostics, text, path, complete=conversion.code is not None)
    return replace(conversion, diagnostics=tuple(findings))


def _convert(text: str, settings: Settings, path: str, folder: Path | None, line_length: int | None) -> Conversion:
    tree = parse(text, path)
    edited = with_definitions(text, tree, path, folder, line_length)
    subject = tree if edited == text else parse(edited, path)
    lazy = references(subject)
    if not lazy and not settings.entries:
        elsewhere = _lazy_elsewhere(text, tree, path, folder)
        return Conversion(text) if elsewhere is None else Conversion(None, (elsewhere,))
    source = _observe(text, tree, settings, path, folder, subject)
    warnings = (*source.traced.diagnostics, *traps.in_text(text, tree, lazy, path))
    seen = source if edited == text else _observe(edited, subject, settings, path, folder)
    made_by = packages.seen(seen.traced)
    if made_by:
        copied = _with_lazy_imports(edited, subject, path, folder, line_length, made_by)
        if copied != edited:
            with suppress(Refused):  # what does not run as a copy is refused where the source calls it
                again = parse(copied, path)
                seen = _observe(copied, again, settings, path, folder)
                edited, subject, lazy = copied, again, references(again)
    if line_length is None and (seen.request.placement == "recorded" or settings.placement != Placement()):
        from lazygen import emit as emission

        line_length = emission.line_length_of(text)  # what is written in several steps keeps the source's
    placed = _without_scopes(edited, subject, lazy, seen, line_length)
    if placed is not None:
        edited, seen, notes = placed
        warnings = (*warnings, *notes)
        subject = parse(edited, path)
        lazy = references(subject)
    staged = _with_classes_of_graphs(edited, subject, lazy, seen, line_length)
    if staged is None:
        conversion = _finished(edited, subject, lazy, seen, source, line_length)
    else:
        edited, seen, origins = staged
        subject = parse(edited, path)
        try:
            conversion = _finished(edited, subject, references(subject), seen, seen, line_length)
        except Refused as refused:
            raise Refused(*map(origins.finding, refused.diagnostics), usage=refused.usage) from None
        conversion = replace(conversion, diagnostics=tuple(map(origins.finding, conversion.diagnostics)))
    return replace(conversion, diagnostics=(*warnings, *conversion.diagnostics))


def _finished(
    edited: str,
    subject: ast.Module,
    lazy: list[Reference],
    seen: _Observed,
    source: _Observed,
    line_length: int | None,
) -> Conversion:
    """The conversion of a text that was traced; `source` is what its output has to do.  Raises Refused."""
    path = source.request.shown
    spelled = _in_the_words_of_torch(edited, subject, lazy, seen, line_length)
    if spelled is not None:
        edited, source = spelled
        seen, subject = source, parse(edited, path)
        lazy = references(subject)
    for as_classes in (False, True):  # where a class is wanted, what stands in for one may not do
        lifted = lift(
            subject,
            edited,
            lazy,
            seen.traced,
            seen.varied,
            path,
            partial=source.request.settings.partial,
            as_classes=as_classes,
        )
        if lifted.plan is None:
            functions = named_lambdas.rewritten(Syntax(subject, edited, path), lifted.diagnostics)
            if functions is None:
                raise Refused(*lifted.diagnostics)
            edited = emit(edited, functions, line_length=line_length, path=path)
            subject = parse(edited, path)
            again, traced = trace_instead(seen.request, edited, subject, seen.request.settings)
            seen = _Observed(again, traced, vary(again, traced))
            try:
                return _finished(edited, subject, references(subject), seen, source, line_length)
            except Refused:  # about a text that is not the user's
                raise Refused(*lifted.diagnostics) from None
        code, wrong = _checked(edited, lifted, source, line_length)
        if not wrong:
            return Conversion(code, lifted.diagnostics, lifted.plan.remarks)
        if not lifted.by_partials:
            break
    raise Refused(*wrong)


def _checked(
    text: str, lifted: Lifted, source: _Observed, line_length: int | None
) -> tuple[str, tuple[Diagnostic, ...]]:
    """The output, and what is wrong with it."""
    path = source.request.shown
    assert lifted.plan is not None
    code = emit(text, lifted.plan, line_length=line_length, path=path)
    followed = [other for run, other in enumerate(source.varied, start=1) if run not in lifted.fixed]
    source = replace(source, varied=followed)
    if source.request.settings.placement != Placement():
        code, source = _placed(code, source, line_length)
    if source.request.settings.placement.pipeline:
        code, source = _in_stages(code, source, line_length)
    elif source.request.placement == "recorded":
        from lazygen.moves import with_moves

        def emit_here(text: str, plan: Plan) -> str:
            return emit(text, plan, line_length=line_length, path=path)

        code = with_moves(code, source.request, source.varied, emit_here)
    if source.request.settings.placement.shard:
        code = _with_shards(code, source.request, line_length)
    return code, validate(code, source.request, source.traced, source.varied)


def _placed(code: str, source: _Observed, line_length: int | None) -> tuple[str, _Observed]:
    """The code as the flags for devices have it, and the source that it is to be compared with."""
    from lazygen import place

    def emit_here(text: str, plan: Plan) -> str:
        return emit(text, plan, line_length=line_length, path=source.request.shown)

    placement = source.request.settings.placement
    plain = replace(source, request=replace(source.request, default=("", "")))
    if placement.is_somewhere and placement.parallel is None:  # the moves of inputs are written later
        plain = replace(plain, request=replace(plain.request, placement="recorded"))
    code = place.placed(code, plain.request, source.traced, emit_here)
    if placement.parallel is not None:
        tree = parse(code, source.request.shown)
        wrapped = place.varied_wrapped(source.varied, tree)
        plain = replace(plain, traced=place.of_wrapped(source.traced, tree), varied=wrapped)
        code = place.in_parallel(code, plain.request, emit_here)
    return code, plain


def _in_stages(code: str, source: _Observed, line_length: int | None) -> tuple[str, _Observed]:
    """The code with stages in the place of devices, and the source without these."""
    from lazygen import stage

    def emit_here(text: str, plan: Plan) -> str:
        return emit(text, plan, line_length=line_length, path=source.request.shown)

    varied = stage.varied_without_places(source.varied)
    request = replace(source.request, placement="followed")
    plain = replace(source, request=request, traced=stage.without_places(source.traced), varied=varied)
    return stage.in_stages(code, source.request, emit_here), plain


def _with_shards(code: str, request: Request, line_length: int | None) -> str:
    """The code with a function beside each model that shards it."""
    from lazygen import stage

    return stage.with_shards(code, request, lambda t, plan: emit(t, plan, line_length=line_length, path=request.shown))


@value
class _Observed:
    """A source that was traced, with the inputs as they were given and with other arguments."""

    request: Request
    traced: Trace
    varied: list[Varied]


def _observe(
    text: str, tree: ast.Module, settings: Settings, path: str, folder: Path | None, roots_in: ast.Module | None = None
) -> _Observed:
    request, traced = trace(text, tree, settings, path, folder, _import_emission, roots_in)
    if traced.failed:
        raise Refused(*traced.diagnostics, usage=traced.usage)
    if settings.engine == "torch":  # without terms, only another run tells what hangs on a free size
        from lazygen.trace.free import hanging_on_free_sizes

        wrong = hanging_on_free_sizes(request, traced)
        if wrong:
            raise Refused(*wrong)
    return _Observed(request, traced, vary(request, traced))


def _without_scopes(
    text: str, tree: ast.Module, lazy: list[Reference], seen: _Observed, line_length: int | None
) -> tuple[str, _Observed, tuple[Diagnostic, ...]] | None:
    """The text with what device scopes say written into what is built inside, traced, and notes about it; None if it
    has none.
    """

    def emit_here(text: str, plan: Plan) -> str:
        return emit(text, plan, line_length=line_length, path=seen.request.shown)

    others = functools.partial(_without_sizes, text, tree, lazy, seen)
    found = without_scopes(text, tree, lazy, seen.request, seen.traced, emit_here, others)
    if found is None:
        return None
    return found.text, _Observed(found.request, found.traced, vary(found.request, found.traced)), found.notes


def _without_sizes(text: str, tree: ast.Module, lazy: list[Reference], seen: _Observed) -> tuple[Diagnostic, ...]:
    """What is to be said of sizes that cannot be written: where they stand in the source, not in a text made of it."""
    sized, request = [reference for reference in lazy if reference.reads_sizes], seen.request
    lifted = lift(tree, text, sized, seen.traced, seen.varied, request.shown, partial=request.settings.partial)
    return lifted.diagnostics if lifted.plan is None else ()


def _with_classes_of_graphs(
    text: str, tree: ast.Module, lazy: list[Reference], seen: _Observed, line_length: int | None
) -> tuple[str, _Observed, Origins] | None:
    """The text with classes for graphs that loops, functions and constructors build, traced, and what knows where it
    comes from; None if the text has no such graphs.
    """
    if not seen.traced.graphs:
        return None
    from lazygen.staged import with_classes

    def emit_here(text: str, plan: Plan) -> str:
        return emit(text, plan, line_length=line_length, path=seen.request.shown)

    found = with_classes(text, tree, lazy, seen.request, seen.traced, seen.varied, emit_here)
    if found is None:
        return None
    return found.text, _Observed(found.request, found.traced, vary(found.request, found.traced)), found.origins


def _in_the_words_of_torch(
    text: str, tree: ast.Module, lazy: list[Reference], seen: _Observed, line_length: int | None
) -> tuple[str, _Observed] | None:
    """The text with the graphs of the TorchX style as classes and its functions as torch's, traced; None if it has
    none.
    """
    if not any(reference.is_torchx for reference in lazy):
        return None
    from lazygen.lift.rewriting import rewritten

    request, path = seen.request, seen.request.shown
    rewriting = rewritten(Syntax(tree, text, path), text, lazy, seen.traced)
    if rewriting is None:
        return None
    problems = (*rewriting.problems, *_without_sizes(text, tree, lazy, seen))
    if problems:
        raise Refused(*problems)
    spelled = emit(text, rewriting.plan, line_length=line_length, path=path)
    again, traced = trace_instead(request, spelled, parse(spelled, path), rewriting.settings(request.settings))
    wrong = differences(rewriting.renamed(seen.traced), traced, path)
    if wrong:
        raise Refused(*wrong)
    return spelled, _Observed(again, traced, vary(again, traced))


def with_definitions(
    text: str, tree: ast.Module, path: str, folder: Path | None, line_length: int | None = None
) -> str:
    """The text in which models and lazy layers are looked for: with those of the project's modules that it imports, and
    with layers in constructors.
    """
    edited = _with_lazy_imports(text, tree, path, folder, line_length)
    return _with_layers_in_constructors(edited, tree if edited == text else parse(edited, path), path, line_length)


def _with_lazy_imports(
    text: str,
    tree: ast.Module,
    path: str,
    folder: Path | None,
    line_length: int | None,
    installed: Collection[str] | None = None,
) -> str:
    """The text with the lazy definitions that it imports from the project's other modules, or from installed packages
    that make lazy layers, written into it.
    """
    if not inlining.may_have(tree):
        return text
    plan = inlining.rewritten(Syntax(tree, text, path), location_of(path, folder), installed)
    return text if plan is None else emit(text, plan, line_length=line_length, path=path)


def _lazy_elsewhere(text: str, tree: ast.Module, path: str, folder: Path | None) -> Diagnostic | None:
    """What is wrong with a file without lazy layers that makes some by classes of other files, not imported by name."""
    if not inlining.may_have(tree):
        return None
    return inlining.stays_lazy(Syntax(tree, text, path), location_of(path, folder))


def _with_layers_in_constructors(text: str, tree: ast.Module, path: str, line_length: int | None) -> str:
    """The text with layers that `forward` makes on its first call moved to the constructors."""
    plan = first_call.rewritten(Syntax(tree, text, path)) if first_call.may_have(text) else None
    return text if plan is None else emit(text, plan, line_length=line_length, path=path)


def _import_emission() -> None:
    """Import what emission stands on while the child process traces."""
    import lazygen.emit.edits  # noqa: F401


def emit(text: str, plan: Plan, *, line_length: int | None, path: str) -> str:
    """Carry a plan out; libcst and black are imported by the first that is."""
    from lazygen import emit as emission

    return emission.emit(text, plan, line_length=line_length, path=path)
