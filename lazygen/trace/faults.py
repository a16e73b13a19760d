"""Turns what a traced source raised into a finding at its place in that source."""

from __future__ import annotations

import ast
from types import FrameType, TracebackType
from typing import Any

from lazygen.diagnostics import Diagnostic, Note, Place
from lazygen.frontend.parse import too_deep, tree_of
from lazygen.symbolic.errors import Mismatch, NoRule, ShapeError, UnknownValue
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import TRACED, Tensor, shape_text
from lazygen.trace import raised
from lazygen.trace.entry import EntryError
from lazygen.trace.inputs import InputError
from lazygen.trace.reads import Reads
from lazygen.trace.recorder import LayerRecorder, two_widths
from lazygen.trace.sites import Sites
from lazygen.values import replace


class Faults:
    """Knows the sources, so that it can say where and quote them."""

    def __init__(self, reads: Reads, sites: Sites, recorder: LayerRecorder) -> None:
        self.reads, self.sites, self.recorder = reads, sites, recorder

    def at_module_level(self, name: str, request: Any) -> bool:
        """Whether the file binds a name at module level, in a statement that was left out."""
        tree = tree_of(request.text)
        assert isinstance(tree, ast.Module)
        left_out = [node for node in tree.body if (node.lineno, node.col_offset) not in request.statements]
        return any(_binds(node, name) for node in left_out)

    def diagnostic(self, error: BaseException) -> Diagnostic:
        """The finding for an exception."""
        frames = _user_frames(error.__traceback__)
        place = self.sites.place(frames[-1][0].f_code, frames[-1][1]) if frames else None
        if isinstance(error, ShapeError):
            if error.layer is not None and _source_ran_inside(error):
                error.layer = None  # a container, in which code of the source's own failed
            return self._shape(error, frames, place)
        if isinstance(error, UnknownValue):
            return Diagnostic(error.code, error.message, place, helps=error.helps)
        if isinstance(error, NoRule):
            return _no_rule(error, place)
        if isinstance(error, InputError):
            return Diagnostic("LZ110", error.message, None, helps=error.helps)
        if isinstance(error, EntryError):
            return Diagnostic("LZ111", error.message, None, helps=error.helps)
        return self._other(error, frames, place)

    def _other(self, error: BaseException, frames: list[tuple[FrameType, int]], place: Place | None) -> Diagnostic:
        code = getattr(error, "code", None)
        if isinstance(code, str) and code.startswith("LZ"):
            made_at = getattr(getattr(error, "layer", None), "made_at", None)
            made = self.sites.place(*made_at) if made_at else None
            notes = (Note("it is called here", place),) if made is not None and place is not None else ()
            return Diagnostic(
                code, str(error), getattr(error, "place", None) or made or place, notes, getattr(error, "helps", ())
            )
        if isinstance(error, SyntaxError):
            shown = self.sites.shown.get(error.filename or "", error.filename or "?")
            line, column = error.lineno or 1, max((error.offset or 1) - 1, 0)
            return Diagnostic("LZ001", f"syntax error: {error.msg}", Place(shown, line, column, line, column + 1))
        if isinstance(error, RecursionError) and not frames:  # lazygen walks the text, and nothing of it runs
            return too_deep(next(iter(self.sites.shown.values())))
        wrong = raised.wrong_input(error, self._made)
        if wrong is not None:
            return wrong if place is None else replace(wrong, notes=(*wrong.notes, Note("it is called here", place)))
        node = self._node(*frames[-1]) if frames else None
        found = raised.explain(error, place, frames[-1][0] if frames else None, node)
        inside = bool(frames) and _frames(error.__traceback__)[-1][0] is not frames[-1][0]
        if found.code != "LZ130" or not inside or node is None:
            return found
        return replace(found, notes=(*found.notes, *raised.in_a_library(error, frames[-1][0], node)))

    def _made(self, layer: Any) -> Place | None:
        """Where the source made a layer."""
        made_at = getattr(layer, "made_at", None)
        return self.sites.place(*made_at) if made_at else None

    def _shape(self, error: ShapeError, frames: list[tuple[FrameType, int]], place: Place | None) -> Diagnostic:
        made = self._made(error.layer)
        if isinstance(error, Mismatch) and frames:
            from lazygen.trace.mismatches import finding

            texts, node = self._operand_texts(error.operands, *frames[-1]), self._node(*frames[-1])
            return finding(error, place, texts, node, lambda at: None if at is None else self.sites.place(*at))
        widths = two_widths(error, self.sites)
        if widths is not None:
            return self._two_widths(error, widths, made, place)
        notes = [*(Note(text) for text in error.notes), *self._operands(error, frames)]
        if made is not None and place is not None and made != place:
            notes.append(Note("it is called here", place))
        if error.layer is None:
            notes += [*self._owner(error), *raised.of_a_library(error)]
        helps = error.helps
        if made is not None and error.layer.made_inside:
            notes.append(Note(f"this {type(error.layer).__name__} is a part of what is made here"))
            helps = ("mend what comes before, or what is made here: the size is not one that the source writes",)
        return Diagnostic(error.code, error.message, made or place, tuple(notes), helps if made else error.helps)

    def _two_widths(self, error: ShapeError, widths: Any, made: Place | None, place: Place | None) -> Diagnostic:
        record, second = widths
        name, first = next(iter(record.sizes.items()))
        notes = (
            Note(f"its first call gives it {name} {first.value}", record.reached),
            Note("the other call is here", place),
        )
        return Diagnostic(
            "LZ211",
            f"one {record.kind.__name__} is fed two widths: {name} is {first.value} in one call, and "
            f"{shape_text(second.shape)} comes in another",
            made,
            notes,
            ("make one layer for each width",),
        )

    def _owner(self, error: ShapeError) -> list[Note]:
        """Which module of the source's own failed, if it is a part of another: its class may be used several times."""
        running = [frame.f_locals.get("self") for frame, _ in _frames(error.__traceback__)]
        outermost = next((module for module in running if isinstance(module, Module)), None)
        frames = _user_frames(error.__traceback__)
        owner = frames[-1][0].f_locals.get("self") if frames else None
        made = self._made(owner) if isinstance(owner, Module) and owner is not outermost else None
        return [] if made is None else [Note(f"the {type(owner).__name__} that fails is made here", made)]

    def _operands(self, error: ShapeError, frames: list[tuple[FrameType, int]]) -> list[Note]:
        """`skip is (2, 16, 15, 15), from model.py:26`: the operands as the source calls them."""
        if not frames or error.layer is not None:
            return []
        texts = self._operand_texts(error.operands, *frames[-1])
        notes = []
        for operand, text in zip(error.operands, texts, strict=True):
            if isinstance(operand, Tensor):
                made = self.sites.place(*operand.made_at) if operand.made_at else None
                came = _came_about(operand, error) if error.code == "LZ201" else ""
                notes.append(Note(f"{text} is {shape_text(operand.shape)}{came}", made))
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
        helps = (
            f"choose one with --entry, as in --entry {fitting[0] if fitting else failures[0][0]}",
            f"or give each its own shapes, in lines of the file: # lazygen: entry={failures[0][0]} input-shape=SIZES",
        )
        notes = [Note(f"{name}: {finding.message}", finding.place) for name, finding in failures]
        if fitting:
            notes.append(Note(f"the shapes fit {', '.join(fitting)}"))
        return [Diagnostic("LZ112", f"the given shapes do not fit {listed}", failures[0][1].place, tuple(notes), helps)]


