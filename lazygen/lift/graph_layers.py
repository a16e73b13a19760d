"""The layers of a graph as attributes: each under the name of the variable that took its result, where that is its own.

score = L.Linear(1)(joined)          self.score = L.Linear(1)              score = self.score(joined)
x = L.Linear(80)(x)                  self.linear_1 = L.Linear(80)          x = self.linear_1(x)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from lazygen.diagnostics import Place
from lazygen.lift.bindings import binds_one, bound_in, targets
from lazygen.lift.graph_parts import Parts
from lazygen.lift.graph_source import GraphSource, refuse
from lazygen.lift.graph_text import names_in


class Layers:
    """The layers of one graph: their attributes, and the lines of the constructor."""

    def __init__(self, source: GraphSource, parts: Parts, arguments: Sequence[str]) -> None:
        self.source, self.parts = source, parts
        self.attributes: dict[Place, str] = {}
        self.lines: list[str] = []
        self._counts: dict[str, int] = {}
        self._bound: dict[str, int] = {}
        for part in parts.moved():
            for name in bound_in(part):
                self._bound[name] = self._bound.get(name, 0) + 1
        self._taken = set(self._bound) | set(arguments)
        self.renames: dict[str, str] = {}  # placeholders that go by the name of their argument
        self._local = {name for part in (*parts.placeholders, *parts.calls) for name in bound_in(part)} | set(arguments)

    def is_bound_once(self, name: str) -> bool:
        """Whether a name means the same all through the graph."""
        return self._bound.get(name) == 1

    def extract(self, statements: Sequence[ast.stmt], outputs: ast.expr) -> None:
        """Let attributes stand for the layers in the statements and in the outputs."""
        held: dict[str, str] = {}  # the variables that hold a layer now, with its attribute
        for model in self.parts.models:
            held[targets(model)[0]] = self._take_model(model)
        in_order = sorted([*statements, *self.parts.layers], key=lambda statement: statement.lineno)
        for statement in in_order:
            made = self.parts.layers.get(statement)
            if made is not None:
                variable = targets(statement)[0]
                held[variable] = self._make(made, variable, statement)
                continue
            value = getattr(statement, "value", None)
            target = targets(statement)[0] if binds_one(statement, value) else ""
            self._in_expression(value, held, value, target)
        self._in_expression(outputs, held, None, "")

    def _in_expression(self, node: ast.AST | None, held: dict[str, str], whole: Any, target: str) -> None:
        """Inner calls first, in the order in which they run."""
        if isinstance(node, ast.Name) and node.id in self.renames:
            self.source.splices.replace(*self.source.splices.span(node), self.renames[node.id])
        elif isinstance(node, ast.Name) and node.id in held:
            self.source.splices.replace(*self.source.splices.span(node), f"self.{held[node.id]}")
        elif isinstance(node, ast.Call) and self.source.makes_layer(node.func) and not self._is_spelled(node):
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                self._in_expression(argument, held, None, "")
            assert isinstance(node.func, ast.Call)
            attribute = self._make(node.func, target if node is whole else "", None)
            self.source.splices.replace(*self.source.splices.span(node.func), f"self.{attribute}")
        elif isinstance(node, ast.Call) and _is_method(node, "flatten") and not node.args and not node.keywords:
            assert isinstance(node.func, ast.Attribute)
            self._in_expression(node.func.value, held, None, "")
            if names_in(node.func.value) & self._local:  # unlike a tensor's, a placeholder's keeps the first dim
                end = self.source.splices.span(node)[1]
                self.source.splices.replace(end - 1, end - 1, "1")
        elif node is not None:
            for child in ast.iter_child_nodes(node):
                self._in_expression(child, held, whole, target)

    def _is_spelled(self, call: ast.Call) -> bool:
        """Whether a layer that is called at once has become a function."""
        return call in self.source.spelled

    def _make(self, call: ast.Call, variable: str, statement: ast.stmt | None) -> str:
        inner = names_in(call) & self._local
        if inner:
            refuse(
                "LZ320",
                f"this layer hangs on `{min(inner)}`, which only exists while the graph runs",
                self.source.syntax.place(call),
                "write the number, or reckon it from the shape of the placeholder before",
            )
        attribute = variable if self._may_be(variable) else self._counted(call)
        self.attributes[self.source.syntax.place(call)] = attribute
        self.lines += self._lines_of(statement, attribute, self.source.splices.text(call))
        return attribute

    def _take_model(self, statement: ast.stmt) -> str:
        """Let an attribute hold the model of another graph, which stays one and the same."""
        variable, call = targets(statement)[0], getattr(statement, "value", None)
        assert isinstance(call, ast.Call)
        is_free = variable not in self._taken | _MEMBERS and not variable.startswith("_")
        attribute = variable if is_free else self._counted(call)
        self._taken.add(attribute)
        self.attributes[self.source.syntax.place(call)] = attribute
        self.lines.append(f"self.{attribute} = {variable}")
        return attribute

    def _may_be(self, variable: str) -> bool:
        return (
            bool(variable)
            and self._bound.get(variable) == 1
            and variable not in _MEMBERS
            and not variable.startswith("_")
        )

    def _counted(self, call: ast.Call) -> str:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
        meant = self.source.names.meaning(call.func)
        kind = (meant or name).rpartition(".")[2].removeprefix("Lazy").lower().replace("dense", "linear")
        while True:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            attribute = f"{kind}_{self._counts[kind]}"
            if attribute not in self._taken:
                return attribute

    def _lines_of(self, statement: ast.stmt | None, attribute: str, text: str) -> Iterator[str]:
        """The statement of the constructor that makes a layer, with the comments of the one that made it before."""
        comments = [] if statement is None else [line for line in self.source.leading(statement) if line]
        trailing = "" if statement is None else self.source.trailing(statement)
        yield from comments
        yield from f"self.{attribute} = {text}{trailing}".split("\n")


# What modules have of their own, beside what every object has.
_MEMBERS = frozenset(
    {
        *("T_destination", "add_module", "append", "apply", "bfloat16"),
        *("buffers", "call_super_init", "children", "compile", "cpu"),
        *("cuda", "double", "dump_patches", "eval", "extra_repr"),
        *("float", "forward", "get_buffer", "get_extra_state", "get_parameter"),
        *("get_submodule", "half", "ipu", "load_state_dict", "modules"),
        *("mtia", "named_buffers", "named_children", "named_modules", "named_parameters"),
        *(
            "parameters",
            "register_backward_hook",
            "register_buffer",
            "register_forward_hook",
            "register_forward_pre_hook",
        ),
        *(
            "register_full_backward_hook",
            "register_full_backward_pre_hook",
            "register_load_state_dict_post_hook",
            "register_load_state_dict_pre_hook",
            "register_module",
        ),
        *(
            "register_parameter",
            "register_state_dict_post_hook",
            "register_state_dict_pre_hook",
            "requires_grad_",
            "set_extra_state",
        ),
        *("set_submodule", "share_memory", "state_dict", "to", "to_empty"),
        *("train", "training", "type", "xpu", "zero_grad"),
    }
)


def _is_method(call: ast.Call, name: str) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == name
