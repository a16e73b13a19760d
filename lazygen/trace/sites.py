"""Where a layer was made: the call in the source, the calls that led there, and what their scopes could say at that
moment.

Positions come from the code objects (`co_positions`, PEP 657).  Scopes and loops are those of the text, not of
frames: a comprehension has a frame of its own up to Python 3.11 only.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator
from types import CodeType, FrameType, FunctionType
from typing import Any

from lazygen.diagnostics import Place
from lazygen.frontend.calls import Key, index_calls
from lazygen.frontend.instrument import Position
from lazygen.frontend.parse import byte_to_column, split_lines, tree_of
from lazygen.symbolic.tensor import TRACED
from lazygen.trace.detours import Handing, codes_of, is_foreign, modules_of, references, value_of
from lazygen.trace.model import Call, Detour, Frame, Iteration
from lazygen.trace.names import Names
from lazygen.trace.reads import Reads, enclosing


class Sites:
    """Turns frames into frames of the trace, and code positions into places."""

    def __init__(self, reads: Reads, shown: dict[str, str]) -> None:
        self.reads = reads
        self.names = Names(reads)
        self.shown = shown  # file name -> the path that messages say
        self._positions: dict[int, tuple[CodeType, list[Any]]] = {}  # by id: the hash of a code looks at all of it
        self._lines: dict[str, list[str]] = {}
        self._known: dict[tuple[Any, ...], Frame] = {}
        self._loops_by_file: dict[str, list[tuple[Position, int]]] = {}
        self._calls: dict[str, dict[Key, ast.Call]] = {}
        self._handing = Handing({})

    # Places

    def place(self, code: CodeType, instruction: int) -> Place | None:
        """The place of an instruction of a traced file, None without column information."""
        line, end_line, column, end_column = self._span(code, instruction)
        if line is None or column is None:
            return None
        return self.of_position((code.co_filename, line, column, end_line or line, end_column or column))

    def _span(self, code: CodeType, instruction: int) -> Any:
        """First line, last line, first column and last column of an instruction, as `co_positions` has them."""
        known = self._positions.get(id(code))
        if known is None:
            known = self._positions[id(code)] = (code, list(code.co_positions()))
        return known[1][instruction // 2]

    def of_position(self, position: Position) -> Place:
        """A position in bytes as a place in code points."""
        filename, line, column, end_line, end_column = position
        return Place(
            self.shown.get(filename, filename),
            line,
            self._column(filename, line, column),
            end_line,
            self._column(filename, end_line, end_column),
        )

    def _column(self, filename: str, line: int, column: int) -> int:
        lines = self._lines.get(filename)
        if lines is None:
            lines = self._lines[filename] = split_lines(self.reads.sources.get(filename, ""))
        return byte_to_column(lines[line - 1], column) if line <= len(lines) else column

    def of_frame(self, frame: FrameType) -> Place | None:
        return self.place(frame.f_code, frame.f_lasti)

    def entered(self) -> frozenset[tuple[Place, Place]]:
        """The functions that ran while models were built, by their text, with the calls of traced files that ran
        them.
        """
        found = set()
        for (scope, _, instruction), code in self.reads.ways.entered.items():
            if code.co_filename in TRACED:
                call = self.place(code, instruction)
                if call is not None:
                    found.add((self.of_position(self.reads.tables.scopes[scope]), call))
        return frozenset(found)

    def ways(self) -> frozenset[tuple[Place, tuple[Place, ...]]]:
        """The functions that calls reached through others which may hand their arguments on, with these calls."""
        found = set()
        for scope, way in self.reads.ways.found.values():
            calls = [self.place(code, instruction) for code, instruction in way]
            known = tuple(call for call in calls if call is not None)
            found.add((self.of_position(self.reads.tables.scopes[scope]), known))
        return frozenset(found)

    # Frames

    def stack(self, depth: int, made: type) -> tuple[Frame, ...]:
        """The traced frames on the stack, innermost first, comprehensions joined with the function around them.

        `made` is the class of what the innermost makes.
        """
        return tuple(self._frames(sys._getframe(depth), made))

    def _frames(self, start: FrameType | None, made: type) -> Iterator[Frame]:
        frame = start
        skip: set[int] = set()
        inner: type | CodeType = made
        between: list[FrameType] = []
        while frame is not None:
            if frame.f_code.co_filename in TRACED and id(frame) not in skip:
                around, owner = [frame], frame
                while (outer := enclosing(owner)) is not None:
                    around.append(outer)
                    owner = outer
                    skip.add(id(outer))
                place = self.of_frame(frame)
                if place is not None:
                    yield self._frame(frame, around, place, inner, between)
                    inner, between = around[-1].f_code, []
            elif id(frame) not in skip and is_foreign(frame):
                between.append(frame)
            frame = frame.f_back

    def _frame(
        self,
        frame: FrameType,
        around: list[FrameType],
        place: Place,
        inner: type | CodeType,
        between: list[FrameType],
    ) -> Frame:
        owner = around[-1]
        token = self.reads.frame_token(owner)
        loops = tuple(self._iterations(frame, around))
        key = (
            token,
            owner.f_lasti,
            id(frame.f_code),
            frame.f_lasti,
            loops,
            id(inner),
            *(id(b.f_code) for b in between),
        )
        known = self._known.get(key)
        if known is None:
            scope = self.reads.scopes.get(token)
            scope_place = self.of_position(self.reads.tables.scopes[scope]) if scope is not None else place
            reachable, values = self.names.of(around)
            how = self._how_entered(frame, inner, between)
            detour = self._detour(frame, inner, between) if how[0] == "indirect" else None
            known = self._known[key] = Frame(
                scope_place, owner.f_code.co_qualname, token, place, loops, reachable, values, *how, detour
            )
        return known

    def _iterations(self, frame: FrameType, around: list[FrameType]) -> Iterator[Iteration]:
        """The loops whose text is around the place where the frame stands, outermost first."""
        filename = frame.f_code.co_filename
        if filename not in self._loops_by_file or len(self.reads.tables.loops) != self._loops_by_file[""][0][1]:
            self._index_loops()
        line, _, column, _ = self._span(frame.f_code, frame.f_lasti)
        at = (line, column)
        for position, number in self._loops_by_file.get(filename, ()):
            if (position[1], position[2]) <= at < (position[3], position[4]):
                for candidate in around:
                    state = self.reads.loops.get((id(candidate), number))
                    if state is not None and state[0] >= 0:
                        yield Iteration(self.of_position(position), *state)
                        break

    def _index_loops(self) -> None:
        self._loops_by_file = {"": [(("", 0, 0, 0, 0), len(self.reads.tables.loops))]}
        for number, position in enumerate(self.reads.tables.loops):
            self._loops_by_file.setdefault(position[0], []).append((position, number))

    # What is called

    def _how_entered(self, frame: FrameType, made: type | CodeType, between: list[FrameType]) -> tuple[Call, int]:
        """What the call at the frame's place calls, if that made an instance of a class or ran a code: the class or the
        function itself, a partial of it, or something else.

        Whatever gave a function, it is called at once if no frame stands in between; it may be a partial.
        """
        node = self._call_node(frame)
        if node is not None and isinstance(node.func, ast.Attribute) and _is_super(node.func.value):
            return ("call" if isinstance(made, CodeType) else "indirect"), 0
        called, given = value_of(node.func, frame) if node is not None else None, 0
        if called is None and node is not None:
            if isinstance(node.func, ast.Attribute) and isinstance(made, CodeType) and node.func.attr == made.co_name:
                return "call", 0  # a method of whatever stands before it
            return ("indirect", 0) if between else ("partial", 1)
        kind: Call = "call"
        while isinstance(called, functools.partial):
            kind, given, called = "partial", given + len(called.args), called.func
        if kind == "call" and isinstance(made, CodeType) and getattr(called, "__code__", None) is made:
            given = int(made.co_varnames[:1] in (("self",), ("cls",)) and isinstance(called, FunctionType))
        runs = called is made or (isinstance(made, CodeType) and made in codes_of(called))
        return (kind, given) if runs else ("indirect", 0)

    def _detour(self, frame: FrameType, made: type | CodeType, between: list[FrameType]) -> Detour | None:
        node = self._call_node(frame)
        if node is None:
            return None
        keywords, position = self._handing.handed_on(between)
        found = [self.of_position(_position(frame, inner)) for inner in references(node, frame, made)]
        return Detour(modules_of(between), keywords, position, tuple(found))

    def _call_node(self, frame: FrameType) -> ast.Call | None:
        line, end_line, column, end_column = self._span(frame.f_code, frame.f_lasti)
        calls = self._calls.get(frame.f_code.co_filename)
        if calls is None:
            source = self.reads.sources.get(frame.f_code.co_filename, "")
            calls = self._calls[frame.f_code.co_filename] = index_calls(tree_of(source))
        return calls.get((line, column, end_line, end_column))


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _position(frame: FrameType, node: ast.expr) -> Position:
    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return frame.f_code.co_filename, node.lineno, node.col_offset, end_line, end_column
