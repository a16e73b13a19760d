"""Joining and cutting, against torch and over symbolic sizes."""

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
from lazygen.symbolic.ops import joining
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.tensor import Tensor

SHAPES = [(), (1,), (3,), (0,), (2, 3), (2, 1), (4, 3), (2, 3, 4), (2, 5, 4), (6, 2, 4)]


def size(name: str, value: int) -> Any:
    return of_symbol(new_symbol("parameter", name, value))


def test_joining_pairs() -> None:
    calls = ["torch.cat([f32{a}, f32{b}], {d})", "torch.stack([f32{a}, i64{b}], dim={d})"]
    found = [
        oracle.compare(call.format(a=a, b=b, d=d))
        for call, a, b, d in itertools.product(calls, SHAPES, SHAPES, range(-3, 3))
    ]
    assert [item for item in found if item] == []


def test_stacks_of_pairs() -> None:
    calls = ["torch.hstack([f32{a}, f32{b}])", "torch.vstack([f32{a}, i64{b}])", "torch.dstack([f32{a}, f16{b}])",
             "torch.column_stack([f32{a}, f32{b}])", "torch.block_diag(f32{a}, i64{b})",
             "torch.cartesian_prod(f32{a}, f32{b})"]  # fmt: skip
    found = [oracle.compare(call.format(a=a, b=b)) for call, a, b in itertools.product(calls, SHAPES, SHAPES)]
    assert [item for item in found if item] == []


def test_cutting() -> None:
    calls = ["{x}.chunk({k}, {d})", "torch.split({x}, {k}, {d})", "torch.tensor_split({x}, {k}, {d})",
             "{x}.unbind({d})",
             "{x}.split([1, {k}], dim={d})", "{x}.tensor_split((1, {k}), {d})", "torch.hsplit({x}, {k})",
             "torch.vsplit({x}, {k})",
             "torch.dsplit({x}, {k})", "torch.hsplit({x}, (1, {k}))",
             "torch.split_with_sizes({x}, [{k}, 1], {d})"]  # fmt: skip
    found = [
        oracle.compare(call.format(x=f"f32{shape}", k=k, d=d))
        for call, shape, k, d in itertools.product(calls, SHAPES, (-1, 0, 1, 2, 3, 4, 7), (-3, -1, 0, 1))
    ]
    assert [item for item in found if item] == []


@given(
    st.lists(st.sampled_from(["f16", "bf16", "f32", "f64", "i32", "i64", "u8", "b8", "c64"]), min_size=1, max_size=4)
)
@settings(max_examples=60, deadline=None)
def test_dtypes_of_cat(kinds: list[str]) -> None:
    assert oracle.compare(f"torch.cat([{', '.join(f'{kind}(2)' for kind in kinds)}])") is None


def test_numbers_of_constants() -> None:
    for expression in (
        "torch.cat([counted(2, 3), counted(2, 2)], 1)", "torch.stack([counted(2, 3), counted(2, 3)], 2)",
        "torch.stack([counted(), counted()])",
        "torch.cat([counted(3), ones(2)])", "counted(5, 2).split(2)", "counted(2, 5).chunk(3, 1)",
        "counted(2, 3).unbind(1)",
        "torch.hstack([counted(2), counted(3)])", "torch.vstack([counted(3), counted(2, 3)])",
        "torch.tensor_split(counted(7), 3)",
    ):  # fmt: skip
        assert cpu_oracle.compare(expression, numbers=True) is None


def test_combinations_on_the_cpu() -> None:
    for expression in (
        "counted(5), 3",
        "counted(4)",
        "counted(3), 2, True",
        "counted(3), 0",
        "counted(2, 2)",
        "counted(2), 3",
    ):
        assert cpu_oracle.compare(f"torch.combinations({expression})") is None


def test_sizes_stay_expressions() -> None:
    n, a, b, w = size("n", 2), size("a", 5), size("b", 7), size("w", 4)
    assert expr_of(joining.cat([Tensor((n, a)), Tensor((n, b)), Tensor((n, 3))], 1).shape[1]) == expr_of(a + b + 3)
    assert expr_of(joining.cat([Tensor((2, a)), Tensor((n, b))], 1).shape[0]) == expr_of(n)  # names before numbers
    assert [expr_of(t.shape[1]) for t in joining.chunk(Tensor((n, 3 * w)), 3, -1)] == [expr_of(w)] * 3
    assert [expr_of(t.shape[1]) for t in joining.split(Tensor((n, 3 * w)), w, 1)] == [expr_of(w)] * 3
    assert [expr_of(t.shape[1]) for t in joining.split(Tensor((n, a)), 3, 1)] == [expr_of(3), expr_of(a - 3)]
    assert [expr_of(t.shape[1]) for t in joining.split(Tensor((n, a + b)), [a, b], 1)] == [expr_of(a), expr_of(b)]
    halves = [t.shape[1] for t in joining.chunk(Tensor((n, a)), 2, 1)]
    assert [int(half) for half in halves] == [3, 2] and expr_of(halves[0] + halves[1]) == expr_of(a)
    assert [expr_of(t.shape[0]) for t in joining.tensor_split(Tensor((6 * w,)), 3)] == [expr_of(2 * w)] * 3
    assert expr_of(joining.stack([Tensor((n, a)), Tensor((n, a))], 1).shape[2]) == expr_of(a)
    assert len(joining.unbind(Tensor((n, a)), 0)) == 2
    assert expr_of(joining.block_diag(Tensor((n, a)), Tensor((a, b))).shape[1]) == expr_of(a + b)


def test_messages_say_sizes() -> None:
    with pytest.raises(ShapeError) as caught:
        joining.cat([Tensor((2, 16, 15, 15)), Tensor((2, 16, 14, 14))], dim=1)
    assert caught.value.message == "sizes do not meet in torch.cat along dim 1"
    assert caught.value.notes == ("dim 2 is 15 and 14",) and caught.value.code == "LZ201"
    assert [t.shape[2] for t in caught.value.operands] == [15, 14]
    with pytest.raises(ShapeError, match=r"split of dim 1 into 1, 3: these sum to 4, but its size is 5"):
        joining.split(Tensor((2, 5)), [1, 3], 1)
