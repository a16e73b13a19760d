"""What the stand-in raises.  A source may catch these as it would torch's own errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class ShapeError(RuntimeError, ValueError, IndexError, TypeError):
    """Sizes, dtypes or arguments that torch would refuse.

    `message` says the problem in one line.  `operands` are the tensors it is about, in the order of the call, which
    the diagnostic names as the source does, with their shapes and where they were made.  `notes` and `helps` are more
    sentences; the cure stands only in `helps`.  `code` is the diagnostic's.
    """

    def __init__(
        self,
        message: str,
        *,
        operands: tuple[Any, ...] = (),
        notes: tuple[str, ...] = (),
        helps: tuple[str, ...] = (),
        code: str = "LZ200",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.operands = operands
        self.notes = notes
        self.helps = helps
        self.code = code
        self.layer: Any = None  # the torch module that was running, set by Module.__call__


class Mismatch(ShapeError):
    """Operands on different devices: those at the two places of `pair`.

    If there is a `module`, it is the layer that the only operand reaches, and `wanted` where that is.
    """

    def __init__(
        self,
        message: str,
        operands: Sequence[Any],
        pair: tuple[int, int] = (0, 0),
        module: Any = None,
        wanted: Any = None,
    ) -> None:
        super().__init__(message, operands=tuple(operands), code="LZ270")
        self.pair, self.module, self.wanted = pair, module, wanted


class UnknownValue(RuntimeError):
    """A number was needed that only real data has: a size or a branch that hangs on the contents of a tensor."""

    def __init__(self, message: str, helps: tuple[str, ...] = (), code: str = "LZ220") -> None:
        super().__init__(message)
        self.message = message
        self.helps = helps
        self.code = code


class NoRule(NotImplementedError):
    """An operation has no rule and real torch is not there to ask."""

    def __init__(self, name: str, reason: str = "") -> None:
        super().__init__(f"no shape rule for {name}")
        self.name = name
        self.reason = reason
