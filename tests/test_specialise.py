"""What makes layers without being called by name: `lift/specialise.py`, `lift/copies.py`, `lift/packages.py`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch
import under_torch
from apart import here as convert_source

from lazygen.pipeline import Conversion

BLOCKS = """\
import torch.nn.functional as F
from torch import nn

from .util import FACTOR, scale


# What people like.
class Wide(nn.Module):
    \"\"\"Widens, and narrows.\"\"\"

    def __init__(self, width):
        super().__init__()
        self.wide = nn.LazyLinear(FACTOR * width)
        self.narrow = nn.LazyLinear(width)

    def forward(self, x):
        return scale(self.narrow(F.relu(self.wide(x))))
"""
OUTER = """\
from torch import nn

from . import util
from .blocks import Wide


class Tower(nn.Module):
    def __init__(self, width, depth=2):
        super().__init__()
        self.layers = nn.ModuleList([Wide(width + i) for i in range(depth)])

    def forward(self, x):
        for layer in self.layers:
            x = util.scale(layer(x))
        return x
"""
BUILD = """\
from torch import nn


def build(kind, *args, **kwargs):
    return kind(*args, **kwargs)


def stack(kind, widths):
    return nn.Sequential(*[kind(width) for width in widths])


def checked(kind, width):
    if not issubclass(kind, nn.Module):
        raise TypeError(kind)
    return kind(width)


def many(kind, count):
    return nn.Sequential(*[kind() for _ in range(count)])


class Registry:
    def __init__(self):
        self.kinds = {}

    def add(self, kind):
        self.kinds[kind.__name__] = kind
        return kind

    def make(self, name, *args):
        return self.kinds[name](*args)

    def from_config(self, config):
        return self.kinds[config["name"]](config["width"])

    def by_options(self, options):
        options = dict(options)
        return self.kinds[options.pop("name")](**options)
"""
BLOCK = """\
class Block(nn.Module):
    def __init__(self, width, act=nn.ReLU):
        super().__init__()
        self.fc = nn.LazyLinear(width)
        self.act = act()

    def forward(self, x):
        return self.act(self.fc(x))
