"""Parameters that functions get for sizes that only their callers know: which sizes share one, what they are called,
and the calls to fill.

    class Block(nn.Module):                                      class Block(nn.Module):
        def __init__(self, channels):                                def __init__(self, in_channels, channels):
            self.conv = nn.LazyConv2d(channels, 3)          ->           self.conv = nn.Conv2d(in_channels, channels, 3)
    Block(16), Block(32)                                         Block(3, 16), Block(16, 32)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set

from lazygen.diagnostics import Place
from lazygen.lift.dataclass_fields import members
from lazygen.lift.demands import Demand, Occurrence
from lazygen.lift.handing import Way, explicit_self, outward
from lazygen.lift.syntax import Function, Syntax
from lazygen.symbolic.atoms import Atom, Symbol
from lazygen.symbolic.expr import Expr, of_atom, substitute
from lazygen.values import field, record

Run = tuple[int, int]  # the number of the trace, the token of the frame


@record
class Parameter:
    """A new parameter of the function at `scope`: the demands in it that it fills, and what it is in every run."""

    scope: Place
    demands: list[Demand]
    values: dict[Run, Occurrence]
    name: str = ""
    prefix: str = ""  # `self.` for a field of a dataclass
    optional: bool = False  # some calls do without: its default is None
    many: bool = False  # it is a sequence of sizes
    keyword_only: bool = False  # a call cannot put it first: a partial with positional arguments
    handed: set[Place] = field(default_factory=set)  # functions that hand it on as it is, and their calls


def share(demands: Sequence[Demand]) -> list[Parameter] | Demand:
    """One parameter for all demands of a function whose sizes are equal as expressions, in the order of the sites.

    A demand is given back if it needs several sizes in one run of the function, which no parameter can be.
    """
    made: list[Parameter] = []
    for demand in demands:
        values = _values(demand)
        if values is None:
            return demand
        for parameter in made:
            common = parameter.values.keys() & values.keys()
            if common and all(rooted(parameter.values[run].size) == rooted(values[run].size) for run in common):
                parameter.demands.append(demand)
                parameter.values.update({run: o for run, o in values.items() if run not in parameter.values})
                break
        else:
            made.append(Parameter(demand.scope, [demand], values))
    return made


def _values(demand: Demand) -> dict[Run, Occurrence] | None:
    found: dict[Run, Occurrence] = {}
    for occurrence in demand.occurrences:
        run = (occurrence.run, occurrence.frame.token)
        known = found.setdefault(run, occurrence)
        if rooted(known.size) != rooted(occurrence.size):
            return None
    return found


def rooted(size: Expr) -> Expr:
    """The size over the symbols it hangs on in the end: names that stand for other sizes are replaced by these."""

    def change(atom: Atom) -> Expr | None:
        if isinstance(atom, Symbol) and atom.definition is not None and atom.definition.constant is None:
            return rooted(atom.definition)
        return of_atom(atom) if isinstance(atom, Symbol) else None

    return substitute(size, change)


def name(parameters: Sequence[Parameter], function: Function, syntax: Syntax, others: Set[str]) -> None:
    """Give the parameters their names: what they fill, `merge_in_channels` for a second one, a number where that is
    taken, by one of the `others` too.
    """
    taken = set(others) | {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    taken |= {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    taken |= members(syntax, function) if function.name == "__post_init__" else set()
    used: set[str] = set()
    for parameter in parameters:
        first = parameter.demands[0]
        wanted = first.name
        if wanted in used:
            attribute = syntax.attribute_of(first.call)
            wanted = f"{attribute}_{wanted}" if attribute else wanted
        parameter.name = free_name(wanted, taken | used)
        used.add(parameter.name)


def free_name(wanted: str, taken: set[str]) -> str:
    """The name, with a number if it is taken."""
    found, number = wanted, 2
    while found in taken:
        found, number = f"{wanted}_{number}", number + 1
    return found


def demands_of_callers(
    parameter: Parameter, index: int, syntax: Syntax, *, by_keyword: bool = False
) -> list[Demand] | Occurrence:
    """The calls of the function, each lacking the new argument, at its index or `by_keyword`; an execution that no call
    of the file made is given back.
    """
    found: dict[Place, list[Occurrence]] = {}
    places: dict[Place, set[int | None]] = {}
    for occurrence, way in _ways(parameter, None if by_keyword else index, syntax):
        if not way.frames or way.frames[0].call.path != parameter.scope.path:
            return occurrence
        call = way.frames[0].call
        parameter.handed |= {place for frame in way.passed for place in (frame.scope, frame.call)}
        found.setdefault(call, []).append(Occurrence(way.frames, occurrence.size, occurrence.run, occurrence.layer))
        place = None if way.index is None else way.index + explicit_self(way.frames[0])
        places.setdefault(call, set()).add(place)
    calls = [o.frame for made in found.values() for o in made]
    parameter.keyword_only = by_keyword or any(frame.how == "partial" and frame.given for frame in calls)
    return [
        Demand(
            call,
            parameter.name,
            places[call].pop() if len(places[call]) == 1 and not parameter.keyword_only else None,
            tuple(made),
        )
        for call, made in found.items()
    ]


def _ways(parameter: Parameter, index: int | None, syntax: Syntax) -> list[tuple[Occurrence, Way]]:
    """The way of every execution to the call that has to give the argument; a function that needs several sizes in one
    run does not hand a single one on.
    """
    found = [(o, outward(o.frames[1:], index, syntax)) for o in parameter.values.values()]
    sizes: dict[Run, Expr] = {}
    for occurrence, way in found:
        size = rooted(occurrence.size)
        for frame in way.passed:
            if sizes.setdefault((occurrence.run, frame.token), size) != size:
                return [(o, Way(o.frames[1:], index)) for o in parameter.values.values()]
    return found
