"""The diff that `--diff` prints."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazygen.diff import unified_diff


def test_nothing_for_equal_texts() -> None:
    assert unified_diff("a\nb", "a\nb", "old", "new") == ""


def test_a_changed_line() -> None:
    assert unified_diff("a\nb\nc\n", "a\nB\nc\n", "m.py", "m_explicit.py") == (
        "--- m.py\n+++ m_explicit.py\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
    )


def test_a_new_file() -> None:
    assert unified_diff("", "a\n", "/dev/null", "new") == "--- /dev/null\n+++ new\n@@ -0,0 +1 @@\n+a\n"


def test_missing_final_line_ends_are_marked() -> None:
    mark = "\\ No newline at end of file\n"
    assert unified_diff("a", "a\n", "o", "n") == f"--- o\n+++ n\n@@ -1 +1 @@\n-a\n{mark}+a\n"
    assert unified_diff("a\n", "a", "o", "n") == f"--- o\n+++ n\n@@ -1 +1 @@\n-a\n+a\n{mark}"
    assert unified_diff("x\na", "y\na", "o", "n") == f"--- o\n+++ n\n@@ -1,2 +1,2 @@\n-x\n+y\n a\n{mark}"


def test_line_ends_and_separators_are_characters() -> None:
    assert unified_diff("a\r\n", "a\n", "o", "n").endswith("-a\r\n+a\n")
    assert unified_diff("a\x0cb\u2028c\n", "a\x0cb\u2028d\n", "o", "n").endswith("-a\x0cb\u2028c\n+a\x0cb\u2028d\n")


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")
@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), min_size=1, max_size=12))
@settings(max_examples=20, deadline=None)
def test_patch_understands_it(tmp_path_factory: pytest.TempPathFactory, old: list[str], new: list[str]) -> None:
    folder: Path = tmp_path_factory.mktemp("diff")
    before, after = "\n".join(old), "\n".join(new)
    (folder / "file").write_text(before)
    difference = unified_diff(before, after, "file", "file")
    if difference:
        subprocess.run(["patch", "-s", "-u", folder / "file"], input=difference.encode(), check=True)
    assert (folder / "file").read_text() == after
