"""What lifting says where a size has no place: findings at the call that lacks it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from lazygen.diagnostics import Diagnostic, Note, Place
from lazygen.lift.demands import Demand
from lazygen.lift.terms import Unsaid
from lazygen.symbolic.atoms import Symbol
from lazygen.symbolic.expr import Expr, symbols_of
from lazygen.trace.model import LazyLayer

if TYPE_CHECKING:
    from lazygen.lift.forms import Forms


def roots_of(size: Expr) -> list[Symbol]:
    """The symbols a size hangs on in the end, definitions followed, in the order in which they were read."""
    found: set[Symbol] = set()
    pending, seen = [size], {size}
    while pending:
        for symbol in symbols_of(pending.pop()):
            if symbol.definition is None or symbol.definition.constant is not None:
                found.add(symbol)
            elif symbol.definition not in seen:
                seen.add(symbol.definition)
                pending.append(symbol.definition)
    return sorted(found, key=lambda symbol: symbol.serial)


def free_size(demand: Demand) -> Diagnostic | None:
    """A size of a layer that hangs on the batch or on another free size."""
    for occurrence in demand.occurrences:
        layer = occurrence.layer
        for symbol in roots_of(occurrence.size):
            if symbol.kind == "free" or (symbol.kind == "batch" and not layer.unbatched):
                return _free_size(demand, occurrence.size, symbol)
    return None


def _free_size(demand: Demand, size: Expr, symbol: Symbol) -> Diagnostic:
    would = f"{demand.name} of {demand.layer.kind} would"
    if symbol.kind == "batch":
        message = f"{would} be {size.value}, which hangs on the batch, {symbol.text}"
    elif symbol.index is None:  # no size of an input, but what an operation found
        message = f"{would} hang on the data, through {symbol.text}"
    elif symbol.text.startswith("dim "):
        message = f"{would} be {size.value}, which hangs on {symbol.text}, a free size"
    else:
        message = f"{would} be {size.value}, which hangs on the free size {symbol.text}"
    notes = (Note("it is called here", demand.layer.reached),) if demand.layer.reached else ()
    return Diagnostic("LZ205", message, demand.layer.site, notes, (_apart(symbol),))


def _apart(symbol: Symbol) -> str:
    if symbol.kind == "batch" or symbol.index == 0:
        return "keep the batch apart: flatten(1), or view(x.size(0), -1)"
    if symbol.index is None:
        return "bring it to a size that is known, by padding or pooling, before this layer"
    return f"give {symbol.text} a fixed size in --input-shape, or pool it away before this layer"


def not_a_call(demand: Demand) -> Diagnostic:
    """A layer that is made by something other than a call of its class, or of the function that makes it."""
    made, detour = _made_by(demand), demand.occurrences[0].frame.detour
    values = list(dict.fromkeys(str(occurrence.size.value) for occurrence in demand.base))
    notes = (Note(f"it is {', '.join(values[:8])}"),) if len(values) > 1 else ()
    message = f"this expression makes a {made} without calling it by name, so there is no place for its {demand.name}"
    if detour is not None and detour.references and len(values) > 1:
        message = f"this makes several {made} by itself, and their {demand.name} differ"
    elif detour is not None and detour.modules:
        message = f"{detour.modules[-1]} makes a {made} here, and hands on no {demand.name} to it"
    return Diagnostic("LZ304", message, demand.call, notes, (f"call {made} itself here, in a comprehension or a loop",))


def _made_by(demand: Demand) -> str:
    """What a call leads to: the lazy class, the class whose constructor runs, or the function."""
    occurrence = demand.occurrences[0]
    frames = occurrence.layer.frames
    if occurrence.frame.call == frames[0].call:
        return demand.layer.kind
    inner = next(f for f, outer in itertools.pairwise(frames) if outer.call == occurrence.frame.call)
    owner, _, name = inner.name.rpartition(".")
    return owner.rpartition(".")[2] if name in ("__init__", "__post_init__", "__call__") else name


def differs(demand: Demand) -> Diagnostic:
    """A size that changes from one execution to the next in a way that no expression gives."""
    values = list(dict.fromkeys(str(occurrence.size.value) for occurrence in demand.base))
    frame = demand.occurrences[0].frame
    where = "iterations of its loop" if frame.loops else f"runs of {frame.name}"
    shown = ", ".join(values[:8]) + (", …" if len(values) > 8 else "")
    if any(occurrence.layer.copied for occurrence in demand.base):
        return Diagnostic(
            "LZ302",
            f"this is copied, and the copies do not have the same {demand.name}",
            demand.call,
            (Note(f"it is {shown}"),),
            ("make each of them by a call of its own, in the place of the copy",),
        )
    return Diagnostic(
        "LZ302",
        f"no expression gives {demand.name} in all {where}",
        demand.call,
        (Note(f"it is {shown}"),),
        ("give the size as an argument, and write it into this call",),
    )


def not_sayable(demand: Demand, forms: Forms) -> Diagnostic:
    """A size that hangs on what lies outside of the model's own text."""
    occurrence = demand.occurrences[0]
    answer = forms.say(occurrence)
    outside = ", ".join(dict.fromkeys(symbol.text for symbol in answer.outside)) if isinstance(answer, Unsaid) else ""
    notes = (Note(f"it is {occurrence.size.value} here"),)
    if not outside:
        return differs(demand)
    return Diagnostic(
        "LZ301",
        f"{demand.name} hangs on {outside}, which {occurrence.frame.name} cannot reach",
        demand.call,
        notes,
        (f"give {occurrence.frame.name} the size as an argument, and write it into this call",),
    )


def recursive(demand: Demand) -> Diagnostic:
    """A function that calls itself would need its own new parameter to fill it."""
    return Diagnostic(
        "LZ306",
        f"{demand.occurrences[0].frame.name} calls itself, and {demand.name} changes on the way",
        demand.call,
        helps=("give the size as an argument, and write it into this call",),
    )


def overridden(demand: Demand) -> Diagnostic:
    """A function that would take other new arguments than one that overrides it, or that is called without them."""
    return Diagnostic(
        "LZ323",
        f"{demand.occurrences[0].frame.name} needs {demand.name} from its callers, which also reach what overrides it",
        demand.call,
        helps=("give the size as an argument of both, and write it into this call",),
    )


def never_reached(layer: LazyLayer, call: Place) -> Diagnostic:
    """A call whose layers no run reached, of a function that other calls need a size for."""
    return Diagnostic(
        "LZ212",
        f"the {layer.kind} that this call makes is never reached, so its size is not known",
        call,
        (Note("it is made here", layer.site),),
        ("call it in forward, give other inputs, or convert the rest with --partial",),
    )


def no_dataclass(demand: Demand) -> Diagnostic:
    """A `__post_init__` of a class that inherits its constructor from a dataclass, and is none."""
    return Diagnostic(
        "LZ309",
        f"{demand.name} cannot become a field: this class is no dataclass, only one that it inherits from is",
        demand.call,
        helps=("make it a dataclass too, or give it the size as a field, and write that into this call",),
    )


def made_elsewhere(what: str, file: str, call: Place, *notes: Note) -> Diagnostic:
    """Lazy layers of another file, which a conversion does not change."""
    stem = file.removesuffix(".py")
    return Diagnostic(
        "LZ307",
        f"this makes {what} in {file}, which stays lazy: only this file is converted",
        call,
        notes,
        (f"import what makes it by name (from {stem} import ...): it is then written into the output",),
    )
