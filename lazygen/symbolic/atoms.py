"""What expressions over sizes are made of (`expr.py`): places where sizes were read, and what no polynomial says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from lazygen.symbolic.expr import Expr

SymbolKind = Literal[
    "input", "batch", "free", "literal", "parameter", "local", "global", "loop", "attribute", "element"
]


class Symbol:
    """A place where a size was read: an origin, not a name.

    `text` is what the source calls it there, `owner` the token of the frame or object it belongs to, `definition` what
    the size was before it was read (None for the size of an input), `value` the sample it had in this run.
    """

    __slots__ = ("definition", "index", "kind", "owner", "serial", "text", "value")

    def __init__(
        self,
        serial: int,
        kind: SymbolKind,
        text: str,
        value: int,
        owner: int = 0,
        definition: Expr | None = None,
        index: int | None = None,
    ) -> None:
        self.serial = serial
        self.kind = kind
        self.text = text
        self.value = value
        self.owner = owner
        self.definition = definition
        self.index = index

    def sort_key(self) -> tuple[Any, ...]:
        return (0, self.serial)

    def __copy__(self) -> Symbol:
        return self

    def __deepcopy__(self, memo: object) -> Symbol:
        return self  # a copy of a size comes from the same place

    def __repr__(self) -> str:
        return f"{self.text}#{self.serial}"


class FloorDiv:
    """`numerator // denominator` where nothing says that the division is exact."""

    __slots__ = ("_hash", "denominator", "numerator", "value")

    def __init__(self, numerator: Expr, denominator: Expr) -> None:
        self.numerator, self.denominator = numerator, denominator
        self.value = numerator.value // denominator.value
        self._hash = hash(("//", numerator, denominator))

    def sort_key(self) -> tuple[Any, ...]:
        return (1, self.numerator.sort_key(), self.denominator.sort_key())

    def __reduce__(self) -> Any:
        return FloorDiv, (self.numerator, self.denominator)  # hashes hang on the process: they are made anew

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            type(other) is FloorDiv
            and self._hash == other._hash
            and self.numerator == other.numerator
            and self.denominator == other.denominator
        )

    def __repr__(self) -> str:
        return f"({self.numerator} // {self.denominator})"


class Mod:
    """`left % right`."""

    __slots__ = ("_hash", "left", "right", "value")

    def __init__(self, left: Expr, right: Expr) -> None:
        self.left, self.right = left, right
        self.value = left.value % right.value
        self._hash = hash(("%", left, right))

    def sort_key(self) -> tuple[Any, ...]:
        return (2, self.left.sort_key(), self.right.sort_key())

    def __reduce__(self) -> Any:
        return Mod, (self.left, self.right)  # hashes hang on the process: they are made anew

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            type(other) is Mod and self._hash == other._hash and self.left == other.left and self.right == other.right
        )

    def __repr__(self) -> str:
        return f"({self.left} % {self.right})"


class Opaque:
    """What arithmetic cannot follow, named by the source text that produced it: `int(width * mult)`.

    `arguments` are the names the text reads with the sizes they had; a name that was no size has the token of its
    object instead, so that the text is used again only where it means the same.  `definition` is the same size in the
    terms of the function that was called, if that is known.
    """

    __slots__ = ("_hash", "arguments", "definition", "text", "value")

    def __init__(
        self, text: str, arguments: tuple[tuple[str, Expr | int], ...], value: int, definition: Expr | None = None
    ) -> None:
        self.text, self.arguments, self.value, self.definition = text, arguments, value, definition
        self._hash = hash(("opaque", text, arguments, value))

    def sort_key(self) -> tuple[Any, ...]:
        arguments = tuple((n, 0, (a,)) if isinstance(a, int) else (n, 1, a.sort_key()) for n, a in self.arguments)
        return (3, self.text, self.value, arguments)

    def __reduce__(self) -> Any:
        # Hashes hang on the process: they are made anew.
        return Opaque, (self.text, self.arguments, self.value, self.definition)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            type(other) is Opaque
            and self._hash == other._hash
            and (self.text, self.arguments, self.value) == (other.text, other.arguments, other.value)
        )

    def __repr__(self) -> str:
        return f"`{self.text}`"


Atom = Symbol | FloorDiv | Mod | Opaque
