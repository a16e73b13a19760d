"""The shape that comes out of a layer, without data and without building it."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

_FREE = (64, 96)  # what stands for free sizes, once each; what differs between the two is free in the result


def output_shape(layer: nn.Module, shapes: Sequence[Any]) -> Any:
    """The shape of the result for inputs of shapes, nested as these and the result are; None is a free size.

    Runs a copy on torch's meta device.
    """
    if not any(size is None for shape in shapes for size in _sizes(shape)):
        return _result(layer, shapes, 1)
    return _common(*(_result(layer, shapes, free) for free in _FREE))


def _sizes(shape: Any) -> list[Any]:
    if isinstance(shape, dict):
        return [size for part in shape.values() for size in _sizes(part)]
    if any(isinstance(size, (list, tuple)) for size in shape):
        return [size for part in shape for size in _sizes(part)]
    return list(shape)


def _result(layer: nn.Module, shapes: Sequence[Any], free: int) -> Any:
    twin = copy.deepcopy(layer).eval()
    with torch.device("meta"), torch.no_grad():
        twin.to("meta")
        return _shapes(twin(*(_input(shape, free) for shape in shapes)))


def _input(shape: Any, free: int) -> Any:
    if isinstance(shape, dict):
        return {name: _input(part, free) for name, part in shape.items()}
    if any(isinstance(size, (list, tuple)) for size in shape):
        return [_input(part, free) for part in shape]
    return torch.zeros([free if size is None else size for size in shape])


def _shapes(result: Any) -> Any:
    if isinstance(result, torch.Tensor):
        return tuple(result.shape)
    if isinstance(result, dict):
        return {key: _shapes(item) for key, item in result.items()}
    return [_shapes(item) for item in result]


def _common(left: Any, right: Any) -> Any:
    """What two results share; sizes in which they differ are None."""
    if isinstance(left, tuple):
        return tuple(one if one == other else None for one, other in zip(left, right, strict=True))
    if isinstance(left, dict):
        return {key: _common(item, right[key]) for key, item in left.items()}
    return [_common(one, other) for one, other in zip(left, right, strict=True)]
