"""Which calls of a file take a device and a dtype: those of torch that do, and those of the file's own classes and
functions that have such parameters, or make something that takes them and can be given them.

def head(width):                        takes both, as what it makes does
    return nn.Linear(width, 10)
head(8)                                 takes both
nn.Sequential(head(8), nn.ReLU())       takes nothing, and neither does the ReLU
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from lazygen.lift.placement.callees import Callee, Callees, Definition
from lazygen.lift.placement.readings import is_only_read
from lazygen.lift.placement.scopes import FUNCTIONS
from lazygen.lift.placement.signatures import has
from lazygen.lift.placement.takers import NOTHING, Takes, like, moved, takes
from lazygen.lift.syntax import Function, Syntax


class Needs:
    """Looks up what calls take.

    `apart` are statements that are not entered.  With `of_torch_only`, definitions of the file take what parameters
    they have, whatever they make.  `movable` are calls whose modules are moved, whatever they call.
    """

    def __init__(self, syntax: Syntax, apart: Collection[ast.stmt]) -> None:
        self.syntax = syntax
        self.apart = frozenset(apart)
        self.callees = Callees(syntax)
        self.of_torch_only = False
        self.movable: set[ast.Call] = set()
        self._known: dict[Function, bool] = {}

    # -- calls

    def of(self, call: ast.Call, likes: bool = False) -> Takes:
        """What all that a call may call takes; nothing if something of it does not.

        With `likes`, factories that make a tensor like another (`torch.zeros_like(x)`, `x.new_zeros(3)`) take both.
        """
        function = call.func
        meant = function.attr if isinstance(function, ast.Attribute) else self.callees.names.meaning(function) or ""
        if likes and like(meant.rpartition(".")[2]):
            return Takes(factory=True)
        callees = self.called(call)
        found = [self._taken_by(callee, call) for callee in callees]
        if all(callee.meaning == "torch.nn.Identity" for callee in callees) or any(told is None for told in found):
            return NOTHING
        known = [told for told in found if told is not None]
        return Takes(all(t.device for t in known), all(t.dtype for t in known), any(t.factory for t in known))

    def held(self, call: ast.Call) -> list[Takes | None]:
        """What each thing that a call may call has on a device, so that it can be moved there; None if not known."""
        return [self._held_by(callee, call) for callee in self.called(call)]

    def called(self, call: ast.Call) -> list[Callee]:
        """What a call may call; a constructor that is called by its name counts as its class."""
        function = call.func
        if isinstance(function, ast.Attribute) and function.attr in ("__init__", "__post_init__"):
            return self._constructors(function)
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Call):
            return []  # a method of what another call gives
        return sorted(self.callees.of(function), key=_order)

    def given(self, call: ast.Call) -> set[str]:
        """The names that a call gives already, `**factory_kwargs` included."""
        given = {keyword.arg for keyword in call.keywords if keyword.arg}
        for keyword in call.keywords:
            if keyword.arg is None:
                given |= self._keys_of(keyword.value)
        return given

    def is_moved(self, call: ast.Call) -> bool:
        """Whether the author moves what a call makes."""
        parent = self.syntax.parent(call)
        return isinstance(parent, ast.Attribute) and parent.attr in ("to", "cuda", "cpu")

    def calls(self, root: ast.AST, function: Function | None) -> Iterator[ast.Call]:
        """The calls inside, in their order; of functions inside a function those too that have no `device` of their
        own.
        """
        pending: list[ast.AST] = [root] if function is None else list(reversed(function.body))
        while pending:
            node = pending.pop()
            own = isinstance(node, FUNCTIONS) and (function is None or has(node, "device"))
            if isinstance(node, ast.ClassDef) or own or node in self.apart:
                continue
            if isinstance(node, ast.Call):
                yield node
            pending += reversed(list(ast.iter_child_nodes(node)))

    def _held_by(self, callee: Callee, call: ast.Call) -> Takes | None:
        if callee.meaning == "torch.nn.Identity":
            return NOTHING
        return moved(callee.meaning) or self._taken_by(callee, call)

    def _taken_by(self, callee: Callee, call: ast.Call) -> Takes | None:
        if callee.meaning == "torch.nn.Identity":
            return Takes()  # it takes whatever it is given
        if callee.definition is None:
            return takes(callee.meaning, call) if callee.meaning else None
        if any(callee.definition is around for around in self._around(call)):
            return NOTHING  # a function inside sees the names of that around it
        function = self.maker(callee.definition)
        if function is None:
            return self._of_torch_base(callee.definition, call)
        needed = not self.of_torch_only and self._is_taker(callee.definition)
        return Takes(needed or has(function, "device"), needed or has(function, "dtype"))

    def _of_torch_base(self, definition: Definition, call: ast.Call) -> Takes | None:
        """What a class without a constructor takes: what its base does."""
        bases = self.callees.bases(definition) if isinstance(definition, ast.ClassDef) else []
        found = [self._taken_by(base, call) for base in bases if base.meaning]
        return next((told for told in found if told is not None and told.device), NOTHING)

    def _constructors(self, function: ast.Attribute) -> list[Callee]:
        around = self.callees.class_around(function)
        match function.value:
            case ast.Call(func=ast.Name(id="super")) if around is not None:
                bases = self.callees.bases(around)
                return [base for base in bases if base.definition is not None or takes(base.meaning)][:1]
            case ast.Name() | ast.Attribute():
                return sorted(self.callees.of(function.value), key=_order)
        return []

    def _keys_of(self, mapping: ast.expr, asked: frozenset[str] = frozenset()) -> set[str]:
        """The keys that a dict has, those that are set later in its function too; `asked` are names on the way."""
        match mapping:
            case ast.Name(id=name) if name not in asked:
                nodes = ast.walk(self.callees.scope_of(mapping))
                return {key for node in nodes for key in self._set_by(node, name, asked | {name})}
            case ast.Dict(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                parts = [self._keys_of(one, asked) if key is None else _words([key]) for key, one in pairs]
                return set().union(*parts)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self._keys_of(left, asked) | self._keys_of(right, asked)
            case ast.Call(func=ast.Name(id="dict"), args=args, keywords=keywords):
                parts = [self._keys_of(one, asked) for one in (*args, *(k.value for k in keywords if k.arg is None))]
                return {k.arg for k in keywords if k.arg}.union(*parts)
        return set()

    def _set_by(self, node: ast.AST, name: str, asked: frozenset[str]) -> set[str]:
        """The keys that an assignment sets in the dict of a name, as a whole or in an item."""
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            return set()
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        items = [t.slice for t in targets if isinstance(t, ast.Subscript) and _is_name(t.value, name)]
        whole = any(_is_name(target, name) for target in targets)
        return _words(items) | (self._keys_of(node.value, asked) if whole else set())

    def _around(self, call: ast.Call) -> Iterator[ast.AST]:
        """The functions that stand in the one whose names a call sees."""
        scope = self.callees.scope_of(call)
        while isinstance(scope, (*FUNCTIONS, ast.Lambda)):
            for node in ast.walk(scope):
                if isinstance(node, FUNCTIONS) and node is not scope:
                    yield node
            scope = self.callees.scope_of(scope)

    # -- definitions

    def maker(self, definition: Definition) -> Function | None:
        """The function that runs when a definition is called."""
        if not isinstance(definition, ast.ClassDef):
            return definition
        return self.callees.method(definition, "__init__") or self.callees.method(definition, "__post_init__")

    def is_needed(self, function: Function) -> bool:
        """Whether a function makes something that takes a device, or calls such a one of the file."""
        if function not in self._known:
            self._known[function] = False  # a function that calls itself needs it only for something else
            calls = (call for call in self.calls(function, function) if not _passes_keywords(call, function))
            self._known[function] = any(map(self._wants, calls))
        return self._known[function]

    def bases_told(self, function: Function) -> list[Definition]:
        """The bases whose constructors get all keywords of a constructor."""
        calls = [call for call in self.calls(function, function) if _passes_keywords(call, function)]
        return [c.definition for call in calls for c in self.called(call) if c.definition is not None]

    def _is_taker(self, definition: Definition) -> bool:
        """Whether a definition needs a device itself, or passes all keywords on to a base that does."""
        function = self.maker(definition)
        return function is not None and (
            self.is_needed(function) or any(self._is_taker(base) for base in self.bases_told(function))
        )

    def _wants(self, call: ast.Call) -> bool:
        """Whether a call is to be given a device that it is not given yet, or what it makes to be moved."""
        if call in self.movable:
            return True
        told = self.of(call)
        if told.factory and is_only_read(call, self.callees):
            return False
        if told.device:
            return not self.given(call) >= {"device", *(["dtype"] if told.dtype else [])}
        return not self.is_moved(call) and any(one not in (None, NOTHING) for one in self.held(call))


def _passes_keywords(call: ast.Call, function: Function) -> bool:
    """Whether a call passes all keywords of its function on to the constructor of a base."""
    rest = function.args.kwarg
    stars = [k.value.id for k in call.keywords if k.arg is None and isinstance(k.value, ast.Name)]
    is_base = isinstance(call.func, ast.Attribute) and call.func.attr == "__init__"
    return is_base and rest is not None and rest.arg in stars


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _words(keys: list[ast.expr]) -> set[str]:
    """The keys that are texts."""
    return {key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}


def _order(callee: Callee) -> tuple[str, int]:
    return callee.meaning, callee.definition.lineno if callee.definition is not None else 0
