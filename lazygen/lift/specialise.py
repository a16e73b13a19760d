"""What makes layers without calling them by name is specialised where it stands: a class that is handed to something.

registry.build("block", 7)      registry.build("block", 3, 7)       its arguments are handed on
build(Block, 7)                 build(partial(Block, 3), 7)         the class is referred to in the call
map(Block, widths)              map(partial(Block, 3), widths)
build({"width": 7})             build({"width": 7, "in_features": 3})
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lazygen.lift.demands import Demand
from lazygen.lift.parameters import rooted
from lazygen.lift.plan import AddArguments, Edit, NewArgument, ReplaceExpression
from lazygen.lift.standard_imports import Imports
from lazygen.lift.syntax import Syntax
from lazygen.lift.twins import target_name
from lazygen.symbolic.expr import Expr
from lazygen.trace.model import Detour, Frame
from lazygen.values import replace


def rerouted(demand: Demand, syntax: Syntax, *, guess: bool) -> Demand | None:
    """A demand whose call makes layers by a detour as one that can be filled; None if nothing in the call can take it.

    It is the same call if that hands its arguments on, else the expression in it that is the class or function: this
    is what the `call` of the demand is then.  As a `guess` it may be the only dict among the arguments.
    """
    detour = demand.occurrences[0].frame.detour
    if detour is None or not _agree(demand, detour) or not _of_one_size(demand):
        return None
    if detour.position is not None and demand.index is not None:
        return Demand(demand.call, demand.name, detour.position + demand.index, demand.occurrences)
    if detour.keywords and demand.index is None:
        return demand
    if len(detour.references) == 1:
        return Demand(detour.references[0], demand.name, demand.index, demand.occurrences)
    options = _options(syntax, demand) if guess and detour.modules else None
    if detour.keywords or options is None:
        return Demand(demand.call, demand.name, None, demand.occurrences) if detour.keywords else None
    return Demand(syntax.place(options), demand.name, None, demand.occurrences)


def is_guess(syntax: Syntax, demand: Demand) -> bool:
    """Whether a demand is about a dict that something else may take its arguments from."""
    node = syntax.calls.get(demand.call)
    return isinstance(reference(syntax, demand), ast.Dict) or (node is not None and _is_dict(node) and _inside(demand))


def _inside(demand: Demand) -> bool:
    return demand.call != demand.occurrences[0].frame.call


def _options(syntax: Syntax, demand: Demand) -> ast.expr | None:
    """The only dict that a call is given, by names written out."""
    call = syntax.calls.get(demand.call)
    given = [] if call is None else [*call.args, *(keyword.value for keyword in call.keywords)]
    found = [argument for argument in given if _is_dict(argument)]
    if len(found) != 1 or (isinstance(found[0], ast.Dict) and any("#" in line for line in syntax.lines(found[0]))):
        return None  # a display is written anew, and would lose its comments
    return found[0]


def _is_dict(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "dict" and not node.args
    names = node.keys if isinstance(node, ast.Dict) else []
    return bool(names) and all(isinstance(name, ast.Constant) and isinstance(name.value, str) for name in names)


def _agree(demand: Demand, detour: Detour) -> bool:
    return all(occurrence.frame.detour == detour for occurrence in demand.occurrences)


def _of_one_size(demand: Demand) -> bool:
    """Whether each execution of the call needs one size, however many layers it makes."""
    sizes: dict[tuple[object, ...], Expr] = {}
    for occurrence in demand.occurrences:
        frame: Frame = occurrence.frame
        size = rooted(occurrence.size)
        if sizes.setdefault((occurrence.run, frame.token, frame.loops), size) != size:
            return False
    return True


def reference(syntax: Syntax, demand: Demand) -> ast.expr | None:
    """The expression that a demand is about, if it is not about a call."""
    if demand.call in syntax.calls:
        return None
    call = syntax.calls.get(demand.occurrences[0].frame.call)
    for node in ast.walk(call) if call is not None else ():
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Dict)) and syntax.place(node) == demand.call:
            return node
    return None


class Partials:
    """Writes `partial(Block, 3)` for `Block`."""

    def __init__(self, syntax: Syntax, imports: Imports) -> None:
        self._syntax, self._imports = syntax, imports

    def edit(self, node: ast.expr, arguments: Sequence[NewArgument]) -> Edit:
        """The edit that gives what an expression refers to its arguments."""
        if isinstance(node, ast.Dict):
            return ReplaceExpression(self._syntax.span(node), self._with_entries(node, arguments))
        around = self._syntax.parent(node)
        if isinstance(around, ast.Call) and around.args[:1] == [node] and target_name(around.func) == "partial":
            return AddArguments(self._syntax.span(around), tuple(_moved(argument) for argument in arguments))
        firsts = [argument.index for argument in arguments] == list(range(len(arguments)))
        texts = [argument.text if firsts else f"{argument.name}={argument.text}" for argument in arguments]
        text = f"{self._imports.name('functools', 'partial')}({', '.join([self._syntax.segment(node), *texts])})"
        return ReplaceExpression(self._syntax.span(node), text)

    def _with_entries(self, node: ast.Dict, arguments: Sequence[NewArgument]) -> str:
        """The dict with the arguments in it."""
        names = [self._syntax.segment(name) for name in node.keys if name is not None]
        values = [self._syntax.segment(value) for value in node.values]
        entries = [f"{name}: {value}" for name, value in zip(names, values, strict=True)]
        entries += [f'"{new.name}": {new.text}' for new in arguments]
        return f"{{{', '.join(entries)}}}"


def _moved(argument: NewArgument) -> NewArgument:
    """The argument of a class as one of the `partial` of it."""
    return replace(argument, index=None if argument.index is None else argument.index + 1)
