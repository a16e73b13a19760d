"""What to say to a mistake on the command line: what click found, in the form and the words of all other findings."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import click

from lazygen.diagnostics import Diagnostic

EXAMPLE = "lazygen convert model.py --input-shape 8,3,32,32"


class Usage(click.UsageError):
    """A mistake that knows its cure."""

    def __init__(self, message: str, help_text: str) -> None:
        super().__init__(message)
        self.help_text = help_text


def unknown_command(arguments: list[str], known: Iterable[str]) -> Usage:
    """What stands in the place of a command and is none: a file, or something that is spelled like one."""
    name = arguments[0]
    if name.endswith(".py") or name.startswith("."):
        help_text = f"did you mean: lazygen convert {' '.join(arguments)}"
    else:
        close = _close(name, known)
        help_text = f"did you mean: lazygen {close}" if close else f"for example: {EXAMPLE}"
    return Usage(f'"{name}" is not a command', help_text)


def finding(error: click.ClickException, command: click.Command) -> Diagnostic:
    """A mistake in what a command was given, as a finding."""
    is_group = isinstance(command, click.Group)
    path = "lazygen" if is_group else f"lazygen {command.name}"
    example = f"for example: {EXAMPLE if is_group else EXAMPLE.replace('lazygen convert', path)}"
    message, help_text = error.format_message().rstrip("."), f"{path} --help lists the options"
    message = message[:1].lower() + message[1:]
    if isinstance(error, Usage):
        help_text = error.help_text
    elif isinstance(error, click.NoSuchOption):
        message = f"there is no option {error.option_name}"
        names = [name for option in command.params for name in option.opts]
        words = [name.removeprefix("--") for name in names if name.startswith("--")]
        close = _close(error.option_name.lstrip("-"), words)
        help_text = f"did you mean --{close}?" if close else help_text
    elif isinstance(error, click.MissingParameter):
        message = "no file to convert is given" if command.name == "convert" else f"no file is given for {path}"
        help_text = example
    elif isinstance(error, click.BadOptionUsage) and error.option_name == "--input-shape":
        help_text = example
    return Diagnostic("", message, helps=(help_text,))


def _close(name: str, known: Iterable[str]) -> str | None:
    """What a name is spelled like."""
    return next(iter(difflib.get_close_matches(name, list(known), 1)), None)