def _came_about(operand: Tensor, error: ShapeError) -> str:
    """`, where 52 is 4 * ((50 + 3) // 4)`: the sizes of an operand that the others lack, over those of the inputs."""
    from lazygen.trace.arithmetic import in_inputs

    others = {int(size) for other in error.operands if other is not operand for size in getattr(other, "shape", ())}
    said = {int(size): in_inputs(size) for size in operand.shape if int(size) not in others}
    told = [f"{number} is {text}" for number, text in said.items() if text is not None]
    return f", where {' and '.join(told)}" if told else ""


def _frames(traceback: TracebackType | None) -> list[tuple[FrameType, int]]:
    found = []
    while traceback is not None:
        found.append((traceback.tb_frame, traceback.tb_lasti))
        traceback = traceback.tb_next
    return found


def _user_frames(traceback: TracebackType | None) -> list[tuple[FrameType, int]]:
    return [(frame, at) for frame, at in _frames(traceback) if frame.f_code.co_filename in TRACED]


def _source_ran_inside(error: ShapeError) -> bool:
    """Whether the layer that an error names had called back into the source when it happened."""
    inside = entered = False
    for frame, _ in _frames(error.__traceback__):
        if frame.f_locals.get("self") is error.layer:
            inside, entered = False, True
        elif frame.f_code.co_filename in TRACED:
            inside = True
    return inside and entered


def _no_rule(error: NoRule, place: Place | None) -> Diagnostic:
    """Torch is not there to ask (there is no reason, or the import failed), or it cannot say either."""
    installed = bool(error.reason) and not error.reason.startswith("torch cannot")
    help_text = (
        "say the same with other operations, as far as sizes go"
        if installed
        else "install torch beside lazygen (pip install 'lazygen[torch]'): it then evaluates what has no rule"
    )
    notes = (Note(error.reason),) if error.reason else ()
    return Diagnostic("LZ240", f"{error.name} has no shape rule", place, notes, (help_text,))


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
