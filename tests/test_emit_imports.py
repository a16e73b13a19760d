"""How a class is spelled, and what becomes of the imports."""

from __future__ import annotations

import ast
import textwrap

import black
import pytest

from lazygen.emit import emit
from lazygen.emit.positions import Positions
from lazygen.frontend.parse import parse
from lazygen.lift.plan import Plan, ReplaceName


def replaced(text: str, **names: str) -> str:
    """`text` with each reference to a key of `names` (a dotted name, `.` written `_dot_`) replaced by its value.

    A reference on a line that ends in `# keep` is not a part of the plan.
    """
    names = {key.replace("_dot_", "."): value for key, value in names.items()}
    positions = Positions(text)
    edits = []
    for node in ast.walk(parse(text, "model.py")):
        if not isinstance(node, (ast.Name, ast.Attribute)) or ast.unparse(node) not in names:
            continue
        if isinstance(node.ctx, ast.Load) and not positions.lines[node.lineno - 1].rstrip().endswith("# keep"):
            edits.append(ReplaceName(positions.span(node), "torch.nn", names[ast.unparse(node)]))
    assert edits
    return emit(text, Plan(tuple(edits)))


LINEAR = {"LazyLinear": "Linear"}

CASES: dict[str, tuple[dict[str, str], str, str]] = {
    "dotted, nothing to do": (
        {"nn.LazyLinear": "Linear"},
        "import torch.nn as nn\nx = nn.LazyLinear(2)",
        "import torch.nn as nn\nx = nn.Linear(2)",
    ),
    "torch.nn": (
        {"torch.nn.LazyLinear": "Linear"},
        "import torch\nx = torch.nn.LazyLinear(2)",
        "import torch\nx = torch.nn.Linear(2)",
    ),
    "the class's own module": (
        {"torch.nn.modules.linear.LazyLinear": "Linear"},
        "import torch.nn.modules.linear\nx = torch.nn.modules.linear.LazyLinear(2)",
        "import torch.nn.modules.linear\nx = torch.nn.modules.linear.Linear(2)",
    ),
    "bare": (
        LINEAR,
        "from torch.nn import LazyLinear, ReLU\nx = LazyLinear(2)",
        "from torch.nn import Linear, ReLU\nx = Linear(2)",
    ),
    "bare, from the class's own module": (
        LINEAR,
        "from torch.nn.modules.linear import LazyLinear\nx = LazyLinear(2)",
        "from torch.nn.modules.linear import Linear\nx = Linear(2)",
    ),
    "last of two": (
        LINEAR,
        "from torch.nn import ReLU, LazyLinear\nx = LazyLinear(2)",
        "from torch.nn import ReLU, Linear\nx = Linear(2)",
    ),
    "two names": (
        {"LazyLinear": "Linear", "LazyConv2d": "Conv2d"},
        "from torch.nn import LazyConv2d, LazyLinear\nx = LazyLinear(2), LazyConv2d(3, 4), LazyLinear(5)",
        "from torch.nn import Conv2d, Linear\nx = Linear(2), Conv2d(3, 4), Linear(5)",
    ),
    "plain already there": (
        LINEAR,
        "from torch.nn import LazyLinear, Linear\nx = LazyLinear(2)",
        "from torch.nn import Linear\nx = Linear(2)",
    ),
    "plain already there, before": (
        LINEAR,
        "from torch.nn import Linear, LazyLinear\nx = LazyLinear(2)",
        "from torch.nn import Linear\nx = Linear(2)",
    ),
    "plain imported under another name": (
        LINEAR,
        "from torch.nn import LazyLinear\nfrom torch.nn import Linear as Dense\nx = LazyLinear(2)",
        "from torch.nn import Linear as Dense\nx = Dense(2)",
    ),
    "another use stays": (
        LINEAR,
        "from torch.nn import LazyLinear, ReLU\nx = LazyLinear(2)\nisinstance(x, LazyLinear)  # keep",
        "from torch.nn import LazyLinear, Linear, ReLU\nx = Linear(2)\nisinstance(x, LazyLinear)  # keep",
    ),
    "named by __all__": (
        LINEAR,
        "from torch.nn import LazyLinear\n__all__ = ['LazyLinear']\nx = LazyLinear(2)",
        "from torch.nn import LazyLinear, Linear\n__all__ = ['LazyLinear']\nx = Linear(2)",
    ),
    "named by an annotation in quotes": (
        LINEAR,
        "from torch.nn import LazyLinear\nx: 'list[LazyLinear]' = [LazyLinear(2)]",
        "from torch.nn import LazyLinear, Linear\nx: 'list[LazyLinear]' = [Linear(2)]",
    ),
    "a docstring is no use": (
        LINEAR,
        "'''Uses LazyLinear.'''\nfrom torch.nn import LazyLinear\nx = LazyLinear(2)",
        "'''Uses LazyLinear.'''\nfrom torch.nn import Linear\nx = Linear(2)",
    ),
    "exported on purpose": (
        LINEAR,
        "from torch.nn import LazyLinear as LazyLinear\nx = LazyLinear(2)",
        "from torch.nn import LazyLinear as LazyLinear, Linear\nx = Linear(2)",
    ),
    "under another name": (
        {"LL": "Linear"},
        "from torch.nn import LazyLinear as LL, ReLU\nx = LL(2)",
        "from torch.nn import Linear, ReLU\nx = Linear(2)",
    ),
    "inside a function": (
        LINEAR,
        "def f():\n    from torch.nn import LazyLinear\n    return LazyLinear(2)",
        "def f():\n    from torch.nn import Linear\n    return Linear(2)",
    ),
    "inside two functions, one kept": (
        LINEAR,
        """\
        def f():
            from torch.nn import LazyLinear
            return LazyLinear(2)
        def g():
            from torch.nn import LazyLinear
            return LazyLinear(2)  # keep""",
        """\
        def f():
            from torch.nn import Linear
            return Linear(2)
        def g():
            from torch.nn import LazyLinear
            return LazyLinear(2)  # keep""",
    ),
    "star": (LINEAR, "from torch.nn import *\nx = LazyLinear(2)", "from torch.nn import *\nx = Linear(2)"),
    "star, but the name is taken": (
        LINEAR,
        "from torch.nn import *\nLinear = 1\nx = LazyLinear(2)",
        "from torch.nn import *\nfrom torch import nn\nLinear = 1\nx = nn.Linear(2)",
    ),
    "the name is taken": (
        LINEAR,
        "from torch.nn import LazyLinear\ndef Linear(): pass\nx = LazyLinear(2)",
        "from torch.nn import Linear as TorchLinear\ndef Linear(): pass\nx = TorchLinear(2)",
    ),
    "the alias is taken too": (
        LINEAR,
        "from torch.nn import LazyLinear\nLinear = TorchLinear = 1\nx = LazyLinear(2)",
        "from torch.nn import Linear as TorchLinear2\nLinear = TorchLinear = 1\nx = TorchLinear2(2)",
    ),
    "the name is taken, the file writes nn": (
        LINEAR,
        "from torch import nn\nfrom torch.nn import LazyLinear\nLinear = 1\nx = nn.ReLU(), LazyLinear(2)",
        "from torch import nn\nLinear = 1\nx = nn.ReLU(), nn.Linear(2)",
    ),
    "the name is taken, the file imports torch": (
        LINEAR,
        "import torch\nfrom torch.nn import LazyLinear\nLinear = 1\nx = LazyLinear(2), torch",
        "import torch\nLinear = 1\nx = torch.nn.Linear(2), torch",
    ),
    "taken by a parameter where it is used": (
        LINEAR,
        "from torch.nn import LazyLinear\ndef f(Linear): return LazyLinear(2)",
        "from torch.nn import Linear as TorchLinear\ndef f(Linear): return TorchLinear(2)",
    ),
    "taken in another function": (
        LINEAR,
        "from torch.nn import LazyLinear\ndef f(Linear): pass\nx = LazyLinear(2)",
        "from torch.nn import Linear\ndef f(Linear): pass\nx = Linear(2)",
    ),
    "taken through a star of another module": (
        LINEAR,
        "from own import *\nfrom torch.nn import LazyLinear\nx = LazyLinear(2), Linear(3)  # both",
        "from own import *\nfrom torch.nn import Linear as TorchLinear\nx = TorchLinear(2), Linear(3)  # both",
    ),
    "an import that was unused before stays": (
        LINEAR,
        "import os\nfrom torch.nn import GELU, LazyLinear\nx = LazyLinear(2)",
        "import os\nfrom torch.nn import GELU, Linear\nx = Linear(2)",
    ),
    "bound in other ways too": (
        LINEAR,
        "try:\n    from torch.nn import LazyLinear\nexcept ImportError:\n    LazyLinear = None\nx = LazyLinear(2)",
        "from torch import nn\n\ntry:\n    from torch.nn import LazyLinear\nexcept ImportError:\n"
        "    LazyLinear = None\nx = nn.Linear(2)",
    ),
    "a walrus in a comprehension does not hide it": (
        LINEAR,
        "from torch.nn import LazyLinear\nx = [LazyLinear(y) for n in range(3) if (y := n)]",
        "from torch.nn import Linear\nx = [Linear(y) for n in range(3) if (y := n)]",
    ),
    "layers of another package": (
        {"L.Linear": "Linear"},
        "import torch\nimport torchx.layers as L\n\n# ten ways\nx = L.Linear(2)\ny = L.Linear(torch.e)",
        "import torch\nfrom torch import nn\n\n# ten ways\nx = nn.Linear(2)\ny = nn.Linear(torch.e)",
    ),
    "layers of another package, some stay": (
        {"L.Linear": "Linear"},
        "import torchx.layers as L\nx = L.Linear(2), L.Other()",
        "import torchx.layers as L\nfrom torch import nn\nx = nn.Linear(2), L.Other()",
    ),
    "layers of another package, torch comes later": (
        {"L.Linear": "Linear"},
        "# about\nimport torchx.layers as L\n\nx = L.Linear(2)\nimport torch",
        "# about\nfrom torch import nn\n\nx = nn.Linear(2)\nimport torch",
    ),
    "layers of another package, the file writes bare names": (
        {"L.Linear": "Linear"},
        "import torchx.layers as L\nfrom torch.nn import GELU, ReLU\nx = L.Linear(2), GELU(), ReLU()",
        "from torch.nn import GELU, Linear, ReLU\nx = Linear(2), GELU(), ReLU()",
    ),
    "layers of another package, the file writes torch.nn": (
        {"L.Linear": "Linear"},
        "import torch\nimport torchx.layers as L\nx = L.Linear(2), torch.nn.ReLU()",
        "import torch\nx = torch.nn.Linear(2), torch.nn.ReLU()",
    ),
    "nn is taken": (
        {"L.Linear": "Linear"},
        "import torchx.layers as L\nnn = 1\nx = L.Linear(2)",
        "from torch.nn import Linear as TorchLinear\nnn = 1\nx = TorchLinear(2)",
    ),
    "one of several on a line": (
        {"L.Linear": "Linear"},
        "import os, torchx.layers as L; import torch\nfrom torch import nn\nx = L.Linear(2)",
        "import os; import torch\nfrom torch import nn\nx = nn.Linear(2)",
    ),
    "the last statement of a line": (
        {"L.Linear": "Linear"},
        "from torch import nn; import torchx.layers as L\nx = L.Linear(2)",
        "from torch import nn\nx = nn.Linear(2)",
    ),
    "the only statement of a block": (
        {"L.Linear": "Linear"},
        "from torch import nn\nif 1:\n    # lazy\n    import torchx.layers as L\nx = L.Linear(2)",
        "from torch import nn\nif 1:\n    # lazy\n    pass\nx = nn.Linear(2)",
    ),
    "the only statement behind a colon": (
        {"L.Linear": "Linear"},
        "from torch import nn\nif 1: import torchx.layers as L\nx = L.Linear(2)",
        "from torch import nn\nif 1: pass\nx = nn.Linear(2)",
    ),
    "comments above an import stay": (
        {"L.Linear": "Linear"},
        "import os\n\n# lazy ones\nimport torchx.layers as L  # gone\n\nfrom torch import nn\nx = L.Linear(2)",
        "import os\n\n# lazy ones\n\nfrom torch import nn\nx = nn.Linear(2)",
    ),
    "empty lines around an import": (
        {"L.Linear": "Linear"},
        "from torch import nn\n\nimport torchx.layers as L\n\n\nclass A: x = L.Linear(2)",
        "from torch import nn\n\n\nclass A: x = nn.Linear(2)",
    ),
    "below a docstring": (
        {"x.Linear": "Linear"},
        "'''Doc.'''\ndef f():\n    import own as x\n    return x.Linear(2), x",
        "'''Doc.'''\n\nfrom torch import nn\n\n\ndef f():\n    import own as x\n    return nn.Linear(2), x",
    ),
    "above everything": (
        {"x.Linear": "Linear"},
        "#!/usr/bin/python\ndef f():\n    import own as x\n    return x.Linear(2), x",
        "#!/usr/bin/python\nfrom torch import nn\n\n\ndef f():\n    import own as x\n    return nn.Linear(2), x",
    ),
    "below __future__": (
        {"x.Linear": "Linear"},
        "from __future__ import annotations\ndef f():\n    import own as x\n    return x.Linear(2), x",
        "from __future__ import annotations\nfrom torch import nn\ndef f():\n    import own as x\n"
        "    return nn.Linear(2), x",
    ),
    "a prefix that is no import keeps its meaning": (
        {"x.LazyLinear": "Linear"},
        "import own\nx = own.pick()\ny = x.LazyLinear(2)",
        "import own\nx = own.pick()\ny = x.Linear(2)",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_spelling_and_imports(name: str) -> None:
    names, before, after = CASES[name]
    before, after = textwrap.dedent(before) + "\n", textwrap.dedent(after) + "\n"
    assert replaced(before, **{key.replace(".", "_dot_"): value for key, value in names.items()}) == after


PARENTHESISED = [
    ("LazyLinear,  # lazy\n    ReLU,  # plain", "Linear,  # lazy\n    ReLU,  # plain"),
    ("ReLU,  # plain\n    LazyLinear,  # lazy", "ReLU,  # plain\n    Linear,  # lazy"),
    ("LazyLinear,  # lazy\n    # next\n    Linear,", "# next\n    Linear,"),
    ("Linear,  # plain\n    LazyLinear,  # lazy", "Linear,  # plain"),
    ("Linear,  # plain\n    LazyLinear", "Linear,  # plain"),
    ("# first\n    LazyLinear as LazyLinear,", "# first\n    LazyLinear as LazyLinear,\n    Linear,"),
]


@pytest.mark.parametrize(("before", "after"), PARENTHESISED)
def test_names_in_brackets(before: str, after: str) -> None:
    text = "from torch.nn import (\n    {}\n)\nx  = {}(2)\n"
    assert replaced(text.format(before, "LazyLinear"), **LINEAR) == text.format(after, "Linear")


def test_an_emptied_function_start_is_clean() -> None:
    text = "from torch import nn\n\n\ndef f():\n    import own as L\n\n    return L.Linear(2)\n"
    result = replaced(text, L_dot_Linear="Linear")
    assert result == "from torch import nn\n\n\ndef f():\n    return nn.Linear(2)\n"
    assert black.format_str(result, mode=black.Mode()) == result


def test_removed_imports_leave_clean_files_clean() -> None:
    for names, before, _ in CASES.values():
        clean = black.format_str(textwrap.dedent(before), mode=black.Mode())
        result = replaced(clean, **{key.replace(".", "_dot_"): value for key, value in names.items()})
        assert black.format_str(result, mode=black.Mode()) == result


def test_line_ends_of_new_imports() -> None:
    text = "import torchx.layers as L\r\n\r\nx = L.Linear(2)\r\n"
    assert replaced(text, L_dot_Linear="Linear") == "from torch import nn\r\n\r\nx = nn.Linear(2)\r\n"
