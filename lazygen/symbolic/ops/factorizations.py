"""Factorizations of matrices and what solves with them."""

from __future__ import annotations

from typing import Any, NamedTuple

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.linalg import _matrix, pinv, solve
from lazygen.symbolic.ops.matmul import must_meet, same_dtype
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import broadcast, wrap_dims
from lazygen.symbolic.tensor import Tensor, new, numel, shape_text


class WithInfo(NamedTuple):
    """A result with a number that says whether it could be computed."""

    result: Tensor
    info: Tensor


class Inverse(NamedTuple):
    """An inverse with such a number."""

    inverse: Tensor
    info: Tensor


class Cholesky(NamedTuple):
    """A triangular factor with such a number."""

    L: Tensor
    info: Tensor


class LU(NamedTuple):
    """Permutation, lower and upper triangular factors."""

    P: Tensor
    L: Tensor
    U: Tensor


class PackedLU(NamedTuple):
    """Both triangular factors in one matrix, and which rows were swapped."""

    LU: Tensor
    pivots: Tensor


class PackedLUWithInfo(NamedTuple):
    """The same with a number that says whether it could be computed."""

    LU: Tensor
    pivots: Tensor
    info: Tensor


class LDL(NamedTuple):
    """A factorization of symmetric matrices, and which rows were swapped."""

    LD: Tensor
    pivots: Tensor


class LDLWithInfo(NamedTuple):
    """The same, and whether it could be done."""

    LD: Tensor
    pivots: Tensor
    info: Tensor


class Reflectors(NamedTuple):
    """Householder reflectors and their factors."""

    a: Tensor
    tau: Tensor


class Solved(NamedTuple):
    """A solution, and a copy of the coefficients."""

    solution: Tensor
    cloned_coefficient: Tensor


def _info(A: Tensor) -> Tensor:
    return new(A.shape[:-2], A, dtype=dtypes.int32)


def _least(A: Tensor) -> int:
    rows, columns = _matrix(A, "a factorization")
    return rows if rows <= columns else columns


@rule("torch.linalg.inv_ex", examples=["torch.linalg.inv_ex(f32(2, 3, 3))"])
def inv_ex(A: Tensor, *, check_errors: bool = False, out: Any = None) -> Inverse:
    _matrix(A, "linalg.inv_ex", square=True)
    return Inverse(new(A.shape, A), _info(A))


@rule("torch.linalg.cholesky_ex", examples=["torch.linalg.cholesky_ex(f32(2, 3, 3))"])
def cholesky_ex(A: Tensor, *, upper: bool = False, check_errors: bool = False, out: Any = None) -> Cholesky:
    _matrix(A, "linalg.cholesky_ex", square=True)
    return Cholesky(new(A.shape, A), _info(A))


@rule("torch.linalg.solve_ex", examples=["torch.linalg.solve_ex(f32(2, 3, 3), f32(2, 3, 4))"])
def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False, out: Any = None) -> WithInfo:
    result = solve(A, B, left=left)
    return WithInfo(result, new(result.shape[: max(A.ndim, result.ndim) - 2] or A.shape[:-2], A, dtype=dtypes.int32))


@rule("torch.cholesky_inverse", "Tensor.cholesky_inverse", examples=["torch.cholesky_inverse(f32(2, 3, 3))"])
def cholesky_inverse(L: Tensor, upper: bool = False, *, out: Any = None) -> Tensor:
    _matrix(L, "cholesky_inverse", square=True)
    return new(L.shape, L)


@rule("torch.cholesky_solve", examples=["torch.cholesky_solve(f32(3, 2), f32(3, 3))"])
def cholesky_solve(B: Tensor, L: Tensor, upper: bool = False, *, out: Any = None) -> Tensor:
    return _solved_with("cholesky_solve", B, L)


@rule("Tensor.cholesky_solve", examples=["f32(3, 2).cholesky_solve(f32(3, 3))"])
def cholesky_solve_method(self: Tensor, input2: Tensor, upper: bool = False) -> Tensor:
    return _solved_with("cholesky_solve", self, input2)


def _solved_with(name: str, B: Tensor, A: Tensor) -> Tensor:
    """The solution (*, n, k) of a system with right sides (*, n, k) and a factor (*, n, n)."""
    _matrix(B, name)
    rows, _ = _matrix(A, name, square=True)
    same_dtype(name, B, A)
    must_meet(name, rows, B.shape[-2], "the matrix", "the right sides", (B, A))
    batch = broadcast(B.shape[:-2], A.shape[:-2], operands=(B, A), name=name)
    return new((*batch, *B.shape[-2:]), B)


@rule("torch.triangular_solve", "Tensor.triangular_solve", examples=["torch.triangular_solve(f32(3, 2), f32(3, 3))"])
def triangular_solve(
    b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False, *, out: Any = None
) -> Solved:
    result = _solved_with("triangular_solve", b, A)
    return Solved(result, new((*result.shape[:-2], *A.shape[-2:]), A))


