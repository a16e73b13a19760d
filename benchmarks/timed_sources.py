"""The sources that are converted: a small classifier of images, and files that grow in one direction."""

from __future__ import annotations

CNN_SHAPE = "8,3,32,32"
CNN = """\
import torch
from torch import nn

# ten-way classifier for small images
model = nn.Sequential(
    nn.LazyConv2d(20, kernel_size=5, stride=2, padding=1),
    nn.ReLU(),
    nn.LazyConv2d(30, kernel_size=7),  # wide on purpose
    nn.LazyBatchNorm2d(),
    nn.ReLU(),
    nn.LazyConv2d(40, kernel_size=3),
    nn.LazyBatchNorm2d(),
    nn.ReLU(),
    nn.Flatten(),
    nn.LazyLinear(80),
    nn.ReLU(),
    nn.LazyLinear(10),
)

if __name__ == "__main__":
    print(model(torch.randn(8, 3, 32, 32)).size())
"""

FUNCTION = '''

def helper_{number}(values, scale=1.0):
    """Something that has nothing to do with the model."""
    total = 0.0
    for index, value in enumerate(values):
        if value is not None and index % {number} == 0:
            total += scale * value
    return {{"total": total, "count": len(values)}}
'''


def mlp(layers: int) -> str:
    """A model of as many lazy layers in a row."""
    rows = "".join(f"    nn.LazyLinear({8 + number % 5}),\n    nn.ReLU(),\n" for number in range(layers))
    return f"from torch import nn\n\nmodel = nn.Sequential(\n{rows})\n"


def long_file(lines: int) -> str:
    """The classifier in a file of about as many lines."""
    parts = [CNN.partition("\n\nif __name__")[0] + "\n"]
    parts += [FUNCTION.format(number=number) for number in range(1, 1 + max(0, lines - 20) // FUNCTION.count("\n"))]
    return "".join(parts)
