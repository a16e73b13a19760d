"""`torch.dtype`, `torch.device` and type promotion.

Promotion follows torch's documented rules ("Type Promotion" in the docs of tensor attributes): a dimensioned tensor
outranks a zero-dim tensor, which outranks a Python number, within one category; a higher category always wins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class dtype:
    """An element type.  `category` is 0 for bool, 1 for integers, 2 for floats and 3 for complex numbers."""

    def __init__(self, name: str, itemsize: int, category: int) -> None:
        self.name, self.itemsize, self.category = name, itemsize, category

    @property
    def is_floating_point(self) -> bool:
        return self.category == 2

    @property
    def is_complex(self) -> bool:
        return self.category == 3

    @property
    def is_signed(self) -> bool:
        return not self.name.startswith(("uint", "bool"))

    def to_real(self) -> dtype:
        return {"complex32": float16, "complex64": float32, "complex128": float64}.get(self.name, self)

    def to_complex(self) -> dtype:
        return {"float16": complex32, "float64": complex128, "complex128": complex128, "complex32": complex32}.get(
            self.name, complex64
        )

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> Any:
        return _named, (self.name,)

    def __deepcopy__(self, memo: object) -> dtype:
        return self


def _named(name: str) -> dtype:
    return DTYPES[name]


DTYPES = {
    name: dtype(name, size, category)
    for name, size, category in [
        ("bool", 1, 0),
        *((f"{sign}int{8 * n}", n, 1) for sign in ("u", "") for n in (1, 2, 4, 8)),
        ("float8_e4m3fn", 1, 2),
        ("float8_e5m2", 1, 2),
        ("float16", 2, 2),
        ("bfloat16", 2, 2),
        ("float32", 4, 2),
        ("float64", 8, 2),
        ("complex32", 4, 3),
        ("complex64", 8, 3),
        ("complex128", 16, 3),
    ]
}
bool_ = DTYPES["bool"]
uint8, int8, int16, int32, int64 = (DTYPES[n] for n in ("uint8", "int8", "int16", "int32", "int64"))
float16, bfloat16, float32, float64 = (DTYPES[n] for n in ("float16", "bfloat16", "float32", "float64"))
complex32, complex64, complex128 = (DTYPES[n] for n in ("complex32", "complex64", "complex128"))

ALIASES = {
    "half": float16,
    "float": float32,
    "double": float64,
    "short": int16,
    "int": int32,
    "long": int64,
    "chalf": complex32,
    "cfloat": complex64,
    "cdouble": complex128,
}
_FLOATS = ["float16", "float32", "float64"]
_INTS = ["int8", "int16", "int32", "int64"]


def promote(left: dtype, right: dtype) -> dtype:
    """The type of an operation over tensors of both types, of the same priority."""
    if left is right:
        return left
    if left.category != right.category:
        high, low = (left, right) if left.category > right.category else (right, left)
        if high.category == 3 and low.category == 2:
            return promote(high, low.to_complex())
        return high
    if left.category == 3:
        return left if left.itemsize > right.itemsize else right
    if left.category == 2:
        if left.itemsize == right.itemsize:  # float16 with bfloat16
            return float32
        return left if left.itemsize > right.itemsize else right
    unsigned = [t for t in (left, right) if t.name.startswith("u")]
    if len(unsigned) == 1:
        signed = right if unsigned[0] is left else left
        if unsigned[0].itemsize < signed.itemsize:
            return signed
        return DTYPES[f"int{min(64, 16 * unsigned[0].itemsize)}"]
    return left if left.itemsize > right.itemsize else right


class device:
    """`torch.device`: a type and perhaps an index."""

    type: str
    index: int | None
    origin: Any = None
    """Which instructions of the source put a tensor there, innermost first, if that is asked for."""

    def __init__(self, type: str | int | device, index: int | None = None) -> None:
        if isinstance(type, device):
            self.type, self.index = type.type, type.index
        elif isinstance(type, int):
            self.type, self.index = "cuda", int(type)
        elif ":" in type:
            name, _, number = type.partition(":")
            if not number.isdigit():
                raise RuntimeError(f"Invalid device string: '{name}:{number}'")
            self.type, self.index = name, int(number)
        else:
            self.type, self.index = type, index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __repr__(self) -> str:
        return f"device(type='{self.type}'" + ("" if self.index is None else f", index={self.index}") + ")"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __enter__(self) -> device:
        DEFAULT_DEVICE.append(located(self))
        return self

    def __exit__(self, *_: object) -> None:
        DEFAULT_DEVICE.pop()


class Unplaced(device):
    """Where a tensor is that nobody placed: on the CPU for all that one can see.

    If it `settles`, it is on the device of what it meets first, and so is all that was made of it.  `settled_by` is the
    instruction of the source that settled it.
    """

    def __init__(self, settles: bool) -> None:
        self.settles = settles
        self.settled_by: Any = None
        self._met: device | None = None

    type = property(lambda self: self.place.type)
    index = property(lambda self: self.place.index)

    @property
    def place(self) -> device:
        """The device as far as it is known."""
        return self.first._met or CPU

    @property
    def first(self) -> Unplaced:
        """The one that stands for all which have met."""
        found = self
        while isinstance(found._met, Unplaced):
            found = found._met
        return found

    @property
    def is_open(self) -> bool:
        """Whether it has met nothing that is placed."""
        return self.first._met is None

    def forget(self) -> None:
        """Have met nothing."""
        self._met = self.settled_by = None

    def settle(self, met: device, at: Any) -> None:
        """Be where `met` is from now on."""
        own = self.first
        if self.settles and own is not (met.first if isinstance(met, Unplaced) else met):
            own._met, self.settled_by = met, at


class Carried(Unplaced):
    """Where a tensor was brought before a module of the source's own; `needed` as soon as it meets something there.

    A module that brings it by itself does not need that.
    """

    def __init__(self, place: device) -> None:
        super().__init__(settles=False)
        self._met, self.origin, self.needed = place, place.origin, False


class Devices:
    """What a run knows of devices.

    `mixed`: whether a tensor may be elsewhere than on the CPU.  `policy` looks at the operands of operations then
    (`placement.py`), if the run has one.  `of_models` is where the parameters are that nobody placed: on the CPU, or
    wherever whoever uses the model moves it.  `origin` tells which instructions of the source place a tensor; nobody
    does until a run asks.
    """

    mixed = False
    policy: Any = None
    of_models: Unplaced | None = None
    origin: Callable[[], Any] | None = None


def located(place: Any) -> device:
    """The device that a tensor gets for what the source says: `cuda` is the first of its kind."""
    if isinstance(place, Unplaced) or (isinstance(place, device) and place.origin is not None):
        return place  # another tensor's
    made = device(place)
    if made.type != "cpu":
        Devices.mixed = True
        if made.index is None and made.type != "meta":
            made.index = 0
    if Devices.origin is not None:
        made.origin = Devices.origin()
    return made


def kept(place: device) -> device:
    """Where a parameter or a buffer is whose tensor was made at a place: with the model's others if nobody said it."""
    if place is not DEFAULT_DEVICE[0] or place.type != "cpu":
        return place
    return CPU if isinstance(place, Unplaced) else Devices.of_models or place


CPU = device("cpu")
DEFAULT_DEVICE = [CPU]
DEFAULT_DTYPE = [float32]
