"""The stand-in for `torch.Tensor`: a shape, a dtype and a device, no numbers but those of small constants."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from operator import attrgetter
from types import CodeType, FrameType
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.dtypes import device as Device
from lazygen.symbolic.dtypes import dtype as Dtype
from lazygen.symbolic.errors import NoRule, ShapeError, UnknownValue
from lazygen.symbolic.observer import Observer
from lazygen.symbolic.rules import RULES, find

KEPT_VALUES = 4096  # constants of up to this many elements keep their values

TRACED: set[str] = set()
"""File names of the sources that are being traced; a frame of one of them is the user's."""


_item = tuple.__getitem__


class Size(tuple[int, ...]):
    """`torch.Size`: a tuple of sizes whose slices and sums are Sizes again."""

    def numel(self) -> int:
        """The product of the sizes."""
        return numel(self)

    def __getitem__(self, key: Any) -> Any:
        item = _item(self, key)
        return Size(item) if type(key) is slice else item

    def __add__(self, other: Any) -> Any:
        return Size(tuple.__add__(self, tuple(other)))

    def __radd__(self, other: Any) -> Any:
        return Size(tuple(other) + tuple(self))

    def __mul__(self, other: Any) -> Any:
        return Size(tuple.__mul__(self, other))

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(str(int(size)) for size in self)}])"


def numel(shape: Iterable[int]) -> int:
    """The product of the sizes, with its expression."""
    return prod(shape)


def user_frame(depth: int = 1) -> FrameType | None:
    """The innermost frame of a traced source, or None."""
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None and frame.f_code.co_filename not in TRACED:
        frame = frame.f_back
    return frame


class _Methods(type):
    """Finds `torch.Tensor.clone`, a method as a function of its tensor."""

    def __getattr__(cls, name: str) -> Any:
        function = None if name.startswith("__") else method(name)
        if function is None:
            raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")
        return function


