"""The world a source runs in: `sys.modules` holds the stand-in under torch's names.

A name of torch is looked for in this order: a fixed answer, a shape rule, a layer of the stand-in, and then by
what kind of thing torch has under that name: a function that asks real torch, a layer that does, a class that does
nothing.  Families of rules and layers load when one of their names is first used.  What torch does not have is an
AttributeError, as in torch.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from lazygen.symbolic import fallback, rules
from lazygen.symbolic.dtypes import DTYPES, dtype
from lazygen.symbolic.index import LAYERS
from lazygen.symbolic.torch_names import NAMES, OTHERS
from lazygen.trace import sandbox
from lazygen.trace.answers import answers
from lazygen.trace.families import private_class
from lazygen.trace.finder import Compile, Location
from lazygen.trace.finder import install as install_finders
from lazygen.trace.inert import identity, inert_class, inert_value, quiet, refusing, refusing_class, returning
from lazygen.trace.stubs import Import, StubModule

_FILE = str(Path(__file__).with_name("torch"))

# Modules of torch that a file of the stand-in speaks for.
_WRITTEN = {
    "torch.library": "lazygen.trace.operators",
    "torch.func": "lazygen.trace.transforms",
    "torch.nn.init": "lazygen.symbolic.init",
    "torch.nn.utils": "lazygen.symbolic.utils",
    "torch.nn.utils.rnn": "lazygen.symbolic.utils",
    "torch.nn.utils.parametrize": "lazygen.symbolic.parametrize",
    "torch.nn.utils.parametrizations": "lazygen.symbolic.parametrize",
}
# Modules beyond torch's public ones that libraries import, to register their operators or to ask about compilation.
_ALSO = (
    "torch._dynamo",
    "torch._dynamo._trace_wrapped_higher_order_op",
    "torch._dynamo.utils",
    "torch.onnx.symbolic_helper",
    "torch.onnx.symbolic_opset11",
)
# Functions below these that have no answer look at devices, processes or profiles, or set something: they do nothing.
_QUIET = tuple(
    f"torch.{name}."
    for name in [
        "cuda",
        "mps",
        "xpu",
        "mtia",
        "cpu",
        "accelerator",
        "distributed",
        "profiler",
        "backends",
        "multiprocessing",
        "monitor",
        "jit",
        "compiler",
        "amp",
    ]
)
# Functions below these do something to a module, which comes back.
_GIVING_BACK = (
    "torch.nn.utils.prune.",
    "torch.nn.utils.parametrize.",
    "torch.nn.utils.fuse_",
    "torch.nn.utils.fusion.",
    "torch.quantization.",
)
# What stands below these works on a graph of operations, and a run on shapes has none.
_ON_GRAPHS = ("torch.fx.", "torch.export.")
# Classes below these compute with tensors: real torch's are used.
_COMPUTING = ("torch.distributions.", "torch.nn.utils.rnn.")


def install(location: Location, compile_source: Compile) -> None:
    """Put the stand-in in torch's place, and find the modules of the project that the source at `location` is in.

    `compile_source(text, file_name)` gives the code of a module of the project, made ready for tracing.
    """
    install_finders(location, compile_source)
    install_torch()


def install_torch() -> None:
    """Put the stand-in in torch's place.  Real torch, if it is loaded, is kept for the operations without a rule."""
    fallback.keep_aside()
    fallback.importing, fallback.loading = sandbox.lifted, sandbox.loading_libraries
    finder = _TorchFinder()
    fallback.stand_in_finders.append(finder)
    sys.meta_path.insert(0, finder)
    import_module("torch")  # symbolic tensors ask for it by name


