"""The unified diff that `--diff` prints."""

from __future__ import annotations

import difflib
import re

_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def unified_diff(old: str, new: str, old_name: str, new_name: str) -> str:
    """What changes from `old` to `new` with three lines around it, as `patch` reads it; empty if nothing does.

    Lines end at `\\n` alone, so that a changed `\\r\\n` shows as a change, and a last line without an end is marked.
    """
    lines = []
    for line in difflib.unified_diff(_LINE.findall(old), _LINE.findall(new), old_name, new_name):
        lines.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(lines)
