"""Packages that are not there: what their names stand for while a source is traced.

A stub can be passed around, called, subclassed, subscripted, entered, unpacked and used in annotations; nothing is
ever an instance of it.  What needs its value (iterating, comparing, arithmetic, truth) raises `MissingValue`,
which names the import.
"""

from __future__ import annotations

import dataclasses
import inspect
import opcode
import sys
from collections.abc import Iterator
from types import GenericAlias, ModuleType
from typing import Any, NoReturn

from lazygen.values import value

_UNPACK = {opcode.opmap["UNPACK_SEQUENCE"], opcode.opmap["UNPACK_EX"]}
_EXTENDED = opcode.opmap["EXTENDED_ARG"]


@value
class Import:
    """The import that found nothing.

    The module's name, where the statement stands, and what ails the module, as a predicate.
    """

    module: str
    path: str = ""
    line: int = 0
    reason: str = "is not installed"


class MissingValue(RuntimeError):
    """The value of something that a package that is not there would have given is needed.

    `name` is what was needed (`pkg.config.width`), `source` the import, `code` the diagnostic's.
    """

    code = "LZ120"

    def __init__(self, name: str, source: Import, use: str) -> None:
        super().__init__(f"{use} needs the value of {name}, but {source.module} {source.reason}")
        self.name, self.source, self.use = name, source, use
        missing = "torch" if "compiled against torch" in source.reason else source.module.partition(".")[0]
        self.helps = (f"install {missing} beside lazygen",) if source.path else ()


class Stub:
    """A name of a package that is not there, or what came of using one."""

    def __init__(self, name: str, source: Import) -> None:
        object.__setattr__(self, "__stub__", (name, source))
        if name.isidentifier() or "." in name:
            object.__setattr__(self, "__name__", name.rpartition(".")[2])
            object.__setattr__(self, "__qualname__", name.rpartition(".")[2])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        made = member(f"{name_of(self)}.{name}", source_of(self))
        self.__dict__[name] = made
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and (inspect.isroutine(args[0]) or inspect.isclass(args[0])):
            return _decorated(self, args[0])
        return Stub(f"{name_of(self)}()", source_of(self))

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        from lazygen.trace.bases import base_for

        return base_for(self, bases)

    # Entered, subscripted, annotated

    def __enter__(self) -> Any:
        return Stub(f"{name_of(self)}.__enter__()", source_of(self))

    def __exit__(self, *error: object) -> None:
        return None

    def __getitem__(self, key: Any) -> Any:
        items = self.__dict__.setdefault("__items__", {})
        text = repr(key)
        if text not in items:
            items[text] = Stub(f"{name_of(self)}[{text}]", source_of(self))
        return items[text]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.__dict__.setdefault("__items__", {})[repr(key)] = value

    def __delitem__(self, key: Any) -> None:
        self.__dict__.setdefault("__items__", {}).pop(repr(key), None)

    def __or__(self, other: Any) -> Any:
        if other is None or isinstance(other, (type, Stub, str, GenericAlias)) or type(other).__module__ == "typing":
            return Stub(f"({name_of(self)} | …)", source_of(self))
        needed(self, "|")

    __ror__ = __or__

    def __instancecheck__(self, value: object) -> bool:
        return any(base is self for cls in type(value).__mro__ for base in cls.__dict__.get("__orig_bases__", ()))

    def __subclasscheck__(self, cls: type) -> bool:
        return any(base is self for kin in cls.__mro__ for base in kin.__dict__.get("__orig_bases__", ()))

    # Copied

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: object) -> Any:
        return self

    def __reduce__(self) -> Any:
        return Stub, (name_of(self), source_of(self))

    def __repr__(self) -> str:
        return f"<{name_of(self)}, which is not there>"

    # What needs the value

    def __iter__(self) -> Iterator[Any]:
        count = _unpacked_into(sys._getframe(1))
        if count is None:
            needed(self, "iterating")
        return iter([Stub(f"{name_of(self)}[{n}]", source_of(self)) for n in range(count)])

    def __eq__(self, other: object) -> bool:
        if other is self or other is None or _asked_for_annotation(sys._getframe(1)):
            return other is self
        needed(self, "==")

    def __ne__(self, other: object) -> bool:
        if other is self or other is None or _asked_for_annotation(sys._getframe(1)):
            return other is not self
        needed(self, "!=")

    __hash__ = object.__hash__

    # A property, not a method: to ask whether there is an `__index__` is to ask for the value already.
    __index__ = property(lambda self: needed(self, "a size"))


