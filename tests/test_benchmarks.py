"""The benchmarks run and print what they promise.  No test asserts a time: that is for people to read."""

from __future__ import annotations

import ast
import importlib
import importlib.util
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
    first, second = ["floor", "convert", "convert / floor"], ["import click", "up to date", "--help"]
    assert list(rows) == [*first, *second, "up to date / click", "--help / click"]
    assert all(float(number) > 0 for number in rows.values())


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="compares with real torch")
def test_operations_are_compared() -> None:
    command = [sys.executable, "benchmarks/operations.py", "--repeat", "1", "--calls", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    rows = re.findall(r"^  (\S.*?)  +(\d+\.\d) +(\d+\.\d) +(\d+\.\d)$", done.stdout, re.MULTILINE)
    assert len(rows) >= 100 and re.search(r"GPT-2 size, 48 layers +\d+\.\d\d s", done.stdout)


def test_the_sources_are_what_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    sources = importlib.import_module("timed_sources")
    assert sources.mlp(100).count("LazyLinear") == 100
    assert 950 < len(sources.long_file(1000).splitlines()) <= 1010
    for source in (sources.CNN, sources.in_torch_style(), sources.mlp(3), sources.long_file(100)):
        assert ast.parse(source)
    assert sources.in_torch_style().count("nn.Lazy") == 7
    classes = sources.many_classes(100)
    assert 95_000 < len(classes) < 105_000 and classes.count("class Block") == classes.count("    Block")
    deep = convert_source(sources.RESNET, input_shape=sources.RESNET_SHAPE).code
    assert deep is not None and "nn.Linear(4 * width * 2 ** (len(depths) - 1), classes)" in deep
    for source in (sources.in_torch_style(), sources.long_file(100)):
        conversion = convert_source(source, input_shape=sources.CNN_SHAPE)
        assert conversion.code is not None
        assert "nn.Linear(1960, 80)" in conversion.code


def test_the_classifier_is_that_of_the_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    sources = importlib.import_module("timed_sources")
    assert f"```python\n{sources.CNN}```" in (ROOT / "README.md").read_text(encoding="utf-8")
    both = convert_source(sources.CNN, input_shape=sources.CNN_SHAPE).code
    assert both is not None
    assert both == convert_source(sources.in_torch_style(), input_shape=sources.CNN_SHAPE).code
