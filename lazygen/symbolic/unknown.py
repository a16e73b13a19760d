"""A number that only real data has: the `.item()` of a tensor that is no constant."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.errors import UnknownValue

BOOL, INT, FLOAT = 0, 1, 2  # categories of numbers, as dtypes have them; 3 is complex


class Unknown(float):
    """Arithmetic takes it and gives another; a size or a branch that needs its value is an error there.

    `category` is the kind of number that it would be, by which tensors are promoted.
    """

    category: int

    def __new__(cls, category: int = FLOAT) -> Unknown:
        made = float.__new__(cls, "nan")
        made.category = category
        return made

    def _another(self, *others: Any) -> Unknown:
        return Unknown(max(INT, self.category, *map(_category, others)))

    def _quotient(self, *others: Any) -> Unknown:
        return Unknown(max(FLOAT, self.category, *map(_category, others)))

    def _whole(self, ndigits: Any = None) -> Unknown:
        return Unknown(INT if ndigits is None else self.category)

    def _truth(self, *_: Any) -> Unknown:
        return Unknown(BOOL)

    def _needed(self, *_: Any) -> Any:
        raise UnknownValue(
            "the value of a tensor is needed here, and only real data has it",
            ("let it hang on shapes, or on an argument of the model: a size is fixed before any data comes",),
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _another
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = _another
    __truediv__ = __rtruediv__ = _quotient
    __round__ = _whole  # type: ignore[assignment]
    __neg__ = __pos__ = __abs__ = _another
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _truth  # type: ignore[assignment]
    __bool__ = __int__ = __index__ = __trunc__ = __floor__ = __ceil__ = _needed
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return "<a number only real data has>"

    def __format__(self, spec: str) -> str:
        return "?"


def _category(number: Any) -> int:
    if isinstance(number, Unknown):
        return number.category
    return 3 if isinstance(number, complex) else FLOAT if isinstance(number, float) else INT
