"""The edits that place a whole file: on a device and in a dtype, or as its callers say.

--device cuda:1          nn.Linear(3, 4)                ->      nn.Linear(3, 4, device="cuda:1")
--dtype float64          torch.zeros(3)                 ->      torch.zeros(3, dtype=torch.float64)
--device-argument        def __init__(self, width):     ->      def __init__(self, width, device=None, dtype=None):

Tensors that `forward` makes are placed like all others where the device is known; where it is not, or is another one in
each replica of a model, they go to that of a tensor beside them (`beside.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from lazygen.diagnostics import Diagnostic, Place
from lazygen.lift.placement.beside import is_floating, own_tensor, tensor_beside
from lazygen.lift.placement.convention import Convention, Where
from lazygen.lift.plan import Edit
from lazygen.lift.syntax import Function, Syntax
from lazygen.settings import Placement
from lazygen.values import value

_OF_CLASSES = {"classmethod", "staticmethod"}


@value
class Placed:
    """The edits; `problems` say why some cannot be."""

    edits: tuple[Edit, ...]
    problems: tuple[Diagnostic, ...] = ()


def on_device(syntax: Syntax, placement: Placement, behind: Iterable[Place] = ()) -> Placed:
    """All on one device and in one dtype.  `behind` are calls whose modules have stayed behind, and are moved."""
    convention = Convention(syntax)
    dtype = f"{convention.annotations.torch()}.{placement.dtype}" if placement.dtype else None
    device = f'"{placement.device}"' if placement.device else None

    def in_replicas(call: ast.Call) -> Where | None:
        tensor = tensor_beside(call, convention.callees) or own_tensor(call, convention.callees)
        return Where(f"{tensor}.device", dtype) if tensor else None

    several = placement.parallel is not None
    convention.moves(behind)
    convention.place_all(Where(device, dtype), in_replicas if several else None)
    return Placed(tuple(convention.edits()), tuple(convention.problems))


def by_argument(
    syntax: Syntax, dtype_of: str, dtypes: Mapping[str, Mapping[int | str, str]], behind: Iterable[Place] = ()
) -> Placed:
    """torch's convention for the classes of a file, and for the functions and class methods that give modules.

    `dtype_of` says which dtype tensors get that `forward` makes: that of a tensor `beside` them, that of the module's
    `own` parameters, or `none`.  `dtypes` are those of the inputs of the models' classes, `behind` calls whose modules
    have to be moved.
    """
    convention = Convention(syntax)
    convention.moves(behind)
    for owner in syntax.classes.values():
        convention.give(owner)
    for function in _givers(syntax, convention):
        convention.give(function)
    for node in ast.walk(syntax.tree):
        if isinstance(node, ast.Call) and convention.is_at_run_time(node):
            own = own_tensor(node, convention.callees)
            tensor = tensor_beside(node, convention.callees) or own
            if tensor is not None:
                floating = own if dtype_of == "own" else tensor
                if tensor != own and not is_floating(tensor, node, convention.callees, dtypes):
                    floating = own
                kind = f"{floating or tensor}.dtype" if dtype_of != "none" else None
                convention.place_one(node, Where(f"{tensor}.device", kind))
    return Placed(tuple(convention.edits()), tuple(convention.problems))


def _givers(syntax: Syntax, convention: Convention) -> Iterable[Function]:
    """Functions and class methods that return what they make of the file's or of torch's modules."""
    for function in syntax.functions.values():
        parent = syntax.parent(function)
        names = {d.id for d in function.decorator_list if isinstance(d, ast.Name)}
        is_one = isinstance(parent, ast.Module) or (isinstance(parent, ast.ClassDef) and names & _OF_CLASSES)
        if is_one and any(convention.makes(call) for call in _returned(function)):
            yield function


def _returned(function: Function) -> Iterable[ast.Call]:
    """The calls whose results a function returns, by a variable too."""
    named: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None:
            named |= {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
            yield from (n for n in ast.walk(node.value) if isinstance(n, ast.Call))
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id in named for t in node.targets):
            yield from (n for n in ast.walk(node.value) if isinstance(n, ast.Call))
