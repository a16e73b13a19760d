"""Both models of an entry, built, run once and given the same weights; `checks.py` asks them the rest."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from lazygen.settings import Input
from lazygen.trace.entry import resolve
from lazygen.trace.inputs import arguments_for, sample_sizes
from lazygen.values import field, record
from lazygen.verify import world
from lazygen.verify.compare import changed
from lazygen.verify.devices import Devices
from lazygen.verify.subject import Model, Text


@record
class Pair:
    """The source's model, which has run and has its sizes, the output's, and what both are called with.

    `has_inputs` is False if nobody said what the models are called with.  `names` are those that the output has for
    the source's parameters, all of them; `by_order` says that they were matched by that alone.  `rounds` says that
    gradients may be added up in another order, `devices` which stand for others.  `places` are the devices
    of the output's parameters, and `build_placed` makes its model where those stand; None if none does.  With `brings`
    the source's layers get their inputs in their own dtype.  `stages` are those of the output, if it has any.
    """

    torch: Any
    lazy: Any
    explicit: Any
    names: dict[str, str]
    args: list[Any]
    kwargs: dict[str, Any]
    has_inputs: bool
    by_order: bool = False
    rounds: bool = False
    devices: Devices = ()
    places: dict[str, str] = field(default_factory=dict)
    build_placed: Callable[[], Any] | None = None
    brings: bool = False
    stages: list[Any] | None = None

    @property
    def sides(self) -> tuple[Any, Any]:
        """The source's model and the output's."""
        return self.lazy, self.explicit

    def arguments(self) -> tuple[list[Any], dict[str, Any]]:
        """What to call a model with: tensors of its own each time, as a model may write into them."""
        args, kwargs = (changed(self.torch, part, lambda t: t.detach().clone()) for part in (self.args, self.kwargs))
        return args, kwargs

    def is_tensor(self, value: Any) -> bool:
        """Whether something of a state_dict is a tensor that has its sizes."""
        torch = self.torch
        return isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.parameter.UninitializedTensorMixin)


def build(torch: Any, text: Text, entry: str, namespace: dict[str, Any]) -> Any:
    """The model of an entry, in evaluation mode.

    Raises EntryError if it is none, and whatever its constructor does.
    """
    world.seed(torch)
    return resolve(entry, namespace, ast.parse(text.text), torch.nn.Module).build().eval()


def inputs_for(torch: Any, lazy: Any, model: Model, text: Text, seen: Calls) -> tuple[list[Any], dict[str, Any], bool]:
    """What to call both models with, and whether that is known at all.

    Known from the settings, from the graph itself, from annotations, or from a call in the source.  Raises InputError
    if the settings do not go with `forward`.
    """
    target = model.target
    if not target.inputs and not target.arguments:
        known = lazy.samples() if hasattr(lazy, "samples") else seen.of(lazy)
        if known is not None:
            world.seed(torch)
            args, kwargs = changed(torch, known, lambda tensor: _filled(torch, tensor.shape, tensor.dtype))
            return list(args), dict(kwargs), True
    inputs = target.inputs
    if "jaxtyping" in text.text:
        from lazygen.trace.annotations import annotated_inputs

        inputs = (*inputs, *annotated_inputs(lazy.forward, {text.filename: text.text}, inputs, target.arguments))
    parameters = inspect.signature(lazy.forward).parameters.values()
    needs = any(p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)
    if not inputs and not target.arguments and needs and not list(_waiting(lazy)):
        return [], {}, False
    ids = 1 if any(m.num_embeddings < 2 for m in lazy.modules() if isinstance(m, torch.nn.Embedding)) else 2

    def make(given: Input, name: str, free: dict[str, int]) -> Any:
        return _filled(torch, sample_sizes(given, free), getattr(torch, given.dtype), ids)

    world.seed(torch)
    args, kwargs = arguments_for(lazy.forward, inputs, target.arguments, make)
    return args, kwargs, True


def dry_run(torch: Any, lazy: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
    """Let lazy layers find their sizes; those that evaluation does not reach in training mode."""
    world.seed(torch)
    with torch.no_grad():
        lazy(*args, **kwargs)
        if list(_waiting(lazy)):
            lazy.train()
            with suppress(Exception):  # what fails in training mode only is no reason to compare nothing
                lazy(*args, **kwargs)
            lazy.eval()


def waiting_in(torch: Any, model: Any) -> set[str]:
    """The keys of a model's state_dict that have no sizes."""
    lazy = torch.nn.parameter.UninitializedTensorMixin
    return {key for key, value in model.state_dict().items() if isinstance(value, lazy)}


class Calls:
    """Remembers what models are called with while the source runs: a pass in a constructor, or below the model."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self._seen: dict[int, tuple[Any, Any, Any]] = {}  # each with its module, so that the id stays its own

    def of(self, model: Any) -> tuple[Any, Any] | None:
        """The positional and keyword arguments of the first call of a model."""
        found = self._seen.get(id(model))
        return None if found is None else found[1:]

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Remember the calls that are made inside of the block."""
        module, seen = self._torch.nn.Module, self._seen
        call = module.__call__

        def called(model: Any, *args: Any, **kwargs: Any) -> Any:
            seen.setdefault(id(model), (model, args, kwargs))
            return call(model, *args, **kwargs)

        module.__call__ = called
        try:
            yield
        finally:
            module.__call__ = call


def _waiting(model: Any) -> Iterator[Any]:
    for module in model.modules():
        if hasattr(module, "has_uninitialized_params") and module.has_uninitialized_params():
            yield module


def _filled(torch: Any, sizes: Any, dtype: Any, ids: int = 2) -> Any:
    """Random numbers: of integers 0 and 1, which every embedding has."""
    if dtype.is_floating_point or dtype.is_complex:
        wide = dtype if dtype in (torch.float64, torch.complex128, torch.complex64) else torch.float32
        return torch.randn(tuple(sizes), dtype=wide).to(dtype)
    return torch.randint(0, ids, tuple(sizes)).to(dtype)
