"""What the models of a run are made of: the stand-in with its symbolic sizes, or real torch (`torch_engine.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from lazygen.frontend.instrument import Tables
from lazygen.settings import Input
from lazygen.symbolic.dtypes import DEFAULT_DEVICE, DEFAULT_DTYPE, DTYPES, Unplaced, located
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import Tensor
from lazygen.trace import world
from lazygen.trace.finder import Compile, Location
from lazygen.trace.inputs import tensor_for
from lazygen.trace.model import Stored
from lazygen.trace.reads import Reads
from lazygen.trace.recorder import LayerRecorder
from lazygen.trace.request import Request


class Engine:
    """The stand-in."""

    module_class: Any = Module
    tensor_class: Any = Tensor
    sees_traps = True
    has_terms = True
    follows_devices = True

    def reads(self, tables: Tables) -> Reads:
        """The helpers that instrumented code calls."""
        return Reads(tables)

    def install(self, location: Location, compile_source: Compile, recorder: LayerRecorder) -> None:
        """Make the process ready for the source at the location."""
        world.install(location, compile_source)

    def set_default(self, device: str, dtype: str) -> None:
        """Make all that says no device or dtype there and in that; an empty one stays as it is."""
        if device:
            DEFAULT_DEVICE[-1] = located(device)
        if dtype:
            DEFAULT_DTYPE[-1] = DTYPES[dtype]

    @contextmanager
    def placed(self, device: str, dtype: str) -> Iterator[tuple[Any, Any]]:
        """The same for the length of a block; gives the device and the dtype that hold there."""
        before = DEFAULT_DEVICE[-1], DEFAULT_DTYPE[-1]
        self.set_default(device, dtype)
        try:
            yield DEFAULT_DEVICE[-1], DEFAULT_DTYPE[-1]
        finally:
            DEFAULT_DEVICE[-1], DEFAULT_DTYPE[-1] = before

    def input(self, given: Input, name: str, free: dict[str, int]) -> Any:
        """A tensor to call a model with; `free` are the free sizes so far, by name."""
        return tensor_for(given, name, free)

    def tensor(self, sizes: Sequence[int], dtype: Any = None) -> Any:
        """A tensor of sizes, which may be symbols; it stands for an input, which is wherever it is wanted."""
        return Tensor(sizes, dtype or DEFAULT_DTYPE[-1], Unplaced(settles=True))

    def sizes(self, tensor: Any) -> Sequence[int]:
        """The sizes that a tensor was made with, or got."""
        return tensor.shape  # type: ignore[no-any-return]

    def dtype(self, tensor: Any) -> str:
        """The name of a tensor's dtype, as in `float32`."""
        return str(tensor.dtype.name)

    def waiting(self, model: Any) -> list[str]:
        """The names of the lazy layers that no call has reached."""
        return [name for name, module in model.named_modules() if self.waits(module)]

    def waits(self, module: Any) -> bool:
        """Whether a module is a lazy layer that no call has reached."""
        return hasattr(module, "has_uninitialized_params") and bool(module.has_uninitialized_params())

    def state(self, model: Any) -> tuple[Stored, ...]:
        """What a model's state_dict holds; what waits has no sizes."""
        items = model.state_dict().items()
        tensors = [(name, item) for name, item in items if isinstance(item, self.tensor_class)]
        return tuple(Stored(name, _sizes(item), self.dtype(item), str(item.device)) for name, item in tensors)

    def described(self, value: Any) -> Any:
        """The shapes and dtypes of a result, nested as it is, and the devices of what is not on the CPU."""
        if isinstance(value, self.tensor_class):
            place = str(value.device)
            elsewhere = f" on {place}" if self.follows_devices and place != "cpu" else ""
            return (tuple(int(size) for size in value.shape), self.dtype(value) + elsewhere)
        if isinstance(value, dict):
            return {str(key): self.described(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.described(item) for item in value]
        return type(value).__name__


def engine_for(request: Request) -> Engine:
    """The engine that the settings name."""
    if request.settings.engine == "torch":
        from lazygen.trace.torch_engine import TorchEngine

        return TorchEngine()
    return Engine()


def _sizes(value: Any) -> tuple[int, ...]:
    try:
        return tuple(int(size) for size in value.shape)
    except RuntimeError:  # a lazy layer that was not reached
        return ()
