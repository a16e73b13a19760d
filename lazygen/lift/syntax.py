"""The tree of a file by place: what lifting asks of the text."""

from __future__ import annotations

import ast

from lazygen.diagnostics import Place
from lazygen.frontend.calls import starts
from lazygen.frontend.parse import byte_to_column, split_lines
from lazygen.lift.plan import Span
from lazygen.values import value

Function = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@value
class Counter:
    """The variable of a loop that counts: its name, and the text of its first value."""

    name: str
    start: str


class Syntax:
    """Looks up nodes of one file by place."""

    def __init__(self, tree: ast.Module, text: str, path: str) -> None:
        self.tree, self.path = tree, path
        self._lines = split_lines(text)
        self.calls: dict[Place, ast.Call] = {}
        self.functions: dict[Place, Function] = {}
        self.loops: dict[Place, ast.For | Comprehension | ast.While] = {}
        self.class_of: dict[Place, ast.ClassDef] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self._parents: dict[ast.AST, ast.AST] = {}
        self._last_values: dict[Place, dict[str, str]] = {}
        self._read()

    def _read(self) -> None:
        pending: list[ast.AST] = [self.tree]
        while pending:
            node = pending.pop()
            for child in ast.iter_child_nodes(node):
                self._parents[child] = node
                pending.append(child)
            if isinstance(node, ast.Call):
                end_line, end_column = self._point(node.end_lineno, node.end_col_offset)
                for line, column in starts(node):
                    self.calls[Place(self.path, *self._point(line, column), end_line, end_column)] = node
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                place = self.place(node)
                self.functions[place] = node
                parent = self._parents.get(node)
                if isinstance(parent, ast.ClassDef):
                    self.class_of[place] = parent
            elif isinstance(node, ast.ClassDef):
                self.classes.setdefault(node.name, node)
            elif isinstance(node, (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
                self.loops[self.place(node)] = node

    def _point(self, line: int | None, column: int | None) -> tuple[int, int]:
        return line or 1, byte_to_column(self._lines[(line or 1) - 1], column or 0)

    def place(self, node: ast.expr | ast.stmt) -> Place:
        """Where a node stands."""
        return Place(
            self.path, *self._point(node.lineno, node.col_offset), *self._point(node.end_lineno, node.end_col_offset)
        )

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Where a node stands, for the plan."""
        place = self.place(node)
        return Span(place.line, place.column, place.end_line, place.end_column)

    def segment(self, node: ast.expr) -> str:
        """The source of an expression as it stands; on one line."""
        place = self.place(node)
        if place.line == place.end_line:
            return self._lines[place.line - 1][place.column : place.end_column]
        return ast.unparse(node)

    def lines(self, node: ast.expr) -> list[str]:
        """The source of an expression by lines, as they stand, but for what stands before and behind it."""
        place = self.place(node)
        lines = [line.rstrip("\r\n") for line in self._lines[place.line - 1 : place.end_line]]
        lines[-1] = lines[-1][: place.end_column]
        lines[0] = lines[0][place.column :]
        return lines

    def text(self, node: ast.expr) -> str:
        """The source of an expression with all its lines and comments."""
        place = self.place(node)
        lines = self._lines[place.line - 1 : place.end_line]
        lines = [*lines[:-1], lines[-1][: place.end_column]]
        return "".join([lines[0][place.column :], *lines[1:]])

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self._parents.get(node)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The smallest statement around a node."""
        found: ast.AST | None = node
        while found is not None and not isinstance(found, ast.stmt):
            found = self._parents.get(found)
        return found

    def attribute_of(self, call: Place) -> str | None:
        """The attribute or name that a call's statement assigns to: `merge` of `self.merge = nn.LazyConv2d(8, 1)`."""
        node = self.calls.get(call)
        statement = self.statement(node) if node is not None else None
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            if isinstance(target, ast.Attribute):
                return target.attr
            if isinstance(target, ast.Name):
                return target.id
        return None

    def class_around(self, scope: Place) -> str | None:
        """The qualified name of the class that a function is a method of, or stands in a method of."""
        node: ast.AST | None = self.functions.get(scope)
        names: list[str] = []
        while node is not None:
            node = self._parents.get(node)
            if isinstance(node, ast.ClassDef):
                names.insert(0, node.name)
            elif isinstance(node, ast.FunctionDef) and names:
                names[:0] = [node.name, "<locals>"]
        return ".".join(names) or None

    def last_values(self, scope: Place) -> dict[str, str]:
        """The text of what each counter of a function's `for` statements ends with: `len(widths) - 1`."""
        if scope in self._last_values:
            return self._last_values[scope]
        function = self.functions.get(scope)
        found = self._last_values[scope] = {}
        for node in ast.walk(function if function is not None else ast.Module([], [])):
            if isinstance(node, ast.While):
                name, test = self.while_variable(node), node.test
                if (
                    name
                    and isinstance(test, ast.Compare)
                    and isinstance(test.ops[0], ast.Lt)
                    and ast.unparse(test.left) == name
                ):
                    found[name] = f"{ast.unparse(test.comparators[0])} - 1"
            if isinstance(node, ast.For) and counter_of(node) is not None and isinstance(node.iter, ast.Call):
                inner = node.iter.args[-1] if len(node.iter.args) < 3 and reversed_range(node.iter) is None else None
                if isinstance(node.iter.func, ast.Name) and node.iter.func.id == "enumerate":
                    inner = node.iter.args[0] if len(node.iter.args) == 1 and not node.iter.keywords else None
                    if isinstance(inner, ast.Call) and ast.unparse(inner.func) == "zip" and inner.args:
                        inner = inner.args[0]
                    text = None if inner is None else f"len({ast.unparse(inner)}) - 1"
                else:
                    text = None if inner is None else f"{ast.unparse(inner)} - 1"
                counter = counter_of(node)
                if text is not None and counter is not None:
                    found[counter.name] = text
        return found

    @staticmethod
    def while_variable(node: ast.While) -> str | None:
        """The name that a `while` tests and adds a number to in each iteration."""
        tested = {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
        for statement in node.body:
            if not (isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add)):
                continue
            target = statement.target
            if isinstance(target, ast.Name) and target.id in tested and isinstance(statement.value, ast.Constant):
                return target.id
        return None

    def generators(self, loop: Place) -> list[ast.For | ast.comprehension]:
        """The `for`s of a loop: one, or those of a comprehension."""
        node = self.loops.get(loop)
        if isinstance(node, ast.For):
            return [node]
        return list(node.generators) if node is not None and not isinstance(node, ast.While) else []


def reversed_range(call: ast.Call) -> ast.Call | None:
    """The `range(...)` in `reversed(range(...))`."""
    inner = call.args[0] if len(call.args) == 1 and not call.keywords else None
    if not (isinstance(call.func, ast.Name) and call.func.id == "reversed" and isinstance(inner, ast.Call)):
        return None
    return inner if isinstance(inner.func, ast.Name) and inner.func.id == "range" and not inner.keywords else None


def counter_of(loop: ast.For | ast.comprehension) -> Counter | None:
    """The counting variable of `for i in range(...)` and `for i, x in enumerate(...)`."""
    call = loop.iter
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    turned = reversed_range(call)
    if turned is not None and isinstance(loop.target, ast.Name) and len(turned.args) < 3:
        return Counter(loop.target.id, f"{ast.unparse(turned.args[-1])} - 1")
    if call.func.id == "range" and isinstance(loop.target, ast.Name) and not call.keywords:
        start = ast.unparse(call.args[0]) if len(call.args) > 1 else "0"
        return Counter(loop.target.id, start)
    if call.func.id == "enumerate" and isinstance(loop.target, ast.Tuple) and isinstance(loop.target.elts[0], ast.Name):
        given = call.args[1:] + [k.value for k in call.keywords if k.arg == "start"]
        return Counter(loop.target.elts[0].id, ast.unparse(given[0]) if given else "0")
    return None
