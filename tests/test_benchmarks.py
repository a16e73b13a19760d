"""The benchmarks run and print what they promise.  No test asserts a time: that is for people to read."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys

import pytest
from architecture import ROOT

from lazygen import convert_source


def test_the_tables_are_printed() -> None:
    command = [sys.executable, "benchmarks/run.py", "--repeat", "1", "--without-torch", "--without-scaling"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    rows = dict(re.findall(r"^  (\S.*?)  +(\d+\.\d+)\b", done.stdout, re.MULTILINE))
    assert list(rows) == ["floor", "convert", "convert / floor", "import click", "--help", "--help / click"]
    assert all(float(number) > 0 for number in rows.values())


def test_the_sources_are_what_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    sources = importlib.import_module("timed_sources")
    assert sources.mlp(100).count("LazyLinear") == 100
    assert 950 < len(sources.long_file(1000).splitlines()) <= 1010
    for source in (sources.CNN, sources.mlp(3), sources.long_file(100)):
        assert ast.parse(source)
    conversion = convert_source(sources.long_file(100), input_shape=sources.CNN_SHAPE)
    assert conversion.code is not None
    assert "nn.Linear(1960, 80)" in conversion.code