class _TorchFinder(Loader):
    """Finds torch's modules in the stand-in, and the ones torch does not have nowhere."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        if name != "torch" and not name.startswith("torch."):
            return None
        if name in NAMES or name in _others():
            spec = ModuleSpec(name, self, origin=_FILE, is_package=True)
            spec.submodule_search_locations = []
            return spec
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        if spec.name in NAMES:
            return StandIn(spec.name)
        return StubModule(spec.name, Import(spec.name, reason="has only its name in lazygen's stand-in"))

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = _FILE


class StandIn(ModuleType):
    """A module of torch, whose names are made when they are asked for."""

    def __init__(self, name: str) -> None:
        super().__init__(name, f"lazygen's stand-in for {name}.")

    def __getattr__(self, name: str) -> Any:
        value = resolve(self.__name__, name)
        self.__dict__[name] = value
        return value

    def __dir__(self) -> list[str]:
        return sorted({*kinds_of(self.__name__), *self.__dict__})


@lru_cache(maxsize=1)
def _answers() -> dict[str, Any]:
    return answers()


@lru_cache(maxsize=1)
def _others() -> set[str]:
    found, package = set(_ALSO), ""
    for word in OTHERS.split():
        if word.endswith(":"):
            package = word[:-1]
        else:
            found.add(f"{package}.{word}")
    return found


@lru_cache(maxsize=256)
def kinds_of(module: str) -> dict[str, str]:
    """The names of a module of torch with the kind of each."""
    return {name: kind for kind, names in NAMES.get(module, {}).items() if kind != "hidden" for name in _listed(names)}


def _listed(names: Any) -> Any:
    return names.split() if isinstance(names, str) else names


def _public(module: str) -> list[str]:
    hidden = set(NAMES[module].get("hidden", "").split())
    return [name for name in kinds_of(module) if name not in hidden]


def resolve(module: str, name: str) -> Any:
    """What a name of a module of torch stands for.

    Raises AttributeError if torch has no such name.
    """
    path = f"{module}.{name}"
    if name == "__all__":
        return _public(module)
    kind = kinds_of(module).get(name)
    home = NAMES[module]["alias"][name] if kind == "alias" else path
    for known in (path, home):
        found = _written(known)
        if found is not _NOTHING:
            return found
        found = _answers().get(known.removeprefix("torch."), _NOTHING)
        if found is _NOTHING:
            found = _rule(known)
        if found is not _NOTHING:
            return _over_placeholders(found)
    if kind == "alias":
        package, _, last = home.rpartition(".")
        if home in NAMES or home in _others():
            return import_module(home)
        return _attribute(package, last) if package in NAMES else inert_value(home)
    if name in LAYERS and module.startswith("torch.nn") and kind in ("layer", "class"):
        return getattr(import_module(f"lazygen.symbolic.nn.{LAYERS[name]}"), name)
    if kind is not None:
        return _over_placeholders(_MAKERS[kind](module, path))
    return _unrecorded(module, name, path)


def _over_placeholders(value: Any) -> Any:
    """A function as sources see it: with layers of the TorchX style about, it may be called on their placeholders."""
    dialect = sys.modules.get("lazygen.trace.dialect")
    return value if dialect is None else dialect.taking_placeholders(value)


_NOTHING: Any = object()


def _attribute(module: str, name: str) -> Any:
    if module == "torch.Tensor":
        return getattr(_answers()["Tensor"], name)
    return getattr(import_module(module), name)


def _written(path: str) -> Any:
    """What a file of the stand-in has for a whole module of torch."""
    if path == "torch.ops":
        return import_module("lazygen.trace.operators").ops
    module, _, name = path.rpartition(".")
    recorded = kinds_of(module).get(name, "") in ("function", "class", "alias") or name.startswith("_calculate")
    if module in _WRITTEN and recorded:
        return vars(import_module(_WRITTEN[module])).get(name, _NOTHING)
    return _NOTHING


def _rule(path: str) -> Any:
    """The shape rule for a function, under its own name or, where torch has one function for both, as `F.name`."""
    names = [path]
    if path.startswith("torch.nn.functional."):
        names = [f"F.{path.removeprefix('torch.nn.functional.')}"]
    elif path.count(".") == 1 and NAMES["torch.nn.functional"]["alias"].get(path[6:]) == path:
        names.append(f"F.{path[6:]}")
    for name in names:
        found = rules.find(name)
        if found is not None:
            return found
    return _in_place(path) if path.count(".") == 1 or path.startswith("torch.nn.functional.") else _NOTHING


def _in_place(path: str) -> Any:
    """`torch.relu_` is the method of that name, where the method is known by a rule."""
    name = path.rpartition(".")[2]
    if name.endswith("_") and not name.endswith("__") and rules.find(f"Tensor.{name[:-1]}") is not None:
        return lambda input, *args, **kwargs: getattr(input, name)(*args, **kwargs)
    return _NOTHING


def _unrecorded(module: str, name: str, path: str) -> Any:
    """Names of modules that torch does not import by itself, and the few private names that sources use."""
    if path in NAMES or path in _others():
        return import_module(path)
    private = private_class(path)
    if private is not None:
        return private
    if module in ("torch.types", "torch.nn.common_types", "torch._jit_internal") and not name.startswith("__"):
        return Any
    raise AttributeError(f"module {module!r} has no attribute {name!r}")


def _function(module: str, path: str) -> Any:
    if path.startswith(_GIVING_BACK):
        return identity
    if path.startswith(_QUIET) or (module == "torch" and path.startswith("torch.set_")) or path.endswith("_algorithms"):
        return returning(False) if path.rpartition(".")[2].startswith("is_") else quiet
    if path.startswith(_ON_GRAPHS):
        return refusing(path)
    return fallback.function_without_rule(path)


def _layer(module: str, path: str) -> Any:
    if path.startswith(_ON_GRAPHS):
        return refusing_class(path)
    from lazygen.symbolic.real_layers import layer_without_rule

    return layer_without_rule(path)


def _class(module: str, path: str) -> Any:
    if path.startswith(_ON_GRAPHS):
        return refusing_class(path)
    if not path.startswith(_COMPUTING):
        return inert_class(path)
    from lazygen.symbolic.foreign import class_without_rule

    return class_without_rule(path)


def _exception(module: str, path: str) -> Any:
    name = path.rpartition(".")[2]
    return type(name, (UserWarning if name.endswith("Warning") else RuntimeError,), {"__module__": module})


def _dtype(module: str, path: str) -> dtype:
    name = path.rpartition(".")[2]
    category = 2 if "float" in name else 1
    return DTYPES.setdefault(name, dtype(name, NAMES[module]["dtype"][name], category))


def _constant(module: str, path: str) -> Any:
    return NAMES[module]["constant"][path.rpartition(".")[2]]


def _object(module: str, path: str) -> Any:
    return Any if module.endswith("types") else inert_value(path)


def _submodule(module: str, path: str) -> Any:
    return import_module(path) if path in NAMES or path in _others() else inert_value(path)


_MAKERS: dict[str, Any] = {
    "function": _function, "layer": _layer, "class": _class, "exception": _exception, "dtype": _dtype,
    "constant": _constant, "object": _object, "module": _submodule,
}  # fmt: skip
