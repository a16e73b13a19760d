"""What is compared and what came of it, as values that go to the process under torch and come back."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from lazygen.diagnostics import Diagnostic
from lazygen.settings import Target
from lazygen.values import value

Outcome = Literal["same", "differs", "not applicable", "not run"]


@value
class Text:
    """One side of the comparison: a module's text, where it stands or would stand, the name that messages say, and the
    positions of the statements that its models need.
    """

    text: str
    location: Path
    shown: str
    statements: frozenset[tuple[int, int]]

    @property
    def filename(self) -> str:
        """The name of the text in code objects."""
        return str(self.location)


@value
class Model:
    """One model of both sides: the entry, what it is called with, and the names that the output gives to parameters of
    the source, for sources whose names do not stay.  `places` are the devices of the output's parameters, by name.
    """

    entry: str
    target: Target
    names: tuple[tuple[str, str], ...] = ()
    renamed: bool = False
    places: tuple[tuple[str, str], ...] = ()


@value
class Subject:
    """A source and its output, with the models of both; `devices` are pairs of a name in the texts and the device that
    stands for it here, and `dtype` is that in which the source is to make its parameters, if another than torch's own.
    `staged` says that the output has stages of the models.
    """

    source: Text
    output: Text
    models: tuple[Model, ...]
    devices: tuple[tuple[str, str], ...] = ()
    dtype: str = ""
    staged: bool = False


@value
class Check:
    """One row of the table."""

    name: str
    outcome: Outcome
    detail: str = ""


@value
class Verified:
    """What came of one model.  `inputs` says what it was called with."""

    entry: str
    inputs: str
    checks: tuple[Check, ...]

    @property
    def differing(self) -> tuple[str, ...]:
        """The names of the checks that found a difference."""
        return tuple(check.name for check in self.checks if check.outcome == "differs")


@value
class Outcomes:
    """What came of one subject: its models, and what kept some of them from being compared."""

    models: tuple[Verified, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
