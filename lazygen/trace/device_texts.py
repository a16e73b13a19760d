"""How a device is said in a scope: by the literal or the name that placed a tensor there, if the scope can say it.

    self.head = nn.Linear(8, 4, device="cuda:1")        "cuda:1", in every method of this object
    nn.Linear(8, 4, device=device)                      self.device, if that is the same; what the caller wrote, there

Every text is tried where it is to stand, each time that the place runs; those that give the wrong device once are out.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

from lazygen.frontend.parse import tree_of
from lazygen.symbolic.dtypes import device as Device
from lazygen.symbolic.dtypes import located
from lazygen.symbolic.nn.parallel import DataParallel
from lazygen.symbolic.placement import key
from lazygen.symbolic.tensor import TRACED, Tensor
from lazygen.trace.operands import Span, index_nodes
from lazygen.trace.reads import Reads, enclosing
from lazygen.values import value


@value
class Level:
    """One frame on the way to where a tensor was placed: its code, where it stood, and its `self`."""

    code: CodeType
    instruction: int
    owner: int | None


class DeviceTexts:
    """Knows the texts of the sources."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        self._nodes: dict[str, dict[Span, ast.expr | ast.stmt]] = {}
        self._said: dict[int, tuple[Any, list[tuple[ast.expr, Level]]]] = {}

    def origin(self) -> tuple[Level, ...]:
        """Where the source is now, innermost first."""
        frame: FrameType | None = sys._getframe(2)
        found = []
        while frame is not None:
            if frame.f_code.co_filename in TRACED:
                found.append(Level(frame.f_code, frame.f_lasti, owner_of(frame)))
            frame = frame.f_back
        return tuple(found)

    def node_at(self, code: CodeType, instruction: int) -> Any:
        """What of the text an instruction is about."""
        name = code.co_filename
        if name not in self._nodes:
            tree = tree_of(self.reads.sources.get(name, ""))
            self._nodes[name] = {} if tree is None else index_nodes(tree)
        line, end_line, column, end_column = list(code.co_positions())[instruction // 2]
        return self._nodes[name].get((line or 0, column or 0, end_line or 0, end_column or 0))

    def texts(self, place: Device, frame: FrameType) -> Iterator[str]:
        """What may say the device in a frame."""
        if _is_replica(frame):
            return  # each of the model's copies is on a device of its own
        owner, local = owner_of(frame), _locals(frame.f_code)
        for number, (expression, level) in enumerate(self._expressions(place)):
            at_module_level = level.code.co_name == "<module>"
            written = hasattr(expression, "lineno")
            literal = _literal(expression, self.text(expression, level.code.co_filename) if written else "")
            # A layer that is made with a literal is there whoever asks; an argument is for its giver to say.
            is_its_own = number == 0 and literal is not None
            if not is_its_own and not at_module_level and (owner is None or level.owner != owner):
                continue
            if literal is not None:
                yield literal
            elif isinstance(expression, ast.Name):
                if expression.id not in local and expression.id not in _locals(level.code):
                    yield expression.id
                elif not at_module_level:
                    yield f"self.{expression.id}"
            elif isinstance(expression, ast.Attribute) and isinstance(expression.value, ast.Name):
                yield self.text(expression, level.code.co_filename)

    def _expressions(self, place: Device) -> list[tuple[ast.expr, Level]]:
        """The arguments by which a device came to where it was used, innermost first."""
        origin: tuple[Level, ...] | None = place.origin
        if not origin:
            return []
        known = self._said.get(id(place))
        if known is None:
            known = self._said[id(place)] = (place, list(self._way(origin)))
        return known[1]

    def _way(self, origin: tuple[Level, ...]) -> Iterator[tuple[ast.expr, Level]]:
        expression = _device_of(self.node_at(origin[0].code, origin[0].instruction))
        for level, outer in zip(origin, (*origin[1:], None), strict=True):
            if expression is None:
                return
            yield expression, level
            if not isinstance(expression, ast.Name) or outer is None:
                return
            expression = _given(level.code, expression.id, self.node_at(outer.code, outer.instruction))

    def text(self, node: Any, filename: str) -> str:
        """The source of an expression."""
        return self.reads.text_at((filename, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset))


def holds(text: str, frame: FrameType, right: Callable[[Any], bool]) -> bool:
    """Whether a text gives the right thing in a frame."""
    try:
        return right(eval(text, frame.f_globals, frame.f_locals))
    except Exception:  # what a name of the source's gives may be anything
        return False


def says(place: Device) -> Callable[[Any], bool]:
    """Whether something names a device."""
    return lambda value: not isinstance(value, Tensor) and value is not None and key(located(value)) == key(place)


def owner_of(frame: FrameType) -> int | None:
    """The object whose method a frame runs, or a comprehension in it."""
    outer: FrameType | None = frame
    while outer is not None:
        if "self" in outer.f_locals:
            return id(outer.f_locals["self"])
        outer = enclosing(outer)
    return None


def _is_replica(frame: FrameType | None) -> bool:
    """Whether a model runs that torch copies to several devices."""
    while frame is not None and frame.f_code is not DataParallel.forward.__code__:
        frame = frame.f_back
    return frame is not None


def _locals(code: CodeType) -> tuple[str, ...]:
    return () if code.co_name == "<module>" else (*code.co_varnames, *code.co_cellvars, *code.co_freevars)


def _device_of(node: Any) -> ast.expr | None:
    """The argument of a call that names a device: `device=...`, or the first one of `.to(...)` and `.cuda(...)`."""
    if not isinstance(node, ast.Call):
        return None
    for keyword in node.keywords:
        if keyword.arg == "device":
            return keyword.value
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("to", "cuda", "cpu"):
        if node.args:
            return node.args[0]
        return ast.Constant("cpu" if node.func.attr == "cpu" else "cuda") if node.func.attr != "to" else None
    return None


def _given(code: CodeType, name: str, call: Any) -> ast.expr | None:
    """What a call gives a parameter of the function that it runs."""
    count = code.co_argcount
    parameters = code.co_varnames[: count + code.co_kwonlyargcount]
    if name not in parameters or not isinstance(call, ast.Call):
        return None
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    place = parameters.index(name) - (parameters[0] == "self")
    before = call.args[: place + 1]
    if place < count and len(before) == place + 1 and not any(isinstance(a, ast.Starred) for a in before):
        return before[place]
    return None


def _literal(node: ast.expr, text: str) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return text or f'"{node.value}"'
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return f'"cuda:{node.value}"'
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        inner = node.args[0]
        named = ast.unparse(node.func).rpartition(".")[2] == "device"
        return (
            f'"{inner.value}"' if named and isinstance(inner, ast.Constant) and isinstance(inner.value, str) else None
        )
    return None
