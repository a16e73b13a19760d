"""Models that cannot stay general: a check at the top of the constructor says for which argument the sizes hold.

    def __init__(self, depth=3):                def __init__(self, depth=3):
        super().__init__()             ->           # the sizes below hold for depth=3
                                                    if depth != 3:
                                                        raise ValueError("depth must be 3: ...")
                                                    super().__init__()
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lazygen.diagnostics import Diagnostic
from lazygen.lift.plan import InsertStatements
from lazygen.lift.syntax import Function, Syntax
from lazygen.trace.model import ModelTrace, Variation


@dataclass(frozen=True, slots=True)
class Fixed:
    """What an argument has to be: the test that says when it is not, and the words for it."""

    path: str
    test: str
    words: str


def fixes(
    syntax: Syntax, models: Sequence[ModelTrace], broken: Iterable[tuple[str, Variation]]
) -> tuple[list[InsertStatements], list[Diagnostic]] | None:
    """The checks for changed arguments that an output cannot follow, with notes; None if one of them has no place."""
    by_function: dict[Function, dict[str, Fixed]] = {}
    for entry, variation in broken:
        model = next(model for model in models if model.entry == entry)
        function = _maker(syntax, model.maker)
        name = variation.path.partition(".")[0]
        if function is None or name not in {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}:
            return None
        value = next(variable.value for variable in model.variables if variable.path == variation.path)
        fixed = _fixed(variation, value)
        known = by_function.setdefault(function, {})
        if variation.path not in known or "len(" in known[variation.path].test:
            known[variation.path] = fixed
    edits, notes = [], []
    for function, arguments in by_function.items():
        edits.append(InsertStatements(syntax.span(_first_statement(function)), _text(arguments.values())))
        notes += list(_notes(syntax, function, arguments.values()))
    return edits, notes


def _maker(syntax: Syntax, name: str) -> Function | None:
    """The constructor of a class of the file, or a function of it."""
    owner = syntax.classes.get(name)
    seen: set[str] = set()
    while owner is not None and owner.name not in seen:
        seen.add(owner.name)
        for statement in owner.body:
            if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
                return statement
        bases = [base.id for base in owner.bases if isinstance(base, ast.Name)]
        owner = next((syntax.classes[base] for base in bases if base in syntax.classes), None)
    return next((f for f in syntax.functions.values() if f.name == name and syntax.parent(f) is syntax.tree), None)


def _fixed(variation: Variation, value: Any) -> Fixed:
    path = variation.path
    if isinstance(value, (list, tuple)):
        if len(variation.value) != len(value):
            return Fixed(path, f"len({path}) != {len(value)}", f"{path} must have {len(value)} entries")
        return Fixed(path, f"list({path}) != {list(value)!r}", f"{path} must be {list(value)!r}")
    if isinstance(value, bool):
        return Fixed(path, f"not {path}" if value else path, f"{path} must be {value}")
    return Fixed(path, f"{path} != {value}", f"{path} must be {value}")


def _first_statement(function: Function) -> ast.stmt:
    first = function.body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    return function.body[1] if is_docstring and len(function.body) > 1 else first


def _text(fixed: Iterable[Fixed]) -> str:
    lines = []
    for item in fixed:
        lines += [f"if {item.test}:", f'    raise ValueError("{item.words}: the sizes below are those of it")']
    return "\n".join(lines) + "\n"


def _notes(syntax: Syntax, function: Function, fixed: Iterable[Fixed]) -> Iterator[Diagnostic]:
    owner = syntax.class_of.get(syntax.place(function))
    name = owner.name if owner is not None else function.name
    for item in fixed:
        yield Diagnostic(
            "LZ310",
            f"in the output of {name} {item.words}: no expression gives its sizes for others",
            syntax.place(function),
            severity="note",
        )


