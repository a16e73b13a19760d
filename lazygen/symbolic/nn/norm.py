"""Normalization layers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.build import parameter, placed, register, whole
from lazygen.symbolic.nn.module import Module, fit
from lazygen.symbolic.ops import normalization
from lazygen.symbolic.tensor import Tensor, shape_text


class _NormBase(Module):
    """weight, bias, running_mean and running_var (num_features,), num_batches_tracked () of int64, where wanted."""

    ranks: tuple[int, ...] = ()  # the ranks of input that the layer takes; none: 2 or more

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        Module.__init__(self)
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        shape = (num_features,)
        register(self, "weight", shape if affine else None, dtype, device)
        register(self, "bias", shape if affine and bias else None, dtype, device)
        kept = parameter(shape, dtype, device) if track_running_stats else None
        for name in ("running_mean", "running_var"):
            self.register_buffer(name, None if kept is None else Tensor(kept.shape, kept.dtype, kept.device))
        self.register_buffer("num_batches_tracked", _counter(device) if track_running_stats else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        return None

    def reset_parameters(self) -> None:
        return None

    def _check_input_dim(self, input: Tensor) -> None:
        rank = len(input.shape)
        if rank < 2 or (self.ranks and rank not in self.ranks):
            wanted = " or ".join(map(str, self.ranks)) or "2 or more"
            raise ShapeError(
                f"{type(self).__name__} needs an input of {wanted} dims, not {rank}",
                operands=(input,),
                notes=(f"the input is {shape_text(input.shape)}",),
                code="LZ202",
            )

    def extra_repr(self) -> str:
        return f"{int(self.num_features)}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}"


def _counter(device: Any) -> Tensor:
    return Tensor((), dtypes.int64, placed(device), [0])


class _BatchNorm(_NormBase):
    """(N, num_features, *) to the same."""

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        if self.weight is not None or self.running_mean is not None:
            fit(self, "num_features", self.num_features, input.shape[1], input)
        own = self.training or (self.running_mean is None and self.running_var is None)
        kept = not self.training or self.track_running_stats
        mean, variance = (self.running_mean, self.running_var) if kept else (None, None)
        return normalization.batch_norm(
            input, mean, variance, self.weight, self.bias, own, self.momentum or 0.0, self.eps
        )


class BatchNorm1d(_BatchNorm):
    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    ranks = (4,)


class BatchNorm3d(_BatchNorm):
    ranks = (5,)


class SyncBatchNorm(_BatchNorm):
    """As BatchNorm for any number of dims; one process knows no others to keep in step with."""

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, process_group: Any = None, device: Any = None, dtype: Any = None,
        *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    @classmethod
    def convert_sync_batchnorm(cls, module: Module, process_group: Any = None) -> Module:
        """The module, in which a SyncBatchNorm with the same tensors takes the place of every batch norm."""
        result = module
        if isinstance(module, _BatchNorm):
            made = cls(module.num_features, module.eps, module.momentum, False, False, process_group)
            made.affine, made.track_running_stats = module.affine, module.track_running_stats
            made._parameters.update(module._parameters)
            made._buffers.update(module._buffers)
            result = made.train(module.training)
        for name, child in module.named_children():
            result.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return result


class _InstanceNorm(_NormBase):
    """(N, num_features, *) to the same; the batch may be missing."""

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = False,
        track_running_stats: bool = False, device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        batched = len(input.shape) == self.ranks[-1]
        if self.affine or self.running_mean is not None:
            fit(self, "num_features", self.num_features, input.shape[1 if batched else 0], input)
        whole = input if batched else Tensor((1, *input.shape), input.dtype, input.device)
        own = self.training or not self.track_running_stats
        normalization.instance_norm(
            whole, self.running_mean, self.running_var, self.weight, self.bias, own, self.momentum or 0.0, self.eps
        )
        return Tensor(input.shape, input.dtype, input.device)


class InstanceNorm1d(_InstanceNorm):
    ranks = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    ranks = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    ranks = (4, 5)


class LayerNorm(Module):
    """(*, normalized_shape) to the same."""

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.normalized_shape = _sizes(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        register(self, "weight", self.normalized_shape if elementwise_affine else None, dtype, device)
        register(self, "bias", self.normalized_shape if elementwise_affine and bias else None, dtype, device)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        return None

    def forward(self, input: Tensor) -> Tensor:
        _fit_last(self, input)
        return normalization.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class RMSNorm(Module):
    """(*, normalized_shape) to the same."""

    def __init__(
        self, normalized_shape: Any, eps: float | None = None, elementwise_affine: bool = True,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.normalized_shape = _sizes(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        register(self, "weight", self.normalized_shape if elementwise_affine else None, dtype, device)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        return None

    def forward(self, x: Tensor) -> Tensor:
        _fit_last(self, x)
        return normalization.rms_norm(x, self.normalized_shape, self.weight, self.eps)


def _sizes(normalized_shape: Any) -> tuple[int, ...]:
    sizes = normalized_shape if isinstance(normalized_shape, Iterable) else (normalized_shape,)
    return tuple(whole(size) for size in sizes)


def _fit_last(layer: LayerNorm | RMSNorm, input: Tensor) -> None:
    if len(layer.normalized_shape) == 1 and input.shape:
        fit(layer, "normalized_shape", layer.normalized_shape[0], input.shape[-1], input)


class GroupNorm(Module):
    """(N, num_channels, *) to the same."""

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True,
        device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        if int(num_groups) == 0 or int(num_channels) % int(num_groups):
            raise ShapeError(
                f"GroupNorm cannot split num_channels {int(num_channels)} into num_groups {int(num_groups)}",
                code="LZ202",
            )
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        register(self, "weight", (num_channels,) if affine else None, dtype, device)
        register(self, "bias", (num_channels,) if affine and bias else None, dtype, device)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        return None

    def forward(self, input: Tensor) -> Tensor:
        if self.affine and len(input.shape) > 1:
            fit(self, "num_channels", self.num_channels, input.shape[1], input)
        return normalization.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


class LocalResponseNorm(Module):
    """(N, C, *) to the same."""

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Tensor) -> Tensor:
        return normalization.local_response_norm(input, self.size, self.alpha, self.beta, self.k)
