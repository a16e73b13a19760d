"""Keeps where tensors come to what is on another device, or of another dtype, and lets them go on as if they had moved.

A layer, and a module of the source's own that stands on one device as a whole, takes its inputs there.  Of the operands
of an operation the first that somebody placed decides.  What is kept is kept for every run of a place, also for those
in which nothing has to move: a move that is written has to be right in all of them.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from types import FrameType
from typing import Any, cast

from lazygen.diagnostics import Place
from lazygen.symbolic.carrying import PARALLEL, Wanted, call, carried
from lazygen.symbolic.dtypes import Carried, Unplaced
from lazygen.symbolic.dtypes import device as Device
from lazygen.symbolic.dtypes import dtype as Dtype
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.containers import Sequential
from lazygen.symbolic.nn.parameter import Parameter
from lazygen.symbolic.placement import (
    Operand,
    Path,
    Policy,
    counted,
    held,
    is_layer,
    is_open,
    key,
    operands,
    settle,
    settle_result,
)
from lazygen.symbolic.tensor import TRACED, user_frame
from lazygen.trace.crossing_texts import Texts, common
from lazygen.trace.device_texts import DeviceTexts
from lazygen.trace.model import Crossing
from lazygen.trace.operands import Expression, expression, is_simple, span_of
from lazygen.trace.sites import Sites
from lazygen.values import field, record, replace, value

_WITH_WEIGHTS = (
    *("linear", "bilinear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"),
    *("embedding", "embedding_bag", "layer_norm", "group_norm", "batch_norm", "instance_norm", "rms_norm", "prelu"),
)
_DISPATCH = ("tensor", "rules", "placement", "crossings", "dialect", "module", "lazy", "reads", "function_modes")


@value
class _Site:
    """Where the source is: a frame of it, what of its text it is at, and why nothing can be written there.

    `handed` says that the text hands what runs to `torch.utils.checkpoint`, and then its operands.
    """

    frame: FrameType | None
    node: Any
    row: Any = None  # the Sequential whose members are at work
    problem: str = ""
    handed: bool = False


@value
class Meeting:
    """One run of a place: whether the tensor changes its device and its dtype, and what would be right to write."""

    moves: bool
    casts: bool
    devices: tuple[str, ...] = ()
    likes: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    carried: Carried | None = None  # if a module of the source's own may move it by itself

    @property
    def counts(self) -> bool:
        return self.carried is None or self.carried.needed


@record
class _Entry:
    """All runs of one operand."""

    place: Place
    call: Place
    form: str
    meetings: list[Meeting] = field(default_factory=list)
    met: str = ""
    moved: tuple[str, str] = ("", "")
    problem: str = ""


class Mover(Policy):
    """The policy of a run whose crossings are to be written."""

    def __init__(self, sites: Sites, device_texts: DeviceTexts, leading: Collection[Place]) -> None:
        self.sites, self.leading = sites, leading
        self.nodes = device_texts
        self.texts = Texts(device_texts)
        self.entries: dict[Any, _Entry] = {}
        self.root: Any = None  # the model that runs
        self.missing: dict[Any, list[Meeting]] = {}  # runs in which an operand is None

    # What runs

    def operation(self, name: str, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        found = list(operands(args, kwargs))
        if len(found) < 2:
            return function(*args, **kwargs)
        meeting = counted(name, function, found)
        in_place = sys._getframe(2).f_code.co_qualname.startswith("in_place.")  # where `add_` is made of `add`
        decider = _decider(f"{name}_" if in_place else name, meeting, self._leads())
        if decider is None:
            return function(*args, **kwargs)
        place = decider.tensor.device
        _settle_open(meeting, place)
        _need(meeting)
        wanted: Wanted = {operand.path: (place, None) for operand in meeting}
        site = self._site()
        try:
            result = call(function, args, kwargs, wanted)
        except ShapeError as error:
            kinds = _kinds(meeting, decider) if error.code == "LZ230" else {}
            if not kinds:
                raise
            wanted = {operand.path: (place, kinds.get(operand.path)) for operand in meeting}
            result = call(function, args, kwargs, wanted)
        site = self._checked(site, None)
        for operand in meeting:
            self._note(site, operand, *wanted[operand.path], (args, kwargs), decider, name)
        settle_result(result, place, found)
        return result

    def layer(self, module: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
        own, made_by = list(held(module)), type(module)
        places = {key(tensor.device): tensor.device for tensor in own}
        if len(places) > 1 or made_by.__name__ in PARALLEL:
            return args, kwargs  # what is inside comes by itself
        place = next(iter(places.values()), None)
        kinds = {tensor.dtype for tensor in own if tensor.dtype.category >= 2}
        kind = next(iter(kinds)) if len(kinds) == 1 else None
        everything = is_layer(cast(Any, made_by))
        wanted: Wanted = {}
        found = list(operands(args, kwargs))
        _settle_open(found, place)
        if everything and place is not None:
            _need(found)
        for operand in found:
            tensor = operand.tensor
            goes = place if everything or tensor.dtype.category >= 2 or tensor.ndim != 1 else None
            if goes is not None and not everything and key(goes) != key(tensor.device):
                goes = Carried(goes)
            wanted[operand.path] = (goes, kind if tensor.dtype.category >= 2 else None)
        site = self._site()
        if module is self.root and site.frame is None:
            return args, kwargs  # what its inputs are is not for the model itself to say
        site = self._checked(site, module)
        for operand in found:
            self._note(site, operand, *wanted[operand.path], (args, kwargs), module, made_by.__name__)
        if place is not None:
            self._note_missing(site, args, kwargs, module, (place, kind))
        return carried(args, kwargs, wanted)

    def _leads(self) -> bool:
        """Whether the operation that runs is one whose first operand decides."""
        frame = user_frame() if self.leading else None
        return frame is not None and self.sites.of_frame(frame) in self.leading

    # What is kept

    def _site(self) -> _Site:
        frame: FrameType | None = sys._getframe(2)
        problem, handed = "", False
        while frame is not None and frame.f_code.co_filename not in TRACED:
            if frame.f_code is Sequential.forward.__code__:
                return _Site(frame, None, frame.f_locals["self"])
            name = frame.f_code.co_filename.rpartition("/")[2].removesuffix(".py")
            if frame.f_code.co_name == "_checkpoint":
                handed = True
            elif name not in _DISPATCH:
                problem = "indirect"
            frame = frame.f_back
        if frame is None:
            return _Site(None, None)
        node = self.nodes.node_at(frame.f_code, frame.f_lasti)
        return _Site(frame, node, None, problem if node is not None else "indirect", handed)

    def _checked(self, site: _Site, module: Any) -> _Site:
        """The site, with a problem if what its text calls is not what runs: `map(self.head, parts)`."""
        if site.problem or site.frame is None or not isinstance(site.node, ast.Call):
            return site
        function, calls = site.node.func, self.texts.calls
        if isinstance(function, ast.Name) and function.id == "sum" and module is None:
            return site
        called = site.node.args[0] if site.handed and site.node.args else function
        if is_simple(called) and not calls(called, site.frame, module):
            return replace(site, problem="indirect")
        return site

    def _note(
        self, site: _Site, operand: Operand, place: Device | None, kind: Dtype | None, given: Any, met: Any, name: str
    ) -> None:
        tensor = operand.tensor
        moves = place is not None and key(place) != key(tensor.device)
        casts = kind is not None and kind is not tensor.dtype
        if site.frame is None:
            return
        if site.row is not None:
            self._note_row(site, operand, moves, casts, place, kind, name)
            return
        found = None if site.problem else self._expression(site, operand.path, given)
        if found is None and not moves and not casts:
            return
        entry = self._entry(site, found)
        if entry is None:
            return
        if moves or casts:
            entry.met = entry.met or name
            after = (str(place) if moves else "", kind.name if casts and kind is not None else "")
            before = (str(tensor.device) if moves else "", tensor.dtype.name if casts else "")
            entry.moved = entry.moved if entry.moved[0] else (_said(before), _said(after))
            if found is None:
                entry.problem = entry.problem or site.problem or "unclear"
        wanted = (place or tensor.device, kind or (tensor.dtype if tensor.dtype.category >= 2 else None))
        other = self._other(site, met, given)
        text = None if found is None else self._text(found.node, site)
        devices, likes, kinds = self.texts.right(site.frame, wanted, met, other, text)
        carried_there = place if isinstance(place, Carried) else None
        entry.meetings.append(Meeting(moves, casts, devices, likes, kinds, carried_there))

    def _note_missing(self, site: _Site, args: Any, kwargs: Any, module: Any, wanted: Any) -> None:
        """An argument that is None now may be a tensor in another run, which would go where the module is."""
        if site.problem or site.row is not None or site.frame is None:
            return
        for name, argument in (*enumerate(args), *kwargs.items()):
            found = self._expression(site, (name,), (args, kwargs)) if argument is None else None
            if found is not None:
                key_ = (site.frame.f_code.co_filename, span_of(found.node))
                right = self.texts.right(site.frame, wanted, module, None, None)
                self.missing.setdefault(key_, []).append(Meeting(False, False, *right))

    def _note_row(
        self, site: _Site, operand: Operand, moves: bool, casts: bool, place: Any, kind: Any, name: str
    ) -> None:
        if not moves and not casts:
            return
        row = site.row
        at = self.sites.place(*row.made_at) if row.made_at is not None else None
        if at is None:
            return
        entry = self.entries.setdefault(("row", row.made_at), _Entry(at, at, "row"))
        entry.met = entry.met or name
        if not entry.moved[0]:
            entry.moved = (_said((str(operand.tensor.device), "")), _said((str(place), kind.name if casts else "")))
        entry.meetings.append(Meeting(moves, casts))
        if not type(row).__module__.startswith("lazygen."):
            entry.problem = "row"
        elif operand.path != (0,):
            entry.problem = "row of several"

    def _entry(self, site: _Site, found: Expression | None) -> _Entry | None:
        assert site.frame is not None
        call = self.sites.of_frame(site.frame)
        if call is None:
            return None
        filename = site.frame.f_code.co_filename
        if found is None:
            return self.entries.setdefault((filename, call), _Entry(call, call, "call"))
        span = span_of(found.node)
        line, column, end_line, end_column = span
        place = self.sites.of_position((filename, line, column, end_line, end_column))
        entry = self.entries.setdefault((filename, span), _Entry(place, call, found.form))
        if entry.form != found.form:
            entry.problem = "unclear"
        return entry

    def _expression(self, site: _Site, path: Path, given: Any) -> Expression | None:
        args, kwargs = given
        value: Any = args[path[0]] if isinstance(path[0], int) else kwargs[path[0]]
        kinds: list[type] = [object]
        for step in path[1:]:
            kinds.append(type(value))
            value = value[step]
        frame = site.frame
        assert frame is not None
        if site.handed:
            path = (path[0] + 1, *path[1:]) if isinstance(path[0], int) else path
            return expression(site.node, path, kinds, lambda call: False)
        return expression(site.node, path, kinds, lambda call: self.texts.is_method(call, frame, args))

    def _other(self, site: _Site, met: Any, given: Any) -> Any:
        """The expression of the operand that decides, or its text where it is one of several."""
        if not isinstance(met, Operand) or site.problem:
            return None
        found = self._expression(site, met.path, given)
        if found is None or found.form == "one":
            return None if found is None else found.node
        if found.form == "star" or not is_simple(found.node):
            return None
        return f"{self._text(found.node, site)}[{0 if found.form == 'sum' else met.path[-1]!r}]"

    def _text(self, node: Any, site: _Site) -> str:
        assert site.frame is not None
        return self.nodes.text(node, site.frame.f_code.co_filename)

    # What is told

    def crossings(self, shown: str) -> Iterator[Crossing]:
        """What came together anywhere; `shown` is the file that can be changed."""
        for key_, entry in self.entries.items():
            meetings = [*entry.meetings, *self.missing.get(key_, ())]
            yield Crossing(
                entry.place,
                entry.call,
                entry.form,
                any(meeting.moves and meeting.counts for meeting in meetings),
                any(meeting.casts and meeting.counts for meeting in meetings),
                common(meeting.devices for meeting in meetings),
                common(meeting.likes for meeting in meetings),
                common(meeting.kinds for meeting in meetings),
                key_ in self.missing,
                entry.met,
                *entry.moved,
                problem=entry.problem if entry.place.path == shown else "elsewhere",
            )


def _settle_open(found: Sequence[Operand], place: Device | None) -> None:
    """Inputs that are where they are wanted are so from now on."""
    for operand in found:
        where = operand.tensor.device
        if place is not None and isinstance(where, Unplaced) and where.settles and where.is_open:
            settle(where, place)


def _need(found: Sequence[Operand]) -> None:
    """What was brought before it is used here."""
    for operand in found:
        if isinstance(operand.tensor.device, Carried):
            operand.tensor.device.needed = True


def _said(parts: tuple[str, str]) -> str:
    return " and ".join(part for part in parts if part)


def _decider(name: str, meeting: Sequence[Operand], leads: bool) -> Operand | None:
    """The operand whose device counts: what is written to, the weight of what a layer does, else the first that
    somebody placed, or the first at all if it `leads`.
    """
    if len(meeting) < 2:
        return None
    written = next((operand for operand in meeting if operand.path[0] == "out"), None)
    if written is not None or (name.endswith("_") and not name.endswith("__")) or name == "__setitem__":
        return written or meeting[0]
    if leads or name == "__getitem__":
        return meeting[0]
    if name in _WITH_WEIGHTS:
        weight = next((operand for operand in meeting if isinstance(operand.tensor, Parameter)), None)
        if weight is not None:
            return weight
    return next((o for o in meeting if not is_open(o.tensor.device)), meeting[0])


def _kinds(meeting: Sequence[Operand], decider: Operand) -> dict[Path, Dtype]:
    """The dtypes that floating operands have to take to be of one."""
    floats = [operand for operand in meeting if operand.tensor.dtype.category == 2]
    first = decider if decider in floats else next(iter(floats), None)
    parameter = next((operand for operand in floats if isinstance(operand.tensor, Parameter)), first)
    if parameter is None or len({operand.tensor.dtype for operand in floats}) < 2:
        return {}
    return {operand.path: parameter.tensor.dtype for operand in floats}
