"""How a class is spelled at a reference, and what that does to the imports.

    from torch.nn import LazyLinear, ReLU          from torch.nn import Linear, ReLU
    head = LazyLinear(10)                     →     head = Linear(10)

All is decided on `ast` before anything is edited: `decide` says what stands at each reference, which names each import
statement then has, and which imports are new.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from lazygen.emit.names import Imported, ImportStatement, Names, Scope, Use, read_names
from lazygen.emit.positions import Positions
from lazygen.lift.plan import ReplaceName, Span
from lazygen.values import field, record, value


@value
class NewImport:
    """An import statement to write: behind or before the statement at `anchor`, or at its place if it goes."""

    text: str
    anchor: Span
    before: bool = False


@value
class Decisions:
    """What to write: the text at each reference, the names of each changed import, and new imports.

    A reference that is missing in `spellings` keeps what stands before its last name.  The names of a changed import
    are texts that are new and numbers of names that were there; none left means that the statement goes.
    """

    spellings: dict[Span, str]
    changed: dict[Span, tuple[str | int, ...]]
    added: tuple[NewImport, ...]


def decide(
    tree: ast.Module,
    positions: Positions,
    replacements: Iterable[ReplaceName],
    unneeded: Sequence[str] = (),
    deleted: Sequence[Span] = (),
) -> Decisions:
    """Decide about the names of one file; `tree` is its module as it was.

    Imports of the packages `unneeded` go where nothing uses them but statements that are `deleted`.
    """
    replacements = list(replacements)
    if not replacements and not unneeded:
        return Decisions({}, {}, ())
    decider = _Decider(tree, positions, read_names(tree), tuple(unneeded), tuple(deleted))
    for replacement in replacements:
        decider.replace(replacement)
    return decider.decisions()


@record
class _Decider:
    tree: ast.Module
    positions: Positions
    names: Names
    unneeded: tuple[str, ...] = ()
    deleted: tuple[Span, ...] = ()
    spellings: dict[Span, str] = field(default_factory=dict)
    replaced: list[Use] = field(default_factory=list)  # uses that are gone
    gained: list[tuple[Scope, str]] = field(default_factory=list)  # bindings that are used anew
    # What each statement gets: the new name and the number of the old one that it stands beside (None: in order).
    beside: dict[ImportStatement, list[tuple[int | None, str]]] = field(default_factory=dict)
    planned: dict[tuple[Scope, str], str] = field(default_factory=dict)  # what new imports bind, by scope and target
    new: list[tuple[str, int]] = field(default_factory=list)  # a new statement, and the line it must precede
    by_start: dict[tuple[int, int], Use] = field(default_factory=dict)

    def replace(self, replacement: ReplaceName) -> None:
        reference = replacement.reference
        use, path = self._read(reference)
        if use is None:
            return
        owner = use.scope.owner(use.node.id)
        imports = owner.imports(use.node.id) if owner else []
        if path and (not imports or _inside("torch", imports[0].target)):
            return
        target = f"{replacement.module}.{replacement.name}"
        spelled = None
        if owner and imports and not path:
            spelled = self._beside(replacement, target, use, owner, imports[0])
        if spelled is None:
            spelled = self._anew(replacement, target, use, bare=not path)
        self.spellings[reference] = spelled
        self.replaced.append(use)

    def decisions(self) -> Decisions:
        removed = self._removed()
        changed: dict[Span, tuple[str | int, ...]] = {}
        for statement in {**self.beside, **dict.fromkeys(statement for statement, _ in removed)}:
            names = self._names(statement, {index for other, index in removed if other is statement})
            changed[self.positions.span(statement)] = names
        added = [NewImport(text, *self._anchor(line, changed)) for text, line in self.new]
        return Decisions(self.spellings, changed, tuple(added))

    # -- references

    def _read(self, reference: Span) -> tuple[Use | None, list[str]]:
        """The use of the name that a reference begins with, and the attributes that follow it."""
        try:
            node: ast.expr = ast.parse(f"({self.positions.text(reference)})", mode="eval").body
        except SyntaxError:
            return None, []
        path: list[str] = []
        while isinstance(node, ast.Attribute):
            path.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None, path
        if not self.by_start:
            uses = (use for same in self.names.uses.values() for use in same)
            self.by_start.update((self.positions.start(use.node), use) for use in uses)
        use = self.by_start.get((reference.line, reference.column))
        return (use if use is not None and use.node.id == node.id else None), path

    # -- spellings

    def _beside(self, replacement: ReplaceName, target: str, use: Use, owner: Scope, imported: Imported) -> str | None:
        """A bare name that is imported from torch: the plain class is imported where the lazy one is."""
        if not _inside("torch", imported.target) or not isinstance(imported.statement, ast.ImportFrom):
            return None
        if (spelled := self._bound(target, use, owner)) is not None:
            return spelled
        if not _inside(replacement.module, imported.statement.module or ""):
            return None
        if self._free(replacement.name, use, owner):
            name, text = replacement.name, replacement.name
        elif (spelled := self._through_module(replacement, use)) is not None:
            return spelled
        else:
            name = self._alias(replacement.name)
            text = f"{replacement.name} as {name}"
        self.beside.setdefault(imported.statement, []).append((imported.index, text))
        self.planned[owner, target] = name
        # A second import of the lazy name, as in the branches of a `try`, must bring the plain one too.
        for other in owner.imports(imported.name):
            if other.statement is not imported.statement:
                self.beside.setdefault(other.statement, []).append((other.index, text))
        return name

    def _anew(self, replacement: ReplaceName, target: str, use: Use, bare: bool) -> str:
        """A reference that no import of torch's serves: in the style of the rest of the file."""
        module, name = replacement.module, replacement.name
        if (spelled := self._bound(target, use, self.names.module)) is not None:
            return spelled
        if bare and module in self.names.stars and use.scope.owner(name) is None:
            return name
        if (spelled := self._module_bound(module, use)) is not None:
            return f"{spelled}.{name}"
        statement = self._names_of(module, use)
        if statement is not None and self._free(name, use, self.names.module):
            self.beside.setdefault(statement, []).append((None, name))
            self.planned[self.names.module, target] = name
            return name
        parent, _, last = module.rpartition(".")
        dotted = self._through_module(replacement, use)
        if dotted is not None and self._written_through(dotted.removesuffix(f".{name}")):
            return dotted
        if self._free(last, use, self.names.module):
            self._new_import(f"from {parent} import {last}" if parent else f"import {last}", use)
            self.planned[self.names.module, module] = last
            return f"{last}.{name}"
        if dotted is not None:
            return dotted
        alias = self._alias(name)
        self._new_import(f"from {module} import {name} as {alias}", use)
        self.planned[self.names.module, target] = alias
        return alias

    def _through_module(self, replacement: ReplaceName, use: Use) -> str | None:
        """`nn.Linear` or `torch.nn.Linear`, if the file has such a name for the module or for one it is in."""
        module, rest = replacement.module, replacement.name
        while module:
            if (spelled := self._module_bound(module, use)) is not None:
                return f"{spelled}.{rest}"
            module, _, last = module.rpartition(".")
            rest = f"{last}.{rest}"
        return None

    def _module_bound(self, module: str, use: Use) -> str | None:
        return self._bound(module, use, self.names.module)

    def _bound(self, target: str, use: Use, home: Scope) -> str | None:
        """A name that means `target` where `use` stands, and from where it is taken as used."""
        for owner in (home, self.names.module):
            if (planned := self.planned.get((owner, target))) is not None:
                return planned
        scope: Scope | None = use.scope
        while scope is not None:
            for name in scope.bindings:
                imports = scope.imports(name)
                if not imports or imports[0].target != target or use.scope.owner(name) is not scope:
                    continue
                if scope is not use.scope or imports[0].statement.lineno < use.node.lineno:
                    self.gained.append((scope, name))
                    return name
            scope = scope.parent
        return None

    def _free(self, name: str, use: Use, home: Scope) -> bool:
        """Whether `home` can bind `name` anew, seen at `use`, without changing what any other use of it means."""
        if name in home.bindings or use.scope.owner(name) is not None:
            return False
        if any(bound == name for (_, target), bound in self.planned.items() if not target.endswith(f".{name}")):
            return False
        return next(self.names.uses_of(None, name), None) is None

    def _alias(self, name: str) -> str:
        taken = {bound for scope in self.names.scopes for bound in scope.bindings} | self.names.uses.keys()
        taken |= set(self.planned.values())
        candidates = (f"Torch{name}{number or ''}" for number in (0, *range(2, len(taken) + 3)))
        return next(candidate for candidate in candidates if candidate not in taken)

    def _names_of(self, module: str, use: Use) -> ast.ImportFrom | None:
        """The statement at the top of the file that imports names from `module`."""
        for statement in self.tree.body:
            if not isinstance(statement, ast.ImportFrom) or statement.level or statement.lineno > use.node.lineno:
                continue
            if statement.module == module and statement.names[0].name != "*":
                return statement
        return None

    def _written_through(self, prefix: str) -> bool:
        """Whether the file itself writes names through `torch.nn`, and so wants the next one written that way."""
        last = prefix.rpartition(".")[2]
        attributes = (node for node in ast.walk(self.tree) if isinstance(node, ast.Attribute) and node.attr == last)
        return any(ast.unparse(node) == prefix for node in attributes)

    def _new_import(self, text: str, use: Use) -> None:
        self.new.append((text, use.node.lineno))

    # -- statements

    def _removed(self) -> list[tuple[ImportStatement, int]]:
        """The imports that the replacements leave without a use."""
        gone = {id(use.node) for use in self.replaced}
        removed: list[tuple[ImportStatement, int]] = []
        seen: set[tuple[Scope, str]] = set()
        for use in self.replaced:
            name, owner = use.node.id, use.scope.owner(use.node.id)
            if owner is None or (owner, name) in seen or (owner, name) in self.gained:
                continue
            seen.add((owner, name))
            still = any(id(other.node) not in gone for other in self.names.uses_of(owner, name))
            imports = owner.imports(name)
            if not still and imports and not self.names.in_strings(name) and not any(i.reexported for i in imports):
                removed += [(imported.statement, imported.index) for imported in imports]
        return [*removed, *(item for item in self._unused(gone) if item not in removed)]

    def _unused(self, gone: set[int]) -> Iterator[tuple[ImportStatement, int]]:
        """The imports of unneeded packages that nothing uses, and their star imports."""
        for scope in self.names.scopes if self.unneeded else ():
            for name, bindings in scope.bindings.items():
                imports = [b for b in bindings if b is not None and b.target.partition(".")[0] in self.unneeded]
                uses = self.names.uses_of(scope, name) if imports else ()
                used = any(id(use.node) not in gone and not self._is_deleted(use) for use in uses)
                for imported in imports if not used and not self.names.in_strings(name) else ():
                    yield imported.statement, imported.index
        for node in ast.walk(self.tree) if self.unneeded else ():
            if not isinstance(node, ast.ImportFrom) or node.level or node.names[0].name != "*":
                continue
            if (node.module or "").partition(".")[0] in self.unneeded:
                yield node, 0

    def _is_deleted(self, use: Use) -> bool:
        at = self.positions.start(use.node)
        return any(span[:2] <= at < span[2:] for span in self.deleted)

    def _names(self, statement: ImportStatement, removed: set[int]) -> tuple[str | int, ...]:
        additions = self.beside.get(statement, [])
        names: list[str | int] = []
        for index in range(len(statement.names)):
            if index not in removed:
                names.append(index)
            names += [text for beside, text in additions if beside == index and text not in names]
        written = [alias.name for alias in statement.names]
        in_order = written == sorted(written, key=str.lower) or written == sorted(written)
        for text in (text for beside, text in additions if beside is None and text not in names):
            key = text.lower()
            later = (i for i, name in enumerate(names) if isinstance(name, int) and written[name].lower() > key)
            names.insert(next(later, len(names)) if in_order else len(names), text)
        return tuple(names)

    def _anchor(self, line: int, changed: dict[Span, tuple[str | int, ...]]) -> tuple[Span, bool]:
        """Where a person would put an import: beside torch's, else where another goes, else behind the last one."""
        before = [node for node in self.tree.body if (node.end_lineno or node.lineno) < line]
        imports = [node for node in before if isinstance(node, (ast.Import, ast.ImportFrom))]
        kept = [node for node in imports if changed.get(self.positions.span(node)) != ()]
        torch = [node for node in kept if _inside("torch", _module(node))]
        gone = [node for node in imports if node not in kept]
        for choice in (torch, gone[:1], imports):
            if choice:
                return self.positions.span(choice[-1]), False
        first = self.tree.body[0]
        if before and isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            return self.positions.span(first), False
        return self.positions.span(first), True


def _module(statement: ImportStatement) -> str:
    if isinstance(statement, ast.Import):
        return statement.names[0].name
    return "." * statement.level + (statement.module or "")


def _inside(module: str, path: str) -> bool:
    return path == module or path.startswith(f"{module}.")
