"""`lazygen keymap`: TorchX's names for the parameters of a generated model, and checkpoints under the new names.

    lazygen keymap model.py --input-shape 8,3,32,32          {"0.weight": "module_list.0._conv.weight", ...}
    lazygen keymap model.py ... --apply OLD.pt NEW.pt

A source in torch's own style keeps its names.
"""

from __future__ import annotations

import ast
import io
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from lazygen import arguments, config, files
from lazygen.diagnostics import Diagnostic, Note, Refused
from lazygen.driver import print_bytes, with_other_texts
from lazygen.files import read_source
from lazygen.flags import text_of
from lazygen.frontend.lazy_names import lazy_names
from lazygen.frontend.parse import parse
from lazygen.jobs import Job, Options, decoded, jobs_for
from lazygen.project import Projects
from lazygen.report import Report
from lazygen.rewrites.graph_classes import with_new_names
from lazygen.settings import Target
from lazygen.spec import is_spec
from lazygen.spec.source import written
from lazygen.trace.collect import trace
from lazygen.trace.request import KeysQuestion
from lazygen.values import replace, value
from lazygen.written import COMMAND_LINE, refuse

_OPTIONAL = "num_batches_tracked"  # checkpoints of before torch 0.4.1 do not have these


@value
class Key:
    """A name in the generated model's state_dict, TorchX's name for it, and its shape."""

    name: str
    torchx: str
    shape: tuple[int, ...]


def keymap_file(typed: str, apply: tuple[str, str] | None, options: Options, report: Report) -> int:
    """Print the names of a file's model, or rewrite a checkpoint.  The result is the exit code."""
    texts = {COMMAND_LINE: text_of(options.flags)}
    try:
        content = arguments.read(typed)
        texts[typed] = decoded(content) or ""
        keys = keys_of(jobs_for(typed, content, options, Projects())[0])
        if apply is None:
            text = json.dumps({key.name: key.torchx for key in keys}, indent=2)
            print_bytes(f"{text}\n".encode())
        else:
            _apply(keys, *apply)
            report.created(apply[1])
    except Refused as refused:
        findings = [finding for finding in refused.diagnostics if finding.severity == "error"]
        report.tell(findings, with_other_texts(texts, findings), usage=refused.usage)
    return report.finish()


def keys_of(job: Job) -> list[Key]:
    """The names of the only model of a source.  Raises Refused."""
    text, path = read_source(job.content, job.name).text, job.name
    text = written(text, path, 88).text if is_spec(path) else text
    tree, settings = parse(text, path), config.read_settings(job.models)
    folder = os.path.dirname(os.path.abspath(job.file)) if job.file else os.getcwd()
    request, traced = trace(text, tree, settings, path, Path(folder), question=KeysQuestion())
    if traced.failed:
        raise Refused(*traced.diagnostics, usage=traced.usage)
    if len(traced.models) != 1:
        names = ", ".join(model.entry for model in traced.models)
        refuse("LZ103", f"a key map is of one model, and here are {names}", None, "choose one with --entry NAME")
    theirs, entry = dict(traced.answers), traced.models[0].entry
    graphs = set(graph_variables(tree))
    if entry in graphs and len(graphs) > 1:
        # They may share parts, so that the names in one hang on the others.
        every = replace(settings, targets=(*settings.targets, *map(Target, sorted(graphs - {entry}))))
        request, traced = trace(text, tree, every, path, Path(folder))
        if traced.failed:
            raise Refused(*traced.diagnostics, usage=traced.usage)
    after = with_new_names(text, tree, request, traced)
    models = zip(traced.models, after.models, strict=True)
    before, now = next(pair for pair in models if pair[0].entry == entry)
    return [Key(new.name, theirs[old.name], old.shape) for old, new in zip(before.state, now.state, strict=True)]


def graph_variables(tree: ast.Module) -> Iterator[str]:
    """The variables of a module that hold functional models."""
    names = lazy_names(tree)
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Call):
            meaning = names.meaning(node.value.func) or ""
            if meaning.rpartition(".")[2] == "Functional":
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                yield from (target.id for target in targets if isinstance(target, ast.Name))


def _apply(keys: list[Key], old: str, new: str) -> None:
    """Write the tensors of one checkpoint under the generated names to another.  Raises Refused."""
    try:
        import torch
    except ImportError:
        refuse("LZ406", "a checkpoint is read with torch, which cannot be imported", None, "pip install torch")
    try:
        loaded = torch.load(old, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        refuse("LZ401", f"there is no file {old}", None)
    except Exception as error:
        _refuse(f"{old} cannot be read as a checkpoint: {str(error).splitlines()[0]}")
    inside = next((name for name in ("state_dict", "model") if _is_state(_item(loaded, name))), "")
    state = loaded[inside] if inside else loaded
    if not _is_state(state):
        _refuse(f"{old} holds no state_dict", "save one with torch.save(model.state_dict(), path)")
    renamed = _renamed(keys, state, old)
    buffer = io.BytesIO()
    torch.save({**loaded, inside: renamed} if inside else renamed, buffer)
    files.write_whole(new, buffer.getvalue())


def _refuse(problem: str, *helps: str) -> NoReturn:
    raise Refused(Diagnostic("LZ406", problem, None, helps=helps))


def _item(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None


def _is_state(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(value) and all(hasattr(item, "shape") for item in value.values())


def _renamed(keys: list[Key], state: Mapping[str, Any], path: str) -> dict[str, Any]:
    found = {key.name: state[key.torchx] for key in keys if key.torchx in state}
    missing = [key for key in keys if key.name not in found and not key.name.endswith(_OPTIONAL)]
    unknown = sorted(set(state) - {key.torchx for key in keys})
    wrong = [key for key in keys if key.name in found and tuple(found[key.name].shape) != key.shape]
    notes = [f"{key.torchx} is not there, which would be {key.name}" for key in missing[:6]]
    notes += [f"{name} is there, and no parameter of the model" for name in unknown[:6]]
    notes += [f"{key.torchx} is {tuple(found[key.name].shape)}, and {key.name} is {key.shape}" for key in wrong[:6]]
    if notes:
        finding = Diagnostic("LZ407", f"{path} is not a checkpoint of this model", None, tuple(map(Note, notes)))
        raise Refused(finding)
    return found
