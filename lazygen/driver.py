"""From the arguments of `lazygen convert` to files on disk or code on stdout, one source after the other.

A source that fails does not stop the others.  Only `files.py` and this module touch the disk for output.  The path of a
file that is up to date imports nothing that takes time: what a conversion needs is imported by the first one.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from lazygen import arguments
from lazygen.flags import Flags, given_by, text_of, words_of
from lazygen.header import Header, add_header, read_header
from lazygen.jobs import Job, Options, decoded, identity, jobs_for, orphaned
from lazygen.project import Projects
from lazygen.written import COMMAND_LINE, refuse, shaping

if TYPE_CHECKING:
    from lazygen.diagnostics import Diagnostic
    from lazygen.files import Source
    from lazygen.report import Report


def convert_files(files: Sequence[str], options: Options, report: Report) -> int:
    """Convert every source, those below a folder too, and say so in `report`; the result is its exit code.

    A mistake in how the flags go together stops the run before anything is read.
    """
    run = Run(options, report)
    with run.reporting("reading the command line"):
        arguments.check(files, options)
        if options.flags:
            _check_flags(options.flags)
    if report.exit_code:
        return report.exit_code
    run.plan(files)
    for job in run.jobs:
        with run.reporting(f"converting {job.name}", job.name, job.content):
            run.convert(job)
    return run.finish()


class Run:
    """One run of a command over all its files."""

    def __init__(self, options: Options, report: Report) -> None:
        self.options, self.report = options, report
        self.projects = Projects()
        self.jobs: list[Job] = []
        self.written: list[str] = []

    @contextlib.contextmanager
    def reporting(self, doing: str, name: str = "", content: bytes | None = None) -> Iterator[None]:
        """Report what stops the work on one file, so that it does not stop the work on the next."""
        try:
            yield
        except (Exception, SystemExit) as error:
            from lazygen.diagnostics import Refused

            if not isinstance(error, Refused):
                self.report.bug(doing, error)
                return
            texts = with_other_texts(self._texts(name, content), error.diagnostics)
            self.report.failed(self.report.tell(error.diagnostics, texts, usage=error.usage))

    def plan(self, files: Sequence[str]) -> None:
        """Find out what to convert into what, each output once.

        A file that another source of the same run is written to is not a source of its own, so `lazygen convert *.py`
        can be given twice.
        """
        jobs: dict[object, Job] = {}
        orphans: list[tuple[str, Header]] = []
        for typed, only_configured in arguments.expanded(files, self.options):
            if only_configured and not arguments.may_count(typed, self.projects):
                continue
            content = None
            with self.reporting(f"reading {typed}"):
                content = arguments.read(typed)
            if content is None:
                continue
            orphan = orphaned(typed, content) if only_configured else None
            if orphan is not None:
                orphans.append((typed, orphan))
                continue
            name = self.options.stdin_filename or "<stdin>" if typed == "-" else typed
            with self.reporting(f"reading the settings of {typed}", name, content):
                for job in jobs_for(typed, content, self.options, self.projects):
                    if job.configured or not only_configured:
                        self._add(job, jobs)
        outputs = {identity(job.output) for job in jobs.values() if job.output is not None}
        self._check_orphans([item for item in orphans if identity(item[0]) not in outputs])
        several = len(jobs) > 1
        self.jobs = [
            job
            for job in jobs.values()
            if not several or job.typed == "-" or job.file is None or identity(job.file) not in outputs
        ]
        over_folders = any(path != "-" and os.path.isdir(path) for path in files)
        count = len(self.jobs) + self.report.counts["failed"]
        self.report.files = max(count, 2) if over_folders else count

    def _add(self, job: Job, jobs: dict[object, Job]) -> None:
        key = identity(job.output) if job.output is not None else len(jobs)
        other = jobs.setdefault(key, job)
        if identity(other.file) != identity(job.file):
            problem = f"{other.name} and {job.name} are both written to {job.output}"
            refuse("LZ404", problem, None, "give one of them another output")

    def _check_orphans(self, orphans: list[tuple[str, Header]]) -> None:
        """Generated files whose source is elsewhere, and not in this run, can at least be looked at for edits."""
        for path, header in orphans:
            if header.is_edited():
                problem = f"{path} is hand-edited: it is not as lazygen wrote it"
                help_ = f"move the edit into its source, {header.source_name}, and convert that with --force"
                self._stands_against("LZ413", problem, (), help_)

    def convert(self, job: Job) -> None:
        """Convert one source and deliver the output.  Raises Refused."""
        arguments.check_output(job, self.options)
        text = decoded(job.content)
        line_length = self.projects.line_length(os.path.dirname(job.file) if job.file else os.getcwd())
        digest = _source_digest(job, text, line_length) if text is not None else ""
        before = _existing(job)
        if before is not None and not self._may_write(job, before, digest):
            return
        # Only now: a file that is up to date needs none of these.
        from pathlib import Path

        from lazygen import config, files, pipeline
        from lazygen.setting_lines import without_settings

        source = files.read_source(job.content, job.name)
        settings = config.read_settings(job.models)
        folder = os.path.dirname(os.path.abspath(job.file)) if job.file else os.getcwd()
        conversion = pipeline.convert_source(
            source.text, settings, path=job.name, folder=Path(folder), line_length=line_length
        )
        texts = with_other_texts(self._texts(job.name, job.content), conversion.diagnostics)
        exit_code = self.report.tell(conversion.diagnostics, texts, usage=conversion.usage)
        for remark in conversion.remarks:
            self.report.remark(remark)
        if conversion.code is None:
            if not exit_code:
                raise RuntimeError("a conversion gave neither code nor an error")
            self.report.failed(exit_code)
            return
        code = without_settings(conversion.code, source.text)
        self._deliver(add_header(code, _header_name(job), header_command(job), digest), source, before, job)

    def _may_write(self, job: Job, before: bytes, digest: str) -> bool:
        """Whether the output has to be made anew; what stands against it is said.

        An output that was edited by hand or that lazygen did not write is not overwritten without `--force`.
        """
        text = decoded(before)
        header = read_header(text) if text is not None else None
        forced = self.options.force and not self.options.dry
        if header is None:
            if before and not forced and not self.options.diff:
                problem = f"{job.output} is there already, and lazygen did not write it"
                help_ = "name another file with -o, or overwrite this one with --force"
                self._stands_against("LZ412", problem, (), help_)
                return False
            return True
        stale, edited = header.is_stale(digest), header.is_edited()
        if forced:
            return True
        if not stale and not edited:
            self.report.unchanged(str(job.output))
            return False
        if edited and not self.options.diff:
            self._edited(job, header, stale)
            return False
        return True

    def _edited(self, job: Job, header: Header, stale: bool) -> None:
        state = "stale and hand-edited" if stale else "hand-edited"
        problem = f"{job.output} is {state}: it is not as lazygen wrote it"
        notes = [f"{_source_words(job)} changed since, too"] if stale else [f"{job.name} is unchanged"]
        if not header.body:
            notes = ["the second line of its header, which holds the digests, is gone or damaged"]
        move = f"move the edit into {job.name}; then overwrite it: {self._command(job, '--force')}"
        self._stands_against("LZ414" if stale else "LZ413", problem, notes, move)

    def _stands_against(self, code: str, problem: str, notes: Iterable[str], *helps: str) -> None:
        from lazygen.diagnostics import Diagnostic, Note

        finding = Diagnostic(code, problem, None, tuple(map(Note, notes)), helps)
        self.report.failed(self.report.tell([finding], {}))

    def _deliver(self, code: str, source: Source, before: bytes | None, job: Job) -> None:
        """Print, compare or write the output."""
        from lazygen import files

        data = files.encode(code, source)
        if job.output is None:
            print_bytes(data)
            self.report.printed()
        elif before == data:
            self.report.unchanged(job.output)
        elif self.options.dry:
            if self.options.diff:
                _print_diff(before, code, source, job.output)
            self._would_change(before, job)
        else:
            files.write_whole(job.output, data)
            self.written.append(job.output)
            (self.report.created if before is None else self.report.changed)(job.output)

    def _would_change(self, before: bytes | None, job: Job) -> None:
        """Name the state of the file on disk, and the command that mends it."""
        from lazygen.diagnostics import Diagnostic

        if before is None:
            helps = (f"write it: {self._command(job)}",)
            finding = Diagnostic("LZ410", f"{job.output}, the output of {job.name}, is missing", helps=helps)
        else:
            text = decoded(before)
            header = read_header(text) if text is not None else None
            flags = []
            if header is None:
                problem, flags = f"{job.output} is there already, and lazygen did not write it", ["--force"]
            elif header.is_edited():
                problem, flags = f"{job.output} is hand-edited: it is not as lazygen wrote it", ["--force"]
            else:
                problem = f"{job.output} is stale: {_source_words(job)} changed since it was written"
            code = "LZ411" if not flags else "LZ412" if header is None else "LZ413"
            finding = Diagnostic(code, problem, helps=(f"renew it: {self._command(job, *flags)}",))
        self.report.tell([finding], {})
        (self.report.created if before is None else self.report.changed)(str(job.output))

    def _command(self, job: Job, *more: str) -> str:
        return typed_command(job, self.options, *more)

    def _texts(self, name: str, content: bytes | None) -> dict[str, str]:
        texts = {COMMAND_LINE: text_of(self.options.flags)}
        if content is not None:
            text = decoded(content)
            texts[name] = text if text is not None else content.decode("utf-8", "replace")
        return texts

    def finish(self) -> int:
        """The exit code, after the last words.  A hook fails if it wrote something, which is not in the commit yet."""
        exit_code = self.report.finish()
        if not self.options.hook or not self.written:
            return exit_code
        import shlex

        self.report.advice(f"add to the commit what was written: git add {shlex.join(self.written)}")
        return max(exit_code, 1)


def _check_flags(flags: Flags) -> None:
    """Refuse a flag that cannot be read before any file is."""
    from lazygen import config

    config.read_settings([given_by(flags)])


def header_command(job: Job) -> str:
    """The command that makes this output, quoted for a shell: the source's name alone, the flags that shape it."""
    import shlex

    name = _header_name(job) if job.file else "-"
    name = f"./{name}" if name.startswith("-") and name != "-" else name
    return shlex.join(["lazygen", "convert", name, *words_of(job.flags, leave_out=("timeout",))])


