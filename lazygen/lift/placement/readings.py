"""Tensors that are only read as numbers, and belong on no device.

rates = torch.linspace(0, drop, depth).tolist()
rates = [rate.item() for rate in torch.linspace(0, drop, depth)]
rates = torch.linspace(0, drop, depth)
Block(rates[0].item())
"""

from __future__ import annotations

import ast

from lazygen.lift.placement.callees import Callees
from lazygen.lift.placement.scopes import walk_scope

_READS = frozenset({"item", "tolist", "numpy"})
_NUMBERS = frozenset({"float", "int", "bool", "len"})


def is_only_read(node: ast.AST, callees: Callees, asked: frozenset[ast.AST] = frozenset()) -> bool:
    """Whether the tensor that an expression gives goes nowhere but into numbers; `asked` are expressions on the way."""
    if node in asked:
        return True  # a name that is bound to a part of itself goes nowhere new by that
    asked |= {node}
    parent = callees.syntax.parent(node)
    match parent:
        case ast.Attribute(attr=name) if name in _READS:
            return True
        case ast.Attribute():  # a method of it: what that gives
            outer = callees.syntax.parent(parent)
            return isinstance(outer, ast.Call) and outer.func is parent and is_only_read(outer, callees, asked)
        case ast.Subscript(value=held) if held is node:
            return is_only_read(parent, callees, asked)
        case ast.Call(func=ast.Name(id=name)) if name in _NUMBERS and node is not parent.func:
            return True
        case ast.comprehension(iter=held, target=ast.Name() as target) if held is node:
            around = callees.syntax.parent(parent)
            return around is not None and _all_read(target, around, callees, asked)
        case ast.For(iter=held, target=ast.Name() as target) if held is node:
            return _all_read(target, parent, callees, asked)
        case ast.Assign(targets=[ast.Name() as target]):
            return _all_read(target, callees.scope_of(parent), callees, asked)
    return False


def _all_read(target: ast.Name, inside: ast.AST, callees: Callees, asked: frozenset[ast.AST]) -> bool:
    nodes = walk_scope(inside) if hasattr(inside, "body") else ast.walk(inside)
    uses = [n for n in nodes if isinstance(n, ast.Name) and n.id == target.id and isinstance(n.ctx, ast.Load)]
    return bool(uses) and all(is_only_read(use, callees, asked) for use in uses)
