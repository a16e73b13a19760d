"""The tensor whose device a tensor that `forward` makes should have: one that its sizes are read from, else the first,
else a parameter of the module.

def forward(self, x, mask=None):
    steps, batch, _ = x.shape
    return self.rnn(x, torch.zeros(1, batch, 8))        x
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from lazygen.lift.bindings import names_read
from lazygen.lift.placement.callees import Callees
from lazygen.lift.placement.scopes import FUNCTIONS, attributes_of
from lazygen.lift.syntax import Function

_OF_TENSORS = (
    *("shape", "size", "dim", "ndim", "device", "dtype", "to", "mean", "sum"),
    *("view", "reshape", "flatten", "permute", "transpose", "unsqueeze", "squeeze"),
)


def tensor_beside(call: ast.Call, callees: Callees) -> str | None:
    """The name of a tensor that the function around a call has; None if it has none."""
    function = callees.scope_of(call)
    while function is not None and not isinstance(function, (*FUNCTIONS, ast.Module)):
        function = callees.scope_of(function)
    if not isinstance(function, FUNCTIONS):
        return None
    parameters = [a.arg for a in (*function.args.posonlyargs, *function.args.args)][1:]
    tensors = [name for name in parameters if _is_tensor(name, function)]
    read = _sources(call, function)
    return next((name for name in tensors if name in read), next(iter(tensors), None))


def is_floating(tensor: str, call: ast.Call, callees: Callees, dtypes: Mapping[str, Mapping[int | str, str]]) -> bool:
    """Whether a parameter of `forward` may be in floating point; `dtypes` are those of the models' inputs."""
    owner = callees.class_around(call)
    known = dtypes.get(owner.name, {}) if owner is not None else {}
    forward = callees.method(owner, "forward") if owner is not None else None
    names = [a.arg for a in forward.args.args[1:]] if forward is not None else []
    kind = known.get(tensor) or (known.get(names.index(tensor)) if tensor in names else None)
    return kind is None or "float" in kind


def own_tensor(call: ast.Call, callees: Callees) -> str | None:
    """The first parameter of the module whose method a call stands in; None outside of modules."""
    owner = callees.class_around(call)
    if owner is None or callees.method(owner, "forward") is None:
        return None
    for one in callees.family(owner):
        for name, values in attributes_of(one).items():
            for made in values:
                meaning = callees.names.meaning(made.func) if isinstance(made, ast.Call) else None
                if meaning in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
                    return f"self.{name}"
                module, _, kind = (meaning or "").rpartition(".")
                if module == "torch.nn" and kind.startswith(_WEIGHTED):
                    return f"self.{name}.weight"
    return "next(self.parameters())"


_WEIGHTED = ("Linear", "Conv", "Embedding", "LayerNorm", "BatchNorm", "GroupNorm")


def _sources(call: ast.Call, function: Function) -> set[str]:
    """The names that a call reads, and those that these were assigned from."""
    values: dict[str, set[str]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for bound in ast.walk(target):
                    if isinstance(bound, ast.Name):
                        values.setdefault(bound.id, set()).update(names_read(node.value))
    found: set[str] = set()
    pending = list(names_read(call))
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += values.get(name, ())
    return found


def _is_tensor(name: str, function: Function) -> bool:
    """Whether a parameter is used as a tensor: by an attribute of one, in arithmetic, or to call a module with."""
    for node in ast.walk(function):
        match node:
            case ast.Attribute(value=ast.Name(id=used), attr=attribute) if used == name and attribute in _OF_TENSORS:
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self")), args=[ast.Name(id=used), *_]) if used == name:
                return True
            case ast.BinOp(left=left, right=right) if any(
                isinstance(n, ast.Name) and n.id == name for n in (left, right)
            ):
                return True
    return False
