"""Calls that run something which they do not call themselves: what stands in between, and what reaches it.

build_from(Block, 7)        Block is referred to in the call; a keyword arrives if `build_from` hands its keywords on
registry.build("block")     only what is handed on can reach it
"""

from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Iterator, Sequence
from types import CodeType, FrameType
from typing import Any

from lazygen.frontend.calls import Key, index_calls, is_path
from lazygen.frontend.parse import tree_of
from lazygen.values import record

_OURS = ("lazygen", "torch")
_VARIADIC, _KEYWORDS = 0x04, 0x08  # flags of a code that takes `*args` and `**kwargs`


def modules_of(between: Sequence[FrameType]) -> tuple[str, ...]:
    """The modules whose code stands in between, innermost first."""
    return tuple(dict.fromkeys(str(frame.f_globals.get("__name__", "")) for frame in between))


def is_foreign(frame: FrameType) -> bool:
    """Whether a frame is neither the stand-in's nor torch's."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] not in _OURS


@record
class Handing:
    """Reads how frames hand their arguments on; `trees` are the calls of their files."""

    trees: dict[str, dict[Key, ast.Call]]

    def handed_on(self, between: Sequence[FrameType]) -> tuple[bool, int | None]:
        """Whether keywords arrive at the other end, and the place of the positional argument that arrives as the first.

        `between` are the frames in between, innermost first; with none of them there is nothing to know.
        """
        keywords, first = bool(between), 0 if between else None
        for frame in between:
            node = self._call(frame)
            code = frame.f_code
            if node is None:
                return False, None
            names = code.co_varnames[code.co_argcount + code.co_kwonlyargcount :]
            star = names[0] if code.co_flags & _VARIADIC else None
            double = names[1 if star else 0] if code.co_flags & _KEYWORDS else None
            keywords = keywords and any(k.arg is None and _is_name(k.value, double) for k in node.keywords)
            if frame is between[0] and any(not isinstance(argument, ast.Starred) for argument in node.args):
                keywords = False  # what is given by position would meet a new parameter
            starred = [n for n, argument in enumerate(node.args) if isinstance(argument, ast.Starred)]
            passes = len(starred) == 1 and _is_name(node.args[starred[0]].value, star)  # type: ignore[attr-defined]
            if first is None or not passes:
                first = None
            else:
                bound = code.co_varnames[:1] in (("self",), ("cls",)) and "." in code.co_qualname.rpartition(">.")[2]
                first = code.co_argcount - bound + first - starred[0]
        return keywords, first if first is None or first >= 0 else None

    def _call(self, frame: FrameType) -> ast.Call | None:
        """The call that a frame is at."""
        path = frame.f_code.co_filename
        if path not in self.trees:
            try:
                self.trees[path] = index_calls(tree_of("".join(linecache.getlines(path, frame.f_globals))))
            except (SyntaxError, ValueError, RecursionError):
                self.trees[path] = {}
        positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
        line, end_line, column, end_column = positions
        if line is None or column is None or end_line is None or end_column is None:
            return None
        return self.trees[path].get((line, column, end_line, end_column))


def references(node: ast.Call, frame: FrameType, made: type | CodeType) -> Iterator[ast.expr]:
    """The expressions inside a call, but not what it calls, that are the class `made` or run the code `made`."""
    pending: list[ast.AST] = [*node.args, *node.keywords]
    while pending:
        inner = pending.pop()
        if isinstance(inner, ast.expr) and is_path(inner):
            try:
                value = eval(ast.unparse(inner), frame.f_globals, frame.f_locals)
            except Exception:
                continue
            if runs(value, made):
                yield inner
        elif not isinstance(inner, (ast.Lambda, ast.FunctionDef)):
            pending += ast.iter_child_nodes(inner)


def runs(called: Any, made: type | CodeType) -> bool:
    """Whether calling an object makes an instance of the class `made`, or runs the code `made`."""
    while isinstance(called, functools.partial):
        called = called.func
    return called is made or (isinstance(made, CodeType) and made in codes_of(called))


def codes_of(called: Any) -> tuple[Any, ...]:
    """The code that calling an object runs in the source.

    That of a class's constructor or of a dataclass's `__post_init__`, of an object's own `__call__`, and what
    decorators have wrapped.
    """
    found = [called]
    if isinstance(called, type):
        found = [getattr(called, name, None) for name in ("__init__", "__post_init__")]
    elif not hasattr(called, "__code__") and not hasattr(called, "__func__"):
        found = [called, vars(type(called)).get("__call__")]
    for item in found:  # it grows on the way
        wrapped = getattr(item, "__wrapped__", None)
        if wrapped is not None and all(wrapped is not other for other in found):
            found.append(wrapped)
    return tuple(getattr(getattr(item, "__func__", item), "__code__", None) for item in found)


def value_of(node: ast.expr, frame: FrameType) -> Any:
    """What an expression that changes nothing is; None if it may change something, or cannot be had."""
    if not _is_harmless(node, frame):
        return None
    try:
        return eval(ast.unparse(node), frame.f_globals, frame.f_locals)
    except Exception:
        return None


def _is_harmless(node: ast.AST, frame: FrameType) -> bool:
    """Whether evaluating an expression once more does nothing: it reads, chooses, and asks a dict or an object."""
    if isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Name) and function.id in ("type", "getattr") and not node.keywords:
            return all(_is_harmless(argument, frame) for argument in node.args)
        if not isinstance(function, ast.Attribute) or function.attr != "get" or node.keywords:
            return False
        if type(value_of(function.value, frame)) is not dict:
            return False
        return all(_is_harmless(argument, frame) for argument in node.args)
    allowed = (ast.IfExp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.Subscript, ast.Dict, ast.List, ast.Tuple)
    if isinstance(node, allowed):
        return all(_is_harmless(child, frame) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
    return isinstance(node, ast.Constant) or (isinstance(node, ast.expr) and is_path(node))


def _is_name(node: ast.expr, name: str | None) -> bool:
    return name is not None and isinstance(node, ast.Name) and node.id == name
