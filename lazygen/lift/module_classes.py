"""Classes below `nnx.Module`: they become torch's, with what they use of its methods in a class of the file.

class Net(nnx.Module):                        class Net(ModuleMethods):
    def __init__(self):                           def __init__(self):
        self.body = L.Linear(8)                       super().__init__()
                                                      self.body = L.Linear(8)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from lazygen.frontend.references import Reference
from lazygen.lift.plan import Edit, InsertStatements
from lazygen.lift.syntax import Syntax

MODULES = ("torchx.nn", "lazygen.nn")
_METHODS = (
    "copy_from",
    "copy_to",
    "hard_update",
    "soft_update",
    "freeze",
    "unfreeze",
    "clip_grad_value",
    "clip_grad_norm",
    "save",
    "load",
    "load_with_init",
    "clone",
    "parameters_to_binary",
    "parameters_from_binary",
)
# Names that others have too: modules (`torch.save`), and tensors.
_OF_LIBRARIES = ("save", "load")
_OF_TENSORS = ("clone",)
_WITHOUT_TORCH = ("copy_from", "copy_to", "freeze", "unfreeze", "clone")


def is_module(reference: Reference) -> bool:
    """Whether a reference means the class."""
    return reference.module in MODULES and reference.kind == "Module"


class ModuleClasses:
    """The classes of a file that stand on `nnx.Module`, directly or not."""

    def __init__(self, syntax: Syntax, references: Sequence[Reference]) -> None:
        self.syntax = syntax
        self.names = {reference.node for reference in references if is_module(reference)}
        self.direct = [
            node
            for node in ast.walk(syntax.tree)
            if isinstance(node, ast.ClassDef) and any(base in self.names for base in node.bases)
        ]
        self.all = list(self._below())

    def methods(self) -> list[str]:
        """The methods that the file uses, in a fixed order."""
        own = {part.name for node in self.all for part in node.body if isinstance(part, ast.FunctionDef)}
        held = self._held()
        used: set[str] = set()
        for node in ast.walk(self.syntax.tree):
            if not isinstance(node, ast.Attribute) or node.attr not in _METHODS:
                continue
            if not self._is_of_others(node, held):
                used.add(node.attr)
        return [name for name in _METHODS if name in used - own] if self.direct else []

    @staticmethod
    def need_torch(methods: Sequence[str]) -> bool:
        """Whether what is written for the methods reads `torch`."""
        return any(method not in _WITHOUT_TORCH for method in methods)

    def constructors(self, nn: str) -> Iterator[Edit]:
        """The calls of torch's constructor, which has to run before a module is assigned."""
        for node in self.all:
            made = next((p for p in node.body if isinstance(p, ast.FunctionDef) and p.name == "__init__"), None)
            if made is None or any(map(_runs_constructor, ast.walk(made))):
                continue
            has_docstring = ast.get_docstring(made, clean=False) is not None and len(made.body) > 1
            body = made.body[1:] if has_docstring else made.body
            above = node in self.direct or not self._has_constructor_above(node)
            first = made.args.posonlyargs + made.args.args
            text = "super().__init__()" if above else f"{nn}.Module.__init__({first[0].arg if first else 'self'})"
            yield InsertStatements(self.syntax.span(body[0]), f"{text}\n")

    def _below(self) -> Iterator[ast.ClassDef]:
        found = {node.name for node in self.direct}
        for node in ast.walk(self.syntax.tree):
            if isinstance(node, ast.ClassDef):
                bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
                if node in self.direct or bases & found:
                    found.add(node.name)
                    yield node

    def _has_constructor_above(self, node: ast.ClassDef) -> bool:
        bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
        for other in self.all:
            if other.name in bases:
                own = any(isinstance(part, ast.FunctionDef) and part.name == "__init__" for part in other.body)
                if own or self._has_constructor_above(other):
                    return True
        return False

    def _is_of_others(self, node: ast.Attribute, held: set[str]) -> bool:
        """Whether a method is probably not meant to be that of a module of this file."""
        subject = ast.unparse(node.value)
        if node.attr in _OF_LIBRARIES:
            return subject.partition(".")[0] in self._imported()
        root: ast.expr = node.value
        while isinstance(root, (ast.Attribute, ast.Subscript)):
            root = root.value
        known = subject in held or self._is_self(root) or ast.unparse(root) in held
        return node.attr in _OF_TENSORS and not known

    def _imported(self) -> set[str]:
        """The names that imports bind."""
        found: set[str] = set()
        for node in ast.walk(self.syntax.tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        return found

    def _held(self) -> set[str]:
        """The names and attributes that are assigned such a module, and the classes themselves."""
        classes = {node.name for node in self.all}
        held = set(classes)
        for node in ast.walk(self.syntax.tree):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                function = node.value.func
                name = ast.unparse(function)
                if name in classes or (name.endswith(".clone") and name.removesuffix(".clone") in held):
                    held |= {ast.unparse(target) for target in node.targets}
        return held

    def _is_self(self, node: ast.expr) -> bool:
        """Whether a name is `self` in a method of one of the classes."""
        if not isinstance(node, ast.Name) or node.id != "self":
            return False
        around: ast.AST | None = node
        while around is not None and not isinstance(around, ast.ClassDef):
            around = self.syntax.parent(around)
        return around in self.all


def _runs_constructor(node: ast.AST) -> bool:
    """`super().__init__(...)`, `super(Net, self).__init__()`, `Base.__init__(self)`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__init__"
