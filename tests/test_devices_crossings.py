"""The moves of tensors between devices: where they stand, what they say, and that torch agrees."""

from __future__ import annotations

import pytest
from moved import checked, forward_of, moved

from lazygen.diagnostics import Refused


def net(body: str, *layers: str, arguments: str = "x", before: str = "") -> str:
    """A source with one model of these layers and lines."""
    made = "".join(f"        {layer}\n" for layer in layers)
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    return (
        "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
        "from torch.utils.checkpoint import checkpoint\n\n"
        f"{before}\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n{made}"
        f"\n    def forward(self, {arguments}):\n{lines}"
    )


A = 'self.a = nn.Linear(4, 4, device="cuda:0")'
B = 'self.b = nn.Linear(4, 4, device="cuda:1")'
C = 'self.c = nn.Linear(4, 4, device="cuda:2")'
PARTS = (A, B, C)

CASES = {
    # the input of a layer
    "return self.a(x)": 'return self.a(x.to("cuda:0"))',
    "return self.b(self.a(x))": 'return self.b(self.a(x.to("cuda:0")).to("cuda:1"))',
    "return self.b(torch.tanh(x) + 1)": 'return self.b((torch.tanh(x) + 1).to("cuda:1"))',
    "return self.a(self.a(x))": 'return self.a(self.a(x.to("cuda:0")))',
    # of two operands the first that somebody placed decides
    "return x + self.a(x)": 'return x.to("cuda:0") + self.a(x.to("cuda:0"))',
    "h = self.a(x)\nreturn self.b(h) + h": 'h = self.a(x.to("cuda:0"))\nreturn self.b(h.to("cuda:1")) + h.to("cuda:1")',
    "h = self.a(x)\nreturn h * self.b(h)": (
        'h = self.a(x.to("cuda:0"))\nreturn h * self.b(h.to("cuda:1")).to("cuda:0")'
    ),
    "h = self.a(x)\nreturn h - -x": 'h = self.a(x.to("cuda:0"))\nreturn h - (-x).to("cuda:0")',
    # methods, functions, keywords
    "h = self.a(x)\nreturn h.matmul(self.b(h).T)": (
        'h = self.a(x.to("cuda:0"))\nreturn h.matmul(self.b(h.to("cuda:1")).T.to("cuda:0"))'
    ),
    "h = self.a(x)\nreturn torch.add(input=h, other=x)": (
        'h = self.a(x.to("cuda:0"))\nreturn torch.add(input=h, other=x.to("cuda:0"))'
    ),
    "return F.linear(x, self.b.weight, bias=self.b.bias)": (
        'return F.linear(x.to("cuda:1"), self.b.weight, bias=self.b.bias)'
    ),
    # lists and tuples
    "h = self.a(x)\nreturn torch.cat([h, self.b(h), x], 1)": (
        'h = self.a(x.to("cuda:0"))\nreturn torch.cat([h, self.b(h.to("cuda:1")).to("cuda:0"), x.to("cuda:0")], 1)'
    ),
    "h = self.a(x)\nparts = [h, self.b(h)]\nreturn torch.stack(parts)": (
        'h = self.a(x.to("cuda:0"))\nparts = [h, self.b(h.to("cuda:1"))]\n'
        'return torch.stack([part.to("cuda:0") for part in parts])'
    ),
    "h = self.a(x)\nrest = (self.b(h), x)\nreturn torch.cat([h, *rest])": (
        'h = self.a(x.to("cuda:0"))\nrest = (self.b(h.to("cuda:1")), x)\n'
        'return torch.cat([h, *(tensor.to("cuda:0") for tensor in rest)])'
    ),
    "parts = [layer(x) for layer in (self.a, self.b)]\nreturn sum(parts)": (
        "parts = [layer(x.to(layer.weight.device)) for layer in (self.a, self.b)]\n"
        'return sum(part.to("cuda:0") for part in parts)'
    ),
    "return sum(layer(x) for layer in (self.a, self.b))": (
        'return sum(layer(x.to(layer.weight.device)).to("cuda:0") for layer in (self.a, self.b))'
    ),
    # tensors that forward makes
    "h = self.a(x)\nreturn h + torch.zeros(4)": 'h = self.a(x.to("cuda:0"))\nreturn h + torch.zeros(4).to("cuda:0")',
    "h = self.a(x)\nreturn h + torch.zeros_like(h)": 'h = self.a(x.to("cuda:0"))\nreturn h + torch.zeros_like(h)',
    "h = self.a(x)\nreturn h * torch.tensor(2.0)": 'h = self.a(x.to("cuda:0"))\nreturn h * torch.tensor(2.0)',
    "h = self.a(x)\nreturn h[:, torch.arange(2)]": 'h = self.a(x.to("cuda:0"))\nreturn h[:, torch.arange(2)]',
    "h = self.a(x)\nh[:, 0] = x[:, 1]\nreturn h": 'h = self.a(x.to("cuda:0"))\nh[:, 0] = x[:, 1]\nreturn h',
    "h = self.a(x)\nh[h > 0] = self.b(h).sum()\nreturn h": (
        'h = self.a(x.to("cuda:0"))\nh[h > 0] = self.b(h.to("cuda:1")).sum().to("cuda:0")\nreturn h'
    ),
    # in place, what is written to decides
    "h = self.a(x)\nh += self.b(h)\nreturn h": (
        'h = self.a(x.to("cuda:0"))\nh += self.b(h.to("cuda:1")).to("cuda:0")\nreturn h'
    ),
    "h = self.a(x)\nh.mul_(self.b(h))\nreturn h": (
        'h = self.a(x.to("cuda:0"))\nh.mul_(self.b(h.to("cuda:1")).to("cuda:0"))\nreturn h'
    ),
    "y = torch.zeros(4)\ny += self.a(x).sum(0)\nreturn y": (
        'y = torch.zeros(4)\ny += self.a(x.to("cuda:0")).sum(0).to(y.device)\nreturn y'
    ),
    "h = self.a(x)\ny = torch.empty_like(h)\ntorch.add(h, self.b(h), out=y)\nreturn y": (
        'h = self.a(x.to("cuda:0"))\ny = torch.empty_like(h)\n'
        'torch.add(h, self.b(h.to("cuda:1")).to("cuda:0"), out=y)\nreturn y'
    ),
    # three devices, and comparisons
    "h = self.a(x)\nreturn self.c(self.b(h)) > h": (
        'h = self.a(x.to("cuda:0"))\nreturn self.c(self.b(h.to("cuda:1")).to("cuda:2")) > h.to("cuda:2")'
    ),
    "h, g = self.a(x), self.b(x)\nreturn torch.where(h > 0, h, g)": (
        'h, g = self.a(x.to("cuda:0")), self.b(x.to("cuda:1"))\nreturn torch.where(h > 0, h, g.to("cuda:0"))'
    ),
    'return torch.einsum("ij,kj->ik", self.a(x), self.b(x))': (
        'return torch.einsum("ij,kj->ik", self.a(x.to("cuda:0")), self.b(x.to("cuda:1")).to("cuda:0"))'
    ),
    # what runs it again for its gradient
    "return checkpoint(self.b, self.a(x), use_reentrant=False)": (
        'return checkpoint(self.b, self.a(x.to("cuda:0")).to("cuda:1"), use_reentrant=False)'
    ),
    # what the author moves stays as it is
    'h = self.a(x.to("cuda:0"))\nreturn self.b(h.to("cuda:1"))': (
        'h = self.a(x.to("cuda:0"))\nreturn self.b(h.to("cuda:1"))'
    ),
    "h = self.a(x)\nreturn h.to(self.b.weight) @ self.b.weight": (
        'h = self.a(x.to("cuda:0"))\nreturn h.to(self.b.weight) @ self.b.weight'
    ),
}


