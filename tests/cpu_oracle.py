"""A second oracle, on torch's CPU: for what the meta device cannot run, and for the numbers of small constants.

`counted(2, 3)` is the int64 constant 0..5 of that shape, `ones(2, 3)` and `bools(1, 0, 1)` are constants too;
`f32(2, 3)` and its like are tensors without known numbers, which are all zero under torch.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import oracle
import torch

from lazygen.symbolic import dtypes
from lazygen.symbolic import tensor as stand_in


def _count(shape: tuple[int, ...]) -> int:
    return math.prod(shape)


OURS = {
    **oracle.SYMBOLIC,
    "counted": lambda *shape: stand_in.Tensor(shape, dtypes.int64, values=list(range(_count(shape)))),
    "ones": lambda *shape: stand_in.Tensor(shape, dtypes.float32, values=[1.0] * _count(shape)),
    "bools": lambda *values: stand_in.Tensor((len(values),), dtypes.bool_, values=[bool(v) for v in values]),
}
THEIRS = {
    **oracle.META,
    **{
        short: lambda *shape, _n=name: torch.zeros(shape, dtype=getattr(torch, _n))
        for short, name in oracle.KINDS.items()
    },
    "counted": lambda *shape: torch.arange(_count(shape)).reshape(shape),
    "ones": lambda *shape: torch.ones(shape),
    "bools": lambda *values: torch.tensor([bool(v) for v in values], dtype=torch.bool),
}


def described(value: Any) -> Any:
    """Shape, dtype and numbers of every tensor; numbers are None where the stand-in does not know them."""
    if isinstance(value, stand_in.Tensor):
        return ("tensor", tuple(int(size) for size in value.shape), str(value.dtype), value.values)
    if isinstance(value, torch.Tensor):
        return ("tensor", tuple(value.shape), str(value.dtype), value.flatten().tolist())
    if isinstance(value, (list, tuple)) and not isinstance(value, (torch.Size, stand_in.Size)):
        return [described(item) for item in value]
    return oracle.described(value)


def outcome(expression: str, world: dict[str, Any], names: dict[str, Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = eval(expression, {**world, **names})
        except LookupError as error:
            if not isinstance(error, IndexError):
                raise
            return "error"
        except (RuntimeError, TypeError, ValueError):
            return "error"
    return described(result)


def compare(expression: str, numbers: bool = False, **names: Any) -> str | None:
    """None if both agree on shapes, dtypes and errors, and on numbers if asked for."""
    ours, theirs = outcome(expression, OURS, names), outcome(expression, THEIRS, names)
    if not numbers:
        ours, theirs = _without_numbers(ours), _without_numbers(theirs)
    return None if ours == theirs else f"{expression}: lazygen {ours}, torch {theirs} {names or ''}"


def _without_numbers(value: Any) -> Any:
    if isinstance(value, tuple) and value[:1] == ("tensor",):
        return value[:3]
    return [_without_numbers(item) for item in value] if isinstance(value, list) else value


def written(statement: str, numbers: bool = True) -> str | None:
    """The same for a statement that writes into `x`, which starts as `counted(3, 4, 2)`."""
    results = []
    for world in (OURS, THEIRS):
        scope = {**world, "x": world["counted"](3, 4, 2)}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(statement, scope)
            results.append(described(scope["x"]))
        except (RuntimeError, TypeError, ValueError, IndexError):
            results.append("error")
    if not numbers:
        results = [_without_numbers(result) for result in results]
    return None if results[0] == results[1] else f"{statement}: lazygen {results[0]}, torch {results[1]}"
