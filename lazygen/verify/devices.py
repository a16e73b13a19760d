"""Devices that are not there: `--devices cuda:0=cpu,cuda:1=meta` lets others stand for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from lazygen.diagnostics import Diagnostic, Refused
from lazygen.verify.compare import changed, tensors_in

_DEVICE = re.compile(r"[a-z]+(:\d+)?")
_EXAMPLE = "for example: --devices cuda:0=cpu,cuda:1=meta"

Devices = tuple[tuple[str, str], ...]

# Functions of layers, which need what they get in the dtype of their parameters.
_OF_LAYERS = frozenset(
    {"linear", "bilinear", "prelu", "layer_norm", "rms_norm", "group_norm", "batch_norm", "instance_norm"}
    | {f"conv{transposed}{rank}d" for transposed in ("", "_transpose") for rank in (1, 2, 3)}
    | {"lstm", "gru", "rnn_tanh", "rnn_relu"}
)


def parse_devices(text: str) -> Devices:
    """The pairs of a `--devices`.  Raises Refused (usage, LZ605) for anything else."""
    pairs: dict[str, str] = {}
    for part in text.split(","):
        name, equals, stand_in = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise _refused(f'"{part.strip()}" does not say which device stands for it')
        for device in (name, stand_in):
            if not _DEVICE.fullmatch(device):
                raise _refused(f'"{device}" is not the name of a device')
        if pairs.setdefault(numbered(name), stand_in) != stand_in:
            raise _refused(f"two devices stand for {name}: {pairs[numbered(name)]} and {stand_in}")
    return tuple(pairs.items())


def numbered(device: str) -> str:
    """A device with its number: `cuda` alone is `cuda:0`, and `gpu` is another word for it."""
    kind, _, index = device.partition(":")
    kind = "cuda" if kind == "gpu" else kind
    return kind if kind in ("cpu", "meta") else f"{kind}:{index or 0}"


def mapping_mode(torch: Any, devices: Devices) -> Any:
    """A mode of torch in which every call that names a device gets the one that stands for it."""
    stand_ins = dict(devices)

    def mapped(value: Any) -> Any:
        if isinstance(value, torch.device):
            found = stand_ins.get(numbered(str(value)))
            return value if found is None else torch.device(found)
        if isinstance(value, str) and _DEVICE.fullmatch(value):
            return stand_ins.get(numbered(value), value)
        return value

    def of_number(value: Any) -> Any:
        return mapped(f"cuda:{value}" if isinstance(value, int) and not isinstance(value, bool) else value)

    class Mapping(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = dict(kwargs or {})
            if function is torch.device and len(args) + len(kwargs) == 2:  # the kind and the number
                kind, index = args[0] if args else kwargs["type"], args[1] if len(args) > 1 else kwargs["index"]
                return torch.device(mapped(f"{kind}:{index}"))
            kwargs = {name: of_number(v) if name == "device" else mapped(v) for name, v in kwargs.items()}
            if function is torch.Tensor.cuda:
                tensor, *rest = args
                device = rest[0] if rest else kwargs.get("device")
                return torch.Tensor.to(tensor, of_number(0 if device is None else device))
            if function is torch.Tensor.to:
                return function(args[0], *map(of_number, args[1:]), **kwargs)
            if function is torch._C._nn._parse_to:  # what `Module.to` makes of its arguments
                return function(*map(of_number, args), **kwargs)
            return function(*map(mapped, args), **kwargs)

    return Mapping()


def on_the_cpu(devices: Devices) -> Devices:
    """The same devices, with the CPU for each."""
    return tuple((name, "cpu") for name, _ in devices)


def without_numbers(torch: Any) -> Any:
    """A mode in which tensors come back from the meta device, where they lost their numbers."""

    class WithoutNumbers(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if function is torch.Tensor.to and args[0].is_meta:
                like = torch.Tensor.to(torch.empty(args[0].shape, dtype=args[0].dtype), *args[1:], **(kwargs or {}))
                return function(*args, **(kwargs or {})) if like.is_meta else torch.zeros_like(like)
            return function(*args, **(kwargs or {}))

    return WithoutNumbers()


@contextmanager
def brought(torch: Any, needed: bool) -> Iterator[None]:
    """Lets layers have their inputs in their own dtype, as the source leaves it to the output to write."""
    with _bringing(torch) if needed else ExitStack():
        yield


def _bringing(torch: Any) -> Any:
    class Bringing(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = kwargs or {}
            if getattr(function, "__name__", "") in _OF_LAYERS:
                given = [*args, *kwargs.values()]
                kind = [tensor.dtype for tensor in tensors_in(torch, given)][-1]  # parameters stand last
                if kind.is_floating_point:
                    args = tuple(changed(torch, list(args), lambda t: t.to(kind) if t.is_floating_point() else t))
            return function(*args, **kwargs)

    return Bringing()


def _refused(problem: str) -> Refused:
    return Refused(Diagnostic("LZ605", problem, helps=(_EXAMPLE,)), usage=True)
