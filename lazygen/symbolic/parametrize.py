"""`torch.nn.utils.parametrize` and `torch.nn.utils.parametrizations`: tensors of a module computed from others.

The class of a parametrized module becomes a subclass of its own with a property for each such tensor; what they are
computed from stands under `parametrizations`, with the names that torch gives them in a state_dict.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeVar

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.containers import ModuleDict, ModuleList
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.nn.parameter import Parameter, UninitializedParameter
from lazygen.symbolic.shapes import wrap_dim
from lazygen.symbolic.tensor import Tensor, new, numel, shape_text

AnyModule = TypeVar("AnyModule", bound=Module)


def register_parametrization(
    module: AnyModule, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> AnyModule:
    """Let `parametrization` compute a parameter or buffer of the module, after those that are registered already.

    Raises ShapeError if the module has no such tensor, if it waits for a first call, or if its shape or dtype would
    change.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        held = module.parametrizations[tensor_name]
        before = getattr(module, tensor_name)
        if not unsafe:
            _check(before, parametrization(before))
        held.append(parametrization)
        held.unsafe |= unsafe
        return module
    original = module._parameters.get(tensor_name, module._buffers.get(tensor_name))
    if original is None:
        raise ShapeError(f"{type(module).__name__} has no parameter or buffer {tensor_name!r} to be parametrized")
    if isinstance(original, UninitializedParameter):
        raise ShapeError(
            f"{type(module).__name__}.{tensor_name} has no shape before its first call, and cannot be parametrized",
            helps=("write the layer with its sizes here, or parametrize it after a first call",),
        )
    held = ParametrizationList([parametrization], original, unsafe=unsafe)
    delattr(module, tensor_name)
    if not is_parametrized(module):
        kind = type(module)
        made = type(f"Parametrized{kind.__name__}", (kind,), {"__module__": kind.__module__})
        module.__class__ = made
        module.parametrizations = ModuleDict()
    setattr(type(module), tensor_name, _computed(tensor_name))
    module.parametrizations[tensor_name] = held
    return module


def _computed(name: str) -> property:
    def read(self: Module) -> Any:
        return self.parametrizations[name]()

    def write(self: Module, value: Tensor) -> None:
        self.parametrizations[name].right_inverse(value)

    return property(read, write)


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether this tensor of the module, or any, is computed from others."""
    held = module.__dict__.get("_modules", {}).get("parametrizations")
    if not isinstance(held, ModuleDict):
        return False
    return len(held) > 0 if tensor_name is None else tensor_name in held


def remove_parametrizations(module: AnyModule, tensor_name: str, leave_parametrized: bool = True) -> AnyModule:
    """Let the tensor be a plain one again."""
    if not is_parametrized(module, tensor_name):
        raise ShapeError(f"the {tensor_name} of {type(module).__name__} is not parametrized")
    held = module.parametrizations[tensor_name]
    if not held.is_tensor and not leave_parametrized:
        raise ShapeError(
            f"the {tensor_name} of {type(module).__name__} is computed from several tensors; none of them is it"
        )
    tensor = getattr(module, tensor_name) if leave_parametrized else held.original
    trained = any(isinstance(original, Parameter) for original in held.originals())
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    if trained:
        module.register_parameter(tensor_name, tensor if isinstance(tensor, Parameter) else Parameter(tensor))
    else:
        module.register_buffer(tensor_name, tensor)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module: Module) -> type:
    """The class of the module as the source made it."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


class ParametrizationList(ModuleList):
    """The modules that compute a tensor one after the other, and under `original`, or `original0`, … what from."""

    def __init__(self, modules: Sequence[Module], original: Tensor, unsafe: bool = False) -> None:
        super().__init__(modules)
        self.unsafe = unsafe
        found = self._inverted(original)
        self.is_tensor = isinstance(found, Tensor)
        if self.is_tensor:
            original._shape = found.shape
            self._register("original", original)
        else:
            for index, tensor in enumerate(found):
                self._register(f"original{index}", Parameter(tensor) if isinstance(original, Parameter) else tensor)
        self.ntensors = 1 if self.is_tensor else len(found)
        if not unsafe:
            _check(original if not self.is_tensor else new(original.shape, original), self())

    def _inverted(self, value: Any) -> Any:
        value = new(value.shape, value)
        for module in reversed(list(self)):
            inverse = getattr(module, "right_inverse", None)
            if inverse is not None:
                with suppress(NotImplementedError):
                    value = inverse(value)
        return value

    def _register(self, name: str, tensor: Tensor) -> None:
        if isinstance(tensor, Parameter):
            self.register_parameter(name, tensor)
        else:
            self.register_buffer(name, tensor)

    def originals(self) -> list[Tensor]:
        """What the tensor is computed from."""
        names = ["original"] if self.is_tensor else [f"original{index}" for index in range(self.ntensors)]
        return [getattr(self, name) for name in names]

    def right_inverse(self, value: Tensor) -> None:
        """A tensor is written; only its numbers can change."""
        self._inverted(value)

    def forward(self) -> Any:
        first, *others = list(self)
        value = first(*self.originals())
        for module in others:
            value = module(value)
        return value


