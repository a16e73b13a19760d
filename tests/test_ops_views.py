"""Views and rearrangements, against torch and over symbolic sizes."""

from __future__ import annotations

import itertools
from typing import Any

import cpu_oracle
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazygen.symbolic import dtypes
from lazygen.symbolic.dim import Dim, expr_of, of_symbol
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops import arrange, views
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.tensor import Tensor

SHAPES = [(), (1,), (3,), (0,), (2, 3), (1, 3), (2, 1, 4), (2, 3, 4), (1, 2, 3, 1)]


def size(name: str, value: int) -> Any:
    return of_symbol(new_symbol("parameter", name, value))


def mismatches(expressions: list[str], compare: Any = oracle.compare) -> list[str]:
    return [found for expression in expressions if (found := compare(expression)) is not None]


def test_one_dim_grid() -> None:
    calls = [
        "torch.flatten(x, {d})", "x.flatten(0, {d})", "x.flatten({d}, -1)", "torch.squeeze(x, {d})",
        "torch.unsqueeze(x, {d})",
        "x.select({d}, 0)", "torch.select(x, {d}, -2)", "x.narrow({d}, 0, 1)", "x.narrow({d}, 1, 2)",
        "x.narrow({d}, -1, 1)",
        "torch.narrow(x, {d}, 1, 9)", "x.flip({d})", "torch.flip(x, ({d},))", "torch.roll(x, 1, {d})",
        "x.unfold({d}, 2, 1)",
        "x.unfold({d}, 1, 3)", "x.repeat_interleave(2, {d})", "torch.unflatten(x, {d}, (-1, 1))",
        "torch.movedim(x, {d}, 0)",
        "x.movedim({d}, -1)", "torch.unflatten(x, {d}, (1, -1, 2))",
    ]  # fmt: skip
    expressions = [
        (
            call.format(d=dim).replace("x", f"f32{shape}", 1)
            if call[0] == "x"
            else call.format(d=dim).replace("(x", f"(f32{shape}", 1)
        )
        for call, shape, dim in itertools.product(calls, SHAPES, range(-4, 4))
    ]
    assert mismatches(expressions) == []


def test_two_dim_grid() -> None:
    calls = ["torch.transpose({x}, {a}, {b})", "{x}.swapaxes({a}, {b})", "torch.diagonal({x}, 0, {a}, {b})",
             "{x}.diagonal(1, {a}, {b})", "{x}.diagonal(-3, {a}, {b})", "torch.rot90({x}, 1, ({a}, {b}))",
             "torch.rot90({x}, 3, ({a}, {b}))", "torch.movedim({x}, ({a}, {b}), (0, 1))", "{x}.flatten({a}, {b})",
             "torch.squeeze({x}, ({a}, {b}))", "{x}.roll((1, 2), ({a}, {b}))", "{x}.flip({a}, {b})",
             "torch.linalg.diagonal({x}, offset=1, dim1={a}, dim2={b})"]  # fmt: skip
    expressions = [
        call.format(x=f"f32{shape}", a=a, b=b)
        for call, shape, a, b in itertools.product(calls, SHAPES, range(-3, 3), range(-2, 3))
    ]
    assert mismatches(expressions) == []


def test_without_arguments() -> None:
    calls = ["{x}.flatten()", "torch.ravel({x})", "torch.squeeze({x})", "{x}.t()", "torch.atleast_1d({x})", "{x}.T",
             "torch.atleast_2d({x})", "torch.atleast_3d({x})", "torch.fliplr({x})", "torch.flipud({x})",
             "torch.roll({x}, 2)",
             "{x}.adjoint()", "torch.repeat_interleave({x}, 3)", "torch.view_as_complex({x})", "{x}.squeeze_()",
             "{x}.unsqueeze_(0)", "{x}.transpose_(0, -1)"]  # fmt: skip
    expressions = [call.format(x=f"f32{shape}") for call, shape in itertools.product(calls, [*SHAPES, (3, 2)])]
    assert mismatches(expressions) == []


