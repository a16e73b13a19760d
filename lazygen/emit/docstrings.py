"""Lines about new parameters in docstrings that list the others: Google's style, NumPy's and Sphinx's.

Args:                                       Args:
    width (int): number of filters.    →        in_channels (int): number of input channels.
                                                width (int): number of filters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from lazygen.values import value


@value
class Entry:
    """A parameter to speak of: `doc` is the sentence, made from the name if None; the names around give the place."""

    name: str
    kind: str
    doc: str | None
    optional: bool
    before: tuple[str, ...]
    behind: tuple[str, ...]

    @property
    def sentence(self) -> str:
        return self.doc if self.doc is not None else sentence_for(self.name)


@value
class _Item:
    """A parameter that a docstring speaks of: the lines from `first` to before `end`, its type and its text."""

    name: str
    first: int
    end: int
    kind: str | None
    text: str


_QUOTED = re.compile(r"""(?s)([a-zA-Z]*)(\"{3}|'{3})(.*)\2\Z""")
_GOOGLE_HEAD = re.compile(r"(\s*)(Args|Arguments|Parameters|Params)\s*:\s*\Z")
_GOOGLE_ITEM = re.compile(r"\s*\*{0,2}(\w+)\s*(?:\((.*?)\))?\s*:(?:\s+(.*)|)\Z")
_NUMPY_HEAD = re.compile(r"\s*(Parameters|Arguments)\s*\Z")
_NUMPY_ITEM = re.compile(r"\s*\*{0,2}(\w+)[\w, *]*?(?:(\s*:\s+)(.*))?\Z")
_SPHINX_ITEM = re.compile(r"\s*:param\s+(?:(\S.*?)\s+)?\*{0,2}(\w+)\s*:\s*(.*)\Z")
_SPHINX_TYPE = re.compile(r"\s*:type\s+\*{0,2}(\w+)\s*:\s*(.*)\Z")

_WORDS = {
    "in_channels": "number of input channels",
    "in_features": "number of input features",
    "num_features": "number of features",
    "num_channels": "number of channels",
    "out_channels": "number of output channels",
    "out_features": "number of output features",
    "input_size": "number of input features",
}


def sentence_for(name: str) -> str:
    """What a parameter is, by its name: `merge_in_channels` is the number of input channels of merge."""
    name = name.rstrip("0123456789").rstrip("_") or name
    for last, words in _WORDS.items():
        if name == last:
            return words
        if name.endswith(f"_{last}"):
            return f"{words} of {name.removesuffix(f'_{last}').replace('_', ' ')}"
    return name.replace("_", " ").strip()


def lists_parameters(literal: str) -> bool:
    """Whether a string literal is a docstring that lists parameters."""
    body = _body(literal)
    return body is not None and any(find(body[0]) for find, _ in _STYLES)


def with_entries(literal: str, entries: Sequence[Entry]) -> str:
    """The string literal with a line for each entry; as it is if it lists no parameters or is on one line."""
    body = _body(literal)
    if body is None:
        return literal
    lines, opening, closing, newline = body
    style = next(((find, write) for find, write in _STYLES if find(lines)), None)
    if style is None:
        return literal
    find, write = style
    for entry in entries:
        lines = write(lines, find(lines), entry)
    return opening + newline.join(lines) + closing


def _body(literal: str) -> tuple[list[str], str, str, str] | None:
    match = _QUOTED.match(literal)
    if match is None or "\n" not in match[3] or "b" in match[1].lower():
        return None
    newline = "\r\n" if "\r\n" in match[3] else "\n"
    return match[3].split(newline), match[1] + match[2], match[2], newline


def _google_items(lines: list[str]) -> list[_Item]:
    head = next((number for number, line in enumerate(lines) if _GOOGLE_HEAD.match(line)), None)
    if head is None:
        return []
    first, end = _section(lines, head + 1, lambda number: _indent(lines[number]) <= _indent(lines[head]))
    starts = [n for n in range(first, end) if lines[n].strip() and _indent(lines[n]) == _indent(lines[first])]
    return _matched(lines, [(n, _GOOGLE_ITEM.match(lines[n])) for n in starts], end, lambda m: (m[1], m[2], m[3] or ""))


def _numpy_items(lines: list[str]) -> list[_Item]:
    heads = [n for n, line in enumerate(lines[:-1]) if _NUMPY_HEAD.match(line) and _is_rule(lines[n + 1])]
    if not heads:
        return []
    head = heads[0]
    indent = _indent(lines[head + 1])
    first, end = _section(
        lines,
        head + 2,
        lambda number: _indent(lines[number]) < indent or (number + 1 < len(lines) and _is_rule(lines[number + 1])),
    )
    starts = [n for n in range(first, end) if lines[n].strip() and _indent(lines[n]) == indent]
    return _matched(lines, [(n, _NUMPY_ITEM.match(lines[n])) for n in starts], end, lambda m: (m[1], m[3], ""))


def _sphinx_items(lines: list[str]) -> list[_Item]:
    found = [(number, match) for number, line in enumerate(lines) if (match := _SPHINX_ITEM.match(line))]
    items = []
    for number, match in found:
        indent = _indent(lines[number])
        end = next((n for n in range(number + 1, len(lines)) if _indent(lines[n]) <= indent), len(lines))
        items.append(_Item(match[2], number, end, match[1], _text(lines, number, end, match[3])))
    return items


def _matched(
    lines: list[str],
    starts: list[tuple[int, re.Match[str] | None]],
    end: int,
    parts: Callable[[re.Match[str]], tuple[str, str | None, str]],
) -> list[_Item]:
    items = []
    ends = [number for number, _ in starts[1:]] + [end]
    for (number, match), item_end in zip(starts, ends, strict=False):
        if match is not None:
            name, kind, text = parts(match)
            while item_end > number + 1 and not lines[item_end - 1].strip():
                item_end -= 1
            items.append(_Item(name, number, item_end, kind, _text(lines, number, item_end, text)))
    return items


