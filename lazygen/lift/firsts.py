"""Calls in a loop of a function whose first size only the function's callers know: it becomes a parameter, the others
follow from it.

    def stage(width, depth):                     def stage(in_channels, width, depth):
        for i in range(depth):             ->        for i in range(depth):
            add(nn.LazyConv2d(width, 3))                 add(nn.Conv2d(in_channels if i == 0 else width, width, 3))
"""

from __future__ import annotations

from lazygen.lift.demands import Demand, Occurrence
from lazygen.lift.forms import Form, Forms
from lazygen.lift.parameters import Parameter
from lazygen.lift.terms import Said, Unsaid
from lazygen.symbolic.atoms import Symbol
from lazygen.symbolic.expr import Expr, add, of_atom
from lazygen.trace.model import Reachable
from lazygen.values import replace

PARAMETER = "lz_parameter__"  # stands in a form's text for a parameter that gets its name later
_SERIAL = 1 << 50


def split(forms: Forms, demand: Demand) -> tuple[Demand, Form] | None:
    """The demand of the first executions in each run of the function, and a form for all over a parameter that is
    these; None without one.
    """
    firsts: dict[tuple[int, int], Occurrence] = {}
    told: list[Occurrence] = []
    symbols: dict[int, Symbol] = {}
    for occurrence in demand.occurrences:
        first = firsts.setdefault((occurrence.run, occurrence.frame.token), occurrence)
        told.append(_told(forms, occurrence, first, symbols))
    form = next((form for form in forms.of(told) if PARAMETER in _texts(form)), None)
    if form is None:
        return None
    return Demand(demand.call, demand.name, demand.index, tuple(firsts.values())), form


def following(forms: Forms, demand: Demand, parameter: Parameter) -> Form | None:
    """A form for a demand over a parameter that its function gets for another one: `in_channels + depth * growth`."""
    told = []
    symbols: dict[int, Symbol] = {}
    for occurrence in demand.occurrences:
        first = parameter.values.get((occurrence.run, occurrence.frame.token))
        if first is None:
            return None
        told.append(_told(forms, occurrence, first, symbols))
    return next((form for form in forms.of(told) if PARAMETER in _texts(form)), None)


def _told(forms: Forms, occurrence: Occurrence, first: Occurrence, symbols: dict[int, Symbol]) -> Occurrence:
    """The execution, in a frame that has the parameter already, with what its size is more than that."""
    frame = occurrence.frame
    symbol = symbols.setdefault(
        id(first), Symbol(_SERIAL, "parameter", PARAMETER, first.size.value, frame.token, first.size)
    )
    known = replace(
        frame,
        reachable=(*frame.reachable, Reachable(PARAMETER, of_atom(symbol))),
        values=(*frame.values, (PARAMETER, first.size.value)),
    )
    size = of_atom(symbol) if occurrence is first else occurrence.size
    if occurrence is not first and (isinstance(forms.say(occurrence), Unsaid) or _is_part(forms, first, size)):
        size = add(add(size, first.size, -1), of_atom(symbol))
    return Occurrence((known, *occurrence.frames[1:]), size, occurrence.run, occurrence.layer)


def _is_part(forms: Forms, first: Occurrence, size: Expr) -> bool:
    """Whether the first size, which is only a number here, is in another."""
    said = forms.say(first)
    is_number = isinstance(said, Said) and said.expr.constant is not None
    return is_number and bool(set(first.size.atoms()) & set(size.atoms()))


def _texts(form: Form) -> str:
    carried = "" if form.carry is None else f"{form.carry.start} {form.carry.then}"
    return f"{form.text} {carried} {'' if form.ride is None else form.ride.values}"


def with_parameter(form: Form, name: str) -> Form:
    """The form with the name that the parameter got."""
    ride = form.ride and replace(form.ride, values=form.ride.values.replace(PARAMETER, name))
    carry = form.carry and replace(
        form.carry, start=form.carry.start.replace(PARAMETER, name), then=form.carry.then.replace(PARAMETER, name)
    )
    return Form(form.text.replace(PARAMETER, name), ride, carry)
