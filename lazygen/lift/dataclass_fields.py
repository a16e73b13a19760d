"""Modules that are dataclasses: their parameters are fields, and the first field is the first parameter.

@dataclass(eq=False)
class Block(nn.Module):
    width: int                                 ->      in_features: int
                                                       width: int
    def __post_init__(self):
        super().__init__()
        self.fc = nn.LazyLinear(self.width)            self.fc = nn.Linear(self.in_features, self.width)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.diagnostics import Place
from lazygen.lift.plan import InsertStatements
from lazygen.lift.syntax import Function, Syntax


def fields_of(syntax: Syntax, scope: Place) -> list[ast.AnnAssign] | None:
    """The fields of the dataclass whose `__post_init__` is at a place; None if it has none, or inherits some."""
    owner = syntax.class_of.get(scope)
    if owner is None or any(isinstance(base, ast.Name) and base.id in syntax.classes for base in owner.bases):
        return None
    return [statement for statement in owner.body if isinstance(statement, ast.AnnAssign)] or None


def keywords_only(syntax: Syntax, scope: Place) -> bool:
    """Whether the fields of the dataclass whose `__post_init__` is at a place are given by keyword."""
    owner = syntax.class_of.get(scope)
    decorators = [] if owner is None else [d for d in owner.decorator_list if isinstance(d, ast.Call)]
    given = [keyword.value for decorator in decorators for keyword in decorator.keywords if keyword.arg == "kw_only"]
    return any(isinstance(value, ast.Constant) and value.value is True for value in given)


def members(syntax: Syntax, function: Function) -> set[str]:
    """The names that the class of a method has already: fields, methods, and attributes that these speak of."""
    owner = syntax.class_of.get(syntax.place(function))
    nodes = list(ast.walk(owner)) if owner is not None else []
    own = {node.id for node in nodes if isinstance(node, ast.Name)} | {
        n.attr for n in nodes if isinstance(n, ast.Attribute)
    }
    return own | {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}


def new_field(syntax: Syntax, scope: Place, name: str) -> Iterator[InsertStatements]:
    """A field in front of the others."""
    fields = fields_of(syntax, scope)
    if fields is not None:
        yield InsertStatements(syntax.span(fields[0]), f"{name}: int\n")
