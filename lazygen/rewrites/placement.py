"""What settings and scopes ask of explicit code: places, moves between them, and what it takes for several machines."""

from __future__ import annotations

from lazygen.frontend.parse import parse
from lazygen.rewrites.draft import Draft, Emitter
from lazygen.settings import Placement
from lazygen.values import replace


def as_placed(code: str, source: Draft, emit: Emitter) -> tuple[str, Draft]:
    """The code as the settings of its source place it, and the source that it is then to be compared with.

    Raises Refused.
    """
    placement = source.request.settings.placement
    if placement != Placement():
        code, source = _in_places(code, source, emit)
    if placement.pipeline:
        code, source = _in_stages(code, source, emit)
    elif source.request.placement == "recorded":
        from lazygen.rewrites.moves import with_moves

        code = with_moves(code, source.request, source.varied, emit)
    if placement.shard:
        from lazygen.rewrites.stages import with_shards

        code = with_shards(code, source.request, emit)
    return code, source


def _in_places(code: str, source: Draft, emit: Emitter) -> tuple[str, Draft]:
    from lazygen.rewrites import places

    placement = source.request.settings.placement
    plain = replace(source, request=replace(source.request, default=("", "")))
    if placement.is_somewhere and placement.parallel is None:  # the moves of inputs are written later
        plain = replace(plain, request=replace(plain.request, placement="recorded"))
    code = places.placed(code, plain.request, source.traced, emit)
    if placement.parallel is not None:
        tree = parse(code, source.path)
        wrapped = places.varied_wrapped(source.varied, tree)
        plain = replace(plain, traced=places.of_wrapped(source.traced, tree), varied=wrapped)
        code = places.in_parallel(code, plain.request, emit)
    return code, plain


def _in_stages(code: str, source: Draft, emit: Emitter) -> tuple[str, Draft]:
    """The code with stages in the place of devices, and the source without these."""
    from lazygen.rewrites import stages

    varied = stages.varied_without_places(source.varied)
    request = replace(source.request, placement="followed")
    plain = replace(source, request=request, traced=stages.without_places(source.traced), varied=varied)
    return stages.in_stages(code, source.request, emit), plain
