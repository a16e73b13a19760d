"""Which layers' sizes hang on the batch or on another free size, where sizes have no terms that would say so.

The source runs once more with other values for these sizes: what changes hangs on them.
"""

from __future__ import annotations

from collections.abc import Iterator

from lazygen.diagnostics import Diagnostic, Note
from lazygen.settings import Input, Size, Target
from lazygen.trace.inputs import sample_of
from lazygen.trace.model import Trace
from lazygen.trace.request import Request
from lazygen.trace.run import start
from lazygen.values import replace


def hanging_on_free_sizes(request: Request, traced: Trace) -> tuple[Diagnostic, ...]:
    """The findings for such layers; none if the source does not run with another batch, as then nothing is known."""
    targets = tuple(_other(target) for target in request.settings.targets)
    if targets == request.settings.targets:
        return ()
    settings = replace(request.settings, targets=targets)
    other = start(replace(request, settings=settings), quiet=True).result()
    return () if other.failed else tuple(_differing(traced, other))


def _differing(traced: Trace, other: Trace) -> Iterator[Diagnostic]:
    for layer, twin in zip(traced.layers, other.layers, strict=False):
        if layer.site == twin.site and layer.sizes and twin.sizes and layer.sizes != twin.sizes:
            (name, size), (_, changed) = layer.sizes[0], twin.sizes[0]
            yield Diagnostic(
                "LZ205",
                f"the {name} of this layer would depend on the batch, or on another free size",
                layer.site,
                (Note(f"it is {size.value} with the given sizes, and {changed.value} with others", layer.reached),),
                ("keep free sizes apart: flatten(1), or view(x.size(0), -1)",),
            )


def _other(target: Target) -> Target:
    return replace(target, inputs=tuple(_changed(given) for given in target.inputs))


def _changed(given: Input) -> Input:
    """The input with one more of everything that is free; the first of several sizes is the batch."""
    sizes = []
    for index, size in enumerate(given.sizes):
        free = size.name is not None or size.value is None
        sample = sample_of(size.value, index)
        sizes.append(Size(sample + 1, size.name) if free or (index == 0 and len(given.sizes) > 1) else size)
    return replace(given, sizes=tuple(sizes))
