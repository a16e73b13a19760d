"""Which names of its module a statement binds, changes, reads and calls, now or when its functions run.

    layers.append(Block(width))            changes layers; reads layers, Block, width; calls Block
    def make(n=DEPTH): return Net(n)       binds make; reads DEPTH; late: reads and calls Net

Scopes are Python's: parameters and locals of a function are nobody's business but its own, a class body does not lend
its names to its methods, a comprehension reads its first iterable outside.  Module and class bodies run in order, so a
name that the same statement has bound for certain before it reads it is not a read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from lazygen.frontend.guards import run_by_import
from lazygen.frontend.scopes import ASKING, CHILDREN, Scope, Uses, dotted, mutates, root


class Reader:
    """Reads the statements of one module in their order.

    Without `annotations`, annotations count as not evaluated; without `checks`, the second argument of `isinstance`,
    and whatever stands in a comparison, does not count.
    """

    def __init__(self, *, annotations: bool = True, checks: bool = True) -> None:
        self._annotations = annotations
        self._checks = checks
        self._system: dict[str, str] = {}  # name in the file -> "sys", "os", "sys.path" or "os.environ"
        self._in_statement = False  # inside an expression statement, where a mutating method counts
        self._uses = Uses()
        self._scope = self._module = Scope("module", None)

    def statement(self, node: ast.stmt) -> Uses:
        """What a statement of the module's top level uses."""
        self._uses = Uses()
        self._scope = self._module = Scope("module", None)
        self._visit(node)
        return self._uses

    def expression(self, node: ast.expr) -> Uses:
        """What an expression uses if it is evaluated at the module's top level."""
        self._uses = Uses()
        self._scope = self._module = Scope("module", None)
        self._expression(node)
        return self._uses

    # Names

    def _bind(self, name: str) -> None:
        scope = self._scope
        if name in scope.global_names:
            (self._uses.late if scope.deferred else self._uses.now).binds.add(name)
        elif name not in scope.nonlocal_names:
            scope.bound[-1 if scope.ordered else 0].add(name)
            if scope.kind == "module":
                self._uses.now.binds.add(name)

    def _use(self, what: str, name: str) -> None:
        """`what` is "reads", "changes" or "calls"."""
        scope = self._scope
        if name in scope.global_names:
            getattr(self._uses.late if scope.deferred else self._uses.now, what).add(name)
            return
        if scope.kind == "class":
            if scope.has(name):
                return
            scope = scope.outside()
        if scope.kind != "module":
            getattr(scope.now, what).add(name)
        elif what != "reads" or not scope.has(name):
            getattr(self._uses.now, what).add(name)

    def _change(self, target: ast.expr) -> None:
        """`target` is the attribute or item that is assigned, or the receiver of a mutating method."""
        name = root(target)
        if name is not None:
            self._use("changes", name.id)
            self._note_environment(target)

    def _note_environment(self, target: ast.expr) -> None:
        if self._scope.deferred:
            return
        while isinstance(target, ast.Subscript):
            target = target.value
        path = dotted(target) or ""
        first, dot, rest = path.partition(".")
        if (self._system.get(first, "") + dot + rest) in ("sys.path", "os.environ"):
            self._uses.environment = True

    # Scopes

    def _open(self, kind: str) -> None:
        self._scope = Scope(kind, self._scope)

    def _close(self) -> None:
        """Hand what the innermost scope does not know itself to the next one outside that lends its names."""
        inner, outside = self._scope, self._scope.outside()
        assert inner.parent is not None
        self._scope = inner.parent
        if inner.kind == "class":
            return
        known = inner.bound[0]
        at_module = outside.kind == "module"
        late = self._uses.late if at_module else outside.late
        for what in ("reads", "changes", "calls"):
            now_names, late_names = getattr(inner.now, what) - known, getattr(inner.late, what) - known
            if inner.kind == "function":
                late_names |= now_names
            elif at_module:
                seen = outside.has if what == "reads" else _never
                getattr(self._uses.now, what).update(name for name in now_names if not seen(name))
            else:
                getattr(outside.now, what).update(now_names)
            getattr(late, what).update(late_names)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        in_statement, self._in_statement = self._in_statement, False
        arguments = node.args
        for default in (*arguments.defaults, *arguments.kw_defaults):
            self._expression(default)
        parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        parameters += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
        if self._annotations and not isinstance(node, ast.Lambda):
            for parameter in parameters:
                self._expression(parameter.annotation)
            self._expression(node.returns)
        self._open("function")
        for parameter in parameters:
            self._bind(parameter.arg)
        if isinstance(node, ast.Lambda):
            self._expression(node.body)
        else:
            self._body(node.body)
        self._close()
        self._in_statement = in_statement

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        for decorator in node.decorator_list:
            self._expression(decorator)
        # The parameters of `def f[T]` live in a scope around the definition, which runs at once.
        type_parameters: Sequence[ast.AST] = getattr(node, "type_params", ())
        if type_parameters:
            self._open("comprehension")
            self._type_parameters(type_parameters)
        if isinstance(node, ast.ClassDef):
            for base in (*node.bases, *node.keywords):
                self._expression(base)
            self._open("class")
            self._body(node.body)
            self._close()
        else:
            self._function(node)
        if type_parameters:
            self._close()
        self._bind(node.name)

    def _type_parameters(self, parameters: Iterable[ast.AST]) -> None:
        for parameter in parameters:
            self._bind(parameter.name)  # type: ignore[attr-defined]
            self._open("function")  # bounds and defaults are evaluated only when they are asked for
            for part in ("bound", "default_value"):
                self._expression(getattr(parameter, part, None))
            self._close()

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        self._expression(node.generators[0].iter)
        self._open("comprehension")
        for number, generator in enumerate(node.generators):
            if number:
                self._expression(generator.iter)
            self._expression(generator.target)
            for condition in generator.ifs:
                self._expression(condition)
        if isinstance(node, ast.DictComp):
            self._expression(node.key)
            self._expression(node.value)
        else:
            self._expression(node.elt)
        self._close()

    # Expressions, on a stack of our own: a chain of a thousand calls is a tree a thousand deep.

    def _expression(self, node: ast.AST | None) -> None:
        stack = [node] if node is not None else []
        while stack:
            node = stack.pop()
            kind = type(node)
            if kind is ast.Constant:
                continue
            if kind is ast.Name:
                self._name(node)  # type: ignore[arg-type]
                continue
            if isinstance(node, ast.Lambda):
                self._function(node)
                continue
            if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
                self._comprehension(node)
                continue
            if isinstance(node, ast.NamedExpr):
                self._expression(node.value)
                self._bind_walrus(node.target.id)
                continue
            if kind is ast.Call:
                first_only = self._call(node)  # type: ignore[arg-type]
                if first_only is not None:
                    stack.append(first_only)
                    continue
            elif kind is ast.Compare and not self._checks:
                continue
            elif isinstance(node, ast.Attribute | ast.Subscript):
                self._uses.asks |= isinstance(node, ast.Attribute) and node.attr == "argv"
                if not isinstance(node.ctx, ast.Load):
                    self._change(node)
            for name in reversed(CHILDREN[kind]):
                child = getattr(node, name, None)
                if isinstance(child, list):
                    stack.extend(item for item in reversed(child) if isinstance(item, ast.AST))
                elif child is not None and isinstance(child, ast.AST):
                    stack.append(child)

    def _name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._bind(node.id)
        else:
            self._use("reads", node.id)
            if isinstance(node.ctx, ast.Del):
                self._bind(node.id)

    def _bind_walrus(self, name: str) -> None:
        inside = self._scope
        while self._scope.kind == "comprehension" and self._scope.parent is not None:
            self._scope = self._scope.parent
        self._bind(name)
        self._scope = inside

    def _call(self, node: ast.Call) -> ast.expr | None:
        """Note what a call does; its first argument if nothing else of it is of interest."""
        function = node.func
        if isinstance(function, ast.Name):
            self._use("calls", function.id)
            self._uses.asks |= function.id in ASKING
            if self._in_statement and node.args and function.id in ("setattr", "delattr"):
                self._change(ast.Attribute(node.args[0], "", ast.Store()))
            elif self._in_statement and mutates(function.id) and not self._scope.deferred:
                self._uses.mutating_calls.add(function.id)
            if not self._checks and function.id in ("isinstance", "issubclass") and node.args:
                return node.args[0]
        if isinstance(function, ast.Attribute):
            self._uses.asks |= function.attr in ASKING
            self._uses.trains |= function.attr == "backward" and not self._scope.deferred
            if self._in_statement and mutates(function.attr):
                self._change(function.value)
        return None

    # Statements

    def _body(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self._visit(statement)

    def _branch(self, statements: Sequence[ast.stmt]) -> set[str] | None:
        """The names that a branch binds for certain; None if it does not go on to what follows."""
        self._scope.bound.append(set())
        self._body(statements)
        bound = self._scope.bound.pop()
        leaves = bool(statements) and isinstance(statements[-1], ast.Raise | ast.Return | ast.Continue | ast.Break)
        return None if leaves else bound

    def _join(self, branches: Iterable[set[str] | None]) -> None:
        going_on = [bound for bound in branches if bound is not None]
        if going_on:
            self._scope.bound[-1 if self._scope.ordered else 0] |= set.intersection(*going_on)

    def _visit(self, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._definition(node)
            case ast.Assign():
                self._expression(node.value)
                for target in node.targets:
                    self._expression(target)
            case ast.AugAssign():
                name = root(node.target)
                if name is not None:
                    self._use("reads", name.id)
                self._note_environment(node.target)
                self._expression(node.value)
                self._expression(node.target)
            case ast.AnnAssign():
                self._annotated(node)
            case ast.Expr():
                self._in_statement = True
                self._expression(node.value)
                self._in_statement = False
                if isinstance(node.value, ast.Call) and not self._scope.deferred:
                    called = dotted(node.value.func) or ""
                    self._uses.environment |= called.rpartition(".")[2] == "set_default_device"
            case ast.Import() | ast.ImportFrom():
                self._import(node)
            case ast.Global():
                self._scope.global_names.update(node.names)
            case ast.Nonlocal():
                self._scope.nonlocal_names.update(node.names)
            case ast.If():
                self._if(node)
            case ast.For() | ast.AsyncFor():
                self._expression(node.iter)
                self._scope.bound.append(set())
                self._expression(node.target)
                self._body(node.body)
                self._scope.bound.pop()
                self._branch(node.orelse)
            case ast.While():
                self._expression(node.test)
                self._branch(node.body)
                self._branch(node.orelse)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    self._expression(item.context_expr)
                    self._expression(item.optional_vars)
                self._body(node.body)
            case ast.Try() | ast.TryStar():
                self._try(node)
            case ast.Match():
                self._match(node)
            case _:
                self._other(node)

    def _annotated(self, node: ast.AnnAssign) -> None:
        if self._annotations and not self._scope.deferred:
            self._expression(node.annotation)
        self._expression(node.value)
        if node.value is not None or self._scope.deferred:
            self._expression(node.target)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            source = f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
            if alias.name != "*":
                self._bind(name)
            if source in ("sys", "os", "sys.path", "os.environ") and not self._scope.deferred:
                self._system[name] = source
            elif source == "os.path" and not alias.asname and isinstance(node, ast.Import):
                self._system["os"] = "os"

    def _if(self, node: ast.If) -> None:
        # `elif` chains nest to the right; hundreds of them must not nest the calls here.
        branches: list[set[str] | None] = []
        while True:
            self._expression(node.test)
            imported = run_by_import(node) if not self._scope.deferred else None
            branches.append(self._branch(node.body) if imported is None or imported is node.body else None)
            if imported is node.body:
                break
            if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
                branches.append(self._branch(node.orelse))
                break
            node = node.orelse[0]
        self._join(branches)

    def _try(self, node: ast.Try | ast.TryStar) -> None:
        branches = [self._branch([*node.body, *node.orelse])]
        for handler in node.handlers:
            self._expression(handler.type)
            if handler.name:
                self._bind(handler.name)
            branches.append(self._branch(handler.body))
        self._join(branches)
        self._body(node.finalbody)

    def _match(self, node: ast.Match) -> None:
        self._expression(node.subject)
        for case in node.cases:
            self._scope.bound.append(set())
            for part in ast.walk(case.pattern):
                match part:
                    case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                        self._bind(name)
                    case ast.MatchValue(value=value) | ast.MatchClass(cls=value):
                        self._expression(value)
            self._expression(case.guard)
            self._body(case.body)
            self._scope.bound.pop()

    def _other(self, node: ast.stmt) -> None:
        if type(node).__name__ == "TypeAlias":
            self._expression(node.name)  # type: ignore[attr-defined]
            self._open("function")
            self._type_parameters(node.type_params)  # type: ignore[attr-defined]
            self._expression(node.value)  # type: ignore[attr-defined]
            self._close()
            return
        self._expression(node)


def _never(_: str) -> bool:
    return False
