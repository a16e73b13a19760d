"""Traces the output again and compares: nothing unchecked comes out.

First with the inputs as they were given: no lazy layer left, the same parameters with the same names and sizes, the
same results.  Then with every other argument that the source ran with; the source is the oracle.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from lazygen.diagnostics import Diagnostic, Note, Place, Refused
from lazygen.trace.collect import statements_for
from lazygen.trace.model import ModelTrace, Stored, Trace, Variation
from lazygen.trace.ready import prepare
from lazygen.trace.request import Request
from lazygen.trace.run import start
from lazygen.trace.variations import Varied
from lazygen.values import replace, value


@value
class Difference:
    """What the output does otherwise than the source: in which model, for which parameter if it is one, with which
    argument changed.
    """

    entry: str
    name: str
    source: str
    output: str
    variation: Variation | None = None


def validate(code: str, source: Request, traced: Trace, varied: Sequence[Varied]) -> tuple[Diagnostic, ...]:
    """What is wrong with an output: nothing, if it does as the source does with the given inputs and with other
    arguments.
    """
    output = replace(source, text=code, statements=statements_for(ast.parse(code), source.entries, source.extra))
    if source.placement == "recorded":  # its tensors are moved by now, or it is wrong
        output = replace(output, placement="checked")
    if varied:
        prepare(output)
    given = start(output, quiet=True)
    others = [start(other.request(output), quiet=True) for other in varied]
    # Where results are hangs on the moves: what a source without them would do is nothing to compare with.
    seen = _without_devices if source.placement == "recorded" else _as_it_is
    found = compare(seen(traced), seen(given.result()), None)
    if not found:
        for other, running in zip(varied, others, strict=True):
            found = found or compare(seen(other.trace), seen(running.result()), other.variation)
    for running in others:
        running.handle.stop()
    return _explained(found, traced, source.shown) if found else ()


def _as_it_is(trace: Trace) -> Trace:
    return trace


def _without_devices(trace: Trace) -> Trace:
    """A trace whose results say shapes and dtypes only."""

    def plain(value: Any) -> Any:
        if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], str):
            return value[0], value[1].partition(" on ")[0]
        if isinstance(value, dict):
            return {name: plain(item) for name, item in value.items()}
        return [plain(item) for item in value] if isinstance(value, list) else value

    return replace(trace, models=tuple(replace(model, result=plain(model.result)) for model in trace.models))


def differences(source: Trace, output: Trace, path: str) -> tuple[Diagnostic, ...]:
    """What is wrong with a text that stands for another: nothing, if its models have the same parameters, in any
    order, and results.
    """
    found = compare(_in_order(source), _in_order(output), None)
    return _explained(found, source, path) if found else ()


def unplaced(source: Trace, output: Trace) -> Diagnostic | None:
    """What could not be placed in a text in which device scopes are written out; None if nothing else is wrong."""
    others = {(model.entry, stored.name): stored for model in output.models for stored in model.state}
    for model in source.models:
        made = dict(model.made)
        for stored in model.state:
            other = others.get((model.entry, stored.name))
            if other is None or other[:2] != stored[:2] or other == stored:
                continue
            path = stored.name
            while path and path not in made:
                path = path.rpartition(".")[0]
            there, here = (f"{side.dtype} on {side.device}" for side in (stored, other))
            return Diagnostic(
                "LZ503",
                f"the device scope that holds for {stored.name} of {model.entry} cannot be written here",
                made.get(path),
                (Note(f"it is {there}, and written out it would be {here}"),),
                ("call what builds it inside of the `with` statement, or give it device= there",),
            )
    return None


def _in_order(trace: Trace) -> Trace:
    """A trace whose parameters stand in the order of their names."""
    return replace(trace, models=tuple(replace(model, state=tuple(sorted(model.state))) for model in trace.models))


def compare(source: Trace, output: Trace, variation: Variation | None) -> tuple[Difference, ...]:
    """The differences between two traces of the same entries.

    Raises Refused if the output's trace came to its time limit.
    """
    if output.failed:
        first = next(finding for finding in output.diagnostics if finding.severity == "error")
        if first.code == "LZ134":  # the time limit says nothing about the output
            raise Refused(replace(first, message=f"{first.message}, while the output was checked"))
        entry = source.models[0].entry if source.models else ""
        return (Difference(entry, "", "runs", f"does not run: {first.message}", variation),)
    outputs = {model.entry: model for model in output.models}
    found: list[Difference] = []
    for model in source.models:
        twin = outputs.get(model.entry)
        if twin is None:
            found.append(Difference(model.entry, "", "is a model", "is none", variation))
        else:
            found.extend(_differences(model, twin, variation))
    return tuple(found)


def _differences(source: ModelTrace, output: ModelTrace, variation: Variation | None) -> Iterator[Difference]:
    for name in output.lazy_left:
        if name not in source.lazy_left:
            yield Difference(source.entry, name, "is built", "is still lazy", variation)
    waiting = tuple(f"{name}." for name in source.lazy_left)
    known = [stored for stored in source.state if not waiting or not stored.name.startswith(waiting)]
    made = [stored for stored in output.state if not waiting or not stored.name.startswith(waiting)]
    by_name = {stored.name: stored for stored in made}
    for stored in known:
        other = by_name.pop(stored.name, None)
        if other != stored:
            yield Difference(source.entry, stored.name, *_said(stored, other), variation)
    for name, other in by_name.items():
        yield Difference(source.entry, name, *_said(None, other), variation)
    if source.result != output.result:
        yield Difference(source.entry, "", f"gives {source.result}", f"gives {output.result}", variation)
    elif [stored.name for stored in known] != [stored.name for stored in made]:
        yield Difference(source.entry, "", "has its parameters in one order", "has them in another", variation)


def _said(*sides: Stored | None) -> tuple[str, str]:
    """A parameter on both sides in words, of its device only if that is what differs."""
    there = [stored for stored in sides if stored is not None]
    elsewhere = len({stored.device for stored in there}) > 1
    source, output = (
        "is not there"
        if stored is None
        else f"is {stored.shape} {stored.dtype}" + (f" on {stored.device}" if elsewhere else "")
        for stored in sides
    )
    return source, output


def _explained(found: Sequence[Difference], traced: Trace, path: str) -> tuple[Diagnostic, ...]:
    """With the given inputs any difference is a bug, with others it is a size that could not stay general."""
    first = found[0]
    what = f"{first.name} {first.source}" if first.name else f"the source {first.source}"
    if first.variation is None:
        notes = tuple(Note(f"{other.name} {other.source}, in the output it {other.output}") for other in found[1:6])
        message = f"the output differs from the source in {first.entry}: {what}, in the output it {first.output}"
        return (Diagnostic("LZ910", message, Place(path, 1, 0, 1, 0), notes),)
    module = f"{first.entry}.{first.name.rpartition('.')[0]}"
    place = next((layer.site for layer in traced.layers if module in layer.names), None)
    variation = first.variation
    return (
        Diagnostic(
            "LZ303",
            f"this size follows `{variation.path}` in a way that no expression here says",
            place or Place(path, 1, 0, 1, 0),
            (Note(f"with {variation.path}={variation.value!r} {what}, in the output it {first.output}"),),
            ("give the size as an argument, and write it into this call",),
        ),
    )