def _needing(use: str) -> Any:
    def method(self: Stub, *args: Any) -> NoReturn:
        needed(self, use)

    return method


for _names, _use in {
    "bool": "a condition", "len": "len()", "contains": "in", "int": "int()", "float": "float()", "round": "round()",
    "next": "next()", "reversed": "reversed()", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "add radd iadd": "+",
    "sub rsub": "-", "mul rmul": "*", "truediv rtruediv": "/", "floordiv rfloordiv": "//", "mod rmod": "%",
    "divmod rdivmod": "divmod()", "pow rpow": "**", "matmul rmatmul": "@", "and rand": "&", "xor rxor": "^",
    "lshift rlshift": "<<", "rshift rrshift": ">>", "neg": "-", "pos": "+", "abs": "abs()", "invert": "~",
    "trunc": "trunc()", "floor": "floor()", "ceil": "ceil()", "fspath": "a path",
}.items():  # fmt: skip
    for _name in _names.split():
        setattr(Stub, f"__{_name}__", _needing(_use))


class StubModule(Stub, ModuleType):
    """A module that is not there; or, after `from . import x`, whatever else `x` would have been.

    Its modules are not there either.
    """

    def __init__(self, name: str, source: Import) -> None:
        ModuleType.__init__(self, name, f"Stands for {name}, which {source.reason}.")
        self.__dict__["__stub__"] = (name, source)
        self.__dict__["__path__"] = []


def member(name: str, source: Import) -> Any:
    """What stands for a name: an exception class where the name says so, for only a real one can stand in `except`."""
    last = name.rpartition(".")[2]
    if last[:1].isupper() and last.endswith(("Error", "Exception", "Warning", "Timeout", "Interrupt")):
        base = Warning if last.endswith("Warning") else Exception
        return type(last, (base,), {"__module__": name.rpartition(".")[0], "__stub__": (name, source)})
    return Stub(name, source)


def name_of(stub: Any) -> str:
    """What a stub stands for, as the source would write it."""
    return stub.__dict__["__stub__"][0]  # type: ignore[no-any-return]


def source_of(stub: Any) -> Import:
    return stub.__dict__["__stub__"][1]  # type: ignore[no-any-return]


def needed(stub: Any, use: str) -> NoReturn:
    """Raise MissingValue: `use` says what for."""
    raise MissingValue(name_of(stub), source_of(stub), use)


_DATACLASSES = {"dataclass", "define", "frozen", "mutable", "attrs", "attrclass"}


def _decorated(stub: Stub, target: Any) -> Any:
    """A decorator gives back what it decorates; one that makes a dataclass makes one, a property a property."""
    words = name_of(stub).replace("()", "").split(".")
    if inspect.isclass(target):
        fields = inspect.get_annotations(target) and "__init__" not in target.__dict__
        if fields and (words[-1] in _DATACLASSES or words[-2:] in (["attr", "s"], ["attr", "ib"])):
            return dataclasses.dataclass(target)
    elif "property" in words[-1]:
        return property(target)
    elif any("validator" in word for word in words):
        target.__dict__.setdefault("__stub_validator__", (name_of(stub), source_of(stub)))
    return target


def _asked_for_annotation(frame: Any) -> bool:
    """Whether it is the standard library that compares, to see what kind of annotation it has before it."""
    return frame.f_globals.get("__name__") in ("typing", "typing_extensions", "dataclasses", "inspect", "functools")


def _unpacked_into(frame: Any) -> int | None:
    """How many targets stand before `= stub` in the frame that asks; None if it does something else."""
    code, at = frame.f_code.co_code, frame.f_lasti
    if code[at] not in _UNPACK:
        return None
    count = int(code[at + 1])
    if code[at] == opcode.opmap["UNPACK_EX"]:  # the names after the starred one stand in the argument before
        count += int(code[at - 1]) if code[at - 2] == _EXTENDED else 0
    return count
