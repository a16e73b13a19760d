"""Runs a file's definitions on shapes and tells what it saw.  This is the work of the traced process (`child.py`)."""

from __future__ import annotations

import ast
import builtins
import linecache
import sys
import types
import warnings
from collections.abc import Collection, Iterator
from typing import Any

from lazygen.diagnostics import Diagnostic, Place
from lazygen.frontend.instrument import Tables, instrument
from lazygen.frontend.parse import tree_of
from lazygen.symbolic import resize
from lazygen.symbolic.expr import Expr, origins_of
from lazygen.symbolic.nn.lazy import LazyModuleMixin
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import TRACED, Tensor
from lazygen.trace import finder, known, world
from lazygen.trace.entry import Entry, EntryError, resolve
from lazygen.trace.faults import Faults
from lazygen.trace.inputs import InputError, arguments_for
from lazygen.trace.kept import Kept
from lazygen.trace.model import LazyLayer, ModelTrace, Trace
from lazygen.trace.reads import Reads
from lazygen.trace.recorder import LayerRecorder
from lazygen.trace.request import Request
from lazygen.trace.sites import Sites
from lazygen.values import replace


class Tracer:
    """Everything one run needs, put together."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.tables = Tables()
        self.reads = Reads(self.tables)
        self.shown = {request.filename: request.shown}
        self.sites = Sites(self.reads, self.shown)
        self.recorder = LayerRecorder(self.reads, self.sites)
        self.faults = Faults(self.reads, self.sites, self.recorder)
        self.dialect: Any = None  # the layers of the TorchX style, if the source may use them
        self.models: list[ModelTrace] = []
        self.findings: list[Diagnostic] = []

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
            return self._failed(error)
        kept.put_back()
        return self._trace()

    def compile(self, text: str, filename: str, statements: Collection[tuple[int, int]] | None = None) -> types.CodeType:
        """A source, or the statements of it that start at the given positions, made ready for tracing."""
        tree = _parsed(text)
        kept = None if statements is None else list(_chosen(tree.body, statements))
        self.reads.sources[filename] = text
        TRACED.add(filename)
        made = instrument(tree, filename, self.tables, kept)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python has to say of the text is the user's business
            return compile(made, filename, "exec", dont_inherit=True)

    def _execute(self) -> dict[str, Any]:
        request = self.request
        location = finder.locate(request.location, relative=_imports_relatively(request.text))
        world.install(location, self.compile)
        if "torchx" in request.text or "lazygen" in request.text:
            from lazygen.trace.dialect import Dialect

            self.dialect = Dialect(self.recorder, self.sites)
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
                self._run_entry(resolve(text, namespace, tree))
            except BaseException as error:
                if isinstance(error, NameError) or len(self.request.entries) == 1:
                    raise
                failures.append((text, self.faults.diagnostic(error)))
        if failures:
            self.findings.extend(self.faults.some_do_not_fit(failures, [m.entry for m in self.models]))

    def _is_model(self, text: str, namespace: dict[str, Any]) -> bool:
        value = namespace.get(text)
        return isinstance(value, (Module, type)) or value is None

    def _run_entry(self, entry: Entry) -> None:
        if self.request.variation is not None and entry.arguments is not None:
            entry.vary(self.request.variation)
        variables = entry.variables()
        self.reads.building = True
        model = entry.build()
        self.reads.building = False
        model.eval()
        result = None
        target = self.request.settings.target_for(entry.text)
        own = hasattr(model, "samples") and not target.inputs and not target.arguments
        if own or target.inputs or target.arguments or _waiting(model):
            if not own and not target.inputs and not target.arguments:
                raise InputError("no input shape is given", ("say --input-shape SIZES, as in --input-shape 8,3,32,32",))
            if own:  # a graph states its inputs
                positional, named = model.samples()
            else:
                positional, named = arguments_for(model.forward, target.inputs, target.arguments)
            result = described(model(*positional, **named))
            if _waiting(model):
                self._run_in_training_mode(model, positional, named)
        self.recorder.name_layers(model, entry.text)
        state = tuple(
            (name, () if isinstance(value, LazyModuleMixin) else _sizes(value), value.dtype.name)
            for name, value in model.state_dict().items()
            if isinstance(value, Tensor)
        )
        made = () if self.dialect is None else tuple(self._made(model))
        self.models.append(ModelTrace(entry.text, entry.maker, state, result, variables, tuple(_waiting(model)), made))

    def _made(self, model: Module) -> Iterator[tuple[str, Place]]:
        """Where the modules of a model were made, by name."""
        for name, module in model.named_modules():
            if module.made_at is not None:
                place = self.sites.place(*module.made_at)
                if place is not None:
                    yield name, place

    def _run_in_training_mode(self, model: Module, positional: list[Any], named: dict[str, Any]) -> None:
        """Lazy layers that evaluation does not reach get their sizes from a run in training mode, which counts for nothing else."""
        self.recorder.training_pass = True
        model.train()
        try:
            model(*positional, **named)
        except Exception:  # what fails in training mode only is no reason to refuse the model
            pass
        model.eval()
        self.recorder.training_pass = False

    def _trace(self) -> Trace:
        exact = tuple(resize.EXACT.items())
        layers = self.recorder.layers()
        return Trace(
            symbols=tuple(origins_of(_sizes_in(layers))),
            models=tuple(self.models),
            layers=layers,
            diagnostics=tuple(self.findings),
            exact=exact,
            entered=self.sites.entered(),
            notes=() if self.dialect is None else tuple(self.dialect.notes),
            graphs=() if self.dialect is None else tuple(self.dialect.graphs),
            uneven=frozenset(known.UNEVEN),
            families=tuple(name for name in sys.modules if name.startswith("lazygen.symbolic.")),
        )

    def _failed(self, error: BaseException) -> Trace:
        finding = self.faults.diagnostic(error)
        usage = isinstance(error, (InputError, EntryError))
        return replace(self._trace(), diagnostics=(*self.findings, finding), usage=usage)


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
    return any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(_parsed(text)))


def _chosen(body: list[ast.stmt], positions: Collection[tuple[int, int]]) -> Iterator[ast.stmt]:
    """The statements at the positions; those of an arm beside a `__main__` block stand one level down."""
    for statement in body:
        if (statement.lineno, statement.col_offset) in positions:
            yield statement
        elif isinstance(statement, ast.If):
            yield from _chosen([*statement.body, *statement.orelse], positions)


def _waiting(model: Module) -> list[str]:
    return [name for name, module in model.named_modules() if hasattr(module, "has_uninitialized_params") and module.has_uninitialized_params()]


def _sizes(value: Tensor) -> tuple[int, ...]:
    try:
        return tuple(int(size) for size in value.shape)
    except RuntimeError:  # a lazy layer that was not reached
        return ()


def described(value: Any) -> Any:
    """The shapes and dtypes of a result, nested as it is."""
    if isinstance(value, Tensor):
        return (tuple(int(size) for size in value.shape), value.dtype.name)
    if isinstance(value, dict):
        return {str(key): described(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [described(item) for item in value]
    return type(value).__name__
