"""Positional arguments that mean something else to the lazy class than to the plain one.

nn.LazyBatchNorm2d(64)         eps is 64              nn.LazyBatchNorm2d()
nn.LazyLinear(300, 40)         bias is 40             nn.LazyLinear(40)
nn.LazyConv2d(3, 64, 3)        the kernel is 64       nn.LazyConv2d(64, 3)
"""

from __future__ import annotations

from collections.abc import Iterator

from lazygen.diagnostics import Diagnostic
from lazygen.traps.seen import Fed, Seen

_LARGEST_EPS = 0.5
_LARGEST_KERNEL = 7  # a larger one, of a layer with as many channels out as in, is most likely a number of channels


def found(seen: Seen) -> Iterator[Diagnostic]:
    for fed in seen.layers:
        said = _said(fed)
        if said is not None:
            message, cure = said
            yield Diagnostic("LZ146", message, seen.made_at(fed.layer), helps=(cure,), severity="warning")


def _said(fed: Fed) -> tuple[str, str] | None:
    kind, layer = fed.kind.__name__, fed.layer
    if kind.startswith(("LazyBatchNorm", "LazyInstanceNorm")):
        eps = float(layer.eps)
        if eps < _LARGEST_EPS:
            return None
        cure = f"leave it out: {kind}() takes its size from the input"
        return f"the first argument of {kind} is eps, here {eps:g}", cure
    if kind == "LazyLinear":
        bias = vars(layer).get("odd_bias")
        if not isinstance(bias, int) or bias < 2:
            return None
        cure = f"leave in_features out: {kind}({int(bias)})"
        return f"the second argument of {kind} is bias, here {int(bias)}", cure
    if kind.startswith("LazyConv"):
        return _of_convolution(kind, fed)
    return None


def _of_convolution(kind: str, fed: Fed) -> tuple[str, str] | None:
    """The first number is the channels that reach the layer, and the second no likely kernel."""
    layer = fed.layer
    kernel, stride, given = int(layer.kernel_size[0]), int(layer.stride[0]), fed.sizes.get("in_channels")
    if given is None or given.value != int(layer.out_channels) or kernel <= max(_LARGEST_KERNEL, given.value):
        return None
    # Patches have the kernel's stride, or half of it.
    if len({*map(int, layer.kernel_size)}) > 1 or stride == 1 or 4 * stride > kernel:
        return None
    return (
        f"the second argument of {kind} is kernel_size, here {kernel}",
        f"leave in_channels out: {kind}({kernel}, {stride})",
    )
