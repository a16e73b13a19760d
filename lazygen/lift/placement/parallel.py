"""What runs on several devices, in the words of torch.

tx.DataParallel(net)                    nn.DataParallel(net, device_ids=[0, 3, 5])          on the CPU: net
tx.DistributedDataParallel(net)         nn.parallel.DistributedDataParallel(net, device_ids=[local_rank])
manager = tx.DistributedManager("nccl", num_procs=4)        local_rank = int(os.environ.get("LOCAL_RANK", 0))
manager.entry()                         torch.distributed.init_process_group("nccl"), under torchrun
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from lazygen.frontend.references import Reference
from lazygen.lift.bindings import names_used
from lazygen.lift.parameters import free_name
from lazygen.lift.placement.device_arguments import DeviceText, read
from lazygen.lift.placement.device_scopes import Scopes
from lazygen.lift.plan import (
    AddArguments,
    DeleteStatement,
    DropArgument,
    Edit,
    InsertStatements,
    NewArgument,
    ReplaceExpression,
)
from lazygen.values import record

MODULE = ("module", "output_device", "dim")  # the parameters of what wraps a module
_MANAGER = ("backend", "num_procs", "num_nodes", "node_rank", "master_addr", "master_port")


class DataParallel:
    """Calls of `tx.DataParallel`; `uses_torch` says that the name `torch` is needed."""

    def __init__(self, scopes: Scopes, nn: str, torch: str) -> None:
        self.scopes, self.syntax, self.nn, self.torch = scopes, scopes.syntax, nn, torch
        self.uses_torch = self.uses_nn = False

    def edits(self, reference: Reference) -> Iterator[Edit]:
        """What to write for one call."""
        call, syntax = reference.call, self.syntax
        scope = None if call is None else self.scopes.around(call)
        if call is None or scope is None:
            self._elsewhere(reference)
            return
        device = scope.holding.device
        arguments = bound(call, MODULE)
        if device.cpu:
            yield ReplaceExpression(syntax.span(call), self.scopes.reader.source(arguments["module"]))
            return
        if not device.ids or (device.cpu is None and " if " in device.device):
            self.scopes.problem(
                call,
                "whether this runs on several devices hangs on a value, and with it the names of the parameters",
                'write the devices into the scope: a list of them, or "cuda:all"',
            )
            return
        ids = device.ids
        if ids == "all":
            ids, self.uses_torch = f"list(range({self.torch}.cuda.device_count()))", True
        self.uses_nn = True
        yield ReplaceExpression(syntax.span(call.func), f"{self.nn}.DataParallel")
        yield from self._arguments(call, ids)

    def _arguments(self, call: ast.Call, ids: str) -> Iterator[Edit]:
        """The devices, before what the author wrote behind the module."""
        span = self.syntax.span(call)
        new = NewArgument("device_ids", ids, 1 if len(call.args) > 1 else None)
        later = [keyword for keyword in call.keywords if keyword.arg in ("output_device", "dim")]
        for number, name in enumerate(("output_device", "dim"), start=1):
            if any(keyword.arg == name for keyword in later):
                yield DropArgument(span, name, number)
        kept = [NewArgument(str(k.arg), self._text(k.value), None) for k in later]
        yield AddArguments(span, (new, *kept))
        if len(call.args) > 1:
            yield ReplaceExpression(self.syntax.span(call.args[1]), self._text(call.args[1]))

    def _text(self, value: ast.expr) -> str:
        """The text of an argument; a device that is a text reads as torch knows it."""
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return read(value, (), self.scopes.reader).device or self.scopes.reader.source(value)
        return self.scopes.reader.source(value)

    def _elsewhere(self, reference: Reference) -> None:
        self.scopes.problem(
            reference.node,
            "no device scope stands around this, so its devices are not in the text",
            "write the `with tx.device_scope(...):` into the function that calls this",
        )


@record
class Manager:
    """A `DistributedManager`: its name, the statement that makes it, and the variable of this process's number."""

    name: str
    statement: ast.Assign
    given: Mapping[str, ast.expr]
    rank: str
    uses_rank: bool = False
    uses_gpu: bool = False
    entered: bool = False


