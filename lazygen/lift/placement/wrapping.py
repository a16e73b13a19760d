"""Models of a module in `nn.DataParallel`, for `--data-parallel`.

model = Net(8)          ->          model = nn.DataParallel(Net(8), device_ids=[0, 3])
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from lazygen.diagnostics import Diagnostic, Place
from lazygen.frontend.lazy_names import lazy_names
from lazygen.lift.placement.flags import Placed
from lazygen.lift.placement.scopes import FUNCTIONS
from lazygen.lift.placement.signatures import Annotations
from lazygen.lift.plan import Edit, ReplaceExpression
from lazygen.lift.syntax import Syntax
from lazygen.settings import Placement
from lazygen.symbolic.nn.module import Module


def unwrapped(tree: ast.Module, names: Iterable[str]) -> list[str]:
    """Those of some variables of a module that do not hold a `DataParallel` already."""
    known = lazy_names(tree)
    wrapped = {
        target.id
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)
        if (known.meaning(statement.value.func) or "").endswith(".DataParallel")
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    return [name for name in names if name not in wrapped]


def in_parallel(syntax: Syntax, names: Iterable[str], placement: Placement) -> Placed:
    """Models of the module in `nn.DataParallel`: the values of the variables `names`."""
    assert placement.parallel is not None
    annotations = Annotations(syntax)
    nn = spelling_of_nn(syntax, annotations.torch)
    ids = str(list(placement.parallel))
    if not placement.parallel:
        ids = f"list(range({annotations.torch()}.cuda.device_count()))"
    edits: list[Edit] = []
    problems: list[Diagnostic] = []
    for name in unwrapped(syntax.tree, names):
        bound = [s for s in syntax.tree.body if isinstance(s, (ast.Assign, ast.AnnAssign)) and _binds(s, name)]
        if not bound:
            problems.append(_no_variable(syntax, name))
            continue
        made = bound[-1].value
        assert made is not None
        joined = "\n".join(syntax.lines(made))
        edits.append(ReplaceExpression(syntax.span(made), f"{nn}.DataParallel({joined}, device_ids={ids})"))
        problems += _attribute_uses(syntax, name)
    return Placed((*edits, *annotations.edits()), tuple(problems))


def spelling_of_nn(syntax: Syntax, torch: Callable[[], str]) -> str:
    """How the module writes `torch.nn`."""
    for node in syntax.tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "torch" and not node.level:
            for alias in node.names:
                if alias.name == "nn":
                    return alias.asname or "nn"
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "torch.nn" and alias.asname:
                    return alias.asname
    return f"{torch()}.nn"


def _binds(statement: ast.Assign | ast.AnnAssign, name: str) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def _no_variable(syntax: Syntax, name: str) -> Diagnostic:
    return Diagnostic(
        "LZ522",
        f"{name} is no variable of the module, and DataParallel wraps a model, not a class",
        Place(syntax.path, 1, 0, 1, 0) if name not in syntax.classes else syntax.place(syntax.classes[name]),
        helps=(f"make the model at the level of the module, model = {name}(...), and name it: entry=model",),
    )


def _attribute_uses(syntax: Syntax, name: str) -> Iterable[Diagnostic]:
    """Attributes of a model that its wrapper does not have."""
    for node in ast.walk(syntax.tree):
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name):
            continue
        if not hasattr(Module, node.attr) and node.attr != "module" and not any(_is_local(syntax, node, name)):
            yield Diagnostic(
                "LZ522",
                f"{name}.{node.attr} is an attribute of the model, which stands in a DataParallel there",
                syntax.place(node),
                helps=("give the model a variable of its own, and wrap that one yourself",),
            )


def _is_local(syntax: Syntax, node: ast.AST, name: str) -> Iterable[bool]:
    """Whether functions around a node bind the name themselves."""
    around = syntax.parent(node)
    while around is not None:
        if isinstance(around, FUNCTIONS):
            yield any(isinstance(n, ast.arg) and n.arg == name for n in ast.walk(around.args)) or any(
                isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in ast.walk(around)
            )
        around = syntax.parent(around)
