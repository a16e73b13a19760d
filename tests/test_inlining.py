"""Definitions with lazy layers that a file imports from the project's other modules: `lift/inlining.py`."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from lazygen import convert_source
from lazygen.pipeline import Conversion

BLOCKS = """\
import torch.nn.functional as F
from torch import nn

WIDER = 2
SHIFT = 5


# widens what comes in
class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.LazyLinear(WIDER * width)

    def forward(self, x):
        return F.relu(self.fc(x))


class Plain(nn.Module):
    def forward(self, x):
        return x + SHIFT
"""
WRITTEN = """\
# widens what comes in
class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(3, WIDER * width)

    def forward(self, x):
        return F.relu(self.fc(x))
"""
NET = "net = nn.Sequential({})\n"


def project(folder: Path, **files: str) -> None:
    """Write modules; `pkg__blocks` is pkg/blocks.py, and `pkg` is a package."""
    for name, text in {"blocks": BLOCKS, **files}.items():
        path = folder.joinpath(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.parent != folder:
            (path.parent / "__init__.py").touch()
        path.write_text(textwrap.dedent(text), encoding="utf-8")


def convert(folder: Path, imports: str, layers: str, at: str = "model.py") -> Conversion:
    source = f"from torch import nn\n{imports}\n\n{NET.format(layers)}"
    return convert_source(source, input_shape="4,3", path=str(folder / at))


def output(folder: Path, imports: str, layers: str, at: str = "model.py") -> str:
    conversion = convert(folder, imports, layers, at)
    assert conversion.code is not None, conversion.diagnostics
    return conversion.code


def imports_of(code: str) -> list[str]:
    return [ast.unparse(s) for s in ast.parse(code).body if isinstance(s, (ast.Import, ast.ImportFrom))]


def test_a_class_is_written_with_its_comment_and_what_it_needs_and_no_more(tmp_path: Path) -> None:
    project(tmp_path)
    code = output(tmp_path, "from blocks import Block", "Block(4)")
    head = "from torch import nn\nimport torch.nn.functional as F\n\nWIDER = 2\n\n\n"
    assert code == f"{head}{WRITTEN}\n\nnet = nn.Sequential(Block(4))\n"


def test_a_block_of_several_sizes_gets_its_parameter(tmp_path: Path) -> None:
    project(tmp_path)
    code = output(tmp_path, "from blocks import Block", "Block(4), Block(5)")
    assert "def __init__(self, in_features, width):" in code
    assert "nn.Sequential(Block(3, 4), Block(4 * WIDER, 5))" in code


def test_the_rest_of_an_import_stays(tmp_path: Path) -> None:
    project(tmp_path)
    code = output(tmp_path, "from blocks import Block, Plain", "Block(4), Plain()")
    assert "from blocks import Plain" in imports_of(code)
    assert "class Plain" not in code


def test_another_name_is_bound_behind_the_class(tmp_path: Path) -> None:
    project(tmp_path)
    code = output(tmp_path, "from blocks import Block as B", "B(4)")
    assert f"{WRITTEN}\n\nB = Block\n" in code


def test_a_name_that_the_module_gives_comes_along(tmp_path: Path) -> None:
    pair = "def pair(w):\n    return nn.Sequential(B(w), Plain(), B(w))\n"
    project(tmp_path, outer=f"from torch import nn\nfrom blocks import Block as B, Plain\n\n{pair}")
    code = output(tmp_path, "from outer import pair", "pair(4)")
    assert "\n\nB = Block\n\n\ndef pair(w):\n    return nn.Sequential(B(3, w), Plain(), B(WIDER * w, w))\n" in code
    assert "from blocks import Plain" in imports_of(code)


def test_what_two_imports_need_is_written_once(tmp_path: Path) -> None:
    project(tmp_path, outer="from blocks import Block\n\ndef two(w):\n    return Block(w)\n")
    code = output(tmp_path, "from outer import two\nfrom blocks import Block", "Block(4), two(5)")
    assert code.count("class Block") == code.count("WIDER = 2") == 1


def test_what_the_file_imports_itself_is_not_written_again(tmp_path: Path) -> None:
    project(tmp_path)
    code = output(tmp_path, "from blocks import Block, WIDER", "Block(WIDER)")
    assert "from blocks import WIDER" in imports_of(code)
    assert "WIDER = 2" not in code


def test_a_package_hands_names_on(tmp_path: Path) -> None:
    project(tmp_path, pkg__blocks=BLOCKS)
    (tmp_path / "pkg" / "__init__.py").write_text("from .blocks import Block, Plain, WIDER\n", encoding="utf-8")
    code = output(tmp_path, "from pkg import Block, WIDER", "Block(WIDER)")
    assert imports_of(code) == ["from torch import nn", "from pkg import WIDER", "import torch.nn.functional as F"]


@pytest.mark.parametrize(
    ("place", "statement", "written"),
    [
        ("model.py", "from pkg.sub.blocks import Block", "from pkg.sizes import WIDER"),
        ("pkg/model.py", "from .sub.blocks import Block", "from .sizes import WIDER"),
        ("pkg/sub/model.py", "from .blocks import Block", "from ..sizes import WIDER"),
        ("pkg/other/model.py", "from ..sub.blocks import Block", "from ..sizes import WIDER"),
    ],
)
def test_relative_imports_are_said_from_the_place_of_the_file(
    tmp_path: Path, place: str, statement: str, written: str
) -> None:
    blocks = BLOCKS.replace("WIDER = 2", "from ..sizes import WIDER")
    project(tmp_path, pkg__sub__blocks=blocks, pkg__sizes="WIDER = 2\n", pkg__other__empty="")
    assert written in imports_of(output(tmp_path, statement, "Block(4)", place))


@pytest.mark.parametrize("again", ["from blocks import *", "from outer import *"])
def test_a_star_stays_and_the_class_stands_below_it(tmp_path: Path, again: str) -> None:
    project(tmp_path, outer="from blocks import *\n")
    code = output(tmp_path, again, "Block(4), Plain()")
    assert imports_of(code)[1] == again
    assert WRITTEN in code
    assert "class Plain" not in code


def test_annotations_that_nobody_evaluates_stay_so(tmp_path: Path) -> None:
    quiet = BLOCKS.replace("def forward(self, x):", "def forward(self, x: NotThere):")
    project(tmp_path, blocks=f"from __future__ import annotations\n{quiet}")
    code = output(tmp_path, "from blocks import Block", "Block(4)")
    assert imports_of(code)[0] == "from __future__ import annotations"


def test_modules_that_import_each_other_come_to_an_end(tmp_path: Path) -> None:
    one = "from torch import nn\nimport two\n\ndef first(w):\n    return nn.Sequential(nn.LazyLinear(w), two.plain())\n"
    project(tmp_path, one=one, two="from torch import nn\nimport one\n\ndef plain():\n    return nn.ReLU()\n")
    code = output(tmp_path, "from one import first", "first(4)")
    assert "nn.Sequential(nn.Linear(3, w), two.plain())" in code
    assert "import two" in imports_of(code)


@pytest.mark.parametrize(
    ("imports", "layers"),
    [
        ("from blocks import Plain", "Plain()"),
        ("from blocks import Plain as P, SHIFT", "P(), nn.Linear(3, SHIFT)"),
        ("import blocks", "blocks.Plain()"),
        ("from not_there_ import Block", "nn.ReLU()"),
        ("from blocks import *", "Plain()"),
    ],
)
def test_a_file_that_imports_nothing_lazy_stays_as_it_is(tmp_path: Path, imports: str, layers: str) -> None:
    project(tmp_path)
    code = output(tmp_path, imports, layers)
    assert code == f"from torch import nn\n{imports}\n\n{NET.format(layers)}"


def test_lazy_layers_of_the_file_leave_its_imports_alone(tmp_path: Path) -> None:
    project(tmp_path)
    code = output(tmp_path, "from blocks import Plain", "Plain(), nn.LazyLinear(4)")
    assert code == f"from torch import nn\nfrom blocks import Plain\n\n{NET.format('Plain(), nn.Linear(3, 4)')}"


@pytest.mark.parametrize(
    ("imports", "layers", "left"),
    [
        ("import blocks", "blocks.Block(4), blocks.Block(5)", []),
        ("import blocks as parts", "parts.Block(4), parts.Block(5), parts.Plain()", ["import blocks as parts"]),
        ("from pkg import blocks", "blocks.Block(4), blocks.Block(5)", []),
        ("import pkg.blocks", "pkg.blocks.Block(4), pkg.blocks.Block(5)", []),
        ("import pkg", "pkg.Block(4), pkg.blocks.Block(5)", []),
        ("import blocks, math", "blocks.Block(4), blocks.Block(int(math.sqrt(25)))", ["import math"]),
    ],
)
def test_a_class_that_is_reached_through_its_module_stands_in_the_file(
    tmp_path: Path, imports: str, layers: str, left: list[str]
) -> None:
    project(tmp_path, pkg__blocks=BLOCKS)
    (tmp_path / "pkg" / "__init__.py").write_text("from .blocks import Block\n", encoding="utf-8")
    code = output(tmp_path, imports, layers)
    assert imports_of(code) == ["from torch import nn", *left, "import torch.nn.functional as F"]
    assert code.count("class Block") == 1
    assert "nn.Sequential(Block(3, 4), Block(4 * WIDER, " in code


def test_a_name_that_is_not_always_the_module_is_left_alone(tmp_path: Path) -> None:
    project(tmp_path)
    imports = "import blocks\n\ndef made(blocks):\n    return blocks.Block(4)"
    conversion = convert(tmp_path, imports, "made(blocks)")
    assert conversion.code is None
    assert [finding.code for finding in conversion.diagnostics] == ["LZ307"]
    assert conversion.diagnostics[0].place is not None
    assert conversion.diagnostics[0].place.line == 5


@pytest.mark.parametrize(
    ("imports", "layers", "name"),
    [
        ("from blocks import Block\nWIDER = 3", "Block(WIDER)", "WIDER"),
        ("from blocks import Block\nimport math as F", "Block(int(F.pi))", "F"),
        ("from blocks import Block as B\n\ndef Block():\n    return 4", "B(Block())", "Block"),
        ("from blocks import Block\nfrom other import make", "Block(3), make(4)", "WIDER"),
    ],
)
def test_a_name_with_two_meanings_is_refused(tmp_path: Path, imports: str, layers: str, name: str) -> None:
    other = "from torch import nn\n\nWIDER = 3\n\ndef make(w):\n    return nn.LazyLinear(w * WIDER)\n"
    project(tmp_path, other=other)
    conversion = convert(tmp_path, imports, layers)
    assert conversion.code is None
    assert [finding.code for finding in conversion.diagnostics] == ["LZ308"]
    assert f"its {name} cannot be written here" in conversion.diagnostics[0].message


def test_line_ends_and_units_are_those_of_the_file(tmp_path: Path) -> None:
    project(tmp_path, blocks=BLOCKS.replace("    ", "  "))
    imports, size = "from torch import nn\nfrom blocks import Block\n", "def size():\n    return 4\n"
    source = f"{imports}\n\n{size}\n\n{NET.format('Block(size())')}"
    conversion = convert_source(source.replace("\n", "\r\n"), input_shape="4,3", path=str(tmp_path / "model.py"))
    assert conversion.code is not None
    assert conversion.code.count("\r\n") == conversion.code.count("\n")
    assert WRITTEN.replace("\n", "\r\n") in conversion.code


OUTER = """\
from torch import nn
import blocks as b
import blocks


