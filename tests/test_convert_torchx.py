"""Sources of the TorchX style: their outputs run under torch beside the sources, which run on `lazygen.layers`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import torchx_alias
import torchx_models
import under_torch
from fixture_files import Fixture, fixtures

from lazygen import convert_source
from lazygen.frontend import roots
from lazygen.frontend.parse import parse
from lazygen.frontend.references import references
from lazygen.lift.rewriting import rewritten
from lazygen.lift.syntax import Syntax
from lazygen.settings import Settings, Target
from lazygen.trace.collect import trace

FIXTURES = [fixture for fixture in fixtures("convert") if fixture.name.startswith("torchx_")]
# test_graphs_staged.py runs the others, with other arguments too.
COMPARED = [fixture for fixture in FIXTURES if not fixture.name.startswith("torchx_staged_")]
# Models that state their sizes by `build`, which says nothing about a call.
SHAPES = {("torchx_build", "model"): (2, 10), ("torchx_build", "decoder"): (2, 24, 5, 5)}


@pytest.fixture(autouse=True)
def torchx(monkeypatch: pytest.MonkeyPatch) -> None:
    torchx_alias.install(monkeypatch)


def arguments(fixture: Fixture, entry: str, model: Any) -> tuple[list[Any], dict[str, Any]]:
    if hasattr(model, "samples"):
        positional, named = model.samples()
        return torchx_models.random_like(positional), torchx_models.random_like(named)
    shape = SHAPES.get((fixture.name, entry))
    return ([torch.randn(shape)], {}) if shape else under_torch.arguments(fixture.all("--input-shape"), [])


@pytest.mark.parametrize("fixture", COMPARED, ids=lambda fixture: fixture.name)
def test_the_output_computes_what_the_source_computes(fixture: Fixture) -> None:
    code = fixture.convert().code
    assert code is not None
    source = under_torch.module(fixture.text, fixture.path, f"source_{fixture.name}")
    output = under_torch.module(code, fixture.path, f"output_{fixture.name}")
    names = torchx_models.new_names(fixture.text, fixture.path.name, fixture.all("--input-shape"), fixture.path.parent)
    found = [root.name for root in roots.find(parse(fixture.text, fixture.path.name))]
    assert found and set(names) == set(found)
    for entry in found:
        left, right = under_torch.model(source, entry), under_torch.model(output, entry)
        args, kwargs = arguments(fixture, entry, left)
        with torch.no_grad():
            expected = left(*args, **kwargs)
        right.load_state_dict({names[entry][name]: value for name, value in left.state_dict().items()}, strict=True)
        with torch.no_grad():
            assert under_torch.same(expected, right(*args, **kwargs))


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_the_output_imports_torch_alone(fixture: Fixture) -> None:
    code = fixture.convert().code
    assert code is not None
    imports = [node for node in ast.walk(ast.parse(code)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    modules = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in imports}
    assert modules <= {"torch", "torch.nn", "copy"}


SPELLINGS = [
    ("import torchx.layers as L", "L."),
    ("import torchx as tx", "tx.layers."),
    ("import torchx.layers", "torchx.layers."),
    ("from torchx import layers", "layers."),
    ("from torchx.layers import *", ""),
    ("from torchx.layers import Sequential, Conv1d, ReLU, Flatten, Dense", ""),
    ("import lazygen.layers as L", "L."),
    ("from lazygen import layers as L", "L."),
    ("import lazygen", "lazygen.layers."),
]


@pytest.mark.parametrize(("statement", "prefix"), SPELLINGS)
def test_every_spelling_of_the_layers_converts(statement: str, prefix: str) -> None:
    layers = ["Conv1d(4, 3)", "ReLU()", "Flatten()", "Dense(5)"]
    text = f"{statement}\n\nmodel = {prefix}Sequential({', '.join(prefix + layer for layer in layers)})\n"
    conversion = convert_source(text, input_shape="2,3,10")
    assert conversion.code == (
        "from torch import nn\n\nmodel = nn.Sequential(nn.Conv1d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(32, 5))\n"
    ), conversion.diagnostics


def calls() -> Iterator[tuple[str, str]]:
    """A call in `forward` over a and b, both (4, 6), and what it is in torch's words."""
    yield "L.concat(a, b)", "torch.cat([a, b], dim=-1)"
    yield "L.concat([a, b], axis=0)", "torch.cat([a, b], dim=0)"
    yield "L.Concat(axis=1)([a, b])", "torch.cat([a, b], dim=1)"
    yield "L.Concat()(a, b)", "torch.cat([a, b], dim=-1)"
    yield "L.add(a, b, a)", "a + b + a"
    yield "L.subtract(a, b) * 2", "(a - b) * 2"
    yield "L.multiply(a + 1, b)", "(a + 1) * b"
    yield "L.divide(L.add(a, b), b)", "(a + b) / b"
    yield "L.maximum(a, b, a)", "torch.maximum(torch.maximum(a, b), a)"
    yield "L.Minimum()(a, b)", "torch.minimum(a, b)"
    yield "L.average(a, b).relu()", "((a + b) / 2).relu()"
    yield "L.flatten(a)", "a.flatten(1)"
    yield "L.flatten(a * b, 0)", "(a * b).flatten(0)"
    yield "L.view(a, 2, -1)", "a.view(2, -1)"
    yield "L.slice(a, 0)", "a[0]"
    yield "L.ReLU()(a)", "torch.relu(a)"
    yield "L.Flatten()(L.Tanh()(b))", "torch.tanh(b).flatten(1)"
    yield "L.View(-1, 3)(a)", "a.view(-1, 3)"


