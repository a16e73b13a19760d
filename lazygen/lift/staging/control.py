"""Loops and branches of a graph, which stand in the constructor, in `forward`, or in both.

Where a branch in a loop makes a layer, its list gets one that does nothing in the other branch, so that the lists of a
loop go together; where that layer takes a value and gives it back, `forward` needs no branch.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lazygen.lift.graph_source import GraphSource, refuse
from lazygen.lift.staging.loops import Entry, Loop, header, static_head
from lazygen.lift.staging.pure import is_pure
from lazygen.lift.staging.times import Times, target_names

if TYPE_CHECKING:
    from lazygen.lift.staging.expressions import Expressions
    from lazygen.lift.staging.naming import Naming

Halves = tuple[list[str], list[str]]
Given = tuple[str | Entry, str]  # the name of a layer, or its list, and what kind of layer it is


class Control:
    """What `for`, `while` and `if` become.  `loops` are those that are being taken apart, the outermost first."""

    source: GraphSource
    times: Times
    expressions: Expressions
    naming: Naming
    loops: list[Loop]
    _given: list[Given]  # what layers are called, in order
    _next: list[Given] | None = None  # what the next layers are called

    def statement(self, statement: ast.stmt) -> Halves:
        raise NotImplementedError

    def block(self, statements: Sequence[ast.stmt]) -> Halves:
        made: list[str] = []
        run: list[str] = []
        for statement in statements:
            constructor, forward = self.statement(statement)
            made += constructor
            run += forward
        return made, run

    def leading(self, statement: ast.stmt) -> list[str]:
        return [line for line in self.source.leading(statement) if line]

    # Loops

    def for_loop(self, statement: ast.For) -> Halves:
        """A loop over what is there when the model is made, or over what runs."""
        made, run, loop = self._inside(statement, target_names(statement.target))
        comments, end = self.leading(statement), self._behind_head(statement)
        runs = self.times.runs(statement.iter)
        if runs and made:
            made_head = self.static_part(statement)
        else:
            made_head = f"{self.expressions.made(statement.target)} in {self.expressions.made(statement.iter)}"
        constructor = self._making(loop, f"for {made_head}:{end}", made)
        if not run:
            return [*comments, *constructor], []
        lists = [self._read(loop, entry) for entry in loop.entries.values()]
        entries = list(loop.entries.values())
        wanted = loop.wanted | (loop.targets & self.times.running)
        head = header(statement, entries, lists, wanted, self.expressions.written)
        forward = [f"for {head}:{end}", *further_in(run)]
        return ([*comments, *constructor], forward) if constructor else ([], [*comments, *forward])

    def while_loop(self, statement: ast.While) -> Halves:
        """A loop that makes layers as long as something holds; `forward` runs over those that it made."""
        if self.times.runs(statement.test):
            self._refuse_test(statement)
        made, run, loop = self._inside(statement, set())
        head = f"while {self.expressions.made(statement.test)}:{self._behind_head(statement)}"
        constructor = [*self.leading(statement), *self._making(loop, head, made)]
        if not run:
            return constructor, []
        entries = list(loop.entries.values())
        over = header(
            None, entries, [self._read(loop, entry) for entry in entries], loop.wanted, self.expressions.written
        )
        if over is None:
            refuse(
                "LZ314",
                "this loop makes no layer, so how often it goes round is not known when the model runs",
                self.source.syntax.place(statement),
                "write it as a `for` over a range",
            )
        return constructor, [f"for {over}:", *further_in(run)]

    def _inside(self, statement: ast.For | ast.While, targets: set[str]) -> tuple[list[str], list[str], Loop]:
        if statement.orelse:
            refuse(
                "LZ314",
                "a loop with an `else` cannot be converted as a part of a graph",
                self.source.syntax.place(statement.orelse[0]),
                "write what follows the loop behind it",
            )
        loop = Loop(targets, len(self.loops) + 1)
        self.loops.append(loop)
        made, run = self.block(statement.body)
        self.loops.pop()
        return made, run, loop

    def _making(self, loop: Loop, head: str, made: list[str]) -> list[str]:
        """The loop of the constructor, with the lists that it fills."""
        if not made:
            return []
        lists = [f"{loop.list_of(entry)} = {self.source.module}.ModuleList()" for entry in loop.entries.values()]
        lines = [*lists, head, *further_in(made)]
        if loop.depth > 1:
            outer = self.loops[-1]
            for entry in loop.entries.values():
                whole = outer.entries.setdefault(entry.names, Entry(entry.names, entry.names, True))
                outer.appended.append(whole)
                lines.append(f"{outer.list_of(whole)}.append({entry.names})")
        return lines

    def _read(self, loop: Loop, entry: Entry) -> str:
        """How `forward` writes the list of an entry."""
        return f"self.{entry.names}" if loop.depth == 1 else entry.names

    def static_part(self, loop: ast.For | ast.comprehension) -> str:
        """The head of a loop over what runs where it makes layers."""
        head = static_head(loop, self.times.runs, self.expressions.made)
        if head is None:
            refuse(
                "LZ315",
                "layers are made here for each item of something that only exists while the graph runs",
                self.source.syntax.place(loop.iter),
                "go over widths as well, for x, width in zip(xs, widths, strict=True), or write the items out",
            )
        return head

    def _behind_head(self, statement: ast.For | ast.While | ast.If) -> str:
        """The comment behind the colon."""
        first, last = statement.body[0], getattr(statement, "iter", None) or statement.test  # type: ignore[union-attr]
        line = (last.end_lineno or last.lineno) - 1
        if first.lineno - 1 == line:
            return ""
        place = self.source.syntax.place(last)
        rest = self.source.lines[place.end_line - 1][place.end_column :].strip().lstrip("):").strip()
        return f"  {rest}" if rest.startswith("#") else ""

    # Branches

    def branches(self, statement: ast.If) -> Halves:
        """An `if` whose test is known when the model is made, or one that makes no layer."""
        loop = self.loops[-1] if self.loops else None
        start = len(loop.appended) if loop else 0
        self._given, given = [], self._given
        made, run = self.block(statement.body)
        named, middle = self._given, len(loop.appended) if loop else 0
        made_else, run_else, alike = self._other_branch(statement, named, run)
        self._given = [*given, *named, *(() if alike else self._given)]
        if (made or made_else) and self.times.runs(statement.test):
            self._refuse_test(statement)
        first = _once(loop.appended[start:middle]) if loop else []
        second = _once(loop.appended[middle:]) if loop else []
        only, only_else = [e for e in first if e not in second], [e for e in second if e not in first]
        if loop is not None:
            made = [*made, *(self._without(loop, entry) for entry in only_else)]
            made_else = [*made_else, *(self._without(loop, entry) for entry in only)]
        constructor = self._making_one(statement, made, made_else)
        if alike or (not run_else and _only_applies(run, only)):
            forward = run
        elif run or run_else:
            forward = self._if(self._test(statement), run, run_else, statement.test)
        else:
            forward = []
        comments = self.leading(statement)
        return ([*comments, *constructor], forward) if constructor else ([], [*comments, *forward])

    def _making_one(self, statement: ast.If, made: list[str], made_else: list[str]) -> list[str]:
        """The branches of the constructor; two that append to one list are one that appends the one or the other."""
        test = self.expressions.made(statement.test)
        if len(made) == len(made_else) == 1 and made_else[0].endswith((".Identity())", ".ModuleList())")):
            start = made_else[0].partition(".append(")[0] + ".append("
            if made[0].startswith(start) and made[0].endswith(")") and "\n" not in made[0]:
                return [f"{made[0][:-1]} if {test} else {made_else[0].removeprefix(start)}"]
        return self._if(test, made, made_else, statement.test)

    def _without(self, loop: Loop, entry: Entry) -> str:
        """What stands in a list for a layer that a round does not have."""
        nothing = "ModuleList" if entry.is_list else "Identity"
        return f"{loop.list_of(entry)}.append({self.source.module}.{nothing}())"

    def _other_branch(self, statement: ast.If, named: list[Given], run: list[str]) -> tuple[list[str], list[str], bool]:
        """The halves of the other branch; True if it does the same with other layers, which get the same names."""
        if not statement.orelse:
            self._given = []
            return [], [], False
        if named:
            kept, after = [(dict(loop.entries), list(loop.appended)) for loop in self.loops], self._next
            naming, self.naming = self.naming, self.naming.fork()
            self._next, self._given = list(named), []
            made_else, run_else = self.block(statement.orelse)
            alike, self._next = self._next == [] and run_else == run, after
            if alike:
                return made_else, run_else, True
            self.naming = naming
            for loop, (entries, appended) in zip(self.loops, kept, strict=True):
                loop.entries, loop.appended = entries, appended
        self._given = []
        made_else, run_else = self.block(statement.orelse)
        return made_else, run_else, False

    def _test(self, statement: ast.If) -> str:
        """What `forward` asks."""
        if not self.times.runs(statement.test) and not is_pure(statement.test):
            refuse(
                "LZ314",
                "what is asked here would be asked at every call of the model",
                self.source.syntax.place(statement.test),
                "give the answer a name before: flag = …",
            )
        return self.expressions.written(statement.test)

    def _if(self, test: str, lines: list[str], other: list[str], node: ast.expr) -> list[str]:
        if not lines and not other:
            return []
        if not lines:
            simple = isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
            return [f"if not {test}:" if simple and " is " not in test else f"if not ({test}):", *further_in(other)]
        if not other:
            return [f"if {test}:", *further_in(lines)]
        if other[0].startswith("if ") and all(line.startswith((" ", "else:", "elif ")) for line in other[1:]):
            return [f"if {test}:", *further_in(lines), f"el{other[0]}", *other[1:]]
        return [f"if {test}:", *further_in(lines), "else:", *further_in(other)]

    def _refuse_test(self, statement: ast.If | ast.While) -> None:
        refuse(
            "LZ320",
            f"which layers are made hangs on `{ast.unparse(statement.test)}`, which only exists while the graph runs",
            self.source.syntax.place(statement.test),
            "hand the answer in as an argument",
        )

    # Names of layers

    def attribute_for(self, made: ast.expr, variable: str) -> str:
        """The attribute of a layer that is made once."""
        kind = self.naming.kind(made)
        found = self._named_next(kind)
        attribute = found if isinstance(found, str) else self.naming.alone(made, variable)
        self._given.append((attribute, kind))
        return attribute

    def _named_next(self, kind: str) -> str | Entry | None:
        """The name that a layer of another branch has, which this one gets too; None if it gets its own."""
        if self._next and self._next[0][1] == kind:
            return self._next.pop(0)[0]
        if self._next is not None:
            self._next = [("", "")]  # another number of layers, or of another kind
        return None

    def entry_for(self, made: ast.expr, variable: str) -> Entry:
        """The list of the layers that a loop makes here."""
        loop, held = self.loops[-1], variable in self.times.layers
        entry: Entry | None = None
        if held:
            entry = next((e for e in loop.entries.values() if e.name == variable), None)
        else:
            found = self._named_next(self.naming.kind(made))
            entry = found if isinstance(found, Entry) and loop.entries.get(found.names) is found else None
        if entry is None:
            entry = Entry(*self.naming.one_of_many(made, variable, held))
            loop.entries[entry.names] = entry
        loop.appended.append(entry)
        if not held:
            self._given.append((entry, self.naming.kind(made)))
        return entry


def further_in(lines: Sequence[str]) -> list[str]:
    """Lines one level further in; the further lines of a statement stay, as a text may go on there."""
    lines = lines[1:] if lines and not lines[0] else lines
    return [f"    {line}" if line else "" for line in lines]


def _only_applies(lines: Sequence[str], entries: Sequence[Entry]) -> bool:
    """Whether lines do nothing but apply layers of some lists to a value: `x = pool(x)`, or run over an empty list."""
    layers = {entry.name for entry in entries}
    lists = {entry.names for entry in entries if entry.is_list}
    for node in ast.parse("\n".join(lines)).body:
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Name) and node.iter.id in lists:
            continue
        call = node.value if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords or not isinstance(node, ast.Assign):
            return False
        taken, function = call.args[0], call.func
        if not isinstance(taken, ast.Name) or ast.unparse(node.targets[0]) != taken.id:
            return False
        if not isinstance(function, ast.Name) or function.id not in layers:
            return False
    return bool(entries)


def _once(entries: Sequence[Entry]) -> list[Entry]:
    return list({entry.names: entry for entry in entries}.values())
