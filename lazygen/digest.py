"""Digests of outputs and sources: whether a file was edited, and whether what it was made from has changed.

`body_digest` is the same on every Python and before and after black.  It walks the `ast` by itself, as the text of
`ast.dump` changes with every Python, and knows what black may do to a file: other quotes, parentheses, line breaks and
trailing commas (the tree does not have them), re-indented docstrings, `#x` as `# x`, comments joined in one line,
`del (a, b)` as `del a, b`.
"""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

try:  # hashlib loads OpenSSL for the same function, which takes a millisecond
    from _blake2 import blake2b
except ImportError:  # pragma: no cover
    from hashlib import blake2b

SIZE = 8  # bytes: an accident is what is to be noticed, not an attack

_POSITIONS = ("lineno", "col_offset", "end_lineno", "end_col_offset", "ctx", "kind", "type_comment")
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}


def body_digest(code: str) -> str | None:
    """The digest of what a module does and says, its header not included; None if it is no Python.

    An edited number or comment changes it; black, line ends and the version of Python do not.
    """
    text = normal_newlines(code)
    try:
        tree = _parse(text)
        parts = [*_walk(tree, text.split("\n")), *_comments(text)]
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return None
    return _hash(parts)


def source_digest(text: str, settings: Iterable[str], modules: Iterable[tuple[str, bytes]] = ()) -> str:
    """The digest of what an output is made from: a text, its settings, the project's modules with their names."""
    parts = [normal_newlines(text), *settings, ""]
    for name, content in modules:
        parts += [name, content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").decode("latin-1")]
    return _hash(parts)


def normal_newlines(text: str) -> str:
    """The text with its line ends as Python reads them."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _hash(parts: Iterable[str]) -> str:
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    # The lengths make sure that no two lists of parts give the same bytes.
    lengths = " ".join(str(len(part)) for part in encoded).encode()
    return blake2b(b"".join([lengths, b"\n", *encoded]), digest_size=SIZE).hexdigest()


def _parse(text: str) -> ast.Module:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _walk(tree: ast.Module, lines: list[str]) -> Iterator[str]:
    """The tree as words, without recursion: what is nested deeply enough to be parsed must not fail here."""
    stack: list[Any] = [tree]
    while stack:
        item = stack.pop()
        if isinstance(item, ast.Constant):
            yield from _constant(item.value)
        elif isinstance(item, ast.AST):
            yield type(item).__name__
            stack.append(")")
            for name, value in reversed(list(_fields(item, lines))):
                stack += [value, f".{name}"]
        elif isinstance(item, list):
            yield "["
            stack.append("]")
            stack.extend(reversed(item))
        else:
            yield item if isinstance(item, str) else repr(item)


def _fields(node: ast.AST, lines: list[str]) -> Iterator[tuple[str, Any]]:
    """The fields that say something: an empty one may be unknown to another Python."""
    kind = type(node)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(name for name in kind._fields if name not in _POSITIONS)
    for name in _FIELDS[kind]:
        value = getattr(node, name, None)
        if isinstance(value, list):
            if name == "values" and kind is ast.JoinedStr:
                value = _joined(value)
            elif kind is ast.Delete:
                value = list(_deleted(value))
        elif kind is ast.Expr and isinstance(value, ast.Constant) and isinstance(value.value, str):
            value = ast.Constant(_docstring(value.value, "\\" in "".join(lines[value.lineno - 1 : value.end_lineno])))
        if not _is_empty(value):
            yield name, value


def _is_empty(value: object) -> bool:
    """Whether a field says nothing; the format of `f"{x:}"` is none on some Pythons and an empty one on others."""
    return value is None or value == [] or (isinstance(value, ast.JoinedStr) and not value.values)


def _constant(value: object) -> Iterator[str]:
    """A constant: `repr` says a string otherwise when Unicode has more printable characters."""
    yield type(value).__name__
    if isinstance(value, bytes):
        yield value.hex()
    elif type(value) is int:
        yield hex(value)  # not `str`, which refuses very long ones
    else:
        yield value if isinstance(value, str) else repr(value)


def _joined(values: list[ast.expr]) -> list[ast.expr]:
    """The parts of an f-string, with neighbouring texts as one: where they are cut depends on the Python."""
    joined: list[ast.expr] = []
    for value in values:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            if not value.value:
                continue
            last = joined[-1] if joined else None
            if isinstance(last, ast.Constant) and isinstance(last.value, str):
                joined[-1] = ast.Constant(last.value + value.value)
                continue
        joined.append(value)
    return joined


def _deleted(targets: list[ast.expr]) -> Iterator[ast.expr]:
    for target in targets:
        if isinstance(target, ast.Tuple):
            yield from _deleted(target.elts)
        else:
            yield target


def _docstring(text: str, escapes: bool) -> str:
    """A docstring without its indentation, and without the spaces that black takes off its lines.

    `escapes` says that a backslash stands in it: then a line end may be an escaped one, which is not re-indented, or
    may be missing where there is one in the file, so no space counts.
    """
    if escapes:
        return " ".join(text.split())
    import inspect

    lines = []
    for line in text.split("\n"):
        content = line.strip()
        # Only leading tabs are expanded: those within a line would move with its indentation.
        indent = line[: len(line) - len(line.lstrip())].expandtabs()
        lines.append(indent + content.replace("\t", "\\t") if content else "")
    return inspect.cleandoc("\n".join(lines)).strip()


def _comments(text: str) -> Iterator[str]:
    """The texts of the comments, but for the header's.

    Two comments that black joins in one line are `# a  # b` then; so each is taken apart where it could be joined.
    """
    if "#" not in text:
        return
    for token in tokenize.generate_tokens(StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            for comment in token.string[1:].split("  #"):
                content = comment.rstrip()
                content = content[1:] if content[:1] in (" ", "\N{NO-BREAK SPACE}") else content
                if content.lstrip().startswith("type:"):  # the spaces in these are black's too
                    content = "".join(content.split())
                yield "#" + content
