"""A `view(-1, k)` or `flatten()` that mixes the samples of a batch, so that the model gives another number of results.

(N, 16, 5, 5).view(-1, 100)      4 * N rows, and no error                a warning
(N, L, 64).view(-1, 64)          one row for each step of a sequence     meant
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lazygen.diagnostics import Diagnostic, Note
from lazygen.symbolic.dim import expr_of
from lazygen.symbolic.tensor import Tensor, shape_text
from lazygen.traps.seen import Seen, View, hangs_on_batch, is_batch


def found(seen: Seen) -> Iterator[Diagnostic]:
    rows = {expr_of(tensor.shape[0]) for result in seen.results for tensor in _tensors(result) if tensor.shape}
    for view in seen.views:
        if not _mixes(view) or expr_of(view.result[0]) not in rows:
            continue
        each = 1
        for size in view.shape[1:]:
            each *= int(size)
        yield Diagnostic(
            "LZ263",
            f"this mixes the samples of the batch: {int(view.shape[0])} samples become {int(view.result[0])} rows",
            seen.at(view.at),
            (Note(f"it makes {shape_text(view.result)} of {shape_text(view.shape)}; a sample has {each} numbers"),),
            ("keep the batch apart: x.flatten(1), or x.view(x.size(0), -1)",),
            severity="warning",
        )


def _mixes(view: View) -> bool:
    """Whether rows of the result begin in the middle of what the sizes after the batch say, or are single numbers."""
    first = expr_of(view.shape[0]).symbol
    if first is None or not is_batch(first) or not hangs_on_batch(view.result[0]) or len(view.shape) < 2:
        return False
    if int(view.result[0]) == int(view.shape[0]):
        return False
    row = 1
    for size in view.result[1:]:
        row *= int(size)
    ends, product = {1} if len(view.result) > 1 else set(), 1
    for size in reversed(view.shape[1:]):
        product *= int(size)
        ends.add(product)
    return row not in ends


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))
