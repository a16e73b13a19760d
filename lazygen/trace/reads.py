"""What instrumented sources call: every int that is read gets a symbol that says where it was read.

    enter         parameters at a function's start       loop        items of a loop
    attr, item    attributes, elements                   bind        what a name is bound to
    keep          a number whose making arithmetic could not follow

Which reads make a symbol depends on the phase.  While modules are built, parameters and loop items always do, since
it is in their terms that sizes are to be written; while the model runs, only plain ints do, so that sizes keep what
they are.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, ModuleType
from typing import Any

from lazygen.frontend.calls import paths_in
from lazygen.frontend.instrument import Position, Tables
from lazygen.frontend.parse import tree_of
from lazygen.symbolic.dim import Dim, Ratio, dim, expr_of, of_symbol, ratio
from lazygen.symbolic.expr import Expr, Opaque, Symbol, SymbolKind, constant, of_atom
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.tensor import Tensor
from lazygen.trace.ways import Ways

LONGEST = 256  # longer sequences are data, not sizes


class Reads:
    """The helpers with what they remember; one per traced process."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.building = True
        self.sources: dict[str, str] = {}
        self._lines: dict[str, list[bytes]] = {}
        self._frames: dict[int, int] = {}
        self.scopes: dict[int, int] = {}  # frame token -> number of its scope
        # Parameters that are no sizes, by frame token and name.
        self.other: dict[tuple[int, str], tuple[Any, Symbol]] = {}
        self.ways = Ways()
        self.owners: dict[int, tuple[int, Any]] = {}
        self.loops: dict[tuple[int, int], tuple[int, int]] = {}  # (frame id, loop) -> (iteration, entry)
        self._interned: dict[tuple[Any, ...], int] = {}
        self._paths: dict[int, tuple[str, tuple[tuple[str, CodeType], ...]]] = {}
        self._tokens = 0

    def names(self) -> dict[str, Any]:
        """The helpers under the names that instrumented code calls."""
        from lazygen.symbolic.errors import UnknownValue
        from lazygen.trace import known

        own = {name: getattr(self, _HELPERS[name]) for name in _HELPERS}
        return {**own, **known.FUNCTIONS, "lz_Unknown__": UnknownValue}

    # Frames and objects

    def next_token(self) -> int:
        self._tokens += 1
        return self._tokens

    def frame_token(self, frame: FrameType) -> int:
        """The number of this run of a function; comprehensions before 3.12 count as the function around them."""
        token = self._frames.get(id(frame))
        if token is None:
            around = enclosing(frame)
            return 0 if around is None else self.frame_token(around)
        return token

    def owner_token(self, owner: Any) -> int:
        """The number of an object that holds sizes; the object is kept, so that its id stays its own."""
        known = self.owners.get(id(owner))
        if known is None:
            known = self.owners[id(owner)] = (self.next_token(), owner)
        return known[0]

    # Parameters and names

    def enter(self, scope: int, names: tuple[str, ...] = (), *values: Any) -> tuple[Any, ...]:
        token = self.next_token()
        frame = sys._getframe(1)
        self._frames[id(frame)] = token
        self.scopes[token] = scope
        if self.building and frame.f_back is not None:
            self.ways.note(scope, frame.f_back)
        return tuple(self._parameter(name, value, token) for name, value in zip(names, values, strict=True))

    def _parameter(self, name: str, value: Any, token: int) -> Any:
        kind = type(value)
        if kind is int or (kind is Dim and self.building):
            return of_symbol(new_symbol("parameter", name, int(value), token, expr_of(value)))
        if kind is tuple and value and len(value) <= LONGEST and (self.building or _all_plain(value)):
            return self._elements(value, _element_of(name, token))
        if kind is list or kind is dict:
            self._tag_items(value)
        elif self.building and kind in (float, bool, str, type(None)):
            symbol = new_symbol("parameter", name, 0, token, constant(0))
            value = ratio(value, (of_atom(symbol),)) if kind is float else value
            self.other[token, name] = (value, symbol)
        return value

    def bind(self, value: Any, name: str) -> Any:
        kind = type(value)
        if kind is int:
            frame = sys._getframe(1)
            sort: SymbolKind = "global" if frame.f_locals is frame.f_globals else "local"
            return of_symbol(new_symbol(sort, name, value, self.frame_token(frame), constant(value)))
        if kind is Dim and self.building and value.expr.symbol is None:
            frame = sys._getframe(1)
            sort = "global" if frame.f_locals is frame.f_globals else "local"
            return of_symbol(new_symbol(sort, name, int(value), self.frame_token(frame), value.expr))
        if kind is tuple and value and len(value) <= LONGEST and _all_plain(value):
            token = self.frame_token(sys._getframe(1))
            return self._elements(value, _element_of(name, token))
        if kind is list or kind is dict:
            self._tag_items(value)
        return value

    def _elements(self, value: tuple[Any, ...], symbol: Callable[[int, Any], Symbol]) -> tuple[Any, ...]:
        if not any(type(item) is int or type(item) is Dim or type(item) is tuple for item in value):
            return value
        return tuple(
            of_symbol(symbol(index, item))
            if type(item) is int or type(item) is Dim
            else self._inner(index, item, symbol)
            for index, item in enumerate(value)
        )

    def _inner(self, index: int, item: Any, symbol: Callable[[int, Any], Symbol]) -> Any:
        """A tuple in a tuple: `stages[0][1]`."""
        if type(item) is not tuple or len(item) > LONGEST:
            return item
        outer = symbol(index, 0)

        def inner(i: int, x: Any) -> Symbol:
            return new_symbol(outer.kind, f"{outer.text}[{i}]", int(x), outer.owner, expr_of(x), outer.index)

        return self._elements(item, inner)

    def _tag_items(self, container: Any) -> None:
        """Give the plain ints of a list or dict symbols, in place: the container is the same object for all who hold
        it.
        """
        if not container or len(container) > LONGEST:
            return
        items = container.items() if type(container) is dict else enumerate(container)
        plain = [(key, item) for key, item in items if type(item) is int]
        if plain:
            owner = self.owner_token(container)
            for key, item in plain:
                index = key if type(key) is int else None
                container[key] = self._interned_symbol("element", repr(key), item, owner, index)
        for key, item in enumerate(container) if type(container) is list else ():
            if type(item) is tuple and 0 < len(item) <= LONGEST and _all_plain(item):
                container[key] = self._owned(item)

    def _owned(self, row: tuple[int, ...]) -> tuple[Any, ...]:
        """A tuple of a list with symbols that are its elements, in whatever way the list is reached."""
        token = self.next_token()
        made = tuple(
            of_symbol(new_symbol("element", str(index), item, token, constant(item), index))
            for index, item in enumerate(row)
        )
        self.owners[id(made)] = (token, made)
        return made

    def _interned_symbol(self, kind: SymbolKind, text: str, value: int, owner: int, index: int | None = None) -> int:
        key = (kind, text, value, owner)
        made = self._interned.get(key)
        if made is None:
            made = self._interned[key] = of_symbol(new_symbol(kind, text, value, owner, constant(value), index))
        return made

    # Attributes and elements

    def attr(self, owner: Any, name: str) -> Any:
        return self.tagged_attribute(owner, name, getattr(owner, name))

    def getattr(self, owner: Any, name: str, *default: Any) -> Any:
        value = getattr(owner, name, *default)
        return self.tagged_attribute(owner, name, value) if type(name) is str else value

    def tagged_attribute(self, owner: Any, name: str, value: Any) -> Any:
        kind = type(value)
        if kind is int:
            if isinstance(owner, Tensor):
                return value
            return self._interned_symbol("attribute", name, value, self.owner_token(owner))
        if kind is tuple and value and len(value) <= LONGEST and _all_plain(value):
            if isinstance(owner, (Tensor, ModuleType)):
                return value
            token = self.owner_token(owner)
            named = [(f"{name}[{index}]", item, index) for index, item in enumerate(value)]
            return tuple(self._interned_symbol("attribute", text, item, token, index) for text, item, index in named)
        if kind is list or kind is dict:
            self._tag_items(value)
        return value

    def item(self, owner: Any, key: Any, number: int = -1) -> Any:
        value = owner[key]
        if number >= 0 and type(key) is str and self.building and isinstance(value, int):
            return self._kept(value, number, sys._getframe(1))
        if type(value) is int and type(owner) in (list, dict, tuple):
            index = key if type(key) is int else None
            return self._interned_symbol("element", repr(key), value, self.owner_token(owner), index)
        if type(value) in (list, dict):
            self._tag_items(value)
        return value

    # Loops

    def loop(self, iterable: Any, number: int, pattern: Any) -> Iterator[Any]:
        return _Loop(self, iterable, number, pattern, sys._getframe(1))

    def begin(self, number: int) -> None:
        self.loops[id(sys._getframe(1)), number] = (-1, self.next_token())

    def while_(self, test: Any, number: int) -> Any:
        key = (id(sys._getframe(1)), number)
        iteration, entry = self.loops.get(key, (-1, 0))
        self.loops[key] = (iteration + 1, entry)
        return test

    def tagged_item(self, item: Any, pattern: Any, token: int, iteration: int) -> Any:
        kind = type(item)
        if isinstance(pattern, str):
            if kind is int or (kind is Dim and self.building):
                return of_symbol(new_symbol("loop", pattern, int(item), token, expr_of(item), iteration))
            if kind is tuple and item and len(item) <= LONGEST and self.building:
                return self._elements(
                    item, lambda i, x: new_symbol("loop", f"{pattern}[{i}]", int(x), token, expr_of(x), iteration)
                )
        elif isinstance(pattern, tuple) and kind in (tuple, list) and len(item) == len(pattern):
            return kind(self.tagged_item(x, p, token, iteration) for x, p in zip(item, pattern, strict=True))
        return item

    # Numbers that arithmetic could not follow

    def keep(self, value: Any, number: int) -> Any:
        kind = type(value)
        if kind is int or kind is float or kind is Dim or kind is Ratio:
            if kind is Ratio or (kind is Dim and not (self.building and _is_opaque(value))):
                return value
            return self._kept(value, number, sys._getframe(1))
        if kind.__module__ == "numpy" and getattr(value, "shape", None) == () and hasattr(value, "item"):
            made = self._kept(value.item(), number, sys._getframe(1))
            return value if type(made) in (int, float, bool) else made
        return value

    def choice(self, value: Any, number: int) -> Any:
        """`2 * width if wide else width`: the size hangs on the test too, whichever arm gave it."""
        if self.building and (type(value) is int or type(value) is Dim):
            return self._kept(value, number, sys._getframe(1))
        return value

    def _kept(self, value: Any, number: int, frame: FrameType) -> Any:
        text, paths = self._paths.get(number) or self._parse(number)
        arguments: list[tuple[str, Any]] = []
        sources: list[Expr] = []
        token = self.frame_token(frame)
        for path, code in paths:
            try:
                seen = eval(code, frame.f_globals, frame.f_locals)
            except Exception:
                continue
            if isinstance(seen, Dim):
                arguments.append((path, seen.expr))
                sources.append(seen.expr)
            elif isinstance(seen, (list, tuple)) and 0 < len(seen) <= LONGEST and any(isinstance(i, Dim) for i in seen):
                inside = [(f"{path}[{i}]", expr_of(item)) for i, item in enumerate(seen) if isinstance(item, int)]
                arguments.append((path, self.owner_token(seen)))
                arguments.extend((f"*{name}", expr) for name, expr in inside)
                sources.extend(expr for _, expr in inside)
            elif isinstance(seen, Ratio) and (token, path) not in self.other:
                arguments.append((path, self.owner_token(seen)))
                arguments.extend((f"*{path}", expr) for expr in seen.sources)
                sources.extend(seen.sources)
            elif isinstance(seen, dict):
                arguments.append((path, self.owner_token(seen)))
            elif (token, path) in self.other and self.other[token, path][0] is seen:
                source = of_atom(self.other[token, path][1])
                arguments.append((path, source))
                sources.append(source)
            elif isinstance(seen, (int, float, str)) and not isinstance(seen, bool):
                arguments.append((path, self.owner_token(seen)))
        if not any(source.constant is None for source in sources):
            return value
        if isinstance(value, float):
            return ratio(value, tuple(dict.fromkeys(sources)))
        if isinstance(value, bool):
            return value
        definition = value.expr if isinstance(value, Dim) else None
        return dim(int(value), of_atom(Opaque(text, tuple(arguments), int(value), definition)))

    def _parse(self, number: int) -> tuple[str, tuple[tuple[str, CodeType], ...]]:
        text = self.text_at(self.tables.texts[number])
        found: dict[str, CodeType] = {}
        try:
            tree: ast.AST | None = tree_of(text, "eval")
        except SyntaxError:
            tree = None
        for node in paths_in(tree) if tree is not None else ():
            path = ast.unparse(node)
            found[path] = compile(path, "<path>", "eval")
        self._paths[number] = made = (text, tuple(found.items()))
        return made

    def text_at(self, position: Position) -> str:
        """The source at a position, on one line."""
        filename, line, column, end_line, end_column = position
        lines = self._lines.get(filename)
        if lines is None:
            lines = self._lines[filename] = self.sources[filename].encode().splitlines(keepends=True)
        part = lines[line - 1 : end_line]
        if not part:
            return ""
        part[-1] = part[-1][:end_column]
        part[0] = part[0][column:]
        text = b"".join(part).decode()
        try:
            return text if "\n" not in text else ast.unparse(ast.parse(f"({text})", mode="eval"))
        except SyntaxError:
            return text


