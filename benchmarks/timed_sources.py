"""The sources that are converted: the classifier of README.md, and files that grow in one direction."""

from __future__ import annotations

CNN_SHAPE = "8,3,32,32"
CNN = """\
import torch
import torchx.layers as L

# ten-way classifier for small images
model = L.Sequential(
    L.Conv2d(20, kernel_size=5, stride=2, padding=1),
    L.ReLU(),
    L.Conv2d(30, kernel_size=7),  # wide on purpose
    L.BatchNorm2d(),
    L.ReLU(),
    L.Conv2d(40, kernel_size=3),
    L.BatchNorm2d(),
    L.ReLU(),
    L.Flatten(),
    L.Linear(80),
    L.ReLU(),
    L.Linear(10),
)

if __name__ == "__main__":
    print(model(torch.randn(8, 3, 32, 32)).size())
"""
_LAZY = {"Conv2d": "LazyConv2d", "BatchNorm2d": "LazyBatchNorm2d", "Linear": "LazyLinear"}

FUNCTION = '''

def helper_{number}(values, scale=1.0):
    """Something that has nothing to do with the model."""
    total = 0.0
    for index, value in enumerate(values):
        if value is not None and index % {number} == 0:
            total += scale * value
    return {{"total": total, "count": len(values)}}
'''


RESNET_SHAPE = "8,3,224,224"
RESNET = """\
from torch import nn


class Bottleneck(nn.Module):
    expansion = 4

    def __init__(self, width, stride=1, project=False):
        super().__init__()
        wide = width * self.expansion
        self.reduce = nn.Sequential(nn.LazyConv2d(width, 1, bias=False), nn.LazyBatchNorm2d(), nn.ReLU())
        self.inner = nn.Sequential(
            nn.LazyConv2d(width, 3, stride=stride, padding=1, bias=False), nn.LazyBatchNorm2d(), nn.ReLU()
        )
        self.widen = nn.Sequential(nn.LazyConv2d(wide, 1, bias=False), nn.LazyBatchNorm2d())
        self.skip = None
        if project:
            self.skip = nn.Sequential(nn.LazyConv2d(wide, 1, stride=stride, bias=False), nn.LazyBatchNorm2d())
        self.act = nn.ReLU()

    def forward(self, x):
        y = self.widen(self.inner(self.reduce(x)))
        return self.act(y + (x if self.skip is None else self.skip(x)))


class ResNet152(nn.Module):
    def __init__(self, depths=(3, 8, 36, 3), width=64, classes=1000):
        super().__init__()
        self.stem = nn.Sequential(
            nn.LazyConv2d(width, 7, stride=2, padding=3, bias=False),
            nn.LazyBatchNorm2d(),
            nn.ReLU(),
            nn.MaxPool2d(3, stride=2, padding=1),
        )
        self.stages = nn.ModuleList()
        for i, depth in enumerate(depths):
            blocks = [Bottleneck(width * 2**i, stride=1 if i == 0 else 2, project=True)]
            blocks += [Bottleneck(width * 2**i) for _ in range(depth - 1)]
            self.stages.append(nn.Sequential(*blocks))
        self.head = nn.LazyLinear(classes)

    def forward(self, x):
        x = self.stem(x)
        for stage in self.stages:
            x = stage(x)
        return self.head(x.mean((2, 3)))
"""

BLOCK = '''

class Block{number}(nn.Module):
    """A convolution and a norm, scaled by a gate that looks at their result."""

    def __init__(self, width, kernel=3):
        super().__init__()
        self.conv = nn.LazyConv2d(width, kernel, padding=kernel // 2)
        self.norm = nn.LazyBatchNorm2d()
        self.gate = nn.Sequential(nn.LazyConv2d(width // 2, 1), nn.ReLU(), nn.LazyConv2d(width, 1), nn.Sigmoid())

    def forward(self, x):
        y = self.norm(self.conv(x))
        return torch.relu(y * self.gate(y))
'''


def in_torch_style() -> str:
    """The classifier with the lazy layers of torch, which a dry run can build."""
    text = CNN.replace("import torchx.layers as L", "from torch import nn")
    for name, lazy in _LAZY.items():
        text = text.replace(f"L.{name}(", f"nn.{lazy}(")
    return text.replace("L.", "nn.")


def mlp(layers: int) -> str:
    """A model of as many lazy layers in a row."""
    rows = "".join(f"    nn.LazyLinear({8 + number % 5}),\n    nn.ReLU(),\n" for number in range(layers))
    return f"from torch import nn\n\nmodel = nn.Sequential(\n{rows})\n"


def long_file(lines: int) -> str:
    """The classifier in a file of about as many lines."""
    parts = [CNN.partition("\n\nif __name__")[0] + "\n"]
    parts += [FUNCTION.format(number=number) for number in range(1, 1 + max(0, lines - 20) // FUNCTION.count("\n"))]
    return "".join(parts)


def many_classes(kilobytes: int) -> str:
    """A file of about this size, whose model uses every class in it once."""
    count = kilobytes * 1000 // (len(BLOCK) + 20)
    rows = "".join(f"    Block{number}({16 + 8 * (number % 3)}),\n" for number in range(count))
    blocks = "".join(BLOCK.format(number=number) for number in range(count))
    return f"import torch\nfrom torch import nn\n{blocks}\n\nmodel = nn.Sequential(\n{rows})\n"
