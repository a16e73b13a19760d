"""Reading sources and writing outputs.  A file is written whole or not at all."""

from __future__ import annotations

import errno
import io
import os
import secrets
import stat
import tokenize
from pathlib import Path

from lazygen.diagnostics import Diagnostic, Note, Place, Refused
from lazygen.values import value

_UTF8_MARK = b"\xef\xbb\xbf"
_OTHER_MARKS = (b"\xff\xfe", b"\xfe\xff")


@value
class Source:
    """A source text as it stands in its file: line ends are kept, the byte-order mark is not in `text`.

    `encoding` is the codec without the mark (`utf-8`, `iso-8859-1`); `newline` is the first line end of the file.
    """

    text: str
    encoding: str
    bom: bool
    newline: str


def read_source(source: str | os.PathLike[str] | bytes, path: str | None = None) -> Source:
    """Read and decode a Python file, or decode its bytes; `path` is the name that findings give.

    Raises `Refused`: LZ003 binary, LZ004 not in its encoding, LZ005 an encoding that is not known, LZ006 nothing in it,
    LZ401 not readable (a usage mistake if there is no such file).
    """
    name = path or ("<stdin>" if isinstance(source, bytes) else os.fspath(source))
    data = source if isinstance(source, bytes) else _read(source, name)
    nul = data.find(b"\0")
    if nul >= 0 or data.startswith(_OTHER_MARKS):
        raise Refused(_not_text(data, nul, name))
    bom = data.startswith(_UTF8_MARK)
    body = data[len(_UTF8_MARK) :] if bom else data
    encoding = _encoding(data, name)
    text = _decode(body, encoding, name)
    if not text.strip():
        raise Refused(Diagnostic("LZ006", "the source is empty", Place(name, 1, 0, 1, 0)))
    return Source(text, encoding, bom, _newline(text))


def encode(text: str, source: Source) -> bytes:
    """The bytes of an output, in the encoding of its source and with its byte-order mark.

    Raises `Refused` with LZ403 if the encoding lacks a character of the text.
    """
    try:
        data = text.encode(source.encoding)
    except UnicodeEncodeError as error:
        character = text[error.start]
        message = f"the output needs {character!r}, which {source.encoding} does not have"
        raise Refused(Diagnostic("LZ403", message, helps=("save the source as UTF-8",))) from None
    return _UTF8_MARK + data if source.bom else data


def write_whole(path: str | os.PathLike[str], data: bytes) -> bool:
    """Let the file at `path` hold `data`; True if it had to be written.

    The file appears with all its bytes or stays as it was.  A symbolic link stays one, and the file it points to is
    written; the mode is kept.  Raises `Refused` with LZ402 for what the system denies.
    """
    target = os.path.realpath(path)
    try:
        before = _status(target)
        if before is not None and not stat.S_ISREG(before.st_mode):
            return _write_special(target, before, data)
        if before is not None and before.st_size == len(data) and Path(target).read_bytes() == data:
            return False
        if before is not None and not before.st_mode & 0o222:
            # `os.replace` asks only for the folder's permission and would go over the protection.
            raise PermissionError(errno.EACCES, "the file is write-protected")
        _replace(target, data, None if before is None else stat.S_IMODE(before.st_mode))
    except OSError as error:
        raise Refused(_not_written(os.fspath(path), error)) from None
    return True


