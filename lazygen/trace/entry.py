"""From the text of an entry to the model it names: a variable, a class, a function, or a call of one with arguments."""

from __future__ import annotations

import ast
import copy
import inspect
import re
from collections.abc import Callable, Collection, Iterator
from types import CodeType
from typing import Any

from lazygen.symbolic.nn.module import Module
from lazygen.trace.model import Variable, Variation
from lazygen.values import field, record, replace

_DEVICE = re.compile(r"(cpu|cuda|gpu|mps|xpu)(:\d+)?")
_FIELDS = 64  # config objects with more fields are not varied


class EntryError(Exception):
    """The entry is no model, or cannot be built."""

    def __init__(self, message: str, helps: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.helps = helps


@record
class Entry:
    """A callable with arguments that gives the model, or the model itself (`make` is None).

    `call` is the call of the source that binds a variable to the model, if the entry is that: `make` is called there.
    `item` says which of the values that `make` gives is the model, if it gives several.
    """

    text: str
    model: Module | None
    make: Callable[..., Any] | None = None
    arguments: inspect.BoundArguments | None = None
    module_class: Any = Module
    call: CodeType | None = None
    namespace: dict[str, Any] = field(default_factory=dict)
    item: int | None = None

    @property
    def maker(self) -> str:
        """The name of what builds the model."""
        return getattr(self.make, "__name__", "") if self.make is not None else ""

    def build(self) -> Module:
        """The model.

        Raises EntryError if what comes out is no module.
        """
        if self.make is None or self.arguments is None:
            assert self.model is not None
            return self.model
        made = self._made(self.make, self.arguments)
        if self.item is not None:
            made = tuple(made)[self.item]
        if not isinstance(made, self.module_class):
            raise EntryError(f"{self.text} gives a {type(made).__name__}, not a module")
        return made  # type: ignore[no-any-return]

    def _made(self, make: Callable[..., Any], arguments: inspect.BoundArguments) -> Any:
        if self.call is None:
            return make(*arguments.args, **arguments.kwargs)
        self.namespace |= {"lz:make": make, "lz:arguments": arguments.args, "lz:keywords": arguments.kwargs}
        return eval(self.call, self.namespace)

    def variables(self, with_devices: bool = False) -> tuple[Variable, ...]:
        """The arguments that other values can be tried for, those that name devices only if that is asked for."""
        if self.arguments is None:
            return ()
        found = tuple(_variables(self.arguments.arguments, self.module_class))
        if not with_devices:
            return found
        values = self.arguments.arguments.items()
        return (*found, *(Variable(name, value) for name, value in values if _names_devices(value)))

    def give(self, **arguments: Any) -> None:
        """Give what builds the model these arguments, as far as it takes them."""
        for name, value in arguments.items():
            if self.arguments is not None and name in self.arguments.arguments:
                self.arguments.arguments[name] = value

    def vary(self, variation: Variation) -> None:
        """Put another value in the place of an argument or of a field of one."""
        for path, value in ((variation.path, variation.value), *variation.others):
            self._put(path, value)

    def _put(self, path: str, value: Any) -> None:
        assert self.arguments is not None
        name, *fields = path.split(".")
        if not fields:
            self.arguments.arguments[name] = value
            return
        owner = copy.deepcopy(self.arguments.arguments[name])
        self.arguments.arguments[name] = owner
        for step in fields[:-1]:
            owner = getattr(owner, step)
        object.__setattr__(owner, fields[-1], value)


def resolve(text: str, namespace: dict[str, Any], tree: ast.Module, module_class: Any = Module) -> Entry:
    """The entry named by an expression over a module's names; `module_class` is what all modules are.

    Raises EntryError if it is neither a module nor something that builds one without more arguments.
    """
    node = ast.parse(text, mode="eval").body
    bound, item = None, None
    if isinstance(node, ast.Name) and isinstance(namespace.get(node.id), module_class):
        found = _building_call(node.id, tree, namespace)
        if found is None:
            return Entry(text, namespace[node.id])
        bound, item = found
        node = bound
    if isinstance(node, ast.Call):
        make = _evaluate(node.func, namespace)
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            return Entry(text, _module(text, _evaluate(node, namespace), module_class))
        args = [_evaluate(a, namespace) for a in node.args]
        kwargs = {k.arg: _evaluate(k.value, namespace) for k in node.keywords if k.arg}
        entry = _called(text, make, args, kwargs, module_class)
        return (
            entry
            if bound is None
            else replace(entry, call=_standing_at(bound, namespace), namespace=namespace, item=item)
        )
    value = _evaluate(node, namespace)
    if isinstance(value, module_class):
        return Entry(text, value)
    if not callable(value):
        kind = "int" if isinstance(value, int) and not isinstance(value, bool) else type(value).__name__
        raise EntryError(
            f"{text} is of type {kind}, neither a module nor something that builds one",
            ("name a variable that holds a model, or a class or function that builds one",),
        )
    return _called(text, value, [], {}, module_class)


def _called(text: str, make: Any, args: list[Any], kwargs: dict[str, Any], module_class: Any) -> Entry:
    if not callable(make):
        raise EntryError(f"{text} cannot be called")
    try:
        bound = inspect.signature(make).bind(*args, **kwargs)
    except TypeError as error:
        name = getattr(make, "__name__", text)
        raise EntryError(
            f"{name} cannot be built like this: {error}", (f"give its arguments: --entry '{name}({_example(make)})'",)
        ) from None
    bound.apply_defaults()
    return Entry(text, None, make, bound, module_class)


def _standing_at(call: ast.expr, namespace: dict[str, Any]) -> CodeType:
    """A call of whatever is to be called, which stands where a call of the source does."""

    def named(name: str) -> ast.Name:
        return ast.copy_location(ast.Name(name, ast.Load()), call)

    arguments = ast.copy_location(ast.Starred(named("lz:arguments"), ast.Load()), call)
    made = ast.Call(named("lz:make"), [arguments], [ast.keyword(None, named("lz:keywords"))])
    body = ast.fix_missing_locations(ast.Expression(ast.copy_location(made, call)))
    return compile(body, namespace["__file__"], "eval", dont_inherit=True)


def _example(make: Callable[..., Any]) -> str:
    wanted = [p for p in inspect.signature(make).parameters.values() if p.default is p.empty]
    named = [p for p in wanted if p.kind < p.VAR_POSITIONAL]
    return ", ".join("8" if p.annotation in (int, p.empty, "int") else p.name for p in named)


def _building_call(name: str, tree: ast.Module, namespace: dict[str, Any]) -> tuple[ast.Call, int | None] | None:
    """The call of a class or function of the file that a variable is bound to, if nothing changes it later, and which
    item of its value, if it is not the whole.
    """
    uses = [node for node in tree.body if name in _stored(node)]
    if len(uses) == 1 and isinstance(uses[0], ast.Assign) and isinstance(uses[0].value, ast.Call):
        call, targets = uses[0].value, uses[0].targets
        names = [ast.unparse(part) for part in getattr(targets[0], "elts", ())]
        is_item = len(targets) == 1 and name in names and not any(part.startswith("*") for part in names)
        if _makes_modules(call, namespace) or not (is_item or all(isinstance(target, ast.Name) for target in targets)):
            return None
        made = namespace.get(call.func.id) if isinstance(call.func, ast.Name) else None
        if getattr(made, "__module__", "") == namespace["__name__"]:
            return call, names.index(name) if is_item else None
    return None


def _makes_modules(call: ast.Call, namespace: dict[str, Any]) -> bool:
    """Whether modules are made among the arguments: the variable holds those that were made where the source runs."""
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        for node in ast.walk(argument):
            if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
                try:
                    made = _evaluate(node.func, namespace)
                except Exception:
                    continue
                if isinstance(made, type) and issubclass(made, Module):
                    return True
    return False


def _stored(statement: ast.AST) -> set[str]:
    """Names of the module that a statement binds or whose attributes or items it sets; not those of functions in it."""
    found: set[str] = set()
    pending = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            base: ast.expr = node
            while isinstance(base, (ast.Attribute, ast.Subscript)):
                base = base.value
            if isinstance(base, ast.Name):
                found.add(base.id)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inner = set().union(*(_stored(part) for part in node.body))
            found |= inner - _own_names(node)
        else:
            pending.extend(ast.iter_child_nodes(node))
    return found


def _own_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The names that are a function's own."""
    nodes = list(ast.walk(function))
    bound = {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return bound - {name for node in nodes if isinstance(node, ast.Global) for name in node.names}


def _evaluate(node: ast.expr, namespace: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "<entry>", "eval"), namespace)


def _module(text: str, value: Any, module_class: Any) -> Module:
    if not isinstance(value, module_class):
        raise EntryError(f"{text} gives a {type(value).__name__}, not a module")
    return value  # type: ignore[no-any-return]


def _variables(arguments: dict[str, Any], module_class: Any) -> Iterator[Variable]:
    for name, value in arguments.items():
        if _is_plain(value):
            yield Variable(name, _plain(value))
        elif not isinstance(value, (module_class, type)) and hasattr(value, "__dict__") and len(vars(value)) <= _FIELDS:
            for field, item in vars(value).items():
                if _is_plain(item):
                    yield Variable(f"{name}.{field}", _plain(item))


def _names_devices(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(item, str) and _DEVICE.fullmatch(item) for item in value)
    return isinstance(value, str) and _DEVICE.fullmatch(value) is not None


def _is_plain(value: Any) -> bool:
    if isinstance(value, (bool, int)):
        return True
    if isinstance(value, dict):
        return _are_sizes(value.values()) and all(isinstance(key, (str, int)) for key in value)
    if not isinstance(value, (tuple, list)) or not value:
        return False
    return _are_sizes(value) or all(isinstance(item, (tuple, list)) and _are_sizes(item) for item in value)


def _are_sizes(values: Collection[Any]) -> bool:
    return bool(values) and all(isinstance(value, int) and not isinstance(value, bool) for value in values)


def _plain(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, dict):
        return {key: int(item) for key, item in value.items()}
    return type(value)(map(_plain, value))
