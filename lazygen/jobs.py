"""From the arguments of a command to jobs: which source, with which settings, goes where.

A job is one output.  The models of a source that name no output share the default one, those that name the same one
share that.  For each setting counts, in this order: the flag, the comment in the source, the target in pyproject.toml,
`[tool.lazygen]`, and for a source of which none of these says anything, the flags in the header of its default output.
"""

from __future__ import annotations

import os
import tokenize
from io import BytesIO
from typing import NamedTuple, NoReturn

from lazygen.flags import Flags, flags_in, given_by
from lazygen.header import Header, read_header
from lazygen.project import Project, Projects
from lazygen.setting_lines import settings_in
from lazygen.written import Given, Written, refuse

SUFFIX = "_explicit"


class Options(NamedTuple):
    """What a command is asked to do with its files.

    `flags` are those that are settings.  `output` is a path, `-` for stdout, or None for the default.  `check` and
    `diff` write no file.  `force` overwrites a file that somebody edited or that lazygen did not write.  `hook` leaves
    out files without settings.
    """

    flags: Flags = []  # noqa: RUF012 - never changed
    output: str | None = None
    check: bool = False
    diff: bool = False
    force: bool = False
    stdin_filename: str | None = None
    hook: bool = False

    @property
    def dry(self) -> bool:
        """Whether no file is written."""
        return self.check or self.diff


class Job(NamedTuple):
    """One output and what it is made from.

    `typed` is the argument; `name` is what findings call the source; `file` is where it is (None for stdin without a
    name); `output` is None for stdout; `flags` are those for the header's command, `models` the settings of each model.
    `configured` says that settings for the source stand somewhere, or in the header of its output.
    """

    typed: str
    name: str
    file: str | None
    content: bytes
    output: str | None
    flags: Flags
    models: list[Given]
    configured: bool


def decoded(content: bytes) -> str | None:
    """The text of a Python file without its byte-order mark; None if it cannot be told."""
    try:
        encoding, _ = tokenize.detect_encoding(BytesIO(content).readline)
        return content.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return None


def jobs_for(typed: str, content: bytes, options: Options, projects: Projects) -> list[Job]:
    """The jobs of an argument that is a file, or `-` with what came on stdin.

    Raises Refused for settings that cannot be read, and for a generated file whose source is not there.
    """
    text = decoded(content)
    header = read_header(text) if text is not None and typed != "-" else None
    if header is not None:
        return _of_generated(typed, header, options, projects)
    name = typed if typed != "-" else options.stdin_filename or "<stdin>"
    return _of_source(typed, name, content, options, projects)


def default_output(file: str) -> str:
    """Where the output of a source goes if nothing else is said: beside it."""
    folder, name = os.path.split(file)
    return os.path.join(folder, f"{os.path.splitext(name)[0]}{SUFFIX}.py")


def identity(path: str | None) -> str:
    """The same text for two paths of the same file, through symbolic links."""
    return os.path.normcase(os.path.realpath(path)) if path is not None else ""


def merged(flags: Given, comments: list[Given], targets: list[Given], defaults: Given) -> list[Given]:
    """The settings of each model, every key from the first that has it.

    A source that has comments has the models that these say, and targets fill in what a comment leaves out.  Flags hold
    for all models; but `--entry` chooses one.
    """
    models = [{**_same_entry(targets, model), **model} for model in comments] if comments else targets or [{}]
    if "entry" in flags and len(models) > 1:
        wanted = flags["entry"][0].text
        models = [model for model in models if model.get("entry") and model["entry"][0].text == wanted] or [{}]
    return [{**defaults, **model, **flags} for model in models]


def _same_entry(targets: list[Given], model: Given) -> Given:
    entry = _entry(model)
    return next((target for target in targets if _entry(target) == entry or (len(targets) == 1 and not entry)), {})


def _entry(model: Given) -> str | None:
    return model["entry"][0].text if "entry" in model else None


