"""Graphs that loops, functions and constructors build: the output beside the source under torch, with other arguments
too.
"""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torchx_alias
import torchx_models
import under_torch
from fixture_files import Fixture, fixtures

from lazygen.config import parse_input
from lazygen.frontend import roots
from lazygen.frontend.parse import parse
from lazygen.settings import Settings, Target
from lazygen.staged import with_new_names
from lazygen.trace.collect import trace
from lazygen.written import Written

FIXTURES = [fixture for fixture in fixtures("convert") if fixture.name.startswith("torchx_staged_")]
CASES = [
    pytest.param(fixture, entry, id=f"{fixture.name}-{entry}")
    for fixture in FIXTURES
    for entry in (
        *(fixture.all("--entry") or [root.name for root in roots.find(parse(fixture.text, fixture.path.name))]),
        *fixture.also,
    )
]


@pytest.fixture(autouse=True)
def torchx(monkeypatch: pytest.MonkeyPatch) -> None:
    torchx_alias.install(monkeypatch)


def names_of(fixture: Fixture, entry: str) -> dict[str, str]:
    """The names that the output gives to the parameters of one model of the source."""
    tree, path = parse(fixture.text, fixture.path.name), fixture.path.name
    inputs = () if entry in fixture.also else fixture.all("--input-shape")
    target = Target(entry, tuple(parse_input(Written(text, path="", line=1, column=0)) for text in inputs))
    request, traced = trace(fixture.text, tree, Settings((target,)), path, fixture.path.parent)
    (model,), (after,) = traced.models, with_new_names(fixture.text, tree, request, traced).models
    return {old.name: new.name for old, new in zip(model.state, after.state, strict=True)}


@pytest.mark.parametrize(("fixture", "entry"), CASES)
def test_the_output_computes_what_the_source_computes(fixture: Fixture, entry: str) -> None:
    code = fixture.convert().code
    assert code is not None
    source = under_torch.module(fixture.text, fixture.path, f"source_{fixture.name}")
    output = under_torch.module(code, fixture.path, f"output_{fixture.name}")
    left, right = under_torch.model(source, entry), under_torch.model(output, entry)
    args, kwargs = inputs_for(fixture, left)
    with torch.no_grad():
        expected = left(*args, **kwargs)  # which gives the layers of a module their sizes
    names = names_of(fixture, entry)
    right.load_state_dict({names[name]: value for name, value in left.state_dict().items()}, strict=True)
    with torch.no_grad():
        assert under_torch.same(expected, right(*args, **kwargs))


def inputs_for(fixture: Fixture, model: Any) -> tuple[list[Any], dict[str, Any]]:
    if hasattr(model, "samples"):
        args, kwargs = model.samples()
        return torchx_models.random_like(args), torchx_models.random_like(kwargs)
    return under_torch.arguments(fixture.all("--input-shape"), [])
