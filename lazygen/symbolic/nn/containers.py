"""Containers of modules: in a row, in a list, by name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, TypeVar

from lazygen.symbolic.nn.module import Module

Self = TypeVar("Self", bound="_Numbered")


class _Numbered(Module):
    """Modules named by their place: what Sequential and ModuleList share."""

    def _place(self, index: Any) -> int:
        number = int(index.__index__())
        if not -len(self) <= number < len(self):
            raise IndexError(f"index {number} is out of range")
        return number % len(self)

    def _name(self, index: Any) -> str:
        """The name at a place, which `add_module` may have made another than its number."""
        return list(self._modules)[self._place(index)]

    def __setitem__(self, index: Any, module: Module) -> None:
        setattr(self, self._name(index), module)

    def __delitem__(self, index: Any) -> None:
        names = list(self._modules)
        for name in names[index] if isinstance(index, slice) else [self._name(index)]:
            delattr(self, name)
        self._renumber(list(self._modules.values()))

    def _renumber(self, modules: Iterable[Module]) -> None:
        self._modules = OrderedDict((str(place), module) for place, module in enumerate(modules))

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self: Self, module: Module) -> Self:
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key: Any) -> Any:
        module = self[key]  # type: ignore[index]
        del self[key]
        return module


class Sequential(_Numbered):
    """Gives the input to the first module, and what each gives to the next."""

    def __init__(self, *args: Any) -> None:
        super().__init__()
        named = args[0].items() if len(args) == 1 and isinstance(args[0], OrderedDict) else None
        for name, module in named if named is not None else ((str(i), m) for i, m in enumerate(args)):
            self.add_module(name, module)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.__class__(OrderedDict(list(self._modules.items())[index]))
        return self._modules[self._name(index)]

    def __add__(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(f"a Sequential can be added to another one only, not to a {type(other).__name__}")
        return Sequential(*self, *other)

    def __iadd__(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(f"a Sequential can be added to another one only, not to a {type(other).__name__}")
        return self.extend(other)

    def __mul__(self, other: int) -> Sequential:
        return Sequential(*list(self) * _times(other))

    __rmul__ = __mul__

    def __imul__(self, other: int) -> Sequential:
        return self.extend(list(self) * (_times(other) - 1))

    def insert(self, index: int, module: Module) -> Sequential:
        if not isinstance(module, Module):
            raise AssertionError(f"module should be a Module, not a {type(module).__name__}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"index out of range: {index}")
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def extend(self, sequential: Iterable[Module]) -> Sequential:
        for module in sequential:
            self.append(module)
        return self

    def forward(self, input: Any) -> Any:
        for module in self:
            input = module(input)
        return input


def _times(number: Any) -> int:
    if not isinstance(number, int):
        raise TypeError(f"a Sequential can be multiplied by an int only, not by a {type(number).__name__}")
    if number <= 0:
        raise ValueError(f"a Sequential can be multiplied by a positive number only, not by {int(number)}")
    return int(number)


class ModuleList(_Numbered):
    """A list whose modules are registered."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.__class__(list(self._modules.values())[index])
        return self._modules[str(self._place(index))]

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList(chain(self, other))

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def insert(self, index: int, module: Module) -> None:
        if index < 0:  # torch looks for a module of that name
            raise KeyError(str(index))
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)

    def extend(self, modules: Iterable[Module]) -> ModuleList:
        if not isinstance(modules, Iterable):
            raise TypeError(f"ModuleList.extend needs an iterable, not a {type(modules).__name__}")
        start = len(self)
        for place, module in enumerate(modules):
            self.add_module(str(start + place), module)
        return self


class ModuleDict(Module):
    """A dict whose modules are registered."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def clear(self) -> None:
        self._modules.clear()

    def pop(self, key: str) -> Any:
        return self._modules.pop(key)

    def keys(self) -> Any:
        return self._modules.keys()

    def items(self) -> Any:
        return self._modules.items()

    def values(self) -> Any:
        return self._modules.values()

    def update(self, modules: Any) -> None:
        for key, module in _pairs("ModuleDict", modules):
            self[key] = module


def _pairs(kind: str, entries: Any) -> list[tuple[str, Any]]:
    """Key and value of each entry of a mapping or of an iterable of pairs."""
    if not isinstance(entries, Iterable):
        raise TypeError(f"{kind}.update needs a mapping or pairs, not a {type(entries).__name__}")
    if isinstance(entries, Mapping) or hasattr(entries, "items"):
        return list(entries.items())
    pairs = [tuple(pair) for pair in entries]
    for pair in pairs:
        if len(pair) != 2:
            raise ValueError(f"{kind}.update needs pairs of key and value, not {len(pair)} items")
    return pairs
