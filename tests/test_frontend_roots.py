"""Which models of a file are converted without an entry, and which are proposed."""

from __future__ import annotations

import ast

import pytest

from lazygen.frontend.roots import explain, factories, find, no_roots

HEAD = "import torch\nfrom torch import nn\n"
NET = """
class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.head = nn.LazyLinear(width)

    def forward(self, x):
        return self.head(x)
"""


def constructor(parameters: str, head: str = "nn.Module", more: str = "") -> str:
    return (
        f"class A({head}):\n    def __init__(self{parameters}):\n        self.l = nn.LazyLinear(3)\n{more}"
        "    def forward(self, x): return self.l(x)\n"
    )


# A source, and the roots in the order of the file.
ROOTS: dict[str, tuple[str, str]] = {
    "a variable": ("model = nn.Sequential(nn.LazyLinear(3))", "model"),
    "two variables": ("a = nn.LazyLinear(3)\nb = nn.Sequential(nn.LazyLinear(3))", "a b"),
    "without lazy layers": ("model = nn.Sequential(nn.Linear(2, 3))", ""),
    "a plain layer beside a lazy one": ("model = nn.LazyLinear(3)\nloss = nn.MSELoss()", "model"),
    "in one statement with a lazy one": (
        "with scope():\n    model = nn.LazyLinear(3)\n    loss = nn.MSELoss()",
        "model",
    ),
    "annotated": ("model: nn.Module = nn.LazyLinear(3)", "model"),
    "in a conditional": ("if big:\n    model = nn.LazyLinear(3)\nelse:\n    model = nn.LazyLinear(4)", "model"),
    "chosen": ("model = nn.LazyLinear(3) if big else None", "model"),
    "unpacked": ("a, (b, n) = nn.LazyLinear(3), (nn.LazyLinear(4), 3)", "a b"),
    "moved": ("model = nn.LazyLinear(3).to('cpu').eval()", "model"),
    "moved later": ("model = nn.LazyLinear(3)\nmodel = model.to('cpu')", "model"),
    "wrapped at once": ("model = torch.compile(nn.LazyLinear(3))", "model"),
    "wrapped later": ("model = nn.LazyLinear(3)\nfast = torch.compile(model)\nddp = nn.DataParallel(model)", "model"),
    "copied": ("import copy\nmodel = nn.LazyLinear(3)\nema = copy.deepcopy(model)", "model"),
    "an alias": ("model = nn.LazyLinear(3)\nsame = model", "model"),
    "under main": ("if __name__ == '__main__':\n    model = nn.LazyLinear(3)", ""),
    "beside main": ("if __name__ == '__main__':\n    pass\nelse:\n    model = nn.LazyLinear(3)", "model"),
    "in a function": ("def f():\n    model = nn.LazyLinear(3)\n    return 3", ""),
    "a list of layers is a part": ("layers = [nn.LazyLinear(3)]\nmodel = nn.Sequential(*layers)", "model"),
    "a list of layers alone": ("layers = [nn.LazyLinear(3)]\nnames = {'a': nn.LazyLinear(3)}", ""),
    "built in a loop": (
        "layers = []\nfor w in (3, 4):\n    layers.append(nn.LazyLinear(w))\nmodel = nn.Sequential(*layers)",
        "model",
    ),
    "a head of its own": ("model = unknown.resnet()\nmodel.fc = nn.LazyLinear(3)", "model"),
    "a backbone is a part": ("back = nn.Sequential(nn.LazyLinear(3))\nmodel = nn.Sequential(back, nn.ReLU())", "model"),
    "a result": ("model = nn.LazyLinear(3)\ny = model(x)\nz = y.sum()\nw = nn.LazyLinear(3)(x)", "model"),
    "parameters": (
        "model = nn.LazyLinear(3)\nps = model.parameters()\nqs = list(nn.LazyLinear(3).parameters())",
        "model",
    ),
    "an optimizer and a trainer": (
        "model = nn.LazyLinear(3)\noptimizer = torch.optim.Adam(model.parameters())\nt = Trainer(model)\nr = t.fit()",
        "model",
    ),
    "a partial call": ("from functools import partial\nlayer = partial(nn.LazyLinear, 3)\nmodel = layer()", "model"),
    "an alias of a class": ("Dense = nn.LazyLinear\nmodel = nn.Sequential(Dense(3))", "model"),
    "a class": (NET, "Net"),
    "an instance, and its class is a part": (f"{NET}model = Net()", "model"),
    "an instance in main only": (f"{NET}if __name__ == '__main__':\n    model = Net()", "Net"),
    "an instance in a function that nobody calls": (f"{NET}def main():\n    model = Net()", "Net"),
    "built by a method of the class": (f"{NET}model = Net.small()", "model"),
    "a class without lazy layers": ("class A(nn.Module):\n    def forward(self, x): return x", ""),
    "a class that only asks": (
        "class A(nn.Module):\n    def forward(self, x: nn.LazyLinear): return isinstance(x, nn.LazyLinear)",
        "",
    ),
    "a class that only compares": (
        "class A(nn.Module):\n    def forward(self, x): return type(x) == nn.LazyLinear",
        "",
    ),
    "a class that is no module": ("class A:\n    def __init__(self): self.l = nn.LazyLinear(3)", ""),
    "a foreign base with a forward": (
        "class A(pl.Module):\n    def __init__(self): self.l = nn.LazyLinear(3)\n    def forward(self, x): return x",
        "A",
    ),
    "a foreign base without one": ("class A(pl.DataModule):\n    def __init__(self): self.l = nn.LazyLinear(3)", ""),
    "a sequential": ("class A(nn.Sequential):\n    def __init__(self): super().__init__(nn.LazyLinear(3))", "A"),
    "a bare module": ("class A(nn.Module):\n    def __init__(self): self.l = nn.LazyLinear(3)", "A"),
    "a bare module that others extend": (
        "class A(nn.Module):\n    def __init__(self): self.l = nn.LazyLinear(3)\n"
        "class B(A):\n    def forward(self, x): return self.l(x)",
        "B",
    ),
    "a forward that only raises": (
        "class A(nn.Module):\n    def __init__(self): self.l = nn.LazyLinear(3)\n"
        "    def forward(self, x):\n        '''Words.'''\n        raise NotImplementedError",
        "",
    ),
    "lazy by a base": (f"{NET}class Wide(Net):\n    pass", "Net Wide"),
    "by a function": (
        "def block(): return nn.LazyLinear(3)\nclass A(nn.Module):\n    def __init__(self): self.l = block()\n"
        "    def forward(self, x): return self.l(x)",
        "A",
    ),
    "parts of a base": (
        f"{NET}class Base(nn.Module):\n    def __init__(self): self.l = Net()\n"
        "class A(Base):\n    def forward(self, x): return self.l(x)",
        "A",
    ),
    "a base that is called by name is a base still": (
        f"{NET}class Wide(Net):\n    def __init__(self):\n        Net.__init__(self, 3)",
        "Net Wide",
    ),
    "a part by way of a dict": (
        f"{NET}NETS = {{'a': Net}}\nclass A(nn.Module):\n    def __init__(self): self.l = NETS['a']()\n"
        "    def forward(self, x): return self.l(x)",
        "A",
    ),
    "an annotation makes no part": (
        f"{NET}class A(nn.Module):\n    def __init__(self): self.l = nn.LazyLinear(3)\n"
        "    def forward(self, x, net: Net): return self.l(x)",
        "Net A",
    ),
    "a part of a class that needs arguments": (
        f"{NET}class A(nn.Module):\n    def __init__(self, n): self.l = Net()\n    def forward(self, x): return x",
        "",
    ),
    "two that make each other": (
        "class A(nn.Module):\n    def __init__(self): self.l = nn.LazyLinear(3)\n"
        "    def forward(self, x): return B()(x)\n"
        "class B(nn.Module):\n    def __init__(self): self.l = A()\n    def forward(self, x): return x",
        "A",
    ),
    "one that makes itself": (
        "class A(nn.Module):\n    def __init__(self, n=3): self.l = A(n - 1) if n else nn.LazyLinear(3)\n"
        "    def forward(self, x): return self.l(x)",
        "A",
    ),
    "a variable in a class": (
        "back = nn.LazyLinear(3)\nclass A(nn.Module):\n    def __init__(self): self.l = back\n"
        "    def forward(self, x): return self.l(x)",
        "A",
    ),
    "an own lazy layer": ("class Own(nn.LazyLinear):\n    pass\nmodel = nn.Sequential(Own(3))", "model"),
    "an own lazy layer alone": ("class Own(nn.LazyLinear):\n    pass", ""),
    "abstract": (
        "import abc\nclass A(nn.Module, abc.ABC):\n    def __init__(self): self.l = nn.LazyLinear(3)\n"
        "    @abc.abstractmethod\n    def width(self): ...\n    def forward(self, x): return self.l(x)\n"
        "class B(A):\n    def width(self): return 3\nclass C(A):\n    pass",
        "B",
    ),
    "a function is no root": ("def make():\n    return nn.LazyLinear(3)", ""),
    "a function's result": ("def make():\n    net = nn.LazyLinear(3)\n    return net\nmodel = make()", "model"),
    "one of several results": (
        "def make():\n    return nn.LazyLinear(3), 7, [nn.LazyLinear(2)]\nmodel, n, layers = make()",
        "model",
    ),
    "a function that trains": (
        "model = nn.LazyLinear(3)\ndef train(m):\n    return m(3)\nhistory = train(model)",
        "model",
    ),
    "a function that makes what it is given": (
        "def make(kind):\n    return kind(3)\nmodel = make(nn.LazyLinear)",
        "model",
    ),
    "a registry": ("NETS = {'a': nn.LazyLinear}\nmodel = NETS['a'](3)", "model"),
    "one with arguments": ("class A(nn.Module):\n    def __init__(self, n): self.l = nn.LazyLinear(n)", ""),
}


