"""Sorting and searching, against torch and over symbolic sizes."""

from __future__ import annotations

import itertools
from typing import Any

import cpu_oracle
import oracle
import pytest

from lazygen.symbolic.dim import expr_of, of_symbol
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops import sorting
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.tensor import Tensor

SHAPES = [(), (1,), (5,), (2, 3), (0, 3), (2, 3, 4)]


def size(name: str, value: int) -> Any:
    return of_symbol(new_symbol("parameter", name, value))


def mismatches(expressions: list[str], compare: Any = oracle.compare) -> list[str]:
    return [found for expression in expressions if (found := compare(expression)) is not None]


def test_along_a_dim() -> None:
    calls = ["torch.sort({x}, {d})", "{x}.sort(dim={d}, descending=True)", "torch.argsort({x}, {d})",
             "{x}.argsort({d}, True)",
             "torch.topk({x}, 2, {d})", "{x}.topk(1, dim={d}, largest=False)", "torch.topk({x}, 0, {d})",
             "{x}.topk(9, {d})",
             "torch.sort({x}, stable=True, dim={d})"]  # fmt: skip
    expressions = [
        call.format(x=f"{kind}{shape}", d=d)
        for call, shape, kind, d in itertools.product(calls, SHAPES, ("f32", "i64"), range(-3, 3))
    ]
    assert mismatches(expressions, cpu_oracle.compare) == []


def test_kth_value_on_the_cpu() -> None:
    calls = ["torch.kthvalue({x}, 1, {d})", "{x}.kthvalue(2, dim={d}, keepdim=True)", "torch.kthvalue({x}, 9, {d})"]
    shapes = [(1,), (5,), (2, 3), (2, 3, 4)]
    expressions = [call.format(x=f"f32{s}", d=d) for call, s, d in itertools.product(calls, shapes, range(-3, 3))]
    assert mismatches(expressions, cpu_oracle.compare) == []


def test_searching() -> None:
    shapes = [(3,), (1,), (2, 3), (2, 5), (3, 3), (2, 2, 3), ()]
    calls = ["torch.searchsorted(f32{a}, f32{b})", "torch.searchsorted(f32{a}, f32{b}, out_int32=True, right=True)",
             "torch.bucketize(f32{b}, f32{a})", "torch.searchsorted(f32{a}, f64{b})"]  # fmt: skip
    expressions = [call.format(a=a, b=b) for call, a, b in itertools.product(calls, shapes, shapes)]
    assert mismatches(expressions, cpu_oracle.compare) == []
    assert (
        mismatches(["torch.searchsorted(f32(3), 0.5)", "torch.bucketize(0.5, f32(3))", "torch.msort(f32(2, 3))"]) == []
    )


def test_numbers_of_constants() -> None:
    for expression in (
        "torch.sort(counted(2, 3, 2).flip(1), 1)", "counted(2, 3).sort(descending=True)",
        "torch.argsort(counted(4).roll(2))",
        "torch.sort(counted(3, 2).transpose(0, 1), 0)", "torch.msort(counted(3, 2).flip(0))", "torch.sort(counted())",
    ):  # fmt: skip
        assert cpu_oracle.compare(expression, numbers=True) is None


def test_sizes_stay_expressions() -> None:
    n, k = size("n", 9), size("k", 4)
    found = sorting.topk(Tensor((n, 12)), k)
    assert [expr_of(s) for s in found.values.shape] == [expr_of(n), expr_of(k)]
    assert expr_of(sorting.sort(Tensor((n, 3))).indices.shape[0]) == expr_of(n)
    assert found.indices.dtype.name == "int64"


def test_messages_say_sizes() -> None:
    with pytest.raises(ShapeError, match="topk wants 7 of the 5 of dim 1"):
        sorting.topk(Tensor((2, 5)), 7)
