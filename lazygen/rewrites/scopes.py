"""Writes what device scopes say into a source, and sees that the text without them does the same.

with tx.device_scope(0):
    net = L.Sequential(L.Linear(4))        ->        net = L.Sequential(L.Linear(4, device="cuda:0"))
"""

from __future__ import annotations

from collections.abc import Sequence

from lazygen.diagnostics import Diagnostic, Place, Refused
from lazygen.frontend import torchx
from lazygen.frontend.references import Reference
from lazygen.lift.syntax import Syntax
from lazygen.rewrites.draft import Draft, Emitter, unsaid_sizes
from lazygen.validate import differences, unplaced
from lazygen.values import value


@value
class Unscoped:
    """A draft without scopes, and notes about what was not seen."""

    draft: Draft
    notes: tuple[Diagnostic, ...]


def has_scopes(lazy: Sequence[Reference]) -> bool:
    """Whether a source uses scopes, or what needs one."""
    return any(reference.kind in torchx.DEVICES for reference in lazy if reference.is_torchx)


def without_scopes(draft: Draft, emit: Emitter) -> Unscoped | None:
    """The draft with what its scopes say in it; None if it has none.  Raises Refused: LZ502, LZ503, LZ504."""
    if not has_scopes(draft.lazy):
        return None
    from lazygen.lift.placement.unscoped import unscoped

    syntax = Syntax(draft.tree, draft.text, draft.path)
    if draft.request.settings.engine == "torch":
        first = next(reference for reference in draft.lazy if has_scopes([reference]))
        raise Refused(_unfollowed(syntax.place(first.node)))
    plain = unscoped(syntax, draft.text, draft.lazy, draft.traced)
    problems = (*plain.problems, *unsaid_sizes(draft))
    if problems:
        raise Refused(*problems)
    placed = emit(draft.text, plain.plan)
    request, traced = draft.traced_as(placed)
    unsaid = unplaced(draft.traced, traced)
    wrong = differences(draft.traced, traced, draft.path) if unsaid is None else (unsaid,)
    if wrong:
        raise Refused(*wrong)
    return Unscoped(draft.with_text(placed, request, traced), plain.notes)


def _unfollowed(place: Place) -> Diagnostic:
    return Diagnostic(
        "LZ504",
        "with --engine torch everything is on the meta device, so what stands where is not seen",
        place,
        helps=("leave --engine out: lazygen's own stand-in for torch follows devices",),
    )
