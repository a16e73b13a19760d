"""What of torch takes `device=` and `dtype=`, and in which order its signatures have them.

nn.Linear(3, 4, device=..., dtype=...)         layers with parameters, lazy ones and those of the TorchX style too
torch.ones(3, dtype=..., device=...)           factories of tensors
torch.randint(0, 9, (3,), device=...)          factories whose dtype is not that of parameters
nn.ReLU(), nn.Sequential(...)                  nothing: they hold nothing of their own
"""

from __future__ import annotations

import ast
import inspect
from functools import cache
from importlib import import_module

from lazygen.frontend import torchx
from lazygen.symbolic.index import LAYERS
from lazygen.values import value


@value
class Takes:
    """What a callable takes: both, `device` alone, or nothing.  `factory` is one whose signature has dtype first."""

    device: bool = True
    dtype: bool = True
    factory: bool = False


NOTHING = Takes(device=False, dtype=False)

# Factories of tensors in floating point, unless another dtype is said.
_FLOATS = frozenset(
    {"zeros", "ones", "empty", "rand", "randn", "normal", "eye", "linspace", "logspace", "scalar_tensor"}
    | {f"{name}_window" for name in ("hann", "hamming", "bartlett", "blackman", "kaiser")}
    | {"fft.fftfreq", "fft.rfftfreq", "empty_strided", "empty_permuted"}
)  # fmt: skip
# Factories whose dtype is that of their data, or of their numbers.
_OF_DATA = frozenset({"tensor", "as_tensor", "asarray", "full", "arange", "range"})
_INTEGERS = frozenset({"randint", "randperm", "tril_indices", "triu_indices"})
# Makers of tensors that take no device: what they give is moved, and changed to another dtype where it is the default.
_WITHOUT = {"Tensor": True, "FloatTensor": False, "from_numpy": False, "frombuffer": False}
_LIKE = frozenset({"zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like", "randint_like"})
_NEW = frozenset({"new_zeros", "new_ones", "new_empty", "new_full", "new_tensor"})
_PARAMETERS = frozenset({"Parameter", "Buffer"})


def takes(meaning: str, call: ast.Call | None = None) -> Takes | None:
    """What the callable at a dotted path of torch or of the TorchX style takes; None for what is neither.

    `call` tells which dtype a factory gives that has its dtype from its data.
    """
    module, _, name = meaning.rpartition(".")
    if module in torchx.MODULES:
        return _of_layer(torchx.plain(name)) if torchx.plain(name) in LAYERS else NOTHING
    if module == "torch.nn":
        return _of_layer(name)
    if not meaning.startswith("torch."):
        return None
    return _of_factory(meaning.removeprefix("torch."), call)


def moved(meaning: str) -> Takes | None:
    """What a function of torch that takes no device makes is to be moved to; None for any other."""
    name = meaning.removeprefix("torch.")
    return Takes(dtype=_WITHOUT[name], factory=True) if name in _WITHOUT and name != meaning else None


def like(name: str) -> bool:
    """Whether a function or method makes a tensor like another: on that one's device, in its dtype."""
    return name in _LIKE or name in _NEW


@cache
def _of_layer(name: str) -> Takes | None:
    family = LAYERS.get(name)
    if family is None:
        return None
    if name in _PARAMETERS:
        return NOTHING
    layer = getattr(import_module(f"lazygen.symbolic.nn.{family}"), name)
    taken = inspect.signature(layer.__init__).parameters
    inherited = [other for base in layer.__mro__ for other in inspect.signature(base.__init__).parameters]
    passes_on = "kwargs" in taken and "device" in inherited
    return Takes() if "device" in taken or passes_on else NOTHING


def _of_factory(name: str, call: ast.Call | None) -> Takes:
    if name in _FLOATS:
        return Takes(factory=True)
    if name in _OF_DATA:
        return Takes(dtype=call is not None and _holds_floats(call), factory=True)
    if name in _INTEGERS or name in _LIKE:
        return Takes(dtype=False, factory=True) if name in _INTEGERS else NOTHING
    return NOTHING


def _holds_floats(call: ast.Call) -> bool:
    """Whether a factory gets numbers that are floating for certain: `1.0`, `float(x)`, `math.pi`, a division."""
    for argument in (*call.args, *(keyword.value for keyword in call.keywords if keyword.arg in (None, *_NUMBERS))):
        for node in _numbers(argument):
            if isinstance(node, ast.Constant) and isinstance(node.value, float):
                return True
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                return True
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("float", "math.sqrt", "math.log", "math.exp"):
                return True
            if isinstance(node, ast.Attribute) and ast.unparse(node) in ("math.pi", "math.e", "math.inf", "math.tau"):
                return True
    return False


_NUMBERS = ("data", "fill_value", "start", "end", "step")


def _numbers(node: ast.expr) -> list[ast.expr]:
    """The expressions that a number or nested list of numbers is made of; comparisons and calls hide theirs."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return [inner for item in node.elts for inner in _numbers(item)]
    if isinstance(node, ast.ListComp):
        return _numbers(node.elt)
    if isinstance(node, ast.BinOp):
        return [node, *_numbers(node.left), *_numbers(node.right)] if not isinstance(node.op, ast.FloorDiv) else []
    if isinstance(node, ast.UnaryOp):
        return _numbers(node.operand)
    return [node]
