"""What both models learn from.  Every check says a detail, or raises Differs or NotApplicable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lazygen.verify.both import NotApplicable, compared
from lazygen.verify.compare import tensors_in
from lazygen.verify.pair import Pair


def gradients(pair: Pair) -> str:
    """The gradients of parameters and inputs in evaluation mode."""
    found, words = _differentiated(pair, lambda model, loss, wanted: _gradients_of(pair, loss, wanted))
    return ", ".join([f"of {len(found)} parameters and inputs", *words])


def double_gradients(pair: Pair) -> str:
    """The gradients of the squares of gradients, where the operations have them."""

    def twice(model: Any, loss: Any, wanted: dict[str, Any]) -> Any:
        first = _gradients_of(pair, loss, wanted, create_graph=True)
        squares = [(_real(pair, g) ** 2).sum() for g in first.values() if g is not None and g.requires_grad]
        if not squares:
            raise NotApplicable("its gradients are constant")
        return _gradients_of(pair, _sum(pair, squares), wanted)

    _, words = _differentiated(pair, twice)
    return ", ".join(words)


def training(pair: Pair) -> str:
    """A step in training mode: loss, gradients, and the buffers that it moves; dropout under one seed."""

    def run(model: Any, loss: Any, wanted: dict[str, Any]) -> Any:
        state = {key: value.detach().clone() for key, value in model.named_buffers() if pair.is_tensor(value)}
        buffers = {_name(pair, model, key): value for key, value in state.items()}
        return {"the loss": loss.detach(), **_gradients_of(pair, loss, wanted), **buffers}

    _, words = _differentiated(pair, run, train=True)
    random = any("Dropout" in type(module).__name__ for module in pair.lazy.modules())
    return ", ".join(["loss, gradients and buffers", *(["dropout under one seed"] if random else []), *words])


def _differentiated(pair: Pair, then: Callable[..., Any], train: bool = False) -> tuple[Any, list[str]]:
    """What `then(model, loss, wanted)` gives of both models, compared; inputs count too where the source allows it."""
    torch = pair.torch

    def running(with_inputs: bool) -> Callable[[Any], Any]:
        def run(model: Any) -> Any:
            model.train(train)
            wanted = {
                _name(pair, model, name): parameter
                for name, parameter in model.named_parameters()
                if parameter.requires_grad and pair.is_tensor(parameter)
            }
            args, kwargs = pair.arguments()
            if with_inputs:
                leaves = [t for t in tensors_in(torch, [args, kwargs]) if t.is_floating_point() or t.is_complex()]
                wanted.update({f"input {number}": t.requires_grad_() for number, t in enumerate(leaves, start=1)})
            loss = _loss(pair, model(*args, **kwargs))
            if loss is None or not loss.requires_grad:
                raise NotApplicable("no result hangs on a parameter by a gradient")
            return then(model, loss, wanted)

        return run

    try:
        return compared(pair, running(True), "the gradient of", pair.rounds)
    except NotApplicable:
        return compared(pair, running(False), "the gradient of", pair.rounds)


def _loss(pair: Pair, result: Any) -> Any:
    """One number that every number of a result moves, and none as much as another."""
    torch, parts = pair.torch, []
    for tensor in tensors_in(torch, result):
        if tensor.is_floating_point() or tensor.is_complex():
            real = _real(pair, tensor).double() if tensor.device.type != "mps" else _real(pair, tensor)
            weights = torch.linspace(0.5, 1.5, max(real.numel(), 1), dtype=real.dtype, device=real.device)
            parts.append((real.reshape(-1) * weights[: real.numel()] + real.reshape(-1) ** 2 / 2).sum())
    return _sum(pair, parts) if parts else None


def _real(pair: Pair, tensor: Any) -> Any:
    return pair.torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor


def _sum(pair: Pair, parts: list[Any]) -> Any:
    """The sum of numbers that may be on several devices."""
    device = next((part.device for part in parts if part.device.type == "meta"), parts[0].device)
    return sum((part.to(device) for part in parts[1:]), parts[0].to(device))


def _gradients_of(pair: Pair, loss: Any, wanted: dict[str, Any], create_graph: bool = False) -> dict[str, Any]:
    if not wanted:
        raise NotApplicable("nothing of it takes a gradient")
    found = pair.torch.autograd.grad(
        loss, list(wanted.values()), allow_unused=True, create_graph=create_graph, retain_graph=create_graph
    )
    return dict(zip(wanted, found, strict=True))


def _name(pair: Pair, model: Any, name: str) -> str:
    return pair.names.get(name, name) if model is pair.lazy else name
