"""The class of a graph and the small modules of a file, as statements to insert."""

from __future__ import annotations

from collections.abc import Sequence

from lazygen.emit.templates import render
from lazygen.lift.plan import Edit, GraphClass, InsertStatements, Plan, SmallModule, WriteGraph, WriteModules


def with_classes(plan: Plan) -> Plan:
    """The plan with the text of each class in the place of the class."""
    if not any(isinstance(edit, (WriteGraph, WriteModules)) for edit in plan.edits):
        return plan
    return Plan(tuple(map(_written, plan.edits)), plan.remarks, plan.unneeded)


def _written(edit: Edit) -> Edit:
    if isinstance(edit, WriteGraph):
        return InsertStatements(edit.anchor, text_of(edit.graph))
    if isinstance(edit, WriteModules):
        return InsertStatements(edit.anchor, "\n\n".join(map(text_of_module, edit.modules)), edit.before)
    return edit


def text_of(graph: GraphClass) -> str:
    """The class, and the statement that makes a model of it."""
    return render(
        "functional_class.py.jinja",
        graph=graph,
        signature=", ".join(["self", *graph.arguments]),
        layers=_indented(graph.layers),
        lines=_indented([*graph.lines, *f"return {graph.result}".split("\n")]),
    )


def text_of_module(module: SmallModule) -> str:
    """The class of a small module."""
    template = f"{module.template}.py.jinja"
    return render(template, name=module.name, nn=module.nn, torch=module.torch, **dict(module.values))


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"        {line}" if line else "" for line in lines]
