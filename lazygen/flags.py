"""Flags as settings: what was typed, what a header repeats, and the command that says the same again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lazygen.written import COMMAND_LINE, KEYS, SWITCHES, Given, Written

Flags = list[tuple[str, str]]
"""Pairs of key and value in the order of a command: `("input-shape", "8,3")`; switches have the value `true`."""


def flags_of(
    *,
    entry: str | None = None,
    input_shape: Iterable[str] = (),
    arg: Iterable[str] = (),
    partial: bool = False,
    timeout: float | None = None,
    engine: str | None = None,
    placing: Mapping[str, str | bool | None] | None = None,
) -> Flags:
    """The flags that are settings, always in the same order.

    `placing` are those of `written.PLACING`.  A line end in a value becomes a space: flags are also written into a
    comment, which ends with its line.
    """
    flags = [("entry", entry)] if entry is not None else []
    flags += [("input-shape", text) for text in input_shape]
    flags += [("arg", text) for text in arg]
    flags += [("partial", "true")] if partial else []
    flags += [("timeout", f"{timeout:g}")] if timeout is not None else []
    flags += [("engine", engine)] if engine is not None else []
    for key, value in (placing or {}).items():
        flags += [(key, "true" if value is True else str(value))] if value not in (None, False) else []
    return [(key, " ".join(value.splitlines())) for key, value in flags]


def words_of(flags: Flags, leave_out: Sequence[str] = ()) -> list[str]:
    """The words of a command that gives these flags."""
    words = []
    for key, value in flags:
        if key not in leave_out:
            words += [f"--{key}"] if key in SWITCHES else [f"--{key}", value]
    return words


def text_of(flags: Flags) -> str:
    """What places at `COMMAND_LINE` point into: one `--flag value` a line."""
    return "\n".join(" ".join(words_of([flag])) for flag in flags)


def given_by(flags: Flags) -> Given:
    """The flags as settings that know their place."""
    given: Given = {}
    for line, (key, text) in enumerate(flags, start=1):
        before = f"--{key} "
        written = Written(text, path=COMMAND_LINE, line=line, column=len(before), before=before)
        given.setdefault(key, []).append(written)
    return given


def flags_in(command: str) -> Flags:
    """The flags of a command as a header states it; empty if somebody made something else of it."""
    import shlex

    try:
        words = shlex.split(command)[3:]  # behind `lazygen convert FILE`
    except ValueError:
        return []
    flags: Flags = []
    while words:
        word = words.pop(0)
        key = word[2:]
        if not word.startswith("--") or key not in KEYS or key in ("output", "timeout"):
            return []
        if key in SWITCHES:
            flags.append((key, "true"))
        elif words:
            flags.append((key, words.pop(0)))
        else:
            return []
    return flags
