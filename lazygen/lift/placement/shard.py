"""A function that shards a model with FSDP2: its repeated blocks one by one, then what is left.

def shard(model, mesh):
    for module in model.modules():
        if isinstance(module, Block):
            fully_shard(module, mesh=mesh)
    fully_shard(model, mesh=mesh)
    return model
"""

from __future__ import annotations

import ast
from collections import Counter

from lazygen.diagnostics import Diagnostic, Place, Refused
from lazygen.lift.bindings import names_used
from lazygen.lift.parameters import free_name
from lazygen.lift.plan import Edit, WriteTemplate
from lazygen.lift.syntax import Syntax
from lazygen.trace.model import ModelTrace

IMPORT = "from torch.distributed.fsdp import fully_shard"


def sharded(syntax: Syntax, model: ModelTrace, several: bool) -> list[Edit]:
    """The edits for one model; `several` says that the file has others.  Raises Refused for one that is on a device."""
    name = model.entry.partition("(")[0].partition(".")[0]
    anchor = _anchor(syntax, model, name)
    placed = next((item for item in model.state if item.device != "cpu"), None)
    if placed is not None:
        problem = f"{placed.name} is on {placed.device}, but where the shards of a model are, its mesh says"
        help_ = "leave devices out of the source of a model that is sharded"
        raise Refused(Diagnostic("LZ527", problem, syntax.place(anchor), helps=(help_,)))
    taken = names_used(syntax.tree) | {function.name for function in syntax.functions.values()}
    function = free_name(f"shard_{name.lower()}" if several else "shard", taken)
    values = (("function", function), ("model", name), ("lines", _lines(syntax, model)))
    return [WriteTemplate(syntax.span(anchor), "shard", values)]


def _lines(syntax: Syntax, model: ModelTrace) -> tuple[str, ...]:
    """The statements that shard the blocks."""
    classes = _repeated(syntax, model)
    lines: list[str] = []
    if classes:
        kinds = dict(model.kinds)
        names = [name for name, kind in kinds.items() if kind in classes]
        # A block inside of another comes first, as the one around takes what is left.
        inside = any(_is_inside(name, other) for name in names for other in names)
        modules = "reversed(list(model.modules()))" if inside else "model.modules()"
        tested = classes[0] if len(classes) == 1 else f"({', '.join(classes)})"
        lines += [f"for module in {modules}:", f"    if isinstance(module, {tested}):"]
        lines.append("        fully_shard(module, mesh=mesh)")
    for path in _lists(syntax, model, classes):
        lines += [f"for layer in model.{path}:", "    fully_shard(layer, mesh=mesh)"]
    return tuple(lines)


def _repeated(syntax: Syntax, model: ModelTrace) -> list[str]:
    """The classes of the file of which the model has several, without those that are always inside another such one."""
    kinds = {name: kind for name, kind in model.kinds if name and kind in syntax.classes and _holds(name, model)}
    counts = Counter(kinds.values())
    several = [kind for kind in counts if counts[kind] > 1]
    blocks = {name: kind for name, kind in kinds.items() if kind in several}

    def is_outermost(name: str) -> bool:
        return not any(_is_inside(name, other) for other in blocks)

    return [kind for kind in several if any(is_outermost(name) for name, its in blocks.items() if its == kind)]


def _lists(syntax: Syntax, model: ModelTrace, classes: list[str]) -> list[str]:
    """The `ModuleList`s of the model whose members are torch's own layers, and that are in no block."""
    kinds = dict(model.kinds)
    blocks = [name for name, kind in kinds.items() if kind in classes]
    found = []
    for name, kind in kinds.items():
        members = [inner for inner in kinds if _is_inside(inner, name) and "." not in inner[len(name) + 1 :]]
        own = all(kinds[member] not in syntax.classes and _holds(member, model) for member in members)
        plain = all(part.isidentifier() for part in name.split("."))
        if kind == "ModuleList" and len(members) > 1 and own and plain and not any(_is_inside(name, b) for b in blocks):
            found.append(name)
    return found


def _anchor(syntax: Syntax, model: ModelTrace, name: str) -> ast.stmt:
    """The statement behind which the function stands: the model's class, function or variable."""
    for statement in reversed(syntax.tree.body):
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef)) and statement.name in (name, model.maker):
            return statement
        if isinstance(statement, ast.Assign) and any(
            isinstance(t, ast.Name) and t.id == name for t in statement.targets
        ):
            return statement
    problem = f"{model.entry} is made by no class, function or variable of this file"
    help_ = "name a class or a variable of the file as the entry"
    raise Refused(Diagnostic("LZ527", problem, Place(syntax.path, 1, 0, 1, 0), helps=(help_,)))


def _holds(name: str, model: ModelTrace) -> bool:
    return any(item.name.startswith(f"{name}.") for item in model.state)


def _is_inside(name: str, other: str) -> bool:
    return name.startswith(f"{other}.")
