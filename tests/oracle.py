"""Runs one expression under the stand-in and under torch's meta device, and compares what comes out.

An expression is a call as torch has it, over inputs written `f32(2, 3)`, `i64(4)`, `b8(2)`, `c64(3)`: a floating, an
integer, a bool and a complex tensor of that shape.  `torch`, `F`, `nn` and `math` stand for what they do in a source.
"""

from __future__ import annotations

import importlib
import math
import warnings
from typing import Any

import torch

from lazygen.symbolic import dtypes, rules
from lazygen.symbolic import tensor as stand_in
from lazygen.symbolic.index import LAYERS

KINDS = {
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "u8": "uint8", "i8": "int8",
    "i16": "int16",    "i32": "int32", "i64": "int64", "b8": "bool", "c64": "complex64", "c128": "complex128",
}  # fmt: skip


class Namespace:
    """`torch` or one of its namespaces, as the rules have it."""

    def __init__(self, prefix: str, **own: Any) -> None:
        self.prefix = prefix
        self.__dict__.update(own)

    def __getattr__(self, name: str) -> Any:
        found = rules.find(f"{self.prefix}.{name}")
        if found is None:
            raise LookupError(f"no rule for {self.prefix}.{name}")
        return found


class Layers:
    """`torch.nn` of the stand-in."""

    def __getattr__(self, name: str) -> Any:
        if name not in LAYERS:
            raise LookupError(f"no layer {name}")
        return getattr(importlib.import_module(f"lazygen.symbolic.nn.{LAYERS[name]}"), name)


def _symbolic_world() -> dict[str, Any]:
    own = {
        **dtypes.DTYPES,
        **dtypes.ALIASES,
        "device": dtypes.device,
        "Size": stand_in.Size,
        **{part: Namespace(f"torch.{part}") for part in ("fft", "linalg", "special")},
        "signal": Namespace("torch.signal", windows=Namespace("torch.signal.windows")),
    }
    world = {"torch": Namespace("torch", **own), "F": Namespace("F"), "nn": Layers(), "math": math}
    for short, name in KINDS.items():
        world[short] = lambda *shape, _n=name: stand_in.Tensor(shape, dtypes.DTYPES[_n])
    return world


def _meta_world() -> dict[str, Any]:
    world = {"torch": torch, "F": torch.nn.functional, "nn": torch.nn, "math": math}
    for short, name in KINDS.items():
        world[short] = lambda *shape, _n=name: torch.empty(shape, dtype=getattr(torch, _n), device="meta")
    return world


SYMBOLIC, META = _symbolic_world(), _meta_world()


def described(value: Any) -> Any:
    """Shapes and dtypes of all tensors in a result, other values as they are."""
    if isinstance(value, (stand_in.Tensor, torch.Tensor)):
        return ("tensor", tuple(int(size) for size in value.shape), str(value.dtype))
    if isinstance(value, dict):
        return {key: described(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [described(item) for item in value]
    if isinstance(value, (dtypes.dtype, torch.dtype, dtypes.device, torch.device)):
        return str(value)
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def outcome(expression: str, world: dict[str, Any], **names: Any) -> Any:
    """What the expression gives in a world: its description, or `"error"` if it raises.

    Raises LookupError, and whatever is no complaint about arguments, to the test.
    """
    with warnings.catch_warnings(), torch.device("meta"):
        warnings.simplefilter("ignore")
        try:
            return described(eval(expression, {**world, **names}))
        except LookupError as error:
            if not isinstance(error, IndexError):
                raise
            return "error"
        except (RuntimeError, TypeError, ValueError, AssertionError):
            return "error"


def compare(expression: str, **names: Any) -> str | None:
    """None if both worlds agree on the expression, else a sentence that says how they differ."""
    ours, theirs = outcome(expression, SYMBOLIC, **names), outcome(expression, META, **names)
    if ours == theirs:
        return None
    detail = ""
    if "error" in (ours, theirs):
        world = SYMBOLIC if ours == "error" else META
        try:
            eval(expression, {**world, **names})
        except Exception as error:
            detail = f" ({type(error).__name__}: {str(error)[:120]})"
    return f"{expression}: lazygen {ours}, torch {theirs}{detail}"
