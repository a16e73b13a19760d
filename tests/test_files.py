"""Reading sources of all encodings, and writing whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazygen import files
from lazygen.diagnostics import Diagnostic, Refused
from lazygen.files import Source, encode, read_source, write_whole


def refusal(source: object) -> Diagnostic:
    with pytest.raises(Refused) as caught:
        read_source(source, "model.py")  # type: ignore[arg-type]
    (finding,) = caught.value.diagnostics
    assert finding.place is not None and finding.place.path == "model.py"
    return finding


READABLE = [
    (b"x = 1\n", Source("x = 1\n", "utf-8", False, "\n")),
    (b"x = 1", Source("x = 1", "utf-8", False, "\n")),
    (b"x = 1\r\ny = 2\n", Source("x = 1\r\ny = 2\n", "utf-8", False, "\r\n")),
    (b"x = 1\ry", Source("x = 1\ry", "utf-8", False, "\r")),
    (b"\xef\xbb\xbfx = 1\n", Source("x = 1\n", "utf-8", True, "\n")),
    ("x = 'é日'\n".encode(), Source("x = 'é日'\n", "utf-8", False, "\n")),
    (b"# coding: latin-1\nx = '\xe9'\n", Source("# coding: latin-1\nx = 'é'\n", "iso-8859-1", False, "\n")),
    (
        b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '\x80'\n",
        Source("#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '€'\n", "cp1252", False, "\n"),
    ),
    (b"\xef\xbb\xbf# coding: utf-8\n", Source("# coding: utf-8\n", "utf-8", True, "\n")),
]


@pytest.mark.parametrize(("data", "source"), READABLE)
def test_reads_and_gives_back(data: bytes, source: Source, tmp_path: Path) -> None:
    assert read_source(data) == source
    (tmp_path / "model.py").write_bytes(data)
    assert read_source(tmp_path / "model.py") == source
    assert encode(source.text, source) == data


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), st.booleans())
def test_any_utf_8_comes_back(text: str, bom: bool) -> None:
    text = f"x = 1\n{text.removeprefix(chr(0xFEFF))}"
    data = (b"\xef\xbb\xbf" if bom else b"") + text.encode()
    try:
        source = read_source(data)
    except Refused:
        assert "coding" in text
        return
    assert (source.text, source.bom) == (text, bom) or "coding" in text
    assert encode(source.text, source) == data


@pytest.mark.parametrize(
    ("data", "code", "place"),
    [
        (b"", "LZ006", (1, 0)),
        (b"\xef\xbb\xbf", "LZ006", (1, 0)),
        (b" \n\t\n", "LZ006", (1, 0)),
        (b"x = 1\ny = '\0'\n", "LZ003", (2, 5)),
        ("é = '\0'\n".encode(), "LZ003", (1, 5)),
        ("x = 1\n".encode("utf-16"), "LZ003", (1, 0)),
        (b"x = 1\r\ny = '\xe9'\n", "LZ004", (2, 5)),
        ("é".encode() + b"\xff", "LZ004", (1, 1)),
        (b"\xef\xbb\xbfx = '\xe9'", "LZ004", (1, 5)),
        (b"# coding: utf-8\nx = '\xe9'", "LZ004", (2, 5)),
        (b"# coding: klingon\nx = 1\n", "LZ005", (1, 0)),
        (b"#!/bin/python\n# coding: klingon\nx = 1\n", "LZ005", (2, 0)),
        (b"\xef\xbb\xbf# coding: latin-1\nx = 1\n", "LZ005", (1, 0)),
        (b"# coding: rot13\nk = 1\n", "LZ005", (1, 0)),
    ],
)
def test_refuses_with_a_place(data: bytes, code: str, place: tuple[int, int]) -> None:
    finding = refusal(data)
    assert finding.code == code
    assert finding.place is not None and (finding.place.line, finding.place.column) == place


def test_a_missing_file_is_a_usage_mistake(tmp_path: Path) -> None:
    for path in (tmp_path / "none.py", tmp_path, "a\0b"):
        with pytest.raises(Refused) as caught:
            read_source(path)
        assert caught.value.usage and caught.value.diagnostics[0].code == "LZ401"


def test_a_character_that_the_encoding_lacks() -> None:
    with pytest.raises(Refused) as caught:
        encode("x = '€'", Source("", "iso-8859-1", False, "\n"))
    assert caught.value.diagnostics[0].code == "LZ403" and "'€'" in caught.value.diagnostics[0].message


def test_writes_a_new_file_with_the_mode_of_the_umask(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        assert write_whole(tmp_path / "out.py", b"x = 1\n")
    finally:
        os.umask(mask)
    assert (tmp_path / "out.py").read_bytes() == b"x = 1\n"
    assert stat.S_IMODE((tmp_path / "out.py").stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["out.py"]


def test_keeps_mode_and_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "out.py", tmp_path / "link.py"
    target.write_bytes(b"old")
    target.chmod(0o751)
    link.symlink_to(target)
    assert write_whole(link, b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o751
    assert os.listdir(tmp_path / "real") == ["out.py"]


def test_equal_bytes_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "out.py"
    path.write_bytes(b"same")
    os.utime(path, ns=(1, 1))
    assert not write_whole(path, b"same")
    assert path.stat().st_mtime_ns == 1
    assert write_whole(path, b"else")
    assert path.stat().st_mtime_ns != 1


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    path = tmp_path / "out.py"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(files.os, step, fail)
    with pytest.raises((Refused, KeyboardInterrupt)) as caught:
        write_whole(path, b"new")
    if isinstance(caught.value, Refused):
        assert caught.value.diagnostics[0].code == "LZ402"
        assert "No space left" in caught.value.diagnostics[0].message
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out.py"]


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    protected = tmp_path / "protected.py"
    protected.write_bytes(b"old")
    protected.chmod(0o444)
    (tmp_path / "file").write_bytes(b"")
    for path in (protected, tmp_path, tmp_path / "none" / "out.py", tmp_path / "file" / "out.py"):
        with pytest.raises(Refused) as caught:
            write_whole(path, b"new")
        (finding,) = caught.value.diagnostics
        assert finding.code == "LZ402" and str(path) in finding.message
    assert protected.read_bytes() == b"old"
    assert sorted(os.listdir(tmp_path)) == ["file", "protected.py"]


def test_a_device_is_written_to_and_stays() -> None:
    assert write_whole("/dev/null", b"x = 1\n")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
