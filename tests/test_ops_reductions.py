"""Reductions, running sums and statistics, against torch."""

from __future__ import annotations

import cpu_oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import SYMBOLIC, compare
from values_oracle import compare_on_cpu, kept

from lazygen.symbolic.dim import Dim, of_symbol
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import Symbol
from lazygen.symbolic.tensor import Tensor

DTYPES = ["b8", "u8", "i32", "i64", "f16", "bf16", "f32", "f64", "c64"]
FULL = [
    "sum", "mean", "prod", "amax", "amin", "max", "min", "argmax", "argmin", "std", "var", "norm", "all", "any",
    "median", "nanmedian", "mode", "nansum", "nanmean", "count_nonzero", "std_mean", "var_mean", "aminmax",
]  # fmt: skip
SEVERAL = [
    "sum", "mean", "amax", "amin", "std", "var", "norm", "all", "any", "nansum", "nanmean", "count_nonzero",
    "logsumexp", "std_mean", "var_mean",
]  # fmt: skip
ONE = [
    "prod", "max", "min", "argmax", "argmin", "median", "nanmedian", "mode", "cumsum", "cumprod", "cummax", "cummin",
    "logcumsumexp",
]  # fmt: skip
NO_METHOD = {"std_mean", "var_mean", "nanmean"}
torch = SYMBOLIC["torch"]


def failures(expressions: list[str]) -> list[str]:
    return [problem for problem in map(compare_on_cpu, expressions) if problem is not None]


@pytest.mark.parametrize("name", sorted({*FULL, *SEVERAL, *ONE}))
def test_dtypes(name: str) -> None:
    expressions = [
        f"torch.{name}({kind}(2, 3){more})"
        for kind in DTYPES
        for more in ("", ", 1", ", dim=0")
        if name != "aminmax" or not more
    ]
    if name == "logcumsumexp":
        expressions = [e for e in expressions if "16" not in e]
    assert failures(expressions) == []
    if name not in NO_METHOD:
        assert (
            failures(
                [
                    e.replace("torch." + name + "(", "", 1).replace("3)", f"3).{name}(", 1).replace("(, ", "(")
                    for e in expressions
                ]
            )
            == []
        )


@pytest.mark.parametrize("name", sorted({*FULL, *SEVERAL, *ONE}))
def test_shapes(name: str) -> None:
    if name == "aminmax":
        arguments = ["", "dim=1", "dim=-1, keepdim=True", "dim=3"]
    elif name.startswith("cum") or name == "logcumsumexp":
        arguments = ["0", "-1", "dim=1", "2", "", "axis=0"]
    else:
        arguments = ["1", "-1", "dim=-2", "3", "-4", "1, keepdim=True", "dim=0, keepdim=True", "axis=1"]
        arguments += ["keepdim=True"] if name not in ("mode", "amax", "amin") else []
    if name == "count_nonzero":
        arguments = [argument for argument in arguments if "keepdim" not in argument]
    if name == "norm":  # its second argument is the order
        arguments = [argument if "=" in argument.split(",")[0] else f"2, {argument}" for argument in arguments]
        arguments.remove("axis=1")
    if name in ("std", "var", "std_mean", "var_mean"):
        arguments.remove("keepdim=True")
    if name in SEVERAL:
        arguments += [
            "dim=(0, 1)",
            "dim=[0, -1], keepdim=True" if name != "count_nonzero" else "dim=[0, -1]",
            "dim=(0, 0)",
            "dim=(0, 5)",
        ]
    shapes = ["2, 3, 4", "3", ""]
    assert failures([f"torch.{name}(f32({shape}){', ' + a if a else ''})" for shape in shapes for a in arguments]) == []


@given(
    st.sampled_from([n for n in SEVERAL if n != "norm"]),
    st.lists(st.integers(0, 3), max_size=4),
    st.lists(st.integers(-4, 4), min_size=1, max_size=3),
    st.booleans(),
)
@settings(deadline=None, max_examples=200)
def test_several_dims(name: str, shape: list[int], dims: list[int], keepdim: bool) -> None:
    more = "" if name == "count_nonzero" else f", keepdim={keepdim}"
    sizes = ", ".join(map(str, shape))
    assert compare_on_cpu(f"torch.{name}(f32({sizes}), dim={tuple(dims)}{more})") is None


