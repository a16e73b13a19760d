"""What makes layers without calling them by name is specialised where it stands: a class that is handed to something.

registry.build("block", 7)      registry.build("block", 3, 7)       its arguments are handed on
build(Block, 7)                 build(partial(Block, 3), 7)         the class is referred to in the call
map(Block, widths)              map(partial(Block, 3), widths)
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


def rerouted(demand: Demand) -> Demand | None:
    """A demand whose call makes layers by a detour as one that can be filled; None if nothing in the call can take it.

    It is the same call if that hands its arguments on, else the expression in it that is the class or function: this
    is what the `call` of the demand is then.
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
    return Demand(demand.call, demand.name, None, demand.occurrences) if detour.keywords else None


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
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and syntax.place(node) == demand.call:
            return node
    return None


class Partials:
    """Writes `partial(Block, 3)` for `Block`."""

    def __init__(self, syntax: Syntax, imports: Imports) -> None:
        self._syntax, self._imports = syntax, imports

    def edit(self, node: ast.expr, arguments: Sequence[NewArgument]) -> Edit:
        """The edit that gives what an expression refers to its arguments."""
        around = self._syntax.parent(node)
        if isinstance(around, ast.Call) and around.args[:1] == [node] and target_name(around.func) == "partial":
            return AddArguments(self._syntax.span(around), tuple(_moved(argument) for argument in arguments))
        firsts = [argument.index for argument in arguments] == list(range(len(arguments)))
        texts = [argument.text if firsts else f"{argument.name}={argument.text}" for argument in arguments]
        text = f"{self._imports.name('functools', 'partial')}({', '.join([self._syntax.segment(node), *texts])})"
        return ReplaceExpression(self._syntax.span(node), text)


def _moved(argument: NewArgument) -> NewArgument:
    """The argument of a class as one of the `partial` of it."""
    return replace(argument, index=None if argument.index is None else argument.index + 1)
