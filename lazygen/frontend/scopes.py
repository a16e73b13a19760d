"""What reading names needs: the scope that is being read, the sets that come out, and small questions to the tree."""

from __future__ import annotations

import ast

from lazygen.values import field, record

# The child fields of every node type, without those that never hold a name.
_LEAVES = frozenset({"ctx", "op", "ops", "kind", "type_comment", "conversion", "attr", "arg", "id", "n", "s"})
CHILDREN: dict[type, tuple[str, ...]] = {
    node_type: tuple(name for name in node_type._fields if name not in _LEAVES)
    for node_type in vars(ast).values()
    if isinstance(node_type, type) and issubclass(node_type, ast.AST)
} | {ast.Constant: ()}
# A parser's arguments are part of it too: `sys.argv` is empty during a conversion, and defaults then speak.
_MUTATING = frozenset(
    {
        *("append", "appendleft", "add", "add_module", "clear", "discard", "extend", "extendleft", "insert", "pop"),
        *("popitem", "remove", "reverse", "set_submodule", "setdefault", "sort", "update"),
        *("add_argument", "set_defaults"),
        "build",  # what gives lazy layers their sizes
    }
)
GROUPING = frozenset({"add_argument_group", "add_mutually_exclusive_group", "add_subparsers", "add_parser"})
ASKING = frozenset({"input", "parse_args", "parse_intermixed_args", "parse_known_args", "parse_args_into_dataclasses"})


def mutates(method: str) -> bool:
    """Whether a method of this name changes the object it is called on."""
    return method in _MUTATING or method.startswith("register")


def root(expression: ast.expr) -> ast.Name | None:
    """The name at the start of `a.b[0].c(1).d`; None if the chain does not start at one."""
    node = expression
    while True:
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func
        else:
            return node if isinstance(node, ast.Name) else None


def dotted(expression: ast.expr) -> str | None:
    """`a.b.c` as text; None for what is not a chain of plain attributes."""
    parts: list[str] = []
    node = expression
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


@record
class Names:
    """Sets of names of the module."""

    binds: set[str] = field(default_factory=set)
    changes: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)


@record
class Uses:
    """What one statement does when it runs (`now`) and what the functions it defines do when they run (`late`)."""

    now: Names = field(default_factory=Names)
    late: Names = field(default_factory=Names)
    mutating_calls: set[str] = field(default_factory=set)  # `register(...)` as a statement of its own
    environment: bool = False  # it changes `sys.path`, `os.environ` or torch's default device
    asks: bool = False  # it reads the command line or the keyboard
    trains: bool = False  # it holds a `backward()`


class Scope:
    """A region of the text with names of its own; `kind` is module, class, function or comprehension."""

    __slots__ = ("bound", "deferred", "global_names", "kind", "late", "nonlocal_names", "now", "ordered", "parent")

    def __init__(self, kind: str, parent: Scope | None) -> None:
        self.kind = kind
        self.parent = parent
        self.ordered = kind in ("module", "class")
        # What is bound for certain, one set a branch that is being read; a function needs one set only.
        self.bound: list[set[str]] = [set()]
        self.global_names: set[str] = set()
        self.nonlocal_names: set[str] = set()
        self.now, self.late = Names(), Names()
        self.deferred: bool = kind == "function" or (parent is not None and parent.deferred)

    def outside(self) -> Scope:
        """The next scope outside whose names can be seen from here: no class lends its names."""
        scope = self.parent or self
        while scope.kind == "class" and scope.parent is not None:
            scope = scope.parent
        return scope

    def has(self, name: str) -> bool:
        return any(name in names for names in self.bound)
