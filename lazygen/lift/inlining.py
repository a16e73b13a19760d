"""Definitions of other modules that hold lazy layers are written into the file that uses them.

    from blocks import Block            ->      class Block(nn.Module): ...

    net = nn.Sequential(Block(16), ...)         net = nn.Sequential(Block(3, 16), ...)

A file is converted by itself, and what it imports stays as it is; so a class whose sizes have to be filled in must
stand in the file.  Only what the imported names need comes along, comments included.  Of an installed package only
what holds lazy layers does, and the rest is imported from there.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from pathlib import Path

from lazygen.diagnostics import Diagnostic, Refused
from lazygen.frontend import slice
from lazygen.frontend.facts import facts
from lazygen.frontend.parse import split_lines
from lazygen.frontend.references import references
from lazygen.lift import packages
from lazygen.lift.dotted import ImportStatement, Use, imports, lazy_uses, unused
from lazygen.lift.faults import made_elsewhere
from lazygen.lift.imported import Module, Modules, first_line, names_read, respelled
from lazygen.lift.plan import DeleteStatement, Edit, InsertStatements, Plan, ReplaceExpression
from lazygen.lift.syntax import Syntax

_FUTURE = "from __future__ import annotations"


def may_have(tree: ast.Module) -> bool:
    """Whether it is worth looking: an import of something that is neither torch nor the standard library."""
    return bool(packages.imported(tree)) or any(isinstance(node, ast.ImportFrom) and node.level for node in tree.body)


def rewritten(syntax: Syntax, location: Path, installed: Collection[str] | None = None) -> Plan | None:
    """The edits that write definitions with lazy layers into the file at `location` that it imports, from the project's
    modules and from `installed` packages; None if there are none.

    Packages are those that a run showed to make lazy layers.  Without any, a file that has no lazy layer of its own is
    looked at for such whose classes it imports.  Raises Refused (LZ308) if a name of theirs means something else in
    the file.
    """
    guessed = installed is None and not references(syntax.tree)
    modules = Modules(packages.imported(syntax.tree) if guessed else installed or (), guessed=guessed)
    found = _imported(syntax.tree, modules, location)
    uses = lazy_uses(syntax.tree, modules, location)
    if not found and not uses:
        return None
    writer = _Writer(syntax, location, modules)
    gone = _given_up(syntax.tree, found, uses)
    for aliases in gone.values():
        writer.give_up(aliases)
    edits: list[Edit] = [ReplaceExpression(syntax.span(use.node), use.name) for use in uses]
    definitions: dict[ast.stmt, list[str]] = {}
    for statement, aliases in gone.items():
        lazy = [(module, alias) for module, alias in found.get(statement, ())]
        lazy += [(use.module, ast.alias(use.name)) for use in uses if use.statement is statement]
        lines, parts = writer.written(lazy, statement)
        lines = [*(_rest(statement, aliases) if aliases else ()), *lines]
        if lines:
            edits.append(InsertStatements(syntax.span(statement), "\n".join(lines) + "\n", before=bool(aliases)))
        if aliases:
            edits.append(DeleteStatement(syntax.span(statement)))
        definitions.setdefault(_last_of_imports(syntax.tree, statement), []).extend(parts)
    for anchor, parts in definitions.items():
        if parts:
            edits.append(InsertStatements(syntax.span(anchor), "\n\n\n".join(parts) + "\n", before=False))
    if writer.needs_future and not _is_future(syntax.tree):
        edits.insert(0, InsertStatements(syntax.span(_first(syntax.tree)), _FUTURE + "\n"))
    return Plan(tuple(edits))


def _imported(
    tree: ast.Module, modules: Modules, location: Path
) -> dict[ImportStatement, list[tuple[Module, ast.alias]]]:
    """The names with lazy layers that a file imports from modules, by statement."""
    read = set(names_read(tree.body)) | _exported(tree)
    found: dict[ImportStatement, list[tuple[Module, ast.alias]]] = {}
    for statement in imports(tree):
        module = modules.imported(statement, location)
        if module is not None:
            lazy = [a for a in modules.aliases(statement, module, read) if modules.holds_lazy(module, a.name)]
            if lazy:
                found[statement] = [(module, alias) for alias in lazy]
    return found


def _given_up(
    tree: ast.Module, found: Mapping[ImportStatement, list[tuple[Module, ast.alias]]], uses: list[Use]
) -> dict[ImportStatement, list[ast.alias]]:
    """What the imports in question bring no longer, in the order of the text."""
    gone: dict[ImportStatement, list[ast.alias]] = {}
    for statement in imports(tree):
        through = [use for use in uses if use.statement is statement]
        if statement in found or through:
            gone[statement] = [alias for _, alias in found.get(statement, ())]
            modules = {id(use.alias): use.alias for use in through}
            gone[statement] += [alias for alias in modules.values() if unused(tree, uses, alias)]
    return gone


def stays_lazy(syntax: Syntax, location: Path) -> Diagnostic | None:
    """What is wrong with a file without lazy layers that calls a lazy class as `blocks.Block`, in another file."""
    for use in lazy_uses(syntax.tree, Modules(), location, surely=False):
        return made_elsewhere("lazy layers", use.module.path.name, syntax.place(use.node))
    return None


class _Writer:
    """Collects definitions, and what each name of the output means, so that none gets two meanings."""

    def __init__(self, syntax: Syntax, location: Path, modules: Modules) -> None:
        self.needs_future = False
        self._syntax, self._location, self._modules = syntax, location, modules
        self._own = dict.fromkeys(facts(syntax.tree).binders, "")
        for statement in imports(syntax.tree):
            self._own.update(self._meanings(statement, location))
        self._by_import = {name for statement in imports(syntax.tree) for name in self._meanings(statement, location)}
        self._imported = {ast.unparse(_with_names(s, [a])) for s in imports(syntax.tree) for a in s.names}
        self._done: set[tuple[Path, int]] = set()

    def give_up(self, names: list[ast.alias]) -> None:
        """Names that are not imported any more."""
        for alias in names:
            self._own.pop(alias.asname or alias.name, None)
            self._by_import.discard(alias.asname or alias.name)

    def written(self, lazy: list[tuple[Module, ast.alias]], at: ImportStatement) -> tuple[list[str], list[str]]:
        """The imports and definitions for names of modules, without those that the output has already."""
        imports: list[str] = []
        parts: list[str] = []
        for module, alias in lazy:
            self._take(module, alias, at, imports, parts)
        return _joined(imports), parts

    def _take(
        self, module: Module, alias: ast.alias, at: ImportStatement, imports: list[str], parts: list[str]
    ) -> None:
        wanted = slice.needed(module.tree, [alias.name])
        uses = self._uses(module, wanted, at)
        read = {alias.name, *names_read(wanted)} - _unread(wanted, uses)
        for statement in wanted:
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                self.needs_future |= any(name.name == "annotations" for name in statement.names)
            elif isinstance(statement, (ast.Import, ast.ImportFrom)):
                self._take_import(module, statement, read, at, imports, parts)
            elif (module.path, statement.lineno) not in self._done:
                self._done.add((module.path, statement.lineno))
                touched = {bound: f"{module.path}:{bound}" for bound in facts(ast.Module([statement], [])).binders}
                if module.installed and not any(self._modules.holds_lazy(module, bound) for bound in touched):
                    names = [ast.alias(bound) for bound in touched if bound in read]
                    self._take_import(module, ast.ImportFrom(module.dotted, names, 0), read, at, imports, parts)
                    continue
                if touched and all(name in self._by_import and self._own[name] == touched[name] for name in touched):
                    continue  # the file imports it itself
                for bound, meaning in touched.items():
                    self._claim(bound, meaning, module, at)
                inside = [use for use in uses if use.node in set(ast.walk(statement))]
                for use in inside:
                    self._take(use.module, ast.alias(use.name), at, imports, parts)
                parts.append(_text_of(module, statement, inside))
        if alias.asname not in (None, alias.name):
            meaning = f"{module.path}:{alias.name} again"
            if self._claim(alias.asname or "", meaning, module, at):
                parts.append(f"{alias.asname} = {alias.name}")

    def _uses(self, module: Module, wanted: list[ast.stmt], at: ImportStatement) -> list[Use]:
        """What statements of a module read through another one, and has to be written too."""
        uses = lazy_uses(ast.Module(wanted, []), self._modules, module.path)
        if len(uses) < len(lazy_uses(ast.Module(wanted, []), self._modules, module.path, surely=False)):
            raise Refused(made_elsewhere("lazy layers", module.path.name, self._syntax.place(at)))
        return uses

    def _take_import(
        self, module: Module, statement: ImportStatement, read: set[str], at: ImportStatement,
        imports: list[str], parts: list[str],
    ) -> None:  # fmt: skip
        if isinstance(statement, ast.ImportFrom):
            names = list(statement.names)
            inner = self._modules.imported(statement, module.path)
            if inner is not None:
                names = list(self._modules.aliases(statement, inner, read))
                for alias in [name for name in names if self._modules.holds_lazy(inner, name.name)]:
                    self._take(inner, alias, at, imports, parts)
                    names.remove(alias)
            statement = ast.ImportFrom(statement.module, names, statement.level)
            statement = respelled(statement, module, self._location, relative=getattr(at, "level", 0) > 0)
        for alias in statement.names:
            bound = alias.asname or (
                alias.name if isinstance(statement, ast.ImportFrom) else alias.name.partition(".")[0]
            )
            if alias.name != "*" and bound not in read:
                continue
            one = _with_names(statement, [alias])
            meanings = self._meanings(one, self._location)
            new = [name for name, meaning in meanings.items() if self._claim(name, meaning, module, at)]
            self._by_import.update(new)
            text = ast.unparse(one)
            if new or (_binds_more(one) and text not in self._imported):
                self._imported.add(text)
                imports.append(text)

    def _meanings(self, statement: ImportStatement, location: Path) -> dict[str, str]:
        """What each name means that an import of the file at `location` binds."""
        if isinstance(statement, ast.Import):
            roots = {a.name.partition(".")[0] for a in statement.names if not a.asname}
            return {**{root: root for root in roots}, **{a.asname: a.name for a in statement.names if a.asname}}
        before = f"{'.' * statement.level}{statement.module or ''}"
        return {
            alias.asname or alias.name: self._modules.origin(statement, alias, location) or f"{before}.{alias.name}"
            for alias in statement.names
            if alias.name != "*"
        }

    def _claim(self, name: str, meaning: str, module: Module, at: ast.stmt) -> bool:
        """Whether a name is new; that it means something else is refused."""
        if name not in self._own:
            self._own[name] = meaning
            return True
        if self._own[name] != meaning:
            raise Refused(
                Diagnostic(
                    "LZ308",
                    f"{module.path.name} holds lazy layers, and its {name} cannot be written here: the name is taken",
                    self._syntax.place(at),
                    helps=(f"give one of the two another name, or write the sizes into {module.path.name}",),
                )
            )
        return False


def _rest(statement: ImportStatement, lazy: list[ast.alias]) -> list[str]:
    """The import without what is written into the file; a star stays."""
    rest = [alias for alias in statement.names if alias not in lazy]
    return [ast.unparse(_with_names(statement, rest))] if rest else []


def _last_of_imports(tree: ast.Module, statement: ast.stmt) -> ast.stmt:
    """The last of the imports that stand together with one."""
    for following in tree.body[tree.body.index(statement) + 1 :]:
        if not isinstance(following, (ast.Import, ast.ImportFrom)):
            break
        statement = following
    return statement


def _unread(wanted: list[ast.stmt], uses: list[Use]) -> set[str]:
    """The names of modules that nothing reads once these expressions say the definitions' own names."""
    gone = [use.alias for use in uses if unused(ast.Module(wanted, []), uses, use.alias)]
    return {(alias.asname or alias.name).partition(".")[0] for alias in gone}


