"""The ways to say a size at a call, in order of beauty; each is tried on every execution that was seen, in every run.

uniform     in_channels=channels                       one text gives all executions
counted     in_features=hidden * i, widths[i - 1]      a text over a loop's counter
first       20 if i == 0 else hidden                   the first iteration differs
riding      for in_channels, width in zip((3, *widths)[:-1], widths, strict=True)      (riding.py)
carried     in_channels = width, at the end of an iteration                            (carrying.py)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from lazygen.diagnostics import Place
from lazygen.lift.carrying import Carry
from lazygen.lift.chosen import is_chosen, is_filtered, looks_back
from lazygen.lift.counting import counted
from lazygen.lift.demands import Occurrence
from lazygen.lift.elements import by_key, counted_from_end
from lazygen.lift.evaluate import agrees
from lazygen.lift.lines import affine, line, merged
from lazygen.lift.sometimes import unsure_lines
from lazygen.lift.syntax import Counter, Syntax, counter_of
from lazygen.lift.terms import Proven, Said, Terms, Unsaid
from lazygen.lift.tidy import tidied
from lazygen.symbolic.equalities import by_expression
from lazygen.trace.model import Frame, Trace
from lazygen.values import replace, value

Mode = Literal["by_loop", "plain", "ended", "opened"]
_MODES: tuple[Mode, ...] = ("by_loop", "plain", "ended")
_OPENED: Mode = "opened"  # what a choice gave, and not the choice
_TRIED = 8  # executions of a call whose own texts are tried for all others


@value
class Ride:
    """Sizes that ride along with a loop: `values` is the sequence's text, for generator number `generator` of the
    loop.
    """

    loop: Place
    generator: int
    values: str


@value
class Form:
    """An answer: the text to write.  VARIABLE stands in it for the variable of a ride or of a carry."""

    text: str
    ride: Ride | None = None
    carry: Carry | None = None


class Forms:
    """Generates forms for executions of one call."""

    def __init__(
        self,
        syntax: Syntax,
        traces: Sequence[Trace],
        written: Mapping[tuple[int, int], tuple[ast.expr, ...]],
    ) -> None:
        self.syntax, self.written = syntax, written
        self._exact, self._equal = [dict(trace.exact) for trace in traces], [trace.equal for trace in traces]
        self._unsure = unsure_lines(syntax.tree)
        self._proven: dict[tuple[int, Place], Proven] = {}
        self._terms: dict[tuple[int, Mode, int], tuple[Frame, Terms]] = {}

    def say(self, occurrence: Occurrence, mode: Mode = "plain", depth: int = 0) -> Said | Unsaid:
        """The size of one execution in the terms of its scope; with "by_loop" by the counters of the outer `depth`
        loops.
        """
        return self.terms_of(occurrence, mode, depth).say(occurrence.size)

    def terms_of(self, occurrence: Occurrence, mode: Mode, depth: int) -> Terms:
        """What the frame of an execution can say."""
        key = (id(occurrence.frame), mode, depth)
        known = self._terms.get(key)
        if known is None:
            frame = occurrence.frame
            bound = self._bound_by(occurrence)
            terms = Terms(
                replace(frame, reachable=tuple(e for e in frame.reachable if e.text not in bound)) if bound else frame,
                occurrence.frames[1:],
                self._proven_in(frame.scope, occurrence.run),
                self.written.get((frame.scope.line, frame.scope.column), ()),
                mode == "by_loop",
                self.loop_names(frame),
                self._counter_names(occurrence, depth),
                self.syntax.last_values(frame.scope) if mode == "ended" else {},
                mode == "opened",
            )
            known = self._terms[key] = (frame, terms)
        return known[1]

    def _proven_in(self, scope: Place, run: int) -> Proven:
        if (run, scope) not in self._proven:
            equal = by_expression(self._equal[run], self.syntax.class_around(scope), self._unsure)
            self._proven[run, scope] = Proven(self._exact[run], equal)
        return self._proven[run, scope]

    def _counter_names(self, occurrence: Occurrence, depth: int) -> frozenset[str]:
        return frozenset(counter.name for counter in self._counters(occurrence, depth))

    def loop_names(self, frame: Frame) -> frozenset[str]:
        """The variables of the loops around."""
        generators = [g for iteration in frame.loops for g in self.syntax.generators(iteration.loop)]
        return frozenset(n.id for g in generators for n in ast.walk(g.target) if isinstance(n, ast.Name))

    def of(self, occurrences: Sequence[Occurrence]) -> Iterator[Form]:
        """The forms that all executions agree with, the most beautiful first."""
        from lazygen.lift.carrying import carries
        from lazygen.lift.gathering import gathered
        from lazygen.lift.riding import rides

        depth = len(_base(occurrences)[0].frame.loops)
        seen: set[str] = set()
        bound = self._bound_by(occurrences[0])
        filtered = is_filtered(occurrences[0], self.syntax)
        chosen = filtered or is_chosen(occurrences[0], self.syntax)
        late: list[Form] = []  # they take every item of the loop to make a layer, which only those at hand may do
        for text in self.texts(occurrences, depth):
            if text not in seen:
                seen.add(text)
                if agrees(text, occurrences) and not (bound and bound & _names_in(text)):
                    if not (chosen and looks_back(text)):
                        yield Form(text)
                    else:
                        late.append(Form(text))
        if filtered:  # nothing in the comprehension can tell which item came before
            yield from gathered(self, occurrences, depth)
            return
        if chosen:
            yield from carries(self, occurrences, depth)
        yield from late
        yield from rides(self, occurrences, depth)
        if not chosen:
            yield from carries(self, occurrences, depth)
        for level in range(depth, 1, -1):
            yield from self._first_of_inner(occurrences, level)
        yield from gathered(self, occurrences, depth)

    def _bound_by(self, occurrence: Occurrence) -> frozenset[str]:
        """The names that the call's own arguments bind, `h := 2 * width`: before them they hold something else."""
        call = self.syntax.calls.get(occurrence.frame.call)
        nodes = ast.walk(call) if call is not None else ()
        return frozenset(node.target.id for node in nodes if isinstance(node, ast.NamedExpr))

    def said(self, occurrence: Occurrence) -> Iterator[str]:
        """The texts that say the size of one execution, with elements of sequences counted from the end too."""
        for mode in _MODES:
            answer = self.say(occurrence, mode)
            if isinstance(answer, Said):
                yield from counted_from_end(answer.text, occurrence.frame)
                yield answer.text

    def _first_of_inner(self, occurrences: Sequence[Occurrence], level: int) -> Iterator[Form]:
        """`X if i == 0 else Y`, where X is a variable of the loops further out."""
        from lazygen.lift.carrying import carries
        from lazygen.lift.riding import rides

        split = self._split(occurrences, level)
        if split is None:
            return
        condition, first, others = split
        for form in (*rides(self, first, level - 1), *carries(self, first, level - 1)):
            yield replace(form, text=f"{form.text} if {condition} else {others}")

    def texts(self, occurrences: Sequence[Occurrence], depth: int) -> Iterator[str]:
        yield from self.simple(occurrences, depth)
        yield from self._of_one(occurrences, depth)
        for level in range(depth, 0, -1):
            yield from self._first(occurrences, level)
        yield from self._lasts(occurrences)

    def _lasts(self, occurrences: Sequence[Occurrence]) -> Iterator[str]:
        """The last numbers of ranges with a step that the function goes through: `range(start, stop, -8)[-1]`, and the
        products that it makes: `int(np.prod(grid))`.
        """
        function = self.syntax.functions.get(occurrences[0].frame.scope)
        for node in ast.walk(function) if function is not None else ():
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "range"
                and len(node.args) == 3
            ):
                text = f"{ast.unparse(node)}[-1]"
                if agrees(text, occurrences, surely=True):
                    yield text
            elif isinstance(node, (ast.Call, ast.BinOp)):
                text = ast.unparse(node)
                if "prod(" in text and agrees(text, occurrences, surely=True):
                    yield text

    def _of_one(self, occurrences: Sequence[Occurrence], depth: int) -> Iterator[str]:
        """What one execution says with the loops' own names, which may be what all others mean too."""
        base = _base(occurrences)
        names = {name for level in range(1, depth + 1) for name in self._names_of_loop(base[0], level)}
        for occurrence in base[:_TRIED]:
            answer = self.say(occurrence, "by_loop", depth)
            if (
                isinstance(answer, Said)
                and names & _names_in(answer.text)
                and agrees(answer.text, occurrences, surely=True)
            ):
                yield answer.text

    def _names_of_loop(self, occurrence: Occurrence, level: int) -> Iterator[str]:
        generator = self.generator(occurrence, level)
        for node in ast.walk(generator[1].target) if generator is not None else ():
            if isinstance(node, ast.Name):
                yield node.id

    def simple(self, occurrences: Sequence[Occurrence], depth: int) -> Iterator[str]:
        """Texts without cases; they are not checked."""
        base = _base(occurrences)
        for mode in _MODES:
            said = [self.say(occurrence, mode, depth) for occurrence in base]
            known = [answer for answer in said if isinstance(answer, Said)]
            if len(known) < len(base):
                continue
            texts = {answer.text for answer in known}
            if len(texts) == 1:
                yield from counted_from_end(known[0].text, base[0].frame)
                yield known[0].text
            elif "[" in known[0].text:
                keyed = {
                    by_key(answer.text, o.frame, self.loop_names(o.frame))
                    for answer, o in zip(known, base, strict=True)
                }
                yield from keyed if len(keyed) == 1 else ()
            for counter in self._counters(base[0], depth):
                yield from self._indexed(occurrences, counter, mode, depth)
                yield from self._affine(occurrences, counter, mode, depth)
        for mode in _MODES:
            yield from self._proven_equal(base, mode, depth)
        for mode in (*_MODES, _OPENED):
            for text in counted(self, occurrences, mode, depth):
                if agrees(text, occurrences, surely=True):
                    yield text

    def _proven_equal(self, base: Sequence[Occurrence], mode: Mode, depth: int) -> Iterator[str]:
        """Texts of what all executions need their sizes to be equal to."""
        found: dict[str, None] | None = None
        for occurrence in base:
            answers = self.terms_of(occurrence, mode, depth).alternatives(occurrence.size)
            texts = dict.fromkeys(answer.text for answer in answers)
            found = texts if found is None else {text: None for text in found if text in texts}
            if not found:
                return
        yield from found or ()

    def _indexed(self, occurrences: Sequence[Occurrence], counter: Counter, mode: Mode, depth: int) -> Iterator[str]:
        """Texts that differ in numbers which follow the counter: `widths[0]`, `widths[1]` is `widths[i - 1]`."""
        group = _longest(occurrences)
        answers = [self.say(occurrence, mode, depth) for occurrence in group]
        texts = [answer.text for answer in answers if isinstance(answer, Said)]
        counts = [i for o in group if isinstance(i := dict(o.frame.values).get(counter.name), int)]
        if len(texts) < len(group) or len(counts) < len(group) or len(set(counts)) < 2:
            return
        one = merged([ast.parse(text, mode="eval").body for text in texts], counts, counter.name)
        if one is not None:
            yield tidied(ast.unparse(one))

    def _affine(self, occurrences: Sequence[Occurrence], counter: Counter, mode: Mode, depth: int) -> Iterator[str]:
        """`a + b * i` where the sizes in the longest run of a function are that at every value of the counter, as
        expressions.
        """
        group = _longest(occurrences)
        points = []
        for occurrence in group:
            answer, count = self.say(occurrence, mode, depth), dict(occurrence.frame.values).get(counter.name)
            if not isinstance(answer, Said) or not isinstance(count, int):
                return
            points.append((count, answer.expr))
        whole = any(iteration.index == 0 for iteration in group[0].frame.loops[depth - 1 : depth])
        found = line(points, 2 if whole else 3)
        text = None if found is None else affine(*found, counter.name, self.terms_of(group[0], mode, depth))
        if text is not None:
            yield text

    def _counters(self, occurrence: Occurrence, depth: int) -> Iterator[Counter]:
        for level in range(depth, 0, -1):
            counter = self.counter(occurrence, level)
            if counter is not None:
                yield counter

    def counter(self, occurrence: Occurrence, level: int) -> Counter | None:
        """The counter of the loop at a level, counted from the outermost as 1."""
        generator = self.generator(occurrence, level)
        if generator is not None:
            return counter_of(generator[1])
        iteration = occurrence.frame.loops[level - 1]
        node = self.syntax.loops.get(iteration.loop)
        name = self.syntax.while_variable(node) if isinstance(node, ast.While) else None
        now = dict(occurrence.frame.values).get(name) if name is not None else None
        return Counter(name, str(now - iteration.index)) if name is not None and isinstance(now, int) else None

    def generator(self, occurrence: Occurrence, level: int) -> tuple[int, ast.For | ast.comprehension] | None:
        """The `for` at a level, with its number among those of its comprehension."""
        loops = occurrence.frame.loops
        place = loops[level - 1].loop
        number = sum(1 for iteration in loops[: level - 1] if iteration.loop == place)
        found = self.syntax.generators(place)
        return (number, found[number]) if number < len(found) else None

    def _first(self, occurrences: Sequence[Occurrence], level: int) -> Iterator[str]:
        """`X if i == 0 else Y`: the first iteration of a loop, by its counter, and the others."""
        split = self._split(occurrences, level)
        if split is None:
            return
        condition, first, others = split
        inner = [*self.simple(first, level - 1)]
        for outer in range(level - 1, 0, -1):
            inner += list(self._first(first, outer))
        for text in inner:
            if agrees(text, first):
                start = f"({text})" if isinstance(ast.parse(text, mode="eval").body, ast.IfExp) else text
                yield f"{start} if {condition} else {others}"
                return

    def _split(self, occurrences: Sequence[Occurrence], level: int) -> tuple[str, list[Occurrence], str] | None:
        """What tells the first iteration of a loop, the executions in it, and a text for all others."""
        counter = self.counter(_base(occurrences)[0], level)
        if counter is None:
            return None
        first = [o for o in occurrences if len(o.frame.loops) >= level and o.frame.loops[level - 1].index == 0]
        rest = [o for o in occurrences if len(o.frame.loops) >= level and o.frame.loops[level - 1].index > 0]
        if not first or not rest:
            return None
        others = next((text for text in self.simple(rest, level) if agrees(text, rest)), None)
        return None if others is None else (f"{counter.name} == {counter.start}", first, others)


def _names_in(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}


def _base(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    first = min(occurrence.run for occurrence in occurrences)
    return [occurrence for occurrence in occurrences if occurrence.run == first]


def _longest(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    """The executions in the run of the function that has most of them."""
    groups: dict[tuple[int, int], list[Occurrence]] = {}
    for occurrence in occurrences:
        groups.setdefault((occurrence.run, occurrence.frame.token), []).append(occurrence)
    return max(groups.values(), key=len)
