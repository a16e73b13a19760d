"""Takes devices out of a text again, for models whose parts each come to a device as a whole.

nn.Linear(3, 4, device="cuda:0", dtype=...)        nn.Linear(3, 4, dtype=...)
self.head(h.to("cuda:1"))                          self.head(h)
Block(8).cuda(1)                                   Block(8)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from lazygen.lift.bindings import names_read
from lazygen.lift.placement.callees import Callees
from lazygen.lift.placement.scopes import bindings_of
from lazygen.lift.plan import DropArgument, Edit, ReplaceExpression
from lazygen.lift.splices import Splices
from lazygen.lift.syntax import Syntax

_DEVICE = re.compile(r"(cpu|cuda|mps|xpu|hpu|xla|mtia|meta)(:\d+)?\Z")
_KEYWORD_ALONE = 1 << 20  # no positional argument is meant


def without_devices(syntax: Syntax, text: str, statements: Iterable[ast.stmt]) -> list[Edit]:
    """The edits that take the devices out of some statements of a file that are known where they stand."""
    reader = _Reader(syntax)
    splices = Splices(syntax, text)
    edits: list[Edit] = []
    moves: list[ast.Call] = []
    for statement in statements:
        for node in ast.walk(statement):
            if not isinstance(node, ast.Call):
                continue
            if any(k.arg == "device" and reader.says_itself(k.value) for k in node.keywords) and not _is_move(node):
                edits.append(DropArgument(syntax.span(node), "device", _KEYWORD_ALONE))
            elif _is_move(node) and _without(node, reader) is not None:
                moves.append(node)
    for node in sorted(moves, key=lambda call: (call.end_lineno or 0, call.end_col_offset or 0)):
        left = _without(node, reader)
        assert isinstance(node.func, ast.Attribute)
        receiver = splices.text(node.func.value)
        made = f"{receiver}.to({', '.join(map(ast.unparse, left))})" if left else receiver
        splices.replace(*splices.span(node), made)
    outermost = [node for node in moves if not any(inner in moves for inner in _around(node, syntax))]
    edits += [ReplaceExpression(syntax.span(node), splices.text(node)) for node in outermost]
    return edits


class _Reader:
    """Reads which expressions mean a device."""

    def __init__(self, syntax: Syntax) -> None:
        self._callees = Callees(syntax)
        self._devices: set[str] = set()
        self._devices = {name for name, bound in bindings_of(syntax.tree) if self._holds(bound)}

    def _holds(self, bound: ast.AST) -> bool:
        return isinstance(bound, ast.expr) and self.is_device(bound)

    def says_itself(self, node: ast.expr) -> bool:
        """Whether an argument for a device is no parameter that is passed on."""
        parameters: set[str] = {"self"}
        scope = self._callees.scope_of(node)
        while not isinstance(scope, ast.Module):
            parameters |= {
                a.arg for a in ast.walk(getattr(scope, "args", ast.Module([], []))) if isinstance(a, ast.arg)
            }
            scope = self._callees.scope_of(scope)
        return self.is_device(node) or not names_read(node) & parameters

    def is_device(self, node: ast.expr) -> bool:
        """Whether it is a device by its text, or a variable of the module that holds one."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, str) and _DEVICE.match(node.value) is not None
        if isinstance(node, ast.Call):
            return self._callees.names.meaning(node.func) == "torch.device"
        if isinstance(node, ast.IfExp):
            return self.is_device(node.body) and self.is_device(node.orelse)
        if isinstance(node, ast.JoinedStr):
            return isinstance(node.values[0], ast.Constant) and str(node.values[0].value).startswith(("cuda:", "xpu:"))
        return isinstance(node, ast.Name) and node.id in self._devices


def _is_move(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("to", "cuda", "cpu")


def _without(call: ast.Call, reader: _Reader) -> list[ast.expr | ast.keyword] | None:
    """The arguments of a move but for its device; None if it moves to no device."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr != "to":
        return [] if len(call.args) + len(call.keywords) < 2 else None
    devices = [a for a in call.args[:1] if reader.is_device(a)]
    named = [k for k in call.keywords if k.arg == "device" and reader.is_device(k.value)]
    if not devices and not named:
        return None
    rest: list[ast.expr | ast.keyword] = [a for a in call.args if a not in devices]
    rest += [keyword for keyword in call.keywords if keyword not in named]
    return [part for part in rest if not (isinstance(part, ast.keyword) and part.arg == "non_blocking")]


def _around(node: ast.AST, syntax: Syntax) -> Iterator[ast.AST]:
    """The expressions around one."""
    outer = syntax.parent(node)
    while outer is not None and not isinstance(outer, ast.stmt):
        yield outer
        outer = syntax.parent(outer)
