"""Loops over `_` whose variable is needed after all: it gets a name.

for _ in range(depth):                            for i in range(depth):
    self.add(nn.LazyLinear(hidden))      ->           self.add(nn.Linear(10 + hidden * i, hidden))
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from lazygen.lift.parameters import free_name
from lazygen.lift.plan import AddArguments, Edit, ReplaceExpression, Span
from lazygen.lift.syntax import Syntax
from lazygen.values import replace

_UNDERSCORE = re.compile(r"(?<![\w.\"'])_(?!\w)")


def named(edits: Iterable[Edit], syntax: Syntax) -> list[Edit]:
    """The edits with a name for every `_` that new arguments speak of, and for the loops that bind it."""
    names: dict[Span, str] = {}
    found: list[Edit] = []
    for edit in edits:
        if isinstance(edit, AddArguments) and any(_UNDERSCORE.search(a.text) for a in edit.arguments):
            loop = _loop_around(syntax, edit.call)
            if loop is not None:
                target = syntax.span(loop.target)
                name = names.setdefault(target, _name_for(loop, syntax))
                arguments = tuple(replace(a, text=_UNDERSCORE.sub(name, a.text)) for a in edit.arguments)
                edit = replace(edit, arguments=arguments)
        found.append(edit)
    return [*found, *(ReplaceExpression(target, name) for target, name in names.items())]


def _loop_around(syntax: Syntax, call: Span) -> ast.For | ast.comprehension | None:
    """The innermost loop over `_` around a call."""
    node: ast.AST | None = next((c for c in syntax.calls.values() if syntax.span(c) == call), None)
    while node is not None:
        node = syntax.parent(node)
        generators = [node] if isinstance(node, ast.For) else reversed(getattr(node, "generators", []))
        for generator in generators:
            if isinstance(generator.target, ast.Name) and generator.target.id == "_":
                return generator
    return None


def _name_for(loop: ast.For | ast.comprehension, syntax: Syntax) -> str:
    """`i` for a counter, else the singular of what the loop goes over."""
    node: ast.AST | None = loop.target
    while node is not None and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        node = syntax.parent(node)
    scope = node if node is not None else syntax.tree
    taken = {n.id for n in ast.walk(scope) if isinstance(n, ast.Name)} | {
        n.arg for n in ast.walk(scope) if isinstance(n, ast.arg)
    }
    over = ast.unparse(loop.iter).rpartition(".")[2]
    wanted = over[:-1] if over.isidentifier() and over.endswith("s") and len(over) > 2 else "i"
    counters = ("i", "j", "k") if wanted == "i" else (wanted,)
    return next((name for name in counters if name not in taken), free_name(wanted, taken))
