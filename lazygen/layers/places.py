"""Where in the user's code something happens."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

_HERE = str(Path(__file__).parent)


def caller() -> FrameType | None:
    """The innermost frame that belongs neither to these layers nor to torch."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_inside(frame):
        frame = frame.f_back
    return frame


def of_frame(frame: FrameType | None) -> str:
    """`model.py:12`; empty without a frame."""
    return "" if frame is None else f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"


def _is_inside(frame: FrameType) -> bool:
    name = frame.f_globals.get("__name__", "")
    return frame.f_code.co_filename.startswith(_HERE) or name.partition(".")[0] == "torch"
