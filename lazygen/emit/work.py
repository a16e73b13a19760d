"""Which node of the tree each edit is about, and the way to it."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from lazygen.emit.imports import Decisions, NewImport
from lazygen.emit.positions import Positions
from lazygen.emit.walk import Walk
from lazygen.lift.plan import (
    AddArguments,
    AddParameter,
    DeleteStatement,
    DropArgument,
    Edit,
    InsertStatements,
    NewArgument,
    Plan,
    ReplaceExpression,
    ReplaceName,
    Span,
    UnwrapWith,
    WriteClass,
    WriteGraph,
    WriteModules,
    WriteTemplate,
)
from lazygen.values import field, record

ExpressionEdit = AddArguments | DropArgument | ReplaceName | ReplaceExpression
StatementEdit = AddParameter | InsertStatements | DeleteStatement | UnwrapWith


class Contradiction(Exception):
    """Two edits of a plan that cannot both be made."""

    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.span = span


class OtherText(Exception):
    """A tree that does not give its text back; `code` is what it gives."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@record
class Work:
    """The edits of a file by node.

    `path` holds the nodes with an edit and all around them, `owners` the class of each method that gets a parameter,
    `starts` the offset at which each statement begins, and `missing` the spans at which there is no such node.
    """

    calls: dict[cst.CSTNode, list[NewArgument]] = field(default_factory=dict)
    dropped: dict[cst.CSTNode, list[DropArgument]] = field(default_factory=dict)
    names: dict[cst.CSTNode, tuple[str | None, str]] = field(default_factory=dict)
    expressions: dict[cst.CSTNode, str] = field(default_factory=dict)
    parameters: dict[cst.CSTNode, list[AddParameter]] = field(default_factory=dict)
    owners: dict[cst.CSTNode, cst.ClassDef] = field(default_factory=dict)
    inserted: dict[cst.CSTNode, list[InsertStatements]] = field(default_factory=dict)
    deleted: set[cst.CSTNode] = field(default_factory=set)
    silenced: set[cst.CSTNode] = field(default_factory=set)  # of these the statements that take their comments along
    unwrapped: dict[cst.CSTNode, tuple[int, ...]] = field(default_factory=dict)
    imports: dict[cst.CSTNode, tuple[str | int, ...]] = field(default_factory=dict)
    added: tuple[NewImport, ...] = ()
    spans: dict[cst.CSTNode, Span] = field(default_factory=dict)
    path: set[cst.CSTNode] = field(default_factory=set)
    starts: dict[cst.CSTNode, int] = field(default_factory=dict)
    missing: list[Span] = field(default_factory=list)

    @classmethod
    def find(cls, module: cst.Module, text: str, plan: Plan, decisions: Decisions, positions: Positions) -> Work:
        """Look up the nodes of all edits in one pass over the tree.

        Raises `Contradiction` for edits that take each other's place away, `OtherText` if the tree is not the text's.
        """
        work = cls(added=decisions.added)
        finder = _Finder(work, decisions, positions, text)
        for edit in plan.edits:
            finder.want(edit)
        walk = Walk(module, text, finder.expression, finder.statement)
        work.starts = walk.starts
        work.missing = finder.left()
        if walk.code != text:
            raise OtherText(walk.code)
        work._check(finder.around)
        return work

    def _check(self, around: dict[cst.CSTNode, Sequence[cst.CSTNode]]) -> None:
        """Statements cannot be written inside what goes, nor can a statement both go and leave its body."""
        for node, nodes in around.items():
            if any(outer in self.deleted for outer in nodes):
                raise Contradiction(self.spans[node])
        for node in self.unwrapped:
            if node in self.deleted:
                raise Contradiction(self.spans[node])


