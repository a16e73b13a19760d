"""The models of a file: what a conversion without an entry converts, and what it could convert with one.

backbone = nn.Sequential(nn.LazyLinear(8))      a part of `model`
class Net(nn.Module): ...                       a part of `model`
model = Net(backbone)                           a root
optimizer = Adam(model.parameters())            holds no layer
class Other(nn.Module): ...                     a root if it can be built without arguments, else rejected
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Literal

from lazygen.frontend.constructors import Parameter, example_call, required_by_class, required_by_function
from lazygen.frontend.models import Models
from lazygen.values import value


@value
class Root:
    """A model of the file and where it is bound; the line counts from 1, the column as `ast` counts."""

    name: str
    kind: Literal["variable", "class", "function"]
    line: int
    column: int


@value
class Rejected:
    """A class, or a function, that is a model only with arguments; `proposal` is a call to write as an entry."""

    name: str
    line: int
    column: int
    missing: tuple[str, ...]
    proposal: str


def find(tree: ast.Module, *, foreign: Collection[str] = ()) -> list[Root]:
    """The models that can be converted as they stand, in the order of the file.

    `foreign` are names that the file imports and that are known to hold lazy layers.
    """
    models = Models(tree, foreign)
    return [root for root in _candidates(models) if root.kind == "variable" or not _missing(models, root.name)]


def explain(tree: ast.Module, *, foreign: Collection[str] = ()) -> list[Rejected]:
    """The classes that would be roots if their constructors needed no arguments."""
    models = Models(tree, foreign)
    return [
        _rejected(root, missing)
        for root in _candidates(models)
        if root.kind == "class" and (missing := _missing(models, root.name))
    ]


def factories(tree: ast.Module, *, foreign: Collection[str] = ()) -> list[Rejected]:
    """The functions of the file that return a lazy model and that no other one calls: never roots, but good entries."""
    models = Models(tree, foreign)
    names = [name for name in models.functions if name in models.holding and models.returns_model(name)]
    functions = [Root(name, "function", *_position(models.functions[name])) for name in names]
    variables = [root for root in _candidates(models) if root.kind == "variable"]
    return [
        _rejected(root, required_by_function(models.functions[root.name]))
        for root in _without_parts(models, [*variables, *functions])
        if root.kind == "function"
    ]


def _candidates(models: Models) -> list[Root]:
    """The lazy models that are not a part of another, those that need arguments too."""
    found: list[Root] = []
    for name, values in models.values.items():
        if models.is_model(name):
            found.append(Root(name, "variable", *_position(values[0][0])))
    for name, node in models.classes.items():
        if _is_lazy_module(models, name):
            found.append(Root(name, "class", *_position(node)))
    found.sort(key=lambda root: (root.line, root.column))
    return _without_parts(models, found)


def _is_lazy_module(models: Models, name: str) -> bool:
    # A class below a lazy class is a layer to build with, not a model.
    return (
        name in models.holding
        and name not in models.lazy.classes
        and models.is_module_class(name)
        and models.runs(name)
        and not models.abstract_methods(name)
    )


def _without_parts(models: Models, candidates: list[Root]) -> list[Root]:
    """Those that no other candidate is made of.  Of several that are made of each other, the first one stays."""
    order = {root.name: number for number, root in enumerate(candidates)}
    circles = _circles(models.uses)
    circle_of = {name: number for number, circle in enumerate(circles) for name in circle}
    # Users come after what they use, so going backwards every circle is complete before it is handed on.
    within = [any(name in order for name in circle) for circle in circles]
    for number in range(len(circles) - 1, -1, -1):
        if within[number]:
            for name in circles[number]:
                for used in models.uses[name] & circle_of.keys():
                    within[circle_of[used]] = True
    first = [min((order[name] for name in circle if name in order), default=-1) for circle in circles]
    users: dict[str, list[str]] = {}
    for user, names in models.uses.items():
        for name in names & order.keys():
            users.setdefault(name, []).append(user)
    whole: list[Root] = []
    for root in candidates:
        own = circle_of[root.name]
        made = (circle_of[user] for user in users.get(root.name, ()) if root.name not in models.bases.get(user, ()))
        if not any(within[user] if user != own else first[own] < order[root.name] for user in made):
            whole.append(root)
    return whole


def _circles(uses: dict[str, set[str]]) -> list[list[str]]:
    """The names in groups that use each other, every group after those that it uses (Tarjan's algorithm)."""
    circles: list[list[str]] = []
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    open_names: list[str] = []
    closed: set[str] = set()
    for start in uses:
        path = [] if start in number else [(start, iter(sorted(uses[start])))]
        while path:
            name, rest = path[-1]
            if name not in number:
                number[name] = low[name] = len(number)
                open_names.append(name)
            following = next(rest, None)
            if following is not None:
                if following in uses and following not in number:
                    path.append((following, iter(sorted(uses[following]))))
                elif following in uses and following not in closed:
                    low[name] = min(low[name], number[following])
                continue
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[name])
            if low[name] == number[name]:
                circle = open_names[open_names.index(name) :] if open_names[-1] != name else [name]
                del open_names[len(open_names) - len(circle) :]
                closed.update(circle)
                circles.append(circle)
    return circles


def _missing(models: Models, name: str) -> tuple[Parameter, ...]:
    return required_by_class(models.classes[name], models.classes)


def _rejected(root: Root, missing: tuple[Parameter, ...]) -> Rejected:
    names = tuple(parameter.name for parameter in missing)
    return Rejected(root.name, root.line, root.column, names, example_call(root.name, missing))


def _position(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset
