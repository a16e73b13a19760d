"""Graphs that loops, functions and constructors build: the output beside the source under torch, with other arguments
too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
import torchx_alias
import torchx_models
import under_torch
from fixture_files import Fixture, fixtures

from lazygen import convert_source
from lazygen.config import parse_input
from lazygen.frontend import roots
from lazygen.frontend.parse import parse
from lazygen.rewrites.graph_classes import with_new_names
from lazygen.settings import Settings, Target
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


BARE = """\
from torchx.layers import Functional, Linear, Placeholder, ReLU


def head(n=3):
    x = Placeholder((None, 6))
    y = x
    for _ in range(n):
        y = ReLU()(Linear(4)(y))
    return Functional(x, y)


model = head()
"""


def test_a_chain_of_bare_names_becomes_one_of_torch() -> None:
    conversion = convert_source(BARE)
    assert conversion.code is not None, conversion.diagnostics
    assert "torchx" not in conversion.code
    assert "layers.append(nn.Linear(6 if i == 0 else 4, 4))" in conversion.code
    assert "return nn.Sequential(*layers)" in conversion.code


PAIR = """\
from torch import nn
import torchx.layers as L


def pair(width):
    a, b = L.Placeholder((None, 4)), L.Placeholder((None, 5))
    ha, hb = L.Linear(width)(a), L.Linear(width)(b)
    return L.Functional([a, b], {"sum": ha + hb, "gap": ha - hb})


class Net(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.pair = pair(width)

    def forward(self, a, b):
        return self.pair([a, b])["sum"]
"""


def test_a_model_takes_its_inputs_as_arguments_wherever_it_is_called() -> None:
    conversion = convert_source(PAIR, entry="Net", input_shape=["2,4", "2,5"])
    assert conversion.code is not None, conversion.diagnostics
    assert 'return self.pair(a, b)["sum"]' in conversion.code
    assert "def forward(self, a, b):\n        ha, hb = self.linear_1(a), self.linear_2(b)" in conversion.code


AGENT = """\
from torch import nn
import torchx.layers as L


class Agent(nn.Module):
    def __init__(self, obs, actions, hidden=64):
        super().__init__()
        state = L.Placeholder((None, obs))
        h = L.ReLU()(L.Linear(hidden)(state))
        self.actor = L.Functional(state, L.Linear(actions)(h))
        self.critic = L.Functional(state, L.Linear(1)(h))

    def forward(self, state):
        return self.actor(state), self.critic(state)
"""


def test_what_two_models_of_a_constructor_share_is_made_once(tmp_path: Path) -> None:
    conversion = convert_source(AGENT, entry="Agent(5, 3)", input_shape=["2,5"])
    assert conversion.code is not None, conversion.diagnostics
    assert "trunk = nn.Sequential(nn.Linear(obs, hidden), nn.ReLU())" in conversion.code
    assert "self.actor = nn.Sequential(trunk, nn.Linear(hidden, actions))" in conversion.code
    output = under_torch.module(conversion.code, tmp_path / "agent.py", "output_agent")
    agent = under_torch.model(output, "Agent(7, 2, hidden=9)")
    assert agent.actor[0] is agent.critic[0]
    assert len(list(agent.parameters())) == 6
    assert agent.actor[0][0].weight is agent.critic[0][0].weight


APART = """\
import torchx.layers as L


def build(width, deep):
    x = L.Placeholder((None, 8))
    scale = width // 2
    rest = L.Linear(scale)
    h = L.Linear(width)(x) * scale
    left = L.Functional(x, rest(h))
    v = h
    for _ in range(deep):
        v = rest(L.Linear(width)(v)) + scale
        v = L.Linear(width)(v)
    right = L.Functional(x, v)
    return left, right


left, right = build(6, 2)
"""


def test_sizes_and_layers_that_two_models_read_stay_and_go_to_both(tmp_path: Path) -> None:
    conversion = convert_source(APART)
    assert conversion.code is not None, conversion.diagnostics
    assert "    scale = width // 2\n    rest = nn.Linear(width, scale)\n" in conversion.code
    output = under_torch.module(conversion.code, tmp_path / "apart.py", "output_apart")
    left, right = output.build(4, 3)
    shared = {id(part) for part in left.parameters()} & {id(part) for part in right.parameters()}
    assert len(shared) == 4
    assert right(torch.ones(2, 8)).shape == (2, 4)


def test_models_of_a_module_share_a_part_that_a_loop_builds(tmp_path: Path) -> None:
    text = (
        "import torchx.layers as L\nx = h = L.Placeholder((None, 8))\nfor _ in range(2):\n    h = L.Linear(6)(h)\n"
        "actor = L.Functional(x, L.Linear(4)(h))\ncritic = L.Functional(x, L.Linear(1)(h))\n"
    )
    conversion = convert_source(text)
    assert conversion.code is not None, conversion.diagnostics
    output = under_torch.module(conversion.code, tmp_path / "heads.py", "output_heads")
    actor, critic = ({id(part) for part in model.parameters()} for model in (output.actor, output.critic))
    assert (len(actor), len(critic), len(actor & critic)) == (6, 6, 4)


def test_models_that_a_function_gives_together_are_tried_with_other_arguments(tmp_path: Path) -> None:
    text = (
        "import torchx.layers as L\n\n\ndef build(width, deep):\n    x = h = L.Placeholder((None, 8))\n"
        "    h = L.Linear(width)(h)\n    narrow = L.Functional(x, h)\n    for _ in range(deep):\n"
        "        h = L.Linear(width * 2)(h)\n    wide = L.Functional(x, h)\n    return narrow, wide\n\n\n"
        "encoder, decoder = build(6, 2)\n"
    )
    conversion = convert_source(text)
    assert conversion.code is not None, conversion.diagnostics
    output = under_torch.module(conversion.code, tmp_path / "wide.py", "output_wide")
    assert output.build(5, 4)[1](torch.ones(2, 8)).shape == (2, 10)


def test_a_message_about_a_layer_of_a_staged_graph_points_into_the_source() -> None:
    text = BARE.replace("(None, 6)", "(None, 3, None, 8)").replace("Linear(4)(y)", "Linear(4)(y.flatten())")
    conversion = convert_source(text, path="m.py")
    assert conversion.code is None
    place = conversion.diagnostics[0].place
    assert place is not None and place.line == 8
    assert "Linear(4)" in text.split("\n")[place.line - 1]
