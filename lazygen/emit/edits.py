"""The one transformer that makes all edits of a file, and formats each statement that it changed."""

from __future__ import annotations

from typing import cast

import libcst as cst

from lazygen.emit.arguments import add_arguments, drop_arguments
from lazygen.emit.blocks import (
    GONE,
    Groups,
    Piece,
    Statement,
    around,
    place_imports,
    put_together,
    without_comments,
)
from lazygen.emit.docstrings import Entry, lists_parameters, with_entries
from lazygen.emit.expressions import Pair, replaced, without_needless
from lazygen.emit.format import Formatter
from lazygen.emit.frames import FRAMES, Frame, alone, grafted
from lazygen.emit.import_statements import with_names
from lazygen.emit.new_statements import Writer
from lazygen.emit.parameters import add_parameters, entries
from lazygen.emit.positions import Positions
from lazygen.emit.statements import body_of, taken_apart, with_small, without_items
from lazygen.emit.work import Contradiction, Work, docstring, is_docstring

Leave = cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]

# How far a statement has changed: not at all; in arguments and names alone; in other ways.
_UNTOUCHED, _PLAIN, _CHANGED = 0, 1, 2
_BLOCKS = (
    cst.BaseStatement,
    cst.BaseSuite,
    cst.Else,
    cst.Finally,
    cst.ExceptHandler,
    cst.ExceptStarHandler,
    cst.MatchCase,
)


