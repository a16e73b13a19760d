"""A device kept on a module: `to()` and `cuda()` take the parameters along and leave it as it was.

self.device = device; ...; torch.zeros(8, device=self.device)           a warning
torch.zeros(8, device=x.device)                                         where the input is, whoever moved the model
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.diagnostics import Diagnostic
from lazygen.traps.text import Text

Method = ast.FunctionDef | ast.AsyncFunctionDef


def found(text: Text) -> Iterator[Diagnostic]:
    for node in ast.walk(text.tree):
        if not isinstance(node, ast.ClassDef):
            continue
        methods = [part for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]
        names = {method.name for method in methods}
        if "forward" not in names or names & {"device", "to", "_apply"} or not any(map(_stores, methods)):
            continue  # no module, or one that looks after its device
        if any(map(_places_itself, methods)):
            continue  # is where it says, unless somebody moves it all the same
        use = next((use for method in methods if method.name == "forward" for use in _uses(method)), None)
        if use is not None:
            yield Diagnostic(
                "LZ147",
                f"{node.name} keeps its device in self.device, which .to() and .cuda() leave as it was",
                text.place(use),
                helps=("ask a tensor that is there: device=x.device, or next(self.parameters()).device",),
                severity="warning",
            )


def _stores(method: Method) -> bool:
    statements = [node for node in ast.walk(method) if isinstance(node, (ast.Assign, ast.AnnAssign))]
    targets = [t for node in statements for t in (node.targets if isinstance(node, ast.Assign) else [node.target])]
    return method.name == "__init__" and any(map(_is_own_device, targets))


def _places_itself(method: Method) -> bool:
    """Whether a constructor moves the whole module: `self.to(device)`."""
    functions = [node.func for node in ast.walk(method) if isinstance(node, ast.Call)]
    moves = [f for f in functions if isinstance(f, ast.Attribute) and f.attr in ("to", "cuda")]
    return method.name == "__init__" and any(isinstance(f.value, ast.Name) and f.value.id == "self" for f in moves)


def _uses(method: Method) -> Iterator[ast.expr]:
    """What puts a tensor where the module was made."""
    for node in ast.walk(method):
        if not isinstance(node, ast.Call):
            continue
        yield from (
            keyword.value for keyword in node.keywords if keyword.arg == "device" and _is_own_device(keyword.value)
        )
        if isinstance(node.func, ast.Attribute) and node.func.attr == "to":
            yield from (argument for argument in node.args[:1] if _is_own_device(argument))


def _is_own_device(node: ast.expr) -> bool:
    if not isinstance(node, ast.Attribute) or node.attr not in ("device", "_device"):
        return False
    return isinstance(node.value, ast.Name) and node.value.id == "self"