@pytest.mark.parametrize("body", CASES)
def test_a_move_stands_where_a_tensor_crosses(body: str) -> None:
    assert "\n".join(forward_of(checked(net(body, *PARTS), "2,4"))) == CASES[body]


def test_nothing_is_written_where_nothing_crosses() -> None:
    source = net("h = self.a(x)\nreturn self.a(h) + x + torch.zeros(4)", "self.a = nn.Linear(4, 4)")
    assert checked(source, "2,4") == source


# What says the device


def test_the_name_that_placed_a_layer_says_where() -> None:
    before = 'BODY, HEAD = "cuda:0", torch.device("cuda:1")\n\n'
    layers = ("self.a = nn.Linear(4, 4, device=BODY)", "self.b = nn.Linear(4, 4).to(HEAD)")
    code = checked(net("return self.b(self.a(x))", *layers, before=before), "2,4")
    assert forward_of(code) == ["return self.b(self.a(x.to(BODY)).to(HEAD))"]


def test_an_argument_that_is_kept_says_where() -> None:
    code = checked(
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self, first="cuda:0", second="cuda:1"):
                super().__init__()
                self.first = first
                self.a = nn.Linear(4, 4, device=first)
                self.b = nn.Linear(4, 4, device=second)

            def forward(self, x):
                return self.b(self.a(x))
        """,
        "2,4",
    )
    assert forward_of(code) == ["return self.b(self.a(x.to(self.first)).to(self.b.weight.device))"]


def test_devices_that_are_one_by_default_may_be_several() -> None:
    code = checked(
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self, devices=("cuda:1", "cuda:1")):
                super().__init__()
                self.a = nn.Linear(4, 4, device=devices[0])
                self.b = nn.Linear(4, 4, device=devices[1])

            def forward(self, x):
                return self.b(self.a(x))
        """,
        "2,4",
    )
    assert forward_of(code) == ["return self.b(self.a(x.to(self.a.weight.device)).to(self.b.weight.device))"]


