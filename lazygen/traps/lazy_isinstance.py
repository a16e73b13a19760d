"""`isinstance(m, nn.LazyLinear)`: true until the first run, and of no explicit layer.

if isinstance(m, nn.LazyLinear): ...        asks for the plain class in the output       a warning
if isinstance(m, nn.Linear): ...            a lazy layer is one too
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.diagnostics import Diagnostic
from lazygen.traps.text import Text


def found(text: Text) -> Iterator[Diagnostic]:
    lazy = {id(reference.node): reference for reference in text.lazy if reference.call is None}
    for node in ast.walk(text.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            for inner in (inner for argument in node.args[1:] for inner in ast.walk(argument)):
                reference = lazy.get(id(inner))
                if reference is not None:
                    yield Diagnostic(
                        "LZ145",
                        f"{reference.kind} is what a layer is until its first run; no explicit layer is one, "
                        f"so the output asks for {reference.plain}",
                        text.place(node),
                        helps=(f"ask for {reference.plain}, which a lazy layer is too, or drop the check",),
                        severity="warning",
                    )
                    break
