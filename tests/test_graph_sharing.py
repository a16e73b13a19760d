"""Several models cut from one graph: what they have in common is one in the output too."""

from __future__ import annotations

import pytest
import torchx_alias
import torchx_models

from lazygen import convert_source


@pytest.fixture(autouse=True)
def torchx(monkeypatch: pytest.MonkeyPatch) -> None:
    torchx_alias.install(monkeypatch)


START = "import torch\nimport torch.nn.functional as F\nimport torchx.layers as L\n\nx = L.Placeholder((None, 6))\n"
SOURCES = {
    "a_part_of_a_part": """
a = L.Dense(5)(x)
b = L.Dense(4)(a)
c = L.Dense(3)(b)
first = L.Functional(x, a)
second = L.Functional(x, b)
third = L.Functional(x, c)
""",
    "the_whole_before_its_parts": """
a = L.Dense(5)(x)
b = L.Dense(4)(a)
whole = L.Functional(x, b)
front = L.Functional(x, a)
back = L.Functional(a, b)
""",
    "one_model_twice": """
a = L.Dense(5)(x).relu()
one = L.Functional(x, a)
other = L.Functional(x, a)
third = L.Functional([x], {"a": a})
""",
    "a_value_that_the_first_does_not_give": """
skip = L.Dense(5)(x)
top = L.Dense(4)(skip.relu())
encoder = L.Functional(x, top)
model = L.Functional(x, L.Dense(5)(top) + skip)
""",
    "a_part_with_outputs_by_name": """
h = L.Dense(8)(x)
mean = L.Dense(3)(h)
spread = F.softplus(L.Dense(3)(h))
encoder = L.Functional({"given": x}, {"mean": mean, "parts": [spread, h]})
model = L.Functional(x, L.Dense(6)(mean + spread * 0.5))
""",
    "inputs_nested_in_a_part": """
y = L.Placeholder((None, 4))
z = L.Placeholder((None, 2))
h = L.Dense(8)(x) + L.Dense(8)(y) * L.Dense(1)(z)
part = L.Functional([x, [y, {"z": z}]], h)
model = L.Functional({"x": x, "rest": [z, y]}, L.Dense(2)(h))
""",
    "heads_that_a_third_has_too": """
h = torch.tanh(L.Dense(8)(x))
action = L.Dense(4)(h)
value = L.Dense(1)(h)
actor = L.Functional(x, action)
critic = L.Functional(x, value)
both = L.Functional(x, [action, value])
""",
    "layers_by_name": """
y = L.Placeholder((None, 6))
tower = L.Sequential(L.Dense(5), L.Tanh())
left = L.Functional(x, tower(x))
right = L.Functional(y, tower(y))
both = L.Functional([x, y], tower(x) - tower(y))
""",
    "a_cut_in_the_middle_of_what_is_shared": """
a = L.Dense(6)(x)
b = L.Dense(6)(a)
c = L.Dense(6)(b)
middle = L.Functional(a, b)
left = L.Functional(x, L.Dense(2)(c))
right = L.Functional(x, L.Dense(3)(c))
""",
    "parts_that_need_each_other": """
a = L.Dense(6)(x)
b = L.Dense(6)(a)
c = L.Dense(6)(b)
outer = L.Functional([x, b], [a, c])
inner = L.Functional(a, b)
whole = L.Functional(x, c)
""",
    "one_name_for_many_values": """
y = L.Dense(5)(x)
aux = L.Dense(2)(y)
y = L.Dense(5)(y.relu())
z = y
y = L.Dense(5)(y)
left = L.Functional(x, {"aux": aux, "y": y})
right = L.Functional(x, L.Dense(1)(z) + L.Dense(1)(y))
""",
    "a_name_of_the_module_that_is_a_value_later": """
size = 3
y = L.Dense(6)(x).view(-1, 2, size)
size = y.mean(1)
left = L.Functional(x, size)
right = L.Functional(x, L.Dense(2)(size))
""",
    "lists_that_are_filled": """
skips = []
y = L.Dense(5)(x)
skips.append(y)
y = L.Dense(4)(y.relu())
skips.append(y)
named = {}
named["last"] = y
bottom = L.Functional(x, named)
y = L.Dense(3)(skips.pop())
model = L.Functional(x, torch.cat([y, skips.pop()], 1))
""",
    "a_list_that_is_read_between": """
kept = []
a = L.Dense(6)(x)
y = torch.cat([*kept, a], 1)
kept.append(x)
b = L.Dense(6)(x)
left = L.Functional(x, [y, torch.cat(kept), b])
right = L.Functional(x, a + b)
""",
    "additions_in_place": """
y = L.Dense(6)(x)
y += x
y *= 2 - y
left = L.Functional(x, y)
y -= 1
right = L.Functional(x, L.Dense(2)(y))
""",
    "a_model_called_on_something_else": """
z = L.Placeholder((None, 6))
h = L.Dense(6)(x).relu()
model = L.Functional(x, h)
twice = L.Functional(z, model(model(z) + 1))
""",
    "inputs_by_a_name": """
y = L.Placeholder((None, 6))
ends = [x, y]
outputs = {"sum": L.Dense(3)(x) + L.Dense(3)(y)}
model = L.Functional(ends, outputs)
""",
    "two_names_for_one_value": """
z = y = L.Placeholder((None, 6))
a = b = L.Dense(2)(y)
model = L.Functional(z, {"a": a, "b": b, "sum": a + b})
other = L.Functional([y], L.Dense(3)(b))
""",
    "values_that_are_deleted": """
h = L.Dense(4)(x)
model = L.Functional(x, h)
del h, x
""",
    "three_models_in_a_row": """
noise = L.Placeholder((None, 4))
fake = L.Tanh()(L.Dense(6)(noise))
generator = L.Functional(noise, fake)
judge = L.Sequential([L.Dense(8), L.LeakyReLU(0.2), L.Dense(1)])
discriminator = L.Functional(x, judge(x))
gan = L.Functional(noise, discriminator(generator(noise)))
""",
    "a_sample_between_two_models": """
noise = L.Placeholder((None, 2))
h = L.Dense(10)(x).relu()
mean, spread = L.Dense(2)(h), L.Dense(2)(h)
encoder = L.Functional(x, [mean, spread])
z = mean + torch.exp(0.5 * spread) * noise
y = L.Dense(6)(z).sigmoid()
decoder = L.Functional(z, y)
whole = L.Functional([x, noise], [y, mean, spread])
""",
    "a_layer_that_the_file_uses_too": """
head = L.Dense(3)
model = L.Functional(x, head(x))
head.bias.requires_grad_(True)
""",
}


