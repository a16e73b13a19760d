"""Places the explicit code as the flags say: emits, traces what came of it, and mends what stayed behind.

What the source does where all is made on the flag's device, and in its dtype, is what the output has to do by itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from lazygen.diagnostics import Diagnostic, Note, Place, Refused
from lazygen.frontend.parse import parse
from lazygen.lift.placement import flags, wrapping
from lazygen.lift.placement.flags import Placed
from lazygen.lift.plan import Plan
from lazygen.lift.syntax import Syntax
from lazygen.rewrites.draft import Emitter
from lazygen.trace.collect import statements_for, trace_instead
from lazygen.trace.model import ModelTrace, Trace
from lazygen.trace.request import Request
from lazygen.trace.run import start
from lazygen.trace.variations import Varied
from lazygen.validate import Difference, compare
from lazygen.values import replace

# A place that no model is in by chance, to see whether its arguments take it there.
ELSEWHERE = ("cuda:1", "float64")


def placed(code: str, source: Request, traced: Trace, emit: Emitter) -> str:
    """The code, placed as the settings say; `traced` is the source on its device.  Raises Refused."""
    placement = source.settings.placement
    if placement.argument:
        return _by_argument(code, source, emit)
    if not placement.is_somewhere:
        return code
    text = _emitted(code, flags.on_device(_syntax(code, source), placement), emit)
    left = list(_left_behind(_run(text, source), traced, placement.device))
    if left:
        behind = _makers(left, code, source)
        text = _emitted(code, flags.on_device(_syntax(code, source), placement, behind), emit)
        left = list(_left_behind(_run(text, source), traced, placement.device))
    if left:
        raise Refused(_stays(left[0], source, _makers(left[:1], code, source)))
    return text


def in_parallel(code: str, source: Request, emit: Emitter) -> str:
    """The code with its models in `nn.DataParallel`.  Raises Refused."""
    syntax = _syntax(code, source)
    return _emitted(code, wrapping.in_parallel(syntax, source.entries, source.settings.placement), emit)


def of_wrapped(trace: Trace, tree: ast.Module) -> Trace:
    """A trace with the models of a source as `nn.DataParallel` has them: their parameters are those of its `module`."""
    names = wrapping.unwrapped(tree, (model.entry for model in trace.models))
    models = tuple(_in_module(model) if model.entry in names else model for model in trace.models)
    return replace(trace, models=models)


def varied_wrapped(varied: Sequence[Varied], tree: ast.Module) -> list[Varied]:
    """The same for traces with other arguments."""
    return [replace(other, trace=of_wrapped(other.trace, tree)) for other in varied]


def _in_module(model: ModelTrace) -> ModelTrace:
    return replace(model, state=tuple(replace(item, name=f"module.{item.name}") for item in model.state))


# Arguments


def _by_argument(code: str, source: Request, emit: Emitter) -> str:
    """The first text whose models are elsewhere if their arguments say so, and do there what the source does there."""
    there = start(replace(source, default=ELSEWHERE, arguments="also"), quiet=True).result()
    if there.failed:
        raise Refused(*there.diagnostics)
    entries = tuple(model.entry for model in there.models if model.maker)
    if not entries:
        raise Refused(_without_makers(source))
    there = replace(there, models=tuple(model for model in there.models if model.entry in entries))
    only = replace(source, entries=entries, chosen=True, default=ELSEWHERE, arguments="only")
    dtypes = _dtypes(source)
    first: list[Difference] = []
    for dtype_of in ("beside", "own", "none"):
        behind: list[Place] = []
        for _ in range(2):
            syntax = _syntax(code, source)
            text = _emitted(code, flags.by_argument(syntax, dtype_of, dtypes, behind), emit)
            statements = statements_for(ast.parse(text), entries, source.extra)
            request = replace(only, text=text, statements=statements)
            seen = start(request, quiet=True).result()
            found = compare(there, seen, None)
            if not found:
                return text
            first = first or list(found)
            if seen.failed:  # at the first tensor that is elsewhere, so that nothing tells which others are
                seen = start(replace(request, placement="recorded"), quiet=True).result()
            behind = _makers(list(_left_behind(seen, there)), code, source)
            if not behind:
                break
    raise Refused(_not_by_arguments(first[0], source))


def _dtypes(source: Request) -> dict[str, dict[int | str, str]]:
    """The dtypes of the inputs of each model's `forward`, by number and by name."""
    found: dict[str, dict[int | str, str]] = {}
    for entry in source.entries:
        inputs = source.settings.target_for(entry).inputs
        found[entry.partition("(")[0]] = {i.name or n: i.dtype for n, i in enumerate(inputs)}
    return found


