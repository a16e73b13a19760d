"""A layer that every run of `forward` makes anew: its weights are never trained.

return nn.LazyLinear(8)(x)                     a warning
if self.out is None: self.out = ...            made once
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from lazygen.diagnostics import Diagnostic
from lazygen.frontend.parse import tree_of
from lazygen.traps.seen import Seen, has_weights


def found(seen: Seen) -> Iterator[Diagnostic]:
    registered = {id(module) for model in seen.models for module in model.modules()}
    for module in seen.made:
        if not type(module).__module__.startswith(("lazygen.", "torch")) or not has_weights(module):
            continue
        if id(module) in registered and _is_guarded(seen, module):
            continue
        yield Diagnostic(
            "LZ141",
            f"every run of forward makes this {type(module).__name__} anew, with new weights that nothing trains",
            seen.made_at(module),
            helps=("make it in __init__ and keep it on self",),
            severity="warning",
        )


def _is_guarded(seen: Seen, module: Any) -> bool:
    """Whether the call stands below an `if` or in a `try`, as layers do that are made on the first call."""
    place = seen.made_at(module)
    code, _ = module.made_at
    if place is None:
        return False
    tree = tree_of(seen.text(code.co_filename))
    guards = (node for node in ast.walk(tree) if isinstance(node, (ast.If, ast.Try, ast.IfExp)))
    return any(node.lineno <= place.line <= (node.end_lineno or 0) for node in guards)
