"""A source of the TorchX style in the words of torch, but for its sizes: graphs as classes, merges as functions.

What comes out still has lazy layers; it is traced and lifted like any other source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from lazygen.diagnostics import Diagnostic, Place
from lazygen.frontend.lazy_names import lazy_names
from lazygen.frontend.references import Reference
from lazygen.lift.bindings import binds_one, targets
from lazygen.lift.graph_calls import GraphCalls
from lazygen.lift.graph_edits import Converted
from lazygen.lift.graph_source import GraphSource, NotConvertible
from lazygen.lift.graphs import Graphs
from lazygen.lift.module_classes import ModuleClasses
from lazygen.lift.plan import DeleteStatement, Edit, InsertStatements, Plan, ReplaceExpression, Span, WriteGraph
from lazygen.lift.small_modules import SmallModules
from lazygen.lift.spelling import Speller
from lazygen.lift.splices import Splices
from lazygen.lift.syntax import Syntax
from lazygen.settings import Settings, Target
from lazygen.trace.model import GraphTrace, ModelTrace, Stored, Trace
from lazygen.values import replace, value


@value
class Rewriting:
    """What to write, and the models that become classes; `problems` say why it cannot be.

    `wrapped` are the calls that make recurrent layers, each of which stands in a module as its `rnn`.
    """

    plan: Plan
    models: tuple[Converted, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    wrapped: frozenset[Place] = frozenset()

    def settings(self, settings: Settings) -> Settings:
        """The settings with the inputs that graphs state, for models that have none else."""
        targets = list(settings.targets)
        for model in self.models:
            known = settings.target_for(model.variable)
            if not known.inputs and not known.arguments:
                targets = [target for target in targets if target.entry != model.variable]
                targets.append(Target(model.variable, tuple(i for a in model.arguments for i in a.inputs())))
        return replace(settings, targets=tuple(targets))

    def renamed(self, trace: Trace) -> Trace:
        """A trace of the source with the names that its classes give to the layers."""
        names = _NewNames(self.models, self.wrapped)
        return replace(trace, models=tuple(map(names.renamed, trace.models)))


def rewritten(syntax: Syntax, text: str, references: Sequence[Reference], traced: Trace) -> Rewriting | None:
    """What to write instead of graphs, merges and whatever else torch spells otherwise; None if there is none of it."""
    if not any(reference.is_torchx for reference in references):
        return None
    splices = Splices(syntax, text)
    imports = Imports(syntax)
    speller = Speller(syntax, splices, imports.torch or "torch")
    speller.spell(references, traced.notes)
    small = SmallModules(syntax, splices, imports.torch or "torch", imports.module(), references, traced.notes)
    small.spell(speller)
    classes = ModuleClasses(syntax, references)
    small.methods(classes)
    source = GraphSource(syntax, text, lazy_names(syntax.tree), splices, imports.module())
    source.spelled = frozenset(speller.changed)
    called = (syntax.calls.get(note.call) for note in traced.notes if note.what == "module")
    source.of_modules = frozenset(call for call in called if call is not None)
    calls = GraphCalls(syntax, splices)
    calls.spell(traced.notes, _by_variable(syntax, traced))
    problems = [*speller.problems, *small.problems, *calls.problems]
    edits: list[Edit] = []
    models: list[Converted] = []
    try:
        own = [graph for graph in traced.graphs if graph.call.path == syntax.path]
        graphs = Graphs(source, own, dict(traced.values), [model.entry for model in traced.models])
        edits, models = graphs.edits, graphs.models
        problems += _without_use(models, traced)
    except NotConvertible as reason:
        problems.append(reason.finding)
    edits = [*small.edits(_moved(edits)), *edits]
    edits += _expressions([*speller.changed, *small.changed, *calls.changed], edits, syntax, splices)
    if not edits and not problems:
        return None
    edits += classes.constructors(imports.module())
    added = imports.added(syntax, speller.uses_torch or small.uses_torch, bool(models) or small.writes)
    edits += imports.with_standard("copy", added) if small.uses_copy else added
    return Rewriting(Plan(tuple(edits)), tuple(models), tuple(problems), frozenset(small.wrapped))


def _without_use(models: Sequence[Converted], traced: Trace) -> Iterator[Diagnostic]:
    """Layers that a class would have and its model has not, since one statement makes what it needs and more."""
    made = {model.entry: {place for _, place in model.made} for model in traced.models}
    whole = {model.call for model in models}
    for model in models:
        for place, _ in model.paths:
            if place not in whole | made.get(model.variable, {place}):
                message = f"{model.variable} has no use for this layer, which stands in a statement that it needs"
                help_ = "give each of several values that one statement makes a statement of its own"
                yield Diagnostic("LZ313", message, place, helps=(help_,))
                break


def _by_variable(syntax: Syntax, traced: Trace) -> dict[str, GraphTrace]:
    """The graphs of the file by the variables that hold their models."""
    found = {}
    for graph in traced.graphs:
        call = syntax.calls.get(graph.call)
        statement = syntax.statement(call) if call is not None else None
        if call is not None and binds_one(statement, call):
            found[targets(statement)[0]] = graph
    return found


def _moved(edits: Sequence[Edit]) -> dict[Span, Span]:
    """The statements that go, each with the one before which the class of its graph is written."""
    moved: dict[Span, Span] = {}
    anchor: Span | None = None
    for edit in edits:
        if isinstance(edit, WriteGraph):
            anchor = edit.anchor
        elif isinstance(edit, DeleteStatement) and anchor is not None:
            moved[edit.span] = anchor
    return moved


def _expressions(
    changed: Sequence[ast.expr], edits: Sequence[Edit], syntax: Syntax, splices: Splices
) -> Iterator[ReplaceExpression]:
    """The changed expressions that do not go with a statement, the outer ones of those in each other."""
    gone = {getattr(edit, "span", None) for edit in edits}
    for call in dict.fromkeys(changed):
        statement = syntax.statement(call)
        around = syntax.parent(call)
        while around is not None and around not in changed:
            around = syntax.parent(around)
        if around is None and statement is not None and syntax.span(statement) not in gone:
            yield ReplaceExpression(syntax.span(call), splices.text(call))


class Imports:
    """What a file calls torch and torch.nn, at the level of its module."""

    def __init__(self, syntax: Syntax) -> None:
        tree, self._syntax = syntax.tree, syntax
        self.torch = self.nn = ""
        self._bound = {
            node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        }
        for node in tree.body:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name == "torch.nn" and alias.asname:
                        self.nn = self.nn or alias.asname
                    elif alias.name.partition(".")[0] == "torch" and (not alias.asname or alias.name == "torch"):
                        self.torch = self.torch or alias.asname or "torch"
            elif isinstance(node, ast.ImportFrom) and node.module == "torch" and not node.level:
                self.nn = next((a.asname or a.name for a in node.names if a.name == "nn"), self.nn)

    def with_standard(self, module: str, added: Iterator[InsertStatements]) -> Iterator[InsertStatements]:
        """The imports with one of the standard library above all others, if the file does not have it."""
        nodes = [node for node in self._syntax.tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
        plain = [node for node in nodes if not (isinstance(node, ast.ImportFrom) and node.module == "__future__")]
        wanted = "" if any(isinstance(n, ast.Import) and _imports(n, module) for n in nodes) else f"import {module}\n"
        first = self._syntax.span(plain[0])
        for edit in added:
            if edit.anchor == first and edit.before and wanted:
                edit, wanted = replace(edit, text=f"{wanted}\n{edit.text}"), ""
            yield edit
        if wanted:
            yield InsertStatements(first, wanted)

    def module(self) -> str:
        """How to write `torch.nn`."""
        return self.nn or ("nn" if "nn" not in self._bound else f"{self.torch or 'torch'}.nn")

    def added(self, syntax: Syntax, torch: bool, nn: bool) -> Iterator[InsertStatements]:
        """The imports that are missing, before the one that brings the layers."""
        imports = [node for node in syntax.tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
        anchor = next((node for node in imports if _imports(node, "torchx", "lazygen", "torch")), imports[0])
        plain = next((node for node in imports if isinstance(node, ast.Import) and _imports(node, "torch")), None)
        wants_nn = nn and not self.nn and self.module() == "nn"
        if not self.torch and (torch or (nn and not self.nn and self.module() != "nn")):
            lines = "import torch\nfrom torch import nn\n" if wants_nn else "import torch\n"
            yield InsertStatements(syntax.span(anchor), lines)
        elif wants_nn and plain is not None:
            yield InsertStatements(syntax.span(plain), "from torch import nn\n", before=False)
        elif wants_nn:
            yield InsertStatements(syntax.span(anchor), "from torch import nn\n")


def _imports(node: ast.Import | ast.ImportFrom, *packages: str) -> bool:
    modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    return any(module.partition(".")[0] in packages for module in modules)


class _NewNames:
    """The names that classes give to the layers of a source, by the calls that make them."""

    def __init__(self, models: Sequence[Converted], wrapped: frozenset[Place]) -> None:
        self._models = {model.call: dict(model.paths) for model in models}
        self._wrapped = wrapped

    def renamed(self, model: ModelTrace) -> ModelTrace:
        """What was seen of a model, with the new names of its parameters."""
        made = dict(model.made)
        paths: dict[str, str] = {}
        for name, place in model.made:
            parent, _, last = name.rpartition(".")
            named = self._models.get(made[parent], {}).get(place, last) if name and parent in made else last
            path = [paths.get(parent, parent), named, "rnn" if place in self._wrapped else ""]
            paths[name] = ".".join(filter(None, path))
        return replace(model, state=tuple(self._parameter(stored, paths) for stored in model.state))

    def _parameter(self, stored: Stored, paths: Mapping[str, str]) -> Stored:
        owner, _, last = stored.name.rpartition(".")
        new = paths.get(owner, owner)
        return stored._replace(name=f"{new}.{last}" if new else last)
