"""What the parameters and buffers of both models are.  Every check says a detail, or raises Differs."""

from __future__ import annotations

from typing import Any

from lazygen.verify import world
from lazygen.verify.both import Differs, NotApplicable
from lazygen.verify.pair import Pair, waiting_in


def keys(pair: Pair) -> str:
    """The names of parameters and buffers."""
    wanted, there = _states(pair)
    missing, more = [key for key in wanted if key not in there], [key for key in there if key not in wanted]
    if missing or more:
        parts = [f"the output lacks {_list(missing)}"] if missing else []
        raise Differs("; ".join([*parts, *([f"the output has {_list(more)}, the source does not"] if more else [])]))
    renamed = sum(old != new for old, new in pair.names.items())
    how = "by order, " if pair.by_order else ""
    return f"{len(there)}, {how}{renamed} of them renamed" if renamed else f"{len(there)}"


def order(pair: Pair) -> str:
    """Their order, which optimizers go by."""
    wanted, there = (list(state) for state in _states(pair))
    if set(wanted) != set(there):
        raise NotApplicable("the keys differ")
    for one, other in zip(wanted, there, strict=True):
        if one != other and any(old != new for old, new in pair.names.items()):
            raise NotApplicable("the layers have new names, and the output keeps those of a loop in lists")
        if one != other:
            raise Differs(f"{one} comes where the output has {other}")
    return ""


def shapes(pair: Pair) -> str:
    """Their sizes and dtypes."""
    wanted, there = _states(pair)
    waiting = _waiting(pair)
    found = []
    for key in wanted:
        if key in there and key not in waiting:
            one, other = ((tuple(v.shape), v.dtype) if hasattr(v, "shape") else None for v in (wanted[key], there[key]))
            if one != other:
                found.append(f"{key} is {_said(one)}, in the output {_said(other)}")
    if found:
        raise Differs("; ".join(found[:3]) + (f"; and {len(found) - 3} more" if len(found) > 3 else ""))
    return f"{len(waiting)} without a size on both sides" if waiting else ""


def devices(pair: Pair) -> str:
    """Where they are."""
    wanted, there = _states(pair)
    found = set()
    for key, value in wanted.items():
        if key in there and hasattr(value, "device"):
            found.add(str(value.device))
            if value.device != there[key].device:
                raise Differs(f"{key} is on {value.device}, in the output on {there[key].device}")
    return ", ".join(sorted(found))


def weights(pair: Pair) -> str:
    """Loads those of the source into the output; all further checks stand on it."""
    state, _ = _states(pair)
    left = _waiting(pair)
    state = {key: value for key, value in state.items() if key not in left}
    try:
        missing, unexpected = pair.explicit.load_state_dict(state, strict=not left)
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines()[1:] if line.strip()]
        raise Differs("; ".join(lines[:2]) or world.words_of(error)) from None
    if unexpected or set(missing) - left:
        raise Differs(f"the output lacks {_list([*unexpected])}" if unexpected else f"{_list([*missing])} is not given")
    return "load_state_dict(strict=True)" if not left else f"loaded, but for {len(left)} without a size"


def _waiting(pair: Pair) -> set[str]:
    """The keys that are lazy on both sides, which only a partial output leaves."""
    lazy = {pair.names.get(key, key) for key in waiting_in(pair.torch, pair.lazy)}
    return lazy & waiting_in(pair.torch, pair.explicit)


def _states(pair: Pair) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both state_dicts, that of the source under the names of the output."""
    lazy, explicit = (side.state_dict() for side in pair.sides)
    return {pair.names.get(key, key): value for key, value in lazy.items()}, dict(explicit)


def _list(names: list[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def _said(kind: Any) -> str:
    if kind is None:
        return "no tensor"
    shape, dtype = kind
    return str(shape) if str(dtype) == "torch.float32" else f"{shape} {str(dtype).removeprefix('torch.')}"
