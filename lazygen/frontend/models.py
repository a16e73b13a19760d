"""What the names of a file have to do with lazy layers: who holds them, who makes modules, who is made of whom."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator, Sequence

from lazygen.frontend.constructors import Function, method
from lazygen.frontend.facts import make_facts
from lazygen.frontend.guards import run_by_import
from lazygen.frontend.lazy_names import lazy_names
from lazygen.frontend.scopes import dotted

# Methods of a module that return the module itself.
_SAME = frozenset(
    {
        *("add_module", "append", "apply", "bfloat16", "compile", "cpu", "cuda", "double", "eval", "extend", "float"),
        *("half", "insert", "requires_grad_", "share_memory", "to", "to_empty", "train", "type", "xpu"),
        *("add", "build"),  # of TorchX's containers
    }
)
_WRAPPERS = frozenset(
    {
        *("torch.compile", "torch.jit.script", "torch.jit.trace", "copy.deepcopy", "copy.copy"),
        *("torch.nn.DataParallel", "torch.nn.parallel.DataParallel", "torch.nn.parallel.DistributedDataParallel"),
    }
)
_Locals = dict[str, list[ast.expr]]
_NO_MODULES = frozenset({"Parameter", "ParameterList", "ParameterDict"})
_NO_FORWARD = frozenset({"Module", "ModuleList", "ModuleDict", "LazyModuleMixin"})


class Models:
    """The module level of one file.  `foreign` are imported names known to hold lazy layers."""

    def __init__(self, tree: ast.Module, foreign: Collection[str] = ()) -> None:
        self.lazy = lazy_names(tree)
        self.classes: dict[str, ast.ClassDef] = {}
        self.functions: dict[str, Function] = {}
        # A variable's values with the targets that take them, in the order of the text.
        self.values: dict[str, list[tuple[ast.Name, ast.expr]]] = {}
        self.uses: dict[str, set[str]] = {}  # by name, the names of the module that its statements use
        self.bases: dict[str, list[str]] = {}
        self._kinds: dict[str, str | None] = {}
        self._returning: dict[tuple[str, bool], bool] = {}
        # Of the statements that change something: what they change, whether they name a lazy class, what they use.
        self._changed_by: list[tuple[set[str], bool, set[str]]] = []
        self._read(tree)
        self.holding = self._spread_holding(set(foreign))
        self._filled = {
            name for changes, holds, used in self._changed_by if holds or used & self.holding for name in changes
        }

    def is_model(self, name: str) -> bool:
        """Whether a variable of the module level holds a module that is made by its own value."""
        return self._kind(name) == "model" and not all(self._is_placeholder(value) for _, value in self.values[name])

    def _is_placeholder(self, value: ast.expr) -> bool:
        """Whether a value is an input of a graph, which models are made of."""
        meaning = self.lazy.meaning(value.func) if isinstance(value, ast.Call) else None
        return (meaning or "").endswith(".layers.Placeholder")

    def returns_model(self, name: str, *, guess: bool = True) -> bool:
        """Whether a function of the file returns a module that it makes.

        With `guess`, a call of something unknown (a parameter, an import) is taken to make one.
        """
        key = (name, guess)
        if key not in self._returning:
            self._returning[key] = False  # for a function that calls itself
            local = _locals(self.functions[name])
            self._returning[key] = any(self._makes(value, local, guess) for value in self._returned(name))
        return self._returning[key]

    def is_module_class(self, name: str) -> bool:
        """Whether a class of the file is a module: by a base, or by a `forward`."""
        return any(
            method(node, "forward") is not None or any(self._torch_base(base) for base in node.bases)
            for node in self.lineage(name)
        )

    def runs(self, name: str) -> bool:
        """Whether a class has a `forward` to run: its own or an inherited one that does more than raise."""
        for node in self.lineage(name):
            forward = method(node, "forward")
            if forward is not None:
                return not _only_raises(forward) and not _is_abstract(forward)
        if any(self._brings_forward(base) for node in self.lineage(name) for base in node.bases):
            return True
        # A bare `nn.Module` that other classes extend is there for them; one that nobody extends has to be a model.
        return not any(name in bases for bases in self.bases.values())

    def abstract_methods(self, name: str) -> set[str]:
        """The methods of a class that are abstract in it."""
        decided: dict[str, bool] = {}
        for node in self.lineage(name):
            for part in node.body:
                if isinstance(part, Function):
                    decided.setdefault(part.name, _is_abstract(part))
                elif isinstance(part, ast.Assign):
                    for target in part.targets:
                        if isinstance(target, ast.Name):
                            decided.setdefault(target.id, False)
        return {method_name for method_name, abstract in decided.items() if abstract}

    def lineage(self, name: str) -> list[ast.ClassDef]:
        """A class of the file and its bases of the file, the nearest first."""
        found: dict[str, ast.ClassDef] = {}
        waiting = [name]
        while waiting:
            current = waiting.pop(0)
            if current in self.classes and current not in found:
                found[current] = self.classes[current]
                waiting.extend(self.bases[current])
        return list(found.values())

    def _read(self, tree: ast.Module) -> None:
        table = make_facts(tree, annotations=False, checks=False)
        for statement in table.statements:
            used = statement.reads | statement.late
            if isinstance(statement.node, (ast.For, ast.While, ast.If, ast.With, ast.Try)):
                used = used | (statement.binds & _loads(statement.node))  # what one branch makes another may use
            for name in statement.binds | statement.changes:
                self.uses.setdefault(name, set()).update(used)
        for node in module_level(statement.node for statement in table.statements):
            match node:
                case ast.ClassDef():
                    self.classes[node.name] = node
                    self.bases[node.name] = [base.id for base in node.bases if isinstance(base, ast.Name)]
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self.functions[node.name] = node
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        self._read_target(target, value)
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    self._read_target(target, value)
        self._seeds: set[str] = set()
        for statement in table.statements:
            holds = self.lazy.holds(statement.node)
            if holds:
                self._seeds |= statement.binds | statement.changes
            if statement.changes:
                self._changed_by.append((statement.changes, holds, statement.reads | statement.late))

    def _read_target(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.values.setdefault(target.id, []).append((target, value))
        elif isinstance(target, ast.Tuple | ast.List):
            for part, inner in zip(target.elts, self._unpacked(value, len(target.elts)), strict=True):
                self._read_target(part, inner)

    def _unpacked(self, value: ast.expr, count: int) -> list[ast.expr]:
        """What each of `count` targets takes: the parts of a tuple, or of the tuple that a function returns."""
        if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == count:
            return value.elts
        return [ast.Subscript(value, ast.Constant(number), ast.Load()) for number in range(count)]

    def _spread_holding(self, holding: set[str]) -> set[str]:
        users: dict[str, list[str]] = {}
        for user, used in self.uses.items():
            for name in used:
                users.setdefault(name, []).append(user)
        waiting = sorted(self._seeds | holding)
        holding = set(waiting)
        while waiting:
            for user in users.get(waiting.pop(), ()):
                if user not in holding:
                    holding.add(user)
                    waiting.append(user)
        return holding

    def _kind(self, name: str) -> str | None:
        """ "model", "derived" from a model (`optimizer`, `y = model(x)`), or None."""
        if name not in self._kinds:
            self._kinds[name] = None  # for a variable whose value reads it
            values = [value for _, value in self.values.get(name, ())]
            if any(
                self._makes(value, {}, guess=True) and (name in self._filled or self._holds(value)) for value in values
            ):
                self._kinds[name] = "model"
            elif any(self._reads_model(value) for value in values):
                self._kinds[name] = "derived"
        return self._kinds[name]

    def _holds(self, value: ast.expr) -> bool:
        names = (node.id for node in ast.walk(value) if isinstance(node, ast.Name))
        return self.lazy.holds(value) or not self.holding.isdisjoint(names)

    def _reads_model(self, value: ast.expr) -> bool:
        return any(isinstance(node, ast.Name) and self._kind(node.id) is not None for node in ast.walk(value))

    def _makes(self, value: ast.expr, local: _Locals, guess: bool) -> bool:
        """Whether an expression makes a module; `local` are the values of a function's variables."""
        match value:
            case ast.IfExp(body=body, orelse=orelse):
                return self._makes(body, local, guess) or self._makes(orelse, local, guess)
            case ast.BoolOp(values=values):
                return any(self._makes(part, local, guess) for part in values)
            case ast.NamedExpr(value=inner):
                return self._makes(inner, local, guess)
            case ast.Name(id=name) if name in local:
                rest = {other: values for other, values in local.items() if other != name}
                return any(self._makes(part, rest, guess) for part in local[name])
            case ast.Subscript(value=ast.Call(func=ast.Name(id=name)), slice=ast.Constant(value=int(number))):
                return name in self.functions and self._returns_at(name, number)
            case ast.Call(func=function):
                return self._call_makes(value, function, local, guess)
        return False

    def _call_makes(self, call: ast.Call, function: ast.expr, local: _Locals, guess: bool) -> bool:
        methods, first = _method_chain(call)
        if methods and self._makes(first, local, guess):
            return methods <= _SAME  # `Net().to(device)`, but not `Net().parameters()`
        if self.lazy.is_lazy(function):
            return True
        meaning = self.lazy.meaning(function)
        if meaning in _WRAPPERS:
            return bool(call.args) and self._makes(call.args[0], local, guess)
        if meaning is not None and meaning.split(".")[0] in ("torch", "functools"):
            module, _, name = meaning.rpartition(".")
            return module == "torch.nn" and name[:1].isupper() and name not in _NO_MODULES
        if isinstance(function, ast.Name):
            if function.id in self.classes:
                return self.is_module_class(function.id)
            if function.id in self.functions:
                return self.returns_model(function.id, guess=guess and not self._reads_model(call))
            if function.id in self.values and self._kind(function.id) is not None:
                return False  # a call of a model
            if function.id not in self.uses and function.id not in local and hasattr(builtins, function.id):
                return False
        elif isinstance(function, ast.Attribute):
            owner = function.value
            if isinstance(owner, ast.Name) and owner.id in self.classes:
                return self.is_module_class(owner.id)  # `Net.small()`
        elif self._makes(function, local, guess):
            return False  # `Net()(x)`
        return guess and not self._reads_model(call)

    def _returned(self, name: str) -> list[ast.expr]:
        returns = (node for node in _own_statements(self.functions[name]) if isinstance(node, ast.Return))
        return [node.value for node in returns if node.value is not None]

    def _returns_at(self, name: str, number: int) -> bool:
        local = _locals(self.functions[name])
        return any(
            self._makes(value.elts[number], local, guess=True)
            for value in self._returned(name)
            if isinstance(value, ast.Tuple) and -len(value.elts) <= number < len(value.elts)
        )

    def _torch_base(self, base: ast.expr) -> bool:
        meaning = self.lazy.meaning(base) or ""
        return meaning.startswith(("torch.nn.", "torchx.nn.", "lazygen.nn.")) or self.lazy.is_lazy(base)

    def _brings_forward(self, base: ast.expr) -> bool:
        """Whether a base from elsewhere may have a `forward`: `nn.Sequential` has, `nn.Module` and mixins have not."""
        meaning = self.lazy.meaning(base)
        return meaning is not None and meaning.startswith("torch.nn.") and meaning.rpartition(".")[2] not in _NO_FORWARD