def typed_command(job: Job, options: Options, *more: str) -> str:
    """The command as it was typed, for this file alone and without `--check`: to be run from here."""
    import shlex

    typed = f"./{job.typed}" if job.typed.startswith("-") and job.typed != "-" else job.typed
    words = ["lazygen", "convert", typed, *words_of(options.flags), *more]
    if options.stdin_filename is not None:
        words += ["--stdin-filename", options.stdin_filename]
    if options.output is not None or job.typed == "-":
        words += ["-o", str(job.output)]
    return shlex.join(words)


def _header_name(job: Job) -> str:
    return os.path.basename(job.file) if job.file else "<stdin>"


def _source_words(job: Job) -> str:
    return f"{job.name}, a setting or a module that it imports has"


def _source_digest(job: Job, text: str, line_length: int | None) -> str:
    from lazygen.dependencies import project_modules
    from lazygen.digest import source_digest

    settings = [f"line-length={line_length}"]
    for model in shaping(job.models):
        settings += ["model", *(f"{key}={written.text}" for key, values in model.items() for written in values)]
    return source_digest(text, settings, project_modules(job.file or os.path.join(os.getcwd(), "<stdin>"), text))


def _existing(job: Job) -> bytes | None:
    """The bytes of the output that is there; None if there is none that could be compared with."""
    if job.output is None or not os.path.isfile(job.output):
        return None
    try:
        with open(job.output, "rb") as file:
            return file.read()
    except OSError as error:
        refuse("LZ401", f"{job.output} cannot be read: {error.strerror}", None)


