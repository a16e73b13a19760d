"""What every statement of a module binds, changes and reads: a table, made once a tree, that slices are looked up in.

On top of what stands in a statement itself (`uses.py`) the table knows what follows from the rest of the file:

    @register("net")            changes REGISTRY, which `register` of this file fills
    class Net(Base): ...        changes Base, whose `__init_subclass__` keeps a list
    setup()                     binds model, which `setup` declares `global`
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from weakref import WeakKeyDictionary

from lazygen.frontend.guards import importable
from lazygen.frontend.operators import registering
from lazygen.frontend.scopes import GROUPING, Uses, mutates, root
from lazygen.frontend.uses import Reader
from lazygen.values import field, record

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@record
class Statement:
    """One statement that an import of the file runs."""

    node: ast.stmt
    binds: set[str]
    changes: set[str]
    kills: set[str]  # of `binds`, what has a new value afterwards whatever it was before
    reads: set[str]
    late: set[str]  # what the functions that it defines read when they are called
    definition: bool  # a `def`, a `class` or an import, or a `try` or an `if` around nothing else
    uses: Uses


@record
class Facts:
    """The statements in their order, and by name the numbers of those that bind or change it."""

    statements: list[Statement]
    binders: dict[str, list[int]] = field(default_factory=dict)
    always: list[int] = field(default_factory=list)  # `from __future__`
    stars: list[int] = field(default_factory=list)
    environment: list[int] = field(default_factory=list)  # changes to `sys.path` and `os.environ`, new operators


_FACTS: WeakKeyDictionary[ast.Module, Facts] = WeakKeyDictionary()


def facts(tree: ast.Module) -> Facts:
    """The table of a module; the same object for the same tree."""
    known = _FACTS.get(tree)
    if known is None:
        known = _FACTS[tree] = make_facts(tree)
    return known


def make_facts(tree: ast.Module, *, annotations: bool = True, checks: bool = True) -> Facts:
    """The table of a module; `annotations` and `checks` as for `Reader`."""
    annotations = annotations and not any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in tree.body
    )
    reader = Reader(annotations=annotations, checks=checks)
    statements = [_statement(node, reader.statement(node)) for node in importable(tree.body)]
    if tree.body and ast.get_docstring(tree, clean=False) is not None and statements:
        statements[0].binds.add("__doc__")
    _follow_calls(statements)
    _follow_decorators(statements)
    _follow_subclasses(statements)
    _follow_groups(statements)
    table = Facts(statements)
    for number, statement in enumerate(statements):
        for name in statement.binds | statement.changes:
            table.binders.setdefault(name, []).append(number)
        if isinstance(statement.node, ast.ImportFrom):
            if statement.node.module == "__future__":
                table.always.append(number)
            elif statement.node.names[0].name == "*":
                table.stars.append(number)
        if statement.uses.environment:
            table.environment.append(number)
    table.environment.extend(registering(statement.node for statement in statements))
    return table


def _statement(node: ast.stmt, uses: Uses) -> Statement:
    return Statement(
        node=node,
        binds=uses.now.binds,
        changes=uses.now.changes,
        kills=_kills(node),
        reads=uses.now.reads,
        late=uses.late.reads,
        definition=_is_definition(node),
        uses=uses,
    )


def _kills(node: ast.stmt) -> set[str]:
    match node:
        case ast.Assign(targets=targets):
            parts = list(targets)
            for part in parts:  # grows while it is read: tuples in tuples
                if isinstance(part, ast.Tuple | ast.List):
                    parts.extend(part.elts)
            return {part.id for part in parts if isinstance(part, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            return {name}
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.ImportFrom(names=names):
            return {alias.asname or alias.name for alias in names}
        case ast.Import(names=names):
            # `import torch.nn` and `import torch.optim` bind `torch` both, and both are wanted.
            return {alias.asname for alias in names if alias.asname}
    return set()


def _is_definition(node: ast.stmt) -> bool:
    defines = False
    stack: list[ast.AST] = [node]
    while stack:
        match stack.pop():
            case ast.If() | ast.Try() as compound:
                stack.extend(ast.iter_child_nodes(compound))
            case ast.ExceptHandler(body=body):
                stack.extend(body)
            case ast.stmt() as part if _defines(part):
                defines = True
            case ast.stmt() as part if not _is_fallback(part):
                return False
    return defines


def _defines(node: ast.stmt) -> bool:
    if isinstance(node, Definition | ast.Import | ast.ImportFrom) or type(node).__name__ == "TypeAlias":
        return True
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda)


def _is_fallback(node: ast.stmt) -> bool:
    match node:
        case ast.Pass() | ast.Raise() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(value=ast.Constant() | ast.Name()):
            return True
    return False


def _follow_calls(statements: list[Statement]) -> None:
    """A call of a function that declares a name `global` binds that name; so does one that calls such a function."""
    functions = [item for item in statements if isinstance(item.node, ast.FunctionDef | ast.AsyncFunctionDef)]
    binding = _spread(functions, {_name(item): set(item.uses.late.binds) for item in functions})
    changing: dict[str, set[str]] | None = None
    for statement in statements:
        for called in statement.uses.now.calls & binding.keys():
            statement.binds |= binding[called]
        if statement.uses.mutating_calls:
            if changing is None:
                changing = _spread(functions, {_name(item): set(item.uses.late.changes) for item in functions})
            for called in statement.uses.mutating_calls & changing.keys():
                statement.changes |= changing[called]


def _follow_decorators(statements: list[Statement]) -> None:
    decorated = [item for item in statements if isinstance(item.node, Definition) and item.node.decorator_list]
    if not decorated:
        return
    definitions = [item for item in statements if isinstance(item.node, Definition)]
    filled: dict[str, set[str]] = {}
    for item in definitions:
        filled.setdefault(_name(item), set()).update(item.uses.late.changes, item.uses.late.binds)
    filled = _spread(definitions, filled)
    origins = _origins(statements)
    for item in decorated:
        assert isinstance(item.node, Definition)
        for decorator in item.node.decorator_list:
            item.changes |= _filled_by(decorator, filled, origins)


def _origins(statements: Iterable[Statement]) -> dict[str, ast.stmt]:
    """By name, the statement that says what a name is: an import, an assignment or a definition."""
    return {name: item.node for item in statements for name in sorted(item.binds)}


def _filled_by(decorator: ast.expr, filled: Mapping[str, set[str]], origins: Mapping[str, ast.stmt]) -> set[str]:
    """The names that a decorator changes when it is applied."""
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = root(target)
    if name is None:
        return set()
    registers = mutates(target.attr if isinstance(target, ast.Attribute) else name.id)
    arguments = decorator.args if isinstance(decorator, ast.Call) and registers else []
    changed = {argument.id for argument in arguments if isinstance(argument, ast.Name)}
    origin = origins.get(name.id)
    imported = isinstance(origin, ast.Import | ast.ImportFrom)
    if isinstance(target, ast.Attribute):
        # Of an object of the file any attribute may fill it; of an import, `@torch.no_grad()` does not.
        return changed | {name.id} if registers or (origin is not None and not imported) else changed
    if isinstance(origin, Definition):
        return changed | filled.get(name.id, set())
    if isinstance(origin, ast.ImportFrom) and registers:  # it fills what was imported together with it
        return changed | {alias.asname or alias.name for alias in origin.names}
    if origin is not None and (registers or _makes_instance(origin, origins)):
        return changed | {name.id}
    return changed


def _makes_instance(node: ast.stmt, origins: Mapping[str, ast.stmt]) -> bool:
    match node:
        case ast.Assign(value=ast.Call(func=ast.Name(id=name))):
            return isinstance(origins.get(name), ast.ClassDef)
    return False


def _follow_subclasses(statements: list[Statement]) -> None:
    """A class below one with an `__init_subclass__` changes that one: a registry without a decorator."""
    hooks: dict[str, set[str]] = {}  # by class, those above it, itself included, that are told of new classes
    for item in statements:
        if isinstance(item.node, ast.ClassDef):
            above = {hook for base in map(root, item.node.bases) if base for hook in hooks.get(base.id, ())}
            item.changes |= above
            methods = (part.name for part in item.node.body if isinstance(part, ast.FunctionDef))
            own = {item.node.name} if "__init_subclass__" in methods else set()
            hooks[item.node.name] = above | own


def _follow_groups(statements: list[Statement]) -> None:
    """What is added to a group of a parser's arguments is added to the parser."""
    owners: dict[str, str] = {}
    for item in statements:
        match item.node:
            case ast.Assign(targets=[ast.Name(id=group)], value=ast.Call(func=ast.Attribute(value=owner, attr=attr))):
                name = root(owner)
                if name is not None and attr in GROUPING:
                    owners[group] = owners.get(name.id, name.id)
                    item.changes.add(owners[group])
        item.changes |= {owners[name] for name in item.changes & owners.keys()}


def _spread(definitions: Iterable[Statement], effects: dict[str, set[str]]) -> dict[str, set[str]]:
    """`effects` by name of a definition, with those of every function it calls; without the names that have none."""
    callers: dict[str, list[str]] = {}
    for item in definitions:
        for called in item.uses.late.calls & effects.keys():
            callers.setdefault(called, []).append(_name(item))
    waiting = [name for name, names in effects.items() if names]
    while waiting:
        called = waiting.pop()
        for caller in callers.get(called, ()):
            if not effects[called] <= effects[caller]:
                effects[caller] |= effects[called]
                waiting.append(caller)
    return {name: names for name, names in effects.items() if names}


def _name(item: Statement) -> str:
    assert isinstance(item.node, Definition)
    return item.node.name
