"""Writes the moves of tensors between devices into code whose layers have their places.

What is inside of a block shows only where it gets its inputs: a text is traced again until nothing crosses unmoved,
with the given arguments and with others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lazygen.diagnostics import Refused
from lazygen.frontend.parse import parse
from lazygen.lift.placement.crossings import crossed, merged, said, unmoved
from lazygen.lift.syntax import Syntax
from lazygen.rewrites.draft import Emitter
from lazygen.trace.collect import trace_instead
from lazygen.trace.model import Crossing
from lazygen.trace.ready import prepare
from lazygen.trace.request import Request
from lazygen.trace.run import start
from lazygen.trace.variations import Varied
from lazygen.values import replace

MOST_ROUNDS = 8


def with_moves(code: str, request: Request, varied: Sequence[Varied], emit: Emitter) -> str:
    """The code with its moves; `request` is that of the source, and has `recorded` as its placement.

    Raises Refused: LZ510 to LZ512 for a move that cannot be written.
    """
    path, text = request.shown, request.text
    source = Syntax(parse(text, path), text, path)
    for _ in range(MOST_ROUNDS):
        syntax = Syntax(parse(code, path), code, path)
        crossings = merged(_crossings(code, syntax, request, varied))
        left = [crossing for crossing in crossings if crossing.moves or crossing.casts]
        if not left:
            return code
        unsaid = {crossing.call for crossing in left if not crossing.problem and not said(crossing)}
        if unsaid - request.leading:  # what no text names each time may be nameable the other way round
            request = replace(request, leading=request.leading | unsaid)
            continue
        code = emit(code, crossed(syntax, code, left, source))
        request = replace(request, leading=frozenset())
    raise Refused(unmoved(left[0], syntax, source))


def _crossings(code: str, syntax: Syntax, request: Request, varied: Sequence[Varied]) -> Iterator[tuple[Crossing, ...]]:
    again, traced = trace_instead(request, code, syntax.tree, request.settings)
    if traced.failed:
        raise Refused(*traced.diagnostics)
    yield traced.crossings
    if varied:
        prepare(again)
    running = [start(other.request(again), quiet=True) for other in varied]
    for run in running:
        yield run.result().crossings