"""
NET = """\
class Net(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.layers = nn.Sequential({layers})

    def forward(self, x):
        return self.layers(x)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for sources; beside it the package `kit` is installed."""
    kit = tmp_path / "site-packages" / "kit"
    kit.mkdir(parents=True)
    util = "FACTOR = 2\n\n\ndef scale(x):\n    return FACTOR * x\n"
    texts = {"__init__": "from .blocks import Wide\n", "blocks": BLOCKS, "outer": OUTER, "build": BUILD, "util": util}
    for name, text in texts.items():
        (kit / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(kit.parent))
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def source(imports: str, layers: str, before: str = BLOCK) -> str:
    return f"from torch import nn\n{imports}\n\n\n{before}\n\n{NET.format(layers=layers)}"


def convert(text: str, folder: Path) -> Conversion:
    """The conversion; the package is imported anew, since a test before has imported it under torch."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "kit"]:
        del sys.modules[name]
    return convert_source(text, input_shape="4,3", path=str(folder / "model.py"), line_length=140)


def checked(text: str, folder: Path, *entries: str) -> list[str]:
    """The new lines of the output, which is the source's model under torch, with other arguments too."""
    conversion = convert(text, folder)
    assert conversion.code is not None, conversion.diagnostics
    lazy = under_torch.module(text, folder / "model.py", "lazy_specialised")
    explicit = under_torch.module(conversion.code, folder / "model.py", "explicit_specialised")
    for entry in entries or ("Net", "Net(9)"):
        under_torch.compare(under_torch.model(lazy, entry), under_torch.model(explicit, entry), [torch.randn(4, 3)], {})
    assert convert(conversion.code, folder).code == conversion.code
    return [line.strip() for line in conversion.code.splitlines() if line not in text.splitlines()]


# -- installed packages


def test_a_class_of_a_package_is_copied_with_its_comment_and_the_rest_imported(package: Path) -> None:
    text = source("from kit import Wide", "Wide(width), nn.LazyLinear(5), Wide(2)", before="")
    made = checked(text, package)
    assert made[:4] == [
        "import torch.nn.functional as F",
        "from kit.util import FACTOR, scale",
        "# Wide of kit.blocks, copied so that its sizes can be written out.",
        "# What people like.",
    ]
    assert made[4:10] == [
        "class Wide(nn.Module):",
        '"""Widens, and narrows."""',
        "def __init__(self, in_features, width):",
        "self.wide = nn.Linear(in_features, FACTOR * width)",
        "self.narrow = nn.Linear(FACTOR * width, width)",
        "return scale(self.narrow(F.relu(self.wide(x))))",
    ]
    assert made[10:] == ["self.layers = nn.Sequential(Wide(3, width), nn.Linear(width, 5), Wide(5, 2))"]


REACHED = [
    ("from kit import Wide", "Wide"),
    ("import kit", "kit.Wide"),
    ("import kit.blocks as b", "b.Wide"),
    ("from kit import blocks", "blocks.Wide"),
]
BY_A_RUN = [("from kit.outer import Tower", "Tower"), ("import kit.outer", "kit.outer.Tower")]


@pytest.mark.parametrize(("imports", "name"), [*REACHED, *BY_A_RUN])
def test_beside_lazy_layers_it_may_be_reached_in_any_way(package: Path, imports: str, name: str) -> None:
    made = checked(source(imports, f"{name}(width), nn.LazyLinear(5), {name}(2)", before=""), package)
    assert f"class {name.rpartition('.')[2]}(nn.Module):" in made
    assert not [line for line in made if "Lazy" in line]


@pytest.mark.parametrize(("imports", "name"), REACHED)
def test_a_file_without_a_lazy_word_is_looked_at_for_such_classes(package: Path, imports: str, name: str) -> None:
    made = checked(source(imports, f"{name}(width), nn.Flatten(), {name}(2)", before=""), package)
    assert f"class {name.rpartition('.')[2]}(nn.Module):" in made


def test_what_inherits_from_a_class_of_a_package_passes_its_size_on(package: Path) -> None:
    own = "class Mine(Wide):\n    def __init__(self, width):\n        super().__init__(width + 1)\n"
    made = checked(source("from kit import Wide", "Mine(width), nn.LazyLinear(2), Mine(4)", before=own), package)
    assert "super().__init__(in_features, width + 1)" in made
    assert made[-1] == "self.layers = nn.Sequential(Mine(3, width), nn.Linear(width + 1, 2), Mine(2, 4))"


def test_a_package_without_lazy_layers_is_left_alone(package: Path) -> None:
    text = source("from kit.util import FACTOR", "nn.Linear(3, FACTOR * width)", before="")
    assert convert(text, package).code == text


# -- calls that hand their arguments on


@pytest.mark.parametrize(
    ("imports", "layers", "expected"),
    [
        (
            "from kit.build import build",
            "build(Block, width), build(Block, 5)",
            "build(Block, 3, width), build(Block, width, 5)",
        ),
        (
            "from kit.build import build",
            "build(Block, width, act=nn.Tanh), build(nn.LazyLinear, 5), build(Block, 2)",
            "build(Block, 3, width, act=nn.Tanh), build(nn.Linear, width, 5), build(Block, 5, 2)",
        ),
        (
            "from kit.build import Registry\n\nkinds = Registry()",
            "kinds.make('Block', width), kinds.make('Block', 5)",
            "kinds.make('Block', 3, width), kinds.make('Block', width, 5)",
        ),
    ],
)
def test_a_package_that_hands_arguments_on_gets_one_more(
    package: Path, imports: str, layers: str, expected: str
) -> None:
    before = BLOCK if "kinds" not in imports else f"@kinds.add\n{BLOCK}"
    made = checked(source(imports, layers, before), package)
    assert made[-1] == f"self.layers = nn.Sequential({expected})"


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        (
            "stack(Block, [width]), stack(Block, [5])",
            "stack(partial(Block, 3), [width]), stack(partial(Block, width), [5])",
        ),
        (
            "stack(nn.LazyLinear, (width,)), *[stack(Block, [w]) for w in (2, 5)]",
            "stack(partial(nn.Linear, 3), (width,)),*[stack(partial(Block, in_features), [w])",
        ),
        (
            "stack(partial(Block, act=nn.Tanh), [width]), stack(partial(Block), [5])",
            "stack(partial(Block, 3, act=nn.Tanh), [width]), stack(partial(Block, width), [5])",
        ),
    ],
)
def test_a_class_that_is_handed_over_gets_its_size_by_a_partial(package: Path, layers: str, expected: str) -> None:
    made = checked(source("from functools import partial\nfrom kit.build import stack", layers), package)
    assert f"self.layers = nn.Sequential({expected}" in "".join(made)


