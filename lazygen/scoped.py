"""Writes what device scopes say into a source, and sees that the text without them does the same.

with tx.device_scope(0):
    net = L.Sequential(L.Linear(4))        ->        net = L.Sequential(L.Linear(4, device="cuda:0"))
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from lazygen.diagnostics import Diagnostic, Place, Refused
from lazygen.frontend import torchx
from lazygen.frontend.parse import parse
from lazygen.frontend.references import Reference
from lazygen.lift.plan import Plan
from lazygen.lift.syntax import Syntax
from lazygen.trace.collect import trace_instead
from lazygen.trace.model import Trace
from lazygen.trace.request import Request
from lazygen.validate import differences, unplaced
from lazygen.values import value

Problems = Callable[[], Sequence[Diagnostic]]


@value
class Unscoped:
    """A text without scopes, with its trace, and notes about what was not seen."""

    text: str
    request: Request
    traced: Trace
    notes: tuple[Diagnostic, ...]


def has_scopes(lazy: Sequence[Reference]) -> bool:
    """Whether a source uses scopes, or what needs one."""
    return any(reference.kind in torchx.DEVICES for reference in lazy if reference.is_torchx)


def without_scopes(
    text: str, tree: ast.Module, lazy: Sequence[Reference], request: Request, traced: Trace,
    emit: Callable[[str, Plan], str], others: Problems = tuple,
) -> Unscoped | None:  # fmt: skip
    """The text with what its scopes say in it; None if it has none.

    `others` are asked for what else is wrong with the source, as later texts have other lines.  Raises Refused: LZ502,
    LZ503, LZ504.
    """
    if not has_scopes(lazy):
        return None
    from lazygen.lift.placement.unscoped import unscoped

    path = request.shown
    if request.settings.engine == "torch":
        first = next(reference for reference in lazy if reference.is_torchx and reference.kind in torchx.DEVICES)
        raise Refused(_unfollowed(Syntax(tree, text, path).place(first.node)))
    plain = unscoped(Syntax(tree, text, path), text, lazy, traced)
    problems = (*plain.problems, *others())
    if problems:
        raise Refused(*problems)
    placed = emit(text, plain.plan)
    again, after = trace_instead(request, placed, parse(placed, path), request.settings)
    unsaid = unplaced(traced, after)
    wrong = differences(traced, after, path) if unsaid is None else (unsaid,)
    if wrong:
        raise Refused(*wrong)
    return Unscoped(placed, again, after, plain.notes)


def _unfollowed(place: Place) -> Diagnostic:
    return Diagnostic(
        "LZ504",
        "with --engine torch everything is on the meta device, so what stands where is not seen",
        place,
        helps=("leave --engine out: lazygen's own stand-in for torch follows devices",),
    )
