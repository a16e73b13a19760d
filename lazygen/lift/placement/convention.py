"""torch's factory convention: classes and functions of a file take `device=None, dtype=None`, and pass them on.

    def __init__(self, width):                 ->      def __init__(self, width, device=None, dtype=None):
        super().__init__()                                 super().__init__()
        self.fc = nn.Linear(width, width)                  self.fc = nn.Linear(width, width, device=device, dtype=dtype)

`place` writes the same arguments, with other texts, into the calls of some statements.  Either way a definition of the
file that is called there, and makes something that takes them, is given the convention too.  Who has a `device`
parameter already keeps that one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from lazygen.diagnostics import Diagnostic, Place
from lazygen.lift.bindings import names_used
from lazygen.lift.parameters import free_name
from lazygen.lift.placement.callees import Callee, Callees, Definition
from lazygen.lift.placement.readings import is_only_read
from lazygen.lift.placement.scopes import FUNCTIONS
from lazygen.lift.placement.signatures import Annotations, fields_for, has, parameters_for
from lazygen.lift.placement.takers import NOTHING, Takes, like, moved, takes
from lazygen.lift.plan import AddArguments, Edit, InsertStatements, NewArgument, ReplaceExpression
from lazygen.lift.syntax import Function, Syntax
from lazygen.values import value

MANY = 3  # calls that say both; more of them share a `factory_kwargs`, as in torch


@value
class Where:
    """What to write for `device` and `dtype`: expressions, or None for nothing.  With `likes` factories that make a
    tensor like another (`torch.zeros_like(x)`, `x.new_zeros(3)`) get them as well.
    """

    device: str | None = None
    dtype: str | None = None
    likes: bool = False


class Convention:
    """The calls of one file that get a device, and the definitions that take one for that.

    `apart` are statements that are not entered, and `problems` are located.
    """

    def __init__(self, syntax: Syntax, apart: Collection[ast.stmt] = ()) -> None:
        self.syntax = syntax
        self.apart = frozenset(apart)
        self.callees = Callees(syntax)
        self.annotations = Annotations(syntax)
        self.problems: list[Diagnostic] = []
        self._placed: dict[ast.Call, list[NewArgument]] = {}  # calls with their new arguments, perhaps none
        self._moved: dict[ast.Call, str] = {}
        self._given: dict[Function, list[Edit]] = {}
        self._needs: dict[Function, bool] = {}
        self._shared: list[Edit] = []
        self._of_torch_only = False
        self._movable: set[ast.Call] = set()
        self._built: set[Function] | None = None

    def place(self, statements: Sequence[ast.stmt], where: Where) -> None:
        """Place what the calls of some statements make, functions and classes defined there left out."""
        for statement in statements:
            if not isinstance(statement, (ast.ClassDef, *FUNCTIONS)):
                for call in self._calls(statement, None):
                    self._place(call, where)

    def place_all(self, where: Where, run_time: Callable[[ast.Call], Where | None] | None = None) -> None:
        """Place what torch makes wherever the file calls it; its own definitions take nothing for that.

        `run_time` says what to write for calls that run when a model does, None that they are placed like all others.
        """
        self._of_torch_only = True
        for node in ast.walk(self.syntax.tree):
            if isinstance(node, ast.Call):
                told = run_time(node) if run_time is not None and self.is_at_run_time(node) else where
                if told is not None:
                    self._place(node, told)

    def is_at_run_time(self, node: ast.AST) -> bool:
        """Whether a node stands in a method of a module that no constructor calls."""
        scope = self.callees.scope_of(node)
        while isinstance(scope, (*FUNCTIONS, ast.Lambda)) and not isinstance(self.syntax.parent(scope), ast.ClassDef):
            scope = self.callees.scope_of(scope)
        return isinstance(scope, FUNCTIONS) and scope not in self._building()

    def _building(self) -> set[Function]:
        """The methods that run while models are built: constructors, class methods, and what these call."""
        if self._built is None:
            self._built = set()
            pending = [m for owner in self.syntax.classes.values() for m in owner.body if _builds(m)]
            while pending:
                function = pending.pop()
                if isinstance(function, FUNCTIONS) and function not in self._built:
                    self._built.add(function)
                    called = [c.definition for call in self._calls(function, function) for c in self._callees(call)]
                    pending += [one for one in called if isinstance(one, FUNCTIONS)]
        return self._built

    def moves(self, places: Iterable[Place]) -> None:
        """Let what the calls at some places make be moved, whatever they call."""
        self._movable = {self.syntax.calls[place] for place in places if place in self.syntax.calls}

    def place_one(self, call: ast.Call, where: Where) -> None:
        """Place what one call makes."""
        self._place(call, where)

    def makes(self, call: ast.Call) -> bool:
        """Whether a call makes modules that take a device."""
        told = self._takes(call, Where())
        return told.device and not told.factory

    def give(self, definition: Definition) -> bool:
        """Give a class or function the convention; False if it makes nothing that takes it."""
        function = self._maker(definition)
        if function is None:
            return False
        if self._is_needed(function):
            self._give(function)
            return True
        # A constructor that passes on all its keywords passes on these.
        given = [self.give(base) for base in self._bases_told(function)]
        return any(given)

    def edits(self) -> list[Edit]:
        """What to write for all that was placed and given."""
        edits: list[Edit] = [edit for made in self._given.values() for edit in made]
        edits += self._shared
        for call, arguments in self._placed.items():
            if arguments:
                edits.append(AddArguments(self.syntax.span(call), tuple(arguments)))
        for call, text in self._moved.items():
            edits.append(ReplaceExpression(self.syntax.span(call), "\n".join(self.syntax.lines(call)) + text))
        return [*edits, *self.annotations.edits()]

    # -- calls

    def _place(self, call: ast.Call, where: Where) -> Takes:
        """Write into a call what its callee takes, and give what it calls in the file the convention."""
        if call in self._placed or call in self._moved:
            return NOTHING
        told = self._takes(call, where)
        if not (told.device or told.dtype):
            self._move(call, where)
            return NOTHING
        if told.factory and is_only_read(call, self.callees):
            return NOTHING
        for callee in self._callees(call):
            if callee.definition is not None and not self._of_torch_only:
                self.give(callee.definition)
        given = self._given_in(call)
        texts = {"device": where.device, "dtype": where.dtype}
        wanted = {"device": told.device, "dtype": told.dtype}
        order = ("dtype", "device") if told.factory else ("device", "dtype")
        names = [name for name in order if wanted[name] and texts[name] and name not in given]
        self._placed[call] = [NewArgument(name, texts[name] or "", None) for name in names]
        return told

    def _move(self, call: ast.Call, where: Where) -> None:
        """Move what a call makes that takes no device, or of which only a part does."""
        if self._is_moved(call):
            return
        found = [self._held_by(callee, call) for callee in self._callees(call)]
        told = [one for one in found if one is not None and one.device]
        if call in self._movable:
            self._moved[call] = moving(where)
        elif told and len(told) + found.count(NOTHING) == len(found) and not is_only_read(call, self.callees):
            text = moving(where if all(one.dtype for one in told) else Where(where.device))
            if text:
                self._moved[call] = text

    def _takes(self, call: ast.Call, where: Where) -> Takes:
        """What all that a call may call takes; nothing if something of it does not."""
        function = call.func
        meant = function.attr if isinstance(function, ast.Attribute) else self.callees.names.meaning(function) or ""
        if where.likes and like(meant.rpartition(".")[2]):
            return Takes(factory=True)
        callees = self._callees(call)
        found = [self._taken_by(callee, call) for callee in callees]
        if all(callee.meaning == "torch.nn.Identity" for callee in callees) or any(told is None for told in found):
            return NOTHING
        known = [told for told in found if told is not None]
        return Takes(all(t.device for t in known), all(t.dtype for t in known), any(t.factory for t in known))

    def _held_by(self, callee: Callee, call: ast.Call) -> Takes | None:
        return (
            NOTHING if callee.meaning == "torch.nn.Identity" else moved(callee.meaning) or self._taken_by(callee, call)
        )

    def _taken_by(self, callee: Callee, call: ast.Call) -> Takes | None:
        if callee.meaning == "torch.nn.Identity":
            return Takes()  # it takes whatever it is given
        if callee.definition is None:
            return takes(callee.meaning, call) if callee.meaning else None
        if any(callee.definition is around for around in self._around(call)):
            return NOTHING  # a function inside sees the names of that around it
        function = self._maker(callee.definition)
        if function is None:
            return self._of_torch_base(callee.definition, call)
        device, dtype = has(function, "device"), has(function, "dtype")
        if self._of_torch_only:
            return Takes(device, dtype)
        needed = self._is_needed(function) or any(self._is_taker(base) for base in self._bases_told(function))
        return Takes(device or needed, dtype or needed)

    def _of_torch_base(self, definition: Definition, call: ast.Call) -> Takes | None:
        """What a class without a constructor takes: what its base does."""
        bases = self.callees.bases(definition) if isinstance(definition, ast.ClassDef) else []
        found = [self._taken_by(base, call) for base in bases if base.meaning]
        return next((told for told in found if told is not None and told.device), NOTHING)

    def _callees(self, call: ast.Call) -> list[Callee]:
        """What a call may call; a constructor that is called by its name counts as its class."""
        function = call.func
        if isinstance(function, ast.Attribute) and function.attr in ("__init__", "__post_init__"):
            return self._constructors(function)
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Call):
            return []  # a method of what another call gives
        return sorted(self.callees.of(function), key=_order)

    def _constructors(self, function: ast.Attribute) -> list[Callee]:
        around = self.callees.class_around(function)
        match function.value:
            case ast.Call(func=ast.Name(id="super")) if around is not None:
                bases = self.callees.bases(around)
                return [base for base in bases if base.definition is not None or takes(base.meaning)][:1]
            case ast.Name() | ast.Attribute():
                return sorted(self.callees.of(function.value), key=_order)
        return []

    def _given_in(self, call: ast.Call) -> set[str]:
        """The names that a call gives already, `**factory_kwargs` included."""
        given = {keyword.arg for keyword in call.keywords if keyword.arg}
        for keyword in call.keywords:
            if keyword.arg is None:
                given |= self._keys_of(keyword.value)
        return given

    def _keys_of(self, mapping: ast.expr) -> set[str]:
        if isinstance(mapping, ast.Name):
            scope = self.callees.scope_of(mapping)
            bound = [n.value for n in ast.walk(scope) if isinstance(n, ast.Assign) and _binds(n, mapping.id)]
            return {key for one in bound for key in self._keys_of(one)} if bound else set()
        if isinstance(mapping, ast.Dict):
            return {key.value for key in mapping.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
        if isinstance(mapping, ast.Call) and isinstance(mapping.func, ast.Name) and mapping.func.id == "dict":
            return {keyword.arg for keyword in mapping.keywords if keyword.arg}
        return set()

    def _around(self, call: ast.Call) -> Iterator[ast.AST]:
        """The functions that stand in the one whose names a call sees."""
        scope = self.callees.scope_of(call)
        while isinstance(scope, (*FUNCTIONS, ast.Lambda)):
            for node in ast.walk(scope):
                if isinstance(node, FUNCTIONS) and node is not scope:
                    yield node
            scope = self.callees.scope_of(scope)

    # -- definitions

    def _maker(self, definition: Definition) -> Function | None:
        """The function that runs when a definition is called."""
        if not isinstance(definition, ast.ClassDef):
            return definition
        return self.callees.method(definition, "__init__") or self.callees.method(definition, "__post_init__")

    def _is_needed(self, function: Function) -> bool:
        """Whether a function makes something that takes a device, or calls such a one of the file."""
        if function not in self._needs:
            self._needs[function] = False  # a function that calls itself needs it only for something else
            names = Where("device", "dtype")
            self._needs[function] = any(
                self._wants(call, names)
                for call in self._calls(function, function)
                if not _passes_keywords(call, function)
            )
        return self._needs[function]

    def _bases_told(self, function: Function) -> list[Definition]:
        """The bases whose constructors get all keywords of a constructor."""
        calls = [call for call in self._calls(function, function) if _passes_keywords(call, function)]
        return [c.definition for call in calls for c in self._callees(call) if c.definition is not None]

    def _is_taker(self, definition: Definition) -> bool:
        function = self._maker(definition)
        return function is not None and (
            self._is_needed(function) or any(self._is_taker(base) for base in self._bases_told(function))
        )

    def _wants(self, call: ast.Call, where: Where) -> bool:
        if call in self._movable:
            return True
        told = self._takes(call, where)
        if told.factory and is_only_read(call, self.callees):
            return False
        if told.device:
            return not self._given_in(call) >= {"device", *(["dtype"] if told.dtype else [])}
        found = (self._held_by(callee, call) for callee in self._callees(call))
        return not self._is_moved(call) and any(told not in (None, NOTHING) for told in found)

    def _is_moved(self, call: ast.Call) -> bool:
        """Whether the author moves what a call makes."""
        parent = self.syntax.parent(call)
        return isinstance(parent, ast.Attribute) and parent.attr in ("to", "cuda", "cpu")

    def _give(self, function: Function) -> None:
        if function in self._given:
            return
        self._given[function] = []
        missing = [name for name in ("device", "dtype") if not has(function, name)]
        prefix = ""
        if function.name == "__post_init__":
            prefix = f"{function.args.args[0].arg}."
            made = fields_for(function, missing, self.syntax, self.annotations)
            if made is None:
                self.problems.append(self._inherited(function))
                return
            self._given[function] = made
        else:
            self._given[function] = [*parameters_for(function, missing, self.syntax, self.annotations)]
        self._pass_on(function, Where(f"{prefix}device", f"{prefix}dtype"))
        for other in self.callees.overrides(function) if not function.name.startswith("__") else ():
            self._give(other)

    def _pass_on(self, function: Function, where: Where) -> None:
        """Give the names to what a function makes, by `factory_kwargs` where that is much."""
        both = []
        for call in self._calls(function, function):
            self._place(call, where)
            if len(self._placed.get(call, [])) == 2:
                both.append(call)
        if len(both) <= MANY:
            return
        name = free_name("factory_kwargs", names_used(function))
        for call in both:
            self._placed[call] = [NewArgument("**", name, None)]
        first = (
            function.body[1] if ast.get_docstring(function) is not None and len(function.body) > 1 else function.body[0]
        )
        line = f'{name} = {{"device": {where.device}, "dtype": {where.dtype}}}\n'
        self._shared.append(InsertStatements(self.syntax.span(first), line))

    def _calls(self, root: ast.AST, function: Function | None) -> Iterator[ast.Call]:
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

    def _inherited(self, function: Function) -> Diagnostic:
        return Diagnostic(
            "LZ520",
            "this dataclass inherits its fields, so it cannot be given a device and a dtype",
            self.syntax.place(function),
            helps=("write device and dtype into the fields of the class it is below of",),
        )


def moving(where: Where) -> str:
    """The call of `.to` that moves to a place, by keyword where it may be None; nothing if there is no place."""
    texts = [(name, text) for name, text in (("device", where.device), ("dtype", where.dtype)) if text]
    if where.device is None or where.device.startswith(('"', "'")):
        return f".to({', '.join(text for _, text in texts)})" if texts else ""
    return f".to({', '.join(f'{name}={text}' for name, text in texts)})"


def _passes_keywords(call: ast.Call, function: Function) -> bool:
    """Whether a call passes all keywords of its function on to the constructor of a base."""
    rest = function.args.kwarg
    stars = [k.value.id for k in call.keywords if k.arg is None and isinstance(k.value, ast.Name)]
    is_base = isinstance(call.func, ast.Attribute) and call.func.attr == "__init__"
    return is_base and rest is not None and rest.arg in stars


def _binds(statement: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in statement.targets)


def _order(callee: Callee) -> tuple[str, int]:
    return callee.meaning, callee.definition.lineno if callee.definition is not None else 0


def _builds(statement: ast.stmt) -> bool:
    """Whether a method is a constructor or makes objects of its class."""
    if not isinstance(statement, FUNCTIONS):
        return False
    decorators = {decorator.id for decorator in statement.decorator_list if isinstance(decorator, ast.Name)}
    return statement.name in ("__init__", "__post_init__", "__new__") or bool(
        decorators & {"classmethod", "staticmethod"}
    )
