"""The edits that write the classes of graphs, those that others need before them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from lazygen.diagnostics import Diagnostic, Note, Place
from lazygen.lift.bindings import bound_in, names_used, targets
from lazygen.lift.graph_body import Body, Bound
from lazygen.lift.graph_classes import ClassWriter, Written
from lazygen.lift.graph_layers import Held, Key, kind_of
from lazygen.lift.graph_parts import PartFinder
from lazygen.lift.graph_source import GraphSource, NotConvertible
from lazygen.lift.graph_text import Argument, arguments_of, class_name, described, described_part
from lazygen.lift.graph_units import Unit, in_order
from lazygen.lift.plan import DeleteStatement, Edit, GraphClass, InsertStatements, WriteGraph
from lazygen.trace.model import Leaf
from lazygen.values import value

_SHORT = 2  # a name of so few letters says nothing


@value
class Converted:
    """A unit that became a class.

    `paths` are the names of its layers by the calls that make them, `call` makes the model that it is, `arguments` are
    those of its `forward`.
    """

    variable: str
    call: Place | None
    paths: tuple[tuple[Place, str], ...]
    arguments: tuple[Argument, ...]


class UnitWriter:
    """Writes units as classes.

    `loose` are layers that a variable of the module will hold, `owners` the units whose constructors make layers that
    a variable held, `gone` the statements that go.
    """

    def __init__(
        self, source: GraphSource, body: Body, finder: PartFinder, loose: Mapping[ast.Call, ast.stmt],
        owners: Mapping[ast.stmt, Unit], gone: Collection[ast.stmt], values: Mapping[Place, Leaf],
    ) -> None:  # fmt: skip
        self.source, self.syntax, self.body, self.finder = source, source.syntax, body, finder
        self.loose, self.owners, self.gone, self.values = loose, owners, gone, values
        self.edits: list[Edit] = []
        self.converted: dict[Unit, Converted] = {}
        self._taken = names_used(self.syntax.tree) | set(self.syntax.classes)
        self._held: dict[ast.Call, Held] = {}  # loose layers that are written
        self._variables: set[str] = set()  # what holds units and layers
        self._commented: set[ast.stmt] = set()  # statements whose comments stand somewhere
        self._deleted: set[ast.stmt] = set()

    def write(self, unit: Unit) -> None:
        """Write a unit of a model, and what it needs, before the statement that makes the model."""
        assert unit.model is not None
        self._write(unit, unit.model.end)

    def _write(self, unit: Unit, anchor: ast.stmt) -> None:
        if unit in self.converted:
            return
        for item in in_order(unit, self.body)[0]:
            if isinstance(item, Unit):
                self._write(item, anchor)
        for made, statement in self.loose.items():
            if statement in unit.statements and made not in self._held:
                self._write_layer(made, statement, anchor)
        arguments, inputs = self._arguments(unit)
        own = dict(self._own(unit))
        held, taken = dict(self._held_by(unit, anchor)), set(self._taken)
        writer = ClassWriter(self.source, self.body, unit, arguments, inputs, held, own, taken, self._commented)
        written = writer.written(list(self._comments(inputs.values())))
        self.finder.check_rebinding(written.reads, anchor, self.gone)
        variable = unit.model.variable if unit.model is not None else self._variable(unit)
        call = None if unit.model is None else self.syntax.place(unit.model.end.value)  # type: ignore[attr-defined]
        paths = {**dict(written.paths), **dict(self._inner_paths(unit, writer))}
        self._variables.add(variable)
        self.converted[unit] = Converted(variable, call, tuple(paths.items()), tuple(arguments))
        self._edit(unit, self._class(unit, variable, arguments, written), anchor, own)

    def _edit(self, unit: Unit, written: GraphClass, anchor: ast.stmt, own: Collection[ast.stmt]) -> None:
        self.edits.append(WriteGraph(self.syntax.span(anchor), written))
        for statement in (*self._inputs_of(unit), *unit.statements, *own):
            self._delete(statement)
        if unit.model is not None:
            self._delete(unit.model.end)

    def _inputs_of(self, unit: Unit) -> Iterator[ast.stmt]:
        return (bound.statement for bound in unit.inputs if self.body.kinds.get(bound.statement) == "placeholder")

    def _delete(self, statement: ast.stmt) -> None:
        if statement not in self._deleted:
            self._deleted.add(statement)
            self.edits.append(DeleteStatement(self.syntax.span(statement), comments=True))

    # What goes into a class

    def _arguments(self, unit: Unit) -> tuple[list[Argument], dict[str, Bound]]:
        if unit.model is not None:
            found = arguments_of(unit.model.given, unit.model.graph.inputs, self.syntax)
            if isinstance(found, Diagnostic):
                raise NotConvertible(found)
            return found, unit.model.inputs
        inputs: dict[str, Bound] = {}
        for bound in unit.inputs:
            names = [bound.name, *(f"{bound.name}_{number}" for number in range(2, len(unit.inputs) + 2))]
            inputs[next(name for name in names if name not in inputs)] = bound
        arguments = [Argument(name, ((name, name),), False, self._shape(bound)) for name, bound in inputs.items()]
        return arguments, inputs

    def _held_by(self, unit: Unit, anchor: ast.stmt) -> Iterator[tuple[Key, Held]]:
        """What variables of the module hold for a unit, in the order in which it is called."""
        for item in [*in_order(unit, self.body)[0], *([] if unit.model is None else [unit.model.outputs])]:
            if isinstance(item, Unit):
                key: Key = item if item.model is None else item.model.end
                call = None if item.model is None else item.model.end.value  # type: ignore[attr-defined]
                yield key, Held(self.converted[item].variable, call)
                continue
            for bound in self.body.reads(item):
                made = self._layer(bound)
                if made is not None and bound.statement not in self.owners:
                    self._check_there(bound, anchor)
                    yield bound.statement, Held(bound.name, made)
            for node in ast.walk(item):
                if isinstance(node, ast.Call) and node in self._held:
                    yield node, self._held[node]

    def _own(self, unit: Unit) -> Iterator[tuple[ast.stmt, ast.Call]]:
        """The layers that variables of the graph hold and only this unit calls."""
        for statement, owner in self.owners.items():
            made = self.source.layer_of(statement)
            if owner is unit and made is not None:
                yield statement, made

    def _layer(self, bound: Bound) -> ast.Call | None:
        """The call that makes what a name holds, if that is a layer or a model."""
        if self.body.is_value(bound):
            return None
        if self.body.kinds.get(bound.statement) == "model":
            return bound.statement.value  # type: ignore[attr-defined,no-any-return]
        return self.source.layer_of(bound.statement)

    def _check_there(self, bound: Bound, anchor: ast.stmt) -> None:
        """Refuse a layer whose variable holds something else by the time that a class is given it."""
        for statement in self.body.statements:
            between = bound.statement.lineno < statement.lineno < anchor.lineno
            if between and statement not in self.gone and bound.name in bound_in(statement):
                raise NotConvertible(
                    Diagnostic(
                        "LZ319",
                        f"`{bound.name}` gets another value here while the graph that reads it is built",
                        self.syntax.place(statement),
                        (Note("the graph takes it from here", self.syntax.place(bound.statement)),),
                        ("give the second value another name",),
                    )
                )

    def _comments(self, inputs: Collection[Bound]) -> Iterator[str]:
        """The comments of placeholders, in the first class that takes these."""
        for statement in sorted({bound.statement for bound in inputs}, key=lambda statement: statement.lineno):
            if self.body.kinds.get(statement) == "placeholder" and statement not in self._commented:
                self._commented.add(statement)
                yield from self.source.comments(statement)

    def _inner_paths(self, unit: Unit, writer: ClassWriter) -> Iterator[tuple[Place, str]]:
        """The names of the layers that are in other units."""
        for part in unit.parts:
            attribute = writer.layers.held[part if part.model is None else part.model.end]
            for place, path in self.converted[part].paths:
                yield place, f"{attribute}.{path}"

    # What is said of it

    def _class(self, unit: Unit, variable: str, arguments: list[Argument], written: Written) -> GraphClass:
        name = class_name(variable, self._taken)
        self._taken.add(name)
        model = unit.model
        if model is not None:
            docstring = described(arguments, model.outputs, model.graph)
        else:
            outputs = [(bound.name, self._shape(bound)) for bound in unit.outputs]
            docstring = described_part([user.variable for user in unit.users], arguments, outputs)
        return GraphClass(
            name=name,
            variable=variable,
            base=f"{self.source.module}.Module",
            docstring=docstring,
            parameters=tuple(parameter for parameter, _ in written.parameters),
            given=tuple(given for _, given in written.parameters),
            arguments=tuple(argument.name for argument in arguments),
            layers=written.layers,
            lines=written.lines,
            result=written.result,
            above=() if model is None else tuple(line for line in self.source.leading(model.end) if line),
            behind="" if model is None else self.source.trailing(model.end),
        )

    def _shape(self, bound: Bound) -> Leaf | None:
        """The shape of a value, where the expression that gave it is known."""
        statement = bound.statement
        value = getattr(statement, "value", None)
        if isinstance(value, ast.Tuple) and isinstance(statement, ast.Assign):
            (target,) = statement.targets[:1]
            names = [getattr(part, "id", "") for part in getattr(target, "elts", ())]
            value = value.elts[names.index(bound.name)] if bound.name in names else None
        if isinstance(value, ast.Name) and value in self.body.meant:
            return self._shape(self.body.meant[value])
        whole = value if not isinstance(statement, ast.AugAssign) else statement
        return None if whole is None else self.values.get(self.syntax.place(whole))

    def _variable(self, unit: Unit) -> str:
        """A name for what several models share: that of what it gives, if this says something and is free."""
        name = unit.outputs[0].name if len(unit.outputs) == 1 else ""
        return name if self._is_good(name) else self._free("shared")

    def _is_good(self, name: str) -> bool:
        """Whether a name says something, and nothing has it but values of graphs."""
        if len(name) <= _SHORT or name in self._variables:
            return False
        users = [statement for statement in self.body.statements if name in names_used(statement)]
        return all(self.body.kinds.get(user) is not None for user in users) and not any(
            self.body.kinds.get(user) == "model" and name in bound_in(user) for user in users
        )

    def _free(self, name: str) -> str:
        candidates = [name, *(f"{name}_{number}" for number in range(2, len(self._taken) + 3))]
        found = next(candidate for candidate in candidates if candidate not in self._taken)
        self._taken.add(found)
        return found

    def _write_layer(self, made: ast.Call, statement: ast.stmt, anchor: ast.stmt) -> None:
        """Let a variable hold a layer that several units call."""
        name = targets(statement)[0]
        variable = name if self._is_good(name) else self._free(f"shared_{kind_of(made, self.source)}")
        self._variables.add(variable)
        self._held[made] = Held(variable, made)
        self._commented.add(statement)
        lines = [line for line in self.source.leading(statement) if line]
        lines.append(f"{variable} = {self.source.splices.text(made)}{self.source.trailing(statement)}")
        self.edits.append(InsertStatements(self.syntax.span(anchor), "\n".join(lines) + "\n"))
