"""Calls that only some items of a loop come to: what came before is then not the item before.

for width in widths:
    if width > 4:                                  # hangs on the item
        layers.append(nn.LazyLinear(width))
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.lift.demands import Occurrence
from lazygen.lift.syntax import Syntax, counter_of


def is_chosen(occurrence: Occurrence, syntax: Syntax) -> bool:
    """Whether an item of the innermost loop statement decides if a call runs; a mere counter does not."""
    loops = [syntax.loops.get(iteration.loop) for iteration in occurrence.frame.loops]
    loop = loops[-1] if loops else None
    if not isinstance(loop, ast.For):
        return False
    counter = counter_of(loop)
    items = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    items -= {counter.name} if counter is not None else set()
    call = syntax.calls.get(occurrence.frame.call)
    around: ast.AST | None = None if call is None else syntax.parent(call)
    while around is not None and around is not loop:
        if any(_reads(test, items) for test in _tests(around)):
            return True
        around = syntax.parent(around)
    skips = [node for node in ast.walk(loop) if isinstance(node, ast.If) and _skips(node)]
    return any(_reads(node.test, items) for node in skips)


def is_filtered(occurrence: Occurrence, syntax: Syntax) -> bool:
    """Whether a comprehension around a call leaves items out by an `if` that reads them, perhaps not in this run."""
    generators = [g for iteration in occurrence.frame.loops for g in syntax.generators(iteration.loop)]
    for generator in generators:
        items = {node.id for node in ast.walk(generator.target) if isinstance(node, ast.Name)}
        if isinstance(generator, ast.comprehension) and any(_reads(test, items) for test in generator.ifs):
            return True
    return False


def _tests(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, (ast.If, ast.IfExp)):
        yield node.test
    elif isinstance(node, ast.Match):
        yield node.subject


def _skips(node: ast.If) -> bool:
    return any(isinstance(part, (ast.Continue, ast.Break)) for part in node.body)


def _reads(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))


def looks_back(text: str) -> bool:
    """Whether a text speaks of another item than the loop's, or of the first: `widths[i - 1]`, `3 if i == 0 else w`."""
    return any(
        isinstance(node, ast.IfExp) or (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.BinOp))
        for node in ast.walk(ast.parse(text, mode="eval"))
    )
