"""`torch.linalg`: norms, inverses, decompositions."""

from __future__ import annotations

from typing import Any, NamedTuple

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.matmul import must_meet, same_dtype
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import broadcast, wrap_dims
from lazygen.symbolic.tensor import Tensor, new, shape_text


class QR(NamedTuple):
    """A decomposition into an orthogonal and an upper triangular matrix."""

    Q: Tensor
    R: Tensor


class SVD(NamedTuple):
    """A decomposition into singular vectors and values."""

    U: Tensor
    S: Tensor
    Vh: Tensor


class OldSVD(NamedTuple):
    """What `torch.svd` gives: V, not its transpose."""

    U: Tensor
    S: Tensor
    V: Tensor


class Eigen(NamedTuple):
    """Eigenvalues and eigenvectors."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class SignAndLog(NamedTuple):
    """The sign of a determinant and the logarithm of its size."""

    sign: Tensor
    logabsdet: Tensor


class LeastSquares(NamedTuple):
    """The solution of a least squares problem, and what is known about it."""

    solution: Tensor
    residuals: Tensor
    rank: Tensor
    singular_values: Tensor


def _matrix(input: Tensor, name: str, square: bool = False) -> tuple[int, int]:
    """Rows and columns; raises ShapeError if it is no (square) matrix of floats."""
    if input.ndim < 2 or (square and int(input.shape[-1]) != int(input.shape[-2])):
        raise ShapeError(
            f"{name} needs {'square matrices' if square else 'a matrix'}, not {shape_text(input.shape)}",
            operands=(input,),
            code="LZ202",
        )
    if input.dtype.category < 2:
        raise ShapeError(f"{name} needs floats, not {input.dtype.name}", operands=(input,), code="LZ230")
    return input.shape[-2], input.shape[-1]


def _reduced(input: Tensor, dims: list[int], keepdim: bool, dtype: Any, name: str) -> Tensor:
    kind = dtype or input.dtype
    if kind.category < 2 or input.dtype.category < 2:
        raise ShapeError(f"{name} needs floats, not {input.dtype.name}", operands=(input,), code="LZ230")
    if kind.category != input.dtype.category and input.dtype.category > 1:
        raise ShapeError(f"{name} takes {input.dtype.name}, not as {kind.name}", operands=(input,), code="LZ230")
    shape = [1 if at in dims else size for at, size in enumerate(input.shape) if keepdim or at not in dims]
    return new(shape, input, dtype=kind.to_real())


@rule(
    "torch.linalg.vector_norm",
    examples=["torch.linalg.vector_norm(f32(2, 3))", "torch.linalg.vector_norm(f32(2, 3), 1, -1, True)"],
)
def vector_norm(
    x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None
) -> Tensor:
    dims = wrap_dims(None if isinstance(dim, (tuple, list)) and not dim else dim, x.ndim)
    if (ord < 0 or ord == float("inf")) and not all(int(x.shape[at]) for at in dims if x.shape):
        raise ShapeError(f"a norm of order {ord} of {shape_text(x.shape)} has no value", operands=(x,), code="LZ202")
    return _reduced(x, dims, keepdim, dtype, "vector_norm")


@rule("torch.linalg.matrix_norm", examples=["torch.linalg.matrix_norm(f32(2, 3, 4))"])
def matrix_norm(
    A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None, out: Any = None
) -> Tensor:
    _matrix(A, "matrix_norm")
    dims = wrap_dims(dim, A.ndim)
    if len(dims) != 2:
        raise ShapeError(f"matrix_norm goes over two dims, not {len(dims)}", operands=(A,), code="LZ203")
    return _reduced(A, dims, keepdim, dtype, "matrix_norm")


@rule(
    "torch.linalg.norm", examples=["torch.linalg.norm(f32(2, 3))", "torch.linalg.norm(f32(2, 3), dim=1, keepdim=True)"]
)
def norm(
    A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None
) -> Tensor:
    if ord is None:
        return vector_norm(A, 2, dim, keepdim, dtype=dtype)
    if dim is None and A.ndim not in (1, 2):
        raise ShapeError(
            f"norm of order {ord} needs a vector or a matrix, not {shape_text(A.shape)}", operands=(A,), code="LZ202"
        )
    dims = wrap_dims(dim, A.ndim)
    return (matrix_norm if len(dims) == 2 else vector_norm)(A, ord, dims, keepdim, dtype=dtype)


@rule(
    "torch.linalg.inv", "torch.inverse", "Tensor.inverse", "torch.linalg.matrix_exp", "torch.matrix_exp",
    "torch.linalg.cholesky", "torch.cholesky", "Tensor.cholesky",
    examples=["torch.linalg.inv(f32(2, 3, 3))"],
)  # fmt: skip
def inv(A: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    _matrix(A, "linalg.inv", square=True)
    return new(A.shape, A)


@rule(
    "torch.linalg.matrix_power",
    "torch.matrix_power",
    "Tensor.matrix_power",
    examples=["torch.linalg.matrix_power(f32(3, 3), 2)"],
)
def matrix_power(A: Tensor, n: int, *, out: Any = None) -> Tensor:
    if A.ndim < 2 or int(A.shape[-1]) != int(A.shape[-2]):
        raise ShapeError(f"matrix_power needs square matrices, not {shape_text(A.shape)}", operands=(A,), code="LZ202")
    return new(A.shape, A)


@rule("torch.linalg.pinv", "torch.pinverse", examples=["torch.linalg.pinv(f32(2, 3, 4))"])
def pinv(A: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    rows, columns = _matrix(A, "linalg.pinv")
    return new((*A.shape[:-2], columns, rows), A)


@rule(
    "torch.linalg.det",
    "torch.det",
    "Tensor.det",
    "torch.logdet",
    "Tensor.logdet",
    examples=["torch.linalg.det(f32(2, 3, 3))"],
)
def det(A: Tensor, *, out: Any = None) -> Tensor:
    _matrix(A, "linalg.det", square=True)
    return new(A.shape[:-2], A)


@rule("torch.linalg.slogdet", "torch.slogdet", "Tensor.slogdet", examples=["torch.linalg.slogdet(f32(2, 3, 3))"])
def slogdet(A: Tensor, *, out: Any = None) -> SignAndLog:
    _matrix(A, "linalg.slogdet", square=True)
    return SignAndLog(new(A.shape[:-2], A), new(A.shape[:-2], A, dtype=A.dtype.to_real()))


@rule(
    "torch.linalg.solve",
    examples=["torch.linalg.solve(f32(2, 3, 3), f32(2, 3, 4))", "torch.linalg.solve(f32(3, 3), f32(3))"],
)
def solve(A: Tensor, B: Tensor, *, left: bool = True, out: Any = None) -> Tensor:
    rows, _ = _matrix(A, "linalg.solve", square=True)
    same_dtype("linalg.solve", A, B)
    # A batch of vectors is meant where B has the shape of A without its last dim.
    vectors = B.ndim == 1 or (B.ndim == A.ndim - 1 and [int(s) for s in B.shape] == [int(s) for s in A.shape[:-1]])
    if not B.shape:
        raise ShapeError("linalg.solve needs a B of one dim or more", operands=(A, B), code="LZ202")
    must_meet("linalg.solve", rows, B.shape[-1 if vectors or not left else -2], "A", "B", (A, B))
    tail = B.shape[-1:] if vectors else B.shape[-2:]
    batch = broadcast(A.shape[:-2], B.shape[: -1 if vectors else -2], operands=(A, B), name="linalg.solve")
    return new((*batch, *tail), B)


@rule("torch.linalg.solve_triangular", examples=["torch.linalg.solve_triangular(f32(3, 3), f32(3, 4), upper=True)"])
def solve_triangular(
    A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False, out: Any = None
) -> Tensor:
    rows, _ = _matrix(A, "linalg.solve_triangular", square=True)
    _matrix(B, "linalg.solve_triangular")
    same_dtype("linalg.solve_triangular", A, B)
    must_meet("linalg.solve_triangular", rows, B.shape[-2 if left else -1], "A", "B", (A, B))
    batch = broadcast(A.shape[:-2], B.shape[:-2], operands=(A, B), name="linalg.solve_triangular")
    return new((*batch, *B.shape[-2:]), B)


@rule(
    "torch.linalg.qr",
    "torch.qr",
    "Tensor.qr",
    examples=["torch.linalg.qr(f32(2, 5, 3))", "torch.linalg.qr(f32(5, 3), 'complete')"],
)
def qr(A: Tensor, mode: Any = "reduced", *, out: Any = None) -> QR:
    rows, columns = _matrix(A, "linalg.qr")
    kept = rows if mode == "complete" or (mode != "complete" and rows <= columns) else columns
    batch = A.shape[:-2]
    first = new((0,), A) if mode == "r" else new((*batch, rows, kept), A)
    return QR(first, new((*batch, kept, columns), A))


@rule(
    "torch.linalg.svd", examples=["torch.linalg.svd(f32(2, 5, 3))", "torch.linalg.svd(f32(5, 3), full_matrices=False)"]
)
def svd(A: Tensor, full_matrices: bool = True, *, driver: Any = None, out: Any = None) -> SVD:
    rows, columns = _matrix(A, "linalg.svd")
    least, batch = rows if rows <= columns else columns, A.shape[:-2]
    left, right = (rows, columns) if full_matrices else (least, least)
    return SVD(
        new((*batch, rows, left), A),
        new((*batch, least), A, dtype=A.dtype.to_real()),
        new((*batch, right, columns), A),
    )


@rule("torch.svd", "Tensor.svd", examples=["torch.svd(f32(2, 5, 3))", "torch.svd(f32(5, 3), some=False)"])
def old_svd(input: Tensor, some: bool = True, compute_uv: bool = True, *, out: Any = None) -> OldSVD:
    result = svd(input, full_matrices=not some or not compute_uv)
    turned = (*result.Vh.shape[:-2], result.Vh.shape[-1], result.Vh.shape[-2])
    return OldSVD(result.U, result.S, new(turned, input))


@rule("torch.linalg.svdvals", examples=["torch.linalg.svdvals(f32(2, 5, 3))"])
def svdvals(A: Tensor, *, driver: Any = None, out: Any = None) -> Tensor:
    return svd(A, False).S


@rule("torch.linalg.eigh", examples=["torch.linalg.eigh(f32(2, 3, 3))"])
def eigh(A: Tensor, UPLO: str = "L", *, out: Any = None) -> Eigen:
    _matrix(A, "linalg.eigh", square=True)
    return Eigen(new(A.shape[:-1], A, dtype=A.dtype.to_real()), new(A.shape, A))


@rule("torch.linalg.eigvalsh", examples=["torch.linalg.eigvalsh(f32(2, 3, 3))"])
def eigvalsh(A: Tensor, UPLO: str = "L", *, out: Any = None) -> Tensor:
    return eigh(A).eigenvalues


@rule("torch.linalg.eig", examples=["torch.linalg.eig(f32(2, 3, 3))"])
def eig(A: Tensor, *, out: Any = None) -> Eigen:
    _matrix(A, "linalg.eig", square=True)
    kind = A.dtype.to_complex()
    return Eigen(new(A.shape[:-1], A, dtype=kind), new(A.shape, A, dtype=kind))


@rule("torch.linalg.eigvals", examples=["torch.linalg.eigvals(f32(2, 3, 3))"])
def eigvals(A: Tensor, *, out: Any = None) -> Tensor:
    return eig(A).eigenvalues


@rule("torch.linalg.matrix_rank", examples=["torch.linalg.matrix_rank(f32(2, 3, 4))"])
def matrix_rank(A: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    _matrix(A, "linalg.matrix_rank")
    return new(A.shape[:-2], A, dtype=dtypes.int64)


@rule("torch.linalg.vander", examples=["torch.linalg.vander(f32(2, 3), N=5)"])
def vander(x: Tensor, *, N: Any = None) -> Tensor:
    if not x.shape:
        raise ShapeError("vander needs a tensor of one dim or more", operands=(x,), code="LZ203")
    if x.dtype is dtypes.bool_ or (N is not None and int(N) <= 1):
        raise ShapeError(f"vander of {x.dtype.name} with N={N}", operands=(x,))
    kind = dtypes.int64 if x.dtype.category == 1 else x.dtype
    return new((*x.shape, x.shape[-1] if N is None else N), x, dtype=kind)


@rule("torch.linalg.cond", examples=["torch.linalg.cond(f32(2, 3, 3))"])
def cond(A: Tensor, p: Any = None, *, out: Any = None) -> Tensor:
    _matrix(A, "linalg.cond", square=p not in (None, 2, -2))
    return new(A.shape[:-2], A, dtype=A.dtype.to_real())


@rule("torch.linalg.vecdot", examples=["torch.linalg.vecdot(f32(2, 3), f32(3))"])
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Any = None) -> Tensor:
    shape = broadcast(x.shape, y.shape, operands=(x, y), name="linalg.vecdot")
    same_dtype("linalg.vecdot", x, y)
    dims = wrap_dims(dim, len(shape))
    return new([size for at, size in enumerate(shape) if at not in dims], x)


@rule("torch.linalg.lstsq")
def lstsq(A: Tensor, B: Tensor, rcond: Any = None, *, driver: Any = None) -> LeastSquares:
    rows, columns = _matrix(A, "linalg.lstsq")
    same_dtype("linalg.lstsq", A, B)
    vectors = B.ndim == A.ndim - 1
    if not vectors and B.ndim != A.ndim:
        raise ShapeError(
            f"linalg.lstsq of {shape_text(A.shape)} and {shape_text(B.shape)}: B needs as many dims, or one less",
            operands=(A, B),
            code="LZ202",
        )
    must_meet("linalg.lstsq", rows, B.shape[-1 if vectors else -2], "the rows of A", "those of B", (A, B))
    batch = broadcast(A.shape[:-2], B.shape[: -1 if vectors else -2], operands=(A, B), name="linalg.lstsq")
    tail = () if vectors else B.shape[-1:]
    least = rows if rows <= columns else columns
    return LeastSquares(
        new((*batch, columns, *tail), A),
        new((*batch, *tail) if rows > columns else (0,), A, dtype=A.dtype.to_real()),
        new(A.shape[:-2], A, dtype=dtypes.int64),
        new((*A.shape[:-2], least) if driver in ("gelss", "gelsd") else (0,), A, dtype=A.dtype.to_real()),
    )
