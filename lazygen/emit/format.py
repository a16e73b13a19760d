"""Black for single statements, at the line length of their file.

What black would have left alone before is formatted after; what it would have changed keeps its layout.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import black
from black.mode import TargetVersion
from black.parsing import InvalidInput, lib2to3_parse
from black.strings import str_width

_LENGTHS = (88, 100, 120)
_LONG_STATEMENTS = 20  # that are looked at before a whole file
_OFF = ("# fmt: off", "# fmt:off", "# yapf: disable")
_ON = ("# fmt: on", "# fmt:on", "# yapf: enable")


class Formatter:
    """Formats the statements of one file.  What it must know about the whole file it finds out when that matters."""

    def __init__(self, text: str, line_length: int | None) -> None:
        self._text = text.replace("\r\n", "\n")
        # Black writes one kind of line end, so it would change every file that mixes them.
        self._mixed = "\r" in self._text or ("\r\n" in text and text.count("\n") != text.count("\r\n"))
        self._line_length = line_length
        self._clean = False  # whether black is known to leave the whole file alone at that length
        self._asked = 0  # lines of statements so far
        self._weighed = False
        self._versions: set[TargetVersion] | None = None
        self._off: list[_Stretch] | None = None
        self._long: list[tuple[int, str]] | None = None
        self._known: dict[tuple[str, int, frozenset[TargetVersion]], str | None] = {}

    def formatted(
        self, before: Callable[[], str], after: str, width: int, *, plain: bool = False, moved_to: int | None = None
    ) -> str | None:
        """The changed statement as black writes it at `width` columns of indentation; None if it keeps its layout.

        Both texts are at no indentation, with `\\n` line ends.  `plain` says that the change is in names and in
        arguments that black would write as they are, `moved_to` gives the indentation after it.
        """
        if self._mixed:
            return None
        target = width if moved_to is None else moved_to
        shortest = self._line_length or _LENGTHS[0]
        # What black leaves on a line that fits is the same at every length; nothing changes in a line that stays so,
        # whether black would have left it alone before or not.
        if _fits(after, shortest - target) and (plain or (target < width and before() == after)):
            return None
        if not self._clean:
            self._weigh_the_whole_file(after)
        text = before()
        versions = self._target_versions(text, after)
        if _fits(text, shortest - width):
            if not self._clean and self._black(text, shortest - width, versions) != text:
                return None
            result = self._black(after, shortest - target, versions)
            if self._line_length is not None or (result is not None and _fits(result, shortest - target)):
                return result
        if self._line_length is None:
            at = [self._formatted(text, after, length - width, length - target, versions) for length in _LENGTHS]
            if at[0] == at[1] == at[2]:
                return at[0]
            self._look_at_whole_file(_LENGTHS)
            self._line_length = self._line_length or _LENGTHS[0]
        length = self._line_length
        if self._clean:
            return self._black(after, length - target, versions)
        return self._formatted(text, after, length - width, length - target, versions)

    def line_length(self) -> int | None:
        """The first length at which black leaves the whole file alone; None if there is none."""
        self._look_at_whole_file(_LENGTHS)
        return self._line_length

    def are_plain(self, arguments: Iterable[str]) -> bool:
        """Whether black would write each of these arguments as it is."""
        texts = dict.fromkeys(arguments)
        calls = "".join(f"_({text})\n" for text in texts)
        return calls.count("\n") == len(texts) and self._black(calls, 1 << 20) == calls

    def is_off(self, line: int, column: int) -> bool:
        """Whether a statement that starts here stands under `# fmt: off`."""
        if self._off is None:
            self._off = list(_off_stretches(self._text))
        return any(stretch.first <= line <= stretch.last for stretch in self._off)

    def _weigh_the_whole_file(self, after: str) -> None:
        """After so many lines, each looked at before and after and at every length, the whole file is cheaper."""
        if self._weighed:
            return
        self._asked += after.count("\n") * 2 * len(_LENGTHS)
        if self._asked >= self._text.count("\n"):
            self._weighed = True
            self._look_at_whole_file([length for length in _LENGTHS if not self._is_ruled_out(length)][:1])

    def _look_at_whole_file(self, lengths: Sequence[int]) -> None:
        """Settle the line length if the file is clean at one of `lengths`, or at the one that is settled already."""
        for length in lengths if self._line_length is None else (self._line_length,):
            if not self._is_ruled_out(length) and self._black(self._text, length) == self._text:
                self._line_length, self._clean = length, True
                return

    def _is_ruled_out(self, length: int) -> bool:
        """Whether black would break one of the first lines that are longer: then the whole file need not be read."""
        if self._long is None:
            self._long = list(islice(_long_statements(self._text), _LONG_STATEMENTS))
        return any(
            self._black(text, length - indent) not in (text, None)
            for indent, text in self._long
            if not _fits(text, length - indent)
        )

    def _target_versions(self, *texts: str) -> set[TargetVersion]:
        """The Python versions the file can be for, where that has a say: a comma after stars, and `with` in brackets.

        Black finds them from the whole file; a statement alone would tell too little.
        """
        if not any("*" in text or text.startswith(("with", "async", "try")) for text in texts):
            return set()
        if self._versions is None:
            try:
                tree = lib2to3_parse(self._text.lstrip())
                self._versions = black.detect_target_versions(tree, future_imports=black.get_future_imports(tree))
            except InvalidInput:
                self._versions = set()
        return self._versions

    def _formatted(
        self, before: str, after: str, length: int, new_length: int, versions: set[TargetVersion]
    ) -> str | None:
        if self._black(before, length, versions) != before:
            return None
        return self._black(after, new_length, versions)

    def _black(self, text: str, length: int, versions: set[TargetVersion] | None = None) -> str | None:
        """None if black cannot read the text."""
        key = (text, length, frozenset(versions or ()))
        if key not in self._known:
            self._known[key] = _black(*key)
        return self._known[key]


class _Stretch:
    def __init__(self, first: int, column: int) -> None:
        self.first, self.column, self.last = first, column, 1 << 60


def _fits(text: str, length: int) -> bool:
    """Whether a text is one line of at most `length` columns."""
    return text.find("\n") == len(text) - 1 and str_width(text) - 1 <= length


def _black(text: str, length: int, versions: frozenset[TargetVersion]) -> str | None:
    mode = black.Mode(line_length=max(length, 1), target_versions=set(versions))
    try:
        return black.format_str(text, mode=mode)
    except (InvalidInput, IndentationError, tokenize.TokenError):
        return None


def _long_statements(text: str) -> Iterator[tuple[int, str]]:
    """Simple statements on a line of their own that is longer than the shortest line length, with their indentation.

    Strings are left out: black looks at a docstring with other eyes.
    """
    lines = text.split("\n")
    long = {number for number, line in enumerate(lines, start=1) if str_width(line) > _LENGTHS[0]}
    if not long or "fmt:" in text or "yapf:" in text:
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and node.lineno == node.end_lineno and node.lineno in long:
            line = lines[node.lineno - 1]
            indent = len(line) - len(line.lstrip())
            is_string = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if node.col_offset == indent and not hasattr(node, "body") and not is_string:
                yield indent, line.strip() + "\n"


def _off_stretches(text: str) -> list[_Stretch]:
    """The lines under `# fmt: off`: until `# fmt: on`, or the end of the block that the comment stands in."""
    if "fmt:" not in text and "yapf:" not in text:
        return []
    found: list[_Stretch] = []
    at_line_start = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        line, column = token.start
        alone = not token.line[:column].strip()
        if token.type == tokenize.COMMENT and alone and token.string in _OFF and not _open(found):
            found.append(_Stretch(line, column))
        elif token.type == tokenize.COMMENT and alone and token.string in _ON and _open(found):
            found[-1].last = line
        elif token.type in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT):
            at_line_start = at_line_start or token.type == tokenize.NEWLINE
            continue
        elif at_line_start and _open(found) and column < found[-1].column:
            found[-1].last = line - 1
        at_line_start = token.type == tokenize.COMMENT and at_line_start
    return found


def _open(stretches: list[_Stretch]) -> bool:
    return bool(stretches) and stretches[-1].last == 1 << 60