@given(
    st.sampled_from([n for n in ONE if "cum" not in n]),
    st.lists(st.integers(0, 3), max_size=4),
    st.integers(-5, 5),
    st.booleans(),
)
@settings(deadline=None, max_examples=200)
def test_one_dim(name: str, shape: list[int], dim: int, keepdim: bool) -> None:
    sizes = ", ".join(map(str, shape))
    assert compare_on_cpu(f"torch.{name}(f32({sizes}), {dim}, {keepdim})") is None


@pytest.mark.parametrize(
    "expression",
    [
        "torch.sum(i64(2, 3), dtype=torch.float32)", "torch.mean(i64(2, 3), dtype=torch.float32)",
        "torch.prod(f32(2), dtype=torch.int64)", "torch.cumsum(b8(2, 3), 0, dtype=torch.float32)",
        "torch.sum(f32(2, 3), 1, True, dtype=torch.int32)", "torch.sum(f32(2, 3), ())", "torch.sum(f32(2, 3), None)",
        "torch.sum(f32(2, 3), dim=None, keepdim=True)", "torch.mean(f32(2, 3), None)", "torch.all(f32(2, 3), ())",
        "torch.any(b8(2, 3), dim=())", "torch.amax(f32(2, 3), ())", "torch.amax(f32(2, 3))",
        "torch.max(f32(2, 3), f32(3))", "torch.max(f32(2, 3), other=i64(3))", "torch.max(f32(2, 3), f32(2))",
        "f32(2, 3).min(f32(1))", "torch.argmax(f32(2, 3), None)", "torch.argmax(f32(2, 3), keepdim=True)",
        "torch.std(f32(2, 3), 1, True)", "torch.std(f32(2, 3), 1, True, True)", "torch.std(f32(2, 3), True)",
        "torch.std(f32(2, 3), dim=1, correction=0)", "torch.std(f32(2, 3), unbiased=False)",
        "f32(2, 3).var(dim=(0, 1), unbiased=False)", "f32(2, 3).std(1, keepdim=True)",
        "torch.std_mean(f32(2, 3), 1, True)", "torch.var_mean(f32(2, 3), dim=0, keepdim=True)",
        "torch.norm(f32(2, 3), 2, (0, 1))", "torch.norm(f32(2, 3), p='fro', dim=1)", "torch.norm(f32(2, 3), 'nuc')",
        "torch.norm(c64(2, 3), 2, 1)", "torch.norm(f32(2, 3), 1, 1, True)",
        "torch.norm(f32(2, 3), dim=1, dtype=torch.float64)", "f32(2, 3).norm(p=2, dim=-1, keepdim=True)",
        "torch.norm(f32(2, 3), 'x')", "torch.linalg.norm(f32(2, 3))", "torch.linalg.norm(f32(2, 3), 2)",
        "torch.linalg.norm(f32(2, 3), ord=1, dim=1)", "torch.linalg.norm(f32(2, 3, 4), 2)",
        "torch.linalg.norm(f32(2, 3, 4))", "torch.linalg.vector_norm(f32(2, 3), dim=1)",
        "torch.linalg.matrix_norm(f32(4, 2, 3))", "torch.linalg.matrix_norm(f32(4, 2, 3), keepdim=True)",
        "torch.linalg.matrix_norm(f32(3))", "torch.linalg.vector_norm(i64(2))",
        "torch.logsumexp(f32(2, 3), (0, 1), True)", "torch.logsumexp(f32(2, 3), None)", "torch.histc(f32(2, 3), 10)",
        "torch.histc(f32(5), bins=4, min=0, max=1)", "torch.histc(i64(3))", "torch.histc(f32(3), 0)",
        "torch.bincount(torch.tensor([1, 1, 3]))", "torch.bincount(torch.tensor([1]), minlength=5)",
        "torch.bincount(f32(3))", "torch.bincount(torch.tensor([1, 2]), torch.ones(2))", "torch.bincount(i64(2, 3))",
        "torch.unique(torch.tensor([3, 1, 3]))", "torch.quantile(f32(2, 3), 0.5)",
        "torch.quantile(f32(2, 3), torch.tensor([0.1, 0.2]), 1)", "torch.quantile(f32(2, 3), 0.5, 1, True)",
        "torch.quantile(f32(2, 3), torch.tensor([0.1]), dim=0, keepdim=True)", "torch.quantile(f32(3), 2.0)",
        "torch.quantile(i64(3), 0.5)", "torch.quantile(f32(0), 0.5)", "torch.nanquantile(f32(2, 3), 0.5, 1)",
        "torch.dist(f32(2, 1), f32(3))", "torch.dist(f32(2), f32(3))", "torch.cov(f32(2, 3))", "torch.cov(f32(3))",
        "torch.corrcoef(f32(2, 3))", "torch.cov(f32(2, 3, 4))", "torch.renorm(f32(2, 3), 2, 0, 1.0)",
        "torch.renorm(f32(3), 2, 0, 1.0)", "torch.max(f32(0))", "torch.argmax(f32(2, 0), 1)",
        "torch.argmax(f32(2, 0), 0)", "torch.amax(f32(2, 0), 1)", "torch.sum(f32(2, 3), 1, out=f32(2))",
        "f32(2, 3).sum(axis=(0, 1), keepdims=True)", "f32(2, 3).max(1).values", "f32(2, 3).max(1).indices",
        "f32(2, 3).median(dim=0)[1]", "f32(2, 3).cumsum(-1)", "f32(2, 3).cumsum_(1)",
        "f32(2, 3).mean((-1, -2), keepdim=True)", "sum([f32(2), f32(2)])",
    ],
)  # fmt: skip
def test_more_forms(expression: str) -> None:
    assert compare_on_cpu(expression) is None


