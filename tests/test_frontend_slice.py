"""Which statements run for an entry: imports, bindings and changes, and their order."""

from __future__ import annotations

import ast
import sys

import pytest
from slicing import lines_of, read_table

from lazygen.frontend.slice import facts, needed

CASES: dict[str, tuple[str, str]] = {
    "an import runs only if a name of it is used": (
        "model",
        """
        - import os
        + import torch
        + from torch import nn, optim
        - from torch.utils.data import DataLoader
        + import torch.nn.functional as F
        + from math import prod as product
        - from math import prod
        + model = nn.Linear(product([2, 3]), F.x(torch))
        """,
    ),
    "several imports may bind one name": (
        "model",
        """
        + import torch
        + import torch.nn
        + model = torch.nn.Linear(2, 3)
        """,
    ),
    "a later import of the same name hides the earlier one": (
        "model",
        """
        - from a import nn
        + from torch import nn
        + model = nn.Linear(2, 3)
        """,
    ),
    "flags of the compiler always": (
        "model",
        """
        + from __future__ import annotations
        - from typing import Any
        + model = 1
        """,
    ),
    "a star import runs if a name is otherwise unbound": (
        "model",
        """
        + from torch.nn import *
        + model = Linear(2, 3)
        """,
    ),
    "and not if every name is bound": (
        "model",
        """
        - from torch.nn import *
        + from torch.nn import Linear
        + model = Linear(int(2), len([3]))
        """,
    ),
    "a star import for what a function reads": (
        "model",
        """
        + from torch.nn import *
        + def make():
        |     return Linear(2, 3)
        + model = make()
        - from os import *
        - x = make()
        """,
    ),
    "a training script": (
        "model",
        """
        - import argparse
        - import wandb
        + from torch import nn, optim
        - from torch.utils.data import DataLoader
        + class Gate(nn.Module):
        |     def __init__(self, width=12):
        |         super().__init__()
        |         self.body = nn.LazyLinear(width)
        + model = nn.Sequential(Gate(), nn.LazyLinear(2))
        - parser = argparse.ArgumentParser()
        - parser.add_argument("--data", required=True)
        - args = parser.parse_args()
        - wandb.init(project="demo")
        - with open("trained.log", "w") as log:
        |     log.write("never")
        - loader = DataLoader(args.data)
        - optimizer = optim.Adam(model.parameters())
        - for x, y in loader:
        |     loss = model(x) - y
        |     loss.backward()
        |     optimizer.step()
        """,
    ),
    "arguments that the model reads are needed, whatever then happens": (
        "model",
        """
        + import argparse
        - import sys
        + parser = argparse.ArgumentParser()
        + parser.add_argument("--width", type=int)
        + args = parser.parse_args()
        + model = Net(args.width)
        """,
    ),
    "calls on or with the model never count": (
        "model",
        """
        + model = Net()
        - model.train()
        - model(torch.zeros(1))
        - model.load_state_dict(load("a"))
        - model.apply(init)
        - init(model.weight)
        - x = model(data)
        - print(model)
        - assert model
        - y = model.parameters()
        """,
    ),
    "attributes and items of the entry": (
        "model",
        """
        + model = Net()
        + model.head = nn.LazyLinear(3)
        + model.blocks[0].norm = None
        + model["k"] = 3
        + model.rate += 1
        + model.a, b = 1, 2
        + del model.tail
        + del model[1]
        + setattr(model, "k", 3)
        - other.head = model
        - getattr(model, "k")
        """,
    ),
    "mutating methods": (
        "model",
        """
        + model = []
        + model.append(1)
        + model.extend([1])
        + model.insert(0, 1)
        + model.add(1)
        + model.add_module("a", 1)
        + model.update(a=1)
        + model.setdefault("a", 1)
        + model.register_buffer("a", 1)
        + model.register_module("a", 1)
        + model.layers[0].append(1)
        + model.append(1).append(2)
        + [model.append(i) for i in range(3)]
        + flag and model.append(1)
        + model.pop()
        - model.forward(1)
        - model.head.reset_parameters()
        - other.append(model)
        - fs = [lambda: model.append(1)]
        """,
    ),
    "layers from a loop": (
        "model",
        """
        + ws = [1, 2]
        - hidden = 3
        + layers = []
        + for w in ws:
        |     layers.append(nn.LazyLinear(w))
        - for w in ws:
        |     print(w)
        + model = nn.Sequential(*layers)
        """,
    ),
    "assignments of every kind": (
        "model",
        """
        + a: int = 1
        - z: int
        + b = c = 2
        + (d, [e, *f]) = g = range(5)
        + c += 1
        + with h() as i:
        |     pass
        + for j in range(3):
        |     pass
        + print(k := 3)
        + [l := x for x in "ab"]
        + match a:
        |     case [m, *n] | {"k": m, **n}:
        |         pass
        + try:
        |     o = 1
        | except ValueError:
        |     o = 2
        + while True:
        |     p = 1
        |     break
        - q = 1
        + model = (a, b, c, d, e, f, g, i, j, k, l, m, n, o, p)
        """,
    ),
    "an unpacked name brings the whole statement, nothing more": (
        "b",
        """
        + a, b = one(), two
        - c = a
        """,
    ),
    "only the last value counts": (
        "model",
        """
        - data = load()
        - width = data.shape
        - model = Net(width)
        + width = 8
        + model = Net(width)
        - width = 16
        """,
    ),
    "a value by the order: what follows the entry does not count": (
        "model",
        """
        + width = 8
        + model = Net(width)
        - width = load()
        - width += 1
        """,
    ),
    "what is read early is not rebound later": (
        "model",
        """
        + width = 8
        + part = Block(width)
        - width = load()
        + model = Net(part)
        """,
    ),
    "a conditional value does not replace the first": (
        "model",
        """
        + width = 8
        + if big:
        |     width = 16
        + model = Net(width)
        """,
    ),
    "a value from itself": (
        "model",
        """
        + model = Net()
        + model = model.to(device)
        - model.eval()
        """,
    ),
    "an object changed after it was given away": (
        "model",
        """
        + layers = []
        + body = Body(layers)
        + layers.append(1)
        + model = Net(body)
        - layers.append(2)
        """,
    ),
    "a new object under an old name is another one": (
        "model",
        """
        + layers = []
        + body = Body(layers)
        - layers = []
        - layers.append(1)
        + model = Net(body)
        """,
    ),
    "config objects": (
        "model",
        """
        + cfg = Config()
        + cfg.width = 3
        + cfg["k"] = 4
        + cfg.lr *= 2
        - cfg.show()
        + model = Net(cfg)
        - cfg.width = 5
        """,
    ),
    "definitions after the entry that called functions use": (
        "model",
        """
        + class Net:
        |     def forward(self, x):
        |         return helper(x)
        + model = Net()
        + from os import sep
        - from os import altsep
        + SIZE = 3
        + def helper(x, n=SIZE):
        |     return later(x)
        + class later:
        |     def f(self): return sep
        - def unused(x): return x
        - helper(3)
        - class Base: pass
        """,
    ),
    "data after the entry does not count, even if a method reads it": (
        "model",
        """
        + class Net:
        |     def fit(self):
        |         for x in loader: optimizer.step()
        + model = Net()
        - optimizer = Adam(model.parameters())
        - loader = load()
        """,
    ),
    "what a function reads may be bound after the function": (
        "model",
        """
        + def make():
        |     return Net(WIDTH)
        + WIDTH = 8
        + class Net: pass
        + model = make()
        """,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_runs(name: str) -> None:
    names, table = CASES[name]
    source, expected = read_table(table)
    assert lines_of(source, names.split()) == expected


def test_statements_come_in_order_and_are_nodes_of_the_tree() -> None:
    tree = ast.parse("a = 1\nb = 2\nc = b\nmodel = (c, a)\n")
    assert needed(tree, ["model"]) == tree.body


@pytest.mark.parametrize(
    ("line", "expected"),
    [(1, {1}), (2, {1}), (3, {3}), (4, {3, 4}), (None, {3, 4})],
)
def test_the_line_of_the_entry(line: int | None, expected: set[int]) -> None:
    source = "model = 1\nx = model\nmodel = []\nmodel.append(3)\n"
    assert lines_of(source, ["model"], line) == expected


def test_a_name_added_after_a_restart_has_its_own_last_binding() -> None:
    source = "class Net:\n    def f(self): return SCALE\nmodel = Net()\nwidth = 2\nSCALE = width\nother = 3\n"
    assert lines_of(source, ["model"]) == {1, 3}
    assert lines_of(source, ["model", "SCALE"]) == {1, 3, 4, 5}


def test_the_table_is_made_once_a_tree() -> None:
    tree = ast.parse("a = 1\n")
    assert facts(tree) is facts(tree)
    assert facts(ast.parse("a = 1\n")) is not facts(tree)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is new in Python 3.12")
def test_type_parameters() -> None:
    table = """
        + n = 1
        - T = 2
        + type Alias[T] = list[T] | n
        + class Net[T: n]:
        |     def f[U](self, x: T | Alias) -> U: return x
        - type Other = Net
        """
    source, expected = read_table(table)
    assert lines_of(source, ["Net"]) == expected
