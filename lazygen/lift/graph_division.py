"""Who makes what, where several models are cut from one graph, so that what they share stays one.

encoder = L.Functional(x, h)         Encoder
autoencoder = L.Functional(x, y)     Autoencoder, which takes the encoder: all of its calls are among its own
actor = L.Functional(x, a)           Actor and Critic, which take a part that is a class too: what leads to
critic = L.Functional(x, v)          both a and v
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from lazygen.lift.bindings import binds_one
from lazygen.lift.graph_body import Body, Bound
from lazygen.lift.graph_parts import Model
from lazygen.lift.graph_source import GraphSource
from lazygen.lift.graph_units import Unit, in_order, ready_in


class Division:
    """Divides the calls of several models among `units`, one for each model in their order and what these call.

    `loose` are the calls that make layers which several units call at one and the same place, with that statement.
    """

    def __init__(self, source: GraphSource, body: Body, models: list[Model]) -> None:
        self.source, self.body, self.models = source, body, models
        self._apart: set[tuple[ast.stmt, ast.stmt]] = set()  # models that do not call others, which are parts of them
        self._levels: dict[ast.stmt, int] = {}  # of a part that is cut in the middle, which piece a statement is in
        self.units = self._divided()
        while (stuck := next((unit for unit in self.units if in_order(unit, body)[1]), None)) is not None:
            self._cut(stuck)
            self.units = self._divided()

    def _divided(self) -> list[Unit]:
        self.loose: dict[ast.Call, ast.stmt] = {}
        units = {model.end: Unit(list(model.inputs.values()), model) for model in self.models}
        own = {model.end: self._with_parts(model, units) for model in self.models}
        for users, statements in self._shared(own):
            self._share([units[model.end] for model in users], statements)
        for unit in units.values():
            unit.statements.sort(key=lambda statement: statement.lineno)
            for part in unit.parts:
                self._take(part, unit)
        return list(units.values())

    def _cut(self, unit: Unit) -> None:
        """Let a part that something else has to run in the middle of be two."""
        _, waiting = in_order(unit, self.body)
        for part in waiting:
            if isinstance(part, Unit) and part.model is None:
                first = ready_in(part, unit, self.body)
                if first:
                    rest = [statement for statement in part.statements if statement not in first]
                    self._levels.update({statement: self._levels.get(statement, 0) + 1 for statement in rest})
                    return
        called = next(part for part in waiting if isinstance(part, Unit) and part.model is not None)
        assert unit.model is not None and called.model is not None
        self._apart.add((unit.model.end, called.model.end))

    # Models in models

    def _with_parts(self, model: Model, units: dict[ast.stmt, Unit]) -> set[ast.stmt]:
        """Let a model call the others that are a part of it; what is left of its calls."""
        left = set(model.calls)
        parts = [other for other in self.models if self._is_part(other, model)]
        for other in sorted(parts, key=lambda other: -len(other.calls)):
            if other.calls <= left:
                left -= other.calls
                units[model.end].parts.append(units[other.end])
        return left

    def _is_part(self, part: Model, whole: Model) -> bool:
        """Whether a call of one model can stand for its calls in another, which then takes no other value from it."""
        if part is whole or (whole.end, part.end) in self._apart or not part.calls or not part.calls <= whole.calls:
            return False
        if part.calls == whole.calls and part.end.lineno > whole.end.lineno:
            return False
        if not set(part.inputs.values()) <= {*whole.inputs.values(), *self._given(whole.calls - part.calls)}:
            return False
        return _is_plain(part.outputs) and self._taken_by(whole, part.calls) <= set(self.body.reads(part.outputs))

    def _given(self, statements: Iterable[ast.stmt]) -> Iterator[Bound]:
        return (Bound(statement, name) for statement in statements for name in self.body.gives(statement))

    def _taken_by(self, model: Model, calls: set[ast.stmt]) -> set[Bound]:
        """What a model needs of some of its calls beside them."""
        reads = {bound for statement in model.calls - calls for bound in self.body.reads(statement)}
        return {bound for bound in reads | set(self.body.reads(model.outputs)) if bound.statement in calls}

    # What models share

    def _shared(self, own: dict[ast.stmt, set[ast.stmt]]) -> list[tuple[list[Model], list[ast.stmt]]]:
        """The statements that are left, by the models that have them."""
        groups: dict[tuple[int, ...], list[ast.stmt]] = {}
        users: dict[tuple[int, ...], list[Model]] = {}
        for statement in self.body.statements:
            found = [number for number, model in enumerate(self.models) if statement in own[model.end]]
            if found:
                key = (self._levels.get(statement, 0), *found)
                users[key] = [self.models[number] for number in found]
                groups.setdefault(key, []).append(statement)
        return [(users[key], statements) for key, statements in groups.items()]

    def _share(self, units: list[Unit], statements: list[ast.stmt]) -> None:
        alone = len(units) == 1 or not any(self._calls_layer(statement) for statement in statements)
        if not alone and len(statements) == 1 and self._is_call_of_one(statements[0]):
            made = statements[0].value.func  # type: ignore[attr-defined]
            if isinstance(made, ast.Call):
                self.loose[made] = statements[0]
            alone = True
        if alone:
            for unit in units:
                unit.statements += statements
            return
        inputs = dict.fromkeys(bound for statement in statements for bound in self.body.reads(statement))
        inside = [bound for bound in inputs if self.body.is_value(bound) and bound.statement not in statements]
        shared = Unit(inside, statements=list(statements))
        for unit in units:
            unit.parts.append(shared)

    def _calls_layer(self, statement: ast.stmt) -> bool:
        held = any(self._is_layer(bound) for bound in self.body.reads(statement))
        return held or any(self.source.makes_layer(node) for node in ast.walk(statement))

    def _is_layer(self, bound: Bound) -> bool:
        if self.body.is_value(bound):
            return False
        return self.body.kinds.get(bound.statement) == "model" or self.source.layer_of(bound.statement) is not None

    def _is_call_of_one(self, statement: ast.stmt) -> bool:
        """Whether a statement is `h = L.Dense(4)(x)` or `h = layer(x)`."""
        value = getattr(statement, "value", None)
        if not isinstance(value, ast.Call) or value in self.source.spelled or not binds_one(statement, value):
            return False
        arguments = [*value.args, *value.keywords]
        if any(self.source.makes_layer(node) for argument in arguments for node in ast.walk(argument)):
            return False
        made = value.func
        return isinstance(made, ast.Name) or (isinstance(made, ast.Call) and self.source.makes_layer(made))

    def _take(self, part: Unit, unit: Unit) -> None:
        """Note what a unit takes from a part of it; the outputs of a part stay in the order in which they are made."""
        assert unit.model is not None
        outputs = {*part.outputs, *self._taken_by(unit.model, part.calls())}
        part.outputs = sorted(outputs, key=lambda bound: (bound.statement.lineno, self._place(bound)))
        part.users.append(unit.model)

    def _place(self, bound: Bound) -> int:
        return self.body.gives(bound.statement).index(bound.name)


def _is_plain(outputs: ast.expr) -> bool:
    """Whether outputs are values that have names, nested in lists and dicts."""
    shapes = (ast.Name, ast.List, ast.Tuple, ast.Dict, ast.Constant, ast.expr_context)
    return all(isinstance(node, shapes) for node in ast.walk(outputs))
