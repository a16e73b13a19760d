"""From a job to both texts, the models in them, and the names that their parameters have."""

from __future__ import annotations

import ast
import os
from pathlib import Path

from lazygen import arguments, config, files, pipeline
from lazygen.diagnostics import Refused
from lazygen.frontend.parse import parse
from lazygen.frontend.references import references
from lazygen.jobs import Job, Options, default_output, identity
from lazygen.rewrites.definitions import with_definitions
from lazygen.rewrites.draft import Emitter
from lazygen.rewrites.graph_classes import with_new_names
from lazygen.rewrites.places import of_wrapped
from lazygen.rewrites.stages import without_places
from lazygen.settings import Settings
from lazygen.trace.collect import location_of, statements_for, trace
from lazygen.trace.model import ModelTrace, Trace
from lazygen.trace.request import Request
from lazygen.verify.devices import Devices
from lazygen.verify.subject import Model, Subject, Text


def subject_of(job: Job, options: Options, devices: Devices) -> tuple[Subject, bool]:
    """What to compare for a job; True if its output was made for this and is in no file.

    Raises Refused if the source cannot be converted, or if an output that is named is not there.
    """
    text = files.read_source(job.content, job.name).text
    settings = config.read_settings(job.models)
    folder = Path(os.path.dirname(os.path.abspath(job.file)) if job.file else os.getcwd())
    there = _output_there(job, options)
    code = _converted(text, settings, job.name, folder) if there is None else there
    tree = parse(text, job.name)
    edited = with_definitions(text, tree, folder, Emitter(job.name))
    request, traced = trace(text, tree, settings, job.name, folder, roots_in=parse(edited, job.name))
    if traced.failed:
        raise Refused(*traced.diagnostics, usage=traced.usage)
    location = location_of(job.name, folder)
    output = job.output or default_output(str(location))
    explicit = parse(code, output)
    extra = (*request.extra, *(_stages_in(explicit) if settings.placement.pipeline else ()))
    statements = statements_for(explicit, request.entries, extra)
    return Subject(
        Text(text, location, job.name, request.statements),
        Text(code, Path(output).absolute(), output if job.output else "the explicit form", statements),
        tuple(_models(text, tree, request, traced, settings)),
        devices,
        settings.placement.dtype,
        settings.placement.pipeline,
    ), there is None


def _output_there(job: Job, options: Options) -> str | None:
    """The text of an output that the command names, as one or as the file to verify."""
    if job.output is None or (options.output is None and identity(job.typed) != identity(job.output)):
        return None
    return files.read_source(arguments.read(job.output), job.output).text


def _converted(text: str, settings: Settings, path: str, folder: Path) -> str:
    conversion = pipeline.convert_source(text, settings, path=path, folder=folder)
    if conversion.code is None:
        raise Refused(*conversion.diagnostics, usage=conversion.usage)
    return conversion.code


def _models(text: str, tree: ast.Module, request: Request, traced: Trace, settings: Settings) -> list[Model]:
    torchx = any(reference.is_torchx for reference in references(tree))
    after = with_new_names(text, tree, request, traced)
    if settings.placement.parallel is not None:
        after = of_wrapped(after, tree)
    if settings.placement.pipeline:
        after = without_places(after)
    pairs = zip(traced.models, after.models, strict=True)
    return [
        Model(old.entry, settings.target_for(old.entry), _names(old, new), torchx, _places(new)) for old, new in pairs
    ]


def _stages_in(tree: ast.Module) -> list[str]:
    """The variables of a module that hold stages of models."""
    tuples = [s for s in tree.body if isinstance(s, ast.Assign) and isinstance(s.value, ast.Tuple)]
    names = [target.id for s in tuples for target in s.targets if isinstance(target, ast.Name)]
    return [name for name in names if name.endswith("STAGES")]


def _places(model: ModelTrace) -> tuple[tuple[str, str], ...]:
    return tuple((item.name, item.device) for item in model.state)


def _names(old: ModelTrace, new: ModelTrace) -> tuple[tuple[str, str], ...]:
    pairs = zip(old.state, new.state, strict=True)
    return tuple((before[0], after[0]) for before, after in pairs if before[0] != after[0])
