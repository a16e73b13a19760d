"""Writes the moves into a source whose layers say their devices, as it is done behind device scopes and flags."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

import placed
import torch
import under_torch

from lazygen.config import Written, parse_input
from lazygen.rewrites.draft import Emitter
from lazygen.rewrites.moves import with_moves
from lazygen.settings import Settings, Target
from lazygen.trace.collect import trace, trace_instead
from lazygen.trace.request import Request
from lazygen.trace.variations import vary
from lazygen.values import replace


def moved(source: str, *shapes: str, entry: str = "Net") -> str:
    """The source with its moves.  Raises Refused."""
    return _moved(source, shapes, entry)[0]


def _moved(source: str, shapes: tuple[str, ...], entry: str) -> tuple[str, Request]:
    text = textwrap.dedent(source).lstrip()
    inputs = tuple(parse_input(Written(shape, path="test", line=1, column=0)) for shape in shapes)
    settings = Settings((Target(entry, inputs),))
    request, traced = trace(text, ast.parse(text), settings, "source.py", None, placement="recorded")
    assert not traced.failed, traced.diagnostics
    varied = vary(request, traced)
    return with_moves(text, request, varied, Emitter("source.py", 120)), request


def checked(source: str, *shapes: str, entry: str = "Net", literals: tuple[str, ...] = ()) -> str:
    """The same, run under torch with others in the place of its devices, and compared with what the trace says."""
    code, request = _moved(source, shapes, entry)
    strict = replace(request, placement="checked")
    _, traced = trace_instead(strict, code, ast.parse(code), request.settings)
    assert not traced.failed, traced.diagnostics
    for devices in placed.SPLITS:
        args, kwargs = under_torch.arguments(list(shapes), list(literals))
        with placed.stand_ins(devices):
            model = placed.made(code)[entry.partition("(")[0]]
            if not isinstance(model, torch.nn.Module):
                model = eval(entry, placed.made(code)) if "(" in entry else model()
            result: Any = placed.strict(model)(*args, **kwargs)
        assert placed.described(result) == placed.as_told(traced.models[0].result, devices)
    return code


def forward_of(code: str, name: str = "Net") -> list[str]:
    """The lines of `forward`, without the indentation of its body."""
    tree = ast.parse(code)
    owner = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    method = next(node for node in owner.body if isinstance(node, ast.FunctionDef) and node.name == "forward")
    lines = code.splitlines()[method.body[0].lineno - 1 : method.end_lineno]
    return textwrap.dedent("\n".join(lines)).splitlines()
