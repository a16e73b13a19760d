"""The class of a graph and the small modules of a file, as statements to insert."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from lazygen.emit.templates import render
from lazygen.lift.plan import (
    Edit,
    GraphClass,
    InsertStatements,
    ModuleClass,
    Plan,
    SmallModule,
    WriteClass,
    WriteGraph,
    WriteModules,
    WriteTemplate,
)

_BOUND = "\xa0"  # a space at which no line ends
_DOCSTRING_WIDTH = 77  # of 88 columns, less the indentation and the quotes


def with_classes(plan: Plan) -> Plan:
    """The plan with the text of each class in the place of the class."""
    if not any(isinstance(edit, (WriteClass, WriteGraph, WriteModules, WriteTemplate)) for edit in plan.edits):
        return plan
    return Plan(tuple(map(_written, plan.edits)), plan.remarks, plan.unneeded)


def _written(edit: Edit) -> Edit:
    if isinstance(edit, WriteGraph):
        return InsertStatements(edit.anchor, text_of(edit.graph))
    if isinstance(edit, WriteClass):
        return InsertStatements(edit.anchor, text_of_class(edit.written))
    if isinstance(edit, WriteModules):
        return InsertStatements(edit.anchor, "\n\n".join(map(text_of_module, edit.modules)), edit.before)
    if isinstance(edit, WriteTemplate):
        return InsertStatements(edit.anchor, render(f"{edit.template}.py.jinja", **dict(edit.values)), edit.before)
    return edit


def text_of(graph: GraphClass) -> str:
    """The class, and the statement that makes a model of it."""
    return render(
        "functional_class.py.jinja",
        graph=graph,
        docstring=_docstring(graph.docstring),
        constructor=", ".join(["self", *graph.parameters]),
        given=", ".join(graph.given),
        signature=", ".join(["self", *graph.arguments]),
        layers=_indented(graph.layers),
        lines=_indented([*graph.lines, *f"return {graph.result}".split("\n")]),
    )


def text_of_class(written: ModuleClass) -> str:
    """A class of modules."""
    return render(
        "module_class.py.jinja",
        written=written,
        docstring=_docstring(written.docstring),
        parameters=", ".join(["self", *written.parameters]),
        arguments=", ".join(["self", *written.arguments]),
        constructor=_indented(written.constructor),
        lines=_indented(written.lines),
    )


def text_of_module(module: SmallModule) -> str:
    """The class of a small module."""
    template = f"{module.template}.py.jinja"
    return render(template, name=module.name, nn=module.nn, torch=module.torch, **dict(module.values))


def _docstring(text: str) -> str:
    """A docstring between its quotes, in lines if it is too long for one."""
    whole = re.sub(r"\([^()]*\)", lambda shape: shape[0].replace(" ", _BOUND), text)  # a shape stays on a line
    lines = textwrap.wrap(whole, _DOCSTRING_WIDTH, break_long_words=False, break_on_hyphens=False)
    return text if len(lines) == 1 else "\n    ".join([*lines, ""]).replace(_BOUND, " ")


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"        {line}" if line else "" for line in lines]
