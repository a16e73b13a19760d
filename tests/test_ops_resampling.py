"""Padding, resizing and windows, against torch and over symbolic sizes."""

from __future__ import annotations

import itertools
from typing import Any

import cpu_oracle
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazygen.symbolic.dim import expr_of, of_symbol
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops import resampling
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.tensor import Tensor


def size(name: str, value: int) -> Any:
    return of_symbol(new_symbol("parameter", name, value))


def mismatches(expressions: list[str], compare: Any = oracle.compare) -> list[str]:
    return [found for expression in expressions if (found := compare(expression)) is not None]


def test_padding() -> None:
    shapes = [(4,), (2, 4), (2, 3, 4), (2, 3, 4, 5), (2, 3, 4, 5, 6)]
    amounts = [
        (1, 2),
        (-1, 0),
        (0, 3),
        (4, 4),
        (-3, -3),
        (1, 1, 2, 0),
        (3, 3, 3, 3),
        (1, 0, 2, 1, 1, 1),
        (1,),
        (1, 1, 1),
        (),
    ]
    modes = ["constant", "reflect", "replicate", "circular", "edge"]
    calls = itertools.product(shapes, amounts, modes)
    assert mismatches([f"F.pad(f32{shape}, {amount}, mode='{mode}')" for shape, amount, mode in calls]) == []
    assert mismatches(["F.pad(i64(3), (1, 1), value=7)", "F.pad(f32(3), pad=[0, 1], mode='constant', value=0.5)"]) == []


def test_interpolation() -> None:
    shapes = [(2, 3, 9), (2, 3, 4, 5), (2, 3, 4, 5, 6), (3, 4)]
    modes = ["nearest", "linear", "bilinear", "bicubic", "trilinear", "area", "nearest-exact", "cubic"]
    sizes = ["size=7", "size=(7, 9)", "size=(2, 3, 4)", "scale_factor=2", "scale_factor=0.5",
             "scale_factor=(1.5, 0.3)", "scale_factor=1 / 3",
             "scale_factor=2.0, recompute_scale_factor=True", "size=3, align_corners=True",
             "size=3, scale_factor=2", "", "scale_factor=0.01",
             "size=3, antialias=True"]  # fmt: skip
    expressions = [
        f"F.interpolate(f32{shape}, mode='{mode}', {s})" for shape, mode, s in itertools.product(shapes, modes, sizes)
    ]
    # The kernels of 1-d areas do not run on the meta device.
    assert mismatches(expressions, cpu_oracle.compare) == []


@given(st.integers(1, 40), st.one_of(st.floats(0.1, 4), st.sampled_from([0.5, 0.25, 1 / 3, 0.1, 1.5, 2 / 3, 0.7])))
@settings(max_examples=200, deadline=None)
def test_scale_factors(length: int, factor: float) -> None:
    assert oracle.compare(f"F.interpolate(f32(1, 1, {length}), scale_factor={factor!r})") is None
    assert int(resampling.scaled(size("n", length), factor)) == int(length * factor)


def test_windows() -> None:
    kernels, strides = ["2", "(2, 3)", "(5, 5)"], ["1", "2", "(2, 1)"]
    others = ["", ", padding=1", ", padding=(0, 2)", ", dilation=2", ", padding=-1"]
    expressions = [
        f"F.unfold(f32{shape}, {kernel}, stride={stride}{other})"
        for shape, kernel, stride, other in itertools.product(
            [(2, 3, 4, 5), (3, 4, 5), (4, 5)], kernels, strides, others
        )
    ]
    expressions += [
        f"F.fold(f32{shape}, (4, 5), {kernel}, stride={stride}{other})"
        for shape, kernel, stride, other in itertools.product(
            [(2, 12, 12), (12, 12), (2, 12, 9), (12, 6), (2, 7, 12)], kernels, strides, others
        )
    ]
    assert mismatches(expressions, cpu_oracle.compare) == []


