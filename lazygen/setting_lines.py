"""Settings that stand in the source: comments above the first statement, one line a model.

    # lazygen: entry=ResNet(7) input-shape=8,3,224,224 output=resnet.py
    # lazygen: entry='Mixer(blocks=2)' input-shape=x=8,3 arg=mode="a b" partial

Words are separated by spaces, which a value may hold inside quotes, parentheses, brackets and braces.  Quotes around a
whole value are not a part of it; any others are, so a string of Python keeps its own.
"""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from io import StringIO

from lazygen.written import KEYS, REPEATABLE, SWITCHES, Given, Written, refuse

_START = re.compile(r"#[ \t]*lazygen:")
# The second line of a header, and what silences a warning, are no settings.
_OTHER = re.compile(r"#[ \t]*lazygen:[ \t]*(rev=\d|ignore\[)")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_NO_STATEMENT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER)


def settings_in(text: str, path: str) -> list[Given]:
    """The settings of each model of a source, in the order of their lines; `path` is the name that findings give.

    Raises Refused (usage) for what is no setting (LZ058), for a quote or bracket that stays open (LZ059) and for a line
    below the first statement (LZ061).
    """
    models = []
    for line, column, comment, below in _setting_comments(text):
        written = Written(comment, path=path, line=line, column=column)
        if below:
            refuse(
                "LZ061",
                "this line stands below the first statement, where no settings are read",
                written.place(),
                "move it to the top of the file",
            )
        models.append(_model(written))
    return models


def without_settings(code: str, source: str) -> str:
    """`code` without the settings lines of its source, everything else byte for byte.

    Lines dropped from between empty ones take the empty ones below along: two paragraphs would stand too far apart.
    """
    settings = {comment for _, _, comment, _ in _setting_comments(source)}
    dropped = {line for line, _, comment, _ in _setting_comments(code) if comment in settings}
    if not dropped:
        return code
    kept: list[str] = []
    after_dropped = False
    for number, line in enumerate(_LINE.findall(code), start=1):
        if number in dropped:
            after_dropped = True
        elif line.strip() or not after_dropped or not kept or kept[-1].strip():
            kept.append(line)
            after_dropped = after_dropped and not line.strip() and len(kept) > 1
    return "".join(kept)


def _setting_comments(text: str) -> Iterator[tuple[int, int, str, bool]]:
    """The comments with settings that have a line of their own: line, column, comment, whether below a statement.

    A docstring counts as no statement.
    """
    left = len(_START.findall(text))
    below, first = False, True
    try:
        for token in tokenize.generate_tokens(StringIO(text).readline) if left else ():
            if token.type == tokenize.COMMENT and _START.match(token.string):
                if not _OTHER.match(token.string) and not token.line[: token.start[1]].strip():
                    yield *token.start, token.string.rstrip(), below
                left -= 1
            elif token.type not in _NO_STATEMENT:
                below = below or not (first and token.type == tokenize.STRING)
                first = False
            if not left:
                return
    except (tokenize.TokenError, SyntaxError):
        return  # what the pipeline has to say about the syntax is better


def _model(comment: Written) -> Given:
    """The settings of one comment."""
    given: Given = {}
    found = _START.match(comment.text)
    assert found is not None
    for word in _words(comment, found.end()):
        key, equals, value = word.text.partition("=")
        if key not in KEYS:
            _refuse_key(word, key, equals)
        if not equals and key not in SWITCHES:
            refuse("LZ058", f'"{key}" has no value', word.place(), f"for example: {EXAMPLES[key]}")
        if key in given and key not in REPEATABLE:
            help_ = "a line is one model; give the next one a line of its own"
            refuse("LZ058", f'"{key}" is given twice in one line', word.place(0, len(key)), help_)
        start = len(key) + len(equals)
        if len(value) > 1 and value[0] in "'\"" and _end_of_quote(value, 0) == len(value):
            value, start = value[1:-1], start + 1
        written = Written(
            value if equals else "true",
            path=word.path,
            line=word.line,
            column=word.column + (start if equals else 0),
            before=f"{key}=",
        )
        given.setdefault(key, []).append(written)
    return given


EXAMPLES = {
    "entry": "entry=Net(8)",
    "input-shape": "input-shape=8,3,32,32",
    "arg": "arg=mask=None",
    "output": "output=net.py",
    "partial": "partial",
    "timeout": "timeout=30",
    "engine": "engine=torch",
    "device": "device=cuda:0",
    "dtype": "dtype=float64",
    "device-argument": "device-argument",
    "data-parallel": "data-parallel=0,1",
    "pipeline": "pipeline",
    "shard": "shard",
}


def _refuse_key(word: Written, key: str, equals: str) -> None:
    if not equals and key.strip(",").replace(",", "").isdigit():
        help_ = "sizes are joined by commas, without spaces: input-shape=8,3,32,32"
        refuse("LZ058", f'"{word.text}" is not a setting', word.place(), help_)
    refuse_key(key, word, len(key), f"for example: {EXAMPLES['input-shape']}" if not equals else "")


def refuse_key(key: str, word: Written, width: int, more: str = "", known: tuple[str, ...] = KEYS) -> None:
    """Refuse a key that is none, with the one that was probably meant.  `word` starts with the key."""
    import difflib

    plain = key.strip("-").replace("_", "-").lower()
    close = difflib.get_close_matches({"shape": "input-shape", "model": "entry"}.get(plain, plain), known, 1)
    helps = [f"did you mean {close[0]}?"] if close else []
    helps.append(f"the settings are {', '.join(known)}")
    refuse("LZ058", f'"{key}" is not a setting', word.place(0, width), *helps, *([more] if more else []))


def _words(comment: Written, start: int) -> Iterator[Written]:
    text = comment.text
    at = start
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        end = _end_of_word(comment, at)
        yield Written(text[at:end], path=comment.path, line=comment.line, column=comment.column + at)
        at = end


def _end_of_word(comment: Written, start: int) -> int:
    """Where the word that starts there ends: at the first space outside quotes and brackets."""
    text = comment.text
    open_: list[int] = []
    at = start
    while at < len(text) and (open_ or not text[at].isspace()):
        character = text[at]
        if character in "'\"":
            end = _end_of_quote(text, at)
            if end < 0:
                refuse("LZ059", "this quote is not closed", comment.place(at, at + 1), "close it in the same line")
            at = end
            continue
        if character in _CLOSING:
            open_.append(at)
        elif open_ and character == _CLOSING[text[open_[-1]]]:
            open_.pop()
        at += 1
    if open_:
        help_ = f'close it with "{_CLOSING[text[open_[-1]]]}" in the same line'
        refuse("LZ059", "this bracket is not closed", comment.place(open_[-1], open_[-1] + 1), help_)
    return at


def _end_of_quote(text: str, start: int) -> int:
    """The end of the quoted text that starts there, behind its closing quote; -1 if there is none."""
    at = start + 1
    while at < len(text):
        if text[at] == text[start]:
            return at + 1
        at += 2 if text[at] == "\\" else 1
    return -1