@pytest.mark.parametrize("name", ROOTS)
def test_roots(name: str) -> None:
    source, expected = ROOTS[name]
    assert [root.name for root in find(ast.parse(HEAD + source))] == expected.split()


def test_kind_and_place() -> None:
    source = f"from torch import nn\nif True:\n    model = nn.LazyLinear(3)\n{NET}"
    assert [(root.name, root.kind, root.line, root.column) for root in find(ast.parse(source))] == [
        ("model", "variable", 3, 4),
        ("Net", "class", 5, 0),
    ]


def test_names_from_other_files() -> None:
    tree = ast.parse(f"{HEAD}from blocks import Block\nmodel = nn.Sequential(Block())")
    assert find(tree) == []
    assert [root.name for root in find(tree, foreign={"Block"})] == ["model"]


def test_parts_are_not_rejected() -> None:
    block = constructor(", width").replace("class A", "class Block")
    source = (
        HEAD
        + block
        + "class Net(nn.Module):\n    def __init__(self): self.b = Block(8)\n    def forward(self, x): return x"
    )
    assert explain(ast.parse(source)) == []
    assert [item.name for item in explain(ast.parse(HEAD + block))] == ["Block"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def make(width, n=3):\n    return nn.LazyLinear(width)", "make(8)"),
        ("def make():\n    net = nn.Sequential()\n    net.append(nn.LazyLinear(3))\n    return net", "make()"),
        ("def block(): return nn.LazyLinear(3)\ndef make(): return nn.Sequential(block())", "make()"),
        ("def make(): return nn.LazyLinear(3)\nmodel = make()", ""),
        ("def make(): return nn.Linear(2, 3)", ""),
        ("def make(): return [nn.LazyLinear(3)]", ""),
        ("def init(m):\n    if isinstance(m, nn.LazyLinear): return nn.Linear(2, 3)", ""),
        ("def f(x):\n    def inner(): return nn.LazyLinear(3)\n    return x", ""),
    ],
)
def test_functions_that_are_proposed(source: str, expected: str) -> None:
    assert " ".join(item.proposal for item in factories(ast.parse(HEAD + source))) == expected


