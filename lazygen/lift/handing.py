"""Functions that only hand on what they are given: a new argument goes through them, and they stay as they are.

def build(kind, *args, **kwargs):                     build("block", 16)   ->   build("block", 3, 16)
    return KINDS[kind](*args, **kwargs)
"""

from __future__ import annotations

import ast

from lazygen.lift.syntax import Function, Syntax
from lazygen.trace.model import Frame
from lazygen.values import value


@value
class Way:
    """The frames from the call on that has to give an argument, and where: its place among the positional arguments,
    or by keyword if None.  `passed` are the frames that hand it on.
    """

    frames: tuple[Frame, ...]
    index: int | None
    passed: tuple[Frame, ...] = ()


def outward(frames: tuple[Frame, ...], index: int | None, syntax: Syntax) -> Way:
    """The way from the call at `frames[0]`, which lacks the argument at `index`, to the call that has to give it."""
    way = Way(frames, index)
    while way.frames:
        further = _through(way, syntax)
        if further is None:
            break
        way = further
    return way


def _through(way: Way, syntax: Syntax) -> Way | None:
    """The way one call further out; None if the function around does not hand its arguments on."""
    frame = way.frames[0]
    call, function = syntax.calls.get(frame.call), syntax.functions.get(frame.scope)
    if call is None or function is None or len(way.frames) < 2 or frame.how == "indirect":
        return None
    if function.name == "__post_init__" and isinstance(call.func, ast.Attribute) and call.func.attr == function.name:
        return Way(way.frames[1:], way.index, (*way.passed, frame))  # a field of the base is one of the dataclass
    stars = [n for n, given in enumerate(call.args) if isinstance(given, ast.Starred)]
    index: int | None = None
    if len(stars) == 1 and way.index is not None and _is_own(call.args[stars[0]], function.args.vararg, function):
        before = stars[0] - explicit_self(frame)
        index = _own_places(function) + way.index - before if way.index >= before else None
    by_keyword = len(call.args) == explicit_self(frame)  # else what is given by position would meet the new parameter
    passed = any(_is_own(k.value, function.args.kwarg, function) for k in call.keywords if k.arg is None)
    if index is None and not (by_keyword and passed):
        return None
    return Way(way.frames[1:], index, (*way.passed, frame))


def explicit_self(frame: Frame) -> int:
    """How many arguments stand before those of the signature: the object, in `Base.__init__(self, width)`."""
    return frame.given if frame.how == "call" else 0


def places_before(function: Function, in_class: bool) -> int:
    """How many parameters a new first one comes behind that emission does not know of: the object that a function
    outside of a class takes as `self`.
    """
    own = [*function.args.posonlyargs, *function.args.args]
    return int(not in_class and bool(own) and own[0].arg in ("self", "cls"))


def _own_places(function: Function) -> int:
    own = [*function.args.posonlyargs, *function.args.args]
    return len(own) - (bool(own) and own[0].arg in ("self", "cls"))


def _is_own(node: ast.expr, parameter: ast.arg | None, function: Function) -> bool:
    """Whether an argument is one that a function takes with a star, as it got it."""
    node = node.value if isinstance(node, ast.Starred) else node
    if parameter is None or not isinstance(node, ast.Name) or node.id != parameter.arg:
        return False
    names = (inner for inner in ast.walk(function) if isinstance(inner, ast.Name) and inner.id == parameter.arg)
    return all(isinstance(name.ctx, ast.Load) for name in names)
