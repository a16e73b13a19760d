"""The sources in a folder, for a run over a whole project.

Hidden folders, virtual environments, `__pycache__`, `node_modules` and `site-packages` are left out, links to folders
are not followed.  `.gitignore` is not asked: a file counts only if somebody wrote settings for it or lazygen wrote it,
and an output that is not under version control should be up to date all the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

SPECS = (".yaml", ".yml", ".json")
SOURCES = (".py", *SPECS)

_LEFT_OUT = ("__pycache__", "node_modules", "site-packages")


def source_files(folder: str) -> Iterator[str]:
    """The files below a folder that may be sources, in the same order on every machine: Python, and YAML and JSON."""
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_left_out(os.path.join(path, name), name))
        for name in sorted(names):
            file = os.path.normpath(os.path.join(path, name))
            if name.lower().endswith(SOURCES) and not name.startswith(".") and os.path.isfile(file):
                yield file


def _is_left_out(path: str, name: str) -> bool:
    return name.startswith(".") or name in _LEFT_OUT or os.path.exists(os.path.join(path, "pyvenv.cfg"))