def _text(lines: list[str], number: int, end: int, first: str) -> str:
    return " ".join([first, *(line.strip() for line in lines[number + 1 : end])]).strip()


def _write_google(lines: list[str], items: list[_Item], entry: Entry) -> list[str]:
    kind = f" ({_kind(entry, items)})" if _is_typed(items) else ""
    indent = _whitespace(lines[items[0].first])
    return _placed(lines, items, entry, [f"{indent}{entry.name}{kind}: {_sentence(entry, items)}"])


def _write_numpy(lines: list[str], items: list[_Item], entry: Entry) -> list[str]:
    indent = _whitespace(lines[items[0].first])
    deeper = [_whitespace(lines[item.first + 1]) for item in items if item.end > item.first + 1]
    joints = [match[2] for item in items if (match := _NUMPY_ITEM.match(lines[item.first])) and match[2]]
    kind = (joints or [" : "])[0] + _kind(entry, items) if _is_typed(items) else ""
    sentence = (deeper or [f"{indent}    "])[0] + _sentence(entry, items)
    return _placed(lines, items, entry, [f"{indent}{entry.name}{kind}", sentence])


def _write_sphinx(lines: list[str], items: list[_Item], entry: Entry) -> list[str]:
    indent = _margin(lines, items)
    kind = f"{_kind(entry, items)} " if _is_typed(items) else ""
    new = [f"{indent}:param {kind}{entry.name}: {_sentence(entry, items)}"]
    types = {match[1]: number for number, line in enumerate(lines) if (match := _SPHINX_TYPE.match(line))}
    if not types:
        return _placed(lines, items, entry, new)
    kind_line = f"{indent}:type {entry.name}: {entry.kind}"
    last = max(item.first for item in items)
    if all(number > last for number in types.values()) and len(items) > 1:
        # All types stand below all sentences; what is below is written first, so that the numbers above hold.
        behind = next((types[name] for name in entry.behind if name in types), max(types.values()) + 1)
        return _placed([*lines[:behind], kind_line, *lines[behind:]], items, entry, new)
    whole = [
        _Item(item.name, item.first, max(item.end, types.get(item.name, -1) + 1), item.kind, item.text)
        for item in items
    ]
    return _placed(lines, whole, entry, [*new, kind_line])


_STYLES = (
    (_google_items, _write_google),
    (_numpy_items, _write_numpy),
    (_sphinx_items, _write_sphinx),
)


def _placed(lines: list[str], items: list[_Item], entry: Entry, new: list[str]) -> list[str]:
    """The lines with `new` before the item of a parameter behind it, else behind the item of one before it."""
    by_name = {item.name: item for item in items}
    apart = len(items) > 1 and not lines[items[1].first - 1].strip()
    behind = next((by_name[name] for name in entry.behind if name in by_name), None)
    if behind is not None and behind.first == 0:
        # The first line has no indentation, for the quotes stand before it.
        margin = _margin(lines, items)
        return [new[0].lstrip(), *new[1:], *([""] if apart else []), margin + lines[0], *lines[1:]]
    if behind is not None:
        return [*lines[: behind.first], *new, *([""] if apart else []), *lines[behind.first :]]
    known = (by_name[name] for name in reversed(entry.before) if name in by_name)
    end = next(known, items[-1]).end
    return [*lines[:end], *([""] if apart else []), *new, *lines[end:]]


def _margin(lines: list[str], items: list[_Item]) -> str:
    """The indentation of items, of which the first may stand behind the quotes."""
    places = [item.first for item in items if item.first] or [n for n in range(1, len(lines)) if lines[n].strip()]
    return _whitespace(lines[(places or [len(lines) - 1])[0]])


def _sentence(entry: Entry, items: list[_Item]) -> str:
    """The sentence with a capital and a full stop if the neighbours have them."""
    sentence = entry.sentence
    texts = [item.text for item in items if item.text]
    if _mostly(text[0].isupper() for text in texts if text[0].isalpha()):
        sentence = sentence[:1].upper() + sentence[1:]
    if _mostly(text.endswith(".") for text in texts) and not sentence.endswith("."):
        sentence += "."
    return sentence


def _kind(entry: Entry, items: list[_Item]) -> str:
    kinds = [item.kind for item in items if item.kind]
    kind = f":obj:`{entry.kind}`" if kinds and kinds[0].startswith(":obj:`") else entry.kind
    return f"{kind}, optional" if entry.optional and any("optional" in other for other in kinds) else kind


def _is_typed(items: list[_Item]) -> bool:
    kinds = [item.kind for item in items if item.kind]
    return 2 * len(kinds) >= len(items)


def _mostly(values: Iterable[bool]) -> bool:
    marks = list(values)
    return 2 * sum(marks) > len(marks)


def _section(lines: list[str], first: int, ends: Callable[[int], bool]) -> tuple[int, int]:
    """From the first line with text to before the line that is no longer a part of the section."""
    while first < len(lines) and not lines[first].strip():
        first += 1
    end = next((n for n in range(first, len(lines)) if lines[n].strip() and ends(n)), len(lines))
    while end > first and not lines[end - 1].strip():
        end -= 1
    return first, end


def _is_rule(line: str) -> bool:
    return len(line.strip()) > 2 and not line.strip().strip("-")


def _indent(line: str) -> int:
    return len(_whitespace(line).expandtabs(8)) if line.strip() else 0


def _whitespace(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
