"""What the function of a call may be: names of torch, and classes and functions of the file.

norm = nn.BatchNorm2d if batch else nn.GroupNorm        norm(8)              both classes
LAYERS = {"a": nn.Linear, "b": Block}                   LAYERS[kind](8)      nn.Linear and the class Block
def __init__(self, norm=nn.LayerNorm): ...              norm(8)              the default, and what calls of it give
conv = partial(nn.Conv2d, kernel_size=3)                conv(8, 8)           nn.Conv2d

Assignments count wherever they stand in the scope of a name, so a callee may be several things; what is not understood
makes it unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.frontend.lazy_names import lazy_names
from lazygen.lift.placement.scopes import (
    FUNCTIONS,
    Scope,
    argument_of,
    attributes_of,
    bindings_of,
    default_of,
    is_inside,
    is_static,
    place_in,
)
from lazygen.lift.syntax import Function, Syntax
from lazygen.values import value

Definition = ast.ClassDef | Function
_SCOPES = (ast.Module, *FUNCTIONS, ast.Lambda, ast.ClassDef)


@value
class Callee:
    """One thing that a call may call: a dotted name of an import, or a definition of the file; neither is unknown."""

    meaning: str = ""
    definition: Definition | None = None


UNKNOWN = Callee()


class Callees:
    """Looks up what the calls of one file call."""

    def __init__(self, syntax: Syntax) -> None:
        self.syntax = syntax
        self.names = lazy_names(syntax.tree)
        self._bound: dict[ast.AST, dict[str, list[ast.AST]]] = {}
        self._known: dict[int, frozenset[Callee]] = {}
        self._asked: set[int] = set()
        self._calls: dict[ast.AST, list[ast.Call]] | None = None

    def of(self, expression: ast.expr) -> frozenset[Callee]:
        """What the value of an expression may be, if that is called."""
        if id(expression) in self._known:
            return self._known[id(expression)]
        if id(expression) in self._asked:
            return frozenset()  # a name that is bound to itself again says nothing new
        self._asked.add(id(expression))
        found = frozenset(self._read(expression))
        self._asked.discard(id(expression))
        if not self._asked:
            self._known[id(expression)] = found
        return found

    def calls_of(self, definition: Definition) -> list[ast.Call]:
        """The calls of the file that may call a class or function."""
        if self._calls is None:
            self._calls = {}
            for node in ast.walk(self.syntax.tree):
                if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
                    for known in self._directly(node.func):
                        self._calls.setdefault(known, []).append(node)
        return self._calls.get(definition, [])

    def scope_of(self, node: ast.AST) -> Scope:
        """The scope that a node stands in; the defaults of a function are outside it."""
        inner, around = node, self.syntax.parent(node)
        while around is not None and not (isinstance(around, _SCOPES) and is_inside(inner, around)):
            inner, around = around, self.syntax.parent(around)
        return around if isinstance(around, _SCOPES) else self.syntax.tree

    def class_around(self, node: ast.AST) -> ast.ClassDef | None:
        """The class whose method a node stands in, nested functions included."""
        scope: Scope = self.scope_of(node)
        while not isinstance(scope, (ast.Module, ast.ClassDef)):
            scope = self.scope_of(scope)
        return scope if isinstance(scope, ast.ClassDef) else None

    def bases(self, definition: ast.ClassDef) -> list[Callee]:
        """The bases of a class."""
        return [callee for base in definition.bases for callee in self.of(base)]

    def family(self, definition: ast.ClassDef) -> Iterator[ast.ClassDef]:
        """A class and those of the file that it is below of, nearest first."""
        seen: list[ast.ClassDef] = []
        pending = [definition]
        while pending:
            one = pending.pop(0)
            if one not in seen:
                seen.append(one)
                yield one
                pending += [b.definition for b in self.bases(one) if isinstance(b.definition, ast.ClassDef)]

    def method(self, definition: ast.ClassDef, name: str) -> Function | None:
        """The method of a class, its own or inherited in the file."""
        for one in self.family(definition):
            for statement in one.body:
                if isinstance(statement, FUNCTIONS) and statement.name == name:
                    return statement
        return None

    def overrides(self, function: Function) -> Iterator[Function]:
        """The methods of that name in classes above and below that of a method."""
        owner = self.syntax.parent(function)
        if not isinstance(owner, ast.ClassDef):
            return
        for other in self.syntax.classes.values():
            related = owner in self.family(other) or other in self.family(owner)
            for statement in other.body if related else ():
                if isinstance(statement, FUNCTIONS) and statement.name == function.name and statement is not function:
                    yield statement

    # -- expressions

    def _read(self, node: ast.expr) -> Iterator[Callee]:
        match node:
            case ast.Name():
                yield from self._name(node)
            case ast.Attribute():
                yield from self._attribute(node)
            case ast.IfExp(body=body, orelse=orelse):
                yield from (*self.of(body), *self.of(orelse))
            case ast.BoolOp(values=values):
                for one in values:
                    yield from self.of(one)
            case ast.NamedExpr(value=one):
                yield from self.of(one)
            case ast.Subscript(value=held):
                for item in self._items(held):
                    yield from self.of(item)
            case ast.Call(func=ast.Attribute(value=held, attr="get"), args=[_, *default]):
                for item in [*self._items(held), *default]:
                    yield from self.of(item)
            case ast.Call(func=function, args=[first, *_]) if self.names.meaning(function) == "functools.partial":
                yield from self.of(first)
            case ast.Constant(value=None):
                return  # a default that is replaced before it is called
            case _:
                yield UNKNOWN

    def _name(self, node: ast.Name) -> Iterator[Callee]:
        found = self._bindings(node)
        if found is None:
            meaning = self.names.meaning(node)
            yield Callee(meaning) if meaning else UNKNOWN
        for binding in found or ():
            yield from self._bound_to(binding, node.id)

    def _bound_to(self, binding: ast.AST, name: str) -> Iterator[Callee]:
        if isinstance(binding, (ast.ClassDef, *FUNCTIONS)):
            yield Callee(definition=binding)
        elif isinstance(binding, ast.arg):
            yield from self._argument(binding, name)
        elif isinstance(binding, ast.alias):
            meaning = self.names.meaning(ast.Name(name, ast.Load()))
            yield Callee(meaning) if meaning else UNKNOWN
        elif isinstance(binding, (ast.For, ast.comprehension)):
            yield from self._of_loop(binding, name)
        elif isinstance(binding, ast.expr):
            yield from self.of(binding)
        else:
            yield UNKNOWN

    def _of_loop(self, loop: ast.For | ast.comprehension, name: str) -> Iterator[Callee]:
        path = place_in(loop.target, name)
        for item in self._items(loop.iter) if path is not None else [None]:
            for step in path or ():
                item = item.elts[step] if isinstance(item, (ast.Tuple, ast.List)) and len(item.elts) > step else None
            yield from self.of(item) if item is not None else (UNKNOWN,)

    def _argument(self, parameter: ast.arg, name: str) -> Iterator[Callee]:
        """What a parameter may hold: `cls` its class, others their default and what calls give."""
        function = self.scope_of(parameter)
        if not isinstance(function, FUNCTIONS):
            yield UNKNOWN
            return
        owner = self.syntax.parent(function)
        in_class = isinstance(owner, ast.ClassDef) and not is_static(function)
        if in_class and parameter is (function.args.posonlyargs + function.args.args)[0]:
            yield Callee(definition=owner) if isinstance(owner, ast.ClassDef) else UNKNOWN
            return
        default = default_of(function, name)
        if default is not None:
            yield from self.of(default)
        called = owner if isinstance(owner, ast.ClassDef) and function.name == "__init__" else function
        calls = self.calls_of(called)
        for call in calls:
            given = argument_of(call, function, name, 1 if in_class else 0)
            if given is not None:
                yield from self.of(given)
        if default is None and not calls:
            yield UNKNOWN

    def _attribute(self, node: ast.Attribute) -> Iterator[Callee]:
        meaning = self.names.meaning(node)
        if meaning is not None:
            yield Callee(meaning)
            return
        owners = self._owners(node)
        if not owners:
            yield UNKNOWN
        for owner in owners:
            method = self.method(owner, node.attr)
            if method is not None:
                yield Callee(definition=method)
                continue
            held = [bound for one in self.family(owner) for bound in attributes_of(one).get(node.attr, [])]
            for bound in held:
                yield from self.of(bound)
            if not held:
                yield UNKNOWN

    def _owners(self, node: ast.Attribute) -> list[ast.ClassDef]:
        """The classes whose attribute it may be: that around for `self.x`, those above it for `super().x`."""
        around = self.class_around(node)
        match node.value:
            case ast.Call(func=ast.Name(id="super")) if around is not None:
                above = (base.definition for base in self.bases(around))
                return [one for one in above if isinstance(one, ast.ClassDef)]
            case ast.Name(id=name) if around is not None and name in ("self", "cls"):
                return [around]
            case ast.Name() | ast.Attribute():
                known = [callee.definition for callee in self.of(node.value)]
                return [one for one in known if isinstance(one, ast.ClassDef)]
        return []

    def _items(self, held: ast.expr) -> list[ast.expr]:
        """The values of a dict, list or tuple that an expression names; nothing if it is none."""
        match held:
            case ast.Dict(values=values):
                return list(values)
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                return list(elements)
            case ast.Name():
                return [i for b in self._bindings(held) or () if isinstance(b, ast.expr) for i in self._items(b)]
            case ast.Attribute(attr=attribute):
                owners = self._owners(held)
                values = [
                    v for owner in owners for one in self.family(owner) for v in attributes_of(one).get(attribute, [])
                ]
                return [item for value in values for item in self._items(value)]
            case ast.Call(func=ast.Attribute(value=inner, attr="values" | "items")):
                return self._items(inner)
        return []

    # -- scopes

    def _bindings(self, node: ast.Name) -> list[ast.AST] | None:
        """What a name is bound to in its scope; None if the file does not bind it, or by imports alone."""
        scope = self.scope_of(node)
        first = True
        while True:
            bound = self._bound_in(scope)
            if node.id in bound and (first or not isinstance(scope, ast.ClassDef)):
                return bound[node.id]
            if isinstance(scope, ast.Module):
                return None
            scope, first = self.scope_of(scope), False

    def _bound_in(self, scope: Scope) -> dict[str, list[ast.AST]]:
        if scope not in self._bound:
            found: dict[str, list[ast.AST]] = {}
            self._bound[scope] = found
            for name, binding in bindings_of(scope):
                found.setdefault(name, []).append(binding)
        return self._bound[scope]

    def _directly(self, function: ast.expr) -> Iterator[Definition]:
        """The definitions that a name of a call means without looking at the values of parameters."""
        if isinstance(function, ast.Name):
            for binding in self._bindings(function) or ():
                if isinstance(binding, (ast.ClassDef, *FUNCTIONS)):
                    yield binding
                elif isinstance(binding, ast.Call) and self.names.meaning(binding.func) == "functools.partial":
                    yield from self._directly(binding.args[0]) if binding.args else ()
        elif isinstance(function, ast.Attribute) and isinstance(function.value, (ast.Name, ast.Call)):
            for owner in self._owners(function):
                found = owner if function.attr == "__init__" else self.method(owner, function.attr)
                yield from [found] if found is not None else []
