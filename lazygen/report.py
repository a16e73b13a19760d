"""What a run says and exits with: one `Report` owns the counts, the words and the exit code.

Everything goes to stderr; stdout belongs to code and diffs.  Exit codes: 0 done or up to date, 1 something in a user's
file, 2 usage or configuration, 3 a bug in lazygen.  Of several files the highest one counts.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from lazygen.diagnostics import Diagnostic

Color = Literal["auto", "always", "never"]


class Report:
    """`files` is how many files the run is about: only a run over several ends with a summary.

    `quiet` leaves only errors; `verbose` adds remarks, and the traceback of a bug.  `dry` says that nothing is written,
    as with `--check`, so that the summary speaks of what would happen.
    """

    def __init__(
        self, *, quiet: bool = False, verbose: bool = False, color: Color = "auto", dry: bool = False, files: int = 1
    ) -> None:
        self.quiet = quiet
        self.verbose = verbose
        self.color = wants_color(color)
        self.dry = dry
        self.files = files
        self.exit_code = 0
        self.counts = {"created": 0, "changed": 0, "unchanged": 0, "failed": 0, "printed": 0}
        self.bugs = 0
        self._spoken = False
        self._after_block = False

    def created(self, output: str) -> None:
        """A file was written that was not there before, or would be."""
        self._done("created", "" if self.dry else f"created {output}")

    def changed(self, output: str) -> None:
        """A file got another content, or would get it."""
        self._done("changed", "" if self.dry else f"updated {output}")

    def unchanged(self, output: str) -> None:
        """A file already has the content it should have."""
        self._done("unchanged", f"{output} is up to date" if self.files == 1 or self.verbose else "")

    def printed(self) -> None:
        """Code went to stdout."""
        self._done("printed", "")

    def failed(self, exit_code: int) -> None:
        """Nothing came out for a file; its findings have been told."""
        self.counts["failed"] += 1
        self.exit_code = max(self.exit_code, exit_code)

    def tell(self, diagnostics: Iterable[Diagnostic], texts: Mapping[str, str], *, usage: bool = False) -> int:
        """Print findings, and return the exit code they call for (`usage`: the command line is at fault)."""
        from lazygen.render import render

        diagnostics = list(diagnostics)
        errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]
        self._say(render(errors if self.quiet else diagnostics, texts, color=self.color), block=True)
        bugs = sum(diagnostic.code.startswith("LZ9") for diagnostic in errors)
        self.bugs += bugs
        exit_code = 3 if bugs else 2 if errors and usage else 1 if errors else 0
        self.exit_code = max(self.exit_code, exit_code)
        return exit_code

    def bug(self, doing: str, error: BaseException) -> None:
        """An exception that nobody foresaw, met while `doing` something."""
        from lazygen.diagnostics import Diagnostic

        if self.verbose:
            import traceback

            self._say("".join(traceback.format_exception(error)), block=True)
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        self.failed(self.tell([Diagnostic("LZ900", f"a bug in lazygen, met while {doing}: {what}")], {}))

    def remark(self, text: str) -> None:
        """A sentence for who wants to know more (`-v`)."""
        if self.verbose:
            self._say(f"{text}\n")

    def advice(self, text: str) -> None:
        """What to do next, unless only errors are wanted."""
        if not self.quiet:
            self._say(f"{text}\n")

    def finish(self) -> int:
        """Print the summary, and how to report a bug if there was one; return the exit code of the run."""
        if self.files > 1 and not self.quiet:
            self._say(self.summary() + "\n")
        if self.bugs:
            self._say(how_to_report(self.verbose), block=True)
        return self.exit_code

    def summary(self) -> str:
        """`2 files created, 1 file failed.`"""
        would = "would be " if self.dry else ""
        words = {
            "created": would + "created",
            "changed": would + "updated",
            "unchanged": "up to date",
            "printed": "printed",
            "failed": "failed",
        }
        parts = [
            f"{count} {'file' if count == 1 else 'files'} {words[kind]}" for kind, count in self.counts.items() if count
        ]
        return (", ".join(parts) or "nothing to do") + "."

    def _done(self, kind: str, words: str) -> None:
        self.counts[kind] += 1
        if words and not self.quiet:
            self._say(words + "\n")

    def _say(self, text: str, *, block: bool = False) -> None:
        """Write to stderr, with an empty line around a block; a stderr that is closed or gone stops no conversion."""
        if not text or sys.stderr is None:
            return
        gap = "\n" if self._after_block or (block and self._spoken) else ""
        self._spoken, self._after_block = True, block
        try:
            sys.stderr.write(gap + text)
            sys.stderr.flush()
        except (OSError, ValueError):
            pass


def wants_color(color: Color, name: Literal["stderr", "stdout"] = "stderr") -> bool:
    """Whether a stream gets colours: `auto` looks for a terminal, and honours NO_COLOR (https://no-color.org)."""
    if color != "auto":
        return color == "always"
    stream = getattr(sys, name)
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or stream is None:
        return False
    return bool(stream.isatty())


def how_to_report(verbose: bool) -> str:
    """What a person does about a bug."""
    import platform

    from lazygen import __version__

    first = "Your file is not at fault, and nothing was written for it."
    second = "the traceback above" if verbose else "what `-v` prints"
    versions = f"lazygen {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    return f"{first}\nPlease report it to lazygen: the command, the file, {second}, and: {versions}\n"
