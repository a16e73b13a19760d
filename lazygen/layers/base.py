"""What all layers that leave a size out have in common.

    layer = L.Linear(80)       has no in_features yet
    layer(x)                   reads it off x; from then on the layer is a torch.nn.Linear with a weight

A layer is an instance of its torch class from the start, and has that class's parameters under their own names once it
is built: a state_dict of layers is one of plain modules.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from typing import Any, TypeVar

import torch
from torch import nn

from lazygen.layers.places import caller, of_frame

Self = TypeVar("Self", bound="Layer")


class LayerError(ValueError):
    """A layer or a graph that cannot be: `code` and `helps` are for whoever shows the message."""

    def __init__(
        self, message: str, *, helps: tuple[str, ...] = (), code: str = "LZ250", layer: nn.Module | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.helps = helps
        self.layer = layer  # the one that was called


class Observer:
    """Hears what layers do while they do it.  This one does nothing; another may take its place in `Layer.observer`."""

    keeps_sizes = True  # sizes that are read off a placeholder follow the input; else they tell so by themselves

    def made(self, layer: Layer) -> None:
        """A layer without its sizes was made."""

    def sized(self, layer: Layer, sizes: dict[str, int], shape: Sequence[int]) -> None:
        """A layer got its sizes from an input of a shape."""

    def resized(self, layer: Layer, sizes: dict[str, int], input: Any) -> None:
        """A layer that has its sizes is called with an input that asks for others."""

    def meets(self, layer: Layer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """A layer that was just built is about to run: the arguments that it gets, wherever they have to be."""
        return args, kwargs

    def noted(self, what: str, subject: Any) -> None:
        """Something was used that torch writes in another way: `list`, `add`, `add list`, `build`, `graph`, and
        `list inputs` or `dict inputs` of one; or a `module` is called in a graph; or a
        `recurrent` layer was made, and got `return_state` and the like.
        """

    def valued(self, placeholder: Any) -> None:
        """A placeholder came about: an input of a graph, or what a call in it gives."""

    def sample(self, shape: Sequence[int | None], dtype: Any) -> Any:
        """A tensor to run a graph on while it is put together; sizes of None are free."""
        return torch.zeros([2 if size is None else size for size in shape], dtype=dtype)


class WithSpec:
    """What all layers of the library have: a spec and the way back, and the shape that comes out."""

    def get_output_shape(self, *shapes: Any) -> Any:
        """The shape of the result for inputs of shapes, in which None is a free size.

        Nothing is computed and nothing built: a layer is afterwards what it was.  A result of several tensors gives a
        list or a dict of shapes.
        """
        from lazygen.layers.shapes import output_shape

        assert isinstance(self, nn.Module)
        return output_shape(self, shapes)

    def to_spec(self) -> dict[Any, Any]:
        """The layer as plain data: `{"type": "Conv2d", None: [12, 3], "padding": 1}`."""
        from lazygen.layers.spec import to_spec

        assert isinstance(self, nn.Module)
        return to_spec(self)

    @classmethod
    def from_spec(cls, spec: Any) -> Any:
        """The layer that a spec describes, of whatever class the spec names.

        Raises LayerError if that is not this class or one below it.
        """
        from lazygen.layers.spec import from_spec

        made = from_spec(spec)
        if not isinstance(made, cls) and cls is not Layer:
            raise LayerError(f"the spec describes a {type(made).__name__}, and not a {cls.__name__}")
        return made


class Layer(WithSpec, nn.Module):
    """A layer that builds itself on its first call, or by `build`.

    `native` is its torch class, `place` the number of the parameter of that class where the missing sizes stand.
    """

    native: Any = nn.Module
    place = 0
    observer = Observer()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        nn.Module.__init__(self)
        self._given = (args, kwargs)
        self._sizes: dict[str, int] = {}
        self._built_by = ""
        self.home = _home(kwargs)
        self._check_arguments()
        if self.leaves_out():
            Layer.observer.made(self)

    def leaves_out(self) -> bool:
        """Whether a size is missing at all."""
        return True

    def infer(self, shape: Sequence[int]) -> dict[str, int]:
        """The sizes that the author left out, by torch's names, from the shape of an input."""
        raise NotImplementedError

    def build(self: Self, shape: Sequence[int]) -> Self:
        """Make the parameters for inputs of a shape, of which only the sizes that `infer` names count."""
        Layer.observer.noted("build", self)
        self._fit(tuple(shape), None)
        return self

    def native_module(self) -> nn.Module | None:
        """A plain torch module over the same parameters; None as long as the layer is not built."""
        if self.has_uninitialized_params():
            return None
        twin = self.native.__new__(self.native)
        twin.__dict__.update({name: value for name, value in self.__dict__.items() if name not in _OWN})
        return twin  # type: ignore[no-any-return]

    def has_uninitialized_params(self) -> bool:
        """Whether the layer still waits for its first call."""
        return not self._sizes

    def forward(self, input: Any, *args: Any, **kwargs: Any) -> Any:
        is_new = self.has_uninitialized_params()
        self._fit(input.shape, input)
        if is_new:
            (input, *args), kwargs = Layer.observer.meets(self, (input, *args), kwargs)
        return self.native.forward(self, input, *args, **kwargs)

    def extra_repr(self) -> str:
        if not self.has_uninitialized_params():
            return str(self.native.extra_repr(self))
        args, kwargs = self._given
        return ", ".join([*map(repr, args), *(f"{name}={value!r}" for name, value in kwargs.items())])

    def arguments(self, sizes: dict[str, int]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of the torch class: the author's, with the sizes in their places."""
        args, kwargs = self._given
        if len(args) < self.place:
            return args, {**kwargs, **sizes}
        return (*args[: self.place], *sizes.values(), *args[self.place :]), kwargs

    def _check_arguments(self) -> None:
        """Raise TypeError for arguments that the torch class does not take, where they are written."""
        args, kwargs = self._given
        sized = (*args[: self.place], 1, *args[self.place :]) if len(args) >= self.place else args
        try:
            inspect.signature(self.native).bind_partial(*sized, **kwargs)
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}: {error}") from None

    def _fit(self, shape: Sequence[int], input: Any) -> None:
        """Build for a shape, or see that it is one that the layer was built for."""
        try:
            sizes = self.infer(shape)
        except LayerError as error:
            error.layer = error.layer or self
            raise
        if not self._sizes:
            args, kwargs = self.arguments(sizes)
            self._become(self.native(*args, **{**kwargs, **self.home}))
            self._sizes, self._built_by = sizes, of_frame(caller())
            Layer.observer.sized(self, sizes, shape)
        elif any(int(sizes[name]) != int(size) for name, size in self._sizes.items()):
            if input is not None:
                Layer.observer.resized(self, sizes, input)
            raise self._other_width(sizes)

    def _apply(self, fn: Any, recurse: bool = True) -> Any:
        if not self.has_uninitialized_params():
            return super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        here = {"device": torch.device("cpu"), "dtype": torch.float32, **_placement(self._given[1]), **self.home}
        try:
            moved = _moved(fn, here)
        except NotImplementedError:  # from the meta device there is nothing to copy
            moved = _moved(fn, {**here, "device": "cpu"})
        changed = {name: place for name, place in moved.items() if place != here[name]}
        self.home = {**self.home, **changed}
        return nn.Module._apply(self, fn, recurse)  # type: ignore[no-untyped-call]

    def _become(self, module: nn.Module) -> None:
        """Take over what the torch class's constructor sets, and keep one's own mode, hooks and arguments."""
        for name, value in module.__dict__.items():
            if name in ("_parameters", "_buffers", "_modules", "_non_persistent_buffers_set"):
                self.__dict__[name].update(value)
            elif name not in self.__dict__:
                object.__setattr__(self, name, value)

    def _other_width(self, sizes: dict[str, int]) -> LayerError:
        name, size = next((name, size) for name, size in self._sizes.items() if int(size) != int(sizes[name]))
        return LayerError(
            f"one {type(self).__name__} is fed two widths: {name} is {int(size)} by the call at {self._built_by}, "
            f"and {int(sizes[name])} by the call at {of_frame(caller())}",
            helps=("make one layer for each width",),
            code="LZ211",
        )


_OWN = ("_given", "_sizes", "_built_by", "home")


def _home(given: dict[str, Any]) -> dict[str, Any]:
    """Where a layer that is made here is to be built, as arguments: what a device scope says, and its author did not.

    Only a source that has loaded the scopes can be inside of one.
    """
    devices = sys.modules.get("lazygen.devices")
    scope = None if devices is None else devices.current()
    if scope is None:
        return {}
    home = {"device": scope.device, "dtype": torch.get_default_dtype()}
    return {name: value for name, value in home.items() if given.get(name) is None}


def _moved(fn: Any, here: dict[str, Any]) -> dict[str, Any]:
    """Where parameters come by what is done to those of a module: a tensor that stands for them tells."""
    stand_in = torch.empty(0, **here)
    moved = fn(stand_in)
    moved = stand_in if moved is None else moved
    return {"device": moved.device, "dtype": moved.dtype}


def _placement(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments that say where."""
    places = {name: given[name] for name in ("device", "dtype") if given.get(name) is not None}
    return {**places, "device": torch.device(places["device"])} if "device" in places else places


def shape_text(shape: Sequence[int]) -> str:
    """A shape as messages say it: `(8, 3, 32, 32)`."""
    return str(tuple(int(size) for size in shape))
