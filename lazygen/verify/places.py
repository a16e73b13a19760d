"""Where the output puts things: its model is built once more where the devices stand that are to stand for others.

All other checks have every device on the CPU, so that there are numbers to compare.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from lazygen.verify import world
from lazygen.verify.both import Differs, NotApplicable
from lazygen.verify.compare import changed, tensors_in
from lazygen.verify.devices import mapping_mode, numbered, without_numbers
from lazygen.verify.pair import Pair


def devices(pair: Pair) -> str:
    """Whether parameters and buffers are where the source says."""
    model = _placed(pair)
    stand_ins = dict(pair.devices)
    seen: dict[str, str] = {}
    for name, tensor in model.state_dict().items():
        place = pair.places.get(name)
        if place is None or not pair.is_tensor(tensor):
            continue
        wanted = stand_ins.get(numbered(place), place)
        if str(tensor.device) != wanted:
            raise Differs(f"{name} is on {place} in the source, in the output on {_named(tensor.device, pair)}")
        seen[place] = wanted
    return ", ".join(place if place == wanted else f"{place} ({wanted})" for place, wanted in seen.items())


def moves(pair: Pair) -> str:
    """Whether every layer of the output gets its inputs where it is, if the model gets its own on the CPU."""
    torch, model = pair.torch, _placed(pair)
    args, kwargs = pair.arguments()
    first = next(model.parameters(), None)
    if type(model).__module__.startswith("torch.") and first is not None:  # nothing of the author's could move them
        args, kwargs = (changed(torch, part, lambda t: t.to(first.device)) for part in (args, kwargs))
    found: list[str] = []
    handles = [
        layer.register_forward_pre_hook(_checking(torch, name, found), with_kwargs=True)
        for name, layer in model.named_modules()
        if type(layer).__module__.startswith("torch.nn.") and next(layer.parameters(recurse=False), None) is not None
    ]
    try:
        with ExitStack() as stack:
            stack.enter_context(without_numbers(torch))
            stack.enter_context(mapping_mode(torch, pair.devices))
            stack.enter_context(torch.no_grad())
            result = model(*args, **kwargs)
    except Exception as error:
        raise Differs(found[0] if found else f"the output raises {world.words_of(error)}") from None
    finally:
        for handle in handles:
            handle.remove()
    if found:
        raise Differs(found[0])
    where = ", ".join(dict.fromkeys(_named(tensor.device, pair) for tensor in tensors_in(torch, result)))
    return f"the result is on {where}" if where else ""


def _placed(pair: Pair) -> Any:
    if pair.build_placed is None:
        raise NotApplicable("no device stands for another")
    try:
        return pair.build_placed()
    except Exception as error:
        raise Differs(f"where other devices stand in the output raises {world.words_of(error)}") from None


def _checking(torch: Any, name: str, found: list[str]) -> Any:
    """A hook that notes a tensor which is not where the layer is that gets it."""

    def check(layer: Any, args: Any, kwargs: Any) -> None:
        own = next(layer.parameters(recurse=False)).device
        for tensor in tensors_in(torch, [list(args), dict(kwargs)]):
            if tensor.device != own:
                found.append(
                    f"{name or 'the model'} is on {own} and gets a tensor on {tensor.device}: a move is missing"
                )

    return check


def _named(device: Any, pair: Pair) -> str:
    """A device here, and those in the texts that it stands for."""
    shown = str(device)
    names = [name for name, stand_in in pair.devices if stand_in == shown != "cpu"]
    return f"{shown} (for {', '.join(names)})" if names else shown
