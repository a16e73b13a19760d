"""Which name means what: the scopes of a file's text, what each binds, and where each name is used.

Only what imports need is told apart: a binding is an import or it is not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from lazygen.values import field, record

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
ImportStatement = ast.Import | ast.ImportFrom


@record
class Imported:
    """A name bound by an import: `target` is the dotted path of what it stands for, such as `torch.nn.LazyLinear`."""

    statement: ImportStatement
    index: int
    name: str
    target: str

    @property
    def reexported(self) -> bool:
        """`import a as a` says that the name is there for others."""
        alias = self.statement.names[self.index]
        return alias.asname is not None and alias.asname == alias.name


@record
class Scope:
    """A stretch of text with names of its own.  A binding that is no import is None."""

    parent: Scope | None
    is_class: bool = False
    bindings: dict[str, list[Imported | None]] = field(default_factory=dict)
    elsewhere: dict[str, bool] = field(default_factory=dict)  # names declared global (True) or nonlocal (False)

    def owner(self, name: str) -> Scope | None:
        """The scope whose binding a use of `name` here means; None if the text binds it nowhere."""
        scope: Scope | None = self
        first = True
        while scope is not None:
            if scope.elsewhere.get(name):
                return scope.module()._own(name)
            if (first or not scope.is_class) and name not in scope.elsewhere and name in scope.bindings:
                return scope
            scope, first = scope.parent, False
        return None

    def module(self) -> Scope:
        """The outermost scope."""
        return self if self.parent is None else self.parent.module()

    def imports(self, name: str) -> list[Imported]:
        """The imports that bind `name` here, all of the same thing; empty if something else may be meant."""
        bindings = self.bindings.get(name, [])
        found = [binding for binding in bindings if binding is not None]
        return found if len(found) == len(bindings) and len({f.target for f in found}) == 1 else []

    def _own(self, name: str) -> Scope | None:
        return self if name in self.bindings else None


@record
class Use:
    """A place that reads a name."""

    node: ast.Name
    scope: Scope


@record
class Names:
    """All scopes of a file: `uses` by name, star imports by module, and the texts of strings that are no docstrings."""

    module: Scope
    uses: dict[str, list[Use]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)

    def uses_of(self, owner: Scope | None, name: str) -> Iterator[Use]:
        """The uses of `name` that mean the binding of `owner`; with None, those that nothing in the text binds."""
        return (use for use in self.uses.get(name, ()) if use.scope.owner(name) is owner)

    def in_strings(self, name: str) -> bool:
        """Whether a string speaks of the name, as `__all__` and annotations in quotes do."""
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        return any(name in text and word.search(text) for text in self.strings)


def read_names(tree: ast.Module) -> Names:
    """Walk a module and note what it binds and uses."""
    names = Names(Scope(None))
    reader = _Reader(names)
    reader.docstring(tree)
    reader.visit_all(tree.body)
    return names


class _Reader(ast.NodeVisitor):
    def __init__(self, names: Names) -> None:
        self.names = names
        self.scope = names.module
        names.scopes.append(names.module)
        self.docstrings: set[ast.AST] = set()

    def visit_all(self, nodes: Iterable[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def docstring(self, node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if node.body and isinstance(first := node.body[0], ast.Expr):
            self.docstrings.add(first.value)

    def bind(self, name: str, imported: Imported | None = None, scope: Scope | None = None) -> None:
        target = scope or self.scope
        if name in target.elsewhere:
            target = target.module()
        target.bindings.setdefault(name, []).append(imported)

    def enter(self, nodes: Iterable[ast.AST | None], bound: Iterable[str] = (), is_class: bool = False) -> None:
        outer = self.scope
        self.scope = Scope(outer, is_class)
        self.names.scopes.append(self.scope)
        for name in bound:
            self.bind(name)
        self.visit_all(nodes)
        self.scope = outer

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.names.uses.setdefault(node.id, []).append(Use(node, self.scope))
        else:
            self.bind(node.id)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and node not in self.docstrings:
            self.names.strings.append(node.value)

    def visit_Import(self, node: ast.Import) -> None:
        for index, alias in enumerate(node.names):
            root = alias.name.partition(".")[0]
            self.bind(alias.asname or root, Imported(node, index, alias.asname or root, self._whole(alias, root)))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        for index, alias in enumerate(node.names):
            if alias.name == "*":
                self.names.stars.append(module)
            else:
                name = alias.asname or alias.name
                joint = "" if module.endswith(".") else "."
                self.bind(name, Imported(node, index, name, f"{module}{joint}{alias.name}"))

    def visit_Global(self, node: ast.Global) -> None:
        self.scope.elsewhere.update(dict.fromkeys(node.names, True))

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.scope.elsewhere.update(dict.fromkeys(node.names, False))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.bind(node.name)
        self.visit_all(node.decorator_list)
        self.docstring(node)
        parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        parameters += [p for p in (node.args.vararg, node.args.kwarg) if p is not None]
        self.visit_all(parameter.annotation for parameter in parameters)
        self.visit_all([node.returns, *_defaults(node)])
        self.enter([*_type_parameters(node), *node.body], _parameter_names(node))

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit_all(_defaults(node))
        self.enter([node.body], _parameter_names(node))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.bind(node.name)
        self.docstring(node)
        self.visit_all([*node.decorator_list, *node.bases, *node.keywords])
        self.enter([*_type_parameters(node), *node.body], is_class=True)

    def _comprehension(self, node: Comprehension) -> None:
        elements = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        # The first iterable is read outside: in `[x for x in x]` the last name is another one.
        self.visit(node.generators[0].iter)
        first, *others = node.generators
        self.enter([first.target, *first.ifs, *others, *elements])

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        # A walrus in a comprehension binds outside it; seen as bound in both places it is never taken for an import.
        self.bind(node.target.id)
        if self.scope.parent is not None:
            self.bind(node.target.id, scope=self.scope.parent)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.bind(node.name)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs | ast.MatchStar) -> None:
        if node.name:
            self.bind(node.name)
        self.generic_visit(node)

    visit_MatchStar = visit_MatchAs

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self.bind(node.rest)
        self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        name = getattr(node, "name", None)
        if isinstance(name, str) and type(node).__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple"):
            self.bind(name)
        super().generic_visit(node)

    @staticmethod
    def _whole(alias: ast.alias, root: str) -> str:
        # `import torch.nn` binds `torch`; only with `as` does the name stand for the whole path.
        return alias.name if alias.asname else root


def _defaults(node: Function) -> list[ast.expr | None]:
    return [*node.args.defaults, *node.args.kw_defaults]


def _parameter_names(node: Function) -> list[str]:
    arguments = node.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    stars = [star.arg for star in (arguments.vararg, arguments.kwarg) if star is not None]
    return [parameter.arg for parameter in parameters] + stars


def _type_parameters(node: ast.AST) -> list[ast.AST]:
    """The `[T]` of Python 3.12."""
    return list(getattr(node, "type_params", []))
