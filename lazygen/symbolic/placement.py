"""Which tensors may meet: the operands of an operation stand on one device, a layer's input where its parameters do.

Rules know nothing of this.  Once anything is elsewhere than on the CPU, what is called by the source goes through
`operation` and `layer`, which look at the operands first.  Source of the exceptions: torch's own behaviour, which
`tests/test_devices_rule.py` asks on pairs of the CPU and the meta device.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, wraps
from types import FunctionType
from typing import Any

from lazygen.symbolic.dtypes import Devices, Unplaced
from lazygen.symbolic.dtypes import device as Device
from lazygen.symbolic.errors import Mismatch
from lazygen.symbolic.rules import RULES, Guard
from lazygen.symbolic.tensor import Tensor, user_frame
from lazygen.values import value

Path = tuple[int | str, ...]
"""Which operand: its place or its keyword, and then its place in lists and dicts."""


@value
class Operand:
    """A tensor among the arguments of a call, or what holds one (a packed sequence)."""

    path: Path
    holder: Any
    tensor: Tensor


class Policy:
    """What is done about operands that do not meet: they are refused.  A run may put another in its place."""

    def operation(self, name: str, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Call a rule after a look at its operands."""
        found = list(operands(args, kwargs))
        if len(found) < 2:
            return function(*args, **kwargs)
        meeting = counted(name, function, found)
        place = common(meeting, name)
        result = function(*args, **kwargs)
        if place is not None and len(meeting) < len(found):
            settle_result(result, place, found)
        return result

    def layer(self, module: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
        """The arguments to run a module with."""
        kind: Any = type(module)
        if is_layer(kind):
            _check_layer(module, list(operands(args, kwargs)))
        return args, kwargs


def guard_rules(policy: Policy) -> None:
    """Let every rule that there is, and those to come, look at its operands."""
    Devices.policy = policy
    if Guard.around is not None:
        return
    Guard.around = guarded
    names: dict[int, str] = {}
    for name, function in list(RULES.items()):
        RULES[name] = guarded(names.setdefault(id(function), name), function)
    for name, function in list(vars(Tensor).items()):
        if isinstance(function, FunctionType) and f"Tensor.{name}" in RULES:
            setattr(Tensor, name, RULES[f"Tensor.{name}"])
        elif getattr(function, "__qualname__", "").startswith("in_place."):
            delattr(Tensor, name)  # is made again from the rule as it is now


def guarded(name: str, function: Any) -> Any:
    """A rule that looks at its operands where the source calls it."""
    if not isinstance(function, FunctionType):
        return function
    short = name.rpartition(".")[2]
    if short in _ANYWHERE.split():
        return function

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not Devices.mixed or Devices.policy is None:
            return function(*args, **kwargs)
        return Devices.policy.operation(short, function, args, kwargs)

    return call


def operands(args: Any, kwargs: Any) -> Iterator[Operand]:
    """The tensors among the arguments of a call."""
    for place, argument in enumerate(args):
        yield from _within((place,), argument)
    for name, argument in kwargs.items():
        yield from _within((name,), argument)


def _within(path: Path, value: Any, depth: int = 3) -> Iterator[Operand]:
    if isinstance(value, Tensor):
        yield Operand(path, value, value)
    elif not depth:
        return
    elif type(value) is list or type(value) is tuple:
        for place, item in enumerate(value):
            yield from _within((*path, place), item, depth - 1)
    elif type(value) is dict:
        for name, item in value.items():
            yield from _within((*path, name), item, depth - 1)
    elif isinstance(value, tuple) and isinstance(getattr(value, "data", None), Tensor):
        yield Operand(path, value, value.data)  # type: ignore[attr-defined]


def key(place: Device) -> tuple[str, int | None]:
    """A device as a value that compares."""
    return place.type, place.index


def counted(name: str, function: Callable[..., Any], found: list[Operand]) -> list[Operand]:
    """The operands of an operation that have to meet: neither indices on the CPU nor numbers there."""
    if name in _INDEXED:
        indices = [operand for operand in found if operand.path[0] == 1]
        if name == "__setitem__" and not indices:
            return []  # is copied into a view
        found = [o for o in found if o.path[0] != 1 or o.tensor.device.type != "cpu"]
    if name in _INDEXED or _takes_numbers(name, function.__module__):
        return [o for o in found if o.tensor._shape or o.tensor.device.type != "cpu"] or found
    return found


def common(found: Sequence[Operand], name: str) -> Device | None:
    """The device on which operands meet, those that nobody placed settled there.

    Raises Mismatch.
    """
    if len(found) < 2:
        return found[0].tensor.device if found else None
    places = [operand.tensor.device for operand in found]
    first = next((place for place in places if not is_open(place)), places[0])
    for place in places:
        if place is not first and is_open(place):
            settle(place, first)
    wrong = next((o for o in found if key(o.tensor.device) != key(first)), None)
    if wrong is not None:
        one = next(number for number, operand in enumerate(found) if operand.tensor.device is first)
        pair = sorted((one, list(found).index(wrong)))
        tensors = [operand.tensor for operand in found]
        raise Mismatch(f"tensors on different devices meet in {_shown(name)}", tensors, (pair[0], pair[1]))
    return first


def is_open(place: Device) -> bool:
    """Whether nobody has said yet where a tensor is."""
    return isinstance(place, Unplaced) and place.is_open


def settle(place: Device, met: Device) -> None:
    """Let a tensor that is nowhere yet be where it meets others."""
    frame = user_frame()
    assert isinstance(place, Unplaced)
    place.settle(met, None if frame is None else (frame.f_code, frame.f_lasti))


def _shown(name: str) -> str:
    return {"__getitem__": "an index", "__setitem__": "an assignment"}.get(name, name)


def settle_result(result: Any, place: Device, found: Sequence[Operand]) -> None:
    """A result stands where the operands met, which a number on the CPU does not change."""
    given = {id(operand.tensor) for operand in found}
    for made in result if isinstance(result, (tuple, list)) else (result,):
        if isinstance(made, Tensor) and id(made) not in given and key(made.device) != key(place):
            made.device = place


# Layers

_NO_LAYERS = {
    "Module", "_Modes", "_Numbered", "Sequential", "ModuleList", "ModuleDict", "LazyModuleMixin", "ParameterList",
    "ParameterDict", "DataParallel",
}  # fmt: skip


@lru_cache(maxsize=512)
def is_layer(kind: Any) -> bool:
    """Whether a class is a layer of torch's, or one that derives from it."""
    return any(
        base.__module__.startswith(("lazygen.symbolic.nn.", "torch.nn")) and base.__name__ not in _NO_LAYERS
        for base in kind.__mro__
    )


def held(module: Any) -> Iterator[Tensor]:
    """The parameters and buffers of a module and its parts, by torch's own walk over them."""
    for part in module.modules():
        for table in (part.__dict__["_parameters"], part.__dict__["_buffers"]):
            yield from (tensor for tensor in table.values() if tensor is not None)


def _check_layer(module: Any, found: Sequence[Operand]) -> None:
    own = next(held(module), None)
    if own is None:
        common(found, type(module).__name__)
        return
    places = [own.device, *(operand.tensor.device for operand in found)]
    first = next((place for place in places if not is_open(place)), own.device)
    for place in places:
        if place is not first and is_open(place):
            settle(place, first)
    for operand in found:
        place = operand.tensor.device
        if key(place) != key(own.device):
            message = f"{type(module).__name__} is on {own.device}, and a tensor on {place} reaches it"
            raise Mismatch(message, [operand.tensor], module=module, wanted=own.device)


# Exceptions

_ANYWHERE = """
to cpu cuda type type_as copy_ is_tensor set_ size dim numel item tolist numpy __array__ expand_as view_as reshape_as
broadcast_tensors broadcast_shapes atleast_1d atleast_2d atleast_3d result_type can_cast tensor as_tensor asarray
new_tensor zeros_like ones_like empty_like full_like rand_like randn_like randint_like new_zeros new_ones new_empty
new_full new full scalar_tensor is_same_size resize_as_ select_scatter slice_scatter diagonal_scatter backward
register_hook ctc_loss
"""
"""Operations that look at shapes, at numbers or at other devices only, or copy from one to another."""

_INDEXED = frozenset(["__getitem__", "__setitem__", "index_put", "index_put_"])
"""Operations with indices, which may stand on the CPU."""

_TAKING_NUMBERS = """
complex polar max min masked_fill dist vecdot addmm addmv where binary_cross_entropy_with_logits kl_div
gaussian_nll_loss hinge_embedding_loss multilabel_soft_margin_loss poisson_nll_loss soft_margin_loss margin_ranking_loss
pairwise_distance
"""
_FAMILIES_TAKING_NUMBERS = ("pointwise", "comparison", "special")


@lru_cache(maxsize=512)
def _takes_numbers(name: str, module: str) -> bool:
    """Whether an operation takes a tensor without dims on the CPU for a number, as those do that broadcast."""
    family = module.rpartition(".")[2]
    return name in _TAKING_NUMBERS.split() or (family in _FAMILIES_TAKING_NUMBERS and name != "copysign")
