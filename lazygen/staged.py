"""Writes the graphs of a source that loops, functions and constructors build as classes, and sees that they are those.

The text is traced as the source was, with the given arguments and with others, and compared.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from lazygen import emit as emission
from lazygen.diagnostics import Diagnostic, Refused
from lazygen.frontend.parse import parse
from lazygen.frontend.references import Reference, references
from lazygen.lift.graph_source import NotConvertible
from lazygen.lift.graph_text import arguments_of
from lazygen.lift.plan import Plan
from lazygen.lift.rewriting import rewritten
from lazygen.lift.staging import Staging, staged, with_part_apart
from lazygen.lift.staging.origins import Origins
from lazygen.lift.staging.pairing import renamed
from lazygen.lift.syntax import Syntax
from lazygen.scoped import without_scopes
from lazygen.settings import Input, Settings, Target
from lazygen.trace.collect import trace_instead
from lazygen.trace.model import Trace
from lazygen.trace.request import Request
from lazygen.trace.run import start
from lazygen.trace.variations import Varied
from lazygen.validate import differences
from lazygen.values import replace, value

Emit = Callable[[str, Plan], str]


@value
class Classes:
    """A text with classes for graphs, its trace, and the source's with the names of the text.

    `origins` knows where in the source something stands.
    """

    text: str
    request: Request
    traced: Trace
    source: Trace
    origins: Origins


def with_classes(
    text: str, tree: ast.Module, lazy: Sequence[Reference], request: Request, traced: Trace,
    varied: Sequence[Varied], emit: Emit,
) -> Classes | None:  # fmt: skip
    """The text with classes for its graphs; None if there is nothing to do.  Raises Refused."""
    path = request.shown
    syntax = Syntax(tree, text, path)
    try:
        apart = with_part_apart(syntax, text, lazy, traced)
    except NotConvertible as reason:
        raise Refused(reason.finding) from None
    if apart is not None:
        return _of_parts(*apart, text, request, traced, varied, emit)
    staging = staged(syntax, text, lazy, traced)
    if staging is None:
        return None
    if staging.problems:
        raise Refused(*staging.problems)
    code = emit(text, staging.plan)
    subject = parse(code, path)
    settings = _with_inputs(request.settings, traced, staging, syntax)
    again, after = trace_instead(request, code, subject, settings)
    source = renamed(traced, after)
    wrong = differences(source, after, path)
    if wrong:
        raise Refused(*wrong)
    for other in varied:
        settings = _with_inputs(request.settings, other.trace, staging, syntax)
        output = start(replace(other.request(again), settings=settings), quiet=True).result()
        wrong = differences(renamed(other.trace, output), output, path)
        if wrong:
            raise Refused(*wrong)
    if not all(_same_inputs(traced, other.trace) for other in varied):
        # The inputs follow the arguments, so no fixed ones go with others; the constructors build the layers.
        again, after = trace_instead(request, code, subject, request.settings)
    return Classes(code, again, after, source, Origins(code, text, staging.inputs[0][0]))


def _of_parts(
    code: str, otherwise: Diagnostic, text: str, request: Request, traced: Trace, varied: Sequence[Varied], emit: Emit
) -> Classes:
    """The text with classes by way of another, in which something that graphs share is a model of its own.

    Raises Refused, with `otherwise` if the other text does not do the same.
    """
    path = request.shown
    tree = parse(code, path)
    again, after = trace_instead(request, code, tree, request.settings)
    if differences(renamed(traced, after), after, path):
        raise Refused(otherwise)
    others = []
    for other in varied:
        output = start(other.request(again), quiet=True).result()
        if differences(renamed(other.trace, output), output, path):
            raise Refused(otherwise)
        others.append(replace(other, trace=output))
    graph = otherwise.notes[0].place
    assert graph is not None
    try:
        found = with_classes(code, tree, references(tree), again, after, others, emit)
    except Refused as refused:
        origins = Origins(code, text, graph)
        raise Refused(*map(origins.finding, refused.diagnostics), usage=refused.usage) from None
    assert found is not None
    return replace(found, source=renamed(traced, found.traced), origins=Origins(found.text, text, graph))


def with_new_names(text: str, tree: ast.Module, request: Request, traced: Trace) -> Trace:
    """A source's trace with the names that its output gives to the parameters.

    Raises Refused if its graphs cannot be converted.
    """
    lazy = references(tree)
    if not any(reference.is_torchx for reference in lazy):
        return traced
    path = request.shown
    plain = replace(request, question=None)

    def emit(code: str, plan: Plan) -> str:
        return emission.emit(code, plan, path=path)

    placed = without_scopes(text, tree, lazy, plain, traced, emit)
    if placed is not None:
        text, plain, traced = placed.text, placed.request, placed.traced
        tree = parse(text, path)
        lazy = references(tree)
    found = with_classes(text, tree, lazy, plain, traced, (), emit)
    source = traced
    if found is not None:
        text, traced, source = found.text, found.traced, found.source
        tree = parse(text, path)
    rewriting = rewritten(Syntax(tree, text, path), text, references(tree), traced)
    if rewriting is not None and rewriting.problems:
        raise Refused(*rewriting.problems)
    after = traced if rewriting is None else rewriting.renamed(traced)
    return _followed(source, traced, after)


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
