"""`lazygen spec`: the spec of a model, as YAML or JSON, from a source of the TorchX style or a plain `nn.Sequential`.

    lazygen spec model.py                        type: Sequential
                                                 layers:
                                                   - {type: Conv2d, null: [12, 3]}

Graphs are `L.Functional` models, or classes whose `forward` is one.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from lazygen import arguments, config
from lazygen.diagnostics import Refused
from lazygen.driver import print_bytes, with_other_texts
from lazygen.emit.graph import text_of_module
from lazygen.files import read_source
from lazygen.flags import text_of
from lazygen.frontend.parse import parse
from lazygen.header import read_header
from lazygen.jobs import Job, Options, decoded, jobs_for
from lazygen.lift.plan import SmallModule
from lazygen.lift.small_modules import MERGES, TEMPLATES
from lazygen.project import Projects
from lazygen.report import Report
from lazygen.settings import Settings, Target
from lazygen.spec import is_spec
from lazygen.spec.source import written
from lazygen.spec.text import as_json, as_yaml
from lazygen.trace.collect import trace
from lazygen.trace.request import SpecQuestion
from lazygen.values import replace
from lazygen.written import COMMAND_LINE, refuse

Form = Literal["yaml", "json"]


def spec_file(typed: str, form: Form, options: Options, report: Report) -> int:
    """Print the spec of the model in a file.  The result is the exit code."""
    texts = {COMMAND_LINE: text_of(options.flags)}
    try:
        content = arguments.read(typed)
        texts[typed] = decoded(content) or ""
        header = read_header(texts[typed])
        if header is not None:  # of a generated file its own model is meant, and not that of its source
            content = header.rest.encode()
        job = jobs_for(typed, content, options, Projects())[0]
        name, spec = spec_of(job)
        print_bytes((as_yaml(spec) if form == "yaml" else as_json(spec)).encode())
        report.remark(f"{typed}: the spec of {name}")
    except Refused as refused:
        findings = [finding for finding in refused.diagnostics if finding.severity == "error"]
        report.tell(findings, with_other_texts(texts, findings), usage=refused.usage)
    return report.finish()


def spec_of(job: Job) -> tuple[str, Any]:
    """The entry and the spec of its model.  Raises Refused."""
    text = read_source(job.content, job.name).text
    if is_spec(job.name):
        text = written(text, job.name, 88).text
    folder = os.path.dirname(os.path.abspath(job.file)) if job.file else os.getcwd()
    tree, settings = parse(text, job.name), config.read_settings(job.models)
    chosen = settings if settings.entries else _with_model(tree, settings)
    question = SpecQuestion(tuple(known_classes(tree)))
    _, traced = trace(text, tree, chosen, job.name, Path(folder), question=question)
    if traced.failed:
        raise Refused(*traced.diagnostics, usage=traced.usage)
    if len(traced.specs) != 1:
        names = ", ".join(name for name, _ in traced.specs)
        refuse("LZ103", f"a spec is one model, and here are {names or 'none'}", None, "choose one with --entry NAME")
    return traced.specs[0]


def _with_model(tree: ast.Module, settings: Settings) -> Settings:
    """The settings with the variable `model` for an entry, if the file has it: it need not be lazy."""
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    if not any(isinstance(target, ast.Name) and target.id == "model" for target in targets):
        return settings
    known = settings.target_for("model")
    return replace(settings, targets=(Target("model", known.inputs, known.arguments),))


def known_classes(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The small modules that lazygen wrote into a file: the name of each class, with what it stands for."""
    shapes = {}
    for kind, module in _small_modules():
        text = text_of_module(module)
        shapes[_shape(ast.parse(text).body[0])] = kind
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            known = shapes.get(_shape(node))
            if known is not None:
                yield node.name, known


def _small_modules() -> Iterator[tuple[str, SmallModule]]:
    for template in TEMPLATES:
        yield template, SmallModule("X", template, "nn", "torch")
    for kind, (docstring, step, result) in MERGES.items():
        values = (("docstring", docstring), ("step", step.format(torch="torch")), ("result", result))
        yield kind, SmallModule("X", "merge", "nn", "torch", values)


def _shape(node: ast.stmt) -> str:
    """What a class does, whatever its name is and whatever the file calls torch."""
    assert isinstance(node, ast.ClassDef)
    bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
    body = "\n".join(ast.unparse(part) for part in node.body)
    return f"{bases}\n{body}"
