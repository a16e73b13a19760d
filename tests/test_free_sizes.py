"""No batch and no free size ends up in what is written: it is an error, or it is not in the text."""

from __future__ import annotations

import pytest

from lazygen import convert_source

FLAT = "from torch import nn\n\nmodel = nn.Sequential({})\n"


@pytest.mark.parametrize(
    ("layers", "shape"),
    [
        ("nn.Flatten(), nn.LazyLinear(3)", "N,4,H=7"),
        ("nn.Flatten(0), nn.LazyLinear(3)", "7,4"),
        ("nn.Flatten(0), nn.LazyLinear(3)", "input=N=7,4"),
        ("nn.LazyLinear(2), nn.Flatten(0, 1), nn.Unflatten(0, (1, -1)), nn.Flatten(1), nn.LazyLinear(3)", "7,4"),
        ("nn.LazyConv1d(2, 3), nn.LazyLinear(3)", "N,4,L=16"),
        ("nn.LazyLinear(3)", "4,D=7"),
    ],
)
def test_a_size_that_would_hang_on_one_is_an_error(layers: str, shape: str) -> None:
    conversion = convert_source(FLAT.format(layers), input_shape=shape, path="model.py")
    assert conversion.code is None
    assert [finding.code for finding in conversion.diagnostics] == ["LZ205"]
    assert conversion.diagnostics[0].place is not None


@pytest.mark.parametrize("shape", ["N,3,H=32,W=32", "input=N=7,3,32,32", "None,3,None,None", "7,3,32,32"])
def test_layers_that_hang_on_channels_alone_are_written_without_them(shape: str) -> None:
    layers = "nn.LazyConv2d(8, 3), nn.LazyBatchNorm2d(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.LazyLinear(5)"
    conversion = convert_source(FLAT.format(layers), input_shape=shape)
    assert conversion.code is not None
    assert "nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8)" in " ".join(conversion.code.split()).replace("( ", "(")
    assert "nn.Linear(8, 5)" in conversion.code


def test_an_input_without_a_batch_gives_its_only_size() -> None:
    conversion = convert_source(FLAT.format("nn.LazyLinear(3)"), input_shape="7")
    assert conversion.code == FLAT.format("nn.Linear(7, 3)")
