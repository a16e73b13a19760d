"""Sizes move outward until something knows them: from the site to its loops, to the function, to the function's calls.

Functions are settled callees first.  In each, a demand takes the first form that all executions agree with (`forms.py`); those without any become
parameters of the function (`parameters.py`), and every call of it is a demand in the function around.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lazygen.diagnostics import Diagnostic, Place
from lazygen.lift import faults, parameters
from lazygen.lift.demands import Demand, of_layers, ordered
from lazygen.lift.forms import Form, Forms, agrees
from lazygen.lift.optional import optional_parameter
from lazygen.lift.parameters import Parameter
from lazygen.lift.syntax import Syntax
from lazygen.lift.written import arithmetic
from lazygen.trace.model import Trace


@dataclass(slots=True)
class Solution:
    """What was decided: a form for each demand, new parameters by function, and what found no answer."""

    forms: list[tuple[Demand, Form]] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    kept_lazy: set[Place] = field(default_factory=set)
    fixed: set[int] = field(default_factory=set)  # runs whose changed argument the output cannot follow
    problems: list[tuple[Demand, Diagnostic]] = field(default_factory=list)


class Solver:
    """Solves the demands of one file against all its traces; the first is that of the given inputs."""

    def __init__(self, syntax: Syntax, traces: Sequence[Trace]) -> None:
        self.syntax = syntax
        self.traces = traces
        self.forms = Forms(syntax, [dict(trace.exact) for trace in traces], arithmetic(syntax.tree))
        self.solution = Solution()
        self._pending: dict[Place, list[Demand]] = {}

    def solve(self) -> Solution:
        """The answers for all demands."""
        for demand in of_layers(self.traces, self.syntax.path):
            self._add(demand)
        for scope in self._callees_first():
            demands = ordered(self._pending.pop(scope, []))
            if demands:
                self._settle(scope, demands)
        for demands in self._pending.values():  # functions that call themselves
            self.solution.problems += [(demand, faults.recursive(demand)) for demand in demands]
        return self.solution

    def _add(self, demand: Demand) -> None:
        fault = faults.free_size(demand)
        if fault is None and self._is_unfillable(demand):
            fault = faults.not_a_call(demand)
        if fault is not None:
            self.solution.problems.append((demand, fault))
        else:
            self._pending.setdefault(demand.scope, []).append(demand)

    def _is_unfillable(self, demand: Demand) -> bool:
        layer, frame = demand.layer, demand.occurrences[0].frame
        how = layer.how if demand.call == layer.site else frame.how
        return demand.call not in self.syntax.calls or how == "indirect"

    def _callees_first(self) -> Iterator[Place]:
        """The scopes of all traces, each after those that it calls; scopes that call each other come last to first."""
        callers: dict[Place, dict[Place, None]] = {}
        for trace in self.traces:
            for layer in trace.layers:
                for inner, outer in zip(layer.frames, layer.frames[1:], strict=False):
                    callers.setdefault(inner.scope, {})[outer.scope] = None
                callers.setdefault(layer.frames[-1].scope, {})
        done: dict[Place, None] = {}
        entered: set[Place] = set()

        def visit(scope: Place) -> None:
            if scope in entered:
                return
            entered.add(scope)
            for outer in callers.get(scope, ()):
                visit(outer)
            done[scope] = None

        for scope in list(callers):
            visit(scope)
        yield from reversed(done)

    def _settle(self, scope: Place, demands: Sequence[Demand]) -> None:
        left = []
        for demand in demands:
            optional = optional_parameter(self.syntax, demand)
            if optional is not None and self._passes_on(demand, optional):
                continue
            form = next(self.forms.of(demand.occurrences), None)
            if form is not None:
                self.solution.forms.append((demand, form))
            else:
                left.append(demand)
        if left:
            self._lift(scope, left)

    def _passes_on(self, demand: Demand, name: str) -> bool:
        """An optional-lazy constructor stays as it is and gets its argument at the calls."""
        shared = parameters.share([demand])
        if isinstance(shared, Demand):
            return False
        shared[0].name = name
        calls = parameters.demands_of_callers(shared[0], 0)
        if not isinstance(calls, list):
            return False
        self.solution.kept_lazy.add(demand.call)
        for call in calls:
            self._add(Demand(call.call, name, None, call.occurrences))
        return True

    def _lift(self, scope: Place, demands: Sequence[Demand]) -> None:
        function = self.syntax.functions.get(scope)
        if function is None:
            for demand in demands:
                self._fix(demand)
            return
        demands = [demand for demand in demands if not self._varies_within(demand)]
        shared = parameters.share(demands)
        assert not isinstance(shared, Demand)
        parameters.name(shared, function, self.syntax)
        for index, parameter in enumerate(shared):
            calls = parameters.demands_of_callers(parameter, index)
            if not isinstance(calls, list):
                for demand in parameter.demands:
                    self._fix(demand)
                continue
            self.solution.parameters.append(parameter)
            for demand in parameter.demands:
                self.solution.forms.append((demand, Form(parameter.name)))
            for call in calls:
                self._add(call)

    def _varies_within(self, demand: Demand) -> bool:
        if isinstance(parameters.share([demand]), Demand):
            self._fix(demand)
            return True
        return False

    def _fix(self, demand: Demand) -> None:
        """Take the form that the given inputs agree with, and give up the changed arguments that it does not follow."""
        runs = {occurrence.run for occurrence in demand.occurrences}
        first = demand.base[0].run
        for form in self.forms.of(demand.base):
            broken = {run for run in runs - {first} if not self._follows(demand, form, run)}
            self.solution.forms.append((demand, form))
            self.solution.fixed |= broken
            return
        self.solution.problems.append((demand, faults.not_sayable(demand, self.forms)))

    def _follows(self, demand: Demand, form: Form, run: int) -> bool:
        own = [o for o in demand.occurrences if o.run == run]
        return form.ride is None and agrees(form.text, own)


def unvisited_calls(syntax: Syntax, traces: Sequence[Trace], parameter: Parameter) -> list[ast.Call]:
    """Calls of a function with a new parameter that no trace ran."""
    ran = {call for trace in traces for scope, call in trace.entered if scope == parameter.scope}
    function = syntax.functions[parameter.scope]
    owner = syntax.class_of.get(parameter.scope)
    name = owner.name if owner is not None and function.name == "__init__" else function.name
    found = []
    for place, node in syntax.calls.items():
        called = node.func
        is_named = (isinstance(called, ast.Name) and called.id == name and (owner is None or function.name == "__init__")) or (
            isinstance(called, ast.Attribute) and called.attr == name and owner is not None and function.name != "__init__"
        )
        if is_named and place not in ran and syntax.place(node) == place:
            found.append(node)
    return found
