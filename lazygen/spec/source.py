"""The text of a spec as a source of the TorchX style, laid out as black lays it out; the model is `model`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from lazygen.diagnostics import Place
from lazygen.spec.document import read
from lazygen.spec.grammar import OPERATORS, Dtype, Graph, Layer, Node, Ref, layer_of
from lazygen.values import record

_FUNCTIONS = (
    *("add", "subtract", "multiply", "divide", "maximum", "minimum", "average"),
    *("concat", "flatten", "view", "slice"),
)


@record
class Written:
    """The text, and the layers and nodes in the order in which their calls begin."""

    text: str
    origins: list[Layer | Node]

    def origin(self, place: Place) -> Layer | Node | None:
        """The layer or node that a place in the text comes from: the innermost."""
        inside = [
            (start, origin)
            for (start, end), origin in zip(_calls(self.text), self.origins, strict=True)
            if start <= (place.line, place.column) < end
        ]
        return max(inside, key=lambda pair: pair[0])[1] if inside else None


def written(text: str, path: str, line_length: int) -> Written:
    """The source that a spec stands for.  Raises Refused."""
    return written_layer(layer_of(read(text, path)), line_length)


def written_layer(layer: Layer, line_length: int) -> Written:
    """The text of a model."""
    writer = _Writer(line_length)
    writer.model(layer, "model")
    imports = ["import torch"] if writer.uses_torch else []
    imports += ["import torch.nn.functional as F"] if writer.uses_functional else []
    text = "\n".join([*imports, "import lazygen.layers as L", "", *writer.lines, ""])
    return Written(text, writer.origins)


class _Writer:
    def __init__(self, line_length: int) -> None:
        self.line_length = line_length
        self.lines: list[str] = []
        self.origins: list[Layer | Node] = []
        self.uses_torch = self.uses_functional = False
        self._taken: set[str] = {"model"}

    def model(self, layer: Layer, variable: str) -> None:
        """The statements that bind a variable to a model."""
        if layer.graph is not None:
            self._graph(layer, layer.graph, variable)
            return
        own: list[Layer | Node] = []
        text = self._layer(layer, own, 0, len(variable) + 3)
        self.origins += own
        self.lines.append(f"{variable} = {text}")

    # Layers

    def _layer(self, layer: Layer, own: list[Layer | Node], depth: int, before: int, behind: int = 0) -> str:
        """A layer as an expression; `before` and `behind` are the columns taken on its line.

        `own` gets the layers of the expression.  A graph in it is written before, as statements.
        """
        if layer.graph is not None:
            variable = self._free("part")
            self._graph(layer, layer.graph, variable)
            self.lines.append("")
            return variable
        own.append(layer)
        if layer.layers is None:
            arguments = [self._argument(value, own, depth) for value in layer.positional]
            arguments += [f"{name}={self._argument(value, own, depth)}" for name, value in layer.keywords]
            return self._call(f"L.{layer.kind}", arguments, depth, before, behind)
        inside = " " * 4 * (depth + 1)
        parts = [self._layer(part, own, depth + 1, len(inside), 1) for part in layer.layers]
        lines = "".join(f"{inside}{part},\n" for part in parts)
        return f"L.{layer.kind}(\n{lines}{' ' * 4 * depth})" if parts else f"L.{layer.kind}()"

    def _argument(self, value: Any, own: list[Layer | Node], depth: int) -> str:
        return self._layer(value, own, depth, 0) if isinstance(value, Layer) else literal(value)

    def _call(self, function: str, arguments: Sequence[str], depth: int, before: int, behind: int) -> str:
        text = f"{function}({', '.join(arguments)})"
        if before + len(text) + behind <= self.line_length or not arguments:
            return text
        inside = " " * 4 * (depth + 1)
        return f"{function}(\n{''.join(f'{inside}{argument},' + chr(10) for argument in arguments)}{' ' * 4 * depth})"

    # Graphs

    def _graph(self, layer: Layer, graph: Graph, variable: str) -> None:
        names: dict[str, str] = {}
        for name, sizes, dtype in graph.placeholders:
            names[name] = self._free(name)
            told = f", dtype={self._function(dtype if '.' in dtype else f'torch.{dtype}')}" if dtype else ""
            self.origins.append(layer)
            self.lines.append(f"{names[name]} = L.Placeholder({literal(sizes)}{told})")
        called: dict[str, str] = {}
        for name, part in graph.layers:
            called[name] = self._free(name)
            self.model(part, called[name])
        for node in graph.nodes:
            text = self._node(node, names, called)
            names[node.name] = self._free(node.name)
            self.lines.append(f"{names[node.name]} = {text}")
        ends = [f"inputs={literal(graph.inputs, names)}", f"outputs={literal(graph.outputs, names)}"]
        self.origins.append(layer)
        self.lines.append(f"{variable} = {self._call('L.Functional', ends, 0, len(variable) + 3, 0)}")

    def _node(self, node: Node, names: dict[str, str], called: dict[str, str]) -> str:
        self.uses_torch = self.uses_torch or _holds_dtype([*node.inputs, *(value for _, value in node.arguments)])
        inputs = [literal(part, names) for part in node.inputs]
        arguments = [*inputs, *(f"{name}={literal(part, names)}" for name, part in node.arguments)]
        if node.how == "operator":
            return _operator(node.call, inputs, node.inputs, names)
        if node.how == "attribute":
            return f"{inputs[0]}.{node.call}"
        before = len(node.name) + 3
        own: list[Layer | Node] = [node]
        if node.how == "layer" and isinstance(node.call, Layer):
            called_with = f"({', '.join(arguments)})"
            text = f"{self._layer(node.call, own, 0, before, len(called_with))}{called_with}"
            self.origins += own
            return text
        self.origins += own
        if node.how == "method":
            return self._call(f"{inputs[0]}.{node.call}", arguments[1:], 0, before, 0)
        if node.how == "function":
            return self._call(self._function(node.call), arguments, 0, before, 0)
        return self._call(called[node.call], arguments, 0, before, 0)

    def _function(self, name: str) -> str:
        if name in _FUNCTIONS:
            return f"L.{name}"
        if name.startswith(("F.", "torch.nn.functional.")):
            self.uses_functional = True
            return f"F.{name.rpartition('.')[2]}"
        self.uses_torch = True
        return name if name.startswith("torch.") else f"torch.{name}"

    def _free(self, name: str) -> str:
        candidates = [name, *(f"{name}_{number}" for number in range(2, len(self._taken) + 3))]
        free = next(candidate for candidate in candidates if candidate not in self._taken)
        self._taken.add(free)
        return free


def _holds_dtype(value: Any) -> bool:
    if isinstance(value, (list, dict)):
        return any(map(_holds_dtype, value.values() if isinstance(value, dict) else value))
    return isinstance(value, Dtype)


def _operator(name: str, inputs: Sequence[str], values: Sequence[Any], names: dict[str, str]) -> str:
    sign = OPERATORS[name]
    if name == "getitem":
        index = values[1] if isinstance(values[1], list) else [values[1]]
        text = ", ".join(_index(part, names) for part in index)
        return f"{inputs[0]}[{text}{',' * (index is values[1] and len(index) == 1)}]"
    if name == "abs":
        return f"abs({inputs[0]})"
    return f"{sign}{inputs[0]}" if len(inputs) == 1 else f"{inputs[0]} {sign} {inputs[1]}"


def _index(value: Any, names: dict[str, str]) -> str:
    if not isinstance(value, slice):
        return literal(value, names)
    start, stop, step = (
        None if part is None else literal(part, names) for part in (value.start, value.stop, value.step)
    )
    return f"{start or ''}:{stop or ''}{f':{step}' if step is not None else ''}"


def literal(value: Any, names: dict[str, str] | None = None) -> str:
    """A value as black writes it; Refs by the variables in `names`."""
    if isinstance(value, Ref):
        return (names or {})[value.name]
    if isinstance(value, Dtype):
        return f"torch.{value.name}"
    if isinstance(value, slice):
        bounds = [value.start, value.stop, value.step]
        given = bounds if value.step is not None else bounds[:2] if value.start is not None else bounds[1:2]
        return f"slice({', '.join(literal(bound, names) for bound in given)})"
    if isinstance(value, str):
        text = repr(value)
        return f'"{text[1:-1]}"' if text.startswith("'") and not set(text[1:-1]) & set("\"'\\") else text
    if isinstance(value, tuple):
        inside = ", ".join(literal(item, names) for item in value)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, list):
        return f"[{', '.join(literal(item, names) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{literal(key)}: {literal(item, names)}' for key, item in value.items())}}}"
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return f'float("{value}")'
    return "..." if value is ... else repr(value)


def _calls(text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The calls of a text that stand for layers and nodes, in the order in which they begin, the outer ones first."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and not _is_builtin(node)]
    for node in sorted(
        calls, key=lambda call: (call.lineno, call.col_offset, -(call.end_lineno or 0), -(call.end_col_offset or 0))
    ):
        yield (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def _is_builtin(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in ("float", "slice", "abs")
