"""The words on the command line that name files: whether they go with the flags, which files they are, their bytes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence

from lazygen.folders import SPECS, source_files
from lazygen.jobs import SUFFIX, Job, Options, default_output, identity
from lazygen.project import Projects
from lazygen.written import refuse

EXAMPLE_SHAPE = "8,3,32,32"
_SETTINGS, _HEAD = b"lazygen:", 4096  # what a comment with settings has, and where it stands at the latest


def check(files: Sequence[str], options: Options) -> None:
    """Refuse flags that do not go together, or not with the files."""
    flag = "--diff" if options.diff else "--check"
    folder = next((path for path in files if path != "-" and os.path.isdir(path)), None)
    if options.output is not None and (len(set(files)) > 1 or folder):
        problem = f"-o gives one output, but {folder or ''} is a folder"
        if len(set(files)) > 1:
            problem = f"-o gives one output, but there are {len(set(files))} files"
        help_ = "convert them one by one, or without -o; a source may name its output: # lazygen: output=net.py"
        refuse("LZ404", problem, None, help_)
    if options.stdin_filename is not None and "-" not in files:
        problem = "--stdin-filename names what comes on stdin, which is not read"
        refuse("LZ404", problem, None, "write - instead of the file")
    if options.dry and options.output == "-":
        help_ = f"leave out either -o - or {flag}"
        refuse("LZ404", f"{flag} compares with a file, and -o - has none", None, help_)
    if options.dry and "-" in files and options.output is None and options.stdin_filename is None:
        help_ = "name the file with -o PATH, or the source with --stdin-filename model.py"
        refuse("LZ404", f"{flag} does not know which file to compare with what comes on stdin", None, help_)


def expanded(files: Sequence[str], options: Options) -> Iterator[tuple[str, bool]]:
    """Every file once, with those below folders; True stands for a file that counts only if it has settings."""
    seen: set[str] = set()
    for path in files:
        is_folder = path != "-" and os.path.isdir(path)
        for file in source_files(path) if is_folder else [path]:
            if file not in seen:
                seen.add(file)
                yield file, is_folder or options.hook


def may_count(path: str, projects: Projects) -> bool:
    """Whether a file that counts only with settings can have any.

    Of YAML and JSON only few files are specs, and some are large: those that are none are not read.
    """
    if not path.lower().endswith(SPECS) or os.path.exists(default_output(path)):
        return True
    if os.path.realpath(path) in projects.of(os.path.dirname(path)).targets:
        return True
    try:
        with open(path, "rb") as file:
            return _SETTINGS in file.read(_HEAD)
    except OSError:
        return False


def read(typed: str) -> bytes:
    """The bytes of a source.  A path that is not there is the command line's fault."""
    if typed == "-":
        if sys.stdin is None:
            refuse("LZ401", "there is no stdin to read from", None, "name a file instead of -")
        return sys.stdin.buffer.read()
    try:
        with open(typed, "rb") as file:
            return file.read()
    except FileNotFoundError:
        refuse("LZ401", f"there is no file {typed}", None, *_other_names(typed))
    except OSError as error:
        refuse("LZ401", f"{typed} cannot be read: {error.strerror}", None)
    except ValueError:
        refuse("LZ401", f"{typed!r} is not a path", None)


def check_output(job: Job, options: Options) -> None:
    """Refuse an output that cannot or must not be written, before the work is done."""
    output = job.output
    if output is None:
        return
    if job.file is not None and identity(output) == identity(job.file):
        problem = f"the output would overwrite its own source, {job.name}"
        help_ = f"leave out -o for {default_output(job.file)}, or name another file"
        refuse("LZ405", problem, None, help_)
    if os.path.isdir(output):
        stem = os.path.splitext(os.path.basename(job.file))[0] if job.file else "model"
        help_ = f"name a file in it: -o {os.path.join(output, stem + SUFFIX + '.py')}"
        refuse("LZ405", f"-o {output} is a folder", None, help_)
    folder = os.path.dirname(output) or "."
    if not os.path.isdir(folder):
        import shlex

        problem = f"there is no folder {folder} for {os.path.basename(output)}"
        refuse("LZ405", problem, None, f"make it: mkdir -p {shlex.quote(folder)}")
    if options.dry and os.path.exists(output) and not os.path.isfile(output):
        refuse("LZ405", f"{output} is not a file that can be compared with", None)


def _other_names(typed: str) -> Iterator[str]:
    """What a person may have meant by a path that is not there."""
    import difflib

    folder, name = os.path.split(typed)
    if typed.isdigit():
        yield f"the sizes of a shape are joined by commas, without spaces: --input-shape {EXAMPLE_SHAPE}"
    elif not os.path.isdir(folder or "."):
        yield f"the folder {folder} is not there either"
    else:
        # Stems are compared, since every name ends in .py; a name without it is meant with it.
        stems = [name[:-3] for name in os.listdir(folder or ".") if name.endswith(".py")]
        for close in difflib.get_close_matches(os.path.splitext(name)[0], stems, 1):
            yield f"did you mean {os.path.join(folder, close)}.py?"
