"""A parameter that is moved as it is made: what comes of it is a plain tensor, which no module registers.

self.scale = nn.Parameter(torch.ones(8)).to(device)             a warning: a parameter on the CPU, none on a GPU
self.scale = nn.Parameter(torch.ones(8, device=device))         a parameter everywhere
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.diagnostics import Diagnostic
from lazygen.traps.text import Text

_MOVES = ("to", "cuda", "cpu", "half", "bfloat16", "double", "float", "type")


def found(text: Text) -> Iterator[Diagnostic]:
    for node in ast.walk(text.tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _MOVES:
            continue
        made = node.func.value
        if isinstance(made, ast.Call) and text.meaning(made.func) in (
            "torch.nn.Parameter",
            "torch.nn.parameter.Parameter",
        ):
            move = f".{node.func.attr}({', '.join(map(ast.unparse, node.args))})"
            yield Diagnostic(
                "LZ148",
                f"a parameter that {move} moves or converts is a plain tensor, which no module registers",
                text.place(node),
                helps=("make the tensor where it belongs: nn.Parameter(torch.ones(8, device=...))",),
                severity="warning",
            )
