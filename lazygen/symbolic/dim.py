"""Sizes as Python sees them: `Dim` is an int that remembers how it came about, `Ratio` a float that does.

Python's own control flow sees the number; the expression (`expr.py`) rides along.  A size without a symbol is a plain
int.  A float on the left of an operator computes by itself and loses the expression: no subclass of int can help that.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, SupportsIndex

from lazygen.symbolic.expr import (
    Expr,
    Opaque,
    Symbol,
    add,
    constant,
    floor_divide,
    modulo,
    multiply,
    of_atom,
)


class Dim(int):
    """An int with an expression.  Arithmetic keeps the expression; what cannot keep it gives a plain number."""

    expr: Expr

    # A method of `int` must not be given a Dim where it would lose it: every operator is stated below.
    def __add__(self, other: Any) -> Any:
        return _arithmetic(self, other, operator.add, add)

    def __radd__(self, other: Any) -> Any:
        return _reflected(self, other, operator.add, add)

    def __sub__(self, other: Any) -> Any:
        return _arithmetic(self, other, operator.sub, _subtract)

    def __rsub__(self, other: Any) -> Any:
        return _reflected(self, other, operator.sub, _subtract)

    def __mul__(self, other: Any) -> Any:
        return _arithmetic(self, other, operator.mul, multiply)

    def __rmul__(self, other: Any) -> Any:
        return _reflected(self, other, operator.mul, multiply)

    def __floordiv__(self, other: Any) -> Any:
        return _arithmetic(self, other, operator.floordiv, floor_divide)

    def __rfloordiv__(self, other: Any) -> Any:
        return _reflected(self, other, operator.floordiv, floor_divide)

    def __mod__(self, other: Any) -> Any:
        return _arithmetic(self, other, operator.mod, modulo)

    def __rmod__(self, other: Any) -> Any:
        return _reflected(self, other, operator.mod, modulo)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __truediv__(self, other: Any) -> Any:
        return _real(operator.truediv, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _real(operator.truediv, other, self)

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        if modulus is None and isinstance(other, int) and not isinstance(other, Dim) and 0 <= other <= 8:
            result: Any = 1
            for _ in range(other):
                result = self * result
            return result
        return _followed(pow(int(self), _plain(other), modulus), "_0 ** _1", self, other)

    def __rpow__(self, other: Any, modulus: Any = None) -> Any:
        return _followed(pow(_plain(other), int(self), modulus), "_0 ** _1", other, self)

    def __lshift__(self, other: Any) -> Any:
        if isinstance(other, int) and not isinstance(other, Dim) and 0 <= other < 64:
            return self * (1 << other)
        return _followed(int(self) << _plain(other), "_0 << _1", self, other)

    def __rlshift__(self, other: Any) -> Any:
        return _followed(_plain(other) << int(self), "_0 << _1", other, self)

    def __rshift__(self, other: Any) -> Any:
        if isinstance(other, int) and not isinstance(other, Dim) and 0 <= other < 64:
            return self // (1 << other)
        return _followed(int(self) >> _plain(other), "_0 >> _1", self, other)

    def __rrshift__(self, other: Any) -> Any:
        return _followed(_plain(other) >> int(self), "_0 >> _1", other, self)

    def __and__(self, other: Any) -> Any:
        return _followed(int(self) & _plain(other), "_0 & _1", self, other)

    def __or__(self, other: Any) -> Any:
        return _followed(int(self) | _plain(other), "_0 | _1", self, other)

    def __xor__(self, other: Any) -> Any:
        return _followed(int(self) ^ _plain(other), "_0 ^ _1", self, other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __neg__(self) -> Any:
        return dim(-int(self), multiply(self.expr, constant(-1)))

    def __invert__(self) -> Any:
        return -self - 1

    def __pos__(self) -> Dim:
        return self

    def __abs__(self) -> Any:
        return self if int(self) >= 0 else -self

    def __trunc__(self) -> Any:
        return self

    __floor__ = __ceil__ = __trunc__

    def __round__(self, ndigits: SupportsIndex | None = None) -> Any:
        return self if ndigits is None or ndigits.__index__() >= 0 else round(int(self), ndigits)

    def __copy__(self) -> Dim:
        return self

    def __deepcopy__(self, memo: object) -> Dim:
        return self

    def __reduce__(self) -> Any:
        return dim, (int(self), self.expr)

    @property
    def real(self) -> Any:
        return self

    @property
    def numerator(self) -> Any:
        return self

    def conjugate(self) -> Any:
        return self

    def as_integer_ratio(self) -> tuple[Any, int]:  # type: ignore[override]
        return self, 1


def dim(value: int, expr: Expr) -> int:
    """The size `value` that came about as `expr`: a Dim, or a plain int if no symbol is in it."""
    if expr.constant is not None:
        return int(value)
    made = int.__new__(Dim, value)
    made.expr = expr
    return made


def of_symbol(symbol: Symbol) -> int:
    return dim(symbol.value, of_atom(symbol))


def expr_of(value: int) -> Expr:
    """The expression of any size, a plain int included."""
    return value.expr if isinstance(value, Dim) else constant(int(value))


class Ratio(float):
    """A float that hangs on sizes; `sources` are the expressions it was made from.  Whole numbers of it are opaque."""

    sources: tuple[Expr, ...]

    def __reduce__(self) -> Any:
        return ratio, (float(self), self.sources)

    def __deepcopy__(self, memo: object) -> Ratio:
        return self

    def __add__(self, other: Any) -> Any:
        return _real(operator.add, self, other)

    def __sub__(self, other: Any) -> Any:
        return _real(operator.sub, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _real(operator.sub, other, self)

    def __mul__(self, other: Any) -> Any:
        return _real(operator.mul, self, other)

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Any) -> Any:
        return _real(operator.truediv, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _real(operator.truediv, other, self)

    def __floordiv__(self, other: Any) -> Any:
        return _real(operator.floordiv, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _real(operator.floordiv, other, self)

    def __mod__(self, other: Any) -> Any:
        return _real(operator.mod, self, other)

    def __rmod__(self, other: Any) -> Any:
        return _real(operator.mod, other, self)

    def __pow__(self, other: Any, modulus: None = None) -> Any:
        return _real(operator.pow, self, other)

    def __rpow__(self, other: Any, modulus: None = None) -> Any:
        return _real(operator.pow, other, self)

    def __neg__(self) -> Any:
        return ratio(-float(self), self.sources)

    def __abs__(self) -> Any:
        return ratio(abs(float(self)), self.sources)

    def __round__(self, ndigits: Any = None) -> Any:
        return round(float(self)) if ndigits is None else ratio(round(float(self), ndigits), self.sources)


def ratio(value: float, sources: tuple[Expr, ...]) -> float:
    made = float.__new__(Ratio, value)
    made.sources = sources
    return made


def sources_of(value: object) -> tuple[Expr, ...]:
    """The expressions a number hangs on: none for a plain one."""
    if isinstance(value, Dim):
        return (value.expr,)
    return value.sources if isinstance(value, Ratio) else ()


def _plain(value: Any) -> Any:
    if isinstance(value, Dim):
        return int(value)
    return float(value) if isinstance(value, Ratio) else value


def _subtract(left: Expr, right: Expr) -> Expr:
    return add(left, right, -1)


def _arithmetic(left: Dim, right: Any, operation: Callable[[Any, Any], Any], rule: Callable[[Expr, Expr], Expr]) -> Any:
    if type(right) is int:
        if right == _NEUTRAL.get(rule):
            return left
        return dim(operation(int(left), right), rule(left.expr, constant(right)))
    if isinstance(right, int):
        return dim(operation(int(left), int(right)), rule(left.expr, expr_of(right)))
    if isinstance(right, float):
        return _real(operation, left, right)
    return NotImplemented


_NEUTRAL: dict[Any, int] = {add: 0, _subtract: 0, multiply: 1, floor_divide: 1}
"""What changes nothing on the right of an operator."""


def _reflected(right: Dim, left: Any, operation: Callable[[Any, Any], Any], rule: Callable[[Expr, Expr], Expr]) -> Any:
    if isinstance(left, int):
        if (rule is add and left == 0) or (rule is multiply and left == 1):
            return right
        return dim(operation(int(left), int(right)), rule(expr_of(left), right.expr))
    if isinstance(left, float):
        return _real(operation, left, right)
    return NotImplemented


def _real(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return NotImplemented
    result = operation(_plain(left), _plain(right))
    sources = tuple(dict.fromkeys(sources_of(left) + sources_of(right)))
    return ratio(result, sources) if isinstance(result, float) else result


def _followed(value: Any, text: str, left: Any, right: Any) -> Any:
    """A number that polynomials cannot say, but which hangs on sizes: it keeps its operation as an opaque atom."""
    if isinstance(value, bool) or not isinstance(value, int):
        sources = sources_of(left) + sources_of(right)
        return ratio(value, sources) if isinstance(value, float) else value
    if not isinstance(left, int) or not isinstance(right, int):
        return value
    return dim(value, of_atom(Opaque(text, (("_0", expr_of(left)), ("_1", expr_of(right))), value)))
