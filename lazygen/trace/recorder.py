"""Keeps what lazy layers tell while a model is built and run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lazygen.diagnostics import Place
from lazygen.symbolic.dim import expr_of
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.expr import Expr
from lazygen.symbolic.nn.lazy import LazyModuleMixin, Recorder
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import Tensor, user_frame
from lazygen.trace.model import Call, Frame, LazyLayer
from lazygen.trace.reads import Reads
from lazygen.trace.sites import Sites
from lazygen.values import field, record


@record
class Record:
    """A lazy layer that was made."""

    layer: Any
    kind: type[Any]
    frames: tuple[Frame, ...]
    how: Call
    given: int
    sizes: dict[str, Expr] = field(default_factory=dict)
    reached: Place | None = None
    training_only: bool = False
    unbatched: bool = False
    names: list[str] = field(default_factory=list)


class LayerRecorder:
    """Hears of lazy layers from `Recorder`, in the order in which they are made."""

    def __init__(self, reads: Reads, sites: Sites) -> None:
        self.reads, self.sites = reads, sites
        self.records: list[Record] = []
        self.training_pass = False
        Recorder.made = self.made  # type: ignore[method-assign, assignment]
        Recorder.sized = self.sized  # type: ignore[method-assign, assignment]

    def made(self, layer: Any) -> None:
        frame = user_frame()
        if frame is None:
            return
        frames = self.sites.stack(2)
        how, given = self.sites.how(type(layer), frame)
        record = Record(layer, type(layer), frames, how, given)
        self.records.append(record)
        object.__setattr__(layer, "lazy_record", record)

    def sized(self, layer: LazyModuleMixin, sizes: dict[str, int], input: Tensor) -> None:
        self.sized_for(layer, sizes, input.shape)

    def sized_for(self, layer: Any, sizes: dict[str, int], shape: Sequence[int]) -> None:
        """A layer got its sizes from an input of a shape."""
        record: Record | None = layer.__dict__.get("lazy_record")
        if record is None:
            return
        if record.layer is not layer:  # a copy of the layer that was recorded
            record = Record(layer, record.kind, record.frames, record.how, record.given)
            self.records.append(record)
            object.__setattr__(layer, "lazy_record", record)
        record.sizes = {name: expr_of(size) for name, size in sizes.items()}
        record.training_only = self.training_pass
        record.unbatched = len(shape) > 1 and any(size is shape[0] for size in sizes.values())
        frame = user_frame()
        record.reached = None if frame is None else self.sites.of_frame(frame)

    def name_layers(self, model: Module, prefix: str) -> None:
        """Note under which names a model holds the layers."""
        names: dict[int, list[str]] = {}
        for name, module in model.named_modules(remove_duplicate=False):
            names.setdefault(id(module), []).append(f"{prefix}.{name}" if name else prefix)
        for record in self.records:
            record.names += names.get(id(record.layer), [])

    def layers(self) -> tuple[LazyLayer, ...]:
        """The records as values."""
        return tuple(
            LazyLayer(
                kind=record.kind.__name__,
                plain=_plain(record.kind),
                frames=record.frames,
                how=record.how,
                given=record.given,
                sizes=tuple(record.sizes.items()),
                wanted=getattr(record.kind, "missing", ()) or tuple(record.sizes),
                names=tuple(record.names),
                reached=record.reached,
                training_only=record.training_only,
                unbatched=record.unbatched,
                flags=tuple((name, bool(getattr(record.layer, name))) for name in _differing(record.kind)),
                place=getattr(record.kind, "place", 0),
            )
            for record in self.records
            if record.frames
        )


def _plain(kind: type[Any]) -> str:
    """The name of the class that a lazy one is without its laziness."""
    plain = getattr(kind, "cls_to_become", None) or getattr(kind, "native", None) or kind
    return str(plain.__name__)


def _differing(kind: type) -> tuple[str, ...]:
    """The arguments whose defaults differ between a lazy class and its plain one."""
    return ("affine", "track_running_stats") if kind.__name__.startswith("LazyInstanceNorm") else ()


def two_widths(error: ShapeError, sites: Sites) -> tuple[Record, Tensor] | None:
    """The record and the second input, if an error is about a lazy layer that already had its sizes from another input."""
    record = getattr(error.layer, "__dict__", {}).get("lazy_record")
    if error.code == "LZ210" and record is not None and record.sizes and error.operands:
        return record, error.operands[0]
    return None
