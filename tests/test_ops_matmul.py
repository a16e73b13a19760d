"""Products, einsum, linear algebra, distances and attention, against torch and over symbolic sizes."""

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
from lazygen.symbolic.ops import einsum, matmul, similarity
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.tensor import Tensor

SHAPES = [(), (3,), (4,), (1,), (3, 4), (4, 3), (3, 3), (2, 3, 4), (2, 4, 3), (1, 4, 3), (5, 1, 3, 3)]


def size(name: str, value: int) -> Any:
    return of_symbol(new_symbol("parameter", name, value))


def mismatches(expressions: list[str]) -> list[str]:
    return [found for expression in expressions if (found := oracle.compare(expression)) is not None]


def test_products_of_pairs() -> None:
    calls = ["torch.matmul({a}, {b})", "torch.mm({a}, {b})", "torch.bmm({a}, {b})", "{a}.mv({b})",
             "torch.dot({a}, {b})",
             "torch.inner({a}, {b})", "torch.outer({a}, {b})", "torch.kron({a}, {b})", "torch.tensordot({a}, {b}, 1)",
             "torch.linalg.cross({a}, {b})", "F.linear({a}, {b})", "{a} @ {b}",
             "torch.tensordot({a}, {b}, ([0], [0]))",
             "torch.tensordot({a}, {b})", "torch.linalg.solve({a}, {b})", "torch.cdist({a}, {b})",
             "F.cosine_similarity({a}, {b}, -1)", "F.pairwise_distance({a}, {b})",
             "F.pairwise_distance({a}, {b}, keepdim=True)",
             "torch.linalg.solve_triangular({a}, {b}, upper=True)", "torch.linalg.multi_dot([{a}, {b}])"]  # fmt: skip
    assert mismatches([
        call.format(a=f"f32{a}", b=f"f32{b}") for call, a, b in itertools.product(calls, SHAPES, SHAPES)
    ]) == []  # fmt: skip


def test_products_do_not_promote() -> None:
    calls = ["torch.matmul({a}(2, 2), {b}(2, 2))", "torch.outer({a}(2), {b}(2))", "F.linear({a}(2, 2), {b}(2, 2))",
             "torch.einsum('ij,jk', {a}(2, 2), {b}(2, 2))", "torch.kron({a}(2), {b}(2))",
             "torch.inner({a}(), {b}(2))",
             "torch.linalg.cross({a}(3), {b}(3))"]  # fmt: skip
    kinds = ["f32", "f64", "f16", "i64", "c64"]
    expressions = [call.format(a=a, b=b) for call, a, b in itertools.product(calls, kinds, kinds)]
    assert [found for expression in expressions if (found := cpu_oracle.compare(expression)) is not None] == []


def test_added_products() -> None:
    firsts = [(), (1,), (4,), (2, 4), (2, 1), (3, 4), (5, 2, 4), (1, 2, 4), (2,)]
    calls = ["torch.addmm(f32{s}, f32(2, 3), f32(3, 4))", "torch.baddbmm(f32{s}, f32(5, 2, 3), f32(5, 3, 4))",
             "torch.addbmm(f32{s}, f32(5, 2, 3), f32(5, 3, 4))", "torch.addmv(f32{s}, f32(2, 3), f32(3))",
             "torch.addr(f32{s}, f32(2), f32(4))", "F.linear(f32(2, 3), f32(4, 3), f32{s})"]  # fmt: skip
    expressions = [call.format(s=s) for call, s in itertools.product(calls, firsts)]
    assert [found for expression in expressions if (found := cpu_oracle.compare(expression)) is not None] == []


def test_linear_algebra() -> None:
    calls = ["torch.linalg.inv({x})", "torch.linalg.det({x})", "torch.linalg.slogdet({x})", "torch.linalg.qr({x})",
             "torch.linalg.qr({x}, 'complete')", "torch.linalg.qr({x}, mode='r')", "torch.linalg.svd({x})",
             "torch.linalg.svd({x}, full_matrices=False)", "torch.linalg.svdvals({x})", "torch.linalg.eigh({x})",
             "torch.linalg.eigvalsh({x})", "torch.linalg.eig({x})", "torch.linalg.cholesky({x})",
             "torch.linalg.pinv({x})",
             "torch.linalg.matrix_norm({x})", "torch.linalg.norm({x})", "torch.linalg.norm({x}, dim=-1)",
             "torch.linalg.norm({x}, 1)",
             "torch.linalg.norm({x}, dim=(-1, -2), keepdim=True)", "torch.linalg.vector_norm({x}, 1, 0)",
             "torch.linalg.vector_norm({x}, dtype=torch.float64)", "torch.svd({x})",
             "torch.linalg.matrix_power({x}, 3)"]  # fmt: skip
    shapes = [(), (3,), (3, 3), (3, 4), (5, 3), (2, 3, 3), (2, 4, 3)]
    expressions = [call.format(x=f"{k}{s}") for call, s, k in itertools.product(calls, shapes, ("f32", "c64"))]
    assert mismatches(expressions) == []
    on_ints = [call.format(x=f"i64{shape}") for call, shape in itertools.product(calls, shapes)]
    assert [found for expression in on_ints if (found := cpu_oracle.compare(expression)) is not None] == []


