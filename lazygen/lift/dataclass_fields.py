"""Modules that are dataclasses: their parameters are fields, and the first field is the first parameter.

@dataclass(eq=False)
class Block(nn.Module):
    width: int                                 ->      in_features: int
                                                       width: int
    def __post_init__(self):
        super().__init__()
        self.fc = nn.LazyLinear(self.width)            self.fc = nn.Linear(self.in_features, self.width)

Where fields are inherited, whose defaults none without one may follow, the new one is given by keyword:
`in_features: int = field(kw_only=True)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.diagnostics import Place
from lazygen.lift.plan import InsertStatements
from lazygen.lift.standard_imports import Imports
from lazygen.lift.syntax import Function, Syntax
from lazygen.lift.twins import target_name


def fields_of(syntax: Syntax, scope: Place) -> list[ast.AnnAssign] | None:
    """The fields of the dataclass whose `__post_init__` is at a place; None if it has none, or inherits some."""
    owner = syntax.class_of.get(scope)
    if owner is None or any(isinstance(base, ast.Name) and base.id in syntax.classes for base in owner.bases):
        return None
    return [statement for statement in owner.body if isinstance(statement, ast.AnnAssign)] or None


def keywords_only(syntax: Syntax, scope: Place) -> bool:
    """Whether new fields of the dataclass whose `__post_init__` is at a place go by keyword: it inherits some."""
    inherits = any(_is_dataclass(base) for base in _ancestors(syntax, syntax.class_of[scope]))
    return inherits or _is_by_keyword(syntax.class_of[scope])


def takes_fields(syntax: Syntax, scope: Place) -> bool:
    """Whether the class whose `__post_init__` is at a place is a dataclass itself, and not only inherits from one."""
    return _is_dataclass(syntax.class_of[scope])


def inherited(syntax: Syntax, scope: Place, other: Place) -> bool:
    """Whether the class of one `__post_init__` inherits from that of another."""
    owner = syntax.class_of.get(scope)
    return owner is not None and any(base is syntax.class_of.get(other) for base in _ancestors(syntax, owner))


def _ancestors(syntax: Syntax, owner: ast.ClassDef) -> list[ast.ClassDef]:
    """The classes of the file that a class inherits from, itself left out."""
    found: list[ast.ClassDef] = []
    pending = [owner]
    while pending:
        bases = [syntax.classes.get(target_name(base)) for base in pending.pop().bases]
        new = [base for base in bases if base is not None and base is not owner and base not in found]
        found += new
        pending += new
    return found


def _is_dataclass(owner: ast.ClassDef) -> bool:
    decorators = [d.func if isinstance(d, ast.Call) else d for d in owner.decorator_list]
    return any(target_name(decorator) == "dataclass" for decorator in decorators)


def _is_by_keyword(owner: ast.ClassDef | None) -> bool:
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


def new_field(
    syntax: Syntax, scope: Place, name: str, imports: Imports, *, by_keyword: bool, optional: bool
) -> Iterator[InsertStatements]:
    """A field in front of the others: `by_keyword` one that only a keyword gives, `optional` one that may be None."""
    owner = syntax.class_of[scope]
    said = ["default=None"] if optional else []
    said += ["kw_only=True"] if by_keyword and not _is_by_keyword(owner) else []
    default = f" = {imports.name('dataclasses', 'field')}({', '.join(said)})" if said else ""
    fields = [statement for statement in owner.body if isinstance(statement, ast.AnnAssign)]
    is_described = ast.get_docstring(owner, clean=False) is not None
    anchor = [*fields, *owner.body[is_described:]][0]
    yield InsertStatements(syntax.span(anchor), f"{name}: {'int | None' if optional else 'int'}{default}\n")
