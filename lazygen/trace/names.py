"""What the names of scopes hold at a moment: sizes, what holds sizes, and plain values.

A module may have thousands of names, and each layer asks for them.  So what a name of a module tells is kept, and asked
for again only where it can have changed; classes, functions and modules, which tell nothing before one of their
attributes is read, are not looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import is_
from types import FrameType, FunctionType, ModuleType
from typing import Any

from lazygen.symbolic.dim import Dim, expr_of
from lazygen.symbolic.expr import of_atom
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import Tensor
from lazygen.trace.model import Reachable
from lazygen.trace.reads import LONGEST, Reads
from lazygen.values import record

_QUIET_TYPES = (type, FunctionType, ModuleType)
_PLAIN_TYPES: tuple[type, ...] = (int, str, bytes, float, complex, Tensor, type(None), *_QUIET_TYPES)
_WITHOUT_ATTRIBUTES = (*_PLAIN_TYPES, list, tuple, dict)


class Names:
    """Asks the names of frames; one per traced process."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        self._modules: dict[int, _Module] = {}

    def of(self, around: list[FrameType]) -> tuple[tuple[Reachable, ...], tuple[tuple[str, Any], ...]]:
        """What the text of a function can say, and those of its names that hold plain values, as plain values.

        `around` are the frames of comprehensions, innermost first, and the function's own.
        """
        said: list[Reachable] = []
        plain: list[tuple[str, Any]] = []
        seen: set[str] = set()
        token = self.reads.frame_token(around[-1])
        for frame in around:
            for name, value in list(frame.f_locals.items()) if frame.f_locals is not frame.f_globals else ():
                if name not in seen and name.isidentifier():
                    seen.add(name)
                    other = self.reads.other.get((token, name))
                    if other is not None and other[0] is value:
                        said.append(Reachable(name, of_atom(other[1])))
                    said += self._said(name, value, 1 if isinstance(value, Module) and name != "self" else 2)
                    held = None if name.startswith("__") else _plain(value)
                    if held is not None:
                        plain.append((name, held))
        for name, told in self._of_module(around[-1].f_globals):
            if name not in seen:
                said += told.said
                if told.plain is not None:
                    plain.append((name, told.plain))
        return tuple(said), tuple(plain)

    def _of_module(self, names: dict[str, Any]) -> Iterator[tuple[str, _Told]]:
        """What the names of a module tell, in their order."""
        module = self._modules.setdefault(id(names), _Module())
        module.follow(names)
        owners = self.reads.owners
        read = [at for key in owners.keys() & module.quiet.keys() for at in module.quiet[key]]
        for at in sorted([*module.telling, *read]):
            name, value = module.names[at], module.values[at]
            told = module.told.get(name)
            if told is None or told.value is not value or not told.holds(owners):
                told = module.told[name] = self._told(name, value)
            yield name, told

    def _told(self, name: str, value: Any) -> _Told:
        attributes = _attributes_of(value)
        asked = [item for key, item in (attributes or {}).items() if not key.startswith("_")]
        parts = [value, *asked, *(value if isinstance(value, tuple) else ())]
        fixed = not any(isinstance(part, (list, dict, type)) for part in parts)
        held = None if attributes is None else list(attributes.values())
        owned = id(value) in self.reads.owners
        said = tuple(self._said(name, value, 1))
        return _Told(value, fixed, owned, held, list(map(id, held or ())), said, _plain(value))

    def _said(self, text: str, value: Any, depth: int) -> Iterator[Reachable]:
        known = self.reads.owners.get(id(value))
        if known is not None:
            yield Reachable(text, owner=known[0])
        if known is not None and isinstance(value, type):
            for name, item in list(vars(value).items()):
                if type(item) is int:
                    yield Reachable(f"{text}.{name}", expr_of(self.reads.tagged_attribute(value, name, item)))
        if isinstance(value, Dim):
            yield Reachable(text, value.expr)
        elif isinstance(value, _PLAIN_TYPES):
            return
        elif isinstance(value, (list, tuple)):
            if len(value) <= LONGEST and any(isinstance(item, (Dim, tuple, dict)) for item in value):
                for index, item in enumerate(value):
                    if isinstance(item, tuple) or (isinstance(item, dict) and id(item) in self.reads.owners):
                        yield from self._said(f"{text}[{index}]", item, depth)
                    elif isinstance(item, int) and not isinstance(item, bool):
                        yield Reachable(f"{text}[{index}]", expr_of(item))
        elif isinstance(value, dict):
            if len(value) <= LONGEST and any(isinstance(item, Dim) for item in value.values()):
                for key, item in value.items():
                    if isinstance(item, Dim) and isinstance(key, (str, int)):
                        yield Reachable(f"{text}[{key!r}]".replace("'", '"'), item.expr)
        elif depth:
            for name, item in list((_attributes_of(value) or {}).items()):
                if not name.startswith("_"):
                    if known is not None and type(item) is tuple:
                        item = self.reads.tagged_attribute(value, name, item)
                    yield from self._said(f"{text}.{name}", item, depth - 1)