def test_shuffles_and_grids() -> None:
    shapes = [(2, 12, 3, 4), (12, 3, 4), (1, 4, 6, 8), (5, 2, 2, 8, 8), (3, 3), (2, 3, 9, 9)]
    calls = ["F.pixel_shuffle(f32{s}, {r})", "F.pixel_unshuffle(f32{s}, {r})", "torch.pixel_shuffle(f32{s}, {r})"]
    assert mismatches([c.format(s=s, r=r) for c, s, r in itertools.product(calls, shapes, (-1, 1, 2, 3))]) == []
    grids = [(2, 6, 7, 2), (2, 6, 7, 3), (1, 6, 7, 2), (2, 6, 7, 8, 3), (6, 7, 2)]
    images = [(2, 3, 4, 5), (2, 3, 4, 5, 6), (3, 4, 5), (2, 3, 0, 5)]
    assert (
        mismatches([f"F.grid_sample(f32{i}, f32{g})" for i, g in itertools.product(images, grids)], cpu_oracle.compare)
        == []
    )
    thetas, wanted = (
        [(2, 2, 3), (2, 3, 4), (1, 2, 3), (2, 2, 2)],
        [
            (2, 3, 4, 5),
            (2, 3, 4, 5, 6),
            (2, 3, 4),
            (2, 3, 0, 5),
        ],
    )
    expressions = [f"F.affine_grid(f32{t}, {w}, align_corners=False)" for t, w in itertools.product(thetas, wanted)]
    assert mismatches(expressions, cpu_oracle.compare) == []
    assert (
        mismatches(
            ["torch.channel_shuffle(f32(2, 6, 3, 3), 2)", "torch.channel_shuffle(f32(2, 6, 3, 3), 4)"],
            cpu_oracle.compare,
        )
        == []
    )


def test_sizes_stay_expressions() -> None:
    n, c, h, w, r = size("n", 2), size("c", 12), size("h", 9), size("w", 8), size("r", 2)
    x = Tensor((n, c, h, w))
    assert [expr_of(s) for s in resampling.pad(x, (1, 2, r, 0)).shape[2:]] == [expr_of(h + r), expr_of(w + 3)]
    doubled = resampling.interpolate(x, scale_factor=2).shape[2:]
    assert [expr_of(s) for s in doubled] == [expr_of(2 * h), expr_of(2 * w)]
    assert expr_of(resampling.interpolate(x, scale_factor=2.0).shape[2]) == expr_of(2 * h)
    assert expr_of(resampling.interpolate(x, scale_factor=0.5).shape[2]) == expr_of(h // 2)
    assert expr_of(resampling.interpolate(x, scale_factor=1.5).shape[3]) == expr_of(3 * w // 2)
    assert expr_of(resampling.interpolate(x, scale_factor=1 / 3).shape[2]) == expr_of(h // 3)
    assert expr_of(resampling.interpolate(x, size=(r, w)).shape[2]) == expr_of(r)
    assert expr_of(resampling.unfold(x, 3).shape[1]) == expr_of(9 * c)
    assert expr_of(resampling.unfold(x, 3, padding=1, stride=2).shape[2]) == expr_of(
        ((h - 1) // 2 + 1) * ((w - 1) // 2 + 1)
    )
    shuffled = resampling.pixel_shuffle(x, r).shape
    assert expr_of(shuffled[1] * r * r) == expr_of(c) and expr_of(shuffled[2]) == expr_of(h * r)
    back = resampling.pixel_unshuffle(Tensor(shuffled), r).shape
    assert [expr_of(s) for s in back] == [expr_of(s) for s in x.shape]
    assert expr_of(resampling.fold(resampling.unfold(x, 2), (h, w), 2).shape[1]) == expr_of(c)


def test_messages_say_sizes() -> None:
    with pytest.raises(ShapeError, match="pixel_shuffle by 2: 6 channels do not divide by 4"):
        resampling.pixel_shuffle(Tensor((1, 6, 2, 2)), 2)
    with pytest.raises(ShapeError, match="pad by 4 with mode 'reflect' is more than dim 2 has: 4"):
        resampling.pad(Tensor((1, 1, 4)), (4, 0), mode="reflect")
