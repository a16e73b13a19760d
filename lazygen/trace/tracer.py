"""Runs a file's definitions on shapes and tells what it saw.  This is the work of the traced process (`child.py`)."""

from __future__ import annotations

import ast
import builtins
import linecache
import re
import sys
import types
from collections.abc import Collection, Iterator
from typing import Any

from lazygen.diagnostics import Diagnostic, Place
from lazygen.frontend.instrument import Tables
from lazygen.frontend.parse import tree_of
from lazygen.settings import Input, Target
from lazygen.symbolic import equalities, resize
from lazygen.symbolic.errors import Mismatch
from lazygen.symbolic.expr import Expr, origins_of
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import TRACED
from lazygen.trace import finder, known, ready
from lazygen.trace.engine import engine_for
from lazygen.trace.entry import Entry, EntryError, resolve
from lazygen.trace.faults import Faults
from lazygen.trace.inputs import InputError, arguments_for
from lazygen.trace.kept import Kept
from lazygen.trace.model import LazyLayer, ModelTrace, Placements, Trace
from lazygen.trace.placing import Placing
from lazygen.trace.recorder import LayerRecorder
from lazygen.trace.request import KeysQuestion, Question, Request, SpecQuestion
from lazygen.trace.sites import Sites
from lazygen.trace.spec import keys_of, spec_of
from lazygen.traps import in_run
from lazygen.traps.seen import Seen
from lazygen.values import replace

_RELATIVE = re.compile(r"\bfrom[\s\\]*\.")


