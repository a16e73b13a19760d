"""Graphs of the TorchX style as classes: what built a graph becomes a constructor and a `forward`.

    image = L.Placeholder((8, 3, 32, 32))            class Model(nn.Module):
    x = L.Conv2d(10, kernel_size=5)(image)               def __init__(self):
    model = L.Functional(image, x)                           super().__init__()
                                                             self.conv2d_1 = L.Conv2d(10, kernel_size=5)
                                              ->
                                                         def forward(self, image):
                                                             x = self.conv2d_1(image)
                                                             return x

                                                     model = Model()

The layers keep their style: they get their sizes later, as in any other class.  What several models share is made once,
and given to their constructors: `model = Model(encoder)`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from lazygen.diagnostics import Place
from lazygen.lift.bindings import binds_one, free_uses, targets
from lazygen.lift.graph_body import Body, Bound
from lazygen.lift.graph_division import Division
from lazygen.lift.graph_edits import Converted, UnitWriter
from lazygen.lift.graph_parts import Model, PartFinder
from lazygen.lift.graph_source import GraphSource, refuse
from lazygen.lift.graph_units import Unit
from lazygen.lift.plan import DeleteStatement, Edit
from lazygen.trace.model import GraphTrace, Leaf


class Graphs:
    """Makes classes of the graphs of one file: `edits` write them, `models` are what comes of each.

    `entries` are the variables that have to stay, `values` the placeholders by the expressions that gave them.
    Raises NotConvertible, whose finding names the place that stands in the way.
    """

    def __init__(
        self, source: GraphSource, graphs: Sequence[GraphTrace], values: Mapping[Place, Leaf], entries: Collection[str]
    ) -> None:
        self.source, self.syntax = source, source.syntax
        self.body = Body(source)
        self._values, self._entries = values, set(entries)
        self.edits: list[Edit] = []
        self.models: list[Converted] = []
        if graphs:
            self._convert(sorted(map(self._model, graphs), key=lambda model: model.end.lineno))

    def _model(self, graph: GraphTrace) -> Model:
        call = self.syntax.calls.get(graph.call)
        statement = self.syntax.statement(call) if call is not None else None
        if call is None or statement not in self.syntax.tree.body or not binds_one(statement, call):
            refuse("LZ312", "a graph is converted where a variable of the module takes it, and not here", graph.call)
        assert statement is not None
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        given.update(zip(("inputs", "outputs"), call.args, strict=False))
        inputs = self._written_out(given["inputs"])
        meant = {name.id: self.body.meant[name] for name in ast.walk(inputs) if name in self.body.meant}
        return Model(statement, targets(statement)[0], inputs, given["outputs"], graph, meant)

    def _written_out(self, inputs: ast.expr) -> ast.expr:
        """The inputs as a list or a dict, if a name stands for such."""
        bound = self.body.meant.get(inputs) if isinstance(inputs, ast.Name) else None
        value = getattr(bound.statement, "value", None) if bound is not None else None
        written = isinstance(value, (ast.List, ast.Tuple, ast.Dict)) and bound is not None
        return value if written and binds_one(bound.statement, value) else inputs  # type: ignore[return-value,union-attr]

    def _convert(self, models: list[Model]) -> None:
        finder = PartFinder(self.source, self.body)
        for model in models:
            finder.check_line(model.end)
            finder.find(model)
            finder.check_modules(model.outputs)
        division = Division(self.source, self.body, models)
        units = division.units
        every = [*dict.fromkeys(part for unit in units for part in (*unit.parts, unit))]
        dead = [s for s in self._graph_statements() if not any(s in unit.statements for unit in every)]
        gone = {statement for unit in every for statement in unit.statements} | set(dead)
        owners = self._owners(every, gone | {model.end for model in models})
        dead += self._spare_layers(dead, gone)
        gone |= {*owners, *dead}
        writer = UnitWriter(self.source, self.body, finder, division.loose, owners, gone, self._values)
        for unit in units:
            writer.write(unit)
        self.edits, self.models = writer.edits, [writer.converted[unit] for unit in units]
        variables = {statement: unit.model.variable for unit in units if unit.model for statement in unit.statements}
        finder.check_uses(gone, {model.end for model in models}, variables)
        self.edits += [DeleteStatement(self.syntax.span(statement), comments=True) for statement in dead]

    def _graph_statements(self) -> Iterator[ast.stmt]:
        """The statements that only make values of graphs."""
        for statement, kind in self.body.kinds.items():
            binding = (
                isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete))
                or statement in self.body.changed
            )
            if binding and kind != "model":
                yield statement

    def _owners(self, units: Sequence[Unit], gone: Collection[ast.stmt]) -> dict[ast.stmt, Unit]:
        """The layers that have a name and are of one class alone: its constructor makes them."""
        users: dict[ast.stmt, set[Unit | None]] = {}
        for unit in units:
            for bound in self._reads(unit):
                is_other = self.body.kinds.get(bound.statement) is None
                if is_other and self.source.layer_of(bound.statement) is not None:
                    users.setdefault(bound.statement, set()).add(unit)
        for statement in self.body.statements:
            for use in free_uses(statement) if statement not in gone else ():
                meant = self.body.meant.get(use)
                if meant is not None and meant.statement in users:
                    users[meant.statement].add(None)
        owners: dict[ast.stmt, Unit] = {}
        for statement, found in users.items():
            (owner, *others) = found
            if owner is not None and not others and targets(statement)[0] not in self._entries:
                owners[statement] = owner
        return owners

    def _spare_layers(self, dead: Sequence[ast.stmt], gone: Collection[ast.stmt]) -> list[ast.stmt]:
        """The layers that only parts of graphs call which no model needs."""
        called = {bound.statement for statement in dead for bound in self.body.reads(statement)}
        stay = {name for statement in self.body.statements if statement not in dead for name in free_uses(statement)}
        kept = {self.body.meant[name].statement for name in stay if name in self.body.meant}
        return [
            statement
            for statement in self.body.statements
            if statement in called - kept - set(gone) and self.body.kinds.get(statement) is None
            if self.source.layer_of(statement) is not None and targets(statement)[0] not in self._entries
        ]

    def _reads(self, unit: Unit) -> Iterator[Bound]:
        for statement in unit.statements:
            yield from self.body.reads(statement)
        if unit.model is not None:
            yield from self.body.reads(unit.model.outputs)
