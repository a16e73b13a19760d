"""Devices of the TorchX style: scopes in which whatever is built stands on a device and has a dtype.

    with tx.device_scope("cuda:1", dtype=torch.float64):
        head = L.Linear(10)                     built by its first call, on cuda:1 in float64
        scale = torch.ones(10)                  the same

    with tx.device_scope([0, 3, 5]):
        model = tx.DataParallel(L.Sequential(L.Linear(64), L.ReLU()))

What is built inside a list of devices stands on the first of them.
"""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

__all__ = ["DataParallel", "DistributedDataParallel", "DistributedManager", "device_scope", "new_tensor"]

_ACTIVE: list[device_scope] = []
_OUTSIDE: list[Any] = []  # torch's default dtype outside of all scopes


class Observer:
    """Hears of scopes.  This one does nothing; another may take its place in `device_scope.observer`."""

    def scoped(self, scope: device_scope) -> None:
        """A scope was made."""

    def opened(self, scope: device_scope, outer: device_scope | None) -> None:
        """A scope was entered, inside another one or inside none."""

    def liked(self, is_floating: bool) -> None:
        """A tensor was made like another one, which is floating, or of integers, which keep their dtype."""

    def moved(self, module: nn.Module, what: str, device: bool, dtype: bool) -> None:
        """A `call` or a `wrap` of a module brought it to a scope's device or dtype, where it was not yet."""