def _replace(target: str, data: bytes, mode: int | None) -> None:
    folder, name = os.path.split(target)
    # Opened by hand rather than by `tempfile`, so that a new file has the mode which the umask gives.
    temporary = os.path.join(folder, f".{name[:40]}.{secrets.token_hex(6)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o666)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        if mode is not None:
            os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _write_special(target: str, status: os.stat_result, data: bytes) -> bool:
    # A device or a pipe (`-o /dev/null`) cannot be replaced, only written to.
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    with open(target, "wb") as file:
        file.write(data)
    return True


def _status(target: str) -> os.stat_result | None:
    try:
        return os.stat(target)
    except FileNotFoundError:
        return None


def _not_written(path: str, error: OSError) -> Diagnostic:
    reason = error.strerror or type(error).__name__
    helps = {
        errno.ENOSPC: "make room on the disk; the file is as it was",
        errno.ENOENT: "make the folder first",
        errno.EISDIR: "name a file, not a folder",
        errno.EACCES: "allow writing there, or name another place with -o",
        errno.EPERM: "allow writing there, or name another place with -o",
        errno.EROFS: "name a place that can be written to with -o",
    }
    place = Place(path, 1, 0, 1, 0)
    help_ = helps.get(error.errno or 0)
    return Diagnostic("LZ402", f"cannot write {path}: {reason}", place, helps=(help_,) if help_ else ())


def _read(path: str | os.PathLike[str], name: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        missing = isinstance(error, (FileNotFoundError, NotADirectoryError, IsADirectoryError))
        message = f"cannot read {name}: {error.strerror or type(error).__name__}"
        raise Refused(Diagnostic("LZ401", message, Place(name, 1, 0, 1, 0)), usage=missing) from None
    except ValueError:
        raise Refused(Diagnostic("LZ401", f"cannot read {name!r}: not a path"), usage=True) from None


def _not_text(data: bytes, offset: int, name: str) -> Diagnostic:
    if data.startswith(_OTHER_MARKS):
        message, help_ = "the source is UTF-16 or UTF-32, which Python does not read", "save it as UTF-8"
        offset = 0
    else:
        message, help_ = "the source holds a NUL byte: a binary file, not Python", "name a Python source file"
    return Diagnostic("LZ003", message, _place(data, offset, "utf-8", name), helps=(help_,))


def _encoding(data: bytes, name: str) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        "".encode(encoding)
    except (SyntaxError, LookupError) as error:
        # The reader also decodes the first two lines; with no coding line among them the fault is in their bytes.
        first_lines = b"".join(data.splitlines(keepends=True)[:2])
        if isinstance(error, SyntaxError) and b"coding" not in first_lines:
            return "utf-8"
        line = 1 if b"coding" in data.split(b"\n", 1)[0] else 2
        reason = "of the coding line" if isinstance(error, SyntaxError) else "named by the coding line"
        raise Refused(
            Diagnostic(
                "LZ005",
                f"the encoding {reason} is unknown or at odds with the file",
                Place(name, line, 0, line, len(data.splitlines()[line - 1])),
                notes=(Note(str(error)),),
            )
        ) from None
    return "utf-8" if encoding == "utf-8-sig" else encoding


def _decode(data: bytes, encoding: str, name: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise Refused(
            Diagnostic(
                "LZ004",
                f"the byte 0x{data[error.start]:02x} is not {encoding}",
                _place(data, error.start, encoding, name),
                helps=("save the source as UTF-8, or name its encoding in a first line `# -*- coding: ... -*-`",),
            )
        ) from None
    if text.encode(encoding) != data:
        # Some encodings spell one text in several ways; writing it back would change bytes that nobody asked for.
        message = f"the source does not come back the same when written as {encoding}"
        raise Refused(Diagnostic("LZ004", message, Place(name, 1, 0, 1, 0), helps=("save the source as UTF-8",)))
    return text


def _place(data: bytes, offset: int, encoding: str, name: str) -> Place:
    before = data[:offset].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].removeprefix(_UTF8_MARK).decode(encoding, "replace"))
    return Place(name, line, column, line, column + 1)


def _newline(text: str) -> str:
    ends = [(at, end) for end in ("\r\n", "\n", "\r") if (at := text.find(end)) >= 0]
    # `\r\n` stands before `\r` at the same place because the order of the tuple above decides between equals.
    return min(ends, key=lambda found: found[0])[1] if ends else "\n"
