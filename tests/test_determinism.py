"""The same input gives the same bytes, whatever the hash seed and the working directory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from architecture import ROOT
from fixture_files import FOLDER, Fixture, fixtures

SEEDS = ("0", "1", "2")
HERE = [FOLDER / "convert", ROOT]

# As many sources as the command takes options for at once: those that need no more than an input shape of their own.
CHOSEN = [fixture for fixture in fixtures("convert") if "--partial" not in dict(fixture.options)]


def run(fixture: Fixture, seed: str, folder: Path) -> tuple[bytes, bytes]:
    """What the command prints to stdout and stderr."""
    words = [word for option in fixture.options for word in option]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "lazygen", "convert", "-v", os.path.relpath(fixture.path, folder), *words, "-o", "-"],
        cwd=folder,
        env=environment,
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr.decode()
    # Messages name the source as it was typed, which is another path in every folder.
    return done.stdout, done.stderr.replace(os.path.relpath(fixture.path, folder).encode(), b"SOURCE")


def runs(fixture: Fixture) -> Iterator[tuple[str, Path]]:
    """Every seed, and every folder for the first of them."""
    yield from ((seed, HERE[0]) for seed in SEEDS)
    yield from ((SEEDS[0], folder) for folder in HERE[1:])


@pytest.mark.parametrize("fixture", CHOSEN[:: max(1, len(CHOSEN) // 3)], ids=lambda fixture: fixture.name)
def test_the_bytes_are_the_same(fixture: Fixture) -> None:
    with ThreadPoolExecutor(2) as pool:
        outcomes = set(pool.map(lambda way: run(fixture, *way), runs(fixture)))
    assert len(outcomes) == 1
    assert next(iter(outcomes))[0].endswith(fixture.path.with_suffix(".expected.py").read_bytes())


def test_hash_seeds_do_change_the_order_of_sets() -> None:
    """Else the test above could not fail."""
    program = "print(*{str(number) for number in range(20)})"
    printed = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in SEEDS
    }
    assert len(printed) == len(SEEDS)
