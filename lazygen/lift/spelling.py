"""Calls of the TorchX style that are neither layers nor graphs, spelled as torch has them.

L.concat(a, b, axis=1)         torch.cat([a, b], dim=1)         L.Concat(axis=1)(a, b)
L.add(a, b, c)                 a + b + c
L.maximum(a, b)                torch.maximum(a, b)
L.flatten(x)                   x.flatten(1)                     L.Flatten()(x)
L.ReLU()(x)                    torch.relu(x)
L.Sequential([a, b])           L.Sequential(a, b)
body.add(a, b)                 body.extend([a, b])
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lazygen.diagnostics import Diagnostic
from lazygen.frontend import torchx
from lazygen.frontend.references import Reference
from lazygen.lift import lambdas
from lazygen.lift.splices import Splices
from lazygen.lift.syntax import Syntax
from lazygen.trace.model import Noted

_OPERATORS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "average": "+"}
_PRIMARY = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Tuple)


class Speller:
    """Spells the calls of one file; `problems` are those that it cannot."""

    def __init__(self, syntax: Syntax, splices: Splices, torch: str) -> None:
        self.syntax, self.splices, self.torch = syntax, splices, torch
        self.problems: list[Diagnostic] = []
        self.uses_torch = False
        self.changed: list[ast.Call] = []
        self._layers: set[ast.expr] = set()
        self._operands: set[ast.expr] = set()  # arguments that become operands of an operator, or subjects of a method

    def spell(self, references: Sequence[Reference], notes: Sequence[Noted]) -> None:
        """Change all that is to be spelled otherwise."""
        self._layers = {reference.node for reference in references if reference.is_torchx}
        for reference in references:
            if reference.is_torchx and reference.call is not None:
                self._reference(reference.kind, reference.call)
        for note in dict.fromkeys(notes):
            call = self.syntax.calls.get(note.call)
            if call is not None and note.what in ("list", "add", "add list"):
                (self._unlisted if note.what == "list" else self._added)(call, note.what)

    def _reference(self, kind: str, call: ast.Call) -> None:
        outer = self.syntax.parent(call)
        at_once = isinstance(outer, ast.Call) and outer.func is call
        if kind in torchx.FUNCTIONS:
            self._function(kind, call, call)
        elif at_once and isinstance(outer, ast.Call):
            if kind in torchx.MODULE_MERGES:
                self._function(kind.lower(), outer, call)
            elif kind in torchx.AS_FUNCTIONS and not call.args and not call.keywords and len(outer.args) == 1:
                self._called(f"{self._of_torch()}.{torchx.AS_FUNCTIONS[kind]}", outer, outer.args)
            elif kind in ("Flatten", "View") and len(outer.args) == 1:
                self._method(kind.lower(), outer, outer.args[0], self._inside(call))
            elif kind == "Slice" and len(outer.args) == 1 and len(call.args) == 1:
                self._item(outer, outer.args[0], call.args[0])
            elif kind in torchx.WITHOUT_TWIN:
                self._at_once(kind, outer, call)

    def _at_once(self, kind: str, outer: ast.Call, call: ast.Call) -> None:
        """A layer that torch lacks and that is called where it is made, if an expression can stand for it."""
        if outer.keywords or any(isinstance(argument, ast.Starred) for argument in (*outer.args, *call.args)):
            return
        given = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg in ("mode", "function"))]
        first = given[0] if given else None
        if kind == "Lambda":
            self._lambda(first, outer)
        elif len(outer.args) != 1:
            return
        elif kind == "GetRNNOutput":
            self._chain(outer, outer.args, "", [], "[0]", True)
        elif kind == "GetRNNState" and (first is None or isinstance(first, ast.Constant)):
            mode = first.value if isinstance(first, ast.Constant) else "concat"
            if mode in ("h", "c"):
                self._chain(outer, outer.args, "", [], "[1]" if mode == "h" else "[2]", True)
            elif mode == "concat":
                self._chain(outer, outer.args, f"{self._of_torch()}.cat(", [], "[1:], dim=-1)", True)

    def _lambda(self, function: ast.expr | None, outer: ast.Call) -> None:
        """`L.Lambda(f)(x)` is `f(x)`, and where `f` is a lambda that reads each parameter once, its expression."""
        if isinstance(function, (ast.Name, ast.Attribute)) and outer.args:
            self._called(self.splices.source(function), outer, outer.args)
        if not isinstance(function, ast.Lambda) or not lambdas.is_simple(function) or not outer.args:
            return
        names = lambdas.parameters(function)
        reads = [n for n in ast.walk(function.body) if isinstance(n, ast.Name) and n.id in names]
        reads.sort(key=lambda read: (read.lineno, read.col_offset))
        inner = any(isinstance(p, lambdas.SCOPES) or p in self._layers for p in ast.walk(function.body))
        if inner or [read.id for read in reads] != names or len(outer.args) != len(names):
            return
        start, end = self.splices.span(function.body)
        spans = [(start, start), *map(self.splices.span, reads), (end, end)]
        pieces = [self.splices.between(spans[i][1], spans[i + 1][0]) for i in range(len(spans) - 1)]
        bare = self._stands_alone(outer) or isinstance(function.body, _PRIMARY)
        opening, closing = ("", "") if bare else ("(", ")")
        self._chain(outer, outer.args, opening + pieces[0], pieces[1:-1], pieces[-1] + closing, True)

    def _of_torch(self) -> str:
        self.uses_torch = True
        return self.torch

    # Functions

    def _function(self, name: str, call: ast.Call, options: ast.Call) -> None:
        """A call over tensors; the axis is among the arguments of `options`."""
        if name in ("flatten", "view") and call.args:
            rest = call.args[1:] + [keyword.value for keyword in call.keywords]
            self._method(name, call, call.args[0], ", ".join(self.splices.text(argument) for argument in rest))
        elif name == "slice" and len(call.args) == 2:
            self._item(call, call.args[0], call.args[1])
        elif name == "concat":
            self._concat(call, options)
        else:
            self._merge(name, call)

    def _concat(self, call: ast.Call, options: ast.Call) -> None:
        axes = [keyword.value for keyword in options.keywords if keyword.arg == "axis"]
        axes += options.args[:1] if options is not call else []
        ending = f", dim={self.splices.source(axes[0]) if axes else '-1'})"
        function = f"{self._of_torch()}.cat("
        tensors = _elements(call)
        start, end = self.splices.span(call)
        self.changed.append(call)
        if len(call.args) == 1 and tensors is None:
            first, last = self.splices.span(call.args[0])
            self.splices.replace(start, first, function)
            self.splices.replace(last, end, ending)
            return
        given = tensors or call.args
        self.splices.replace(start, self.splices.span(given[0])[0], f"{function}[")
        self.splices.replace(self.splices.span(given[-1])[1], end, f"]{ending}")

    def _merge(self, name: str, call: ast.Call) -> None:
        tensors = _elements(call) or (call.args if len(call.args) > 1 else [])
        if not tensors or any(isinstance(tensor, ast.Starred) for tensor in tensors):
            self.problems.append(
                Diagnostic(
                    "LZ311",
                    f"how many tensors {name} takes here is not in the text",
                    self.syntax.place(call),
                    helps=("write the tensors one by one",),
                )
            )
            return
        count = len(tensors)
        if name in ("maximum", "minimum"):
            function = f"{self._of_torch()}.{name}("
            between = [", ", *["), "] * (count - 2)]
            self._chain(
                call, tensors, function * (count - 1) if count > 1 else "", between, ")" if count > 1 else "", False
            )
            return
        bare = self._stands_alone(call)
        opening, closing = ("", "") if bare else ("(", ")")
        if name == "average":
            opening, closing = f"{opening}(", f") / {count}{closing}"
        self._chain(call, tensors, opening, [f" {_OPERATORS[name]} "] * (count - 1), closing, True)

    def _chain(
        self,
        call: ast.Call,
        tensors: Sequence[ast.expr],
        opening: str,
        between: Sequence[str],
        closing: str,
        operands: bool,
    ) -> None:
        start, end = self.splices.span(call)
        spans = [self.splices.span(tensor) for tensor in tensors]
        self._operands.update(tensors if operands else ())
        self.changed.append(call)
        left = ["(" if operands and not isinstance(tensor, _PRIMARY) else "" for tensor in tensors]
        right = [")" if mark else "" for mark in left]
        self.splices.replace(start, spans[0][0], opening + left[0])
        for number, text in enumerate(between):
            self.splices.replace(spans[number][1], spans[number + 1][0], right[number] + text + left[number + 1])
        self.splices.replace(spans[-1][1], end, right[-1] + closing)

    def _called(self, function: str, call: ast.Call, arguments: Sequence[ast.expr]) -> None:
        self._chain(call, arguments, f"{function}(", [", "] * (len(arguments) - 1), ")", False)

    def _method(self, name: str, call: ast.Call, subject: ast.expr, arguments: str) -> None:
        if name == "flatten" and not arguments:
            arguments = "1"
        self._chain(call, [subject], "", [], f".{name}({arguments})", True)

    def _item(self, call: ast.Call, subject: ast.expr, index: ast.expr) -> None:
        items = index.elts if isinstance(index, ast.Tuple) and index.elts else [index]
        text = ", ".join(map(self._index, items))
        self._chain(call, [subject], "", [], f"[{text}{',' * (len(items) == 1 and items != [index])}]", True)

    def _index(self, index: ast.expr) -> str:
        """`slice(0, 8)` is `0:8` between the brackets of an index."""
        if isinstance(index, ast.Call) and isinstance(index.func, ast.Name) and index.func.id == "slice":
            plain = not index.keywords and not any(isinstance(argument, ast.Starred) for argument in index.args)
            if plain and index.func not in self._layers and 0 < len(index.args) < 4:
                bounds = [None, *index.args] if len(index.args) == 1 else list(index.args)
                texts = ["" if bound is None else self.splices.text(bound) for bound in bounds]
                return ":".join("" if text == "None" else text for text in texts)
        return self.splices.text(index)

    def _inside(self, call: ast.Call) -> str:
        """The arguments of a call as text."""
        parts = [self.splices.text(argument) for argument in call.args]
        return ", ".join([*parts, *(f"{k.arg}={self.splices.text(k.value)}" for k in call.keywords)])

    def _stands_alone(self, call: ast.Call) -> bool:
        """Whether operators may take the place of a call without parentheses."""
        return (
            not isinstance(
                self.syntax.parent(call),
                (ast.BinOp, ast.UnaryOp, ast.Attribute, ast.Subscript, ast.Starred, ast.Compare),
            )
            and call not in self._operands
        )

    # Containers

    def _unlisted(self, call: ast.Call, what: str) -> None:
        """`Sequential([a, b])` is `Sequential(a, b)`, `Sequential(layers)` is `Sequential(*layers)`."""
        argument = call.args[0] if len(call.args) == 1 and not isinstance(call.args[0], ast.Starred) else None
        if argument is None:
            return
        first, last = self.splices.span(argument)
        self.changed.append(call)
        if isinstance(argument, (ast.List, ast.Tuple)) and argument.elts:
            opening = self.splices.find("(", self.splices.span(call.func)[1])
            self.splices.replace(opening + 1, first + 1, "")
            self.splices.replace(last - 1, self.splices.span(call)[1] - 1, "")
        elif isinstance(argument, ast.GeneratorExp) and last == self.splices.span(call)[1]:
            self.splices.replace(first, first, "(*")
            self.splices.replace(last, last, ")")
        else:
            self.splices.replace(first, first, "*" if isinstance(argument, (*_PRIMARY, ast.ListComp)) else "*(")
            self.splices.replace(last, last, "" if isinstance(argument, (*_PRIMARY, ast.ListComp)) else ")")

    def _added(self, call: ast.Call, what: str) -> None:
        """`.add(a)` is `.append(a)`, `.add(a, b)` and `.add([a, b])` are `.extend([a, b])`."""
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "add":
            return
        end = self.splices.span(call.func)[1]
        self.changed.append(call)
        several = len(call.args) != 1 or isinstance(call.args[0], ast.Starred)
        self.splices.replace(end - len("add"), end, "extend" if several or what == "add list" else "append")
        if several and call.args:
            first, last = self.splices.span(call.args[0])[0], self.splices.span(call.args[-1])[1]
            self.splices.replace(first, first, "[")
            self.splices.replace(last, last, "]")


def _elements(call: ast.Call) -> list[ast.expr] | None:
    """The tensors of a call that takes them as one list written out."""
    if len(call.args) == 1 and isinstance(call.args[0], (ast.List, ast.Tuple)) and call.args[0].elts:
        return call.args[0].elts
    return None
