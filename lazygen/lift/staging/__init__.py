"""Graphs that more than a row of statements builds: in loops, in functions, in constructors, by helper functions.

def classifier(width, depth):                         class Classifier(nn.Module):
    x = image = L.Placeholder((None, 3, 32, 32))          def __init__(self, width, depth): …
    for i in range(depth):                                def forward(self, image): …
        x = x + L.Linear(width)(x)
    return L.Functional(image, x)                     def classifier(width, depth):
                                                          return Classifier(width, depth)

The code of a graph is split by its binding times.  What makes layers goes to the constructor, what applies them to
`forward`, and loops and branches that do both stand in both.  The layers keep their style: they get sizes later, as in
any other class, from a call in the constructor over what the placeholders stand for.

times.py                what exists when the model is made, and what only when it runs
regions.py helpers.py   which statements build a graph; functions that build a part of one
sharing.py              what several graphs share, as a model of its own
stages.py control.py    both halves: of statements, of loops and branches; loops.py: the heads of loops
expressions.py pieces.py naming.py pure.py      of expressions; names of layers; what may be computed twice
chains.py classes.py    what is written: a `Sequential`, or a class
pairing.py              which parameter of the source is which of the text
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from lazygen.diagnostics import Diagnostic, Place
from lazygen.frontend.lazy_names import lazy_names
from lazygen.frontend.references import Reference
from lazygen.lift.bindings import names_used
from lazygen.lift.graph_calls import GraphCalls
from lazygen.lift.graph_source import GraphSource, NotConvertible, refuse
from lazygen.lift.graph_text import class_name
from lazygen.lift.plan import DeleteStatement, Edit, InsertStatements, Plan, ReplaceExpression, WriteClass
from lazygen.lift.rewriting import Imports
from lazygen.lift.splices import Splices
from lazygen.lift.staging.chains import ChainWriter, chain_of, sequential_of
from lazygen.lift.staging.classes import Classes
from lazygen.lift.staging.helpers import Helper, Helpers
from lazygen.lift.staging.regions import Region
from lazygen.lift.staging.sharing import apart, kept_beside
from lazygen.lift.staging.times import leaves
from lazygen.lift.syntax import Syntax
from lazygen.trace.model import GraphTrace, Trace
from lazygen.values import value

_VERBS = ("make_", "build_", "create_", "get_", "new_")


@value
class Staging:
    """What to write, or why it cannot be.

    `inputs` are what the graphs take, each by the call that makes it, `chains` the calls of which no class is made.
    """

    plan: Plan
    problems: tuple[Diagnostic, ...] = ()
    inputs: tuple[tuple[Place, ast.expr], ...] = ()
    chains: frozenset[Place] = frozenset()


def staged(syntax: Syntax, text: str, references: Sequence[Reference], traced: Trace) -> Staging | None:
    """What to write instead of graphs that are built by more than a row of statements; None if there are none such."""
    imports = Imports(syntax)
    try:
        writer = _writer(syntax, text, references, traced, imports)
        if writer is None:
            return None
        source = writer.source
        writer.find()
        calls = GraphCalls(syntax, source.splices)
        calls.spell(traced.notes, {})
        edits = list(dict.fromkeys(writer.edits()))  # what several graphs read goes once
        edits += _outside(calls.changed, edits, source)
    except NotConvertible as reason:
        return Staging(Plan(), (reason.finding,))
    edits += imports.added(syntax, False, writer.writes_classes)
    inputs = tuple((region.graph.call, region.inputs) for region in writer.regions)
    return Staging(Plan(tuple(edits)), tuple(calls.problems), inputs, frozenset(writer.chains))


def with_part_apart(
    syntax: Syntax, text: str, references: Sequence[Reference], traced: Trace
) -> tuple[str, Diagnostic] | None:
    """The text in which something that graphs share is a model of its own, and what to say if that is not the same;
    None if they share no layers.  Raises NotConvertible: LZ316.
    """
    writer = _writer(syntax, text, references, traced, Imports(syntax))
    return None if writer is None else apart(writer.regions, text)


def _writer(
    syntax: Syntax, text: str, references: Sequence[Reference], traced: Trace, imports: Imports
) -> _Writer | None:
    """What writes the graphs of a text; None if there are none that need it."""
    graphs = {graph.call: graph for graph in traced.graphs if graph.call.path == syntax.path}
    if not graphs or not any(reference.kind == "Functional" for reference in references):
        return None
    source = GraphSource(syntax, text, lazy_names(syntax.tree), Splices(syntax, text), imports.module())
    writer = _Writer(source, list(graphs.values()), [model.entry for model in traced.models])
    return writer if writer.regions else None


def _outside(changed: Sequence[ast.expr], edits: Sequence[Edit], source: GraphSource) -> Iterator[ReplaceExpression]:
    """The changed expressions that do not go with a statement."""
    gone = {edit.span for edit in edits if isinstance(edit, DeleteStatement)}
    for call in changed:
        around: ast.AST | None = call
        while around is not None and not (isinstance(around, ast.stmt) and source.syntax.span(around) in gone):
            around = source.syntax.parent(around)
        if around is None:
            yield ReplaceExpression(source.syntax.span(call), source.splices.text(call))


class _Writer:
    """Writes the graphs of one file."""

    def __init__(self, source: GraphSource, graphs: Sequence[GraphTrace], entries: Sequence[str]) -> None:
        self._entries = entries
        self.source, self.syntax = source, source.syntax
        self.helpers = Helpers(source)
        self.classes = Classes(source, self.helpers)
        self.writes_classes = False
        self.chains: set[Place] = set()
        self._gone: set[ast.stmt] = set()
        self._taken = names_used(self.syntax.tree) | set(self.syntax.classes)
        self.regions = list(self._regions(graphs))

    def find(self) -> None:
        """Find what goes into each class.  Raises NotConvertible."""
        kept = kept_beside(self.regions)
        for region in self.regions:
            times = region.times()
            running = {s for s in region.moved if any(map(times.is_running, leaves([s])))}
            for other in self.regions:
                if other is not region:
                    other.others |= running
        for region in self.regions:
            region.find(kept)

    def _regions(self, graphs: Sequence[GraphTrace]) -> Iterator[Region]:
        """The graphs that are not rows of statements of the module, and those that share statements with them."""
        rows: list[Region] = []
        moved: set[ast.stmt] = set()
        for graph in graphs:
            call = self.syntax.calls.get(graph.call)
            if call is None:
                refuse("LZ312", "a graph is made here by a call that does not say so", graph.call)
            assert call is not None
            region = Region(self.source, self.helpers, graph, call, self._entries)
            region.look()
            if region.is_straight:
                rows.append(region)
            else:
                moved |= set(region.moved)
                yield region
        while (row := next((row for row in rows if moved & set(row.moved)), None)) is not None:
            rows.remove(row)
            moved |= set(row.moved)
            yield row

    def edits(self) -> Iterator[Edit]:
        """All edits.  Raises NotConvertible."""
        chains = {region: chain_of(region, region.times()) for region in self.regions}
        as_classes = [region for region in self.regions if chains[region] is None]
        for region in as_classes:
            self.classes.visit(region.times(), [*region.moved, region.outputs])
        yield from self._helpers()
        lists: dict[Region, str] = {}
        for region in self.regions:
            chain = chains[region]
            if chain is None:
                yield from self._class(region)
                continue
            self.chains.add(region.graph.call)
            sequential, needed = sequential_of(self.source, region.call)
            if needed:
                first = next(node for node in self.syntax.tree.body if isinstance(node, ast.ImportFrom))
                yield InsertStatements(self.syntax.span(first), f"{needed}\n", before=False)
            beside = [name for other, name in lists.items() if not self._is_over(other, region)]
            writer = ChainWriter(region, region.times(), chain, sequential, beside)
            yield from writer.edits(self._dead(region))
            lists[region] = writer.name

    @staticmethod
    def _is_over(one: Region, other: Region) -> bool:
        """Whether one graph is made before the other one begins."""
        return one.block is not other.block or all(one.statement.lineno < s.lineno for s in other.moved)

    def _class(self, region: Region) -> Iterator[Edit]:
        name = self._name(self._wanted_name(region))
        made = self.classes.of_graph(region, name)
        self.writes_classes = True
        anchor = self._anchor(region)
        yield WriteClass(self.syntax.span(anchor), made.written)
        yield from (DeleteStatement(self.syntax.span(s), comments=True) for s in (*region.moved, *self._dead(region)))
        yield ReplaceExpression(self.syntax.span(region.call), f"{name}({made.call})")

    def _dead(self, region: Region) -> list[ast.stmt]:
        """The statements that make a part which no model needs, each with one of the graphs."""
        used = {statement for other in self.regions for statement in other.moved} | self._gone
        dead = [statement for statement in region.dead if statement not in used]
        self._gone |= set(dead)
        return dead

    def _helpers(self) -> Iterator[Edit]:
        """The classes of functions that make layers for tensors, each in the place of the function."""
        done: list[Helper] = []
        while len(done) < len(self.helpers.used):
            helper = next(h for h in self.helpers.used.values() if h not in done)
            done.append(helper)
            helper.name = self._name(_without_verb(helper.function.name))
            before: set[str] = {""}
            while before != helper.running:  # what it is called with decides what it hands on
                before = set(helper.running)
                self.classes.visit(self.classes.times_of(helper), helper.function.body)
        for helper in done:
            self._check_uses(helper)
            self.writes_classes = True
            span = self.syntax.span(helper.function)
            yield WriteClass(span, self.classes.of_helper(helper))
            yield DeleteStatement(span)

    def _check_uses(self, helper: Helper) -> None:
        """A function that becomes a class must not be used as one elsewhere."""
        called = {call.func for call in helper.calls}
        for node in ast.walk(self.syntax.tree):
            if isinstance(node, ast.Name) and node.id == helper.function.name and node not in called:
                refuse(
                    "LZ318",
                    f"`{node.id}` makes a part of a graph, and is used here too",
                    self.syntax.place(node),
                    "write a function of its own for this use",
                )

    # Names and places

    def _wanted_name(self, region: Region) -> str:
        statement = region.statement
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is region.call:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            if isinstance(target, ast.Attribute):
                return target.attr
            if isinstance(target, ast.Name) and (region.is_module_level or self._is_one_of_several(region)):
                return target.id
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and region.call in call.args:
            held = call.func.value  # `self.nets.append(L.Functional(...))`
            name = held.attr if isinstance(held, ast.Attribute) else ast.unparse(held)
            return name.removesuffix("s") if name.isidentifier() else "model"
        if not region.functions:
            return "model"
        owner = self.syntax.class_of.get(self.syntax.place(region.functions[0]))
        return f"{owner.name}_graph" if owner is not None else _without_verb(region.functions[0].name)

    def _is_one_of_several(self, region: Region) -> bool:
        """Whether a function makes more than one graph, so that its name says little of each."""
        return sum(other.functions[:1] == region.functions[:1] for other in self.regions) > 1

    def _name(self, wanted: str) -> str:
        name = class_name(wanted, self._taken)
        self._taken.add(name)
        return name

    def _anchor(self, region: Region) -> ast.stmt:
        """The statement before which the class stands."""
        if region.is_module_level:
            return region.statement
        node: ast.AST = region.functions[-1]
        while (parent := self.syntax.parent(node)) is not None and parent is not self.syntax.tree:
            node = parent
        assert isinstance(node, ast.stmt)
        return node


def _without_verb(name: str) -> str:
    """`make_net` as the name of what it makes."""
    verb = next((verb for verb in _VERBS if name.startswith(verb) and len(name) > len(verb)), "")
    return name.removeprefix(verb).strip("_") or name
