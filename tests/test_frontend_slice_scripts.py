"""Which statements run for an entry: `__main__` blocks, registries, search paths, command lines, training loops."""

from __future__ import annotations

import pytest
from slicing import lines_of, read_table

CASES: dict[str, tuple[str, str]] = {
    "the main block": (
        "model",
        """
        - if __name__ == "__main__":
        |     model = Other()
        - if "__main__" == __name__:
        |     model = Other()
        - if __name__ == "__main__" and flag:
        |     model = Other()
        - if __name__ == "__main__" or flag:
        |     model = Other()
        - if not __name__ != "__main__":
        |     model = Other()
        - if __name__ in ("__main__", "__mp_main__"):
        |     model = Other()
        + model = Net()
        - if __name__ == "__main__":
        |     model.head = 3
        """,
    ),
    "its else branch runs": (
        "model",
        """
        - if __name__ == "__main__":
        |     model = Other()
        | else:
        +     width = 8
        - print(width)
        + model = Net(width)
        """,
    ),
    "an elif beside it": (
        "model",
        """
        - if __name__ == "__main__":
        |     model = Other()
        + elif flag:
        |     width = 3
        | else:
        |     width = 8
        + model = Net(width)
        """,
    ),
    "the body of the opposite question runs": (
        "model",
        """
        - if __name__ != "__main__":
        +     width = 3
        | else:
        |     width = load()
        + model = Net(width)
        """,
    ),
    "a main block inside another statement binds nothing": (
        "model",
        """
        + model = Net()
        - try:
        |     if __name__ == "__main__": model = Other()
        | finally:
        |     pass
        """,
    ),
    "another question about the name is an ordinary if": (
        "model",
        """
        + if __name__ == "demo":
        |     model = Net()
        """,
    ),
    "a decorator of the file that fills a needed name": (
        "build",
        """
        + REGISTRY = {}
        - OTHER = {}
        + def register(name):
        |     def add(c):
        |         REGISTRY[name] = c
        |         return c
        |     return add
        - def other(c):
        |     OTHER["x"] = c
        |     return c
        + @register("net")
        | class Net: pass
        - @other
        | class Second: pass
        + def build(name): return REGISTRY[name]()
        + @register("late")
        | class Late: pass
        """,
    ),
    "a decorator that fills by way of another function": (
        "build",
        """
        + NETS = []
        + def keep(c): NETS.append(c)
        + def register(c):
        |     keep(c)
        |     return c
        + @register
        | class Net: pass
        + def build(): return NETS[0]()
        """,
    ),
    "a decorator that is an attribute of a needed name": (
        "build",
        """
        + from registry import MODELS, HEADS
        + @MODELS.register
        | class A: pass
        + @MODELS.register_module(name="b")
        | class B: pass
        - @HEADS.register
        | class C: pass
        + def build(): return MODELS.get("b")()
        """,
    ),
    "an object of the file": (
        "nets",
        """
        + class Nets:
        |     def __call__(self, c): return c
        + nets = Nets()
        + @nets.keep("a")
        | def a(): pass
        + @nets
        | def b(): pass
        """,
    ),
    "decorators that fill nothing": (
        "model",
        """
        + import torch
        + from functools import cache
        + def plain(f): return f
        + @plain
        | def make(): return torch.nn.Linear(2, 3)
        - @plain
        | def other(): return loader
        - @torch.no_grad()
        | def evaluate(): return loader
        - @cache
        | def load(): return loader
        + @cache
        | def width(): return 3
        + model = make(width())
        """,
    ),
    "subclasses that a base keeps a list of": (
        "model",
        """
        + class Base:
        |     kept = {}
        |     def __init_subclass__(cls): Base.kept[cls.__name__] = cls
        - class Other: pass
        + class Net(Base): pass
        + class Deep(Net): pass
        - class Far(Other): pass
        + model = Base.kept["Deep"]()
        """,
    ),
    "single dispatch": (
        "model",
        """
        + from functools import singledispatch
        + @singledispatch
        | def make(x): pass
        + @make.register
        | def _(x: int): return Net(x)
        + class Net: pass
        + model = make(3)
        """,
    ),
    "a called function that declares the name global": (
        "model",
        """
        + def setup():
        |     global model
        |     model = Net()
        + def outer(): setup()
        - def unrelated():
        |     global other
        |     other = 1
        - unrelated()
        + outer()
        - setup
        + class Net: pass
        """,
    ),
    "a called function that fills without global is another call": (
        "model",
        """
        + model = []
        - def train(): model.append(1)
        - train()
        """,
    ),
    "a function named like a mutating method": (
        "NETS",
        """
        + NETS = {}
        + def register(name, c): NETS[name] = c
        + class Net: pass
        + register("net", Net)
        """,
    ),
    "changes to the search path and the environment always": (
        "model",
        """
        + import os
        + import sys
        - import json
        + from pathlib import Path
        + ROOT = Path(__file__).parent
        + sys.path.append(str(ROOT))
        + sys.path.insert(0, "..")
        + sys.path[0:0] = ["x"]
        + sys.path += ["y"]
        + os.environ["A"] = "1"
        + os.environ.setdefault("B", "2")
        + os.environ.update(C="3")
        + if "z" not in sys.path:
        |     sys.path.append("z")
        - os.makedirs("x")
        - print(os.environ["A"], sys.path)
        + model = 1
        + os.environ["D"] = "4"
        - def f(): sys.path.append("w")
        """,
    ),
    "under other names": (
        "model",
        """
        + from os import environ as env
        + from sys import path
        + import sys as s
        + env["A"] = "1"
        + path.append("x")
        + s.path.append("y")
        - other.path.append("z")
        + model = 1
        """,
    ),
    "an environment that hangs on the command line": (
        "model",
        """
        - import os, sys
        - import argparse
        - args = argparse.ArgumentParser().parse_args()
        - os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu
        - sys.path.append(sys.argv[1])
        + model = 1
        """,
    ),
    "groups of arguments": (
        "model",
        """
        + parser = make_parser()
        - other = make_parser()
        + group = parser.add_argument_group("g")
        + group.add_argument("--width", default=8)
        - second = other.add_argument_group("g")
        - second.add_argument("--depth")
        + parser.set_defaults(width=9)
        + args = parser.parse_args()
        - args.show()
        + model = Net(args.width)
        """,
    ),
    "unless the model needs the command line too": (
        "model",
        """
        + import os
        + import argparse
        + args = argparse.ArgumentParser().parse_args()
        + os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu
        + model = Net(args.width)
        """,
    ),
    "a training loop that changes the model is still one": (
        "model",
        """
        + model = Net()
        - for x in loader:
        |     model(x).backward()
        |     model.steps += 1
        """,
    ),
    "a search over models makes one": (
        "model",
        """
        + for width in [1, 2]:
        |     model = Net(width)
        |     model(x).backward()
        """,
    ),
    "a deleted entry": (
        "model",
        """
        + model = Net()
        - train(model)
        - del model
        """,
    ),
    "several names": (
        "Net cfg",
        """
        + class Net: pass
        + cfg = Config()
        - x = 1
        + cfg.width = 3
        - cfg.show()
        """,
    ),
    "a name that is missing": ("model", "- import torch\n        - x = 1"),
    "the docstring of the file": ("model", '+ """Words."""\n        + model = __doc__\n        - "more"'),
    "no docstring without a reader": ("model", '- """Words."""\n        + model = 1'),
    "async and awaits": (
        "make",
        """
        + n = 1
        - x = 2
        + async def make(x):
        |     async with n as x: return [y async for y in x]
        """,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_runs(name: str) -> None:
    names, table = CASES[name]
    source, expected = read_table(table)
    assert lines_of(source, names.split()) == expected
