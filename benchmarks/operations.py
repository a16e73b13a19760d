"""The hundred commonest operations under the stand-in and on torch's meta device: `python benchmarks/operations.py`.

Each call runs many times in a row, in turns with its twin; the ratio is the median over the turns.  The calls stand in
a traced source, as they do in a conversion.  The last line is how long a transformer of GPT-2's size (48 layers,
attention of its own) takes to be built and run on shapes.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

ROOT = Path(__file__).parents[1]

# a and b are (8, 16, 32, 32), v (8, 64), m (64, 64), w a kernel, i whole numbers (8, 20).
OPERATIONS = [
    "a + b", "a - b", "a * b", "a / b", "a + 1", "1 - a", "a * 0.5", "a ** 2", "-a", "a // 2", "a % 3", "a > 0",
    "a == b", "a < b", "v @ m", "a[0]", "a[:, 1]", "a[:, None]", "a[..., 0]", "a[:, ::2, 1:-1]", "a[:, :, 0, 0]",
    "v[:, 3:9]", "a.view(8, -1)", "a.view(8, 4, 4, 32, 32)", "a.reshape(8, 16, -1)", "a.flatten(1)", "a.flatten(2)",
    "a.permute(0, 2, 3, 1)", "a.transpose(1, 2)", "a.squeeze()", "v.unsqueeze(1)", "v.unsqueeze(-1)",
    "v.expand(4, 8, 64)", "a.contiguous()", "a.size(0)", "a.shape", "a.dim()", "a.chunk(2, 1)", "a.split(8, 1)",
    "a.mean()", "a.mean(1)", "a.mean((2, 3))", "a.sum(-1)", "a.sum(1, keepdim=True)", "a.max(1)", "a.amax(1)",
    "a.argmax(-1)", "a.std(1)", "a.var(1)", "a.norm(dim=1)", "a.exp()", "a.log()", "a.sqrt()", "a.abs()",
    "a.clamp(0, 1)", "a.sigmoid()", "a.tanh()", "a.relu()", "a.softmax(-1)", "a.log_softmax(1)", "a.float()",
    "a.half()", "i.long()", "a.to(torch.float64)", "a.clone()", "a.detach()", "a.type_as(v)",
    "a.masked_fill(a > 0, 0.0)", "a.repeat(1, 2, 1, 1)", "a.flip(1)", "a.roll(1, 2)", "v.gather(1, i)",
    "v.index_select(1, i[0])", "a.cumsum(1)", "v.sort(1)", "v.topk(5)", "v.t()", "torch.cat([a, b], 1)",
    "torch.stack([v, v], 1)", "torch.bmm(a[:, 0], b[:, 0])", "torch.matmul(a, b)", "torch.mm(v, m)",
    "torch.einsum('bchw,bcij->bhi', a, b)", "torch.where(a > 0, a, b)", "torch.maximum(a, b)", "torch.zeros(8, 64)",
    "torch.ones(8, 64)", "torch.arange(64)", "torch.randn(8, 64)", "torch.zeros_like(a)", "torch.tril(m)",
    "torch.outer(v[0], v[1])", "F.relu(a)", "F.gelu(a)", "F.softmax(a, -1)", "F.dropout(a, 0.1)", "F.linear(v, m)",
    "F.layer_norm(v, (64,))", "F.max_pool2d(a, 2)", "F.avg_pool2d(a, 2)", "F.adaptive_avg_pool2d(a, 1)",
    "F.interpolate(a, scale_factor=2)", "F.pad(a, (1, 1, 1, 1))", "F.normalize(v, dim=1)", "F.one_hot(i, 10)",
    "F.cross_entropy(v, i[:, 0])", "F.mse_loss(a, b)", "F.conv2d(a, w)", "F.embedding(i, m)",
    "F.scaled_dot_product_attention(a, b, b)",
]  # fmt: skip


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--repeat", type=int, default=5, help="turns for each operation")
    parser.add_argument("--calls", type=int, default=100, help="calls in a turn")
    options = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    ratios = operations(options.repeat, options.calls)
    print(f"\n  {len(ratios)} operations, geometric mean {geometric_mean(ratios.values()):.1f} times faster")
    print(f"  slowest: {', '.join(sorted(ratios, key=lambda name: ratios[name])[:5])}\n")
    print(f"  {'GPT-2 size, 48 layers':<42}{transformer():8.2f} s")


def operations(turns: int, calls: int) -> dict[str, float]:
    """How many times faster than torch's meta device the stand-in is, for each operation."""
    import oracle
    import torch

    from lazygen.symbolic.tensor import TRACED

    TRACED.add("<operation>")
    worlds = [{**world, **_inputs(world)} for world in (oracle.SYMBOLIC, oracle.META)]
    ratios = {}
    print(f"  {'operation':<42}{'stand-in':>8}{'meta':>8}   ratio   (microseconds)")
    with torch.device("meta"), torch.no_grad():
        for text in OPERATIONS:
            code = compile(text, "<operation>", "eval")
            for world in worlds:
                eval(code, world)  # loads what it needs
            times = [[_once(code, world, calls) for world in worlds] for _ in range(turns)]
            ratios[text] = median(theirs / ours for ours, theirs in times)
            ours, theirs = (median(turn[side] for turn in times) for side in (0, 1))
            print(f"  {text:<42}{ours * 1e6:8.1f}{theirs * 1e6:8.1f}{ratios[text]:8.1f}")
    return ratios