class Tensor(metaclass=_Methods):
    """A tensor without numbers.

    `shape` is a Size of Dims and ints, `values` a flat list of Python numbers in row-major order for a small
    constant, else None.
    """

    _shape: Size
    _values: list[Any] | None = None
    _sharing: Sequence[Tensor] = ()  # with itself, the constants that are views of one another
    dtype: Dtype
    device: Device
    requires_grad: bool = False
    made_at: tuple[CodeType, int] | None = None  # by which instruction of a traced source
    grad: Any = None
    grad_fn: Any = None
    names: tuple[None, ...] = ()

    def __init__(
        self,
        shape: Iterable[int] = (),
        dtype: Dtype | None = None,
        device: Device | None = None,
        values: list[Any] | None = None,
        requires_grad: bool = False,
        *more: Any,
    ) -> None:
        if sys._getframe(1).f_code.co_filename in TRACED:  # a source calls it as torch's old constructor
            from lazygen.symbolic.legacy import content

            shape, values = content((shape, dtype, device, values, requires_grad, *more))
            dtype = device = None
            requires_grad = False
        if requires_grad:
            self.requires_grad = requires_grad
        dtype = dtypes.DEFAULT_DTYPE[-1] if dtype is None else dtype
        device = dtypes.DEFAULT_DEVICE[-1] if device is None else device
        new(shape, self, dtype, device, values, self)

    shape: Size = property(attrgetter("_shape"))  # type: ignore[assignment]

    @property
    def values(self) -> list[Any] | None:
        return self._values

    @values.setter
    def values(self, values: list[Any] | None) -> None:
        for other in self._sharing:
            other._values = None  # what a view showed before the write
        self._values = values

    @property
    def ndim(self) -> int:
        return len(self._shape)

    @property
    def data(self) -> Any:
        return self

    @data.setter
    def data(self, value: Tensor) -> None:
        self._shape, self.dtype, self.device, self.values = value.shape, value.dtype, value.device, value.values

    is_leaf = True
    is_cuda = property(lambda self: self.device.type == "cuda")
    is_meta = property(lambda self: self.device.type == "meta")
    is_sparse = is_quantized = is_nested = is_mps = is_mkldnn = is_xla = False
    layout = property(lambda self: _world().strided)
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: numel(self._shape) * self.dtype.itemsize)
    T = property(lambda self: self.permute(*range(len(self._shape) - 1, -1, -1)))
    mT = property(lambda self: _last_two_swapped(self))
    H = property(lambda self: _matrix_turned(self))
    mH = property(lambda self: self.mT.conj())
    real = property(lambda self: new(self._shape, self, dtype=self.dtype.to_real()))
    imag = property(lambda self: new(self._shape, self, dtype=self.dtype.to_real()))

    def __getattr__(self, name: str) -> Any:
        function = None if name.startswith("__") else method(name)
        if function is None:
            raise AttributeError(f"'Tensor' object has no attribute '{name}'")
        return function.__get__(self, type(self))

    def __iter__(self) -> Iterator[Tensor]:
        if not self._shape:
            raise TypeError("iteration over a 0-d tensor")
        return iter([self.__getitem__(index) for index in range(int(self._shape[0]))])

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("len() of a 0-d tensor")
        return int(self._shape[0])

    def __contains__(self, item: object) -> bool:
        raise UnknownValue("whether a tensor contains a number hangs on its data")

    def number(self) -> Any:
        """The one number of a one-element tensor: its value if it is a constant, else an Unknown."""
        if numel(self._shape) != 1:
            raise ShapeError(
                f"a tensor of {numel(self._shape)} elements cannot become one number", operands=(self,), code="LZ221"
            )
        if self.values is not None:
            return self.values[0]
        from lazygen.symbolic.unknown import Unknown

        return Unknown(self.dtype.category)

    def __bool__(self) -> bool:
        return bool(self.number())

    def __int__(self) -> int:
        return int(self.number())

    def __float__(self) -> float:
        return float(self.number())

    def __index__(self) -> int:
        number = self.number()
        if isinstance(number, float):
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return number.__index__()  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        if self.values is not None and not self._shape:
            return f"tensor({self.values[0]})"
        return f"tensor(..., size={tuple(int(s) for s in self._shape)}, dtype={self.dtype})"

    __hash__ = object.__hash__

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Real torch's functions, called by a library with a tensor of the stand-in, run on the meta device."""
        from lazygen.symbolic.foreign import called_by_library

        return called_by_library(function, args, kwargs or {})

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        made = memo[id(self)] = self.__class__.__new__(self.__class__)
        made.__dict__.update(self.__dict__, _sharing=())
        return made


def _last_two_swapped(tensor: Tensor) -> Any:
    if len(tensor._shape) == 1:
        raise ShapeError(f"mT needs two dims or more, not {tensor.ndim}", operands=(tensor,), code="LZ203")
    return tensor.transpose(-2, -1) if tensor._shape else tensor


def _matrix_turned(tensor: Tensor) -> Any:
    if len(tensor._shape) > 2:
        raise ShapeError(f"H needs a matrix, not {shape_text(tensor._shape)}", operands=(tensor,), code="LZ203")
    return tensor.mT.conj()


def _world() -> Any:
    return sys.modules["torch"]


def method(name: str) -> Callable[..., Any] | None:
    """The rule for a method of Tensor, kept on the class from its first use on; `relu_` stands for `relu` where only
    that is stated.
    """
    found = find(f"Tensor.{name}")
    if found is None and name.endswith("_") and not name.endswith("__"):
        found = in_place(name)
    if found is None:
        from lazygen.symbolic.fallback import method_without_rule

        found = method_without_rule(name)
    if found is not None:
        setattr(Tensor, name, found)
    return found


