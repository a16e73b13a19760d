"""One call into real torch: its arguments as real torch wants them, and its results as the stand-in has them."""

from __future__ import annotations

import warnings
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from inspect import isfunction
from typing import Any

from lazygen.symbolic import dtypes, fallback
from lazygen.symbolic.dim import Dim
from lazygen.symbolic.errors import NoRule, ShapeError, UnknownValue
from lazygen.symbolic.nested import leaves
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.nn.parameter import Parameter
from lazygen.symbolic.samples import Sample, by_value, said, sizes_in
from lazygen.symbolic.tensor import KEPT_VALUES, Size, Tensor, numel, shape_text

TWINS: dict[int, tuple[Any, Any]] = {}
"""A parameter, module or function of real torch and what stands for it, under the `id` of either."""


_GIVEN: list[list[Dim]] = []  # the sizes with terms that the calls under way were given


def twins(real: Any, stand_in: Any) -> None:
    """From now on one stands for the other."""
    TWINS[id(real)] = TWINS[id(stand_in)] = (real, stand_in)


class Call:
    """Which device a call runs on, and what becomes of values on the way in and out.

    `name` is what is called, as messages say it; `given` holds the tensors that it is called with.  A `foreign` call
    runs code of a library, which may do what the meta device cannot: move tensors, or ask for their numbers.  A `fixed`
    one is a layer's, whose weights have their sizes: only free sizes can be others there, and parameters given to it
    stay.
    """

    def __init__(self, torch: Any, name: str, given: Any, foreign: bool = False, fixed: bool = False) -> None:
        self.torch, self.name, self.foreign, self.fixed = torch, name, foreign, fixed
        self.tensors = list(_tensors(given))
        self.on_meta = foreign or any(t.values is None and numel(t.shape) != 0 for t in self.tensors)
        self.place: Any = self.tensors[0].device if self.tensors else dtypes.DEFAULT_DEVICE[-1]
        self.memo: dict[int, Any] = {}
        self.size: Callable[[int], int] = int
        self.called_back = False  # whether real torch has called code of the source's

    def __call__(self, function: Any, args: Any, kwargs: Any) -> Any:
        """The result.  Raises ShapeError where the arguments are refused, and NoRule where they hang on data."""
        sizes = list(sizes_in((self.tensors, args, kwargs))) if self.on_meta else []
        _GIVEN.append(sizes)
        try:
            result = self._run(function, args, kwargs)
        finally:
            _GIVEN.pop()
        if not sizes or not _holds_sizes(result):
            return result
        return said(result, self.name, sizes, lambda sample: self._again(sample, function, args, kwargs), self.fixed)

    def _again(self, sample: Sample, function: Any, args: Any, kwargs: Any) -> Any:
        """The result with other numbers for the sizes; None if these do not fit, or the source would notice."""
        second = Call(self.torch, self.name, (self.tensors,), self.foreign)
        second.size = sample.of
        try:
            return None if self.called_back else second._run(function, args, kwargs)
        except (ShapeError, NoRule):
            return None

    def _run(self, function: Any, args: Any, kwargs: Any) -> Any:
        with fallback.real_torch() as torch, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                with self._device(), torch.no_grad():
                    return self.back(function(*self.into(args), **self.into(kwargs)))
            except NotImplementedError as error:
                if isinstance(error, NoRule):
                    raise
                inside = f": {_first_line(error)}" if self.foreign and str(error) else ""
                raise NoRule(self.name, f"torch's meta device cannot do it either{inside}") from None
            except (ShapeError, UnknownValue):
                raise
            except (RuntimeError, TypeError, ValueError, IndexError) as error:
                if "data-dependent" in str(error) or "meta tensors" in str(error):
                    raise NoRule(self.name, f"its result hangs on data: {_first_line(error)}") from None
                shapes = " and ".join(shape_text(t.shape) for t in self.tensors)
                notes = (f"the operands are {shapes}",) if shapes else ()
                message = f"torch refuses {self.name}: {_first_line(error)}"
                raise ShapeError(message, operands=tuple(self.tensors), notes=notes) from None

    def _device(self) -> Any:
        if self.foreign:
            from lazygen.symbolic.meta_device import on_meta

            return on_meta(self.torch)
        return self.torch.device("meta") if self.on_meta else nullcontext()

    def into(self, value: Any) -> Any:
        """A value of the stand-in as real torch wants it."""
        if isinstance(value, Tensor):
            if id(value) not in self.memo:
                self.memo[id(value)] = self._tensor(value)
            return self.memo[id(value)]
        if isinstance(value, dtypes.dtype):
            return getattr(self.torch, value.name)
        if isinstance(value, dtypes.device):
            self.place = value
            return self.torch.device("meta" if self.on_meta else "cpu")
        if isinstance(value, (bool, str, bytes, type(None))):
            return value
        if isinstance(value, int):
            return self.size(value)
        if isinstance(value, float):
            return float(value)
        if isinstance(value, Module):
            from lazygen.symbolic.real_layers import real_of

            return real_of(value, self)
        if isinstance(value, Size):
            return self.torch.Size([self.size(size) for size in value])
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*(self.into(item) for item in value))
        if isinstance(value, (list, tuple)):
            return type(value)(self.into(item) for item in value)
        if isinstance(value, dict):
            return {key: self._keyword(key, item) for key, item in value.items()}
        if isfunction(value):
            return self._function(value)
        return vars(value).get("real_object", value) if hasattr(value, "__dict__") else value

    def _keyword(self, key: Any, value: Any) -> Any:
        if key == "device" and value is not None and not isinstance(value, Tensor):
            value = dtypes.device(value)
        return self.into(value)

    def _function(self, function: Any) -> Any:
        """A function of the source's, which real torch calls with its own tensors."""
        if id(function) in TWINS:
            return TWINS[id(function)][0]

        def called(*args: Any, **kwargs: Any) -> Any:
            self.called_back = True
            args, kwargs = handed_back(self.back((args, kwargs)))
            with fallback.stand_in():
                result = function(*args, **kwargs)
            return self.into(result)

        twins(called, function)
        return called

    def _tensor(self, value: Tensor) -> Any:
        torch = self.torch
        if id(value) in TWINS:
            return TWINS[id(value)][0]
        shape, dtype = [self.size(size) for size in value.shape], getattr(torch, value.dtype.name)
        if isinstance(value, Parameter) and self.foreign:
            made = torch.nn.Parameter(torch.empty(shape, dtype=dtype, device="meta"), value.requires_grad)
            if self.fixed:
                twins(made, value)
            return made
        if value.values is None or (self.on_meta and not self.foreign):
            return torch.empty(shape, dtype=dtype, device="meta" if self.on_meta else "cpu")
        numbers = [item.__index__() if hasattr(item, "__index__") else item for item in value.values]
        return torch.tensor(numbers, dtype=dtype, device="cpu").reshape(shape)

    def back(self, value: Any) -> Any:
        """A value of real torch as the stand-in has it."""
        torch = self.torch
        if id(value) in TWINS and TWINS[id(value)][0] is value:
            return TWINS[id(value)][1]
        if isinstance(value, torch.Tensor):
            values = None
            if value.device.type == "cpu" and (self.foreign or not self.on_meta) and value.numel() <= KEPT_VALUES:
                values = value.detach().reshape(-1).tolist() if value.layout == torch.strided else None
            return Tensor(tuple(value.shape), self.back(value.dtype), self.place, values)
        if isinstance(value, torch.nn.Module):
            from lazygen.symbolic.real_layers import layer_of

            return layer_of(value, self)
        if isinstance(value, torch.Size):
            return Size(value)
        if isinstance(value, torch.dtype):
            return dtypes.DTYPES.get(str(value)[6:], dtypes.float32)
        if isinstance(value, torch.device):
            return self.place
        if isinstance(value, tuple) and hasattr(type(value), "n_sequence_fields"):  # torch.return_types
            names: Any = vars(type(value))["__match_args__"]
            return namedtuple(type(value).__name__, names)(*map(self.back, value))
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*(self.back(item) for item in value))
        if isinstance(value, (list, tuple)) and type(value).__module__ == "builtins":
            return type(value)(self.back(item) for item in value)
        if type(value) is dict:
            return {key: self.back(item) for key, item in value.items()}
        from lazygen.symbolic.foreign import seen

        return seen(value, self.name, tuple(self.tensors), self.foreign)


def handed_back(values: Any) -> Any:
    """What real torch gives to code of the source's: the free sizes of the call under way are free there, too."""
    return by_value(values, _GIVEN[-1]) if _GIVEN and _GIVEN[-1] else values


def call_foreign(
    function: Callable[..., Any], name: str, args: Any, kwargs: Any, made_of: Any = (), fixed: bool = False
) -> Any:
    """What a function of a library that real torch serves gives for arguments of the stand-in."""
    return Call(fallback.load(), name, (made_of, args, kwargs), True, fixed)(function, args, kwargs)


def _tensors(value: Any) -> Iterator[Tensor]:
    for leaf in leaves(value):
        if isinstance(leaf, Tensor):
            yield leaf
        elif hasattr(leaf, "__dict__"):
            yield from vars(leaf).get("made_of", ())


def _holds_sizes(value: Any) -> bool:
    """Whether there are sizes in a result."""
    return any(bool(leaf.shape) if isinstance(leaf, Tensor) else isinstance(leaf, int) for leaf in leaves(value))


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
