"""Methods that one call reaches in turn, since they override each other: they take the same new arguments.

def build(self, width):                            def build(self, in_features, width):
    return nn.LazyLinear(width)                        return nn.Linear(in_features, width)
def build(self, width):  # of a subclass     ->    def build(self, in_features, width):
    return nn.Identity()                               return nn.Identity()
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lazygen.diagnostics import Place
from lazygen.lift.demands import Demand
from lazygen.lift.parameters import Parameter
from lazygen.lift.syntax import Syntax
from lazygen.trace.model import Trace


def aligned(
    parameters: Sequence[Parameter],
    asked: Mapping[tuple[Place, str], Parameter],
    syntax: Syntax,
    traces: Sequence[Trace],
) -> tuple[list[Parameter], list[Demand]]:
    """The parameters with those that overriding functions take along unused, and the demands that this cannot give:
    functions that one call reaches would take different arguments, or others call them without.
    """
    made = list(parameters)
    wrong: list[Demand] = []
    calls: dict[int, set[Place]] = {}
    for (call, _), parameter in asked.items():
        calls.setdefault(id(parameter), set()).add(call)
    for parameter in parameters:
        own = calls.get(id(parameter), set())
        for scope in _others(parameter, own, syntax, traces):
            if parameter.name in {known.name for known in made if known.scope == scope}:
                continue
            if _callers(scope, traces) - own or any(known.scope == scope for known in made):
                wrong += parameter.demands
            else:
                made.append(
                    Parameter(
                        scope, [], {}, parameter.name, optional=parameter.optional, keyword_only=parameter.keyword_only
                    )
                )
    for parameter in parameters:
        for scope in _others(parameter, calls.get(id(parameter), set()), syntax, traces):
            if _signature(parameter.scope, made) != _signature(scope, made):
                wrong += parameter.demands
    return made, wrong


def _signature(scope: Place, parameters: Sequence[Parameter]) -> list[tuple[str, bool]]:
    return [(known.name, known.keyword_only) for known in parameters if known.scope == scope]


def _others(parameter: Parameter, calls: set[Place], syntax: Syntax, traces: Sequence[Trace]) -> Iterator[Place]:
    """The other functions of the file that the calls reach, without those that hand the argument on."""
    reached = {inner for trace in traces for inner, call in trace.entered if call in calls}
    others = (reached & syntax.functions.keys()) - {parameter.scope} - parameter.handed
    yield from sorted(others, key=lambda place: place.line)


def _callers(scope: Place, traces: Sequence[Trace]) -> set[Place]:
    return {call for trace in traces for inner, call in trace.entered if inner == scope}
