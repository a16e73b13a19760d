"""Keeps what lazy layers tell while a model is built and run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lazygen.diagnostics import Place
from lazygen.symbolic.dim import Dim, expr_of
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
    input_shape: Sequence[int] | None = None
    names: list[str] = field(default_factory=list)
    copied: bool = False

    def __deepcopy__(self, memo: object) -> Record:
        """A copied layer keeps the record of the one that was made, by which it is known for a copy."""
        return self


class LayerRecorder:
    """Hears of lazy layers from `Recorder`, in the order in which they are made."""

    def __init__(self, reads: Reads, sites: Sites) -> None:
        self.reads, self.sites = reads, sites
        self.records: list[Record] = []
        self.training_pass = False
        Recorder.made = self.made
        Recorder.sized = self.sized

    def made(self, layer: Any) -> None:
        frame = user_frame()
        if frame is None:
            return
        frames = self.sites.stack(2, type(layer))
        how, given = (frames[0].how, frames[0].given) if frames else ("call", 0)
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
            record = Record(layer, record.kind, record.frames, record.how, record.given, copied=True)
            self.records.append(record)
            object.__setattr__(layer, "lazy_record", record)
        record.sizes = {name: expr_of(size) for name, size in sizes.items()}
        record.training_only = self.training_pass
        record.input_shape = shape
        record.unbatched = len(shape) > 1 and any(isinstance(size, Dim) and size is shape[0] for size in sizes.values())
        frame = user_frame()
        record.reached = None if frame is None else self.sites.of_frame(frame)

    def name_layers(self, model: Module, prefix: str) -> None:
        """Note under which names a model holds the layers."""
        names: dict[int, list[str]] = {}
        for name, module in model.named_modules(remove_duplicate=False):
            names.setdefault(id(module), []).append(f"{prefix}.{name}" if name else prefix)
        for made in self.records:
            made.names += names.get(id(made.layer), [])

    def layers(self) -> tuple[LazyLayer, ...]:
        """The records as values."""
        return tuple(
            LazyLayer(
                kind=made.kind.__name__,
                plain=_plain(made.kind),
                frames=made.frames,
                how=made.how,
                given=made.given,
                sizes=tuple(made.sizes.items()),
                wanted=getattr(made.kind, "missing", ()) or tuple(made.sizes),
                names=tuple(made.names),
                reached=made.reached,
                training_only=made.training_only,
                unbatched=made.unbatched,
                flags=tuple((name, bool(getattr(made.layer, name))) for name in _differing(made.kind)),
                place=getattr(made.kind, "place", 0),
                copied=made.copied,
            )
            for made in self.records
            if made.frames
        )


def _plain(kind: type[Any]) -> str:
    """The name of the class that a lazy one is without its laziness."""
    plain = getattr(kind, "cls_to_become", None) or getattr(kind, "native", None) or kind
    return str(plain.__name__)


def _differing(kind: type) -> tuple[str, ...]:
    """The arguments whose defaults differ between a lazy class and its plain one."""
    return ("affine", "track_running_stats") if kind.__name__.startswith("LazyInstanceNorm") else ()


def two_widths(error: ShapeError, sites: Sites) -> tuple[Record, Tensor] | None:
    """The record and the second input, if an error is about a lazy layer that already had its sizes from another
    input.
    """
    record = getattr(error.layer, "__dict__", {}).get("lazy_record")
    if error.code == "LZ210" and record is not None and record.sizes and error.operands:
        return record, error.operands[0]
    return None
