"""What names are bound to in a scope of the text, and what calls and functions say of each other's arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from lazygen.lift.syntax import Function

Scope = ast.Module | Function | ast.Lambda | ast.ClassDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def walk_scope(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope's body: lambdas and comprehensions too, but not what functions and classes inside hold."""
    pending: list[ast.AST] = list(reversed(_body(scope)))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (ast.ClassDef, *FUNCTIONS)):
            pending += reversed(list(ast.iter_child_nodes(node)))


def default_of(function: Function, name: str) -> ast.expr | None:
    """The default of a parameter."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(reversed(positional), reversed(arguments.defaults), strict=False)]
    pairs += [
        (arg, default) for arg, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default
    ]
    return next((default for parameter, default in pairs if parameter.arg == name), None)


def argument_of(call: ast.Call, function: Function, name: str, skipped: int) -> ast.expr | None:
    """What a call gives for a parameter, `skipped` of which the call does not give."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    positional = [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)][skipped:]
    index = positional.index(name) if name in positional else len(call.args)
    given = call.args[: index + 1]
    return given[index] if len(given) > index and not any(isinstance(a, ast.Starred) for a in given) else None


def _body(scope: ast.AST) -> Sequence[ast.AST]:
    body: Sequence[ast.AST] | ast.AST = getattr(scope, "body", ())
    return [body] if isinstance(body, ast.AST) else body


def bindings_of(scope: Scope) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(scope, (*FUNCTIONS, ast.Lambda)):
        for parameter in ast.walk(scope.args):
            if isinstance(parameter, ast.arg):
                yield parameter.arg, parameter
    for node in walk_scope(scope):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, node
            case ast.Assign(targets=targets, value=bound):
                for target in targets:
                    yield from _assigned(target, bound)
            case ast.AnnAssign(target=target, value=ast.expr() as bound) | ast.NamedExpr(target=target, value=bound):
                yield from _assigned(target, bound)
            case ast.AugAssign(target=ast.Name(id=name)):
                yield name, node
            case ast.For(target=target) | ast.comprehension(target=target):
                for inner in ast.walk(target):
                    if isinstance(inner, ast.Name):
                        yield inner.id, node
            case ast.withitem(optional_vars=ast.expr() as target):
                for inner in ast.walk(target):
                    if isinstance(inner, ast.Name):
                        yield inner.id, node
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                for alias in aliases:
                    yield alias.asname or alias.name.partition(".")[0], alias


def _assigned(target: ast.expr, bound: ast.expr) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(target, ast.Name):
        yield target.id, bound
    elif isinstance(target, (ast.Tuple, ast.List)):
        parts = bound.elts if isinstance(bound, (ast.Tuple, ast.List)) and len(bound.elts) == len(target.elts) else None
        for number, item in enumerate(target.elts):
            if parts is not None and not isinstance(parts[number], ast.Starred):
                yield from _assigned(item, parts[number])
            elif isinstance(item, ast.Name):
                yield item.id, target


def attributes_of(owner: ast.ClassDef) -> dict[str, list[ast.expr]]:
    """What attributes of a class and of its instances are set to."""
    found: dict[str, list[ast.expr]] = {}
    for statement in owner.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(statement.value)
    for node in ast.walk(owner):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if (
                    isinstance(target, ast.Attribute)
                    and isinstance(target.value, ast.Name)
                    and target.value.id == "self"
                ):
                    found.setdefault(target.attr, []).append(node.value)
    return found


def place_in(target: ast.expr, name: str) -> list[int] | None:
    """The way to a name in a loop's target: `[]` for the target itself, `[1]` for the second of a tuple."""
    if isinstance(target, ast.Name):
        return [] if target.id == name else None
    for number, item in enumerate(target.elts if isinstance(target, (ast.Tuple, ast.List)) else ()):
        inner = place_in(item, name)
        if inner is not None:
            return [number, *inner]
    return None


def is_static(function: Function) -> bool:
    return any(isinstance(name, ast.Name) and name.id == "staticmethod" for name in function.decorator_list)


def is_inside(inner: ast.AST, scope: ast.AST) -> bool:
    """Whether a child of a scope's node belongs to the scope: decorators, defaults and bases do not."""
    if isinstance(scope, ast.Module):
        return True
    if isinstance(inner, ast.arguments):
        return True
    return any(inner is node for node in _body(scope))
