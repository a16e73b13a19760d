"""Who hears of what the stand-in does besides giving shapes: a traced run puts its own functions here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


class Observer:
    """Functions that are called with what happened; they do nothing until a run replaces them.

    `viewed`: the shape that a `view` or `flatten` was given, the sizes that the source asks for, and those that came
    of it.  `spread`: two shapes of different rank that were broadcast.  `filled`: a parameter of a lazy layer that
    waits for its size, given to `torch.nn.init`.  `made`: a module that was made.  `placed`: the same, for
    device scopes.  `tensor`: a tensor that was made, before anyone has seen its shape.
    """

    viewed: Callable[[Sequence[int], Sequence[int], Sequence[int]], None] = staticmethod(lambda *shapes: None)
    spread: Callable[[Sequence[int], Sequence[int]], None] = staticmethod(lambda *shapes: None)
    filled: Callable[[Any], None] = staticmethod(lambda parameter: None)
    made: Callable[[Any], None] | None = None
    placed: Callable[[Any], None] | None = None
    tensor: Callable[[Any], None] | None = None
