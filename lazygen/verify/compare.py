"""Two results of torch, compared to the last bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lazygen.symbolic.nested import leaves, mapped

ROUNDING = 512  # steps of a dtype between numbers of the size of the largest, as another order of additions makes them


def difference(torch: Any, left: Any, right: Any, where: str = "the result", steps: int = 0) -> str | None:
    """In which way `right`, the output's, is another than `left`, the source's; None if they are equal.

    Numbers may be `steps` of their dtype apart, measured at the largest of their tensor.  Those on the meta device are
    not there, so of such tensors only shape, dtype and device count.
    """
    if isinstance(left, torch.Tensor):
        return _of_tensors(torch, left, right, where, steps)
    if isinstance(left, dict):
        if not isinstance(right, dict) or left.keys() != right.keys():
            return f"{where} has the keys {_keys(left)}, in the output {_keys(right)}"
        return _first(difference(torch, left[key], right[key], f"{where} {key}", steps) for key in left)
    if isinstance(left, (list, tuple)):
        if not isinstance(right, (list, tuple)) or len(left) != len(right):
            return f"{where} is {_said(left)}, in the output {_said(right)}"
        pairs = enumerate(zip(left, right, strict=True))
        return _first(difference(torch, one, other, f"{where} {index}", steps) for index, (one, other) in pairs)
    if isinstance(left, (int, float, complex, str, bytes)) or left is None:
        return None if left == right or left != left else f"{where} is {left!r}, in the output {right!r}"
    if type(left).__name__ == type(right).__name__:
        return None
    return f"{where} is {_said(left)}, in the output {_said(right)}"


def tensors_in(torch: Any, value: Any) -> Iterator[Any]:
    """All tensors in lists, tuples and dicts nested as one likes."""
    return (leaf for leaf in leaves(value) if isinstance(leaf, torch.Tensor))


def changed(torch: Any, value: Any, change: Callable[[Any], Any]) -> Any:
    """The value with each tensor in it changed."""
    return mapped(value, lambda leaf: change(leaf) if isinstance(leaf, torch.Tensor) else leaf)


def described(torch: Any, value: Any) -> str:
    """A value for people: the shapes of its tensors, `(8, 3, 32, 32)`."""
    if isinstance(value, torch.Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        return str(tuple(value.shape)) + ("" if dtype == "float32" else f" {dtype}")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {described(torch, item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(described(torch, item) for item in value) + "]"
    return repr(value)


def _of_tensors(torch: Any, left: Any, right: Any, where: str, steps: int) -> str | None:
    if not isinstance(right, torch.Tensor):
        return f"{where} is a tensor, in the output {_said(right)}"
    for what in ("shape", "dtype", "device", "layout"):
        one, other = getattr(left, what), getattr(right, what)
        if one != other:
            one, other = (tuple(one), tuple(other)) if what == "shape" else (one, other)
            return f"{where} has the {what} {one}, in the output {other}"
    if left.device.type == "meta":
        return None
    left, right = left.detach(), right.detach()
    if left.layout is not torch.strided:
        left, right = left.to_dense(), right.to_dense()
    if torch.equal(left, right):
        return None
    if left.is_floating_point() or left.is_complex():
        apart = left.isnan() != right.isnan()
        if bool(apart.any()):
            return f"{where} is not a number at {int(apart.sum())} other places"
        left, right = left.nan_to_num(), right.nan_to_num()
        if torch.equal(left, right):
            return None
        wide = torch.complex128 if left.is_complex() else torch.float64
        apart_by = float((left.to(wide) - right.to(wide)).abs().max())
        allowed = steps * torch.finfo(left.dtype).eps * float(left.abs().max())
        return f"{where} differs by up to {apart_by:.3g}" if apart_by > allowed else None
    return f"{where} differs at {int((left != right).sum())} of {left.numel()} places"


def _first(found: Iterator[str | None]) -> str | None:
    return next((text for text in found if text is not None), None)


def _keys(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, dict) else _said(value)


def _said(value: Any) -> str:
    many = f" of {len(value)}" if isinstance(value, (list, tuple)) else ""
    return f"a {type(value).__name__}{many}"
