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

The layers keep their style: they get their sizes later, as in any other class.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lazygen.diagnostics import Diagnostic, Place
from lazygen.lift.bindings import binds_one, names_used, targets
from lazygen.lift.graph_layers import Layers
from lazygen.lift.graph_parts import PartFinder, Parts
from lazygen.lift.graph_source import GraphSource, NotConvertible, refuse
from lazygen.lift.graph_text import Argument, arguments_of, class_name, described
from lazygen.lift.plan import DeleteStatement, Edit, GraphClass, WriteGraph
from lazygen.trace.model import GraphTrace
from lazygen.values import replace, value


@value
class Model:
    """A graph that becomes a class.

    `attributes` are the names of the layers by the calls that make them, `edits` what writes the class.
    """

    variable: str
    attributes: tuple[tuple[Place, str], ...]
    arguments: tuple[Argument, ...]
    edits: tuple[Edit, ...]


class Graphs:
    """Makes classes of the graphs of one file."""

    def __init__(self, source: GraphSource) -> None:
        self.source, self.syntax, self.splices = source, source.syntax, source.splices
        self._taken = names_used(source.syntax.tree) | set(source.syntax.classes)
        self._finder = PartFinder(source)

    def model(self, graph: GraphTrace) -> Model:
        """The class of a graph.

        Raises NotConvertible, whose finding names the place that stands in the way.
        """
        call = self.syntax.calls.get(graph.call)
        statement = self.syntax.statement(call) if call is not None else None
        if call is None or statement not in self.syntax.tree.body or not binds_one(statement, call):
            refuse("LZ312", "a graph is converted where a variable of the module takes it, and not here", graph.call)
        assert statement is not None
        variable = targets(statement)[0]
        inputs, outputs = self._ends(call)
        arguments = arguments_of(inputs, graph.inputs, self.syntax)
        if isinstance(arguments, Diagnostic):
            raise NotConvertible(arguments)
        parts = self._finder.parts(statement, {name for argument in arguments for name in argument.variables}, outputs)
        self._finder.check(statement, variable, parts, outputs)
        layers = Layers(self.source, parts, [argument.name for argument in arguments])
        arguments = [self._renamed(argument, parts, layers, outputs) for argument in arguments]
        layers.extract([*parts.calls], outputs)
        written = self._class(variable, statement, parts, layers, arguments, outputs, graph)
        edits: list[Edit] = [WriteGraph(self.syntax.span(statement), written)]
        edits += [DeleteStatement(self.syntax.span(moved), comments=True) for moved in parts.moved()]
        edits.append(DeleteStatement(self.syntax.span(statement)))
        return Model(variable, tuple(layers.attributes.items()), tuple(arguments), tuple(edits))

    def leftovers(self, variable: str) -> list[Edit]:
        """The parts of graphs that no model needs go too; `variable` is one of the models.

        Raises NotConvertible.
        """
        dead = self._finder.dead(variable)
        return [DeleteStatement(self.syntax.span(statement), comments=True) for statement in dead]

    def _renamed(self, argument: Argument, parts: Parts, layers: Layers, outputs: ast.expr) -> Argument:
        """The argument, under whose name its placeholder goes from now on if nothing else has that name."""
        if len(argument.variables) != 1 or argument.unpacking != (f"{argument.variables[0]} = {argument.name}",):
            return argument
        names = {name for part in (*parts.moved(), outputs) for name in names_used(part)}
        if argument.name in names or not layers.is_bound_once(argument.variables[0]):
            return argument
        layers.renames[argument.variables[0]] = argument.name
        return replace(argument, unpacking=())

    def _ends(self, call: ast.Call) -> tuple[ast.expr, ast.expr]:
        """The inputs and the outputs of a graph as the call states them."""
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        given.update(zip(("inputs", "outputs"), call.args, strict=False))
        return given["inputs"], given["outputs"]

    def _class(
        self, variable: str, end: ast.stmt, parts: Parts, layers: Layers,
        arguments: Sequence[Argument], outputs: ast.expr, graph: GraphTrace,
    ) -> GraphClass:  # fmt: skip
        name = class_name(variable, self._taken)
        self._taken.add(name)
        lines: list[str] = [comment for part in parts.placeholders for comment in self.source.comments(part)]
        lines += [line for argument in arguments for line in argument.unpacking]
        for statement in parts.calls:
            leading = self.source.leading(statement)
            lines += leading if lines else [line for line in leading if line]
            lines += (self._line(statement) + self.source.trailing(statement)).split("\n")
        return GraphClass(
            name=name,
            variable=variable,
            base=f"{self.source.module}.Module",
            docstring=described(arguments, outputs, graph),
            arguments=tuple(argument.name for argument in arguments),
            layers=tuple(layers.lines),
            lines=tuple(lines),
            result=self.splices.text(outputs),
            behind=self.source.trailing(end),
        )

    def _line(self, statement: ast.stmt) -> str:
        """The statement in `forward`.  `x += y` makes a new placeholder, but would change a tensor that others hold."""
        if not isinstance(statement, ast.AugAssign):
            return self.splices.text(statement)
        target, operation = ast.unparse(statement.target), ast.BinOp(ast.Name("a"), statement.op, ast.Name("b"))
        sign = ast.unparse(operation)[2:-2]
        right = self.splices.text(statement.value)
        simple = isinstance(statement.value, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant))
        return f"{target} = {target} {sign} {right if simple else f'({right})'}"