@pytest.mark.parametrize(
    ("imports", "new"),
    [
        ("from kit.build import stack", ["from functools import partial"]),
        ("import functools\nfrom kit.build import stack", []),
        ("from functools import reduce\nfrom kit.build import stack", ["from functools import partial, reduce"]),
        ("from kit.build import stack\n\npartial = 3", ["import functools"]),
    ],
)
def test_partial_is_imported_in_the_style_of_the_file(package: Path, imports: str, new: list[str]) -> None:
    made = checked(source(imports, "stack(Block, [width]), stack(Block, [5])"), package)
    assert [line for line in made if "import" in line] == new
    dotted = "import functools" in imports or new == ["import functools"]
    assert ("functools.partial(Block, 3)" in made[-1]) == dotted


def test_defaults_that_differ_are_said_beside_the_size(package: Path) -> None:
    layers = "nn.LazyConv1d(width, 1), many(nn.LazyInstanceNorm1d, 2)"
    text = source("from kit.build import many", layers, before="")
    convert(text, package)
    conversion = convert_source(text, input_shape="4,3,8", path=str(package / "model.py"), line_length=140)
    assert conversion.code is not None
    expected = "many(partial(nn.InstanceNorm1d, num_features=width, affine=True, track_running_stats=True), 2)"
    assert expected in conversion.code


# -- classes where a class is wanted


def test_a_class_that_must_be_one_stays_one(package: Path) -> None:
    text = source(
        "from kit.build import checked", "checked(Block, 8), checked(Block, 5), checked(nn.LazyLinear, width)"
    )
    made = checked(text, package)
    assert "class Block2(Block):" in made
    assert '"""Block with in_features=3."""' in made
    assert made.count("def __init__(self, width, act=nn.ReLU):") == 0  # the same line as in the source
    assert "super().__init__(3, width, act)" in made
    assert "class Block3(Block):" in made
    assert made[-1] == "self.layers = nn.Sequential(checked(Block2, 8), checked(Block3, 5), checked(Linear2, width))"


def test_such_a_class_is_fixed_where_its_size_follows_an_argument(package: Path) -> None:
    text = source("from kit.build import checked", "checked(Block, width), checked(Block, 5)")
    assert 'raise ValueError("width must be 6")' in checked(text, package, "Net")
    assert [finding.code for finding in convert(text, package).diagnostics] == ["LZ310"]


def test_a_dict_of_options_gets_the_size_as_one_more(package: Path) -> None:
    imports = "from kit.build import Registry\n\nkinds = Registry()"
    layers = 'kinds.by_options({"name": "Block", "width": width}), kinds.by_options(dict(name="Block", width=5))'
    made = checked(source(imports, layers, f"@kinds.add\n{BLOCK}"), package)
    first = 'kinds.by_options({"name": "Block", "width": width, "in_features": 3})'
    second = 'kinds.by_options(dict(name="Block", width=5, in_features=width))'
    assert [f"{first},", f"{second},"] == made[-3:-1]


def test_a_dict_with_comments_is_left_as_it_is(package: Path) -> None:
    imports = "from kit.build import Registry\n\nkinds = Registry()"
    layers = "nn.LazyLinear(width), kinds.by_options({'name': 'Block',  # the usual\n            'width': 4})"
    conversion = convert(source(imports, layers, f"@kinds.add\n{BLOCK}"), package)
    assert [finding.code for finding in conversion.diagnostics] == ["LZ304"]


# -- what has no place


@pytest.mark.parametrize(
    ("imports", "layers", "message"),
    [
        (
            "from kit.build import stack",
            "stack(Block, [7, 8])",
            "this makes several Block by itself, and their in_features differ",
        ),
        (
            "from kit.build import Registry\n\nkinds = Registry()",
            "kinds.from_config({'name': 'Block', 'width': 4})",
            "kit.build makes a Block here, and hands on no in_features to it",
        ),
    ],
)
def test_a_size_without_a_place_is_refused_at_the_call(package: Path, imports: str, layers: str, message: str) -> None:
    before = BLOCK if "kinds" not in imports else f"@kinds.add\n{BLOCK}"
    text = source(imports, f"nn.LazyLinear(width), {layers}", before)
    conversion = convert(text, package)
    assert conversion.code is None
    (finding,) = conversion.diagnostics
    assert (finding.code, finding.message) == ("LZ304", message)
    assert finding.place is not None
    assert text.splitlines()[finding.place.line - 1][finding.place.column :].startswith(layers)


