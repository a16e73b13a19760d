"""The text of one class of a graph: its constructor and its `forward`, out of the statements that built it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from lazygen.diagnostics import Diagnostic, Note, Place
from lazygen.lift.bindings import loads
from lazygen.lift.graph_body import Body, Bound
from lazygen.lift.graph_layers import Held, Key, Layers
from lazygen.lift.graph_names import Names, Step
from lazygen.lift.graph_parts import Model
from lazygen.lift.graph_source import GraphSource, NotConvertible, refuse
from lazygen.lift.graph_text import Argument, key_text
from lazygen.lift.graph_units import Unit, given_by, in_order, needed_by
from lazygen.values import value


@value
class Written:
    """What a class consists of: `parameters` of its constructor with what they are given, and lines of text.

    `paths` are the names of the layers in it by the calls that make them; `reads` are the names of the module that it
    reads, each with whether the constructor does.
    """

    parameters: tuple[tuple[str, str], ...]
    layers: tuple[str, ...]
    lines: tuple[str, ...]
    result: str
    paths: tuple[tuple[Place, str], ...]
    reads: tuple[tuple[ast.Name, bool], ...]


class ClassWriter:
    """Writes the class of one unit.

    `arguments` are those of its `forward`, `inputs` what their variables mean, `held` what variables of the module hold
    for it, the units that it calls among them, `own` the layers that are made in its constructor.
    """

    def __init__(
        self, source: GraphSource, body: Body, unit: Unit, arguments: Sequence[Argument], inputs: Mapping[str, Bound],
        held: Mapping[Key, Held], own: dict[ast.stmt, ast.Call], taken: set[str], commented: set[ast.stmt],
    ) -> None:  # fmt: skip
        self.source, self.body, self.unit = source, body, unit
        self.arguments, self.inputs, self.held, self.own = arguments, inputs, held, own
        self.items, _ = in_order(unit, body)
        self._commented = commented
        self._read: set[Bound] = set()
        self.names = self._named(taken)
        self.layers = Layers(source, body, self.names, own, held)

    def written(self, comments: Sequence[str]) -> Written:
        """The class; `comments` stand at the top of its `forward`."""
        outputs = self._outputs()
        self.layers.extract([*self.items, *([] if outputs is None else [outputs])])
        lines = list(comments)
        names = {variable: self._name(bound) for variable, bound in self.inputs.items()}
        lines += [line for argument in self.arguments for line in argument.unpacking(names)]
        for item in self.items:
            more = self._call(item) if isinstance(item, Unit) else self._lines(item)
            lines += more if lines else [line for line in more if line]
        return Written(
            tuple(self.layers.parameters),
            tuple(self.layers.lines),
            tuple(lines),
            self._result(),
            tuple(self.layers.attributes.items()),
            tuple(self._reads()),
        )

    # Names

    def _named(self, taken: set[str]) -> Names:
        outputs = self._outputs()
        ends = list(self.body.reads(outputs)) if outputs is not None else list(self.unit.outputs)
        given = {self.inputs[a.steps[0][0]]: a.name for a in self.arguments if a.is_plain}
        unpacked = [self.inputs[v] for a in self.arguments if not a.is_plain for v, _ in a.steps]
        steps = [Step([], unpacked), *(Step(needed_by(i, self.body), given_by(i, self.body)) for i in self.items)]
        steps = [Step(self._values(s.reads), self._values(s.gives)) for s in [*steps, Step(ends, [])]]
        self._check(steps, set(given))
        others = {"self", *(name.id for name, at_once in self._reads() if not at_once)}
        hidden = next((name for name in given.values() if name in others), None)
        if hidden is not None:
            refuse(
                "LZ321",
                f"`{hidden}` is the name of an input, and of something else that the graph reads",
                self._place(),
                "give one of them another name",
            )
        self._read = {bound for step in steps for bound in step.reads}
        return Names(self.body, given, steps, others, taken)

    def _values(self, bounds: Sequence[Bound]) -> list[Bound]:
        return [bound for bound in bounds if self.body.is_value(bound)]

    def _check(self, steps: Sequence[Step], given: set[Bound]) -> None:
        """Refuse what reads a value that is not there: of a statement that gives several, some may hang on others."""
        known = set(given)
        for step in steps:
            for bound in step.reads:
                if bound not in known:
                    raise NotConvertible(
                        Diagnostic(
                            "LZ313",
                            f"a model needs `{bound.name}`, which none of its inputs leads to",
                            self._place(),
                            (Note("it is made here", self.source.syntax.place(bound.statement)),),
                            ("give each of several values that one statement makes a statement of its own",),
                        )
                    )
            known.update(step.gives)

    def _name(self, bound: Bound) -> str:
        return self.names.of(bound) or bound.name

    def _place(self) -> Place:
        end = self.unit.model.end if self.unit.model is not None else self.unit.statements[0]
        return self.source.syntax.place(end)

    def _outputs(self) -> ast.expr | None:
        return None if self.unit.model is None else self.unit.model.outputs

    def _reads(self) -> list[tuple[ast.Name, bool]]:
        """The names of the module that the class reads."""
        found = []
        outputs = self._outputs()
        for node in [*self.unit.statements, *([] if outputs is None else [outputs]), *self.own.values()]:
            in_layer = {name for part in ast.walk(node) if self.source.makes_layer(part) for name in loads(part)}
            for name in loads(node):
                bound = self.body.meant.get(name)
                held = bound is not None and (bound.statement in self.held or bound.statement in self.own)
                if not held and (bound is None or not self.body.is_value(bound)):
                    found.append((name, name in in_layer))
        return found

    # Lines

    def _text(self, node: ast.stmt | ast.expr) -> str:
        splices = self.source.splices
        return splices.text(node, [*self.layers.changes, *self.names.changes(node, splices)])

    def _lines(self, statement: ast.stmt) -> list[str]:
        text = self._augmented(statement) if isinstance(statement, ast.AugAssign) else self._text(statement)
        leading, behind = self.source.leading(statement), self.source.trailing(statement)
        if statement in self._commented:  # by a statement that several classes have
            leading, behind = [] if any(leading) else leading, ""
        self._commented.add(statement)
        return [*leading, *(text + behind).split("\n")]

    def _augmented(self, statement: ast.AugAssign) -> str:
        """`x += y` makes a new placeholder, but would change a tensor that others hold."""
        if not isinstance(statement.target, ast.Name):
            return self._text(statement)
        operation = ast.BinOp(ast.Name("a"), statement.op, ast.Name("b"))
        sign = ast.unparse(operation)[2:-2]
        target = self._name(Bound(statement, statement.target.id))
        left = self._name(self.body.meant[statement.target])
        right = self._text_of_value(statement)
        simple = isinstance(statement.value, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant))
        return f"{target} = {left} {sign} {right if simple else f'({right})'}"

    def _text_of_value(self, statement: ast.AugAssign) -> str:
        splices = self.source.splices
        return splices.text(statement.value, [*self.layers.changes, *self.names.changes(statement, splices)])

    def _result(self) -> str:
        outputs = self._outputs()
        if outputs is None:
            return ", ".join(map(self._name, self.unit.outputs))
        return self._text(outputs)

    # Calls of other units

    def _call(self, part: Unit) -> list[str]:
        """The call of a unit, and what takes its result apart."""
        model = part.model
        if model is None:
            given = ", ".join(map(self._name, part.inputs))
            return [f"{', '.join(map(self._wanted, part.outputs))} = self.{self.layers.held[part]}({given})"]
        call = f"self.{self.layers.held[model.end]}({', '.join(self._given(model))})"
        outputs = model.outputs
        if isinstance(outputs, ast.Name):
            return [f"{self._wanted(self.body.meant[outputs])} = {call}"]
        if isinstance(outputs, (ast.List, ast.Tuple)) and len(outputs.elts) > 1:
            names = [node for node in outputs.elts if isinstance(node, ast.Name)]
            if len(names) == len(outputs.elts):
                return [f"{', '.join(self._wanted(self.body.meant[name]) for name in names)} = {call}"]
        result = self.names.free("result")
        taken = {self.body.meant[name]: path for name, path in _paths(outputs, result)}
        return [f"{result} = {call}", *(f"{self._name(b)} = {path}" for b, path in taken.items() if b in self._read)]

    def _wanted(self, bound: Bound) -> str:
        return self._name(bound) if bound in self._read else "_"

    def _given(self, model: Model) -> list[str]:
        """The arguments for the call of a model."""
        if isinstance(model.given, (ast.List, ast.Tuple)):
            return [self._said(node, model) for node in model.given.elts]
        if isinstance(model.given, ast.Dict):
            return [self._said(node, model) for node in model.given.values]
        return [self._said(model.given, model)]

    def _said(self, node: ast.expr, model: Model) -> str:
        """Inputs of a model, nested as they are there."""
        if isinstance(node, ast.Name):
            return self._name(model.inputs[node.id])
        if isinstance(node, ast.Dict):
            keys = [key_text(key) for key in node.keys if key is not None]
            return f"{{{', '.join(f'{k}: {self._said(v, model)}' for k, v in zip(keys, node.values, strict=True))}}}"
        assert isinstance(node, (ast.List, ast.Tuple))
        return f"[{', '.join(self._said(part, model) for part in node.elts)}]"


def _paths(node: ast.expr, path: str) -> Iterator[tuple[ast.Name, str]]:
    """The values among outputs, each with the expression that takes it out of them."""
    if isinstance(node, ast.Name):
        yield node, path
    elif isinstance(node, (ast.List, ast.Tuple)):
        for number, part in enumerate(node.elts):
            yield from _paths(part, f"{path}[{number}]")
    elif isinstance(node, ast.Dict):
        for key, part in zip(node.keys, node.values, strict=True):
            yield from _paths(part, f"{path}[{key_text(key)}]" if key is not None else path)
