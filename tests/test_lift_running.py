"""Variables that run through loops, and calls behind them."""

from __future__ import annotations

from lifting import changed, net, refusal

from lazygen import convert_source

FILTERED = """
layers = []
for width in widths:
    if width > 3:
        layers.append(nn.LazyLinear(width))
self.layers = nn.Sequential(*layers)
self.head = nn.LazyLinear(2)
"""
HEAD = "return self.head(self.layers(x))"


def test_an_item_that_makes_no_layer_is_not_what_came_before() -> None:
    assert changed(net("widths=(4, 5, 7)", FILTERED, HEAD), "4,6") == [
        "in_features = 6",
        "layers.append(nn.Linear(in_features, width))",
        "in_features = width",
        "self.head = nn.Linear(in_features, 2)",
    ]


def test_a_loop_goes_on_with_the_variable_of_the_one_before() -> None:
    init = """
    layers = []
    for width in widths:
        if width:
            layers.append(nn.LazyLinear(width))
    for width in widths:
        if width:
            layers.append(nn.LazyLinear(2 * width))
        else:
            layers.append(nn.ReLU())
    self.layers = nn.Sequential(*layers)
    """
    assert changed(net("widths=(4, 8, 0)", init, "return self.layers(x)"), "4,6") == [
        "in_features = 6",
        "layers.append(nn.Linear(in_features, width))",
        "in_features = width",
        "layers.append(nn.Linear(in_features, 2 * width))",
        "in_features = 2 * width",
    ]


def test_every_call_of_a_loop_sets_a_running_variable_in_its_own_way() -> None:
    init = """
    self.growth = growth
    self.stages = nn.ModuleList()
    for count in counts:
        for _ in range(count):
            self.stages.append(nn.LazyLinear(growth))
        self.stages.append(nn.LazyLinear(growth - 1))
    self.head = nn.LazyLinear(2)
    """
    forward = """
    for stage in self.stages:
        x = torch.cat([x, stage(x)], 1) if stage.out_features == self.growth else stage(x)
    return self.head(x)
    """
    assert changed(net("counts=(2, 3), growth=4", init, forward), "4,6")[:4] == [
        "in_features = 6",
        "self.stages.append(nn.Linear(in_features, growth))",
        "in_features += growth",
        "self.stages.append(nn.Linear(in_features, growth - 1))",
    ]


def test_a_name_that_the_call_binds_is_not_used_in_front_of_it() -> None:
    init = "self.a = nn.LazyLinear(h := 2 * width)\nself.b = nn.LazyLinear(h := h + 1)\nself.c = nn.LazyLinear(h)"
    assert changed(net("width=4", init, "return self.c(self.b(self.a(x)))"), "4,6") == [
        "self.a = nn.Linear(6, h := 2 * width)",
        "self.b = nn.Linear(2 * width, h := h + 1)",
        "self.c = nn.Linear(h, h)",
    ]


def test_a_function_that_calls_itself_fills_its_own_parameter() -> None:
    before = """
    def tower(width, depth):
        if depth == 0:
            return nn.Identity()
        return nn.Sequential(nn.LazyLinear(width), tower(width + 2, depth - 1))
    """
    assert changed(net("width=4, depth=3", "self.top = tower(width, depth)", "return self.top(x)", before), "4,6") == [
        "def tower(in_features, width, depth):",
        "return nn.Sequential(nn.Linear(in_features, width), tower(width, width + 2, depth - 1))",
        "self.top = tower(6, width, depth)",
    ]


OVERRIDDEN = """
class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a = self.build(width)

    def build(self, width):
        return nn.LazyLinear(width)

    def forward(self, x):
        return self.a(x)


class Plain(Block):
    def build(self, width):
        return nn.ReLU()
"""
CHAIN = "return self.c(self.d(self.b(self.a(x))))"


def test_a_method_that_overrides_takes_the_argument_along() -> None:
    init = "self.a = Block(width)\nself.b = Plain(width)\nself.d = nn.ReLU()\nself.c = Block(width + 1)"
    lines = changed(net("width=4", init, CHAIN, OVERRIDDEN), "4,6")
    assert lines.count("def build(self, in_features, width):") == 2


def test_a_method_that_overrides_and_is_called_otherwise_is_refused() -> None:
    init = "self.a = Block(width)\nself.b = Plain(width)\nself.d = self.b.build(3)\nself.c = Block(width + 1)"
    assert refusal(net("width=4", init, CHAIN, OVERRIDDEN), "4,6") == "LZ323"


def test_an_expression_of_the_elements_rides_in_a_comprehension() -> None:
    init = "self.layers = nn.Sequential(*[nn.LazyLinear(2 * width) for width in widths])"
    assert changed(net("widths=(4, 5, 7)", init, "return self.layers(x)"), "4,6") == [
        "self.layers = nn.Sequential(*[nn.Linear(in_features, 2 * width) for in_features, width in "
        "zip((6, *(2 * width for width in widths))[:-1], widths, strict=True)])"
    ]


def test_a_comprehension_counts_from_the_variable_of_its_loop() -> None:
    init = """
    layers = []
    for depth in depths:
        layers += [Grown(growth) for _ in range(depth)]
        layers.append(nn.LazyLinear(2 * growth))
    self.layers = nn.Sequential(*layers)
    """
    grown = """
    class Grown(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.fc = nn.LazyLinear(width)

        def forward(self, x):
            return torch.cat([x, self.fc(x)], -1)
    """
    assert changed(net("growth=3, depths=(2, 3)", init, "return self.layers(x)", before=grown), "4,6") == [
        "def __init__(self, in_features, width):",
        "self.fc = nn.Linear(in_features, width)",
        "in_features = 6",
        "layers += [Grown(in_features + growth * i, growth) for i in range(depth)]",
        "in_features += growth * depth",
        "layers.append(nn.Linear(in_features, 2 * growth))",
        "in_features = 2 * growth",
    ]


def test_a_model_is_fixed_to_no_more_than_its_sizes_need() -> None:
    init = """
    self.down = nn.ModuleList([nn.LazyLinear(w) for w in widths])
    self.up = nn.ModuleList()
    for w in reversed(widths):
        for _ in range(2):
            self.up.append(nn.LazyLinear(w))
    """
    forward = """
    stack = []
    for layer in self.down:
        x = layer(x)
        stack += [x, x[..., 1:]]
    for layer in self.up:
        x = layer(torch.cat([x, stack.pop()], -1))
    return x
    """
    conversion = convert_source(net("widths=(4, 9, 6)", init, forward), input_shape="4,6", line_length=200)
    assert conversion.code is not None, conversion.diagnostics
    assert "zip((2 * widths[2] - 1, widths[1] + widths[2] - 1, widths[0] + widths[1] - 1), reversed" in conversion.code
    assert "if len(widths) != 3:" in conversion.code
    assert [finding.code for finding in conversion.diagnostics] == ["LZ310"]


def test_a_size_behind_the_loop_may_be_a_multiple_of_what_the_variable_ends_with() -> None:
    source = net(
        "widths=(6, 4)",
        """
        layers = []
        for width in widths[1:]:
            layers += [nn.LazyConv1d(width, 3, padding=1)]
        self.layers = nn.Sequential(nn.LazyConv1d(2 * widths[0], 1), *layers)
        self.head = nn.LazyLinear(3)
        """,
        "return self.head(self.layers(x).flatten(1))",
    )
    made = changed(source, "2,3,12")
    assert "self.head = nn.Linear(12 * in_channels, 3)" in made
    assert "in_channels = 2 * widths[0]" in made
