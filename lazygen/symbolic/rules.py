"""Where rules are declared and found.

A rule is a plain function over stand-in tensors, declared once in a file of its family with the names it answers to:

    @rule("torch.relu", "Tensor.relu", "F.relu", examples=["torch.relu(f32(2, 3))"])
    def relu(input: Tensor, inplace: bool = False) -> Tensor: ...

`torch.x` is the function, `Tensor.x` the method, `F.x` the name in torch.nn.functional, `torch.fft.x`, `torch.linalg.x`
and so on those of its other namespaces.  `index.py` knows which family holds a name, so that a family loads when one of
its names is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

RULES: dict[str, Callable[..., Any]] = {}
EXAMPLES: dict[str, tuple[str, ...]] = {}


class Guard:
    """What is put around a rule, which it gets with the first of its names; nothing until a run needs it."""

    around: Callable[[str, Any], Any] | None = None


def rule(*names: str, examples: Sequence[str] = ()) -> Callable[[Function], Function]:
    """Declare the function as the rule for `names`.

    `examples` are calls as torch has them, over inputs written `f32(2, 3)`, `i64(4)`, `b8(2)`: tests run each under the
    stand-in and under torch's meta device, documentation prints them.
    """

    def declare(function: Function) -> Function:
        plain, renamed = function, _with_numpy_names(function)
        if Guard.around is not None and names:
            plain, renamed = Guard.around(names[0], plain), Guard.around(names[0], renamed)
        for name in names:
            RULES[name] = plain if name.startswith("F.") else renamed
        if names:
            EXAMPLES[names[0]] = tuple(examples)
        return function

    return declare


_NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim"}


def _with_numpy_names(function: Any) -> Any:
    """The rule, which also takes numpy's `axis` and `keepdims` for `dim` and `keepdim`, as torch's own functions do."""
    code = getattr(function, "__code__", None)
    if code is None or "dim" not in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        return function

    @wraps(function)
    def renamed(*args: Any, **kwargs: Any) -> Any:
        if not kwargs:
            return function(*args)
        for numpy_name, name in _NUMPY_NAMES.items():
            if numpy_name in kwargs:
                kwargs[name] = kwargs.pop(numpy_name)
        return function(*args, **kwargs)

    return renamed


def find(name: str) -> Callable[..., Any] | None:
    """The rule for a name such as `Tensor.view`, its family loaded if need be; None if there is none."""
    found = RULES.get(name)
    if found is None:
        from lazygen.symbolic.index import FAMILIES

        family = FAMILIES.get(name)
        if family is not None:
            import_module(f"lazygen.symbolic.ops.{family}")
            found = RULES[name]
    return found
