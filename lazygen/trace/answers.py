"""What the stand-in answers where torch would look at the machine, at data or at gradients."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import UnknownValue
from lazygen.symbolic.function_modes import FunctionMode
from lazygen.symbolic.nn.module import Module, _IncompatibleKeys
from lazygen.symbolic.nn.parallel import DataParallel
from lazygen.symbolic.tensor import Size, Tensor, new
from lazygen.symbolic.torch_names import VERSION
from lazygen.symbolic.unknown import Unknown
from lazygen.trace import inert, sandbox
from lazygen.trace.inert import Mode, identity, quiet, returning


class Version(str):
    """`torch.__version__`, which compares with tuples and strings by its numbers, as torch's does."""

    def _numbers(self, other: Any) -> tuple[list[int], list[int]]:
        parts = other.split("+")[0].split(".") if isinstance(other, str) else other
        theirs = [int(part) for part in parts if str(part).isdigit()]
        return [int(part) for part in str.split(self, ".")][: len(theirs)], theirs

    def __lt__(self, other: Any) -> bool:
        ours, theirs = self._numbers(other)
        return ours < theirs

    def __le__(self, other: Any) -> bool:
        ours, theirs = self._numbers(other)
        return ours <= theirs

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return not self < other


class Constant:
    """A layout, memory format or scheme: only itself."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __deepcopy__(self, memo: object) -> Constant:
        return self


class Layout(Constant):
    """`torch.layout`."""


class MemoryFormat(Constant):
    """`torch.memory_format`."""


_FLOAT_BITS = {
    "float16": (10, 5), "bfloat16": (7, 8), "float32": (23, 8), "float64": (52, 11), "float8_e4m3fn": (3, 4),
    "float8_e5m2": (2, 5),
}  # fmt: skip
_FLOAT_MAX = {"float8_e4m3fn": 448.0}  # its largest exponent is not set aside for infinities


class Finfo:
    """`torch.finfo`: the limits of a floating type, by its mantissa and exponent bits."""

    def __init__(self, type: Any = None) -> None:
        kind = type or dtypes.DEFAULT_DTYPE[-1]
        kind = kind.to_real() if kind.is_complex else kind
        if kind.name not in _FLOAT_BITS:
            raise TypeError(f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle '{kind!r}'")
        mantissa, exponent = _FLOAT_BITS[kind.name]
        top = 2 ** (exponent - 1) - 1
        self.dtype, self.bits, self.eps = kind.name, 8 * kind.itemsize, 2.0**-mantissa
        self.max = _FLOAT_MAX.get(kind.name, (2 - 2.0**-mantissa) * 2.0**top)
        self.min, self.tiny = -self.max, 2.0 ** (1 - top)
        self.smallest_normal, self.resolution = self.tiny, 10.0 ** -math.floor(mantissa * math.log10(2))


class Iinfo:
    """`torch.iinfo`: the limits of an integer type."""

    def __init__(self, type: Any) -> None:
        if type.category > 1:
            raise TypeError(f"torch.iinfo() requires an integer input type. Use torch.finfo to handle '{type!r}'")
        self.dtype, self.bits = type.name, 8 * type.itemsize
        self.max = 2 ** (self.bits - type.is_signed) - 1
        self.min = -self.max - 1 if type.is_signed else 0


class Generator:
    """`torch.Generator`."""

    def __init__(self, device: Any = "cpu") -> None:
        self.device = dtypes.device(device)

    def manual_seed(self, seed: int) -> Generator:
        return self

    def _seed(self) -> int:
        return 0

    seed = initial_seed = _seed

    def get_state(self) -> Tensor:
        return _rng_state()

    def set_state(self, state: Any) -> None:
        return None


def _rng_state(device: Any = None) -> Tensor:
    return Tensor((5056,), dtypes.uint8, dtypes.device("cpu"))


def _checking(error: type[Exception]) -> Callable[..., None]:
    """`torch._check` and its kin: what holds of sizes is looked at, what only data can tell is taken to hold."""

    def check(cond: Any, message: Any = None) -> None:
        if not isinstance(cond, (Tensor, Unknown)) and not cond:
            raise error(message() if callable(message) else "Expected cond to be True, but got False.")

    return check


def _check_is_size(i: Any, message: Any = None, *, max: Any = None) -> None:
    _checking(RuntimeError)(i >= 0 and (max is None or i <= max), message)


def _set_default_dtype(d: Any) -> None:
    dtypes.DEFAULT_DTYPE[-1] = d


def _set_default_tensor_type(t: Any) -> None:
    kind = getattr(t, "dtype", None)
    if isinstance(t, str):
        kind = getattr(dtypes, {"Half": "float16", "Double": "float64"}.get(t.split(".")[-1][:-6], "float32"))
    _set_default_dtype(kind or dtypes.float32)


def _set_default_device(device: Any) -> None:
    dtypes.DEFAULT_DEVICE[-1] = dtypes.located("cpu" if device is None else device)


def _refused(what: str) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        sandbox.refuse(what)

    return refuse


def _needs_data(what: str) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise UnknownValue(
            f"{what} reads data, and tracing has none",
            helps=("load weights outside of what builds the model, or name another --entry",),
        )

    return refuse


def _urlparse(*args: Any, **kwargs: Any) -> Any:
    from urllib.parse import urlparse

    return urlparse(*args, **kwargs)


def _checkpoint(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    for name in ("use_reentrant", "context_fn", "determinism_check", "debug", "preserve_rng_state", "early_stop"):
        kwargs.pop(name, None)
    return function(*args, **kwargs)


def _checkpoint_sequential(functions: Any, segments: int, input: Any, **kwargs: Any) -> Any:
    for function in functions.children() if isinstance(functions, Module) else functions:
        input = function(input)
    return input


def _call(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


def _functional_call(module: Any, parameters: Any, args: Any = None, kwargs: Any = None, **_: Any) -> Any:
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    return module(*args, **(kwargs or {}))


def _vmap(func: Callable[..., Any], in_dims: Any = 0, out_dims: int = 0, *_: Any, **__: Any) -> Callable[..., Any]:
    """Runs the function once, on the first slice, and gives the results the mapped dim."""

    def mapped(*args: Any, **kwargs: Any) -> Any:
        dims = in_dims if isinstance(in_dims, (tuple, list)) else [in_dims] * len(args)
        size: Any = None
        slices = []
        for value, dim in zip(args, dims, strict=True):
            is_mapped = isinstance(value, Tensor) and dim is not None
            size = value.shape[dim] if is_mapped and size is None else size
            slices.append(value.select(dim, 0) if is_mapped else value)

        def spread(value: Any) -> Any:
            if isinstance(value, Tensor):
                at = out_dims % (value.ndim + 1)
                return new((*value.shape[:at], size, *value.shape[at:]), value)
            return type(value)(spread(item) for item in value) if isinstance(value, (tuple, list)) else value

        return spread(func(*slices, **kwargs))

    return mapped


def _gradients(outputs: Any, inputs: Any, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
    tensors = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    return tuple(new(tensor.shape, tensor) for tensor in tensors)


def _tuple_of(count: int) -> Callable[[Any], Any]:
    def repeat(value: Any) -> Any:
        return tuple(value) if isinstance(value, (tuple, list)) else (value,) * count

    return repeat


def _skip_init(module_class: Any, *args: Any, **kwargs: Any) -> Any:
    return module_class(*args, **kwargs)


_FORMATS = "contiguous_format channels_last channels_last_3d preserve_format"
_LAYOUTS = "strided sparse_coo sparse_csr sparse_csc sparse_bsr sparse_bsc jagged _mkldnn"
_MODES = """
no_grad enable_grad inference_mode set_grad_enabled autocast amp.autocast_mode.autocast cuda.amp.autocast
cpu.amp.autocast autograd.detect_anomaly autograd.set_detect_anomaly autograd.set_multithreading_enabled cuda.device
cuda.device_of cuda.stream cuda.nvtx.range random.fork_rng profiler.record_function
autograd.profiler.record_function autograd.profiler.profile profiler.profile backends.cuda.sdp_kernel
nn.attention.sdpa_kernel nn.utils.parametrize.cached autograd.graph.save_on_cpu autograd.graph.saved_tensors_hooks
cuda.amp.custom_fwd cuda.amp.custom_bwd amp.custom_fwd amp.custom_bwd backends.cudnn.flags backends.mkldnn.flags
autograd.forward_ad.dual_level
"""
_IDENTITIES = """
compile compiler.disable compiler.allow_in_graph compiler.assume_constant_result jit.script jit.trace jit.ignore
jit.export jit.unused jit.script_method jit.freeze jit.optimize_for_inference jit.interface jit.script_if_tracing
jit._script_if_tracing jit._overload jit._overload_method jit.wait fx.wrap autograd.function.once_differentiable
distributed.fsdp.fully_shard jit.trace_module
"""
_QUIET = "jit.save distributed.barrier distributed.all_reduce autograd.backward _assert"
_FALSE = """
cuda.is_available cuda.is_initialized cuda.is_bf16_supported cuda.is_current_stream_capturing mps.is_available
backends.mps.is_available backends.mps.is_built backends.cuda.is_built xpu.is_available mtia.is_available
accelerator.is_available distributed.is_available distributed.is_initialized distributed.is_nccl_available
jit.is_scripting jit.is_tracing compiler.is_compiling compiler.is_dynamo_compiling is_storage
is_inference_mode_enabled is_autocast_enabled are_deterministic_algorithms_enabled backends.cudnn.is_available
is_autocast_cpu_enabled overrides.has_torch_function autograd.has_torch_function overrides.has_torch_function_unary
overrides.has_torch_function_variadic
"""
_NUMBERS = {
    "cuda.device_count": 0, "cuda.current_device": 0, "mps.device_count": 0, "xpu.device_count": 0, "initial_seed": 0,
    "seed": 0,
    "accelerator.device_count": 0, "distributed.get_rank": 0, "distributed.get_world_size": 1, "get_num_threads": 1,
    "get_num_interop_threads": 1, "is_grad_enabled": True, "cuda.memory_allocated": 0, "cuda.max_memory_allocated": 0,
    "cuda.get_device_name": "", "cuda.get_device_capability": (0, 0), "backends.cudnn.version": None,
    "get_float32_matmul_precision": "highest", "get_deterministic_debug_mode": 0,
}  # fmt: skip
_OLD_TENSORS = {
    "Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16", "Byte": "uint8", "Char": "int8",
    "Short": "int16", "Int": "int32", "Long": "int64", "Bool": "bool",
}  # fmt: skip
_DATA = "Dataset IterableDataset TensorDataset Subset ConcatDataset ChainDataset StackDataset"


def answers() -> dict[str, Any]:
    """Every fixed answer, by its path without the leading `torch.`."""
    found: dict[str, Any] = {
        **{path: type(path.rpartition(".")[2], (Mode,), {}) for path in _MODES.split()},
        **dict.fromkeys(_IDENTITIES.split(), identity),
        **dict.fromkeys(_QUIET.split(), quiet),
        **{path: returning(False) for path in _FALSE.split()},
        **{path: returning(value) for path, value in _NUMBERS.items()},
        **{name: MemoryFormat(name) for name in _FORMATS.split()},
        **{name: Layout(name) for name in _LAYOUTS.split()},
        **{
            f"{name}Tensor": inert.tensor_class(f"{name}Tensor", dtypes.DTYPES[kind])
            for name, kind in _OLD_TENSORS.items()
        },
        **dtypes.DTYPES,
        **dtypes.ALIASES,
        **{f"utils.data.{name}": type(name, (inert.Dataset,), {}) for name in _DATA.split()},
        **_SINGLE,
    }
    for name in _OLD_TENSORS:
        found[f"cuda.{name}Tensor"] = found[f"{name}Tensor"]
    for count, name in enumerate(("_single", "_pair", "_triple", "_quadruple"), 1):
        found[f"nn.modules.utils.{name}"] = _tuple_of(count)
    return found


_SINGLE: dict[str, Any] = {
    "__version__": Version(VERSION),
    "version.__version__": Version(VERSION),
    "version.cuda": None,
    "version.hip": None,
    "version.git_version": "",
    "__config__": SimpleNamespace(show=lambda: f"PyTorch {VERSION}", parallel_info=lambda: ""),
    "inf": math.inf,
    "nan": math.nan,
    "Tensor": Tensor,
    "Size": Size,
    "dtype": dtypes.dtype,
    "device": dtypes.device,
    "layout": Layout,
    "memory_format": MemoryFormat,
    "finfo": Finfo,
    "iinfo": Iinfo,
    "Generator": Generator,
    "default_generator": Generator(),
    "manual_seed": lambda seed: Generator(),
    "get_rng_state": _rng_state,
    "cuda.get_rng_state": _rng_state,
    **{
        f"_check{name}": _checking(error)
        for name, error in {
            "": RuntimeError,
            "_index": IndexError,
            "_value": ValueError,
            "_type": TypeError,
            "_not_implemented": NotImplementedError,
            "_tensor_all": RuntimeError,
        }.items()
    },
    "_check_is_size": _check_is_size,
    "_check_with": lambda error, cond, message: _checking(error)(cond, message),
    "get_default_dtype": lambda: dtypes.DEFAULT_DTYPE[-1],
    "set_default_dtype": _set_default_dtype,
    "set_default_tensor_type": _set_default_tensor_type,
    "get_default_device": lambda: dtypes.DEFAULT_DEVICE[-1],
    "set_default_device": _set_default_device,
    "is_tensor": lambda obj: isinstance(obj, Tensor),
    "overrides.TorchFunctionMode": FunctionMode,
    "overrides.is_tensor_like": lambda obj: isinstance(obj, Tensor),
    "save": _refused("torch.save"),
    "load": _needs_data("torch.load"),
    "jit.load": _needs_data("torch.jit.load"),
    "onnx.register_custom_op_symbolic": quiet,
    "nn.modules.module._IncompatibleKeys": _IncompatibleKeys,
    **{f"multiprocessing.{name}": type(name, (), {}) for name in ("SimpleQueue", "Queue", "Process")},
    "nn.attention.flex_attention._DEFAULT_SPARSE_BLOCK_SIZE": 128,
    "hub.HASH_REGEX": re.compile(r"-([a-f0-9]*)\."),
    "hub.urlparse": _urlparse,
    "hub._get_torch_home": lambda: "~/.cache/torch",
    "hub.load": _needs_data("torch.hub.load"),
    "hub.load_state_dict_from_url": _needs_data("torch.hub.load_state_dict_from_url"),
    "from_file": _needs_data("torch.from_file"),
    "vmap": _vmap,
    "func.functional_call": _functional_call,
    "nn.utils.stateless.functional_call": _functional_call,
    "jit.annotate": lambda kind, value: value,
    "jit.isinstance": lambda obj, kind: False,
    "jit.fork": _call,
    "jit.ScriptModule": Module,
    "ScriptModule": Module,
    "jit.Final": Final,
    "utils.checkpoint.checkpoint": _checkpoint,
    "utils.checkpoint.checkpoint_sequential": _checkpoint_sequential,
    "autograd.Function": inert.Function,
    "autograd.Variable": inert.Variable,
    "autograd.variable.Variable": inert.Variable,
    "autograd.grad": _gradients,
    "optim.Optimizer": inert.Optimizer,
    "optim.lr_scheduler.LRScheduler": inert.Scheduler,
    "optim.lr_scheduler._LRScheduler": inert.Scheduler,
    "utils.data.DataLoader": inert.DataLoader,
    "nn.DataParallel": DataParallel,
    "nn.parallel.DistributedDataParallel": DataParallel,
    "nn.utils.skip_init": _skip_init,
    "utils.cpp_extension.load": inert.uncompiled,
    "utils.cpp_extension.load_inline": inert.uncompiled,
    "nn.modules.utils._ntuple": lambda count, name="parse": _tuple_of(count),
    "nn.parameter.is_lazy": lambda parameter: hasattr(parameter, "materialize"),
    "nn.modules.utils._reverse_repeat_tuple": lambda t, n: tuple(x for x in reversed(t) for _ in range(n)),
}
