"""The ways to say a size at a call, in order of beauty; each is tried on every execution that was seen, in every run.

    uniform     in_channels=channels                       one text gives all executions
    counted     in_features=hidden * i, widths[i - 1]      a text over a loop's counter
    first       20 if i == 0 else hidden                   the first iteration differs
    riding      for in_channels, width in zip((3, *widths[:-1]), widths, strict=True)      (riding.py)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from lazygen.diagnostics import Place
from lazygen.lift.demands import Occurrence
from lazygen.lift.evaluate import UNKNOWN, evaluate
from lazygen.lift.syntax import Counter, Syntax, counter_of
from lazygen.lift.terms import Said, Terms, Unsaid
from lazygen.symbolic.atoms import FloorDiv, Symbol
from lazygen.symbolic.expr import Expr, add, constant, divide_exactly, multiply, of_atom
from lazygen.symbolic.text import Unprintable, to_text
from lazygen.trace.model import Frame

Mode = Literal["by_loop", "plain", "ended"]
_MODES: tuple[Mode, ...] = ("by_loop", "plain", "ended")


@dataclass(frozen=True, slots=True)
class Ride:
    """Sizes that ride along with a loop: `values` is the sequence's text, for generator number `generator` of the loop."""

    loop: Place
    generator: int
    values: str


@dataclass(frozen=True, slots=True)
class Form:
    """An answer: the text to write, or a ride whose variable is to be written."""

    text: str
    ride: Ride | None = None


class Forms:
    """Generates forms for executions of one call."""

    def __init__(
        self,
        syntax: Syntax,
        exact: Sequence[Mapping[FloorDiv, Expr]],
        written: Mapping[tuple[int, int], tuple[ast.expr, ...]],
    ) -> None:
        self.syntax, self.exact, self.written = syntax, exact, written
        self._terms: dict[tuple[int, Mode], tuple[Frame, Terms]] = {}

    def say(self, occurrence: Occurrence, mode: Mode = "plain") -> Said | Unsaid:
        """The size of one execution in the terms of its scope."""
        return self._terms_of(occurrence, mode).say(occurrence.size)

    def _terms_of(self, occurrence: Occurrence, mode: Mode) -> Terms:
        key = (id(occurrence.frame), mode)
        known = self._terms.get(key)
        if known is None:
            frame = occurrence.frame
            terms = Terms(
                frame,
                occurrence.frames[1:],
                self.exact[occurrence.run],
                self.written.get((frame.scope.line, frame.scope.column), ()),
                mode == "by_loop",
                self._loop_names(frame),
                self._counter_names(frame),
                self.syntax.last_values(frame.scope) if mode == "ended" else {},
            )
            known = self._terms[key] = (frame, terms)
        return known[1]

    def _counter_names(self, frame: Frame) -> frozenset[str]:
        counters = [counter_of(g) for iteration in frame.loops for g in self.syntax.generators(iteration.loop)]
        return frozenset(counter.name for counter in counters if counter is not None)

    def _loop_names(self, frame: Frame) -> frozenset[str]:
        generators = [g for iteration in frame.loops for g in self.syntax.generators(iteration.loop)]
        return frozenset(n.id for g in generators for n in ast.walk(g.target) if isinstance(n, ast.Name))

    def of(self, occurrences: Sequence[Occurrence]) -> Iterator[Form]:
        """The forms that all executions agree with, the most beautiful first."""
        depth = len(_base(occurrences)[0].frame.loops)
        seen: set[str] = set()
        for text in self._texts(occurrences, depth):
            if text not in seen:
                seen.add(text)
                if agrees(text, occurrences):
                    yield Form(text)
        from lazygen.lift.riding import rides

        yield from rides(self, occurrences, depth)

    def _texts(self, occurrences: Sequence[Occurrence], depth: int) -> Iterator[str]:
        yield from self._simple(occurrences, depth)
        for level in range(depth, 0, -1):
            yield from self._first(occurrences, level)

    def _simple(self, occurrences: Sequence[Occurrence], depth: int) -> Iterator[str]:
        base = _base(occurrences)
        for mode in _MODES:
            said = [self.say(occurrence, mode) for occurrence in base]
            known = [answer for answer in said if isinstance(answer, Said)]
            if len(known) < len(base):
                continue
            texts = {answer.text for answer in known}
            if len(texts) == 1:
                yield from counted_from_end(known[0].text, base[0].frame)
                yield known[0].text
            for counter in self._counters(base[0], depth):
                yield from _indexed(base, known, counter)
                yield from _affine(base, known, counter, self._terms_of(base[0], mode))

    def _counters(self, occurrence: Occurrence, depth: int) -> Iterator[Counter]:
        for level in range(depth, 0, -1):
            counter = self.counter(occurrence, level)
            if counter is not None:
                yield counter

    def counter(self, occurrence: Occurrence, level: int) -> Counter | None:
        """The counter of the loop at a level, counted from the outermost as 1."""
        generator = self.generator(occurrence, level)
        return None if generator is None else counter_of(generator[1])

    def generator(self, occurrence: Occurrence, level: int) -> tuple[int, ast.For | ast.comprehension] | None:
        """The `for` at a level, with its number among those of its comprehension."""
        loops = occurrence.frame.loops
        place = loops[level - 1].loop
        number = sum(1 for iteration in loops[: level - 1] if iteration.loop == place)
        found = self.syntax.generators(place)
        return (number, found[number]) if number < len(found) else None

    def _first(self, occurrences: Sequence[Occurrence], level: int) -> Iterator[str]:
        """`X if i == 0 else Y`: the first iteration of a loop, by its counter, and the others."""
        counter = self.counter(_base(occurrences)[0], level)
        if counter is None:
            return
        first = [o for o in occurrences if len(o.frame.loops) >= level and o.frame.loops[level - 1].index == 0]
        rest = [o for o in occurrences if len(o.frame.loops) >= level and o.frame.loops[level - 1].index > 0]
        if not first or not rest:
            return
        others = next((text for text in self._simple(rest, level) if agrees(text, rest)), None)
        if others is None:
            return
        inner = [*self._simple(first, level - 1)]
        for outer in range(level - 1, 0, -1):
            inner += list(self._first(first, outer))
        for text in inner:
            if agrees(text, first):
                start = f"({text})" if isinstance(ast.parse(text, mode="eval").body, ast.IfExp) else text
                yield f"{start} if {counter.name} == {counter.start} else {others}"
                return


