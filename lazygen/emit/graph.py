"""The class of a graph, as statements to insert."""

from __future__ import annotations

from collections.abc import Sequence

from lazygen.emit.templates import render
from lazygen.lift.plan import GraphClass, InsertStatements, Plan, WriteGraph


def with_classes(plan: Plan) -> Plan:
    """The plan with the text of each class in the place of the class."""
    if not any(isinstance(edit, WriteGraph) for edit in plan.edits):
        return plan
    edits = [
        InsertStatements(edit.anchor, text_of(edit.graph)) if isinstance(edit, WriteGraph) else edit
        for edit in plan.edits
    ]
    return Plan(tuple(edits), plan.remarks, plan.unneeded)


def text_of(graph: GraphClass) -> str:
    """The class, and the statement that makes a model of it."""
    return render(
        "functional_class.py.jinja",
        graph=graph,
        signature=", ".join(["self", *graph.arguments]),
        layers=_indented(graph.layers),
        lines=_indented([*graph.lines, *f"return {graph.result}".split("\n")]),
    )


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"        {line}" if line else "" for line in lines]