@pytest.mark.parametrize("name", SOURCES)
def test_models_of_one_graph_share_what_they_have_in_common(name: str) -> None:
    code = torchx_models.compare(START + SOURCES[name], name)
    assert "lazygen" not in code and "torchx" not in code


def test_a_model_takes_another_that_is_a_part_of_it() -> None:
    code = torchx_models.compare(START + SOURCES["the_whole_before_its_parts"], "parts")
    assert "def __init__(self, front, back):" in code and "whole = Whole(front, back)" in code
    assert code.index("class Front") < code.index("class Back") < code.index("class Whole")


def test_what_a_class_takes_comes_in_the_order_in_which_it_runs() -> None:
    code = torchx_models.compare(START + SOURCES["three_models_in_a_row"], "in_order")
    assert "gan = Gan(generator, discriminator)" in code


def test_a_shared_part_is_named_after_what_it_gives() -> None:
    text = START + "features = L.Dense(8)(x)\nfeatures = F.relu(features)\n"
    text += "a = L.Functional(x, L.Dense(4)(features))\nb = L.Functional(x, L.Dense(1)(features))\n"
    code = torchx_models.compare(text, "features")
    assert '"""What a and b share: maps x (N, 6) to features (N, 8)."""' in code
    assert "features = Features()\n" in code and "a = A(features)\n" in code and "b = B(features)\n" in code
    assert "features = self.features(x)" in code


def test_comments_stay_with_what_they_are_about() -> None:
    text = START + "# the trunk\nh = L.Dense(8)(x)  # wide\nh = L.ReLU()(h)\n"
    text += (
        "# acts\na = L.Functional(x, L.Dense(4)(h))  # softmax later\n# judges\nb = L.Functional(x, L.Dense(1)(h))\n"
    )
    code = torchx_models.compare(text, "comments")
    assert [code.count(comment) for comment in ("# the trunk", "# wide", "# acts", "# softmax later", "# judges")] == [
        1
    ] * 5
    assert "# acts\nclass A(nn.Module):" in code and "a = A(shared)  # softmax later" in code
    assert "        # the trunk\n        h = self.linear_1(x)  # wide\n" in code


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ("y = L.Dense(3)(x)\nmodel = L.Functional(x, y)\nprint(y)\nother = L.Functional(x, y)", "LZ318"),
        ("y = L.Dense(3)(x)\nmodel = L.Functional(x, y)\nwidth = 3\ndel y, width", "LZ318"),
        ("scale = 2\nmodel = L.Functional(x, L.Dense(3)(x) * scale)\nscale = 3", "LZ319"),
    ],
)
def test_what_cannot_be_shared_is_refused_where_it_stands(more: str, code: str) -> None:
    conversion = convert_source(f"{START}{more}\n", path="m.py")
    assert conversion.code is None
    assert [(finding.code, finding.place is not None) for finding in conversion.diagnostics] == [(code, True)]