# LU


@rule("torch.linalg.lu", examples=["torch.linalg.lu(f32(2, 5, 3))", "torch.linalg.lu(f32(3, 5), pivot=False)"])
def lu(A: Tensor, *, pivot: bool = True, out: Any = None) -> LU:
    rows, columns = _matrix(A, "linalg.lu")
    batch, least = A.shape[:-2], _least(A)
    P = new((*batch, rows, rows) if pivot else (0,), A)
    return LU(P, new((*batch, rows, least), A), new((*batch, least, columns), A))


def _factored(A: Tensor, name: str) -> tuple[Tensor, Tensor]:
    _matrix(A, name)
    return new(A.shape, A), new((*A.shape[:-2], _least(A)), A, dtype=dtypes.int32)


@rule("torch.linalg.lu_factor", examples=["torch.linalg.lu_factor(f32(2, 5, 3))"])
def lu_factor(A: Tensor, *, pivot: bool = True, out: Any = None) -> PackedLU:
    return PackedLU(*_factored(A, "linalg.lu_factor"))


@rule("torch.linalg.lu_factor_ex", examples=["torch.linalg.lu_factor_ex(f32(2, 5, 3))"])
def lu_factor_ex(A: Tensor, *, pivot: bool = True, check_errors: bool = False, out: Any = None) -> PackedLUWithInfo:
    return PackedLUWithInfo(*_factored(A, "linalg.lu_factor_ex"), _info(A))


@rule("torch.lu", "Tensor.lu", examples=["torch.lu(f32(2, 5, 3))", "f32(3, 3).lu(get_infos=True)"])
def old_lu(A: Tensor, pivot: bool = True, get_infos: bool = False, out: Any = None) -> tuple[Tensor, ...]:
    packed = _factored(A, "lu")
    return (*packed, _info(A)) if get_infos else packed


@rule("torch.lu_unpack", examples=["torch.lu_unpack(f32(2, 5, 3), i32(2, 3))"])
def lu_unpack(
    LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True, *, out: Any = None
) -> LU:
    if unpack_pivots and LU_pivots.dtype is not dtypes.int32:
        raise ShapeError(
            f"lu_unpack needs int32 as pivots, not {LU_pivots.dtype.name}", operands=(LU_pivots,), code="LZ230"
        )
    made = lu(LU_data)
    nothing = new((0,), LU_data)
    return LU(made.P if unpack_pivots else nothing, *((made.L, made.U) if unpack_data else (nothing, nothing)))


@rule("torch.linalg.lu_solve", examples=["torch.linalg.lu_solve(f32(2, 3, 3), i32(2, 3), f32(2, 3, 4))"])
def lu_solve(
    LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False, out: Any = None
) -> Tensor:
    _matrix(B, "linalg.lu_solve")
    rows, _ = _matrix(LU, "linalg.lu_solve", square=True)
    same_dtype("linalg.lu_solve", LU, B)
    must_meet("linalg.lu_solve", rows, B.shape[-2 if left else -1], "LU", "B", (LU, B))
    _check_pivots("linalg.lu_solve", LU, pivots)
    batch = broadcast(LU.shape[:-2], B.shape[:-2], operands=(LU, B), name="linalg.lu_solve")
    return new((*batch, *B.shape[-2:]), B)


def _check_pivots(name: str, A: Tensor, pivots: Tensor) -> None:
    if pivots.dtype is not dtypes.int32 or list(map(int, pivots.shape)) != list(map(int, A.shape[:-1])):
        raise ShapeError(
            f"{name} needs int32 pivots of {shape_text(A.shape[:-1])}",
            operands=(A, pivots),
            notes=(f"they are {pivots.dtype.name} of {shape_text(pivots.shape)}",),
            code="LZ202",
        )


@rule("torch.lu_solve", "Tensor.lu_solve", examples=["torch.lu_solve(f32(2, 3, 4), f32(2, 3, 3), i32(2, 3))"])
def old_lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Any = None) -> Tensor:
    return lu_solve(LU_data, LU_pivots, b)


# LDL


@rule("torch.linalg.ldl_factor", examples=["torch.linalg.ldl_factor(f32(2, 3, 3))"])
def ldl_factor(A: Tensor, *, hermitian: bool = False, out: Any = None) -> LDL:
    _matrix(A, "linalg.ldl_factor", square=True)
    return LDL(*_factored(A, "linalg.ldl_factor"))


@rule("torch.linalg.ldl_factor_ex", examples=["torch.linalg.ldl_factor_ex(f32(2, 3, 3))"])
def ldl_factor_ex(A: Tensor, *, hermitian: bool = False, check_errors: bool = False, out: Any = None) -> LDLWithInfo:
    _matrix(A, "linalg.ldl_factor_ex", square=True)
    return LDLWithInfo(*_factored(A, "linalg.ldl_factor_ex"), _info(A))


