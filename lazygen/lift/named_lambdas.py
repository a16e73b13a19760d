"""Lambdas that have a name and make layers of several sizes are written as functions, which can take one.

block = lambda width: nn.Sequential(nn.LazyLinear(width), nn.ReLU())

def block(in_features, width):
    return nn.Sequential(nn.Linear(in_features, width), nn.ReLU())
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lazygen.diagnostics import Diagnostic
from lazygen.lift.plan import DeleteStatement, Edit, InsertStatements, Plan
from lazygen.lift.syntax import Syntax


def rewritten(syntax: Syntax, findings: Sequence[Diagnostic]) -> Plan | None:
    """The edits that make functions of the lambdas which findings are about; None if one is about something else."""
    lines = [finding.place for finding in findings]
    edits: list[Edit] = []
    found = 0
    for node in ast.walk(syntax.tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda) and len(node.targets) == 1:
            target, body = node.targets[0], syntax.place(node.value.body)
            inside = [
                place
                for place in lines
                if place is not None
                and (body.line, body.column) <= (place.line, place.column)
                and (place.end_line, place.end_column) <= (body.end_line, body.end_column)
            ]
            if inside and isinstance(target, ast.Name) and not isinstance(syntax.parent(node), ast.ClassDef):
                found += len(inside)
                head = f"def {target.id}({ast.unparse(node.value.args)}):"
                text = f"{head}\n    return {_written(syntax, node, node.value.body)}\n"
                edits += [InsertStatements(syntax.span(node), text), DeleteStatement(syntax.span(node))]
    return Plan(tuple(edits)) if found == len(lines) and edits else None


def _written(syntax: Syntax, statement: ast.Assign, body: ast.expr) -> str:
    """The body with its comments and lines, moved to stand in a function, if it means the same there."""
    indentation = " " * syntax.place(statement).column
    first, *others = syntax.lines(body)
    moved = "\n".join([first, *(f"    {line.removeprefix(indentation)}" for line in others)])
    try:
        function = ast.parse(f"def made():\n    return {moved}\n").body[0]
    except SyntaxError:
        return ast.unparse(body)
    assert isinstance(function, ast.FunctionDef)
    returned = function.body[0].value if isinstance(function.body[0], ast.Return) else None
    same = len(function.body) == 1 and returned is not None and ast.dump(returned) == ast.dump(body)
    return moved if same else ast.unparse(body)
