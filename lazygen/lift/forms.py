"""The ways to say a size at a call, in order of beauty; each is tried on every execution that was seen, in every run.

    uniform     in_channels=channels                       one text gives all executions
    counted     in_features=hidden * i, widths[i - 1]      a text over a loop's counter
    first       20 if i == 0 else hidden                   the first iteration differs
    riding      for in_channels, width in zip((3, *widths[:-1]), widths, strict=True)      (riding.py)
    carried     in_channels = width, at the end of an iteration                            (carrying.py)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal

from lazygen.diagnostics import Place
from lazygen.lift.carrying import VARIABLE, Carry
from lazygen.lift.counting import counted
from lazygen.lift.demands import Occurrence
from lazygen.lift.evaluate import UNKNOWN, evaluate
from lazygen.lift.syntax import Counter, Syntax, counter_of
from lazygen.lift.terms import Said, Terms, Unsaid
from lazygen.symbolic.atoms import FloorDiv, Symbol
from lazygen.symbolic.expr import Expr, add, constant, divide_exactly, multiply, of_atom
from lazygen.symbolic.text import Unprintable, to_text
from lazygen.trace.model import Frame
from lazygen.values import replace, value

Mode = Literal["by_loop", "plain", "ended"]
_MODES: tuple[Mode, ...] = ("by_loop", "plain", "ended")
_TRIED = 8  # executions of a call whose own texts are tried for all others


@value
class Ride:
    """Sizes that ride along with a loop: `values` is the sequence's text, for generator number `generator` of the loop."""

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
        exact: Sequence[Mapping[FloorDiv, Expr]],
        written: Mapping[tuple[int, int], tuple[ast.expr, ...]],
    ) -> None:
        self.syntax, self.exact, self.written = syntax, exact, written
        self._terms: dict[tuple[int, Mode, int], tuple[Frame, Terms]] = {}

    def say(self, occurrence: Occurrence, mode: Mode = "plain", depth: int = 0) -> Said | Unsaid:
        """The size of one execution in the terms of its scope; with "by_loop" by the counters of the outer `depth` loops."""
        return self.terms_of(occurrence, mode, depth).say(occurrence.size)

    def terms_of(self, occurrence: Occurrence, mode: Mode, depth: int) -> Terms:
        """What the frame of an execution can say."""
        key = (id(occurrence.frame), mode, depth)
        known = self._terms.get(key)
        if known is None:
            frame = occurrence.frame
            terms = Terms(
                frame,
                occurrence.frames[1:],
                self.exact[occurrence.run],
                self.written.get((frame.scope.line, frame.scope.column), ()),
                mode == "by_loop",
                self.loop_names(frame),
                self._counter_names(occurrence, depth),
                self.syntax.last_values(frame.scope) if mode == "ended" else {},
            )
            known = self._terms[key] = (frame, terms)
        return known[1]

    def _counter_names(self, occurrence: Occurrence, depth: int) -> frozenset[str]:
        return frozenset(counter.name for counter in self._counters(occurrence, depth))

    def loop_names(self, frame: Frame) -> frozenset[str]:
        """The variables of the loops around."""
        generators = [g for iteration in frame.loops for g in self.syntax.generators(iteration.loop)]
        return frozenset(n.id for g in generators for n in ast.walk(g.target) if isinstance(n, ast.Name))

    def of(self, occurrences: Sequence[Occurrence]) -> Iterator[Form]:
        """The forms that all executions agree with, the most beautiful first."""
        from lazygen.lift.carrying import carries
        from lazygen.lift.riding import rides

        depth = len(_base(occurrences)[0].frame.loops)
        seen: set[str] = set()
        for text in self.texts(occurrences, depth):
            if text not in seen:
                seen.add(text)
                if agrees(text, occurrences):
                    yield Form(text)
        yield from rides(self, occurrences, depth)
        yield from carries(self, occurrences, depth)
        for level in range(depth, 1, -1):
            yield from self._first_of_inner(occurrences, level)

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

    def _of_one(self, occurrences: Sequence[Occurrence], depth: int) -> Iterator[str]:
        """What one execution says with the loops' own names, which may be what all others mean too."""
        base = _base(occurrences)
        names = {name for level in range(1, depth + 1) for name in self._names_of_loop(base[0], level)}
        for occurrence in base[:_TRIED]:
            answer = self.say(occurrence, "by_loop", depth)
            if isinstance(answer, Said) and names & _names_in(answer.text) and agrees(answer.text, occurrences, surely=True):
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
            for counter in self._counters(base[0], depth):
                yield from self._indexed(occurrences, counter, mode, depth)
                yield from self._affine(occurrences, counter, mode, depth)
        for mode in _MODES:
            for text in counted(self, occurrences, mode, depth):
                if agrees(text, occurrences, surely=True):
                    yield text

    def _indexed(self, occurrences: Sequence[Occurrence], counter: Counter, mode: Mode, depth: int) -> Iterator[str]:
        """Texts that differ in numbers which follow the counter: `widths[0]`, `widths[1]` is `widths[i - 1]`."""
        group = _longest(occurrences)
        answers = [self.say(occurrence, mode, depth) for occurrence in group]
        texts = [answer.text for answer in answers if isinstance(answer, Said)]
        counts = [i for o in group if isinstance(i := dict(o.frame.values).get(counter.name), int)]
        if len(texts) < len(group) or len(counts) < len(group) or len(set(counts)) < 2:
            return
        merged = _merge([ast.parse(text, mode="eval").body for text in texts], counts, counter.name)
        if merged is not None:
            yield ast.unparse(merged)

    def _affine(self, occurrences: Sequence[Occurrence], counter: Counter, mode: Mode, depth: int) -> Iterator[str]:
        """`a + b * i` where the sizes in the longest run of a function are that at every value of the counter, as expressions."""
        group = _longest(occurrences)
        points = []
        for occurrence in group:
            answer, count = self.say(occurrence, mode, depth), dict(occurrence.frame.values).get(counter.name)
            if not isinstance(answer, Said) or not isinstance(count, int):
                return
            points.append((count, answer.expr))
        whole = any(iteration.index == 0 for iteration in group[0].frame.loops[depth - 1 : depth])
        line = _line(points, 2 if whole else 3)
        text = None if line is None else _affine(*line, counter.name, self.terms_of(group[0], mode, depth))
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


