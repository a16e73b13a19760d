"""`torch.func` and its kin: functions of functions, which follow from what the given one takes and gives.

grad(f)(x)      the shape of x, after f has given one number
jacrev(f)(x)    the shape of f(x) followed by that of x
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import Tensor, new, shape_text

Function = Callable[..., Any]


def grad_and_value(func: Function, argnums: Any = 0, has_aux: bool = False) -> Function:
    """Gives the gradients for the arguments, and what the function gives."""

    def run(*args: Any, **kwargs: Any) -> Any:
        result = func(*args, **kwargs)
        value = result[0] if has_aux else result
        if not isinstance(value, Tensor) or value.shape:
            shown = shape_text(value.shape) if isinstance(value, Tensor) else type(value).__name__
            raise ShapeError(f"torch.func.grad needs a function that gives one number, not {shown}", code="LZ202")
        return _mapped(_like, _chosen(args, argnums)), result

    return run


def grad(func: Function, argnums: Any = 0, has_aux: bool = False) -> Function:
    """Gives the gradients for the arguments, and what the function gives beside its value."""

    def run(*args: Any, **kwargs: Any) -> Any:
        gradients, result = grad_and_value(func, argnums, has_aux)(*args, **kwargs)
        return (gradients, result[1]) if has_aux else gradients

    return run


def jacrev(func: Function, argnums: Any = 0, *, has_aux: bool = False, **settings: Any) -> Function:
    """Gives the derivatives of each result by each argument."""

    def run(*args: Any, **kwargs: Any) -> Any:
        result = func(*args, **kwargs)
        by = _chosen(args, argnums)

        def one(value: Tensor) -> Any:
            return _mapped(lambda argument: new((*value.shape, *argument.shape), value), by)

        if has_aux:
            return _mapped(one, result[0]), result[1]
        return _mapped(one, result)

    return run


def hessian(func: Function, argnums: Any = 0) -> Function:
    """Gives the second derivatives of each result by the arguments."""
    return jacrev(jacrev(func, argnums), argnums)


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> Any:
    """What the function gives, and a function from its cotangents to the arguments' ones."""
    result = func(*primals)
    output = result[0] if has_aux else result

    def back(*cotangents: Any, **settings: Any) -> Any:
        return tuple(_mapped(_like, primal) for primal in primals)

    return (output, back, result[1]) if has_aux else (output, back)


def jvp(func: Function, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False) -> Any:
    """What the function gives, and the same for its tangents."""
    result = func(*primals)
    output = result[0] if has_aux else result
    tangent = _mapped(_like, output)
    return (output, tangent, result[1]) if has_aux else (output, tangent)


def linearize(func: Function, *primals: Any) -> Any:
    """What the function gives, and a function from tangents to its tangents."""
    output = func(*primals)
    return output, lambda *tangents: _mapped(_like, output)


def functionalize(func: Function, *, remove: str = "mutations") -> Function:
    """The function as it is."""
    return func


def stack_module_state(models: Any) -> Any:
    """The parameters and the buffers of several modules, each stacked."""
    modules: list[Module] = list(models)
    if not modules:
        raise ShapeError("torch.func.stack_module_state needs a module or more", code="LZ202")

    def stacked(tensor: Tensor) -> Tensor:
        return new((len(modules), *tensor.shape), tensor)

    first = modules[0]
    tables = (first.named_parameters(), first.named_buffers())
    return tuple({name: stacked(value) for name, value in table} for table in tables)


def replace_all_batch_norm_modules_(root: Module) -> Module:
    """The module, whose norms keep no statistics from then on."""
    for module in root.modules():
        if getattr(module, "track_running_stats", False):
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root


jacfwd = jacrev


def _like(tensor: Tensor) -> Tensor:
    return new(tensor.shape, tensor)


def _chosen(args: tuple[Any, ...], argnums: Any) -> Any:
    return tuple(args[at] for at in argnums) if isinstance(argnums, tuple) else args[argnums]


def _mapped(function: Callable[[Tensor], Any], value: Any) -> Any:
    """The values of a nest of tensors, nested alike."""
    if isinstance(value, Tensor):
        return function(value)
    if isinstance(value, dict):
        return {key: _mapped(function, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        items = [_mapped(function, item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value
