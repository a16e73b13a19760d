"""Installed packages whose definitions make lazy layers: which of them a file needs to have looked through."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from lazygen.trace.model import Trace

KNOWN = frozenset({"torch", "torchx", "numpy", "lazygen", *sys.stdlib_module_names})
"""Packages that hold no definitions with lazy layers that could be written into a file."""


def imported(tree: ast.Module) -> frozenset[str]:
    """The packages, perhaps the project's, that a file imports from."""
    return frozenset(root for statement in tree.body for root in _roots(statement)) - KNOWN


def seen(traced: Trace) -> frozenset[str]:
    """The packages whose code made lazy layers in a run: it stood between a call of the source and the layer."""
    detours = [frame.detour for layer in traced.layers for frame in layer.frames if frame.detour is not None]
    return frozenset(module.partition(".")[0] for detour in detours for module in detour.modules) - KNOWN


def _roots(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.ImportFrom) and not statement.level and statement.module:
        yield statement.module.partition(".")[0]
    elif isinstance(statement, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in statement.names)
