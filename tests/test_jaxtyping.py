"""Input shapes from annotations of jaxtyping, with a package of that name and without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from lazygen import convert_source

STAND_IN = """
class _Kind:
    def __class_getitem__(cls, given):
        kind, dims = given
        assert isinstance(dims, str)
        return kind


class Float(_Kind): pass
class Float16(_Kind): pass
class Int(_Kind): pass
class Bool(_Kind): pass
class Shaped(_Kind): pass
def jaxtyped(typechecker=None):
    return lambda function: function
"""

NET = """import torch
from jaxtyping import Bool, Float, Float16, Int, Shaped, jaxtyped
from torch import Tensor, nn

Image = Float[Tensor, "batch 3 32 32"]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.LazyConv2d(8, 3)
        self.head = nn.LazyLinear(10)

    def forward(self, {signature}):
        {first}
        return self.head(x)
"""

FLAT = "x = self.conv(x).flatten(1)"


@pytest.fixture(params=["absent", "there"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder in which jaxtyping is a module, or an empty one."""
    if request.param == "there":
        (tmp_path / "jaxtyping.py").write_text(STAND_IN)
    return tmp_path


def converted(folder: Path, signature: str, first: str = FLAT, *shapes: str, head: str = "") -> list[str]:
    """The sizes that are written for the convolution and the linear layer; else the messages."""
    text = head + NET.format(signature=signature, first=first)
    conversion = convert_source(text, input_shape=shapes, path="model.py", folder=folder)
    if conversion.code is None:
        return [f"{finding.code}: {finding.message}" for finding in conversion.diagnostics]
    lines = [line.strip() for line in conversion.code.splitlines()]
    return [line.partition(" = ")[2] for line in lines if line.startswith(("self.conv =", "self.head ="))]


WANTED = ["nn.Conv2d(3, 8, 3)", "nn.Linear(7200, 10)"]


@pytest.mark.parametrize(
    "signature",
    [
        'x: Float[Tensor, "batch 3 32 32"]',
        'x: Float[Tensor, "batch 3 height=32 w=32"]',
        'x: Float[Tensor, "... 3 32 32"]',
        'x: Float[Tensor, "*batch 3 32 32"]',
        'x: Float[Tensor, "_ #3 32 32"]',
        'x: Float[torch.Tensor, " b 3  32 32 "]',
        'x: Shaped[Tensor, "b 3 32 32"]',
        "x: \"Float[Tensor, 'batch 3 32 32']\"",
        "x: Image",
        'x: "Image"',
        'x: Float[Tensor, "b 3 32 32"], mask: Bool[Tensor, "b n"] = None',
        'x: Float[Tensor, "b 3 32 32"], scale: float = 1.0',
        'x: Float[Tensor, "b 3 32 32"], *, tokens: Int[Tensor, "b 5"]',
    ],
)
def test_an_annotation_gives_the_shape(folder: Path, signature: str) -> None:
    assert converted(folder, signature) == WANTED


def test_annotations_that_are_never_evaluated_count_too(folder: Path) -> None:
    head = "from __future__ import annotations\n\n"
    assert converted(folder, 'x: Float[Tensor, "batch 3 32 32"]', head=head) == WANTED


def test_a_decorated_forward(folder: Path) -> None:
    text = NET.format(signature='x: Float[Tensor, "batch 3 32 32"]', first=FLAT)
    text = text.replace("    def forward", "    @jaxtyped(typechecker=None)\n    def forward")
    assert "nn.Linear(7200, 10)" in str(convert_source(text, path="model.py", folder=folder).code)


@pytest.mark.parametrize(
    ("kind", "first"),
    [
        ("Int", "x = nn.functional.one_hot(x.clamp(0, 2), 3).float().permute(0, 4, 1, 2, 3)[..., 0].flatten(1)"),
        ("Bool", "x = self.conv((~x).float()).flatten(1)"),
        ("Float16", "x = self.conv(x.to(torch.float32)).flatten(1)"),
    ],
)
def test_the_kind_gives_the_dtype(folder: Path, kind: str, first: str) -> None:
    found = converted(folder, f'x: {kind}[Tensor, "batch 3 32 32"]', first)
    assert not found[-1].startswith("LZ23"), found
    wrong = converted(folder, f'x: {kind}[Tensor, "batch 3 32 32"]')
    assert wrong[0].startswith("LZ230"), wrong


def test_one_name_is_one_size(folder: Path) -> None:
    signature = 'x: Float[Tensor, "batch 3 32 32"], y: Float[Tensor, "batch n"], z: Float[Tensor, "n 4"]'
    assert converted(folder, signature, "x = torch.cat([self.conv(x).flatten(1), y @ z], 1)") == [
        "nn.Conv2d(3, 8, 3)",
        "nn.Linear(7204, 10)",
    ]


def test_a_name_is_free_and_reaches_no_weight(folder: Path) -> None:
    found = converted(folder, 'x: Float[Tensor, "batch 3 height 32"]')
    assert found == ["LZ205: in_features of LazyLinear would be 7200, which hangs on the free size height"]
    assert converted(folder, 'x: Float[Tensor, "batch 3 height w+1"]', "x = self.conv(x).mean((2, 3))") == [
        "nn.Conv2d(3, 8, 3)",
        "nn.Linear(8, 10)",
    ]


def test_a_flag_comes_first_and_says_what_its_names_are(folder: Path) -> None:
    signature = 'x: Float[Tensor, "batch 3 32 32"], y: Float[Tensor, "batch 4"]'
    first = "x = torch.cat([self.conv(x).flatten(1), y], 1)"
    for shape in ("7,5,10,10", "x=7,5,10,10"):
        assert converted(folder, signature, first, shape) == ["nn.Conv2d(5, 8, 3)", "nn.Linear(516, 10)"]
    assert converted(folder, signature, first, "y=7,9") == ["nn.Conv2d(3, 8, 3)", "nn.Linear(7209, 10)"]


@pytest.mark.parametrize("signature", ["x: Tensor", "x", 'x: dict[str, "batch 3"]', 'x: Tensor | "no syntax("'])
def test_other_annotations_say_nothing(folder: Path, signature: str) -> None:
    head = "from __future__ import annotations\n\n"
    found = converted(folder, signature, head=head)
    assert len(found) == 1
    assert found[0].startswith("LZ110")