def _inputs(world: dict[str, Any]) -> dict[str, Any]:
    f32, i64 = world["f32"], world["i64"]
    images = {"a": f32(8, 16, 32, 32), "b": f32(8, 16, 32, 32), "w": f32(4, 16, 3, 3)}
    return {**images, "v": f32(8, 64), "m": f32(64, 64), "i": i64(8, 20)}


def _once(code: Any, world: dict[str, Any], calls: int) -> float:
    gc.disable()  # or whichever comes in its turn pays for all
    start = time.perf_counter()
    for _ in range(calls):
        eval(code, world)
    seconds = time.perf_counter() - start
    gc.enable()
    return seconds / calls


GPT = """
import math
import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.LazyLinear(3 * width)
        self.out = nn.LazyLinear(width)
        self.register_buffer("mask", torch.ones(1024, 1024).tril().view(1, 1, 1024, 1024))

    def forward(self, x):
        b, n, c = x.size()
        q, k, v = (t.view(b, n, self.heads, c // self.heads).transpose(1, 2) for t in self.qkv(x).split(c, dim=2))
        a = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        a = F.softmax(a.masked_fill(self.mask[:, :, :n, :n] == 0, float("-inf")), dim=-1)
        return self.out((a @ v).transpose(1, 2).contiguous().view(b, n, c))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.feed = nn.Sequential(nn.LazyLinear(4 * width), nn.GELU(), nn.LazyLinear(width))

    def forward(self, x):
        x = x + self.attention(self.first(x))
        return x + self.feed(self.second(x))


class GPT(nn.Module):
    def __init__(self, layers=48, width=1600, heads=25, words=50257):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(1024, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.LazyLinear(words, bias=False)

    def forward(self, tokens):
        x = self.words(tokens) + self.places(torch.arange(tokens.size(1), device=tokens.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))
"""


def transformer() -> float:
    """Seconds for one trace of the transformer, in the process that a conversion would run it in."""
    import ast

    from lazygen import config, flags
    from lazygen.trace.collect import trace

    settings = config.read_settings([flags.given_by(flags.flags_of(entry="GPT", input_shape=["2,128:int64"]))])
    times = []
    for _ in range(3):
        start = time.perf_counter()
        _, traced = trace(GPT, ast.parse(GPT), settings, "gpt.py", None)
        times.append(time.perf_counter() - start)
        assert not traced.failed and len(traced.layers) == 4 * 48 + 1
    return min(times)


if __name__ == "__main__":
    main()
