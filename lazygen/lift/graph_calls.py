"""Calls of functional models: a list or a dict of inputs becomes arguments, which is what the class takes.

model([left, right])                        model(left, right)
model({"left": left, "right": right})       model(left=left, right=right)
model(batch)                                model(**batch), if the model takes a dict
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lazygen.diagnostics import Diagnostic
from lazygen.lift.bindings import bound_in, loads
from lazygen.lift.splices import Splices
from lazygen.lift.syntax import Syntax
from lazygen.trace.model import GraphTrace, Leaf, Noted

WHAT = {"list inputs": list, "dict inputs": dict}
THROUGH = "inputs through another module"


class GraphCalls:
    """Spells the calls of one file; `changed` are those that do, `problems` those that another module makes."""

    def __init__(self, syntax: Syntax, splices: Splices) -> None:
        self.syntax, self.splices = syntax, splices
        self.changed: list[ast.expr] = []
        self.problems: list[Diagnostic] = []

    def spell(self, notes: Sequence[Noted], models: Mapping[str, GraphTrace]) -> None:
        """Change the calls that were seen with a list or a dict, and those of variables that hold models."""
        found: dict[ast.Call, type] = {}
        for note in notes:
            call = self.syntax.calls.get(note.call)
            if call is not None and note.what in WHAT:
                found[call] = WHAT[note.what]
            elif note.what == THROUGH:
                finding = "another module gives a functional model its inputs as one list or dict"
                help_ = "call the model itself, and let another layer come behind"
                self.problems.append(Diagnostic("LZ331", finding, note.call, helps=(help_,)))
        for call in self._of_variables(models):
            wanted = models[call.func.id].inputs  # type: ignore[attr-defined]
            if call not in found and _takes_one(call, wanted):
                found[call] = type(wanted)
        for call, kind in found.items():
            self._spell(call, kind)

    def _of_variables(self, models: Mapping[str, GraphTrace]) -> Iterator[ast.Call]:
        """The calls of the module's variables that hold models and nothing else."""
        bound = [name for statement in self.syntax.tree.body for name in bound_in(statement)]
        for statement in self.syntax.tree.body:
            for name in loads(statement):
                call = self.syntax.parent(name)
                if name.id in models and bound.count(name.id) == 1 and isinstance(call, ast.Call) and call.func is name:
                    yield call

    def _spell(self, call: ast.Call, kind: type) -> None:
        given = call.args[0]
        if isinstance(given, ast.Starred):
            return
        self.changed.append(call)
        if kind is list and isinstance(given, (ast.List, ast.Tuple)) and given.elts:
            self._without_brackets(call, given)
        elif kind is dict and isinstance(given, ast.Dict) and given.keys and all(map(_name_of, given.keys)):
            for key, item in zip(given.keys, given.values, strict=True):
                assert key is not None
                start, end = self.splices.span(key)[0], self.splices.span(item)[0]
                self.splices.replace(start, end, f"{_name_of(key)}=")
            self._without_brackets(call, given)
        else:
            first, last = self.splices.span(given)
            star, closing = "*" if kind is list else "**", ""
            if not isinstance(given, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Dict, ast.List)):
                star, closing = f"{star}(", ")"
            self.splices.replace(first, first, star)
            self.splices.replace(last, last, closing)

    def _without_brackets(self, call: ast.Call, given: ast.expr) -> None:
        first, last = self.splices.span(given)
        opening = self.splices.find("(", self.splices.span(call.func)[1])
        self.splices.replace(opening + 1, first + 1, "")
        self.splices.replace(last - 1, self.splices.span(call)[1] - 1, "")


def _name_of(key: ast.expr | None) -> str:
    """The name that a key can be as a keyword; empty if it is none."""
    text = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
    return text if text.isidentifier() and not keyword.iskeyword(text) else ""


def _takes_one(call: ast.Call, wanted: Any) -> bool:
    """Whether a call that nothing has shown gives all inputs as one value."""
    if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
        return False
    if isinstance(wanted, dict):
        return len(wanted) > 1 or isinstance(call.args[0], ast.Dict)
    if isinstance(wanted, list):
        nested = len(wanted) == 1 and not isinstance(wanted[0], Leaf)
        return not nested and (len(wanted) > 1 or isinstance(call.args[0], (ast.List, ast.Tuple)))
    return False
