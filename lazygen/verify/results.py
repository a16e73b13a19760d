"""What both models compute.  Every check says a detail, or raises Differs or NotApplicable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lazygen.verify import compiled, world
from lazygen.verify.both import Differs, NotApplicable, compared
from lazygen.verify.compare import changed, tensors_in
from lazygen.verify.pair import Pair


def results(pair: Pair) -> str:
    """The results in evaluation mode."""

    def run(model: Any) -> Any:
        args, kwargs = pair.arguments()
        with pair.torch.no_grad():
            return model(*args, **kwargs)

    result, _ = compared(pair, run)
    tensors = list(tensors_in(pair.torch, result))
    values = "" if any(t.device.type != "meta" for t in tensors) or not tensors else ", on meta without values"
    return ", ".join(str(tuple(tensor.shape)) for tensor in tensors[:4]) + values


def functional(pair: Pair) -> str:
    """`torch.func.functional_call` with weights that are not those of the model."""

    def run(model: Any) -> Any:
        named = [*model.named_parameters(), *model.named_buffers()]
        state = {name: _other(tensor) for name, tensor in named if pair.is_tensor(tensor)}
        args, kwargs = pair.arguments()
        try:
            with pair.torch.no_grad():
                return pair.torch.func.functional_call(model, state, tuple(args), kwargs)
        finally:
            _renew_flat_weights(model)

    if any(isinstance(side, pair.torch.nn.DataParallel) for side in pair.sides):
        raise NotApplicable("torch has none for DataParallel")
    compared(pair, run)
    return ""


def channels_last(pair: Pair) -> str:
    """The other memory format of images."""
    torch = pair.torch
    tensors = list(tensors_in(torch, [pair.args, pair.kwargs]))
    if not any(tensor.dim() == 4 for tensor in tensors):
        raise NotApplicable("no input has four dimensions")

    def last(tensor: Any) -> Any:
        return tensor.to(memory_format=torch.channels_last) if tensor.dim() == 4 else tensor

    def run(model: Any) -> Any:
        args, kwargs = (changed(torch, part, last) for part in pair.arguments())
        model.to(memory_format=torch.channels_last)
        try:
            with torch.no_grad():
                result = model(*args, **kwargs)
        finally:
            model.to(memory_format=torch.contiguous_format)
        return result, [tensor.stride() for tensor in tensors_in(torch, result)]

    compared(pair, run)
    return ""


def scripted(pair: Pair) -> str:
    """`torch.jit.script` of the output."""
    return _compiled(pair, compiled.script)


def exported(pair: Pair) -> str:
    """`torch.export` of the output."""
    return _compiled(pair, compiled.export)


def _compiled(pair: Pair, make: Callable[[Pair, Any], Callable[..., Any]]) -> str:
    """The output, compiled, beside the source as it is.  An output that cannot be compiled is at fault only if the
    source can.
    """
    if pair.devices:
        raise NotApplicable("compiled code knows no devices that stand for others")

    try:
        made = make(pair, pair.explicit)
    except Exception as error:
        try:
            make(pair, pair.lazy)
        except Exception:
            raise NotApplicable(f"this source does not allow it: {world.words_of(error)}") from None
        raise Differs(f"the source can be compiled, the output not: {world.words_of(error)}") from None

    def run(model: Any) -> Any:
        args, kwargs = pair.arguments()
        with pair.torch.no_grad():
            return (model if model is pair.lazy else made)(*args, **kwargs)

    _, words = compared(pair, run, rounding=True)
    return ", ".join(words)


def _other(tensor: Any) -> Any:
    """Half of a parameter or buffer, so that a model which keeps to its own is found out; counts stay."""
    return tensor.detach() * 0.5 if tensor.is_floating_point() or tensor.is_complex() else tensor.detach().clone()


def _renew_flat_weights(model: Any) -> None:
    """Give recurrent layers their own weights back: torch leaves those of a `functional_call` in their second list."""
    for module in model.modules():
        names = getattr(module, "_flat_weights_names", None)
        if names is not None:
            module._flat_weights = [getattr(module, name, None) for name in names]
