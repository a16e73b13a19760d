"""Fourier transforms, against torch and over symbolic sizes."""

from __future__ import annotations

import itertools
from typing import Any

import cpu_oracle
import oracle

from lazygen.symbolic.dim import expr_of, of_symbol
from lazygen.symbolic.ops import fft
from lazygen.symbolic.origins import new_symbol
from lazygen.symbolic.tensor import Tensor


def size(name: str, value: int) -> Any:
    return of_symbol(new_symbol("parameter", name, value))


def mismatches(expressions: list[str], compare: Any = oracle.compare) -> list[str]:
    return [found for expression in expressions if (found := compare(expression)) is not None]


def test_one_dim() -> None:
    calls = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
    inputs = ["f32(5)", "c64(2, 5)", "i64(2, 4)", "f64(3, 1)", "f32()", "b8(4)", "f32(2, 0)", "bf16(4)"]
    arguments = ["", ", 8", ", n=3, dim=0", ", None, -2", ", 0", ", dim=3"]
    assert mismatches([
        f"torch.fft.{call}({x}{more})" for call, x, more in itertools.product(calls, inputs, arguments)
    ]) == []  # fmt: skip


def test_many_dims() -> None:
    calls = ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"]
    inputs = ["f32(4, 5)", "c64(2, 4, 5)", "f64(2, 3, 4, 6)", "f32(5)"]
    arguments = [
        "",
        ", (3, 3)",
        ", s=(6, -1)",
        ", dim=(0, 1)",
        ", (4, 7), (-1, 0)",
        ", s=(2,), dim=(0, 1)",
        ", dim=(0, 0)",
    ]
    assert mismatches([
        f"torch.fft.{call}({x}{more})" for call, x, more in itertools.product(calls, inputs, arguments)
    ]) == []  # fmt: skip
    assert (
        mismatches(
            ["torch.fft.fftshift(f32(2, 5))", "torch.fft.ifftshift(f32(2, 5), dim=1)", "torch.fft.fftshift(f32(2), 3)"]
        )
        == []
    )


def test_frequencies() -> None:
    for n in range(1, 8):
        assert cpu_oracle.compare(f"torch.fft.fftfreq({n})") is None
        assert cpu_oracle.compare(f"torch.fft.fftfreq({n}, 0.5, dtype=torch.float64)", numbers=True) is None
        assert cpu_oracle.compare(f"torch.fft.rfftfreq({n}, 0.25, dtype=torch.float64)", numbers=True) is None


def test_spectrograms() -> None:
    inputs = ["f32(100)", "f32(2, 64)", "f32(2, 2, 64)", "c64(2, 64)", "i64(64)", "f32(6)"]
    arguments = ["16, return_complex=True", "16, 5, return_complex=True", "16",
                 "16, center=False, return_complex=False",
                 "15, return_complex=True, onesided=False", "16, 4, 8, f32(8), return_complex=True",
                 "16, window=f32(9), return_complex=True",
                 "16, win_length=20, return_complex=True", "200, return_complex=True"]  # fmt: skip
    assert (
        mismatches([f"torch.stft({x}, {a})" for x, a in itertools.product(inputs, arguments)], cpu_oracle.compare) == []
    )
    back = ["c64(9, 26), 16", "c64(2, 9, 26), 16, 5", "c64(2, 9, 26), 16, length=90", "c64(2, 9, 26), 18",
            "f32(2, 9, 26), 16",
            "c64(2, 16, 26), 16, onesided=False", "c64(2, 16, 26), 16, return_complex=True",
            "c64(2, 8, 26), 15"]  # fmt: skip
    assert mismatches([f"torch.istft({a})" for a in back], cpu_oracle.compare) == []


def test_sizes_stay_expressions() -> None:
    n, length = size("n", 2), size("l", 64)
    half = fft.rfft(Tensor((n, length)))
    assert [expr_of(s) for s in half.shape] == [expr_of(n), expr_of(length // 2 + 1)]
    assert expr_of(fft.irfft(half, length).shape[1]) == expr_of(length)
    assert expr_of(fft.irfft(Tensor((n, length))).shape[1]) == expr_of(2 * length - 2)
    assert expr_of(fft.fft2(Tensor((n, length, length))).shape[2]) == expr_of(length)
    spectrum = fft.stft(Tensor((n, length)), 16, 4, return_complex=True)
    assert [expr_of(s) for s in spectrum.shape] == [expr_of(n), expr_of(9), expr_of(length // 4 + 1)]
    assert expr_of(fft.istft(spectrum, 16, 4, length=length).shape[1]) == expr_of(length)
