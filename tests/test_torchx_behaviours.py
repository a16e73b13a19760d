"""What TorchX's layers do, model by model: the shape that is inferred is the real one, gradients reach every input, and
the converted model has the same weights and results.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch
import torchx_alias
import torchx_models
import under_torch


@pytest.fixture(autouse=True)
def torchx(monkeypatch: pytest.MonkeyPatch) -> None:
    torchx_alias.install(monkeypatch)


def graph(*lines: str, inputs: str = "x", outputs: str = "y", **shapes: tuple[int, ...]) -> str:
    """A source of one model `model` between placeholders of shapes."""
    start = ["import torch", "import torch.nn.functional as F", "import torchx.layers as L", ""]
    start += [f"{name} = L.Placeholder((None, {', '.join(map(str, shape))}))" for name, shape in shapes.items()]
    return "\n".join([*start, *lines, f"model = L.Functional(inputs={inputs}, outputs={outputs})", ""])


def convolutions() -> Iterator[str]:
    """Calls of convolutions on x with odd kernels, strides, dilations and paddings."""
    for kernel, stride, dilation, padding in product((1, 3, 5), (1, 2), (1, 2), (0, 2)):
        yield f"L.Conv2d(4, {kernel}, stride={stride}, dilation={dilation}, padding={padding})(x).mean((1, 2, 3))"
    yield "L.Conv2d(6, (3, 1), padding='same', groups=3, bias=False)(x).mean((1, 2, 3))"
    for kernel, stride, dilation in product((1, 3), (1, 3), (1, 2)):
        yield f"L.ConvTranspose2d(5, {kernel}, stride={stride}, dilation={dilation})(x).mean((1, 2, 3))"


def recurrent(kind: str) -> Iterator[str]:
    """Statements with every combination of what is returned, layers and directions; `parts` gets their results."""
    for sequences, states, layers, both in product((False, True), (False, True), (1, 2), (False, True)):
        flags = f"num_layers={layers}, bidirectional={both}, return_sequences={sequences}, return_state={states}"
        if states:
            yield f"out, *states = L.{kind}(3, {flags})(x)"
            yield "parts.append(out.flatten(1))"
            yield "parts.extend(state.flatten(1) for state in states)"
        else:
            yield f"parts.append(L.{kind}(3, {flags})(x).flatten(1))"


def merges() -> Iterator[str]:
    """Merges of x, y and z, (N, 3, 4, 5) each."""
    for axis in (0, 1, 2, 3, -1, -2):
        yield f"L.concat(x, y, z, axis={axis}).mean()"
        yield f"L.Concat({axis})([x, y, z]).sum((1, 2, 3))[:1]"
    for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum", "average"):
        yield f"L.{name}(x, y + 3, z + 5)"
        yield f"L.{name.capitalize()}()([x, y[:, :1] + 3, z[..., :1] + 5])"


SOURCES = {
    "dense": graph("y = L.Dense(7)(L.Linear(9, bias=False)(x))", x=(5,)),
    "dense_over_time": graph("y = L.Dense(7)(x)", x=(4, 5)),
    "convolutions": graph(f"y = [{', '.join(convolutions())}]", x=(3, 19, 17)),
    "lines_and_volumes": graph(
        "a = L.ConvTranspose1d(4, 3, stride=2, output_padding=1)(L.Conv1d(6, 3, padding=1)(x))",
        "b = L.ConvTranspose3d(2, 2)(L.Conv3d(4, 3, bias=False)(z))",
        inputs="[x, z]", outputs="{'a': a, 'b': b}", x=(3, 11), z=(2, 5, 6, 7),
    ),
    "norms": graph(
        "y = L.LayerNorm(2)(L.GroupNorm(2)(L.InstanceNorm2d(affine=True)(L.BatchNorm2d()(L.Conv2d(6, 3)(x)))))",
        "y = L.PReLU(shared=False)(L.PReLU()(y))", x=(3, 8, 9),
    ),
    "pools": graph(
        "y = L.MaxPool2d(3, 2, ceil_mode=True)(L.AvgPool2d(2)(x))", "y = L.GLU(dim=1)(L.Conv2d(6, 1)(y))", x=(3, 21, 17)
    ),
    **{
        kind: graph("parts = []", *recurrent(kind), outputs="parts", x=(4, 5)) for kind in ("SimpleRNN", "GRU", "LSTM")
    },
    "time_distributed": graph(
        "steps = L.TimeDistributed([L.Conv2d(4, 3), L.ReLU(), L.Flatten()])", "steps.add(L.Dense(6), L.Tanh())",
        "h = L.GRU(5, return_sequences=True)(steps(x))", "y = L.TimeDistributed(L.Dense(2))(h)", x=(4, 2, 6, 5),
    ),
    "recurrent_in_time_distributed": graph(
        "y = L.LSTM(4)(L.TimeDistributed(L.GRU(3, return_sequences=True), L.Flatten())(x))", x=(4, 5, 6)
    ),
    "states_apart": graph(
        "r = L.LSTM(4, return_state=True, num_layers=2)(x)",
        "y = L.concat(L.GetRNNOutput()(r), L.GetRNNState()(r).flatten(), L.GetRNNState('h')(r)[:, 0])", x=(5, 3),
    ),
    "merges": graph(
        f"y = [{', '.join(merges())}]", inputs="[x, y, z]", outputs="y", x=(3, 4, 5), y=(3, 4, 5), z=(3, 4, 5)
    ).replace("y = [", "all = [").replace("outputs=y", "outputs=all"),
    "arithmetic": graph(
        "h = L.Dense(6)(x)", "a = 2 * h - x / 4 + (1 - h) ** 2 - -x", "y = a * (3 / (h * h + 1) + abs(x))", x=(6,)
    ),
    "slices": graph(
        "a, b = x[:, 0], x[:, 1:4:2]", "c = L.slice(x, (slice(None), -1, slice(2, None)))", "d = x[..., None, ::3]",
        "e = L.Slice((Ellipsis, 1))(x) + x[:, [0, 2, 4, 1, 3]][..., 0]", outputs="[a, b, c, d, e, L.Dense(2)(a)]",
        x=(5, 7),
    ),
    "shapes": graph(
        "a = L.flatten(x)", "b = x.flatten(2)", "c = x.view(-1, 3, 20)", "d = L.View(-1, 12, 5)(x)",
        "e = x.view(x.size(0), x.shape[1] * 4, -1)", "f = L.view(L.Dense(2)(a), -1)", outputs="(a, b, c, d, e, f)",
        x=(3, 4, 5),
    ),
    "lambdas": graph("y = L.Lambda(lambda a, b: torch.tanh(a) * b)(L.Dense(4)(x), L.Lambda(F.relu)(x[:, :4]))", x=(6,)),
}  # fmt: skip


@pytest.mark.parametrize("name", SOURCES)
def test_a_model_does_what_torchx_does(name: str) -> None:
    torchx_models.compare(SOURCES[name], name)
    model = under_torch.module(SOURCES[name], Path(f"{name}.py"), f"shapes_{name}").model
    positional, named = model.samples()
    args, kwargs = map(torchx_models.random_like, (positional, named))
    with torch.no_grad():
        given = [shapes_of(args[0])] if len(args) == 1 else shapes_of(args)
        assert model.get_output_shape(*given) == shapes_of(model(*args, **kwargs))


ENDS = {
    "list": ("[x, y]", "[a, b]"),
    "tuple": ("(x, y)", "(a, b)"),
    "dict": ("{'left': x, 'right': y}", "{'first': a, 'second': b}"),
    "nested": ("[x, {'y': [y]}]", "[{'a': a}, (b,)]"),
}


@pytest.mark.parametrize(("inputs", "outputs"), list(product(ENDS, ENDS)))
def test_shared_layers_with_every_kind_of_ends(inputs: str, outputs: str) -> None:
    lines = ["tower = L.Sequential(L.Dense(4), L.Tanh())", "a, b = tower(x) - tower(y), tower(y) * x[:, :4]"]
    text = graph(*lines, inputs=ENDS[inputs][0], outputs=ENDS[outputs][1], x=(6,), y=(6,))
    code = torchx_models.compare(text, f"ends_{inputs}_{outputs}")
    assert code.count("nn.Linear(6, 4)") == 1
    model = under_torch.module(text, Path("ends.py"), f"shapes_{inputs}_{outputs}").model
    given = {"dict": ({"left": (None, 6), "right": (None, 6)},), "nested": ((None, 6), {"y": [(None, 6)]})}
    shapes = model.get_output_shape(*given.get(inputs, ((None, 6), (None, 6))))
    assert list(flat(shapes)) == [(None, 4), (None, 4)]


def shapes_of(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return tuple(value.shape)
    if isinstance(value, dict):
        return {key: shapes_of(item) for key, item in value.items()}
    return [shapes_of(item) for item in value]


def flat(shapes: Any) -> Iterator[tuple[int | None, ...]]:
    if isinstance(shapes, tuple):
        yield shapes
    for item in shapes.values() if isinstance(shapes, dict) else shapes if isinstance(shapes, list) else ():
        yield from flat(item)