def _check(before: Tensor, after: Any) -> None:
    if not isinstance(after, Tensor) or after.dtype is not before.dtype or tuple(after.shape) != tuple(before.shape):
        said = f"{after.dtype.name} {shape_text(after.shape)}" if isinstance(after, Tensor) else type(after).__name__
        raise ShapeError(
            f"a parametrization makes {said} of {before.dtype.name} {shape_text(before.shape)}",
            helps=("give unsafe=True if that is meant",),
            code="LZ202",
        )


# The parametrizations that torch has


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        return new(weight_v.shape, weight_v)

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        whole = self.dim == -1
        at = -1 if whole else wrap_dim(self.dim, weight.ndim, weight)
        shape = () if whole else tuple(size if i == at else 1 for i, size in enumerate(weight.shape))
        return new(shape, weight), weight


class _SpectralNorm(Module):
    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        self.dim, self.eps = wrap_dim(dim, weight.ndim, weight), eps
        if n_power_iterations <= 0:
            raise ShapeError(f"spectral_norm needs one power iteration or more, not {n_power_iterations}")
        if weight.ndim > 1:
            self.n_power_iterations = n_power_iterations
            others = numel(size for at, size in enumerate(weight.shape) if at != self.dim)
            self.register_buffer("_u", new((weight.shape[self.dim],), weight))
            self.register_buffer("_v", new((others,), weight))

    def forward(self, weight: Tensor) -> Tensor:
        return new(weight.shape, weight)

    right_inverse = forward


class _Orthogonal(Module):
    base: Tensor | None

    def __init__(self, weight: Tensor, orthogonal_map: str, use_trivialization: bool = True) -> None:
        super().__init__()
        if weight.dtype.is_complex and orthogonal_map == "householder":
            raise ShapeError("the householder map takes no complex numbers", operands=(weight,), code="LZ230")
        self.shape, self.orthogonal_map = weight.shape, orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Tensor) -> Tensor:
        return new(X.shape, X)

    def right_inverse(self, Q: Tensor) -> Tensor:
        if list(map(int, Q.shape)) != list(map(int, self.shape)):
            raise ShapeError(
                f"orthogonal is for {shape_text(self.shape)}, not {shape_text(Q.shape)}", operands=(Q,), code="LZ201"
            )
        if "base" not in self._buffers:
            if self.orthogonal_map != "householder":
                raise NotImplementedError("the inverse of this map is not known")
        else:
            rows, columns = Q.shape[-2], Q.shape[-1]
            longer = rows if int(rows) >= int(columns) else columns
            self.base = new((*Q.shape[:-2], longer, longer), Q)
        return new(Q.shape, Q)


def weight_norm(module: AnyModule, name: str = "weight", dim: int | None = 0) -> AnyModule:
    """`original0`, one number for each place along `dim`, and `original1`, the direction."""
    return register_parametrization(module, name, _WeightNorm(dim), unsafe=True)


def spectral_norm(
    module: AnyModule, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> AnyModule:
    """`original`, with the buffers `0._u` and `0._v` beside it."""
    weight = _tensor(module, name, "spectral_norm")
    transposed = type(module).__name__.startswith(("ConvTranspose", "ParametrizedConvTranspose"))
    at = (1 if transposed else 0) if dim is None else dim
    return register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, at, eps))


def orthogonal(
    module: AnyModule, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> AnyModule:
    """`original`, with the buffer `0.base` beside it."""
    weight = _tensor(module, name, "orthogonal")
    if weight.ndim < 2:
        raise ShapeError(f"orthogonal needs a matrix, not {shape_text(weight.shape)}", operands=(weight,), code="LZ202")
    if orthogonal_map is None:
        square = int(weight.shape[-1]) == int(weight.shape[-2])
        orthogonal_map = "matrix_exp" if square or weight.dtype.is_complex else "householder"
    if orthogonal_map not in ("matrix_exp", "cayley", "householder"):
        raise ShapeError(f"orthogonal has no map {orthogonal_map!r}: it is 'matrix_exp', 'cayley' or 'householder'")
    return register_parametrization(module, name, _Orthogonal(weight, orthogonal_map, use_trivialization), unsafe=True)


def _tensor(module: Module, name: str, norm: str) -> Tensor:
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ShapeError(f"{norm} finds no parameter {name!r} in {type(module).__name__}")
    if isinstance(weight, UninitializedParameter):
        raise ShapeError(
            f"{norm} cannot be applied to {type(module).__name__}, whose {name} has no shape before its first call",
            helps=("write the layer with its sizes here, or apply it after a first call",),
        )
    return weight
