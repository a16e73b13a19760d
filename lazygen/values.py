"""Classes that hold values: `@value` for frozen ones, `@record` for those that change.

    @value
    class Size:
        value: int | None = None
        name: str | None = None

They are what `dataclasses` makes with `slots=True`, and type checkers take them for that.  But `dataclasses` compiles
five methods for each class, half a millisecond in all, and a command needs eighty classes.  Here methods are closures.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")
Values = Callable[[Any], tuple[Any, ...]]

_NONE: Any = object()  # stands for a default that is not there
_INHERITED = "__fields_with_defaults__"


def field(*, default_factory: Callable[[], T]) -> T:
    """A default that is made anew for each instance."""
    return _Fresh(default_factory)  # type: ignore[return-value]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """Make `cls` a class of frozen values: two are equal if their types and all their fields are; they have hashes."""
    made, values = _with_slots(cls)
    for method in (*_comparisons(values), *_frozen(made)):
        setattr(made, method.__name__, method)
    return made


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """Make `cls` a class of things whose fields may change, each equal to itself alone."""
    return _with_slots(cls)[0]


def replace(value: T, **changes: Any) -> T:
    """A copy with other values for some fields.  Raises TypeError if there is no such field."""
    kind: Any = type(value)
    kept = {name: getattr(value, name) for name in kind.__match_args__ if name not in changes}
    return kind(**kept, **changes)  # type: ignore[no-any-return]


class _Fresh:
    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


def _with_slots(cls: type[T]) -> tuple[type[T], Values]:
    """The class with slots, a constructor, a text and pickling for its fields, and the function that reads them all."""
    members = {name: member for name, member in vars(cls).items() if name not in ("__dict__", "__weakref__")}
    own = {name: members.pop(name, _NONE) for name in members.get("__annotations__", ())}
    fields: dict[str, Any] = {**getattr(cls, _INHERITED, {}), **own}
    members.update({"__slots__": tuple(own), "__match_args__": tuple(fields), _INHERITED: fields})
    metaclass: Any = type(cls)
    made = metaclass(cls.__name__, cls.__bases__, members)  # slots can only be given to a class as it is made
    made.__qualname__ = cls.__qualname__
    values = _reader(tuple(fields))
    made.__init__ = _constructor(made, fields)
    made.__repr__ = _representation
    made.__reduce__ = lambda self: (type(self), values(self))
    return made, values


def _reader(names: tuple[str, ...]) -> Values:
    if len(names) == 1:
        return lambda self: (getattr(self, names[0]),)
    read: Values = attrgetter(*names)
    return read


def _constructor(made: Any, fields: dict[str, Any]) -> Callable[..., None]:
    setters = tuple(getattr(made, name).__set__ for name in fields)
    count = len(fields)
    rest = tuple(zip(fields, setters, fields.values(), strict=True))
    finish = getattr(made, "__post_init__", None)

    def __init__(self: Any, *given: Any, **named: Any) -> None:
        for put, item in zip(setters, given):  # noqa: B905 - what is too much is said below
            put(self, item)
        for name, put, default in rest[len(given) :]:
            item = named.pop(name, default) if named else default
            if type(item) is _Fresh:
                item = item.make()
            elif item is _NONE:
                raise TypeError(f"{made.__name__} lacks its argument {name!r}")
            put(self, item)
        if named or len(given) > count:
            wrong = f"the argument {next(iter(named))!r}" if named else "so many arguments"
            raise TypeError(f"{made.__name__} does not take {wrong}")
        if finish is not None:
            finish(self)

    return __init__


def _representation(self: Any) -> str:
    fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{type(self).__qualname__}({fields})"


def _comparisons(values: Values) -> tuple[Callable[..., Any], ...]:
    def __eq__(self: Any, other: Any) -> Any:
        return values(self) == values(other) if type(self) is type(other) else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __eq__, __hash__


def _frozen(made: type) -> tuple[Callable[..., None], ...]:
    def __setattr__(self: Any, name: str, item: Any) -> None:
        raise AttributeError(f"{made.__name__} is frozen: its {name!r} cannot be set")

    def __delattr__(self: Any, name: str) -> None:
        raise AttributeError(f"{made.__name__} is frozen: its {name!r} cannot be deleted")

    return __setattr__, __delattr__
