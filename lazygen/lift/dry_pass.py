"""Passes over made-up data in a constructor, whose only use is to give lazy layers their sizes: explicit layers need
none.

    def __init__(self):
        ...
        with torch.no_grad():
            self(torch.zeros(1, 3, 32, 32))         goes

A pass stays where it may do more: in a class that has no lazy layers, and where what it runs sets attributes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from lazygen.frontend.references import Reference
from lazygen.lift.plan import DeleteStatement
from lazygen.lift.syntax import Function, Syntax
from lazygen.symbolic.nn.module import Module

_MAKERS = {"zeros", "ones", "rand", "randn", "empty", "full", "zeros_like", "randint", "Placeholder"}


def deletions(syntax: Syntax, lazy: Sequence[Reference]) -> Iterator[DeleteStatement]:
    """The statements of constructors that only run the model, or a part of it, over made-up data; `lazy` are the lazy
    layers of the file.
    """
    for place, function in syntax.functions.items():
        owner = syntax.class_of.get(place)
        if function.name == "__init__" and owner is not None and function.args.args:
            passes = _Passes(syntax, owner, function)
            found = [statement for statement in function.body if passes.only_runs(statement)]
            if found and _makes_lazy(syntax, owner, lazy):
                yield from (DeleteStatement(syntax.span(statement)) for statement in found)


class _Passes:
    """Knows which calls of a constructor do nothing but run modules."""

    def __init__(self, syntax: Syntax, owner: ast.ClassDef, constructor: Function) -> None:
        self._own = constructor.args.args[0].arg
        self._methods: dict[str, Function] = {}
        for around in reversed(list(_with_bases(syntax, owner))):
            self._methods.update({m.name: m for m in around.body if isinstance(m, ast.FunctionDef)})
        self._assigned = {
            node.attr for node in ast.walk(constructor) if isinstance(node, ast.Attribute) and _is_store(node)
        }

    def only_runs(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.With):
            return all(map(self.only_runs, statement.body)) and all(
                item.optional_vars is None and ast.unparse(item.context_expr).startswith("torch.")
                for item in statement.items
            )
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
            return False
        call = statement.value
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        return self._is_own(call.func) and any(map(_makes_data, arguments))

    def _is_own(self, node: ast.expr) -> bool:
        """`self`, `self.forward`, `self.encoder`: the model or a part of it; not `self.register_buffer`."""
        first = None
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            first = node.attr if isinstance(node, ast.Attribute) else first
            node = node.value
        if not isinstance(node, ast.Name) or node.id != self._own:
            return False
        return first in self._assigned or self._is_quiet(first or "forward")

    def _is_quiet(self, name: str, asked: frozenset[str] = frozenset()) -> bool:
        """Whether a method of the class sets no attribute, and those that it calls set none."""
        method = self._methods.get(name)
        if method is None or (hasattr(Module, name) and name != "forward"):
            return False
        nodes = list(ast.walk(method))
        called = {
            node.func.attr
            for node in nodes
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in self._methods
        }
        return not any(isinstance(node, ast.Attribute) and _is_store(node) for node in nodes) and all(
            self._is_quiet(other, asked | {name}) for other in called - asked
        )


def _makes_lazy(syntax: Syntax, owner: ast.ClassDef, lazy: Sequence[Reference]) -> bool:
    """Whether a class, or a definition of the file that it speaks of, holds lazy layers."""
    lines = {reference.node.lineno for reference in lazy}
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    definitions = {node.name: node for node in syntax.tree.body if isinstance(node, kinds)}
    pending: list[ast.stmt] = [owner]
    seen: set[str] = set()
    while pending:
        node = pending.pop()
        if not lines.isdisjoint(range(node.lineno, (node.end_lineno or node.lineno) + 1)):
            return True
        names = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)} - seen
        seen |= names
        pending += [definitions[name] for name in names if name in definitions]
    return False


def _with_bases(syntax: Syntax, owner: ast.ClassDef) -> Iterator[ast.ClassDef]:
    seen: set[str] = set()
    pending = [owner]
    while pending:
        found = pending.pop(0)
        if found.name not in seen:
            seen.add(found.name)
            yield found
            names = [base.id for base in found.bases if isinstance(base, ast.Name)]
            pending += [syntax.classes[name] for name in names if name in syntax.classes]


def _is_store(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store)


def _makes_data(node: ast.expr) -> bool:
    return any(
        isinstance(part, ast.Call)
        and isinstance(part.func, (ast.Attribute, ast.Name))
        and (part.func.attr if isinstance(part.func, ast.Attribute) else part.func.id) in _MAKERS
        for part in ast.walk(node)
    )
