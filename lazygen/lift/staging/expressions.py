"""Expressions of a graph in the words of `forward`, and the layers in them as statements of the constructor.

x = L.Conv2d(width, 3)(x) * scale          self.conv2d_1 = L.Conv2d(width, 3)       x = self.conv2d_1(x) * self.scale
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from lazygen.diagnostics import Place
from lazygen.lift.graph_source import refuse
from lazygen.lift.splices import Splices
from lazygen.lift.staging.loops import Entry, Loop, header
from lazygen.lift.staging.pieces import Comprehension, Piece, Pieces
from lazygen.lift.staging.times import makes_layers, target_names

if TYPE_CHECKING:
    from lazygen.lift.staging.stages import Stages


class Expressions:
    """Writes the expressions of one class, each part that matters in its half."""

    def __init__(self, stages: Stages) -> None:
        self.stages, self.source = stages, stages.source
        self.pieces = Pieces(stages.times, stages.helpers, stages.receiver)
        self._base = self.source.splices
        self._constructor = self._with_names_of_containers()

    # The half that makes

    def made(self, node: ast.expr | ast.stmt) -> str:
        """The text of something in the constructor, on the lines that it has."""
        return self._constructor.text(node)

    def container(self, value: ast.expr, kind: str) -> str:
        """A list or dict of layers as a module that holds them; tuples of layers inside are lists of their own."""
        nn, splices = f"{self.source.module}.{kind}", self._constructor.fork()
        if (isinstance(value, (ast.List, ast.Tuple)) and not value.elts) or (
            isinstance(value, ast.Dict) and not value.keys
        ):
            return f"{nn}()"
        for part in ast.walk(value):
            if part is not value and isinstance(part, (ast.List, ast.Tuple)) and self._holds_layers(part):
                first, last = splices.span(part)
                splices.replace(first, first + 1, f"{self.source.module}.ModuleList([")
                splices.replace(last - 1, last, "])")
        return f"{nn}({splices.text(value)})"

    def _holds_layers(self, node: ast.List | ast.Tuple) -> bool:
        return any(isinstance(part, ast.Call) and makes_layers(part, self.stages.times.makes) for part in node.elts)

    def _with_names_of_containers(self) -> Splices:
        """The source's text in which attributes stand for what holds layers."""
        splices, times = self._base.fork(), self.stages.times
        held = {name for name in self.stages.attributes if name in times.containers or not times.in_loop(name)}
        for tree in (*times.statements, *([] if self.stages.outputs is None else [self.stages.outputs])):
            for node in ast.walk(tree):
                if isinstance(node, ast.Attribute) and self._is_of_self(node):
                    splices.replace(*splices.span(node), self.stages.of_self[node.attr])
                if isinstance(node, ast.Name) and node.id in held and isinstance(node.ctx, ast.Load):
                    splices.replace(*splices.span(node), f"self.{self.stages.attribute(node.id)}")
        return splices

    def _is_of_self(self, node: ast.Attribute) -> bool:
        owner = node.value
        return isinstance(owner, ast.Name) and owner.id == self.stages.receiver and node.attr in self.stages.of_self

    # The half that runs

    def statement(self, statement: ast.stmt, target: str) -> tuple[list[str], str]:
        """The lines of the constructor for the layers in a statement, and what it is in `forward`.

        `target` is the variable that takes its value.
        """
        splices, made = self._base.fork(), []
        value = getattr(statement, "value", None)
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.expr):
                made += self._applied(child, splices, target if child is value else "")
        if not isinstance(statement, ast.AugAssign) or not self.stages.times.is_running(statement):
            return made, splices.text(statement)
        # `x += y` makes a new placeholder, but would change a tensor that others hold.
        name, sign = splices.text(statement.target), _sign(statement.op)
        right = splices.text(statement.value)
        simple = isinstance(statement.value, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant))
        return made, f"{name} = {name} {sign} {right if simple else f'({right})'}"

    def taken_apart(self, node: ast.expr, target: str) -> tuple[list[str], str]:
        """The lines of the constructor for the layers in an expression, and what it is in `forward`."""
        splices = self._base.fork()
        return self._applied(node, splices, target), splices.text(node)

    def written(self, node: ast.expr) -> str:
        """An expression without layers in `forward`."""
        made, text = self.taken_apart(node, "")
        assert not made
        return text

    def _applied(self, node: ast.expr, splices: Splices, target: str) -> list[str]:
        lines: list[str] = []
        for piece in self.pieces.of(node):
            part = piece.node
            if piece.kind == "name":
                assert isinstance(part, ast.Name)
                text = self.stages.resolved(part)
                if text is not None:
                    splices.replace(*splices.span(part), text)
            elif piece.kind == "attribute":
                assert isinstance(part, ast.Attribute)
                splices.replace(*splices.span(part), self.stages.resolved_attribute(part))
            elif piece.kind == "flatten":  # unlike a tensor's, a placeholder's keeps the first dim
                end = splices.span(part)[1]
                splices.replace(end - 1, end - 1, "1")
            elif piece.kind == "layer":
                is_whole = isinstance(node, ast.Call) and node.func is part
                lines += self._layer(piece, splices, target if is_whole else "")
            elif piece.kind == "helper":
                lines += self._helper(piece, splices, target if part is node else "")
            else:
                lines += self._each(piece, splices)
        return lines

    def _layer(self, piece: Piece, splices: Splices, target: str) -> list[str]:
        self._check_static(piece.node)
        use, line = self._stored(piece, self.made(piece.node), target)
        splices.replace(*splices.span(piece.node), use)
        return line

    def _helper(self, piece: Piece, splices: Splices, target: str) -> list[str]:
        call = piece.node
        assert isinstance(call, ast.Call)
        helper = self.stages.helpers.of(call)
        given, running = self.stages.helpers.split(call)
        for argument in given:
            self._check_static(argument.value if isinstance(argument, ast.keyword) else argument)
        text = f"{helper.name}({', '.join(map(self._argument(self._constructor), given))})"
        use, line = self._stored(piece, text, target)
        # Each tensor keeps its place in the text, so that what changes inside of it is changed.
        end = splices.span(call)[1]
        at = splices.span(call)[0]
        before = f"{use}("
        for argument in running:
            first, last = splices.span_of(argument)
            splices.replace(at, first, before)
            at, before = last, ", "
        splices.replace(at, end, ")")
        return line

    def _argument(self, splices: Splices) -> Callable[[ast.expr | ast.keyword], str]:
        def text(argument: ast.expr | ast.keyword) -> str:
            return splices.between(*splices.span_of(argument))

        return text

    def _stored(self, piece: Piece, text: str, target: str) -> tuple[str, list[str]]:
        """How `forward` writes a layer, and the lines of the constructor that make it."""
        for test, arm in reversed(piece.conditions):
            if self.stages.times.runs(test.test):
                self._refuse_hanging(test.test)
            said = self.made(test.test)
            nothing = f"{self.source.module}.Identity()"
            text = f"{text} if {said} else {nothing}" if arm else f"{nothing} if {said} else {text}"
        if not self.stages.loops:
            attribute = self.stages.attribute_for(piece.node, target)
            return f"self.{attribute}", [f"self.{attribute} = {text}"]
        entry = self.stages.entry_for(piece.node, target)
        return entry.name, [f"{self.stages.loops[-1].list_of(entry)}.append({text})"]

    def _each(self, piece: Piece, splices: Splices) -> list[str]:
        """`[L.Linear(w)(x) for w in widths]`: a list of layers, and the same comprehension over it."""
        node = piece.node
        assert isinstance(node, Comprehension)
        generator = node.generators[0]
        if len(node.generators) > 1 or generator.ifs or piece.conditions:
            refuse(
                "LZ315",
                "layers are made in a comprehension that has a condition, or several loops",
                self.source.syntax.place(node),
                "write it as loops and `if`s of their own",
            )
        loop = Loop(target_names(generator.target), len(self.stages.loops) + 1)
        self.stages.loops.append(loop)
        inside: list[str] = []
        elements = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for element in elements:
            inside += self._applied(element, splices, "")
        self.stages.loops.pop()
        made = list(loop.entries.values())
        lines = []
        if self.stages.times.runs(generator.iter):
            source = f"for {self.stages.static_part(generator)}"
        else:
            source = f"for {self.made(generator.target)} in {self.made(generator.iter)}"
        for entry, line in zip(made, inside, strict=True):
            text = line.removeprefix(f"{loop.list_of(entry)}.append(").removesuffix(")")
            layers = f"{self.source.module}.ModuleList([{text} {source}])"
            if loop.depth == 1:
                lines.append(f"self.{entry.names} = {layers}")
            else:
                outer = self.stages.loops[-1]
                outer.entries[entry.names] = Entry(entry.names, entry.names, True)
                outer.appended.append(outer.entries[entry.names])
                lines.append(f"{outer.list_of(entry)}.append({layers})")
        lists = [f"self.{entry.names}" if loop.depth == 1 else entry.names for entry in made]
        wanted = loop.wanted | (loop.targets & self.stages.times.running)
        said = header(generator, made, lists, wanted, self.written)
        assert said is not None
        start, end = splices.span(generator.target)[0], splices.span(generator.iter)[1]
        splices.replace(start, end, said)
        return lines

    # What stands in the way

    def _check_static(self, node: ast.expr) -> None:
        if self.stages.times.runs(node):
            self._refuse_hanging(node)

    def _refuse_hanging(self, node: ast.expr) -> None:
        names = sorted(name.id for name in ast.walk(node) if isinstance(name, ast.Name) and self._runs(name))
        place: Place = self.source.syntax.place(node)
        refuse(
            "LZ320",
            f"this layer hangs on `{names[0] if names else ast.unparse(node)}`, which only exists while the graph runs",
            place,
            "write the number, or hand it in as an argument",
        )

    def _runs(self, name: ast.Name) -> bool:
        return name.id in self.stages.times.running


def _sign(operation: ast.operator) -> str:
    return ast.unparse(ast.BinOp(ast.Name("a"), operation, ast.Name("b")))[2:-2]
