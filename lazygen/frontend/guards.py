"""`if __name__ == "__main__":` and its spellings: what an import of the file runs of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable


def run_by_import(statement: ast.If) -> list[ast.stmt] | None:
    """The arm that an import of the file runs; None if the condition is not about `__main__`."""
    guarded = _main(statement.test)
    if guarded is None:
        return None
    return statement.orelse if guarded else statement.body


def importable(statements: Iterable[ast.stmt]) -> list[ast.stmt]:
    """The statements of a module's top level that an import of it runs, those in arms beside a `__main__` block too."""
    kept: list[ast.stmt] = []
    waiting = list(statements)[::-1]
    while waiting:
        statement = waiting.pop()
        arm = run_by_import(statement) if isinstance(statement, ast.If) else None
        if arm is None:
            kept.append(statement)
        else:
            waiting.extend(reversed(arm))
    return kept


def _main(test: ast.expr) -> bool | None:
    """True if only a script gets past `test`, False if only an import does."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _main(operand)
            return None if inner is None else not inner
        case ast.BoolOp(values=values):
            # `__name__ == "__main__" or DEBUG` is a script's block too; what the other spelling guards is an open
            # question as soon as there is a second condition.
            return True if any(_main(value) for value in values) else None
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if _is_name(left) or _is_name(right):
            other = right if _is_name(left) else left
            if not any(isinstance(node, ast.Constant) and node.value == "__main__" for node in ast.walk(other)):
                return None
            return {ast.Eq: True, ast.Is: True, ast.In: True, ast.NotEq: False, ast.IsNot: False, ast.NotIn: False}.get(
                type(operator)
            )
    return None


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "__name__"
