"""What one run of a source is asked to do."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from lazygen.diagnostics import Place
from lazygen.settings import Settings
from lazygen.trace.model import Treatment, Variation
from lazygen.values import value


@value
class Question:
    """What `explain` is asked for: the layers of a line, those of a name, or a number; nothing stands for all lazy
    layers.
    """

    line: int = 0
    name: str = ""
    number: int | None = None


@value
class SpecQuestion:
    """That the models' specs are asked for, and no run of them.

    `known` are classes of the source that do what a layer of the library does, each with the template it came from.
    """

    known: tuple[tuple[str, str], ...] = ()


@value
class KeysQuestion:
    """That the names which a library gives to the parameters are asked for."""

    library: str = "torchx"


@value
class Request:
    """One run: of which text, which of its statements (by their first lines and columns), which entries, with what
    inputs.

    `location` is the path of the source, at which the project's own modules are looked up; it need not exist.
    `shown` is the name that messages say.  `chosen` says that the user named the entry, `extra` are names that a
    first run missed, and whose statements are run as well.  `question` is what to explain, if the run is for that.
    `default` is the device and the dtype in which all is made that says none, each empty for torch's own; inputs are
    there, too.  Models get these two as `arguments`: `also`, or `only` so.  `made` asks for the calls that made
    modules.  `placement` is what to do about tensors that do not meet, `leading` are operations whose first operand
    decides where the others go.  `served` are packages that get real torch in place of the stand-in.
    """

    text: str
    location: Path
    shown: str
    statements: frozenset[tuple[int, int]]
    entries: tuple[str, ...]
    settings: Settings
    chosen: bool = False
    variation: Variation | None = None
    extra: tuple[str, ...] = ()
    question: Question | SpecQuestion | KeysQuestion | None = None
    default: tuple[str, str] = ("", "")
    arguments: Literal["", "also", "only"] = ""
    made: bool = False
    placement: Treatment = "followed"
    leading: frozenset[Place] = frozenset()
    served: tuple[str, ...] = ()

    @property
    def filename(self) -> str:
        """The name of the text in code objects."""
        return str(self.location)
