"""A demand is a call that lacks an argument, with every execution of it and the size that each needs.

Lazy layers make the first demands.  Where a scope cannot say a size, its function gets a parameter, and each call of
it is a demand in turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lazygen.diagnostics import Place
from lazygen.symbolic.expr import Expr
from lazygen.trace.model import Frame, LazyLayer, Trace
from lazygen.values import value


@value
class Occurrence:
    """One execution of a call: `frames[0]` is at the call, `run` numbers the trace, the first being that of the given
    inputs.
    """

    frames: tuple[Frame, ...]
    size: Expr
    run: int
    layer: LazyLayer

    @property
    def frame(self) -> Frame:
        """The frame that is at the call."""
        return self.frames[0]


@value
class Demand:
    """The argument `name`, parameter number `index` of what is called, that the call at `call` lacks."""

    call: Place
    name: str
    index: int | None
    occurrences: tuple[Occurrence, ...]

    @property
    def layer(self) -> LazyLayer:
        """A layer that the size is for."""
        return self.occurrences[0].layer

    @property
    def scope(self) -> Place:
        """The text of the function that the call stands in."""
        return self.occurrences[0].frame.scope

    @property
    def base(self) -> tuple[Occurrence, ...]:
        """The executions of the first run that has any: those of the given inputs, if they reach the call."""
        first = min(occurrence.run for occurrence in self.occurrences)
        return tuple(occurrence for occurrence in self.occurrences if occurrence.run == first)


def of_layers(traces: Sequence[Trace], path: str) -> list[Demand]:
    """The demands of the lazy layers of a file, in the order of the text."""
    found: dict[tuple[Place, str], list[Occurrence]] = {}
    for run, trace in enumerate(traces):
        for layer in trace.layers:
            if layer.site.path == path:
                for name, size in layer.sizes:
                    found.setdefault((layer.site, name), []).append(Occurrence(layer.frames, size, run, layer))
    return ordered(
        Demand(place, name, index_of(made[0].layer, name), tuple(made)) for (place, name), made in found.items()
    )


def index_of(layer: LazyLayer, name: str) -> int | None:
    """Where the plain class has the parameter; None for a `partial` with positional arguments, which takes it as a
    keyword.
    """
    return None if layer.how == "partial" and layer.given else layer.place + layer.wanted.index(name)


def ordered(demands: Iterable[Demand]) -> list[Demand]:
    """Demands in the order of the text."""
    return sorted(demands, key=lambda demand: (demand.call.line, demand.call.column, demand.index or 0))
