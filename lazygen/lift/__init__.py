"""Lifting: from the traces of a file to a plan of what to write where.

demands.py      calls that lack an argument, with every execution of them
solve.py        settles demands, callees first: in place, by a loop, or as a parameter
forms.py        the ways to say a size at a call; terms.py: a size in the terms of a scope
                lines.py: along a counter; riding.py: beside a loop; counting.py: by how many there are;
                carrying.py, running.py: in a variable; chosen.py: which items come to a call;
                gathering.py: beside those; firsts.py: from a parameter on; tested.py: by a function's own test
parameters.py   parameters that functions get; overrides.py: those of methods that override each other;
                handing.py: through functions that only hand them on
specialise.py   what makes layers without calling them by name; copies.py: where that has to be a class
planning.py     the solution as edits
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from lazygen.diagnostics import Diagnostic, Note, Place
from lazygen.frontend.references import Reference
from lazygen.lift import dry_pass, optional, planning, quotes, torchx, underscores
from lazygen.lift.copies import stands_for_a_class
from lazygen.lift.faults import made_elsewhere
from lazygen.lift.fixing import Checks, fixes
from lazygen.lift.plan import AddArguments, Edit, NewArgument, Plan, ReplaceExpression, ReplaceName
from lazygen.lift.solve import Solution, Solver, unvisited_calls
from lazygen.lift.specialise import is_guess
from lazygen.lift.syntax import Syntax
from lazygen.lift.twins import missing_argument, twin_text
from lazygen.trace.model import LazyLayer, Trace
from lazygen.trace.variations import Varied
from lazygen.values import replace, value


@value
class Lifted:
    """The plan, or None if a site has no answer; the findings say why.

    `fixed` are the numbers of the traces whose changed argument the output does not follow, but refuses.
    `by_partials` says that a `partial` stands where the source refers to a class, or a size in a dict that is given to
    something, which may not do.
    """

    plan: Plan | None
    diagnostics: tuple[Diagnostic, ...] = ()
    fixed: frozenset[int] = frozenset()
    by_partials: bool = False


def lift(
    tree: ast.Module,
    text: str,
    lazy: Sequence[Reference],
    traced: Trace,
    varied: Sequence[Varied],
    path: str,
    *,
    partial: bool = False,
    as_classes: bool = False,
) -> Lifted:
    """Decide what to write for every lazy layer of a file, from its trace and those with other arguments.

    With `partial` a layer without an answer stays as it is and gives a warning, else an error.  With `as_classes` a
    class that is handed to something stays a class, for one set of sizes.
    """
    syntax = Syntax(tree, text, path)
    traces = [traced, *(other.trace for other in varied)]
    solution = Solver(syntax, traces, as_classes=as_classes).solve()
    findings = list(_unanswered(solution, syntax, traces))
    notes: list[Diagnostic] = []
    left = {finding.place for finding in findings if finding.place is not None} | solution.kept_lazy | solution.left
    edits: list[Edit] = list(quotes.quoted(underscores.named(planning.edits_of(solution, syntax), syntax), text))
    passes = list(dry_pass.deletions(syntax, lazy))
    edits += () if findings else passes
    edits += torchx.without_builds(traced, syntax)
    known = {place for trace in traces for place in (layer.site for layer in trace.layers)}
    entered = {scope for trace in traces for scope, _ in trace.entered}
    replaced = {edit.span: edit.text for edit in edits if isinstance(edit, ReplaceExpression)}
    for reference in lazy:
        if any(edit.span.line <= reference.node.lineno <= edit.span.end_line for edit in passes):
            continue
        call = None if reference.call is None else syntax.place(reference.call)
        if reference.is_torchx:
            edits += torchx.dropped(reference, syntax)
            findings += torchx.without_twin(reference, syntax)
        if reference.kind not in replaced.get(syntax.span(reference.node), reference.kind):
            continue  # a class with its sizes stands there
        if call is None or call in known - left or not reference.reads_sizes:
            edits.append(ReplaceName(syntax.span(reference.node), "torch.nn", reference.plain))
        elif call not in left and not (reference.call and optional.is_given(syntax, reference.call, entered)):
            unchecked = None if reference.is_torchx else _like_its_twin(reference, solution, syntax)
            if unchecked is None:
                findings.append(_never_ran(reference, call))
            else:
                edits += [*unchecked, ReplaceName(syntax.span(reference.node), "torch.nn", reference.plain)]
                notes.append(_unchecked(reference, call))
    if findings and not partial:
        return Lifted(None, tuple(findings))
    checks = _checks(solution, syntax, traced, varied)
    warnings = [*(replace(finding, severity="warning") for finding in findings), *notes, *checks.notes]
    unneeded = () if findings else torchx.unneeded(tree)
    plan = Plan((*edits, *checks.edits), tuple(planning.remarks(solution, path)), unneeded)
    refused = [run for run, other in enumerate(varied, start=1) if checks.refuse(other.variation, traced.models)]
    demands = [] if as_classes else [demand for demand, _ in solution.forms]
    by_partials = any(stands_for_a_class(syntax, demand) or is_guess(syntax, demand) for demand in demands)
    return Lifted(plan, tuple(warnings), frozenset(refused), by_partials)


def _checks(solution: Solution, syntax: Syntax, traced: Trace, varied: Sequence[Varied]) -> Checks:
    """Checks in the constructors of models that cannot follow an argument; one without a place is left out, and
    validation refuses the output.
    """
    broken = [(varied[run - 1].entry, varied[run - 1].variation) for run in sorted(solution.fixed) if run]
    return fixes(syntax, traced.models, broken, traced.has_terms) or Checks()


def _unanswered(solution: Solution, syntax: Syntax, traces: Sequence[Trace]) -> Iterator[Diagnostic]:
    """What found no answer, each place once."""
    seen: set[Place | None] = set()
    for _, finding in solution.problems:
        if finding.place not in seen:
            seen.add(finding.place)
            yield finding
    reached = {layer.site for trace in traces for layer in trace.layers if layer.sizes}
    for layer in (layer for trace in traces for layer in trace.layers):
        if layer.site.path == syntax.path and layer.site not in reached | seen:
            seen.add(layer.site)
            yield _never_reached(layer)
    for layer in traces[0].layers:
        outer = next((frame.call for frame in layer.frames if frame.call.path == syntax.path), None)
        if layer.site.path != syntax.path and outer is not None and outer not in seen:
            seen.add(outer)
            file = layer.site.path.rpartition("/")[2]
            yield made_elsewhere(f"a {layer.kind}", file, outer, Note("it is made here", layer.site))
    for parameter in solution.parameters:
        for call in unvisited_calls(syntax, traces, parameter):
            yield Diagnostic(
                "LZ305",
                f"this call now needs {parameter.name}, but it never runs with these inputs, so the size is not known",
                syntax.place(call),
                helps=("choose an entry or inputs that reach it, or write the size into the source",),
            )


def _like_its_twin(reference: Reference, solution: Solution, syntax: Syntax) -> list[Edit] | None:
    """The size of the call in the other branch, for a call that no run took."""
    assert reference.call is not None
    plain = [(demand, form) for demand, form in solution.forms if form.ride is None and form.carry is None]
    texts = {(demand.call, demand.name): form.text for demand, form in plain}
    text = twin_text(syntax, reference.call, reference.kind, texts)
    if text is None:
        return None
    new = NewArgument(missing_argument(reference.kind), text)
    return [AddArguments(syntax.span(reference.call), (new, *planning.defaults(reference.kind, reference.call)))]


def _unchecked(reference: Reference, place: Place) -> Diagnostic:
    return Diagnostic(
        "LZ214",
        f"this {reference.kind} is in a branch that no run took: it gets the size of its twin, unchecked",
        place,
        severity="note",
    )


def _never_reached(layer: LazyLayer) -> Diagnostic:
    notes = () if layer.names else (Note("no module holds it: a plain list or dict registers no layers"),)
    return Diagnostic(
        "LZ212",
        "this lazy layer is never reached, so its size is not known",
        layer.site,
        notes,
        helps=("call it in forward, give other inputs, or convert the rest with --partial",),
    )


def _never_ran(reference: Reference, place: Place) -> Diagnostic:
    return Diagnostic(
        "LZ213",
        f"this {reference.kind} is never built with these inputs, so its size is not known",
        place,
        helps=("choose an entry or inputs that reach it, or convert the rest with --partial",),
    )