BLOCK = """
class Block(nn.Module):
    def __init__(self, width, device=None):
        super().__init__()
        self.fc = nn.Linear(4, width, device=device)

    def forward(self, x, skip=None):
        y = self.fc(torch.tanh(x)) + torch.ones(4)
        return y if skip is None else y + skip

"""


def test_a_block_on_several_devices_takes_its_inputs_where_it_is() -> None:
    layers = ('self.a = Block(4, "cuda:0")', 'self.b = Block(4, device="cuda:1")')
    code = checked(net("h = self.a(x)\nreturn self.b(h, h)", *layers, before=BLOCK), "2,4")
    assert forward_of(code) == ['h = self.a(x.to("cuda:0"))', 'return self.b(h.to("cuda:1"), h.to("cuda:1"))']
    assert forward_of(code, "Block")[0] == "y = self.fc(torch.tanh(x)) + torch.ones(4).to(self.fc.weight.device)"


def test_a_block_that_brings_its_inputs_itself_needs_no_move() -> None:
    before = BLOCK.replace(
        "        y = self.fc(torch.tanh(x)) + torch.ones(4)",
        "        x = x.to(self.fc.weight.device)\n        y = self.fc(torch.tanh(x))",
    )
    layers = ('self.a = Block(4, "cuda:0")', 'self.b = Block(4, device="cuda:1")')
    code = checked(net("h = self.a(x)\nreturn self.b(h, h)", *layers, before=before), "2,4")
    assert forward_of(code) == ["h = self.a(x)", 'return self.b(h, h.to("cuda:1"))']


def test_a_block_that_one_caller_places_stays_general() -> None:
    code = checked(net("return self.a(x)", 'self.a = Block(4, "cuda:1")', before=BLOCK), "2,4")
    assert '"cuda:1"' not in "\n".join(forward_of(code, "Block"))


@pytest.mark.parametrize(
    ("layers", "call"),
    [
        ('nn.ModuleList(nn.Linear(4, 4, device=f"cuda:{i}") for i in range(3))', "layer(x.to(layer.weight.device))"),
        ('nn.ModuleList(Block(4, f"cuda:{i}") for i in range(3))', "layer(x.to(next(layer.parameters()).device))"),
        (
            'nn.ModuleList([nn.Linear(4, 4, device="cuda:0"), nn.ReLU(), nn.Linear(4, 4, device="cuda:1")])',
            "layer(x.to(next(layer.parameters(), x).device))",
        ),
        ('nn.ModuleList(nn.Linear(4, 4, device="cuda:1") for i in range(3))', 'layer(x.to("cuda:1"))'),
    ],
)
def test_in_a_loop_the_move_is_right_each_time(layers: str, call: str) -> None:
    body = "for layer in self.layers:\n    x = layer(x)\nreturn x"
    code = checked(net(body, f"self.layers = {layers}", before=BLOCK), "2,4")
    assert forward_of(code) == ["for layer in self.layers:", f"    x = {call}", "return x"]


