"""Normalization layers without `num_features`."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.nn.build import placed, waiting
from lazygen.symbolic.nn.lazy import LazyModuleMixin, Recorder
from lazygen.symbolic.nn.norm import (
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    InstanceNorm1d,
    InstanceNorm2d,
    InstanceNorm3d,
    _counter,
    _NormBase,
)
from lazygen.symbolic.nn.parameter import UninitializedBuffer
from lazygen.symbolic.tensor import Tensor


class _LazyNormBase(LazyModuleMixin, _NormBase):
    """`num_features` is dim 1 of the first input.  Affine and with running statistics by default, instance norm too."""

    missing = ("num_features",)

    def __init__(
        self, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True, track_running_stats: bool = True,
        device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        _NormBase.__init__(self, 0, eps, momentum, False, False, device, dtype)
        self.affine, self.track_running_stats = affine, track_running_stats
        if affine:
            self.weight = waiting(dtype, device)
            if bias:
                self.bias = waiting(dtype, device)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=placed(device), dtype=dtype)
            self.running_var = UninitializedBuffer(device=placed(device), dtype=dtype)
            self.num_batches_tracked = _counter(device)
        Recorder.made(self)

    def infer(self, input: Tensor) -> dict[str, int]:
        # An input that the layer cannot take leaves it as it was.
        self._check_input_dim(input)
        return {"num_features": input.shape[1]}

    def build(self, sizes: dict[str, int]) -> None:
        self.num_features = sizes["num_features"]
        for name in ("weight", "bias", "running_mean", "running_var"):
            tensor = getattr(self, name)
            if tensor is not None:
                tensor.materialize((self.num_features,))


class LazyBatchNorm1d(_LazyNormBase, BatchNorm1d):
    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(_LazyNormBase, BatchNorm2d):
    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(_LazyNormBase, BatchNorm3d):
    cls_to_become = BatchNorm3d


class LazyInstanceNorm1d(_LazyNormBase, InstanceNorm1d):
    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(_LazyNormBase, InstanceNorm2d):
    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(_LazyNormBase, InstanceNorm3d):
    cls_to_become = InstanceNorm3d