@pytest.mark.parametrize(
    ("source", "problem", "notes", "helps"),
    [
        (
            constructor(", width, depth"),
            "no model of this file can be built without arguments",
            ["A needs width and depth"],
            ["say which model to build: --entry 'A(8, 2)'"],
        ),
        (
            "def make(): return nn.LazyLinear(3)",
            "this file binds no model at module level, but has functions that build one",
            ["make builds one"],
            ["say which model to build: --entry 'make()'"],
        ),
        ("x = [nn.LazyLinear(3)]", "this file has lazy layers, but no model that holds them", [], []),
        ("x = nn.Linear(2, 3)", "this file has no lazy layers", [], []),
    ],
)
def test_no_roots(source: str, problem: str, notes: list[str], helps: list[str]) -> None:
    diagnostic = no_roots(ast.parse(HEAD + source), "a.py")
    assert (diagnostic.message, [note.message for note in diagnostic.notes]) == (problem, notes)
    assert list(diagnostic.helps) == helps


def test_long_chains_are_no_trouble() -> None:
    source = HEAD + "model = nn.Sequential()" + ".append(nn.LazyLinear(3))" * 900
    try:
        tree = ast.parse(source)
    except (RecursionError, MemoryError):
        pytest.skip("this Python does not parse it")
    assert [root.name for root in find(tree)] == ["model"]


def test_many_classes_that_use_each_other() -> None:
    block = (
        "class Net{0}(nn.Module):\n    def __init__(self):\n        self.a = Net{1}() if {0} else nn.LazyLinear(3)\n"
    )
    source = HEAD + "".join(block.format(number, max(number - 1, 0)) for number in range(800))
    assert [root.name for root in find(ast.parse(source))] == ["Net799"]
