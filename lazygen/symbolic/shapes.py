"""What many rules need: dims counted from the end, broadcasting, sizes given as one tuple or one by one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import is_
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.dim import Dim, of_symbol
from lazygen.symbolic.dtypes import dtype as Dtype
from lazygen.symbolic.equalities import agree_here
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import Expr, origins_of, symbols_of
from lazygen.symbolic.observer import Observer
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.tensor import Size, Tensor, shape_text


def wrap_dim(dim: int, rank: int, operand: Tensor | None = None) -> int:
    """A dim counted from the front; a 0-dim tensor has dims 0 and -1.

    Raises ShapeError if there is no such dim.
    """
    number = dim if type(dim) is int else dim.__index__()
    if 0 <= number < rank:
        return number
    limit = max(rank, 1)
    if not -limit <= number < limit:
        raise ShapeError(
            f"there is no dim {number} in a tensor of {rank} dims",
            operands=() if operand is None else (operand,),
            code="LZ203",
        )
    return number % limit


def wrap_dims(dims: int | Sequence[int] | None, rank: int) -> list[int]:
    """Dims counted from the front, all of them for None, each named once."""
    if dims is None:
        return list(range(rank))
    if not isinstance(dims, (tuple, list)):
        return [wrap_dim(dims, rank)]  # type: ignore[arg-type]
    wrapped = [wrap_dim(d, rank) for d in dims]
    if len(set(wrapped)) != len(wrapped):
        raise ShapeError("a dim is named twice", code="LZ203")
    return wrapped


def size_list(sizes: Sequence[Any]) -> list[int]:
    """Sizes given one by one or as one sequence; one-element tensors and numpy ints count as ints."""
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        sizes = sizes[0]
    return [size if type(size) is int else as_size(size) for size in sizes]


def as_size(size: Any) -> int:
    """A size as int or Dim, from whatever has `__index__`."""
    if type(size) is int or (isinstance(size, int) and not isinstance(size, bool)):
        return size
    if not hasattr(size, "__index__"):
        raise ShapeError(f"a size must be a whole number, not {size!r}", code="LZ202")
    return size.__index__()  # type: ignore[no-any-return]


def same(left: int, right: int) -> bool:
    return int(left) == int(right)


def meet(left: int, right: int) -> int:
    """Of two equal sizes the one to go on with: in terms of the source's names, else a number of its own, else the
    input's.
    """
    if left is right:
        return left
    if not isinstance(left, Dim):
        return right if isinstance(right, Dim) and _said_by(right) < 1 else left
    if isinstance(right, Dim) and left.expr == right.expr:
        return left
    agree_here(left, right)
    return right if _said_by(right) < _said_by(left) else left


def _said_by(size: int) -> int:
    """0 for a size in terms of names, 1 for a number that the source states, 2 for a size of an input."""
    return _expression_said_by(size.expr) if isinstance(size, Dim) else 1


@lru_cache(maxsize=1024)  # networks meet the same few sizes again and again
def _expression_said_by(expr: Expr) -> int:
    kinds = {symbol.kind for symbol in symbols_of(expr)}
    if not kinds.isdisjoint(("input", "batch", "free")):
        return 2
    return 1 if kinds == {"literal"} else 0


def is_own_number(size: int) -> bool:
    """Whether a size hangs on no input: the source says it by itself."""
    if not isinstance(size, Dim):
        return True
    return all(symbol.kind not in ("input", "batch", "free") for symbol in origins_of([size.expr]))


def free_size(name: str, sample: int) -> int:
    """A size that only data can tell, as of `torch.nonzero`: a free symbol of its own, so that no layer's size may
    hang on it.

    `name` is the operation, `sample` the size that this run goes on with.
    """
    return of_symbol(new_symbol("free", name, sample))


def broadcast(*shapes: Sequence[int], operands: tuple[Tensor, ...] = (), name: str = "") -> Size:
    """The shape that all shapes spread to, by torch's broadcasting rules.

    Raises ShapeError, naming the dims that clash, if they do not meet.
    """
    if len(shapes) == 2 and len(shapes[0]) == len(shapes[1]) and all(map(is_, *shapes)):
        return Size(shapes[0]) if type(shapes[0]) is not Size else shapes[0]
    rank, rest = max(map(len, shapes), default=0), shapes
    result: list[int] = [1] * rank
    if shapes and len(shapes[0]) == rank:
        result, rest = list(shapes[0]), shapes[1:]
    for shape in rest:
        for at, size in enumerate(shape, rank - len(shape)):
            held = result[at]
            if held is size:
                continue
            if held == 1:
                result[at] = size if size != 1 or type(held) is int else held
            elif held == size:
                result[at] = meet(held, size)
            elif size != 1:
                texts = " and ".join(shape_text(s) for s in shapes)
                raise ShapeError(
                    f"sizes do not meet{f' in {name}' if name else ''}: {texts} differ in dim {at}",
                    operands=operands,
                    code="LZ201",
                )
    if rank == 2 and len(shapes) == 2 and len(shapes[0]) != len(shapes[1]):
        Observer.spread(*shapes)
    return Size(result)


def result_type(*operands: Any) -> Dtype:
    """The dtype of an operation over tensors and Python numbers, by torch's three ranks."""
    if operands and isinstance(operands[0], Tensor):
        first = operands[0].dtype
        for operand in operands[1:]:
            kind = operand.dtype if isinstance(operand, Tensor) else number_type(operand)
            if kind is not first and (isinstance(operand, Tensor) or kind.category > first.category):
                break
        else:
            return first  # as nearly always: nothing outranks it
    ranked: list[Dtype | None] = [None, None, None]  # tensors with dims, 0-dim tensors, numbers
    for operand in operands:
        if isinstance(operand, Tensor):
            rank, kind = (0 if operand.shape else 1), operand.dtype
        else:
            rank, kind = 2, number_type(operand)
        known = ranked[rank]
        ranked[rank] = kind if known is None else dtypes.promote(known, kind)
    result: Dtype | None = None
    for kind_ in ranked:
        if kind_ is None:
            continue
        if result is None:
            result = kind_
        elif kind_.category > result.category:
            result = result.to_complex() if kind_.category == 3 and result.category == 2 else kind_
    if result is None:
        raise ShapeError("no operand has a dtype")
    return result


_OF_UNKNOWN = (dtypes.bool_, dtypes.int64, None, dtypes.complex64)


def number_type(number: Any) -> Dtype:
    """The dtype torch gives a Python number."""
    if type(number) is int:
        return dtypes.int64
    if isinstance(number, bool):
        return dtypes.bool_
    if isinstance(number, complex):
        return dtypes.DEFAULT_DTYPE[-1].to_complex()
    if isinstance(number, float):
        return _OF_UNKNOWN[getattr(number, "category", 2)] or dtypes.DEFAULT_DTYPE[-1]  # an `Unknown` may be no float
    return dtypes.int64
