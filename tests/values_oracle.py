"""Runs an expression under the stand-in and under real torch on small CPU tensors, and compares constants' values too.

The CPU refuses some dtypes that the meta device lets pass, and has numbers.  Inputs `f32(2, 3)` are ones on the CPU, of
unknown value under the stand-in.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import torch
from oracle import KINDS, SYMBOLIC, described

from lazygen.symbolic import tensor as stand_in
from lazygen.symbolic.unknown import Unknown

CPU: dict[str, Any] = {"torch": torch, "F": torch.nn.functional, "nn": torch.nn, "math": math}
for _short, _name in KINDS.items():
    CPU[_short] = lambda *shape, _n=_name: torch.ones(shape, dtype=getattr(torch, _n))


def run(expression: str, world: dict[str, Any]) -> Any:
    """The result, or `"error"` if arguments are refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return eval(expression, dict(world))
        except LookupError as error:
            if isinstance(error, IndexError):
                return "error"
            raise
        except (RuntimeError, TypeError, ValueError):
            return "error"


def compare_on_cpu(expression: str) -> str | None:
    """None if both agree in shapes and dtypes (and errors), and in the values that the stand-in keeps."""
    ours, theirs = run(expression, SYMBOLIC), run(expression, CPU)
    if described(ours) != described(theirs) and not isinstance(ours, Unknown):
        return f"{expression}: lazygen {described(ours)}, torch {described(theirs)}"
    differing = [pair for pair in _numbers(ours, theirs) if not _close(*pair)]
    return f"{expression}: lazygen has {differing[0][0]}, torch {differing[0][1]}" if differing else None


def kept(expression: str) -> bool:
    """Whether the stand-in keeps the values of the result."""
    return getattr(run(expression, SYMBOLIC), "values", None) is not None


def _numbers(ours: Any, theirs: Any) -> list[tuple[Any, Any]]:
    if isinstance(ours, stand_in.Tensor):
        return [] if ours.values is None else list(zip(ours.values, theirs.flatten().tolist(), strict=True))
    if isinstance(ours, (tuple, list)):
        return [pair for one, other in zip(ours, theirs, strict=True) for pair in _numbers(one, other)]
    return []


def _close(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, Unknown):
        return True
    if isinstance(ours, float) and math.isnan(ours):
        return math.isnan(theirs)
    if isinstance(theirs, (float, complex)):
        return ours == theirs or abs(ours - theirs) <= 1e-5 + 2e-5 * abs(theirs)
    return (type(theirs) is type(ours) and ours == theirs) or int(ours) == theirs
