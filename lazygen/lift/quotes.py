"""String literals in what is written, in the quotes of the source: `stage["w"]`, as that is how the source says it."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterable, Iterator

from lazygen.lift.plan import AddArguments, Edit, InsertStatements, ReplaceExpression
from lazygen.values import replace


def quoted(edits: Iterable[Edit], source: str) -> Iterator[Edit]:
    """The edits, their literals as they stand elsewhere in the source, else in the quotes that black writes."""
    for edit in edits:
        if isinstance(edit, AddArguments):
            arguments = tuple(replace(argument, text=_in_quotes(argument.text, source)) for argument in edit.arguments)
            yield replace(edit, arguments=arguments)
        elif isinstance(edit, (InsertStatements, ReplaceExpression)):
            yield replace(edit, text=_in_quotes(edit.text, source))
        else:
            yield edit


def _in_quotes(text: str, source: str) -> str:
    if "'" not in text:
        return text
    lines = text.splitlines(keepends=True)
    for token in reversed(list(_strings(text))):
        (row, start), (_, end) = token.start, token.end
        literal = _chosen(token.string, source)
        lines[row - 1] = f"{lines[row - 1][:start]}{literal}{lines[row - 1][end:]}"
    return "".join(lines)


def _strings(text: str) -> Iterator[tokenize.TokenInfo]:
    """The plain literals of one line in single quotes that could stand in double ones."""
    for token in tokenize.generate_tokens(io.StringIO(f"({text}\n)").readline):
        is_plain = token.type == tokenize.STRING and token.string.startswith("'") and token.start[0] == token.end[0]
        if is_plain and not token.string.startswith("'''") and not {'"', "\\"} & set(token.string):
            shift = 1 if token.start[0] == 1 else 0
            (row, start), (last, end) = token.start, token.end
            yield token._replace(start=(row, start - shift), end=(last, end - shift))


def _chosen(literal: str, source: str) -> str:
    double = f'"{literal[1:-1]}"'
    return literal if literal in source and double not in source else double
