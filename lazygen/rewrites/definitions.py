"""The text in which models and lazy layers are looked for: with the definitions that other files hold written into it,
and with layers that `forward` makes on its first call in the constructors.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from lazygen.diagnostics import Diagnostic, Refused
from lazygen.frontend.parse import parse
from lazygen.lift import first_call, inlining, packages
from lazygen.lift.syntax import Syntax
from lazygen.rewrites.draft import Draft, Emitter, observed
from lazygen.trace.collect import location_of


def with_definitions(text: str, tree: ast.Module, folder: Path | None, emit: Emitter) -> str:
    """The text with lazy definitions of the project's modules that it imports, and with layers in constructors."""
    edited = _with_imported(text, tree, folder, emit)
    if not first_call.may_have(edited):
        return edited
    plan = first_call.rewritten(Syntax(tree if edited == text else parse(edited, emit.path), edited, emit.path))
    return edited if plan is None else emit(edited, plan)


def with_packages(draft: Draft, folder: Path | None, emit: Emitter) -> Draft:
    """The draft with the definitions of installed packages that made lazy layers in it, if that runs.

    What does not run as a copy is refused where the source calls it.
    """
    made_by = packages.seen(draft.traced)
    copied = _with_imported(draft.text, draft.tree, folder, emit, made_by) if made_by else draft.text
    if copied != draft.text:
        with suppress(Refused):
            tree = parse(copied, emit.path)
            return observed(copied, tree, draft.request.settings, emit.path, folder, tree)
    return draft


def lazy_elsewhere(text: str, tree: ast.Module, folder: Path | None, path: str) -> Diagnostic | None:
    """What is wrong with a file without lazy layers that makes some by classes of other files, not imported by name."""
    if not inlining.may_have(tree):
        return None
    return inlining.stays_lazy(Syntax(tree, text, path), location_of(path, folder))


def _with_imported(
    text: str, tree: ast.Module, folder: Path | None, emit: Emitter, installed: Collection[str] | None = None
) -> str:
    """The text with lazy definitions that it imports from the project's other modules, or from the packages
    `installed`, written into it.
    """
    if not inlining.may_have(tree):
        return text
    plan = inlining.rewritten(Syntax(tree, text, emit.path), location_of(emit.path, folder), installed)
    return text if plan is None else emit(text, plan)
