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
from collections.abc import Callable, Collection, Iterable, Sequence

from lazygen.diagnostics import Diagnostic, Place
from lazygen.lift.bindings import names_used
from lazygen.lift.parameters import free_name
from lazygen.lift.placement.callees import Definition
from lazygen.lift.placement.needs import Needs
from lazygen.lift.placement.readings import is_only_read
from lazygen.lift.placement.scopes import FUNCTIONS
from lazygen.lift.placement.signatures import Annotations, fields_for, has, parameters_for
from lazygen.lift.placement.takers import NOTHING
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
        self.needs = Needs(syntax, apart)
        self.callees = self.needs.callees
        self.annotations = Annotations(syntax)
        self.problems: list[Diagnostic] = []
        self._placed: dict[ast.Call, list[NewArgument]] = {}  # calls with their new arguments, perhaps none
        self._moved: dict[ast.Call, str] = {}
        self._given: dict[Function, list[Edit]] = {}
        self._shared: list[Edit] = []
        self._built: set[Function] | None = None

    def place(self, statements: Sequence[ast.stmt], where: Where) -> None:
        """Place what the calls of some statements make, functions and classes defined there left out."""
        for statement in statements:
            if not isinstance(statement, (ast.ClassDef, *FUNCTIONS)):
                for call in self.needs.calls(statement, None):
                    self.place_one(call, where)

    def place_all(self, where: Where, run_time: Callable[[ast.Call], Where | None] | None = None) -> None:
        """Place what torch makes wherever the file calls it; its own definitions take nothing for that.

        `run_time` says what to write for calls that run when a model does, None that they are placed like all others.
        """
        self.needs.of_torch_only = True
        for node in ast.walk(self.syntax.tree):
            if isinstance(node, ast.Call):
                told = run_time(node) if run_time is not None and self.is_at_run_time(node) else where
                if told is not None:
                    self.place_one(node, told)

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
                    called = [c for call in self.needs.calls(function, function) for c in self.needs.called(call)]
                    pending += [callee.definition for callee in called if isinstance(callee.definition, FUNCTIONS)]
        return self._built

    def moves(self, places: Iterable[Place]) -> None:
        """Let what the calls at some places make be moved, whatever they call."""
        self.needs.movable = {self.syntax.calls[place] for place in places if place in self.syntax.calls}

    def place_one(self, call: ast.Call, where: Where) -> None:
        """Write into a call what its callee takes, and give what it calls in the file the convention."""
        if call in self._placed or call in self._moved:
            return
        told = self.needs.of(call, where.likes)
        if not (told.device or told.dtype):
            self._move(call, where)
            return
        if told.factory and is_only_read(call, self.callees):
            return
        for callee in self.needs.called(call):
            if callee.definition is not None and not self.needs.of_torch_only:
                self.give(callee.definition)
        given = self.needs.given(call)
        texts = {"device": where.device, "dtype": where.dtype}
        wanted = {"device": told.device, "dtype": told.dtype}
        order = ("dtype", "device") if told.factory else ("device", "dtype")
        names = [name for name in order if wanted[name] and texts[name] and name not in given]
        self._placed[call] = [NewArgument(name, texts[name] or "", None) for name in names]

    def makes(self, call: ast.Call) -> bool:
        """Whether a call makes modules that take a device."""
        told = self.needs.of(call)
        return told.device and not told.factory

    def give(self, definition: Definition) -> bool:
        """Give a class or function the convention; False if it makes nothing that takes it."""
        function = self.needs.maker(definition)
        if function is None:
            return False
        if self.needs.is_needed(function):
            self._give(function)
            return True
        # A constructor that passes on all its keywords passes on these.
        given = [self.give(base) for base in self.needs.bases_told(function)]
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

    def _move(self, call: ast.Call, where: Where) -> None:
        """Move what a call makes that takes no device, or of which only a part does."""
        if self.needs.is_moved(call):
            return
        found = self.needs.held(call)
        told = [one for one in found if one is not None and one.device]
        if call in self.needs.movable:
            self._moved[call] = moving(where)
        elif told and len(told) + found.count(NOTHING) == len(found) and not is_only_read(call, self.callees):
            text = moving(where if all(one.dtype for one in told) else Where(where.device))
            if text:
                self._moved[call] = text

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
        for call in self.needs.calls(function, function):
            self.place_one(call, where)
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


def _builds(statement: ast.stmt) -> bool:
    """Whether a method is a constructor or makes objects of its class."""
    if not isinstance(statement, FUNCTIONS):
        return False
    decorators = {decorator.id for decorator in statement.decorator_list if isinstance(decorator, ast.Name)}
    return statement.name in ("__init__", "__post_init__", "__new__") or bool(
        decorators & {"classmethod", "staticmethod"}
    )
