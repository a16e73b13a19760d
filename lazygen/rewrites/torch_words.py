"""Rows of statements that build a graph as classes, and functions of the TorchX style as torch's."""

from __future__ import annotations

from lazygen.diagnostics import Refused
from lazygen.lift.syntax import Syntax
from lazygen.rewrites.draft import Draft, Emitter, unsaid_sizes
from lazygen.validate import differences


def in_the_words_of_torch(draft: Draft, emit: Emitter) -> Draft | None:
    """The draft with its graphs as classes and its functions as torch's; None if it has none.  Raises Refused."""
    if not any(reference.is_torchx for reference in draft.lazy):
        return None
    from lazygen.lift.rewriting import rewritten

    rewriting = rewritten(Syntax(draft.tree, draft.text, draft.path), draft.text, draft.lazy, draft.traced)
    if rewriting is None:
        return None
    problems = (*rewriting.problems, *unsaid_sizes(draft))
    if problems:
        raise Refused(*problems)
    spelled = emit(draft.text, rewriting.plan)
    request, traced = draft.traced_as(spelled, rewriting.settings(draft.request.settings))
    wrong = differences(rewriting.renamed(draft.traced), traced, draft.path)
    if wrong:
        raise Refused(*wrong)
    return draft.with_text(spelled, request, traced)
