"""Pointwise operations of one operand and activations, against torch."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import SYMBOLIC
from values_oracle import compare_on_cpu, kept

from lazygen.symbolic.dim import Dim, of_symbol
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import Symbol
from lazygen.symbolic.tensor import Tensor

DTYPES = ["b8", "u8", "i32", "i64", "f16", "bf16", "f32", "f64", "c64"]
FUNCTIONS = [
    "relu", "sigmoid", "tanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "abs",
    "absolute", "neg", "negative", "positive", "sign", "sgn", "floor", "ceil", "round", "trunc", "fix", "frac",
    "erf", "erfc", "erfinv", "sin", "cos", "tan", "asin", "acos", "atan", "arctan", "sinh", "cosh", "asinh", "acosh",
    "atanh", "square", "reciprocal", "digamma", "lgamma", "sinc", "logit", "deg2rad", "rad2deg", "i0", "angle",
    "conj", "real", "signbit", "isnan", "isinf", "isfinite", "isposinf", "isneginf", "isreal", "nan_to_num",
    "logical_not", "bitwise_not", "selu", "celu", "rrelu",
]  # fmt: skip
ACTIVATIONS = [
    "relu", "relu6", "gelu", "silu", "elu", "celu", "selu", "leaky_relu", "softplus", "softsign", "hardtanh",
    "hardswish", "hardsigmoid", "mish", "logsigmoid", "tanhshrink", "softshrink", "hardshrink", "rrelu", "tanh",
    "sigmoid", "normalize", "dropout", "alpha_dropout", "feature_alpha_dropout", "dropout1d",
]  # fmt: skip
IN_PLACE = [
    "relu", "relu6", "silu", "elu", "celu", "selu", "leaky_relu", "hardtanh", "hardswish", "hardsigmoid", "mish",
    "rrelu", "dropout",
]  # fmt: skip


def failures(expressions: list[str]) -> list[str]:
    return [problem for problem in map(compare_on_cpu, expressions) if problem is not None]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    # Half a dozen functions of complex numbers that torch leaves out are let pass; no size hangs on them.
    kinds = [kind for kind in DTYPES if kind != "c64" or name not in ("celu", "selu", "rrelu", "logit", "nan_to_num")]
    assert failures([f"torch.{name}({kind}(2, 3))" for kind in kinds]) == []
    if name not in ("selu", "celu", "rrelu", "real"):
        assert failures([f"{kind}(2, 3).{name}()" for kind in kinds]) == []


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name: str) -> None:
    shape = "2, 3, 4" if name == "dropout1d" else "2, 4"
    kinds = [kind for kind in DTYPES if kind != "c64"]
    assert failures([f"F.{name}({kind}({shape}))" for kind in kinds]) == []


@pytest.mark.parametrize("name", IN_PLACE)
def test_activations_in_place(name: str) -> None:
    assert failures([f"F.{name}({kind}(2, 3), inplace=True)" for kind in ("f32", "f64", "i64")]) == []
    tensor = Tensor((2, 3))
    assert getattr(SYMBOLIC["F"], name)(tensor, inplace=True) is tensor
    assert getattr(SYMBOLIC["F"], name)(tensor) is not tensor


@pytest.mark.parametrize("name", ["exp", "sqrt", "abs", "relu", "sigmoid", "neg", "floor", "logical_not"])
def test_methods_in_place(name: str) -> None:
    assert failures([f"{kind}(2, 3).{name}_()" for kind in ("i64", "f32", "f16")]) == []


@given(
    st.lists(st.integers(0, 4), max_size=4),
    st.integers(-5, 5),
    st.sampled_from(["softmax", "log_softmax", "softmin", "glu"]),
)
@settings(deadline=None)
def test_along_a_dim(shape: list[int], dim: int, name: str) -> None:
    sizes = ", ".join(map(str, shape))
    assert compare_on_cpu(f"F.{name}(f32({sizes}), dim={dim})") is None
    if name == "softmax":
        assert compare_on_cpu(f"f32({sizes}).softmax({dim})") is None
        assert compare_on_cpu(f"torch.log_softmax(f32({sizes}), {dim}, dtype=torch.float64)") is None
        assert compare_on_cpu(f"F.gumbel_softmax(f32({sizes}), dim={dim})") is None
        assert compare_on_cpu(f"F.normalize(f32({sizes}), dim={dim})") is None


@pytest.mark.parametrize(
    "expression",
    [
        "F.softmax(f32(2, 3))", "F.softmax(f32(3))", "F.softmax(f32(2, 3, 4), dim=3)", "F.softmax(i64(2), 0)",
        "torch.softmax(f32(2))", "F.prelu(f32(2, 3, 4), f32(3))", "F.prelu(f32(2, 3), f32(2))",
        "F.prelu(f32(3), f32(1))", "F.prelu(f32(3), f32(3))", "F.prelu(f32(2, 3), f64(1))",
        "F.prelu(f32(2, 3), f32(1, 3))", "F.prelu(f32(), f32(1))", "F.prelu(f32(2, 3), f32())",
        "torch.prelu(f32(2, 3), f32(1))", "f32(2, 3).prelu(f32(3))", "F.threshold(f32(2), 0.1, 20)",
        "F.threshold(i64(2), 1, 20)", "torch.threshold(f32(2), 0.5, 0.0)", "F.gelu(f32(2), approximate='tanh')",
        "F.gelu(f32(2), approximate='x')", "F.elu(f32(2), 0.5, True)", "F.hardtanh(f32(2), 2, 1)",
        "F.softshrink(f32(2), -1)", "F.dropout(f32(2), 1.5)", "F.dropout(f32(2), -0.1, False)",
        "F.dropout(i64(2), training=False)", "torch.dropout(f32(2), 0.5, False)",
        "torch.dropout(f32(2), 0.5, train=True)", "F.dropout2d(f32(2, 3, 4, 4))", "F.dropout3d(f32(2, 3, 4, 4, 4))",
        "torch.round(f32(2), decimals=2)", "torch.round(i64(2), decimals=2)", "torch.relu_(f32(2))",
        "F.relu_(f32(2))", "F.leaky_relu_(f32(2), 0.1)", "torch.nan_to_num(f32(2), 0.0, 1.0, -1.0)",
        "torch.exp(f32(2), out=f64(2))", "torch.exp(f32(2), out=i64(2))", "torch.exp(input=f32(2))",
        "torch.exp(2.0)", "torch.imag(c64(2))", "torch.imag(f32(2))", "torch.special.expit(f32(2))",
        "torch.special.erf(i64(2))", "torch.special.softmax(f32(2, 3), 1)", "torch.polygamma(1, f32(2))",
        "torch.mvlgamma(f32(2) + 3, 2)", "torch.logit(f32(2), 1e-6)", "f32(2).logit(eps=0.1)",
        "F.normalize(f32(2, 3), dim=(0, 1))", "F.glu(i64(2, 4))", "F.glu(f32(2, 3))", "F.glu(f32())",
    ],
)  # fmt: skip
def test_more_forms(expression: str) -> None:
    assert compare_on_cpu(expression) is None


X = "torch.tensor([0.5, -0.25, 0.75, 1.0])"
WITHOUT_VALUES = {
    "erfinv",
    "digamma",
    "i0",
    "selu",
    "rrelu",
    "normalize",
    "dropout",
    "alpha_dropout",
    "feature_alpha_dropout",
}


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n not in WITHOUT_VALUES | {"bitwise_not"}])
def test_values_of_constants(name: str) -> None:
    positive = name in ("log", "log2", "log10", "sqrt", "rsqrt", "acosh", "logit")
    expressions = [f"torch.{name}({X})"] if not positive else ["torch.tensor([0.5, 0.25, 0.75]).exp()"]
    if name == "acosh":
        expressions = ["torch.acosh(torch.tensor([1.5, 2.0]))"]
    elif positive:
        expressions = [f"torch.{name}(torch.tensor([0.5, 0.25]))"]
    elif name in ("log1p", "atanh"):
        expressions = [f"torch.{name}(torch.tensor([0.5, -0.25]))"]
    assert failures(expressions) == []
    assert kept(expressions[0])


@pytest.mark.parametrize("name", [n for n in ACTIVATIONS if n not in WITHOUT_VALUES and "dropout" not in n])
def test_values_of_activations(name: str) -> None:
    assert failures([f"F.{name}({X} * 4 - 2)"]) == []
    assert kept(f"F.{name}({X})")


def test_undefined_values_are_not_kept() -> None:
    assert not kept("torch.log(torch.tensor([-1.0, 0.0]))")
    assert compare_on_cpu("torch.log(torch.tensor([-1.0, 0.0]))") is None
    assert (
        compare_on_cpu(
            "torch.tensor([2.0, 3.0]).dropout() if False else F.dropout(torch.tensor([2.0]), training=False)"
        )
        is None
    )


def test_glu_halves_exactly() -> None:
    width = of_symbol(Symbol(1, "parameter", "width", 6))
    half = SYMBOLIC["F"].glu(Tensor((2, width * 2))).shape[1]
    assert isinstance(half, Dim) and half.expr == width.expr  # type: ignore[attr-defined]
    exact = SYMBOLIC["F"].glu(Tensor((2, width))).shape[1]
    assert (exact * 2).expr == width.expr


def test_message_says_the_size() -> None:
    with pytest.raises(ShapeError, match="halves dim 1, whose size is 3") as caught:
        SYMBOLIC["F"].glu(Tensor((2, 3)))
    assert caught.value.code == "LZ202"
