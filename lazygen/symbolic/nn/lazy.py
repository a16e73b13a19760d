"""Layers with a size left out: what `torch.nn.LazyLinear` and its kin have in common.

A lazy class names the sizes it leaves out (`missing`) and its plain class (`plain`).  On its first call it reads them
off the input, becomes the plain class and tells the recorder, which keeps the calls that made lazy layers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.nn.parameter import UninitializedParameter
from lazygen.symbolic.tensor import Tensor


class Recorder:
    """Who is told about lazy layers; the tracer puts its own methods here."""

    made: Callable[[LazyModuleMixin], None] = staticmethod(lambda layer: None)
    sized: Callable[[LazyModuleMixin, dict[str, int], Tensor], None] = staticmethod(lambda layer, sizes, input: None)


class LazyModuleMixin(Module):
    """Mixed into a plain layer's subclass.  `cls_to_become` is the plain class, as in torch."""

    cls_to_become: type[Any] | None = None
    missing: tuple[str, ...] = ()

    def has_uninitialized_params(self) -> bool:
        """Whether the layer still waits for its first call."""
        return any(isinstance(p, UninitializedParameter) for p in self._parameters.values()) or self._waiting()

    def _waiting(self) -> bool:
        return self.cls_to_become is not None and isinstance(self, LazyModuleMixin)

    def infer(self, input: Tensor) -> dict[str, int]:
        """The sizes that the layer leaves out, by name, from its first input."""
        raise NotImplementedError

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """A class of the user's own overrides this, as with torch's mixin."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if type(self).infer is LazyModuleMixin.infer:
            if self.has_uninitialized_params():
                self._refuse()
                self.initialize_parameters(*args, **kwargs)
            if self.cls_to_become is not None:
                self.__class__ = self.cls_to_become
            return Module.__call__(self, *args, **kwargs)
        from lazygen.symbolic.errors import ShapeError

        try:
            sizes = self.infer(args[0] if args else next(iter(kwargs.values())))
            self.build(sizes)
        except ShapeError as error:
            error.layer = error.layer or self
            raise
        Recorder.sized(self, sizes, args[0] if args else next(iter(kwargs.values())))
        self.__class__ = self.cls_to_become  # type: ignore[assignment]
        return self(*args, **kwargs)

    def _refuse(self) -> None:
        """What a class of the source's own does with sizes, only itself knows: there is no explicit call to write for
        it.
        """
        from lazygen.symbolic.errors import ShapeError

        plain = self.cls_to_become.__name__ if self.cls_to_become is not None else "a plain class"
        error = ShapeError(
            f"{type(self).__name__} is a lazy class of the file's own, for which lazygen knows no explicit form",
            helps=(f"build {plain} here, with its sizes as arguments",),
            code="LZ215",
        )
        error.layer = self
        raise error

    def build(self, sizes: dict[str, int]) -> None:
        """Set the sizes and make the parameters of the plain class."""
        raise NotImplementedError
