"""What the project of a source says about it, in its pyproject.toml.

    [tool.lazygen]                      settings for every source that does not say otherwise
    timeout = 30

    [[tool.lazygen.targets]]            settings of one source, a table a model
    source = "models/resnet.py"         paths are relative to the folder of the pyproject.toml
    entry = "ResNet(7)"
    input-shape = "8,3,224,224"         a string, or a list of strings for several inputs

The line length is black's.
"""

from __future__ import annotations

import os
from typing import Any, NoReturn

from lazygen.written import KEYS, REPEATABLE, SWITCHES, Given, Written, refuse

_TARGET_KEYS = ("source", *KEYS)
_DEFAULT_KEYS = tuple(key for key in KEYS if key != "output")
_MARKS = (b"black", b"lazygen")
_HEADS = {"defaults": "[tool.lazygen]", "targets": "[[tool.lazygen.targets]]"}


class Project:
    """What a pyproject.toml says of lazygen: `defaults` for all sources, and the targets of each by its real path."""

    def __init__(self) -> None:
        self.defaults: Given = {}
        self.targets: dict[str, list[Given]] = {}


class Projects:
    """The projects of one run; each pyproject.toml is read once."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[str, Any]] = {}
        self._projects: dict[str, Project] = {}

    def of(self, folder: str) -> Project:
        """The project of a folder: its nearest pyproject.toml with a `[tool.lazygen]`, none beyond the repository.

        Raises Refused (usage) if one on the way cannot be read, or says what is no setting.
        """
        found = self._nearest(folder, "lazygen")
        if found is None:
            return Project()
        path, table = found
        if path not in self._projects:
            self._projects[path] = _read_project(path, table)
        return self._projects[path]

    def line_length(self, folder: str) -> int | None:
        """The line length that black uses for a file in a folder, if its project sets one: as black looks for it.

        Raises Refused (usage) if a pyproject.toml on the way cannot be read, or says what is no length.
        """
        found = self._nearest(folder, "black")
        return _line_length(*found) if found is not None else None

    def _nearest(self, folder: str, tool: str) -> tuple[str, dict[str, Any]] | None:
        folder = os.path.abspath(folder)
        while True:
            path = os.path.join(folder, "pyproject.toml")
            if path not in self._tables:
                self._tables[path] = _tools(path) if os.path.isfile(path) else {}
            table = self._tables[path].get(tool)
            if isinstance(table, dict):
                return path, table
            above = os.path.dirname(folder)
            if above == folder or any(os.path.exists(os.path.join(folder, name)) for name in (".git", ".hg")):
                return None
            folder = above


def _tools(path: str) -> dict[str, Any]:
    """The tables of black and of lazygen in a pyproject.toml."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        refuse("LZ060", f"{path} cannot be read: {error.strerror}", None)
    if not any(mark in data for mark in _MARKS):
        return {}
    import tomllib

    try:
        content = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, RecursionError):
        refuse("LZ060", f"{path} is not TOML: it is not UTF-8 text", None)
    except tomllib.TOMLDecodeError as error:
        _refuse_toml(path, str(error))
    tool = content.get("tool")
    return tool if isinstance(tool, dict) else {}


def _refuse_toml(path: str, message: str) -> NoReturn:
    import re

    place = None
    found = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if found:
        place = Written(" ", path=path, line=int(found[1]), column=int(found[2]) - 1).place()
        message = message[: found.start()]
    help_ = "lazygen reads [tool.black] there, for the line length of what it writes, and [tool.lazygen]"
    refuse("LZ060", f"{path} is not TOML: {message}", place, help_)


def _line_length(path: str, table: dict[str, Any]) -> int | None:
    length = table.get("line-length", table.get("line_length"))
    if length is None:
        return None
    if isinstance(length, str) and length.isascii() and length.isdigit():
        length = int(length)  # black takes a number in quotes too
    if isinstance(length, int) and not isinstance(length, bool) and length > 0:
        return length
    problem = f"line-length under [tool.black] in {path} is {length!r}, not a number of columns"
    refuse("LZ060", problem, None, "write it as an integer: line-length = 88")


