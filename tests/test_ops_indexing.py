"""Indexing, reading and writing, and lookups by tensors, against torch."""

from __future__ import annotations

import itertools
from typing import Any

import cpu_oracle
import oracle
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lazygen.symbolic import dtypes
from lazygen.symbolic.dim import Dim, expr_of, of_symbol
from lazygen.symbolic.errors import ShapeError, UnknownValue
from lazygen.symbolic.ops import indexing, lookup
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.tensor import Tensor
from lazygen.symbolic.unknown import Unknown

ITEMS = [
    "0", "-1", "2", "5", ":", "1:", ":-1", "::2", "-2:", "1:1", "3:1", "-9:9", "None", "...", "True", "False",
    "[0, 1]", "[-1]", "[]", "[[0], [1]]",
    "counted(2)", "counted(2, 1)", "counted(1, 2)", "counted()", "bools(1, 0, 1)", "bools(1, 1, 0, 1)",
    "[True, False, True]", "i32(2)", "f32(2)", "9",
    "::-1", "[7]", "range(2)",
]  # fmt: skip


def size(name: str, value: int) -> Any:
    return of_symbol(new_symbol("parameter", name, value))


def test_one_item_and_two() -> None:
    keys = [*ITEMS, *(f"{a}, {b}" for a, b in itertools.product(ITEMS, ITEMS))]
    found = [
        cpu_oracle.compare(f"counted(3, 4, 2)[{key}]", numbers="f32" not in key and "i32" not in key) for key in keys
    ]
    assert [item for item in found if item] == []


@given(st.lists(st.sampled_from(ITEMS[:27]), min_size=1, max_size=5))
@settings(max_examples=400, deadline=None)
def test_keys_against_torch(items: list[str]) -> None:
    assume(items.count("...") < 2)  # torch has no rule for two, and does not refuse them either
    assert cpu_oracle.compare(f"counted(3, 4, 2)[{', '.join(items)},]", numbers=True) is None


@given(
    st.lists(st.sampled_from(ITEMS[:27]), min_size=1, max_size=4),
    st.sampled_from(["7", "ones(2)", "counted(4, 1)", "counted(1, 1, 2)", "2.5", "counted(2)", "ones(1)", "True"]),
)
@settings(max_examples=200, deadline=None)
def test_writing_against_torch(items: list[str], value: str) -> None:
    if items.count("...") > 1:
        return  # where torch is only sometimes strict
    assert cpu_oracle.written(f"x[{', '.join(items)}] = {value}", numbers=False) is None


def test_written_numbers() -> None:
    for statement in (
        "x[0] = 5", "x[:, 1:3] = counted(2, 2)", "x[..., 0] = ones(4)", "x[1, [0, 2]] = counted(2)",
        "x[bools(1, 0, 1)] = 9", "x[[0, 1], [1, 2]] = counted(2, 1)", "x[1:] = 2.75", "x[:, None, 0] = 8",
    ):  # fmt: skip
        assert cpu_oracle.written(statement) is None


VIEWS = [
    "x[0]",
    "x[1:, 2]",
    "x.view(-1)",
    "x.flatten()",
    "x.transpose(0, 1)",
    "x[:, None]",
    "x.unbind()[1]",
    "x.split(2)[0]",
    "x.select(2, 1)",
]


@given(
    st.sampled_from(VIEWS),
    st.sampled_from(["y[0] = 70", "y += 1", "y[..., -1] = 5", "x[0, 0] = 9", "x *= 2", "y[:] = 3"]),
)
@settings(max_examples=100, deadline=None)
def test_views_see_writes(view: str, write: str) -> None:
    """A number that the stand-in claims to know is what torch has; writing through views leaves it unknown."""
    results = []
    for world in (cpu_oracle.OURS, cpu_oracle.THEIRS):
        scope = {**world, "x": world["counted"](3, 4, 2)}
        exec(f"y = {view}; {write}", scope)
        results.append([cpu_oracle.described(scope[name]) for name in ("x", "y")])
    for ours, theirs in zip(*results, strict=True):
        assert ours[3] in (None, theirs[3]) and ours[:3] == theirs[:3]
    assert any(ours[3] is not None for ours in results[0])


