"""Reads the tables of the slice tests: `+` marks a statement that runs, `-` one that does not, `|` a further line."""

from __future__ import annotations

import ast

from lazygen.frontend.slice import needed


def read_table(table: str) -> tuple[str, set[int]]:
    """The source of a table, and the lines of the statements that run."""
    lines = [line.removeprefix("        ") for line in table.strip("\n").splitlines() if line.strip()]
    lines = [line.lstrip() if line.lstrip()[:2] in ("+ ", "- ", "| ") else line for line in lines]
    return "\n".join(line[2:] for line in lines) + "\n", {n for n, line in enumerate(lines, 1) if line[0] == "+"}


def lines_of(source: str, names: list[str], entry_line: int | None = None) -> set[int]:
    return {first_line(node) for node in needed(ast.parse(source), names, entry_line=entry_line)}


def first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(part.lineno for part in decorators)])
