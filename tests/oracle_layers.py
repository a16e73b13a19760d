"""Builds one layer under the stand-in and under torch, calls both, and compares parameters, buffers and results.

A layer and its arguments are expressions as in `oracle.py`: `compare_layer("nn.Conv2d(3, 4, 3)", "f32(2, 3, 8, 8)")`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import oracle
import torch

from lazygen.symbolic.nn.parameter import UninitializedBuffer, UninitializedParameter

WAITING = (UninitializedBuffer, UninitializedParameter, torch.nn.UninitializedBuffer, torch.nn.UninitializedParameter)
COMPLAINTS = (RuntimeError, TypeError, ValueError, IndexError, AssertionError, ArithmeticError, AttributeError)


def _zeros(name: str) -> Callable[..., torch.Tensor]:
    return lambda *shape: torch.zeros(shape, dtype=getattr(torch, name), device="cpu")


CPU = {**oracle.META, **{short: _zeros(name) for short, name in oracle.KINDS.items()}}


def state(layer: Any) -> list[tuple[str, Any]]:
    """Names of parameters and buffers in order, each with its shape and dtype, or `waiting`."""
    pairs = [*layer.named_parameters(), *layer.named_buffers()]
    return [
        (name, "waiting" if isinstance(value, WAITING) else oracle.described(value))
        for name, value in [*pairs, *layer.state_dict(keep_vars=True).items()]
    ]


def outcome(layer: str, arguments: str, world: dict[str, Any], *, training: bool = False, attributes: str = "") -> Any:
    """What the layer holds, what it gives for the arguments and what it holds then; "error" where it raises."""
    with warnings.catch_warnings(), torch.device("cpu" if world is CPU else "meta"):
        warnings.simplefilter("ignore")
        try:
            built = eval(layer, world).train(training)
        except COMPLAINTS as error:
            return ["constructor raises"], error
        found: list[Any] = [state(built), [oracle.described(getattr(built, name)) for name in attributes.split()]]
        try:
            result = eval(f"layer({arguments})", {**world, "layer": built})
        except COMPLAINTS as error:
            return [*found, "call raises"], error
        found += [type(built).__name__, oracle.described(result), state(built)]
        return [*found, [oracle.described(getattr(built, name)) for name in attributes.split()]], None


def compare_layer(
    layer: str, arguments: str, *, training: bool = False, attributes: str = "", device: str = "meta"
) -> str | None:
    """None if both worlds agree, else a sentence that says how they differ."""
    theirs_world = CPU if device == "cpu" else oracle.META
    ours, our_error = outcome(layer, arguments, oracle.SYMBOLIC, training=training, attributes=attributes)
    theirs, their_error = outcome(layer, arguments, theirs_world, training=training, attributes=attributes)
    if ours == theirs:
        return None
    differing = [(a, b) for a, b in zip(ours, theirs, strict=False) if a != b] or [(len(ours), len(theirs))]
    errors = "".join(
        f"; {who}: {type(error).__name__}: {str(error)[:200]}"
        for who, error in (("lazygen", our_error), ("torch", their_error))
        if error is not None
    )
    return f"{layer}({arguments}): lazygen {differing[0][0]}, torch {differing[0][1]}{errors}"


def disagreements(cases: list[tuple[str, str]], **options: Any) -> list[str]:
    """The sentences of all cases in which the worlds differ."""
    return [said for layer, arguments in cases if (said := compare_layer(layer, arguments, **options)) is not None]


def compare_on_cpu(call: str) -> str | None:
    """As `oracle.compare`, with torch's CPU tensors where its meta device lets pass what no device computes."""
    ours, theirs = oracle.outcome(call, oracle.SYMBOLIC), oracle.outcome(call, CPU)
    return None if ours == theirs else f"{call}: lazygen {ours}, torch {theirs}"