def _text_of(module: Module, statement: ast.stmt, uses: list[Use]) -> str:
    """The source of a statement with the comments above it, what it reads through modules by its own name."""
    lines = split_lines(module.text)
    for use in reversed(uses):
        node, line = use.node, lines[use.node.lineno - 1].encode()
        last = lines[(node.end_lineno or node.lineno) - 1].encode()
        lines[node.lineno - 1] = (line[: node.col_offset] + use.name.encode() + last[node.end_col_offset :]).decode()
        for number in range(node.lineno, node.end_lineno or node.lineno):
            lines[number] = ""
    start = first_line(statement) - 1
    while start > 0 and lines[start - 1].startswith("#") and not lines[start - 1].startswith("#!"):
        start -= 1
    text = "".join(lines[start : statement.end_lineno]).replace("\r\n", "\n").rstrip("\n")
    name = getattr(statement, "name", None)
    if not module.installed or name is None:
        return text
    return f"# {name} of {module.dotted}, copied so that its sizes can be written out.\n{text}"


def _with_names(statement: ImportStatement, names: list[ast.alias]) -> ImportStatement:
    if isinstance(statement, ast.Import):
        return ast.Import(names)
    return ast.ImportFrom(statement.module, names, statement.level)


def _joined(imports: list[str]) -> list[str]:
    """The imports, those from one module as one, its names in their order."""
    names: dict[str, list[str]] = {}
    for text in imports:
        before, found, after = text.partition(" import ")
        names.setdefault(before if found and before.startswith("from ") else text, []).append(after)
    return [f"{before} import {', '.join(sorted(after))}" if after[0] else before for before, after in names.items()]


def _binds_more(statement: ImportStatement) -> bool:
    """Whether an import does more than to bind its name: a star, or `import a.b`, which loads `b` too."""
    alias = statement.names[0]
    return alias.name == "*" or (isinstance(statement, ast.Import) and "." in alias.name and not alias.asname)


def _exported(tree: ast.Module) -> set[str]:
    """The names that imports bind for others, which this file need not read."""
    return {alias.asname or alias.name for statement in imports(tree) for alias in statement.names}


def _is_future(tree: ast.Module) -> bool:
    futures = [s for s in tree.body if isinstance(s, ast.ImportFrom) and s.module == "__future__"]
    return any(alias.name == "annotations" for statement in futures for alias in statement.names)


def _first(tree: ast.Module) -> ast.stmt:
    """The first statement that is no docstring."""
    return tree.body[1] if ast.get_docstring(tree) is not None and len(tree.body) > 1 else tree.body[0]
