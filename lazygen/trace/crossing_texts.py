"""What is written into the `.to(...)` of a crossing: texts that are right each time that the place runs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FrameType
from typing import Any

from lazygen.symbolic.dtypes import device as Device
from lazygen.symbolic.dtypes import dtype as Dtype
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.placement import key
from lazygen.symbolic.tensor import Tensor
from lazygen.trace.device_texts import DeviceTexts, holds, says
from lazygen.trace.operands import is_simple


class Texts:
    """Finds texts for one run, and those that all runs have in common."""

    def __init__(self, device_texts: DeviceTexts) -> None:
        self.devices = device_texts

    def is_method(self, call: ast.Call, frame: FrameType, args: Sequence[Any]) -> bool:
        """Whether what a call calls is a method of its first operand."""
        if not isinstance(call.func, ast.Attribute) or not args or not isinstance(args[0], Tensor):
            return False
        owner = call.func.value
        if not is_simple(owner):
            return True
        return holds(self._text(owner, frame), frame, lambda found: isinstance(found, Tensor))

    def calls(self, function: ast.expr, frame: FrameType, module: Any) -> bool:
        """Whether an expression gives the module, or else a function or method of torch's."""
        if module is not None:
            return holds(self._text(function, frame), frame, lambda found: found is module)
        return holds(self._text(function, frame), frame, _is_torch)

    def right(
        self, frame: FrameType, wanted: tuple[Device, Dtype | None], met: Any, other: Any, operand: str | None
    ) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """What would be right in this run, the best first: texts for the device, for a tensor of this device and
        dtype, for the dtype.

        `met` is the module or the operand that the tensor comes to, `other` the expression of the latter.
        """
        place, kind = wanted
        alike = [text for text in self._alike(frame, met, other, operand) if holds(text, frame, _is_tensor)]
        named = [text for text in self.devices.texts(place, frame) if holds(text, frame, says(place))]
        through = [f"{text}.device" for text in alike]
        devices = [*named, *(text for text in through if holds(text, frame, says(place)))]
        likes = [text for text in alike if holds(text, frame, _like(place, kind))]
        kinds = [] if kind is None else [text for text in _dtype_texts(kind, frame) if holds(text, frame, _is(kind))]
        return tuple(devices), tuple(likes), tuple(kinds)

    def _alike(self, frame: FrameType, met: Any, other: Any, operand: str | None) -> Iterator[str]:
        """Tensors that are where another has to go."""
        if isinstance(met, Module):
            call = self.devices.node_at(frame.f_code, frame.f_lasti)
            named = [call.func, *call.args[:1]] if isinstance(call, ast.Call) else []  # it may be handed on
            for node in named:
                if is_simple(node) and holds(self._text(node, frame), frame, lambda found: found is met):
                    yield from _of_module(self._text(node, frame), operand)
        elif isinstance(other, str):
            yield other
        elif other is not None and is_simple(other):
            yield self._text(other, frame)
        elif isinstance(other, ast.Call) and is_simple(other.func):
            text = self._text(other.func, frame)
            if holds(text, frame, lambda called: isinstance(called, Module)):
                yield from _of_module(text, None)

    def _text(self, node: Any, frame: FrameType) -> str:
        return self.devices.text(node, frame.f_code.co_filename)


def _of_module(text: str, operand: str | None) -> Iterator[str]:
    """Tensors of a module: its weight, its first parameter, that if it has any."""
    yield f"{text}.weight"
    yield f"next({text}.parameters())"
    if operand is not None and operand.isidentifier():
        yield f"next({text}.parameters(), {operand})"


def _dtype_texts(kind: Dtype, frame: FrameType) -> Iterator[str]:
    for name, held_there in frame.f_globals.items():
        if getattr(held_there, "__name__", "") == "torch" and hasattr(held_there, "nn"):
            yield f"{name}.{kind.name}"
        elif held_there is kind:
            yield name


def common(texts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The texts that are in all, in the order of the first."""
    first, *others = texts
    return tuple(text for text in first if all(text in other for other in others))


def _is_torch(found: Any) -> bool:
    return str(getattr(found, "__module__", "")).startswith(("lazygen.", "torch"))


def _is_tensor(found: Any) -> bool:
    return isinstance(found, Tensor)


def _like(place: Device, kind: Dtype | None) -> Callable[[Any], bool]:
    return lambda found: key(found.device) == key(place) and kind in (None, found.dtype)


def _is(kind: Dtype) -> Callable[[Any], bool]:
    return lambda found: found is kind
