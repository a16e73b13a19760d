"""How a run treats devices: where the inputs are that it makes, and what is done about tensors that do not meet.

followed    a source as it is: its inputs are where the first thing is that they meet; a mismatch is an error
recorded    the text has its placements, but not yet the moves: inputs are on the CPU, crossings are recorded
checked     it has both: inputs are on the CPU, a mismatch is an error
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.dtypes import CPU, DEFAULT_DEVICE, Devices, Unplaced
from lazygen.symbolic.tensor import Tensor
from lazygen.trace.model import Crossing
from lazygen.trace.reads import Reads
from lazygen.trace.request import Request
from lazygen.trace.sites import Sites

# Without one of these a text puts nothing anywhere.
_WORDS = ("device", "cuda", ".to(", "meta", "mps", "xpu")


class Placing:
    """What one run does about devices."""

    def __init__(self, request: Request, sites: Sites, reads: Reads) -> None:
        self.request, self.sites, self.reads = request, sites, reads
        self.placement = request.placement
        self._mover: Any = None
        Devices.mixed, Devices.policy, Devices.of_models, Devices.origin = False, None, None, None
        DEFAULT_DEVICE[:] = [CPU]
        if self.placement != "followed":
            self._begin()

    def looks_at(self, text: str) -> None:
        """A text is about to run."""
        if Devices.policy is None and any(word in text for word in _WORDS):
            self._begin()

    def _begin(self) -> None:
        """Have an eye on the operands of operations from now on."""
        from lazygen.symbolic.placement import Policy, guard_rules

        if self.placement == "recorded":
            from lazygen.trace.crossings import Mover
            from lazygen.trace.device_texts import DeviceTexts

            texts = DeviceTexts(self.reads)
            self._mover = Mover(self.sites, texts, self.request.leading)
            Devices.mixed, Devices.origin = True, texts.origin
            DEFAULT_DEVICE[:] = [Unplaced(settles=False)]
        elif self.placement == "followed":
            Devices.of_models = Unplaced(settles=True)
        guard_rules(self._mover or Policy())
        for module in list(sys.modules.values()):
            if type(module) is not ModuleType and vars(module).get("__file__", "").endswith("/torch"):
                _forget_functions(module)

    @property
    def wants_training(self) -> bool:
        """Whether a run in training mode may need moves that none in evaluation mode does."""
        return self.placement != "followed" and "training" in self.request.text

    def inputs(self, model: Any, arguments: list[Any], named: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The arguments of a model as this run has them."""
        if Devices.policy is None:
            return arguments, named
        if self._mover is not None:
            self._mover.root = model
        if Devices.of_models is not None:
            Devices.of_models.forget()  # what another model of the file met
        # Nothing of the source's can move what a chain of torch's own layers is called with: its caller does.
        open_ended = self.placement == "followed" or type(model).__module__.startswith("lazygen.")
        kind = _kind_of(model) if open_ended and self.placement != "followed" else None
        placed = [_placed(argument, open_ended, kind) for argument in arguments]
        return placed, {name: _placed(argument, open_ended, kind) for name, argument in named.items()}

    def crossings(self, shown: str) -> Iterator[Crossing]:
        """What was recorded; `shown` is the name of the file that can be changed."""
        if self._mover is not None:
            yield from self._mover.crossings(shown)


def _forget_functions(module: Any) -> None:
    """Let a module of the stand-in look its functions up again."""
    for name, found in list(vars(module).items()):
        if callable(found) and not isinstance(found, type) and not name.startswith("__"):
            del vars(module)[name]


def _placed(argument: Any, open_ended: bool, kind: Any) -> Any:
    if isinstance(argument, Tensor):
        own = argument.dtype
        if kind is not None and own.category == 2:
            own = kind
        place = Unplaced(settles=True) if open_ended else DEFAULT_DEVICE[0]
        return Tensor(argument.shape, own, place, argument.values, argument.requires_grad)
    if isinstance(argument, dict):
        return {name: _placed(item, open_ended, kind) for name, item in argument.items()}
    if isinstance(argument, list):
        return [_placed(item, open_ended, kind) for item in argument]
    return argument


def _kind_of(model: Any) -> dtypes.dtype | None:
    """The floating dtype of the first parameter of a model, of one that is yet to be built too."""
    kinds = (p.dtype for part in model.modules() for p in part.parameters(recurse=False) if p.dtype.category == 2)
    yet = (home["dtype"] for part in model.modules() if "dtype" in (home := getattr(part, "home", {})))
    return next(kinds, None) or next(yet, None)
