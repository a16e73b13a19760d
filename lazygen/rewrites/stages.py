"""For several machines: models in stages, and functions that shard them.

Stages are tried one behind the other: they have to do what the model does.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lazygen.diagnostics import Diagnostic, Place, Refused
from lazygen.frontend.parse import parse
from lazygen.lift.placement import shard
from lazygen.lift.placement.pipeline import Staged, imports, on_several_devices, staged
from lazygen.lift.placement.unplaced import without_devices
from lazygen.lift.plan import Plan
from lazygen.lift.syntax import Syntax
from lazygen.rewrites.draft import Emitter
from lazygen.trace.collect import trace_instead
from lazygen.trace.model import ModelTrace, Stored, Trace
from lazygen.trace.request import Request
from lazygen.trace.variations import Varied
from lazygen.values import replace

# What a text gets to try its stages: all of a model in one process.
_CHAIN = """

class Chain__(__import__("torch").nn.Module):
    def __init__(self, stages):
        super().__init__()
        self.stages = __import__("torch").nn.ModuleList(stages)

    def forward(self, *given, **named):
        for stage in self.stages:
            given = stage(*given, **named)
            given, named = given if isinstance(given, tuple) else (given,), {}
            for item in given:
                if stage is not self.stages[-1] and not isinstance(item, __import__("torch").Tensor):
                    raise TypeError(f"a stage gives a {type(item).__name__}, and only tensors go to the next one")
        return given if len(given) > 1 else given[0]
"""


def in_stages(code: str, source: Request, emit: Emitter) -> str:
    """The code with its models cut into stages, and without devices.  Raises Refused."""
    syntax = _syntax(code, source)
    request = replace(source, made=True, placement="recorded")
    request, traced = trace_instead(request, code, syntax.tree, source.settings)
    if traced.failed:
        raise Refused(*traced.diagnostics)
    models = on_several_devices(traced.models)
    if not models:
        problem = "nothing here is on several devices, so there is nothing to cut into stages"
        help_ = "build the parts of a model in device scopes, or with device="
        raise Refused(Diagnostic("LZ524", problem, Place(source.shown, 1, 0, 1, 0), helps=(help_,)))
    ran = [s for s in syntax.tree.body if (s.lineno, s.col_offset) in request.statements]
    code = emit(code, Plan(tuple(without_devices(syntax, code, ran))))
    syntax = _syntax(code, source)
    made = [staged(syntax, code, model, len(models) > 1) for model in models]
    edits = [edit for one in made for edit in one.edits]
    edits += imports(syntax, *(line for one in made for line in one.imports), _STAGE)
    text = emit(code, Plan(tuple(edits)))
    _try(text, source, models, made)
    return text


def with_shards(code: str, source: Request, emit: Emitter) -> str:
    """The code with a function beside each model that shards it.  Raises Refused."""
    syntax = _syntax(code, source)
    _, traced = trace_instead(replace(source, made=True), code, syntax.tree, source.settings)
    if traced.failed:
        raise Refused(*traced.diagnostics)
    edits = [edit for model in traced.models for edit in shard.sharded(syntax, model, len(traced.models) > 1)]
    return emit(code, Plan((*edits, *imports(syntax, shard.IMPORT))))


_STAGE = "from torch.distributed.pipelining import PipelineStage"


def without_places(trace: Trace) -> Trace:
    """A trace as if all of it were on the CPU."""
    return replace(trace, models=tuple(map(_without_place, trace.models)))


def varied_without_places(varied: Sequence[Varied]) -> list[Varied]:
    """The same for traces with other arguments."""
    return [replace(other, trace=without_places(other.trace)) for other in varied]


def _without_place(model: ModelTrace) -> ModelTrace:
    state = tuple(Stored(item.name, item.shape, item.dtype, "cpu") for item in model.state)
    return replace(model, state=state, result=_on_cpu(model.result))


def _on_cpu(result: object) -> object:
    """A described result without the devices in it."""
    if isinstance(result, str):
        return result.partition(" on ")[0]
    if isinstance(result, dict):
        return {key: _on_cpu(item) for key, item in result.items()}
    return type(result)(map(_on_cpu, result)) if isinstance(result, (list, tuple)) else result


def _try(text: str, source: Request, models: Sequence[ModelTrace], made: Sequence[Staged]) -> None:
    """Run the stages of each model one behind the other.  Raises Refused if they do something else than it."""
    for model, one in zip(models, made, strict=True):
        tried = f"{text}{_CHAIN}\n\nchain__ = Chain__({one.stages})\n"
        target = replace(source.settings.target_for(model.entry), entry="chain__")
        request = replace(source, entries=("chain__",), chosen=True, placement="checked")
        settings = replace(source.settings, targets=(target,))
        _, chained = trace_instead(request, tried, ast.parse(tried), settings)
        if chained.failed:
            first = next(finding for finding in chained.diagnostics if finding.severity == "error")
            raise Refused(_differs(model, source, f"they do not run: {first.message}"))
        (chain,) = chained.models
        names = {name.split(".", 2)[2] for name, *_ in chain.state}
        wanted = {name for name, *_ in model.state}
        if names != wanted:
            raise Refused(_differs(model, source, f"they hold {', '.join(sorted(names ^ wanted))} otherwise"))
        if chain.result != _on_cpu(model.result):
            raise Refused(_differs(model, source, f"they give {chain.result}, the model {_on_cpu(model.result)}"))


def _differs(model: ModelTrace, source: Request, what: str) -> Diagnostic:
    syntax = Syntax(parse(source.text, source.shown), source.text, source.shown)
    owner = syntax.classes.get(model.maker)
    place = syntax.place(owner) if owner is not None else Place(source.shown, 1, 0, 1, 0)
    problem = f"{model.entry} cannot be cut into stages that do the same: {what}"
    help_ = "give stages tensors only, and leave out what depends on the whole model"
    return Diagnostic("LZ526", problem, place, helps=(help_,))


def _syntax(code: str, source: Request) -> Syntax:
    return Syntax(parse(code, source.shown), code, source.shown)
