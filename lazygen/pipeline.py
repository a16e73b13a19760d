"""The passes in order: parse, find what to run, trace, lift, emit, validate."""

from __future__ import annotations

from pathlib import Path

from lazygen import traps
from lazygen.diagnostics import Diagnostic, Refused
from lazygen.frontend.parse import parse, too_deep
from lazygen.frontend.references import references
from lazygen.lift import Lifted, lift, named_lambdas
from lazygen.lift.syntax import Syntax
from lazygen.rewrites import definitions
from lazygen.rewrites.draft import Draft, Emitter, observed
from lazygen.rewrites.placement import as_placed
from lazygen.rewrites.scopes import without_scopes
from lazygen.rewrites.torch_words import in_the_words_of_torch
from lazygen.settings import Placement, Settings
from lazygen.spec import is_spec
from lazygen.validate import validate
from lazygen.values import replace, value


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
    tree, emit = parse(text, path), Emitter(path, line_length)
    edited = definitions.with_definitions(text, tree, folder, emit)
    subject = tree if edited == text else parse(edited, path)
    lazy = references(subject)
    if not lazy and not settings.entries:
        elsewhere = definitions.lazy_elsewhere(text, tree, folder, path)
        return Conversion(text) if elsewhere is None else Conversion(None, (elsewhere,))
    source = observed(text, tree, settings, path, folder, subject)
    warnings = [*source.traced.diagnostics, *traps.in_text(text, tree, lazy, path)]
    draft = source if edited == text else observed(edited, subject, settings, path, folder, subject)
    draft = definitions.with_packages(draft, folder, emit)
    if draft.request.placement == "recorded" or settings.placement != Placement():
        emit = emit.at_length_of(text)
    unscoped = without_scopes(draft, emit)
    if unscoped is not None:
        draft = unscoped.draft
        warnings += unscoped.notes
    conversion = _with_classes(draft, emit) or _finished(draft, source, emit)
    return replace(conversion, diagnostics=(*warnings, *conversion.diagnostics))


def _with_classes(draft: Draft, emit: Emitter) -> Conversion | None:
    """The conversion by way of classes for graphs that loops, functions and constructors build; None if there are none.

    Raises Refused, with findings about the draft's own text.
    """
    if not draft.traced.graphs:
        return None
    from lazygen.rewrites.graph_classes import with_classes

    found = with_classes(draft, emit)
    if found is None:
        return None
    finding = found.origins.finding
    try:
        conversion = _finished(found.draft, found.draft, emit)
    except Refused as refused:
        raise Refused(*map(finding, refused.diagnostics), usage=refused.usage) from None
    return replace(conversion, diagnostics=tuple(map(finding, conversion.diagnostics)))


def _finished(draft: Draft, source: Draft, emit: Emitter) -> Conversion:
    """The conversion of a draft; `source` is what its output has to do.  Raises Refused."""
    spelled = in_the_words_of_torch(draft, emit)
    if spelled is not None:
        draft = source = spelled
    for as_classes in (False, True):  # where a class is wanted, what stands in for one may not do
        lifted = lift(
            draft.tree, draft.text, draft.lazy, draft.traced, draft.varied, draft.path,
            partial=source.request.settings.partial, as_classes=as_classes,
        )  # fmt: skip
        if lifted.plan is None:
            return _with_functions(draft, lifted, source, emit)
        code, wrong = _checked(draft, lifted, source, emit)
        if not wrong:
            return Conversion(code, lifted.diagnostics, lifted.plan.remarks)
        if not lifted.by_partials:
            break
    raise Refused(*wrong)


def _with_functions(draft: Draft, lifted: Lifted, source: Draft, emit: Emitter) -> Conversion:
    """The conversion with functions for lambdas that could not be lifted.  Raises Refused if these do not help."""
    functions = named_lambdas.rewritten(Syntax(draft.tree, draft.text, draft.path), lifted.diagnostics)
    if functions is None:
        raise Refused(*lifted.diagnostics)
    text = emit(draft.text, functions)
    try:
        return _finished(draft.with_text(text, *draft.traced_as(text)), source, emit)
    except Refused:  # about a text that is not the user's
        raise Refused(*lifted.diagnostics) from None


def _checked(draft: Draft, lifted: Lifted, source: Draft, emit: Emitter) -> tuple[str, tuple[Diagnostic, ...]]:
    """The output, and what is wrong with it."""
    assert lifted.plan is not None
    followed = [other for run, other in enumerate(source.varied, start=1) if run not in lifted.fixed]
    code, wanted = as_placed(emit(draft.text, lifted.plan), replace(source, varied=followed), emit)
    return code, validate(code, wanted.request, wanted.traced, wanted.varied)