def _loads(node: ast.stmt) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}


def module_level(statements: Iterator[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements outside functions and classes, inside compound statements too, without `__main__` blocks."""
    stack: list[ast.AST] = [*statements]
    stack.reverse()
    while stack:
        node = stack.pop()
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, Function | ast.ClassDef):
            continue
        arm = run_by_import(node) if isinstance(node, ast.If) else None
        children: Sequence[ast.AST] = arm if arm is not None else list(ast.iter_child_nodes(node))
        stack.extend(
            child for child in reversed(children) if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case)
        )


def _method_chain(call: ast.Call) -> tuple[set[str], ast.expr]:
    """The methods that are called on the first object of `first().a().b()`, and that object."""
    methods: set[str] = set()
    node: ast.expr = call
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        owner = node.func.value
        if not isinstance(owner, ast.Call | ast.Name):
            break
        if isinstance(owner, ast.Name):
            # A module's or a class's own function is no method of an object.
            return (methods, node) if methods else (set(), call)
        methods.add(node.func.attr)
        node = owner
    return methods, node


def _own_statements(function: Function) -> Iterator[ast.stmt]:
    return module_level(iter(function.body))


def _locals(function: Function) -> _Locals:
    values: _Locals = {}
    for node in _own_statements(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Name):
                        values.setdefault(target.id, []).append(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                values.setdefault(name, []).append(value)
    return values


def _is_abstract(function: Function) -> bool:
    names = (dotted(decorator) or "" for decorator in function.decorator_list)
    return any(name.rpartition(".")[2].startswith("abstract") for name in names)


def _only_raises(function: Function) -> bool:
    body = [node for node in function.body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
    return len(body) == 1 and isinstance(body[0], ast.Raise)
