"""Writes `index.py` from what the family files declare: run `python -m lazygen.symbolic.make_index` after adding a
rule.
"""

from __future__ import annotations

import inspect
import pkgutil
import textwrap
from importlib import import_module
from pathlib import Path

from lazygen.symbolic import nn, ops
from lazygen.symbolic.rules import RULES


def families() -> dict[str, str]:
    """Every declared name with the file of `ops/` that declares it."""
    for info in pkgutil.iter_modules(ops.__path__):
        import_module(f"{ops.__name__}.{info.name}")
    return {name: function.__module__.rpartition(".")[2] for name, function in sorted(RULES.items())}


def layers() -> dict[str, str]:
    """Every public class that a file of `nn/` defines, with that file."""
    found: dict[str, str] = {}
    for info in pkgutil.iter_modules(nn.__path__):
        module = import_module(f"{nn.__name__}.{info.name}")
        for name, value in vars(module).items():
            if inspect.isclass(value) and value.__module__ == module.__name__ and not name.startswith("_"):
                found[name] = info.name
    return dict(sorted(found.items()))


def render() -> str:
    """The text of `index.py`."""
    parts = [
        '"""Which family holds a name: made by `python -m lazygen.symbolic.make_index`, held up to date by a test."""',
        "",
        "from __future__ import annotations",
        "",
        *_table("FAMILIES", families()),
        "",
        *_table("LAYERS", layers()),
    ]
    return "\n".join(parts) + "\n"


def _table(title: str, entries: dict[str, str]) -> list[str]:
    by_family: dict[str, list[str]] = {}
    for name, family in entries.items():
        by_family.setdefault(family, []).append(name)
    lines = [f"{title}: dict[str, str] = {{", "    name: family", "    for family, names in ("]
    for family, names in sorted(by_family.items()):
        wrapped = textwrap.wrap(" ".join(names), 104, break_long_words=False, break_on_hyphens=False)
        lines.append(f'        ("{family}", """')
        lines += [f"            {line}" for line in wrapped]
        lines.append('        """),')
    return [*lines, "    )", "    for name in names.split()", "}  # fmt: skip"]


if __name__ == "__main__":
    Path(__file__).with_name("index.py").write_text(render(), encoding="utf-8")
