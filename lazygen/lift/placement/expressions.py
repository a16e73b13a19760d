"""What the text of an expression or a statement of `forward` tells: its parts, what it changes, what it shares."""

from __future__ import annotations

import ast


def parts_of(node: ast.expr) -> list[ast.expr]:
    """The expressions that an expression is made of and that could be done before it."""
    match node:
        case ast.Call(func=function, args=args, keywords=keywords):
            inner = [function.value] if isinstance(function, ast.Attribute) else []
            flat = [a.value if isinstance(a, ast.Starred) else a for a in args]
            return [*inner, *flat, *(keyword.value for keyword in keywords)]
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp() | ast.NamedExpr():
            return []
        case ast.Subscript(value=held, slice=index):
            return [held, *([] if isinstance(index, (ast.Slice, ast.Tuple)) else [index])]
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


def is_number(node: ast.expr) -> bool:
    """Whether an expression gives a size or a number of the program, and no tensor."""
    match node:
        case ast.Attribute(attr="shape" | "ndim" | "device" | "dtype"):
            return True
        case ast.Call(func=ast.Attribute(attr="size" | "dim" | "item" | "numel" | "tolist")):
            return True
        case ast.Call(func=ast.Name(id="len" | "int" | "float" | "range")):
            return True
        case ast.Subscript(value=held):
            return is_number(held)
        case ast.BinOp(left=left, right=right):
            return all(is_number(side) or isinstance(side, ast.Constant) for side in (left, right))
    return isinstance(node, ast.Constant)


def wanted_name(part: ast.expr) -> str:
    """A name for a part of an expression: that of the layer that gives it, else of the function."""
    function = part.func if isinstance(part, ast.Call) else part
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else "hidden"


def is_plain(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) or (
        isinstance(target, (ast.Tuple, ast.List)) and all(map(is_plain, target.elts))
    )


def names_of(target: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def stored_by(statement: ast.stmt) -> set[str]:
    """The names that a statement binds, or whose tensors it changes."""
    found = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    return found | changed_in_place(statement)


def changed_in_place(statement: ast.stmt) -> set[str]:
    """The names whose tensors a statement changes: by `+=`, by an item, or by a method as `add_`."""
    found = set()
    for node in ast.walk(statement):
        changed: ast.expr | None = None
        if isinstance(node, ast.AugAssign):
            changed = node.target
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            changed = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_"):
            changed = node.func.value
        while isinstance(changed, (ast.Subscript, ast.Attribute)):
            changed = changed.value
        if isinstance(changed, ast.Name):
            found.add(changed.id)
    return found


_VIEWS = ("view", "reshape", "flatten", "transpose", "permute", "squeeze", "unsqueeze", "t", "contiguous", "expand")


def shared_with(node: ast.expr) -> set[str]:
    """The name of the tensor that the value of an expression may be, or may be a view of."""
    while True:
        match node:
            case ast.Name(id=name):
                return {name}
            case ast.Subscript(value=inner) | ast.Attribute(value=inner):
                node = inner
            case ast.Call(func=ast.Attribute(value=inner, attr=method)) if method in _VIEWS:
                node = inner
            case _:
                return set()