def _of_source(
    typed: str, name: str, content: bytes, options: Options, projects: Projects, flags: Flags | None = None
) -> list[Job]:
    """The jobs of a source.  `flags` are those of the command if not given."""
    file = name if typed != "-" or options.stdin_filename is not None else None
    project = projects.of(os.path.dirname(file) if file else os.getcwd())
    text = decoded(content) or ""
    comments = settings_in(text, name)
    targets = project.targets.get(os.path.realpath(file), []) if file else []
    flags = options.flags if flags is None else flags
    configured = bool(comments or targets)
    if not configured and file and not _says_something(flags, project):
        header = _header_of(default_output(file))
        if header is not None and header.source_name == os.path.basename(file):
            configured = True
            typed_keys = {key for key, _ in flags}
            flags = [*(flag for flag in flags_in(header.command) if flag[0] not in typed_keys), *flags]
    models = merged(given_by(flags), comments, targets, project.defaults)
    return [
        Job(typed, name, file, content, output, flags, group, configured)
        for output, group in _outputs(typed, name, file, models, options)
    ]


def _says_something(flags: Flags, project: Project) -> bool:
    keys = {key for key, _ in flags} | set(project.defaults)
    return bool(keys & {"entry", "input-shape", "arg", "partial"})


def _outputs(
    typed: str, name: str, file: str | None, models: list[Given], options: Options
) -> list[tuple[str | None, list[Given]]]:
    """The outputs of a source with the models that go into each."""
    if options.output is not None:
        return [(None if options.output == "-" else options.output, models)]
    if file is None or (typed == "-" and not options.dry):
        return [(None, models)]
    groups: dict[str, tuple[str, list[Given]]] = {}
    for model in models:
        output = _stated_output(model["output"][0], name, file) if "output" in model else default_output(file)
        groups.setdefault(identity(output), (output, []))[1].append(model)
    return list(groups.values())


def _stated_output(written: Written, name: str, file: str) -> str:
    """An output that a comment names is relative to its source, one that a pyproject.toml names to that file."""
    if not written.text.strip() or written.text == "-":
        help_ = f"for example: {written.before}net.py; what is printed is said on the command line, with -o -"
        refuse("LZ064", f'"{written.text}" is not the path of a file', written.place(), help_)
    folder = os.path.dirname(file if written.path == name else written.path)
    return os.path.normpath(os.path.join(folder, written.text))


def _of_generated(typed: str, header: Header, options: Options, projects: Projects) -> list[Job]:
    """The job that makes a generated file: it converts the source that its header names."""
    file = _source_of(typed, header)
    if file is None:
        _refuse_orphan(typed, header)
    with open(file, "rb") as opened:
        content = opened.read()
    jobs = _of_source(typed, file, content, options, projects)
    own = [job for job in jobs if identity(job.output) == identity(typed)]
    if own or options.output is not None:
        return [job._replace(configured=True) for job in own or jobs]
    # No setting leads to this file, so it was made by flags and -o.
    typed_keys = {key for key, _ in options.flags}
    flags = [flag for flag in flags_in(header.command) if flag[0] not in typed_keys] + list(options.flags)
    jobs = _of_source(typed, file, content, options._replace(output=typed), projects, flags)
    return [job._replace(configured=True) for job in jobs]


def orphaned(typed: str, content: bytes) -> Header | None:
    """The header of a generated file whose source does not lie beside it; None for any other file."""
    text = decoded(content)
    header = read_header(text) if text is not None and typed != "-" else None
    return header if header is not None and _source_of(typed, header) is None else None


def _source_of(typed: str, header: Header) -> str | None:
    name = header.source_name
    file = os.path.join(os.path.dirname(typed), name)
    return file if os.path.basename(name) == name and os.path.isfile(file) else None


def _refuse_orphan(typed: str, header: Header) -> NoReturn:
    from lazygen.diagnostics import Diagnostic, Refused

    if header.source_name == "<stdin>":
        problem, help_ = f"{typed} was made from a source on stdin, which is not there any more", "name the source"
    else:
        problem = f"{header.source_name}, the source of {typed}, does not lie beside it"
        help_ = "name the source itself, or put it there; a file without its header is a source of its own"
    raise Refused(Diagnostic("LZ415", problem, helps=(help_,)))


def _header_of(path: str) -> Header | None:
    try:
        with open(path, "rb") as file:
            text = decoded(file.read())
    except OSError:
        return None
    return read_header(text) if text is not None else None