def in_place(name: str) -> Callable[..., Any] | None:
    """`add_` from `add`: the result must fit what it is written to, which keeps its shape and dtype."""
    plain = find(f"Tensor.{name[:-1]}")
    if plain is None:
        return None

    def write(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        result = plain(self, *args, **kwargs)
        if tuple(result.shape) != tuple(self.shape):
            raise ShapeError(
                f"the result of {name} is {shape_text(result.shape)}, which does not fit into {shape_text(self.shape)}",
                operands=(self,),
                code="LZ202",
            )
        if result.dtype.category > self.dtype.category:
            raise ShapeError(f"result type {result.dtype.name} can't be cast to {self.dtype.name}", operands=(self,))
        self.values = result.values
        return self

    return write


_OPERANDS = (Tensor, int, float, complex)


def _of_two(function: str, reflected: bool = False) -> Callable[..., Any]:
    name = f"torch.{function}"

    def apply(self: Tensor, other: Any) -> Any:
        if type(other) is not Tensor and not isinstance(other, _OPERANDS) and not hasattr(other, "__index__"):
            return NotImplemented
        rule = RULES.get(name) or _needed(name)
        return rule(other, self) if reflected else rule(self, other)

    return apply


def _of_one(function: str) -> Callable[..., Any]:
    name = f"torch.{function}"
    return lambda self: (RULES.get(name) or _needed(name))(self)


def _needed(name: str) -> Callable[..., Any]:
    rule = find(name)
    if rule is None:
        raise NoRule(name)
    return rule


for _name, _function in {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "true_divide", "floordiv": "floor_divide", "mod": "remainder",
    "pow": "pow", "matmul": "matmul", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift",
}.items():  # fmt: skip
    setattr(Tensor, f"__{_name}__", _of_two(_function))
    setattr(Tensor, f"__r{_name}__", _of_two(_function, reflected=True))
    setattr(Tensor, f"__i{_name}__", lambda self, other, _f=_function: method(f"{_f}_")(self, other))  # type: ignore[misc]
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Tensor, f"__{_name}__", _of_two(_name))
for _name, _function in {"neg": "neg", "pos": "positive", "abs": "abs", "invert": "bitwise_not"}.items():
    setattr(Tensor, f"__{_name}__", _of_one(_function))
Tensor.__getitem__ = lambda self, key: method("__getitem__")(self, key)  # type: ignore
Tensor.__setitem__ = lambda self, key, value: method("__setitem__")(self, key, value)  # type: ignore


def new(
    shape: Iterable[int],
    like: Tensor,
    dtype: Dtype | None = None,
    device: Device | None = None,
    values: list[Any] | None = None,
    made: Tensor | None = None,
) -> Tensor:
    """A tensor of a shape, with the dtype and device of another where none are given.

    Rules make tensors by this function, not by the constructor, which looks at who calls it.  `made` is one that has
    nothing yet.
    """
    if made is None:
        made = _bare(Tensor)
    made._shape = shape if type(shape) is Size else Size(shape)
    made.dtype = dtype or like.dtype
    made.device = device or like.device
    if values is not None and len(values) <= KEPT_VALUES:
        made._values = values
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:  # this is `user_frame`, where a call counts
        code = frame.f_code
        if code.co_filename in TRACED:
            made.made_at = code, frame.f_lasti
            break
        frame = frame.f_back
    if Observer.tensor is not None:
        Observer.tensor(made)
    return made


_bare = object.__new__


def view_of(base: Tensor, shape: Iterable[int], values: list[Any] | None) -> Tensor:
    """A tensor over the elements of another: what is written to one of them is no longer known of the other."""
    made = new(shape, base, None, None, values)
    if values is not None:
        shared = base._sharing if isinstance(base._sharing, list) else [base]
        shared.append(made)
        base._sharing = made._sharing = shared
    return made


def shape_text(shape: Sequence[int]) -> str:
    """A shape as messages say it: `(2, 16, 15, 15)`."""
    sizes = ", ".join(str(int(size)) for size in shape)
    return f"({sizes},)" if len(shape) == 1 else f"({sizes})"
