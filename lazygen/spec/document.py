"""YAML and JSON documents in which every part knows where it stands, by line and by path: `layers[2].kernel_size`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import yaml

from lazygen.diagnostics import Diagnostic, Note, Place, Refused
from lazygen.values import field, record

MOST_PARTS = 100_000  # aliases in aliases can say a lot in a few lines

# YAML 1.1, which PyYAML reads, takes `1e-5` for a text; nobody who writes a spec does.
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+")
_POSITIONAL = (None, "None", "null")


@record
class Item:
    """A part of a document: a scalar `value`, or `items`, or `entries` by key, each key with its place in `keys`.

    The key None stands for positional arguments.  `where` is the path from the top.
    """

    where: str
    place: Place
    value: Any = None
    items: list[Item] | None = None
    entries: dict[Any, Item] | None = None
    keys: dict[Any, Place] = field(default_factory=dict)

    def plain(self) -> Any:
        """The part as values of Python; lists are tuples, as torch's arguments are."""
        if self.items is not None:
            return tuple(item.plain() for item in self.items)
        if self.entries is not None:
            return {key: item.plain() for key, item in self.entries.items()}
        return self.value


def refuse(code: str, message: str, place: Place, *helps: str, where: str = "") -> NoReturn:
    """Stop with a finding about a part of a document."""
    raise Refused(Diagnostic(code, f"{where}: {message}" if where else message, place, helps=tuple(helps)))


def read(text: str, path: str) -> Item:
    """The document in a text.  Raises Refused: LZ070 for one that cannot be read, LZ071 for what no spec may hold."""
    if path.lower().endswith(".json"):
        _check_json(text, path)
        text = text.replace("\t", " ")
    elif not text.strip():
        refuse("LZ070", "there is nothing in this file", Place(path, 1, 0, 1, 0))
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            refuse("LZ070", "there is nothing in this file", Place(path, 1, 0, 1, 0))
        return _Reader(loader, path).item(node, "", ())
    except yaml.MarkedYAMLError as error:
        raise Refused(_syntax(error, path)) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        refuse("LZ070", f"a character that YAML does not allow: {error.reason}", Place(path, line, 0, line, 0))
    except ValueError as error:
        refuse("LZ070", f"a value cannot be read: {error}", Place(path, 1, 0, 1, 0))
    finally:
        loader.dispose()


def _check_json(text: str, path: str) -> None:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        column = error.colno - 1
        place = Place(path, error.lineno, column, error.lineno, column + 1)
        refuse("LZ070", f"this is no JSON: {error.msg[:1].lower()}{error.msg[1:]}", place)


def _syntax(error: yaml.MarkedYAMLError, path: str) -> Diagnostic:
    mark = error.problem_mark or error.context_mark
    place = None if mark is None else Place(path, mark.line + 1, mark.column, mark.line + 1, mark.column + 1)
    notes: tuple[Note, ...] = ()
    if error.context and error.context_mark is not None and error.context_mark.line != (mark.line if mark else -1):
        at = error.context_mark
        notes = (Note(str(error.context), Place(path, at.line + 1, at.column, at.line + 1, at.column + 1)),)
    return Diagnostic("LZ070", f"this cannot be read: {error.problem or error.context}", place, notes)


class _Reader:
    def __init__(self, loader: yaml.SafeLoader, path: str) -> None:
        self.loader, self.path = loader, path
        self.count = 0

    def item(self, node: yaml.Node, where: str, around: Sequence[yaml.Node]) -> Item:
        place = self._place(node)
        self.count += 1
        if node in around:
            refuse("LZ071", "this part holds itself", place, where=where)
        if self.count > MOST_PARTS:
            refuse("LZ071", f"this is more than {MOST_PARTS} parts", place, where=where)
        inside = (*around, node)
        if isinstance(node, yaml.SequenceNode):
            items = [self.item(part, f"{where}[{number}]", inside) for number, part in enumerate(node.value)]
            return Item(where, place, items=items)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, where, place, inside)
        return Item(where, place, self._scalar(node, where, place))

    def _mapping(self, node: yaml.MappingNode, where: str, place: Place, inside: Sequence[yaml.Node]) -> Item:
        self.loader.flatten_mapping(node)
        found = Item(where, place, entries={})
        merged = {id(pair[0]): self._place(pair[0]) for pair in node.value}
        assert found.entries is not None
        for key_node, value_node in node.value:
            at = merged[id(key_node)]
            key = None
            if isinstance(key_node, yaml.ScalarNode):
                key = self._scalar(key_node, where, at)
            if not isinstance(key, str) and (key is not None or not isinstance(key_node, yaml.ScalarNode)):
                refuse("LZ071", "a key is a name, or null for positional arguments", at, where=where)
            key = None if key in _POSITIONAL else key
            if key in found.entries and _within(at, place):
                refuse("LZ071", f"{'null' if key is None else key} is given twice", at, where=where)
            found.entries[key] = self.item(value_node, _joined(where, key), inside)
            found.keys[key] = at
        return found

    def _scalar(self, node: yaml.Node, where: str, place: Place) -> Any:
        kind = node.tag.removeprefix("tag:yaml.org,2002:").lstrip("!")
        if kind not in _SCALARS:
            refuse("LZ071", f"a spec holds no {kind}", place, where=where)
        if node.tag.endswith(":str") and getattr(node, "style", None) is None and _NUMBER.fullmatch(node.value):
            return float(node.value)
        return self.loader.construct_object(node)

    def _place(self, node: yaml.Node) -> Place:
        start, end = node.start_mark, node.end_mark
        if end.column == 0 and end.line > start.line:  # a block ends where the next thing starts
            return Place(self.path, start.line + 1, start.column, start.line + 1, start.column + 1)
        return Place(self.path, start.line + 1, start.column, end.line + 1, end.column)


_SCALARS = ("str", "int", "float", "bool", "null")


def _joined(where: str, key: Any) -> str:
    name = "null" if key is None else key
    return f"{where}.{name}" if where else name


def _within(inner: Place, outer: Place) -> bool:
    return (inner.line, inner.column) >= (outer.line, outer.column)


def leaves(item: Item) -> Iterator[Item]:
    """The scalars in a part."""
    for part in item.items or (item.entries or {}).values():
        yield from leaves(part)
    if item.items is None and item.entries is None:
        yield item
