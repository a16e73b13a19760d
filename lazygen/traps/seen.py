"""What a run showed that a trap may be read off: collected while a model is built and runs, judged when it has run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import CodeType
from typing import Any, Protocol

from lazygen.diagnostics import Place
from lazygen.symbolic.dim import Dim, expr_of
from lazygen.symbolic.expr import Expr, Symbol, origins_of
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.observer import Observer
from lazygen.symbolic.tensor import Tensor, user_frame
from lazygen.values import record

Instruction = tuple[CodeType, int]

# What a module keeps for itself.
_OWN = ("_parameters", "_buffers", "_modules", "_forward_hooks", "_forward_pre_hooks", "_non_persistent_buffers_set")


class Fed(Protocol):
    """A lazy layer, and the shape of what reached it first (None if nothing did)."""

    layer: Any
    kind: type[Any]
    sizes: dict[str, Expr]
    input_shape: Sequence[int] | None


@record
class View:
    """A `view`, `reshape` or `flatten`: what it was given, the sizes that the source asks for, what came of it."""

    shape: Sequence[int]
    sizes: Sequence[int]
    result: Sequence[int]
    at: Instruction | None


class Seen:
    """One run.  `place` gives the place of an instruction, `text` that of a file by the name in its code."""

    def __init__(
        self, place: Callable[[CodeType, int], Place | None], text: Callable[[str], str], layers: Sequence[Fed]
    ) -> None:
        self._place, self.text, self.layers = place, text, layers
        self.inputs: list[Tensor] = []
        self.models: list[Any] = []
        self.results: list[Any] = []
        self.views: list[View] = []
        self.spread: list[tuple[Sequence[int], Sequence[int], Instruction | None]] = []
        self.filled: list[Instruction | None] = []
        self.made: list[Any] = []  # modules that a run of `forward` made
        self.plain: list[tuple[Any, str, list[Tensor]]] = []
        self.holders: list[tuple[Any, str, Any]] = []  # modules with a plain list, tuple or dict of layers
        Observer.viewed, Observer.spread, Observer.filled = self._viewed, self._spread, self._filled

    # While it runs

    def _viewed(self, shape: Sequence[int], sizes: Sequence[int], result: Sequence[int]) -> None:
        if not shape or not result:
            return
        said = bool(sizes) and sizes[0] is not shape[0] and int(sizes[0]) == int(shape[0])
        if said or result[0] is not shape[0]:
            self.views.append(View(shape, sizes, result, _now()))

    def _spread(self, left: Sequence[int], right: Sequence[int]) -> None:
        self.spread.append((left, right, _now()))

    def _filled(self, parameter: Any) -> None:
        self.filled.append(_now())

    def begins(self, model: Any, inputs: list[Any]) -> None:
        """A model has been built, and is about to run on inputs."""
        self.inputs += [value for value in inputs if isinstance(value, Tensor)]
        self.models.append(model)
        for module in model.modules():
            self._look_at_attributes(module)
        Observer.made = self.made.append

    def ends(self, result: Any) -> None:
        """It has run once, and this is what came of it."""
        Observer.made = None
        self.results.append(result)

    def _look_at_attributes(self, module: Any) -> None:
        for name, value in vars(module).items():
            kind = type(value)
            if kind is bool or kind is int or kind is str or name in _OWN:
                continue
            held = value if kind is list or kind is tuple else value.values() if kind is dict else (value,)
            tensors = [item for item in held if isinstance(item, Tensor) and item.made_at is not None and item.shape]
            if tensors:
                self.plain.append((module, name, tensors))
            if kind is not type(held) and kind is not dict:
                continue
            if any(isinstance(item, Module) for item in held):
                self.holders.append((module, name, value))

    # When it has run

    def worth_asking(self) -> Iterator[str]:
        """The traps that there is something to ask about."""
        shapes = [(fed.kind.__name__, len(fed.input_shape)) for fed in self.layers if fed.input_shape is not None]
        if any(map(_is_odd, self.layers)):
            yield "positional_arguments"
        if ("LazyLinear", 4) in shapes or ("LazyLinear", 5) in shapes:
            yield "missing_flatten"
        if ("LazyConv2d", 4) in shapes and any(tensor.ndim == 4 and tensor.shape[3] <= 4 for tensor in self.inputs):
            yield "channels_last"
        if ("LazyBatchNorm1d", 3) in shapes:
            yield "norm_over_length"
        if self.views:
            yield from ("swallowed_batch", "literal_batch")
        if self.spread:
            yield "column_and_row"
        if self.filled:
            yield "lost_initialisation"
        if self.made:
            yield "made_anew"
        if self.plain:
            yield "left_behind"
        if self.holders:
            yield "plain_list"

    def at(self, instruction: Instruction | None) -> Place | None:
        """The place of an instruction of the source."""
        return None if instruction is None else self._place(*instruction)

    def made_at(self, made: Any) -> Place | None:
        """Where the source made a module or a tensor."""
        return self.at(getattr(made, "made_at", None))


def _now() -> Instruction | None:
    frame = user_frame(3)
    return None if frame is None else (frame.f_code, frame.f_lasti)


def _is_odd(fed: Fed) -> bool:
    """Whether a layer has an argument that few layers have."""
    held = vars(fed.layer)
    kernel = held.get("kernel_size")
    large = isinstance(kernel, tuple) and int(kernel[0]) > 7
    return large or "odd_bias" in held or float(held.get("eps", 0)) > 0.1


def has_weights(module: Any) -> bool:
    """Whether a module holds parameters."""
    return next(iter(module.parameters()), None) is not None


def symbols(size: int) -> list[Symbol]:
    """The sizes of inputs, fixed and free, that a size hangs on."""
    if not isinstance(size, Dim):
        return []
    return [symbol for symbol in origins_of([expr_of(size)]) if symbol.kind in ("input", "batch", "free")]


def is_batch(symbol: Symbol) -> bool:
    """Whether this is the first size of an input."""
    return symbol.kind == "batch" or (symbol.kind == "free" and symbol.index == 0)


def hangs_on_batch(size: int) -> bool:
    return any(map(is_batch, symbols(size)))
