"""Lambdas that are expressions: as code of a module's `forward`."""

from __future__ import annotations

import ast

from lazygen.lift.splices import Splices
from lazygen.lift.syntax import Syntax

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_NO_EXPRESSION = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)


def expression(node: ast.expr | None, syntax: Syntax, splices: Splices) -> tuple[list[str], str] | None:
    """The parameters of a lambda and the text of what it gives.

    None if it is no lambda, if its parameters have defaults or stars, or if it reads what only exists where it stands.
    """
    if not isinstance(node, ast.Lambda) or not is_simple(node):
        return None
    names = parameters(node)
    read = {n.id for n in ast.walk(node.body) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    if "self" in names or read & _names_around(node, syntax) - set(names):
        return None
    return names, splices.text(node.body)


def is_simple(node: ast.Lambda) -> bool:
    """Whether a lambda has plain parameters, and a body that could stand anywhere."""
    given = node.args
    stars = (given.vararg, given.kwarg, *given.kwonlyargs, *given.defaults, *given.kw_defaults)
    return not any(stars) and not any(isinstance(part, _NO_EXPRESSION) for part in ast.walk(node.body))


def parameters(node: ast.Lambda) -> list[str]:
    """The names of a lambda's parameters."""
    return [parameter.arg for parameter in (*node.args.posonlyargs, *node.args.args)]


def described(body: str) -> str:
    """A docstring for a module that gives an expression."""
    simple = body.isprintable() and not set(body) & set("\"'\\") and len(body) <= 60
    return f"Gives {body}." if simple else "Gives what one expression says."


def _names_around(node: ast.AST, syntax: Syntax) -> set[str]:
    """The names that the functions and comprehensions around a node bind."""
    found: set[str] = set()
    around = syntax.parent(node)
    while around is not None:
        if isinstance(around, SCOPES):
            found |= {part.arg for part in ast.walk(around) if isinstance(part, ast.arg)}
            stored = (part for part in ast.walk(around) if isinstance(part, ast.Name))
            found |= {part.id for part in stored if not isinstance(part.ctx, ast.Load)}
        elif isinstance(around, ast.ClassDef):
            found |= {"__class__"}
        around = syntax.parent(around)
    return found
