"""Writes the graphs of a source that loops, functions and constructors build as classes, and sees that they are those.

The text is traced as the source was, with the given arguments and with others, and compared.
"""

from __future__ import annotations

import ast

from lazygen.diagnostics import Diagnostic, Refused
from lazygen.frontend.parse import parse
from lazygen.frontend.references import references
from lazygen.lift.graph_source import NotConvertible
from lazygen.lift.graph_text import arguments_of
from lazygen.lift.rewriting import rewritten
from lazygen.lift.staging import Staging, staged, with_part_apart
from lazygen.lift.staging.origins import Origins
from lazygen.lift.staging.pairing import renamed
from lazygen.lift.syntax import Syntax
from lazygen.rewrites.draft import Draft, Emitter
from lazygen.rewrites.scopes import without_scopes
from lazygen.settings import Input, Settings, Target
from lazygen.trace.model import Trace
from lazygen.trace.request import Request
from lazygen.trace.run import start
from lazygen.validate import differences
from lazygen.values import replace, value


@value
class Classes:
    """A draft with classes for graphs, and the trace of its source with the names of this text.

    `origins` knows where in the source something stands.
    """

    draft: Draft
    source: Trace
    origins: Origins


def with_classes(draft: Draft, emit: Emitter) -> Classes | None:
    """The draft with classes for its graphs; None if there is nothing to do.  Raises Refused."""
    syntax = Syntax(draft.tree, draft.text, draft.path)
    try:
        apart = with_part_apart(syntax, draft.text, draft.lazy, draft.traced)
    except NotConvertible as reason:
        raise Refused(reason.finding) from None
    if apart is not None:
        return _of_parts(*apart, draft, emit)
    staging = staged(syntax, draft.text, draft.lazy, draft.traced)
    if staging is None:
        return None
    if staging.problems:
        raise Refused(*staging.problems)
    code, settings = emit(draft.text, staging.plan), draft.request.settings
    request, traced = draft.traced_as(code, _with_inputs(settings, draft.traced, staging, syntax))
    source = renamed(draft.traced, traced)
    wrong = differences(source, traced, draft.path)
    if wrong:
        raise Refused(*wrong)
    for other in draft.varied:
        given = _with_inputs(settings, other.trace, staging, syntax)
        output = start(replace(other.request(request), settings=given), quiet=True).result()
        wrong = differences(renamed(other.trace, output), output, draft.path)
        if wrong:
            raise Refused(*wrong)
    if not all(_same_inputs(draft.traced, other.trace) for other in draft.varied):
        # The inputs follow the arguments, so no fixed ones go with others; the constructors build the layers.
        request, traced = draft.traced_as(code)
    return Classes(draft.with_text(code, request, traced), source, Origins(code, draft.text, staging.inputs[0][0]))


def _of_parts(code: str, otherwise: Diagnostic, draft: Draft, emit: Emitter) -> Classes:
    """The draft with classes by way of another text, in which something that graphs share is a model of its own.

    Raises Refused, with `otherwise` if the other text does not do the same.
    """
    request, traced = draft.traced_as(code)
    if differences(renamed(draft.traced, traced), traced, draft.path):
        raise Refused(otherwise)
    others = []
    for other in draft.varied:
        output = start(other.request(request), quiet=True).result()
        if differences(renamed(other.trace, output), output, draft.path):
            raise Refused(otherwise)
        others.append(replace(other, trace=output))
    graph = otherwise.notes[0].place
    assert graph is not None
    tree = parse(code, draft.path)
    try:
        found = with_classes(Draft(code, tree, references(tree), request, traced, others), emit)
    except Refused as refused:
        origins = Origins(code, draft.text, graph)
        raise Refused(*map(origins.finding, refused.diagnostics), usage=refused.usage) from None
    assert found is not None
    text, source = found.draft.text, renamed(draft.traced, found.draft.traced)
    return replace(found, source=source, origins=Origins(text, draft.text, graph))


def with_new_names(text: str, tree: ast.Module, request: Request, traced: Trace) -> Trace:
    """A source's trace with the names that its output gives to the parameters.

    Raises Refused if its graphs cannot be converted.
    """
    draft, emit = Draft(text, tree, references(tree), replace(request, question=None), traced), Emitter(request.shown)
    if not any(reference.is_torchx for reference in draft.lazy):
        return traced
    unscoped = without_scopes(draft, emit)
    draft = draft if unscoped is None else unscoped.draft
    found = with_classes(draft, emit)
    source = draft.traced if found is None else found.source
    draft = draft if found is None else found.draft
    rewriting = rewritten(Syntax(draft.tree, draft.text, draft.path), draft.text, draft.lazy, draft.traced)
    if rewriting is not None and rewriting.problems:
        raise Refused(*rewriting.problems)
    after = draft.traced if rewriting is None else rewriting.renamed(draft.traced)
    return _followed(source, draft.traced, after)


def _followed(source: Trace, before: Trace, after: Trace) -> Trace:
    """A trace with the names of `after` where it has those of `before`."""
    models = []
    for model in source.models:
        pairs = next(
            (zip(old.state, new.state, strict=True) for old, new in zip(before.models, after.models, strict=True)
             if old.entry == model.entry), (),
        )  # fmt: skip
        names = {old.name: new.name for old, new in pairs}
        state = tuple(stored._replace(name=names.get(stored.name, stored.name)) for stored in model.state)
        models.append(replace(model, state=state))
    return replace(source, models=tuple(models))


def _with_inputs(settings: Settings, traced: Trace, staging: Staging, syntax: Syntax) -> Settings:
    """The settings with the inputs that the graphs state, for models that have none else."""
    targets = list(settings.targets)
    for model in traced.models:
        known = settings.target_for(model.entry)
        if model.graph < 0 or known.inputs or known.arguments:
            continue
        inputs = _inputs(traced, model.graph, staging, syntax)
        targets = [target for target in targets if target.entry != model.entry]
        targets.append(Target(model.entry, inputs))
    return replace(settings, targets=tuple(targets))


def _inputs(traced: Trace, number: int, staging: Staging, syntax: Syntax) -> tuple[Input, ...]:
    graph = traced.graphs[number]
    wanted = dict(staging.inputs).get(graph.call)
    if wanted is None:
        return ()
    arguments = arguments_of(wanted, graph.inputs, syntax)
    assert isinstance(arguments, list)
    found = [given for argument in arguments for given in argument.inputs()]
    return tuple(replace(given, name=None) if graph.call in staging.chains else given for given in found)


def _same_inputs(traced: Trace, other: Trace) -> bool:
    """Whether the graphs that are models have inputs of the same sizes in both traces."""
    graphs = [[trace.graphs[m.graph].inputs for m in trace.models if m.graph >= 0] for trace in (traced, other)]
    entries = [[m.entry for m in trace.models if m.graph >= 0] for trace in (traced, other)]
    return all(
        wanted == graphs[0][entries[0].index(entry)]
        for entry, wanted in zip(entries[1], graphs[1], strict=True)
        if entry in entries[0]
    )
