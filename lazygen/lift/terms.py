"""Says a size in the terms of a scope: with what its text can reach, and nothing else.

Symbols that the scope cannot reach are replaced by their definitions, step by step, no others.  So a size is
`channels` in a block and `width` in its caller, `cfg.width` in one class and `config.width` in the next.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

from lazygen.lift.tidy import tidied
from lazygen.symbolic.atoms import Atom, FloorDiv, Opaque, Symbol
from lazygen.symbolic.equalities import Equalities, equal_to
from lazygen.symbolic.expr import Expr, add, constant, multiply, of_atom, substitute, symbols_of
from lazygen.symbolic.text import Unprintable, to_text
from lazygen.trace.model import Frame
from lazygen.values import field, record, value


@value
class Said:
    """A size as source text; `expr` is over what the scope reaches."""

    text: str
    expr: Expr


@value
class Unsaid:
    """Why a scope cannot say a size: what it hangs on that lies outside."""

    outside: tuple[Symbol, ...]


@value
class Proven:
    """What one run proved of sizes: floor divisions that leave nothing, and sizes that have to be equal."""

    exact: Mapping[FloorDiv, Expr]
    equal: Equalities


@record
class Terms:
    """What one frame can say, made from its trace.

    `written` is the arithmetic of its text.  `loop_names` are the variables of the loops around, `counters` those
    that count: with `by_loop` a size of an earlier iteration is said by the counter of this one, and an element of a
    sequence by the variable that it is.  `last_values` are the texts of what the counters of loops that are over
    ended with.  With `opened` a choice is said as what it gave.
    """

    frame: Frame
    outer: tuple[Frame, ...]
    proven: Proven
    written: Iterable[ast.expr] = ()
    by_loop: bool = False
    loop_names: frozenset[str] = frozenset()
    counters: frozenset[str] = frozenset()
    last_values: Mapping[str, str] = field(default_factory=dict)
    opened: bool = False
    _names: dict[Symbol, str] = field(default_factory=dict)
    _owners: dict[int, str] = field(default_factory=dict)
    _aliases: list[tuple[str, Expr]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for entry in sorted(self.frame.reachable, key=lambda entry: not entry.text.isidentifier()):
            if entry.expr is None:
                self._owners.setdefault(entry.owner, entry.text)
                continue
            symbol = entry.expr.symbol
            if self._is_over(symbol):
                continue  # a loop that is over has no business here, though its variable lives on
            if symbol is not None:
                self._names.setdefault(symbol, entry.text)
            else:
                self._aliases.append((entry.text, entry.expr))
        if self.by_loop:
            for symbol in self._names:
                element = symbol.definition.symbol if symbol.kind == "loop" and symbol.definition is not None else None
                if element is not None:
                    self._elements[element] = symbol
        self._active = {frame.token for frame in self.outer} - {self.frame.token}
        self._held = {entry.owner for frame in self.outer for entry in frame.reachable if entry.owner}

    _elements: dict[Symbol, Symbol] = field(default_factory=dict)
    _active: set[int] = field(default_factory=set)
    _held: set[int] = field(default_factory=set)

    def say(self, size: Expr) -> Said | Unsaid:
        """The size as source text of this scope, or what stands in the way."""
        answer = self._say(size)
        return next(self.alternatives(size), answer) if isinstance(answer, Unsaid) else answer

    def alternatives(self, size: Expr) -> Iterator[Said]:
        """What else this scope can call a size, as it has to be equal to that for the model to run."""
        for other in (*equal_to(size, self.proven.equal), *self._in_equal_parts(size)):
            answer = self._say(other)
            if isinstance(answer, Said) and any(True for _ in symbols_of(answer.expr)):
                yield answer

    def _in_equal_parts(self, size: Expr) -> Iterator[Expr]:
        """The size with one of its symbols replaced by what that has to be equal to."""
        for symbol in symbols_of(size) if size.symbol is None else ():
            for other in equal_to(of_atom(symbol), self.proven.equal):
                yield substitute(size, lambda atom, old=symbol, new=other: new if atom is old else None)  # type: ignore[misc]

    def _say(self, size: Expr) -> Said | Unsaid:
        outside: dict[Symbol, None] = {}
        expr = self._rewritten(size, outside)
        if outside:
            return Unsaid(tuple(outside))
        try:
            return Said(self._text(expr), expr)
        except Unprintable:
            return Unsaid(tuple(symbols_of(expr)))

    def name_of(self, atom: Atom) -> str | None:
        """The text of a symbol or an opaque atom in this scope; None if it cannot be said."""
        if isinstance(atom, Symbol):
            known = self._names.get(atom)
            if known is None and atom.owner in self._owners and atom.kind in ("attribute", "element"):
                owner = self._owners[atom.owner]
                return f"{owner}.{atom.text}" if atom.kind == "attribute" else f"{owner}[{_quoted(atom.text)}]"
            return known
        return self._opaque_text(atom) if isinstance(atom, Opaque) else None

    def _opaque_text(self, atom: Opaque) -> str | None:
        replaced: dict[str, str] = {}
        for path, argument in atom.arguments:
            if path.startswith("*"):
                continue
            if isinstance(argument, Expr):
                try:
                    replaced[path] = self._text(argument)
                except Unprintable:
                    return None
            elif argument in self._owners:
                replaced[path] = self._owners[argument]
            else:
                return None
        return _with_paths(atom.text, replaced)

    def _rewritten(self, size: Expr, outside: dict[Symbol, None]) -> Expr:
        memo: dict[Expr, Expr] = {}

        def change(atom: Atom) -> Expr | None:
            if isinstance(atom, FloorDiv):
                quotient = self.proven.exact.get(atom)
                return None if quotient is None else substitute(quotient, change, memo)
            if isinstance(atom, Opaque):
                return self._rewritten_opaque(atom, outside)
            if isinstance(atom, Symbol) and atom.kind == "loop":
                counted = self._by_counter(atom)
                if counted is not None:
                    return counted
            if isinstance(atom, Symbol) and atom in self._elements:
                return of_atom(self._elements[atom])
            if not isinstance(atom, Symbol) or self.name_of(atom) is not None:
                return None
            if atom.owner == self.frame.token and (solved := self._from_later(atom)) is not None:
                return solved
            if atom.definition is None:
                return self._equal(atom) or constant(atom.value)
            if self._lies_outside(atom):
                inner: dict[Symbol, None] = {}
                rewritten = self._rewritten(atom.definition, inner)
                if inner or not any(True for _ in symbols_of(rewritten)):
                    equal = self._equal(atom)
                    if equal is None:
                        outside[atom] = None
                    return equal or constant(atom.value)
                return rewritten
            return self._rewritten(atom.definition, outside)

        return substitute(size, change, memo)

    def _equal(self, atom: Symbol) -> Expr | None:
        """What this scope calls a size that comes from outside, but has to be one of its own for the model to run."""
        if self._asking:
            return None
        self._asking = True
        try:
            for other in equal_to(of_atom(atom), self.proven.equal):
                outside: dict[Symbol, None] = {}
                expr = self._rewritten(other, outside)
                if not outside and any(self.name_of(symbol) is not None for symbol in symbols_of(expr)):
                    return expr
        finally:
            self._asking = False
        return None

    _asking: bool = False

    def _from_later(self, atom: Symbol) -> Expr | None:
        """What a name held before it was reassigned, by what it holds now: `width // 2` after `width *= 2`."""
        if not self._later:
            for symbol in [symbol for symbol in self._names if symbol.owner == self.frame.token]:
                self._go_back(of_atom(symbol), symbol.definition)
            for text, alias in self._aliases:
                if text.isidentifier():
                    now = Symbol(-1, "local", text, alias.value, self.frame.token)
                    self._names[now] = text
                    self._go_back(of_atom(now), alias)
        return self._later.get(atom)

    def _go_back(self, now: Expr, before: Expr | None) -> None:
        """Learn that `now` is `before`, which is linear in what one name held, and so on to what that was made of."""
        while before is not None:
            number = before.terms.get((), 0)
            (monomial, factor), *others = [item for item in before.terms.items() if item[0]] or [((), 1)]
            if others or len(monomial) != 1 or monomial[0][1] != 1:
                return
            symbol = monomial[0][0]
            if not isinstance(symbol, Symbol) or symbol in self._names or symbol.owner != self.frame.token:
                return
            now = multiply(add(now, _number(number), -1), _number(Fraction(1) / factor))
            self._later.setdefault(symbol, now)
            before = symbol.definition

    _later: dict[Symbol, Expr] = field(default_factory=dict)

    def _by_counter(self, atom: Symbol) -> Expr | None:
        """A loop's counter in another iteration: `i - 1`; of a loop that is over, what it ended with."""
        if atom.owner != self.frame.token:
            return None
        if self.by_loop and atom.text in self.counters:
            now = next((symbol for symbol, name in self._names.items() if name == atom.text), None)
            if now is not None and now is not atom:
                return add(of_atom(now), constant(atom.value - now.value))
        last = self.last_values.get(atom.text)
        if last is not None and atom.text not in self.loop_names:
            ended = Symbol(-1, "loop", last, atom.value, self.frame.token)
            self._names[ended] = last
            return of_atom(ended)
        return None

    def _rewritten_opaque(self, atom: Opaque, outside: dict[Symbol, None]) -> Expr | None:
        if self.opened and atom.definition is not None:
            return self._rewritten(atom.definition, outside)
        inner: dict[Symbol, None] = {}
        # What an object hangs on need not be said where the object can be.
        held = {f"*{path}" for path, argument in atom.arguments if argument in self._owners}
        arguments = tuple(
            (path, self._rewritten(a, inner) if isinstance(a, Expr) and path.partition("[")[0] not in held else a)
            for path, a in atom.arguments
        )
        if not inner and not any(isinstance(a, Expr) and a.constant is None for _, a in arguments):
            return constant(atom.value)
        rewritten = Opaque(atom.text, arguments, atom.value)
        if not inner and self._opaque_text(rewritten) is not None:
            return of_atom(rewritten)
        if atom.definition is not None:
            return self._rewritten(atom.definition, outside)
        outside.update(inner or {s: None for _, a in arguments if isinstance(a, Expr) for s in symbols_of(a)})
        return constant(atom.value)

    def _lies_outside(self, symbol: Symbol) -> bool:
        """Whether a symbol belongs to a caller of this scope: an argument or loop of a running function, or an object
        it holds.
        """
        if symbol.kind in ("attribute", "element") and symbol.owner in self._held:
            return True
        return symbol.owner in self._active and symbol.kind != "global"

    def _text(self, expr: Expr) -> str:
        if expr.symbol is None and expr.constant is None:
            for text, alias in self._aliases:
                if alias == expr or self._rewritten(alias, {}) == expr:
                    return text
            for symbol, name in self._names.items():
                made = symbol.definition if symbol.kind == "local" else None
                if made is not None and made.constant is None and self._rewritten(made, {}) == expr:
                    return name
            named = {said: of_atom(symbol) for symbol in symbols_of(expr) if (said := self.name_of(symbol)) is not None}
            for node in self.written:
                if self._evaluated(node, named) == expr:
                    return ast.unparse(node)
        text = to_text(expr, self.name_of)
        return tidied(text) if "* (" in text else text

    def _evaluated(self, node: ast.expr, named: Mapping[str, Expr]) -> Expr | None:
        """An arithmetic expression of the source, over what its names are here; None if one of them is no size."""
        from lazygen.symbolic import expr as algebra

        if isinstance(node, ast.Constant):
            return constant(node.value) if type(node.value) is int else None
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            text = _path(node)
            return self._by_text().get(text) or named.get(text)
        if isinstance(node, ast.BinOp):
            left, right = self._evaluated(node.left, named), self._evaluated(node.right, named)
            if left is None or right is None:
                return None
            if isinstance(node.op, ast.Add):
                return algebra.add(left, right)
            if isinstance(node.op, ast.Sub):
                return algebra.add(left, right, -1)
            if isinstance(node.op, ast.Mult):
                return algebra.multiply(left, right)
            if isinstance(node.op, ast.FloorDiv) and right.value:
                return algebra.floor_divide(left, right)
        return None

    def _is_over(self, symbol: Symbol | None) -> bool:
        """Whether a symbol is the variable of a loop that is over."""
        return symbol is not None and symbol.kind == "loop" and symbol.text.partition("[")[0] not in self.loop_names

    def _by_text(self) -> dict[str, Expr]:
        if not self._texts:
            found = {
                entry.text: self._rewritten(entry.expr, {})
                for entry in self.frame.reachable
                if entry.expr is not None and not self._is_over(entry.expr.symbol)
            }
            found.update({text: of_atom(symbol) for symbol, text in self._names.items()})
            self._texts.update(found)
        return self._texts

    _texts: dict[str, Expr] = field(default_factory=dict)


@lru_cache(maxsize=1024)
def _path(node: ast.expr) -> str:
    """The text of a name, an attribute or an element; every scope asks for those of the file's arithmetic."""
    return ast.unparse(node)


def _number(value: int | Fraction) -> Expr:
    whole = Fraction(value)
    return Expr({(): int(whole) if whole.denominator == 1 else whole} if value else {})


def _quoted(key: str) -> str:
    return f'"{key[1:-1]}"' if key.startswith("'") and '"' not in key else key


def _with_paths(text: str, replaced: Mapping[str, str]) -> str:
    """The text of an opaque expression, its paths said as they are called here."""
    if all(path == said for path, said in replaced.items()):
        return text

    class Renamer(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            if isinstance(node, ast.expr):
                said = (
                    replaced.get(ast.unparse(node))
                    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript))
                    else None
                )
                if said is not None:
                    return ast.parse(said, mode="eval").body
            return self.generic_visit(node)

    return tidied(ast.unparse(Renamer().visit(ast.parse(text, mode="eval").body)))
