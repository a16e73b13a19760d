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
