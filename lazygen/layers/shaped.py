"""The layers that read sizes off their input: under the names of torch, without those sizes.

Linear(80)                    torch.nn.Linear(in_features, 80)
Conv2d(20, kernel_size=5)     torch.nn.Conv2d(in_channels, 20, kernel_size=5)
BatchNorm2d()                 torch.nn.BatchNorm2d(num_features)
LayerNorm(1)                  torch.nn.LayerNorm(normalized_shape), the last dim
GroupNorm(4)                  torch.nn.GroupNorm(4, num_channels)
PReLU(shared=False)           torch.nn.PReLU(num_parameters)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import nn

from lazygen.layers.base import Layer, LayerError, shape_text


class Linear(Layer, nn.Linear):
    """(..., in_features) to (..., out_features)."""

    native = nn.Linear

    def infer(self, shape: Sequence[int]) -> dict[str, int]:
        return {"in_features": _ranked(self, shape, 1)[-1]}


Dense = Linear


class _Conv(Layer):
    """(N, in_channels, *) or (in_channels, *) to the same with out_channels; `rank` counts the dims behind."""

    rank = 0

    def infer(self, shape: Sequence[int]) -> dict[str, int]:
        return {"in_channels": _ranked(self, shape, self.rank + 1, self.rank + 2)[-self.rank - 1]}


class Conv1d(_Conv, nn.Conv1d):
    native, rank = nn.Conv1d, 1


class Conv2d(_Conv, nn.Conv2d):
    native, rank = nn.Conv2d, 2


class Conv3d(_Conv, nn.Conv3d):
    native, rank = nn.Conv3d, 3


class ConvTranspose1d(_Conv, nn.ConvTranspose1d):
    native, rank = nn.ConvTranspose1d, 1


class ConvTranspose2d(_Conv, nn.ConvTranspose2d):
    native, rank = nn.ConvTranspose2d, 2


class ConvTranspose3d(_Conv, nn.ConvTranspose3d):
    native, rank = nn.ConvTranspose3d, 3


class _Norm(Layer):
    """(N, num_features, *) to the same."""

    ranks: tuple[int, ...] = ()

    def infer(self, shape: Sequence[int]) -> dict[str, int]:
        return {"num_features": _ranked(self, shape, *self.ranks)[1]}


class BatchNorm1d(_Norm, nn.BatchNorm1d):
    native, ranks = nn.BatchNorm1d, (2, 3)


class BatchNorm2d(_Norm, nn.BatchNorm2d):
    native, ranks = nn.BatchNorm2d, (4,)


class BatchNorm3d(_Norm, nn.BatchNorm3d):
    native, ranks = nn.BatchNorm3d, (5,)


class _InstanceNorm(_Norm):
    """(N, num_features, *) or (num_features, *) to the same."""

    def infer(self, shape: Sequence[int]) -> dict[str, int]:
        return {"num_features": _ranked(self, shape, *self.ranks)[1 - max(self.ranks)]}


class InstanceNorm1d(_InstanceNorm, nn.InstanceNorm1d):
    native, ranks = nn.InstanceNorm1d, (2, 3)


class InstanceNorm2d(_InstanceNorm, nn.InstanceNorm2d):
    native, ranks = nn.InstanceNorm2d, (3, 4)


class InstanceNorm3d(_InstanceNorm, nn.InstanceNorm3d):
    native, ranks = nn.InstanceNorm3d, (4, 5)


class LayerNorm(Layer, nn.LayerNorm):
    """Normalizes the last `num_normalize_dim` dims, of which the batch is none."""

    native = nn.LayerNorm

    def __init__(self, num_normalize_dim: int = 1, *args: Any, **kwargs: Any) -> None:
        if num_normalize_dim < 1:
            raise LayerError(f"LayerNorm normalizes at least one dim, not {num_normalize_dim}", code="LZ202")
        self.__dict__["num_normalize_dim"] = num_normalize_dim
        super().__init__(*args, **kwargs)
        self.num_normalize_dim = num_normalize_dim

    def infer(self, shape: Sequence[int]) -> dict[str, int]:
        count = self.num_normalize_dim
        if count >= len(shape):
            given = shape_text(shape)
            raise LayerError(
                f"LayerNorm({count}) needs an input of more than {count} dims, and gets {given}", code="LZ202"
            )
        sizes = shape[-count:]
        if count == 1:
            return {"normalized_shape": sizes[0]}
        return {f"normalized_shape[{number}]": size for number, size in enumerate(sizes)}

    def arguments(self, sizes: dict[str, int]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        args, kwargs = self._given
        return (tuple(sizes.values()), *args), kwargs

    def extra_repr(self) -> str:
        if not self.has_uninitialized_params():
            return super().extra_repr()
        return ", ".join(filter(None, [str(self.num_normalize_dim), super().extra_repr()]))


class GroupNorm(Layer, nn.GroupNorm):
    """(N, num_channels, *) to the same; the channels are a multiple of `num_groups`."""

    native, place = nn.GroupNorm, 1

    def infer(self, shape: Sequence[int]) -> dict[str, int]:
        if len(shape) < 2:
            raise LayerError(f"GroupNorm needs an input of 2 dims or more, and gets {shape_text(shape)}", code="LZ202")
        args, kwargs = self._given
        groups = args[0] if args else kwargs["num_groups"]
        if int(shape[1]) % groups:
            raise LayerError(
                f"GroupNorm cannot divide {int(shape[1])} channels into {groups} groups",
                helps=(f"choose a divisor of {int(shape[1])}",),
                code="LZ202",
            )
        return {"num_channels": shape[1]}


class PReLU(Layer, nn.PReLU):
    """A leaky ReLU whose slope is learned: one for all if `shared`, else one a channel (dim 1)."""

    native = nn.PReLU

    def __init__(self, shared: bool = True, init: float = 0.25, **kwargs: Any) -> None:
        self.__dict__["shared"] = shared
        super().__init__(init=init, **kwargs)
        self.shared = shared
        if shared:
            self._fit((), None)

    def leaves_out(self) -> bool:
        return not self.__dict__["shared"]

    def infer(self, shape: Sequence[int]) -> dict[str, int]:
        if self.shared:
            return {"num_parameters": 1}
        if len(shape) < 2:
            raise LayerError(
                f"PReLU(shared=False) needs an input of 2 dims or more, and gets {shape_text(shape)}", code="LZ202"
            )
        return {"num_parameters": shape[1]}


def _ranked(layer: Layer, shape: Sequence[int], *ranks: int) -> Sequence[int]:
    """The shape, if it has one of the numbers of dims; a single one is the least."""
    if len(shape) in ranks or (ranks == (1,) and len(shape) > 1):
        return shape
    wanted = " or ".join(map(str, ranks)) + (" or more" if ranks == (1,) else "")
    raise LayerError(
        f"{type(layer).__name__} takes an input of {wanted} dims, and gets {shape_text(shape)}", code="LZ202"
    )
