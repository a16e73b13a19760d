"""The stages of an output for `torch.distributed.pipelining`, run one behind the other in this process."""

from __future__ import annotations

import ast
from collections import OrderedDict
from typing import Any

from lazygen.trace.entry import resolve
from lazygen.verify import world
from lazygen.verify.both import Differs
from lazygen.verify.compare import difference
from lazygen.verify.pair import Pair
from lazygen.verify.subject import Text


def built(torch: Any, text: Text, entry: str, namespace: dict[str, Any], model: Any) -> list[Any] | None:
    """The stages of a model; None if the text has none for it."""
    made = resolve(entry, namespace, ast.parse(text.text), torch.nn.Module)
    for value in namespace.values():
        if not isinstance(value, tuple) or not value:
            continue
        if made.arguments is not None and all(
            isinstance(part, type) and issubclass(part, type(model)) for part in value
        ):
            return [part(*made.arguments.args, **made.arguments.kwargs).eval() for part in value]
        if made.model is not None and all(isinstance(part, slice) for part in value):
            children: list[tuple[str, Any]] = list(made.model.named_children())
            return [torch.nn.Sequential(OrderedDict(children[part.start : part.stop])).eval() for part in value]
    return None


def stages(pair: Pair) -> str:
    """Whether they compute what the whole model does, and hold all of its weights between them."""
    assert pair.stages is not None
    model, parts = pair.explicit, pair.stages
    state = model.state_dict()
    held = [name for part in parts for name in part.state_dict()]
    if sorted(held) != sorted(state):
        lost = sorted({*held} ^ {*state}) or sorted({name for name in held if held.count(name) > 1})
        raise Differs(f"{', '.join(lost[:4])} are not in one stage each")
    for part in parts:
        part.load_state_dict({name: state[name] for name in part.state_dict()})
    args, kwargs = pair.arguments()
    with pair.torch.no_grad():
        expected = model(*args, **kwargs)
        try:
            given: Any = tuple(args)
            for part in parts:
                given = part(*given, **kwargs)
                given, kwargs = given if isinstance(given, tuple) else (given,), {}
        except Exception as error:
            raise Differs(f"they raise {world.words_of(error)}") from None
    result = given if isinstance(expected, tuple) else given[0]
    found = difference(pair.torch, expected, result)
    if found:
        raise Differs(found)
    return f"{len(parts)}, one behind the other"