def _not_by_arguments(difference: Difference, source: Request) -> Diagnostic:
    what = f"{difference.name} {difference.source}" if difference.name else f"the model {difference.source}"
    note = Note(f'with device="cuda:1", dtype=torch.float64 {what}, but here it {difference.output}')
    message = f"{difference.entry} cannot be placed by arguments: something in it stays where it is"
    help_ = "give what is made there a device and a dtype of its own arguments"
    return Diagnostic("LZ523", message, _class_of(difference.entry, source), (note,), (help_,))


def _without_makers(source: Request) -> Diagnostic:
    message = f"no class or function of the file, which could take a device, makes {', '.join(source.entries)}"
    help_ = "write the model as a class, or place it with --device"
    return Diagnostic("LZ523", message, Place(source.shown, 1, 0, 1, 0), (), (help_,))


# What stays behind


def _run(text: str, source: Request) -> Trace:
    """A text without places from outside, traced."""
    request = replace(source, default=("", ""), made=True)
    _, seen = trace_instead(request, text, parse(text, source.shown), source.settings)
    if seen.failed:
        raise Refused(*seen.diagnostics)
    return seen


def _left_behind(seen: Trace, wanted: Trace, device: str = "") -> Iterator[tuple[str, str]]:
    """The parameters that are not where they should be, each with its entry."""
    models = {model.entry: model for model in seen.models}
    there = f"{device}:0" if device == "cuda" else device
    for model in wanted.models:
        other = models.get(model.entry)
        found = {item.name: item for item in other.state} if other is not None else {}
        for item in model.state:
            own = found.get(item.name)
            if own is not None and (own.device, own.dtype) != (there or item.device, item.dtype):
                yield model.entry, item.name


def _makers(left: Sequence[tuple[str, str]], code: str, source: Request) -> list[Place]:
    """The calls in the code that made the innermost modules around parameters that calls of the file made."""
    models = {model.entry: dict(model.made) for model in _run(code, source).models} if left else {}
    found: dict[Place, None] = {}
    for entry, name in left:
        while name := name.rpartition(".")[0]:
            place = models.get(entry, {}).get(name)
            if place is not None and place.path == source.shown:
                found[place] = None
                break
    return list(found)


def _stays(left: tuple[str, str], source: Request, makers: Sequence[Place]) -> Diagnostic:
    placement = source.settings.placement
    where = " in ".join(filter(None, (placement.device, placement.dtype)))
    return Diagnostic(
        "LZ521",
        f"{left[1]} does not come to {where}: the source says another place for it",
        _class_of(left[0], source),
        helps=("leave the device and the dtype out of the source, or change them there",),
    )


def _class_of(entry: str, source: Request) -> Place:
    """Where the class or function of a model stands in the source."""
    syntax = _syntax(source.text, source)
    owner = syntax.classes.get(entry.partition("(")[0])
    return syntax.place(owner) if owner is not None else Place(source.shown, 1, 0, 1, 0)


def _syntax(code: str, source: Request) -> Syntax:
    return Syntax(parse(code, source.shown), code, source.shown)


def _emitted(code: str, found: Placed, emit: Emitter) -> str:
    if found.problems:
        raise Refused(*found.problems)
    return emit(code, Plan(found.edits))
