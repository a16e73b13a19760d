"""The models of a file, and the entry that somebody wrote: which names it reads, what to say if the file has none such.

find(tree)                              the models that can be converted as they stand
explain(tree), factories(tree)          those that need arguments, with a call to propose: Net(8)
entry_names("Net(cfg)")                 ("Net", "cfg")
unknown_entry(tree, "Nett", "a.py")     a finding: a.py has no "Nett" ... did you mean --entry Net?
"""

from __future__ import annotations

import ast
import builtins
import difflib
import warnings

from lazygen.diagnostics import Diagnostic, Note, Place, Refused
from lazygen.frontend.candidates import Rejected, Root, explain, factories, find
from lazygen.frontend.facts import facts
from lazygen.frontend.models import Models
from lazygen.frontend.scopes import root
from lazygen.frontend.uses import Reader

__all__ = ["Rejected", "Root", "entry_names", "explain", "factories", "find", "no_roots", "unknown_entry"]

_MOST_NAMED = 6
_WHAT_IS_AN_ENTRY = (
    "an entry is a variable, a class or a function of the file, or a call of one: --entry Net or --entry 'Net(8)'"
)


def entry_names(expression: str) -> tuple[str, ...]:
    """The names that an entry reads, the model's own first: `Net(cfg)` reads Net and cfg.

    An entry is a name, an attribute, an item or a call: `model`, `nets.small`, `Net(8, act=nn.ReLU)`,
    `MODELS["small"]()`.  Raises `Refused` (usage) with LZ102 for anything else.
    """
    text = expression.strip()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text, "<entry>", mode="eval")
    except SyntaxError as error:
        raise Refused(_no_entry(f'the entry "{text}" is no expression of Python: {error.msg}'), usage=True) from None
    except (ValueError, MemoryError, RecursionError):
        raise Refused(_no_entry(f'the entry "{text}" cannot be read'), usage=True) from None
    node = tree.body
    while isinstance(node, ast.Call | ast.Attribute | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    if not isinstance(node, ast.Name):
        raise Refused(_no_entry(f'the entry "{text}" does not name a model'), usage=True)
    uses = Reader().expression(tree.body)
    return (node.id, *sorted((uses.now.reads | uses.late.reads) - {node.id}))


def unknown_entry(tree: ast.Module, expression: str, path: str) -> Diagnostic | None:
    """What to say if an entry reads a name that the file at `path` does not bind; None if it binds them all.

    Raises `Refused` like `entry_names`.
    """
    names = entry_names(expression)
    table = facts(tree)
    if any(_may_bring_models(table.statements[number].node) for number in table.stars):
        return None
    unbound = [name for name in names if name not in table.binders]
    unbound = [name for name in unbound if name == names[0] or not (hasattr(builtins, name) or table.stars)]
    if not unbound:
        return None
    name = unbound[0]
    problem = f'{path} has no "{name}" at module level'
    if name in _inner_names(tree):
        problem += ": it is defined inside a class or a function"
    elif name in _script_names(tree):
        problem += ": it is bound under `__main__`, which a conversion does not run"
    return Diagnostic("LZ101", problem, helps=_other_entries(tree, name) if name == names[0] else ())


def no_roots(tree: ast.Module, path: str) -> Diagnostic:
    """What to say about a file in which no model can be converted as it stands."""
    rejected, made = explain(tree), factories(tree)
    notes = tuple(
        Note(f"{item.name} needs {_listed(item.missing)}", _place(item, path)) for item in rejected[:_MOST_NAMED]
    ) + tuple(Note(f"{item.name} builds one", _place(item, path)) for item in made[:_MOST_NAMED])
    if rejected:
        problem = "no model of this file can be built without arguments"
    elif made:
        problem = "this file binds no model at module level, but has functions that build one"
    elif Models(tree).lazy.holds(tree):
        problem = "this file has lazy layers, but no model that holds them"
    else:
        problem = "this file has no lazy layers"
    helps = tuple(f"say which model to build: --entry {_quoted(item.proposal)}" for item in [*rejected, *made][:1])
    return Diagnostic("LZ113", problem, Place(path, 1, 0, 1, 0), notes, helps)


def _no_entry(problem: str) -> Diagnostic:
    return Diagnostic("LZ102", problem, helps=(_WHAT_IS_AN_ENTRY,))


def _other_entries(tree: ast.Module, name: str) -> tuple[str, ...]:
    """The cures for a name that is not there: the closest model, and the other ones."""
    calls = _entries(tree)
    close = difflib.get_close_matches(name, calls, n=1)
    close += [other for other in calls if other.lower() == name.lower() and other not in close][: 1 - len(close)]
    helps = [f"did you mean --entry {_quoted(calls[other])}?" for other in close]
    others = [_quoted(call) for other, call in calls.items() if other not in close]
    if others:
        more = ", …" if len(others) > _MOST_NAMED else ""
        helps.append(f"{'other ' * bool(close)}models of the file: {', '.join(others[:_MOST_NAMED])}{more}")
    return tuple(helps) or (_WHAT_IS_AN_ENTRY,)


def _entries(tree: ast.Module) -> dict[str, str]:
    """By name, how the models of a file are written as an entry: roots first, then what could be built, then parts."""
    entries = {item.name: item.name for item in find(tree)}
    entries |= {item.name: item.proposal for item in (*explain(tree), *factories(tree))}
    models = Models(tree)
    parts = [name for name in models.values if models.is_model(name)]
    parts += [name for name in models.functions if name in models.holding and models.returns_model(name)]
    parts += [name for name in models.classes if models.is_module_class(name)]
    for name in parts:
        entries.setdefault(name, name)
    return entries


def _inner_names(tree: ast.Module) -> set[str]:
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, definitions)}


def _script_names(tree: ast.Module) -> set[str]:
    """What the `if`s of the top level assign; asked only about names that no import of the file binds."""
    blocks = [part for node in tree.body if isinstance(node, ast.If) for part in ast.walk(node)]
    targets = [target for part in blocks if isinstance(part, ast.Assign) for target in part.targets]
    return {name.id for target in targets if (name := root(target)) is not None}


def _may_bring_models(star: ast.stmt) -> bool:
    """Whether a star import may bind any name: torch has layers to offer, but no model of the user's."""
    return isinstance(star, ast.ImportFrom) and (star.module or "").split(".")[0] != "torch"


def _place(item: Rejected, path: str) -> Place:
    return Place(path, item.line, item.column, item.line, item.column)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]


def _quoted(call: str) -> str:
    """An entry as a shell takes it."""
    return call if call.isidentifier() else f"'{call}'"
