"""The calls that lead to a function: of it, and through others, which may only hand on what they are given."""

from __future__ import annotations

from types import CodeType, FrameType

from lazygen.symbolic.tensor import TRACED

_STARRED = 0x04 | 0x08  # flags of a code that takes `*args` or `**kwargs`
_LONGEST = 32  # frames

Way = list[tuple[CodeType, int]]  # codes of the source with the instructions that they were at, innermost first


class Ways:
    """Notes who called a function, and the ways through functions that take stars or code that is not the source's."""

    def __init__(self) -> None:
        # By scope that ran, id of the code and instruction that called it: the code.
        self.entered: dict[tuple[int, int, int], CodeType] = {}
        self.found: dict[tuple[int, ...], tuple[int, Way]] = {}  # the number of the scope that ran, with its way

    def note(self, scope: int, caller: FrameType) -> None:
        """Note how a function came to run."""
        self.entered[scope, id(caller.f_code), caller.f_lasti] = caller.f_code
        if caller.f_code.co_filename in TRACED and not caller.f_code.co_flags & _STARRED:
            return  # the call of it is all there is to know
        way: Way = []
        frame: FrameType | None = caller
        for _ in range(_LONGEST):
            if frame is None:
                break
            if frame.f_code.co_filename in TRACED:
                way.append((frame.f_code, frame.f_lasti))
                if not frame.f_code.co_flags & _STARRED:
                    break
            frame = frame.f_back
        key = (scope, *(part for code, instruction in way for part in (id(code), instruction)))
        self.found[key] = scope, way
