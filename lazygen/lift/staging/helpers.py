"""Functions of a file that make layers for a tensor they are given: each becomes a class, and its calls instances.

def block(x, width):                                   class Block(nn.Module):
    return L.ReLU()(L.Conv2d(width, 3)(x)) + x             def __init__(self, width): ...
                                                           def forward(self, x): ...
x = block(x, 8)                                        self.block_1 = Block(8)  …  x = self.block_1(x)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.lift.graph_source import GraphSource, refuse
from lazygen.lift.staging.times import Times, makes_layers
from lazygen.values import field, record


@record
class Helper:
    """A function of the file; `running` are its parameters that take tensors, `calls` those that become instances."""

    function: ast.FunctionDef
    running: set[str] = field(default_factory=set)
    calls: list[ast.Call] = field(default_factory=list)
    name: str = ""

    def parameters(self) -> list[ast.arg]:
        arguments = self.function.args
        return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]

    def places(self) -> list[str]:
        """The names that positional arguments go to."""
        return [part.arg for part in (*self.function.args.posonlyargs, *self.function.args.args)]


class Helpers:
    """The functions of a file that may make layers for tensors, by name."""

    def __init__(self, source: GraphSource) -> None:
        self.source = source
        self._functions = {
            node.name: node for node in source.syntax.tree.body if isinstance(node, ast.FunctionDef) and node.args.args
        }
        self._making: set[str] = set()
        before = -1
        while before != len(self._making):
            before = len(self._making)
            self._making |= {name for name, node in self._functions.items() if self._makes(node)}
        self.used: dict[str, Helper] = {}

    def makes(self, call: ast.expr) -> bool:
        """Whether a call makes a layer: it is the call of a class of layers, or of a function of the file that makes
        some.
        """
        if not isinstance(call, ast.Call):
            return False
        if self.source.meaning(call.func)[1] in ("Placeholder", "Functional"):
            return False
        if isinstance(call.func, ast.Name) and call.func.id in self._making:
            return True
        return self.source.makes_layer(call)

    def takes(self, call: ast.Call, times: Times) -> bool:
        """Whether a call gives tensors to a function that makes layers for them."""
        if not isinstance(call.func, ast.Name) or call.func.id not in self._making:
            return False
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not any(map(times.runs, arguments)):
            return False
        if any(isinstance(argument, ast.Starred) for argument in call.args) or any(
            k.arg is None for k in call.keywords
        ):
            refuse(
                "LZ315",
                f"which arguments {call.func.id} takes here is not in the text",
                self.source.syntax.place(call),
                "write the arguments one by one",
            )
        helper = self.used.setdefault(call.func.id, Helper(self._functions[call.func.id]))
        for name, argument in self._bound(helper, call):
            if times.runs(argument):
                helper.running.add(name)
        if call not in helper.calls:
            helper.calls.append(call)
        return True

    def of(self, call: ast.Call) -> Helper:
        assert isinstance(call.func, ast.Name)
        return self.used[call.func.id]

    def running(self, call: ast.Call) -> list[ast.expr]:
        """The arguments of a call that are tensors."""
        helper = self.of(call)
        return [argument for name, argument in self._bound(helper, call) if name in helper.running]

    def split(self, call: ast.Call) -> tuple[list[ast.expr | ast.keyword], list[ast.expr | ast.keyword]]:
        """The arguments of a call that go to the constructor, and those that go to `forward`."""
        helper = self.of(call)
        given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
        named = [name for name, _ in self._bound(helper, call)]
        pairs = list(zip(named, given, strict=True))
        return [a for n, a in pairs if n not in helper.running], [a for n, a in pairs if n in helper.running]

    def _bound(self, helper: Helper, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
        places = helper.places()
        if len(call.args) > len(places) or helper.function.args.vararg or helper.function.args.kwarg:
            refuse(
                "LZ315",
                f"{helper.function.name} takes any number of arguments, and makes layers",
                self.source.syntax.place(helper.function),
                "give it one parameter for each argument",
            )
        yield from zip(places, call.args, strict=False)
        for keyword in call.keywords:
            yield str(keyword.arg), keyword.value

    def _makes(self, function: ast.FunctionDef) -> bool:
        return any(makes_layers(statement, self.makes) for statement in function.body)
