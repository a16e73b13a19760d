"""Sizes that a running variable carries through several calls of one loop, each of which changes it in its own way.

for count in blocks:                           in_channels = 2 * growth
    for _ in range(count):                     for count in blocks:
        layers.append(Dense(growth))               for _ in range(count):
    layers.append(nn.LazyConv2d(growth, 1))            layers.append(Dense(in_channels, growth))
                                        ->             in_channels += growth
                                                   layers.append(nn.Conv2d(in_channels, growth, 1))
                                                   in_channels = growth

A comprehension in a statement of the loop counts from what the variable is before the statement:

    layers += [Dense(in_channels + growth * i, growth) for i in range(count)]
    in_channels += growth * count
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence

from lazygen.lift.carrying import VARIABLE, Carry, block_of, bound_in, next_texts, usable
from lazygen.lift.demands import Demand, Occurrence
from lazygen.lift.evaluate import agrees, evaluate
from lazygen.lift.forms import Form, Forms
from lazygen.lift.queues import is_queued
from lazygen.lift.terms import Said
from lazygen.symbolic.atoms import Symbol
from lazygen.symbolic.expr import Expr, add, of_atom
from lazygen.trace.model import Iteration, Reachable, Trace
from lazygen.values import replace, value

_SERIAL = 1 << 52
Made = tuple[Demand, Form]


@value
class _Event:
    """An execution of a statement: the first of its calls, and all."""

    statement: ast.stmt | None
    occurrence: Occurrence
    calls: tuple[Occurrence, ...]


class Running:
    """Finds running variables; knows when each layer was made."""

    def __init__(self, forms: Forms, traces: Sequence[Trace]) -> None:
        self.forms = forms
        self._when: dict[tuple[int, int], int] = {}
        for run, trace in enumerate(traces):
            self._when.update({(run, id(layer)): at for at, layer in enumerate(trace.layers)})

    def of(self, left: Sequence[Demand], around: Sequence[Demand], others: Sequence[Made]) -> list[Made]:
        """Forms for demands without any that one loop makes, alone or with those `around` of that loop; none if no loop
        does.

        Where they go on with the variable of an earlier loop, the forms of `others` that it changes are among them.
        """
        for loop in dict.fromkeys(demand.occurrences[0].frame.loops[:1] for demand in left):
            if not loop:
                continue
            inside = [
                d for d in around if all(o.frame.loops and o.frame.loops[0].loop == loop[0].loop for o in d.occurrences)
            ]
            alone = [demand for demand in left if demand in inside]
            for demands in (alone, inside) if len(inside) > len(alone) else (alone,):
                made = self._through(demands, others)
                if made:
                    return made
        return []

    def _through(self, demands: Sequence[Demand], others: Sequence[Made]) -> list[Made]:
        syntax = self.forms.syntax
        if not demands:
            return []
        loop = syntax.loops[demands[0].occurrences[0].frame.loops[0].loop]
        groups = self._groups(demands)
        if groups is None or not isinstance(loop, (ast.For, ast.While)):
            return []
        firsts = [group[0].occurrence for group in groups]
        start = usable(self.forms.texts(firsts, 0), bound_in(loop), firsts)
        made: list[Made] = []
        begun: ast.stmt = loop
        if start is None:
            first = replace(demands[0], occurrences=tuple(firsts))
            before, factor = self._ended(first, [item for item in others if item[0] not in demands], loop)
            if before is None or factor != 1:
                return []
            start, begun = before.start, before.loop
            made += _as_running(before, others)
        for demand in demands:
            statement = self._statement(demand)
            then = None if statement is None else self._then(groups, statement)
            text = None if statement is None else self._text(groups, statement, demand)
            if statement is None or then is None or text is None:
                return []
            carry = Carry(begun, start, then, statement, block_of(statement, syntax), running=True)
            made.append((demand, Form(text, carry=carry)))
        return made

    def _text(self, groups: Sequence[Sequence[_Event]], statement: ast.stmt, demand: Demand) -> str | None:
        """What a call says: the variable, or in a comprehension what counts from it."""
        if not any(self._in_comprehension(occurrence) for occurrence in demand.occurrences):
            return VARIABLE
        told = [
            _counted_from(event.occurrence, [call for call in event.calls if call.frame.call == demand.call])
            for group in groups
            for event in group
            if event.statement is statement
        ]
        forms = self.forms.of(max(told, key=len))
        texts = (form.text for form in forms if VARIABLE in form.text and form.ride is None and form.carry is None)
        found = next((text for text in texts if all(agrees(text, calls) for calls in told)), None)
        more = "" if found is None else found.removesuffix(f" + {VARIABLE}")
        return found if more == found or not more else f"{VARIABLE} + {more}"

    def _in_comprehension(self, occurrence: Occurrence) -> bool:
        return len(self._statements(occurrence)) < len(occurrence.frame.loops)

    def _statements(self, occurrence: Occurrence) -> tuple[Iteration, ...]:
        """The loops around a call that are statements: all but the comprehensions of its own."""
        loops = self.forms.syntax.loops
        return tuple(i for i in occurrence.frame.loops if isinstance(loops.get(i.loop), (ast.For, ast.While)))

    def _then(self, groups: Sequence[Sequence[_Event]], statement: ast.stmt) -> str | None:
        """What the variable becomes after a statement; itself, if nothing ever follows."""
        followed = [
            (event.occurrence, after.occurrence.size)
            for group in groups
            for event, after in itertools.pairwise(group)
            if event.statement is statement
        ]
        if not followed:
            return VARIABLE
        depth = len(followed[0][0].frame.loops)
        plain = [replace(with_variable(now), size=size) for now, size in followed]
        steps = [
            replace(told, size=add(add(told.size, now.size, -1), variable_of(told)))
            for told, (now, _) in zip(plain, followed, strict=True)
        ]
        texts = (
            *next_texts(self.forms, plain, depth),
            *next_texts(self.forms, steps, depth),
            *self._summed(groups, statement),
        )
        return usable(texts, bound_in(statement), plain)

    def _summed(self, groups: Sequence[Sequence[_Event]], statement: ast.stmt) -> Iterator[str]:
        """The variable and as many steps as a comprehension made."""
        for event in (event for group in groups for event in group if event.statement is statement):
            own = [call for call in event.calls if call.frame.call == event.occurrence.frame.call]
            generator = self.forms.generator(own[0], len(own[0].frame.loops)) if len(own) > 1 else None
            if generator is not None:
                step = self.forms.say(replace(own[0], size=add(own[1].size, own[0].size, -1)))
                count = _count(generator[1].iter)
                if isinstance(step, Said) and step.expr.terms and count is not None:
                    yield f"{VARIABLE} + {_factor(step.text)} * {_factor(count)}"
                return

    def _statement(self, demand: Demand) -> ast.stmt | None:
        call = self.forms.syntax.calls.get(demand.call)
        return None if call is None else self.forms.syntax.statement(call)

    def _groups(self, demands: Sequence[Demand]) -> list[list[_Event]] | None:
        """What each run of the loop made, in the order in which it was made; None if one execution of a statement needs
        several sizes.
        """
        found: dict[tuple[int, int], list[_Event]] = {}
        for demand in demands:
            statement = self._statement(demand)
            for occurrence in demand.occurrences:
                key = occurrence.run, occurrence.frame.loops[0].entry
                found.setdefault(key, []).append(_Event(statement, occurrence, (occurrence,)))
        groups = []
        for events in found.values():
            group: list[_Event] = []
            for event in sorted(events, key=self._time):
                before = group[-1] if group else None
                if before is None or (event.statement, self._statements(event.occurrence)) != (
                    before.statement,
                    self._statements(before.occurrence),
                ):
                    group.append(event)
                elif self._in_comprehension(event.occurrence):
                    group[-1] = replace(before, calls=(*before.calls, event.occurrence))
                elif before.occurrence.size.value != event.occurrence.size.value:
                    return None
            groups.append(group)
        return groups

    def _time(self, event: _Event) -> int:
        return self._when.get((event.occurrence.run, id(event.occurrence.layer)), 0)

    def behind(self, demand: Demand, made: Sequence[Made], *, multiplied: bool = False) -> Form | None:
        """The variable of a loop that is over, for a call behind it that needs what the variable ended with; or, if it
        may be `multiplied`, always so many times that.
        """
        statement = self._statement(demand)
        if statement is None or any(occurrence.frame.loops for occurrence in demand.occurrences):
            return None
        carry, factor = self._ended(demand, [item for item in made if item[0].call != demand.call], statement)
        if carry is None or (factor != 1 and not multiplied):
            return None
        return Form(VARIABLE if factor == 1 else f"{factor} * {VARIABLE}", carry=carry)

    def _ended(self, demand: Demand, made: Sequence[Made], statement: ast.stmt) -> tuple[Carry | None, int]:
        """The variable of the last loop before a statement that has one, if it ends with what a demand needs so many
        times.
        """
        looped = [(self._loop(d), d, f) for d, f in made if f.ride is not None or f.carry is not None]
        over = [node for node, _, _ in looped if node is not None and (node.end_lineno or 0) < statement.lineno]
        loop = max(over, key=lambda node: node.lineno, default=None)
        carried = [(d, f.carry) for node, d, f in looped if node is loop and f.carry is not None and not is_queued(f)]
        if loop is None or not isinstance(loop, ast.stmt) or not self._is_behind(statement, loop):
            return None, 0
        for _, carry in carried:
            factor = self._times([d for d, other in carried if other.way == carry.way], carried, demand)
            if factor:
                return carry, factor
        return None, 0

    def _loop(self, demand: Demand) -> ast.expr | ast.stmt | None:
        """The outermost loop around a call."""
        outermost = {occurrence.frame.loops[0].loop for occurrence in demand.occurrences if occurrence.frame.loops}
        return self.forms.syntax.loops.get(outermost.pop()) if len(outermost) == 1 else None

    def _is_behind(self, statement: ast.stmt, loop: ast.stmt) -> bool:
        """Whether a statement runs only after a loop has."""
        syntax = self.forms.syntax
        node: ast.AST | None = statement
        while isinstance(node, ast.stmt) and syntax.parent(node) is not syntax.parent(loop):
            node = syntax.parent(node)
        return isinstance(node, ast.stmt) and block_of(node, syntax) == block_of(loop, syntax)

    def _times(self, through: Sequence[Demand], carried: Sequence[tuple[Demand, Carry]], demand: Demand) -> int:
        """How many times what a variable ends with a call needs, in every run; 0 if that is not one number."""
        groups = self._groups(through)
        carries = {self._statement(d): carry for d, carry in carried if d in through}
        ends: dict[tuple[int, int], object] = {}
        for group in groups or ():
            last = group[-1]
            now = with_variable(last.occurrence)
            ends[now.run, now.frame.token] = evaluate(carries[last.statement].then, now.frame)
        factors: set[int] = set()
        seen: set[int] = set()
        for o in demand.occurrences if ends else ():
            end = ends.get((o.run, o.frame.token), evaluate(next(iter(carries.values())).start, o.frame))
            if not isinstance(end, int) or end < 1 or o.size.value % end:
                return 0
            factors.add(o.size.value // end)
            seen.add(end)
        factor = factors.pop() if len(factors) == 1 else 0
        return factor if factor == 1 or len(seen) > 1 else 0  # one end is no proof of a factor


def _as_running(carry: Carry, made: Sequence[Made]) -> list[Made]:
    """The forms of a variable that is set after the last of its statements, as those of one that is set after each."""
    if carry.running:
        return []
    uses = [
        (demand, form, form.carry) for demand, form in made if form.carry is not None and form.carry.way == carry.way
    ]
    last = max((use.statement for _, _, use in uses), key=lambda statement: (statement.lineno, statement.col_offset))
    return [
        (demand, replace(form, carry=replace(use, running=True, then=use.then if use.statement is last else VARIABLE)))
        for demand, form, use in uses
    ]


def _counted_from(first: Occurrence, calls: Sequence[Occurrence]) -> list[Occurrence]:
    """Calls in frames that have the variable, which is the size of the first call, with what their own are more."""
    symbol = _variable(first)
    told = [with_variable(call, symbol) for call in calls]
    return [replace(now, size=add(add(now.size, first.size, -1), of_atom(symbol))) for now in told]


def _count(over: ast.expr) -> str | None:
    """How many items a comprehension goes over."""
    if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range":
        return ast.unparse(over.args[0]) if len(over.args) == 1 and not over.keywords else None
    return f"len({ast.unparse(over)})" if isinstance(over, (ast.Name, ast.Attribute)) else None


def _factor(text: str) -> str:
    node = ast.parse(text, mode="eval").body
    return text if isinstance(node, (ast.Name, ast.Attribute, ast.Constant, ast.Call, ast.Subscript)) else f"({text})"


def _variable(now: Occurrence) -> Symbol:
    """The variable as it is at an execution: its size."""
    return Symbol(_SERIAL, "parameter", VARIABLE, now.size.value, now.frame.token, now.size)


def with_variable(now: Occurrence, symbol: Symbol | None = None) -> Occurrence:
    """The execution, in a frame that has the variable, which is its size if there is none yet."""
    symbol = _variable(now) if symbol is None else symbol
    frame = replace(
        now.frame,
        reachable=(*now.frame.reachable, Reachable(VARIABLE, of_atom(symbol))),
        values=(*now.frame.values, (VARIABLE, symbol.value)),
    )
    return replace(now, frames=(frame, *now.frames[1:]))


def variable_of(told: Occurrence) -> Expr:
    """The variable that the frame of an execution was given."""
    found = told.frame.reachable[-1].expr
    assert found is not None
    return found
