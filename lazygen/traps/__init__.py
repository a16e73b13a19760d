"""Traps: sources that run, and do not do what their author most likely means.  Each is a warning, and changes nothing.

    seen.py         what a run showed
    ignored.py      `# lazygen: ignore[CODE]`

Every other file is one trap.  Those that a run shows have `found(seen)`, those that stand in the text `found(text)`;
what a file is asked is decided by what there is to ask it about, so that a source without traps loads none of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from lazygen.diagnostics import Diagnostic
from lazygen.frontend.references import Reference

if TYPE_CHECKING:
    from lazygen.traps.seen import Seen

# Words without which a text cannot hold a trap.
_WORDS = {
    "exact_type": "type(",
    "lazy_isinstance": "isinstance(",
    "stored_device": "self.device",
    "moved_parameter": "Parameter(",
}


def in_run(seen: Seen) -> Iterator[Diagnostic]:
    """The traps that a run showed, each place once."""
    found: dict[tuple[object, ...], Diagnostic] = {}
    for name in seen.worth_asking():
        trap = import_module(f"lazygen.traps.{name}")
        try:
            for finding in trap.found(seen):
                found.setdefault((finding.code, finding.place), finding)
        except Exception:  # what a source overrides (`parameters`, `modules`) may raise: no reason to refuse it
            continue
    yield from found.values()


def in_text(text: str, tree: ast.Module, lazy: Sequence[Reference], path: str) -> Iterator[Diagnostic]:
    """The traps that stand in the text of a file with lazy layers."""
    for name, word in _WORDS.items():
        if word in text:
            from lazygen.traps.text import Text

            yield from import_module(f"lazygen.traps.{name}").found(Text(text, tree, lazy, path))
