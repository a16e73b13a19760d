"""Pointwise operations and comparisons of several operands, against torch."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import SYMBOLIC, compare
from values_oracle import compare_on_cpu, kept, run

from lazygen.symbolic.dim import Dim, of_symbol
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import Symbol
from lazygen.symbolic.tensor import Tensor

DTYPES = ["b8", "u8", "i32", "i64", "f16", "bf16", "f32", "f64", "c64"]
BINARY = [
    "add", "sub", "mul", "div", "floor_divide", "remainder", "fmod", "pow", "maximum", "minimum", "fmax", "fmin",
    "atan2", "hypot", "logaddexp", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "logical_and",
    "logical_or", "logical_xor", "copysign", "xlogy", "float_power", "gcd", "lcm", "heaviside", "nextafter", "ldexp",
    "eq", "ne", "lt", "le", "gt", "ge",
]  # fmt: skip
SHAPES = [(), (1,), (3,), (2, 3), (2, 1), (0, 3), (4, 1, 3), (2,)]


def failures(expressions: list[str]) -> list[str]:
    return [problem for problem in map(compare_on_cpu, expressions) if problem is not None]


@pytest.mark.parametrize("name", BINARY)
def test_dtypes_of_pairs(name: str) -> None:
    pairs = [(a, b) for a, b in product(DTYPES, DTYPES) if {a, b} <= {"b8", "u8", "i64", "f32", "c64", "f16"} or a == b]
    if name == "ldexp":  # of small dtypes torch has it now and then
        pairs = [("f32", "i64"), ("f32", "f32"), ("i64", "i64"), ("f64", "f64")]
    assert failures([f"torch.{name}({a}(2, 1), {b}(3))" for a, b in pairs]) == []


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("form", ["torch.{n}({d}(2, 3), {x})", "torch.{n}({x}, {d}(2, 3))", "{d}(2, 3).{n}({x})"])
def test_numbers(name: str, form: str) -> None:
    numbers = ["2", "2.5", "True"] if name != "float_power" else ["2", "2.5"]
    assert failures([form.format(n=name, d=d, x=x) for d in ("b8", "i64", "f16", "f32") for x in numbers]) == []


@given(st.sampled_from(["add", "div", "maximum", "lt"]), st.lists(st.sampled_from([1, 2, 3]), max_size=4), st.data())
@settings(deadline=None)
def test_broadcasting(name: str, shape: list[int], data: st.DataObject) -> None:
    other = [data.draw(st.sampled_from([1, size, size, 3])) for size in shape[data.draw(st.integers(0, 2)) :]]
    left, right = (", ".join(map(str, sizes)) for sizes in (shape, other))
    assert compare(f"torch.{name}(f32({left}), f32({right}))") is None
    assert compare(f"f32({left}).add_(f32({right}))") is None


def test_zero_dim_operands_rank_below() -> None:
    kinds = ["b8", "i32", "i64", "f16", "f32", "f64", "c64"]
    expressions = [f"torch.mul({a}({s}), {b}())" for a, b, s in product(kinds, kinds, ["2", ""])]
    assert [p for p in map(compare, expressions) if p] == []


@pytest.mark.parametrize(
    "expression",
    [
        "f32(2, 3) + 1", "1 + i64(2)", "2 - f32(2)", "1 / i64(3)", "2 ** f32(3)", "i64(3) ** 2", "7 // i64(3)",
        "5 % i64(2)", "i64(3) % 2.5", "b8(2) & b8(2)", "b8(2) | True", "i64(2) ^ 1", "~b8(2)", "~i64(2)", "-f32(2)",
        "-b8(2)", "abs(i64(2))", "+f32(3)", "i64(2) << 1", "1 >> i64(2)", "f32(2) == 1", "f32(2) < i64(2, 2)",
        "b8(2) - b8(2)", "1 - b8(2)", "f32(2) + 2j", "f32(3) + f32(2)", "c64(2) < c64(2)", "f32(2) & f32(2)",
        "f32(3) + 'x'", "f32(3) * None",
    ],
)  # fmt: skip
def test_operators(expression: str) -> None:
    assert compare_on_cpu(expression) is None


@pytest.mark.parametrize(
    "expression",
    [
        "f32(2, 3).add_(1)", "f32(2, 3).add_(f32(3))", "f32(3).add_(f32(2, 3))", "f32(1, 3).mul_(f32(2, 3))",
        "i64(2).mul_(0.5)", "i64(2).div_(2)", "f32(2).div_(i64(2))", "f16(2).add_(f32(2))", "i32(2).add_(i64(2))",
        "f32(2).add_(c64(2))", "b8(2).logical_and_(b8(2))", "f32(2).clamp_(0, 1)", "f32(2).clamp_(min=0)",
        "f32(2).pow_(2)", "f32(2, 1).eq_(f32(2, 1))", "f32(2).lerp_(f32(2), 0.5)",
        "f32(2).addcmul_(f32(2), f32(2), value=2)", "f32(2).sub_(f32(3))",
    ],
)  # fmt: skip
def test_in_place_keeps_shape_and_dtype(expression: str) -> None:
    assert compare_on_cpu(expression) is None


@pytest.mark.parametrize("alpha", ["2", "0.5", "True", "2j"])
@pytest.mark.parametrize("kind", ["b8", "i64", "f32", "c64"])
def test_alpha(alpha: str, kind: str) -> None:
    assert failures([f"torch.{n}({kind}(2), {kind}(2), alpha={alpha})" for n in ("add", "sub")]) == []


@pytest.mark.parametrize("mode", ["'floor'", "'trunc'", "None", "'round'"])
def test_rounding_modes(mode: str) -> None:
    expressions = [
        f"torch.div({a}(2, 1), {b}, rounding_mode={mode})" for a in DTYPES for b in ("i64(3)", "f32(3)", "2", "2.5")
    ]
    expressions += [f"torch.div(torch.tensor([-7, 7, 8]), {b}, rounding_mode={mode})" for b in ("2", "-2", "2.0")]
    assert failures(expressions) == []


@pytest.mark.parametrize("kind", DTYPES)
def test_clamp(kind: str) -> None:
    bounds = [
        "0, 1", "0.5, 1", "min=0", "max=2.5", f"{kind}(3)", f"max={kind}(2, 1)", "f32(3), f64(3)", "f32(2), 1", "",
        "max=f32(4)",
    ]  # fmt: skip
    assert (
        failures([f"torch.clamp({kind}(2, 3), {bound})" if bound else f"torch.clamp({kind}(2, 3))" for bound in bounds])
        == []
    )


@pytest.mark.parametrize("kind", DTYPES)
def test_three_operands(kind: str) -> None:
    expressions = [
        f"torch.lerp({kind}(2, 1), {kind}(3), 0.5)",
        f"torch.lerp({kind}(3), {kind}(3), {kind}(2, 3))",
        f"torch.lerp({kind}(2), f32(2), 0.5)",
        f"torch.addcmul({kind}(2, 1), {kind}(3), f32(2, 3))",
        f"torch.addcmul({kind}(2), {kind}(3), f32(2, 3))",
        f"torch.where(b8(2, 1), {kind}(3), f32(2, 3))",
        f"torch.where(b8(2), {kind}(2), 0)",
        f"torch.where(b8(2), 0.5, {kind}(2))",
        f"torch.where({kind}(2), f32(2), f32(2))",
        f"torch.where(b8(3), {kind}(2), {kind}(2))",
        f"{kind}(2, 3).where(b8(3), 0)",
    ]
    if kind not in ("b8", "u8", "i32", "i64"):
        expressions.append(f"torch.addcdiv({kind}(2, 1), {kind}(3), {kind}(2, 3), value=2)")
    assert failures(expressions) == []


def test_addcdiv_of_integers_is_refused() -> None:
    assert failures(["torch.addcdiv(f32(2), i64(2), i64(2))", "torch.addcdiv(f32(2), f32(2), f32(3))"]) == []


@pytest.mark.parametrize(
    "expression",
    [
        "torch.isclose(f32(2, 1), f32(3))", "torch.isclose(f32(2), f64(2))", "torch.isclose(i64(2), i64(2))",
        "torch.isin(i64(2, 3), i64(4))", "torch.add(f32(2), 1, out=f32(2))", "torch.add(f32(2), 1, out=i64(2))",
        "torch.add(f32(2, 3), 1, out=f64(0))", "torch.mul(input=f32(2), other=f32(2))", "f32(2).add(other=2)",
        "torch.clip(f32(2), min=0, max=1)", "torch.clamp_min(f32(2), 0)", "torch.clamp_max(i64(2), 0.5)",
        "torch.pow(i64(2), -1)", "torch.pow(f32(2), -1)", "torch.pow(2, i64(2))", "torch.pow(2, 3)",
        "torch.sub(i64(2), True)", "torch.sub(b8(2), 1)", "torch.sub(b8(2), True)", "torch.sub(i64(2), b8(2))",
        "torch.rsub(f32(2), 1)", "torch.add(1, 2)",
    ],
)  # fmt: skip
def test_more_forms(expression: str) -> None:
    assert compare_on_cpu(expression) is None


A, B = "torch.tensor([[1, -7, 8], [4, 5, 6]])", "torch.tensor([2, -3, 3])"
X, Y = "torch.tensor([0.5, -1.5, 2.0])", "torch.tensor([[0.25], [3.0]])"


@pytest.mark.parametrize("name", [n for n in BINARY if n != "nextafter"])
def test_values_of_constants(name: str) -> None:
    """Small constants keep their values through arithmetic, broadcast as torch does."""
    whole = [f"torch.{name}({A}, {B})", f"torch.{name}({B}, torch.tensor(2))"]
    real = [f"torch.{name}({X}, {Y})", f"torch.{name}({A}, {X})"]
    if name == "pow":
        whole, real = ["torch.pow(torch.tensor([2, 3]), 3)"], [f"torch.pow({Y}, {X})"]
    if name == "float_power":
        real = [f"torch.float_power({Y}, {X})"]
    if name == "heaviside":
        real = real[:1]
    if name == "bitwise_left_shift":
        whole = ["torch.bitwise_left_shift(torch.tensor([1, 2]), 3)"]
    expressions = (whole if name not in ("hypot", "logaddexp") else []) + (
        real if name not in ("gcd", "lcm") and "bitwise" not in name else []
    )
    assert failures(expressions) == []
    assert any(kept(expression) for expression in expressions)


@pytest.mark.parametrize(
    "expression",
    [
        f"torch.where({B} > 0, {B}, 0)", f"torch.clamp({B}, -1, 2)", f"torch.clamp({X}, max=1)",
        f"torch.lerp({X}, {X} + 1, 0.5)", f"torch.addcmul({X}, {X}, {Y}, value=2)", f"{A} * {X} + 1", f"2 - {B}",
        f"1 / {Y}", f"~({A} > 2)", f"torch.isclose({X}, {X})", f"torch.isin({B}, torch.tensor([2, 3]))",
        f"torch.add({X}, {Y}, alpha=3)", "torch.arange(3) / 2", "torch.arange(6).view(2, 3) + 1",
        "torch.tensor([200], dtype=torch.uint8) + 100", "torch.tensor(3).add_(1)", "torch.tensor([1.5]) * 3",
    ],
)  # fmt: skip
def test_values_of_expressions(expression: str) -> None:
    assert compare_on_cpu(expression) is None
    assert kept(expression)


def test_whole_tensor_comparisons() -> None:
    assert run("torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2]))", SYMBOLIC) is True
    assert run("torch.equal(torch.tensor([1, 2]), torch.tensor([1, 3]))", SYMBOLIC) is False
    assert run("torch.equal(f32(2), f32(3))", SYMBOLIC) is False
    assert run("torch.allclose(torch.tensor([1.0]), torch.tensor([1.0 + 1e-7]))", SYMBOLIC) is True
    assert run("torch.allclose(torch.tensor([1.0]), torch.tensor([1.1]))", SYMBOLIC) is False
    assert run("f32(2).is_same_size(f32(2, 1))", SYMBOLIC) is False


def test_sizes_stay_symbolic() -> None:
    width = of_symbol(Symbol(1, "parameter", "width", 6))
    result = SYMBOLIC["torch"].add(Tensor((2, width)), Tensor((2, 1)))
    assert isinstance(result.shape[1], Dim) and result.shape[1].expr == width.expr  # type: ignore[attr-defined]


def test_message_says_the_sizes() -> None:
    with pytest.raises(ShapeError, match=r"torch\.add.*\(2, 3\) and \(4,\).*dim 1") as caught:
        SYMBOLIC["torch"].add(Tensor((2, 3)), Tensor((4,)))
    assert caught.value.code == "LZ201" and len(caught.value.operands) == 2


def test_a_size_of_one_keeps_where_it_comes_from() -> None:
    """A batch of one, or one channel, is that after an operation too: a plain 1 beside it only spreads."""
    one = of_symbol(Symbol(1, "parameter", "channels", 1))
    x, torch = Tensor((one, 3)), SYMBOLIC["torch"]
    assert torch.relu(x).shape[0] is one
    for other in (x, Tensor((1, 3)), Tensor((3,)), 2):
        assert torch.add(x, other).shape[0] is one
        assert torch.add(other, x).shape[0] is one
    assert torch.add(x, Tensor((4, 3))).shape == (4, 3)
