"""Which expressions mean a lazy class, under every spelling of the imports."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from lazygen.frontend.lazy_names import lazy_names

HEAD = "import torch\nfrom torch import nn\n"


# Imports, an expression, and what it means if that is a lazy class.
LAZY: list[tuple[str, str, str | None]] = [
    ("from torch import nn", "nn.LazyLinear", "torch.nn.LazyLinear"),
    ("import torch", "torch.nn.LazyConv2d", "torch.nn.LazyConv2d"),
    ("import torch.nn", "torch.nn.LazyConvTranspose3d", "torch.nn.LazyConvTranspose3d"),
    ("import torch.nn as tnn", "tnn.LazyBatchNorm1d", "torch.nn.LazyBatchNorm1d"),
    ("import torch as t", "t.nn.LazyInstanceNorm2d", "torch.nn.LazyInstanceNorm2d"),
    ("from torch.nn import LazyLinear as LL", "LL", "torch.nn.LazyLinear"),
    ("from torch.nn import *", "LazyLinear", "torch.nn.LazyLinear"),
    ("from torch.nn.modules.lazy import LazyModuleMixin", "LazyModuleMixin", "torch.nn.LazyModuleMixin"),
    ("from torch.nn.modules.linear import LazyLinear", "LazyLinear", "torch.nn.LazyLinear"),
    ("import torch", "torch.nn.modules.conv.LazyConv2d", "torch.nn.LazyConv2d"),
    ("import torchx.layers as L", "L.Linear", "torchx.layers.Linear"),
    ("import lazygen.layers as L", "L.Conv2d", "lazygen.layers.Conv2d"),
    ("from torchx import layers", "layers.Dense", "torchx.layers.Dense"),
    ("from torchx.layers import *", "GRU", "torchx.layers.GRU"),
    ("def f():\n    from torch.nn import LazyLinear", "LazyLinear", "torch.nn.LazyLinear"),
    ("from torch import nn", "nn.Linear", None),
    ("from torch import nn", "nn.LazyNothing", None),
    ("from torch import nn", "other.LazyLinear", None),
    ("from torch import nn", "nn.LazyLinear.cls_to_become", None),
    ("from torch import nn", "nn.LazyLinear(3)", None),
    ("from other import LazyLinear", "LazyLinear", None),
    ("from .nn import LazyLinear", "LazyLinear", None),
    ("from torch.nn import *\nclass LazyLinear: pass", "LazyLinear", None),
    ("import torch", "LazyLinear", None),
]


@pytest.mark.parametrize(("imports", "expression", "meaning"), LAZY)
def test_lazy_names(imports: str, expression: str, meaning: str | None) -> None:
    names = lazy_names(ast.parse(imports))
    node = ast.parse(expression, mode="eval").body
    assert names.is_lazy(node) is (meaning is not None)
    if meaning is not None:
        assert names.meaning(node) == meaning


def test_every_lazy_class_of_torch_is_known() -> None:
    names = lazy_names(ast.parse("from torch import nn"))
    kinds = ("Conv", "ConvTranspose", "BatchNorm", "InstanceNorm")
    classes = ["LazyLinear", *(f"Lazy{kind}{rank}d" for kind in kinds for rank in (1, 2, 3))]
    assert all(names.is_lazy(ast.parse(f"nn.{name}", mode="eval").body) for name in classes)
    assert len(classes) == 13


@pytest.mark.parametrize(
    ("source", "name", "lazy"),
    [
        ("Conv = nn.LazyConv2d", "Conv", True),
        ("Conv: type = nn.LazyConv2d", "Conv", True),
        ("A = nn.LazyConv2d\nB = A", "B", True),
        ("Conv = nn.LazyConv2d if a else nn.Identity", "Conv", True),
        ("Conv = given or nn.LazyConv2d", "Conv", True),
        ("norm = partial(nn.LazyConv2d, kernel_size=3)", "norm", True),
        ("norm = functools.partial(nn.LazyConv2d, 3)", "norm", True),
        ("if a:\n    Conv = nn.LazyConv2d", "Conv", True),
        ("class Own(nn.LazyLinear): pass", "Own", True),
        ("class Own(LazyModuleMixin, nn.Linear): pass", "Own", True),
        ("class A(nn.LazyLinear): pass\nclass B(A): pass", "B", True),
        ("Conv = nn.Conv2d", "Conv", False),
        ("layer = nn.LazyLinear(3)", "layer", False),
        ("layer = other(nn.LazyLinear)", "layer", False),
        ("def f():\n    Conv = nn.LazyConv2d", "Conv", False),
        ("class Net(nn.Module):\n    l = nn.LazyLinear", "Net", False),
    ],
)
def test_lazy_aliases_and_classes(source: str, name: str, lazy: bool) -> None:
    head = "import functools\nfrom functools import partial\nfrom torch.nn.modules.lazy import LazyModuleMixin\n"
    names = lazy_names(ast.parse(HEAD + head + source))
    assert names.is_lazy(ast.Name(name, ast.Load())) is lazy


def test_mentions_come_in_order_without_checks_and_annotations() -> None:
    source = dedent("""
        def f(x: nn.LazyConv1d) -> nn.LazyConv2d:
            if isinstance(x, nn.LazyLinear) or type(x) is nn.LazyConv3d: pass
            return nn.Sequential(nn.LazyLinear(3), nn.LazyBatchNorm1d)
        if __name__ == "__main__": nn.LazyConv1d(3)
    """)
    tree = ast.parse(HEAD + source)
    found = [ast.unparse(node) for node in lazy_names(tree).mentions(tree)]
    assert found == ["nn.LazyLinear", "nn.LazyBatchNorm1d"]
