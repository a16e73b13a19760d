"""From a solution to the edits of a plan."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.diagnostics import Place
from lazygen.lift.demands import Demand
from lazygen.lift.forms import Form, Ride
from lazygen.lift.parameters import free_name
from lazygen.lift.plan import AddArguments, AddParameter, Edit, NewArgument, ReplaceExpression
from lazygen.lift.solve import Solution
from lazygen.lift.syntax import Syntax

# Arguments whose defaults differ between the lazy class and the plain one, with their places in the lazy signature.
_DIFFERING = {"affine": 2, "track_running_stats": 3}


def edits_of(solution: Solution, syntax: Syntax) -> Iterator[Edit]:
    """The edits that carry a solution out, but for the names of the classes."""
    riders = _riders(solution, syntax)
    by_call: dict[Place, list[NewArgument]] = {}
    for demand, form in solution.forms:
        text = form.text if form.ride is None else riders[demand.call, demand.name]
        by_call.setdefault(demand.call, []).append(NewArgument(demand.name, text, demand.index))
    for demand, _ in solution.forms:
        arguments = by_call.pop(demand.call, None)
        if arguments is not None:
            call = syntax.calls[demand.call]
            ordered = sorted(arguments, key=lambda argument: 1 << 30 if argument.index is None else argument.index)
            yield AddArguments(syntax.span(call), (*ordered, *_defaults(demand, call)))
    indices: dict[Place, int] = {}
    for parameter in solution.parameters:
        function = syntax.span(syntax.functions[parameter.scope])
        if parameter.keyword_only:
            yield AddParameter(function, parameter.name, keyword_only=True)
            continue
        index = indices.get(parameter.scope, 0)
        indices[parameter.scope] = index + 1
        yield AddParameter(function, parameter.name, index)
    yield from _loops(solution, syntax, riders)


def _defaults(demand: Demand, call: ast.Call) -> Iterator[NewArgument]:
    """What the plain class would otherwise default to something else."""
    layer = demand.layer
    if demand.call != layer.site:
        return
    given = {keyword.arg for keyword in call.keywords}
    positional = len(call.args) + (layer.given if layer.how == "partial" else 0)
    for name, value in layer.flags:
        if value and name not in given and positional <= _DIFFERING[name]:
            yield NewArgument(name, "True", None)


def defaults(kind: str, call: ast.Call) -> Iterator[NewArgument]:
    """What a plain class would default to something else, for a call that never ran."""
    if kind.startswith("LazyInstanceNorm"):
        given = {keyword.arg for keyword in call.keywords}
        for name, place in _DIFFERING.items():
            if name not in given and len(call.args) <= place:
                yield NewArgument(name, "True", None)


def _riders(solution: Solution, syntax: Syntax) -> dict[tuple[Place, str], str]:
    """The variable of each ride: one for equal sequences beside one loop, named after what it fills."""
    found: dict[tuple[Place, str], str] = {}
    shared: dict[Ride, str] = {}
    for demand, form in solution.forms:
        if form.ride is None:
            continue
        if form.ride not in shared:
            scope = syntax.functions.get(demand.scope, syntax.tree)
            taken = {node.id for node in ast.walk(scope) if isinstance(node, ast.Name)} | set(shared.values())
            taken |= {node.arg for node in ast.walk(scope) if isinstance(node, ast.arg)}
            taken |= {parameter.name for parameter in solution.parameters if parameter.scope == demand.scope}
            shared[form.ride] = free_name(demand.name, taken)
        found[demand.call, demand.name] = shared[form.ride]
    return found


def _loops(solution: Solution, syntax: Syntax, riders: dict[tuple[Place, str], str]) -> Iterator[Edit]:
    """`for x in xs` becomes `for in_channels, x in zip(SIZES, xs, strict=True)`."""
    by_loop: dict[tuple[Place, int], dict[str, str]] = {}
    for demand, form in solution.forms:
        if form.ride is not None:
            name = riders[demand.call, demand.name]
            by_loop.setdefault((form.ride.loop, form.ride.generator), {})[name] = form.ride.values
    for (place, number), sequences in by_loop.items():
        loop = syntax.generators(place)[number]
        targets, iterables, strict = _zipped(loop)
        target = ", ".join([*sequences, *targets])
        iterable = f"zip({', '.join([*sequences.values(), *iterables])}, {strict})"
        yield ReplaceExpression(syntax.span(loop.target), target)
        yield ReplaceExpression(syntax.span(loop.iter), iterable)


def _zipped(loop: ast.For | ast.comprehension) -> tuple[list[str], list[str], str]:
    """The targets and iterables of a loop that may go over a `zip` already, and its `strict`."""
    call = loop.iter
    strict = "strict=True"
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "zip" and isinstance(loop.target, ast.Tuple):
        if not any(isinstance(a, ast.Starred) for a in call.args) and len(call.args) == len(loop.target.elts):
            given = [f"strict={ast.unparse(k.value)}" for k in call.keywords if k.arg == "strict"]
            return [ast.unparse(e) for e in loop.target.elts], [ast.unparse(a) for a in call.args], (given or ["strict=False"])[0]
    target = ast.unparse(loop.target)
    return [f"({target})" if isinstance(loop.target, ast.Tuple) and not target.startswith("(") else target], [ast.unparse(call)], strict


def remarks(solution: Solution, path: str) -> Iterator[str]:
    """A line for each site: where its size was found, or how it was lifted."""
    for demand, form in solution.forms:
        layer = demand.layer
        what = layer.plain if demand.call == layer.site else "call"
        yield f"{path}:{demand.call.line}: {what} {demand.name}={_said(form)}"
    for parameter in solution.parameters:
        yield f"{path}:{parameter.scope.line}: new parameter {parameter.name}"


def _said(form: Form) -> str:
    return form.text if form.ride is None else f"in step with the loop: {form.ride.values}"
