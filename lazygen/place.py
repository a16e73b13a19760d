"""Places the explicit code as the flags say: emits, traces what came of it, and mends what stayed behind.

What the source does where all is made on the flag's device, and in its dtype, is what the output has to do by itself.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from lazygen.diagnostics import Diagnostic, Note, Place, Refused
from lazygen.frontend.parse import parse
from lazygen.lift.placement import flags, wrapping
from lazygen.lift.placement.convention import Where, moving
from lazygen.lift.placement.flags import Placed
from lazygen.lift.plan import Plan, ReplaceExpression
from lazygen.lift.syntax import Syntax
from lazygen.settings import Placement
from lazygen.trace.collect import statements_for, trace_instead
from lazygen.trace.model import ModelTrace, Trace
from lazygen.trace.request import Request
from lazygen.trace.run import start
from lazygen.trace.variations import Varied
from lazygen.validate import compare
from lazygen.values import replace

Emit = Callable[[str, Plan], str]

# A place that no model is in by chance, to see whether its arguments take it there.
ELSEWHERE = ("cuda:1", "float64")


def placed(code: str, source: Request, traced: Trace, emit: Emit) -> str:
    """The code, placed as the settings say; `traced` is the source on its device.  Raises Refused."""
    placement = source.settings.placement
    if placement.argument:
        return _by_argument(code, source, emit)
    if not placement.is_somewhere:
        return code
    text = _emitted(code, flags.on_device(_syntax(code, source), placement), emit)
    for is_last in (False, True):
        left = list(_left_behind(text, source, traced))
        if not left:
            return text
        calls = {place: state for state, place in left if place is not None}
        if is_last or len(calls) < len({id(place) for _, place in left}):
            raise Refused(*(_stays(name, place, source) for name, place in left[:1]))
        text = _moved(text, list(calls), source, placement, emit)
    return text


def in_parallel(code: str, source: Request, emit: Emit) -> str:
    """The code with its models in `nn.DataParallel`.  Raises Refused."""
    syntax = _syntax(code, source)
    return _emitted(code, wrapping.in_parallel(syntax, source.entries, source.settings.placement), emit)


def of_wrapped(trace: Trace) -> Trace:
    """A trace of models as `nn.DataParallel` has them: their parameters are those of its `module`."""
    models = tuple(
        replace(model, state=tuple(replace(item, name=f"module.{item.name}") for item in model.state))
        for model in trace.models
    )
    return replace(trace, models=models)


def varied_wrapped(varied: Sequence[Varied]) -> list[Varied]:
    """The same for traces with other arguments."""
    return [replace(other, trace=of_wrapped(other.trace)) for other in varied]


# Arguments


def _by_argument(code: str, source: Request, emit: Emit) -> str:
    """The first text whose models are elsewhere if their arguments say so, and do there what the source does there."""
    elsewhere = start(replace(source, default=ELSEWHERE), quiet=True).result()
    if elsewhere.failed:
        raise Refused(*elsewhere.diagnostics)
    first: tuple[Diagnostic, ...] = ()
    for with_dtypes in (True, False):
        text = _emitted(code, flags.by_argument(_syntax(code, source), with_dtypes=with_dtypes), emit)
        statements = statements_for(ast.parse(text), source.entries, source.extra)
        request = replace(source, text=text, statements=statements, default=ELSEWHERE, by_argument=True)
        found = compare(_with_maker(elsewhere), start(request, quiet=True).result(), None)
        if not found:
            return text
        difference = found[0]
        what = f"{difference.name} {difference.source}" if difference.name else f"the model {difference.source}"
        note = Note(f'with device="cuda:1", dtype=torch.float64 {what}, but here it {difference.output}')
        message = f"{difference.entry} cannot be placed by arguments: something in it stays where it is"
        help_ = "give what is made there a device and a dtype of its own arguments"
        first = first or (Diagnostic("LZ523", message, Place(source.shown, 1, 0, 1, 0), (note,), (help_,)),)
    raise Refused(*first)


def _with_maker(trace: Trace) -> Trace:
    """The trace without models that the module holds ready, for which no argument says a device."""
    return replace(trace, models=tuple(model for model in trace.models if model.maker))


# What stays behind


def _left_behind(text: str, source: Request, traced: Trace) -> Iterator[tuple[str, Place | None]]:
    """The parameters that are not where they should be, each with the call in the text that made its module."""
    request = replace(source, default=("", ""), made=True)
    _, seen = trace_instead(request, text, parse(text, source.shown), source.settings)
    if seen.failed:
        raise Refused(*seen.diagnostics)
    models = {model.entry: model for model in seen.models}
    for model in traced.models:
        other = models.get(model.entry)
        there = {item.name: item for item in other.state} if other is not None else {}
        for item in model.state:
            found = there.get(item.name)
            if found is not None and other is not None and (found.device, found.dtype) != (item.device, item.dtype):
                yield item.name, _maker_of(item.name, other, source.shown)


def _maker_of(name: str, model: ModelTrace, path: str) -> Place | None:
    """The call in the file that made the innermost module around a parameter that one made."""
    made = dict(model.made)
    while name:
        name = name.rpartition(".")[0]
        place = made.get(name)
        if place is not None and place.path == path and name:
            return place
    return None


def _moved(text: str, places: Sequence[Place], source: Request, placement: Placement, emit: Emit) -> str:
    syntax = _syntax(text, source)
    device = f'"{placement.device}"' if placement.device else None
    where = Where(device, f"torch.{placement.dtype}" if placement.dtype else None)
    calls = [syntax.calls[place] for place in places if place in syntax.calls]
    edits = [ReplaceExpression(syntax.span(call), f"{syntax.segment(call)}{moving(where)}") for call in calls]
    return emit(text, Plan(tuple(edits)))


def _stays(name: str, place: Place | None, source: Request) -> Diagnostic:
    placement = source.settings.placement
    where = " in ".join(filter(None, (placement.device, placement.dtype)))
    return Diagnostic(
        "LZ521",
        f"{name} does not come to {where}: the source says another place for it, or nothing here takes one",
        place or Place(source.shown, 1, 0, 1, 0),
        helps=("leave the device and the dtype in the source to the caller, or give them there",),
    )


def _syntax(code: str, source: Request) -> Syntax:
    return Syntax(parse(code, source.shown), code, source.shown)


def _emitted(code: str, found: Placed, emit: Emit) -> str:
    if found.problems:
        raise Refused(*found.problems)
    return emit(code, Plan(found.edits))
