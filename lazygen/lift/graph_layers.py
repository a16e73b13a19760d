"""The layers of a graph as attributes: each under the name of the variable that took its result, where that is its own.

score = L.Linear(1)(joined)          self.score = L.Linear(1)              score = self.score(joined)
x = L.Linear(80)(x)                  self.linear_1 = L.Linear(80)          x = self.linear_1(x)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lazygen.diagnostics import Place
from lazygen.lift.bindings import binds_one, loads, targets
from lazygen.lift.graph_body import Body
from lazygen.lift.graph_names import Names
from lazygen.lift.graph_source import GraphSource, refuse
from lazygen.lift.graph_units import Unit
from lazygen.lift.splices import Change
from lazygen.values import value

# What a layer goes by: the statement that binds a variable to it, the call that makes it, or what else becomes a class.
Key = ast.stmt | ast.Call | Unit


@value
class Held:
    """What a variable of the module holds for the classes that call it; `call` made it, if it is of the source."""

    variable: str
    call: ast.Call | None = None


class Layers:
    """The layers of one class: their attributes, the lines of its constructor, and what changes where they are called.

    `own` are the layers that a variable of the graph holds, `given` those that a variable of the module holds;
    `held` are the attributes of both.  `parameters` are the arguments of the constructor, each with the variable that
    it is given.
    """

    def __init__(
        self, source: GraphSource, body: Body, names: Names, own: Mapping[ast.stmt, ast.Call], given: Mapping[Key, Held]
    ) -> None:
        self.source, self.body, self.names, self.own, self.given = source, body, names, own, given
        self.attributes: dict[Place, str] = {}
        self.parameters: list[tuple[str, str]] = []
        self.lines: list[str] = []
        self.changes: list[Change] = []
        self._counts: dict[str, int] = {}
        self._taken = names.all()
        self.held: dict[Key, str] = {}
        self._variables = [targets(statement)[0] for statement in own]

    def extract(self, items: Sequence[ast.stmt | ast.expr | Unit]) -> None:
        """Let attributes stand for the layers in statements and outputs, in the order in which they are called."""
        for item in items:
            if isinstance(item, Unit):
                self._attribute(item if item.model is None else item.model.end)
                continue
            whole = getattr(item, "value", None) if isinstance(item, ast.stmt) else None
            target = targets(item)[0] if isinstance(item, ast.stmt) and binds_one(item, whole) else ""
            self._in_expression(item if isinstance(item, (ast.Assign, ast.expr)) else whole, whole, target)

    def _attribute(self, key: Key) -> str | None:
        """The attribute of a layer that does not come about where it is called."""
        if key not in self.held:
            if key in self.given:
                self.held[key] = self._take(self.given[key])
            elif isinstance(key, ast.stmt) and key in self.own:
                self.held[key] = self._make(self.own[key], targets(key)[0], key)
        return self.held.get(key)

    def _take(self, held: Held) -> str:
        """Let an attribute hold what a variable of the module holds, which stays one and the same."""
        variable = held.variable
        is_free = variable not in self._attributes() | _MEMBERS and not variable.startswith("_")
        attribute = variable if is_free and self._is_mine(variable) else self._counted(held.call)
        if held.call is not None:
            self.attributes[self.source.syntax.place(held.call)] = attribute
        self.parameters.append((attribute, variable))
        self.lines.append(f"self.{attribute} = {attribute}")
        return attribute

    def _in_expression(self, node: ast.AST | None, whole: Any, target: str) -> None:
        """Inner calls first, in the order in which they run."""
        if isinstance(node, ast.Name) and (attribute := self._held_by(node)):
            self._change(node, f"self.{attribute}")
        elif isinstance(node, ast.Call) and self.source.makes_layer(node.func) and node not in self.source.spelled:
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                self._in_expression(argument, None, "")
            assert isinstance(node.func, ast.Call)
            attribute = self._attribute(node.func) or self._make(node.func, target if node is whole else "", None)
            self._change(node.func, f"self.{attribute}")
        elif isinstance(node, ast.Call) and _is_method(node, "flatten") and not node.args and not node.keywords:
            assert isinstance(node.func, ast.Attribute)
            self._in_expression(node.func.value, None, "")
            if self._values_in(node.func.value):  # unlike a tensor's, a placeholder's keeps the first dim
                end = self.source.splices.span(node)[1]
                self.changes.append((end - 1, end - 1, "1"))
        elif node is not None:
            children = list(ast.iter_child_nodes(node))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):  # it runs behind its arguments
                children = [*children[1:], node.func]
            for child in children:
                self._in_expression(child, whole, target)

    def _held_by(self, name: ast.Name) -> str | None:
        bound = self.body.meant.get(name)
        return None if bound is None or self.body.is_value(bound) else self._attribute(bound.statement)

    def _values_in(self, node: ast.AST) -> list[str]:
        """The values of the graph that an expression reads."""
        meant = (self.body.meant.get(name) for name in loads(node))
        return sorted(bound.name for bound in meant if bound is not None and self.body.is_value(bound))

    def _change(self, node: ast.expr, text: str) -> None:
        self.changes.append((*self.source.splices.span(node), text))

    def _make(self, call: ast.Call, variable: str, statement: ast.stmt | None) -> str:
        inner = self._values_in(call)
        if inner:
            refuse(
                "LZ320",
                f"this layer hangs on `{inner[0]}`, which only exists while the graph runs",
                self.source.syntax.place(call),
                "write the number, or reckon it from the shape of the placeholder before",
            )
        attribute = variable if self._may_be(variable) else self._counted(call)
        self.attributes[self.source.syntax.place(call)] = attribute
        self.lines += self._lines_of(statement, attribute, self.source.splices.text(call))
        return attribute

    def _may_be(self, variable: str) -> bool:
        allowed = bool(variable) and variable not in _MEMBERS and not variable.startswith("_")
        return allowed and variable not in self._attributes() and self._is_mine(variable)

    def _is_mine(self, variable: str) -> bool:
        """Whether no two things of the class have the name, be they values or layers."""
        return self.names.count(variable) + self._variables.count(variable) < 2

    def _attributes(self) -> set[str]:
        return {*self.attributes.values(), *self.held.values()}

    def _counted(self, call: ast.Call | None) -> str:
        kind = "part" if call is None else kind_of(call, self.source)
        while True:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            attribute = f"{kind}_{self._counts[kind]}"
            if attribute not in self._taken | self._attributes():
                return attribute

    def _lines_of(self, statement: ast.stmt | None, attribute: str, text: str) -> Iterator[str]:
        """The statement of the constructor that makes a layer, with the comments of the one that made it before."""
        comments = [] if statement is None else [line for line in self.source.leading(statement) if line]
        trailing = "" if statement is None else self.source.trailing(statement)
        yield from comments
        yield from f"self.{attribute} = {text}{trailing}".split("\n")


def kind_of(call: ast.Call, source: GraphSource) -> str:
    """The kind of a layer, for its name: `linear` for `L.Dense(8)`."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    meant = source.names.meaning(call.func)
    return (meant or name).rpartition(".")[2].removeprefix("Lazy").lower().replace("dense", "linear")


# What modules have of their own, beside what every object has; and what the graphs have that `torch.export` makes of
# modules, which cannot hold a layer by such a name.
_MEMBERS = frozenset(
    {
        *("code", "graph", "meta", "print_readable", "recompile", "to_folder"),
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
