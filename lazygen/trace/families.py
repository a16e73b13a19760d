"""torch's private base classes of layers, which sources ask for in `isinstance`: `_BatchNorm`, `_ConvNd`."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.nn.module import Module

_NORMS = [f"BatchNorm{n}d" for n in (1, 2, 3)]
_INSTANCE = [f"InstanceNorm{n}d" for n in (1, 2, 3)]
_MEMBERS: dict[str, list[str]] = {
    "torch.nn.modules.batchnorm._BatchNorm": [*_NORMS, "SyncBatchNorm"],
    "torch.nn.modules.batchnorm._NormBase": [*_NORMS, *_INSTANCE, "SyncBatchNorm"],
    "torch.nn.modules.instancenorm._InstanceNorm": _INSTANCE,
    "torch.nn.modules.conv._ConvNd": [f"Conv{t}{n}d" for t in ("", "Transpose") for n in (1, 2, 3)],
    "torch.nn.modules.conv._ConvTransposeNd": [f"ConvTranspose{n}d" for n in (1, 2, 3)],
    "torch.nn.modules.dropout._DropoutNd": ["Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout"],
    "torch.nn.modules.pooling._MaxPoolNd": [f"MaxPool{n}d" for n in (1, 2, 3)],
    "torch.nn.modules.pooling._AvgPoolNd": [f"AvgPool{n}d" for n in (1, 2, 3)],
    "torch.nn.modules.loss._Loss": ["MSELoss", "L1Loss", "CrossEntropyLoss", "NLLLoss", "BCELoss", "SmoothL1Loss"],
    "torch.nn.modules.loss._WeightedLoss": ["CrossEntropyLoss", "NLLLoss", "BCELoss"],
}
_made: dict[str, type] = {}


class _Family(type):
    members: frozenset[str] = frozenset()

    def __subclasscheck__(cls, kind: type) -> bool:
        return any(kin is cls or kin.__name__ in cls.members for kin in kind.__mro__)

    def __instancecheck__(cls, value: object) -> bool:
        return cls.__subclasscheck__(type(value))


def private_class(path: str) -> Any:
    """The class at a path, of which the layers of its family are instances; None if it is none of these."""
    if path not in _MEMBERS:
        return None
    if path not in _made:
        package, _, name = path.rpartition(".")
        made = _Family(name, (Module,), {"__module__": package})
        made.members = frozenset(_MEMBERS[path])
        _made[path] = made
    return _made[path]