def test_many_forms() -> None:
    assert mismatches([
        "f32(2, 6).view(3, 4)", "f32(2, 6).view((3, -1))", "f32(2, 6).view([12])", "f32(2, 6).reshape(shape=(4, 3))",
        "f32(2, 6).view(torch.Size([3, 4]))", "f32(2, 6).view(-1, 5)", "f32(2, 6).view(-1, -1)",
        "f32(2, 6).view(-2, 6)",
        "f32(2, 6).view(13)", "f32(0, 3).view(-1, 3)", "f32(0, 3).view(0, -1)", "f32(0, 3).reshape(5, 0)",
        "f32().view(1, 1)",
        "f32(2, 6).view(torch.int32)", "f32(2, 6).view(torch.float64)", "f32(2, 5).view(torch.float64)",
        "f32(2, 6).view(torch.int8)", "f32(2, 6).view(dtype=torch.int16)", "f32(2, 6).view_as(f32(12))",
        "c64(2).view(torch.float32)",
        "f32(2, 6).reshape_as(i64(3, 4))", "f32(2, 6).view_as(i64(3, 5))", "f32(2, 1).expand_as(i64(4, 2, 3))",
        "torch.broadcast_tensors(f32(2, 1), i64(3), f32())", "torch.broadcast_tensors(f32(2, 2), i64(3))",
        "torch.broadcast_shapes((2, 1), (3,), (1, 1, 1))", "torch.broadcast_to(f32(3), (2, 3))",
        "f32(4).as_strided((2, 2), (2, 1))",
        "torch.as_strided(f32(4), (2, 2), (1,))", "torch.permute(f32(2, 3, 4), (2, 0, 1))",
        "f32(2, 3, 4).permute(2, 0, -2)",
        "f32(2, 3).permute(0, 0)", "f32(2, 3).permute(0)", "f32(2, 3).permute(dims=(1, 0))", "f32().permute(())",
        "torch.tile(f32(2, 3), (2,))", "f32(2, 3).tile(2, 1, 2)", "f32(3).repeat(2)", "f32(2, 3).repeat(2)",
        "f32(3).repeat((2, 0))",
        "f32(3).repeat(-1)", "f32().repeat(2, 3)", "torch.view_as_real(c64(3))", "torch.view_as_real(f32(3))",
        "torch.roll(f32(3), (1, 2))",
        "torch.view_as_complex(f64(3, 2))", "torch.view_as_complex(i64(3, 2))",
        "torch.unflatten(f32(2, 12), 1, (3, -1))",
        "torch.unflatten(f32(2, 12), 1, (5, -1))", "torch.unflatten(f32(2, 12), -1, (2, 2, 3))",
        "torch.movedim(f32(2, 3), (0, 1), (1,))",
        "torch.transpose(f32(2, 3), dim0=0, dim1=1)", "torch.swapaxes(f32(2, 3), axis0=0, axis1=1)",
        "f32(2, 3).swapdims(0, 1)", "f32(2, 3).t_()",
    ]) == []  # fmt: skip


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_expand_against_torch(data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.sampled_from([0, 1, 2, 3]), max_size=3)))
    wanted = tuple(data.draw(st.lists(st.sampled_from([-1, 0, 1, 2, 3]), max_size=4)))
    if any(size == -1 for size in wanted[: max(len(wanted) - len(shape), 0)]):
        return  # torch's meta device lets a new dim of -1 pass, its CPU does not
    assert oracle.compare(f"f32{shape}.expand({wanted})") is None


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_view_against_torch(data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.sampled_from([1, 2, 3, 4, 6]), max_size=4)))
    wanted = tuple(data.draw(st.lists(st.sampled_from([-1, 1, 2, 3, 4, 6, 8, 12]), max_size=4)))
    assert oracle.compare(f"f32{shape}.view({wanted})") is None


MOVES = ["x.transpose(0, -1)", "x.flip(0)", "x.flip(-1)", "x.roll(1, 0)", "x.roll(-2)", "x.unsqueeze(1)",
         "x.flatten()", "x[1:]",
         "x[..., ::2]", "x.repeat(2, 1, 1)", "x.expand(2, -1, -1, -1)", "x.diagonal()", "x.select(1, 1)",
         "x.narrow(1, 0, 2)",
         "x.unfold(0, 2, 1)", "x.permute(1, 2, 0)", "torch.rot90(x)", "x.repeat_interleave(2, 1)",
         "x.movedim(0, 1)"]  # fmt: skip


@given(st.lists(st.sampled_from(MOVES), min_size=1, max_size=3))
@settings(max_examples=150, deadline=None)
def test_numbers_of_constants_move_along(moves: list[str]) -> None:
    expression = "counted(2, 3, 2)"
    for move in moves:
        expression = (
            move.replace("x", f"({expression})", 1) if move[0] == "x" else move.replace("(x", f"({expression}", 1)
        )
    assert cpu_oracle.compare(expression, numbers=True) is None


def test_repeats_of_a_tensor() -> None:
    for expression in ("counted(3, 2).repeat_interleave(counted(3), 0)", "counted(4).repeat_interleave(counted(4))"):
        assert cpu_oracle.compare(expression) is None
    free = arrange.repeat_interleave(Tensor((5, 2)), Tensor((5,), dtypes.int64), 0).shape[0]
    assert isinstance(free, Dim) and expr_of(free).symbol is not None and expr_of(free).symbol.kind == "free"  # type: ignore[union-attr]
    assert int(arrange.repeat_interleave(Tensor((5, 2)), Tensor((5,), dtypes.int64), 0, output_size=9).shape[0]) == 9


def test_sizes_stay_expressions() -> None:
    n, width = size("n", 9), size("width", 4)
    x = Tensor((n, width))
    two = expr_of(n * width)
    assert expr_of(views.flatten(x).shape[0]) == two
    assert expr_of(arrange.transpose(x, 0, 1).shape[0]) == expr_of(width)
    assert expr_of(views.unsqueeze(x, 0).shape[1]) == expr_of(n)
    assert expr_of(views.expand(Tensor((1, width)), n, -1).shape[0]) == expr_of(n)
    assert expr_of(arrange.repeat(x, 1, 3).shape[1]) == expr_of(3 * width)
    assert expr_of(views.unfold(x, 0, 3, 2).shape[0]) == expr_of((n - 3) // 2 + 1)
    assert expr_of(arrange.diagonal(x, -1).shape[0]) == expr_of(width)
    assert expr_of(views.squeeze(Tensor((1, n))).shape[0]) == expr_of(n)


def test_messages_say_sizes() -> None:
    with pytest.raises(ShapeError, match=r"\(2, 16, 15, 15\) as \(2, -1, 7\): 7200 elements do not divide by 14"):
        views.view(Tensor((2, 16, 15, 15)), 2, -1, 7)
    with pytest.raises(ShapeError, match=r"expand of \(2, 3\) to \(2, 4\): dim 1 cannot become 4"):
        views.expand(Tensor((2, 3)), 2, 4)
