"""What the text of a traced source says about the place that a frame has reached."""

from __future__ import annotations

import ast
import linecache
from functools import lru_cache
from itertools import islice
from types import FrameType

_CATCHES = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


@lru_cache(maxsize=64)
def tree_of(path: str) -> ast.Module | None:
    """The tree of a source, by the name it was compiled under; None if there is no text."""
    lines = linecache.getlines(path)
    try:
        return ast.parse("".join(lines)) if lines else None
    except (SyntaxError, ValueError):
        return None


def line_of(frame: FrameType) -> int:
    """The first line of the expression that a frame runs."""
    position = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), (None,))
    return position[0] or frame.f_lineno or 0


def class_at(frame: FrameType) -> tuple[ast.ClassDef, ast.Module] | None:
    """The class statement that a frame runs, and the tree it is in."""
    tree = tree_of(frame.f_code.co_filename)
    line = line_of(frame)
    if tree is None:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first <= line <= max([node.lineno, *(b.end_lineno or 0 for b in node.bases)]):
                return node, tree
    return None


def import_is_caught(frame: FrameType) -> bool:
    """Whether the import that a frame runs stands in a `try` whose handler has an answer to its failing.

    A handler that only complains (`raise`, `print`, `sys.exit`, `pass`) around nothing but imports has none: the
    rest of the file uses the name all the same.
    """
    tree = tree_of(frame.f_code.co_filename)
    return tree is not None and _caught(tree.body, line_of(frame))


def runs_import(frame: FrameType) -> bool:
    """Whether the statement that a frame runs is an import."""
    tree, line = tree_of(frame.f_code.co_filename), line_of(frame)
    return tree is not None and any(
        isinstance(node, (ast.Import, ast.ImportFrom)) and node.lineno <= line <= (node.end_lineno or node.lineno)
        for node in ast.walk(tree)
    )


def _caught(body: list[ast.stmt], line: int) -> bool:
    for node in body:
        if not node.lineno <= line <= (node.end_lineno or node.lineno):
            continue
        if isinstance(node, ast.Try) and _holds(node.body, line) and _answers(node):
            return True
        if isinstance(node, ast.With) and any("suppress" in ast.unparse(i.context_expr) for i in node.items):
            return True
        inner = [getattr(node, part, []) for part in ("body", "orelse", "finalbody")]
        inner += [part.body for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))]
        return any(_caught(part, line) for part in inner)
    return False


def _holds(body: list[ast.stmt], line: int) -> bool:
    return body[0].lineno <= line <= (body[-1].end_lineno or 0)


def _answers(node: ast.Try) -> bool:
    handlers = [h for h in node.handlers if h.type is None or _names(h.type) & _CATCHES]
    if not handlers:
        return False
    only_imports = all(isinstance(s, (ast.Import, ast.ImportFrom)) for s in node.body) and not node.orelse
    if all(_complains(s) for s in handlers[0].body):
        raises = any(isinstance(s, ast.Raise) for s in handlers[0].body)
        return not (only_imports or raises)
    return True


def _names(node: ast.expr) -> set[str]:
    return {
        n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Attribute))
    }


def _complains(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Pass, ast.Raise, ast.Expr))
