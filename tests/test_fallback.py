"""Operations without a rule, asked of real torch on its meta device."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lazygen.symbolic import dtypes, fallback, foreign, real_layers
from lazygen.symbolic.dim import expr_of, of_symbol
from lazygen.symbolic.errors import NoRule, ShapeError
from lazygen.symbolic.expr import symbols_of
from lazygen.symbolic.nn.parameter import Parameter
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.tensor import Size, Tensor
from lazygen.trace import sandbox, world
from lazygen.trace.child import Died, run_in_child

pytestmark = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="asks real torch")


def f32(*shape: int) -> Tensor:
    return Tensor(shape, dtypes.float32)


def ask(path: str, *args: Any, **kwargs: Any) -> Any:
    return fallback.function_without_rule(path)(*args, **kwargs)


def test_a_function() -> None:
    result = ask("torch.fft.rfft", f32(2, 8))
    assert (result.shape, result.dtype, result.values) == ((2, 5), dtypes.complex64, None)


def test_a_method() -> None:
    method = fallback.method_without_rule("logcumsumexp")
    assert method is not None and method(f32(3, 4), dim=1).shape == (3, 4)
    assert fallback.method_without_rule("nonsense") is None
    assert fallback.method_without_rule("shape") is None, "a property is no method"


def test_an_in_place_method_gives_its_tensor() -> None:
    tensor = f32(3, 4)
    method = fallback.method_without_rule("cauchy_")
    assert method is not None and method(tensor) is tensor


def test_nested_arguments_and_results() -> None:
    blocks = ask("torch.block_diag", f32(2, 3), f32(4, 5))
    assert blocks.shape == (6, 8)
    parts = ask("torch.meshgrid", [f32(2), f32(3)], indexing="ij")
    assert [part.shape for part in parts] == [(2, 3), (2, 3)]
    result = ask("torch.linalg.svd", f32(4, 6), full_matrices=False)
    assert result.S.shape == (4,) and [part.shape for part in result] == [(4, 4), (4,), (4, 6)]


def test_sizes_dtypes_and_devices_go_in_and_come_back() -> None:
    place = dtypes.device("cuda:1")
    result = ask("torch.empty_strided", Size((2, 3)), (3, 1), dtype=dtypes.int64, device=place)
    assert (result.shape, result.dtype, result.device) == ((2, 3), dtypes.int64, place)
    there = Tensor((2, 3), dtypes.float16, place)
    assert ask("torch.special.erfcx", there.__class__((2, 3), dtypes.float32, place)).device == place
    assert ask("torch.full_like", there, 3).dtype is dtypes.float16


def test_a_device_in_words() -> None:
    assert ask("torch.hann_window", 16, device="cuda").device == dtypes.device("cuda")


def test_constants_stay_constants() -> None:
    counted = ask("torch.cumprod", Tensor((3,), dtypes.int64, values=[1, 2, 3]), 0)
    assert counted.values == [1, 2, 6]
    assert ask("torch.hamming_window", 4).values is not None
    assert ask("torch.cumprod", Tensor((3,), dtypes.int64), 0).values is None


def test_numbers_come_back_as_numbers() -> None:
    assert ask("torch.is_signed", f32(2)) is True
    assert ask("torch.Tensor.stride", f32(2, 3), 0) == 3


def size(kind: Any, value: int) -> int:
    return of_symbol(new_symbol(kind, kind, value))


def test_sizes_keep_their_terms() -> None:
    batch, width = size("free", 4), size("parameter", 4)
    padded = ask("torch.ops.aten.constant_pad_nd", Tensor((batch, width, 4)), [1, 0], 0.0)
    assert padded.shape == (4, 4, 5)
    assert padded.shape[0] is batch and padded.shape[1] is width, "equal by chance, and told apart"
    assert type(padded.shape[2]) is int
    turned = ask("torch.ops.aten.permute", Tensor((batch, width, 4)), [1, 2, 0])
    assert turned.shape[0] is width and turned.shape[2] is batch


def test_a_size_that_hangs_on_the_batch_is_free() -> None:
    joined = ask("torch.ops.aten.cat", [Tensor((size("batch", 4), 3)), Tensor((2, 3))])
    (origin,) = symbols_of(expr_of(joined.shape[0]))
    assert int(joined.shape[0]) == 6 and origin.kind == "free"
    assert type(joined.shape[1]) is int


def test_where_other_samples_do_not_fit_the_batch_is_still_free() -> None:
    batch = size("batch", 4)
    product = ask("torch.ops.aten.mm", Tensor((batch, size("parameter", 3))), Tensor((3, 5)))
    assert product.shape[0] is batch and type(product.shape[1]) is int
    kept = ask("torch.ops.aten.add", Tensor((batch, 3)), Tensor((4, 3)))  # with any other batch it fails
    assert kept.shape[0] is batch


def test_torch_refuses_in_its_own_words() -> None:
    left, right = f32(2, 3), f32(5, 4)
    with pytest.raises(ShapeError, match=r"torch refuses torch.linalg.solve: ") as caught:
        ask("torch.linalg.solve", left, right)
    assert caught.value.operands == (left, right)
    assert caught.value.notes == ("the operands are (2, 3) and (5, 4)",)


def test_wrong_arguments_are_shape_errors() -> None:
    with pytest.raises(ShapeError, match=r"nothing_such|unexpected keyword"):
        ask("torch.fft.rfft", f32(2, 8), nothing_such=3)


def test_results_that_hang_on_data_are_not_guessed() -> None:
    with pytest.raises(NoRule):
        ask("torch.unique", f32(4))
    with pytest.raises(NoRule):
        ask("torch.Tensor.item", f32(1))


def test_functions_as_arguments_see_the_stand_in() -> None:
    seen = []

    def body(x: Tensor) -> Tensor:
        seen.append(type(x))
        return x

    assert ask("torch.func.vmap", body) is not None
    assert ask("torch.Tensor.apply_", Tensor((2,), dtypes.float32, values=[1.0, 2.0]), lambda v: v + 1).values == [
        2.0,
        3.0,
    ]


def test_sys_modules_is_as_before() -> None:
    def look() -> Any:
        world.install_torch()
        before = {name: module for name, module in sys.modules.items() if name.startswith("torch")}
        finders = list(sys.meta_path)
        ask("torch.fft.rfft", f32(2, 8))
        with pytest.raises(ShapeError):
            ask("torch.fft.rfft", f32(2, 8), dim=9)
        after = {name: module for name, module in sys.modules.items() if name.startswith("torch")}
        return before == after, finders == sys.meta_path, type(sys.modules["torch"]).__name__

    assert run_in_child(look, 60) == (True, True, "StandIn")


def test_torch_is_imported_fresh_in_a_guarded_child() -> None:
    script = """
