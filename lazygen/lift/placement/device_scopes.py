"""The device scopes of a file, by their text: which statement each is, what it is given, and which one holds where.

with tx.device_scope(0):
    with tx.device_scope("cuda:1", override_parent=False):     gives way: what stands inside is on cuda:0
        layer = L.Linear(8)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lazygen.diagnostics import Diagnostic
from lazygen.frontend.references import Reference
from lazygen.lift.placement.device_arguments import DeviceText, Reader, read
from lazygen.lift.syntax import Syntax
from lazygen.trace.model import ScopeSeen
from lazygen.values import record

SCOPE = "device_scope"
_PARAMETERS = ("device", "dtype", "override_parent")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@record
class Scope:
    """A `with` statement over a scope: the item's number, its call, and what that says.

    `outer` is the one around it in the text of the same function; `dtype` is None where nothing has to be said.
    """

    statement: ast.With
    item: int
    call: ast.Call
    device: DeviceText
    dtype: str | None
    outer: Scope | None
    gives_way: bool = False

    @property
    def holding(self) -> Scope:
        """The scope that holds inside: this one, or the outer one if this gives way to it."""
        return self.outer.holding if self.gives_way and self.outer is not None else self

    @property
    def alias(self) -> ast.expr | None:
        """The target behind `as`: a name, an attribute or an item."""
        return self.statement.items[self.item].optional_vars


class Scopes:
    """All scopes of a file; `problems` are those that cannot be read."""

    def __init__(self, syntax: Syntax, seen: Sequence[ScopeSeen], reader: Reader) -> None:
        self.syntax, self.reader = syntax, reader
        self.seen = seen
        self.all: list[Scope] = []
        self.problems: list[Diagnostic] = []

    def read(self, reference: Reference) -> None:
        """Read a scope that is called by its name; those around it come before."""
        statement = self.statement_of(reference.node, reference.call)
        if statement is not None and reference.call is not None:
            self._read(statement, reference.call)

    def statement_of(self, node: ast.expr, call: ast.Call | None) -> ast.With | None:
        """The `with` statement whose item a call is; anything else is a problem."""
        item = None if call is None else self.syntax.parent(call)
        statement = None if item is None else self.syntax.parent(item)
        if isinstance(item, ast.withitem) and isinstance(statement, ast.With):
            return statement
        self.problem(
            node,
            "this device scope is no `with` statement, so what it holds for is not in the text",
            "write `with tx.device_scope(...):` around what is built",
        )
        return None

    def add(self, statement: ast.With, call: ast.Call, device: DeviceText, dtype: str | None, gives_way: bool) -> None:
        """Put down a scope; those around it are put down before."""
        item = next(number for number, item in enumerate(statement.items) if item.context_expr is call)
        if device.problem:
            self.problem(call, device.problem, device.cure)
            return
        scope = Scope(statement, item, call, device, dtype, self.around(statement, item), gives_way)
        callers = {one.outer for one in self.seen if one.call == self.syntax.place(call)}
        lexical = None if scope.outer is None else self.syntax.place(scope.outer.call)
        if gives_way and callers - {lexical}:
            self.problem(
                call,
                "this scope gives way to the one of its caller, which the text here cannot say",
                "leave override_parent=False out, or give the device as an argument",
            )
            return
        self.all.append(scope)

    def around(self, node: ast.AST, item: int = 0) -> Scope | None:
        """The innermost scope around a node that belongs to the same function."""
        known = {(scope.statement, scope.item): scope for scope in self.all}
        if isinstance(node, ast.With):
            for number in reversed(range(item)):
                if (node, number) in known:
                    return known[node, number]
        inner: ast.AST = node
        outer = self.syntax.parent(node)
        while outer is not None and not isinstance(inner, _FUNCTIONS):
            if isinstance(outer, ast.With) and inner in outer.body:
                for number in reversed(range(len(outer.items))):
                    if (outer, number) in known:
                        return known[outer, number]
            inner, outer = outer, self.syntax.parent(outer)
        return None

    def _read(self, statement: ast.With, call: ast.Call) -> None:
        given = dict(zip(_PARAMETERS, call.args, strict=False))
        given.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg})
        stars = any(isinstance(argument, ast.Starred) for argument in call.args)
        if "device" not in given or stars or any(keyword.arg is None for keyword in call.keywords):
            self.problem(call, "what this scope is given is not in the text", "write its arguments one by one")
            return
        yields = given.get("override_parent")
        if yields is not None and not (isinstance(yields, ast.Constant) and isinstance(yields.value, bool)):
            self.problem(yields, "whether this scope gives way hangs on a value", "write True or False")
            return
        kinds = {one.given for one in self.seen if one.call == self.syntax.place(call)}
        device = read(given["device"], kinds, self.reader)
        gives_way = yields is not None and not yields.value
        self.add(statement, call, device, self._dtype(given.get("dtype")), gives_way)

    def _dtype(self, node: ast.expr | None) -> str | None:
        """The text of a dtype; float32 is not said."""
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            return None
        text = self.reader.source(node)
        return None if text.rpartition(".")[2] in ("float32", "float") and "." in text else text

    def problem(self, node: ast.expr, problem: str, cure: str) -> None:
        """Note why a scope cannot be written."""
        self.problems.append(Diagnostic("LZ502", problem, self.syntax.place(node), helps=(cure,)))
