"""Sizes move outward until something knows them: from the site to its loops, to the function, to the function's calls.

Functions are settled callees first.  In each, a demand takes the first form that all executions agree with
(`forms.py`); those without any become parameters of the function (`parameters.py`), and every call of it is a demand
in the function around.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection, Iterator, Sequence

from lazygen.diagnostics import Diagnostic, Place
from lazygen.lift import carrying, copies, faults, firsts, overrides, parameters, queues, sequences, specialise, tested
from lazygen.lift.carrying import VARIABLE
from lazygen.lift.dataclass_fields import inherited, keywords_only, takes_fields
from lazygen.lift.demands import Demand, of_layers, ordered
from lazygen.lift.evaluate import agrees
from lazygen.lift.forms import Form, Forms
from lazygen.lift.mapping import forms_of, mapped_call
from lazygen.lift.optional import optional_parameter
from lazygen.lift.parameters import Parameter
from lazygen.lift.riding import follows
from lazygen.lift.running import Running
from lazygen.lift.syntax import Syntax
from lazygen.lift.written import arithmetic
from lazygen.trace.model import Trace
from lazygen.values import field, record


@record
class Solution:
    """What was decided: a form for each demand, new parameters by function, and what found no answer."""

    forms: list[tuple[Demand, Form]] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    mapped: list[tuple[ast.Call, Demand, Form]] = field(default_factory=list)
    kept_lazy: set[Place] = field(default_factory=set)
    left: set[Place] = field(default_factory=set)  # calls without an answer
    fixed: set[int] = field(default_factory=set)  # runs whose changed argument the output cannot follow
    as_classes: bool = False  # what refers to a class refers to one again, for these sizes
    problems: list[tuple[Demand, Diagnostic]] = field(default_factory=list)


class Solver:
    """Solves the demands of one file against all its traces; the first is that of the given inputs."""

    def __init__(self, syntax: Syntax, traces: Sequence[Trace], *, as_classes: bool = False) -> None:
        self.syntax = syntax
        self.traces = traces
        self.forms = Forms(syntax, traces, arithmetic(syntax.tree))
        self.running = Running(self.forms, traces)
        self.solution = Solution(as_classes=as_classes)
        self._pending: dict[Place, list[Demand]] = {}
        self._asked: dict[tuple[Place, str], Parameter] = {}  # which parameter a call is to fill

    def solve(self) -> Solution:
        """The answers for all demands."""
        for demand in of_layers(self.traces, self.syntax.path):
            self._add(demand)
        for scope in self._callees_first():
            demands = ordered(self._pending.pop(scope, []))
            if demands:
                self._settle(scope, demands)
        for demands in self._pending.values():  # functions that call themselves
            for demand in demands:
                self._recur(demand)
        aligned, wrong = overrides.aligned(self.solution.parameters, self._asked, self.syntax, self.traces)
        self.solution.parameters[:] = aligned
        self.solution.problems += [(demand, faults.overridden(demand)) for demand in wrong]
        self._take_back()
        return self.solution

    def _recur(self, demand: Demand) -> None:
        """Fill the parameter that a function has got in its calls of itself."""
        form = next(self.forms.of(demand.occurrences), None)
        for parameter in self.solution.parameters if form is None else ():
            if parameter.scope == demand.scope and form is None:
                told = firsts.following(self.forms, demand, parameter)
                form = told and firsts.with_parameter(told, parameter.name)
        if form is None:
            self.solution.problems.append((demand, faults.recursive(demand)))
        else:
            self.solution.forms.append((demand, form))

    def _take_back(self) -> None:
        """A parameter that one of its calls cannot fill is none; what it was to fill has no answer."""
        solution = self.solution
        pending = [demand for demand, _ in solution.problems]
        while pending:
            demand = pending.pop()
            solution.left.add(demand.call)
            parameter = self._asked.pop((demand.call, demand.name), None)
            if parameter in solution.parameters:
                solution.parameters.remove(parameter)
                calls = {key for key, asked in self._asked.items() if asked is parameter}
                inside = {(d.call, d.name) for d in parameter.demands}
                solution.forms = [(d, f) for d, f in solution.forms if (d.call, d.name) not in calls | inside]
                pending += parameter.demands

    def _add(self, demand: Demand) -> None:
        fault = faults.free_size(demand)
        if fault is None and self._is_unfillable(demand):
            fillable = specialise.rerouted(demand, self.syntax, guess=not self.solution.as_classes)
            call = mapped_call(self.syntax, demand) if fillable is None else None
            form = next(forms_of(self.forms, demand, call), None) if call is not None else None
            if call is not None and form is not None:
                self.solution.mapped.append((call, demand, form))
                return
            if fillable is not None and self.solution.as_classes and copies.stands_for_a_class(self.syntax, fillable):
                self._copy(fillable)
                return
            fault, demand = (faults.not_a_call(demand), demand) if fillable is None else (None, fillable)
        if fault is not None:
            self.solution.problems.append((demand, fault))
        else:
            pending = self._pending.setdefault(demand.scope, [])
            for index, other in enumerate(pending):  # one call of a method reaches it and what overrides it
                if (other.call, other.name, other.index) == (demand.call, demand.name, demand.index):
                    occurrences = sorted(
                        (*other.occurrences, *demand.occurrences), key=lambda occurrence: occurrence.run
                    )
                    pending[index] = Demand(demand.call, demand.name, demand.index, tuple(occurrences))
                    return
            pending.append(demand)

    def _copy(self, demand: Demand) -> None:
        """Fill the sizes of a class that something wants as a class: these are numbers, whatever they hang on."""
        values = {occurrence.size.value for occurrence in demand.base}
        if len(values) > 1:
            self.solution.problems.append((demand, faults.not_a_call(demand)))
            return
        form = Form(str(values.pop()))
        self.solution.forms.append((demand, form))
        runs = {occurrence.run for occurrence in demand.occurrences}
        self.solution.fixed |= {run for run in runs if not self._follows(demand, form, run)}

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
        left: list[Demand] = []
        unsaid: list[Demand] = []
        made: list[tuple[Demand, Form]] = []
        for demand in demands:
            optional = optional_parameter(self.syntax, demand)
            if optional is not None and self._passes_on(demand, optional):
                continue
            form = next(self.forms.of(demand.occurrences), None) or tested.form_of(self.forms, demand)
            if form is not None and not self._is_asked(scope, demand.name, left):
                made.append((demand, form))
            else:
                left.append(demand)
                unsaid += [demand] if form is None else []
        for demand, form in self.running.of(unsaid, demands, made) if unsaid else ():
            left = [other for other in left if other is not demand]
            made = [*(item for item in made if item[0] is not demand), (demand, form)]
        self.solution.forms += self._behind_loops(made, left)
        if left:
            self._lift(scope, left)

    def _behind_loops(self, made: list[tuple[Demand, Form]], left: list[Demand]) -> list[tuple[Demand, Form]]:
        """The forms, with what a loop's variable ended with for calls behind it that have no plain name or number."""
        if not any(form.carry is not None for _, form in made):
            return made
        for demand in list(left):
            form = self.running.behind(demand, made, multiplied=True)
            if form is not None:
                left.remove(demand)
                made = [*made, (demand, form)]
        ended = [
            self.running.behind(demand, made) if form.ride is None and not form.text.isalnum() else None
            for demand, form in made
        ]
        return [(demand, new or form) for (demand, form), new in zip(made, ended, strict=True)]

    def _passes_on(self, demand: Demand, name: str) -> bool:
        """An optional-lazy constructor stays as it is and gets its argument at the calls."""
        shared = parameters.share([demand])
        if isinstance(shared, Demand):
            return False
        shared[0].name = name
        calls = parameters.demands_of_callers(shared[0], 0, self.syntax)
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
        following: dict[tuple[Place, str], Form] = {}
        whole = {(demand.call, demand.name): demand for demand in demands}
        demands = [wanted for demand in demands if (wanted := self._as_one(demand, following)) is not None]
        shared = parameters.share(demands)
        assert not isinstance(shared, Demand)
        shared = self._without_following(shared, following)
        fields = {p.name for p in self.solution.parameters if p.prefix and inherited(self.syntax, scope, p.scope)}
        parameters.name(shared, function, self.syntax, fields)
        index = sum(known.scope == scope and not known.keyword_only for known in self.solution.parameters)
        for parameter in shared:
            is_field = function.name == "__post_init__" and scope in self.syntax.class_of
            by_keyword = is_field and keywords_only(self.syntax, scope)
            calls = parameters.demands_of_callers(parameter, index, self.syntax, by_keyword=by_keyword)
            if not isinstance(calls, list):
                for demand in parameter.demands:
                    self._fix(whole[demand.call, demand.name])
                continue
            if is_field:
                parameter.prefix = f"{function.args.args[0].arg}."
                if not takes_fields(self.syntax, scope):
                    self.solution.problems += [(d, faults.no_dataclass(d)) for d in parameter.demands]
                    continue
            if not self._covers(parameter, calls):
                continue
            self.solution.parameters.append(parameter)
            index += not parameter.keyword_only
            for demand in parameter.demands:
                form = following.get((demand.call, demand.name), Form(parameter.prefix + parameter.name))
                self.solution.forms.append((demand, firsts.with_parameter(form, parameter.prefix + parameter.name)))
            for call in calls:
                self._asked[call.call, call.name] = parameter
                self._add(call)
            for sibling in self._siblings(scope, {call.call for call in calls}):
                if sibling not in parameter.handed:
                    self._align(sibling, parameter)

    def _is_asked(self, scope: Place, name: str, left: Sequence[Demand]) -> bool:
        """Whether a call of a function gives an argument already, since it reaches another one too, as an override."""
        calls = {call for trace in self.traces for inner, call in trace.entered if inner == scope}
        return all(demand.name != name for demand in left) and any((call, name) in self._asked for call in calls)

    def _siblings(self, scope: Place, calls: Collection[Place]) -> list[Place]:
        """Other functions of the file that these calls reach as well."""
        reached = {inner for trace in self.traces for inner, call in trace.entered if call in calls and inner != scope}
        return sorted((place for place in reached if place in self.syntax.functions), key=lambda place: place.line)

    def _align(self, sibling: Place, parameter: Parameter) -> None:
        """Let a function take an argument that one of its calls gives now, for its own layer settled without it."""
        if any(known.scope == sibling and known.name == parameter.name for known in self.solution.parameters):
            return
        for item in self.solution.forms:
            if item[0].scope == sibling and item[0].name == parameter.name:
                self.solution.forms.remove(item)
                self._lift(sibling, [item[0]])
                return

    def _covers(self, parameter: Parameter, calls: list[Demand]) -> bool:
        """Whether every call of the function that ran can be filled, or can do without.

        A call that made none of the layers in question leaves the parameter at None; one whose layers were never
        reached has no size.
        """
        filled = {place for d in calls for place in (d.call, *(o.frame.call for o in d.occurrences))}
        others = self._callers(parameter) - filled
        sites = {demand.call for demand in parameter.demands}
        for layer in (layer for trace in self.traces for layer in trace.layers):
            for number, inner in enumerate(layer.frames):
                outer = next((f.call for f in layer.frames[number + 1 :] if f.call not in parameter.handed), None)
                if outer in others and inner.scope == parameter.scope and inner.call in sites:
                    assert outer is not None
                    found = faults.never_reached(layer, outer)
                    self.solution.problems += [(demand, found) for demand in parameter.demands]
                    return False
        if others:
            parameter.keyword_only = parameter.optional = True
            calls[:] = [Demand(d.call, d.name, None, d.occurrences) for d in calls]
        return True

    def _callers(self, parameter: Parameter) -> set[Place]:
        """The calls that have to give a parameter: of the function, or of those that hand their arguments on to it."""
        calls = {call for trace in self.traces for scope, call in trace.entered if scope == parameter.scope}
        ways = [way for trace in self.traces for scope, way in trace.ways if scope == parameter.scope]
        first = {next((call for call in way if call not in parameter.handed), None) for way in ways}
        return (calls - parameter.handed) | {call for call in first if call is not None}

    def _without_following(self, shared: list[Parameter], following: dict[tuple[Place, str], Form]) -> list[Parameter]:
        """The parameters that do not follow from one before them; `following` gets the forms of those that do."""
        kept: list[Parameter] = []
        for parameter in shared:
            for earlier in kept:
                forms = [firsts.following(self.forms, demand, earlier) for demand in parameter.demands]
                is_new = all((demand.call, demand.name) not in following for demand in parameter.demands)
                if is_new and all(form is not None and form.carry is None for form in forms):
                    for demand, form in zip(parameter.demands, forms, strict=True):
                        assert form is not None
                        following[demand.call, demand.name] = form
                        earlier.demands.append(demand)
                    break
            else:
                kept.append(parameter)
        return kept

    def _as_one(self, demand: Demand, following: dict[tuple[Place, str], Form]) -> Demand | None:
        """A demand with one size in each run of its function; None if it cannot become that.

        `following` gets the form of one whose first size the others follow from.
        """
        if not isinstance(parameters.share([demand]), Demand):
            return demand
        split = firsts.split(self.forms, demand)
        if split is None:
            many = sequences.lifted(self.forms, self.syntax, demand, self.solution.parameters, self._entered())
            if many is None:
                self._fix(demand)
            else:
                self.solution.parameters += many.parameters
                self.solution.forms += many.forms
            return None
        first, following[demand.call, demand.name] = split
        return first

    def _entered(self) -> frozenset[tuple[Place, Place]]:
        return frozenset().union(*(trace.entered for trace in self.traces))

    def _fix(self, demand: Demand) -> None:
        """Take the form that the given inputs agree with, and give up the changed arguments that it does not follow."""
        runs = {occurrence.run for occurrence in demand.occurrences}
        first = demand.base[0].run
        for form in itertools.chain(self.forms.of(demand.base), queues.queued(self.forms, demand)):
            broken = {run for run in runs - {first} if not self._follows(demand, form, run)}
            self.solution.forms.append((demand, form))
            self.solution.fixed |= broken
            return
        self.solution.problems.append((demand, faults.not_sayable(demand, self.forms)))

    def _follows(self, demand: Demand, form: Form, run: int) -> bool:
        own = [o for o in demand.occurrences if o.run == run]
        if queues.is_queued(form):
            return queues.follows(form, own)
        if form.carry is not None:
            return form.text == VARIABLE and carrying.follows(form.carry, own)
        return agrees(form.text, own) if form.ride is None else follows(self.forms, form, form.ride, own)


def unvisited_calls(syntax: Syntax, traces: Sequence[Trace], parameter: Parameter) -> list[ast.Call]:
    """Calls of a function with a new parameter that no trace ran; one that reached another function is none of it."""
    if not parameter.demands:  # it is only taken along
        return []
    ran = {id(syntax.calls.get(call)) for trace in traces for _, call in trace.entered}
    ran |= {id(syntax.calls.get(call)) for trace in traces for _, way in trace.ways for call in way}
    function = syntax.functions[parameter.scope]
    owner = syntax.class_of.get(parameter.scope)
    name = owner.name if owner is not None and function.name == "__init__" else function.name
    found = []
    for place, node in syntax.calls.items():
        called = node.func
        is_named = (
            isinstance(called, ast.Name) and called.id == name and (owner is None or function.name == "__init__")
        ) or (
            isinstance(called, ast.Attribute)
            and called.attr == name
            and owner is not None
            and function.name != "__init__"
        )
        if is_named and id(node) not in ran and syntax.place(node) == place:
            found.append(node)
    return found