def test_a_layer_that_is_shared_over_devices_takes_both_inputs() -> None:
    code = checked(net("return self.c(self.a(x)), self.c(self.b(x))", *PARTS), "2,4")
    calls = 'self.c(self.a(x.to("cuda:0")).to("cuda:2")), self.c(self.b(x.to("cuda:1")).to("cuda:2"))'
    assert forward_of(code) == [f"return {calls}"]


def test_the_first_of_several_says_where_if_nothing_else_does() -> None:
    layers = 'self.layers = nn.ModuleList(nn.Linear(4, 4, device=f"cuda:{i}") for i in range(3))'
    body = "parts = [layer(x) for layer in self.layers]\nreturn torch.cat(parts)"
    code = checked(net(body, layers), "2,4")
    assert forward_of(code)[1] == "return torch.cat([part.to(parts[0].device) for part in parts])"


# States, buffers, dtypes


def test_states_move_one_by_one() -> None:
    layers = (
        'self.up = nn.LSTM(4, 4, batch_first=True, device="cuda:0")',
        'self.down = nn.LSTM(4, 4, batch_first=True, device="cuda:1")',
    )
    body = "y, (h, c) = self.up(x)\nz, state = self.down(y, (h, c))\nw, _ = self.up(z, state)\nreturn w"
    assert forward_of(checked(net(body, *layers), "2,3,4")) == [
        'y, (h, c) = self.up(x.to("cuda:0"))',
        'z, state = self.down(y.to("cuda:1"), (h.to("cuda:1"), c.to("cuda:1")))',
        'w, _ = self.up(z.to("cuda:0"), tuple(tensor.to("cuda:0") for tensor in state))',
        "return w",
    ]


def test_a_state_that_is_missing_at_first_is_let_be() -> None:
    layers = ('self.a = nn.GRU(4, 4, device="cuda:0")', 'self.b = nn.GRU(4, 4, device="cuda:1")')
    body = "state = None\nfor layer in (self.a, self.b):\n    x, state = layer(x, state)\nreturn x, state"
    code = checked(net(body, *layers), "2,3,4")
    device = "next(layer.parameters()).device"
    moved_state = f"None if state is None else state.to({device})"
    lines = " ".join(line.strip() for line in forward_of(code))
    assert f"x.to({device}), " in lines
    assert moved_state in lines


def test_buffers_and_plain_tensors_move_to_what_they_meet() -> None:
    layers = (A, B, 'self.register_buffer("scale", torch.ones(4))', "self.offset = torch.zeros(4)")
    body = "return self.scale * self.b(x) + self.offset"
    assert forward_of(checked(net(body, *layers), "2,4")) == [
        'return self.scale.to("cuda:1") * self.b(x.to("cuda:1")) + self.offset.to("cuda:1")'
    ]


def test_dtypes_change_where_they_cross() -> None:
    layers = (
        A,
        'self.wide = nn.Linear(4, 4, device="cuda:1", dtype=torch.float64)',
        "self.here = nn.Linear(4, 4, dtype=torch.float64)",
    )
    body = "h = self.a(x)\nw = self.here(x)\nh = self.wide(h)\ng = w @ h.T\nreturn self.a(w), g"
    assert forward_of(checked(net(body, *layers), "2,4")) == [
        'h = self.a(x.to("cuda:0"))',
        "w = self.here(x.to(torch.float64))",
        'h = self.wide(h.to("cuda:1", torch.float64))',
        "g = w @ h.T.to(w.device)",
        'return self.a(w.to("cuda:0", torch.float32)), g',
    ]


def test_dtypes_that_differ_in_a_loop_are_those_of_the_layer() -> None:
    kinds = "((torch.float32, 'cuda:0'), (torch.float64, 'cuda:1'))"
    layers = f"self.layers = nn.ModuleList(nn.Linear(4, 4, dtype=kind, device=place) for kind, place in {kinds})"
    code = checked(net("for layer in self.layers:\n    x = layer(x)\nreturn x", layers), "2,4")
    assert forward_of(code)[1] == "    x = layer(x.to(layer.weight))"


