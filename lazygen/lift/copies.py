"""Classes of a file for one set of sizes, where something wants a class and takes no `partial` for one.

registry.add(Block)          ->          class Block2(Block):
                                             def __init__(self, width):
                                                 super().__init__(3, width)

                                         registry.add(Block2)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import count

from lazygen.lift.demands import Demand
from lazygen.lift.plan import Edit, NewArgument, ReplaceExpression, SmallModule, WriteModules
from lazygen.lift.specialise import reference
from lazygen.lift.syntax import Function, Syntax
from lazygen.lift.twins import target_name


class Copies:
    """Subclasses that give their sizes to the class that they stand for; one for equal sizes of one class."""

    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax
        self._names: dict[tuple[str, tuple[NewArgument, ...]], str] = {}
        self._written: list[tuple[ast.stmt, bool, SmallModule]] = []
        nodes = list(ast.walk(syntax.tree))
        self._taken = {getattr(node, "id", getattr(node, "name", None)) for node in nodes}

    def edit(self, node: ast.expr, arguments: Sequence[NewArgument], plain: str | None) -> Edit:
        """The edit that lets an expression be the subclass; `plain` is the plain class that a lazy one becomes."""
        base = self._syntax.segment(node)
        base = base if plain is None else base.removesuffix(target_name(node)) + plain
        key = base, tuple(arguments)
        if key not in self._names:
            stem = plain or target_name(node)
            name = next(name for number in count(2) if (name := f"{stem}{number}") not in self._taken)
            self._taken.add(name)
            self._names[key] = name
            self._written.append((*self._anchor(node, plain), self._class(name, base, node, arguments)))
        return ReplaceExpression(self._syntax.span(node), self._names[key])

    def classes(self) -> Iterator[Edit]:
        """The classes, each behind the one that it stands for."""
        anchors = list(dict.fromkeys((anchor, before) for anchor, before, _ in self._written))
        for anchor, before in anchors:
            modules = [module for other, _, module in self._written if other is anchor]
            yield WriteModules(self._syntax.span(anchor), tuple(modules), before)

    def _anchor(self, node: ast.expr, plain: str | None) -> tuple[ast.stmt, bool]:
        own = self._syntax.classes.get(target_name(node)) if plain is None else None
        if own is not None:
            return own, False
        statement = next(s for s in self._syntax.tree.body if any(inner is node for inner in ast.walk(s)))
        return statement, True

    def _class(self, name: str, base: str, node: ast.expr, arguments: Sequence[NewArgument]) -> SmallModule:
        own = self._syntax.classes.get(target_name(node))
        constructor = next((s for s in own.body if _is_constructor(s)), None) if own is not None else None
        signature, given = _signature(constructor) if isinstance(constructor, ast.FunctionDef) else _ANY
        firsts = [new.text for new in arguments if new.index is not None]
        keywords = [f"{new.name}={new.text}" for new in arguments if new.index is None]
        sizes = ", ".join(f"{new.name}={new.text}" for new in arguments)
        values = (
            ("base", base),
            ("sizes", sizes),
            ("signature", signature),
            ("given", ", ".join([*firsts, *given, *keywords])),
        )
        return SmallModule(name, "specialised_class", "nn", "torch", values)


def stands_for_a_class(syntax: Syntax, demand: Demand) -> bool:
    """Whether a demand is about an expression that is a class: one of the file, or a lazy one by its module."""
    node = reference(syntax, demand)
    if isinstance(node, ast.Attribute) and demand.occurrences[0].frame.call == demand.layer.site:
        return True
    return node is not None and target_name(node) in syntax.classes


_ANY = ("self, *args, **kwargs", ["*args", "**kwargs"])


def _is_constructor(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.FunctionDef) and statement.name == "__init__"


def _signature(function: Function) -> tuple[str, list[str]]:
    """The parameters of a constructor, and how they are passed on."""
    args = function.args
    given = [argument.arg for argument in (*args.posonlyargs, *args.args)][1:]
    given += [f"*{args.vararg.arg}"] if args.vararg is not None else []
    given += [f"{argument.arg}={argument.arg}" for argument in args.kwonlyargs]
    given += [f"**{args.kwarg.arg}"] if args.kwarg is not None else []
    return ast.unparse(args), given
