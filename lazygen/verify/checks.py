"""The checks, in the order of the table: what the parameters are, then what the models compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lazygen.verify import gradients, places, results, stages, weights
from lazygen.verify.both import Differs, NotApplicable
from lazygen.verify.pair import Pair
from lazygen.verify.subject import Check

_OF_STATE: tuple[tuple[str, Callable[[Pair], str]], ...] = (
    ("keys", weights.keys),
    ("order", weights.order),
    ("shapes", weights.shapes),
    ("devices", weights.devices),
)
_OF_CALLS: tuple[tuple[str, Callable[[Pair], str]], ...] = (
    ("weights", weights.weights),
    ("results", results.results),
    ("moves", places.moves),
    ("stages", stages.stages),
    ("gradients", gradients.gradients),
    ("double gradients", gradients.double_gradients),
    ("training", gradients.training),
    ("functional_call", results.functional),
    ("channels_last", results.channels_last),
    ("jit.script", results.scripted),
    ("export", results.exported),
)


def checks_of(pair: Pair) -> Iterator[Check]:
    """All checks of two models.  What needs equal weights is not run if they could not be loaded."""
    fits = True
    for name, check in _OF_STATE:
        found = _checked(name, places.devices if name == "devices" and pair.devices else check, pair)
        fits = fits and (found.outcome != "differs" or name not in ("keys", "shapes"))
        yield found
    for name, check in _OF_CALLS:
        if (name == "moves" and not pair.devices) or (name == "stages" and pair.stages is None):
            continue
        if not fits:
            yield Check(name, "not run", "the weights of the source do not fit")
        elif name != "weights" and not pair.has_inputs:
            yield Check(name, "not applicable", "no input shape is given")
        else:
            found = _checked(name, check, pair)
            fits = found.outcome != "differs" or name != "weights"
            yield found


def _checked(name: str, check: Callable[[Pair], str], pair: Pair) -> Check:
    try:
        return Check(name, "same", check(pair))
    except NotApplicable as reason:
        return Check(name, "not applicable", str(reason))
    except Differs as reason:
        return Check(name, "differs", str(reason))
