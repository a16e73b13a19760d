"""What becomes a class: its own statements and the other classes that it calls, in an order in which they can run."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from lazygen.lift.graph_body import Body, Bound
from lazygen.lift.graph_parts import Model
from lazygen.values import field, record


@record
class Unit:
    """What becomes a class.

    `statements` are those of its own, `parts` the units that it calls beside them.  `inputs` go into it, `outputs` are
    what others take from it, `users` are the models that call it.  `model` is the model that it is, if it is one.
    """

    inputs: list[Bound]
    model: Model | None = None
    statements: list[ast.stmt] = field(default_factory=list)
    parts: list[Unit] = field(default_factory=list)
    outputs: list[Bound] = field(default_factory=list)
    users: list[Model] = field(default_factory=list)

    def calls(self) -> set[ast.stmt]:
        """All the statements that run when it is called."""
        return set(self.statements) if self.model is None else self.model.calls


Item = ast.stmt | Unit


def in_order(unit: Unit, body: Body) -> tuple[list[Item], list[Item]]:
    """What a unit runs, each after what it needs, and else as in the source; then what cannot run at all, since parts
    need each other.
    """
    waiting: list[Item] = sorted([*unit.statements, *unit.parts], key=_line)
    makers = {statement: item for item in waiting for statement in _statements(item)}
    ordered: list[Item] = []
    while (ready := next((item for item in waiting if not _waits(item, waiting, makers, body)), None)) is not None:
        waiting.remove(ready)
        ordered.append(ready)
    return ordered, waiting


def ready_in(part: Unit, unit: Unit, body: Body) -> list[ast.stmt]:
    """The statements of a part that could run before all that waits for it in a unit."""
    _, waiting = in_order(unit, body)
    others = {statement for item in waiting if item is not part for statement in _statements(item)}
    found: list[ast.stmt] = []
    for statement in part.statements:
        needed = body.before(statement)
        if not needed & others and not needed & (set(part.statements) - set(found)):
            found.append(statement)
    return found


def needed_by(item: Item, body: Body) -> list[Bound]:
    """What a statement or a unit needs to run."""
    return item.inputs if isinstance(item, Unit) else list(body.reads(item))


def given_by(item: Item, body: Body) -> list[Bound]:
    """What it gives."""
    return item.outputs if isinstance(item, Unit) else [Bound(item, name) for name in body.gives(item)]


def _waits(item: Item, waiting: list[Item], makers: Mapping[ast.stmt, Item], body: Body) -> bool:
    """Whether something has to run before an item that is still to run."""
    if isinstance(item, Unit) and item.model is not None:
        needed = {bound.statement for bound in item.inputs}
    else:
        needed = {before for statement in _statements(item) for before in body.before(statement)}
    found = (makers.get(statement, item) for statement in needed)
    return any(maker is not item and maker in waiting for maker in found)


def _statements(item: Item) -> set[ast.stmt]:
    return item.calls() if isinstance(item, Unit) else {item}


def _line(item: Item) -> int:
    return max(statement.lineno for statement in _statements(item))