@pytest.mark.parametrize(("written", "expected"), list(calls()))
def test_functions_become_those_of_torch(written: str, expected: str) -> None:
    text = f"""\
import torch
from torch import nn
import torchx.layers as L


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = L.Dense(6)

    def forward(self, a, b):
        a = self.first(a)
        return {written}
"""
    conversion = convert_source(text, input_shape=["4,6", "4,6"])
    assert conversion.code is not None, conversion.diagnostics
    assert f"        return {expected}\n" in conversion.code
    output = under_torch.module(conversion.code, Path(__file__), "output_functions").Net()
    source = under_torch.module(text, Path(__file__), "source_functions").Net()
    a, b = torch.randn(4, 6), torch.randn(4, 6)
    wanted = source(a, b)
    output.load_state_dict(source.state_dict(), strict=True)
    assert torch.equal(wanted, output(a, b))


GROWN = [
    ("body.add(L.ReLU())", "body.append(nn.ReLU())"),
    ("body.add(L.ReLU(), L.Dense(3))", "body.extend([nn.ReLU(), nn.Linear(4, 3)])"),
    ("body.add([L.ReLU(), L.Dense(3)])", "body.extend([nn.ReLU(), nn.Linear(4, 3)])"),
    ("body.add(*[L.ReLU(), L.Dense(3)])", "body.extend([*[nn.ReLU(), nn.Linear(4, 3)]])"),
    ("body = L.Sequential([body, L.Dense(2)])", "body = nn.Sequential(body, nn.Linear(4, 2))"),
    (
        "more = [body, L.Dense(2)]\nbody = L.Sequential(more)",
        "more = [body, nn.Linear(4, 2)]\nbody = nn.Sequential(*more)",
    ),
]


@pytest.mark.parametrize(("written", "expected"), GROWN)
def test_containers_grow_in_the_words_of_torch(written: str, expected: str) -> None:
    text = f"import torchx.layers as L\n\nbody = L.Sequential(L.Dense(4))\n{written}\n"
    conversion = convert_source(text, input_shape="5,7", entry="body")
    assert conversion.code == f"from torch import nn\n\nbody = nn.Sequential(nn.Linear(7, 4))\n{expected}\n", (
        conversion.diagnostics
    )


