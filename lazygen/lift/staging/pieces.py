"""What an expression of a graph is made of: layers that are made in it, calls of helpers, names, and the rest.

h = x + block(L.Conv2d(width, 3)(x), width) * scale

layer   L.Conv2d(width, 3)       helper  block(…, width)       name    x, x, scale
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from lazygen.frontend import torchx
from lazygen.lift.graph_source import refuse
from lazygen.lift.staging.helpers import Helpers
from lazygen.lift.staging.times import Times, makes_layers
from lazygen.values import value

Conditions = tuple[tuple[ast.IfExp, bool], ...]
Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


@value
class Piece:
    """A part of an expression.

    `layer` is made where the model is made, `helper` the call of a function of the file that makes layers for a tensor,
    `each` a comprehension that makes layers for every item, `flatten` a method that means another for tensors,
    `attribute` one of the object in whose method the graph stands.
    `conditions` are the conditional expressions around it, each with the arm in which it stands.
    """

    kind: Literal["layer", "helper", "name", "attribute", "flatten", "each"]
    node: ast.expr
    conditions: Conditions = ()


class Pieces:
    """Takes expressions apart."""

    def __init__(self, times: Times, helpers: Helpers, receiver: str = "") -> None:
        self.receiver = receiver
        self.times, self.helpers, self.source = times, helpers, times.source

    def of(self, node: ast.AST, conditions: Conditions = (), hidden: frozenset[str] = frozenset()) -> Iterator[Piece]:
        """The parts that mean something, in the order in which they run; `hidden` are names of the expression's own."""
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load) and node.id not in hidden:
                yield Piece("name", node, conditions)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == self.receiver:
            yield Piece("attribute", node, conditions)
        elif isinstance(node, ast.Call):
            yield from self._call(node, conditions, hidden)
        elif isinstance(node, ast.expr) and self._is_layer(node):
            yield Piece("layer", node, conditions)
        elif isinstance(node, ast.IfExp):
            yield from self.of(node.test, conditions, hidden)
            yield from self.of(node.body, (*conditions, (node, True)), hidden)
            yield from self.of(node.orelse, (*conditions, (node, False)), hidden)
        elif isinstance(node, ast.Lambda):
            parameters = {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
            yield from self._without_layers(node.body, conditions, hidden | parameters)
        elif isinstance(node, _COMPREHENSIONS):
            yield from self._comprehension(node, conditions, hidden)
        elif isinstance(node, ast.BoolOp):
            yield from self._without_layers(node, conditions, hidden)
        else:
            for child in ast.iter_child_nodes(node):
                yield from self.of(child, conditions, hidden)

    def makes(self, node: ast.AST) -> bool:
        """Whether layers are made in a tree."""
        return any(piece.kind in ("layer", "helper", "each") for piece in self.of(node))

    def _call(self, call: ast.Call, conditions: Conditions, hidden: frozenset[str]) -> Iterator[Piece]:
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        if self.helpers.takes(call, self.times):
            yield from (piece for part in self.helpers.running(call) for piece in self.of(part, conditions, hidden))
            yield Piece("helper", call, conditions)
            return
        if self._is_layer(call):
            yield Piece("layer", call, conditions)
            return
        if isinstance(call.func, ast.Call) and is_function(call.func, self.times):
            inner = [*call.func.args, *(keyword.value for keyword in call.func.keywords)]
            yield from (piece for part in (*inner, *arguments) for piece in self.of(part, conditions, hidden))
            return
        if self.source.meaning(call.func)[1][:1].isupper() and self.helpers.makes(call):
            yield Piece("layer", call, conditions)  # it hangs on what runs, which is refused
            return
        at_once = isinstance(call.func, (ast.Call, ast.IfExp)) and not self.times.runs(call.func)
        if at_once and self._may_be_layer(call.func):
            yield from (piece for part in arguments for piece in self.of(part, conditions, hidden))
            yield Piece("layer", call.func, conditions)
            return
        is_method = isinstance(call.func, ast.Attribute) and call.func.attr == "flatten" and not arguments
        if is_method and self.times.runs(call.func):
            yield Piece("flatten", call, conditions)
        yield from (piece for part in (call.func, *arguments) for piece in self.of(part, conditions, hidden))

    def _may_be_layer(self, node: ast.expr) -> bool:
        """Whether what is called at once may be a layer: whatever a call gives, but for those of functions of torch."""
        return any(isinstance(part, ast.Call) for part in ast.walk(node))

    def _is_layer(self, node: ast.expr) -> bool:
        return not self.times.runs(node) and makes_layers(node, self.times.makes)

    def _comprehension(self, node: Comprehension, conditions: Conditions, hidden: frozenset[str]) -> Iterator[Piece]:
        first = node.generators[0]
        own = {name.id for g in node.generators for name in ast.walk(g.target) if isinstance(name, ast.Name)}
        elements = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        if any(self.makes(element) for element in elements):
            yield Piece("each", node, conditions)
            return
        yield from self.of(first.iter, conditions, hidden)
        inner = [*(g.iter for g in node.generators[1:]), *(test for g in node.generators for test in g.ifs), *elements]
        yield from (piece for part in inner for piece in self.of(part, conditions, hidden | own))

    def _without_layers(self, node: ast.AST, conditions: Conditions, hidden: frozenset[str]) -> Iterator[Piece]:
        for child in ast.iter_child_nodes(node) if isinstance(node, ast.BoolOp) else [node]:
            for piece in self.of(child, conditions, hidden):
                if piece.kind in ("layer", "helper", "each"):
                    refuse(
                        "LZ315",
                        "a layer of a graph is made here each time that something runs",
                        self.source.syntax.place(piece.node),
                        "make it before, and give it a name",
                    )
                yield piece


def is_function(node: ast.expr, times: Times) -> bool:
    """Whether a layer that is called at once is a function in torch's words: `L.ReLU()(x)`, `L.Concat()(x, y)`."""
    if not isinstance(node, ast.Call):
        return False
    module, name = times.source.meaning(node.func)
    if module not in torchx.MODULES:
        return False
    plain = name in torchx.AS_FUNCTIONS and not node.args and not node.keywords
    return plain or name == "Flatten" or name in torchx.WITHOUT_TWIN - {"TimeDistributed"}
