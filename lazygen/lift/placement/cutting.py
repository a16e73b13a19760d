"""Where `forward` is cut into stages: at the first thing on another device, in the order in which data flows.

    def forward(self, x):                            stage 0 on cuda:0                stage 1 on cuda:1
        h = torch.relu(self.stem(x))                     h = torch.relu(self.stem(x))
        return self.head(h) + self.skip(h)      ->       skip = self.skip(h)
                                                         return h, skip               return self.head(h) + skip

Each statement is done in the first stage that can do it: with its layers, and behind what it reads.  A part of it that
an earlier stage can do gets a name there.  A loop over a `ModuleList` on several devices becomes one in each stage.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from lazygen.diagnostics import Diagnostic, Refused
from lazygen.lift.bindings import names_read, names_used
from lazygen.lift.parameters import free_name
from lazygen.lift.placement.expressions import (
    changed_in_place,
    is_number,
    is_plain,
    names_of,
    parts_of,
    shared_with,
    stored_by,
    wanted_name,
)
from lazygen.lift.placement.stages import Stage, finished
from lazygen.lift.splices import Splices
from lazygen.lift.syntax import Function, Syntax
from lazygen.values import value

_ANYWHERE = -1  # the stage of what reads nothing: constants, names of the module


@value
class Held:
    """What an attribute of `self` has on devices: itself, or each of its children if it is a container of layers.

    A method is on the devices of what it uses.
    """

    devices: tuple[str, ...]
    kind: str = "layer"  # or `list`, `sequential`, `mixed`

    @property
    def is_spread(self) -> bool:
        return len(set(self.devices)) > 1


class Cutter:
    """Cuts one `forward`, whose `self` has the attributes `held`.  Raises Refused where that cannot be."""

    def __init__(self, forward: Function, held: Mapping[str, Held], syntax: Syntax, text: str) -> None:
        self.forward, self.held, self.syntax = forward, held, syntax
        self.splices = Splices(syntax, text)
        self.stages: list[Stage] = []
        self.own = forward.args.args[0].arg if forward.args.args else ""
        self._at: dict[str, int] = dict.fromkeys(self.arguments(), 0)
        self._last: dict[str, int] = dict(self._at)  # the last stage that reads or binds a name
        self._numbers: dict[str, tuple[str, dict[str, int]]] = {}  # sizes, each with its line and what that reads
        self._aliases: set[str] = set()  # names that may be one tensor with another one
        self._bound: dict[str, int] = {}  # how often a name was bound
        self._taken = names_used(forward) | {a.arg for a in ast.walk(forward.args) if isinstance(a, ast.arg)}
        self._known: dict[int, int] = {}  # the stages of expressions

    def arguments(self) -> list[str]:
        """The arguments of `forward` behind `self`."""
        arguments = self.forward.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise self._refused(self.forward, "a stage gets tensors by position, and this forward takes others")
        return [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)][1:]

    def cut(self) -> list[Stage]:
        """The stages in their order, at least one."""
        body = self.forward.body[1:] if ast.get_docstring(self.forward) is not None else self.forward.body
        returns = [node for node in ast.walk(self.forward) if isinstance(node, ast.Return)]
        if len(returns) != 1 or returns[0] is not body[-1] or returns[0].value is None:
            raise self._refused(self.forward, "a forward that is cut has one return, at its end")
        for statement in body[:-1]:
            self._statement(statement)
        result = returns[0].value
        self._stage(result)
        last = max(len(self.stages) - 1, 0)
        self._write(last, self._dedented(f"return {self._text(result, last)}", returns[0]))
        return self._checked(finished(self.stages, self.arguments(), self.own))

    def _checked(self, stages: list[Stage]) -> list[Stage]:
        """Numbers of the program do not travel, and no layer is in two processes."""
        for stage in stages[:-1]:
            for name in stage.outputs:
                if name in self._numbers:
                    raise self._crossing(self.forward, name)
        owners: dict[str, Stage] = {}
        for stage in stages:
            for name in stage.attributes:
                if name in self.held and not self.held[name].is_spread and owners.setdefault(name, stage) is not stage:
                    raise self._refused(
                        self.forward, f"{self.own}.{name} would be in two stages, each with its own weights"
                    )
        return stages

    # -- statements

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if self._is_chain(call):
                self._chain(call, name)
            case ast.Assign(targets=targets, value=made) if all(map(is_plain, targets)):
                self._assigned(statement, [name for target in targets for name in names_of(target)], made)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as made):
                self._assigned(statement, [name], made)
            case ast.For(target=ast.Name(), iter=ast.Attribute() as over, orelse=[]) if self._is_spread(over):
                self._loop(statement, over)
            case _:
                self._whole(statement)

    def _assigned(self, statement: ast.Assign | ast.AnnAssign, names: list[str], made: ast.expr) -> None:
        stage = max(self._stage(made), 0)
        behind = max([stage, *(self._last.get(name, 0) for name in names)])
        if behind > stage:  # a later stage still reads what the name was before
            self._name(made, stage)
        text = self._text(made, behind)
        start, end = self.splices.span(made)
        first, last = self.splices.span(statement)
        whole = self.splices.between(first, start) + text + self.splices.between(end, last)
        self._write(behind, self._dedented(whole, statement))
        self._bind(names, behind)
        shared = shared_with(made)
        if shared or len(names) > 1:
            self._aliases.update([*names, *shared])
        if self._is_size(made):
            line = self.stages[behind].lines[-1]
            read = {name: self._bound.get(name, 0) for name in names_read(made)}
            self._numbers.update(dict.fromkeys(names, (line, read)))

    def _whole(self, statement: ast.stmt) -> None:
        """A statement that is done in one stage, whatever is inside."""
        attributes = [n for n in ast.walk(statement) if isinstance(n, ast.Attribute) and self._is_own(n)]
        if any(not isinstance(node.ctx, ast.Load) for node in attributes):
            raise self._refused(statement, "an attribute that forward sets is not there in the other stages")
        devices = {device for node in attributes for device in self._devices(node)}
        if len(devices) > 1:
            raise self._refused(statement, "layers on several devices are called inside this statement")
        names = names_used(statement)
        stage = max([0, *(max(self._at.get(name, 0), self._last.get(name, 0)) for name in names)])
        stage = self._on(devices.pop(), stage) if devices else stage
        for name in changed_in_place(statement) & self._aliases:
            if self._at.get(name, stage) < stage:
                raise self._refused(statement, f"{name} is changed in place, and another name may stand for it, too")
        self._write(stage, self._dedented(self.splices.text(statement), statement))
        self._bind([*stored_by(statement)], stage)

    def _loop(self, statement: ast.For, over: ast.Attribute) -> None:
        """A loop over layers on several devices: one in each stage, over those that are there."""
        inside = [n for part in statement.body for n in ast.walk(part)]
        if any(isinstance(n, ast.Attribute) and self._is_own(n) and self._devices(n) for n in inside):
            raise self._refused(statement, "this loop calls other layers than those that it goes over")
        if any(isinstance(n, (ast.Break, ast.Continue)) for n in inside):
            raise self._refused(statement, "a loop that is cut runs to its end")
        names = names_used(statement)
        behind = max([0, *(max(self._at.get(name, 0), self._last.get(name, 0)) for name in names)])
        values = f"{self.splices.source(over)}.values()"
        line = self._dedented(self.splices.text(statement, [(*self.splices.span(over), values)]), statement)
        self._spread_over(over, behind, line, [*stored_by(statement)])

    def _chain(self, call: ast.Call, name: str) -> None:
        """A call of an `nn.Sequential` on several devices: a loop over its layers in each stage."""
        (argument,) = call.args
        assert isinstance(call.func, ast.Attribute)
        stage = max(self._stage(argument), 0, self._last.get(name, 0))
        text = self._text(argument, stage)
        if text != name:
            first = self._on(self.held[call.func.attr].devices[0], stage)
            self._write(first, f"{name} = {text}")
        layer = free_name("layer", self._taken)
        line = f"for {layer} in {self.own}.{call.func.attr}.values():\n    {name} = {layer}({name})"
        self._spread_over(call.func, stage, line, [name])

    def _spread_over(self, over: ast.Attribute, behind: int, line: str, names: list[str]) -> None:
        devices = self.held[over.attr].devices
        start = 0
        while start < len(devices):
            end = next((n for n in range(start, len(devices)) if devices[n] != devices[start]), len(devices))
            behind = self._on(devices[start], behind)
            stage = self.stages[behind]
            if over.attr in stage.children:
                raise self._refused(over, f"{ast.unparse(over)} is gone over twice")
            stage.children[over.attr] = (start, end)
            self._write(behind, line)
            self._bind(names, behind)
            start = end

    # -- expressions

    def _stage(self, node: ast.expr) -> int:
        """The first stage in which an expression can be done."""
        if id(node) not in self._known:
            self._known[id(node)] = self._of(node)
        return self._known[id(node)]

    def _of(self, node: ast.expr) -> int:
        if isinstance(node, ast.Name):
            return self._at.get(node.id, _ANYWHERE)
        behind = max([_ANYWHERE, *map(self._stage, parts_of(node))])
        called = node.func if isinstance(node, ast.Call) else node
        if isinstance(called, ast.Attribute) and self._is_own(called):
            if isinstance(node, ast.Call) and self._is_chain(node):
                return self._chained(node)
            if self._is_spread(called):
                raise self._refused(node, f"{ast.unparse(called)} is on several devices, and cannot be cut here")
            devices = self._devices(called)
            return self._on(devices[0], max(behind, 0)) if devices else max(behind, _ANYWHERE)
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr)):
            return self._closed(node)
        return behind

    def _closed(self, node: ast.expr) -> int:
        """The stage of an expression with names of its own, which is not taken apart."""
        inside = [n for n in ast.walk(node) if isinstance(n, ast.Attribute) and self._is_own(n)]
        devices = {device for n in inside for device in self._devices(n)}
        if len(devices) > 1:
            raise self._refused(node, "layers on several devices are called inside this expression")
        behind = max([_ANYWHERE, *(self._at.get(name, _ANYWHERE) for name in names_read(node))])
        return self._on(devices.pop(), max(behind, 0)) if devices else behind

    def _chained(self, call: ast.Call) -> int:
        """A call of a Sequential on several devices inside an expression gets a name before it."""
        assert isinstance(call.func, ast.Attribute)
        name = free_name(call.func.attr, self._taken)
        self._taken.add(name)
        self._chain(call, name)
        self.splices.replace(*self.splices.span(call), name)
        return self._at[name]

    def _text(self, node: ast.expr, stage: int) -> str:
        """The text of an expression in a stage; what an earlier one can do of it gets a name there."""
        for part in parts_of(node):
            its = self._stage(part)
            if its == stage or (its > _ANYWHERE and self._is_size(part)):  # sizes are read off the tensor in each stage
                self._text(part, stage)
            elif _ANYWHERE < its < stage and not isinstance(part, ast.Name):
                self._name(part, its)
        return self.splices.text(node)

    def _name(self, part: ast.expr, stage: int) -> None:
        """Give an expression a name in the stage that does it."""
        if isinstance(part, ast.Name) or self.splices.text(part).isidentifier():
            return
        text = self._text(part, stage)
        name = free_name(wanted_name(part), self._taken)
        self._taken.add(name)
        self._write(stage, f"{name} = {text}")
        self._bind([name], stage)
        self.splices.replace(*self.splices.span(part), name)

    # -- stages

    def _on(self, device: str, behind: int) -> int:
        """The first stage on a device that is not before another one; a new one if there is none."""
        if self.stages and not self.stages[0].device:  # so far nothing said where the first one is
            self.stages[0].device = device
        for number in range(behind, len(self.stages)):
            if self.stages[number].device == device:
                return number
        self.stages.append(Stage(device))
        return len(self.stages) - 1

    def _write(self, stage: int, line: str) -> None:
        if not self.stages:
            self.stages.append(Stage(""))
        tree = ast.parse(line.removeprefix("return "))
        for name in sorted(names_read(tree) & set(self._numbers)):
            self._read_again(name, stage)
        self.stages[stage].lines.append(line)
        for name in names_used(tree):
            self._last[name] = max(self._last.get(name, 0), stage)

    def _read_again(self, name: str, stage: int) -> None:
        """Read a size in another stage than that which read it first: only tensors go from one to the next."""
        line, read = self._numbers[name]
        if self._at.get(name, stage) >= stage or line in self.stages[stage].lines:
            return
        if any(self._bound.get(other, 0) != times for other, times in read.items()):
            raise self._crossing(self.forward, name)
        self._write(stage, line)

    def _dedented(self, text: str, statement: ast.stmt) -> str:
        """The lines of a statement as they would stand at the left."""
        first, *others = text.split("\n")
        indentation = statement.col_offset
        kept = [line[min(indentation, len(line) - len(line.lstrip())) :] for line in others]
        return "\n".join([first, *kept])

    def _is_size(self, node: ast.expr) -> bool:
        """Whether an expression is a size, or is made of nothing else."""
        read = names_read(node)
        return is_number(node) or (bool(read) and read <= set(self._numbers))

    def _bind(self, names: list[str], stage: int) -> None:
        for name in names:
            self._at[name] = stage
            self._last[name] = max(self._last.get(name, 0), stage)
            self._bound[name] = self._bound.get(name, 0) + 1
            self._numbers.pop(name, None)

    def _is_own(self, node: ast.Attribute) -> bool:
        return isinstance(node.value, ast.Name) and node.value.id == self.own

    def _devices(self, node: ast.Attribute) -> tuple[str, ...]:
        return self.held[node.attr].devices if node.attr in self.held else ()

    def _is_spread(self, node: ast.Attribute) -> bool:
        return self._is_own(node) and node.attr in self.held and self.held[node.attr].is_spread

    def _is_chain(self, call: ast.Call) -> bool:
        function = call.func
        spread = isinstance(function, ast.Attribute) and self._is_spread(function)
        return spread and len(call.args) == 1 and not call.keywords and self.held[call.func.attr].kind == "sequential"  # type: ignore[attr-defined]

    def _crossing(self, node: ast.expr | ast.stmt, name: str) -> Refused:
        return self._refused(
            node,
            f"{name} would have to go from one stage to the next, and is no tensor",
            "take sizes from a tensor of the stage that needs them",
        )

    def _refused(self, node: ast.expr | ast.stmt, why: str, help_: str = "") -> Refused:
        place = self.syntax.place(node)
        helps = (help_ or "cut the model where forward is a straight line of calls, or write it so",)
        return Refused(Diagnostic("LZ525", f"this cannot be cut into stages: {why}", place, helps=helps))
