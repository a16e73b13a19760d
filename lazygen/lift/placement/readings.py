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


def is_only_read(call: ast.Call, callees: Callees) -> bool:
    """Whether the tensor that a call makes goes nowhere but into numbers."""
    return _is_read(call, callees)


def _is_read(node: ast.AST, callees: Callees) -> bool:
    parent = callees.syntax.parent(node)
    match parent:
        case ast.Attribute(attr=name) if name in _READS:
            return True
        case ast.Attribute():  # a method of it: what that gives
            outer = callees.syntax.parent(parent)
            return isinstance(outer, ast.Call) and outer.func is parent and _is_read(outer, callees)
        case ast.Subscript(value=held) if held is node:
            return _is_read(parent, callees)
        case ast.Call(func=ast.Name(id=name)) if name in _NUMBERS and node is not parent.func:
            return True
        case ast.comprehension(iter=held, target=target) if held is node:
            around = callees.syntax.parent(parent)
            return around is not None and _all_read(target, around, callees)
        case ast.For(iter=held, target=target) if held is node:
            return _all_read(target, parent, callees)
        case ast.Assign(targets=[ast.Name() as target]):
            return _all_read(target, callees.scope_of(parent), callees)
    return False


def _all_read(target: ast.expr, inside: ast.AST, callees: Callees) -> bool:
    if not isinstance(target, ast.Name):
        return False
    nodes = walk_scope(inside) if hasattr(inside, "body") else ast.walk(inside)
    uses = [n for n in nodes if isinstance(n, ast.Name) and n.id == target.id and isinstance(n.ctx, ast.Load)]
    return bool(uses) and all(_is_read(use, callees) for use in uses)
