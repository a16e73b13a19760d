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
from typing import Any

from lazygen.diagnostics import Diagnostic
from lazygen.lift.plan import InsertStatements
from lazygen.lift.syntax import Function, Syntax
from lazygen.trace.model import ModelTrace, Variation
from lazygen.values import replace, value

_NO_TERMS = "no expression gives its sizes for other values"
_NUMBERS = "with --engine torch its sizes are numbers, and no expression of its arguments"


@value
class Fixed:
    """What an argument has to be: the test that says when it is not, and the words for it."""

    path: str
    test: str
    words: str
    length_only: bool = False


@value
class Checks:
    """Checks at the top of constructors, notes about them, and what they demand."""

    edits: tuple[InsertStatements, ...] = ()
    notes: tuple[Diagnostic, ...] = ()
    fixed: tuple[Fixed, ...] = ()

    def refuse(self, variation: Variation, models: Sequence[ModelTrace]) -> bool:
        """Whether a changed argument is one that the checks do not let pass."""
        for item in self.fixed:
            if item.path == variation.path:
                values = [v.value for model in models for v in model.variables if v.path == item.path]
                return not item.length_only or any(len(variation.value) != len(value) for value in values)
        return False


def fixes(
    syntax: Syntax, models: Sequence[ModelTrace], broken: Iterable[tuple[str, Variation]], has_terms: bool = True
) -> Checks | None:
    """The checks for changed arguments that an output cannot follow; None if one of them has no place.

    Without `has_terms` the sizes were plain numbers from the start, which the notes say.
    """
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
        if variation.path not in known or known[variation.path].length_only:
            known[variation.path] = fixed
    edits, notes = [], []
    for function, arguments in by_function.items():
        edits.append(InsertStatements(syntax.span(_first_statement(function)), _text(arguments.values())))
        notes += list(_notes(syntax, function, arguments.values(), has_terms))
    return Checks(tuple(edits), tuple(notes), tuple(f for found in by_function.values() for f in found.values()))


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
            return Fixed(path, f"len({path}) != {len(value)}", f"{path} must have {len(value)} entries", True)
        return Fixed(path, f"list({path}) != {list(value)!r}", f"{path} must be {list(value)!r}")
    if isinstance(value, bool):
        return Fixed(path, f"not {path}" if value else path, f"{path} must be {value}")
    return Fixed(path, f"{path} != {value}", f"{path} must be {value}")


def _first_statement(function: Function) -> ast.stmt:
    first = function.body[0]
    is_docstring = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return function.body[1] if is_docstring and len(function.body) > 1 else first


def _text(fixed: Iterable[Fixed]) -> str:
    lines = []
    for item in fixed:
        lines.append(f"# The sizes below hold for one value of {item.path} only.")
        lines += [f"if {item.test}:", f'    raise ValueError("{item.words}")']
    return "\n".join(lines) + "\n"


def _notes(syntax: Syntax, function: Function, fixed: Iterable[Fixed], has_terms: bool) -> Iterator[Diagnostic]:
    owner = syntax.class_of.get(syntax.place(function))
    name = owner.name if owner is not None else function.name
    place = syntax.place(function)
    for item in fixed:
        yield Diagnostic(
            "LZ310",
            f"in the output, {item.words} for {name}: {_NO_TERMS if has_terms else _NUMBERS}",
            replace(place, end_line=place.line, end_column=place.column + len(f"def {function.name}")),
            helps=() if has_terms else ("leave out --engine torch, so that sizes are followed as expressions",),
            severity="note",
        )