class Tracer:
    """Everything one run needs, put together."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.engine = engine_for(request)
        self.tables = Tables()
        self.reads = self.engine.reads(self.tables)
        self.shown = {request.filename: request.shown}
        self.sites = Sites(self.reads, self.shown)
        self.recorder = LayerRecorder(self.reads, self.sites)
        self.faults = Faults(self.reads, self.sites, self.recorder)
        self.seen = Seen(self.sites.place, self._text, self.recorder.records)
        self.placing = Placing(request, self.sites, self.reads) if self.engine.follows_devices else None
        self.history = self._history()
        self.dialect: Any = None  # the layers of the TorchX style, if the source may use them
        self.models: list[ModelTrace] = []
        self.findings: list[Diagnostic] = []
        self.specs: list[tuple[str, Any]] = []
        self.keys: dict[str, str] = {}

    def run(self) -> Trace:
        """The trace; whatever the source raises becomes a finding of it."""
        for name, helper in self.reads.names().items():
            setattr(builtins, name, helper)
        kept = Kept()
        try:
            namespace = self._execute()
            self._run_entries(namespace)
        except BaseException as error:
            kept.put_back()
            missing = _missing_name(error, self.request)
            if missing and self.faults.at_module_level(missing, self.request):
                return Trace(missing_name=missing)
            return replace(self._failed(error), wants_torch=finder.wanting_torch(error))
        kept.put_back()
        return self._trace()

    def compile(
        self, text: str, filename: str, statements: Collection[tuple[int, int]] | None = None
    ) -> types.CodeType:
        """A source, or the statements of it that start at the given positions, made ready for tracing."""
        self.reads.sources[filename] = text
        TRACED.add(filename)
        if self.placing is not None:
            self.placing.looks_at(text)
        return ready.code(text, filename, statements, self.tables)

    def _execute(self) -> dict[str, Any]:
        request = self.request
        location = finder.locate(request.location, relative=_imports_relatively(request.text))
        self.engine.install(location, self.compile, self.recorder)
        finder.SERVED.update(request.served)
        if request.arguments != "only":
            self.engine.set_default(*request.default)
        asked_for_spec = isinstance(request.question, (SpecQuestion, KeysQuestion))
        if "torchx" in request.text or "lazygen" in request.text or asked_for_spec:
            from lazygen.trace.dialect import Dialect

            self.dialect = Dialect(self.recorder, self.sites, self.engine, request.filename)
            self.dialect.keeps_sizes = isinstance(request.question, SpecQuestion)
            self.dialect.install()
        module = types.ModuleType(location.name)
        module.__file__ = request.filename
        module.__package__ = location.package
        lines = request.text.splitlines(keepends=True)
        linecache.cache[request.filename] = (len(request.text), None, lines, request.filename)
        sys.modules[module.__name__] = module
        exec(self.compile(request.text, request.filename, request.statements), module.__dict__)
        return module.__dict__

    def _run_entries(self, namespace: dict[str, Any]) -> None:
        tree = _parsed(self.request.text)
        failures: list[tuple[str, Diagnostic]] = []
        for text in self.request.entries:
            if not self.request.chosen and not self._is_model(text, namespace):
                continue
            try:
                self._run_entry(resolve(text, namespace, tree, self.engine.module_class))
            except BaseException as error:
                if isinstance(error, NameError) or len(self.request.entries) == 1:
                    raise
                failures.append((text, self.faults.diagnostic(error)))
        if failures:
            self.findings.extend(self.faults.some_do_not_fit(failures, [m.entry for m in self.models]))

    def _is_model(self, text: str, namespace: dict[str, Any]) -> bool:
        value = namespace.get(text)
        return isinstance(value, (self.engine.module_class, type)) or value is None

    def _run_entry(self, entry: Entry) -> None:
        if self.request.variation is not None and entry.arguments is not None:
            entry.vary(self.request.variation)
        variables = entry.variables(with_devices=self.request.placement == "recorded")
        if self.request.arguments:
            with self.engine.placed(*self.request.default) as (device, dtype):
                entry.give(device=device, dtype=dtype)
        self.reads.building = True
        model = entry.build()
        self.reads.building = False
        model.eval()
        result = None
        target = self.request.settings.target_for(entry.text)
        if isinstance(self.request.question, SpecQuestion):
            self.specs.append((entry.text, spec_of(model, target.inputs, self.request.question)))
            return
        own = hasattr(model, "samples") and not target.inputs and not target.arguments
        inputs = target.inputs if own else self._inputs(model, target)
        if own or inputs or target.arguments or self.engine.waiting(model):
            if not own and not inputs and not target.arguments:
                raise InputError("no input shape is given", ("say --input-shape SIZES, as in --input-shape 8,3,32,32",))
            with self.engine.placed(*self.request.default):
                if own:  # a graph states its inputs
                    positional, named = model.samples()
                else:
                    cast = self._cast(inputs)
                    positional, named = arguments_for(model.forward, cast, target.arguments, self.engine.input)
                if self.placing is not None:
                    positional, named = self.placing.inputs(model, positional, named)
            if self.engine.sees_traps:
                self.seen.begins(model, [*positional, *named.values()])
            if self.history is not None:
                self.history.begins(model, positional, named)
            result = model(*positional, **named)
            if self.engine.sees_traps:
                self.seen.ends(result)
            result = self.engine.described(result)
            if self.engine.waiting(model) or (self.placing is not None and self.placing.wants_training):
                self._run_in_training_mode(model, positional, named)
        self.recorder.name_layers(model, entry.text)
        if isinstance(self.request.question, KeysQuestion):
            self.keys = keys_of(model)
        state, waiting = self.engine.state(model), tuple(self.engine.waiting(model))
        made = () if self.dialect is None and not self.request.made else tuple(self._made(model))
        called = () if self.dialect is None else tuple(self.dialect.called(model))
        graph = -1 if self.dialect is None else self.dialect.graph_of(model)
        kinds = tuple((n, type(m).__qualname__) for n, m in model.named_modules()) if self.request.made else ()
        seen = ModelTrace(entry.text, entry.maker, state, result, variables, waiting, made, called, graph, kinds)
        self.models.append(seen)

    def _inputs(self, model: Module, target: Target) -> tuple[Input, ...]:
        """The inputs that are given, and those that annotations of jaxtyping state."""
        if "jaxtyping" not in self.request.text:
            return target.inputs
        from lazygen.trace.annotations import annotated_inputs

        annotated = annotated_inputs(model.forward, self.reads.sources, target.inputs, target.arguments)
        return (*target.inputs, *annotated)

    def _cast(self, inputs: tuple[Input, ...]) -> tuple[Input, ...]:
        """The inputs, those in floating point in the dtype in which the model is made."""
        dtype = self.request.default[1]
        return tuple(replace(i, dtype=dtype) if dtype and "float" in i.dtype else i for i in inputs)

    def _made(self, model: Module) -> Iterator[tuple[str, Place]]:
        """Where the modules of a model were made, by name."""
        for name, module in model.named_modules(remove_duplicate=False):
            made_at = getattr(module, "made_at", None)
            if made_at is not None:
                place = self.sites.place(*made_at)
                if place is not None:
                    yield name, place

    def _run_in_training_mode(self, model: Module, positional: list[Any], named: dict[str, Any]) -> None:
        """Lazy layers that evaluation does not reach get their sizes from a run in training mode, and moves that only
        training needs show there; it counts for nothing else.
        """
        self.recorder.training_pass = True
        model.train()
        try:
            model(*positional, **named)
        except Exception as error:  # what fails in training mode only is no reason to refuse the model
            if isinstance(error, Mismatch) and self.request.placement == "checked":
                raise
        model.eval()
        self.recorder.training_pass = False

    def _trace(self) -> Trace:
        layers, exact, equal = self._layers(), tuple(resize.EXACT.items()), tuple(equalities.EQUAL)
        return Trace(
            symbols=tuple(origins_of(_sizes_in(layers))),
            models=tuple(self.models),
            layers=layers,
            diagnostics=(*self.findings, *self._traps()),
            exact=exact,
            has_terms=self.engine.has_terms,
            equal=equal,
            explained=() if self.history is None else tuple(self.history.answers(self.request.question)),
            entered=self.sites.entered(),
            ways=self.sites.ways(),
            specs=tuple(self.specs),
            answers=tuple(self.keys.items()),
            notes=() if self.dialect is None else tuple(self.dialect.notes),
            graphs=() if self.dialect is None else tuple(self.dialect.graphs),
            placements=Placements() if self.dialect is None else self.dialect.placements.seen(),
            values=() if self.dialect is None else tuple(self.dialect.values.items()),
            uneven=frozenset(known.UNEVEN),
            crossings=() if self.placing is None else tuple(self.placing.crossings(self.request.shown)),
            families=tuple(name for name in sys.modules if name.startswith("lazygen.symbolic.")),
        )

    def _layers(self) -> tuple[LazyLayer, ...]:
        """The lazy layers, their sizes as what all views have proven makes them."""
        layers = self.recorder.layers()
        if not resize.EXACT:
            return layers
        proven = [tuple((name, resize.proven(size)) for name, size in layer.sizes) for layer in layers]
        return tuple(replace(layer, sizes=sizes) for layer, sizes in zip(layers, proven, strict=True))

    def _failed(self, error: BaseException) -> Trace:
        finding = self.faults.diagnostic(error)
        usage = isinstance(error, (InputError, EntryError))
        trace = self._trace()
        return replace(trace, diagnostics=(*trace.diagnostics, finding), usage=usage)

    def _history(self) -> Any:
        """Keeps how every tensor came about, if that is asked for."""
        if not isinstance(self.request.question, Question):
            return None
        from lazygen.trace.history import History

        return History(self.sites, self.reads)

    def _text(self, filename: str) -> str:
        return self.reads.sources.get(filename, "")

    def _traps(self) -> Iterator[Diagnostic]:
        """What the source most likely does not mean; runs with other arguments than the given ones say the same
        again.
        """
        if self.request.variation is None and self.engine.sees_traps:
            yield from in_run(self.seen)


def _sizes_in(layers: tuple[LazyLayer, ...]) -> Iterator[Expr]:
    """All expressions that a trace's layers hold, those of shared frames once."""
    seen: set[int] = set()
    for layer in layers:
        for _, size in layer.sizes:
            yield size
        for frame in layer.frames:
            if id(frame) not in seen:
                seen.add(id(frame))
                yield from (entry.expr for entry in frame.reachable if entry.expr is not None)


def _parsed(text: str) -> ast.Module:
    tree = tree_of(text)
    assert isinstance(tree, ast.Module)
    return tree


def _missing_name(error: BaseException, request: Request) -> str | None:
    """The name that a source missed in itself: a plain one, or one of the module that it imports under its own name."""
    if isinstance(error, NameError):
        return error.name
    if isinstance(error, AttributeError) and isinstance(error.obj, types.ModuleType):
        itself = getattr(error.obj, "__file__", None) == request.filename
        return error.name if itself else None
    return None


def _imports_relatively(text: str) -> bool:
    if _RELATIVE.search(text) is None:  # the tree costs more than this look
        return False
    return any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(_parsed(text)))