class device_scope:
    """Lets what is built inside stand on a device and have a dtype.

    `device` is -1, None or "cpu" for the CPU; n, "cuda:n" or "gpu:n" for GPU n; a `torch.device`; several of these in a
    list, or "cuda:all" for all GPUs.  `dtype` is the one of floating tensors; float32 is whatever torch's default is.
    With `override_parent=False` a scope inside another one gives way to that.  `as` gives the first `torch.device`.

    Raises ValueError for what is no device.
    """

    observer = Observer()

    def __init__(self, device: Any, dtype: Any = torch.float32, override_parent: bool = True) -> None:
        self.given = device
        self.devices = devices_of(device)
        self.dtype = torch.float32 if dtype is None else dtype
        self.override_parent = override_parent
        self._exits: list[ExitStack] = []
        device_scope.observer.scoped(self)

    @property
    def device(self) -> Any:
        """Where things are built: the first device."""
        return self.devices[0]

    def __enter__(self) -> Any:
        outer = current()
        device_scope.observer.opened(self, outer)
        scope = self if outer is None or self.override_parent else outer
        before = torch.get_default_dtype()
        if outer is None:
            _OUTSIDE[:] = [before]
        exits = ExitStack()
        exits.callback(torch.set_default_dtype, before)
        torch.set_default_dtype(_OUTSIDE[0] if scope.dtype is torch.float32 else scope.dtype)
        exits.enter_context(scope.device)
        exits.enter_context(_Like(scope))
        _ACTIVE.append(scope)
        self._exits.append(exits)
        return scope.device

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse to decorate a function.  Raises TypeError."""
        raise TypeError("a device scope is no decorator: it stands in a `with` statement")

    def __exit__(self, *error: object) -> None:
        _ACTIVE.pop()
        self._exits.pop().close()


def current() -> device_scope | None:
    """The scope that holds here; None outside of all."""
    return _ACTIVE[-1] if _ACTIVE else None


def devices_of(given: Any) -> tuple[Any, ...]:
    """The devices that a scope names, as torch has them.  Raises ValueError for what is none."""
    if given == "cuda:all" or given == "gpu:all":
        return tuple(torch.device(f"cuda:{number}") for number in range(max(torch.cuda.device_count(), 1)))
    if isinstance(given, (list, tuple, range)):
        if not given:
            raise ValueError("a scope needs a device, and the list is empty")
        return tuple(_device(one) for one in given)
    return (_device(given),)


def _device(given: Any) -> Any:
    if given is None or (isinstance(given, int) and not isinstance(given, bool) and given == -1):
        return torch.device("cpu")
    if isinstance(given, torch.device):
        return given
    if hasattr(given, "__index__") and not isinstance(given, bool) and int(given) >= 0:
        return torch.device(f"cuda:{int(given)}")
    if isinstance(given, str):
        kind, colon, number = given.partition(":")
        if kind.isalpha() and (number.isdecimal() or not colon):
            return torch.device(f"{'cuda' if kind == 'gpu' else kind}{colon}{number}")
    raise ValueError(f"{given!r} is no device: -1 and 'cpu' are the CPU, 0 and 'cuda:0' the first GPU")


class _Like(TorchFunctionMode):
    """`ones_like(x)` and `x.new_zeros(2)` make their tensors on the device of the scope, and in its dtype.

    A dtype that is float32 or that of integers stays what it is.
    """

    def __init__(self, scope: device_scope) -> None:
        super().__init__()
        self.scope = scope

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        if getattr(function, "__name__", "") in _LIKE:
            if kwargs.get("device") is None:
                kwargs["device"] = self.scope.device
            like = args[0] if args else kwargs.get("input")
            is_floating = like is not None and like.dtype.is_floating_point
            device_scope.observer.liked(is_floating)
            if kwargs.get("dtype") is None and is_floating and self.scope.dtype is not torch.float32:
                kwargs["dtype"] = self.scope.dtype
        return function(*args, **kwargs)


_LIKE = frozenset(
    {f"{name}_like" for name in ("zeros", "ones", "empty", "full", "rand", "randn", "randint")}
    | {f"new_{name}" for name in ("zeros", "ones", "empty", "full", "tensor")}
)


def new_tensor(data: Any, **kwargs: Any) -> Any:
    """A tensor of data on the device of the scope, and in its dtype; in one of float32, in the dtype of the data."""
    scope = current()
    if scope is not None and scope.dtype is not torch.float32 and kwargs.get("dtype") is None:
        kwargs["dtype"] = scope.dtype
    return torch.tensor(data, **kwargs)


def move_here(module: nn.Module, what: str = "call") -> None:
    """Bring a module to the device and the dtype of the scope that holds here, if there is one."""
    scope = current()
    if scope is not None:
        before = _places(module)
        module.to(scope.device, scope.dtype) if what == "call" else module.to(scope.device)
        device, dtype = (one != other for one, other in zip(before, _places(module), strict=True))
        if device or dtype:
            device_scope.observer.moved(module, what, device, dtype)


def _places(module: nn.Module) -> tuple[list[Any], list[Any]]:
    """The devices and dtypes of what a module holds, and of what its layers are still to build."""
    tensors = [*module.parameters(), *module.buffers()]
    homes = [home for part in module.modules() if (home := getattr(part, "home", None))]
    return (
        [*(tensor.device for tensor in tensors), *(home.get("device") for home in homes)],
        [*(tensor.dtype for tensor in tensors), *(home.get("dtype") for home in homes)],
    )


# Several devices


def DataParallel(module: nn.Module, output_device: Any = None, dim: int = 0) -> nn.Module:
    """The module, run on all devices of the scope at once: a part of dim `dim` of its inputs on each.

    On the CPU this is the module itself.
    """
    scope = current()
    if scope is None or scope.device.type == "cpu":
        return module
    move_here(module, "wrap")
    output = None if output_device is None else _device(output_device)
    return nn.DataParallel(module, device_ids=list(scope.devices), output_device=output, dim=dim)


def DistributedDataParallel(module: nn.Module) -> nn.Module:
    """The module, whose gradients are summed over all processes; it stands on the scope's single device.

    Raises ValueError in a scope of several devices.
    """
    scope = current()
    if scope is not None and len(scope.devices) > 1:
        raise ValueError("DistributedDataParallel has one device a process: DataParallel is for several")
    move_here(module, "wrap")
    device_ids = None if scope is None or scope.device.type == "cpu" else [scope.device]
    return nn.parallel.DistributedDataParallel(module, device_ids=device_ids)


class DistributedManager:
    """Processes that train together, one for each device.

    manager = DistributedManager("nccl", num_procs=4)
    manager.entry()                      here the script is run four times; below this line in each of them
    with manager.device_scope():
        model = DistributedDataParallel(Net())

    `num_procs` counts those of this node; None is one a GPU.
    """

    def __init__(
        self,
        backend: str = "nccl",
        num_procs: int | None = None,
        num_nodes: int = 1,
        node_rank: int = 0,
        master_addr: str = "127.0.0.1",
        master_port: int = 29500,
    ) -> None:
        self.backend = backend
        self.num_procs = max(torch.cuda.device_count(), 1) if num_procs is None else num_procs
        self.num_nodes, self.node_rank = num_nodes, node_rank
        self.master_addr, self.master_port = master_addr, master_port

    def entry(self) -> None:
        """Join the others, in a process that was launched; launch them else, and leave when they are done.  Where torch
        knows nothing of processes this one is alone.

        Raises SystemExit in the process that launches, with the first exit code that is not 0.
        """
        if not torch.distributed.is_available():
            return
        if "LOCAL_RANK" in os.environ:
            torch.distributed.init_process_group(self.backend)
            return
        import subprocess

        command = [sys.executable, *sys.argv]
        processes = [subprocess.Popen(command, env=self._environment(rank)) for rank in range(self.num_procs)]
        codes = [process.wait() for process in processes]
        raise SystemExit(next(filter(None, codes), 0))

    def local_rank(self) -> int:
        """The number of this process on its node."""
        return int(os.environ.get("LOCAL_RANK", "0"))

    def device_scope(self, use_cpu: bool = False) -> device_scope:
        """A scope of this process's device."""
        return device_scope(-1 if use_cpu else self.local_rank())

    def _environment(self, local_rank: int) -> dict[str, str]:
        """What torch reads when a process joins the others."""
        return {
            **os.environ,
            "MASTER_ADDR": self.master_addr,
            "MASTER_PORT": str(self.master_port),
            "WORLD_SIZE": str(self.num_procs * self.num_nodes),
            "RANK": str(self.node_rank * self.num_procs + local_rank),
            "LOCAL_RANK": str(local_rank),
        }