class Editor(cst.CSTTransformer):
    """Makes the edits of `work`; nothing but the way to them is walked."""

    def __init__(self, work: Work, positions: Positions, formatter: Formatter, module: cst.Module) -> None:
        super().__init__()
        self.work = work
        self.positions = positions
        self.formatter = formatter
        self.writer = Writer(module, formatter)
        self.touched: list[int] = []  # for each statement around the node at hand, how far it has changed
        self.tried: list[list[cst.BaseExpression]] = []  # parentheses that may be needless, for each line or statement
        self.made: list[list[Pair]] = []  # for each replaced expression around the node at hand, the edits inside
        self.dedents: list[int] = []  # for each unwrapped block around the node at hand, the width of its indentation
        self.kinds: list[type[cst.CSTNode]] = []  # what the blocks around the node at hand are the bodies of
        self.gone: set[cst.CSTNode] = set(work.deleted)
        self.elifs: set[cst.CSTNode] = set()
        self.pieces: dict[cst.CSTNode, list[Piece]] = {}
        self.docs = self._docs()
        self.plain = formatter.are_plain(new.text for arguments in work.calls.values() for new in arguments)

    def on_visit(self, node: cst.CSTNode) -> bool:
        if self.dedents and isinstance(node, _BLOCKS):
            # Whatever moves to another indentation is laid out anew.
            self.work.path.add(node)
        if node not in self.work.path or node in self.work.deleted:
            return False
        if isinstance(node, FRAMES):
            self.touched.append(_CHANGED if self.dedents else _UNTOUCHED)
            if isinstance(node, cst.If) and isinstance(node.orelse, cst.If):
                self.elifs.add(node.orelse)
        if isinstance(node, (*FRAMES, cst.SimpleStatementSuite)):
            self.tried.append([])
        if isinstance(node, (cst.Module, cst.BaseCompoundStatement, cst.Else, cst.Finally, *FRAMES)):
            self.kinds.append(type(node))
        if node in self.work.expressions:
            self.made.append([])
        if self._is_unwrapped(node):
            self.dedents.append(self.writer.width_of(cast(cst.With, node).body))
        return True

    def on_leave(self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT) -> Leave:  # type: ignore[override]
        original: cst.CSTNode = original_node
        node: cst.CSTNode = updated_node
        if original not in self.work.path:
            return node
        if original in self.work.deleted:
            return self._deleted(original, node)
        node = self._edited(original, node)
        if isinstance(original, cst.SimpleStatementSuite):
            node = without_needless(node, self.writer.code_of_suite, self.tried.pop())
            return self._suite(original, cast(cst.SimpleStatementSuite, node))
        if isinstance(original, (cst.Module, cst.BaseCompoundStatement, cst.Else, cst.Finally, *FRAMES)):
            self.kinds.pop()
        if isinstance(node, cst.IndentedBlock):
            return put_together(node, self._groups(cast(cst.IndentedBlock, original), node), self.kinds[-1])
        if isinstance(node, cst.Module):
            groups = self._groups(cast(cst.Module, original), node)
            if self.work.added:
                place_imports(groups, cast(cst.Module, original), self.work.added, self._lines(original))
            return put_together(node, groups, cst.Module)
        if isinstance(original, (cst.BaseStatement, *FRAMES)):
            return self._statement(original, node)
        return node

    # -- expressions and small statements

    def _edited(self, original: cst.CSTNode, updated: cst.CSTNode) -> cst.CSTNode:
        """The node with the edits that are about itself; notes how far the statement around it has changed."""
        work, node, how = self.work, updated, _PLAIN
        if isinstance(node, cst.Call) and original in work.dropped:
            node = drop_arguments(node, work.dropped[original])
        if isinstance(node, cst.Call) and original in work.calls:
            node = add_arguments(node, work.calls[original])
        elif isinstance(node, (cst.Name, cst.Attribute)) and original in work.names:
            node = _renamed(node, *work.names[original])
        elif isinstance(node, (cst.Import, cst.ImportFrom)) and original in work.imports:
            how, names = _CHANGED, work.imports[original]
            if names:
                node = with_names(node, names)
            else:
                self.gone.add(original)
        elif isinstance(node, cst.FunctionDef) and original in work.parameters:
            how, node = _CHANGED, add_parameters(node, work.parameters[original], original in work.owners)
        elif isinstance(node, cst.SimpleString) and original in self.docs:
            how, node = _CHANGED, node.with_changes(value=with_entries(node.value, self.docs[original]))
        elif isinstance(node, cst.With) and original in work.unwrapped:
            how, node = _CHANGED, without_items(node, work.unwrapped[original]) or node
        if isinstance(original, cst.BaseExpression) and original in work.spans:
            how, node = self._replaced(original, node, how)
        if node is not updated and self.touched:
            self.touched[-1] = max(self.touched[-1], how)
        return node

    def _replaced(self, original: cst.BaseExpression, node: cst.CSTNode, how: int) -> tuple[int, cst.CSTNode]:
        """The text that stands for an expression, if there is one; notes the edit for the replacements around it."""
        if original in self.work.expressions:
            made = self.made.pop()
            if original in self.work.calls or original in self.work.names:
                made.append((original, cast(cst.BaseExpression, node)))
            node, unsure, lost = replaced(original, self.work.expressions[original], made)
            if lost:
                raise Contradiction(self.work.spans[lost[0]])
            if unsure:
                self.tried[-1].append(node)
            how = _CHANGED
        if self.made:
            self.made[-1].append((original, cast(cst.BaseExpression, node)))
        return how, node

    def _docs(self) -> dict[cst.CSTNode, list[Entry]]:
        """What each docstring gains: that of the function, or of its class if there the parameters are listed."""
        docs: dict[cst.CSTNode, list[Entry]] = {}
        for function, edits in self.work.parameters.items():
            assert isinstance(function, cst.FunctionDef)
            owner = self.work.owners.get(function)
            after = add_parameters(function, edits, owner is not None)
            places = [docstring(function.body)]
            if owner is not None and function.name.value == "__init__":
                places.append(docstring(owner.body))
            for place in places:
                if place is not None and lists_parameters(place.value):
                    docs.setdefault(place, []).extend(entries(after, edits))
                    break
        return docs

    # -- statements

    def _statement(self, original: cst.CSTNode, node: cst.CSTNode) -> cst.CSTNode:
        if self._is_unwrapped(original):
            self.dedents.pop()
            self.touched.pop()
            self.tried.pop()
            before, behind = self._around(original)
            self.pieces[original] = [*map(Piece, (*body_of(cast(cst.With, node), before), *behind))]
            return node
        if isinstance(original, cst.SimpleStatementLine):
            return self._line(original, cast(cst.SimpleStatementLine, node))
        if isinstance(original, FRAMES):
            node = self._laid_out(original, cast(Frame, node))
        before, behind = self._around(original)
        if before or behind:
            own = cast(Statement, node)
            self.pieces[original] = around(own, own.leading_lines, before, behind)
        return node

    def _deleted(self, original: cst.CSTNode, node: cst.CSTNode) -> cst.CSTNode:
        if isinstance(original, cst.BaseCompoundStatement):
            before, behind = self._around(original)
            leading = cast(Statement, original).leading_lines
            if original in self.work.silenced:
                leading = without_comments(leading)
            self.pieces[original] = around(None, leading, before, behind)
        return node

    def _line(self, original: cst.SimpleStatementLine, line: cst.SimpleStatementLine) -> cst.CSTNode:
        if not any(small in self.gone or small in self.work.inserted for small in original.body):
            return self._laid_out(original, line)
        if not any(small in self.work.inserted for small in original.body):
            kept = [new for small, new in zip(original.body, line.body, strict=True) if small not in self.gone]
            if kept:
                return self._laid_out(original, cast(Frame, with_small(line, kept, original.body[-1])))
            self.touched.pop()
            self.tried.pop()
            if original.body[0] in self.work.silenced:
                line = line.with_changes(leading_lines=without_comments(line.leading_lines))
            return line.with_changes(body=[GONE])
        if len(original.body) == 1 and original.body[0] not in self.gone:
            line = cast(cst.SimpleStatementLine, self._laid_out(original, line))
        else:
            self.touched.pop()
            line = cast(cst.SimpleStatementLine, without_needless(line, self.writer.code, self.tried.pop()))
        if original.body[0] in self.work.silenced:
            line = line.with_changes(leading_lines=without_comments(line.leading_lines))
        self.pieces[original] = taken_apart(original, line, self.gone.__contains__, self._around)
        return line

    def _suite(self, original: cst.SimpleStatementSuite, suite: cst.SimpleStatementSuite) -> cst.CSTNode:
        if any(small in self.work.inserted for small in original.body):
            pieces = taken_apart(original, suite, self.gone.__contains__, self._around)
            return put_together(cst.IndentedBlock([]), [pieces], self.kinds[-1])
        if not any(small in self.gone for small in original.body):
            return suite
        kept = [new for small, new in zip(original.body, suite.body, strict=True) if small not in self.gone]
        return with_small(suite, kept, original.body[-1]) if kept else suite.with_changes(body=[cst.Pass()])

    def _around(self, original: cst.CSTNode) -> tuple[list[Statement], list[Statement]]:
        """The new statements before and behind a statement."""
        before: list[Statement] = []
        behind: list[Statement] = []
        for edit in self.work.inserted.get(original, ()):
            line, column = self.positions.place(self.work.starts[original])
            indentation = self.positions.lines[line - 1][:column]
            width = len(indentation[: len(indentation) - len(indentation.lstrip())].expandtabs(4)) - sum(self.dedents)
            (before if edit.before else behind).extend(self.writer.statements(edit.text, original, max(width, 0)))
        return before, behind

    def _groups(self, original: cst.Module | cst.IndentedBlock, block: cst.Module | cst.IndentedBlock) -> Groups:
        pairs = zip(original.body, block.body, strict=True)
        return [self.pieces.get(before) or [Piece(cast(Statement, after), own=True)] for before, after in pairs]

    def _is_unwrapped(self, node: cst.CSTNode) -> bool:
        items = self.work.unwrapped.get(node)
        return items is not None and (not items or len(set(items)) == len(cast(cst.With, node).items))

    # -- layout

    def _laid_out(self, original: Frame, updated: Frame) -> Frame:
        touched, tried = self.touched.pop(), self.tried.pop()
        if tried:
            is_elif = original in self.elifs
            updated = cast(
                Frame, without_needless(updated, lambda head: self.writer.code_of_head(head, is_elif), tried)
            )
        return self._formatted(original, updated, touched == _PLAIN and self.plain) if touched else updated

    def _formatted(self, original: Frame, updated: Frame, plain: bool) -> Frame:
        """The changed statement as black writes it, if the original was; else as it is."""
        line, column = self.positions.place(self.work.starts[_head(original)])
        indentation = self.positions.indentation(line, column)
        is_elif = original in self.elifs
        before, after = alone(original, is_elif), alone(updated, is_elif)
        if before is None or after is None or indentation is None or self.formatter.is_off(line, column):
            return updated
        if is_docstring(original):
            # What black makes of it depends on where it stands; its lines are in place already.
            return updated
        width = len(indentation.expandtabs(4)) - (4 if isinstance(original, cst.MatchCase) else 0)
        code = self.writer.code(after)
        statement = before
        text = self.formatter.formatted(
            lambda: self.writer.code(statement), code, width, plain=plain, moved_to=width - sum(self.dedents)
        )
        if text is None or text == code:
            return updated
        return grafted(updated, self.writer.parsed(text), is_elif)

    def _lines(self, module: cst.CSTNode) -> list[int]:
        return [self.positions.place(self.work.starts[_head(s)])[0] for s in cast(cst.Module, module).body]


def _head(node: cst.CSTNode) -> cst.CSTNode:
    """Where a statement begins: the decorators of a definition stand above its own position."""
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)) and node.decorators:
        return node.decorators[0]
    return node


def _renamed(node: cst.Name | cst.Attribute, spelling: str | None, name: str) -> cst.BaseExpression:
    if spelling is not None:
        return cst.parse_expression(spelling).with_changes(lpar=node.lpar, rpar=node.rpar)
    if isinstance(node, cst.Attribute):
        return node.with_changes(attr=node.attr.with_changes(value=name))
    return node.with_changes(value=name)
