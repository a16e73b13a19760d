"""A number that only real data has: the `.item()` of a tensor that is no constant."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.errors import UnknownValue


class Unknown(float):
    """Arithmetic takes it and gives another; a size or a branch that needs its value is an error there."""

    def __new__(cls) -> Unknown:
        return float.__new__(cls, "nan")

    def _another(self, *_: Any) -> Unknown:
        return Unknown()

    def _needed(self, *_: Any) -> Any:
        raise UnknownValue(
            "the value of a tensor is needed here, and only real data has it",
            ("let it hang on shapes, or on an argument of the model: a size is fixed before any data comes",),
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _another
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = _another
    __neg__ = __pos__ = __abs__ = __round__ = _another  # type: ignore[assignment]
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = lambda self, other: Unknown()  # type: ignore[assignment, return-value]
    __bool__ = __int__ = __index__ = __trunc__ = __floor__ = __ceil__ = _needed
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return "<a number only real data has>"

    def __format__(self, spec: str) -> str:
        return "?"
