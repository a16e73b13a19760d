"""Layers that torch lacks: each becomes a small module of the file, written once, before the first use.

L.TimeDistributed(a, b)               TimeDistributed(a, b)
L.GRU(20, return_state=True)          WithStates(L.GRU(20, batch_first=True, as_torch=True))
L.Concat(axis=1)                      Concat(dim=1)
L.Lambda(lambda x: x * 2)             Lambda(), whose forward returns x * 2

A recurrent layer keeps its style, so that it gets its size later; `as_torch` says that it gives what torch's does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lazygen.diagnostics import Diagnostic, Place
from lazygen.frontend import torchx
from lazygen.frontend.references import Reference
from lazygen.lift import lambdas
from lazygen.lift.graph_text import class_name
from lazygen.lift.module_classes import ModuleClasses
from lazygen.lift.plan import DeleteStatement, Edit, InsertStatements, SmallModule, Span, WriteModules
from lazygen.lift.spelling import Speller
from lazygen.lift.splices import Splices
from lazygen.lift.syntax import Syntax
from lazygen.trace.model import Noted

# The template of each layer, and the name of its class.
_CLASSES = {
    "TimeDistributed": ("time_distributed", "TimeDistributed"),
    "GetRNNOutput": ("rnn_output", "RNNOutput"),
    "GetRNNState": ("rnn_state", "RNNState"),
    "Concat": ("concat", "Concat"),
    "View": ("view", "View"),
    "Slice": ("slice", "Slice"),
    "Lambda": ("lambda", "Lambda"),
}
MERGES = {
    "Add": ("The sum", "result + tensor", "result"),
    "Subtract": ("The first less all others", "result - tensor", "result"),
    "Multiply": ("The product", "result * tensor", "result"),
    "Divide": ("The first divided by all others", "result / tensor", "result"),
    "Maximum": ("The greatest, element by element,", "{torch}.maximum(result, tensor)", "result"),
    "Minimum": ("The least, element by element,", "{torch}.minimum(result, tensor)", "result"),
    "Average": ("The mean", "result + tensor", "result / len(tensors)"),
}
# Templates without values of their own.
TEMPLATES = (*(template for template, _ in _CLASSES.values()), "with_states", "without_states", "recurrent")
_USING_TORCH = ("rnn_state", "concat")


class SmallModules:
    """Puts the file's own modules in the place of layers; `changed` are the expressions in which something changes.

    `wrapped` are the calls of recurrent layers, which stand in a module as its `rnn`, and `problems` are the layers
    that no module can stand for.
    """

    def __init__(
        self, syntax: Syntax, splices: Splices, torch: str, nn: str,
        references: Sequence[Reference], notes: Sequence[Noted],
    ) -> None:  # fmt: skip
        self.syntax, self.splices, self.torch, self.nn = syntax, splices, torch, nn
        self.changed: list[ast.expr] = []
        self.wrapped: set[Place] = set()
        self.problems: list[Diagnostic] = []
        self.uses_torch = self.uses_nn = self.uses_copy = False
        self._notes = {(note.what, note.call) for note in notes}
        self._references = [r for r in references if r.is_torchx]
        self._taken = self._names_taken()
        self._written: dict[object, SmallModule] = {}
        self._users: list[ast.stmt] = []  # the statements of the module that use one

    def spell(self, speller: Speller) -> None:
        """Let classes of the file stand for all layers that torch lacks, but those that are functions by now."""
        spelled = {call.func for call in speller.changed}
        for reference in self._references:
            call = reference.call
            if call is not None and call in spelled:
                continue
            if reference.kind in torchx.RECURRENT:
                self._recurrent(reference)
            elif reference.kind == "Lambda" and call is not None:
                self._lambda(call)
            elif reference.kind in _CLASSES or reference.kind in MERGES:
                self._replace_name(reference.node, self._class_for(reference.kind, reference.node))
                if reference.kind == "Concat" and call is not None:
                    self._rename_axis(call)

    def methods(self, classes: ModuleClasses) -> None:
        """Let a mixin of the file have what its modules use of TorchX's methods, and torch's class stand below them."""
        methods = classes.methods()
        mixin = ""
        if methods:
            values = (("methods", " ".join(methods)),)
            mixin = self._named("methods", "module_methods", "ModuleMethods", classes.direct[0], values)
            self.uses_torch = self.uses_torch or classes.need_torch(methods)
            self.uses_copy = "clone" in methods
        bases = {base for node in classes.direct for base in node.bases}
        for name in classes.names:
            self.uses_nn = True
            self._replace_name(name, mixin if mixin and name in bases else f"{self.nn}.Module")

    def edits(self, moved: Mapping[Span, Span]) -> Iterator[Edit]:
        """The classes, before the first statement that uses one, and the imports that they would hide.

        `moved` are the statements that go into the class of a graph, each with the one before which that class stands.
        """
        if self._written:
            spans = [self.syntax.span(statement) for statement in self._users]
            anchor = min(moved.get(span, span) for span in spans)
            yield WriteModules(anchor, tuple(self._written.values()))
        yield from self._imports()

    @property
    def writes(self) -> bool:
        """Whether there is a class to write."""
        return bool(self._written) or self.uses_nn

    # Which class

    def _class_for(self, kind: str, use: ast.AST) -> str:
        if kind in MERGES:
            docstring, step, result = MERGES[kind]
            self.uses_torch = self.uses_torch or "{torch}" in step
            values = (("docstring", docstring), ("step", step.format(torch=self.torch)), ("result", result))
            return self._named(kind, "merge", kind, use, values)
        template, name = _CLASSES[kind]
        return self._named(kind, template, name, use)

    def _named(
        self, key: object, template: str, name: str, use: ast.AST, values: tuple[tuple[str, str], ...] = ()
    ) -> str:
        """The name of the class for `key`, which is written if it is new."""
        known = self._written.get(key)
        self._users.append(self._module_statement(use))
        if known is None:
            self.uses_torch = self.uses_torch or template in _USING_TORCH
            known = SmallModule(self._free(name), template, self.nn, self.torch, values)
            self._written[key] = known
        return known.name

    def _free(self, name: str) -> str:
        candidates = [name, *(f"{name}{number}" for number in range(2, len(self._taken) + 3))]
        free = next(candidate for candidate in candidates if candidate not in self._taken)
        self._taken.add(free)
        return free

    def _module_statement(self, node: ast.AST) -> ast.stmt:
        """The statement of the module around a node."""
        while (parent := self.syntax.parent(node)) is not None and parent is not self.syntax.tree:
            node = parent
        assert isinstance(node, ast.stmt)
        return node

    def _names_taken(self) -> set[str]:
        """The names of the file, but for those that only mean layers which go."""
        going = {r.node for r in self._references if r.kind in torchx.WITHOUT_TWIN}
        taken: set[str] = set()
        for node in ast.walk(self.syntax.tree):
            if isinstance(node, ast.Name) and node not in going:
                taken.add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                taken.add(node.name)
            elif isinstance(node, ast.arg):
                taken.add(node.arg)
        for statement, alias in _aliases(self.syntax.tree):
            if alias.name not in torchx.WITHOUT_TWIN or not _of_layers(statement):
                taken.add((alias.asname or alias.name).partition(".")[0])
        return taken

    # Layers

    def _replace_name(self, node: ast.expr, name: str) -> None:
        self.splices.replace(*self.splices.span(node), name)
        self.changed.append(node)

    def _rename_axis(self, call: ast.Call) -> None:
        for keyword in call.keywords:
            if keyword.arg == "axis":
                place = self.splices.offset_of(keyword)
                self.splices.replace(place, place + len("axis"), "dim")
                self.changed.append(call)

    def _recurrent(self, reference: Reference) -> None:
        call = reference.call
        given = {} if call is None else {keyword.arg: keyword for keyword in call.keywords}
        if "as_torch" in given and call is not None:
            self._as_torch(call, given)
            return
        if call is None or (None in given and not self._is_told(call, given)):
            self.problems.append(self._untold(reference))
            return
        states, sequences = given.get("return_state"), given.get("return_sequences")
        template, name = ("without_states", "WithoutStates") if _is_false(states) else ("with_states", "WithStates")
        ending = ""
        if sequences is not None and not _is_false(sequences):
            ending = f", sequences={self.splices.source(sequences.value)}"
        if states is not None and not isinstance(states.value, ast.Constant):
            template, name = "recurrent", "Recurrent"
            ending += f", states={self.splices.source(states.value)}"
        name, ending = self._named(template, template, name, call), f"{ending})"
        dropped = [k for k in (states, sequences) if k is not None]
        first = [] if "batch_first" in given or self._noted("batch_first", call) else ["batch_first=True"]
        self._without(call, dropped, [*first, "as_torch=True"])
        start, end = self.splices.span(call.func)
        self.splices.replace(start, end, f"{name}({self.splices.source(call.func)}")
        last = self.splices.span(call)[1]
        self.splices.replace(last - 1, last, f"){ending}")
        self.changed.append(call)
        self.wrapped.add(self.syntax.place(call))

    def _is_told(self, call: ast.Call, given: Mapping[str | None, ast.keyword]) -> bool:
        """Whether a layer was seen to get nothing but torch's own arguments by `**`."""
        flags = [name for name in ("return_state", "return_sequences", "as_torch") if name not in given]
        return self._noted("recurrent", call) and not any(self._noted(name, call) for name in flags)

    def _noted(self, what: str, call: ast.Call) -> bool:
        return (what, self.syntax.place(call)) in self._notes

    def _as_torch(self, call: ast.Call, given: Mapping[str | None, ast.keyword]) -> None:
        """A layer that gives what torch's does stays as it is, but for what only TorchX has; the batch comes first."""
        dropped = [given[name] for name in ("return_state", "return_sequences") if name in given]
        self._without(call, dropped, ["batch_first=True"] if "batch_first" not in given else [])
        self.changed.append(call)

    def _without(self, call: ast.Call, dropped: Sequence[ast.keyword], added: Sequence[str]) -> None:
        """Take keywords of a call away, and put others behind the last argument."""
        given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
        arguments = sorted(given, key=lambda part: (part.lineno, part.col_offset))
        kept = [part for part in arguments if part not in dropped]
        spans = {part: self.splices.span_of(part) for part in arguments}
        for number, part in enumerate(arguments):
            if part in dropped:
                before = [other for other in arguments[:number] if other in kept]
                first = spans[arguments[number - 1]][1] if before else spans[part][0]
                last = spans[part][1] if before else spans[arguments[number + 1]][0]
                self.splices.replace(first, last, "")
        end = spans[kept[-1]][1]
        self.splices.replace(end, end, "".join(f", {text}" for text in added))

    def _lambda(self, call: ast.Call) -> None:
        function = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "function"), None)
        start, end = self.splices.span(call.func)
        self.changed.append(call)
        written = lambdas.expression(function, self.syntax, self.splices)
        if written is None:
            name = self._class_for("Lambda", call)
            self.splices.replace(start, end, name)
            if function is not None and len(call.args) + len(call.keywords) > 1:
                first, last = self.splices.find("(", end), self.splices.span(call)[1]
                self.splices.replace(first, last, f"({self.splices.text(function)})")
            return
        arguments, body = written
        name = class_name(variable, ()) if (variable := self._variable(call)) else "Lambda"
        values = (("docstring", lambdas.described(body)), ("arguments", ", ".join(arguments)), ("body", body))
        name = self._named((variable, *values), "expression", name, call, values)
        self.splices.replace(start, end, name)
        self.splices.replace(end, self.splices.span(call)[1], "()")

    def _variable(self, call: ast.Call) -> str:
        """The name or attribute that takes a layer; empty if it is not all that a statement assigns."""
        statement = self.syntax.parent(call)
        if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
            return ""
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        return target.attr if isinstance(target, ast.Attribute) else target.id if isinstance(target, ast.Name) else ""

    def _untold(self, reference: Reference) -> Diagnostic:
        kind = reference.kind
        return Diagnostic(
            "LZ330",
            f"whether this {kind} gives its states is not in the text",
            self.syntax.place(reference.call or reference.node),
            helps=(f"call L.{kind} itself, and write return_state= and return_sequences= into the call",),
        )

    # Imports

    def _imports(self) -> Iterator[Edit]:
        """Imports of layers under a name that a class of the file has now."""
        names = {module.name for module in self._written.values()}
        for statement in dict.fromkeys(statement for statement, _ in _aliases(self.syntax.tree)):
            if not isinstance(statement, ast.ImportFrom) or not _of_layers(statement):
                continue
            kept = [alias for alias in statement.names if (alias.asname or alias.name) not in names]
            if len(kept) == len(statement.names):
                continue
            if kept:
                text = ast.unparse(ast.ImportFrom(statement.module, kept, statement.level))
                yield InsertStatements(self.syntax.span(statement), f"{text}\n")
            yield DeleteStatement(self.syntax.span(statement))


def _is_false(keyword: ast.keyword | None) -> bool:
    """Whether a flag is not given, or is written as False."""
    return keyword is None or (isinstance(keyword.value, ast.Constant) and not keyword.value.value)


def _aliases(tree: ast.Module) -> Iterable[tuple[ast.Import | ast.ImportFrom, ast.alias]]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield node, alias


def _of_layers(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and not statement.level and statement.module in torchx.MODULES
