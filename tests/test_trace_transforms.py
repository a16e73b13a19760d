"""`torch.func`: the stand-in's transforms of functions against torch's."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from lazygen.trace import world
from lazygen.trace.child import Died, run_in_child

pytest.importorskip("torch")  # imported here, before another test has the stand-in ask for it

CALLS = [
    "func.grad(lambda a: (a**2).sum())(x)",
    "func.grad(lambda a, b: (a @ b).sum(), argnums=(0, 1))(m, v)",
    "func.grad(lambda p, x: x.mul(p['w']).sum())({'w': torch.randn(8)}, x)",
    "func.grad(lambda a: (a.sum(), a), has_aux=True)(x)",
    "func.grad_and_value(lambda a: a.sum())(x)",
    "func.grad_and_value(lambda a: (a.sum(), a), has_aux=True)(x)",
    "func.grad(lambda a: a)(x)",
    "func.grad(lambda a: (a, a))(x)",
    "func.jacrev(lambda a: a.sum(-1))(m)",
    "func.jacfwd(lambda a: a.sum(-1))(m)",
    "func.jacrev(lambda a: (a.sum(-1), {'k': a * 2}))(m)",
    "func.jacrev(lambda a, b: a @ b, argnums=(0, 1))(m, v)",
    "func.jacrev(lambda a: (a.sum(-1), a), has_aux=True)(m)",
    "func.hessian(lambda a, b: (a * b).sum(), argnums=1)(v, v)",
    "func.hessian(lambda a, b: (a * b).sum(), argnums=(0, 1))(v, v)",
    "func.vjp(lambda a: a.sum(-1), x)[0]",
    "func.vjp(lambda a: a.sum(-1), x)[1](torch.ones(2, 3))",
    "func.jvp(lambda a: (a * 2, a.sum()), (x,), (x,))",
    "func.linearize(lambda a: a.sum(0), x)[1](x)",
    "func.vmap(func.grad(lambda a: a.sum()))(x)",
    "func.vmap(func.jacrev(lambda a: a.sum(-1, keepdim=True) * a))(x)",
    "func.functionalize(lambda a: a.add_(1))(x)",
    "func.stack_module_state([torch.nn.BatchNorm1d(4), torch.nn.BatchNorm1d(4)])",
    "list(func.replace_all_batch_norm_modules_(torch.nn.Sequential(torch.nn.BatchNorm1d(4))).state_dict())",
    "torch.autograd.functional.jacobian(lambda a, b: a @ b, (m, v))",
    "torch.autograd.functional.hessian(lambda a: (a**2).sum(), v)",
    "torch.nn.utils.fuse_conv_bn_eval(torch.nn.Conv2d(8, 4, 3).eval(), torch.nn.BatchNorm2d(4).eval())(im)",
]


def outcomes() -> dict[str, Any]:
    import torch

    made = {"x": torch.randn(2, 3, 8), "m": torch.randn(3, 4), "v": torch.randn(4), "im": torch.randn(2, 8, 9, 9)}
    found = {}
    for call in CALLS:
        try:
            with warnings.catch_warnings(action="ignore"):  # torch compiles parts of these with what it deprecates
                found[call] = described(eval(call, {"torch": torch, "func": torch.func, **made}), torch.Tensor)
        except Exception as error:
            assert not isinstance(error, (AttributeError, NameError, NotImplementedError)), error
            found[call] = "refused"
    return found


def described(value: Any, tensor: type) -> Any:
    if isinstance(value, tensor):
        return tuple(int(size) for size in value.shape), str(value.dtype)  # type: ignore[attr-defined]
    if isinstance(value, dict):
        return {key: described(item, tensor) for key, item in value.items()}
    return [described(item, tensor) for item in value] if isinstance(value, (list, tuple)) else value


def ours() -> dict[str, Any]:
    world.install_torch()
    return outcomes()


def test_shapes_and_refusals_are_torchs() -> None:
    found = run_in_child(ours, 60)
    assert not isinstance(found, Died), found.detail
    assert found == outcomes()
    assert "refused" in found.values()