def test_many_forms() -> None:
    assert mismatches([
        "torch.chain_matmul(f32(2, 3), f32(3, 4), f32(4, 5))", "torch.linalg.multi_dot([f32(3), f32(3, 4), f32(4)])",
        "torch.linalg.multi_dot([f32(3)])", "torch.cross(f32(3, 2), f32(3, 2), dim=0)",
        "torch.cross(f32(3, 2), f32(3, 2))",
        "torch.cross(f32(2, 2), f32(2, 2))", "torch.tensordot(f32(2, 3, 4), f32(4, 3), ([1, 2], [1, 0]))",
        "F.bilinear(f32(2, 3), f32(2, 4), f32(5, 3, 4), f32(5))", "F.bilinear(f32(2, 3), f32(2, 4), f32(5, 3, 3))",
        "torch.linalg.vander(f32(2, 3), N=5)", "torch.linalg.vander(i32(3))", "torch.pdist(f32(4, 3))",
        "torch.inner(f32(2, 3), f32(3))",
        "torch.linalg.solve(f32(3, 3), f32(4, 3), left=False)", "F.linear(f32(2, 3), f32(3))",
        "F.linear(f32(3), f32(5, 3), f32(5))",
    ]) == []  # fmt: skip


def test_attention() -> None:
    calls = ["F.scaled_dot_product_attention(f32{q}, f32{k}, f32{v})",
             "F.scaled_dot_product_attention(f32{q}, f32{k}, f32{v}, is_causal=True)",
             "F.scaled_dot_product_attention(f32{q}, f32{k}, f32{v}, attn_mask=b8(5, 7))"]  # fmt: skip
    queries = [(2, 4, 5, 8), (2, 5, 8), (5, 8), (1, 4, 5, 8), (2, 4, 5, 6)]
    keys, values = [(2, 4, 7, 8), (2, 7, 8), (7, 8)], [(2, 4, 7, 8), (2, 4, 7, 6), (2, 7, 8), (7, 3), (2, 4, 6, 8)]
    found = mismatches(
        [call.format(q=q, k=k, v=v) for call, q, k, v in itertools.product(calls, queries, keys, values)]
    )
    assert found == []
    grouped = "f32(2, 8, 5, 8), f32(2, 2, 7, 8), f32(2, 2, 7, 8), enable_gqa=True"
    assert oracle.compare(f"F.scaled_dot_product_attention({grouped})") is None


EQUATIONS = ["ij,jk->ik", "ij,jk", "bij,bjk->bik", "...ij,...jk->...ik", "ii->i", "ii", "ij->ji", "ij->",
             "i,j->ij", "b...,b...->...", "ij,ij",
             "bhqd,bhkd->bhqk", "bi,oij,bj->bo", "a b, b c -> a c", "...", "i...->...i", "ij,kj->zk", "ij->ii",
             "ij,j", "Aij,ijB"]  # fmt: skip


@given(st.sampled_from(EQUATIONS), st.data())
@settings(max_examples=400, deadline=None)
def test_einsum_against_torch(equation: str, data: st.DataObject) -> None:
    operands = []
    sizes = {label: data.draw(st.integers(1, 3)) for label in "abcdhijkoqzAB"}
    for part in equation.partition("->")[0].replace(" ", "").split(","):
        extra = data.draw(st.lists(st.sampled_from([1, 2, 3]), max_size=2)) if "..." in part else []
        before, _, after = part.partition("...")
        shape = [sizes[c] for c in before] + extra + [sizes[c] for c in after]
        if data.draw(st.integers(0, 4)) == 0 and shape:
            shape[data.draw(st.integers(0, len(shape) - 1))] = data.draw(st.integers(1, 3))
        operands.append(f"f32({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})")
    assert oracle.compare(f"torch.einsum('{equation}', {', '.join(operands)})") is None


def test_einsum_forms() -> None:
    assert mismatches([
        "torch.einsum('ij,jk', [f32(2, 3), f32(3, 4)])", "torch.einsum(f32(2, 3), [0, 1], f32(3, 4), [1, 2], [0, 2])",
        "torch.einsum(f32(2, 3), [0, 1])", "torch.einsum(f32(2, 3), [..., 1], [1, ...])",
        "torch.einsum('ij', f32(2))",
        "torch.einsum('ij,jk', f32(2, 3))", "torch.einsum('i1', f32(2, 3))", "torch.einsum('ij->k', f32(2, 3))",
    ]) == []  # fmt: skip


def test_least_squares_on_the_cpu() -> None:
    shapes = [(3, 2), (2, 3), (2, 3, 2), (3,), (4, 1)]
    for a, b in itertools.product(shapes, shapes):
        found = cpu_oracle.compare(f"torch.linalg.lstsq(f32{a}, f32{b})[0]")
        assert found is None


def test_sizes_stay_expressions() -> None:
    n, length, w, m = size("n", 2), size("l", 7), size("w", 4), size("m", 6)
    x, y = Tensor((n, length, w)), Tensor((w, m))
    assert [expr_of(s) for s in matmul.matmul(x, y).shape] == [expr_of(n), expr_of(length), expr_of(m)]
    assert [expr_of(s) for s in einsum.einsum("blw,wm->mlb", x, y).shape] == [expr_of(m), expr_of(length), expr_of(n)]
    attended = similarity.scaled_dot_product_attention(x, Tensor((n, m, w)), Tensor((n, m, w + 1)))
    assert [expr_of(s) for s in attended.shape] == [expr_of(n), expr_of(length), expr_of(w + 1)]
    assert expr_of(matmul.kron(y, y).shape[0]) == expr_of(w * w)
    assert expr_of(matmul.linear(x, Tensor((m, w))).shape[2]) == expr_of(m)


def test_messages_say_sizes() -> None:
    with pytest.raises(ShapeError) as caught:
        matmul.matmul(Tensor((2, 3)), Tensor((4, 5)))
    assert caught.value.message == "sizes do not meet in torch.matmul: (2, 3) and (4, 5)"
    assert "is 3" in caught.value.notes[0] and "is 4" in caught.value.notes[0]
    with pytest.raises(ShapeError) as caught:
        einsum.einsum("ij,jk->ik", Tensor((2, 3)), Tensor((4, 5)))
    assert caught.value.notes == ("j is 3 and 4",)
