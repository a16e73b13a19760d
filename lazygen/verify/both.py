"""The same done with both models, and what the difference of the outcomes means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lazygen.verify import world
from lazygen.verify.compare import ROUNDING, difference
from lazygen.verify.devices import brought
from lazygen.verify.pair import Pair


class NotApplicable(Exception):
    """The source itself does not allow the check; the words say why."""


class Differs(Exception):
    """The output does otherwise; the words say how."""


def compared(
    pair: Pair, run: Callable[[Any], Any], where: str = "the result", rounding: bool = False
) -> tuple[Any, list[str]]:
    """The result of `run` of the source's model, which is the output's too, with what is to be said of it.

    With `rounding` they may differ by what another order of additions does.  Raises NotApplicable if the source's model
    fails, Differs if the output's fails alone or gives something else.
    """
    one, other = _called(pair, run)
    if difference(pair.torch, one, other, where) is None:
        return one, []
    found = difference(pair.torch, one, other, where, ROUNDING if rounding else 0)
    if found:
        raise Differs(found)
    return one, ["equal up to rounding"]


def _called(pair: Pair, run: Callable[[Any], Any]) -> tuple[Any, Any]:
    """What `run` gives of both models, each from the same weights and the same seed, which stay."""
    results = []
    for side in pair.sides:
        before = {key: value.clone() for key, value in side.state_dict().items() if pair.is_tensor(value)}
        world.seed(pair.torch)
        try:
            with brought(pair.torch, pair.brings and side is pair.lazy):
                results.append(run(side))
        except NotApplicable as reason:
            if side is pair.lazy:
                raise
            raise Differs(f"in the output alone {reason}") from None
        except Exception as error:
            if side is pair.lazy:
                raise NotApplicable(f"the source does not do it: {world.words_of(error)}") from None
            raise Differs(f"the output raises {world.words_of(error)}") from None
        finally:
            side.eval()
            with pair.torch.no_grad():
                for key, value in side.state_dict().items():
                    if key in before:
                        value.copy_(before[key])
    return results[0], results[1]
