"""A source without device scopes: their bodies stay in place, and what is built inside says where it stands.

    with tx.device_scope("gpu:1", dtype=torch.float64):
        head = L.Linear(10)                     ->      head = L.Linear(10, device="cuda:1", dtype=torch.float64)
        scale = torch.ones(10)                          scale = torch.ones(10, dtype=torch.float64, device="cuda:1")

What comes out still leaves its sizes out; it is traced and lifted like any other source.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

from lazygen.diagnostics import Diagnostic, Place
from lazygen.frontend import torchx
from lazygen.frontend.lazy_names import lazy_names
from lazygen.frontend.references import Reference
from lazygen.lift.bindings import names_used
from lazygen.lift.parameters import free_name
from lazygen.lift.placement.convention import Convention, Where, moving
from lazygen.lift.placement.device_arguments import Reader
from lazygen.lift.placement.device_scopes import SCOPE, Scope, Scopes
from lazygen.lift.placement.parallel import MODULE, DataParallel, Distributed, bound
from lazygen.lift.placement.scopes import default_of
from lazygen.lift.placement.takers import takes
from lazygen.lift.plan import AddArguments, Edit, InsertStatements, NewArgument, Plan, ReplaceExpression, UnwrapWith
from lazygen.lift.rewriting import Imports
from lazygen.lift.splices import Splices
from lazygen.lift.syntax import Syntax
from lazygen.trace.model import MadeInScope, Trace
from lazygen.values import value


@value
class Unscoped:
    """What to write, why it cannot be, and what is left to the reader."""

    plan: Plan
    problems: tuple[Diagnostic, ...] = ()
    notes: tuple[Diagnostic, ...] = ()


def unscoped(syntax: Syntax, text: str, references: Sequence[Reference], traced: Trace) -> Unscoped:
    """What to write instead of scopes and of what needs one."""
    found = [reference for reference in references if reference.is_torchx and reference.kind in torchx.DEVICES]
    writer = _Writer(syntax, text, traced)
    edits = list(writer.edits(found))
    return Unscoped(Plan(tuple(edits)), tuple(writer.scopes.problems), tuple(writer.notes))


class _Writer:
    def __init__(self, syntax: Syntax, text: str, traced: Trace) -> None:
        self.syntax, self.traced = syntax, traced
        self.names = lazy_names(syntax.tree)
        self.imports = Imports(syntax)
        torch, nn = self.imports.torch or "torch", self.imports.module()
        self.source = Splices(syntax, text).source
        reader = Reader(self.source, lambda node: self.names.meaning(node) == "torch.device")
        self.scopes = Scopes(syntax, traced.placements.scopes, reader)
        self.parallel = DataParallel(self.scopes, nn, torch)
        self.distributed = Distributed(self.scopes, nn, torch, syntax.path)
        self.torch = torch
        self.uses_torch = False
        self.notes: list[Diagnostic] = []
        self.hoisted: dict[ast.With, list[tuple[str, str, bool]]] = {}

    def edits(self, references: Sequence[Reference]) -> Iterator[Edit]:
        self._read_scopes(references)
        scopes = self.scopes.all
        convention = Convention(self.syntax, [scope.statement for scope in scopes])
        where = {id(scope): self._where(scope) for scope in scopes}
        by_statement: dict[ast.With, Scope] = {scope.statement: scope for scope in scopes}  # the last item holds
        for statement, scope in by_statement.items():
            convention.place(statement.body, where[id(scope.holding)])
        made = [self._with_own_places(edit, convention) for edit in convention.edits()]
        self.scopes.problems += convention.problems
        self.notes += self._unseen(convention)
        holding = {id(scope): where[id(scope.holding)] for scope in scopes}
        made += self._others(made, holding)
        made += self._built(made, holding)
        yield from made
        for reference in references:
            if reference.kind == "DataParallel":
                yield from self.parallel.edits(reference)
            elif reference.kind == "DistributedDataParallel":
                yield from self.distributed.edits(reference)
            elif reference.kind == "new_tensor":
                self.uses_torch = True
                yield ReplaceExpression(self.syntax.span(reference.node), f"{self.torch}.tensor")
        yield from self.distributed.statements()
        yield from self._unwrapped(made)
        yield from self._imports()

    def _read_scopes(self, references: Sequence[Reference]) -> None:
        """Read all scopes in the order of the text, those of managers too."""
        for reference in references:
            if reference.kind == "DistributedManager":
                self.distributed.read(reference)
        calls = [call for call in self.distributed.calls if _method(call) == SCOPE]
        named = [reference for reference in references if reference.kind == SCOPE]
        for node in sorted([*calls, *(r.node for r in named)], key=lambda node: (node.lineno, node.col_offset)):
            scope = next((r for r in named if r.node is node), None)
            if scope is not None:
                self.scopes.read(scope)
            elif isinstance(node, ast.Call):
                self.distributed.scope(node, self.distributed.calls[node])

    # Where things are built

    def _where(self, scope: Scope) -> Where:
        """The texts to write inside a scope; what is no plain name or text gets a variable before the block."""
        device, dtype = scope.device.device, scope.dtype
        bound = {name for part in scope.statement.body for name in _stored(part)}
        function = self._function(scope.statement)
        if scope.alias is not None and self._is_read(scope):
            device = f'"cpu" if {device} is None else {device}' if scope.device.may_be_none else device
            text = device if device.startswith(f"{self.torch}.device(") else f"{self.torch}.device({device})"
            self.uses_torch = True
            self._must_stand_alone(scope)
            device = self.source(scope.alias)
            self.hoisted.setdefault(scope.statement, []).append((device, text, True))
        elif not scope.device.simple or bound & names_used(ast.parse(device)):
            taken = names_used(self.syntax.tree) | set(_defined(self.syntax.tree)) | self._hoisted_names()
            name = free_name("device" if function is None else "scope_device", taken)
            self._must_stand_alone(scope)
            self.hoisted.setdefault(scope.statement, []).append((name, device, False))
            device = name
        return Where(device, dtype, likes=True)

    def _must_stand_alone(self, scope: Scope) -> None:
        """Refuse a scope whose device comes from an item beside it: there is no place for a variable before it."""
        others = [item.optional_vars for item in scope.statement.items if item.context_expr is not scope.call]
        given = {name for target in others if target is not None for name in _stored(target)}
        if given & names_used(scope.call):
            self.scopes.problem(
                scope.call,
                "this device hangs on another item of the `with`",
                "give the scope a `with` of its own, inside of the other",
            )

    def _hoisted_names(self) -> set[str]:
        return {name for names in self.hoisted.values() for name, _, _ in names}

    def _is_read(self, scope: Scope) -> bool:
        """Whether the name behind `as` is read anywhere; an attribute may be."""
        if not isinstance(scope.alias, ast.Name):
            return True
        name = scope.alias.id
        nodes = ast.walk(self._function(scope.statement) or self.syntax.tree)
        return any(isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id == name for n in nodes)

    def _function(self, node: ast.AST) -> ast.AST | None:
        found = self.syntax.parent(node)
        while found is not None and not isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found = self.syntax.parent(found)
        return found

    def _unwrapped(self, made: Sequence[Edit]) -> Iterator[Edit]:
        """The blocks, and the variables before them that something reads."""
        texts = [edit.text for edit in made if isinstance(edit, ReplaceExpression)]
        texts += [argument.text for edit in made if isinstance(edit, AddArguments) for argument in edit.arguments]
        used = {name for text in texts for name in names_used(_parsed(text))}
        statements: dict[ast.With, list[int]] = {}
        for scope in self.scopes.all:
            statements.setdefault(scope.statement, []).append(scope.item)
        for statement, items in statements.items():
            span = self.syntax.span(statement)
            lines = [f"{n} = {text}\n" for n, text, always in self.hoisted.get(statement, []) if always or n in used]
            if lines:
                yield InsertStatements(span, "".join(lines))
            yield UnwrapWith(span, tuple(items) if len(items) < len(statement.items) else ())

    def _with_own_places(self, edit: Edit, convention: Convention) -> Edit:
        """A call without the arguments that a scope has no say in: the dtype of a tensor like one of integers, and what
        a definition of the file chooses itself, by a default that is not None.
        """
        if not isinstance(edit, AddArguments):
            return edit
        place = Place(self.syntax.path, *edit.call)
        own = {"dtype"} if place in self.traced.placements.kept else set()
        for callee in convention.callees.of(self.syntax.calls[place].func):
            made_by = callee.definition
            function = convention.callees.method(made_by, "__init__") if isinstance(made_by, ast.ClassDef) else made_by
            for name in ("device", "dtype"):
                default = None if function is None else default_of(function, name)
                if default is not None and not (isinstance(default, ast.Constant) and default.value is None):
                    own.add(name)
        return AddArguments(edit.call, tuple(new for new in edit.arguments if new.name not in own)) if own else edit

    def _unseen(self, convention: Convention) -> Iterator[Diagnostic]:
        """Calls of something unknown in scopes that no run entered: what they build, if anything, is not placed."""
        entered = {seen.call for seen in self.traced.placements.scopes}
        for scope in self.scopes.all:
            if self.syntax.place(scope.call) in entered:
                continue
            for call in (
                node for part in scope.statement.body for node in ast.walk(part) if isinstance(node, ast.Call)
            ):
                if _may_build(call.func) and self.scopes.around(call) is scope:
                    callees = convention.callees.of(call.func)
                    if not callees or any(not callee.meaning and callee.definition is None for callee in callees):
                        yield self._unknown(call)

    def _unknown(self, call: ast.Call) -> Diagnostic:
        return Diagnostic(
            "LZ505",
            f"this scope never runs with these inputs, so whether {self.source(call)} builds something is not known",
            self.syntax.place(call),
            helps=("if it does, give it device= in the output, or inputs that reach it",),
            severity="note",
        )

    # What no definition of the file and no import explains

    def _others(self, made: Sequence[Edit], where: dict[int, Where]) -> list[Edit]:
        handled = {edit.call for edit in made if isinstance(edit, AddArguments)}
        handled |= {edit.span for edit in made if isinstance(edit, ReplaceExpression)}
        found: list[Edit] = []
        for seen in self.traced.placements.made:
            call = self.syntax.calls.get(seen.call)
            scope = None if call is None else self.scopes.around(call)
            if call is not None and scope is not None and self.syntax.span(call) not in handled:
                found += self._made(call, seen, where[id(scope)])
        for brought in self.traced.placements.brought:
            call = self.syntax.calls.get(brought.call)
            scope = None if call is None else self.scopes.around(call)
            if call is None or scope is None:
                self._brought_elsewhere(call)
                continue
            here = where[id(scope)]
            dtype = here.dtype or f"{self.torch}.float32" if brought.dtype and brought.what == "call" else None
            subject = call.func if brought.what == "call" else bound(call, MODULE)["module"]
            text = moving(Where(here.device if brought.device else None, dtype))
            found.append(ReplaceExpression(self.syntax.span(subject), f"{self.source(subject)}{text}"))
        return found

    def _made(self, call: ast.Call, seen: MadeInScope, where: Where) -> Iterator[Edit]:
        """A call that made modules in the traced run, of which the text does not say what it calls."""
        told = [takes(kind) if kind else None for kind in seen.kinds]
        known = [one for one in told if one is not None]
        span = self.syntax.span(call)
        if len(known) == len(told) and not any(one.device for one in known):
            return
        if len(known) == len(told) and all(one.device for one in known):
            given = {keyword.arg for keyword in call.keywords}
            texts = {"device": where.device, "dtype": where.dtype}
            new = [NewArgument(name, text, None) for name, text in texts.items() if text and name not in given]
            yield AddArguments(span, tuple(new))
        elif seen.stays:
            yield ReplaceExpression(span, f"{self.source(call)}{moving(where)}")

    def _built(self, made: Sequence[Edit], where: dict[int, Where]) -> Iterator[Edit]:
        """Layers that a first call builds inside of a scope, and a constructor makes outside."""
        handled = {edit.call for edit in made if isinstance(edit, AddArguments)}
        scopes = {self.syntax.place(scope.call): scope for scope in self.scopes.all}
        wanted: dict[ast.Call, set[Where]] = {}
        for seen in self.traced.placements.built:
            call, scope = self.syntax.calls.get(seen.call), scopes.get(seen.scope)
            if call is not None and scope is not None and self.syntax.span(call) not in handled:
                wanted.setdefault(call, set()).add(where[id(scope)])
        for call, places in wanted.items():
            here = next(iter(places))
            if len(places) > 1 or not str(here.device).startswith('"'):
                self.scopes.problem(
                    call,
                    "the first call of this layer builds it in a device scope, whose device cannot be said here",
                    "make the layer inside of a `with tx.device_scope(...):` too, or give it device=",
                )
                continue
            texts = {"device": here.device, "dtype": here.dtype}
            new = [NewArgument(name, text, None) for name, text in texts.items() if text]
            yield AddArguments(self.syntax.span(call), tuple(new))

    def _brought_elsewhere(self, call: ast.Call | None) -> None:
        if call is not None:
            self.scopes.problem(
                call,
                "this call brings a module to a device scope of its caller, which the text here cannot say",
                "write the `with tx.device_scope(...):` around this call, or move the module where it is made",
            )

    def _imports(self) -> Iterator[Edit]:
        torch = self.uses_torch or self.parallel.uses_torch or self.distributed.uses_torch
        nn = self.parallel.uses_nn or self.distributed.uses_nn
        added = self.imports.added(self.syntax, torch, nn)
        yield from self.imports.with_standard("os", added) if self.distributed.uses_os else added


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _stored(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            yield part.id


def _defined(tree: ast.Module) -> Iterator[str]:
    """The names of parameters, definitions and imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name


def _may_build(function: ast.expr) -> bool:
    """Whether it is worth asking what a call makes: methods of tensors and builtins are many, and build nothing."""
    return isinstance(function, ast.Subscript) or (
        isinstance(function, ast.Name) and not hasattr(builtins, function.id)
    )


def _parsed(text: str) -> ast.AST:
    try:
        return ast.parse(text, mode="eval")
    except SyntaxError:
        return ast.Module([], [])
