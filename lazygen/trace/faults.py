"""Turns what a traced source raised into a finding at its place in that source."""

from __future__ import annotations

import ast
from types import FrameType, TracebackType
from typing import Any

from lazygen.diagnostics import Diagnostic, Note, Place
from lazygen.symbolic.errors import NoRule, ShapeError, UnknownValue
from lazygen.symbolic.tensor import TRACED, Tensor, shape_text
from lazygen.trace.entry import EntryError
from lazygen.trace.inputs import InputError
from lazygen.trace.reads import Reads
from lazygen.trace.recorder import LayerRecorder, two_widths
from lazygen.trace.sites import Sites


class Faults:
    """Knows the sources, so that it can say where and quote them."""

    def __init__(self, reads: Reads, sites: Sites, recorder: LayerRecorder) -> None:
        self.reads, self.sites, self.recorder = reads, sites, recorder

    def at_module_level(self, name: str, request: Any) -> bool:
        """Whether the file binds a name at module level, in a statement that was left out."""
        tree = ast.parse(request.text)
        left_out = [node for node in tree.body if (node.lineno, node.col_offset) not in request.statements]
        return any(_binds(node, name) for node in left_out)

    def diagnostic(self, error: BaseException) -> Diagnostic:
        """The finding for an exception."""
        frames = _user_frames(error.__traceback__)
        place = self.sites.place(frames[-1][0].f_code, frames[-1][1]) if frames else None
        if isinstance(error, ShapeError):
            return self._shape(error, frames, place)
        if isinstance(error, UnknownValue):
            return Diagnostic(error.code, error.message, place, helps=error.helps)
        if isinstance(error, NoRule):
            return Diagnostic(
                "LZ240",
                f"{error.name} has no shape rule{f' ({error.reason})' if error.reason else ''}",
                place,
                helps=("install torch beside lazygen (pip install 'lazygen[torch]'): it then evaluates what has no rule",),
            )
        if isinstance(error, InputError):
            return Diagnostic("LZ110", error.message, None, helps=error.helps)
        if isinstance(error, EntryError):
            return Diagnostic("LZ111", error.message, None, helps=error.helps)
        return self._other(error, place)

    def _other(self, error: BaseException, place: Place | None) -> Diagnostic:
        code = getattr(error, "code", None)
        if isinstance(code, str) and code.startswith("LZ"):
            return Diagnostic(code, str(error), getattr(error, "place", None) or place, helps=getattr(error, "helps", ()))
        if isinstance(error, SystemExit):
            return Diagnostic("LZ131", "the file ends the process while its definitions run", place)
        if isinstance(error, PermissionError):
            return Diagnostic("LZ132", f"the file may not do this while it is traced: {error}", place)
        if isinstance(error, RecursionError):
            return Diagnostic("LZ133", "the definitions call themselves without end", place)
        if isinstance(error, SyntaxError):
            inner = Place(self.sites.shown.get(error.filename or "", error.filename or "?"), error.lineno or 1, max((error.offset or 1) - 1, 0), error.lineno or 1, error.offset or 1)
            return Diagnostic("LZ001", f"invalid syntax: {error.msg}", inner)
        words = str(error).strip().splitlines()
        said = f"{type(error).__name__}: {words[0]}" if words else type(error).__name__
        return Diagnostic("LZ130", f"running the definitions raises {said}", place)

    def _shape(self, error: ShapeError, frames: list[tuple[FrameType, int]], place: Place | None) -> Diagnostic:
        made_at = getattr(error.layer, "made_at", None)
        made = self.sites.place(*made_at) if made_at else None
        widths = two_widths(error, self.sites)
        if widths is not None:
            return self._two_widths(error, widths, made, place)
        notes = [*(Note(text) for text in error.notes), *self._operands(error, frames)]
        if made is not None and place is not None and made != place:
            notes.append(Note("it is called here", place))
        return Diagnostic(error.code, error.message, made or place, tuple(notes), error.helps)

    def _two_widths(self, error: ShapeError, widths: Any, made: Place | None, place: Place | None) -> Diagnostic:
        record, second = widths
        name, first = next(iter(record.sizes.items()))
        notes = (Note(f"its first call gives it {name} {first.value}", record.reached), Note("the other call is here", place))
        return Diagnostic(
            "LZ211",
            f"one {record.kind.__name__} is fed two widths: {name} is {first.value} in one call, and {shape_text(second.shape)} comes in another",
            made,
            notes,
            ("make one layer for each width",),
        )

    def _operands(self, error: ShapeError, frames: list[tuple[FrameType, int]]) -> list[Note]:
        """`skip is (2, 16, 15, 15), from model.py:26`: the operands as the source calls them."""
        if not frames or error.layer is not None:
            return []
        texts = self._operand_texts(error.operands, *frames[-1])
        notes = []
        for operand, text in zip(error.operands, texts, strict=True):
            if isinstance(operand, Tensor):
                made = self.sites.place(*operand.made_at) if operand.made_at else None
                notes.append(Note(f"{text} is {shape_text(operand.shape)}", made))
        return notes

    def _operand_texts(self, operands: tuple[Any, ...], frame: FrameType, instruction: int) -> list[str]:
        names = {id(value): name for name, value in frame.f_locals.items()}
        node = self._node(frame, instruction)
        parts = _operand_nodes(node) if node is not None else []
        if len(parts) == len(operands):
            return [ast.unparse(part) for part in parts]
        count = ("the first", "the second", "the third", "the fourth")
        return [
            names.get(id(operand)) or (count[index] if index < 4 and len(operands) > 1 else "the input")
            for index, operand in enumerate(operands)
        ]

    def _node(self, frame: FrameType, instruction: int) -> ast.expr | None:
        positions = list(frame.f_code.co_positions())[instruction // 2]
        if None in positions:
            return None
        line, end_line, column, end_column = positions
        text = self.reads.text_at((frame.f_code.co_filename, line or 1, column or 0, end_line or 1, end_column or 0))
        try:
            return ast.parse(text, mode="eval").body
        except SyntaxError:
            return None

    def some_do_not_fit(self, failures: list[tuple[str, Diagnostic]], fitting: list[str]) -> list[Diagnostic]:
        """Of several roots some do not run with the given shapes."""
        listed = ", ".join(name for name, _ in failures)
        helps = (f"choose one with --entry, as in --entry {fitting[0] if fitting else failures[0][0]}",)
        notes = [Note(f"{name}: {finding.message}", finding.place) for name, finding in failures]
        if fitting:
            notes.append(Note(f"the shapes fit {', '.join(fitting)}"))
        return [Diagnostic("LZ112", f"the given shapes do not fit {listed}", failures[0][1].place, tuple(notes), helps)]


def _user_frames(traceback: TracebackType | None) -> list[tuple[FrameType, int]]:
    found = []
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename in TRACED:
            found.append((traceback.tb_frame, traceback.tb_lasti))
        traceback = traceback.tb_next
    return found


def _operand_nodes(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.Call):
        first = node.args[0] if node.args else None
        if isinstance(first, (ast.List, ast.Tuple)):
            return list(first.elts)
        owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        if owner and isinstance(owner[0], ast.Name) and owner[0].id in ("torch", "F", "nn"):
            owner = []
        return [*owner, *(a for a in node.args if not isinstance(a, ast.Constant))]
    return []


def _binds(statement: ast.stmt, name: str) -> bool:
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            return True
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)) and node.name == name:
            return True
        if isinstance(node, ast.alias) and (node.asname or node.name.partition(".")[0]) == name:
            return True
    return False