def _print_diff(before: bytes | None, code: str, source: Source, output: str) -> None:
    from lazygen import diff

    # Bytes that are not in the encoding of the source come out as they went in.
    old = (before or b"").removeprefix(b"\xef\xbb\xbf").decode(source.encoding, "surrogateescape")
    text = diff.unified_diff(old, code, "/dev/null" if before is None else output, output)
    print_bytes(text.encode(source.encoding, "surrogateescape"))


def print_bytes(data: bytes) -> None:
    """Write to stdout; a reader that has left early (`| head`) is nobody's mistake."""
    if sys.stdout is None:
        refuse("LZ402", "there is no stdout to print to", None, "name a file with -o")
    try:
        sys.stdout.flush()
        rest = memoryview(data)
        while rest:  # with PYTHONUNBUFFERED this is a raw file, which may take a part only
            rest = rest[sys.stdout.buffer.write(rest) :]
        sys.stdout.buffer.flush()
    except OSError as error:
        silence_stdout()
        if error.errno not in (errno.EPIPE, errno.EINVAL):
            refuse("LZ402", f"stdout cannot be written: {error.strerror}", None)


def silence_stdout() -> None:
    """Let what is still buffered go nowhere, so that Python does not complain about it when it exits."""
    with contextlib.suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def with_other_texts(texts: dict[str, str], diagnostics: Iterable[Diagnostic]) -> dict[str, str]:
    """`texts`, and those of the project's other modules and configuration files that findings point into."""
    texts = dict(texts)
    for diagnostic in diagnostics:
        path = diagnostic.place.path if diagnostic.place else None
        if path is None or path in texts or path.startswith("<"):
            continue
        with contextlib.suppress(OSError, ValueError), open(path, "rb") as file:
            text = decoded(file.read())
            if text is not None:
                texts[path] = text
    return texts