_HELPERS = {
    "lz:enter": "enter",
    "lz:bind": "bind",
    "lz:attr": "attr",
    "lz:getattr": "getattr",
    "lz:item": "item",
    "lz:loop": "loop",
    "lz:begin": "begin",
    "lz:while": "while_",
    "lz:keep": "keep",
    "lz:choice": "choice",
}


class _Loop:
    """An iterator that counts, and gives each item the name that the loop gives it."""

    __slots__ = ("entry", "frame", "items", "iteration", "number", "pattern", "reads", "token")

    def __init__(self, reads: Reads, iterable: Any, number: int, pattern: Any, frame: FrameType) -> None:
        self.reads, self.number, self.pattern, self.frame = reads, number, pattern, id(frame)
        self.items = iter(iterable)
        self.token = reads.frame_token(frame)
        self.iteration = -1
        self.entry = reads.next_token()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        item = next(self.items)
        self.iteration += 1
        self.reads.loops[self.frame, self.number] = (self.iteration, self.entry)
        return self.reads.tagged_item(item, self.pattern, self.token, self.iteration)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.items, name)


def enclosing(frame: FrameType) -> FrameType | None:
    """The frame of the function whose text holds a comprehension, generator expression or lambda; None for a
    function's own.
    """
    if not frame.f_code.co_name.startswith("<") or frame.f_code.co_name == "<module>":
        return None
    outer = frame.f_back
    while outer is not None and frame.f_code not in outer.f_code.co_consts:
        outer = outer.f_back
    return outer


def _element_of(name: str, token: int) -> Callable[[int, Any], Symbol]:
    """Makes symbols for the elements of a sequence with a name."""
    return lambda index, item: new_symbol("element", f"{name}[{index}]", int(item), token, expr_of(item), index)


def _is_opaque(value: Dim) -> bool:
    """Whether a size was made by what arithmetic cannot follow; its maker's caller may have a better name for it."""
    pending = [value.expr]
    while pending:
        for atom in pending.pop().atoms():
            if isinstance(atom, Opaque):
                return True
            if isinstance(atom, Symbol) and atom.kind == "local" and atom.definition is not None:
                pending.append(atom.definition)
    return False


def _all_plain(value: tuple[Any, ...]) -> bool:
    return all(type(item) is int for item in value)
