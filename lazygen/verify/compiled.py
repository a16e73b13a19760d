"""What torch's own compilers make of a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lazygen.trace import sandbox
from lazygen.verify.pair import Pair


def script(pair: Pair, model: Any) -> Callable[..., Any]:
    """The model as TorchScript.  Raises what torch raises for Python that it does not read."""
    made: Callable[..., Any] = pair.torch.jit.script(model)
    return made


def export(pair: Pair, model: Any) -> Callable[..., Any]:
    """The model as the graph that `torch.export` records of a call.  Raises what torch raises."""
    args, kwargs = pair.arguments()
    with sandbox.lifted():
        pass  # it loads half of torch, and probes for compilers
    program: Any = pair.torch.export.export(model, tuple(args), kwargs)
    module: Callable[..., Any] = program.module()
    return module