class Distributed:
    """Managers and what they wrap; `uses_os` says that `os` is to be imported."""

    def __init__(self, scopes: Scopes, nn: str, torch: str, path: str) -> None:
        self.scopes, self.syntax, self.nn, self.torch = scopes, scopes.syntax, nn, torch
        self.file = path.rpartition("/")[2]
        self.managers: dict[str, Manager] = {}
        self.calls: dict[ast.Call, Manager] = {}  # `manager.device_scope()` and its kind
        self.uses_os = self.uses_torch = self.uses_nn = False

    def read(self, reference: Reference) -> None:
        """Read a manager, and the calls of its methods."""
        call, syntax = reference.call, self.syntax
        statement = None if call is None else syntax.parent(call)
        if call is not None and isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and target.id not in self.managers:
                rank = free_name("local_rank", names_used(syntax.tree))
                manager = Manager(target.id, statement, bound(call, _MANAGER), rank)
                self.managers[target.id] = manager
                self._methods(manager)
                return
        self.scopes.problem(
            reference.node,
            "this manager is not a variable of its own, so what it launches is not in the text",
            "assign it to a variable: manager = tx.DistributedManager(...)",
        )

    def _methods(self, manager: Manager) -> None:
        for node in ast.walk(self.syntax.tree):
            if not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id == manager.name):
                continue
            method = self.syntax.parent(node)
            call = None if method is None else self.syntax.parent(method)
            known = isinstance(method, ast.Attribute) and method.attr in ("entry", "local_rank", "device_scope")
            if known and isinstance(call, ast.Call) and call.func is method:
                self.calls[call] = manager
            else:
                self.scopes.problem(
                    node,
                    f"{manager.name} goes somewhere else here, and torch has no such object",
                    "use nothing of it but entry(), local_rank() and device_scope()",
                )

    def scope(self, call: ast.Call, manager: Manager) -> None:
        """Read `manager.device_scope(use_cpu=...)`."""
        statement = self.scopes.statement_of(call, call)
        if statement is None:
            return
        on_cpu = bound(call, ("use_cpu",)).get("use_cpu")
        rank = manager.rank
        if on_cpu is None or (isinstance(on_cpu, ast.Constant) and not on_cpu.value):
            device = DeviceText(rank, f"[{rank}]")
        elif isinstance(on_cpu, ast.Constant):
            device = DeviceText('"cpu"', cpu=True)
        else:
            test = self.scopes.reader.source(on_cpu)
            device = DeviceText(f'"cpu" if {test} else {rank}', f"None if {test} else [{rank}]", None, simple=False)
        manager.uses_gpu |= not device.cpu
        manager.uses_rank |= not device.cpu
        self.scopes.add(statement, call, device, None, gives_way=False)

    def edits(self, reference: Reference) -> Iterator[Edit]:
        """What to write for a call of `tx.DistributedDataParallel`."""
        call = reference.call
        scope = None if call is None else self.scopes.around(call)
        if call is None or scope is None:
            self.scopes.problem(
                reference.node,
                "no device scope stands around this, so its device is not in the text",
                "write the `with manager.device_scope():` into the function that calls this",
            )
            return
        device = scope.holding.device
        self.uses_nn = True
        yield ReplaceExpression(self.syntax.span(call.func), f"{self.nn}.parallel.DistributedDataParallel")
        if not device.cpu and device.ids:
            yield AddArguments(self.syntax.span(call), (NewArgument("device_ids", device.ids, None),))

    def statements(self) -> Iterator[Edit]:
        """What to write instead of the managers themselves."""
        for call, manager in self.calls.items():
            method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            if method == "local_rank":
                manager.uses_rank = True
                yield ReplaceExpression(self.syntax.span(call), manager.rank)
            elif method == "entry":
                yield from self._entry(call, manager)
        for manager in self.managers.values():
            lines = "" if manager.entered else f"# {self._launch(manager)}\n"
            if manager.uses_rank:
                self.uses_os = True
                lines += f'{manager.rank} = int(os.environ.get("LOCAL_RANK", 0))\n'
            if manager.uses_gpu:
                self.uses_torch = True
                lines += f"{self.torch}.cuda.set_device({manager.rank})\n"
            span = self.syntax.span(manager.statement)
            yield DeleteStatement(span)
            if lines:
                yield InsertStatements(span, lines)

    def _entry(self, call: ast.Call, manager: Manager) -> Iterator[Edit]:
        statement = self.syntax.parent(call)
        if not isinstance(statement, ast.Expr):
            self.scopes.problem(call, "entry() gives nothing", "write it as a statement of its own")
            return
        backend = manager.given.get("backend")
        text = '"nccl"' if backend is None else self.scopes.reader.source(backend)
        manager.entered = self.uses_torch = True
        span = self.syntax.span(statement)
        lines = f"# {self._launch(manager)}\n{self.torch}.distributed.init_process_group({text})\n"
        yield DeleteStatement(span)
        yield InsertStatements(span, lines)

    def _launch(self, manager: Manager) -> str:
        """The command that launches the processes."""
        given = {name: self.scopes.reader.source(node).strip("\"'") for name, node in manager.given.items()}
        words = ["torchrun"]
        if given.get("num_nodes", "1") != "1":
            words += [f"--nnodes={given['num_nodes']}", f"--node-rank={given.get('node_rank', '0')}"]
            words += [f"--master-addr={given.get('master_addr', '127.0.0.1')}"]
            words += [f"--master-port={given.get('master_port', '29500')}"]
        words += [f"--nproc-per-node={given.get('num_procs', 'gpu')}", self.file]
        return f"Launched by: {' '.join(words)}"


def bound(call: ast.Call, names: tuple[str, ...]) -> dict[str, ast.expr]:
    """The arguments of a call by the names of its parameters."""
    given = dict(zip(names, call.args, strict=False))
    return {**given, **{keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}}
