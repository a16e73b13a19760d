"""Writes random lazy models: blocks as classes, functions and Sequential subclasses; lists, loops, zips; residual,
dense, gated.

A seed always gives the same source.  `others` are the entries with other arguments that the source is meant to run
with as well.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

SPATIAL = {0: (), 1: (12,), 2: (8, 8), 3: (4, 4, 4)}
AXES = {1: "2", 2: "(2, 3)", 3: "(2, 3, 4)"}


@dataclass(frozen=True)
class Model:
    """A source, the shape of its input, and entries with other arguments."""

    text: str
    shape: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class Block:
    """A definition of a block and how it is called: `call("width")`."""

    name: str
    text: str
    extra: str = ""

    def call(self, width: str) -> str:
        return f"{self.name}({width}{self.extra})"


class Writer:
    """Writes one model."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.dims = self.random.choice([0, 1, 1, 2, 2, 2, 3])
        self.arguments: dict[str, Any] = {"width": self.random.choice([4, 6, 8]), "classes": self.random.choice([3, 5])}
        self.init: list[str] = []
        self.forward: list[str] = []
        self.methods: list[str] = []
        self.used: dict[str, None] = {}
        self.blocks = [self.block(name) for name in ("Block", "Unit", "Cell")[: self.random.choice([1, 2, 3])]]

    # Blocks

    def layer(self, width: str, kernel: str = "3") -> str:
        if not self.dims:
            return f"nn.LazyLinear({width})"
        padding = f"{kernel} // 2" if kernel == "kernel" else str(int(kernel) // 2)
        return f"nn.LazyConv{self.dims}d({width}, {kernel}" + (f", padding={padding})" if padding != "0" else ")")

    def norm(self) -> str:
        kinds = [f"nn.LazyBatchNorm{self.dims or 1}d()"]
        if self.dims:
            kinds.append(f"nn.LazyInstanceNorm{self.dims}d()")
        return self.random.choice(kinds)

    def act(self) -> str:
        return self.random.choice(["nn.ReLU()", "nn.Tanh()", "nn.SiLU()"])

    def block(self, name: str) -> Block:
        make = self.random.choice(
            [self.plain, self.residual, self.gated, self.dense, self.function, self.sequential, self.stage]
        )
        return make(name)

    def module(self, name: str, arguments: str, init: list[str], forward: list[str], extra: str = "") -> Block:
        lines = [f"class {name}(nn.Module):", f"    def __init__(self, {arguments}):", "        super().__init__()"]
        lines += [f"        {line}" for line in init]
        lines += ["", "    def forward(self, x):", *(f"        {line}" for line in forward)]
        return Block(name, "\n".join(lines), extra)

    def plain(self, name: str) -> Block:
        init = [f"self.layer = {self.layer('channels')}", f"self.norm = {self.norm()}", f"self.act = {self.act()}"]
        return self.module(name, "channels", init, ["return self.act(self.norm(self.layer(x)))"])

    def residual(self, name: str) -> Block:
        init = [
            f"self.first = {self.layer('channels')}",
            f"self.norm = {self.norm()}",
            f"self.second = {self.layer('channels')}",
            f"self.around = {self.layer('channels', '1')}",
        ]
        forward = ["y = self.second(self.norm(self.first(x)).relu())", "return (y + self.around(x)).relu()"]
        return self.module(name, "channels", init, forward)

    def gated(self, name: str) -> Block:
        hidden = self.random.choice(["channels", "2 * channels", "channels + 1"])
        init = [
            f"self.value = {self.layer(hidden)}",
            f"self.gate = {self.layer(hidden)}",
            f"self.out = {self.layer('channels', '1')}",
        ]
        return self.module(name, "channels", init, ["return self.out(self.value(x) * self.gate(x).sigmoid())"])

    def dense(self, name: str) -> Block:
        layer = self.layer("growth")
        if self.random.random() < 0.5:
            init = [f"self.layers = nn.ModuleList([{layer} for _ in range(depth)])"]
        else:
            init = ["self.layers = nn.ModuleList()", "for _ in range(depth):", f"    self.layers.append({layer})"]
        init.append(f"self.out = {self.layer('growth', '1')}")
        forward = ["for layer in self.layers:", "    x = torch.cat([x, layer(x).relu()], dim=1)", "return self.out(x)"]
        return self.module(name, "growth, depth=2", init, forward, self.random.choice(["", ", depth=3"]))

    def function(self, name: str) -> Block:
        name = name.lower()
        layers = [self.layer("channels"), *([self.norm()] if self.random.random() < 0.6 else []), self.act()]
        return Block(name, f"def {name}(channels):\n    return nn.Sequential({', '.join(layers)})")

    def sequential(self, name: str) -> Block:
        kernel = "kernel" if self.dims else "3"
        arguments = "channels, kernel=3" if self.dims else "channels"
        layers = f"{self.layer('channels', kernel)}, {self.norm()}, {self.act()}"
        text = f"class {name}(nn.Sequential):\n    def __init__(self, {arguments}):\n        super().__init__({layers})"
        return Block(name, text, self.random.choice(["", ", 5", ", kernel=1"]) if self.dims else "")

    def stage(self, name: str) -> Block:
        name = name.lower()
        lines = [f"def {name}(channels, count=2):", "    layers = []", "    for i in range(count):"]
        lines += [f"        layers.append({self.layer('channels')})", f"        layers.append({self.act()})"]
        return Block(
            name, "\n".join([*lines, "    return nn.Sequential(*layers)"]), self.random.choice(["", ", 1", ", count=3"])
        )

    # The parts of the model

    def part(self, number: int) -> None:
        name = ("first", "second", "third")[number]
        make = self.random.choice(
            [
                self.calls,
                self.counted,
                self.over_list,
                self.comprehension,
                self.zipped,
                self.nested,
                self.doubled,
                self.helper,
                self.backwards,
            ]
        )
        make(f"self.{name}", name)

    def made(self, width: str) -> str:
        block = self.random.choice(self.blocks)
        self.used[block.name] = None
        return block.call(width)

    def argument(self, name: str, value: Any) -> str:
        """An argument of the model, taken again if it is there."""
        self.arguments.setdefault(name, value)
        return name

    def widths(self) -> str:
        values = tuple(self.random.choice([4, 5, 6, 8]) for _ in range(self.random.choice([2, 3])))
        return self.argument("widths", values) if self.random.random() < 0.75 else repr(values)

    def calls(self, attribute: str, name: str) -> None:
        texts = self.random.sample(["width", "2 * width", "width + 1", "7"], k=self.random.choice([1, 2, 3]))
        layers = ", ".join(self.made(text) for text in texts)
        self.init.append(f"{attribute} = nn.Sequential({layers})")
        self.forward.append(f"x = {attribute}(x)")

    def looped(
        self, attribute: str, name: str, head: list[str], width: str, indent: str = "    ", tail: str = ""
    ) -> None:
        self.init += [
            f"{name} = []",
            *head,
            f"{indent}{name}.append({self.made(width)})",
            *([f"{indent}{tail}"] if tail else []),
        ]
        self.init.append(f"{attribute} = nn.Sequential(*{name})")
        self.forward.append(f"x = {attribute}(x)")

    def counted(self, attribute: str, name: str) -> None:
        depth = self.argument("depth", self.random.choice([2, 3]))
        width = self.random.choice(["width", "width * (i + 1)", "width + i", "width * 2**i"])
        self.looped(attribute, name, [f"for i in range({depth}):"], width)

    def over_list(self, attribute: str, name: str) -> None:
        head = self.random.choice(["for size in {}:", "for i, size in enumerate({}):"]).format(self.widths())
        self.looped(attribute, name, [head], self.random.choice(["size", "2 * size"]))

    def comprehension(self, attribute: str, name: str) -> None:
        self.init.append(f"{attribute} = nn.ModuleList([{self.made('size')} for size in {self.widths()}])")
        self.forward += [f"for layer in {attribute}:", "    x = layer(x)"]

    def zipped(self, attribute: str, name: str) -> None:
        kernels = self.argument("kernels", (3, 1, 3)) if self.dims else "range(9)"
        self.argument("widths", (4, 6, 5))
        layer = self.layer("size", "kernel") if self.dims else self.layer("size")
        self.init += [f"{name} = []", f"for size, kernel in zip(widths, {kernels}):"]
        self.init += [f"    {name} += [{layer}, {self.act()}]", f"{attribute} = nn.Sequential(*{name})"]
        self.forward.append(f"x = {attribute}(x)")

    def nested(self, attribute: str, name: str) -> None:
        depth = self.argument("depth", 2)
        head = [f"for size in {self.widths()}:", f"    for _ in range({depth}):"]
        self.looped(attribute, name, head, "size", "        ")

    def doubled(self, attribute: str, name: str) -> None:
        depth = self.argument("depth", 2)
        channels = f"{name}_channels"
        self.init.append(f"{channels} = width")
        self.looped(attribute, name, [f"for _ in range({depth}):"], channels, tail=f"{channels} *= 2")

    def helper(self, attribute: str, name: str) -> None:
        self.methods.append(
            f"    def build_{name}(self, size):\n        return nn.Sequential({self.made('size')}, {self.act()})"
        )
        self.init.append(f"{attribute} = nn.Sequential(self.build_{name}(width), self.build_{name}(9))")
        self.forward.append(f"x = {attribute}(x)")

    def backwards(self, attribute: str, name: str) -> None:
        sequence = self.argument("widths", (4, 8, 6))
        text = self.random.choice([f"reversed({sequence})", f"{sequence}[::-1]", f"{sequence}[1:]"])
        self.looped(attribute, name, [f"for size in {text}:"], "size")

    # The whole

    def write(self) -> Model:
        for number in range(self.random.choice([1, 2, 2, 3])):
            self.part(number)
        if self.random.random() < 0.3:
            self.init.append(f"self.norm = {self.norm()}")
            self.forward.append("x = self.norm(x)")
        self.init.append("self.head = nn.LazyLinear(classes)")
        pooled = (
            "kernels" in self.arguments or self.random.random() < 0.6
        )  # kernels that are even change the size of the images
        flat = f"x.mean({AXES[self.dims]})" if self.dims and pooled else "x.flatten(1)"
        arguments = ", ".join(f"{name}={value!r}" for name, value in self.arguments.items())
        lines = ["import torch", "from torch import nn", "", ""]
        for block in self.blocks:
            lines += [block.text, "", ""] if block.name in self.used else []
        lines += ["class Net(nn.Module):", f"    def __init__(self, {arguments}):", "        super().__init__()"]
        lines += [f"        {line}" for line in self.init]
        for method in self.methods:
            lines += ["", method]
        lines += [
            "",
            "    def forward(self, x):",
            *(f"        {line}" for line in self.forward),
            f"        return self.head({flat})",
        ]
        shape = ",".join(str(size) for size in (2, self.random.choice([3, 4, 6]), *SPATIAL[self.dims]))
        return Model("\n".join(lines) + "\n", shape, tuple(self.others()))

    def others(self) -> list[str]:
        """Entries with other arguments: numbers that differ, sequences that are longer and shorter."""
        made = []
        for turn in range(2):
            arguments = {}
            length = 4 if turn else 2  # of all sequences, since some are zipped
            for name, value in self.arguments.items():
                if isinstance(value, tuple):
                    choice = [3, 5, 7] if name == "widths" else [1, 3]
                    arguments[name] = tuple(self.random.choice(choice) for _ in range(length))
                else:
                    arguments[name] = (
                        self.random.choice([1, 2, 4]) if name == "depth" else value + self.random.choice([1, 3])
                    )
            made.append(f"Net({', '.join(f'{name}={value!r}' for name, value in arguments.items())})")
        return made


def write(seed: int) -> Model:
    """The model of a seed."""
    return Writer(seed).write()
