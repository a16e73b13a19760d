"""What several graphs of one function share becomes a model of its own, which they call.

h = L.Tanh()(L.Linear(64)(x))              h = L.Tanh()(L.Linear(64)(x))
                                           trunk = L.Functional(x, h)
                                           h = trunk(x)
actor = L.Functional(x, L.Linear(4)(h))    actor = L.Functional(x, L.Linear(4)(h))
critic = L.Functional(x, L.Linear(1)(h))   critic = L.Functional(x, L.Linear(1)(h))

Then no two graphs make one layer, and each can become a class by itself.  If one of them is the shared part, the others
call that.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from typing import NoReturn

from lazygen.diagnostics import Diagnostic, Note
from lazygen.frontend.parse import split_lines
from lazygen.lift.bindings import names_read, names_used, reads
from lazygen.lift.graph_source import NotConvertible
from lazygen.lift.staging.regions import Region
from lazygen.lift.staging.times import Times, binds, leaves, makes_layers, replaced_by


def kept_beside(regions: Sequence[Region]) -> set[ast.stmt]:
    """What several graphs read that is there before they run: it stays, and goes to all of them as an argument."""
    times = {region: region.times() for region in regions}
    return {
        s for s, users in _users(regions).items()
        if len(users) > 1 and not _is_running(s, times[users[0]]) and not times[users[0]].makes_placeholder(s)
    }  # fmt: skip


def apart(regions: Sequence[Region], text: str) -> tuple[str, Diagnostic] | None:
    """The text with one shared part as a model of its own, and what to say if that does not do the same; None if graphs
    share no layers that they make themselves.

    Raises NotConvertible: LZ316.
    """
    regions = [region for region in regions if region.begins_with_placeholders]
    users = _users(regions)
    times = {region: region.times() for region in regions}
    shared = [s for s, found in users.items() if len(found) > 1 and _applies_layers(s, found[0], times[found[0]])]
    if not shared:
        return None
    first = min(shared, key=lambda s: (-len(users[s]), s.lineno))
    return _Cut(users[first], users, first).text(text), not_apart(users[first], first)


class _Cut:
    """Cuts what begins with one statement out of the graphs that share it; `part` is what goes into the new model.

    Layers are called in the order in which they were.
    """

    def __init__(self, regions: list[Region], users: dict[ast.stmt, list[Region]], first: ast.stmt) -> None:
        self.regions, self.first, self.source = regions, first, regions[0].source
        self.times = Times([s for region in regions for s in region.moved], (), self.source, regions[0].helpers.makes)
        own = [s for region in regions for s in region.moved if len(users[s]) < len(regions)]
        others = [s for s in own if _is_running(s, self.times)]
        together = sorted((s for s in regions[0].moved if users[s] == regions), key=lambda s: s.lineno)
        self.part: list[ast.stmt] = []
        for statement in together[together.index(first) :]:
            if any(first.lineno < s.lineno < statement.lineno for s in others):
                break  # what runs in between stays there, and what comes behind it is another part
            if _is_running(statement, self.times):
                self.part.append(statement)

    @property
    def _end(self) -> int:
        return self.part[-1].lineno

    def text(self, text: str) -> str:
        """The text with the part apart."""
        outputs = self._outputs()
        inputs = self._inputs(outputs)
        model = next((region for region in self.regions if self._is_part(region, inputs, outputs)), None)
        target = None if model is None else _target(model.statement)
        if model is not None and target is not None:
            called = ast.unparse(target)
            names = [name.id for name in ast.walk(model.outputs) if isinstance(name, ast.Name)]
            return self._inserted(text, model.statement, [f"{', '.join(names)} = {called}({_listed(inputs)})"])
        name, call = self._free_name(), ast.unparse(self.regions[0].call.func)
        lines = [
            f"{name} = {call}({_listed(inputs)}, {_listed(outputs)})",
            f"{', '.join(outputs)} = {name}({_listed(inputs)})",
        ]
        return self._inserted(text, self.part[-1], lines)

    def _bound(self) -> set[str]:
        return {name for leaf in leaves(self.part) for name in binds(leaf)}

    def _outputs(self) -> list[str]:
        """The values of the part that anything reads behind it, in the order in which they get their last values."""
        wanted: set[str] = set()
        for region in self.regions:
            live = names_read(region.outputs) | names_read(region.inputs)
            for statement in reversed(region.moved):
                if statement.lineno > self._end:
                    live = (live - replaced_by(statement)) | reads(statement)
            wanted |= live & self._bound()
        last = {name: max(s.lineno for s in self.part if name in _all(s)) for name in wanted}
        passed = [s for region in self.regions for s in region.moved if s.lineno <= self._end]
        for name in wanted:
            # What is no tensor cannot come out of a model, and what gets another value on the way is not the part's.
            if name not in self.times.running or any(s.lineno > last[name] and name in _all(s) for s in passed):
                self._refuse()
        if not wanted:
            self._refuse()
        return sorted(wanted, key=lambda name: (last[name], name))

    def _inputs(self, outputs: Collection[str]) -> list[str]:
        """The placeholders that the part needs, by names that hold them where it ends."""
        wanted = set(outputs)
        needed: dict[ast.stmt, set[str]] = {}
        for statement in reversed([s for s in self.regions[0].moved if s.lineno <= self._end]):
            names = _all(statement)
            if not names & wanted:
                continue
            if self.times.makes_placeholder(statement):
                several = isinstance(getattr(statement, "value", None), ast.Tuple)
                needed[statement] = names & wanted if several else names
            wanted = (wanted - replaced_by(statement)) | {name for leaf in leaves([statement]) for name in reads(leaf)}
        given = [name.id for name in ast.walk(self.regions[0].inputs) if isinstance(name, ast.Name)]
        found = [name for name in dict.fromkeys(given) if any(name in names for names in needed.values())]
        if not found:
            self._refuse()
        return found

    def _is_part(self, region: Region, inputs: Sequence[str], outputs: Sequence[str]) -> bool:
        """Whether a graph is the part, and is there before the others go on."""
        names = region.outputs.elts if isinstance(region.outputs, (ast.List, ast.Tuple)) else [region.outputs]
        given = {name.id for name in names if isinstance(name, ast.Name)}
        if len(given) != len(names) or not set(outputs) <= given or (names != [region.outputs] and len(names) == 1):
            return False
        taken = region.inputs.elts if isinstance(region.inputs, (ast.List, ast.Tuple)) else [region.inputs]
        if [ast.unparse(node) for node in taken] != list(inputs) or _target(region.statement) is None:
            return False
        end = self._end
        if any(s.lineno > end and _is_running(s, self.times) for s in region.moved):
            return False
        others = [other for other in self.regions if other is not region]
        between = [s for other in others for s in (*other.moved, other.statement)]
        return not any(end < s.lineno <= region.statement.lineno and _is_running(s, self.times) for s in between)

    def _inserted(self, text: str, behind: ast.stmt, lines: Sequence[str]) -> str:
        """The text with lines behind a statement; refused if that shares its line with another."""
        every, number = split_lines(text), behind.end_lineno or behind.lineno
        line = every[behind.lineno - 1]
        others = (s for s in self.regions[0].block if s is not behind)
        beside = any(s.lineno <= number and behind.lineno <= (s.end_lineno or s.lineno) for s in others)
        if beside or line[: behind.col_offset].strip():
            self._refuse()
        end = "\r\n" if line.endswith("\r\n") else "\n"
        added = [f"{line[: behind.col_offset]}{new}{end}" for new in lines]
        return "".join([*every[:number], *added, *every[number:]])

    def _free_name(self) -> str:
        taken = names_used(self.source.syntax.tree) | {
            part.arg for part in ast.walk(self.source.syntax.tree) if isinstance(part, ast.arg)
        }
        return next(name for name in ("trunk", *(f"trunk_{n}" for n in range(2, len(taken) + 3))) if name not in taken)

    def _refuse(self) -> NoReturn:
        raise NotConvertible(not_apart(self.regions, self.first))


def not_apart(regions: Sequence[Region], statement: ast.stmt) -> Diagnostic:
    """That what graphs share cannot be told apart from the rest."""
    place = regions[0].source.syntax.place
    return Diagnostic(
        "LZ316",
        "two models share a part of a graph that cannot be taken out of both",
        place(statement),
        (Note("one model", place(regions[0].call)), Note("the other", place(regions[1].call))),
        ("make the shared part a model of its own, and call it in both",),
    )


def _users(regions: Sequence[Region]) -> dict[ast.stmt, list[Region]]:
    """The graphs that a statement builds a part of."""
    found: dict[ast.stmt, list[Region]] = {}
    for region in regions:
        for statement in region.moved:
            found.setdefault(statement, []).append(region)
    return found


def _is_running(statement: ast.stmt, times: Times) -> bool:
    """Whether something in a statement is there only while the graph runs, but for placeholders alone."""
    return any(times.is_running(leaf) and not times.makes_placeholder(leaf) for leaf in leaves([statement]))


def _applies_layers(statement: ast.stmt, region: Region, times: Times) -> bool:
    """Whether a statement makes layers, or takes them from a list or a name, and applies them."""
    read = {name for leaf in leaves([statement]) for name in names_read(leaf)}
    held = read & (times.layers | times.containers.keys())
    return _is_running(statement, times) and (bool(held) or makes_layers(statement, region.helpers.makes))


def _all(statement: ast.stmt) -> set[str]:
    return {name for leaf in leaves([statement]) for name in binds(leaf)}


def _target(statement: ast.stmt) -> ast.expr | None:
    """What alone takes the value of an assignment, if it is a name, or an attribute of one."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    target = targets[0] if len(targets) == 1 else None
    plain = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
    return target if isinstance(target, ast.Name) or plain else None


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"[{', '.join(names)}]"