def pair(w):
    \"\"\"Two blocks.\"\"\"
    return nn.Sequential(b.Block(w), nn.Sequential(b.Plain(), blocks.Block(w + 1)))  # ä


class Sub(blocks.Block):
    pass
"""


def test_what_a_module_reads_through_another_comes_along_under_its_own_name(tmp_path: Path) -> None:
    project(tmp_path, outer=OUTER)
    code = output(tmp_path, "from outer import pair, Sub", "pair(4), Sub(2)")
    assert imports_of(code) == ["from torch import nn", "import blocks as b", "import torch.nn.functional as F"]
    assert code.count("class Block(nn.Module):") == 1
    assert "Block(3, w), nn.Sequential(b.Plain(), Block(WIDER * w, w + 1))\n    )  # ä\n" in code
    assert code.index("class Block(") < code.index("class Sub(Block):")


def test_a_module_under_a_name_with_two_meanings_is_refused(tmp_path: Path) -> None:
    project(tmp_path, outer=f"{OUTER}\n\ndef other(b):\n    return pair(b)\n")
    conversion = convert(tmp_path, "from outer import other", "other(4)")
    assert conversion.code is None
    assert [finding.code for finding in conversion.diagnostics] == ["LZ307"]
    assert conversion.diagnostics[0].place is not None
    assert conversion.diagnostics[0].place.line == 2