class _Module:
    """The names of one module, as it was when it was last asked.

    `telling` are the places of those that may tell something, `quiet` those of classes, functions and modules by id.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.values: list[Any] = []  # held, so that their ids stay their own
        self.ids: list[int] = []
        self.telling: list[int] = []
        self.quiet: dict[int, list[int]] = {}
        self.told: dict[str, _Told] = {}

    def follow(self, names: dict[str, Any]) -> None:
        """Take note of what the names hold now."""
        ids = list(map(id, names.values()))
        if ids == self.ids and list(names) == self.names:
            return
        self.names, self.values, self.ids = list(names), list(names.values()), ids
        self.telling, self.quiet = [], {}
        for at, (name, value) in enumerate(zip(self.names, self.values, strict=True)):
            if isinstance(value, _QUIET_TYPES):
                self.quiet.setdefault(id(value), []).append(at)
            elif name.isidentifier() and not name.startswith("__"):
                self.telling.append(at)


@record
class _Told:
    """What a name of a module told, and by what to know whether it would still tell the same.

    `fixed` says that its value changes in its attributes alone, if at all; `held` are those that it had, None if it
    has none.  `owned` says that something was read from it.
    """

    value: Any
    fixed: bool
    owned: bool
    held: list[Any] | None
    ids: list[int]
    said: tuple[Reachable, ...]
    plain: Any

    def holds(self, owners: dict[int, Any]) -> bool:
        """Whether the value is as it was, and as many of its parts were read."""
        if not self.fixed or (id(self.value) in owners) != self.owned:
            return False
        if self.held is None:
            return True
        now = self.value.__dict__
        if len(now) != len(self.held) or not all(map(is_, now.values(), self.held)):
            return False
        return owners.keys().isdisjoint(self.ids)


def _attributes_of(value: Any) -> dict[str, Any] | None:
    """The attributes of an object that is asked for them: of a number, a class or a container none is."""
    if isinstance(value, _WITHOUT_ATTRIBUTES):
        return None
    attributes = getattr(value, "__dict__", None)
    return attributes if isinstance(attributes, dict) and len(attributes) <= LONGEST else None


def _plain(value: Any, depth: int = 2) -> Any:
    """A number, a text or a sequence of such without its terms; None for anything else."""
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if not depth or type(value) not in (list, tuple, dict) or len(value) > LONGEST:
        return None
    if type(value) is dict:
        if not all(isinstance(key, (int, str)) for key in value):
            return None
        pairs = {key: _plain(item, depth - 1) for key, item in value.items()}
        return pairs if None not in pairs.values() else None
    items = [_plain(item, depth - 1) for item in value]
    return type(value)(items) if None not in items else None
