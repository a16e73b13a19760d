"""Tensors made from sizes and data, ranges, indices and random tensors, against torch."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import SYMBOLIC, compare
from values_oracle import compare_on_cpu, kept

from lazygen.symbolic.dim import Dim, of_symbol
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import Symbol
from lazygen.symbolic.tensor import Tensor
from lazygen.symbolic.unknown import Unknown

SIZED = ["zeros", "ones", "empty", "rand", "randn"]
torch = SYMBOLIC["torch"]


def failures(expressions: list[str]) -> list[str]:
    return [problem for problem in map(compare_on_cpu, expressions) if problem is not None]


@pytest.mark.parametrize("name", SIZED)
def test_sized(name: str) -> None:
    arguments = [
        "2, 3", "(2, 3)", "[2, 3]", "()", "0", "(2, 0)", "2, dtype=torch.float64", "size=(2, 3)",
        "torch.Size([2, 3])", "-1", "(2, -3)", "2.5", "2, 2.0", "3, device='cpu'", "2, requires_grad=True",
        "2, dtype=torch.complex64", "'2'", "2, out=f32(1)",
    ]  # fmt: skip
    if name not in ("rand", "randn"):
        arguments += [
            "2, dtype=int",
            "2, dtype=torch.bool",
            "2, dtype=torch.long",
            "2, dtype=bool",
            "2, dtype=float",
            "2, dtype='x'",
        ]
    assert failures([f"torch.{name}({argument})" for argument in arguments]) == []


@pytest.mark.parametrize("name", SIZED)
def test_like_and_new(name: str) -> None:
    inputs = ["f32(2, 3)", "f16()", "f64(0, 2)", *(["i64(3)", "b8(2)"] if "rand" not in name else [])]
    expressions = [
        f"torch.{name}_like({i}{more})" for i in inputs for more in ("", ", dtype=torch.float64", ", device='cpu'")
    ]
    if "rand" not in name:
        forms = ["2, 3", "(2, 3)", "()", "size=(2,)", "2, dtype=torch.int32", "-1"]
        expressions += [f"{i}.new_{name}({form})" for i in inputs for form in forms]
    assert failures(expressions) == []


@pytest.mark.parametrize(
    "expression",
    [
        "torch.full((2, 3), 1)", "torch.full((2,), 1.5)", "torch.full((2,), True)", "torch.full((2,), 2j)",
        "torch.full((), 1)", "torch.full([2], 1, dtype=torch.float16)", "torch.full((2,), torch.tensor(3))",
        "torch.full((-2,), 1)", "torch.full_like(i64(2), 2)", "torch.full_like(i64(2), 2.7)",
        "torch.full_like(f32(2), 2, dtype=torch.int64)", "f32(2).new_full((3, 2), 2)", "i64(2).new_full((2,), 1.5)",
        "torch.full(size=(2,), fill_value=3)", "torch.scalar_tensor(2)", "torch.scalar_tensor(2, dtype=torch.int64)",
    ],
)  # fmt: skip
def test_full(expression: str) -> None:
    assert compare_on_cpu(expression) is None


@pytest.mark.parametrize(
    "data",
    [
        "1", "1.5", "True", "2j", "[]", "[[]]", "[1, 2]", "[1, 2.5]", "[True, 2]", "[True, False]",
        "[[1, 2], [3, 4]]", "[[1, 2], [3]]", "[1, [2]]", "(1, 2)", "[(1, 2), (3, 4)]", "range(4)",
        "[range(2), range(2)]", "[1, 2j]", "'x'", "None", "[None]", "[torch.tensor(1), 2]",
        "[torch.tensor(1.5), torch.tensor(2.5)]", "torch.tensor([1, 2])", "[[[0]]]", "[[1, 2], 3]", "1e40",
        "[math.inf]", "[float('nan')]",
    ],
)  # fmt: skip
def test_tensor(data: str) -> None:
    kinds = ["", ", dtype=torch.float64", ", dtype=torch.int64", ", dtype=torch.float16"]
    expressions = [
        f"torch.tensor({data}{kind})"
        for kind in kinds
        if not ("j" in data and kind) and not ("n" in data and "int" in kind)
    ]
    if "1e40" in data:
        expressions = expressions[:2]
    assert failures(expressions) == []
    assert failures([f"torch.as_tensor({data})", f"f64(2).new_tensor({data})"] if "j" not in data else []) == []


def test_tensor_of_arrays() -> None:
    numpy = pytest.importorskip("numpy")
    array = numpy.arange(6, dtype=numpy.int32).reshape(2, 3)
    for made in (torch.tensor(array), torch.from_numpy(array), torch.as_tensor(array)):
        assert tuple(made.shape) == (2, 3) and made.dtype is torch.int32 and made.values == [0, 1, 2, 3, 4, 5]
    assert torch.tensor([numpy.float64(1.5), numpy.float64(2)]).values == [1.5, 2.0]
    assert tuple(torch.zeros(numpy.int64(2), 3).shape) == (2, 3)
    assert torch.from_numpy(numpy.zeros(3)).dtype is torch.float64


def test_as_tensor_gives_the_tensor_itself() -> None:
    tensor = Tensor((2,))
    assert torch.as_tensor(tensor) is tensor
    assert torch.as_tensor(tensor, dtype=torch.float64) is not tensor
    assert torch.tensor(tensor) is not tensor


NUMBERS = st.integers(-6, 6) | st.sampled_from([0.1, 0.25, 0.5, -0.3, 1.5, 2.0, -2.5])


@given(NUMBERS, NUMBERS, NUMBERS)
@settings(deadline=None)
def test_arange(start: float, end: float, step: float) -> None:
    assert compare_on_cpu(f"torch.arange({end})") is None
    assert compare_on_cpu(f"torch.arange({start}, {end})") is None
    assert compare_on_cpu(f"torch.arange({start}, {end}, {step})") is None
    assert compare_on_cpu(f"torch.arange({start}, {end}, step={step}, dtype=torch.float64)") is None


@given(NUMBERS, NUMBERS, st.integers(-1, 8))
@settings(deadline=None)
def test_linspace(start: float, end: float, steps: int) -> None:
    assert compare_on_cpu(f"torch.linspace({start}, {end}, {steps})") is None
    assert compare_on_cpu(f"torch.linspace({start}, {end}, steps={steps}, dtype=torch.float64)") is None
    assert compare_on_cpu(f"torch.logspace({start / 4}, {end / 4}, {steps})") is None


@given(st.integers(0, 5), st.integers(0, 5), st.integers(-7, 7))
@settings(deadline=None)
def test_triangles(rows: int, columns: int, diagonal: int) -> None:
    expressions = [f"torch.{n}_indices({rows}, {columns}, {diagonal})" for n in ("tril", "triu")]
    expressions += [f"torch.{n}(torch.ones({rows}, {columns}), {diagonal})" for n in ("tril", "triu")]
    expressions += [f"f32(2, {rows}, {columns}).tril(diagonal={diagonal})", f"torch.eye({rows}, {columns})"]
    assert failures(expressions) == []
    assert kept(expressions[0]) and kept(expressions[2])


@pytest.mark.parametrize(
    "expression",
    [
        "torch.arange(end=3)", "torch.arange(start=1, end=3)", "torch.arange(1, end=4)",
        "torch.arange(4, device='cpu')", "torch.arange()", "torch.arange(5, dtype=torch.float16)",
        "torch.arange(torch.tensor(3))", "torch.arange(0, 10, 0)", "torch.linspace(0, 1)",
        "torch.logspace(0, 3, 4, base=2)", "torch.linspace(0, 1, 2.5)", "torch.linspace(torch.tensor(0.0), 1, 3)",
        "torch.eye(3)", "torch.eye(3, dtype=torch.int64)", "torch.eye(-1)", "torch.tril(f32(3))",
        "torch.triu(f32(2, 3), diagonal=1)", "torch.ones(3, 3).triu(1).bool()",
        "torch.tril_indices(3, 3, dtype=torch.int32)", "torch.tril(torch.ones(2, 2, dtype=torch.bool))",
        "torch.meshgrid(f32(2), f32(3))", "torch.meshgrid(f32(2), f32(3), indexing='xy')",
        "torch.meshgrid([f32(2), f32(3), f32(4)], indexing='xy')", "torch.meshgrid(f32(2), f32())",
        "torch.meshgrid(f32(2), i64(2))", "torch.meshgrid(f32(2, 2), f32(3))",
        "torch.meshgrid(f32(2), indexing='xy')", "torch.meshgrid(torch.arange(2), torch.arange(3), indexing='ij')",
        "torch.meshgrid(torch.arange(2), torch.arange(3), indexing='xy')",
        "torch.meshgrid(f32(2), f32(3), indexing='yx')", "F.one_hot(i64(2, 3), 5)",
        "F.one_hot(i64(2), num_classes=2)", "F.one_hot(f32(2), 3)", "F.one_hot(torch.tensor([0, 2, 1]))",
        "F.one_hot(torch.tensor([0, 2]), 2)", "F.one_hot(i64(2), 0)", "F.one_hot(torch.arange(3), 4)",
        "torch.complex(f32(2, 1), f32(3))", "torch.complex(f64(2), f64(2))", "torch.complex(f32(2), f64(2))",
        "torch.complex(i64(2), i64(2))", "torch.polar(f32(2), f32(2))",
        "torch.polar(torch.ones(2), torch.tensor([0.5, 1.0]))", "torch.hann_window(8)",
        "torch.hamming_window(8, False)", "torch.kaiser_window(8)", "torch.hann_window(4, dtype=torch.int64)",
        "torch.vander(i64(3), 4)", "torch.vander(f32(2, 3))", "torch.vander(b8(2))",
    ],
)  # fmt: skip
def test_more_forms(expression: str) -> None:
    if "bool()" in expression:
        assert torch.ones(3, 3).triu(1).values == [0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    assert compare_on_cpu(expression) is None


@pytest.mark.parametrize(
    "expression",
    [
        "torch.randint(10, (2, 3))", "torch.randint(0, 10, (2,))", "torch.randint(low=0, high=5, size=(2,))",
        "torch.randint(5, 2)", "torch.randint(0, 10, (2,), dtype=torch.float32)", "torch.randint(3, 3, (2,))",
        "torch.randint(high=3, size=(2, 1))", "torch.randint(10)", "torch.randint(1, size=(2,), high=3)",
        "torch.randint_like(i64(2, 3), 10)", "torch.randint_like(f32(2), 1, 5)", "torch.randperm(4)",
        "torch.randperm(-1)", "torch.randperm(4, dtype=torch.int32)", "torch.normal(0.0, 1.0, (2, 3))",
        "torch.normal(f32(2, 1), f32(3))", "torch.normal(f32(2))", "torch.normal(f32(2), 0.5)",
        "torch.normal(0.5, f32(2))", "torch.normal(i64(2))", "torch.normal(0.0, 1.0)",
        "torch.normal(f32(2), f32(3))", "torch.normal(mean=0.0, std=1.0, size=(2,))", "torch.bernoulli(f32(2, 3))",
        "torch.bernoulli(i64(2))", "torch.bernoulli(i64(2), 0.5)", "f32(2).bernoulli()", "f32(2).bernoulli(0.5)",
        "torch.poisson(f32(2))", "torch.multinomial(f32(5), 3)", "torch.multinomial(f32(2, 5), 3)",
        "torch.multinomial(f32(2, 5), 6)", "torch.multinomial(f32(2, 5), 6, replacement=True)",
        "torch.multinomial(i64(5), 2)", "torch.multinomial(f32(2, 2, 2), 1)", "torch.multinomial(f32(5), 0)",
        "f32(5).multinomial(2, True)", "f32(2, 3).normal_()", "f32(2).normal_(0, 0.02)", "i64(2).normal_()",
        "f32(2).uniform_(-1, 1)", "f32(2).exponential_()", "i64(2).random_()", "f32(2).bernoulli_(0.5)",
        "f32(2).zero_()", "i64(2).fill_(2.5)", "f32(2).fill_(torch.tensor(2))", "f32(2).fill_(f32(2))",
        "f32(2, 3).copy_(i64(3))", "f32(3).copy_(f32(2, 3))", "f32(2).copy_(f32(3))", "f32(2).trunc_()",
        "f32(2).geometric_(0.5)", "torch.zeros(3).copy_(torch.arange(3))", "torch.zeros(2, 2).fill_(3)",
        "f64(2).new(3, 4)", "i64(2).new([1, 2, 3])",
    ],
)  # fmt: skip
def test_random_and_filled(expression: str) -> None:
    assert compare_on_cpu(expression) is None


def test_drop_rates() -> None:
    """The everyday use of a constant tensor's values: one rate for each block."""
    rates = [rate.item() for rate in torch.linspace(0, 0.1, 3)]
    assert [round(rate, 4) for rate in rates] == [0.0, 0.05, 0.1]
    assert all(type(rate) is float for rate in rates)