# -- in the file itself


@pytest.mark.parametrize(
    ("before", "layers", "expected"),
    [
        (
            "KINDS = {'block': Block}",
            "KINDS.get('block')(width), KINDS['block'](5)",
            "KINDS.get('block')(3, width), KINDS['block'](width, 5)",
        ),
        (
            "",
            "(Block if width else nn.LazyLinear)(width), Block(5)",
            "(Block if width else nn.Linear)(3, width), Block(width, 5)",
        ),
        (
            "",
            "nn.Sequential(*map(Block, [width])), Block(5)",
            "nn.Sequential(*map(partial(Block, 3), [width])), Block(width, 5)",
        ),
        (
            "class Maker:\n    def __call__(self, width):\n        return Block(width)\n\n\nmake = Maker()",
            "make(width), make(5)",
            "make(3, width), make(width, 5)",
        ),
        (
            "def make(kind, **options):\n    return kind(**options)",
            "make(Block, width=width), make(nn.Tanh), make(Block, width=5)",
            "make(Block, width=width, in_features=3), make(nn.Tanh), make(Block, width=5, in_features=width)",
        ),
        (
            "class Sub(Block):\n    def __init__(self, *args, **options):\n        super().__init__(*args, **options)",
            "Sub(width), Sub(5, act=nn.Tanh)",
            "Sub(3, width), Sub(width, 5, act=nn.Tanh)",
        ),
        (
            "class Sub(Block):\n    def __init__(self, width):\n        Block.__init__(self, width + 1)",
            "Sub(width), Sub(5)",
            "Sub(3, width), Sub(width + 1, 5)",
        ),
    ],
)
def test_calls_that_lead_to_a_class_of_the_file(package: Path, before: str, layers: str, expected: str) -> None:
    made = checked(source("", layers, f"{BLOCK}\n\n{before}\n"), package)
    assert made[-1] == f"self.layers = nn.Sequential({expected})"


BARE = BLOCK.replace("act=nn.ReLU", "lazy=True").replace("act()", "nn.ReLU()")
BARE = BARE.replace("nn.LazyLinear(width)", "nn.LazyLinear(width) if lazy else nn.Identity()")


@pytest.mark.parametrize(
    ("imports", "before", "call"),
    [
        ("", "def make(*args, **options):\n    return Block(*args, **options)", "make"),
        (
            "",
            "def make(*args, **options):\n    return build(*args, **options)\n\n\n"
            "def build(*args, **options):\n    return Block(*args, **options)",
            "make",
        ),
        ("from kit.build import build", "", "build"),
    ],
)
def test_a_call_that_makes_no_lazy_layer_does_without_the_argument(
    package: Path, imports: str, before: str, call: str
) -> None:
    kind = "Block, " if call == "build" else ""
    layers = f"{call}({kind}width), {call}({kind}5, lazy=False), {call}({kind}5)"
    made = checked(source(imports, layers, f"{BARE}\n\n{before}\n"), package)
    assert "def __init__(self, width, lazy=True, *, in_features=None):" in made
    first, last = f"{call}({kind}width, in_features=3)", f"{call}({kind}5, in_features=width)"
    assert made[-1] == f"self.layers = nn.Sequential({first}, {call}({kind}5, lazy=False), {last})"


def test_a_decorated_constructor_may_be_run_without_lazy_layers(package: Path) -> None:
    decorator = (
        "def same(init):\n    def run(self, *args, **options):\n        init(self, *args, **options)\n\n    return run"
    )
    block = f"{decorator}\n\n\n{BARE}".replace("    def __init__", "    @same\n    def __init__")
    made = checked(source("", "Block(width), Block(5, lazy=False), Block(2)", block), package)
    assert made[-1].endswith("Block(width, in_features=3), Block(5, lazy=False), Block(2, in_features=width))")