def test_what_only_training_runs_is_moved_too() -> None:
    body = (
        "h = self.a(x)\nif self.training:\n    h = h + torch.randn(4)\n    return self.b(h), self.b(x)\n"
        "return self.b(h)"
    )
    assert forward_of(checked(net(body, *PARTS), "2,4"))[1:4] == [
        "if self.training:",
        '    h = h + torch.randn(4).to("cuda:0")',
        '    return self.b(h.to("cuda:1")), self.b(x.to("cuda:1"))',
    ]


def test_token_ids_move_and_stay_integers() -> None:
    layers = ('self.embed = nn.Embedding(9, 4, device="cuda:1")', A)
    code = checked(net("return self.a(self.embed(tokens))", *layers, arguments="tokens"), "2,3:int64")
    assert forward_of(code) == ['return self.a(self.embed(tokens.to("cuda:1")).to("cuda:0"))']


# Sequentials


def test_a_sequential_over_devices_gets_a_class_that_moves() -> None:
    layer = 'self.net = nn.Sequential(nn.Linear(4, 4, device="cuda:0"), nn.ReLU(), nn.Linear(4, 4, device="cuda:1"))'
    code = checked(net("return self.net(x)", layer), "2,4")
    assert "self.net = PlacedSequential(" in code
    assert code.count("class PlacedSequential(nn.Sequential):") == 1
    assert forward_of(code) == ["return self.net(x)"]


def test_a_sequential_on_one_device_is_one_module() -> None:
    layer = 'self.net = nn.Sequential(nn.Linear(4, 4, device="cuda:1"), nn.ReLU(), nn.Linear(4, 4, device="cuda:1"))'
    code = checked(net("return self.net(x)", layer), "2,4")
    assert forward_of(code) == ['return self.net(x.to("cuda:1"))']
    assert "PlacedSequential" not in code


def test_a_chain_at_module_level_is_given_what_it_wants_by_its_caller() -> None:
    source = """
        import torch
        from torch import nn

        model = nn.Sequential(nn.Linear(4, 4, device="cuda:1", dtype=torch.float64), nn.ReLU())
    """
    assert "to(" not in moved(source, "2,4", entry="model")


# What cannot be written


@pytest.mark.parametrize(
    ("body", "code", "line"),
    [
        ("from functools import reduce\nreturn reduce(torch.add, [self.a(x), self.b(x)])", "LZ511", 16),
        ("return list(map(self.b, [self.a(x)]))", "LZ511", 15),
        ("both = {'input': self.a(x), 'other': x}\nreturn torch.add(**both)", "LZ511", 16),
    ],
)
def test_a_move_without_a_place_is_refused_there(body: str, code: str, line: int) -> None:
    with pytest.raises(Refused) as refused:
        moved(net(body, *PARTS), "2,4")
    finding = refused.value.diagnostics[0]
    assert (finding.code, finding.place.line if finding.place else 0) == (code, line)


def test_a_device_that_nothing_names_is_refused() -> None:
    layers = 'self.layers = nn.ModuleList(nn.Linear(4, 4, device=f"cuda:{i}") for i in range(3))'
    body = (
        "parts = [layer(x) for layer in self.layers]\n"
        "return [torch.relu(parts[n - 1]) + torch.tanh(parts[n]) for n in range(3)]"
    )
    with pytest.raises(Refused) as refused:
        moved(net(body, layers), "2,4")
    assert [finding.code for finding in refused.value.diagnostics] == ["LZ510"]


def test_a_sum_over_a_loop_stays_where_it_began() -> None:
    layers = 'self.layers = nn.ModuleList(nn.Linear(4, 4, device=f"cuda:{i}") for i in range(3))'
    body = "total = torch.zeros(2, 4)\nfor layer in self.layers:\n    total = total + layer(x)\nreturn total"
    line = "    total = total + layer(x.to(layer.weight.device)).to(total.device)"
    assert forward_of(checked(net(body, layers), "2,4"))[2] == line
