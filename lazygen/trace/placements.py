"""What device scopes do in a run: which device each one names, what was made inside, and what was brought there.

The methods that have the names of those of `lazygen.devices.Observer` do what is said there.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from lazygen.diagnostics import Place
from lazygen.symbolic.observer import Observer
from lazygen.symbolic.tensor import user_frame
from lazygen.trace.model import Brought, BuiltInScope, MadeInScope, Placements, ScopeSeen
from lazygen.trace.sites import Sites


class PlacementRecorder:
    """Hears of scopes; `filename` is the source's."""

    def __init__(self, sites: Sites, filename: str) -> None:
        self.sites, self.filename = sites, filename
        Observer.placed = None
        self._places: dict[int, tuple[Any, Place | None]] = {}  # by id, and the scope, whose id it then stays
        self._scopes: list[ScopeSeen] = []
        self._brought: list[Brought] = []
        self._kept: set[Place] = set()
        self._built: list[BuiltInScope] = []
        self._made: list[tuple[Place, str, Any, Any]] = []

    def scoped(self, scope: Any) -> None:
        frame = user_frame()
        self._places[id(scope)] = (scope, None if frame is None else self.sites.of_frame(frame))

    def opened(self, scope: Any, outer: Any) -> None:
        Observer.placed = self._module
        place = self._place_of(scope)
        if place is not None:
            devices = tuple(map(str, scope.devices))
            seen = ScopeSeen(place, devices, _kind(scope.given), None if outer is None else self._place_of(outer))
            self._scopes.append(seen)

    def liked(self, is_floating: bool) -> None:
        frame = user_frame()
        place = None if frame is None else self.sites.of_frame(frame)
        if place is not None and not is_floating:
            self._kept.add(place)

    def moved(self, module: Any, what: str, device: bool, dtype: bool) -> None:
        frame = user_frame()
        place = None if frame is None else self.sites.of_frame(frame)
        if place is not None:
            self._brought.append(Brought(place, what, device, dtype))

    def built(self, layer: Any) -> None:
        """A layer is built by its first call: on the device of the scope around that, unless it has one."""
        devices = sys.modules.get("lazygen.devices")
        scope = None if devices is None else devices.current()
        made_at = layer.made_at
        if scope is None or made_at is None or "device" in layer.home or "device" in layer._given[1]:
            return
        place, around = self.sites.place(*made_at), self._place_of(scope)
        if place is not None and around is not None:
            self._built.append(BuiltInScope(place, around))

    def seen(self) -> Placements:
        """All of it as a value."""
        kinds: dict[Place, dict[str, None]] = {}
        left: set[Place] = set()  # calls that made something which is on another device now
        for place, kind, module, device in self._made:
            tensors = [*module.parameters(), *module.buffers()]
            if kind or tensors:
                kinds.setdefault(place, {})[kind] = None
            if any(tensor.device != device for tensor in tensors):
                left.add(place)
        calls = tuple(MadeInScope(place, tuple(found), place not in left) for place, found in kinds.items())
        return Placements(
            tuple(dict.fromkeys(self._scopes)),
            tuple(dict.fromkeys(self._brought)),
            calls,
            tuple(dict.fromkeys(self._built)),
            frozenset(self._kept),
        )

    def _place_of(self, scope: Any) -> Place | None:
        known = self._places.get(id(scope))
        return None if known is None else known[1]

    def _module(self, module: Any) -> None:
        """A module was made; outside of all scopes that is of no interest."""
        devices = sys.modules.get("lazygen.devices")
        scope = None if devices is None else devices.current()
        if scope is None:
            return
        maker: FrameType | None = sys._getframe(2)
        name = "" if maker is None else str(maker.f_globals.get("__name__", ""))
        frame = maker
        while frame is not None and frame.f_code.co_filename != self.filename:
            frame = frame.f_back
        place = None if frame is None else self.sites.of_frame(frame)
        if place is None or name.startswith("lazygen."):
            return  # what a layer makes for itself goes where the layer goes
        direct = maker is frame or name == "functools"
        self._made.append((place, _meaning(type(module)) if direct else "", module, scope.device))


def _kind(given: Any) -> str:
    """What a scope was given: `number`, `text`, `gpu` (a text that torch does not know), `all`, `cpu` for -1, `none`,
    `device`; `several` of those, `odd` if torch does not know one of them.
    """
    if isinstance(given, str):
        return "all" if given.endswith(":all") else "gpu" if given.startswith("gpu") else "text"
    if isinstance(given, (list, tuple, range)):
        return "several" if {_kind(one) for one in given} <= {"number", "text", "device"} else "odd"
    if isinstance(given, int):
        return "cpu" if given < 0 else "number"
    return "none" if given is None else "device"


def _meaning(kind: type[Any]) -> str:
    """The path of a class of torch or of the TorchX style; empty for any other."""
    module = kind.__module__
    if module.startswith("lazygen.symbolic.nn."):
        return f"torch.nn.{kind.__name__}"
    return f"lazygen.layers.{kind.__name__}" if module.startswith("lazygen.layers.") else ""