GRAPH = """\
import torchx.layers as L

width = 8
x = L.Placeholder((None, 5))
y = L.Dense(width)(x)
model = L.Functional(x, y)
"""


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("model = L.Functional(x, y)", "\n\ndef make():\n    return L.Functional(x, y)\n\n\nmodel = make()", "LZ312"),
        (
            "y = L.Dense(width)(x)",
            "z = L.Placeholder((None, 3))\ny, z = L.Dense(width)(x), L.Dense(width)(z)",
            "LZ313",
        ),
        ("y = L.Dense(width)(x)", "y = x; y = L.Dense(width)(y)", "LZ317"),
        ("model = L.Functional(x, y)", "model = L.Functional(x, y)\nprint(y)", "LZ318"),
        ("model = L.Functional(x, y)", "model = L.Functional(x, y)\nshape = y.shape\nprint(shape)", "LZ318"),
        ("model = L.Functional(x, y)", "model = L.Functional(x, y)\n\n\ndef show():\n    return y.shape", "LZ318"),
        ("model =", "width = 3\nmodel =", "LZ319"),
        ("L.Dense(width)", "L.Dense(x.shape[1])", "LZ320"),
        ("model = L.Functional(x, y)", 'model = L.Functional({"no name": x}, y)', "LZ321"),
        ("model = L.Functional(x, y)", "model = L.Functional([x, x], y)", "LZ321"),
    ],
)
def test_what_stands_in_the_way_of_a_graph_is_said_where_it_stands(old: str, new: str, code: str) -> None:
    assert GRAPH.count(old) == 1
    conversion = convert_source(GRAPH.replace(old, new), path="m.py")
    assert conversion.code is None
    assert [(finding.code, finding.place is not None) for finding in conversion.diagnostics] == [(code, True)]


@pytest.mark.parametrize(
    "more",
    [
        "model = L.Functional(x, y)\nx = 3\nprint(x)",
        "model = L.Functional(x, y)\n\n\ndef show(y):\n    return y.shape",
        "model = L.Functional(x, y)\nif __name__ == '__main__':\n    y = model(3)\n    print(y)",
        "width_2 = 3\nmodel = L.Functional(x, y)",
    ],
)
def test_names_that_are_used_again_for_something_else_stand_in_nobodys_way(more: str) -> None:
    conversion = convert_source(GRAPH.replace("model = L.Functional(x, y)", more))
    assert conversion.code is not None, conversion.diagnostics
    assert "class Model(nn.Module):" in conversion.code


def test_parts_of_a_graph_that_no_model_needs_go() -> None:
    code = convert_source(GRAPH.replace("model =", "spare = L.Placeholder((None, 3))\nlost = spare * 2\nmodel =")).code
    assert code is not None
    assert "spare" not in code and "lost" not in code


def test_a_class_is_named_after_its_variable_and_never_like_something_else() -> None:
    text = GRAPH.replace("model =", "my_net =") + "\n\nclass MyNet:\n    pass\n"
    code = convert_source(text).code
    assert code is not None
    assert "class MyNetModel(nn.Module):" in code and "my_net = MyNetModel()" in code


def test_layers_take_no_name_that_modules_have() -> None:
    text = (
        "import torchx.layers as L\n\nx = L.Placeholder((None, 5))\n"
        "half = L.Dense(2)(x)\nforward = L.Dense(4)(half)\nmodel = L.Functional(x, forward)\n"
    )
    code = convert_source(text).code
    assert code is not None
    assert "self.linear_1 = nn.Linear(5, 2)" in code and "self.linear_2 = nn.Linear(2, 4)" in code


def test_the_settings_of_a_source_keep_their_other_targets() -> None:
    settings = Settings((Target("a"), Target("b")))
    tree = parse(GRAPH, "m.py")
    _, traced = trace(GRAPH, tree, replace_entry(settings), "m.py", None)
    rewriting = rewritten(Syntax(tree, GRAPH, "m.py"), GRAPH, references(tree), traced)
    assert rewriting is not None
    targets = rewriting.settings(settings).targets
    assert [target.entry for target in targets] == ["a", "b", "model"]
    assert [tuple(size.value for size in given.sizes) for given in targets[2].inputs] == [(2, 5)]


def replace_entry(settings: Settings) -> Settings:
    return Settings((Target("model"),), settings.partial, settings.timeout)