def agrees(text: str, occurrences: Sequence[Occurrence]) -> bool:
    """Whether a text gives every execution's size; what no trace can evaluate counts as giving it."""
    for occurrence in occurrences:
        value = evaluate(text, occurrence.frame)
        if value is not UNKNOWN and value != occurrence.size.value:
            return False
    return True


def _base(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    first = min(occurrence.run for occurrence in occurrences)
    return [occurrence for occurrence in occurrences if occurrence.run == first]


def _affine(base: Sequence[Occurrence], said: Sequence[Said], counter: Counter, terms: Terms) -> Iterator[str]:
    """`a + b * i` where the sizes are that at every value of the counter, as expressions."""
    points = [(dict(o.frame.values).get(counter.name), answer.expr) for o, answer in zip(base, said, strict=True)]
    numbers = [(i, e) for i, e in points if isinstance(i, int)]
    if len(numbers) < len(points) or len({o.frame.token for o in base}) > 1:
        return
    (i0, first), *others = numbers
    other = next(((i, e) for i, e in others if i != i0), None)
    if other is None:
        return
    slope = divide_exactly(add(other[1], first, -1), constant(other[0] - i0))
    if slope is None or not slope.terms or any(isinstance(c, Fraction) for c in slope.terms.values()):
        return
    offset = add(first, multiply(slope, constant(i0)), -1)
    if offset.terms and len({i for i, _ in numbers}) < 3:  # a line goes through any two points
        return
    if any(add(offset, multiply(slope, constant(i))) != e for i, e in numbers):
        return
    variable = Symbol(1 << 60, "loop", counter.name, i0)
    try:
        yield to_text(add(multiply(slope, of_atom(variable)), offset), lambda a: a.text if a is variable else terms.name_of(a))
    except Unprintable:
        return


def _indexed(base: Sequence[Occurrence], said: Sequence[Said], counter: Counter) -> Iterator[str]:
    """Texts that differ in numbers which follow the counter: `widths[0]`, `widths[1]` is `widths[i - 1]`."""
    points = [dict(o.frame.values).get(counter.name) for o in base]
    counts = [i for i in points if isinstance(i, int)]
    if len(counts) < len(points) or len(set(counts)) < 2:
        return
    merged = _merge([ast.parse(answer.text, mode="eval").body for answer in said], counts, counter.name)
    if merged is not None:
        yield ast.unparse(merged)


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
