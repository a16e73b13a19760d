"""The fixtures: a source with its options in a first-line comment, and what is expected of it beside it.

fixtures/convert/NAME.py        # lazygen convert --input-shape 8,3,32,32       NAME.expected.py
                                # also Net(width=32), one line for each model with other arguments to compare
fixtures/diagnostics/NAME.py    # lazygen convert --entry Net                   NAME.expected.txt
"""

from __future__ import annotations

import functools
import itertools
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lazygen import convert_source
from lazygen.pipeline import Conversion

FOLDER = Path(__file__).parent.parent / "fixtures"
MARK = "# lazygen convert"
ALSO = "# also "
_FLAGS = {
    "--input-shape": "input_shape",
    "--arg": "arg",
    "--entry": "entry",
    "--partial": "partial",
    "--timeout": "timeout",
    "--device": "device",
    "--dtype": "dtype",
    "--device-argument": "device_argument",
    "--data-parallel": "data_parallel",
    "--pipeline": "pipeline",
    "--shard": "shard",
}
SWITCHES = ("--partial", "--device-argument", "--pipeline", "--shard")
PLACING = tuple(flag for flag in _FLAGS if flag not in ("--input-shape", "--arg", "--entry", "--partial", "--timeout"))


@dataclass(frozen=True)
class Fixture:
    """One source with its options."""

    path: Path
    options: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def text(self) -> str:
        return self.path.read_bytes().decode("utf-8-sig")

    @property
    def also(self) -> list[str]:
        """Entries with other arguments, which the output has to follow under torch."""
        lines = self.text.splitlines()
        return [line.removeprefix(ALSO) for line in itertools.takewhile(lambda line: line.startswith(ALSO), lines[1:])]

    def all(self, flag: str) -> list[str]:
        """The values of a flag."""
        return [value for name, value in self.options if name == flag]

    def convert(self, text: str | None = None, by: Callable[..., Conversion] | None = None) -> Conversion:
        """What lazygen makes of the source, which is made once, or of another text with the same options."""
        return (
            _converted(self) if text is None and by is None else self._convert(text or self.text, by or convert_source)
        )

    def _convert(self, text: str, by: Callable[..., Conversion]) -> Conversion:
        timeout = self.all("--timeout")
        return by(
            text,
            input_shape=self.all("--input-shape"),
            arg=self.all("--arg"),
            entry=(self.all("--entry") or [None])[0],
            partial="--partial" in dict(self.options),
            timeout=float(timeout[0]) if timeout else 10.0,
            **{_FLAGS[flag]: value or True for flag, value in self.options if flag in PLACING},
            path=self.path.name,
            folder=self.path.parent,
        )


@functools.cache
def _converted(fixture: Fixture) -> Conversion:
    return fixture._convert(fixture.text, convert_source)


def fixtures(kind: str) -> list[Fixture]:
    """All fixtures of a kind, `convert` or `diagnostics`."""
    return [read(path) for path in sorted((FOLDER / kind).glob("*.py")) if not path.stem.endswith(".expected")]


def read(path: Path) -> Fixture:
    """A fixture with the options that its first line states."""
    first = path.read_bytes().split(b"\n", 1)[0].decode("utf-8", "replace").lstrip("\ufeff").rstrip("\r")
    words = shlex.split(first.removeprefix(MARK)) if first.startswith(MARK) else []
    options: list[tuple[str, str]] = []
    while words:
        flag = words.pop(0)
        if flag not in _FLAGS:
            raise ValueError(f"{path.name}: unknown option {flag}")
        options.append((flag, "" if flag in SWITCHES else words.pop(0)))
    return Fixture(path, tuple(options))


def orphans(kind: str, suffix: str) -> list[str]:
    """Expected outputs without a source."""
    folder = FOLDER / kind
    return [
        path.name
        for path in sorted(folder.glob(f"*.expected{suffix}"))
        if not (folder / path.name.replace(f".expected{suffix}", ".py")).exists()
    ]
