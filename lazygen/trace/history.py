"""How tensors came about: kept while a model runs that is to be explained, and only then.

A tensor is made somewhere below the source's own frames.  The call of a layer there, else the call that the source
makes, is its operation; the tensors among the arguments of that call are what it came from.  Every size that an
operation makes gets a symbol whose definition is over the sizes that it was given: its arithmetic is read off that.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Sequence
from types import CodeType, FrameType
from typing import Any

from lazygen.diagnostics import Place
from lazygen.symbolic.dim import Dim, expr_of, of_symbol
from lazygen.symbolic.expr import Expr, origins_of
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.nn.parameter import Parameter
from lazygen.symbolic.observer import Observer
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.ranges import range_of
from lazygen.symbolic.tensor import TRACED, Size, Tensor, shape_text
from lazygen.trace.arithmetic import sums
from lazygen.trace.model import Explained, Step
from lazygen.trace.reads import Reads
from lazygen.trace.request import Question
from lazygen.trace.sites import Sites
from lazygen.values import record

_SIZES = ("in_features", "in_channels", "num_features", "num_channels", "input_size", "embed_dim")
_LONGEST = 60  # characters of a source text that are shown


@record
class Made:
    """One operation: what came of it, of what, by which layer if by one, and the instruction of the source."""

    result: Tensor
    operands: list[Tensor]
    layer: Module | None
    at: tuple[CodeType, int] | None


class History:
    """All operations of a run, in their order."""

    def __init__(self, sites: Sites, reads: Reads) -> None:
        self.sites, self.reads = sites, reads
        self.made: dict[int, Made] = {}
        self.inputs: dict[int, str] = {}
        self.names: dict[int, str] = {}
        self.models: list[Module] = []
        Observer.tensor = self.tensor

    def begins(self, model: Module, positional: Sequence[Any], named: dict[str, Any]) -> None:
        """A model is about to run on these arguments."""
        try:
            bound = inspect.signature(model.forward).bind_partial(*positional, **named).arguments
        except (TypeError, ValueError):
            bound = {}
        for name, value in bound.items():
            for item in _tensors(value):
                self.inputs[id(item)] = name
        self.models.append(model)

    def tensor(self, made: Tensor) -> None:
        """A tensor was made."""
        if isinstance(made, Parameter):
            return
        frame: FrameType | None = sys._getframe(2)  # what asked for the tensor
        if frame is not None and frame.f_code is Tensor.__init__.__code__:
            frame = frame.f_back
        boundary: FrameType | None = None
        below: FrameType | None = None
        while frame is not None and frame.f_code.co_filename not in TRACED:
            if boundary is None and frame.f_code is Module.__call__.__code__:
                boundary = frame
            below, frame = frame, frame.f_back
        call = boundary or below
        if call is None or (frame is None and boundary is None):
            return
        operands = [item for item in _arguments(call) if item is not made]
        layer = call.f_locals.get("self") if boundary is not None else None
        self.made[id(made)] = Made(made, operands, layer, None if frame is None else (frame.f_code, frame.f_lasti))
        made._shape = Size(_own(size, operands) for size in made._shape)

    # Answers

    def answers(self, question: Question | None) -> Iterator[Explained]:
        """What the question asks for."""
        if question is None:
            return
        for model in self.models:
            for name, module in model.named_modules():
                self.names.setdefault(id(module), name)
        layers = list(self._layers())
        chosen = [made for made in layers if self._is_asked_for(made, question)]
        for made in chosen:
            yield self._of_layer(made)
        if not chosen and not question.name:
            yield from self._of_tensors(question)

    def _layers(self) -> Iterator[Made]:
        """The first call of every layer that was made for a tensor."""
        seen: set[int] = set()
        for made in self.made.values():
            if made.layer is not None and id(made.layer) not in seen and made.operands:
                seen.add(id(made.layer))
                yield made

    def _is_asked_for(self, made: Made, question: Question) -> bool:
        layer = made.layer
        if question.line:
            return _holds(self._made_at(layer), question.line) and bool(self._sizes(layer))
        if question.name:
            name = self.names.get(id(layer), "")
            return name == question.name or name.endswith(f".{question.name}")
        if question.number is not None:
            return question.number in (size for _, size in self._sizes(layer))
        return hasattr(layer, "lazy_record")

    def _of_layer(self, made: Made) -> Explained:
        layer = made.layer
        name = self.names.get(id(layer))
        kind = type(layer).__name__ + (" (lazy)" if hasattr(layer, "lazy_record") else "")
        sizes = tuple(f"{size_name} is {size}" for size_name, size in self._sizes(layer))
        holds = []
        given = getattr(layer, "lazy_record", None)
        for size_name, expr in given.sizes.items() if given is not None else ():
            held = range_of(expr)
            if held is not None:
                holds.append(f"{size_name} {expr.value}: {held}")
        what = f"{name}, {kind}" if name else kind
        return Explained(what, self._made_at(layer), tuple(self._path(made.operands[0])), sizes, tuple(holds))

    def _of_tensors(self, question: Question) -> Iterator[Explained]:
        """Results that the line makes and does not go on with, or the first one with a size that is the number."""
        if question.number is not None:
            found = [made for made in self.made.values() if question.number in made.result.shape][:1]
        else:
            found = [made for made in self.made.values() if _holds(self._place(made), question.line)]
            used = {id(operand) for made in found for operand in made.operands}
            found = [made for made in found if id(made.result) not in used]
            found = list({(id(made.layer), made.at): made for made in found}.values())  # the last of each call
        for made in found:
            yield Explained(shape_text(made.result.shape), self._place(made), tuple(self._path(made.result)))

    def _path(self, tensor: Tensor) -> list[Step]:
        """The steps that lead to a tensor, the input first."""
        steps: list[Step] = []
        current: Tensor | None = tensor
        while current is not None:
            made = self.made.get(id(current))
            if made is None or made.result is not current:
                name = self.inputs.get(id(current))
                what = f"input {name}" if name else "a tensor of the model's own"
                steps.append(Step(None, what, _numbers(current)))
                break
            main = max(made.operands, key=lambda operand: len(operand.shape), default=None)
            beside = tuple(shape_text(other.shape) for other in made.operands if other is not main)
            arithmetic = tuple(sums(made.result, made.operands))
            steps.append(Step(self._place(made), self._what(made), _numbers(current), arithmetic, beside))
            current = main
        return steps[::-1]

    def _what(self, made: Made) -> str:
        if made.layer is not None:
            name = self.names.get(id(made.layer), "")
            kind = type(made.layer).__name__
            return f"{name} {kind}".strip()
        place = self._place(made)
        assert made.at is not None
        text = _short(self._source(made.at)) if place is not None else "?"
        return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."

    def _source(self, at: tuple[CodeType, int]) -> str:
        line, end_line, column, end_column = list(at[0].co_positions())[at[1] // 2]
        position = (at[0].co_filename, line or 1, column or 0, end_line or 1, end_column or 0)
        return " ".join(self.reads.text_at(position).split())

    def _sizes(self, layer: Module | None) -> list[tuple[str, int]]:
        found = []
        for name in _SIZES:
            size = getattr(layer, name, None)
            if isinstance(size, int) and not isinstance(size, bool):
                found.append((name, int(size)))
        return found

    def _place(self, made: Made) -> Place | None:
        return None if made.at is None else self.sites.place(*made.at)

    def _made_at(self, layer: Module | None) -> Place | None:
        at = getattr(layer, "made_at", None)
        return self.sites.place(*at) if at is not None else None


def _holds(place: Place | None, line: int) -> bool:
    return place is not None and place.line <= line <= place.end_line


def _short(text: str) -> str:
    """The source of an operation without the calls inside it, which are steps of their own: `torch.cat(..., 1)`."""
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return text
    omitted = ast.Constant(...)
    if isinstance(node, ast.Call):
        node.args = [omitted if _calls(argument) else argument for argument in node.args]
        if isinstance(node.func, ast.Attribute) and _calls(node.func.value):
            node.func.value = omitted
    elif isinstance(node, ast.BinOp):
        node.left, node.right = (omitted if _calls(side) else side for side in (node.left, node.right))
    elif isinstance(node, ast.Subscript) and _calls(node.value):
        node.value = omitted
    else:
        return text
    return ast.unparse(node)


def _calls(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Call) for part in ast.walk(node))


def _own(size: int, operands: list[Tensor]) -> int:
    """The size with a symbol of its own, unless an operand has it."""
    if any(size is other for operand in operands for other in operand._shape):
        return size
    expr: Expr = expr_of(size)
    if isinstance(size, Dim) and expr.symbol is not None:
        return size
    kind = "local" if list(origins_of([expr])) else "literal"
    return of_symbol(new_symbol(kind, str(int(size)), int(size), definition=expr))  # type: ignore[arg-type]


def _arguments(frame: FrameType) -> list[Tensor]:
    """The tensors among the arguments of a call that runs, weights left out, each once."""
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    values = frame.f_locals
    found: dict[int, Tensor] = {}
    for name in code.co_varnames[:count]:
        for item in _tensors(values.get(name)):
            if not isinstance(item, Parameter):
                found.setdefault(id(item), item)
    return list(found.values())


def _tensors(value: Any, depth: int = 3) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)) and depth:
        for item in value:
            yield from _tensors(item, depth - 1)
    elif isinstance(value, dict) and depth:
        for item in value.values():
            yield from _tensors(item, depth - 1)


def _numbers(tensor: Tensor) -> tuple[int, ...]:
    return tuple(int(size) for size in tensor.shape)
