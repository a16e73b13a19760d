"""einops runs on the stand-in, with torch installed and without, and sizes keep their terms on the way through it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lazygen import convert_source

pytest.importorskip("einops")

SOURCE = """
import torch
from einops import einsum, pack, rearrange, reduce, repeat
from einops.layers.torch import Rearrange
from torch import nn


class Net(nn.Module):
    def __init__(self, heads=4, width=32, patch=4):
        super().__init__()
        self.heads = heads
        self.patches = Rearrange("b c (h p) (w q) -> b (h w) (p q c)", p=patch, q=patch)
        self.embed = nn.LazyLinear(width)
        self.out = nn.LazyLinear(2 * width)
        self.both = nn.LazyLinear(7)
        self.head = nn.LazyLinear(10)

    def forward(self, x):
        x = self.embed(self.patches(x))
        q = rearrange(x, "b n (h d) -> b h n d", h=self.heads)
        weights = einsum(q, q, "b h i d, b h j d -> b h i j").softmax(-1)
        x = self.out(rearrange(weights @ q, "b h n d -> b n (h d)"))
        token = repeat(torch.zeros(x.shape[-1]), "d -> b 1 d", b=x.shape[0])
        x, _ = pack([token, x], "b * d")
        return self.head(reduce(self.both(x), "b n d -> b d", "mean"))
"""
SIZES = [
    "nn.Linear(3 * patch * patch, width)",
    "nn.Linear(width, 2 * width)",
    "nn.Linear(2 * width, 7)",
    "nn.Linear(7, 10)",
]


def lines(code: str) -> list[str]:
    return [line.split(" = ", 1)[1] for line in code.splitlines() if "nn.Linear(" in line]


def test_sizes_keep_their_terms() -> None:
    conversion = convert_source(SOURCE, input_shape="N,3,32,32")
    assert conversion.code is not None, conversion.diagnostics
    assert lines(conversion.code) == SIZES


def test_without_torch(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("raise ModuleNotFoundError('no torch here', name='torch')\n")
    (tmp_path / "source.txt").write_text(SOURCE)
    script = (
        "import pathlib, sys\nfrom lazygen import convert_source\n"
        "conversion = convert_source(pathlib.Path(sys.argv[1]).read_text(), input_shape='N,3,32,32')\n"
        "print(conversion.code or conversion.diagnostics)"
    )
    root = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "source.txt")],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{tmp_path}:{root}"},
    )
    assert lines(done.stdout) == SIZES, done.stdout + done.stderr
