"""Products of matrices and vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lazygen.symbolic.equalities import agree
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.views import unsqueeze
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import broadcast, meet, result_type, wrap_dim, wrap_dims
from lazygen.symbolic.tensor import Tensor, new, shape_text


def same_dtype(name: str, *operands: Tensor) -> None:
    """Products do not promote: raises ShapeError (LZ230) where dtypes differ."""
    for other in operands[1:]:
        if other.dtype is not operands[0].dtype:
            raise ShapeError(
                f"dtypes do not meet in {name}: {operands[0].dtype.name} and {other.dtype.name}",
                operands=operands,
                code="LZ230",
            )


def must_meet(name: str, left: int, right: int, left_of: str, right_of: str, operands: tuple[Tensor, ...]) -> None:
    """Raises ShapeError (LZ201) where two sizes that a product sums over differ."""
    if int(left) != int(right):
        shapes = " and ".join(shape_text(t.shape) for t in operands)
        raise ShapeError(
            f"sizes do not meet in {name}: {shapes}",
            operands=operands,
            notes=(f"{left_of} is {int(left)}, {right_of} is {int(right)}",),
            code="LZ201",
        )
    agree(left, right)


def need_rank(name: str, operand: Tensor, rank: int, what: str = "an operand", others: tuple[Tensor, ...] = ()) -> None:
    """Raises ShapeError (LZ202) where a tensor has another number of dims."""
    if operand.ndim != rank:
        raise ShapeError(
            f"{name} needs {what} of {rank} dim{'s' * (rank != 1)}, not {shape_text(operand.shape)}",
            operands=others or (operand,),
            code="LZ202",
        )


@rule(
    "torch.matmul",
    "Tensor.matmul",
    "torch.linalg.matmul",
    examples=[
        "torch.matmul(f32(2, 3, 4), f32(4, 5))",
        "torch.matmul(f32(3), f32(3))",
        "f32(2, 1, 3, 4).matmul(f32(5, 4, 2))",
    ],
)
def matmul(input: Tensor, other: Tensor, *, out: Any = None) -> Tensor:
    return product_of("torch.matmul", input, other)


def product_of(name: str, left: Tensor, right: Tensor) -> Tensor:
    """(..., n, k) by (..., k, m); a vector is a row on the left and a column on the right."""
    pair = (left, right)
    ours, theirs = list(left.shape), list(right.shape)
    if not ours or not theirs:
        raise ShapeError(f"{name} takes no tensors without dims", operands=pair, code="LZ202")
    rows = theirs[-2] if len(theirs) > 1 else theirs[0]
    must_meet(name, ours[-1], rows, "the last dim of the first", "the dim of the second that it meets", pair)
    same_dtype(name, left, right)
    kept = ours[-2:-1] + (theirs[-1:] if len(theirs) > 1 else [])
    if len(ours) > 2 or len(theirs) > 2:
        kept = [*broadcast(ours[:-2], theirs[:-2], operands=pair, name=name), *kept]
    return new(kept, left)


@rule("torch.mm", "Tensor.mm", examples=["torch.mm(f32(2, 3), f32(3, 4))"])
def mm(input: Tensor, mat2: Tensor, *, out: Any = None) -> Tensor:
    for operand in (input, mat2):
        need_rank("torch.mm", operand, 2, "matrices", (input, mat2))
    return product_of("torch.mm", input, mat2)


@rule("torch.bmm", "Tensor.bmm", examples=["torch.bmm(f32(5, 2, 3), f32(5, 3, 4))"])
def bmm(input: Tensor, mat2: Tensor, *, out: Any = None) -> Tensor:
    return _batched("torch.bmm", input, mat2)


def _batched(name: str, left: Tensor, right: Tensor) -> Tensor:
    for operand in (left, right):
        need_rank(name, operand, 3, "batches of matrices", (left, right))
    must_meet(name, left.shape[0], right.shape[0], "the batch of the first", "that of the second", (left, right))
    result = product_of(name, left, right)
    return new((meet(left.shape[0], right.shape[0]), *result.shape[1:]), left)


@rule("torch.mv", "Tensor.mv", examples=["torch.mv(f32(2, 3), f32(3))"])
def mv(input: Tensor, vec: Tensor, *, out: Any = None) -> Tensor:
    need_rank("torch.mv", input, 2, "a matrix", (input, vec))
    need_rank("torch.mv", vec, 1, "a vector", (input, vec))
    return product_of("torch.mv", input, vec)


@rule("torch.dot", "Tensor.dot", "torch.vdot", "Tensor.vdot", examples=["torch.dot(f32(3), f32(3))"])
def dot(input: Tensor, other: Tensor, *, out: Any = None) -> Tensor:
    for operand in (input, other):
        need_rank("torch.dot", operand, 1, "vectors", (input, other))
    return product_of("torch.dot", input, other)


@rule("torch.inner", "Tensor.inner", examples=["torch.inner(f32(2, 3), f32(4, 5, 3))", "torch.inner(f32(), f32(3))"])
def inner(input: Tensor, other: Tensor, *, out: Any = None) -> Tensor:
    if not input.shape or not other.shape:
        full = input if input.shape else other
        return new(full.shape, full, dtype=result_type(input, other))
    must_meet(
        "torch.inner",
        input.shape[-1],
        other.shape[-1],
        "the last dim of the first",
        "that of the second",
        (input, other),
    )
    same_dtype("torch.inner", input, other)
    return new((*input.shape[:-1], *other.shape[:-1]), input)


@rule("torch.outer", "Tensor.outer", "torch.ger", "Tensor.ger", examples=["torch.outer(f32(2), i64(3))"])
def outer(input: Tensor, vec2: Tensor, *, out: Any = None) -> Tensor:
    for operand in (input, vec2):
        need_rank("torch.outer", operand, 1, "vectors", (input, vec2))
    if input.values is not None and vec2.values is not None:
        return unsqueeze(input, 1) * vec2  # type: ignore[operator, no-any-return]
    return new((input.shape[0], vec2.shape[0]), input, dtype=result_type(input, vec2))


def _added(name: str, input: Tensor, product: Tensor) -> Tensor:
    same_dtype(name, input, product)
    shape = broadcast(input.shape, product.shape, operands=(input,), name=name)
    if [int(size) for size in shape] != [int(size) for size in product.shape]:
        raise ShapeError(
            f"{shape_text(input.shape)} does not spread to {shape_text(product.shape)} in {name}",
            operands=(input,),
            code="LZ201",
        )
    return product


@rule("torch.addmm", "Tensor.addmm", examples=["torch.addmm(f32(4), f32(2, 3), f32(3, 4))"])
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Tensor:
    return _added("torch.addmm", input, mm(mat1, mat2))


@rule("torch.baddbmm", "Tensor.baddbmm", examples=["torch.baddbmm(f32(2, 1), f32(5, 2, 3), f32(5, 3, 4))"])
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Tensor:
    return _added("torch.baddbmm", input, _batched("torch.baddbmm", batch1, batch2))


@rule("torch.addbmm", "Tensor.addbmm", examples=["torch.addbmm(f32(2, 4), f32(5, 2, 3), f32(5, 3, 4))"])
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Tensor:
    product = _batched("torch.addbmm", batch1, batch2)
    return _added("torch.addbmm", input, new(product.shape[1:], product))


@rule("torch.addmv", "Tensor.addmv", examples=["torch.addmv(f32(2), f32(2, 3), f32(3))"])
def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Tensor:
    return _added("torch.addmv", input, mv(mat, vec))


@rule("torch.addr", "Tensor.addr", examples=["torch.addr(f32(2, 3), f32(2), f32(3))"])
def addr(input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Tensor:
    product = outer(vec1, vec2)
    result = _added("torch.addr", new(input.shape, product), product)
    return new(result.shape, input, dtype=result_type(input, vec1, vec2))


@rule("torch.chain_matmul", examples=["torch.chain_matmul(f32(2, 3), f32(3, 4), f32(4, 5))"])
def chain_matmul(*matrices: Any, out: Any = None) -> Tensor:
    for matrix in matrices:
        need_rank("torch.chain_matmul", matrix, 2, "matrices")
    return multi_dot(matrices) if len(matrices) > 1 else matrices[0]


@rule("torch.linalg.multi_dot", examples=["torch.linalg.multi_dot([f32(3), f32(3, 4), f32(4, 5)])"])
def multi_dot(tensors: Sequence[Tensor], *, out: Any = None) -> Tensor:
    if len(tensors) < 2:
        raise ShapeError("multi_dot needs two tensors or more")
    last = len(tensors) - 1
    for at, operand in enumerate(tensors):
        if operand.ndim != 2 and not (operand.ndim == 1 and at in (0, last)):
            raise ShapeError(
                f"multi_dot takes matrices, and vectors first and last, not {shape_text(operand.shape)}",
                operands=tuple(tensors),
                code="LZ202",
            )
    result = tensors[0]
    for operand in tensors[1:]:
        result = product_of("torch.linalg.multi_dot", result, operand)
    return result


@rule(
    "torch.tensordot",
    examples=["torch.tensordot(f32(2, 3, 4), f32(3, 4, 5))", "torch.tensordot(f32(2, 3), f32(3, 5), ([1], [0]))"],
)
def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Any = None) -> Tensor:
    if isinstance(dims, Tensor):
        dims = dims.tolist()
    if isinstance(dims, (tuple, list)):
        first, second = (list(part) if isinstance(part, (tuple, list)) else [part] for part in dims)
    else:
        count = int(dims)
        if not 0 <= count <= min(a.ndim, b.ndim):
            raise ShapeError(
                f"tensordot over {count} dims of {shape_text(a.shape)} and {shape_text(b.shape)}",
                operands=(a, b),
                code="LZ203",
            )
        first, second = list(range(a.ndim - count, a.ndim)), list(range(count))
    ours, theirs = (wrap_dims(part, t.ndim) if part else [] for part, t in ((first, a), (second, b)))
    if len(ours) != len(theirs):
        raise ShapeError(f"tensordot sums over {len(ours)} and {len(theirs)} dims", operands=(a, b), code="LZ203")
    for left, right in zip(ours, theirs, strict=True):
        if 1 not in (int(a.shape[left]), int(b.shape[right])):
            must_meet(
                "torch.tensordot",
                a.shape[left],
                b.shape[right],
                f"dim {left} of the first",
                f"dim {right} of the second",
                (a, b),
            )
    same_dtype("torch.tensordot", a, b)
    kept = [size for at, size in enumerate(a.shape) if at not in ours]
    return new((*kept, *(size for at, size in enumerate(b.shape) if at not in theirs)), a)


@rule("torch.kron", "Tensor.kron", examples=["torch.kron(f32(2, 3), f32(4))"])
def kron(input: Tensor, other: Tensor, *, out: Any = None) -> Tensor:
    rank = max(input.ndim, other.ndim)
    ours, theirs = ([1] * (rank - t.ndim) + list(t.shape) for t in (input, other))
    shape = [left * right for left, right in zip(ours, theirs, strict=True)]
    return new(shape, input, dtype=result_type(input, other))


@rule("torch.linalg.cross", examples=["torch.linalg.cross(f32(2, 3), f32(1, 3))"])
def linalg_cross(input: Tensor, other: Tensor, *, dim: int = -1, out: Any = None) -> Tensor:
    if input.ndim != other.ndim:
        raise ShapeError(
            f"cross needs as many dims in both: {shape_text(input.shape)} and {shape_text(other.shape)}",
            operands=(input, other),
            code="LZ202",
        )
    same_dtype("torch.cross", input, other)
    at = wrap_dim(dim, input.ndim, input)
    for operand in (input, other):
        if not operand.shape or int(operand.shape[at]) != 3:
            raise ShapeError(
                f"cross needs size 3 in dim {at}, not {shape_text(operand.shape)}",
                operands=(input, other),
                code="LZ202",
            )
    shape = broadcast(input.shape, other.shape, operands=(input, other), name="torch.cross")
    return new(shape, input)


@rule("torch.cross", "Tensor.cross", examples=["torch.cross(f32(3, 2), f32(3, 2), dim=0)"])
def cross(input: Tensor, other: Tensor, dim: int | None = None, *, out: Any = None) -> Tensor:
    if dim is None:
        dim = next((at for at, size in enumerate(input.shape) if int(size) == 3), None)
        if dim is None:
            raise ShapeError(
                f"cross finds no dim of size 3 in {shape_text(input.shape)}", operands=(input, other), code="LZ202"
            )
    return linalg_cross(input, other, dim=dim)


@rule(
    "F.linear",
    examples=["F.linear(f32(2, 3), f32(5, 3), f32(5))", "F.linear(f32(3), f32(5, 3))", "F.linear(f32(2, 3), f32(3))"],
)
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    if weight.ndim not in (1, 2) or not input.shape:
        raise ShapeError(
            f"linear of {shape_text(input.shape)} by a weight of {shape_text(weight.shape)}",
            operands=(input, weight),
            code="LZ202",
        )
    must_meet(
        "linear", input.shape[-1], weight.shape[-1], "the last dim of the input", "that of the weight", (input, weight)
    )
    same_dtype("linear", input, weight, *(() if bias is None else (bias,)))
    result = new((*input.shape[:-1], *weight.shape[:-1]), input)
    return result if bias is None else _added("linear", bias, result)


@rule("F.bilinear", "torch.bilinear", examples=["F.bilinear(f32(2, 3), f32(2, 4), f32(5, 3, 4), f32(5))"])
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    pair = (input1, input2)
    need_rank("bilinear", weight, 3, "a weight", (*pair, weight))
    if input1.ndim != input2.ndim or [int(s) for s in input1.shape[:-1]] != [int(s) for s in input2.shape[:-1]]:
        raise ShapeError(
            f"the inputs of bilinear do not meet: {shape_text(input1.shape)} and {shape_text(input2.shape)}",
            notes=("all dims but the last must be equal",),
            operands=pair,
            code="LZ201",
        )
    for at, operand in enumerate(pair):
        must_meet(
            "bilinear",
            operand.shape[-1],
            weight.shape[at + 1],
            "the last dim of an input",
            f"dim {at + 1} of the weight",
            (operand, weight),
        )
    same_dtype("bilinear", input1, input2, weight)
    if bias is not None:
        must_meet(
            "bilinear",
            bias.shape[0] if bias.shape else 1,
            weight.shape[0],
            "the bias",
            "dim 0 of the weight",
            (bias, weight),
        )
    return new((*input1.shape[:-1], weight.shape[0]), input1)
