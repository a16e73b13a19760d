"""Changes of dtype and device, facts about tensors, and numbers for Python, against torch."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import torch as real_torch
from oracle import SYMBOLIC, compare
from values_oracle import compare_on_cpu, kept, run

from lazygen.symbolic.dim import Dim, of_symbol
from lazygen.symbolic.dtypes import DTYPES, device
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import Symbol
from lazygen.symbolic.tensor import Tensor
from lazygen.symbolic.unknown import Unknown

CASTS = ["float", "double", "half", "bfloat16", "int", "long", "short", "char", "byte", "bool"]
KINDS = ["b8", "u8", "i8", "i64", "f16", "f32", "f64", "c64"]
torch = SYMBOLIC["torch"]


def failures(expressions: list[str]) -> list[str]:
    return [problem for problem in map(compare_on_cpu, expressions) if problem is not None]


@pytest.mark.parametrize("name", CASTS)
def test_casts(name: str) -> None:
    assert failures([f"{kind}(2, 3).{name}()" for kind in KINDS]) == []
    values = ["torch.tensor([0.5, -1.7, 300.25])", "torch.tensor([0, 1, 200])", "torch.tensor([True, False])"]
    if name in ("byte", "char"):
        values = values[1:]  # what an integer becomes of a float that it cannot hold is undefined
    assert failures([f"{data}.{name}()" for data in values]) == []
    assert all(kept(f"{data}.{name}()") for data in values)


@pytest.mark.parametrize(
    "expression",
    [
        "f32(2, 3).to(torch.float64)", "f32(2).to('cpu')", "f32(2).to('cpu', torch.int64)", "f32(2).to(i64(3))",
        "f32(2).to(dtype=torch.half)", "f32(2).to(device='cpu', dtype=torch.int8)", "f32(2).to(torch.float64, True)",
        "f32(2).to('cpu', non_blocking=True)", "f32(2).to(float)", "f32(2).to(torch.device('cpu'))",
        "f32(2).to(torch.int64, non_blocking=True, copy=True)", "f32(2).to()", "f32(2).to(memory_format=None)",
        "f32(2).to(colour=1)", "f32(2).to('nowhere:x')", "f32(2).type(torch.int64)",
        "f32(2).type('torch.LongTensor')", "f32(2).type()", "i64(2).type()", "f32(2).type(dtype=torch.half)",
        "f32(2).type_as(i64(3))", "f32(2).cpu()", "f32(2, 3).contiguous()", "torch.clone(f32(2, 3))",
        "f32(2).clone()", "f32(2).detach()", "torch.detach(f32(2))", "f32(2).requires_grad_()",
        "i64(2).requires_grad_()", "f32(2).requires_grad_(False)", "f32(2, 3).size()", "f32(2, 3).size(-1)",
        "f32(2, 3).size(2)", "f32(2, 3).size(dim=0)", "f32().size()", "f32().size(0)", "f32(2, 3, 4).stride()",
        "f32(2, 3, 4).stride(1)", "f32(2, 0, 4).stride()", "f32(1, 3, 1).stride()", "f32(2).stride(1)",
        "f32().stride()", "torch.numel(f32(2, 3))", "f32(2, 0).numel()", "f32(2, 3).nelement()", "f32(2, 3).dim()",
        "f32().ndimension()", "f64(2).element_size()", "f32(2).is_floating_point()",
        "torch.is_floating_point(i64(2))", "torch.is_complex(c64(2))", "c64(2).is_complex()", "u8(2).is_signed()",
        "i8(2).is_signed()", "f32(2).storage_offset()", "f32(2, 3).is_contiguous()", "torch.is_tensor(f32(2))",
        "torch.is_tensor([1])", "f32(2).get_device()", "f32(2, 3).shape", "f32(2, 3).ndim", "f32(2, 3).dtype",
        "i64(2).itemsize", "f32(2, 3).nbytes",
    ],
)  # fmt: skip
def test_forms(expression: str) -> None:
    assert compare_on_cpu(expression) is None


def test_promotion_of_every_pair() -> None:
    names = [n for n in DTYPES if not n.startswith(("uint", "float8", "complex32")) or n == "uint8"]
    for left, right in product(names, names):
        assert compare(f"torch.promote_types(torch.{left}, torch.{right})") is None
        assert compare(f"torch.can_cast(torch.{left}, torch.{right})") is None


def test_result_types() -> None:
    operands = ["f32(2)", "f16()", "i64(2)", "b8(2)", "u8()", "c64(2)", "1", "1.5", "True", "2j"]
    assert [p for a, b in product(operands, operands) if (p := compare(f"torch.result_type({a}, {b})"))] == []


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32", "float64", "complex64"])
def test_limits_of_floats(kind: str) -> None:
    ours, theirs = torch.finfo(DTYPES[kind]), real_torch.finfo(getattr(real_torch, kind))
    for name in ("bits", "eps", "max", "min", "tiny", "smallest_normal", "resolution", "dtype"):
        assert getattr(ours, name) == getattr(theirs, name), name


@pytest.mark.parametrize("kind", ["uint8", "int8", "int16", "int32", "int64"])
def test_limits_of_integers(kind: str) -> None:
    ours, theirs = torch.iinfo(DTYPES[kind]), real_torch.iinfo(getattr(real_torch, kind))
    assert (ours.bits, ours.min, ours.max, ours.dtype) == (theirs.bits, theirs.min, theirs.max, theirs.dtype)


def test_limits_need_the_right_kind() -> None:
    with pytest.raises(ShapeError):
        torch.finfo(torch.int64)
    with pytest.raises(ShapeError):
        torch.iinfo(torch.float32)
    assert torch.finfo().dtype == "float32"


def test_devices() -> None:
    tensor = Tensor((2,))
    assert tensor.cuda().device == device("cuda:0") and tensor.cuda(1).device == device("cuda:1")
    assert tensor.to("cuda:1").to(device("cpu")).device == device("cpu")
    assert tensor.to(tensor.cuda()).is_cuda
    assert tensor.cuda().type() == "torch.cuda.FloatTensor"
    assert tensor.to(0).device == device("cuda:0")
    assert (tensor.cuda() + Tensor(())).device == device("cuda:0")
    assert (Tensor(()) + tensor.cuda()).device == device("cuda:0")
    assert torch.zeros_like(tensor.cuda()).is_cuda and tensor.cuda().new_ones(2).is_cuda


def test_the_tensor_itself_where_nothing_changes() -> None:
    tensor = Tensor((2,))
    for same in (
        tensor.to(torch.float32),
        tensor.float(),
        tensor.cpu(),
        tensor.to("cpu"),
        tensor.type_as(tensor),
        tensor.contiguous(),
    ):
        assert same is tensor
    for other in (tensor.to(torch.float32, copy=True), tensor.clone(), tensor.detach(), tensor.double()):
        assert other is not tensor


def test_numbers_for_python() -> None:
    assert torch.tensor(3).item() == 3 and type(torch.tensor(3).item()) is int
    assert torch.tensor([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
    assert torch.tensor(2.5).tolist() == 2.5
    assert torch.zeros(2, 0).tolist() == [[], []]
    assert float(torch.tensor([2])) == 2.0 and int(torch.tensor(2.7)) == 2 and bool(torch.tensor(1))
    assert isinstance(Tensor(()).item(), Unknown) and isinstance(Tensor((1, 1)).item(), Unknown)
    unknown = Tensor((2, 3)).tolist()
    assert [len(row) for row in unknown] == [3, 3] and all(isinstance(n, Unknown) for row in unknown for n in row)
    with pytest.raises(ShapeError, match="2 elements"):
        Tensor((2,)).item()


def test_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    array = torch.tensor([[1, 2], [3, 4]]).numpy()
    assert array.shape == (2, 2) and array.dtype == numpy.int64
    with pytest.raises(RuntimeError, match="only real data"):
        Tensor((2,)).numpy()


def test_sizes_stay_symbolic() -> None:
    width = of_symbol(Symbol(1, "parameter", "width", 6))
    tensor = Tensor((2, width))
    assert tensor.size(1) is width and tensor.double().shape[1] is width
    count = tensor.numel()
    assert isinstance(count, Dim) and count.expr == (width * 2).expr  # type: ignore[attr-defined]
    assert tensor.stride(0).expr == width.expr  # type: ignore[attr-defined]
    assert torch.tensor([width]).item() is width


def test_gradients_do_nothing() -> None:
    tensor: Any = Tensor((2,), requires_grad=True)
    assert tensor.sum().backward() is None
    handle = tensor.register_hook(lambda grad: grad)
    handle.remove()
    assert tensor.retain_grad() is None
    assert tensor.requires_grad_(False).requires_grad is False


def test_casts_of_constants_round_as_the_dtype_does() -> None:
    assert run("torch.tensor(0.1).item()", SYMBOLIC) == real_torch.tensor(0.1).item()
    assert run("torch.tensor(0.1).half().item()", SYMBOLIC) == real_torch.tensor(0.1).half().item()
    assert run("torch.tensor(0.1).bfloat16().item()", SYMBOLIC) == real_torch.tensor(0.1).bfloat16().item()
    assert run("torch.tensor(1e6).half().item()", SYMBOLIC) == float("inf")
