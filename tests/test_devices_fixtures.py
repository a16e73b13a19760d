"""The outputs of the fixtures `devices_*` on several splits of devices: each layer gets its inputs where it is, and
each result is where the trace of the output has it.
"""

from __future__ import annotations

import ast

import placed
import pytest
import torch
import under_torch
from fixture_files import Fixture, fixtures

from lazygen.config import Written, parse_input
from lazygen.frontend import roots
from lazygen.settings import Argument, Settings, Target
from lazygen.trace.collect import trace

NAMES = ("devices_", "placing_in_torchs_words")
# Without GPUs torch's DataParallel calls its module with whatever it gets.
FIXTURES = [f for f in fixtures("convert") if f.name.startswith(NAMES) and "arallel" not in f.text]
each = pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)


def shapes(fixture: Fixture) -> list[str]:
    """The inputs of a fixture; those of its graphs are images."""
    return fixture.all("--input-shape") or ["2,3,16,16"]


def claims(text: str, fixture: Fixture) -> dict[str, object]:
    """What the trace says that an output gives, by entry, with every mismatch an error."""
    inputs = tuple(parse_input(Written(shape, path="fixture", line=1, column=0)) for shape in shapes(fixture))
    literals = tuple(Argument(*text.split("=")) for text in fixture.all("--arg"))
    settings = Settings((Target(None, inputs, literals),))
    tree, source = ast.parse(text), ast.parse(fixture.text)
    _, traced = trace(text, tree, settings, f"{fixture.name}.py", None, roots_in=source, placement="checked")
    assert not traced.failed, traced.diagnostics
    return {model.entry: model.result for model in traced.models}


@each
def test_every_tensor_is_where_it_is_needed(fixture: Fixture) -> None:
    text = fixture.path.with_suffix(".expected.py").read_text(encoding="utf-8")
    told = claims(text, fixture)
    assert set(told) == {root.name for root in roots.find(ast.parse(fixture.text))}
    for devices in placed.SPLITS:
        args, kwargs = under_torch.arguments(shapes(fixture), fixture.all("--arg"))
        with placed.stand_ins(devices):
            names = placed.made(text)
            for entry, result in told.items():
                model = names[entry] if isinstance(names[entry], torch.nn.Module) else names[entry]()
                given = args
                if type(model).__module__.startswith("torch."):  # a chain, which no `forward` of the source's feeds
                    first = next(model.parameters())
                    given = [arg.to(first.device, first.dtype) for arg in args]
                made = placed.strict(model)(*given, **kwargs)
                assert placed.described(made) == placed.as_told(result, devices), entry
