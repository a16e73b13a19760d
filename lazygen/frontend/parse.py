"""From text to `ast`, with what Python says about a broken source as a finding, and with columns in code points."""

from __future__ import annotations

import ast
import re
import warnings

from lazygen.diagnostics import Diagnostic, Place, Refused

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def parse(text: str, path: str) -> ast.Module:
    """The module of a source text.

    Raises `Refused` with LZ001 for what is not Python (at the place Python names) and LZ002 for what is nested too
    deeply to be read.
    """
    try:
        with warnings.catch_warnings():
            # An invalid escape in a user's string is the user's business, and no reason to print or to stop.
            warnings.simplefilter("ignore")
            return ast.parse(text, filename=path)
    except SyntaxError as error:
        # Python 3.12 reports NUL characters as a syntax error, without a place.
        if error.lineno is None and "\0" in text:
            raise Refused(_nul(text, path)) from None
        raise Refused(_syntax_error(error, text, path)) from None
    except (RecursionError, MemoryError):
        raise Refused(too_deep(path)) from None
    except ValueError:
        raise Refused(_nul(text, path)) from None


def tree_of(text: str, mode: str = "exec") -> ast.AST:
    """The tree of a text that is known, without the warnings of Python, which a source may have turned into errors.

    Raises SyntaxError, for a part of a text that is no whole of its own.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode=mode)


def too_deep(path: str) -> Diagnostic:
    """The finding about a source whose nesting exceeds what Python or libcst can walk."""
    return Diagnostic(
        "LZ002",
        "the source is nested too deeply to be read",
        Place(path, 1, 0, 1, 0),
        helps=("split the longest expression, often a chain of calls, into several statements",),
    )


def split_lines(text: str) -> list[str]:
    """The lines as Python counts them, each with its end.

    `str.splitlines` also splits at form feeds and at Unicode separators, where Python's tokenizer sees no new line.
    """
    return _LINE.findall(text)


def byte_to_column(line_text: str, byte_offset: int) -> int:
    """The column in code points for a column in UTF-8 bytes, which `ast` and `co_positions` count."""
    if line_text.isascii():
        return byte_offset
    return len(line_text.encode("utf-8", "surrogatepass")[:byte_offset].decode("utf-8", "replace"))


def _syntax_error(error: SyntaxError, text: str, path: str) -> Diagnostic:
    # A SyntaxError counts lines and columns from 1, columns in code points; a place that it does not know is 0 or None.
    lines = split_lines(text)
    line = min(max(error.lineno or 1, 1), max(len(lines), 1))
    width = len(lines[line - 1].rstrip("\r\n")) if lines else 0
    column = min(max((error.offset or 1) - 1, 0), width)
    end_line, end_column = error.end_lineno or line, (error.end_offset or 0) - 1
    if (end_line, end_column) <= (line, column) or end_line > len(lines):
        end_line, end_column = line, min(column + 1, width) if column < width else column
    return Diagnostic("LZ001", f"syntax error: {error.msg}", Place(path, line, column, end_line, end_column))


def _nul(text: str, path: str) -> Diagnostic:
    before = split_lines(text[: text.find("\0") + 1])
    line, column = len(before), len(before[-1]) - 1
    return Diagnostic("LZ001", "syntax error: a NUL character", Place(path, line, column, line, column + 1))
