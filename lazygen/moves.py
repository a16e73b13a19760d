"""Writes the moves of tensors between devices into code whose layers have their places.

What is inside of a block shows only where it gets its inputs: a text is traced again until nothing crosses unmoved.
"""

from __future__ import annotations

from collections.abc import Callable

from lazygen.diagnostics import Refused
from lazygen.frontend.parse import parse
from lazygen.lift.placement.crossings import crossed, unmoved
from lazygen.lift.plan import Plan
from lazygen.lift.syntax import Syntax
from lazygen.trace.collect import trace_instead
from lazygen.trace.request import Request

MOST_ROUNDS = 5


def with_moves(code: str, request: Request, emit: Callable[[str, Plan], str]) -> str:
    """The code with its moves; `request` is that of the source, and has `recorded` as its placement.

    Raises Refused: LZ510 to LZ512 for a move that cannot be written.
    """
    path, text = request.shown, request.text
    source = Syntax(parse(text, path), text, path)
    for _ in range(MOST_ROUNDS):
        tree = parse(code, path)
        _, traced = trace_instead(request, code, tree, request.settings)
        if traced.failed:
            raise Refused(*traced.diagnostics)
        if not traced.crossings:
            return code
        syntax = Syntax(tree, code, path)
        code = emit(code, crossed(syntax, code, traced.crossings, source))
    raise Refused(unmoved(traced.crossings[0], syntax, source))
