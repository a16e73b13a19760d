"""From a solution to the edits of a plan."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.diagnostics import Place
from lazygen.lift import carrying, gathering
from lazygen.lift.carrying import VARIABLE, Carry
from lazygen.lift.copies import Copies, stands_for_a_class
from lazygen.lift.dataclass_fields import new_field
from lazygen.lift.demands import Demand
from lazygen.lift.forms import Form
from lazygen.lift.handing import places_before
from lazygen.lift.parameters import free_name
from lazygen.lift.plan import AddArguments, AddParameter, Edit, NewArgument, ReplaceExpression
from lazygen.lift.solve import Solution
from lazygen.lift.specialise import Partials, reference
from lazygen.lift.standard_imports import Imports
from lazygen.lift.syntax import Syntax
from lazygen.lift.torchx import joined
from lazygen.values import replace

# Arguments whose defaults differ between the lazy class and the plain one, with their places in the lazy signature.
_DIFFERING = {"affine": 2, "track_running_stats": 3}


def edits_of(solution: Solution, syntax: Syntax) -> Iterator[Edit]:
    """The edits that carry a solution out, but for the names of the classes."""
    riders = _riders(solution, syntax)
    by_call: dict[Place, list[NewArgument]] = {}
    for demand, form in solution.forms:
        text = form.text.replace(VARIABLE, riders.get((demand.call, demand.name), ""))
        by_call.setdefault(demand.call, []).append(NewArgument(demand.name, text, demand.index))
    imports = Imports(syntax)
    partials, copies = Partials(syntax, imports), Copies(syntax)
    for demand, _ in solution.forms:
        arguments = by_call.pop(demand.call, None)
        referred = reference(syntax, demand)
        if arguments is not None and referred is not None:
            new, flags = list(joined(arguments)), list(_flags(demand))
            if solution.as_classes and stands_for_a_class(syntax, demand):
                yield copies.edit(referred, [*new, *flags], demand.layer.plain if _is_layer(demand) else None)
            else:
                yield partials.edit(referred, [*new, *flags])
        elif arguments is not None:
            call = syntax.calls[demand.call]
            ordered = sorted(arguments, key=lambda argument: 1 << 30 if argument.index is None else argument.index)
            yield AddArguments(syntax.span(call), (*joined(ordered), *_defaults(demand, call)))
    for mapped, demand, form in solution.mapped:
        yield AddArguments(syntax.span(mapped), (NewArgument("", form.text, 1 + (demand.index or 0)),))
    indices: dict[Place, int] = {}
    for parameter in solution.parameters:
        if parameter.prefix:
            yield from new_field(
                syntax,
                parameter.scope,
                parameter.name,
                imports,
                by_keyword=parameter.keyword_only,
                optional=parameter.optional,
            )
            continue
        function = syntax.span(syntax.functions[parameter.scope])
        if parameter.keyword_only:
            default = "None" if parameter.optional else None
            yield AddParameter(function, parameter.name, default=default, keyword_only=True)
            continue
        index = indices.get(parameter.scope, 0)
        indices[parameter.scope] = index + 1
        index += places_before(syntax.functions[parameter.scope], parameter.scope in syntax.class_of)
        if parameter.many:
            doc = f"the {parameter.demands[0].layer.wanted[0]} of each layer, in order"
            yield AddParameter(function, parameter.name, index, doc=doc, kind="tuple[int, ...]")
        else:
            yield AddParameter(function, parameter.name, index)
    yield from _loops(solution, syntax, riders)
    yield from (*imports.edits(), *copies.classes())
    carried: dict[object, tuple[str, list[Carry]]] = {}
    for demand, form in solution.forms:
        if form.carry is not None:
            carried.setdefault(form.carry.way, (riders[demand.call, demand.name], []))[1].append(form.carry)
    for name, uses in carried.values():
        yield from carrying.edits(name, uses, syntax)


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


def _flags(demand: Demand) -> Iterator[NewArgument]:
    """What the plain class would otherwise default to something else, where it is referred to and not called."""
    if _is_layer(demand):
        yield from (NewArgument(name, "True", None) for name, value in demand.layer.flags if value)


def _is_layer(demand: Demand) -> bool:
    """Whether what a demand is about makes its layer and nothing else."""
    return demand.occurrences[0].frame.call == demand.layer.site


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
    named: dict[object, str] = {}
    loops: dict[str, list[Place]] = {}
    for demand, form in solution.forms:
        if form.ride is None and form.carry is None:
            continue
        way = form.ride if form.carry is None else form.carry.way
        loop = form.ride.loop if form.ride is not None else _extent(form.carry, solution, syntax)  # type: ignore[arg-type]
        if way not in named and form.carry is not None and _is_parameter(form.carry, solution, demand):
            named[way] = form.carry.start
        if way not in named:
            taken = _names_in(syntax.functions.get(demand.scope, syntax.tree), solution, demand.scope)
            taken |= {name for name, others in loops.items() if any(_meet(other, loop) for other in others)}
            named[way] = free_name(_wanted(demand, form, solution), taken)
        loops.setdefault(named[way], []).append(loop)
        found[demand.call, demand.name] = named[way]
    return found


def _names_in(function: ast.AST, solution: Solution, scope: Place) -> set[str]:
    """The names that a function speaks of, and those of its new parameters."""
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    names |= {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    return names | {parameter.name for parameter in solution.parameters if parameter.scope == scope}


def _extent(carry: Carry, solution: Solution, syntax: Syntax) -> Place:
    """Where a variable is in use: from its loop to the last call that it fills, which may stand behind the loop."""
    loop = syntax.place(carry.loop)
    calls = [d.call for d, f in solution.forms if f.carry is not None and f.carry.way == carry.way]
    last = max([loop, *calls], key=lambda place: (place.end_line, place.end_column))
    return replace(loop, end_line=last.end_line, end_column=last.end_column)


def _wanted(demand: Demand, form: Form, solution: Solution) -> str:
    """The name of what a variable fills: `in_channels` before `num_features` if it fills both."""
    if form.carry is None or not form.carry.running:
        return demand.name
    names = [other.name for other, its in solution.forms if its.carry is not None and its.carry.way == form.carry.way]
    return next((name for name in names if name.startswith("in_")), demand.name)


def _is_parameter(carry: Carry, solution: Solution, demand: Demand) -> bool:
    """Whether a variable can be the new parameter that it starts with: nothing behind its loop needs that again."""
    return any(
        parameter.scope == demand.scope and parameter.name == carry.start
        for parameter in solution.parameters
        if all(other.call == demand.call or other.call.line < carry.loop.lineno for other in parameter.demands)
    )


def _meet(left: Place, right: Place) -> bool:
    """Whether two loops are one, or one stands in the other."""
    starts, ends = [(p.line, p.column) for p in (left, right)], [(p.end_line, p.end_column) for p in (left, right)]
    return max(starts) < min(ends)


def _loops(solution: Solution, syntax: Syntax, riders: dict[tuple[Place, str], str]) -> Iterator[Edit]:
    """`for x in xs` becomes `for in_channels, x in zip(SIZES, xs, strict=True)`."""
    by_loop: dict[tuple[Place, int], dict[str, str]] = {}
    for demand, form in solution.forms:
        if form.ride is not None:
            name = riders[demand.call, demand.name]
            by_loop.setdefault((form.ride.loop, form.ride.generator), {})[name] = form.ride.values
    for (place, number), sequences in by_loop.items():
        if number < 0:
            scope = next(demand.scope for demand, form in solution.forms if form.ride and form.ride.loop == place)
            names = _names_in(syntax.functions.get(scope, syntax.tree), solution, scope)
            yield from gathering.edits(syntax, place, sequences, gathering.name_of(syntax, place, names | {*sequences}))
            continue
        loop = syntax.generators(place)[number]
        targets, iterables, strict = _zipped(loop, syntax)
        target = ", ".join([*sequences, *targets])
        iterable = f"zip({', '.join([*sequences.values(), *iterables])}, {strict})"
        yield ReplaceExpression(syntax.span(loop.target), target)
        yield ReplaceExpression(syntax.span(loop.iter), iterable)


def _zipped(loop: ast.For | ast.comprehension, syntax: Syntax) -> tuple[list[str], list[str], str]:
    """The targets and iterables of a loop that may go over a `zip` already, and its `strict`."""
    call, target = loop.iter, loop.target
    is_zip = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "zip"
    if is_zip and isinstance(call, ast.Call) and isinstance(target, ast.Tuple) and len(call.args) == len(target.elts):
        given = [f"strict={ast.unparse(k.value)}" for k in call.keywords if k.arg == "strict"]
        if not any(isinstance(argument, ast.Starred) for argument in call.args):
            targets, iterables = ([syntax.segment(part) for part in parts] for parts in (target.elts, call.args))
            return targets, iterables, (given or ["strict=False"])[0]
    text = syntax.segment(target)
    text = f"({text})" if isinstance(target, ast.Tuple) and not text.startswith("(") else text
    return [text], [syntax.segment(call)], "strict=True"


def remarks(solution: Solution, path: str) -> Iterator[str]:
    """A line for each site: where its size was found, or how it was lifted."""
    for demand, form in solution.forms:
        layer = demand.layer
        what = layer.plain if demand.call == layer.site else "call"
        yield f"{path}:{demand.call.line}: {what} {demand.name}={_said(form)}"
        if demand.call == layer.site:
            yield from _ranges(demand, path)
    for call, demand, form in solution.mapped:
        yield f"{path}:{call.lineno}: map {demand.name}={form.text}"
    for parameter in solution.parameters:
        yield f"{path}:{parameter.scope.line}: new parameter {parameter.name}"


def _ranges(demand: Demand, path: str) -> Iterator[str]:
    """For which inputs the sizes of a layer hold, where floor divisions leave a choice."""
    for size in dict.fromkeys(occurrence.size for occurrence in demand.base):
        if size.constant is None and size.symbol is None:
            from lazygen.symbolic.ranges import range_of

            held = range_of(size)
            if held is not None:
                yield f"{path}:{demand.call.line}: {demand.name} {size.value}: {held}"


def _said(form: Form) -> str:
    if form.carry is not None:
        return f"carried along: {form.carry.start}, then {form.carry.then}"
    return form.text if form.ride is None else f"in step with the loop: {form.ride.values}"