A = "torch.tensor([[3, 1, 2], [0, 5, 4]])"
X = "torch.tensor([[0.5, -1.5, 2.0], [1.0, 3.0, 2.5]])"
VALUED = [
    "sum", "mean", "prod", "amax", "amin", "max", "min", "argmax", "argmin", "std", "var", "norm", "all", "any",
    "median", "count_nonzero", "logsumexp", "cumsum", "cumprod",
]  # fmt: skip


@pytest.mark.parametrize("name", VALUED)
def test_values_of_constants(name: str) -> None:
    floats = name in ("mean", "std", "var", "norm")
    dims = ["1", "0", "dim=-1"] if name != "norm" else ["dim=1", "1, 0", "p=3, dim=1"]
    expressions = [f"torch.{name}({data}, {dim})" for data in ([X] if floats else [A, X]) for dim in dims]
    if name not in ("cumsum", "cumprod", "logsumexp"):
        expressions.append(f"torch.{name}({X})")
    assert failures(expressions) == []
    if name not in ("max", "min", "median"):
        assert all(kept(expression) for expression in expressions)
    else:
        assert kept(expressions[0] + ".values") and kept(expressions[0] + ".indices")


def test_values_of_three_dims() -> None:
    data = "torch.arange(24).view(2, 3, 4)"
    assert (
        failures(
            [f"{data}.sum({dim})" for dim in ("0", "1", "(0, 2)", "-1")] + [f"{data}.cumsum({dim})" for dim in range(3)]
        )
        == []
    )


def test_sizes_only_data_can_tell() -> None:
    values, inverse, counts = torch.unique(Tensor((2, 3)), return_inverse=True, return_counts=True)
    assert values.shape == counts.shape and tuple(inverse.shape) == (2, 3)
    rows = torch.unique(Tensor((2, 3)), dim=0)
    assert int(rows.shape[1]) == 3
    for size in (values.shape[0], rows.shape[0], torch.bincount(Tensor((4,), torch.int64)).shape[0]):
        assert isinstance(size, Dim) and next(iter(size.expr.atoms())).kind == "free"  # type: ignore[union-attr]
    other = torch.unique(Tensor((2, 3)))
    assert other.shape[0].expr != values.shape[0].expr


