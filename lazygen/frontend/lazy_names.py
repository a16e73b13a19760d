"""Which expressions of a file mean a lazy class, under whatever name the file gives it.

import torch.nn as tnn                      tnn.LazyLinear
from torch.nn import LazyConv2d as Conv     Conv
from torch.nn import *                      LazyConv2d
norm = partial(Conv, kernel_size=3)         norm
class Own(nn.LazyLinear): ...               Own
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping

from lazygen.frontend import torchx
from lazygen.frontend.guards import run_by_import
from lazygen.frontend.scopes import CHILDREN, dotted

_EACH_RANK = ("1d", "2d", "3d")
TORCH_LAZY = frozenset(
    {"LazyLinear"}
    | {f"Lazy{kind}{rank}" for kind in ("Conv", "ConvTranspose", "BatchNorm", "InstanceNorm") for rank in _EACH_RANK}
)
_TORCHX_LAYERS = torchx.SIZED | torchx.GRAPH | torchx.WITHOUT_TWIN | {"PReLU", "Flatten", "Sequential"}

# By module, the lazy classes that it exports, and what leaves a device out.  Submodules of `torch.nn.modules` are read
# as `torch.nn`.
LAZY: Mapping[str, frozenset[str]] = {
    "torch.nn": TORCH_LAZY | {"LazyModuleMixin"},
    "torchx.layers": _TORCHX_LAYERS,
    "lazygen.layers": _TORCHX_LAYERS,
    **dict.fromkeys(("torchx", "lazygen", "lazygen.devices"), torchx.DEVICES),
}


def lazy_names(tree: ast.Module) -> LazyNames:
    """What the names of a module mean."""
    return LazyNames(tree)


class LazyNames:
    """The lazy classes of one file.  Imports inside functions count for the whole file."""

    def __init__(self, tree: ast.Module) -> None:
        self._meanings: dict[str, str] = {}
        self._stars: list[str] = []
        self._bound: set[str] = set()  # by the file itself, which hides what a star import brings
        self.aliases: set[str] = set()  # names that the file itself gives to lazy classes and partial calls of them
        self.classes: set[str] = set()  # classes of the file below a lazy one
        self._read_imports(tree)
        self._read_aliases(tree)

    def meaning(self, expression: ast.expr) -> str | None:
        """What a chain of names means by the imports (`nn.ReLU` is "torch.nn.ReLU"); None if no import says it."""
        path = dotted(expression)
        if path is None:
            return None
        first, _, rest = path.partition(".")
        known = self._meanings.get(first)
        if known is None:
            if first in self._bound:
                return None
            known = self._from_star(first)
            if known is None:
                return None
        return _canonical(f"{known}.{rest}" if rest else known)

    def is_lazy(self, expression: ast.expr) -> bool:
        """Whether an expression (not a call of it) means a lazy class, an alias or a partial call of one."""
        if isinstance(expression, ast.Name) and (expression.id in self.aliases or expression.id in self.classes):
            return True
        meaning = self.meaning(expression)
        if meaning is None:
            return False
        module, _, name = meaning.rpartition(".")
        return name in LAZY.get(module, ())

    def mentions(self, node: ast.AST) -> Iterator[ast.expr]:
        """The expressions inside `node` that mean a lazy class, in their order.

        Annotations, `isinstance` checks and comparisons hold no layer and are left out.
        """
        stack = [node]
        while stack:
            node = stack.pop()
            if isinstance(node, ast.Name | ast.Attribute):
                if self.is_lazy(node):
                    yield node
                    continue
            elif isinstance(node, ast.Compare):
                continue
            elif isinstance(node, ast.Call) and _is_check(node):
                stack.extend(node.args[:1])
                continue
            elif isinstance(node, ast.If):
                arm = run_by_import(node)
                if arm is not None:
                    stack.extend(reversed(arm))
                    continue
            for name in reversed(CHILDREN[type(node)]):
                if name in ("annotation", "returns"):
                    continue
                child = getattr(node, name, None)
                if isinstance(child, list):
                    stack.extend(item for item in reversed(child) if isinstance(item, ast.AST))
                elif isinstance(child, ast.AST):
                    stack.append(child)

    def holds(self, node: ast.AST) -> bool:
        """Whether a lazy class is mentioned inside `node`."""
        return next(self.mentions(node), None) is not None

    def _from_star(self, name: str) -> str | None:
        """What a name means that only a star import can have brought; torch's classes begin with a capital."""
        if name[:1].isupper() and hasattr(builtins, name):
            return None
        lazy = next((module for module in self._stars if name in LAZY.get(module, ())), None)
        if lazy is None and (name[:1].isupper() or name in torchx.FUNCTIONS):
            lazy = next((module for module in self._stars if module in torchx.MODULES), None)
        if lazy is None and "torch.nn" in self._stars and name[:1].isupper():
            lazy = "torch.nn"
        return f"{lazy}.{name}" if lazy is not None else None

    def _read_imports(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    first = alias.name.split(".")[0]
                    self._meanings[alias.asname or first] = alias.name if alias.asname else first
            elif isinstance(node, ast.ImportFrom) and not node.level:
                module = _canonical(node.module or "")
                for alias in node.names:
                    if alias.name == "*":
                        self._stars.append(module)
                    else:
                        self._meanings[alias.asname or alias.name] = f"{module}.{alias.name}"

    def _read_aliases(self, tree: ast.Module) -> None:
        for node in _top_level(tree):
            match node:
                case ast.Assign(targets=targets, value=value):
                    names = {target.id for target in targets if isinstance(target, ast.Name)}
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    names = {name}
                case ast.ClassDef(name=name, bases=bases):
                    lazy = any(map(self.is_lazy, bases))
                    self._bound.add(name)
                    if lazy:
                        self.classes.add(name)
                    continue
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    self._bound.add(name)
                    continue
                case _:
                    continue
            lazy = self._gives_class(value)
            for name in names:
                self._bound.add(name)
                if lazy:
                    self.aliases.add(name)

    def _gives_class(self, value: ast.expr) -> bool:
        """Whether a value is a lazy class: `nn.LazyLinear`, `partial(nn.LazyLinear, 3)`, a choice between such."""
        match value:
            case ast.Name() | ast.Attribute():
                return self.is_lazy(value)
            case ast.IfExp(body=body, orelse=orelse):
                return self._gives_class(body) or self._gives_class(orelse)
            case ast.BoolOp(values=values):
                return any(map(self._gives_class, values))
            case ast.Call(func=function, args=[first, *_]) if self.meaning(function) == "functools.partial":
                return self._gives_class(first)
        return False


def _top_level(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements outside functions and classes, those inside compound statements too."""
    stack: list[ast.AST] = list(reversed(tree.body))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        stack.extend(
            child
            for child in reversed(list(ast.iter_child_nodes(node)))
            if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case)
        )


def _is_check(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in ("isinstance", "issubclass") and bool(call.args)


def _canonical(path: str) -> str:
    """`torch.nn.modules.linear.LazyLinear` is exported by `torch.nn`, and so are all of its kind."""
    parts = path.split(".")
    if parts[:3] == ["torch", "nn", "modules"]:
        parts = ["torch", "nn", *(part for part in parts[3:] if not (part.islower() and part.isidentifier()))]
    return ".".join(parts)
