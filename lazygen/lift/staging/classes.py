"""The class of a graph, and of a function that makes layers for tensors, from both halves of its code."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from lazygen.diagnostics import Diagnostic
from lazygen.lift.bindings import names_read
from lazygen.lift.graph_source import GraphSource, NotConvertible, refuse
from lazygen.lift.graph_text import Argument, arguments_of, described, listed
from lazygen.lift.plan import ModuleClass
from lazygen.lift.staging.helpers import Helper, Helpers
from lazygen.lift.staging.pieces import Pieces
from lazygen.lift.staging.regions import Region
from lazygen.lift.staging.stages import Stages
from lazygen.lift.staging.times import Times, binds, leaves, target_names
from lazygen.values import value

_FREE_NAMES = "NLMKPQ"


@value
class Written:
    """A class, and the arguments with which the source makes a model of it."""

    written: ModuleClass
    call: str


class Classes:
    """Writes classes for one file."""

    def __init__(self, source: GraphSource, helpers: Helpers) -> None:
        self.source, self.helpers = source, helpers
        self.variables = set(_module_variables(source.syntax.tree))

    def of_graph(self, region: Region, name: str) -> Written:
        """The class of a graph.  Raises NotConvertible."""
        times = region.times()
        arguments = self._arguments(region)
        own = region.own()
        receiver = self._receiver(region)
        of_self = self._attributes_of_self(region, receiver, own | times.bound.keys())
        parameters = self._parameters(region, times, own - {receiver})
        parameters += [(name, name, f"{receiver}.{attribute}") for attribute, name in of_self.items()]
        parameters.sort(key=_rank)
        called = [part for part, _, _ in parameters]
        own = (own | set(called)) - {receiver}
        stages = Stages(self.source, times, self.helpers, own, self.variables, region.dropped)
        stages.inputs = {variable for argument in arguments for variable, _ in argument.steps}
        stages.receiver, stages.of_self = receiver, of_self
        given = called if not region.is_module_level else sorted(self.variables)
        staged = stages.split(region.moved, region.outputs, given)
        unpacking = [
            line for argument in arguments
            for line in argument.unpacking({variable: variable for variable, _ in argument.steps})
        ]  # fmt: skip
        build = f"self({self._samples(region, stages)})"
        written = ModuleClass(
            name=name,
            base=f"{self.source.module}.Module",
            docstring=self._described(region, times, arguments, bool(parameters)),
            parameters=tuple(_signature(parameters)),
            constructor=(*staged.constructor, build),
            arguments=tuple(argument.name for argument in arguments),
            lines=(*unpacking, *staged.forward),
        )
        return Written(written, ", ".join(given for _, _, given in parameters))

    def of_helper(self, helper: Helper) -> ModuleClass:
        """The class of a function.  Raises NotConvertible."""
        function = helper.function
        body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
        times = self.times_of(helper)
        own = {part.arg for part in helper.parameters()}
        stages = Stages(self.source, times, self.helpers, own, self.variables, ())
        stages.inputs = set(helper.running)
        given = [part.arg for part in helper.parameters() if part.arg not in helper.running]
        staged = stages.split(body, None, given)
        docstring = ast.get_docstring(function) or ""
        return ModuleClass(
            name=helper.name,
            base=f"{self.source.module}.Module",
            docstring=docstring,
            parameters=tuple(self._signature(function, set(given), annotated=True)),
            constructor=staged.constructor,
            arguments=tuple(self._signature(function, helper.running, annotated=False)),
            lines=staged.forward,
        )

    def times_of(self, helper: Helper) -> Times:
        return Times(helper.function.body, helper.running, self.source, self.helpers.makes)

    def visit(self, times: Times, trees: Sequence[ast.AST]) -> None:
        """Let the helpers see the calls in some trees."""
        pieces = Pieces(times, self.helpers)
        for tree in trees:
            for node in ast.walk(tree):
                if isinstance(node, ast.Call):
                    pieces.helpers.takes(node, times)

    # Arguments of the constructor

    def _parameters(self, region: Region, times: Times, own: set[str]) -> list[tuple[str, str, str]]:
        """By name, what stands in the signature, and what the call gives."""
        if region.is_module_level:
            return []
        moved = [node for s in (*region.moved, region.outputs) for node in ast.walk(s)]
        read = {name for tree in (*region.moved, region.outputs) for name in names_read(tree)} & own - times.running
        function = region.functions[0]
        is_method = bool(self._receiver(region))
        found = [
            (part.arg, self._parameter(function, part, not is_method), _passed(function, part))
            for part in _in_order(function) if part.arg in read
        ]  # fmt: skip
        known = {name for name, _, _ in found}
        others = sorted(read - known, key=lambda name: _first_read(moved, name))
        return [*found, *((name, name, name) for name in others)]

    def _receiver(self, region: Region) -> str:
        """The name of `self` in a method."""
        if region.is_module_level:
            return ""
        function = region.functions[0]
        owner = self.source.syntax.class_of.get(self.source.syntax.place(function))
        first = next(iter((*function.args.posonlyargs, *function.args.args)), None)
        return first.arg if owner is not None and first is not None else ""

    def _attributes_of_self(self, region: Region, receiver: str, taken: Collection[str]) -> dict[str, str]:
        """What a graph in a method reads of the object, with the arguments for it: `self.width` is `width`."""
        seen: dict[str, str] = {}
        for node in (node for s in (*region.moved, region.outputs) for node in ast.walk(s)):
            if not isinstance(node, ast.Name) or not receiver or node.id != receiver:
                continue
            around = self.source.syntax.parent(node)
            if not isinstance(around, ast.Attribute) or not isinstance(around.ctx, ast.Load):
                refuse(
                    "LZ312",
                    f"a graph that needs `{receiver}` itself cannot become a class of its own",
                    self.source.syntax.place(node),
                    f"read what the graph needs of `{receiver}` into a variable before",
                )
            assert isinstance(around, ast.Attribute)
            name = around.attr.strip("_") or around.attr
            seen.setdefault(around.attr, name if name not in taken else f"own_{name}")
        return seen

    def _parameter(self, function: ast.FunctionDef | ast.AsyncFunctionDef, part: ast.arg, defaults: bool) -> str:
        arguments = function.args
        star = "*" if part is arguments.vararg else "**" if part is arguments.kwarg else ""
        text = f"{star}{ast.unparse(part)}"
        default = _defaults(function).get(part.arg) if defaults else None
        if default is None:
            return text
        equals = " = " if part.annotation is not None else "="
        return f"{text}{equals}{self.source.splices.source(default)}"

    def _signature(
        self, function: ast.FunctionDef | ast.AsyncFunctionDef, names: Collection[str], *, annotated: bool
    ) -> Iterator[str]:
        marked = False
        for part in _in_order(function):
            if part.arg not in names:
                continue
            if part in function.args.kwonlyargs and not marked:
                marked = True
                yield "*"
            if annotated:
                yield self._parameter(function, part, True)
            else:
                default = _defaults(function).get(part.arg)
                yield part.arg if default is None else f"{part.arg}={self.source.splices.source(default)}"

    # Inputs

    def _arguments(self, region: Region) -> list[Argument]:
        found = arguments_of(region.inputs, region.graph.inputs, self.source.syntax)
        if isinstance(found, Diagnostic):
            raise NotConvertible(found)
        return found

    def _samples(self, region: Region, stages: Stages) -> str:
        """The arguments of a call that builds the layers as the placeholders did."""
        splices = self.source.splices.fork()
        made = {
            name: call for statement in region.moved if stages.times.makes_placeholder(statement)
            for name, call in _placeholders(statement)
        }  # fmt: skip
        for node in ast.walk(region.inputs):
            if isinstance(node, ast.Name) and node.id in made:
                self._check_shape(node.id, made[node.id], region)
                splices.replace(*splices.span(node), f"{splices.text(made[node.id])}.sample")
        inputs = region.inputs
        if isinstance(inputs, (ast.List, ast.Tuple)):
            return ", ".join(map(splices.text, inputs.elts))
        if isinstance(inputs, ast.Dict):
            keys = [str(key.value) for key in inputs.keys if isinstance(key, ast.Constant)]
            return ", ".join(f"{key}={splices.text(item)}" for key, item in zip(keys, inputs.values, strict=True))
        return splices.text(inputs)

    def _check_shape(self, name: str, call: ast.Call, region: Region) -> None:
        read = names_read(call)
        for statement in region.moved:
            for leaf in leaves([statement]):
                again = read & binds(leaf)
                if again and leaf.lineno > call.lineno:
                    refuse(
                        "LZ319",
                        f"`{min(again)}`, which the shape of {name} is made of, gets another value here",
                        self.source.syntax.place(leaf),
                        "give the second value another name",
                    )

    # Docstrings

    def _described(self, region: Region, times: Times, arguments: Sequence[Argument], parameters: bool) -> str:
        """`Maps image (N, channels, 32, 32) to logits.`  Sizes are only said where they are the same in every model."""
        if not parameters:
            return described(arguments, region.outputs, region.graph)
        made = {
            name: call for statement in region.moved if times.makes_placeholder(statement)
            for name, call in _placeholders(statement)
        }  # fmt: skip
        given = []
        for argument in arguments:
            shapes = [_shape(made[variable]) for variable, _ in argument.steps if variable in made]
            given.append(f"{argument.name} {shapes[0]}".strip() if argument.is_plain and shapes else argument.name)
        results = _results(region.outputs)
        return f"Maps {listed(given)} to {listed(results)}." if results else f"Takes {listed(given)}."


def _results(node: ast.expr) -> list[str]:
    """The outputs of a graph, if they have telling names."""
    if isinstance(node, ast.Dict):
        return [str(key.value) for key in node.keys if isinstance(key, ast.Constant)]
    parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
    names = [part.id for part in parts if isinstance(part, ast.Name) and len(part.id) > 2]
    return names if len(names) == len(parts) else []


def _shape(call: ast.Call) -> str:
    """The shape of a placeholder as its call says it; free sizes by a letter."""
    shape = [*call.args, *(k.value for k in call.keywords if k.arg == "shape")][0]
    if not isinstance(shape, (ast.Tuple, ast.List)):
        return ""
    texts = []
    for number, size in enumerate(shape.elts):
        free = isinstance(size, ast.Constant) and size.value is None
        texts.append(_FREE_NAMES[number % len(_FREE_NAMES)] if free else ast.unparse(size))
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def _placeholders(statement: ast.stmt) -> Iterator[tuple[str, ast.Call]]:
    value = getattr(statement, "value", None)
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    for target in targets:
        if isinstance(target, ast.Name) and isinstance(value, ast.Call):
            yield target.id, value
        elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, ast.Tuple):
            for name, call in zip(target.elts, value.elts, strict=False):
                if isinstance(name, ast.Name) and isinstance(call, ast.Call):
                    yield name.id, call


def _module_variables(tree: ast.Module) -> Iterator[str]:
    """The names that a module assigns, without its definitions and imports."""
    for leaf in leaves(tree.body):
        if isinstance(leaf, (ast.Assign, ast.AnnAssign)):
            for target in leaf.targets if isinstance(leaf, ast.Assign) else [leaf.target]:
                yield from target_names(target)


def _in_order(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    arguments = function.args
    found = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    return [part for part in found if part is not None]


def _defaults(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, ast.expr]:
    arguments = function.args
    places = [*arguments.posonlyargs, *arguments.args]
    found = dict(
        zip([part.arg for part in places[len(places) - len(arguments.defaults) :]], arguments.defaults, strict=True)
    )
    found.update((p.arg, d) for p, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None)
    return found


def _passed(function: ast.FunctionDef | ast.AsyncFunctionDef, part: ast.arg) -> str:
    arguments = function.args
    if part is arguments.vararg:
        return f"*{part.arg}"
    if part is arguments.kwarg:
        return f"**{part.arg}"
    return f"{part.arg}={part.arg}" if part in arguments.kwonlyargs else part.arg


def _rank(parameter: tuple[str, str, str]) -> int:
    """Parameters without a default first; those by keyword alone behind those that take any number."""
    name, text, given = parameter
    if text.startswith("*"):
        return 4 if text.startswith("**") else 2
    return 3 if given == f"{name}={name}" else 1 if "=" in text else 0


def _signature(parameters: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """What stands in the signature, with the star that begins those by keyword alone."""
    has_star = any(_rank(parameter) == 2 for parameter in parameters)
    for parameter in parameters:
        if _rank(parameter) == 3 and not has_star:
            has_star = True
            yield "*"
        yield parameter[1]


def _first_read(nodes: Sequence[ast.AST], name: str) -> tuple[int, int]:
    return min((node.lineno, node.col_offset) for node in nodes if isinstance(node, ast.Name) and node.id == name)
