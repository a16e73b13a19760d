"""`lazygen.layers` under real torch: containers, merges, placeholders and graphs."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from torch import nn

from lazygen import layers as L


def gradients_reach(model: Any, *args: Any, **kwargs: Any) -> None:
    """Assert that the gradient of the sum of all results reaches every tensor given and every parameter."""
    given = [t for t in leaves((args, kwargs)) if t.requires_grad]
    total = sum(result.square().sum() for result in leaves(model(*args, **kwargs)))
    total.backward()
    assert given and all(tensor.grad is not None and tensor.grad.abs().sum() > 0 for tensor in given)
    assert all(parameter.grad is not None for parameter in model.parameters())


def leaves(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    items = value.values() if isinstance(value, dict) else value
    return [tensor for item in items for tensor in leaves(item)]


def random(*shape: int) -> torch.Tensor:
    return torch.randn(shape, requires_grad=True)


# Containers


def test_the_two_ways_to_give_layers_are_one() -> None:
    layers = [L.Linear(4), nn.ReLU(), L.Linear(2)]
    assert list(L.Sequential(*layers)) == list(L.Sequential(layers)) == layers


def test_a_container_grows_before_and_after_it_is_built() -> None:
    model = L.Sequential().add(L.Linear(4))
    model(torch.zeros(2, 3))
    model.add([nn.ReLU(), L.Linear(5)]).add(L.Linear(6), L.Linear(7))
    assert model(torch.zeros(2, 3)).shape == (2, 7)
    assert [tuple(p.shape) for p in model.parameters() if p.ndim == 2] == [(4, 3), (5, 4), (6, 5), (7, 6)]
    gradients_reach(model, random(2, 3))


def test_building_a_container_builds_all_in_it_and_leaves_statistics_alone() -> None:
    model = L.Sequential(L.Conv2d(4, 3), L.Sequential(L.BatchNorm2d(), L.Flatten()), L.Linear(3)).build((None, 2, 5, 5))
    assert isinstance(model[2], nn.Linear) and model[2].in_features == 36
    assert model.training and model[1][0].training
    assert int(model[1][0].num_batches_tracked) == 0
    native = model.native_module()
    assert type(native[0]) is nn.Conv2d and type(native[1][0]) is nn.BatchNorm2d and native[1][1] is None


# Merges

MERGES = [
    (L.concat, L.Concat, lambda a, b, c: torch.cat([a, b, c], -1)),
    (L.add, L.Add, lambda a, b, c: a + b + c),
    (L.subtract, L.Subtract, lambda a, b, c: a - b - c),
    (L.multiply, L.Multiply, lambda a, b, c: a * b * c),
    (L.divide, L.Divide, lambda a, b, c: a / b / c),
    (L.maximum, L.Maximum, lambda a, b, c: torch.stack([a, b, c]).amax(0)),
    (L.minimum, L.Minimum, lambda a, b, c: torch.stack([a, b, c]).amin(0)),
    (L.average, L.Average, lambda a, b, c: torch.stack([a, b, c]).mean(0)),
]


@pytest.mark.parametrize(("function", "layer", "expected"), MERGES, ids=[f.__name__ for f, _, _ in MERGES])
def test_merges_of_three(function: Any, layer: Any, expected: Any) -> None:
    given = [torch.randn(2, 3, 4) for _ in range(3)]
    wanted = expected(*given)
    results = [function(*given), function(given), layer()(*given), layer()(given)]
    points = [L.Placeholder((2, 3, 4)) for _ in given]
    results += [L.Functional(points, make)(*given) for make in (function(*points), layer()(points))]
    assert all(torch.allclose(result, wanted) for result in results)
    model = L.Functional(points, layer()(*(L.Linear(4)(point) for point in points)))
    gradients_reach(model, *(random(2, 3, 4) for _ in given))


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
def test_concat_along_every_axis(axis: int) -> None:
    given = [torch.randn(2, 3, 4) for _ in range(3)]
    assert torch.equal(L.concat(*given, axis=axis), torch.cat(given, axis))
    assert torch.equal(L.Concat(axis)(given), torch.cat(given, axis))


# Placeholders

EXPRESSIONS = [
    lambda x: x + 2,
    lambda x: 2 - x,
    lambda x: 3 * x / 2,
    lambda x: 1 / (x * x + 1),
    lambda x: -(x**2),
    lambda x: abs(x) @ x.transpose(1, 2),
    lambda x: x[:, 0],
    lambda x: x[:, 1:, ::2],
    lambda x: x.relu().mean(dim=1),
    lambda x: torch.cat([x, x], dim=2),
    lambda x: torch.nn.functional.gelu(x),
    lambda x: x.view(x.size(0), -1),
    lambda x: x.reshape(x.shape[0] * x.shape[1], 4),
    lambda x: x.chunk(2, dim=2)[1],
    lambda x: x.max(dim=1)[0],
    lambda x: x.T,
    lambda x: (x > 0) * x,
    lambda x: L.flatten(x) + torch.ones(12),
    lambda x: torch.ones(4) * x,
    lambda x: L.Slice((slice(None), 0))(x),
    lambda x: L.View(-1, 12)(x),
    lambda x: L.Lambda(lambda t: t.sum(1))(x),
]


@pytest.mark.filterwarnings("ignore:The use of `x.T` on tensors of dimension other than 2")
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_over_placeholders_follow_the_batch(expression: Any) -> None:
    point = L.Placeholder((None, 3, 4))
    result = expression(point)
    model = L.Functional(point, result)
    x = torch.randn(5, 3, 4)
    assert torch.equal(model(x), expression(x))
    assert tuple(result.shape)[1:] == tuple(expression(torch.zeros(2, 3, 4)).shape)[1:]


def test_flatten_keeps_the_first_dim_unlike_a_tensors() -> None:
    assert tuple(L.Placeholder((2, 3, 4)).flatten().shape) == (2, 12)


def test_a_placeholder_has_no_data_to_branch_on() -> None:
    with pytest.raises(L.LayerError, match="no data"):
        bool(L.Placeholder((2, 3)) > 1)
    with pytest.raises(AttributeError, match="no_such_method"):
        L.Placeholder((2, 3)).no_such_method()


# Graphs


def ends(kind: str, values: list[Any]) -> Any:
    return {"list": list(values), "tuple": tuple(values), "dict": {f"k{n}": v for n, v in enumerate(values)}}[kind]


@pytest.mark.parametrize("inputs", ["list", "tuple", "dict"])
@pytest.mark.parametrize("outputs", ["list", "tuple", "dict"])
def test_shared_layers_with_every_kind_of_ends(inputs: str, outputs: str) -> None:
    points = [L.Placeholder((None, 6)), L.Placeholder((None, 6))]
    tower = L.Linear(4)
    a, b = (torch.relu(tower(point)) for point in points)
    model = L.Functional(ends(inputs, points), ends(outputs, [a + b, L.Linear(3)(a * b)]))
    assert [tuple(p.shape) for p in model.parameters()] == [(4, 6), (4,), (3, 4), (3,)]
    given = [random(5, 6), random(5, 6)]
    in_one = model(ends(inputs, given))
    apart = model(**ends("dict", given)) if inputs == "dict" else model(*given)
    assert type(in_one) is type(ends(outputs, []))
    assert [tuple(t.shape) for t in leaves(in_one)] == [(5, 4), (5, 3)]
    assert all(torch.equal(left, right) for left, right in zip(leaves(in_one), leaves(apart), strict=True))
    gradients_reach(model, ends(inputs, given))


def test_nested_ends_and_plain_modules_and_functions() -> None:
    left, right, scale = L.Placeholder((None, 4)), L.Placeholder((None, 4)), L.Placeholder((None, 1))
    hidden = nn.Linear(4, 5)(left) + nn.LazyLinear(5)(right)
    hidden = nn.Sequential(nn.BatchNorm1d(5), L.Linear(6), nn.Tanh())(hidden)
    model = L.Functional({"pair": [left, right], "scale": scale}, [hidden * scale, {"raw": hidden}])
    given = {"pair": [random(3, 4), random(3, 4)], "scale": random(3, 1)}
    result = model(given)
    assert result[0].shape == result[1]["raw"].shape == (3, 6)
    assert int(model.state_dict()["sequential_1.0.num_batches_tracked"]) == 1
    gradients_reach(model, **given)


def test_models_cut_from_one_graph_share_their_layers() -> None:
    image = L.Placeholder((None, 8))
    code = L.Linear(3)(image)
    encoder, model = L.Functional(image, code), L.Functional(image, L.Linear(8)(code))
    decoder = L.Functional(code, model._outputs)
    x = torch.randn(4, 8)
    assert torch.equal(decoder(encoder(x)), model(x))
    assert {id(p) for p in model.parameters()} == {id(p) for m in (encoder, decoder) for p in m.parameters()}


def test_a_model_of_a_graph_is_a_layer_in_another() -> None:
    inner_point = L.Placeholder((None, 8))
    inner = L.Functional(inner_point, L.Linear(3)(inner_point).relu())
    point = L.Placeholder((None, 8))
    model = L.Functional(point, L.Linear(2)(inner(point) + inner(point * 2)))
    assert [name for name, _ in model.named_children()] == ["functional_1", "linear_1"]
    gradients_reach(model, random(4, 8))


def test_a_copy_of_a_model_has_weights_of_its_own() -> None:
    point = L.Placeholder((None, 8))
    model = L.Functional(point, L.Linear(3)(point))
    twin = copy.deepcopy(model)
    x = torch.randn(4, 8)
    before = model(x)
    assert torch.equal(before, twin(x))
    with torch.no_grad():
        next(twin.parameters()).zero_()
    assert torch.equal(before, model(x)) and not torch.equal(before, twin(x))


def test_modules_without_placeholders_work_as_ever_once_there_is_one() -> None:
    L.Placeholder((2, 3))
    assert nn.Linear(3, 4)(torch.zeros(2, 3)).shape == (2, 4)
    with pytest.raises(TypeError):
        nn.Linear(3, 4)()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda a, b: L.Functional(a, a + b), "needs the placeholder Placeholder(None, 5) made at"),
        (lambda a, b: L.Functional([a, b], a * 2), "no output depends on the input Placeholder(None, 5)"),
        (lambda a, b: L.Functional([a, b], a + b)(torch.zeros(2, 5)), "takes 2 inputs here, and 1 are given"),
        (lambda a, b: L.Functional(a, a * 2)(torch.zeros(2, 5), torch.zeros(2, 5)), "takes one input, and gets 2"),
        (lambda a, b: L.Functional({"p": a}, a * 2)(q=torch.zeros(2, 5)), "the inputs are p, and q is given"),
        (lambda a, b: L.Functional(a, a * 2)(q=torch.zeros(2, 5)), "no input by the name of 'q'"),
    ],
)
def test_ends_that_do_not_meet_are_said(make: Any, words: str) -> None:
    with pytest.raises(L.LayerError) as caught:
        make(L.Placeholder((None, 5)), L.Placeholder((None, 5)))
    assert words in str(caught.value)


def test_a_graph_is_readable() -> None:
    x, y = L.Placeholder((None, 8)), L.Placeholder((None, 5))
    h = L.concat(L.Dense(4)(x), y) * 2
    z = h[:, 1:].relu().view(h.size(0) * 2, -1)
    text = repr(L.Functional({"image": x, "rest": [y]}, {"z": z, "last": [h[..., -1] == 1]}))
    assert text == (
        "Functional(\n"
        "  image: (None, 8)\n"
        "  rest_1: (None, 5)\n"
        "  h1 = linear_1(image)\n"
        "  h2 = cat([h1, rest_1], dim=-1)\n"
        "  h3 = h2 * 2\n"
        "  h4 = h3[:, 1:]\n"
        "  h5 = h4.relu()\n"
        "  h6 = h5.view((h3.size(0) * 2), -1)\n"
        "  h7 = h3[..., -1]\n"
        "  h8 = h7 == 1\n"
        "  gives {'z': h6, 'last': [h8]}\n"
        "  (linear_1): Linear(in_features=8, out_features=4, bias=True)\n"
        ")"
    )


def test_layers_without_parameters_are_readable() -> None:
    layers = [L.Lambda(torch.relu), L.Concat(axis=1), L.View(-1, 3), L.Slice((slice(None), 1)), L.Slice(slice(0, 9, 2))]
    assert [repr(layer) for layer in layers] == [
        "Lambda(relu)",
        "Concat(axis=1)",
        "View(-1, 3)",
        "Slice(:, 1)",
        "Slice(0:9:2)",
    ]
    assert repr(L.TimeDistributed(L.Dense(3))) == "TimeDistributed(\n  (0): Linear(3)\n)"


def test_placeholders_compare_element_by_element_and_stay_keys() -> None:
    x = L.Placeholder((None, 4))
    model = L.Functional(x, [x == 1, x != x.abs(), x.max(1).values])
    given = torch.tensor([[1.0, -2.0, 3.0, 1.0]])
    same, other, greatest = model(given)
    assert torch.equal(same, given == 1) and torch.equal(other, given != given.abs()) and greatest.item() == 3
    assert {x: 1}[x] == 1