def agrees(text: str, occurrences: Sequence[Occurrence], surely: bool = False) -> bool:
    """Whether a text gives every execution's size; what no trace can evaluate counts as giving it, unless it has to `surely`."""
    for occurrence in occurrences:
        value = evaluate(text, occurrence.frame)
        if (surely or value is not UNKNOWN) and (value != occurrence.size.value or isinstance(value, float)):
            return False
    return True


def _names_in(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}


def _base(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    first = min(occurrence.run for occurrence in occurrences)
    return [occurrence for occurrence in occurrences if occurrence.run == first]


def _line(points: Sequence[tuple[int, Expr]], least: int) -> tuple[Expr, Expr] | None:
    """The slope and the offset of a line through all points, whose sizes are expressions; `least` are as many as it takes."""
    (i0, first), *others = points
    other = next(((i, e) for i, e in others if i != i0), None)
    if other is None:
        return None
    slope = divide_exactly(add(other[1], first, -1), constant(other[0] - i0))
    if slope is None or not slope.terms or any(isinstance(c, Fraction) for c in slope.terms.values()):
        return None
    offset = add(first, multiply(slope, constant(i0)), -1)
    if len({i for i, _ in points}) < least:  # a line goes through any two points
        return None
    if len({i for i, _ in points}) < 3 and any(factor < 0 for factor in slope.terms.values()):
        return None
    on_line = all(add(offset, multiply(slope, constant(i))) == e for i, e in points)
    return (slope, offset) if on_line else None


def _affine(slope: Expr, offset: Expr, counter: str, terms: Terms) -> str | None:
    """`hidden * i + 3`, or `hidden * (i - 1)`; None if the terms cannot say it."""
    variable = Symbol(1 << 60, "loop", counter, 1)
    steps = divide_exactly(offset, slope)
    try:
        if offset.terms and steps is not None and steps.constant is not None:
            text = to_text(slope, terms.name_of)
            text = f"({text})" if len(slope.terms) > 1 else text
            return f"{text} * ({counter} {'+' if steps.value > 0 else '-'} {abs(steps.value)})"
        line = add(multiply(slope, of_atom(variable)), offset)
        return to_text(line, lambda atom: atom.text if atom is variable else terms.name_of(atom))  # type: ignore[union-attr]
    except Unprintable:
        return None


def _longest(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    """The executions in the run of the function that has most of them."""
    groups: dict[tuple[int, int], list[Occurrence]] = {}
    for occurrence in occurrences:
        groups.setdefault((occurrence.run, occurrence.frame.token), []).append(occurrence)
    return max(groups.values(), key=len)


def _merge(nodes: Sequence[ast.AST], counts: Sequence[int], name: str) -> ast.expr | None:
    """One tree for all: equal parts stay, whole numbers become an expression of the counter."""
    first = nodes[0]
    if all(isinstance(node, ast.Constant) and type(node.value) is int for node in nodes):
        return _followed([node.value for node in nodes], counts, name)  # type: ignore[attr-defined]
    if any(type(node) is not type(first) for node in nodes):
        return None
    fields: dict[str, object] = {}
    for field, value in ast.iter_fields(first):
        values = [getattr(node, field) for node in nodes]
        if isinstance(value, ast.expr):
            merged = _merge(values, counts, name)
            if merged is None:
                return None
            fields[field] = merged
        elif isinstance(value, list):
            if any(len(items) != len(value) for items in values):
                return None
            columns = [_merge(column, counts, name) for column in zip(*values, strict=True)]
            if any(column is None for column in columns):
                return None
            fields[field] = columns
        elif isinstance(value, ast.AST):
            if any(type(item) is not type(value) for item in values):
                return None
            fields[field] = value
        elif any(item != value for item in values):
            return None
        else:
            fields[field] = value
    return type(first)(**fields)  # type: ignore[return-value]


def _followed(values: Sequence[int], counts: Sequence[int], name: str) -> ast.expr | None:
    if len(set(values)) == 1:
        return ast.Constant(values[0])
    offsets = {value - count for value, count in zip(values, counts, strict=True)}
    if len(offsets) == 1:
        offset = offsets.pop()
        sign = ast.Add() if offset >= 0 else ast.Sub()
        return ast.BinOp(ast.Name(name), sign, ast.Constant(abs(offset))) if offset else ast.Name(name)
    sums = {value + count for value, count in zip(values, counts, strict=True)}
    return ast.BinOp(ast.Constant(sums.pop()), ast.Sub(), ast.Name(name)) if len(sums) == 1 else None


def counted_from_end(text: str, frame: Frame) -> Iterator[str]:
    """The text with the elements of sequences counted from the end, `widths[-1]`: first choice for the last one."""
    if "[" not in text:
        return
    lengths: dict[str, int] = {name: len(value) for name, value in frame.values if isinstance(value, (list, tuple))}
    last = True

    class FromEnd(ast.NodeTransformer):
        def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
            nonlocal last
            base = ast.unparse(node.value)
            length = lengths.get(base) or len(value if isinstance(value := evaluate(base, frame), (list, tuple)) else ())
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int) and length > node.slice.value >= 0:
                last = last and node.slice.value == length - 1 and length > 1
                return ast.Subscript(node.value, ast.UnaryOp(ast.USub(), ast.Constant(length - node.slice.value)), node.ctx)
            return node

    changed = ast.unparse(FromEnd().visit(ast.parse(text, mode="eval").body))
    if last:
        yield changed
    else:
        yield text
        yield changed