import sys
from lazygen.trace.child import run_in_child
from lazygen.trace import sandbox, world
def work():
    world.install_torch()
    import torch
    shape = tuple(torch.fft.rfft(torch.zeros(2, 8)).shape)
    try:
        open("written", "w")
    except PermissionError:
        return shape, "guarded", type(torch).__name__
print(run_in_child(work, 60), "torch" in sys.modules)
"""
    root = str(Path(world.__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=root)
    assert done.stdout.strip() == "((2, 5), 'guarded', 'StandIn') False", done.stdout + done.stderr


def test_without_torch_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fallback, "_real", {})
    monkeypatch.setattr(fallback, "_missing", "")
    with pytest.raises(NoRule, match=r"no shape rule for Tensor\.cauchy_"):
        ask("torch.Tensor.cauchy_", f32(2))
    with pytest.raises(NoRule, match=r"torch\.fft\.rfft"):
        ask("torch.fft.rfft", f32(2))
    assert not fallback.available()


def test_a_torch_that_does_not_load_is_none(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("raise OSError('libtorch.so is broken')", encoding="utf-8")
    script = (
        "from lazygen.symbolic import errors, fallback, tensor\n"
        "try:\n    fallback.function_without_rule('torch.x')(tensor.Tensor((2,)))\n"
        "except errors.NoRule as error:\n    print(error.reason)"
    )
    environment = {"PYTHONPATH": f"{tmp_path}:{Path(world.__file__).parents[2]}"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert "libtorch.so is broken" in done.stdout, done.stderr


def test_layers() -> None:
    layer = real_layers.layer_without_rule("torch.nn.FractionalMaxPool2d")(3, output_size=(5, 6))
    assert layer(f32(1, 2, 16, 16)).shape == (1, 2, 5, 6)
    loss = real_layers.layer_without_rule("torch.nn.AdaptiveLogSoftmaxWithLoss")(8, 20, [5])
    assert list(loss.state_dict()) == ["head.weight", "tail.0.0.weight", "tail.0.1.weight"]
    assert all(isinstance(p, Parameter) for p in loss.parameters())
    with pytest.raises(NoRule, match="AdaptiveLogSoftmaxWithLoss"):
        loss(f32(4, 8), Tensor((4,), dtypes.int64))  # it chooses by the contents of its target
    assert real_layers.layer_without_rule("torch.nn.Bilinear")(3, 4, 5)(f32(7, 3), f32(7, 4)).shape == (7, 5)
    with pytest.raises(ShapeError):
        layer(f32(3))


def test_distributions() -> None:
    normal = foreign.class_without_rule("torch.distributions.Normal")(f32(4, 2), f32(4, 2))
    assert normal.rsample().shape == (4, 2) and normal.mean.shape == (4, 2)
    assert normal.log_prob(f32(4, 2)).sum(-1).shape == (4,)
    assert normal.sample((7,)).shape == (7, 4, 2)
    assert ask("torch.distributions.kl_divergence", normal, normal).shape == (4, 2)
    assert not hasattr(normal, "nonsense")
    with pytest.raises(ShapeError):
        foreign.class_without_rule("torch.distributions.Normal")(f32(4, 2), f32(3))


def test_the_guard_is_lifted_for_the_import_alone() -> None:
    def look() -> Any:
        with sandbox.lifted():
            first = sandbox._active
        return first, sandbox._active

    outcome = run_in_child(look, 10)
    assert not isinstance(outcome, Died) and outcome == (False, True)
