"""Fourier transforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.dtypes import dtype as Dtype
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import as_size, wrap_dim, wrap_dims
from lazygen.symbolic.tensor import Tensor, new, shape_text


def _transformed(input: Tensor, name: str) -> Dtype:
    """The complex dtype of a transform: integers count as the default float."""
    kind = input.dtype
    if kind.category < 2:
        kind = dtypes.DEFAULT_DTYPE[-1]
    if kind.name == "bfloat16" or kind.itemsize == 1:
        raise ShapeError(f"{name} takes no {kind.name}", operands=(input,), code="LZ230")
    return kind.to_complex()


def _real_only(input: Tensor, name: str) -> None:
    if input.dtype.is_complex:
        raise ShapeError(f"{name} takes real numbers, not {input.dtype.name}", operands=(input,), code="LZ230")


def _resized(input: Tensor, s: Any, dim: Any, name: str) -> tuple[list[int], list[int]]:
    """The shape with the sizes that `s` gives, and the dims that are transformed."""
    if s is not None and not isinstance(s, (tuple, list)):
        s = [s]
    if dim is None:
        dims = list(range(input.ndim)) if s is None else list(range(input.ndim - len(s), input.ndim))
        if s is not None and len(s) > input.ndim:
            raise ShapeError(
                f"{name} got {len(s)} sizes for {shape_text(input.shape)}", operands=(input,), code="LZ202"
            )
    else:
        dims = wrap_dims(dim, input.ndim)
    if not input.shape:
        raise ShapeError(f"{name} needs a tensor of one dim or more", operands=(input,), code="LZ203")
    shape = list(input.shape)
    if s is not None:
        if len(s) != len(dims):
            raise ShapeError(f"{name} got {len(s)} sizes for {len(dims)} dims", operands=(input,), code="LZ202")
        for at, size in zip(dims, s, strict=True):
            if int(size) != -1:
                shape[at] = as_size(size)
    if any(int(shape[at]) < 1 for at in dims):
        raise ShapeError(f"{name} of {shape_text(shape)}: nothing to transform", operands=(input,), code="LZ202")
    return shape, dims


def _complex(input: Tensor, s: Any, dim: Any, name: str) -> Tensor:
    shape, _ = _resized(input, s, dim, name)
    return new(shape, input, dtype=_transformed(input, name))


def _half(input: Tensor, s: Any, dim: Any, name: str) -> Tensor:
    """Real to complex: of the last transformed dim only the first half and one are kept."""
    _real_only(input, name)
    shape, dims = _resized(input, s, dim, name)
    if not dims:
        raise ShapeError(f"{name} needs a dim to transform", operands=(input,), code="LZ203")
    shape[dims[-1]] = shape[dims[-1]] // 2 + 1
    return new(shape, input, dtype=_transformed(input, name))


def _whole(input: Tensor, s: Any, dim: Any, name: str) -> Tensor:
    """Complex to real: the last transformed dim is what `s` says, or `2 * (n - 1)`."""
    shape, dims = _resized(input, s, dim, name)
    if not dims:
        raise ShapeError(f"{name} needs a dim to transform", operands=(input,), code="LZ203")
    given = s is not None and int(s[-1] if isinstance(s, (tuple, list)) else s) != -1
    if not given:
        shape[dims[-1]] = 2 * (shape[dims[-1]] - 1)
    if int(shape[dims[-1]]) < 1:
        raise ShapeError(f"{name} of {shape_text(input.shape)}: nothing would be left", operands=(input,), code="LZ202")
    return new(shape, input, dtype=_transformed(input, name).to_real())


@rule("torch.fft.fft", "torch.fft.ifft", examples=["torch.fft.fft(f32(2, 5))", "torch.fft.fft(c64(2, 5), 8, 0)"])
def fft(input: Tensor, n: Any = None, dim: int = -1, norm: Any = None, *, out: Any = None) -> Tensor:
    return _complex(input, n, [dim], "fft")


@rule("torch.fft.rfft", examples=["torch.fft.rfft(f32(2, 5))", "torch.fft.rfft(i64(2, 5), 4)"])
def rfft(input: Tensor, n: Any = None, dim: int = -1, norm: Any = None, *, out: Any = None) -> Tensor:
    return _half(input, n, [dim], "rfft")


@rule("torch.fft.ihfft", examples=["torch.fft.ihfft(f32(2, 5))"])
def ihfft(input: Tensor, n: Any = None, dim: int = -1, norm: Any = None, *, out: Any = None) -> Tensor:
    return _half(input, n, [dim], "ihfft")


@rule("torch.fft.irfft", "torch.fft.hfft", examples=["torch.fft.irfft(c64(2, 5))", "torch.fft.irfft(c64(2, 5), 9)"])
def irfft(input: Tensor, n: Any = None, dim: int = -1, norm: Any = None, *, out: Any = None) -> Tensor:
    return _whole(input, n, [dim], "irfft")


@rule(
    "torch.fft.fft2",
    "torch.fft.ifft2",
    examples=["torch.fft.fft2(f32(2, 4, 5))", "torch.fft.fft2(f32(2, 4, 5), (3, 3))"],
)
def fft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: Any = None, *, out: Any = None) -> Tensor:
    return _complex(input, s, dim, "fft2")


@rule(
    "torch.fft.rfft2",
    "torch.fft.ihfft2",
    examples=["torch.fft.rfft2(f32(2, 4, 5))", "torch.fft.ihfft2(f32(2, 4, 5), (3, -1))"],
)
def rfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: Any = None, *, out: Any = None) -> Tensor:
    return _half(input, s, dim, "rfft2")


@rule(
    "torch.fft.irfft2",
    "torch.fft.hfft2",
    examples=["torch.fft.irfft2(c64(2, 4, 5))", "torch.fft.irfft2(c64(2, 4, 5), (4, 9))"],
)
def irfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: Any = None, *, out: Any = None) -> Tensor:
    return _whole(input, s, dim, "irfft2")


@rule(
    "torch.fft.fftn",
    "torch.fft.ifftn",
    examples=["torch.fft.fftn(f32(2, 4, 5))", "torch.fft.fftn(f32(2, 4, 5), (3, 3))"],
)
def fftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None, *, out: Any = None) -> Tensor:
    return _complex(input, s, dim, "fftn")


@rule("torch.fft.rfftn", "torch.fft.ihfftn", examples=["torch.fft.rfftn(f32(2, 4, 5))"])
def rfftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None, *, out: Any = None) -> Tensor:
    return _half(input, s, dim, "rfftn")


@rule("torch.fft.irfftn", "torch.fft.hfftn", examples=["torch.fft.irfftn(c64(2, 4, 5))"])
def irfftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None, *, out: Any = None) -> Tensor:
    return _whole(input, s, dim, "irfftn")


@rule("torch.fft.fftshift", "torch.fft.ifftshift", examples=["torch.fft.fftshift(f32(2, 5), dim=1)"])
def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    for at in [] if dim is None else dim if isinstance(dim, (tuple, list)) else [dim]:
        wrap_dim(at, input.ndim, input)
    return new(input.shape, input)


def _frequencies(count: int, places: Sequence[int] | None, n: int, d: Any, dtype: Any, device: Any) -> Tensor:
    kind = dtype or dtypes.DEFAULT_DTYPE[-1]
    place = dtypes.DEFAULT_DEVICE[-1] if device is None else dtypes.located(device)
    values = [at / (int(n) * float(d)) for at in places] if places is not None and d else None
    return Tensor((count,), kind, place, values)


@rule("torch.fft.fftfreq", examples=["torch.fft.fftfreq(5)", "torch.fft.fftfreq(4, 0.5)"])
def fftfreq(
    n: int,
    d: Any = 1.0,
    *,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    size = as_size(n)
    middle = (int(size) - 1) // 2 + 1
    return _frequencies(size, [*range(middle), *range(-(int(size) // 2), 0)], size, d, dtype, device)


@rule("torch.fft.rfftfreq", examples=["torch.fft.rfftfreq(5)", "torch.fft.rfftfreq(4, 0.5)"])
def rfftfreq(
    n: int,
    d: Any = 1.0,
    *,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    size = as_size(n)
    return _frequencies(size // 2 + 1, range(int(size) // 2 + 1), size, d, dtype, device)


@rule(
    "torch.stft",
    "Tensor.stft",
    examples=[
        "torch.stft(f32(2, 100), 16, return_complex=True)",
        "torch.stft(f32(100), 16, 5, center=False, return_complex=True)",
    ],
)
def stft(
    input: Tensor,
    n_fft: int,
    hop_length: Any = None,
    win_length: Any = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Tensor:
    """(L,) or (N, L) to (..., n_fft // 2 + 1, 1 + L // hop), complex.

    source: https://docs.pytorch.org/docs/stable/generated/torch.stft.html
    """
    size = as_size(n_fft)
    hop = size // 4 if hop_length is None else as_size(hop_length)
    is_complex = input.dtype.is_complex or (window is not None and window.dtype.is_complex)
    if input.dtype.category < 2 or input.ndim not in (1, 2):
        raise ShapeError(
            f"stft needs (L,) or (N, L) of floats, not {shape_text(input.shape)}", operands=(input,), code="LZ202"
        )
    if return_complex is None and not is_complex:
        raise ShapeError("stft of real numbers needs return_complex", operands=(input,), helps=("return_complex=True",))
    length = input.shape[-1]
    if center:
        if pad_mode == "reflect" and int(size) // 2 >= int(length):
            raise ShapeError(
                f"stft with n_fft={int(size)} pads by {int(size) // 2}, more than the {int(length)} of the input allow",
                operands=(input,),
                code="LZ204",
            )
        length = length + 2 * (size // 2)
    if not 0 < int(size) <= int(length) or int(hop) <= 0:
        raise ShapeError(
            f"stft with n_fft={int(size)} and hop_length={int(hop)} does not fit {int(length)} samples",
            operands=(input,),
            code="LZ204",
        )
    _check_window(window, win_length, size)
    whole = is_complex if onesided is None else not onesided
    shape = (*input.shape[:-1], size if whole else size // 2 + 1, 1 + (length - size) // hop)
    kind = input.dtype.to_complex()
    return (
        new(shape, input, dtype=kind)
        if return_complex or (is_complex and return_complex is None)
        else new((*shape, 2), input, dtype=kind.to_real())
    )


def _check_window(window: Tensor | None, win_length: Any, size: int) -> None:
    length = size if win_length is None else as_size(win_length)
    if not 0 < int(length) <= int(size):
        raise ShapeError(f"a win_length of {int(length)} does not fit n_fft={int(size)}", code="LZ202")
    if window is not None and (window.ndim != 1 or int(window.shape[0]) != int(length)):
        raise ShapeError(
            f"the window must be ({int(length)},), not {shape_text(window.shape)}", operands=(window,), code="LZ201"
        )


@rule("torch.istft", "Tensor.istft")
def istft(
    input: Tensor,
    n_fft: int,
    hop_length: Any = None,
    win_length: Any = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: Any = None,
    return_complex: bool = False,
) -> Tensor:
    """(..., n_fft // 2 + 1, frames) to (..., L)."""
    size = as_size(n_fft)
    hop = size // 4 if hop_length is None else as_size(hop_length)
    if not input.dtype.is_complex or input.ndim not in (2, 3):
        raise ShapeError(
            f"istft needs a complex spectrum of 2 or 3 dims, not {input.dtype.name} of {shape_text(input.shape)}",
            operands=(input,),
            code="LZ202",
        )
    whole = return_complex if onesided is None else not onesided
    rows = size if whole else size // 2 + 1
    if int(input.shape[-2]) != int(rows):
        raise ShapeError(
            f"istft with n_fft={int(size)} needs {int(rows)} frequencies, not {int(input.shape[-2])}",
            operands=(input,),
            code="LZ201",
        )
    _check_window(window, win_length, size)
    samples = size + hop * (input.shape[-1] - 1) - (2 * (size // 2) if center else 0)
    kind = input.dtype if return_complex else input.dtype.to_real()
    return new((*input.shape[:-2], samples if length is None else as_size(length)), input, dtype=kind)
