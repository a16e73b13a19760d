"""The meta device for code that was not written for it: whatever it says of devices, its tensors have no numbers.

Constants (`tensor`, `arange`, `linspace`) stay on the CPU as long as nothing of the meta device meets them, so that
their numbers can be asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from lazygen.symbolic.nested import leaves, mapped
from lazygen.symbolic.unknown import Unknown

_CONSTANTS = "tensor as_tensor arange linspace logspace scalar_tensor from_numpy asarray"
_FACTORIES = (
    "empty zeros ones full rand randn randint randperm eye empty_strided empty_permuted tril_indices triu_indices "
    "hann_window hamming_window blackman_window bartlett_window kaiser_window range normal complex polar"
)
_MOVES = ("to", "cuda", "cpu", "xpu", "ipu", "pin_memory", "type")
_NUMBERS = ("item", "tolist", "__bool__", "__int__", "__float__", "__index__", "__complex__")


def on_meta(torch: Any) -> Any:
    """A mode of torch in which all is on the meta device."""
    return _mode(torch)()


@lru_cache(maxsize=1)
def _mode(torch: Any) -> Any:
    factories = {getattr(torch, name) for name in _FACTORIES.split()}
    constants = {getattr(torch, name) for name in _CONSTANTS.split()}
    moves = {getattr(torch.Tensor, name): name for name in _MOVES}
    numbers = {getattr(torch.Tensor, name): name for name in _NUMBERS}

    class OnMeta(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = dict(kwargs or {})
            if kwargs.get("device") is not None:
                kwargs["device"] = "cpu" if function in constants else "meta"
            if function in factories:
                kwargs["device"] = "meta"
            if function in moves:
                return _moved(torch, moves[function], *args, **kwargs)
            if function in numbers and args[0].device.type == "meta":
                return _number(numbers[function], args[0])
            return _joined(torch, function, args, kwargs)

    return OnMeta


def _moved(torch: Any, name: str, tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """A tensor of the dtype that a move asks for, where it is."""
    kind = kwargs.get("dtype")
    for value in args:
        if isinstance(value, torch.dtype):
            kind = value
        elif isinstance(value, torch.Tensor):
            kind = value.dtype
    if name == "type" and not args and not kwargs:
        return torch.Tensor.type(tensor)
    return tensor if kind is None or kind == tensor.dtype else torch.Tensor.to(tensor, kind)


def _number(name: str, tensor: Any) -> Any:
    """What only data has is an Unknown, or an error where it is needed at once."""
    if name == "item":
        return Unknown(_category(tensor.dtype))
    if name == "tolist":
        return _listed(tuple(tensor.shape), _category(tensor.dtype))
    return {"__bool__": bool, "__float__": float, "__complex__": complex}.get(name, int)(Unknown())


def _category(kind: Any) -> int:
    """0 for bool, 1 for whole numbers, 2 for floats, 3 for complex ones."""
    return 3 if kind.is_complex else 2 if kind.is_floating_point else 0 if str(kind) == "torch.bool" else 1


def _listed(shape: tuple[int, ...], category: int) -> Any:
    return Unknown(category) if not shape else [_listed(shape[1:], category) for _ in range(shape[0])]


def _joined(torch: Any, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """The call with its constants on the meta device, if anything of it is there; indices may stay."""
    places = {leaf.device.type for leaf in leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)}
    if places != {"cpu", "meta"}:
        return function(*args, **kwargs)
    target = args[0] if args and isinstance(args[0], torch.Tensor) else None
    name = getattr(function, "__name__", "")
    if name == "__getitem__" and target is not None and target.device.type == "meta":
        return function(*args, **kwargs)

    def there(value: Any) -> Any:
        on_cpu = isinstance(value, torch.Tensor) and value.device.type != "meta"
        return torch.empty_like(value, device="meta") if on_cpu else value

    result = function(*mapped(args, there), **mapped(kwargs, there))
    writes = name.endswith("_") and not name.endswith("__")
    return target if writes and target is not None else result