def test_slices_keep_expressions() -> None:
    n, k = size("n", 9), size("k", 4)
    x = Tensor((n, 3))
    for key, expected in [
        (slice(1, None), n - 1), (slice(None, -1), n - 1), (slice(1, -1), n - 2), (slice(None, k), k),
        (slice(k, None), n - k),
        (slice(-k, None), k), (slice(None, -k), n - k), (slice(None, None, 2), -(-n // 2)),
        (slice(1, None, 3), -(-(n - 1) // 3)),
        (slice(None, 5), 5), (slice(None, 50), n), (slice(k, k + 2), 2), (slice(None), n), (slice(-50, None), n),
        (slice(-2, None), 2),
    ]:  # fmt: skip
        found = x[key].shape[0]
        assert int(found) == len(
            range(9)[slice(*(None if b is None else int(b) for b in (key.start, key.stop, key.step)))]
        )
        assert expr_of(found) == expr_of(expected), key
    assert expr_of(x[None, ..., 0].shape[1]) == expr_of(n)
    assert [expr_of(s) for s in x[:, [0, 2]].shape] == [expr_of(n), expr_of(2)]
    assert expr_of(x[Tensor((k, 2), dtypes.int64)].shape[0]) == expr_of(k)


def test_masks_pick_free_sizes() -> None:
    x, mask = Tensor((4, 3, 5)), Tensor((4, 3), dtypes.bool_)
    found = x[mask]
    count = found.shape[0]
    assert found.ndim == 2 and int(found.shape[1]) == 5
    assert isinstance(count, Dim) and expr_of(count).symbol is not None and expr_of(count).symbol.kind == "free"  # type: ignore[union-attr]
    assert lookup.nonzero(x).shape[1] == 3 and isinstance(lookup.nonzero(x).shape[0], Dim)
    assert isinstance(lookup.masked_select(x, mask[..., None]).shape[0], Dim)
    assert len(lookup.nonzero(x, as_tuple=True)) == 3
    one = x[mask, 0]
    assert one.ndim == 1 and isinstance(one.shape[0], Dim)
    assert x[mask, Tensor((7,), dtypes.int64)].shape == (7,)


def test_known_masks_count() -> None:
    for expression in (
        "torch.nonzero(counted(2, 3))", "counted(2, 3).nonzero(as_tuple=True)",
        "torch.masked_select(counted(2, 3), bools(1, 0, 1))",
        "counted(3, 2)[bools(0, 1, 1), 0]", "torch.argwhere(counted(3))",
        "torch.masked_fill(counted(3), bools(1, 0, 1), 7)",
    ):  # fmt: skip
        assert cpu_oracle.compare(expression, numbers="select" not in expression) is None


def test_numbers_that_only_data_has() -> None:
    x = Tensor((4, 3), values=[0.0] * 12)
    picked = x[Tensor((), dtypes.int64)]
    assert picked.shape == (3,) and picked.values is None and x.values is not None
    assert x[Unknown()].shape == (3,) and x[..., Unknown()].shape == (4,)
    assert x.narrow(0, Unknown(), 2).shape == (2, 3) and x.select(1, Tensor((), dtypes.int64)).shape == (4,)
    with pytest.raises(UnknownValue):
        x[: Unknown()]  # type: ignore[misc]


def test_lookups_against_torch() -> None:
    shapes = [(), (1,), (3,), (0,), (2, 3), (1, 5), (2, 5), (3, 3), (2, 3, 4)]
    kinds = ["i64", "i32", "f32"]
    calls = ["torch.gather(f32(2, 3), {d}, {i}{s})", "torch.scatter(f32(2, 3), {d}, {i}{s}, 1.0)",
             "torch.index_select(f32(2, 3), {d}, {i}{s})", "torch.index_fill(f32(2, 3), {d}, {i}{s}, 0.5)",
             "torch.take(f32(2, 3), {i}{s})", "torch.take_along_dim(f32(2, 3), {i}{s}, {d})",
             "F.embedding({i}{s}, f32(7, 4))", "torch.scatter_add(f32(2, 3), {d}, {i}{s}, f32(2, 3))",
             "f32(2, 3).scatter({d}, {i}{s}, f64(2, 3))", "f32(2, 3).scatter_reduce({d}, {i}{s}, f32(2, 3), 'sum')",
             "f32(2, 3).scatter_({d}, {i}{s}, 1)"]  # fmt: skip
    found = [
        cpu_oracle.compare(call.format(d=d, i=kind, s=shape))
        for call, d, kind, shape in itertools.product(calls, (-3, -1, 0, 1), kinds, shapes)
    ]
    assert [item for item in found if item] == []


def test_other_lookups_against_torch() -> None:
    assert [item for item in map(oracle.compare, [
        "torch.index_add(f32(5, 3), 0, i64(2), f32(2, 3))", "torch.index_add(f32(5, 3), 0, i64(2), f32(3, 3))",
        "torch.index_add(f32(5, 3), 1, i64(2), f32(5, 2))", "torch.masked_fill(f32(2, 3), b8(3), 0.0)",
        "f32(2, 3).masked_fill(b8(2, 1), f32())",
        "f32(3).masked_fill(b8(2, 3), 1.0)", "f32(2, 3).masked_fill(i64(2, 3), 1.0)",
        "f32(2, 3).masked_fill(b8(4), 1.0)",
        "f32(2, 3).masked_fill(b8(3), f32(1))", "f32(2, 3).masked_fill_(b8(3), 1)",
        "torch.masked_scatter(f32(2, 3), b8(3), f32(6))",
        "torch.put(f32(2, 3), i64(4), f32(4))", "f32(4, 3).index_put((i64(2),), f32(2, 3))",
        "f32(4, 3).index_put((i64(2), i64(2)), f32(2))", "torch.embedding(f32(10, 4), i64(2, 3))",
        "F.embedding(i64(2), f32(10, 4), padding_idx=9)", "f32(3)[i64(2, 3)]", "f32(3, 4)[:, i64(2), None]",
        "f32(3, 4, 5)[i64(2), :, i64(1)]",
        "f32(3, 4, 5)[i64(2), i64(3)]", "f32(3)[f32(2)]", "f32(3, 4)[i64(2, 1), i64(3)]",
        "torch.index_copy(f32(5, 3), 0, i64(2), f32(2, 3))",
    ]) if item] == []  # fmt: skip


def test_put_counts_on_the_cpu() -> None:
    for expression in ("torch.put(f32(2, 3), i64(4), f32(3))", "torch.put(f32(2, 3), i64(4), f64(4))"):
        assert cpu_oracle.compare(expression) is None
        assert cpu_oracle.outcome(expression, cpu_oracle.OURS, {}) == "error"


def test_iteration_and_unpacking() -> None:
    n = size("n", 3)
    rows = list(Tensor((n, 4)))
    assert [tuple(row.shape) for row in rows] == [(4,)] * 3
    first, *others = Tensor((n, 4))
    assert len(others) == 2 and first.shape == (4,)


def test_messages_say_sizes() -> None:
    with pytest.raises(ShapeError, match="index 5 is out of range for dim 1, whose size is 3"):
        indexing.getitem(Tensor((2, 3)), (slice(None), 5))
    with pytest.raises(ShapeError, match="3 indices for a tensor of 2 dims"):
        indexing.getitem(Tensor((2, 3)), (0, 0, 0))
    with pytest.raises(ShapeError, match=r"a mask of \(4,\) does not fit a tensor of \(2, 3\)"):
        indexing.getitem(Tensor((2, 3)), Tensor((4,), dtypes.bool_))
