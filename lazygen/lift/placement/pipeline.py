"""Stages for `torch.distributed.pipelining`, from models whose parts are on several devices.

A class becomes one subclass a stage, which builds what the class builds, lets go of the layers of the other stages and
does its part of `forward`; so names of parameters, arguments and methods stay.  An `nn.Sequential` of the module is
sliced.  Devices go out of the text: a process moves its stage to the device that it is given.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lazygen.diagnostics import Diagnostic, Place, Refused
from lazygen.lift.bindings import names_used
from lazygen.lift.parameters import free_name
from lazygen.lift.placement.callees import Callees
from lazygen.lift.placement.cutting import Cutter, Held
from lazygen.lift.placement.scopes import FUNCTIONS
from lazygen.lift.placement.signatures import Annotations
from lazygen.lift.placement.stages import Stage
from lazygen.lift.placement.wrapping import spelling_of_nn
from lazygen.lift.plan import Edit, InsertStatements, WriteTemplate
from lazygen.lift.syntax import Syntax
from lazygen.trace.model import ModelTrace
from lazygen.values import value

_CONTAINERS = {"torch.nn.ModuleList": "list", "torch.nn.Sequential": "sequential"}


@value
class Staged:
    """The edits for one model, an expression that gives its stages, to try them one behind the other, and the import
    statements that they need.
    """

    edits: tuple[Edit, ...]
    stages: str
    imports: tuple[str, ...] = ()


def staged(syntax: Syntax, text: str, model: ModelTrace, several: bool) -> Staged:
    """The stages of a model of the file.  Raises Refused where it cannot be cut.

    `several` says that other models of the file are cut, too, so that names have to tell them apart.
    """
    writer = _Writer(syntax, text, model, several)
    statement = writer.variable()
    owner = syntax.classes.get(model.maker)
    if owner is not None:
        return writer.of_class(owner)
    if statement is not None:
        return writer.of_sequential(statement)
    raise _refused(syntax, model, "it is neither a model of a class of this file nor an nn.Sequential of the module")


def imports(syntax: Syntax, *lines: str) -> list[Edit]:
    """Import statements below those that the file has."""
    nodes = [node for node in syntax.tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    known = {ast.unparse(node) for node in nodes}
    new = [line for line in lines if line not in known]
    if not new:
        return []
    standard = [line for line in new if "torch" not in line]
    edits: list[Edit] = []
    if standard:
        plain = [n for n in nodes if not (isinstance(n, ast.ImportFrom) and n.module == "__future__")]
        edits.append(InsertStatements(syntax.span(plain[0]), "\n".join(standard) + "\n\n"))
    rest = [line for line in new if line not in standard]
    if rest:
        torch = [n for n in nodes if "torch" in ast.unparse(n)] or nodes
        edits.append(InsertStatements(syntax.span(torch[-1]), "\n".join(rest) + "\n", before=False))
    return edits


class _Writer:
    def __init__(self, syntax: Syntax, text: str, model: ModelTrace, several: bool) -> None:
        self.syntax, self.text, self.model = syntax, text, model
        self.callees = Callees(syntax)
        name = model.entry.partition("(")[0]
        taken = names_used(syntax.tree) | set(syntax.classes) | {f.name for f in syntax.functions.values()}
        base = f"_{name.lower()}" if several else ""
        self.stages_name = free_name(f"{name.upper()}_STAGES" if several else "STAGES", taken)
        self.function = free_name(f"build{base}_stage", taken)
        self.taken = taken

    def variable(self) -> ast.stmt | None:
        """The statement of the module that makes the model."""
        for statement in self.syntax.tree.body:
            if isinstance(statement, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == self.model.entry for target in statement.targets
            ):
                return statement
        return None

    def of_class(self, owner: ast.ClassDef) -> Staged:
        forward = self.callees.method(owner, "forward")
        if forward is None:
            raise _refused(self.syntax, self.model, f"{owner.name} has no forward in this file")
        held = self._held(owner)
        stages = Cutter(forward, held, self.syntax, self.text).cut()
        if len(stages) < 2:
            raise _refused(self.syntax, self.model, "all of it is on one device")
        names = [free_name(f"{owner.name}Stage{number}", self.taken) for number in range(len(stages))]
        described = [
            {
                "name": name,
                "sizes": _flow(stage),
                "layers": self._kept(stage, held, owner),
                "signature": self._signature(stage, forward, first=not number),
                "lines": _lines(stage),
            }
            for number, (name, stage) in enumerate(zip(names, stages, strict=True))
        ]
        values = (
            ("model", owner.name),
            ("stages", described),
            ("stages_name", self.stages_name),
            ("names", ", ".join(names)),
            ("count", len(stages)),
            ("function", self.function),
        )
        given = self._arguments(owner)
        return Staged(
            (WriteTemplate(self.syntax.span(owner), "pipeline_stages", values),),
            f"[stage({given}) for stage in {self.stages_name}]",
        )

    def of_sequential(self, statement: ast.stmt) -> Staged:
        devices = _children(self.model, "")
        slices, start = [], 0
        while start < len(devices):
            end = next((n for n in range(start, len(devices)) if devices[n] != devices[start]), len(devices))
            slices.append(f"slice({start}, {end if end < len(devices) else None})")
            start = end
        if len(slices) < 2:
            raise _refused(self.syntax, self.model, "all of it is on one device")
        nn = spelling_of_nn(self.syntax, Annotations(self.syntax).torch)
        name = self.model.entry
        values = (
            ("model", name),
            ("stages_name", self.stages_name),
            ("slices", ", ".join(slices)),
            ("count", len(slices)),
            ("function", self.function),
            ("nn", nn),
        )
        return Staged(
            (WriteTemplate(self.syntax.span(statement), "pipeline_slices", values),),
            f"[{nn}.Sequential(OrderedDict(list({name}.named_children())[part])) for part in {self.stages_name}]",
            ("from collections import OrderedDict",),
        )

    def _held(self, owner: ast.ClassDef) -> dict[str, Held]:
        """What the attributes of the model are on, and its methods by what they use."""
        held: dict[str, Held] = {}
        for name in dict.fromkeys(item.name.partition(".")[0] for item in self.model.state):
            devices = tuple(dict.fromkeys(i.device for i in self.model.state if _is_under(i.name, name)))
            kind = "layer"
            if len(devices) > 1:
                kind = self._kind(owner, name)
                devices = _children(self.model, f"{name}.") if kind != "mixed" else devices
            held[name] = Held(devices, kind)
        for statement in (s for one in self.callees.family(owner) for s in one.body):
            if isinstance(statement, FUNCTIONS) and statement.name not in ("__init__", "forward"):
                used = {n.attr for n in ast.walk(statement) if isinstance(n, ast.Attribute)}
                devices = tuple(dict.fromkeys(d for name in sorted(used & set(held)) for d in held[name].devices))
                if devices:
                    held.setdefault(statement.name, Held(devices, "mixed"))
        return held

    def _kind(self, owner: ast.ClassDef, name: str) -> str:
        """Whether an attribute with layers on several devices is a list or a Sequential of them."""
        for node in ast.walk(owner):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                targets = [t.attr for t in node.targets if isinstance(t, ast.Attribute)]
                if name in targets:
                    return _CONTAINERS.get(self.callees.names.meaning(node.value.func) or "", "mixed")
        return "mixed"

    def _kept(self, stage: Stage, held: dict[str, Held], owner: ast.ClassDef) -> list[str]:
        """The lines by which a stage keeps its own layers and lets go of the others."""
        used = self._used(stage.attributes, owner)
        gone = [f"self.{name}" for name, its in held.items() if name not in used and _is_stored(name, self.model)]
        lines = [f"del {', '.join(gone)}"] if gone else []
        for name, (start, end) in stage.children.items():
            last = f"len(self.{name})" if end == len(held[name].devices) else str(end)  # another depth keeps its layers
            over = f"range({start}, {last})" if start else f"range({last})"
            layers = f"{{str(index): self.{name}[index] for index in {over}}}"
            lines.append(
                f"self.{name} = {spelling_of_nn(self.syntax, Annotations(self.syntax).torch)}.ModuleDict({layers})"
            )
        return lines

    def _used(self, names: set[str], owner: ast.ClassDef) -> set[str]:
        """The attributes that a stage uses, by its methods too."""
        found: set[str] = set()
        pending = list(names)
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                method = self.callees.method(owner, name)
                pending += [n.attr for n in ast.walk(method) if isinstance(n, ast.Attribute)] if method else []
        return found

    def _signature(self, stage: Stage, forward: ast.FunctionDef | ast.AsyncFunctionDef, first: bool) -> str:
        own = forward.args.args[0].arg
        return ast.unparse(forward.args) if first else ", ".join([own, *stage.inputs])

    def _arguments(self, owner: ast.ClassDef) -> str:
        """What the entry gives to the constructor, as text."""
        node: ast.expr = ast.parse(self.model.entry, mode="eval").body
        variable = self.variable()
        if isinstance(variable, ast.Assign):
            node = variable.value
        if not isinstance(node, ast.Call):
            return ""
        parts = [ast.unparse(argument) for argument in node.args]
        return ", ".join([*parts, *(ast.unparse(keyword) for keyword in node.keywords)])


def _children(model: ModelTrace, prefix: str) -> tuple[str, ...]:
    """The device of each child of a container; one without parameters is where the layer before it is, else behind."""
    names = [name for name, _ in model.made if name.startswith(prefix) and name != prefix]
    children = list(dict.fromkeys(name[len(prefix) :].partition(".")[0] for name in names))
    found: list[str] = []
    for child in children:
        own = [i.device for i in model.state if _is_under(i.name, f"{prefix}{child}")]
        found.append(own[0] if len(set(own)) == 1 else "several" if own else "")
    last = next((device for device in found if device), "cpu")
    for number, device in enumerate(found):
        last = found[number] = device or last
    return tuple(found)


def _is_under(name: str, attribute: str) -> bool:
    return name == attribute or name.startswith(f"{attribute}.")


def _is_stored(name: str, model: ModelTrace) -> bool:
    return any(_is_under(item.name, name) for item in model.state)


def _lines(stage: Stage) -> list[str]:
    lines = list(stage.lines)
    if stage.outputs:
        lines.append(f"return {', '.join(stage.outputs)}")
    return [line.replace("\n", "\n        ") for line in lines]


def _flow(stage: Stage) -> str:
    return f"{', '.join(stage.inputs)} to {', '.join(stage.outputs) or 'the result'}"


def _refused(syntax: Syntax, model: ModelTrace, why: str) -> Refused:
    owner = syntax.classes.get(model.maker)
    place = syntax.place(owner) if owner is not None else Place(syntax.path, 1, 0, 1, 0)
    help_ = "a pipeline is cut where the device changes: build the parts in device scopes, or with device="
    return Refused(Diagnostic("LZ524", f"{model.entry} is no pipeline: {why}", place, helps=(help_,)))


def on_several_devices(models: Sequence[ModelTrace]) -> list[ModelTrace]:
    """The models that are on several devices."""
    return [model for model in models if len({item.device for item in model.state}) > 1]