@rule("torch.linalg.ldl_solve", examples=["torch.linalg.ldl_solve(f32(2, 3, 3), i32(2, 3), f32(2, 3, 4))"])
def ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: bool = False, out: Any = None) -> Tensor:
    _check_pivots("linalg.ldl_solve", LD, pivots)
    return _solved_with("linalg.ldl_solve", B, LD)


# Reflectors


@rule("torch.geqrf", "Tensor.geqrf", examples=["torch.geqrf(f32(2, 5, 3))"])
def geqrf(input: Tensor, *, out: Any = None) -> Reflectors:
    _matrix(input, "geqrf")
    return Reflectors(new(input.shape, input), new((*input.shape[:-2], _least(input)), input))


@rule(
    "torch.linalg.householder_product", "torch.orgqr", "Tensor.orgqr",
    examples=["torch.linalg.householder_product(f32(2, 5, 3), f32(2, 3))"],
)  # fmt: skip
def householder_product(A: Tensor, tau: Tensor, *, out: Any = None) -> Tensor:
    rows, columns = _matrix(A, "linalg.householder_product")
    _check_reflectors("linalg.householder_product", A, tau)
    if int(rows) < int(columns):
        raise ShapeError(
            f"linalg.householder_product needs no more columns than rows, not {shape_text(A.shape)}",
            operands=(A,),
            code="LZ202",
        )
    return new(A.shape, A)


def _check_reflectors(name: str, A: Tensor, tau: Tensor) -> None:
    same_dtype(name, A, tau)
    fits = tau.ndim == A.ndim - 1 and [*map(int, tau.shape[:-1])] == [*map(int, A.shape[:-2])]
    if not fits or int(tau.shape[-1]) > int(A.shape[-1]):
        raise ShapeError(
            f"{name} of {shape_text(A.shape)} cannot take factors of {shape_text(tau.shape)}",
            operands=(A, tau),
            code="LZ201",
        )


@rule("torch.ormqr", "Tensor.ormqr", examples=["torch.ormqr(f32(5, 3), f32(3), f32(5, 4))"])
def ormqr(
    input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False, *, out: Any = None
) -> Tensor:
    _matrix(input, "ormqr")
    _matrix(other, "ormqr")
    same_dtype("ormqr", input, other)
    _check_reflectors("ormqr", input, tau)
    must_meet("ormqr", input.shape[-2], other.shape[-2 if left else -1], "input", "other", (input, other))
    if [*map(int, input.shape[:-2])] != [*map(int, other.shape[:-2])]:
        raise ShapeError(
            f"ormqr needs equal batches, not {shape_text(input.shape)} and {shape_text(other.shape)}",
            operands=(input, other),
            code="LZ201",
        )
    return new(other.shape, other)


# Tensors taken as matrices


@rule("torch.linalg.tensorinv", examples=["torch.linalg.tensorinv(f32(4, 6, 8, 3))"])
def tensorinv(A: Tensor, ind: int = 2, *, out: Any = None) -> Tensor:
    """The first `ind` dims against the others, which must hold as many elements; the result has them the other way
    round.
    """
    left, right = A.shape[:ind], A.shape[ind:]
    if int(ind) < 1 or int(numel(left)) != int(numel(right)):
        raise ShapeError(
            f"linalg.tensorinv of {shape_text(A.shape)} is no square matrix with ind={int(ind)}",
            operands=(A,),
            code="LZ202",
        )
    if A.dtype.category < 2:
        raise ShapeError(f"linalg.tensorinv needs floats, not {A.dtype.name}", operands=(A,), code="LZ230")
    return new((*right, *left), A)


@rule("torch.linalg.tensorsolve", examples=["torch.linalg.tensorsolve(f32(2, 3, 6), f32(2, 3))"])
def tensorsolve(A: Tensor, B: Tensor, dims: Any = None, *, out: Any = None) -> Tensor:
    """X with as many dims as A has beyond those of B, such that tensordot(A, X) is B."""
    same_dtype("linalg.tensorsolve", A, B)
    shape = list(A.shape)
    if dims is not None:
        moved = wrap_dims(dims, A.ndim)
        shape = [size for at, size in enumerate(shape) if at not in moved] + [shape[at] for at in moved]
    rest = shape[B.ndim :]
    if int(numel(rest)) != int(numel(shape[: B.ndim])):
        raise ShapeError(
            f"linalg.tensorsolve of {shape_text(A.shape)} and {shape_text(B.shape)} is no square system",
            operands=(A, B),
            code="LZ202",
        )
    return new(rest, B)


@rule("Tensor.pinverse", examples=["f32(3, 4).pinverse()"])
def pinverse(self: Tensor, rcond: float = 1e-15) -> Tensor:
    return pinv(self)


@rule("Tensor.matrix_exp", examples=["f32(3, 3).matrix_exp()"])
def matrix_exp(self: Tensor) -> Tensor:
    _matrix(self, "matrix_exp", square=True)
    return new(self.shape, self)