class _Finder:
    def __init__(self, work: Work, decisions: Decisions, positions: Positions, text: str) -> None:
        self.work = work
        self.decisions = decisions
        self.positions = positions
        self.expressions: dict[tuple[int, int], list[ExpressionEdit]] = {}
        self.statements: dict[int, list[StatementEdit]] = {}
        # The two parsers agree on where a statement starts, which is all that an import needs.
        self.imports = {positions.offset(span.line, span.column): names for span, names in decisions.changed.items()}
        self.around: dict[cst.CSTNode, Sequence[cst.CSTNode]] = {}

    def want(self, edit: Edit) -> None:
        match edit:
            case AddArguments(span) | DropArgument(span) | ReplaceName(span) | ReplaceExpression(span):
                start = self.positions.offset(span.line, span.column)
                end = self.positions.offset(span.end_line, span.end_column)
                self.expressions.setdefault((start, end), []).append(edit)
            case AddParameter(span) | InsertStatements(span) | DeleteStatement(span) | UnwrapWith(span):
                self.statements.setdefault(self.positions.offset(span.line, span.column), []).append(edit)

    def expression(self, node: cst.CSTNode, start: int, end: int, stack: Sequence[cst.CSTNode]) -> None:
        edits = self.expressions.get((start, end))
        if edits is None:
            return
        left = [edit for edit in edits if not self._take_expression(node, edit)]
        if len(left) == len(edits):
            return
        self._note(node, span_of(edits[0]), stack)
        if left:
            self.expressions[start, end] = left
        else:
            del self.expressions[start, end]

    def _take_expression(self, node: cst.CSTNode, edit: ExpressionEdit) -> bool:
        work = self.work
        match edit:
            case AddArguments(_, arguments) if isinstance(node, cst.Call):
                work.calls.setdefault(node, []).extend(arguments)
            case DropArgument() if isinstance(node, cst.Call):
                work.dropped.setdefault(node, []).append(edit)
            case ReplaceName(reference, _, name) if isinstance(node, (cst.Name, cst.Attribute)):
                work.names[node] = (self.decisions.spellings.get(reference), name)
            case ReplaceExpression(span, text) if not isinstance(node, cst.StarredElement):
                if work.expressions.setdefault(node, text) != text:
                    raise Contradiction(span)
            case _:
                return False
        return True

    def statement(self, node: cst.CSTNode, start: int, stack: Sequence[cst.CSTNode]) -> None:
        if isinstance(node, (cst.Import, cst.ImportFrom)) and start in self.imports:
            self.work.imports[node] = self.imports[start]
            self.work.path.update(stack)
        edits = self.statements.get(start)
        if edits is None:
            return
        left = [edit for edit in edits if not self._take_statement(node, edit, stack)]
        if len(left) == len(edits):
            return
        self._note(node, span_of(edits[0]), stack)
        self.statements[start] = left

    def _take_statement(self, node: cst.CSTNode, edit: StatementEdit, stack: Sequence[cst.CSTNode]) -> bool:
        work = self.work
        if isinstance(node, cst.SimpleStatementLine):
            return False
        match edit:
            case AddParameter() if isinstance(node, cst.FunctionDef):
                work.parameters.setdefault(node, []).append(edit)
                definitions = (n for n in reversed(stack[:-1]) if isinstance(n, (cst.FunctionDef, cst.ClassDef)))
                if isinstance(owner := next(definitions, None), cst.ClassDef):
                    work.owners[node] = owner
                self._walk_docstrings(node, owner)
            case UnwrapWith(_, items) if isinstance(node, cst.With):
                if work.unwrapped.setdefault(node, items) != items:
                    raise Contradiction(edit.span)
            case InsertStatements() | DeleteStatement() if isinstance(stack[-2], _BODIES):
                if isinstance(edit, DeleteStatement):
                    work.deleted.add(node)
                    work.silenced.update([node] if edit.comments else [])
                else:
                    work.inserted.setdefault(node, []).append(edit)
                    self.around[node] = tuple(stack[:-1])
            case _:
                return False
        return True

    def _walk_docstrings(self, *definitions: cst.CSTNode | None) -> None:
        for definition in definitions:
            if isinstance(definition, (cst.FunctionDef, cst.ClassDef)):
                self.work.path.update((definition, definition.body, *_first_nodes(definition.body)))

    def _note(self, node: cst.CSTNode, span: Span, stack: Sequence[cst.CSTNode]) -> None:
        self.work.spans[node] = span
        self.work.path.update(stack)

    def left(self) -> list[Span]:
        groups: list[Sequence[Edit]] = [*self.expressions.values(), *self.statements.values()]
        return [span_of(edit) for edits in groups for edit in edits]


_BODIES = (cst.Module, cst.IndentedBlock, cst.SimpleStatementLine, cst.SimpleStatementSuite)


def docstring(block: cst.BaseSuite) -> cst.SimpleString | None:
    """The string at the head of a definition's body, if it is one."""
    nodes = _first_nodes(block)
    return nodes[-1] if nodes and isinstance(nodes[-1], cst.SimpleString) else None


def is_docstring(statement: cst.CSTNode) -> bool:
    """Whether a statement is nothing but a string."""
    first = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
    return isinstance(first, cst.Expr) and isinstance(first.value, cst.SimpleString)


def _first_nodes(block: cst.BaseSuite) -> list[cst.CSTNode]:
    line = block.body[0] if isinstance(block, cst.IndentedBlock) and block.body else None
    if isinstance(line, cst.SimpleStatementLine) and isinstance(first := line.body[0], cst.Expr):
        return [line, first, first.value]
    return []


def span_of(edit: Edit) -> Span:
    """Where an edit is made."""
    match edit:
        case AddArguments(span) | DropArgument(span) | ReplaceName(span) | ReplaceExpression(span) | AddParameter(span):
            return span
        case InsertStatements(span) | DeleteStatement(span) | UnwrapWith(span):
            return span
        case WriteClass(span) | WriteGraph(span) | WriteModules(span) | WriteTemplate(span):
            return span