class TestSymbolicSizes:
    def setup_method(self) -> None:
        self.width = of_symbol(Symbol(1, "parameter", "width", 6))

    def test_sized(self) -> None:
        for name in SIZED:
            assert getattr(torch, name)(2, self.width).shape[1] is self.width

    def test_arange(self) -> None:
        size = torch.arange(self.width).shape[0]
        assert isinstance(size, Dim) and size.expr == self.width.expr  # type: ignore[attr-defined]
        size = torch.arange(0, self.width, 4).shape[0]
        assert int(size) == 2 and isinstance(size, Dim)
        assert size.expr == (-(-self.width // 4)).expr  # type: ignore[attr-defined]
        assert torch.arange(1, self.width + 1).shape[0].expr == self.width.expr  # type: ignore[attr-defined]

    def test_values_may_be_sizes(self) -> None:
        values = torch.tensor([self.width, 3]).values
        assert isinstance(values[0], Dim)
        half = torch.tensor([self.width]) // 2
        assert half.item().expr == (self.width // 2).expr  # type: ignore[attr-defined]

    def test_triangle_of_a_square(self) -> None:
        pairs = torch.triu_indices(self.width, self.width, 1).shape[1]
        assert int(pairs) == 15 and isinstance(pairs, Dim)
        assert (pairs * 2).expr == (self.width * (self.width - 1)).expr  # type: ignore[attr-defined]

    def test_one_hot_without_classes_hangs_on_data(self) -> None:
        size = SYMBOLIC["F"].one_hot(Tensor((4,), torch.int64)).shape[-1]
        assert isinstance(size, Dim) and next(iter(size.expr.atoms())).kind == "free"  # type: ignore[union-attr]


def test_large_tensors_keep_no_values() -> None:
    assert torch.zeros(100, 100).values is None
    assert torch.arange(100_000).values is None


def test_an_unknown_size_is_an_error_of_its_own() -> None:
    with pytest.raises(RuntimeError, match="only real data has it"):
        torch.zeros(Unknown(), 2)


def test_messages() -> None:
    with pytest.raises(ShapeError, match="negative size: \\(2, -3\\)"):
        torch.zeros(2, -3)
    with pytest.raises(ShapeError, match="differ in length: 2 and 1"):
        torch.tensor([[1, 2], [3]])
    assert math.isclose(torch.tensor(0.1).item(), 0.1, rel_tol=1e-6)


def test_meta_agrees_on_broadcast_of_normal() -> None:
    assert compare("torch.normal(f32(2, 1), f32(1, 3))") is None