# Settings


def _read_project(path: str, table: dict[str, Any]) -> Project:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    project = Project()
    defaults = {key: value for key, value in table.items() if key != "targets"}
    project.defaults = _Table(path, text, "defaults", 0).given(defaults, _DEFAULT_KEYS)
    targets = table.get("targets", [])
    if not isinstance(targets, list) or not all(isinstance(target, dict) for target in targets):
        refuse("LZ058", '"targets" is a list of tables', None, "write [[tool.lazygen.targets]] above each")
    for number, target in enumerate(targets):
        given = _Table(path, text, "targets", number).given(target, _TARGET_KEYS)
        source = given.pop("source", None)
        if source is None:
            help_ = 'say which file it is about: source = "models/resnet.py"'
            refuse("LZ058", "this target has no source", _Table(path, text, "targets", number).head.place(), help_)
        real = os.path.realpath(os.path.join(os.path.dirname(path), source[0].text))
        project.targets.setdefault(real, []).append(given)
    return project


class _Table:
    """A table of a TOML text, to find where its keys and values stand."""

    def __init__(self, path: str, text: str, kind: str, number: int) -> None:
        self.path, self.text = path, text
        head = _HEADS[kind]
        self.start = -1
        for _ in range(number + 1):
            self.start = text.find(head, self.start + 1)
        self.start = max(self.start, 0)  # a table may be written in other ways, and is then shown by its file
        end = text.find("\n[", self.start + 1)
        self.end = end if end >= 0 else len(text)
        self.head = self._written(head, self.start)

    def given(self, table: dict[str, Any], known: tuple[str, ...]) -> Given:
        """The settings of the table.  Raises Refused (usage) for what is none."""
        given: Given = {}
        for key, value in table.items():
            word = self._written(key, self._key(key))
            if key not in known:
                from lazygen.setting_lines import refuse_key

                refuse_key(key, word, len(key), known=known)
            values = value if key in REPEATABLE and isinstance(value, list) else [value]
            at = word.column + self._line_start(word.line)
            for item in values:
                text = _text(key, item)
                if text is None:
                    refuse("LZ058", f"{key} cannot be {item!r}", word.place(), f"for example: {_EXAMPLES[key]}")
                found = self.text.find(text, at + len(key), self.end)
                place = self._written(text, found) if found >= 0 else word
                given.setdefault(key, []).append(
                    Written(text, path=self.path, line=place.line, column=place.column, before=f"{key} = ")
                )
        return given

    def _key(self, key: str) -> int:
        at = self.start
        while at >= 0:
            line = self.text[at : self.end].partition("\n")[0]
            if line.lstrip().strip("'\"").startswith(key):
                return at + line.index(key)
            at = self.text.find("\n", at, self.end) + 1 or -1
        return self.start

    def _written(self, text: str, at: int) -> Written:
        line = self.text.count("\n", 0, at) + 1
        return Written(text, path=self.path, line=line, column=at - self._line_start(line))

    def _line_start(self, line: int) -> int:
        at = 0
        for _ in range(line - 1):
            at = self.text.index("\n", at) + 1
        return at


_EXAMPLES = {
    "source": 'source = "models/resnet.py"',
    "entry": 'entry = "Net(8)"',
    "input-shape": 'input-shape = "8,3,32,32", or a list of such for several inputs',
    "arg": 'arg = "mask=None"',
    "output": 'output = "models/net.py"',
    "partial": "partial = true",
    "timeout": "timeout = 30",
    "engine": 'engine = "torch"',
    "device": 'device = "cuda:0"',
    "dtype": 'dtype = "float64"',
    "device-argument": "device-argument = true",
    "data-parallel": 'data-parallel = "0,1"',
    "pipeline": "pipeline = true",
    "shard": "shard = true",
}


def _text(key: str, value: Any) -> str | None:
    """A value of TOML as the text that a comment would have; None if it is of another kind than the key wants."""
    if key in SWITCHES:
        return ("true" if value else "false") if isinstance(value, bool) else None
    if key == "timeout" and isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:g}"
    return value if isinstance(value, str) else None
