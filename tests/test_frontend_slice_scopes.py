"""Which statements run for an entry: names in functions, classes, comprehensions and compound statements."""

from __future__ import annotations

import pytest
from slicing import lines_of, read_table

CASES: dict[str, tuple[str, str]] = {
    "parameters and locals are no names of the module": (
        "model",
        """
        - width = 1
        - x = 2
        - i = 3
        - inner = 4
        - error = 5
        - star = rest = 6
        + def make(width, *star, **rest):
        |     x = width
        |     for i in star: x += i
        |     def inner(): return x
        |     try: pass
        |     except ValueError as error: print(error)
        |     return inner(), rest, i
        + model = make(3)
        """,
    ),
    "globals of functions, at any depth": (
        "model",
        """
        + a = 1
        + b = 2
        + c = 3
        + d = 4
        - e = 5
        + def make(e):
        |     global a
        |     def inner(x=b):
        |         return lambda y: c + y + e
        |     class Local:
        |         z = d
        |     return a
        + model = make(3)
        """,
    ),
    "a class body lends its names to nobody": (
        "model",
        """
        + width = 8
        - depth = 2
        + class Net:
        |     width = 4
        |     depth = 3
        |     twice = depth * 2
        |     def f(self): return width
        + model = Net()
        """,
    ),
    "a class body reads what it has not bound yet": (
        "model",
        """
        + width = 8
        + class Net:
        |     width = width
        + model = Net()
        """,
    ),
    "comprehensions": (
        "model",
        """
        + xs = [1]
        + n = 2
        - x = 3
        - y = 4
        + class Net:
        |     z = [x * n for x in xs]
        + model = [Net() for x in xs for y in range(x) if y]
        """,
    ),
    "lambdas": (
        "model",
        """
        + k = 1
        + n = 2
        - x = 3
        + f = lambda x, y=k: x + n
        + model = f(1)
        """,
    ),
    "nonlocal": (
        "model",
        """
        - count = 1
        + def make():
        |     count = 0
        |     def inner():
        |         nonlocal count
        |         count += 1
        |     return inner
        + model = make()
        """,
    ),
    "what a class needs": (
        "Net",
        """
        + class Base: pass
        + class Meta(type): pass
        + def mark(c): return c
        + DEFAULT = 3
        + KIND = int
        + BODY = 5
        + USED = 6
        - UNUSED = 7
        + @mark
        | class Net(Base, metaclass=Meta):
        |     body = BODY
        |     def f(self, x: KIND = DEFAULT): return USED
        """,
    ),
    "annotations count if they are evaluated": (
        "make",
        """
        + from typing import Any
        + from typing import List
        - from typing import Set
        + x: List = []
        + def make(a: Any) -> None:
        |     b: Set = x
        """,
    ),
    "annotations do not count if they are not": (
        "Net",
        """
        + from __future__ import annotations
        - from typing import Any
        - from typing import List
        + class Net:
        |     x: List
        |     def make(self, a: Any) -> Any: pass
        """,
    ),
    "text in annotations is no name": (
        "make",
        """
        - from typing import Any
        + def make(a: "Any"): pass
        """,
    ),
    "if TYPE_CHECKING": (
        "make",
        """
        + from typing import TYPE_CHECKING
        + if TYPE_CHECKING:
        |     from a import A
        | else:
        |     A = int
        - if TYPE_CHECKING:
        |     from a import B
        + def make(x: A, y: "B"): pass
        """,
    ),
    "an import with a fallback": (
        "model",
        """
        + try:
        |     from fast import Linear
        | except ImportError:
        |     from torch.nn import Linear
        - try:
        |     import wandb
        | except ImportError:
        |     wandb = None
        + model = Linear(2, 3)
        """,
    ),
    "an import with a fallback after the entry": (
        "model",
        """
        + def make(): return f(1)
        + model = make()
        + try:
        |     from fast import f
        | except ImportError:
        |     f = None
        """,
    ),
    "a compound statement counts as a whole, with all it reads": (
        "model",
        """
        + a = 1
        + b = 2
        - c = 3
        + if a:
        |     print(b)
        |     width = 1
        - if c:
        |     print(b)
        + model = width
        """,
    ),
    "what a compound statement binds itself is not read from before": (
        "model",
        """
        - for i in load(): train(i)
        - t = 3
        + layers = []
        + for i in range(3):
        |     t = i
        |     layers.append(t)
        + model = layers
        """,
    ),
    "bound in one arm only is read from before": (
        "model",
        """
        + t = 3
        - u = 4
        + if flag:
        |     t = u = 1
        | else:
        |     u = 2
        + model = t
        """,
    ),
    "both arms of an if, and a try with its handlers": (
        "model",
        """
        - t = 3
        - u = 4
        + with scope():
        |     if flag: t = 1
        |     else: t = 2
        |     try: u = t
        |     except ValueError: raise
        |     model = t, u
        """,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_runs(name: str) -> None:
    names, table = CASES[name]
    source, expected = read_table(table)
    assert lines_of(source, names.split()) == expected
