"""`lazygen explain`: the way of a size from the input to a layer, one operation a line.

fc1, Linear (lazy), model.py:10:20: in_features is 1960
  input x                        (8, 3, 32, 32)
  model.py:14  conv1 Conv2d      (8, 20, 28, 28)    32 - 4 = 28
  ...
  model.py:16  x.flatten(1)      (8, 1960)          40 channels * 7 * 7 = 1960
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from lazygen import arguments, config
from lazygen.diagnostics import Place, Refused
from lazygen.driver import print_bytes, with_other_texts
from lazygen.flags import text_of
from lazygen.frontend.parse import parse
from lazygen.jobs import Job, Options, decoded, jobs_for
from lazygen.project import Projects
from lazygen.report import Report
from lazygen.symbolic.tensor import shape_text
from lazygen.trace.collect import trace
from lazygen.trace.model import Explained, Step
from lazygen.trace.request import Question
from lazygen.written import COMMAND_LINE, refuse

EXAMPLE = "lazygen explain model.py:12 --input-shape 8,3,32,32"


def explain_file(typed: str, what: str | None, options: Options, report: Report) -> int:
    """Explain what `what` names in a file, or its line if `typed` ends in one.  The result is the exit code."""
    file, question = _asked(typed, what)
    texts = {COMMAND_LINE: text_of(options.flags)}
    try:
        content = arguments.read(file)
        texts[file] = decoded(content) or ""
        for job in jobs_for(file, content, options, Projects()):
            text = "\n\n".join(map("\n".join, map(_lines, _explained(job, question))))
            print_bytes(f"{text}\n".encode())
    except Refused as refused:
        findings = [finding for finding in refused.diagnostics if finding.severity == "error"]
        report.tell(findings, with_other_texts(texts, findings), usage=refused.usage)
    return report.finish()


def _asked(typed: str, what: str | None) -> tuple[str, Question]:
    """The file and the question: `model.py:12`, or `model.py` with a name, a number or nothing."""
    file, colon, line = typed.rpartition(":")
    if what is None:
        return (file, Question(line=int(line))) if colon and line.isdigit() else (typed, Question())
    if what.isdigit():
        return typed, Question(number=int(what))
    return typed, Question(name=what)


def _explained(job: Job, question: Question) -> tuple[Explained, ...]:
    """The answers.  Raises Refused if the model does not run, or if nothing is what the question names."""
    text = decoded(job.content) or ""
    folder = os.path.dirname(os.path.abspath(job.file)) if job.file else os.getcwd()
    tree, settings = parse(text, job.name), config.read_settings(job.models)
    _, traced = trace(text, tree, settings, job.name, Path(folder), question=question)
    if traced.failed:
        raise Refused(*traced.diagnostics, usage=traced.usage)
    if not traced.explained:
        refuse(*_nothing(job.name, text, question))
    return traced.explained


def _nothing(name: str, text: str, question: Question) -> tuple[str, str, Place | None, str]:
    help_ = f"lazygen explain {name} lists the lazy layers"
    if question.line:
        lines = text.split("\n")
        length = len(lines[question.line - 1]) if question.line <= len(lines) else 0
        place = Place(name, question.line, 0, question.line, length) if length else None
        return "LZ066", f"no layer or tensor is made in line {question.line}", place, help_
    if question.number is not None:
        return "LZ066", f"no layer or tensor has the size {question.number}", None, help_
    if question.name:
        return "LZ066", f"no layer is called {question.name}", None, help_
    return "LZ066", "no lazy layer runs", None, "name a line, a layer or a number: " + EXAMPLE


def _lines(explained: Explained) -> Iterator[str]:
    """One answer: what it is, the steps in columns, and for which inputs its sizes hold."""
    title = [explained.what, *([_address(explained.place)] if explained.place else [])]
    sizes = f": {', '.join(explained.sizes)}" if explained.sizes else ""
    yield ", ".join(title) + sizes
    rows = [_row(step) for step in explained.steps]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield f"  {'  '.join([*cells, row[3]])}".rstrip()
    for sentence in explained.holds:
        yield f"  {sentence}"


def _row(step: Step) -> tuple[str, str, str, str]:
    where = f"{step.place.path}:{step.place.line}" if step.place else ""
    beside = [f"with {_joined(step.beside)}"] if step.beside else []
    return where, step.what, shape_text(step.shape), ", ".join([*step.arithmetic, *beside])


def _joined(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _address(place: Place) -> str:
    return f"{place.path}:{place.line}:{place.column + 1}"