def test_sizes_stay_symbolic() -> None:
    width = of_symbol(Symbol(1, "parameter", "width", 6))
    assert torch.mean(Tensor((2, width, 4)), dim=-1).shape[1] is width
    assert torch.max(Tensor((2, width, 4)), dim=1, keepdim=True).values.shape == (2, 1, 4)
    assert torch.histc(Tensor((5,)), bins=width).shape[0] is width


def test_messages() -> None:
    with pytest.raises(ShapeError, match=r"torch\.mean takes floats, not int64") as caught:
        torch.mean(Tensor((2,), torch.int64))
    assert caught.value.code == "LZ230" and caught.value.helps
    with pytest.raises(ShapeError, match=r"nothing to choose from.*\(2, 0\)") as caught:
        torch.max(Tensor((2, 0)))
    assert caught.value.code == "LZ202"


def test_meta_agrees_on_everyday_calls() -> None:
    for expression in ("f32(2, 3, 4).mean(dim=[2, 3])", "f32(2, 3, 4).mean((1, 2))", "f32(2, 3).sum(-1, keepdim=True)"):
        assert compare(expression) is None


def test_histograms_and_gradients() -> None:
    calls = [
        "torch.histogram(f32(2, 3), 5)", "torch.histogram(f32(2, 3), torch.tensor([0.0, 1.0, 2.0]))",
        "torch.histogram(i64(2, 3), 5)", "torch.histogram(f32(2, 3), 0)", "torch.histogram(f32(2, 3), f32(2, 2))",
        "torch.histogram(f32(2, 3), 5, weight=f32(2, 3))", "torch.histogram(f32(2, 3), 5, weight=f32(3))",
        "f32(2, 3).histogram(4)", "torch.histogram(f32(2, 3).double(), f32(3))", "torch.gradient(f32(2, 3, 4))",
        "torch.gradient(f32(2, 3), dim=1)", "torch.gradient(f32(2, 1))", "torch.gradient(f32(3, 4), spacing=2.0)",
        "torch.gradient(f32(3, 4), spacing=[1.0])", "torch.gradient(f32(3, 4), spacing=[1.0, 2.0], dim=(1, 0))",
        "torch.gradient(f32(2, 3), edge_order=2)", "torch.gradient(f32(3, 3), edge_order=2)",
        "torch.gradient(i64(3))", "torch.gradient(f32(3), dim=4)", "torch.gradient(f32())",
        "torch.linalg.ldl_factor_ex(f32(2, 3, 3))", "torch.linalg.ldl_factor_ex(f32(2, 3))",
        *(f"torch.fft.{name}({argument})" for name in ("hfft2", "ihfft2", "hfftn", "ihfftn")
          for argument in ("f32(2, 4, 5)", "c64(2, 4, 5)", "f32(4, 5), (3, 6)", "f32(4, 5), None, (0, 1)", "f32(5)",
                           "c64(3, 1)", "f32(4, 5), (6, -1)", "i64(4, 5)")),
    ]  # fmt: skip
    assert [found for found in (cpu_oracle.compare(call) for call in calls) if found is not None] == []


def test_differences_and_products_of_constants_are_constants() -> None:
    calls = ["torch.diff(torch.tensor([1, 4, 9]))", "torch.diff(torch.tensor([1.0, 4.0, 9.0]), 2)",
             "torch.diff(torch.tensor([[1, 2], [4, 8]]), dim=0, append=torch.tensor([[0, 0]]))",
             "torch.outer(torch.tensor([1, 2]), torch.tensor([0.5, 4.0]))"]  # fmt: skip
    assert [found for found in (cpu_oracle.compare(call, numbers=True) for call in calls) if found is not None] == []
