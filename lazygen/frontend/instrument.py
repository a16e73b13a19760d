"""Rewrites a module's tree for tracing: every read of a size goes through a helper that gives it an origin.

    def __init__(self, width, depth=2):          def __init__(self, width, depth=2):
        hidden = 2 * width                           (width, depth) = lz_enter__(0, width, depth)
        for i in range(depth):              ->       hidden = lz_bind__(2 * width, "hidden")
            self.add(cfg.scale * i)                  for i in lz_loop__(lz_range__(depth), 1, "i"):
                                                         self.add(lz_attr__(cfg, "scale") * i)

Positions stay those of the source, so that frames still tell which call made a layer.  The helpers live in builtins
(`trace/reads.py`); what is `lz_enter__` here is `lz:enter` there, which no name of a source can be and no class
mangles.  Annotations, decorators, bases and f-strings are left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from lazygen.values import field, record

# Functions of the builtins whose traced versions keep what their own would lose.
KNOWN = {"int": "lz:int", "range": "lz:range", "max": "lz:max", "min": "lz:min", "type": "lz:type", "zip": "lz:zip"}
# Calls whose result is never a size, or which look at the frame that calls them.
UNKEPT = {"super", "locals", "globals", "vars", "dir", "eval", "exec", "isinstance", "issubclass", "hasattr"}
UNKEPT |= {"callable", "print", "dict", "list", "tuple", "set", "str", "bool", "zip", "enumerate", "reversed"}
UNKEPT |= {"repr", "property"}

Target = str | tuple[Any, ...] | None


Position = tuple[str, int, int, int, int]  # file, line, byte column, end line, end byte column


@record
class Tables:
    """What the helpers look up by number: scopes, loops and kept expressions of all traced files, by position."""

    scopes: list[Position] = field(default_factory=list)
    loops: list[Position] = field(default_factory=list)
    texts: list[Position] = field(default_factory=list)


def instrument(
    tree: ast.Module, filename: str, tables: Tables, statements: Iterable[ast.stmt] | None = None
) -> ast.Module:
    """The tree, or just some of its top-level statements, made ready for tracing; the tree given is used up."""
    made = ast.Module(body=[], type_ignores=[])
    instrumenter = _Instrumenter(tables, filename)
    made.body = instrumenter.block(list(tree.body if statements is None else statements), _Scope("module"))
    head = 0
    while head < len(made.body) and _is_leading(made.body[head], head):
        head += 1
    start = _start(tree)
    made.body.insert(head, _statement(_call("lz:enter", instrumenter.number(tables.scopes, start), at=start)))
    return ast.fix_missing_locations(made)


def _is_leading(node: ast.stmt, index: int) -> bool:
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return True
    return index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _start(tree: ast.Module) -> ast.AST:
    return tree.body[0] if tree.body else ast.Pass(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)


def _call(name: str, *arguments: ast.expr, at: ast.AST) -> ast.Call:
    function = ast.copy_location(ast.Name(id=name, ctx=ast.Load()), at)
    placed = [argument if hasattr(argument, "lineno") else ast.copy_location(argument, at) for argument in arguments]
    call = ast.Call(func=function, args=placed, keywords=[])
    return ast.copy_location(call, at)


def _constant(value: Any) -> ast.Constant:
    return ast.Constant(value)


def _statement(value: ast.expr) -> ast.stmt:
    return ast.copy_location(ast.Expr(value=value), value)


@record
class _Scope:
    """Where the instrumenter stands: names bound in the functions around, and the class for name mangling."""

    kind: str
    bound: frozenset[str] = frozenset()
    class_name: str = ""


class _Instrumenter(ast.NodeTransformer):
    def __init__(self, tables: Tables, filename: str) -> None:
        self.tables = tables
        self.filename = filename
        self.scope = _Scope("module")

    def number(self, table: list[Position], node: Any) -> ast.Constant:
        """The number under which a table keeps the node's position."""
        table.append((self.filename, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset))
        return ast.Constant(len(table) - 1)

    # Statements

    def block(self, statements: list[ast.stmt], scope: _Scope | None = None) -> list[ast.stmt]:
        outer, self.scope = self.scope, scope or self.scope
        made: list[ast.stmt] = []
        for statement in statements:
            result = self.visit(statement)
            made.extend(result if isinstance(result, list) else [result])
        self.scope = outer
        return made

    def _blocks(self, node: Any) -> None:
        for name in ("body", "orelse", "finalbody"):
            if getattr(node, name, None):
                setattr(node, name, self.block(getattr(node, name)))

    def visit_FunctionDef(self, node: Any) -> Any:
        node.args.defaults = [self.visit(default) for default in node.args.defaults]
        node.args.kw_defaults = [default and self.visit(default) for default in node.args.kw_defaults]
        bound = self.scope.bound | _bound_names(node) if self.scope.kind != "class" else _bound_names(node)
        inside = _Scope("function", bound, self.scope.class_name)
        first = int(isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant))
        head, body = node.body[:first], self.block(node.body[first:], inside)
        node.body = [*head, self._entry(node), *body]
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def _entry(self, node: Any) -> ast.stmt:
        """`(a, b) = lz_enter__(3, a, b)`, over the parameters but a method's first."""
        arguments = node.args
        names = [a.arg for a in [*arguments.posonlyargs, *arguments.args]]
        if self.scope.kind == "class" and names:
            names = names[1:]
        names += [a.arg for a in (arguments.vararg, *arguments.kwonlyargs, arguments.kwarg) if a is not None]
        names = [_mangled(name, self.scope.class_name) for name in names]
        call = _call(
            "lz:enter",
            self.number(self.tables.scopes, node),
            *(ast.Name(id=name, ctx=ast.Load()) for name in names),
            at=node,
        )
        call.keywords = []
        if not names:
            return _statement(call)
        call.args.insert(1, ast.copy_location(_constant(tuple(names)), node))
        target = ast.Tuple(elts=[ast.Name(id=name, ctx=ast.Store()) for name in names], ctx=ast.Store())
        for part in (target, *target.elts):
            ast.copy_location(part, node)
        return ast.copy_location(ast.Assign(targets=[target], value=call), node)

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        node.body = self.block(node.body, _Scope("class", self.scope.bound, node.name))
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        node.value = self.kept(node.value)
        node.targets = [self.visit(target) for target in node.targets]
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            if self.scope.kind != "class":
                node.value = self._bound(node.targets[0].id, node.value)
            return node
        return [node, *self._rebinds(node, node.targets)]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is not None:
            node.value = self.kept(node.value)
            if isinstance(node.target, ast.Name) and self.scope.kind != "class":
                node.value = self._bound(node.target.id, node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        node.value = self.kept(node.value)
        return [node, *self._rebinds(node, [node.target])]

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        node.value = self._bound(node.target.id, self.kept(node.value))
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        if node.module == "__future__" or self.scope.kind == "class":
            return node
        constants = [alias.asname or alias.name for alias in node.names if (alias.asname or alias.name).isupper()]
        return [node, *(self._rebind(node, name) for name in constants)]

    def _bound(self, name: str, value: ast.expr) -> ast.expr:
        return _call("lz:bind", value, ast.Constant(_mangled(name, self.scope.class_name)), at=value)

    def _rebinds(self, node: ast.stmt, targets: list[Any]) -> list[ast.stmt]:
        if self.scope.kind == "class":
            return []
        names = [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        return [self._rebind(node, name) for name in dict.fromkeys(names)]

    def _rebind(self, node: ast.stmt, name: str) -> ast.stmt:
        read = ast.copy_location(ast.Name(id=name, ctx=ast.Load()), node)
        write = ast.copy_location(ast.Name(id=name, ctx=ast.Store()), node)
        return ast.copy_location(ast.Assign(targets=[write], value=self._bound(name, read)), node)

    def visit_For(self, node: Any) -> Any:
        node.iter = self._loop(node, self.visit(node.iter), node.target)
        node.target = self.visit(node.target)
        self._blocks(node)
        return node

    def visit_AsyncFor(self, node: Any) -> Any:
        self._blocks(node)
        return node

    def _loop(self, loop: ast.AST, iterable: ast.expr, target: ast.expr) -> ast.expr:
        number = self.number(self.tables.loops, loop)
        return _call("lz:loop", iterable, number, _constant(_pattern(target)), at=iterable)

    def visit_While(self, node: ast.While) -> Any:
        number = self.number(self.tables.loops, node)
        node.test = _call("lz:while", self.visit(node.test), number, at=node.test)
        self._blocks(node)
        return [_statement(_call("lz:begin", ast.Constant(number.value), at=node)), node]

    def visit_If(self, node: ast.If) -> Any:
        refuses = len(node.body) == 1 and isinstance(node.body[0], ast.Raise) and not node.orelse
        node.test = self.visit(_Remainders().visit(node.test) if refuses else node.test)
        self._blocks(node)
        return self._if_known(node) if refuses else node

    def visit_Assert(self, node: ast.Assert) -> Any:
        node.test = self.visit(_Remainders().visit(node.test))
        return self._if_known(node)

    def _if_known(self, node: ast.stmt) -> ast.stmt:
        """A check that only real data can decide is taken to hold."""
        caught = ast.copy_location(ast.Name(id="lz_Unknown__", ctx=ast.Load()), node)
        handler = ast.ExceptHandler(type=caught, name=None, body=[ast.copy_location(ast.Pass(), node)])
        return ast.copy_location(
            ast.Try(body=[node], handlers=[ast.copy_location(handler, node)], orelse=[], finalbody=[]), node
        )

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Call):
            node.value = self._call_parts(node.value)
        else:
            node.value = self.visit(node.value)
        return node

    # Expressions

    def kept(self, node: ast.expr) -> Any:
        """A value that is stored or passed on: a number that arithmetic could not follow keeps its source text."""
        if isinstance(node, (ast.BinOp, ast.IfExp)):
            number = self.number(self.tables.texts, node)
            helper = "lz:choice" if isinstance(node, ast.IfExp) else "lz:keep"
            return _call(helper, self.visit(node), number, at=node)
        return self.visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id in UNKEPT:
            return self._call_parts(node)
        number = self.number(self.tables.texts, node)
        return _call("lz:keep", self._call_parts(node), number, at=node)

    def _call_parts(self, node: ast.Call) -> ast.expr:
        node.args = [
            ast.copy_location(ast.Starred(self.visit(a.value), ast.Load()), a)
            if isinstance(a, ast.Starred)
            else self.kept(a)
            for a in node.args
        ]
        for keyword in node.keywords:
            keyword.value = self.kept(keyword.value)
        if isinstance(node.func, ast.Name):
            self._known_function(node)
        elif isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
            if node.func.attr == "prod":
                node.args.insert(0, node.func)
                node.func = ast.copy_location(ast.Name(id="lz:prod", ctx=ast.Load()), node)
        else:
            node.func = self.visit(node.func)
        return node

    def _known_function(self, node: ast.Call) -> None:
        name = node.func.id  # type: ignore[attr-defined]
        if name in self.scope.bound:
            return
        if name == "getattr" and not node.keywords:
            node.func = ast.copy_location(ast.Name(id="lz:getattr", ctx=ast.Load()), node.func)
        elif name in KNOWN and (name != "type" or len(node.args) == 1):
            node.func = ast.copy_location(ast.Name(id=KNOWN[name], ctx=ast.Load()), node.func)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if not isinstance(node.ctx, ast.Load):
            node.value = self.visit(node.value)
            return node
        if not isinstance(node.value, ast.Attribute):
            node.value = self.visit(node.value)
        name = ast.Constant(_mangled(node.attr, self.scope.class_name))
        return _call("lz:attr", node.value, name, at=node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        by_name = isinstance(node.slice, (ast.Name, ast.Attribute))
        node.value, node.slice = self.visit(node.value), self.visit(node.slice)
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, (ast.Tuple, ast.Starred, ast.Slice)):
            return node
        number = [self.number(self.tables.texts, node)] if by_name else []
        return _call("lz:item", node.value, node.slice, *number, at=node)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        outer = self.scope
        parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        bound = outer.bound | {a.arg for a in (*parameters, node.args.vararg, node.args.kwarg) if a is not None}
        self.scope = _Scope("function", frozenset(bound), outer.class_name)
        node.body = self.visit(node.body)
        self.scope = outer
        return node

    def visit_ListComp(self, node: Any) -> Any:
        for generator in node.generators:
            if generator.is_async:
                return node
            generator.iter = self._loop(node, self.visit(generator.iter), generator.target)
            generator.ifs = [self.visit(test) for test in generator.ifs]
        for name in ("elt", "key", "value"):
            if hasattr(node, name):
                setattr(node, name, self.visit(getattr(node, name)))
        return node

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        return node

    def visit_TemplateStr(self, node: Any) -> Any:
        return node

    def visit_Match(self, node: ast.Match) -> Any:
        node.subject = self.visit(node.subject)
        for case in node.cases:
            case.guard = case.guard and self.visit(case.guard)
            case.body = self.block(case.body)
        return node

    def generic_visit(self, node: Any) -> Any:
        if isinstance(node, ast.stmt) and any(hasattr(node, name) for name in ("body", "orelse", "handlers")):
            for name, value in ast.iter_fields(node):
                if name in ("body", "orelse", "finalbody"):
                    setattr(node, name, self.block(value))
                elif name == "handlers":
                    for handler in value:
                        handler.body = self.block(handler.body)
                elif name == "items":
                    for item in value:
                        item.context_expr = self.visit(item.context_expr)
            return node
        return super().generic_visit(node)


class _Remainders(ast.NodeTransformer):
    """Remainders in a check: where one is 0, a division leaves nothing, or the model would not run."""

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        return _call("lz:remainder", node.left, node.right, at=node) if isinstance(node.op, ast.Mod) else node


def _mangled(name: str, class_name: str) -> str:
    stripped = class_name.lstrip("_")
    if class_name and stripped and name.startswith("__") and not name.endswith("__"):
        return f"_{stripped}{name}"
    return name


def _pattern(target: ast.expr) -> Target:
    """The names of a loop's target, as nested tuples; None where there is no plain name."""
    if isinstance(target, ast.Name):
        return target.id
    if isinstance(target, (ast.Tuple, ast.List)) and not any(isinstance(e, ast.Starred) for e in target.elts):
        return tuple(_pattern(element) for element in target.elts)
    return None


def _bound_names(node: Any) -> frozenset[str]:
    """Names that a function binds, roughly: enough to know that `int` or `max` is not the builtin there."""
    arguments = node.args
    names = {a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]}
    names |= {a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None}
    for part in node.body:
        names |= {n.id for n in ast.walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return frozenset(names)
