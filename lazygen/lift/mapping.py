"""Layers and blocks that `map` makes: the sizes become one more iterable.

nn.Sequential(*map(nn.LazyLinear, widths))      ->      nn.Sequential(*map(nn.Linear, (3, *widths)[:-1], widths))
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.lift.demands import Demand
from lazygen.lift.forms import Form, Forms
from lazygen.lift.riding import Group, gives, sequences
from lazygen.lift.syntax import Syntax
from lazygen.lift.twins import target_name


def mapped_call(syntax: Syntax, demand: Demand) -> ast.Call | None:
    """The only call of `map` within the expression that made the layers, if there is one."""
    statement = syntax.statement(syntax.calls.get(demand.call) or syntax.tree)
    found = [
        node
        for node in (ast.walk(syntax.calls[demand.call]) if demand.call in syntax.calls else ())
        if isinstance(node, ast.Call) and target_name(node.func) == "map" and len(node.args) >= 2
    ]
    return found[0] if len(found) == 1 and statement is not None else None


def forms_of(forms: Forms, demand: Demand, call: ast.Call) -> Iterator[Form]:
    """The sequences that all executions agree with, in order of beauty."""
    groups: dict[tuple[int, int], Group] = {}
    for occurrence in demand.occurrences:
        groups.setdefault((occurrence.run, occurrence.frame.token), []).append(occurrence)
    over = call.args[1]
    for values in sequences(forms, list(groups.values()), over, frozenset()):
        if all(gives(values, group) for group in groups.values()):
            yield Form(values)
